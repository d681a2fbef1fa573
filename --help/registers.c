/* Made by state/generate.py from state/registers.yaml. */
#include "c_model/front/tlb_parts.h"
#include "c_model/iommu_parts.h"

static inline uint32_t clog2_of(uint32_t n) {
    return n <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(n - 1);
}
static inline uint32_t width_of(uint32_t n) {
    return n <= 2 ? 1 : clog2_of(n);
}
static inline uint32_t max_of(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}
static inline uint32_t min_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}
static inline uint32_t vpn_w(const lw_params *p) {
    return (9u * p->levels);
}
static inline uint32_t pfn_w(const lw_params *p) {
    return (p->pa_width - 12u);
}
static inline uint32_t pasid_w(const lw_params *p) {
    return clog2_of(p->pasids);
}
static inline uint32_t slot_w(const lw_params *p) {
    return clog2_of(p->buffer_entries);
}
static inline uint32_t seq_w(const lw_params *p) {
    return (slot_w(p) + 2u);
}
static inline uint32_t walker_w(const lw_params *p) {
    return width_of(p->walkers);
}
static inline uint32_t mem_tag_w(const lw_params *p) {
    return (p->subregions != 0 ? clog2_of((p->walkers + 8u)) : walker_w(p));
}
static inline uint32_t serial_lookup(const lw_params *p) {
    return (p->subregions != 0 && (p->par_lookup == 0) != 0);
}
static inline uint32_t tlb_stages(const lw_params *p) {
    return (serial_lookup(p) != 0 ? (p->tlb_latency + 2u) : (p->tlb_latency + 1u));
}
static inline uint32_t tlb_sets(const lw_params *p) {
    return (p->tlb_entries / p->tlb_ways);
}
static inline uint32_t tlb_way_w(const lw_params *p) {
    return clog2_of(p->tlb_ways);
}
static inline uint32_t spans(const lw_params *p) {
    return (p->subregions != 0 || (p->colt == 2u) != 0);
}
static inline uint32_t place_w(const lw_params *p) {
    return ((p->colt == 2u) != 0 ? 2u : 3u);
}
static inline uint32_t has_msc(const lw_params *p) {
    return (p->subregions != 0 && (p->head_first == 0) != 0);
}
static inline uint32_t msc_sets(const lw_params *p) {
    return (p->msc_entries / p->msc_ways);
}
static inline uint32_t sweep_sets(const lw_params *p) {
    return (p->subregions != 0 ? max_of(tlb_sets(p), msc_sets(p)) : tlb_sets(p));
}
static inline uint32_t pwc_sets(const lw_params *p) {
    return (p->pwc_entries / p->pwc_ways);
}
static inline uint32_t pwc_tables(const lw_params *p) {
    return ((p->pwc_org == 0u) != 0 ? (p->levels - 1u) : 1u);
}
static inline uint32_t pwc_entry_w(const lw_params *p) {
    return clog2_of((pwc_tables(p) * p->pwc_entries));
}
static inline uint32_t round2_places(const lw_params *p) {
    return max_of(1u, (p->buffer_entries / 32u));
}
static inline uint32_t increment_w(const lw_params *p) {
    return clog2_of(((p->buffer_entries + p->walkers) + 1u));
}

static const char *const structure_names[LW_STRUCTURE_COUNT] = {
    [LW_S_ADMISSION] = "ADMISSION",
    [LW_S_TLB_PIPE] = "TLB_PIPE",
    [LW_S_TLB] = "TLB",
    [LW_S_TLB_RANK] = "TLB_RANK",
    [LW_S_TLB_RANGE] = "TLB_RANGE",
    [LW_S_TLB_FOUND] = "TLB_FOUND",
    [LW_S_PLACE] = "PLACE",
    [LW_S_BUFFER] = "BUFFER",
    [LW_S_BUFFER_CONTROL] = "BUFFER_CONTROL",
    [LW_S_PICK] = "PICK",
    [LW_S_ROUND1] = "ROUND1",
    [LW_S_ROUND2] = "ROUND2",
    [LW_S_BLOCK] = "BLOCK",
    [LW_S_SEARCH] = "SEARCH",
    [LW_S_SEARCH_LINE] = "SEARCH_LINE",
    [LW_S_UPDATE] = "UPDATE",
    [LW_S_UPDATE_LINE] = "UPDATE_LINE",
    [LW_S_PWC] = "PWC",
    [LW_S_PWC_RANK] = "PWC_RANK",
    [LW_S_PWC_PIPE] = "PWC_PIPE",
    [LW_S_PWC_KEY] = "PWC_KEY",
    [LW_S_PWC_RESULT] = "PWC_RESULT",
    [LW_S_PWC_FILL] = "PWC_FILL",
    [LW_S_PWC_PLACE] = "PWC_PLACE",
    [LW_S_ASK] = "ASK",
    [LW_S_READ] = "READ",
    [LW_S_PWST] = "PWST",
    [LW_S_WALK_MEMORY] = "WALK_MEMORY",
    [LW_S_LINE] = "LINE",
    [LW_S_HIT_QUEUE] = "HIT_QUEUE",
    [LW_S_WALK_QUEUE] = "WALK_QUEUE",
    [LW_S_ANSWER] = "ANSWER",
    [LW_S_FILL] = "FILL",
    [LW_S_RESPONSE] = "RESPONSE",
    [LW_S_INVALIDATION] = "INVALIDATION",
    [LW_S_CONTROL] = "CONTROL",
    [LW_S_ROOT] = "ROOT",
    [LW_S_COUNTER] = "COUNTER",
    [LW_S_CHECK] = "CHECK",
    [LW_S_HEAD] = "HEAD",
    [LW_S_CHECK_QUEUE] = "CHECK_QUEUE",
    [LW_S_MSC] = "MSC",
    [LW_S_MSC_RANK] = "MSC_RANK",
};
static const char *const field_names[LW_FIELD_COUNT] = {
    [LW_F_ADMISSION_BUFFER_USED] = "BUFFER_USED",
    [LW_F_ADMISSION_HIT_USED] = "HIT_USED",
    [LW_F_ADMISSION_FREED] = "FREED",
    [LW_F_TLB_PIPE_PIPE_VALID] = "PIPE_VALID",
    [LW_F_TLB_PIPE_PIPE_ID] = "PIPE_ID",
    [LW_F_TLB_PIPE_PIPE_SRC] = "PIPE_SRC",
    [LW_F_TLB_PIPE_PIPE_PASID] = "PIPE_PASID",
    [LW_F_TLB_PIPE_PIPE_PAGE] = "PIPE_PAGE",
    [LW_F_TLB_PIPE_PIPE_ACCESS] = "PIPE_ACCESS",
    [LW_F_TLB_VALID] = "VALID",
    [LW_F_TLB_CLASS] = "CLASS",
    [LW_F_TLB_PASID] = "PASID",
    [LW_F_TLB_TAG] = "TAG",
    [LW_F_TLB_LENGTH] = "LENGTH",
    [LW_F_TLB_PFN] = "PFN",
    [LW_F_TLB_PERM] = "PERM",
    [LW_F_TLB_SIZE] = "SIZE",
    [LW_F_TLB_RANK_RANK] = "RANK",
    [LW_F_TLB_RANGE_RANGE_FOUND] = "RANGE_FOUND",
    [LW_F_TLB_RANGE_RANGE_WAY] = "RANGE_WAY",
    [LW_F_TLB_RANGE_RANGE_FIRST] = "RANGE_FIRST",
    [LW_F_TLB_RANGE_RANGE_PFN] = "RANGE_PFN",
    [LW_F_TLB_RANGE_RANGE_PERM] = "RANGE_PERM",
    [LW_F_TLB_RANGE_RANGE_SIZE] = "RANGE_SIZE",
    [LW_F_TLB_FOUND_FOUND] = "FOUND",
    [LW_F_TLB_FOUND_FOUND_CLASS] = "FOUND_CLASS",
    [LW_F_TLB_FOUND_WAY] = "WAY",
    [LW_F_TLB_FOUND_FIRST] = "FIRST",
    [LW_F_TLB_FOUND_FOUND_LENGTH] = "FOUND_LENGTH",
    [LW_F_TLB_FOUND_FOUND_PFN] = "FOUND_PFN",
    [LW_F_TLB_FOUND_FOUND_PERM] = "FOUND_PERM",
    [LW_F_TLB_FOUND_FOUND_SIZE] = "FOUND_SIZE",
    [LW_F_PLACE_PLACE_VALID] = "PLACE_VALID",
    [LW_F_PLACE_PLACE_WRITE] = "PLACE_WRITE",
    [LW_F_PLACE_PLACE_CLASS] = "PLACE_CLASS",
    [LW_F_PLACE_PLACE_PASID] = "PLACE_PASID",
    [LW_F_PLACE_PLACE_VPN] = "PLACE_VPN",
    [LW_F_PLACE_PLACE_LENGTH] = "PLACE_LENGTH",
    [LW_F_PLACE_PLACE_PFN] = "PLACE_PFN",
    [LW_F_PLACE_PLACE_PERM] = "PLACE_PERM",
    [LW_F_PLACE_PLACE_SIZE] = "PLACE_SIZE",
    [LW_F_PLACE_PLACE_WAY] = "PLACE_WAY",
    [LW_F_PLACE_PLACE_DROP] = "PLACE_DROP",
    [LW_F_BUFFER_VALID] = "VALID",
    [LW_F_BUFFER_PICKED] = "PICKED",
    [LW_F_BUFFER_DONE] = "DONE",
    [LW_F_BUFFER_STALE] = "STALE",
    [LW_F_BUFFER_BATCH] = "BATCH",
    [LW_F_BUFFER_NEAR_LEVEL] = "NEAR_LEVEL",
    [LW_F_BUFFER_NEAR_CLAIM] = "NEAR_CLAIM",
    [LW_F_BUFFER_NEAR_POSITION] = "NEAR_POSITION",
    [LW_F_BUFFER_ID] = "ID",
    [LW_F_BUFFER_SRC] = "SRC",
    [LW_F_BUFFER_PASID] = "PASID",
    [LW_F_BUFFER_VPN] = "VPN",
    [LW_F_BUFFER_ACCESS] = "ACCESS",
    [LW_F_BUFFER_SEQ] = "SEQ",
    [LW_F_BUFFER_CL] = "CL",
    [LW_F_BUFFER_PL] = "PL",
    [LW_F_BUFFER_PA] = "PA",
    [LW_F_BUFFER_PERM] = "PERM",
    [LW_F_BUFFER_KIND] = "KIND",
    [LW_F_BUFFER_LEVEL] = "LEVEL",
    [LW_F_BUFFER_SIZE] = "SIZE",
    [LW_F_BUFFER_CONTIG] = "CONTIG",
    [LW_F_BUFFER_CONTROL_NEXT_SEQ] = "NEXT_SEQ",
    [LW_F_BUFFER_CONTROL_FREE_SLOT] = "FREE_SLOT",
    [LW_F_BUFFER_CONTROL_MISS_VALID] = "MISS_VALID",
    [LW_F_BUFFER_CONTROL_MISS_ID] = "MISS_ID",
    [LW_F_BUFFER_CONTROL_MISS_SRC] = "MISS_SRC",
    [LW_F_BUFFER_CONTROL_MISS_PASID] = "MISS_PASID",
    [LW_F_BUFFER_CONTROL_MISS_VPN] = "MISS_VPN",
    [LW_F_BUFFER_CONTROL_MISS_ACCESS] = "MISS_ACCESS",
    [LW_F_BUFFER_CONTROL_CANDIDATE_VALID] = "CANDIDATE_VALID",
    [LW_F_BUFFER_CONTROL_CANDIDATE_HELD] = "CANDIDATE_HELD",
    [LW_F_BUFFER_CONTROL_CANDIDATE_SLOT] = "CANDIDATE_SLOT",
    [LW_F_BUFFER_CONTROL_READY] = "READY",
    [LW_F_BUFFER_CONTROL_READY_SLOT] = "READY_SLOT",
    [LW_F_BUFFER_CONTROL_READING] = "READING",
    [LW_F_BUFFER_CONTROL_READING_SLOT] = "READING_SLOT",
    [LW_F_BUFFER_CONTROL_READING_EPOCH] = "READING_EPOCH",
    [LW_F_BUFFER_CONTROL_NEW_VALID] = "NEW_VALID",
    [LW_F_BUFFER_CONTROL_NEW_SLOT] = "NEW_SLOT",
    [LW_F_BUFFER_CONTROL_NEW_VPN] = "NEW_VPN",
    [LW_F_BUFFER_CONTROL_NEW_PASID] = "NEW_PASID",
    [LW_F_BUFFER_CONTROL_NEW_ACCESS] = "NEW_ACCESS",
    [LW_F_BUFFER_CONTROL_FIRST_VALID] = "FIRST_VALID",
    [LW_F_BUFFER_CONTROL_FIRST_SLOT] = "FIRST_SLOT",
    [LW_F_BUFFER_CONTROL_FIRST_CL] = "FIRST_CL",
    [LW_F_PICK_PICK_STEP] = "PICK_STEP",
    [LW_F_ROUND1_ROUND1_FOUND] = "ROUND1_FOUND",
    [LW_F_ROUND1_ROUND1_SLOT] = "ROUND1_SLOT",
    [LW_F_ROUND1_ROUND1_AGE] = "ROUND1_AGE",
    [LW_F_ROUND2_ROUND2_FOUND] = "ROUND2_FOUND",
    [LW_F_ROUND2_ROUND2_SLOT] = "ROUND2_SLOT",
    [LW_F_ROUND2_ROUND2_AGE] = "ROUND2_AGE",
    [LW_F_ROUND2_OLDER] = "OLDER",
    [LW_F_BLOCK_BLOCK_LIVE] = "BLOCK_LIVE",
    [LW_F_SEARCH_SEARCH_OP] = "SEARCH_OP",
    [LW_F_SEARCH_SEARCH_PASID] = "SEARCH_PASID",
    [LW_F_SEARCH_SEARCH_VPN] = "SEARCH_VPN",
    [LW_F_SEARCH_SEARCH_LEVEL] = "SEARCH_LEVEL",
    [LW_F_SEARCH_SEARCH_REACH] = "SEARCH_REACH",
    [LW_F_SEARCH_SEARCH_POSITION] = "SEARCH_POSITION",
    [LW_F_SEARCH_SEARCH_ERROR] = "SEARCH_ERROR",
    [LW_F_SEARCH_SEARCH_PERM] = "SEARCH_PERM",
    [LW_F_SEARCH_SEARCH_CLAIM] = "SEARCH_CLAIM",
    [LW_F_SEARCH_SEARCH_CLAIM_LEVEL] = "SEARCH_CLAIM_LEVEL",
    [LW_F_SEARCH_SEARCH_CLAIM_REACH] = "SEARCH_CLAIM_REACH",
    [LW_F_SEARCH_SEARCH_CLAIM_PERM] = "SEARCH_CLAIM_PERM",
    [LW_F_SEARCH_SEARCH_LINKS] = "SEARCH_LINKS",
    [LW_F_SEARCH_LINE_SEARCH_KIND] = "SEARCH_KIND",
    [LW_F_SEARCH_LINE_SEARCH_USER] = "SEARCH_USER",
    [LW_F_SEARCH_LINE_SEARCH_PTE_PERM] = "SEARCH_PTE_PERM",
    [LW_F_SEARCH_LINE_SEARCH_LEAF] = "SEARCH_LEAF",
    [LW_F_SEARCH_LINE_SEARCH_FRAME] = "SEARCH_FRAME",
    [LW_F_SEARCH_LINE_SEARCH_CONTIG] = "SEARCH_CONTIG",
    [LW_F_UPDATE_UPDATE_OP] = "UPDATE_OP",
    [LW_F_UPDATE_UPDATE_PASID] = "UPDATE_PASID",
    [LW_F_UPDATE_UPDATE_VPN] = "UPDATE_VPN",
    [LW_F_UPDATE_UPDATE_LEVEL] = "UPDATE_LEVEL",
    [LW_F_UPDATE_UPDATE_REACH] = "UPDATE_REACH",
    [LW_F_UPDATE_UPDATE_ERROR] = "UPDATE_ERROR",
    [LW_F_UPDATE_UPDATE_PERM] = "UPDATE_PERM",
    [LW_F_UPDATE_UPDATE_CLAIM] = "UPDATE_CLAIM",
    [LW_F_UPDATE_UPDATE_CLAIM_LEVEL] = "UPDATE_CLAIM_LEVEL",
    [LW_F_UPDATE_UPDATE_CLAIM_REACH] = "UPDATE_CLAIM_REACH",
    [LW_F_UPDATE_UPDATE_CLAIM_PERM] = "UPDATE_CLAIM_PERM",
    [LW_F_UPDATE_UPDATE_LINKS] = "UPDATE_LINKS",
    [LW_F_UPDATE_LINE_UPDATE_KIND] = "UPDATE_KIND",
    [LW_F_UPDATE_LINE_UPDATE_USER] = "UPDATE_USER",
    [LW_F_UPDATE_LINE_UPDATE_PTE_PERM] = "UPDATE_PTE_PERM",
    [LW_F_UPDATE_LINE_UPDATE_LEAF] = "UPDATE_LEAF",
    [LW_F_UPDATE_LINE_UPDATE_FRAME] = "UPDATE_FRAME",
    [LW_F_UPDATE_LINE_UPDATE_CONTIG] = "UPDATE_CONTIG",
    [LW_F_PWC_VALID] = "VALID",
    [LW_F_PWC_PASID] = "PASID",
    [LW_F_PWC_TAG] = "TAG",
    [LW_F_PWC_NODE] = "NODE",
    [LW_F_PWC_PERM] = "PERM",
    [LW_F_PWC_CONTIG] = "CONTIG",
    [LW_F_PWC_RANK_RANK] = "RANK",
    [LW_F_PWC_PIPE_PIPE_VALID] = "PIPE_VALID",
    [LW_F_PWC_PIPE_PIPE_WALKER] = "PIPE_WALKER",
    [LW_F_PWC_KEY_KEY_VPN] = "KEY_VPN",
    [LW_F_PWC_KEY_KEY_PASID] = "KEY_PASID",
    [LW_F_PWC_KEY_KEY_ACCESS] = "KEY_ACCESS",
    [LW_F_PWC_KEY_KEY_LEVEL] = "KEY_LEVEL",
    [LW_F_PWC_KEY_KEY_NODE] = "KEY_NODE",
    [LW_F_PWC_KEY_KEY_PERM] = "KEY_PERM",
    [LW_F_PWC_RESULT_RESULT_VALID] = "RESULT_VALID",
    [LW_F_PWC_RESULT_RESULT_WALKER] = "RESULT_WALKER",
    [LW_F_PWC_RESULT_RESULT_HIT] = "RESULT_HIT",
    [LW_F_PWC_RESULT_RESULT_ENTRY] = "RESULT_ENTRY",
    [LW_F_PWC_RESULT_RESULT_LEVEL] = "RESULT_LEVEL",
    [LW_F_PWC_RESULT_RESULT_NODE] = "RESULT_NODE",
    [LW_F_PWC_RESULT_RESULT_PERM] = "RESULT_PERM",
    [LW_F_PWC_RESULT_RESULT_CONTIG] = "RESULT_CONTIG",
    [LW_F_PWC_FILL_PWC_FILL_VALID] = "PWC_FILL_VALID",
    [LW_F_PWC_FILL_PWC_FILL_LEVEL] = "PWC_FILL_LEVEL",
    [LW_F_PWC_FILL_PWC_FILL_VPN] = "PWC_FILL_VPN",
    [LW_F_PWC_FILL_PWC_FILL_PASID] = "PWC_FILL_PASID",
    [LW_F_PWC_FILL_PWC_FILL_PARENT] = "PWC_FILL_PARENT",
    [LW_F_PWC_FILL_PWC_FILL_NODE] = "PWC_FILL_NODE",
    [LW_F_PWC_FILL_PWC_FILL_PERM] = "PWC_FILL_PERM",
    [LW_F_PWC_FILL_PWC_FILL_CONTIG] = "PWC_FILL_CONTIG",
    [LW_F_PWC_PLACE_PWC_PLACE_VALID] = "PWC_PLACE_VALID",
    [LW_F_PWC_PLACE_PWC_PLACE_LEVEL] = "PWC_PLACE_LEVEL",
    [LW_F_PWC_PLACE_PWC_PLACE_VPN] = "PWC_PLACE_VPN",
    [LW_F_PWC_PLACE_PWC_PLACE_PASID] = "PWC_PLACE_PASID",
    [LW_F_PWC_PLACE_PWC_PLACE_PARENT] = "PWC_PLACE_PARENT",
    [LW_F_PWC_PLACE_PWC_PLACE_NODE] = "PWC_PLACE_NODE",
    [LW_F_PWC_PLACE_PWC_PLACE_PERM] = "PWC_PLACE_PERM",
    [LW_F_PWC_PLACE_PWC_PLACE_CONTIG] = "PWC_PLACE_CONTIG",
    [LW_F_PWC_PLACE_PWC_PLACE_ENTRY] = "PWC_PLACE_ENTRY",
    [LW_F_ASK_ASK_FOR] = "ASK_FOR",
    [LW_F_ASK_ASK_WALKER] = "ASK_WALKER",
    [LW_F_ASK_ASK_SLOT] = "ASK_SLOT",
    [LW_F_READ_READ_FOR] = "READ_FOR",
    [LW_F_READ_READ_WALKER] = "READ_WALKER",
    [LW_F_READ_READ_SLOT] = "READ_SLOT",
    [LW_F_READ_READ_ID] = "READ_ID",
    [LW_F_READ_READ_SRC] = "READ_SRC",
    [LW_F_READ_READ_PASID] = "READ_PASID",
    [LW_F_READ_READ_VPN] = "READ_VPN",
    [LW_F_READ_READ_ACCESS] = "READ_ACCESS",
    [LW_F_READ_READ_DONE] = "READ_DONE",
    [LW_F_READ_READ_CL] = "READ_CL",
    [LW_F_READ_READ_PL] = "READ_PL",
    [LW_F_READ_READ_PA] = "READ_PA",
    [LW_F_READ_READ_PERM] = "READ_PERM",
    [LW_F_READ_READ_CONTIG] = "READ_CONTIG",
    [LW_F_READ_READ_BLOCK] = "READ_BLOCK",
    [LW_F_READ_READ_NEAR] = "READ_NEAR",
    [LW_F_PWST_STATE] = "STATE",
    [LW_F_PWST_STARTED] = "STARTED",
    [LW_F_PWST_STALE] = "STALE",
    [LW_F_PWST_VPN] = "VPN",
    [LW_F_PWST_PASID] = "PASID",
    [LW_F_PWST_ACCESS] = "ACCESS",
    [LW_F_PWST_ID] = "ID",
    [LW_F_PWST_SRC] = "SRC",
    [LW_F_PWST_SLOT] = "SLOT",
    [LW_F_PWST_LEVEL] = "LEVEL",
    [LW_F_PWST_NODE] = "NODE",
    [LW_F_PWST_PERM] = "PERM",
    [LW_F_PWST_KIND] = "KIND",
    [LW_F_PWST_FLEVEL] = "FLEVEL",
    [LW_F_PWST_SIZE] = "SIZE",
    [LW_F_PWST_CONTIG] = "CONTIG",
    [LW_F_WALK_MEMORY_REQ_VALID] = "REQ_VALID",
    [LW_F_WALK_MEMORY_REQ_TAG] = "REQ_TAG",
    [LW_F_WALK_MEMORY_REQ_LINE] = "REQ_LINE",
    [LW_F_WALK_MEMORY_MEM_POINTER] = "MEM_POINTER",
    [LW_F_WALK_MEMORY_LINE_VALID] = "LINE_VALID",
    [LW_F_WALK_MEMORY_LINE_TAG] = "LINE_TAG",
    [LW_F_WALK_MEMORY_LINE_ERROR] = "LINE_ERROR",
    [LW_F_LINE_LINE_DATA] = "LINE_DATA",
    [LW_F_HIT_QUEUE_HIT_ID] = "HIT_ID",
    [LW_F_HIT_QUEUE_HIT_KIND] = "HIT_KIND",
    [LW_F_HIT_QUEUE_HIT_LEVEL] = "HIT_LEVEL",
    [LW_F_HIT_QUEUE_HIT_PFN] = "HIT_PFN",
    [LW_F_HIT_QUEUE_HIT_SIZE] = "HIT_SIZE",
    [LW_F_HIT_QUEUE_HIT_PERM] = "HIT_PERM",
    [LW_F_HIT_QUEUE_HIT_EPOCH] = "HIT_EPOCH",
    [LW_F_WALK_QUEUE_WALK_ID] = "WALK_ID",
    [LW_F_WALK_QUEUE_WALK_KIND] = "WALK_KIND",
    [LW_F_WALK_QUEUE_WALK_LEVEL] = "WALK_LEVEL",
    [LW_F_WALK_QUEUE_WALK_PFN] = "WALK_PFN",
    [LW_F_WALK_QUEUE_WALK_SIZE] = "WALK_SIZE",
    [LW_F_WALK_QUEUE_WALK_PERM] = "WALK_PERM",
    [LW_F_WALK_QUEUE_WALK_EPOCH] = "WALK_EPOCH",
    [LW_F_ANSWER_ANSWER_VALID] = "ANSWER_VALID",
    [LW_F_ANSWER_ANSWER_ID] = "ANSWER_ID",
    [LW_F_ANSWER_ANSWER_SRC] = "ANSWER_SRC",
    [LW_F_ANSWER_ANSWER_PASID] = "ANSWER_PASID",
    [LW_F_ANSWER_ANSWER_VPN] = "ANSWER_VPN",
    [LW_F_ANSWER_ANSWER_ACCESS] = "ANSWER_ACCESS",
    [LW_F_ANSWER_ANSWER_KIND] = "ANSWER_KIND",
    [LW_F_ANSWER_ANSWER_LEVEL] = "ANSWER_LEVEL",
    [LW_F_ANSWER_ANSWER_BASE] = "ANSWER_BASE",
    [LW_F_ANSWER_ANSWER_SIZE] = "ANSWER_SIZE",
    [LW_F_ANSWER_ANSWER_PERM] = "ANSWER_PERM",
    [LW_F_ANSWER_ANSWER_CONTIG] = "ANSWER_CONTIG",
    [LW_F_ANSWER_ANSWER_STALE] = "ANSWER_STALE",
    [LW_F_ANSWER_ANSWER_EPOCH] = "ANSWER_EPOCH",
    [LW_F_ANSWER_ANSWER_ENTRY] = "ANSWER_ENTRY",
    [LW_F_ANSWER_ANSWER_BLOCK] = "ANSWER_BLOCK",
    [LW_F_FILL_FILL_VALID] = "FILL_VALID",
    [LW_F_FILL_FILL_CLASS] = "FILL_CLASS",
    [LW_F_FILL_FILL_PASID] = "FILL_PASID",
    [LW_F_FILL_FILL_VPN] = "FILL_VPN",
    [LW_F_FILL_FILL_LENGTH] = "FILL_LENGTH",
    [LW_F_FILL_FILL_PFN] = "FILL_PFN",
    [LW_F_FILL_FILL_PERM] = "FILL_PERM",
    [LW_F_FILL_FILL_SIZE] = "FILL_SIZE",
    [LW_F_RESPONSE_HIT_HEAD] = "HIT_HEAD",
    [LW_F_RESPONSE_HIT_COUNT] = "HIT_COUNT",
    [LW_F_RESPONSE_WALK_HEAD] = "WALK_HEAD",
    [LW_F_RESPONSE_WALK_COUNT] = "WALK_COUNT",
    [LW_F_RESPONSE_WALK_USED] = "WALK_USED",
    [LW_F_RESPONSE_LAST] = "LAST",
    [LW_F_RESPONSE_OUT_VALID] = "OUT_VALID",
    [LW_F_RESPONSE_OUT_ID] = "OUT_ID",
    [LW_F_RESPONSE_OUT_KIND] = "OUT_KIND",
    [LW_F_RESPONSE_OUT_LEVEL] = "OUT_LEVEL",
    [LW_F_RESPONSE_OUT_PFN] = "OUT_PFN",
    [LW_F_RESPONSE_OUT_SIZE] = "OUT_SIZE",
    [LW_F_RESPONSE_OUT_PERM] = "OUT_PERM",
    [LW_F_RESPONSE_OUT_EPOCH] = "OUT_EPOCH",
    [LW_F_INVALIDATION_STATE] = "STATE",
    [LW_F_INVALIDATION_TYPE] = "TYPE",
    [LW_F_INVALIDATION_PASID] = "PASID",
    [LW_F_INVALIDATION_FIRST] = "FIRST",
    [LW_F_INVALIDATION_LAST] = "LAST",
    [LW_F_INVALIDATION_SWEEP_SET] = "SWEEP_SET",
    [LW_F_INVALIDATION_EPOCH] = "EPOCH",
    [LW_F_CONTROL_FEATURES] = "FEATURES",
    [LW_F_CONTROL_RDATA] = "RDATA",
    [LW_F_CONTROL_FAULT_INFO] = "FAULT_INFO",
    [LW_F_CONTROL_FAULT_PAGE] = "FAULT_PAGE",
    [LW_F_ROOT_ROOT_VALID] = "ROOT_VALID",
    [LW_F_ROOT_ROOT_FRAME] = "ROOT_FRAME",
    [LW_F_COUNTER_COUNT] = "COUNT",
    [LW_F_COUNTER_INCREMENT] = "INCREMENT",
    [LW_F_CHECK_STATE] = "STATE",
    [LW_F_CHECK_PASID] = "PASID",
    [LW_F_CHECK_VSN] = "VSN",
    [LW_F_CHECK_BITS] = "BITS",
    [LW_F_CHECK_NODE] = "NODE",
    [LW_F_CHECK_PERM] = "PERM",
    [LW_F_CHECK_PTE_PERM] = "PTE_PERM",
    [LW_F_CHECK_MAP] = "MAP",
    [LW_F_CHECK_STEP] = "STEP",
    [LW_F_CHECK_ASKED] = "ASKED",
    [LW_F_CHECK_GOT] = "GOT",
    [LW_F_CHECK_QUEUE_HEAD] = "QUEUE_HEAD",
    [LW_F_CHECK_QUEUE_COUNT] = "QUEUE_COUNT",
    [LW_F_HEAD_HEAD_OK] = "HEAD_OK",
    [LW_F_HEAD_HEAD_PFN] = "HEAD_PFN",
    [LW_F_HEAD_HEAD_PERM] = "HEAD_PERM",
    [LW_F_CHECK_QUEUE_JOB_LIVE] = "JOB_LIVE",
    [LW_F_CHECK_QUEUE_JOB_PASID] = "JOB_PASID",
    [LW_F_CHECK_QUEUE_JOB_VSN] = "JOB_VSN",
    [LW_F_CHECK_QUEUE_JOB_BITS] = "JOB_BITS",
    [LW_F_CHECK_QUEUE_JOB_NODE] = "JOB_NODE",
    [LW_F_CHECK_QUEUE_JOB_PFN] = "JOB_PFN",
    [LW_F_CHECK_QUEUE_JOB_PERM] = "JOB_PERM",
    [LW_F_CHECK_QUEUE_JOB_PTE_PERM] = "JOB_PTE_PERM",
    [LW_F_MSC_VALID] = "VALID",
    [LW_F_MSC_PASID] = "PASID",
    [LW_F_MSC_TAG] = "TAG",
    [LW_F_MSC_MAP] = "MAP",
    [LW_F_MSC_RANK_RANK] = "RANK",
};
static const char *const meanings[LW_FIELD_COUNT] = {
    [LW_F_ADMISSION_BUFFER_USED] = "slots of the buffer in use or promised",
    [LW_F_ADMISSION_HIT_USED] = "places of the hit queue in use or promised",
    [LW_F_ADMISSION_FREED] = "slots that the cycle before has freed",
    [LW_F_TLB_PIPE_PIPE_VALID] = "the stage holds a lookup",
    [LW_F_TLB_PIPE_PIPE_ID] = "the request's id",
    [LW_F_TLB_PIPE_PIPE_SRC] = "the request's source",
    [LW_F_TLB_PIPE_PIPE_PASID] = "the request's PASID as it came",
    [LW_F_TLB_PIPE_PIPE_PAGE] = "the page number VA[63:12] as it came",
    [LW_F_TLB_PIPE_PIPE_ACCESS] = "read, write or execute (R1.4)",
    [LW_F_TLB_VALID] = "the entry holds a translation",
    [LW_F_TLB_CLASS] = "regular (0), or a subregion or run (1)",
    [LW_F_TLB_PASID] = "the address space",
    [LW_F_TLB_TAG] = "the page number above the set",
    [LW_F_TLB_LENGTH] = "one less than the subregions, or pages, that it covers",
    [LW_F_TLB_PFN] = "the frame, or the first one",
    [LW_F_TLB_PERM] = "what it grants (R1.5)",
    [LW_F_TLB_SIZE] = "the size of the page it comes from (R1.7)",
    [LW_F_TLB_RANK_RANK] = "0 is the way used last",
    [LW_F_TLB_RANGE_RANGE_FOUND] = "it has found one",
    [LW_F_TLB_RANGE_RANGE_WAY] = "its way",
    [LW_F_TLB_RANGE_RANGE_FIRST] = "the place of its first subregion",
    [LW_F_TLB_RANGE_RANGE_PFN] = "its first frame",
    [LW_F_TLB_RANGE_RANGE_PERM] = "what it grants",
    [LW_F_TLB_RANGE_RANGE_SIZE] = "the size of its page",
    [LW_F_TLB_FOUND_FOUND] = "it has found an entry",
    [LW_F_TLB_FOUND_FOUND_CLASS] = "regular (0), or a subregion or run (1)",
    [LW_F_TLB_FOUND_WAY] = "the entry's way",
    [LW_F_TLB_FOUND_FIRST] = "the place at which the entry begins",
    [LW_F_TLB_FOUND_FOUND_LENGTH] = "the run's length less one",
    [LW_F_TLB_FOUND_FOUND_PFN] = "the entry's first frame",
    [LW_F_TLB_FOUND_FOUND_PERM] = "what the entry grants",
    [LW_F_TLB_FOUND_FOUND_SIZE] = "the size of the entry's page",
    [LW_F_PLACE_PLACE_VALID] = "a fill is written in this cycle",
    [LW_F_PLACE_PLACE_WRITE] = "it is not held already, so it is written",
    [LW_F_PLACE_PLACE_CLASS] = "regular (0), or a subregion or run (1)",
    [LW_F_PLACE_PLACE_PASID] = "the address space",
    [LW_F_PLACE_PLACE_VPN] = "the page, or the first one",
    [LW_F_PLACE_PLACE_LENGTH] = "the length less one",
    [LW_F_PLACE_PLACE_PFN] = "the frame, or the first one",
    [LW_F_PLACE_PLACE_PERM] = "what it grants",
    [LW_F_PLACE_PLACE_SIZE] = "the size of its page",
    [LW_F_PLACE_PLACE_WAY] = "the way that it goes to",
    [LW_F_PLACE_PLACE_DROP] = "the ways that lose their entry, a bit each (R3.12)",
    [LW_F_BUFFER_VALID] = "a miss waits here",
    [LW_F_BUFFER_PICKED] = "held for a walker, or with one that has not started (R5.10)",
    [LW_F_BUFFER_DONE] = "a line has answered it (R9.5)",
    [LW_F_BUFFER_STALE] = "an invalidation came after its answer (R11.2)",
    [LW_F_BUFFER_BATCH] = "it is among those answered next (R10.3)",
    [LW_F_BUFFER_NEAR_LEVEL] = "it lies in the neighbourhood of the operation in update (R4.4)",
    [LW_F_BUFFER_NEAR_CLAIM] = "it lies in that of the operation's claim (R4.4)",
    [LW_F_BUFFER_NEAR_POSITION] = "the PTE of the line that it takes if it is answered (R4.4)",
    [LW_F_BUFFER_ID] = "the request's id",
    [LW_F_BUFFER_SRC] = "the request's source",
    [LW_F_BUFFER_PASID] = "the address space",
    [LW_F_BUFFER_VPN] = "the page",
    [LW_F_BUFFER_ACCESS] = "read, write or execute",
    [LW_F_BUFFER_SEQ] = "the order of arrival (R2.3)",
    [LW_F_BUFFER_CL] = "the level of the access that it waits for, 0 for none (R4.1)",
    [LW_F_BUFFER_PL] = "the level up to which its walk is known, 0 for none (R4.1)",
    [LW_F_BUFFER_PA] = "the node that PL leads to, or the answer's frame",
    [LW_F_BUFFER_PERM] = "what the levels walked so far grant",
    [LW_F_BUFFER_KIND] = "the answer's kind, once DONE (R1.9)",
    [LW_F_BUFFER_LEVEL] = "the fault's level or the answer's links",
    [LW_F_BUFFER_SIZE] = "the answer's page size",
    [LW_F_BUFFER_CONTIG] = "the contiguity bits of the PTE of level PL (R1.10)",
    [LW_F_BUFFER_CONTROL_NEXT_SEQ] = "the SEQ of the next insertion",
    [LW_F_BUFFER_CONTROL_FREE_SLOT] = "the slot of the next insertion (R4.2)",
    [LW_F_BUFFER_CONTROL_MISS_VALID] = "a miss is inserted in this cycle",
    [LW_F_BUFFER_CONTROL_MISS_ID] = "its id",
    [LW_F_BUFFER_CONTROL_MISS_SRC] = "its source",
    [LW_F_BUFFER_CONTROL_MISS_PASID] = "its address space",
    [LW_F_BUFFER_CONTROL_MISS_VPN] = "its page",
    [LW_F_BUFFER_CONTROL_MISS_ACCESS] = "its access",
    [LW_F_BUFFER_CONTROL_CANDIDATE_VALID] = "there is a candidate for the next walker (R5.2)",
    [LW_F_BUFFER_CONTROL_CANDIDATE_HELD] = "its entry is PICKED for it (R5.10)",
    [LW_F_BUFFER_CONTROL_CANDIDATE_SLOT] = "its slot",
    [LW_F_BUFFER_CONTROL_READY] = "an entry's answer is next (R10.3)",
    [LW_F_BUFFER_CONTROL_READY_SLOT] = "its slot",
    [LW_F_BUFFER_CONTROL_READING] = "an answer is read from the buffer in this cycle (R10.2)",
    [LW_F_BUFFER_CONTROL_READING_SLOT] = "its slot",
    [LW_F_BUFFER_CONTROL_READING_EPOCH] = "the EPOCH in which it was chosen",
    [LW_F_BUFFER_CONTROL_NEW_VALID] = "an entry was inserted in the cycle before (R4.3)",
    [LW_F_BUFFER_CONTROL_NEW_SLOT] = "its slot",
    [LW_F_BUFFER_CONTROL_NEW_VPN] = "its page",
    [LW_F_BUFFER_CONTROL_NEW_PASID] = "its address space",
    [LW_F_BUFFER_CONTROL_NEW_ACCESS] = "its access",
    [LW_F_BUFFER_CONTROL_FIRST_VALID] = "a new entry gets its CL in this cycle (R4.3)",
    [LW_F_BUFFER_CONTROL_FIRST_SLOT] = "its slot",
    [LW_F_BUFFER_CONTROL_FIRST_CL] = "that CL",
    [LW_F_PICK_PICK_STEP] = "the round that comes next",
    [LW_F_ROUND1_ROUND1_FOUND] = "one of the four is eligible",
    [LW_F_ROUND1_ROUND1_SLOT] = "the high bits of its slot",
    [LW_F_ROUND1_ROUND1_AGE] = "its age, the smallest is the oldest",
    [LW_F_ROUND2_ROUND2_FOUND] = "one of the class is eligible and not yet given",
    [LW_F_ROUND2_ROUND2_SLOT] = "the high bits of its slot",
    [LW_F_ROUND2_ROUND2_AGE] = "its age",
    [LW_F_ROUND2_OLDER] = "the classes whose oldest is older than this one, a bit each",
    [LW_F_BLOCK_BLOCK_LIVE] = "the count of them",
    [LW_F_SEARCH_SEARCH_OP] = "none, scan, advance or commit",
    [LW_F_SEARCH_SEARCH_PASID] = "the walker's address space",
    [LW_F_SEARCH_SEARCH_VPN] = "the walker's page",
    [LW_F_SEARCH_SEARCH_LEVEL] = "the level released (R4.7)",
    [LW_F_SEARCH_SEARCH_REACH] = "the reach of the scanned access (R1.11)",
    [LW_F_SEARCH_SEARCH_POSITION] = "the place in the line of the scanned access",
    [LW_F_SEARCH_SEARCH_ERROR] = "the line had a memory error",
    [LW_F_SEARCH_SEARCH_PERM] = "what the levels above the line grant",
    [LW_F_SEARCH_SEARCH_CLAIM] = "there is a claim (R4.5)",
    [LW_F_SEARCH_SEARCH_CLAIM_LEVEL] = "its level",
    [LW_F_SEARCH_SEARCH_CLAIM_REACH] = "its reach",
    [LW_F_SEARCH_SEARCH_CLAIM_PERM] = "what its levels grant",
    [LW_F_SEARCH_SEARCH_LINKS] = "the links of the line's two groups (R1.14)",
    [LW_F_SEARCH_LINE_SEARCH_KIND] = "OK, or the fault that every access would take",
    [LW_F_SEARCH_LINE_SEARCH_USER] = "US of the PTE",
    [LW_F_SEARCH_LINE_SEARCH_PTE_PERM] = "what the PTE grants",
    [LW_F_SEARCH_LINE_SEARCH_LEAF] = "the PTE maps a page",
    [LW_F_SEARCH_LINE_SEARCH_FRAME] = "its frame bits",
    [LW_F_SEARCH_LINE_SEARCH_CONTIG] = "its contiguity bits",
    [LW_F_UPDATE_UPDATE_OP] = "none, scan, advance or commit",
    [LW_F_UPDATE_UPDATE_PASID] = "the walker's address space",
    [LW_F_UPDATE_UPDATE_VPN] = "the walker's page",
    [LW_F_UPDATE_UPDATE_LEVEL] = "the level released",
    [LW_F_UPDATE_UPDATE_REACH] = "the reach of the scanned access",
    [LW_F_UPDATE_UPDATE_ERROR] = "the line had a memory error",
    [LW_F_UPDATE_UPDATE_PERM] = "what the levels above the line grant",
    [LW_F_UPDATE_UPDATE_CLAIM] = "there is a claim",
    [LW_F_UPDATE_UPDATE_CLAIM_LEVEL] = "its level",
    [LW_F_UPDATE_UPDATE_CLAIM_REACH] = "its reach",
    [LW_F_UPDATE_UPDATE_CLAIM_PERM] = "what its levels grant",
    [LW_F_UPDATE_UPDATE_LINKS] = "the links of the line's two groups",
    [LW_F_UPDATE_LINE_UPDATE_KIND] = "OK, or the fault that every access would take",
    [LW_F_UPDATE_LINE_UPDATE_USER] = "US of the PTE",
    [LW_F_UPDATE_LINE_UPDATE_PTE_PERM] = "what the PTE grants",
    [LW_F_UPDATE_LINE_UPDATE_LEAF] = "the PTE maps a page",
    [LW_F_UPDATE_LINE_UPDATE_FRAME] = "its frame bits",
    [LW_F_UPDATE_LINE_UPDATE_CONTIG] = "its contiguity bits",
    [LW_F_PWC_VALID] = "the entry holds a PTE",
    [LW_F_PWC_PASID] = "the address space",
    [LW_F_PWC_TAG] = "the page number above level k's reach, narrower in higher tables",
    [LW_F_PWC_NODE] = "the node of the level below",
    [LW_F_PWC_PERM] = "what the levels from the root through k grant",
    [LW_F_PWC_CONTIG] = "the PTE's contiguity bits",
    [LW_F_PWC_RANK_RANK] = "0 is the entry used last",
    [LW_F_PWC_PIPE_PIPE_VALID] = "the stage holds a lookup",
    [LW_F_PWC_PIPE_PIPE_WALKER] = "the walker that looks",
    [LW_F_PWC_KEY_KEY_VPN] = "the walker's page",
    [LW_F_PWC_KEY_KEY_PASID] = "the walker's address space",
    [LW_F_PWC_KEY_KEY_ACCESS] = "the walker's access",
    [LW_F_PWC_KEY_KEY_LEVEL] = "the walker's level",
    [LW_F_PWC_KEY_KEY_NODE] = "the walker's node",
    [LW_F_PWC_KEY_KEY_PERM] = "what the walker's levels grant",
    [LW_F_PWC_RESULT_RESULT_VALID] = "a lookup was compared in the cycle before",
    [LW_F_PWC_RESULT_RESULT_WALKER] = "the walker that looked",
    [LW_F_PWC_RESULT_RESULT_HIT] = "it has hit",
    [LW_F_PWC_RESULT_RESULT_ENTRY] = "the entry that it has hit",
    [LW_F_PWC_RESULT_RESULT_LEVEL] = "the walker's new level",
    [LW_F_PWC_RESULT_RESULT_NODE] = "its new node",
    [LW_F_PWC_RESULT_RESULT_PERM] = "what its levels grant then",
    [LW_F_PWC_RESULT_RESULT_CONTIG] = "the contiguity bits that it has read",
    [LW_F_PWC_FILL_PWC_FILL_VALID] = "there is a fill",
    [LW_F_PWC_FILL_PWC_FILL_LEVEL] = "the level of the PTE",
    [LW_F_PWC_FILL_PWC_FILL_VPN] = "the page of the walk",
    [LW_F_PWC_FILL_PWC_FILL_PASID] = "its address space",
    [LW_F_PWC_FILL_PWC_FILL_PARENT] = "the node that holds the PTE",
    [LW_F_PWC_FILL_PWC_FILL_NODE] = "the node that the PTE names",
    [LW_F_PWC_FILL_PWC_FILL_PERM] = "what is granted through it, or by itself (R6.5)",
    [LW_F_PWC_FILL_PWC_FILL_CONTIG] = "its contiguity bits",
    [LW_F_PWC_PLACE_PWC_PLACE_VALID] = "a fill is written in this cycle",
    [LW_F_PWC_PLACE_PWC_PLACE_LEVEL] = "the level of the PTE",
    [LW_F_PWC_PLACE_PWC_PLACE_VPN] = "the page of the walk",
    [LW_F_PWC_PLACE_PWC_PLACE_PASID] = "its address space",
    [LW_F_PWC_PLACE_PWC_PLACE_PARENT] = "the node that holds the PTE",
    [LW_F_PWC_PLACE_PWC_PLACE_NODE] = "the node that the PTE names",
    [LW_F_PWC_PLACE_PWC_PLACE_PERM] = "what is granted",
    [LW_F_PWC_PLACE_PWC_PLACE_CONTIG] = "its contiguity bits",
    [LW_F_PWC_PLACE_PWC_PLACE_ENTRY] = "the entry that it goes to",
    [LW_F_ASK_ASK_FOR] = "nothing, a take or a commit",
    [LW_F_ASK_ASK_WALKER] = "for which walker",
    [LW_F_ASK_ASK_SLOT] = "its slot",
    [LW_F_READ_READ_FOR] = "nothing, a take or a commit",
    [LW_F_READ_READ_WALKER] = "for which walker",
    [LW_F_READ_READ_SLOT] = "its slot",
    [LW_F_READ_READ_ID] = "its id",
    [LW_F_READ_READ_SRC] = "its source",
    [LW_F_READ_READ_PASID] = "its address space",
    [LW_F_READ_READ_VPN] = "its page",
    [LW_F_READ_READ_ACCESS] = "its access",
    [LW_F_READ_READ_DONE] = "its DONE",
    [LW_F_READ_READ_CL] = "its CL",
    [LW_F_READ_READ_PL] = "its PL",
    [LW_F_READ_READ_PA] = "its PA",
    [LW_F_READ_READ_PERM] = "its PERM",
    [LW_F_READ_READ_CONTIG] = "its CONTIG",
    [LW_F_READ_READ_BLOCK] = "the top bits of its SEQ",
    [LW_F_READ_READ_NEAR] = "an operation may have changed it since (R5.6)",
    [LW_F_PWST_STATE] = "what it does (R7.1); 0 is IDLE",
    [LW_F_PWST_STARTED] = "its walk is committed (R5.8)",
    [LW_F_PWST_STALE] = "an invalidation came after it started (R11.2)",
    [LW_F_PWST_VPN] = "the page",
    [LW_F_PWST_PASID] = "the address space",
    [LW_F_PWST_ACCESS] = "read, write or execute",
    [LW_F_PWST_ID] = "the request's id",
    [LW_F_PWST_SRC] = "the request's source",
    [LW_F_PWST_SLOT] = "the buffer entry that it took",
    [LW_F_PWST_LEVEL] = "the level of the next access",
    [LW_F_PWST_NODE] = "the node of that level, or the answer's frame",
    [LW_F_PWST_PERM] = "what the levels so far grant",
    [LW_F_PWST_KIND] = "the answer's kind",
    [LW_F_PWST_FLEVEL] = "the fault's level, or the answer's links",
    [LW_F_PWST_SIZE] = "the answer's page size",
    [LW_F_PWST_CONTIG] = "the contiguity bits of the PTE above",
    [LW_F_WALK_MEMORY_REQ_VALID] = "a line is asked for",
    [LW_F_WALK_MEMORY_REQ_TAG] = "for which walker, or head",
    [LW_F_WALK_MEMORY_REQ_LINE] = "its address",
    [LW_F_WALK_MEMORY_MEM_POINTER] = "the walker whose turn is first (R8.1)",
    [LW_F_WALK_MEMORY_LINE_VALID] = "a line has come",
    [LW_F_WALK_MEMORY_LINE_TAG] = "for which walker, or head",
    [LW_F_WALK_MEMORY_LINE_ERROR] = "it came with an error",
    [LW_F_LINE_LINE_DATA] = "PTE i",
    [LW_F_HIT_QUEUE_HIT_ID] = "the request's id",
    [LW_F_HIT_QUEUE_HIT_KIND] = "OK or the fault",
    [LW_F_HIT_QUEUE_HIT_LEVEL] = "the fault's level or the links",
    [LW_F_HIT_QUEUE_HIT_PFN] = "the frame",
    [LW_F_HIT_QUEUE_HIT_SIZE] = "the page's size",
    [LW_F_HIT_QUEUE_HIT_PERM] = "what is granted",
    [LW_F_HIT_QUEUE_HIT_EPOCH] = "the EPOCH in which it was pushed (R10.6)",
    [LW_F_WALK_QUEUE_WALK_ID] = "the request's id",
    [LW_F_WALK_QUEUE_WALK_KIND] = "OK or the fault",
    [LW_F_WALK_QUEUE_WALK_LEVEL] = "the fault's level or the links",
    [LW_F_WALK_QUEUE_WALK_PFN] = "the frame",
    [LW_F_WALK_QUEUE_WALK_SIZE] = "the page's size",
    [LW_F_WALK_QUEUE_WALK_PERM] = "what is granted",
    [LW_F_WALK_QUEUE_WALK_EPOCH] = "the EPOCH in which it was chosen (R10.6)",
    [LW_F_ANSWER_ANSWER_VALID] = "there is one",
    [LW_F_ANSWER_ANSWER_ID] = "the request's id",
    [LW_F_ANSWER_ANSWER_SRC] = "its source",
    [LW_F_ANSWER_ANSWER_PASID] = "its address space",
    [LW_F_ANSWER_ANSWER_VPN] = "its page",
    [LW_F_ANSWER_ANSWER_ACCESS] = "its access",
    [LW_F_ANSWER_ANSWER_KIND] = "OK or the fault",
    [LW_F_ANSWER_ANSWER_LEVEL] = "the fault's level or the links",
    [LW_F_ANSWER_ANSWER_BASE] = "the frame before the page's offset is added",
    [LW_F_ANSWER_ANSWER_SIZE] = "the page's size",
    [LW_F_ANSWER_ANSWER_PERM] = "what is granted",
    [LW_F_ANSWER_ANSWER_CONTIG] = "the contiguity bits that say its reach",
    [LW_F_ANSWER_ANSWER_STALE] = "it must not fill the TLB",
    [LW_F_ANSWER_ANSWER_EPOCH] = "the EPOCH in which it was chosen",
    [LW_F_ANSWER_ANSWER_ENTRY] = "from a buffer entry (1) or a walker (0)",
    [LW_F_ANSWER_ANSWER_BLOCK] = "the top bits of that entry's SEQ",
    [LW_F_FILL_FILL_VALID] = "there is a fill",
    [LW_F_FILL_FILL_CLASS] = "regular (0), or a subregion or run (1)",
    [LW_F_FILL_FILL_PASID] = "the address space",
    [LW_F_FILL_FILL_VPN] = "the page, or the first one",
    [LW_F_FILL_FILL_LENGTH] = "the length less one",
    [LW_F_FILL_FILL_PFN] = "the frame, or the first one",
    [LW_F_FILL_FILL_PERM] = "what it grants",
    [LW_F_FILL_FILL_SIZE] = "the size of its page",
    [LW_F_RESPONSE_HIT_HEAD] = "the hit queue's first place",
    [LW_F_RESPONSE_HIT_COUNT] = "its places taken",
    [LW_F_RESPONSE_WALK_HEAD] = "the walk queue's first place",
    [LW_F_RESPONSE_WALK_COUNT] = "its places taken",
    [LW_F_RESPONSE_WALK_USED] = "its places taken or promised (R10.1)",
    [LW_F_RESPONSE_LAST] = "the queue served last (0 hit, 1 walk)",
    [LW_F_RESPONSE_OUT_VALID] = "a response is offered",
    [LW_F_RESPONSE_OUT_ID] = "its id",
    [LW_F_RESPONSE_OUT_KIND] = "OK or the fault",
    [LW_F_RESPONSE_OUT_LEVEL] = "the fault's level or the links",
    [LW_F_RESPONSE_OUT_PFN] = "the frame",
    [LW_F_RESPONSE_OUT_SIZE] = "the page's size",
    [LW_F_RESPONSE_OUT_PERM] = "what is granted",
    [LW_F_RESPONSE_OUT_EPOCH] = "its EPOCH",
    [LW_F_INVALIDATION_STATE] = "how far it is",
    [LW_F_INVALIDATION_TYPE] = "page, range, PASID or all",
    [LW_F_INVALIDATION_PASID] = "the PASID asked for",
    [LW_F_INVALIDATION_FIRST] = "the page, or the range's first",
    [LW_F_INVALIDATION_LAST] = "the range's last page",
    [LW_F_INVALIDATION_SWEEP_SET] = "the set that is swept",
    [LW_F_INVALIDATION_EPOCH] = "inverted when the walks before the invalidation have ended (R11.5)",
    [LW_F_CONTROL_FEATURES] = "the mechanisms switched on; bits 4 and 5 stay zero in a unit without them (R12.2)",
    [LW_F_CONTROL_RDATA] = "what the address of the cycle before reads",
    [LW_F_CONTROL_FAULT_INFO] = "who met the first fault (R12.3)",
    [LW_F_CONTROL_FAULT_PAGE] = "and for which page",
    [LW_F_ROOT_ROOT_VALID] = "PASID i has a page table",
    [LW_F_ROOT_ROOT_FRAME] = "the frame of its root",
    [LW_F_COUNTER_COUNT] = "what a read gives",
    [LW_F_COUNTER_INCREMENT] = "what the cycle before adds",
    [LW_F_CHECK_STATE] = "how far it is (R16.3)",
    [LW_F_CHECK_PASID] = "the address space",
    [LW_F_CHECK_VSN] = "the subregion that was read",
    [LW_F_CHECK_BITS] = "the contiguous subregions of its frame",
    [LW_F_CHECK_NODE] = "the node that holds the heads' PTEs",
    [LW_F_CHECK_PERM] = "what the walk grants",
    [LW_F_CHECK_PTE_PERM] = "what the head's PTE grants",
    [LW_F_CHECK_MAP] = "neighbours that join, a bit each pair (R16.8)",
    [LW_F_CHECK_STEP] = "the pair that is compared",
    [LW_F_CHECK_ASKED] = "heads that were asked for, a bit each",
    [LW_F_CHECK_GOT] = "heads that have come, a bit each",
    [LW_F_CHECK_QUEUE_HEAD] = "the queue's first place",
    [LW_F_CHECK_QUEUE_COUNT] = "its places taken",
    [LW_F_HEAD_HEAD_OK] = "the head's PTE is a leaf that may be read",
    [LW_F_HEAD_HEAD_PFN] = "its frame",
    [LW_F_HEAD_HEAD_PERM] = "what it grants",
    [LW_F_CHECK_QUEUE_JOB_LIVE] = "no invalidation has ended it",
    [LW_F_CHECK_QUEUE_JOB_PASID] = "the address space",
    [LW_F_CHECK_QUEUE_JOB_VSN] = "the subregion that was read",
    [LW_F_CHECK_QUEUE_JOB_BITS] = "the contiguous subregions of its frame",
    [LW_F_CHECK_QUEUE_JOB_NODE] = "the node that holds the heads' PTEs",
    [LW_F_CHECK_QUEUE_JOB_PFN] = "the head's frame",
    [LW_F_CHECK_QUEUE_JOB_PERM] = "what the walk grants",
    [LW_F_CHECK_QUEUE_JOB_PTE_PERM] = "what the head's PTE grants",
    [LW_F_MSC_VALID] = "the entry holds a frame",
    [LW_F_MSC_PASID] = "the address space",
    [LW_F_MSC_TAG] = "the frame's number above the set",
    [LW_F_MSC_MAP] = "its subregions that join, a bit each pair",
    [LW_F_MSC_RANK_RANK] = "0 is the way used last",
};
static const lw_structure structures[LW_FIELD_COUNT] = {
    [LW_F_ADMISSION_BUFFER_USED] = LW_S_ADMISSION,
    [LW_F_ADMISSION_HIT_USED] = LW_S_ADMISSION,
    [LW_F_ADMISSION_FREED] = LW_S_ADMISSION,
    [LW_F_TLB_PIPE_PIPE_VALID] = LW_S_TLB_PIPE,
    [LW_F_TLB_PIPE_PIPE_ID] = LW_S_TLB_PIPE,
    [LW_F_TLB_PIPE_PIPE_SRC] = LW_S_TLB_PIPE,
    [LW_F_TLB_PIPE_PIPE_PASID] = LW_S_TLB_PIPE,
    [LW_F_TLB_PIPE_PIPE_PAGE] = LW_S_TLB_PIPE,
    [LW_F_TLB_PIPE_PIPE_ACCESS] = LW_S_TLB_PIPE,
    [LW_F_TLB_VALID] = LW_S_TLB,
    [LW_F_TLB_CLASS] = LW_S_TLB,
    [LW_F_TLB_PASID] = LW_S_TLB,
    [LW_F_TLB_TAG] = LW_S_TLB,
    [LW_F_TLB_LENGTH] = LW_S_TLB,
    [LW_F_TLB_PFN] = LW_S_TLB,
    [LW_F_TLB_PERM] = LW_S_TLB,
    [LW_F_TLB_SIZE] = LW_S_TLB,
    [LW_F_TLB_RANK_RANK] = LW_S_TLB_RANK,
    [LW_F_TLB_RANGE_RANGE_FOUND] = LW_S_TLB_RANGE,
    [LW_F_TLB_RANGE_RANGE_WAY] = LW_S_TLB_RANGE,
    [LW_F_TLB_RANGE_RANGE_FIRST] = LW_S_TLB_RANGE,
    [LW_F_TLB_RANGE_RANGE_PFN] = LW_S_TLB_RANGE,
    [LW_F_TLB_RANGE_RANGE_PERM] = LW_S_TLB_RANGE,
    [LW_F_TLB_RANGE_RANGE_SIZE] = LW_S_TLB_RANGE,
    [LW_F_TLB_FOUND_FOUND] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FOUND_CLASS] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_WAY] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FIRST] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FOUND_LENGTH] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FOUND_PFN] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FOUND_PERM] = LW_S_TLB_FOUND,
    [LW_F_TLB_FOUND_FOUND_SIZE] = LW_S_TLB_FOUND,
    [LW_F_PLACE_PLACE_VALID] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_WRITE] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_CLASS] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_PASID] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_VPN] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_LENGTH] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_PFN] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_PERM] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_SIZE] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_WAY] = LW_S_PLACE,
    [LW_F_PLACE_PLACE_DROP] = LW_S_PLACE,
    [LW_F_BUFFER_VALID] = LW_S_BUFFER,
    [LW_F_BUFFER_PICKED] = LW_S_BUFFER,
    [LW_F_BUFFER_DONE] = LW_S_BUFFER,
    [LW_F_BUFFER_STALE] = LW_S_BUFFER,
    [LW_F_BUFFER_BATCH] = LW_S_BUFFER,
    [LW_F_BUFFER_NEAR_LEVEL] = LW_S_BUFFER,
    [LW_F_BUFFER_NEAR_CLAIM] = LW_S_BUFFER,
    [LW_F_BUFFER_NEAR_POSITION] = LW_S_BUFFER,
    [LW_F_BUFFER_ID] = LW_S_BUFFER,
    [LW_F_BUFFER_SRC] = LW_S_BUFFER,
    [LW_F_BUFFER_PASID] = LW_S_BUFFER,
    [LW_F_BUFFER_VPN] = LW_S_BUFFER,
    [LW_F_BUFFER_ACCESS] = LW_S_BUFFER,
    [LW_F_BUFFER_SEQ] = LW_S_BUFFER,
    [LW_F_BUFFER_CL] = LW_S_BUFFER,
    [LW_F_BUFFER_PL] = LW_S_BUFFER,
    [LW_F_BUFFER_PA] = LW_S_BUFFER,
    [LW_F_BUFFER_PERM] = LW_S_BUFFER,
    [LW_F_BUFFER_KIND] = LW_S_BUFFER,
    [LW_F_BUFFER_LEVEL] = LW_S_BUFFER,
    [LW_F_BUFFER_SIZE] = LW_S_BUFFER,
    [LW_F_BUFFER_CONTIG] = LW_S_BUFFER,
    [LW_F_BUFFER_CONTROL_NEXT_SEQ] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_FREE_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_VALID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_ID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_SRC] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_PASID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_VPN] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_MISS_ACCESS] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_CANDIDATE_VALID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_CANDIDATE_HELD] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_CANDIDATE_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_READY] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_READY_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_READING] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_READING_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_READING_EPOCH] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_NEW_VALID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_NEW_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_NEW_VPN] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_NEW_PASID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_NEW_ACCESS] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_FIRST_VALID] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_FIRST_SLOT] = LW_S_BUFFER_CONTROL,
    [LW_F_BUFFER_CONTROL_FIRST_CL] = LW_S_BUFFER_CONTROL,
    [LW_F_PICK_PICK_STEP] = LW_S_PICK,
    [LW_F_ROUND1_ROUND1_FOUND] = LW_S_ROUND1,
    [LW_F_ROUND1_ROUND1_SLOT] = LW_S_ROUND1,
    [LW_F_ROUND1_ROUND1_AGE] = LW_S_ROUND1,
    [LW_F_ROUND2_ROUND2_FOUND] = LW_S_ROUND2,
    [LW_F_ROUND2_ROUND2_SLOT] = LW_S_ROUND2,
    [LW_F_ROUND2_ROUND2_AGE] = LW_S_ROUND2,
    [LW_F_ROUND2_OLDER] = LW_S_ROUND2,
    [LW_F_BLOCK_BLOCK_LIVE] = LW_S_BLOCK,
    [LW_F_SEARCH_SEARCH_OP] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_PASID] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_VPN] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_LEVEL] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_REACH] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_POSITION] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_ERROR] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_PERM] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_CLAIM] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_CLAIM_LEVEL] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_CLAIM_REACH] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_CLAIM_PERM] = LW_S_SEARCH,
    [LW_F_SEARCH_SEARCH_LINKS] = LW_S_SEARCH,
    [LW_F_SEARCH_LINE_SEARCH_KIND] = LW_S_SEARCH_LINE,
    [LW_F_SEARCH_LINE_SEARCH_USER] = LW_S_SEARCH_LINE,
    [LW_F_SEARCH_LINE_SEARCH_PTE_PERM] = LW_S_SEARCH_LINE,
    [LW_F_SEARCH_LINE_SEARCH_LEAF] = LW_S_SEARCH_LINE,
    [LW_F_SEARCH_LINE_SEARCH_FRAME] = LW_S_SEARCH_LINE,
    [LW_F_SEARCH_LINE_SEARCH_CONTIG] = LW_S_SEARCH_LINE,
    [LW_F_UPDATE_UPDATE_OP] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_PASID] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_VPN] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_LEVEL] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_REACH] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_ERROR] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_PERM] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_CLAIM] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_CLAIM_LEVEL] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_CLAIM_REACH] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_CLAIM_PERM] = LW_S_UPDATE,
    [LW_F_UPDATE_UPDATE_LINKS] = LW_S_UPDATE,
    [LW_F_UPDATE_LINE_UPDATE_KIND] = LW_S_UPDATE_LINE,
    [LW_F_UPDATE_LINE_UPDATE_USER] = LW_S_UPDATE_LINE,
    [LW_F_UPDATE_LINE_UPDATE_PTE_PERM] = LW_S_UPDATE_LINE,
    [LW_F_UPDATE_LINE_UPDATE_LEAF] = LW_S_UPDATE_LINE,
    [LW_F_UPDATE_LINE_UPDATE_FRAME] = LW_S_UPDATE_LINE,
    [LW_F_UPDATE_LINE_UPDATE_CONTIG] = LW_S_UPDATE_LINE,
    [LW_F_PWC_VALID] = LW_S_PWC,
    [LW_F_PWC_PASID] = LW_S_PWC,
    [LW_F_PWC_TAG] = LW_S_PWC,
    [LW_F_PWC_NODE] = LW_S_PWC,
    [LW_F_PWC_PERM] = LW_S_PWC,
    [LW_F_PWC_CONTIG] = LW_S_PWC,
    [LW_F_PWC_RANK_RANK] = LW_S_PWC_RANK,
    [LW_F_PWC_PIPE_PIPE_VALID] = LW_S_PWC_PIPE,
    [LW_F_PWC_PIPE_PIPE_WALKER] = LW_S_PWC_PIPE,
    [LW_F_PWC_KEY_KEY_VPN] = LW_S_PWC_KEY,
    [LW_F_PWC_KEY_KEY_PASID] = LW_S_PWC_KEY,
    [LW_F_PWC_KEY_KEY_ACCESS] = LW_S_PWC_KEY,
    [LW_F_PWC_KEY_KEY_LEVEL] = LW_S_PWC_KEY,
    [LW_F_PWC_KEY_KEY_NODE] = LW_S_PWC_KEY,
    [LW_F_PWC_KEY_KEY_PERM] = LW_S_PWC_KEY,
    [LW_F_PWC_RESULT_RESULT_VALID] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_WALKER] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_HIT] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_ENTRY] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_LEVEL] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_NODE] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_PERM] = LW_S_PWC_RESULT,
    [LW_F_PWC_RESULT_RESULT_CONTIG] = LW_S_PWC_RESULT,
    [LW_F_PWC_FILL_PWC_FILL_VALID] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_LEVEL] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_VPN] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_PASID] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_PARENT] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_NODE] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_PERM] = LW_S_PWC_FILL,
    [LW_F_PWC_FILL_PWC_FILL_CONTIG] = LW_S_PWC_FILL,
    [LW_F_PWC_PLACE_PWC_PLACE_VALID] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_LEVEL] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_VPN] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_PASID] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_PARENT] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_NODE] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_PERM] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_CONTIG] = LW_S_PWC_PLACE,
    [LW_F_PWC_PLACE_PWC_PLACE_ENTRY] = LW_S_PWC_PLACE,
    [LW_F_ASK_ASK_FOR] = LW_S_ASK,
    [LW_F_ASK_ASK_WALKER] = LW_S_ASK,
    [LW_F_ASK_ASK_SLOT] = LW_S_ASK,
    [LW_F_READ_READ_FOR] = LW_S_READ,
    [LW_F_READ_READ_WALKER] = LW_S_READ,
    [LW_F_READ_READ_SLOT] = LW_S_READ,
    [LW_F_READ_READ_ID] = LW_S_READ,
    [LW_F_READ_READ_SRC] = LW_S_READ,
    [LW_F_READ_READ_PASID] = LW_S_READ,
    [LW_F_READ_READ_VPN] = LW_S_READ,
    [LW_F_READ_READ_ACCESS] = LW_S_READ,
    [LW_F_READ_READ_DONE] = LW_S_READ,
    [LW_F_READ_READ_CL] = LW_S_READ,
    [LW_F_READ_READ_PL] = LW_S_READ,
    [LW_F_READ_READ_PA] = LW_S_READ,
    [LW_F_READ_READ_PERM] = LW_S_READ,
    [LW_F_READ_READ_CONTIG] = LW_S_READ,
    [LW_F_READ_READ_BLOCK] = LW_S_READ,
    [LW_F_READ_READ_NEAR] = LW_S_READ,
    [LW_F_PWST_STATE] = LW_S_PWST,
    [LW_F_PWST_STARTED] = LW_S_PWST,
    [LW_F_PWST_STALE] = LW_S_PWST,
    [LW_F_PWST_VPN] = LW_S_PWST,
    [LW_F_PWST_PASID] = LW_S_PWST,
    [LW_F_PWST_ACCESS] = LW_S_PWST,
    [LW_F_PWST_ID] = LW_S_PWST,
    [LW_F_PWST_SRC] = LW_S_PWST,
    [LW_F_PWST_SLOT] = LW_S_PWST,
    [LW_F_PWST_LEVEL] = LW_S_PWST,
    [LW_F_PWST_NODE] = LW_S_PWST,
    [LW_F_PWST_PERM] = LW_S_PWST,
    [LW_F_PWST_KIND] = LW_S_PWST,
    [LW_F_PWST_FLEVEL] = LW_S_PWST,
    [LW_F_PWST_SIZE] = LW_S_PWST,
    [LW_F_PWST_CONTIG] = LW_S_PWST,
    [LW_F_WALK_MEMORY_REQ_VALID] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_REQ_TAG] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_REQ_LINE] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_MEM_POINTER] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_LINE_VALID] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_LINE_TAG] = LW_S_WALK_MEMORY,
    [LW_F_WALK_MEMORY_LINE_ERROR] = LW_S_WALK_MEMORY,
    [LW_F_LINE_LINE_DATA] = LW_S_LINE,
    [LW_F_HIT_QUEUE_HIT_ID] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_KIND] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_LEVEL] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_PFN] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_SIZE] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_PERM] = LW_S_HIT_QUEUE,
    [LW_F_HIT_QUEUE_HIT_EPOCH] = LW_S_HIT_QUEUE,
    [LW_F_WALK_QUEUE_WALK_ID] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_KIND] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_LEVEL] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_PFN] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_SIZE] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_PERM] = LW_S_WALK_QUEUE,
    [LW_F_WALK_QUEUE_WALK_EPOCH] = LW_S_WALK_QUEUE,
    [LW_F_ANSWER_ANSWER_VALID] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_ID] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_SRC] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_PASID] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_VPN] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_ACCESS] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_KIND] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_LEVEL] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_BASE] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_SIZE] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_PERM] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_CONTIG] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_STALE] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_EPOCH] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_ENTRY] = LW_S_ANSWER,
    [LW_F_ANSWER_ANSWER_BLOCK] = LW_S_ANSWER,
    [LW_F_FILL_FILL_VALID] = LW_S_FILL,
    [LW_F_FILL_FILL_CLASS] = LW_S_FILL,
    [LW_F_FILL_FILL_PASID] = LW_S_FILL,
    [LW_F_FILL_FILL_VPN] = LW_S_FILL,
    [LW_F_FILL_FILL_LENGTH] = LW_S_FILL,
    [LW_F_FILL_FILL_PFN] = LW_S_FILL,
    [LW_F_FILL_FILL_PERM] = LW_S_FILL,
    [LW_F_FILL_FILL_SIZE] = LW_S_FILL,
    [LW_F_RESPONSE_HIT_HEAD] = LW_S_RESPONSE,
    [LW_F_RESPONSE_HIT_COUNT] = LW_S_RESPONSE,
    [LW_F_RESPONSE_WALK_HEAD] = LW_S_RESPONSE,
    [LW_F_RESPONSE_WALK_COUNT] = LW_S_RESPONSE,
    [LW_F_RESPONSE_WALK_USED] = LW_S_RESPONSE,
    [LW_F_RESPONSE_LAST] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_VALID] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_ID] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_KIND] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_LEVEL] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_PFN] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_SIZE] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_PERM] = LW_S_RESPONSE,
    [LW_F_RESPONSE_OUT_EPOCH] = LW_S_RESPONSE,
    [LW_F_INVALIDATION_STATE] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_TYPE] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_PASID] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_FIRST] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_LAST] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_SWEEP_SET] = LW_S_INVALIDATION,
    [LW_F_INVALIDATION_EPOCH] = LW_S_INVALIDATION,
    [LW_F_CONTROL_FEATURES] = LW_S_CONTROL,
    [LW_F_CONTROL_RDATA] = LW_S_CONTROL,
    [LW_F_CONTROL_FAULT_INFO] = LW_S_CONTROL,
    [LW_F_CONTROL_FAULT_PAGE] = LW_S_CONTROL,
    [LW_F_ROOT_ROOT_VALID] = LW_S_ROOT,
    [LW_F_ROOT_ROOT_FRAME] = LW_S_ROOT,
    [LW_F_COUNTER_COUNT] = LW_S_COUNTER,
    [LW_F_COUNTER_INCREMENT] = LW_S_COUNTER,
    [LW_F_CHECK_STATE] = LW_S_CHECK,
    [LW_F_CHECK_PASID] = LW_S_CHECK,
    [LW_F_CHECK_VSN] = LW_S_CHECK,
    [LW_F_CHECK_BITS] = LW_S_CHECK,
    [LW_F_CHECK_NODE] = LW_S_CHECK,
    [LW_F_CHECK_PERM] = LW_S_CHECK,
    [LW_F_CHECK_PTE_PERM] = LW_S_CHECK,
    [LW_F_CHECK_MAP] = LW_S_CHECK,
    [LW_F_CHECK_STEP] = LW_S_CHECK,
    [LW_F_CHECK_ASKED] = LW_S_CHECK,
    [LW_F_CHECK_GOT] = LW_S_CHECK,
    [LW_F_CHECK_QUEUE_HEAD] = LW_S_CHECK,
    [LW_F_CHECK_QUEUE_COUNT] = LW_S_CHECK,
    [LW_F_HEAD_HEAD_OK] = LW_S_HEAD,
    [LW_F_HEAD_HEAD_PFN] = LW_S_HEAD,
    [LW_F_HEAD_HEAD_PERM] = LW_S_HEAD,
    [LW_F_CHECK_QUEUE_JOB_LIVE] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_PASID] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_VSN] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_BITS] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_NODE] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_PFN] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_PERM] = LW_S_CHECK_QUEUE,
    [LW_F_CHECK_QUEUE_JOB_PTE_PERM] = LW_S_CHECK_QUEUE,
    [LW_F_MSC_VALID] = LW_S_MSC,
    [LW_F_MSC_PASID] = LW_S_MSC,
    [LW_F_MSC_TAG] = LW_S_MSC,
    [LW_F_MSC_MAP] = LW_S_MSC,
    [LW_F_MSC_RANK_RANK] = LW_S_MSC_RANK,
};
static const lw_field valids[LW_STRUCTURE_COUNT] = {
    [LW_S_ADMISSION] = LW_FIELD_COUNT,
    [LW_S_TLB_PIPE] = LW_F_TLB_PIPE_PIPE_VALID,
    [LW_S_TLB] = LW_F_TLB_VALID,
    [LW_S_TLB_RANK] = LW_FIELD_COUNT,
    [LW_S_TLB_RANGE] = LW_FIELD_COUNT,
    [LW_S_TLB_FOUND] = LW_FIELD_COUNT,
    [LW_S_PLACE] = LW_FIELD_COUNT,
    [LW_S_BUFFER] = LW_F_BUFFER_VALID,
    [LW_S_BUFFER_CONTROL] = LW_FIELD_COUNT,
    [LW_S_PICK] = LW_FIELD_COUNT,
    [LW_S_ROUND1] = LW_F_ROUND1_ROUND1_FOUND,
    [LW_S_ROUND2] = LW_F_ROUND2_ROUND2_FOUND,
    [LW_S_BLOCK] = LW_FIELD_COUNT,
    [LW_S_SEARCH] = LW_FIELD_COUNT,
    [LW_S_SEARCH_LINE] = LW_FIELD_COUNT,
    [LW_S_UPDATE] = LW_FIELD_COUNT,
    [LW_S_UPDATE_LINE] = LW_FIELD_COUNT,
    [LW_S_PWC] = LW_F_PWC_VALID,
    [LW_S_PWC_RANK] = LW_FIELD_COUNT,
    [LW_S_PWC_PIPE] = LW_F_PWC_PIPE_PIPE_VALID,
    [LW_S_PWC_KEY] = LW_FIELD_COUNT,
    [LW_S_PWC_RESULT] = LW_FIELD_COUNT,
    [LW_S_PWC_FILL] = LW_FIELD_COUNT,
    [LW_S_PWC_PLACE] = LW_FIELD_COUNT,
    [LW_S_ASK] = LW_FIELD_COUNT,
    [LW_S_READ] = LW_FIELD_COUNT,
    [LW_S_PWST] = LW_F_PWST_STATE,
    [LW_S_WALK_MEMORY] = LW_FIELD_COUNT,
    [LW_S_LINE] = LW_FIELD_COUNT,
    [LW_S_HIT_QUEUE] = LW_FIELD_COUNT,
    [LW_S_WALK_QUEUE] = LW_FIELD_COUNT,
    [LW_S_ANSWER] = LW_FIELD_COUNT,
    [LW_S_FILL] = LW_FIELD_COUNT,
    [LW_S_RESPONSE] = LW_FIELD_COUNT,
    [LW_S_INVALIDATION] = LW_FIELD_COUNT,
    [LW_S_CONTROL] = LW_FIELD_COUNT,
    [LW_S_ROOT] = LW_FIELD_COUNT,
    [LW_S_COUNTER] = LW_FIELD_COUNT,
    [LW_S_CHECK] = LW_FIELD_COUNT,
    [LW_S_HEAD] = LW_FIELD_COUNT,
    [LW_S_CHECK_QUEUE] = LW_FIELD_COUNT,
    [LW_S_MSC] = LW_F_MSC_VALID,
    [LW_S_MSC_RANK] = LW_FIELD_COUNT,
};

const char *lw_structure_name(lw_structure s) {
    return structure_names[s];
}

const char *lw_field_name(lw_field f) {
    return field_names[f];
}

const char *lw_field_meaning(lw_field f) {
    return meanings[f];
}

lw_structure lw_field_structure(lw_field f) {
    return structures[f];
}

lw_field lw_structure_valid(lw_structure s) {
    return valids[s];
}

uint32_t lw_structure_entries(const lw_params *p, lw_structure s) {
    switch (s) {
    case LW_S_ADMISSION:
        return 1u;
    case LW_S_TLB_PIPE:
        return tlb_stages(p);
    case LW_S_TLB:
        return p->tlb_entries;
    case LW_S_TLB_RANK:
        return p->tlb_entries;
    case LW_S_TLB_RANGE:
        if (serial_lookup(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_S_TLB_FOUND:
        return 1u;
    case LW_S_PLACE:
        return 1u;
    case LW_S_BUFFER:
        return p->buffer_entries;
    case LW_S_BUFFER_CONTROL:
        return 1u;
    case LW_S_PICK:
        return 1u;
    case LW_S_ROUND1:
        return (p->buffer_entries / 4u);
    case LW_S_ROUND2:
        return round2_places(p);
    case LW_S_BLOCK:
        return 4u;
    case LW_S_SEARCH:
        return 1u;
    case LW_S_SEARCH_LINE:
        return 8u;
    case LW_S_UPDATE:
        return 1u;
    case LW_S_UPDATE_LINE:
        return 8u;
    case LW_S_PWC:
        if ((p->pwc_org == 0u) != 0) {
            return ((p->levels - 1u) * p->pwc_entries);
        }
        if ((p->pwc_org == 1u) != 0) {
            return p->pwc_entries;
        }
        return 0;
    case LW_S_PWC_RANK:
        if ((p->pwc_org == 0u) != 0) {
            return ((p->levels - 1u) * p->pwc_entries);
        }
        if ((p->pwc_org == 1u) != 0) {
            return p->pwc_entries;
        }
        return 0;
    case LW_S_PWC_PIPE:
        return p->pwc_latency;
    case LW_S_PWC_KEY:
        return 1u;
    case LW_S_PWC_RESULT:
        return 1u;
    case LW_S_PWC_FILL:
        return 1u;
    case LW_S_PWC_PLACE:
        return 1u;
    case LW_S_ASK:
        return 1u;
    case LW_S_READ:
        return 1u;
    case LW_S_PWST:
        return p->walkers;
    case LW_S_WALK_MEMORY:
        return 1u;
    case LW_S_LINE:
        return 8u;
    case LW_S_HIT_QUEUE:
        return p->hit_queue;
    case LW_S_WALK_QUEUE:
        return p->walk_queue;
    case LW_S_ANSWER:
        return 1u;
    case LW_S_FILL:
        return 1u;
    case LW_S_RESPONSE:
        return 1u;
    case LW_S_INVALIDATION:
        return 1u;
    case LW_S_CONTROL:
        return 1u;
    case LW_S_ROOT:
        return p->pasids;
    case LW_S_COUNTER:
        return 40u;
    case LW_S_CHECK:
        if (p->subregions != 0) {
            return 1u;
        }
        return 0;
    case LW_S_HEAD:
        if (p->subregions != 0) {
            return 8u;
        }
        return 0;
    case LW_S_CHECK_QUEUE:
        if (has_msc(p) != 0) {
            return p->check_queue;
        }
        return 0;
    case LW_S_MSC:
        if (has_msc(p) != 0) {
            return p->msc_entries;
        }
        return 0;
    case LW_S_MSC_RANK:
        if (has_msc(p) != 0) {
            return p->msc_entries;
        }
        return 0;
    default:
        return 0;
    }
}

uint32_t lw_field_bits(const lw_params *p, lw_field f) {
    switch (f) {
    case LW_F_ADMISSION_BUFFER_USED:
        return clog2_of((p->buffer_entries + 1u));
    case LW_F_ADMISSION_HIT_USED:
        return clog2_of((p->hit_queue + 1u));
    case LW_F_ADMISSION_FREED:
        return 2u;
    case LW_F_TLB_PIPE_PIPE_VALID:
        return 1u;
    case LW_F_TLB_PIPE_PIPE_ID:
        return p->id_w;
    case LW_F_TLB_PIPE_PIPE_SRC:
        return p->src_w;
    case LW_F_TLB_PIPE_PIPE_PASID:
        return 20u;
    case LW_F_TLB_PIPE_PIPE_PAGE:
        return 52u;
    case LW_F_TLB_PIPE_PIPE_ACCESS:
        return 2u;
    case LW_F_TLB_VALID:
        return 1u;
    case LW_F_TLB_CLASS:
        if (spans(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_TLB_PASID:
        return pasid_w(p);
    case LW_F_TLB_TAG:
        return (vpn_w(p) - ((p->colt == 2u) != 0 ? clog2_of(tlb_sets(p)) : min_of(clog2_of(tlb_sets(p)), 6u)));
    case LW_F_TLB_LENGTH:
        if (spans(p) != 0) {
            return 3u;
        }
        return 0;
    case LW_F_TLB_PFN:
        return pfn_w(p);
    case LW_F_TLB_PERM:
        return 2u;
    case LW_F_TLB_SIZE:
        return 2u;
    case LW_F_TLB_RANK_RANK:
        return tlb_way_w(p);
    case LW_F_TLB_RANGE_RANGE_FOUND:
        if (serial_lookup(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_TLB_RANGE_RANGE_WAY:
        if (serial_lookup(p) != 0) {
            return tlb_way_w(p);
        }
        return 0;
    case LW_F_TLB_RANGE_RANGE_FIRST:
        if (serial_lookup(p) != 0) {
            return place_w(p);
        }
        return 0;
    case LW_F_TLB_RANGE_RANGE_PFN:
        if (serial_lookup(p) != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_TLB_RANGE_RANGE_PERM:
        if (serial_lookup(p) != 0) {
            return 2u;
        }
        return 0;
    case LW_F_TLB_RANGE_RANGE_SIZE:
        if (serial_lookup(p) != 0) {
            return 2u;
        }
        return 0;
    case LW_F_TLB_FOUND_FOUND:
        return 1u;
    case LW_F_TLB_FOUND_FOUND_CLASS:
        if (spans(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_TLB_FOUND_WAY:
        return tlb_way_w(p);
    case LW_F_TLB_FOUND_FIRST:
        if (spans(p) != 0) {
            return place_w(p);
        }
        return 0;
    case LW_F_TLB_FOUND_FOUND_LENGTH:
        if ((p->colt == 2u) != 0) {
            return place_w(p);
        }
        return 0;
    case LW_F_TLB_FOUND_FOUND_PFN:
        return pfn_w(p);
    case LW_F_TLB_FOUND_FOUND_PERM:
        return 2u;
    case LW_F_TLB_FOUND_FOUND_SIZE:
        return 2u;
    case LW_F_PLACE_PLACE_VALID:
        return 1u;
    case LW_F_PLACE_PLACE_WRITE:
        return 1u;
    case LW_F_PLACE_PLACE_CLASS:
        if (spans(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_PLACE_PLACE_PASID:
        return pasid_w(p);
    case LW_F_PLACE_PLACE_VPN:
        return vpn_w(p);
    case LW_F_PLACE_PLACE_LENGTH:
        if (spans(p) != 0) {
            return 3u;
        }
        return 0;
    case LW_F_PLACE_PLACE_PFN:
        return pfn_w(p);
    case LW_F_PLACE_PLACE_PERM:
        return 2u;
    case LW_F_PLACE_PLACE_SIZE:
        return 2u;
    case LW_F_PLACE_PLACE_WAY:
        return tlb_way_w(p);
    case LW_F_PLACE_PLACE_DROP:
        if (spans(p) != 0) {
            return p->tlb_ways;
        }
        return 0;
    case LW_F_BUFFER_VALID:
        return 1u;
    case LW_F_BUFFER_PICKED:
        return 1u;
    case LW_F_BUFFER_DONE:
        return 1u;
    case LW_F_BUFFER_STALE:
        return 1u;
    case LW_F_BUFFER_BATCH:
        return 1u;
    case LW_F_BUFFER_NEAR_LEVEL:
        return 1u;
    case LW_F_BUFFER_NEAR_CLAIM:
        return 1u;
    case LW_F_BUFFER_NEAR_POSITION:
        return 3u;
    case LW_F_BUFFER_ID:
        return p->id_w;
    case LW_F_BUFFER_SRC:
        return p->src_w;
    case LW_F_BUFFER_PASID:
        return pasid_w(p);
    case LW_F_BUFFER_VPN:
        return vpn_w(p);
    case LW_F_BUFFER_ACCESS:
        return 2u;
    case LW_F_BUFFER_SEQ:
        return seq_w(p);
    case LW_F_BUFFER_CL:
        return 3u;
    case LW_F_BUFFER_PL:
        return 3u;
    case LW_F_BUFFER_PA:
        return pfn_w(p);
    case LW_F_BUFFER_PERM:
        return 2u;
    case LW_F_BUFFER_KIND:
        return 4u;
    case LW_F_BUFFER_LEVEL:
        return 3u;
    case LW_F_BUFFER_SIZE:
        return 2u;
    case LW_F_BUFFER_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_BUFFER_CONTROL_NEXT_SEQ:
        return seq_w(p);
    case LW_F_BUFFER_CONTROL_FREE_SLOT:
        return slot_w(p);
    case LW_F_BUFFER_CONTROL_MISS_VALID:
        return 1u;
    case LW_F_BUFFER_CONTROL_MISS_ID:
        return p->id_w;
    case LW_F_BUFFER_CONTROL_MISS_SRC:
        return p->src_w;
    case LW_F_BUFFER_CONTROL_MISS_PASID:
        return pasid_w(p);
    case LW_F_BUFFER_CONTROL_MISS_VPN:
        return vpn_w(p);
    case LW_F_BUFFER_CONTROL_MISS_ACCESS:
        return 2u;
    case LW_F_BUFFER_CONTROL_CANDIDATE_VALID:
        return 1u;
    case LW_F_BUFFER_CONTROL_CANDIDATE_HELD:
        return 1u;
    case LW_F_BUFFER_CONTROL_CANDIDATE_SLOT:
        return slot_w(p);
    case LW_F_BUFFER_CONTROL_READY:
        if (p->coalesce != 0) {
            return 1u;
        }
        return 0;
    case LW_F_BUFFER_CONTROL_READY_SLOT:
        if (p->coalesce != 0) {
            return slot_w(p);
        }
        return 0;
    case LW_F_BUFFER_CONTROL_READING:
        return 1u;
    case LW_F_BUFFER_CONTROL_READING_SLOT:
        return slot_w(p);
    case LW_F_BUFFER_CONTROL_READING_EPOCH:
        return 1u;
    case LW_F_BUFFER_CONTROL_NEW_VALID:
        return 1u;
    case LW_F_BUFFER_CONTROL_NEW_SLOT:
        return slot_w(p);
    case LW_F_BUFFER_CONTROL_NEW_VPN:
        return vpn_w(p);
    case LW_F_BUFFER_CONTROL_NEW_PASID:
        return pasid_w(p);
    case LW_F_BUFFER_CONTROL_NEW_ACCESS:
        return 2u;
    case LW_F_BUFFER_CONTROL_FIRST_VALID:
        return 1u;
    case LW_F_BUFFER_CONTROL_FIRST_SLOT:
        return slot_w(p);
    case LW_F_BUFFER_CONTROL_FIRST_CL:
        return 3u;
    case LW_F_PICK_PICK_STEP:
        return 2u;
    case LW_F_ROUND1_ROUND1_FOUND:
        return 1u;
    case LW_F_ROUND1_ROUND1_SLOT:
        return 2u;
    case LW_F_ROUND1_ROUND1_AGE:
        return (slot_w(p) + 1u);
    case LW_F_ROUND2_ROUND2_FOUND:
        return 1u;
    case LW_F_ROUND2_ROUND2_SLOT:
        return (slot_w(p) - clog2_of(round2_places(p)));
    case LW_F_ROUND2_ROUND2_AGE:
        return (slot_w(p) + 1u);
    case LW_F_ROUND2_OLDER:
        return round2_places(p);
    case LW_F_BLOCK_BLOCK_LIVE:
        return (slot_w(p) + 1u);
    case LW_F_SEARCH_SEARCH_OP:
        return 2u;
    case LW_F_SEARCH_SEARCH_PASID:
        return pasid_w(p);
    case LW_F_SEARCH_SEARCH_VPN:
        return vpn_w(p);
    case LW_F_SEARCH_SEARCH_LEVEL:
        return 3u;
    case LW_F_SEARCH_SEARCH_REACH:
        return 2u;
    case LW_F_SEARCH_SEARCH_POSITION:
        return 3u;
    case LW_F_SEARCH_SEARCH_ERROR:
        return 1u;
    case LW_F_SEARCH_SEARCH_PERM:
        return 2u;
    case LW_F_SEARCH_SEARCH_CLAIM:
        return 1u;
    case LW_F_SEARCH_SEARCH_CLAIM_LEVEL:
        return 3u;
    case LW_F_SEARCH_SEARCH_CLAIM_REACH:
        return 2u;
    case LW_F_SEARCH_SEARCH_CLAIM_PERM:
        return 2u;
    case LW_F_SEARCH_SEARCH_LINKS:
        return 6u;
    case LW_F_SEARCH_LINE_SEARCH_KIND:
        return 4u;
    case LW_F_SEARCH_LINE_SEARCH_USER:
        return 1u;
    case LW_F_SEARCH_LINE_SEARCH_PTE_PERM:
        return 2u;
    case LW_F_SEARCH_LINE_SEARCH_LEAF:
        return 1u;
    case LW_F_SEARCH_LINE_SEARCH_FRAME:
        return pfn_w(p);
    case LW_F_SEARCH_LINE_SEARCH_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_UPDATE_UPDATE_OP:
        return 2u;
    case LW_F_UPDATE_UPDATE_PASID:
        return pasid_w(p);
    case LW_F_UPDATE_UPDATE_VPN:
        return vpn_w(p);
    case LW_F_UPDATE_UPDATE_LEVEL:
        return 3u;
    case LW_F_UPDATE_UPDATE_REACH:
        return 2u;
    case LW_F_UPDATE_UPDATE_ERROR:
        return 1u;
    case LW_F_UPDATE_UPDATE_PERM:
        return 2u;
    case LW_F_UPDATE_UPDATE_CLAIM:
        return 1u;
    case LW_F_UPDATE_UPDATE_CLAIM_LEVEL:
        return 3u;
    case LW_F_UPDATE_UPDATE_CLAIM_REACH:
        return 2u;
    case LW_F_UPDATE_UPDATE_CLAIM_PERM:
        return 2u;
    case LW_F_UPDATE_UPDATE_LINKS:
        return 6u;
    case LW_F_UPDATE_LINE_UPDATE_KIND:
        return 4u;
    case LW_F_UPDATE_LINE_UPDATE_USER:
        return 1u;
    case LW_F_UPDATE_LINE_UPDATE_PTE_PERM:
        return 2u;
    case LW_F_UPDATE_LINE_UPDATE_LEAF:
        return 1u;
    case LW_F_UPDATE_LINE_UPDATE_FRAME:
        return pfn_w(p);
    case LW_F_UPDATE_LINE_UPDATE_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_PWC_VALID:
        if ((p->pwc_org == 0u) != 0) {
            return 1u;
        }
        if ((p->pwc_org == 1u) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_PWC_PASID:
        if ((p->pwc_org == 0u) != 0) {
            return pasid_w(p);
        }
        return 0;
    case LW_F_PWC_TAG:
        if ((p->pwc_org == 0u) != 0) {
            return (vpn_w(p) - 9u);
        }
        if ((p->pwc_org == 1u) != 0) {
            return ((p->pa_width - 3u) - clog2_of(pwc_sets(p)));
        }
        return 0;
    case LW_F_PWC_NODE:
        if ((p->pwc_org == 0u) != 0) {
            return pfn_w(p);
        }
        if ((p->pwc_org == 1u) != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_PWC_PERM:
        if ((p->pwc_org == 0u) != 0) {
            return 2u;
        }
        if ((p->pwc_org == 1u) != 0) {
            return 2u;
        }
        return 0;
    case LW_F_PWC_CONTIG:
        if ((p->pwc_org == 0u) != 0 && p->subregions != 0) {
            return 9u;
        }
        if ((p->pwc_org == 1u) != 0 && p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_PWC_RANK_RANK:
        if ((p->pwc_org == 0u) != 0) {
            return clog2_of(p->pwc_entries);
        }
        if ((p->pwc_org == 1u) != 0) {
            return clog2_of(p->pwc_ways);
        }
        return 0;
    case LW_F_PWC_PIPE_PIPE_VALID:
        return 1u;
    case LW_F_PWC_PIPE_PIPE_WALKER:
        return walker_w(p);
    case LW_F_PWC_KEY_KEY_VPN:
        return vpn_w(p);
    case LW_F_PWC_KEY_KEY_PASID:
        return pasid_w(p);
    case LW_F_PWC_KEY_KEY_ACCESS:
        return 2u;
    case LW_F_PWC_KEY_KEY_LEVEL:
        return 3u;
    case LW_F_PWC_KEY_KEY_NODE:
        return pfn_w(p);
    case LW_F_PWC_KEY_KEY_PERM:
        return 2u;
    case LW_F_PWC_RESULT_RESULT_VALID:
        return 1u;
    case LW_F_PWC_RESULT_RESULT_WALKER:
        return walker_w(p);
    case LW_F_PWC_RESULT_RESULT_HIT:
        return 1u;
    case LW_F_PWC_RESULT_RESULT_ENTRY:
        return pwc_entry_w(p);
    case LW_F_PWC_RESULT_RESULT_LEVEL:
        return 3u;
    case LW_F_PWC_RESULT_RESULT_NODE:
        return pfn_w(p);
    case LW_F_PWC_RESULT_RESULT_PERM:
        return 2u;
    case LW_F_PWC_RESULT_RESULT_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_PWC_FILL_PWC_FILL_VALID:
        return 1u;
    case LW_F_PWC_FILL_PWC_FILL_LEVEL:
        return 3u;
    case LW_F_PWC_FILL_PWC_FILL_VPN:
        return vpn_w(p);
    case LW_F_PWC_FILL_PWC_FILL_PASID:
        return pasid_w(p);
    case LW_F_PWC_FILL_PWC_FILL_PARENT:
        return pfn_w(p);
    case LW_F_PWC_FILL_PWC_FILL_NODE:
        return pfn_w(p);
    case LW_F_PWC_FILL_PWC_FILL_PERM:
        return 2u;
    case LW_F_PWC_FILL_PWC_FILL_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_PWC_PLACE_PWC_PLACE_VALID:
        return 1u;
    case LW_F_PWC_PLACE_PWC_PLACE_LEVEL:
        return 3u;
    case LW_F_PWC_PLACE_PWC_PLACE_VPN:
        return vpn_w(p);
    case LW_F_PWC_PLACE_PWC_PLACE_PASID:
        return pasid_w(p);
    case LW_F_PWC_PLACE_PWC_PLACE_PARENT:
        return pfn_w(p);
    case LW_F_PWC_PLACE_PWC_PLACE_NODE:
        return pfn_w(p);
    case LW_F_PWC_PLACE_PWC_PLACE_PERM:
        return 2u;
    case LW_F_PWC_PLACE_PWC_PLACE_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_PWC_PLACE_PWC_PLACE_ENTRY:
        return pwc_entry_w(p);
    case LW_F_ASK_ASK_FOR:
        return 2u;
    case LW_F_ASK_ASK_WALKER:
        return walker_w(p);
    case LW_F_ASK_ASK_SLOT:
        return slot_w(p);
    case LW_F_READ_READ_FOR:
        return 2u;
    case LW_F_READ_READ_WALKER:
        return walker_w(p);
    case LW_F_READ_READ_SLOT:
        return slot_w(p);
    case LW_F_READ_READ_ID:
        return p->id_w;
    case LW_F_READ_READ_SRC:
        return p->src_w;
    case LW_F_READ_READ_PASID:
        return pasid_w(p);
    case LW_F_READ_READ_VPN:
        return vpn_w(p);
    case LW_F_READ_READ_ACCESS:
        return 2u;
    case LW_F_READ_READ_DONE:
        return 1u;
    case LW_F_READ_READ_CL:
        return 3u;
    case LW_F_READ_READ_PL:
        return 3u;
    case LW_F_READ_READ_PA:
        return pfn_w(p);
    case LW_F_READ_READ_PERM:
        return 2u;
    case LW_F_READ_READ_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_READ_READ_BLOCK:
        return 2u;
    case LW_F_READ_READ_NEAR:
        return 1u;
    case LW_F_PWST_STATE:
        return 3u;
    case LW_F_PWST_STARTED:
        return 1u;
    case LW_F_PWST_STALE:
        return 1u;
    case LW_F_PWST_VPN:
        return vpn_w(p);
    case LW_F_PWST_PASID:
        return pasid_w(p);
    case LW_F_PWST_ACCESS:
        return 2u;
    case LW_F_PWST_ID:
        return p->id_w;
    case LW_F_PWST_SRC:
        return p->src_w;
    case LW_F_PWST_SLOT:
        return slot_w(p);
    case LW_F_PWST_LEVEL:
        return 3u;
    case LW_F_PWST_NODE:
        return pfn_w(p);
    case LW_F_PWST_PERM:
        return 2u;
    case LW_F_PWST_KIND:
        return 4u;
    case LW_F_PWST_FLEVEL:
        return 3u;
    case LW_F_PWST_SIZE:
        return 2u;
    case LW_F_PWST_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_WALK_MEMORY_REQ_VALID:
        return 1u;
    case LW_F_WALK_MEMORY_REQ_TAG:
        return mem_tag_w(p);
    case LW_F_WALK_MEMORY_REQ_LINE:
        return (p->pa_width - 6u);
    case LW_F_WALK_MEMORY_MEM_POINTER:
        return walker_w(p);
    case LW_F_WALK_MEMORY_LINE_VALID:
        return 1u;
    case LW_F_WALK_MEMORY_LINE_TAG:
        return mem_tag_w(p);
    case LW_F_WALK_MEMORY_LINE_ERROR:
        return 1u;
    case LW_F_LINE_LINE_DATA:
        return 64u;
    case LW_F_HIT_QUEUE_HIT_ID:
        return p->id_w;
    case LW_F_HIT_QUEUE_HIT_KIND:
        return 4u;
    case LW_F_HIT_QUEUE_HIT_LEVEL:
        return 3u;
    case LW_F_HIT_QUEUE_HIT_PFN:
        return pfn_w(p);
    case LW_F_HIT_QUEUE_HIT_SIZE:
        return 2u;
    case LW_F_HIT_QUEUE_HIT_PERM:
        return 2u;
    case LW_F_HIT_QUEUE_HIT_EPOCH:
        return 1u;
    case LW_F_WALK_QUEUE_WALK_ID:
        return p->id_w;
    case LW_F_WALK_QUEUE_WALK_KIND:
        return 4u;
    case LW_F_WALK_QUEUE_WALK_LEVEL:
        return 3u;
    case LW_F_WALK_QUEUE_WALK_PFN:
        return pfn_w(p);
    case LW_F_WALK_QUEUE_WALK_SIZE:
        return 2u;
    case LW_F_WALK_QUEUE_WALK_PERM:
        return 2u;
    case LW_F_WALK_QUEUE_WALK_EPOCH:
        return 1u;
    case LW_F_ANSWER_ANSWER_VALID:
        return 1u;
    case LW_F_ANSWER_ANSWER_ID:
        return p->id_w;
    case LW_F_ANSWER_ANSWER_SRC:
        return p->src_w;
    case LW_F_ANSWER_ANSWER_PASID:
        return pasid_w(p);
    case LW_F_ANSWER_ANSWER_VPN:
        return vpn_w(p);
    case LW_F_ANSWER_ANSWER_ACCESS:
        return 2u;
    case LW_F_ANSWER_ANSWER_KIND:
        return 4u;
    case LW_F_ANSWER_ANSWER_LEVEL:
        return 3u;
    case LW_F_ANSWER_ANSWER_BASE:
        return pfn_w(p);
    case LW_F_ANSWER_ANSWER_SIZE:
        return 2u;
    case LW_F_ANSWER_ANSWER_PERM:
        return 2u;
    case LW_F_ANSWER_ANSWER_CONTIG:
        if (p->subregions != 0) {
            return 9u;
        }
        return 0;
    case LW_F_ANSWER_ANSWER_STALE:
        return 1u;
    case LW_F_ANSWER_ANSWER_EPOCH:
        return 1u;
    case LW_F_ANSWER_ANSWER_ENTRY:
        return 1u;
    case LW_F_ANSWER_ANSWER_BLOCK:
        return 2u;
    case LW_F_FILL_FILL_VALID:
        return 1u;
    case LW_F_FILL_FILL_CLASS:
        if (spans(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_FILL_FILL_PASID:
        return pasid_w(p);
    case LW_F_FILL_FILL_VPN:
        return vpn_w(p);
    case LW_F_FILL_FILL_LENGTH:
        if (spans(p) != 0) {
            return 3u;
        }
        return 0;
    case LW_F_FILL_FILL_PFN:
        return pfn_w(p);
    case LW_F_FILL_FILL_PERM:
        return 2u;
    case LW_F_FILL_FILL_SIZE:
        return 2u;
    case LW_F_RESPONSE_HIT_HEAD:
        return width_of(p->hit_queue);
    case LW_F_RESPONSE_HIT_COUNT:
        return clog2_of((p->hit_queue + 1u));
    case LW_F_RESPONSE_WALK_HEAD:
        return width_of(p->walk_queue);
    case LW_F_RESPONSE_WALK_COUNT:
        return clog2_of((p->walk_queue + 1u));
    case LW_F_RESPONSE_WALK_USED:
        return clog2_of((p->walk_queue + 1u));
    case LW_F_RESPONSE_LAST:
        return 1u;
    case LW_F_RESPONSE_OUT_VALID:
        return 1u;
    case LW_F_RESPONSE_OUT_ID:
        return p->id_w;
    case LW_F_RESPONSE_OUT_KIND:
        return 4u;
    case LW_F_RESPONSE_OUT_LEVEL:
        return 3u;
    case LW_F_RESPONSE_OUT_PFN:
        return pfn_w(p);
    case LW_F_RESPONSE_OUT_SIZE:
        return 2u;
    case LW_F_RESPONSE_OUT_PERM:
        return 2u;
    case LW_F_RESPONSE_OUT_EPOCH:
        return 1u;
    case LW_F_INVALIDATION_STATE:
        return 3u;
    case LW_F_INVALIDATION_TYPE:
        return 2u;
    case LW_F_INVALIDATION_PASID:
        return 20u;
    case LW_F_INVALIDATION_FIRST:
        return vpn_w(p);
    case LW_F_INVALIDATION_LAST:
        return vpn_w(p);
    case LW_F_INVALIDATION_SWEEP_SET:
        return width_of(sweep_sets(p));
    case LW_F_INVALIDATION_EPOCH:
        return 1u;
    case LW_F_CONTROL_FEATURES:
        return 6u;
    case LW_F_CONTROL_RDATA:
        return 64u;
    case LW_F_CONTROL_FAULT_INFO:
        return 64u;
    case LW_F_CONTROL_FAULT_PAGE:
        return 52u;
    case LW_F_ROOT_ROOT_VALID:
        return 1u;
    case LW_F_ROOT_ROOT_FRAME:
        return pfn_w(p);
    case LW_F_COUNTER_COUNT:
        return 48u;
    case LW_F_COUNTER_INCREMENT:
        return increment_w(p);
    case LW_F_CHECK_STATE:
        if (p->subregions != 0) {
            return 3u;
        }
        return 0;
    case LW_F_CHECK_PASID:
        if (p->subregions != 0) {
            return pasid_w(p);
        }
        return 0;
    case LW_F_CHECK_VSN:
        if (p->subregions != 0) {
            return (vpn_w(p) - 6u);
        }
        return 0;
    case LW_F_CHECK_BITS:
        if (p->subregions != 0) {
            return 8u;
        }
        return 0;
    case LW_F_CHECK_NODE:
        if (p->subregions != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_CHECK_PERM:
        if (p->subregions != 0) {
            return 2u;
        }
        return 0;
    case LW_F_CHECK_PTE_PERM:
        if (p->subregions != 0) {
            return 2u;
        }
        return 0;
    case LW_F_CHECK_MAP:
        if (p->subregions != 0) {
            return 7u;
        }
        return 0;
    case LW_F_CHECK_STEP:
        if (p->subregions != 0) {
            return 3u;
        }
        return 0;
    case LW_F_CHECK_ASKED:
        if (p->subregions != 0) {
            return 8u;
        }
        return 0;
    case LW_F_CHECK_GOT:
        if (p->subregions != 0) {
            return 8u;
        }
        return 0;
    case LW_F_CHECK_QUEUE_HEAD:
        if (p->subregions != 0) {
            return width_of(p->check_queue);
        }
        return 0;
    case LW_F_CHECK_QUEUE_COUNT:
        if (p->subregions != 0) {
            return clog2_of((p->check_queue + 1u));
        }
        return 0;
    case LW_F_HEAD_HEAD_OK:
        if (p->subregions != 0) {
            return 1u;
        }
        return 0;
    case LW_F_HEAD_HEAD_PFN:
        if (p->subregions != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_HEAD_HEAD_PERM:
        if (p->subregions != 0) {
            return 2u;
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_LIVE:
        if (has_msc(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_PASID:
        if (has_msc(p) != 0) {
            return pasid_w(p);
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_VSN:
        if (has_msc(p) != 0) {
            return (vpn_w(p) - 6u);
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_BITS:
        if (has_msc(p) != 0) {
            return 8u;
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_NODE:
        if (has_msc(p) != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_PFN:
        if (has_msc(p) != 0) {
            return pfn_w(p);
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_PERM:
        if (has_msc(p) != 0) {
            return 2u;
        }
        return 0;
    case LW_F_CHECK_QUEUE_JOB_PTE_PERM:
        if (has_msc(p) != 0) {
            return 2u;
        }
        return 0;
    case LW_F_MSC_VALID:
        if (has_msc(p) != 0) {
            return 1u;
        }
        return 0;
    case LW_F_MSC_PASID:
        if (has_msc(p) != 0) {
            return pasid_w(p);
        }
        return 0;
    case LW_F_MSC_TAG:
        if (has_msc(p) != 0) {
            return ((vpn_w(p) - 9u) - clog2_of(msc_sets(p)));
        }
        return 0;
    case LW_F_MSC_MAP:
        if (has_msc(p) != 0) {
            return 7u;
        }
        return 0;
    case LW_F_MSC_RANK_RANK:
        if (has_msc(p) != 0) {
            return clog2_of(p->msc_ways);
        }
        return 0;
    default:
        return 0;
    }
}

lw_cell lw_register_cell(lw_iommu *u, lw_field f, uint32_t i) {
    const lw_params *p = &u->cfg.hw;
    const lw_cell none = {0};
    switch (f) {
    case LW_F_ADMISSION_BUFFER_USED:
        return (lw_cell){&(u->admission.buffer_used), sizeof(u->admission.buffer_used), (uint8_t)(0), (uint8_t)clog2_of((p->buffer_entries + 1u))};
    case LW_F_ADMISSION_HIT_USED:
        return (lw_cell){&(u->admission.hit_used), sizeof(u->admission.hit_used), (uint8_t)(0), (uint8_t)clog2_of((p->hit_queue + 1u))};
    case LW_F_ADMISSION_FREED:
        return (lw_cell){&(u->admission.freed), sizeof(u->admission.freed), (uint8_t)(0), (uint8_t)2u};
    case LW_F_TLB_PIPE_PIPE_VALID:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).valid), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_TLB_PIPE_PIPE_ID:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).id), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_TLB_PIPE_PIPE_SRC:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).src), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_TLB_PIPE_PIPE_PASID:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).pasid), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).pasid), (uint8_t)(0), (uint8_t)20u};
    case LW_F_TLB_PIPE_PIPE_PAGE:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).page), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).page), (uint8_t)(0), (uint8_t)52u};
    case LW_F_TLB_PIPE_PIPE_ACCESS:
        return (lw_cell){&((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).access), sizeof((*(lw_request *)lw_tlb_stage(&u->tlb, i + 1)).access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_TLB_VALID:
        return (lw_cell){&(u->tlb.key[i]), sizeof(u->tlb.key[i]), (uint8_t)(63), (uint8_t)1u};
    case LW_F_TLB_CLASS:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.key[i]), sizeof(u->tlb.key[i]), (uint8_t)(62), (uint8_t)1u};
        }
        return none;
    case LW_F_TLB_PASID:
        return (lw_cell){&(u->tlb.key[i]), sizeof(u->tlb.key[i]), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_TLB_TAG:
        return (lw_cell){&(u->tlb.key[i]), sizeof(u->tlb.key[i]), (uint8_t)(0), (uint8_t)(vpn_w(p) - ((p->colt == 2u) != 0 ? clog2_of(tlb_sets(p)) : min_of(clog2_of(tlb_sets(p)), 6u)))};
    case LW_F_TLB_LENGTH:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.payload[i]), sizeof(u->tlb.payload[i]), (uint8_t)(LW_TLB_AT_LENGTH), (uint8_t)3u};
        }
        return none;
    case LW_F_TLB_PFN:
        return (lw_cell){&(u->tlb.payload[i]), sizeof(u->tlb.payload[i]), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_TLB_PERM:
        return (lw_cell){&(u->tlb.payload[i]), sizeof(u->tlb.payload[i]), (uint8_t)(LW_TLB_AT_PERM), (uint8_t)2u};
    case LW_F_TLB_SIZE:
        return (lw_cell){&(u->tlb.payload[i]), sizeof(u->tlb.payload[i]), (uint8_t)(LW_TLB_AT_SIZE), (uint8_t)2u};
    case LW_F_TLB_RANK_RANK:
        return (lw_cell){&(u->tlb.ranks[i / p->tlb_ways]), sizeof(u->tlb.ranks[i / p->tlb_ways]), (uint8_t)(4 * (i % p->tlb_ways)), (uint8_t)tlb_way_w(p)};
    case LW_F_TLB_RANGE_RANGE_FOUND:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.found), sizeof(u->tlb.range.found), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_TLB_RANGE_RANGE_WAY:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.way), sizeof(u->tlb.range.way), (uint8_t)(0), (uint8_t)tlb_way_w(p)};
        }
        return none;
    case LW_F_TLB_RANGE_RANGE_FIRST:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.first), sizeof(u->tlb.range.first), (uint8_t)(0), (uint8_t)place_w(p)};
        }
        return none;
    case LW_F_TLB_RANGE_RANGE_PFN:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.pfn), sizeof(u->tlb.range.pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_TLB_RANGE_RANGE_PERM:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.perm), sizeof(u->tlb.range.perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_TLB_RANGE_RANGE_SIZE:
        if (serial_lookup(p) != 0) {
            return (lw_cell){&(u->tlb.range.size), sizeof(u->tlb.range.size), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_TLB_FOUND_FOUND:
        return (lw_cell){&(u->tlb.found.found), sizeof(u->tlb.found.found), (uint8_t)(0), (uint8_t)1u};
    case LW_F_TLB_FOUND_FOUND_CLASS:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.found.span), sizeof(u->tlb.found.span), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_TLB_FOUND_WAY:
        return (lw_cell){&(u->tlb.found.way), sizeof(u->tlb.found.way), (uint8_t)(0), (uint8_t)tlb_way_w(p)};
    case LW_F_TLB_FOUND_FIRST:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.found.first), sizeof(u->tlb.found.first), (uint8_t)(0), (uint8_t)place_w(p)};
        }
        return none;
    case LW_F_TLB_FOUND_FOUND_LENGTH:
        if ((p->colt == 2u) != 0) {
            return (lw_cell){&(u->tlb.found.length), sizeof(u->tlb.found.length), (uint8_t)(0), (uint8_t)place_w(p)};
        }
        return none;
    case LW_F_TLB_FOUND_FOUND_PFN:
        return (lw_cell){&(u->tlb.found.pfn), sizeof(u->tlb.found.pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_TLB_FOUND_FOUND_PERM:
        return (lw_cell){&(u->tlb.found.perm), sizeof(u->tlb.found.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_TLB_FOUND_FOUND_SIZE:
        return (lw_cell){&(u->tlb.found.size), sizeof(u->tlb.found.size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PLACE_PLACE_VALID:
        return (lw_cell){&(u->tlb.place.valid), sizeof(u->tlb.place.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PLACE_PLACE_WRITE:
        return (lw_cell){&(u->tlb.place.write), sizeof(u->tlb.place.write), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PLACE_PLACE_CLASS:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.place.fill.span), sizeof(u->tlb.place.fill.span), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_PLACE_PLACE_PASID:
        return (lw_cell){&(u->tlb.place.fill.pasid), sizeof(u->tlb.place.fill.pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
    case LW_F_PLACE_PLACE_VPN:
        return (lw_cell){&(u->tlb.place.fill.page), sizeof(u->tlb.place.fill.page), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_PLACE_PLACE_LENGTH:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.place.fill.length), sizeof(u->tlb.place.fill.length), (uint8_t)(0), (uint8_t)3u};
        }
        return none;
    case LW_F_PLACE_PLACE_PFN:
        return (lw_cell){&(u->tlb.place.fill.pfn), sizeof(u->tlb.place.fill.pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PLACE_PLACE_PERM:
        return (lw_cell){&(u->tlb.place.fill.perm), sizeof(u->tlb.place.fill.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PLACE_PLACE_SIZE:
        return (lw_cell){&(u->tlb.place.fill.size), sizeof(u->tlb.place.fill.size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PLACE_PLACE_WAY:
        return (lw_cell){&(u->tlb.place.way), sizeof(u->tlb.place.way), (uint8_t)(0), (uint8_t)tlb_way_w(p)};
    case LW_F_PLACE_PLACE_DROP:
        if (spans(p) != 0) {
            return (lw_cell){&(u->tlb.place.drop), sizeof(u->tlb.place.drop), (uint8_t)(0), (uint8_t)p->tlb_ways};
        }
        return none;
    case LW_F_BUFFER_VALID:
        return (lw_cell){&(u->walk.buffer.valid.w[i / 64]), sizeof(u->walk.buffer.valid.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_PICKED:
        return (lw_cell){&(u->walk.buffer.picked.w[i / 64]), sizeof(u->walk.buffer.picked.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_DONE:
        return (lw_cell){&(u->walk.buffer.done.w[i / 64]), sizeof(u->walk.buffer.done.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_STALE:
        return (lw_cell){&(u->walk.buffer.stale.w[i / 64]), sizeof(u->walk.buffer.stale.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_BATCH:
        return (lw_cell){&(u->walk.buffer.batch.w[i / 64]), sizeof(u->walk.buffer.batch.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_NEAR_LEVEL:
        return (lw_cell){&(u->walk.buffer.near_level.w[i / 64]), sizeof(u->walk.buffer.near_level.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_NEAR_CLAIM:
        return (lw_cell){&(u->walk.buffer.near_claim.w[i / 64]), sizeof(u->walk.buffer.near_claim.w[i / 64]), (uint8_t)(i % 64), (uint8_t)1u};
    case LW_F_BUFFER_NEAR_POSITION:
        return (lw_cell){&(u->walk.buffer.near_position[i]), sizeof(u->walk.buffer.near_position[i]), (uint8_t)(0), (uint8_t)3u};
    case LW_F_BUFFER_ID:
        return (lw_cell){&(u->walk.buffer.entry[i].id), sizeof(u->walk.buffer.entry[i].id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_BUFFER_SRC:
        return (lw_cell){&(u->walk.buffer.entry[i].src), sizeof(u->walk.buffer.entry[i].src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_BUFFER_PASID:
        return (lw_cell){&(u->walk.buffer.entry[i].key), sizeof(u->walk.buffer.entry[i].key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_BUFFER_VPN:
        return (lw_cell){&(u->walk.buffer.entry[i].key), sizeof(u->walk.buffer.entry[i].key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_BUFFER_ACCESS:
        return (lw_cell){&(u->walk.buffer.entry[i].access), sizeof(u->walk.buffer.entry[i].access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_BUFFER_SEQ:
        return (lw_cell){&(u->walk.buffer.entry[i].seq), sizeof(u->walk.buffer.entry[i].seq), (uint8_t)(0), (uint8_t)seq_w(p)};
    case LW_F_BUFFER_CL:
        return (lw_cell){&(u->walk.buffer.entry[i].cl), sizeof(u->walk.buffer.entry[i].cl), (uint8_t)(0), (uint8_t)3u};
    case LW_F_BUFFER_PL:
        return (lw_cell){&(u->walk.buffer.entry[i].pl), sizeof(u->walk.buffer.entry[i].pl), (uint8_t)(0), (uint8_t)3u};
    case LW_F_BUFFER_PA:
        return (lw_cell){&(u->walk.buffer.entry[i].pa), sizeof(u->walk.buffer.entry[i].pa), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_BUFFER_PERM:
        return (lw_cell){&(u->walk.buffer.entry[i].perm), sizeof(u->walk.buffer.entry[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_BUFFER_KIND:
        return (lw_cell){&(u->walk.buffer.entry[i].kind), sizeof(u->walk.buffer.entry[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_BUFFER_LEVEL:
        return (lw_cell){&(u->walk.buffer.entry[i].level), sizeof(u->walk.buffer.entry[i].level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_BUFFER_SIZE:
        return (lw_cell){&(u->walk.buffer.entry[i].size), sizeof(u->walk.buffer.entry[i].size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_BUFFER_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.buffer.entry[i].contig), sizeof(u->walk.buffer.entry[i].contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_BUFFER_CONTROL_NEXT_SEQ:
        return (lw_cell){&(u->walk.buffer.next_seq), sizeof(u->walk.buffer.next_seq), (uint8_t)(0), (uint8_t)seq_w(p)};
    case LW_F_BUFFER_CONTROL_FREE_SLOT:
        return (lw_cell){&(u->walk.buffer.free_slot), sizeof(u->walk.buffer.free_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_BUFFER_CONTROL_MISS_VALID:
        return (lw_cell){&(u->walk.buffer.miss.valid), sizeof(u->walk.buffer.miss.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_MISS_ID:
        return (lw_cell){&(u->walk.buffer.miss.id), sizeof(u->walk.buffer.miss.id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_BUFFER_CONTROL_MISS_SRC:
        return (lw_cell){&(u->walk.buffer.miss.src), sizeof(u->walk.buffer.miss.src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_BUFFER_CONTROL_MISS_PASID:
        return (lw_cell){&(u->walk.buffer.miss.pasid), sizeof(u->walk.buffer.miss.pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
    case LW_F_BUFFER_CONTROL_MISS_VPN:
        return (lw_cell){&(u->walk.buffer.miss.vpn), sizeof(u->walk.buffer.miss.vpn), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_BUFFER_CONTROL_MISS_ACCESS:
        return (lw_cell){&(u->walk.buffer.miss.access), sizeof(u->walk.buffer.miss.access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_BUFFER_CONTROL_CANDIDATE_VALID:
        return (lw_cell){&(u->walk.buffer.candidate_valid), sizeof(u->walk.buffer.candidate_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_CANDIDATE_HELD:
        return (lw_cell){&(u->walk.buffer.candidate_held), sizeof(u->walk.buffer.candidate_held), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_CANDIDATE_SLOT:
        return (lw_cell){&(u->walk.buffer.candidate_slot), sizeof(u->walk.buffer.candidate_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_BUFFER_CONTROL_READY:
        if (p->coalesce != 0) {
            return (lw_cell){&(u->walk.buffer.ready), sizeof(u->walk.buffer.ready), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_BUFFER_CONTROL_READY_SLOT:
        if (p->coalesce != 0) {
            return (lw_cell){&(u->walk.buffer.ready_slot), sizeof(u->walk.buffer.ready_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
        }
        return none;
    case LW_F_BUFFER_CONTROL_READING:
        return (lw_cell){&(u->walk.buffer.reading), sizeof(u->walk.buffer.reading), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_READING_SLOT:
        return (lw_cell){&(u->walk.buffer.reading_slot), sizeof(u->walk.buffer.reading_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_BUFFER_CONTROL_READING_EPOCH:
        return (lw_cell){&(u->walk.buffer.reading_epoch), sizeof(u->walk.buffer.reading_epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_NEW_VALID:
        return (lw_cell){&(u->walk.buffer.new_valid), sizeof(u->walk.buffer.new_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_NEW_SLOT:
        return (lw_cell){&(u->walk.buffer.new_slot), sizeof(u->walk.buffer.new_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_BUFFER_CONTROL_NEW_VPN:
        return (lw_cell){&(u->walk.buffer.new_vpn), sizeof(u->walk.buffer.new_vpn), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_BUFFER_CONTROL_NEW_PASID:
        return (lw_cell){&(u->walk.buffer.new_pasid), sizeof(u->walk.buffer.new_pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
    case LW_F_BUFFER_CONTROL_NEW_ACCESS:
        return (lw_cell){&(u->walk.buffer.new_access), sizeof(u->walk.buffer.new_access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_BUFFER_CONTROL_FIRST_VALID:
        return (lw_cell){&(u->walk.buffer.first_valid), sizeof(u->walk.buffer.first_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_BUFFER_CONTROL_FIRST_SLOT:
        return (lw_cell){&(u->walk.buffer.first_slot), sizeof(u->walk.buffer.first_slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_BUFFER_CONTROL_FIRST_CL:
        return (lw_cell){&(u->walk.buffer.first_cl), sizeof(u->walk.buffer.first_cl), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PICK_PICK_STEP:
        return (lw_cell){&(u->walk.buffer.pick.step), sizeof(u->walk.buffer.pick.step), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ROUND1_ROUND1_FOUND:
        return (lw_cell){&(u->walk.buffer.pick.round1[i].found), sizeof(u->walk.buffer.pick.round1[i].found), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ROUND1_ROUND1_SLOT:
        return (lw_cell){&(u->walk.buffer.pick.round1[i].slot), sizeof(u->walk.buffer.pick.round1[i].slot), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ROUND1_ROUND1_AGE:
        return (lw_cell){&(u->walk.buffer.pick.round1[i].age), sizeof(u->walk.buffer.pick.round1[i].age), (uint8_t)(0), (uint8_t)(slot_w(p) + 1u)};
    case LW_F_ROUND2_ROUND2_FOUND:
        return (lw_cell){&(u->walk.buffer.pick.round2[i].found), sizeof(u->walk.buffer.pick.round2[i].found), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ROUND2_ROUND2_SLOT:
        return (lw_cell){&(u->walk.buffer.pick.round2[i].slot), sizeof(u->walk.buffer.pick.round2[i].slot), (uint8_t)(0), (uint8_t)(slot_w(p) - clog2_of(round2_places(p)))};
    case LW_F_ROUND2_ROUND2_AGE:
        return (lw_cell){&(u->walk.buffer.pick.round2[i].age), sizeof(u->walk.buffer.pick.round2[i].age), (uint8_t)(0), (uint8_t)(slot_w(p) + 1u)};
    case LW_F_ROUND2_OLDER:
        return (lw_cell){&(u->walk.buffer.pick.older[i]), sizeof(u->walk.buffer.pick.older[i]), (uint8_t)(0), (uint8_t)round2_places(p)};
    case LW_F_BLOCK_BLOCK_LIVE:
        return (lw_cell){&(u->walk.buffer.block_live[i]), sizeof(u->walk.buffer.block_live[i]), (uint8_t)(0), (uint8_t)(slot_w(p) + 1u)};
    case LW_F_SEARCH_SEARCH_OP:
        return (lw_cell){&(u->walk.buffer.cam.search.op), sizeof(u->walk.buffer.cam.search.op), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_SEARCH_PASID:
        return (lw_cell){&(u->walk.buffer.cam.search.key), sizeof(u->walk.buffer.cam.search.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_SEARCH_SEARCH_VPN:
        return (lw_cell){&(u->walk.buffer.cam.search.key), sizeof(u->walk.buffer.cam.search.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_SEARCH_SEARCH_LEVEL:
        return (lw_cell){&(u->walk.buffer.cam.search.level), sizeof(u->walk.buffer.cam.search.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_SEARCH_SEARCH_REACH:
        return (lw_cell){&(u->walk.buffer.cam.search.reach), sizeof(u->walk.buffer.cam.search.reach), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_SEARCH_POSITION:
        return (lw_cell){&(u->walk.buffer.cam.search.position), sizeof(u->walk.buffer.cam.search.position), (uint8_t)(0), (uint8_t)3u};
    case LW_F_SEARCH_SEARCH_ERROR:
        return (lw_cell){&(u->walk.buffer.cam.search.error), sizeof(u->walk.buffer.cam.search.error), (uint8_t)(0), (uint8_t)1u};
    case LW_F_SEARCH_SEARCH_PERM:
        return (lw_cell){&(u->walk.buffer.cam.search.perm), sizeof(u->walk.buffer.cam.search.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_SEARCH_CLAIM:
        return (lw_cell){&(u->walk.buffer.cam.search.claim), sizeof(u->walk.buffer.cam.search.claim), (uint8_t)(0), (uint8_t)1u};
    case LW_F_SEARCH_SEARCH_CLAIM_LEVEL:
        return (lw_cell){&(u->walk.buffer.cam.search.claim_level), sizeof(u->walk.buffer.cam.search.claim_level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_SEARCH_SEARCH_CLAIM_REACH:
        return (lw_cell){&(u->walk.buffer.cam.search.claim_reach), sizeof(u->walk.buffer.cam.search.claim_reach), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_SEARCH_CLAIM_PERM:
        return (lw_cell){&(u->walk.buffer.cam.search.claim_perm), sizeof(u->walk.buffer.cam.search.claim_perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_SEARCH_LINKS:
        return (lw_cell){&(u->walk.buffer.cam.search.links), sizeof(u->walk.buffer.cam.search.links), (uint8_t)(0), (uint8_t)6u};
    case LW_F_SEARCH_LINE_SEARCH_KIND:
        return (lw_cell){&(u->walk.buffer.cam.search_line[i].kind), sizeof(u->walk.buffer.cam.search_line[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_SEARCH_LINE_SEARCH_USER:
        return (lw_cell){&(u->walk.buffer.cam.search_line[i].user), sizeof(u->walk.buffer.cam.search_line[i].user), (uint8_t)(0), (uint8_t)1u};
    case LW_F_SEARCH_LINE_SEARCH_PTE_PERM:
        return (lw_cell){&(u->walk.buffer.cam.search_line[i].perm), sizeof(u->walk.buffer.cam.search_line[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_SEARCH_LINE_SEARCH_LEAF:
        return (lw_cell){&(u->walk.buffer.cam.search_line[i].leaf), sizeof(u->walk.buffer.cam.search_line[i].leaf), (uint8_t)(0), (uint8_t)1u};
    case LW_F_SEARCH_LINE_SEARCH_FRAME:
        return (lw_cell){&(u->walk.buffer.cam.search_line[i].frame), sizeof(u->walk.buffer.cam.search_line[i].frame), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_SEARCH_LINE_SEARCH_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.buffer.cam.search_line[i].contig), sizeof(u->walk.buffer.cam.search_line[i].contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_UPDATE_UPDATE_OP:
        return (lw_cell){&(u->walk.buffer.cam.update.op), sizeof(u->walk.buffer.cam.update.op), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_UPDATE_PASID:
        return (lw_cell){&(u->walk.buffer.cam.update.key), sizeof(u->walk.buffer.cam.update.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_UPDATE_UPDATE_VPN:
        return (lw_cell){&(u->walk.buffer.cam.update.key), sizeof(u->walk.buffer.cam.update.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_UPDATE_UPDATE_LEVEL:
        return (lw_cell){&(u->walk.buffer.cam.update.level), sizeof(u->walk.buffer.cam.update.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_UPDATE_UPDATE_REACH:
        return (lw_cell){&(u->walk.buffer.cam.update.reach), sizeof(u->walk.buffer.cam.update.reach), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_UPDATE_ERROR:
        return (lw_cell){&(u->walk.buffer.cam.update.error), sizeof(u->walk.buffer.cam.update.error), (uint8_t)(0), (uint8_t)1u};
    case LW_F_UPDATE_UPDATE_PERM:
        return (lw_cell){&(u->walk.buffer.cam.update.perm), sizeof(u->walk.buffer.cam.update.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_UPDATE_CLAIM:
        return (lw_cell){&(u->walk.buffer.cam.update.claim), sizeof(u->walk.buffer.cam.update.claim), (uint8_t)(0), (uint8_t)1u};
    case LW_F_UPDATE_UPDATE_CLAIM_LEVEL:
        return (lw_cell){&(u->walk.buffer.cam.update.claim_level), sizeof(u->walk.buffer.cam.update.claim_level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_UPDATE_UPDATE_CLAIM_REACH:
        return (lw_cell){&(u->walk.buffer.cam.update.claim_reach), sizeof(u->walk.buffer.cam.update.claim_reach), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_UPDATE_CLAIM_PERM:
        return (lw_cell){&(u->walk.buffer.cam.update.claim_perm), sizeof(u->walk.buffer.cam.update.claim_perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_UPDATE_LINKS:
        return (lw_cell){&(u->walk.buffer.cam.update.links), sizeof(u->walk.buffer.cam.update.links), (uint8_t)(0), (uint8_t)6u};
    case LW_F_UPDATE_LINE_UPDATE_KIND:
        return (lw_cell){&(u->walk.buffer.cam.update_line[i].kind), sizeof(u->walk.buffer.cam.update_line[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_UPDATE_LINE_UPDATE_USER:
        return (lw_cell){&(u->walk.buffer.cam.update_line[i].user), sizeof(u->walk.buffer.cam.update_line[i].user), (uint8_t)(0), (uint8_t)1u};
    case LW_F_UPDATE_LINE_UPDATE_PTE_PERM:
        return (lw_cell){&(u->walk.buffer.cam.update_line[i].perm), sizeof(u->walk.buffer.cam.update_line[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_UPDATE_LINE_UPDATE_LEAF:
        return (lw_cell){&(u->walk.buffer.cam.update_line[i].leaf), sizeof(u->walk.buffer.cam.update_line[i].leaf), (uint8_t)(0), (uint8_t)1u};
    case LW_F_UPDATE_LINE_UPDATE_FRAME:
        return (lw_cell){&(u->walk.buffer.cam.update_line[i].frame), sizeof(u->walk.buffer.cam.update_line[i].frame), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_UPDATE_LINE_UPDATE_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.buffer.cam.update_line[i].contig), sizeof(u->walk.buffer.cam.update_line[i].contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_PWC_VALID:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), (uint8_t)(63), (uint8_t)1u};
        }
        if ((p->pwc_org == 1u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.key[i]), sizeof(u->walk.pwc.by_address.key[i]), (uint8_t)(63), (uint8_t)1u};
        }
        return none;
    case LW_F_PWC_PASID:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
        }
        return none;
    case LW_F_PWC_TAG:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].key[i % p->pwc_entries]), (uint8_t)(0), (uint8_t)(vpn_w(p) - 9u)};
        }
        if ((p->pwc_org == 1u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.key[i]), sizeof(u->walk.pwc.by_address.key[i]), (uint8_t)(u->walk.pwc.by_address.set_bits), (uint8_t)((p->pa_width - 3u) - clog2_of(pwc_sets(p)))};
        }
        return none;
    case LW_F_PWC_NODE:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        if ((p->pwc_org == 1u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.payload[i]), sizeof(u->walk.pwc.by_address.payload[i]), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_PWC_PERM:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), (uint8_t)(LW_PWC_AT_PERM), (uint8_t)2u};
        }
        if ((p->pwc_org == 1u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.payload[i]), sizeof(u->walk.pwc.by_address.payload[i]), (uint8_t)(LW_PWC_AT_PERM), (uint8_t)2u};
        }
        return none;
    case LW_F_PWC_CONTIG:
        if ((p->pwc_org == 0u) != 0 && p->subregions != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].payload[i % p->pwc_entries]), (uint8_t)(LW_PWC_AT_CONTIG), (uint8_t)9u};
        }
        if ((p->pwc_org == 1u) != 0 && p->subregions != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.payload[i]), sizeof(u->walk.pwc.by_address.payload[i]), (uint8_t)(LW_PWC_AT_CONTIG), (uint8_t)9u};
        }
        return none;
    case LW_F_PWC_RANK_RANK:
        if ((p->pwc_org == 0u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_level.table[i / p->pwc_entries].rank[i % p->pwc_entries]), sizeof(u->walk.pwc.by_level.table[i / p->pwc_entries].rank[i % p->pwc_entries]), (uint8_t)(0), (uint8_t)clog2_of(p->pwc_entries)};
        }
        if ((p->pwc_org == 1u) != 0) {
            return (lw_cell){&(u->walk.pwc.by_address.ranks[i / p->pwc_ways]), sizeof(u->walk.pwc.by_address.ranks[i / p->pwc_ways]), (uint8_t)(4 * (i % p->pwc_ways)), (uint8_t)clog2_of(p->pwc_ways)};
        }
        return none;
    case LW_F_PWC_PIPE_PIPE_VALID:
        return (lw_cell){&(u->walk.pwc.stage[(u->walk.pwc.first + i) % p->pwc_latency].valid), sizeof(u->walk.pwc.stage[(u->walk.pwc.first + i) % p->pwc_latency].valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWC_PIPE_PIPE_WALKER:
        return (lw_cell){&(u->walk.pwc.stage[(u->walk.pwc.first + i) % p->pwc_latency].walker), sizeof(u->walk.pwc.stage[(u->walk.pwc.first + i) % p->pwc_latency].walker), (uint8_t)(0), (uint8_t)walker_w(p)};
    case LW_F_PWC_KEY_KEY_VPN:
        return (lw_cell){&(u->walk.pwc.key.key), sizeof(u->walk.pwc.key.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_PWC_KEY_KEY_PASID:
        return (lw_cell){&(u->walk.pwc.key.key), sizeof(u->walk.pwc.key.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_PWC_KEY_KEY_ACCESS:
        return (lw_cell){&(u->walk.pwc.key.access), sizeof(u->walk.pwc.key.access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWC_KEY_KEY_LEVEL:
        return (lw_cell){&(u->walk.pwc.key.level), sizeof(u->walk.pwc.key.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWC_KEY_KEY_NODE:
        return (lw_cell){&(u->walk.pwc.key.node), sizeof(u->walk.pwc.key.node), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_KEY_KEY_PERM:
        return (lw_cell){&(u->walk.pwc.key.perm), sizeof(u->walk.pwc.key.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWC_RESULT_RESULT_VALID:
        return (lw_cell){&(u->walk.pwc.result.valid), sizeof(u->walk.pwc.result.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWC_RESULT_RESULT_WALKER:
        return (lw_cell){&(u->walk.pwc.result.walker), sizeof(u->walk.pwc.result.walker), (uint8_t)(0), (uint8_t)walker_w(p)};
    case LW_F_PWC_RESULT_RESULT_HIT:
        return (lw_cell){&(u->walk.pwc.result.hit), sizeof(u->walk.pwc.result.hit), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWC_RESULT_RESULT_ENTRY:
        return (lw_cell){&(u->walk.pwc.result.entry), sizeof(u->walk.pwc.result.entry), (uint8_t)(0), (uint8_t)pwc_entry_w(p)};
    case LW_F_PWC_RESULT_RESULT_LEVEL:
        return (lw_cell){&(u->walk.pwc.result.level), sizeof(u->walk.pwc.result.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWC_RESULT_RESULT_NODE:
        return (lw_cell){&(u->walk.pwc.result.node), sizeof(u->walk.pwc.result.node), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_RESULT_RESULT_PERM:
        return (lw_cell){&(u->walk.pwc.result.perm), sizeof(u->walk.pwc.result.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWC_RESULT_RESULT_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.pwc.result.contig), sizeof(u->walk.pwc.result.contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_PWC_FILL_PWC_FILL_VALID:
        return (lw_cell){&(u->walk.pwc.fill.valid), sizeof(u->walk.pwc.fill.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWC_FILL_PWC_FILL_LEVEL:
        return (lw_cell){&(u->walk.pwc.fill.level), sizeof(u->walk.pwc.fill.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWC_FILL_PWC_FILL_VPN:
        return (lw_cell){&(u->walk.pwc.fill.key), sizeof(u->walk.pwc.fill.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_PWC_FILL_PWC_FILL_PASID:
        return (lw_cell){&(u->walk.pwc.fill.key), sizeof(u->walk.pwc.fill.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_PWC_FILL_PWC_FILL_PARENT:
        return (lw_cell){&(u->walk.pwc.fill.parent), sizeof(u->walk.pwc.fill.parent), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_FILL_PWC_FILL_NODE:
        return (lw_cell){&(u->walk.pwc.fill.node), sizeof(u->walk.pwc.fill.node), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_FILL_PWC_FILL_PERM:
        return (lw_cell){&(u->walk.pwc.fill.perm), sizeof(u->walk.pwc.fill.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWC_FILL_PWC_FILL_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.pwc.fill.contig), sizeof(u->walk.pwc.fill.contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_PWC_PLACE_PWC_PLACE_VALID:
        return (lw_cell){&(u->walk.pwc.place.valid), sizeof(u->walk.pwc.place.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWC_PLACE_PWC_PLACE_LEVEL:
        return (lw_cell){&(u->walk.pwc.place.level), sizeof(u->walk.pwc.place.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWC_PLACE_PWC_PLACE_VPN:
        return (lw_cell){&(u->walk.pwc.place.key), sizeof(u->walk.pwc.place.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_PWC_PLACE_PWC_PLACE_PASID:
        return (lw_cell){&(u->walk.pwc.place.key), sizeof(u->walk.pwc.place.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_PWC_PLACE_PWC_PLACE_PARENT:
        return (lw_cell){&(u->walk.pwc.place.parent), sizeof(u->walk.pwc.place.parent), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_PLACE_PWC_PLACE_NODE:
        return (lw_cell){&(u->walk.pwc.place.node), sizeof(u->walk.pwc.place.node), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWC_PLACE_PWC_PLACE_PERM:
        return (lw_cell){&(u->walk.pwc.place.perm), sizeof(u->walk.pwc.place.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWC_PLACE_PWC_PLACE_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.pwc.place.contig), sizeof(u->walk.pwc.place.contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_PWC_PLACE_PWC_PLACE_ENTRY:
        return (lw_cell){&(u->walk.pwc.place_entry), sizeof(u->walk.pwc.place_entry), (uint8_t)(0), (uint8_t)pwc_entry_w(p)};
    case LW_F_ASK_ASK_FOR:
        return (lw_cell){&(u->walk.walkers.ask.what), sizeof(u->walk.walkers.ask.what), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ASK_ASK_WALKER:
        return (lw_cell){&(u->walk.walkers.ask.walker), sizeof(u->walk.walkers.ask.walker), (uint8_t)(0), (uint8_t)walker_w(p)};
    case LW_F_ASK_ASK_SLOT:
        return (lw_cell){&(u->walk.walkers.ask.slot), sizeof(u->walk.walkers.ask.slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_READ_READ_FOR:
        return (lw_cell){&(u->walk.walkers.read.what), sizeof(u->walk.walkers.read.what), (uint8_t)(0), (uint8_t)2u};
    case LW_F_READ_READ_WALKER:
        return (lw_cell){&(u->walk.walkers.read.walker), sizeof(u->walk.walkers.read.walker), (uint8_t)(0), (uint8_t)walker_w(p)};
    case LW_F_READ_READ_SLOT:
        return (lw_cell){&(u->walk.walkers.read.slot), sizeof(u->walk.walkers.read.slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_READ_READ_ID:
        return (lw_cell){&(u->walk.walkers.read.entry.id), sizeof(u->walk.walkers.read.entry.id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_READ_READ_SRC:
        return (lw_cell){&(u->walk.walkers.read.entry.src), sizeof(u->walk.walkers.read.entry.src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_READ_READ_PASID:
        return (lw_cell){&(u->walk.walkers.read.entry.key), sizeof(u->walk.walkers.read.entry.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_READ_READ_VPN:
        return (lw_cell){&(u->walk.walkers.read.entry.key), sizeof(u->walk.walkers.read.entry.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_READ_READ_ACCESS:
        return (lw_cell){&(u->walk.walkers.read.entry.access), sizeof(u->walk.walkers.read.entry.access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_READ_READ_DONE:
        return (lw_cell){&(u->walk.walkers.read.entry.done), sizeof(u->walk.walkers.read.entry.done), (uint8_t)(0), (uint8_t)1u};
    case LW_F_READ_READ_CL:
        return (lw_cell){&(u->walk.walkers.read.entry.cl), sizeof(u->walk.walkers.read.entry.cl), (uint8_t)(0), (uint8_t)3u};
    case LW_F_READ_READ_PL:
        return (lw_cell){&(u->walk.walkers.read.entry.pl), sizeof(u->walk.walkers.read.entry.pl), (uint8_t)(0), (uint8_t)3u};
    case LW_F_READ_READ_PA:
        return (lw_cell){&(u->walk.walkers.read.entry.pa), sizeof(u->walk.walkers.read.entry.pa), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_READ_READ_PERM:
        return (lw_cell){&(u->walk.walkers.read.entry.perm), sizeof(u->walk.walkers.read.entry.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_READ_READ_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.walkers.read.entry.contig), sizeof(u->walk.walkers.read.entry.contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_READ_READ_BLOCK:
        return (lw_cell){&(u->walk.walkers.read.entry.block), sizeof(u->walk.walkers.read.entry.block), (uint8_t)(0), (uint8_t)2u};
    case LW_F_READ_READ_NEAR:
        return (lw_cell){&(u->walk.walkers.read.near), sizeof(u->walk.walkers.read.near), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWST_STATE:
        return (lw_cell){&(u->walk.walkers.walker[i].state), sizeof(u->walk.walkers.walker[i].state), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWST_STARTED:
        return (lw_cell){&(u->walk.walkers.walker[i].started), sizeof(u->walk.walkers.walker[i].started), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWST_STALE:
        return (lw_cell){&(u->walk.walkers.walker[i].stale), sizeof(u->walk.walkers.walker[i].stale), (uint8_t)(0), (uint8_t)1u};
    case LW_F_PWST_VPN:
        return (lw_cell){&(u->walk.walkers.walker[i].key), sizeof(u->walk.walkers.walker[i].key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_PWST_PASID:
        return (lw_cell){&(u->walk.walkers.walker[i].key), sizeof(u->walk.walkers.walker[i].key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_PWST_ACCESS:
        return (lw_cell){&(u->walk.walkers.walker[i].access), sizeof(u->walk.walkers.walker[i].access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWST_ID:
        return (lw_cell){&(u->walk.walkers.walker[i].id), sizeof(u->walk.walkers.walker[i].id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_PWST_SRC:
        return (lw_cell){&(u->walk.walkers.walker[i].src), sizeof(u->walk.walkers.walker[i].src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_PWST_SLOT:
        return (lw_cell){&(u->walk.walkers.walker[i].slot), sizeof(u->walk.walkers.walker[i].slot), (uint8_t)(0), (uint8_t)slot_w(p)};
    case LW_F_PWST_LEVEL:
        return (lw_cell){&(u->walk.walkers.walker[i].level), sizeof(u->walk.walkers.walker[i].level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWST_NODE:
        return (lw_cell){&(u->walk.walkers.walker[i].node), sizeof(u->walk.walkers.walker[i].node), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_PWST_PERM:
        return (lw_cell){&(u->walk.walkers.walker[i].perm), sizeof(u->walk.walkers.walker[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWST_KIND:
        return (lw_cell){&(u->walk.walkers.walker[i].kind), sizeof(u->walk.walkers.walker[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_PWST_FLEVEL:
        return (lw_cell){&(u->walk.walkers.walker[i].flevel), sizeof(u->walk.walkers.walker[i].flevel), (uint8_t)(0), (uint8_t)3u};
    case LW_F_PWST_SIZE:
        return (lw_cell){&(u->walk.walkers.walker[i].size), sizeof(u->walk.walkers.walker[i].size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_PWST_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.walkers.walker[i].contig), sizeof(u->walk.walkers.walker[i].contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_WALK_MEMORY_REQ_VALID:
        return (lw_cell){&(u->walk.walkers.req_valid), sizeof(u->walk.walkers.req_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_WALK_MEMORY_REQ_TAG:
        return (lw_cell){&(u->walk.walkers.req_tag), sizeof(u->walk.walkers.req_tag), (uint8_t)(0), (uint8_t)mem_tag_w(p)};
    case LW_F_WALK_MEMORY_REQ_LINE:
        return (lw_cell){&(u->walk.walkers.req_line), sizeof(u->walk.walkers.req_line), (uint8_t)(0), (uint8_t)(p->pa_width - 6u)};
    case LW_F_WALK_MEMORY_MEM_POINTER:
        return (lw_cell){&(u->walk.walkers.mem_pointer), sizeof(u->walk.walkers.mem_pointer), (uint8_t)(0), (uint8_t)walker_w(p)};
    case LW_F_WALK_MEMORY_LINE_VALID:
        return (lw_cell){&(u->walk.walkers.line_valid), sizeof(u->walk.walkers.line_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_WALK_MEMORY_LINE_TAG:
        return (lw_cell){&(u->walk.walkers.line_tag), sizeof(u->walk.walkers.line_tag), (uint8_t)(0), (uint8_t)mem_tag_w(p)};
    case LW_F_WALK_MEMORY_LINE_ERROR:
        return (lw_cell){&(u->walk.walkers.line_error), sizeof(u->walk.walkers.line_error), (uint8_t)(0), (uint8_t)1u};
    case LW_F_LINE_LINE_DATA:
        return (lw_cell){&(u->walk.walkers.line[i]), sizeof(u->walk.walkers.line[i]), (uint8_t)(0), (uint8_t)64u};
    case LW_F_HIT_QUEUE_HIT_ID:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].id), sizeof(u->responses.queue[LW_HIT].at[i].id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_HIT_QUEUE_HIT_KIND:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].kind), sizeof(u->responses.queue[LW_HIT].at[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_HIT_QUEUE_HIT_LEVEL:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].level), sizeof(u->responses.queue[LW_HIT].at[i].level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_HIT_QUEUE_HIT_PFN:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].pfn), sizeof(u->responses.queue[LW_HIT].at[i].pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_HIT_QUEUE_HIT_SIZE:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].size), sizeof(u->responses.queue[LW_HIT].at[i].size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_HIT_QUEUE_HIT_PERM:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].perm), sizeof(u->responses.queue[LW_HIT].at[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_HIT_QUEUE_HIT_EPOCH:
        return (lw_cell){&(u->responses.queue[LW_HIT].at[i].epoch), sizeof(u->responses.queue[LW_HIT].at[i].epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_WALK_QUEUE_WALK_ID:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].id), sizeof(u->responses.queue[LW_WALK].at[i].id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_WALK_QUEUE_WALK_KIND:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].kind), sizeof(u->responses.queue[LW_WALK].at[i].kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_WALK_QUEUE_WALK_LEVEL:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].level), sizeof(u->responses.queue[LW_WALK].at[i].level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_WALK_QUEUE_WALK_PFN:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].pfn), sizeof(u->responses.queue[LW_WALK].at[i].pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_WALK_QUEUE_WALK_SIZE:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].size), sizeof(u->responses.queue[LW_WALK].at[i].size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_WALK_QUEUE_WALK_PERM:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].perm), sizeof(u->responses.queue[LW_WALK].at[i].perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_WALK_QUEUE_WALK_EPOCH:
        return (lw_cell){&(u->responses.queue[LW_WALK].at[i].epoch), sizeof(u->responses.queue[LW_WALK].at[i].epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ANSWER_ANSWER_VALID:
        return (lw_cell){&(u->walk.answers.answer.valid), sizeof(u->walk.answers.answer.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ANSWER_ANSWER_ID:
        return (lw_cell){&(u->walk.answers.answer.result.id), sizeof(u->walk.answers.answer.result.id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_ANSWER_ANSWER_SRC:
        return (lw_cell){&(u->walk.answers.answer.result.src), sizeof(u->walk.answers.answer.result.src), (uint8_t)(0), (uint8_t)p->src_w};
    case LW_F_ANSWER_ANSWER_PASID:
        return (lw_cell){&(u->walk.answers.answer.result.key), sizeof(u->walk.answers.answer.result.key), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
    case LW_F_ANSWER_ANSWER_VPN:
        return (lw_cell){&(u->walk.answers.answer.result.key), sizeof(u->walk.answers.answer.result.key), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_ANSWER_ANSWER_ACCESS:
        return (lw_cell){&(u->walk.answers.answer.result.access), sizeof(u->walk.answers.answer.result.access), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ANSWER_ANSWER_KIND:
        return (lw_cell){&(u->walk.answers.answer.result.kind), sizeof(u->walk.answers.answer.result.kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_ANSWER_ANSWER_LEVEL:
        return (lw_cell){&(u->walk.answers.answer.result.level), sizeof(u->walk.answers.answer.result.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_ANSWER_ANSWER_BASE:
        return (lw_cell){&(u->walk.answers.answer.result.base), sizeof(u->walk.answers.answer.result.base), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_ANSWER_ANSWER_SIZE:
        return (lw_cell){&(u->walk.answers.answer.result.size), sizeof(u->walk.answers.answer.result.size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ANSWER_ANSWER_PERM:
        return (lw_cell){&(u->walk.answers.answer.result.perm), sizeof(u->walk.answers.answer.result.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_ANSWER_ANSWER_CONTIG:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.answers.answer.result.contig), sizeof(u->walk.answers.answer.result.contig), (uint8_t)(0), (uint8_t)9u};
        }
        return none;
    case LW_F_ANSWER_ANSWER_STALE:
        return (lw_cell){&(u->walk.answers.answer.result.stale), sizeof(u->walk.answers.answer.result.stale), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ANSWER_ANSWER_EPOCH:
        return (lw_cell){&(u->walk.answers.answer.epoch), sizeof(u->walk.answers.answer.epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ANSWER_ANSWER_ENTRY:
        return (lw_cell){&(u->walk.answers.answer.entry), sizeof(u->walk.answers.answer.entry), (uint8_t)(0), (uint8_t)1u};
    case LW_F_ANSWER_ANSWER_BLOCK:
        return (lw_cell){&(u->walk.answers.answer.block), sizeof(u->walk.answers.answer.block), (uint8_t)(0), (uint8_t)2u};
    case LW_F_FILL_FILL_VALID:
        return (lw_cell){&(u->walk.answers.fill.valid), sizeof(u->walk.answers.fill.valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_FILL_FILL_CLASS:
        if (spans(p) != 0) {
            return (lw_cell){&(u->walk.answers.fill.span), sizeof(u->walk.answers.fill.span), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_FILL_FILL_PASID:
        return (lw_cell){&(u->walk.answers.fill.pasid), sizeof(u->walk.answers.fill.pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
    case LW_F_FILL_FILL_VPN:
        return (lw_cell){&(u->walk.answers.fill.page), sizeof(u->walk.answers.fill.page), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_FILL_FILL_LENGTH:
        if (spans(p) != 0) {
            return (lw_cell){&(u->walk.answers.fill.length), sizeof(u->walk.answers.fill.length), (uint8_t)(0), (uint8_t)3u};
        }
        return none;
    case LW_F_FILL_FILL_PFN:
        return (lw_cell){&(u->walk.answers.fill.pfn), sizeof(u->walk.answers.fill.pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_FILL_FILL_PERM:
        return (lw_cell){&(u->walk.answers.fill.perm), sizeof(u->walk.answers.fill.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_FILL_FILL_SIZE:
        return (lw_cell){&(u->walk.answers.fill.size), sizeof(u->walk.answers.fill.size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_RESPONSE_HIT_HEAD:
        return (lw_cell){&(u->responses.queue[LW_HIT].head), sizeof(u->responses.queue[LW_HIT].head), (uint8_t)(0), (uint8_t)width_of(p->hit_queue)};
    case LW_F_RESPONSE_HIT_COUNT:
        return (lw_cell){&(u->responses.queue[LW_HIT].count), sizeof(u->responses.queue[LW_HIT].count), (uint8_t)(0), (uint8_t)clog2_of((p->hit_queue + 1u))};
    case LW_F_RESPONSE_WALK_HEAD:
        return (lw_cell){&(u->responses.queue[LW_WALK].head), sizeof(u->responses.queue[LW_WALK].head), (uint8_t)(0), (uint8_t)width_of(p->walk_queue)};
    case LW_F_RESPONSE_WALK_COUNT:
        return (lw_cell){&(u->responses.queue[LW_WALK].count), sizeof(u->responses.queue[LW_WALK].count), (uint8_t)(0), (uint8_t)clog2_of((p->walk_queue + 1u))};
    case LW_F_RESPONSE_WALK_USED:
        return (lw_cell){&(u->responses.walk_used), sizeof(u->responses.walk_used), (uint8_t)(0), (uint8_t)clog2_of((p->walk_queue + 1u))};
    case LW_F_RESPONSE_LAST:
        return (lw_cell){&(u->responses.last), sizeof(u->responses.last), (uint8_t)(0), (uint8_t)1u};
    case LW_F_RESPONSE_OUT_VALID:
        return (lw_cell){&(u->responses.out_valid), sizeof(u->responses.out_valid), (uint8_t)(0), (uint8_t)1u};
    case LW_F_RESPONSE_OUT_ID:
        return (lw_cell){&(u->responses.out.id), sizeof(u->responses.out.id), (uint8_t)(0), (uint8_t)p->id_w};
    case LW_F_RESPONSE_OUT_KIND:
        return (lw_cell){&(u->responses.out.kind), sizeof(u->responses.out.kind), (uint8_t)(0), (uint8_t)4u};
    case LW_F_RESPONSE_OUT_LEVEL:
        return (lw_cell){&(u->responses.out.level), sizeof(u->responses.out.level), (uint8_t)(0), (uint8_t)3u};
    case LW_F_RESPONSE_OUT_PFN:
        return (lw_cell){&(u->responses.out.pfn), sizeof(u->responses.out.pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_RESPONSE_OUT_SIZE:
        return (lw_cell){&(u->responses.out.size), sizeof(u->responses.out.size), (uint8_t)(0), (uint8_t)2u};
    case LW_F_RESPONSE_OUT_PERM:
        return (lw_cell){&(u->responses.out.perm), sizeof(u->responses.out.perm), (uint8_t)(0), (uint8_t)2u};
    case LW_F_RESPONSE_OUT_EPOCH:
        return (lw_cell){&(u->responses.out.epoch), sizeof(u->responses.out.epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_INVALIDATION_STATE:
        return (lw_cell){&(u->invalidation.state), sizeof(u->invalidation.state), (uint8_t)(0), (uint8_t)3u};
    case LW_F_INVALIDATION_TYPE:
        return (lw_cell){&(u->invalidation.type), sizeof(u->invalidation.type), (uint8_t)(0), (uint8_t)2u};
    case LW_F_INVALIDATION_PASID:
        return (lw_cell){&(u->invalidation.pasid), sizeof(u->invalidation.pasid), (uint8_t)(0), (uint8_t)20u};
    case LW_F_INVALIDATION_FIRST:
        return (lw_cell){&(u->invalidation.first), sizeof(u->invalidation.first), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_INVALIDATION_LAST:
        return (lw_cell){&(u->invalidation.last), sizeof(u->invalidation.last), (uint8_t)(0), (uint8_t)vpn_w(p)};
    case LW_F_INVALIDATION_SWEEP_SET:
        return (lw_cell){&(u->invalidation.sweep_set), sizeof(u->invalidation.sweep_set), (uint8_t)(0), (uint8_t)width_of(sweep_sets(p))};
    case LW_F_INVALIDATION_EPOCH:
        return (lw_cell){&(u->invalidation.epoch), sizeof(u->invalidation.epoch), (uint8_t)(0), (uint8_t)1u};
    case LW_F_CONTROL_FEATURES:
        return (lw_cell){&(u->control.feature_bits), sizeof(u->control.feature_bits), (uint8_t)(0), (uint8_t)6u};
    case LW_F_CONTROL_RDATA:
        return (lw_cell){&(u->control.rdata), sizeof(u->control.rdata), (uint8_t)(0), (uint8_t)64u};
    case LW_F_CONTROL_FAULT_INFO:
        return (lw_cell){&(u->control.fault_info), sizeof(u->control.fault_info), (uint8_t)(0), (uint8_t)64u};
    case LW_F_CONTROL_FAULT_PAGE:
        return (lw_cell){&(u->control.fault_page), sizeof(u->control.fault_page), (uint8_t)(0), (uint8_t)52u};
    case LW_F_ROOT_ROOT_VALID:
        return (lw_cell){&(u->control.roots.root[i]), sizeof(u->control.roots.root[i]), (uint8_t)(63), (uint8_t)1u};
    case LW_F_ROOT_ROOT_FRAME:
        return (lw_cell){&(u->control.roots.root[i]), sizeof(u->control.roots.root[i]), (uint8_t)(0), (uint8_t)pfn_w(p)};
    case LW_F_COUNTER_COUNT:
        return (lw_cell){&(u->counters.begun[i]), sizeof(u->counters.begun[i]), (uint8_t)(0), (uint8_t)48u};
    case LW_F_COUNTER_INCREMENT:
        return (lw_cell){&(u->counters.told[i]), sizeof(u->counters.told[i]), (uint8_t)(0), (uint8_t)increment_w(p)};
    case LW_F_CHECK_STATE:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.state), sizeof(u->walk.contiguity.state), (uint8_t)(0), (uint8_t)3u};
        }
        return none;
    case LW_F_CHECK_PASID:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.pasid), sizeof(u->walk.contiguity.job.pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
        }
        return none;
    case LW_F_CHECK_VSN:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.vsn), sizeof(u->walk.contiguity.job.vsn), (uint8_t)(0), (uint8_t)(vpn_w(p) - 6u)};
        }
        return none;
    case LW_F_CHECK_BITS:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.bits), sizeof(u->walk.contiguity.job.bits), (uint8_t)(0), (uint8_t)8u};
        }
        return none;
    case LW_F_CHECK_NODE:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.node), sizeof(u->walk.contiguity.job.node), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_CHECK_PERM:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.perm), sizeof(u->walk.contiguity.job.perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_CHECK_PTE_PERM:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.job.pte_perm), sizeof(u->walk.contiguity.job.pte_perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_CHECK_MAP:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.map), sizeof(u->walk.contiguity.map), (uint8_t)(0), (uint8_t)7u};
        }
        return none;
    case LW_F_CHECK_STEP:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.step), sizeof(u->walk.contiguity.step), (uint8_t)(0), (uint8_t)3u};
        }
        return none;
    case LW_F_CHECK_ASKED:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.asked), sizeof(u->walk.contiguity.asked), (uint8_t)(0), (uint8_t)8u};
        }
        return none;
    case LW_F_CHECK_GOT:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.got), sizeof(u->walk.contiguity.got), (uint8_t)(0), (uint8_t)8u};
        }
        return none;
    case LW_F_CHECK_QUEUE_HEAD:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.queue_head), sizeof(u->walk.contiguity.queue_head), (uint8_t)(0), (uint8_t)width_of(p->check_queue)};
        }
        return none;
    case LW_F_CHECK_QUEUE_COUNT:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.queue_count), sizeof(u->walk.contiguity.queue_count), (uint8_t)(0), (uint8_t)clog2_of((p->check_queue + 1u))};
        }
        return none;
    case LW_F_HEAD_HEAD_OK:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.head[i].ok), sizeof(u->walk.contiguity.head[i].ok), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_HEAD_HEAD_PFN:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.head[i].pfn), sizeof(u->walk.contiguity.head[i].pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_HEAD_HEAD_PERM:
        if (p->subregions != 0) {
            return (lw_cell){&(u->walk.contiguity.head[i].perm), sizeof(u->walk.contiguity.head[i].perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_LIVE:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].valid), sizeof(u->walk.contiguity.queue[i].valid), (uint8_t)(0), (uint8_t)1u};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_PASID:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].pasid), sizeof(u->walk.contiguity.queue[i].pasid), (uint8_t)(0), (uint8_t)pasid_w(p)};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_VSN:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].vsn), sizeof(u->walk.contiguity.queue[i].vsn), (uint8_t)(0), (uint8_t)(vpn_w(p) - 6u)};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_BITS:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].bits), sizeof(u->walk.contiguity.queue[i].bits), (uint8_t)(0), (uint8_t)8u};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_NODE:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].node), sizeof(u->walk.contiguity.queue[i].node), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_PFN:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].pfn), sizeof(u->walk.contiguity.queue[i].pfn), (uint8_t)(0), (uint8_t)pfn_w(p)};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_PERM:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].perm), sizeof(u->walk.contiguity.queue[i].perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_CHECK_QUEUE_JOB_PTE_PERM:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.contiguity.queue[i].pte_perm), sizeof(u->walk.contiguity.queue[i].pte_perm), (uint8_t)(0), (uint8_t)2u};
        }
        return none;
    case LW_F_MSC_VALID:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.msc.key[i]), sizeof(u->walk.msc.key[i]), (uint8_t)(63), (uint8_t)1u};
        }
        return none;
    case LW_F_MSC_PASID:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.msc.key[i]), sizeof(u->walk.msc.key[i]), (uint8_t)(LW_KEY_PASID), (uint8_t)pasid_w(p)};
        }
        return none;
    case LW_F_MSC_TAG:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.msc.key[i]), sizeof(u->walk.msc.key[i]), (uint8_t)(0), (uint8_t)((vpn_w(p) - 9u) - clog2_of(msc_sets(p)))};
        }
        return none;
    case LW_F_MSC_MAP:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.msc.map[i]), sizeof(u->walk.msc.map[i]), (uint8_t)(0), (uint8_t)7u};
        }
        return none;
    case LW_F_MSC_RANK_RANK:
        if (has_msc(p) != 0) {
            return (lw_cell){&(u->walk.msc.ranks[i / p->msc_ways]), sizeof(u->walk.msc.ranks[i / p->msc_ways]), (uint8_t)(4 * (i % p->msc_ways)), (uint8_t)clog2_of(p->msc_ways)};
        }
        return none;
    default:
        return none;
    }
}
