/* What an environment tells of its run: figures, and who asked. */
#include "sim/environment/environment_state.h"

#include <string.h>

void lw_environment_statistics(const lw_environment *env, lw_front_statistics *statistics) {
    memset(statistics, 0, sizeof *statistics);
    if (env->statistics != NULL) {
        env->statistics(&env->front, statistics);
    }
}

const char *lw_environment_kernel(const lw_environment *env, uint32_t src) {
    return env->kernel != NULL ? env->kernel(&env->front, src) : NULL;
}

uint64_t lw_environment_requests(const lw_environment *env) {
    return env->counts.requests;
}

void lw_environment_in_flight(const lw_environment *env, uint64_t *sum, uint64_t *most) {
    *sum = env->counts.in_flight_sum;
    *most = env->counts.in_flight_max;
}

uint64_t lw_environment_neighbours(const lw_environment *env) {
    return env->neighbours;
}

lw_upper_counts lw_environment_upper_neighbours(const lw_environment *env) {
    return env->upper != NULL ? lw_upper_neighbours_counts(env->upper)
                              : (lw_upper_counts){.accesses = 0};
}

uint64_t lw_environment_requests_total(const lw_environment *env) {
    return env->total;
}

uint64_t lw_environment_checked(const lw_environment *env) {
    return lw_oracle_checked(env->oracle);
}

uint64_t lw_environment_ordered_walks(const lw_environment *env) {
    return env->order != NULL ? lw_walk_order_reads(env->order) : 0;
}

uint64_t lw_environment_longest_wait(const lw_environment *env) {
    return env->longest_wait;
}

void lw_environment_banks(const lw_environment *env, lw_banks *banks) {
    if (env->dram != NULL) {
        lw_dram_banks(env->dram, banks);
        banks->has_pte_cache = env->pte_cache != NULL;
        if (banks->has_pte_cache) {
            lw_pte_cache_counts(env->pte_cache, &banks->pte_hits, &banks->pte_misses);
        }
    } else {
        lw_line_port_banks(env->port, banks);
    }
}

lw_waits lw_environment_waits(const lw_environment *env) {
    lw_waits waits = env->waits.worst;
    waits.memory = lw_line_port_longest(env->port);
    return waits;
}

lw_provocations lw_environment_provocations(const lw_environment *env) {
    return (lw_provocations){.os = lw_os_agent_provoked(env->agent),
                             .shared_tables = lw_address_spaces_shared(env->spaces),
                             .orphans = lw_old_owners_orphans(env->owners),
                             .orphans_met = lw_old_owners_met(env->owners),
                             .slow_sinks = env->slow.sink.phases,
                             .slow_memories = env->slow.memory.phases,
                             .late_lines = lw_line_port_late(env->port),
                             .outdated_lines = lw_line_port_outdated(env->port)};
}

lw_hashed_figures lw_environment_hashed(const lw_environment *env) {
    const lw_hashed_table *t = lw_address_spaces_hashed(env->spaces);
    return t != NULL ? lw_hashed_table_figures(t) : (lw_hashed_figures){0};
}

void lw_environment_lacks(const lw_environment *env, uint64_t lacks[LW_LACKS]) {
    memcpy(lacks, env->lacks, sizeof env->lacks);
}

uint64_t lw_environment_size(const lw_environment *env) {
    return env->size;
}
