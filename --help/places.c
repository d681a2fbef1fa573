/* Made by state/generate.py from state/registers.yaml. */
#include "dpi/places.h"

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

const char *lw_rtl_instance(const lw_params *p, lw_structure s) {
    switch (s) {
    case LW_S_ADMISSION:
        return "u_admission";
    case LW_S_TLB_PIPE:
        return "u_tlb";
    case LW_S_TLB:
        return "u_tlb";
    case LW_S_TLB_RANK:
        return "u_tlb";
    case LW_S_TLB_RANGE:
        return "u_tlb";
    case LW_S_TLB_FOUND:
        return "u_tlb";
    case LW_S_PLACE:
        return "u_tlb";
    case LW_S_BUFFER:
        return "u_walk.u_buffer";
    case LW_S_BUFFER_CONTROL:
        return "u_walk.u_buffer";
    case LW_S_PICK:
        return "u_walk.u_buffer.u_oldest_first";
    case LW_S_ROUND1:
        return "u_walk.u_buffer.u_oldest_first";
    case LW_S_ROUND2:
        return "u_walk.u_buffer.u_oldest_first";
    case LW_S_BLOCK:
        return "u_walk.u_buffer";
    case LW_S_SEARCH:
        return "u_walk.u_buffer.u_operation";
    case LW_S_SEARCH_LINE:
        return "u_walk.u_buffer.u_operation";
    case LW_S_UPDATE:
        return "u_walk.u_buffer.u_operation";
    case LW_S_UPDATE_LINE:
        return "u_walk.u_buffer.u_operation";
    case LW_S_PWC:
        if ((p->pwc_org == 0u) != 0) {
            return "u_walk.u_pwc.gen_by_level.u_table";
        }
        return "u_walk.u_pwc.gen_by_address.u_table";
    case LW_S_PWC_RANK:
        if ((p->pwc_org == 0u) != 0) {
            return "u_walk.u_pwc.gen_by_level.u_table";
        }
        return "u_walk.u_pwc.gen_by_address.u_table";
    case LW_S_PWC_PIPE:
        return "u_walk.u_pwc";
    case LW_S_PWC_KEY:
        return "u_walk.u_pwc";
    case LW_S_PWC_RESULT:
        return "u_walk.u_pwc";
    case LW_S_PWC_FILL:
        return "u_walk.u_pwc";
    case LW_S_PWC_PLACE:
        return "u_walk.u_pwc";
    case LW_S_ASK:
        return "u_walk.u_walkers.u_reader";
    case LW_S_READ:
        return "u_walk.u_walkers.u_reader";
    case LW_S_PWST:
        return "u_walk.u_walkers";
    case LW_S_WALK_MEMORY:
        return "u_walk.u_walkers.u_memory";
    case LW_S_LINE:
        return "u_walk.u_walkers.u_memory";
    case LW_S_HIT_QUEUE:
        return "u_responses";
    case LW_S_WALK_QUEUE:
        return "u_responses";
    case LW_S_ANSWER:
        return "u_walk.u_answers";
    case LW_S_FILL:
        return "u_walk.u_answers";
    case LW_S_RESPONSE:
        return "u_responses";
    case LW_S_INVALIDATION:
        return "u_invalidation";
    case LW_S_CONTROL:
        return "u_control";
    case LW_S_ROOT:
        return "u_control";
    case LW_S_COUNTER:
        return "u_counters";
    case LW_S_CHECK:
        return "u_walk.u_joiner.gen_contiguity.u_contiguity";
    case LW_S_HEAD:
        return "u_walk.u_joiner.gen_contiguity.u_contiguity";
    case LW_S_CHECK_QUEUE:
        return "u_walk.u_joiner.gen_contiguity.u_contiguity";
    case LW_S_MSC:
        return "u_walk.u_joiner.gen_contiguity.gen_msc.u_msc";
    case LW_S_MSC_RANK:
        return "u_walk.u_joiner.gen_contiguity.gen_msc.u_msc";
    default:
        return NULL;
    }
}

const lw_rtl_pattern lw_rtl_known[] = {
    {"u_walk.u_buffer", "newest_block_q"},
    {"u_walk.u_walkers.u_memory", "scan_q"},
    {"*.gen_flops", "read_word_q"},
    {"*.gen_macro", "late_q"},
    {"*.gen_macro", "late_data_q"},
    {"*.gen_macro.u_array", "read_data_q"},
    {"*.u_fill_tag.*", "mem_q"},
    {"u_admission", "buffer_used_q"},
    {"u_admission", "hit_used_q"},
    {"u_admission", "freed_q"},
    {"u_tlb", "pipe_valid_q"},
    {"u_tlb", "pipe_id_q"},
    {"u_tlb", "pipe_src_q"},
    {"u_tlb", "pipe_pasid_q"},
    {"u_tlb", "pipe_page_q"},
    {"u_tlb", "pipe_access_q"},
    {"u_tlb", "valid_q"},
    {"u_tlb", "class_q"},
    {"u_tlb", "pasid_q"},
    {"u_tlb", "tag_q"},
    {"u_tlb", "length_q"},
    {"u_tlb", "pfn_q"},
    {"u_tlb", "perm_q"},
    {"u_tlb", "size_q"},
    {"u_tlb", "rank_q"},
    {"u_tlb", "range_found_q"},
    {"u_tlb", "range_way_q"},
    {"u_tlb", "range_first_q"},
    {"u_tlb", "range_pfn_q"},
    {"u_tlb", "range_perm_q"},
    {"u_tlb", "range_size_q"},
    {"u_tlb", "found_q"},
    {"u_tlb", "found_class_q"},
    {"u_tlb", "way_q"},
    {"u_tlb", "first_q"},
    {"u_tlb", "found_length_q"},
    {"u_tlb", "found_pfn_q"},
    {"u_tlb", "found_perm_q"},
    {"u_tlb", "found_size_q"},
    {"u_tlb", "place_valid_q"},
    {"u_tlb", "place_write_q"},
    {"u_tlb", "place_class_q"},
    {"u_tlb", "place_pasid_q"},
    {"u_tlb", "place_vpn_q"},
    {"u_tlb", "place_length_q"},
    {"u_tlb", "place_pfn_q"},
    {"u_tlb", "place_perm_q"},
    {"u_tlb", "place_size_q"},
    {"u_tlb", "place_way_q"},
    {"u_tlb", "place_drop_q"},
    {"u_walk.u_buffer", "valid_q"},
    {"u_walk.u_buffer", "picked_q"},
    {"u_walk.u_buffer", "done_q"},
    {"u_walk.u_buffer", "stale_q"},
    {"u_walk.u_buffer", "batch_q"},
    {"u_walk.u_buffer", "near_level_q"},
    {"u_walk.u_buffer", "near_claim_q"},
    {"u_walk.u_buffer", "near_position_q"},
    {"u_walk.u_buffer", "id_q"},
    {"u_walk.u_buffer", "src_q"},
    {"u_walk.u_buffer", "pasid_q"},
    {"u_walk.u_buffer", "vpn_q"},
    {"u_walk.u_buffer", "access_q"},
    {"u_walk.u_buffer", "seq_q"},
    {"u_walk.u_buffer", "cl_q"},
    {"u_walk.u_buffer", "pl_q"},
    {"u_walk.u_buffer", "pa_q"},
    {"u_walk.u_buffer", "perm_q"},
    {"u_walk.u_buffer", "kind_q"},
    {"u_walk.u_buffer", "level_q"},
    {"u_walk.u_buffer", "size_q"},
    {"u_walk.u_buffer", "contig_q"},
    {"u_walk.u_buffer", "next_seq_q"},
    {"u_walk.u_buffer", "free_slot_q"},
    {"u_walk.u_buffer", "miss_valid_q"},
    {"u_walk.u_buffer", "miss_id_q"},
    {"u_walk.u_buffer", "miss_src_q"},
    {"u_walk.u_buffer", "miss_pasid_q"},
    {"u_walk.u_buffer", "miss_vpn_q"},
    {"u_walk.u_buffer", "miss_access_q"},
    {"u_walk.u_buffer", "candidate_valid_q"},
    {"u_walk.u_buffer", "candidate_held_q"},
    {"u_walk.u_buffer", "candidate_slot_q"},
    {"u_walk.u_buffer", "ready_q"},
    {"u_walk.u_buffer", "ready_slot_q"},
    {"u_walk.u_buffer", "reading_q"},
    {"u_walk.u_buffer", "reading_slot_q"},
    {"u_walk.u_buffer", "reading_epoch_q"},
    {"u_walk.u_buffer", "new_valid_q"},
    {"u_walk.u_buffer", "new_slot_q"},
    {"u_walk.u_buffer", "new_vpn_q"},
    {"u_walk.u_buffer", "new_pasid_q"},
    {"u_walk.u_buffer", "new_access_q"},
    {"u_walk.u_buffer", "first_valid_q"},
    {"u_walk.u_buffer", "first_slot_q"},
    {"u_walk.u_buffer", "first_cl_q"},
    {"u_walk.u_buffer.u_oldest_first", "pick_step_q"},
    {"u_walk.u_buffer.u_oldest_first", "round1_found_q"},
    {"u_walk.u_buffer.u_oldest_first", "round1_slot_q"},
    {"u_walk.u_buffer.u_oldest_first", "round1_age_q"},
    {"u_walk.u_buffer.u_oldest_first", "round2_found_q"},
    {"u_walk.u_buffer.u_oldest_first", "round2_slot_q"},
    {"u_walk.u_buffer.u_oldest_first", "round2_age_q"},
    {"u_walk.u_buffer.u_oldest_first", "older_q"},
    {"u_walk.u_buffer", "block_live_q"},
    {"u_walk.u_buffer.u_operation", "search_op_q"},
    {"u_walk.u_buffer.u_operation", "search_pasid_q"},
    {"u_walk.u_buffer.u_operation", "search_vpn_q"},
    {"u_walk.u_buffer.u_operation", "search_level_q"},
    {"u_walk.u_buffer.u_operation", "search_reach_q"},
    {"u_walk.u_buffer.u_operation", "search_position_q"},
    {"u_walk.u_buffer.u_operation", "search_error_q"},
    {"u_walk.u_buffer.u_operation", "search_perm_q"},
    {"u_walk.u_buffer.u_operation", "search_claim_q"},
    {"u_walk.u_buffer.u_operation", "search_claim_level_q"},
    {"u_walk.u_buffer.u_operation", "search_claim_reach_q"},
    {"u_walk.u_buffer.u_operation", "search_claim_perm_q"},
    {"u_walk.u_buffer.u_operation", "search_links_q"},
    {"u_walk.u_buffer.u_operation", "search_kind_q"},
    {"u_walk.u_buffer.u_operation", "search_user_q"},
    {"u_walk.u_buffer.u_operation", "search_pte_perm_q"},
    {"u_walk.u_buffer.u_operation", "search_leaf_q"},
    {"u_walk.u_buffer.u_operation", "search_frame_q"},
    {"u_walk.u_buffer.u_operation", "search_contig_q"},
    {"u_walk.u_buffer.u_operation", "update_op_q"},
    {"u_walk.u_buffer.u_operation", "update_pasid_q"},
    {"u_walk.u_buffer.u_operation", "update_vpn_q"},
    {"u_walk.u_buffer.u_operation", "update_level_q"},
    {"u_walk.u_buffer.u_operation", "update_reach_q"},
    {"u_walk.u_buffer.u_operation", "update_error_q"},
    {"u_walk.u_buffer.u_operation", "update_perm_q"},
    {"u_walk.u_buffer.u_operation", "update_claim_q"},
    {"u_walk.u_buffer.u_operation", "update_claim_level_q"},
    {"u_walk.u_buffer.u_operation", "update_claim_reach_q"},
    {"u_walk.u_buffer.u_operation", "update_claim_perm_q"},
    {"u_walk.u_buffer.u_operation", "update_links_q"},
    {"u_walk.u_buffer.u_operation", "update_kind_q"},
    {"u_walk.u_buffer.u_operation", "update_user_q"},
    {"u_walk.u_buffer.u_operation", "update_pte_perm_q"},
    {"u_walk.u_buffer.u_operation", "update_leaf_q"},
    {"u_walk.u_buffer.u_operation", "update_frame_q"},
    {"u_walk.u_buffer.u_operation", "update_contig_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "valid_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "pasid_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "tag_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "node_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "perm_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "contig_q"},
    {"u_walk.u_pwc.gen_by_address.u_table", "valid_q"},
    {"u_walk.u_pwc.gen_by_address.u_table.u_tag.*", "mem_q"},
    {"u_walk.u_pwc.gen_by_address.u_table.u_node.*", "mem_q"},
    {"u_walk.u_pwc.gen_by_address.u_table.u_perm.*", "mem_q"},
    {"u_walk.u_pwc.gen_by_address.u_table.gen_contig.u_contig.*", "mem_q"},
    {"u_walk.u_pwc.gen_by_level.u_table", "rank_q"},
    {"u_walk.u_pwc.gen_by_address.u_table", "rank_q"},
    {"u_walk.u_pwc", "pipe_valid_q"},
    {"u_walk.u_pwc", "pipe_walker_q"},
    {"u_walk.u_pwc", "key_vpn_q"},
    {"u_walk.u_pwc", "key_pasid_q"},
    {"u_walk.u_pwc", "key_access_q"},
    {"u_walk.u_pwc", "key_level_q"},
    {"u_walk.u_pwc", "key_node_q"},
    {"u_walk.u_pwc", "key_perm_q"},
    {"u_walk.u_pwc", "result_valid_q"},
    {"u_walk.u_pwc", "result_walker_q"},
    {"u_walk.u_pwc", "result_hit_q"},
    {"u_walk.u_pwc", "result_entry_q"},
    {"u_walk.u_pwc", "result_level_q"},
    {"u_walk.u_pwc", "result_node_q"},
    {"u_walk.u_pwc", "result_perm_q"},
    {"u_walk.u_pwc", "result_contig_q"},
    {"u_walk.u_pwc", "pwc_fill_valid_q"},
    {"u_walk.u_pwc", "pwc_fill_level_q"},
    {"u_walk.u_pwc", "pwc_fill_vpn_q"},
    {"u_walk.u_pwc", "pwc_fill_pasid_q"},
    {"u_walk.u_pwc", "pwc_fill_parent_q"},
    {"u_walk.u_pwc", "pwc_fill_node_q"},
    {"u_walk.u_pwc", "pwc_fill_perm_q"},
    {"u_walk.u_pwc", "pwc_fill_contig_q"},
    {"u_walk.u_pwc", "pwc_place_valid_q"},
    {"u_walk.u_pwc", "pwc_place_level_q"},
    {"u_walk.u_pwc", "pwc_place_vpn_q"},
    {"u_walk.u_pwc", "pwc_place_pasid_q"},
    {"u_walk.u_pwc", "pwc_place_parent_q"},
    {"u_walk.u_pwc", "pwc_place_node_q"},
    {"u_walk.u_pwc", "pwc_place_perm_q"},
    {"u_walk.u_pwc", "pwc_place_contig_q"},
    {"u_walk.u_pwc", "pwc_place_entry_q"},
    {"u_walk.u_walkers.u_reader", "ask_for_q"},
    {"u_walk.u_walkers.u_reader", "ask_walker_q"},
    {"u_walk.u_walkers.u_reader", "ask_slot_q"},
    {"u_walk.u_walkers.u_reader", "read_for_q"},
    {"u_walk.u_walkers.u_reader", "read_walker_q"},
    {"u_walk.u_walkers.u_reader", "read_slot_q"},
    {"u_walk.u_walkers.u_reader", "read_id_q"},
    {"u_walk.u_walkers.u_reader", "read_src_q"},
    {"u_walk.u_walkers.u_reader", "read_pasid_q"},
    {"u_walk.u_walkers.u_reader", "read_vpn_q"},
    {"u_walk.u_walkers.u_reader", "read_access_q"},
    {"u_walk.u_walkers.u_reader", "read_done_q"},
    {"u_walk.u_walkers.u_reader", "read_cl_q"},
    {"u_walk.u_walkers.u_reader", "read_pl_q"},
    {"u_walk.u_walkers.u_reader", "read_pa_q"},
    {"u_walk.u_walkers.u_reader", "read_perm_q"},
    {"u_walk.u_walkers.u_reader", "read_contig_q"},
    {"u_walk.u_walkers.u_reader", "read_block_q"},
    {"u_walk.u_walkers.u_reader", "read_near_q"},
    {"u_walk.u_walkers", "state_q"},
    {"u_walk.u_walkers", "started_q"},
    {"u_walk.u_walkers", "stale_q"},
    {"u_walk.u_walkers", "vpn_q"},
    {"u_walk.u_walkers", "pasid_q"},
    {"u_walk.u_walkers", "access_q"},
    {"u_walk.u_walkers", "id_q"},
    {"u_walk.u_walkers", "src_q"},
    {"u_walk.u_walkers", "slot_q"},
    {"u_walk.u_walkers", "level_q"},
    {"u_walk.u_walkers", "node_q"},
    {"u_walk.u_walkers", "perm_q"},
    {"u_walk.u_walkers", "kind_q"},
    {"u_walk.u_walkers", "flevel_q"},
    {"u_walk.u_walkers", "size_q"},
    {"u_walk.u_walkers", "contig_q"},
    {"u_walk.u_walkers.u_memory", "req_valid_q"},
    {"u_walk.u_walkers.u_memory", "req_tag_q"},
    {"u_walk.u_walkers.u_memory", "req_line_q"},
    {"u_walk.u_walkers.u_memory", "mem_pointer_q"},
    {"u_walk.u_walkers.u_memory", "line_valid_q"},
    {"u_walk.u_walkers.u_memory", "line_tag_q"},
    {"u_walk.u_walkers.u_memory", "line_error_q"},
    {"u_walk.u_walkers.u_memory", "line_data_q"},
    {"u_responses", "hit_id_q"},
    {"u_responses", "hit_kind_q"},
    {"u_responses", "hit_level_q"},
    {"u_responses", "hit_pfn_q"},
    {"u_responses", "hit_size_q"},
    {"u_responses", "hit_perm_q"},
    {"u_responses", "hit_epoch_q"},
    {"u_responses", "walk_id_q"},
    {"u_responses", "walk_kind_q"},
    {"u_responses", "walk_level_q"},
    {"u_responses", "walk_pfn_q"},
    {"u_responses", "walk_size_q"},
    {"u_responses", "walk_perm_q"},
    {"u_responses", "walk_epoch_q"},
    {"u_walk.u_answers", "answer_valid_q"},
    {"u_walk.u_answers", "answer_id_q"},
    {"u_walk.u_answers", "answer_src_q"},
    {"u_walk.u_answers", "answer_pasid_q"},
    {"u_walk.u_answers", "answer_vpn_q"},
    {"u_walk.u_answers", "answer_access_q"},
    {"u_walk.u_answers", "answer_kind_q"},
    {"u_walk.u_answers", "answer_level_q"},
    {"u_walk.u_answers", "answer_base_q"},
    {"u_walk.u_answers", "answer_size_q"},
    {"u_walk.u_answers", "answer_perm_q"},
    {"u_walk.u_answers", "answer_contig_q"},
    {"u_walk.u_answers", "answer_stale_q"},
    {"u_walk.u_answers", "answer_epoch_q"},
    {"u_walk.u_answers", "answer_entry_q"},
    {"u_walk.u_answers", "answer_block_q"},
    {"u_walk.u_answers", "fill_valid_q"},
    {"u_walk.u_answers", "fill_class_q"},
    {"u_walk.u_answers", "fill_pasid_q"},
    {"u_walk.u_answers", "fill_vpn_q"},
    {"u_walk.u_answers", "fill_length_q"},
    {"u_walk.u_answers", "fill_pfn_q"},
    {"u_walk.u_answers", "fill_perm_q"},
    {"u_walk.u_answers", "fill_size_q"},
    {"u_responses", "hit_head_q"},
    {"u_responses", "hit_count_q"},
    {"u_responses", "walk_head_q"},
    {"u_responses", "walk_count_q"},
    {"u_responses", "walk_used_q"},
    {"u_responses", "last_q"},
    {"u_responses", "out_valid_q"},
    {"u_responses", "out_id_q"},
    {"u_responses", "out_kind_q"},
    {"u_responses", "out_level_q"},
    {"u_responses", "out_pfn_q"},
    {"u_responses", "out_size_q"},
    {"u_responses", "out_perm_q"},
    {"u_responses", "out_epoch_q"},
    {"u_invalidation", "state_q"},
    {"u_invalidation", "type_q"},
    {"u_invalidation", "pasid_q"},
    {"u_invalidation", "first_q"},
    {"u_invalidation", "last_q"},
    {"u_invalidation", "sweep_set_q"},
    {"u_invalidation", "epoch_q"},
    {"u_control", "features_q"},
    {"u_control", "rdata_q"},
    {"u_control", "fault_info_q"},
    {"u_control", "fault_page_q"},
    {"u_control", "root_valid_q"},
    {"u_control", "root_frame_q"},
    {"u_counters", "count_q"},
    {"u_counters", "increment_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "state_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "pasid_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "vsn_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "bits_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "node_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "perm_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "pte_perm_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "map_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "step_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "asked_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "got_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "queue_head_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "queue_count_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "head_ok_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "head_pfn_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "head_perm_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_live_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_pasid_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_vsn_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_bits_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_node_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_pfn_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_perm_q"},
    {"u_walk.u_joiner.gen_contiguity.u_contiguity", "job_pte_perm_q"},
    {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc", "valid_q"},
    {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc.u_pasid.*", "mem_q"},
    {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc.u_tag.*", "mem_q"},
    {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc.u_map.*", "mem_q"},
    {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc", "rank_q"},
};
const size_t lw_rtl_known_count = sizeof lw_rtl_known / sizeof lw_rtl_known[0];

lw_rtl_array lw_rtl_array_of(const lw_params *p, lw_field f) {
    const lw_rtl_array none = {NULL, 0};
    switch (f) {
    case LW_F_PWC_TAG:
        if ((p->pwc_org == 1u) != 0) {
            return (lw_rtl_array){"u_tag", pwc_sets(p)};
        }
        return none;
    case LW_F_PWC_NODE:
        if ((p->pwc_org == 1u) != 0) {
            return (lw_rtl_array){"u_node", pwc_sets(p)};
        }
        return none;
    case LW_F_PWC_PERM:
        if ((p->pwc_org == 1u) != 0) {
            return (lw_rtl_array){"u_perm", pwc_sets(p)};
        }
        return none;
    case LW_F_PWC_CONTIG:
        if ((p->pwc_org == 1u) != 0 && p->subregions != 0) {
            return (lw_rtl_array){"gen_contig.u_contig", pwc_sets(p)};
        }
        return none;
    case LW_F_MSC_PASID:
        if (has_msc(p) != 0) {
            return (lw_rtl_array){"u_pasid", msc_sets(p)};
        }
        return none;
    case LW_F_MSC_TAG:
        if (has_msc(p) != 0) {
            return (lw_rtl_array){"u_tag", msc_sets(p)};
        }
        return none;
    case LW_F_MSC_MAP:
        if (has_msc(p) != 0) {
            return (lw_rtl_array){"u_map", msc_sets(p)};
        }
        return none;
    default:
        return none;
    }
}
