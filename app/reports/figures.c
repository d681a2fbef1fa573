#include "app/reports/figures.h"

#include <stddef.h>

static const char *const counter_names[LW_COUNTERS] = {
    [LW_C_CYCLES] = "cycles",
    [LW_C_REQUESTS] = "requests",
    [LW_C_RESPONSES] = "responses",
    [LW_C_TLB_HITS] = "tlb_hits",
    [LW_C_TLB_MISSES] = "tlb_misses",
    [LW_C_FAULTS] = "faults",
    [LW_C_WALKS] = "walks",
    [LW_C_PAGE_TABLE_ACCESSES] = "page_table_accesses",
    [LW_C_PWC_LOOKUPS] = "pwc_lookups",
    [LW_C_PWC_HITS] = "pwc_hits",
    [LW_C_COALESCED_ANSWERS] = "coalesced_answers",
    [LW_C_COALESCED_LEVELS] = "coalesced_levels",
    [LW_C_GIVEN_BACK] = "given_back",
    [LW_C_INVALIDATIONS] = "invalidations",
    [LW_C_REQUEST_STALLS] = "request_stalls",
    [LW_C_STRAY_LINES] = "stray_lines",
    [LW_C_WAITING] = "waiting",
    [LW_C_SAME_NEIGHBOURHOOD] = "same_neighbourhood",
    [LW_C_MSC_LOOKUPS] = "msc_lookups",
    [LW_C_MSC_HITS] = "msc_hits",
    [LW_C_HEAD_READS] = "head_reads",
    [LW_C_SUBREGION_HITS] = "subregion_hits",
    [LW_C_SUBREGION_FILLS] = "subregion_fills",
    [LW_C_JOINED] = "joined",
    [LW_C_CHECKS_MERGED] = "checks_merged",
    [LW_C_CHECKS_DROPPED] = "checks_dropped",
    [LW_C_STEP_READS] = "step_reads",
    [LW_C_TABLE_READS] = "table_reads",
    [LW_C_VICTIM_WALKS] = "victim_walks",
    [LW_C_VICTIM_READS] = "victim_reads",
    [LW_C_TAG_MISSES] = "tag_misses",
    [LW_C_STEP_RETRIES] = "step_retries",
    [LW_C_IDLE_EMPTY] = "idle_empty",
    [LW_C_IDLE_HELD] = "idle_held",
    [LW_C_IDLE_PICK] = "idle_pick",
    [LW_C_PWC] = "pwc",
    [LW_C_CAM] = "cam",
    [LW_C_MEMORY_PORT] = "memory_port",
    [LW_C_MEMORY] = "memory",
    [LW_C_RESPONSE_QUEUE] = "response_queue",
    [LW_C_SECOND_LOOKUPS] = "second_lookups",
    [LW_C_SECOND_HITS] = "second_hits",
};

static const char *const fault_names[8] = {NULL,          "noncanonical", "unknown_pasid",
                                           "not_present", "reserved",     "misaligned",
                                           "permission",  "memory_error"};

const char *lw_counter_name(uint32_t number) {
    return number < LW_COUNTERS ? counter_names[number] : NULL;
}

const char *lw_fault_name(uint32_t kind) {
    return fault_names[kind];
}

uint64_t lw_unasked_faults(const lw_session_result *r) {
    uint64_t sum = 0;
    for (uint32_t k = 1; k < 8; k++) {
        sum += r->unasked[k];
    }
    return sum;
}

double lw_walk_latency_mean(const lw_session_result *r) {
    uint64_t misses = r->counters[LW_C_TLB_MISSES];
    return misses == 0 ? 0.0 : (double)r->counters[LW_C_WAITING] / (double)misses;
}

double lw_rate(uint64_t part, uint64_t rest) {
    return part + rest == 0 ? 0.0 : (double)part / (double)(part + rest);
}

const char *lw_verdict(const lw_session_result *r) {
    const lw_mismatch *m = &r->mismatch;
    return !m->found      ? (r->stopped ? "interrupted" : "equal")
           : m->assertion ? "assertion"
           : m->ports     ? "ports"
           : m->oracle    ? "oracle"
           : m->hang      ? "hang"
                          : "registers";
}
