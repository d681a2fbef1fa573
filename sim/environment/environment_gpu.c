/* The GPU in front of the unit, as the system has it: how it translates without the unit where the
 * system is ideal, what it has for data, and who judges the hits of its TLBs. */
#include "sim/environment/environment_state.h"

/* What a TLB of the GPU has kept; the sentence waits for the end of the cycle. */
static void judge_hit(void *ctx, const lw_front_hit *hit) {
    lw_environment *env = ctx;
    const lw_oracle_answer kept = {.kind = LW_ORACLE_OK,
                                   .pfn = hit->pfn,
                                   .size = hit->size,
                                   .w = (hit->perm & 1) != 0,
                                   .x = (hit->perm & 2) != 0};
    const char *where = hit->tlb == LW_FRONT_L1 ? "L1 TLB of a CU" : "L2 TLB";
    if (env->wrong_hit.text[0] == '\0') {
        const int before = lw_environment_asks(env);
        (void)lw_oracle_hit(env->oracle, where, hit->pasid, hit->page, hit->access, &kept,
                            &env->wrong_hit);
        *env->at = before;
    }
}

/* lw_gpu_frames.of: what the page table says now. */
static bool frame_of(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    lw_environment *env = ctx;
    const lw_page_table *table = lw_address_spaces_table(env->spaces, pasid);
    const uint64_t vpn = page & ((UINT64_C(1) << 9 * lw_page_table_levels(table)) - 1);
    lw_page_table_leaf leaf;
    lw_error nobody = {0};
    if (!lw_page_table_find(table, vpn, &leaf, &nobody)) {
        return false;
    }
    const uint64_t within = (UINT64_C(1) << 9 * (leaf.level - 1)) - 1;
    *frame = ((leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT & ~within) | (vpn & within);
    return true;
}

static lw_data_path_params data_path_of(const lw_system *s) {
    return (lw_data_path_params){
        .l1 = {.kib = s->l1d_kib,
               .ways = s->l1d_ways,
               .line = s->data_line,
               .latency = s->l1d_latency,
               .lookups = s->l1d_lookups,
               .mshrs = s->l1d_mshrs,
               .hash = s->l1d_hash != 0},
        .l2 = {.kib = s->l2d_kib,
               .ways = s->l2d_ways,
               .line = s->data_line,
               .latency = s->l2d_latency,
               .lookups = s->l2d_lookups,
               .mshrs = s->l2d_mshrs,
               .store_fetch = s->l2d_store_fetch != 0,
               .hash = s->l2d_hash != 0,
               .write_back = true},
        .crossbar = s->crossbar_latency,
        .memory_latency = s->data_latency,
        .walks = s->l2d_walks != 0 ? s->memory_capacity : 0,
    };
}

static lw_gpu_params gpu_of(const lw_system *s) {
    return (lw_gpu_params){
        .cus = s->cus,
        .simds = s->simds,
        .waves = s->waves,
        .l1_entries = s->l1_entries,
        .l1_probes = s->l1_probes,
        .l1_latency = s->l1_latency,
        .l1_mshrs = s->l1_mshrs,
        .l2_entries = s->l2_entries,
        .l2_ways = s->l2_ways,
        .l2_latency = s->l2_latency,
        .l2_lookups = s->l2_lookups,
        .l2_mshrs = s->l2_mshrs,
        .schedule = s->schedule,
        .wave_loads = s->wave_loads,
        .issue_period = s->issue_period,
        .ideal = s->ideal_translation != 0,
        .has_data = s->data != 0,
        .data = data_path_of(s),
    };
}

bool lw_environment_check_gpu(const lw_system *system, lw_error *err) {
    const lw_gpu_params params = gpu_of(system);
    return lw_gpu_params_check(&params, err);
}

bool lw_environment_gpu(lw_environment *env, const lw_run *run, lw_gpu_params *params,
                        lw_error *err) {
    const lw_system *s = env->system;
    env->judge = (lw_front_judge){judge_hit, env};
    *params = gpu_of(s);
    params->frames = (lw_gpu_frames){frame_of, env};
    params->data.memory = env->memory; /* data shares it with the page walks */
    params->judge = &env->judge;
    params->max_requests = run->max_requests;
    return s->l2_mshrs <= 1u << s->hw.id_w ||
           lw_fail_key(err, "l2_mshrs", " is %u; allowed: at most 2^id_w = %u", s->l2_mshrs,
                       1u << s->hw.id_w);
}
