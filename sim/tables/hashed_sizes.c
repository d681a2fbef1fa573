/* How large the tables are (R20.25), and when they are full (R20.17). */
#include "sim/tables/hashed_table.h"
#include "sim/tables/step_table.h"

#include "sim/tables/hashed_layout.h"

static uint32_t at_least_log(uint64_t n) {
    uint32_t log = 0;
    while (n > UINT64_C(1) << log) {
        log++;
    }
    return log;
}

static uint32_t within(uint32_t value, uint32_t least, uint32_t most) {
    return value < least ? least : value > most ? most : value;
}

lw_hashed_config lw_hashed_config_for(const lw_hashed_need *need) {
    const uint64_t local = (need->pages + need->slot_pages - 1) / need->slot_pages;
    /* as many slots as give the load factor; of the powers of two beside it the nearer by ratio */
    uint32_t log = at_least_log((local * 100 + need->load - 1) / need->load);
    const double share = (double)(local * 100) / need->load / (double)(UINT64_C(1) << log);
    log -= log > 0 && share * share * 2 < 1;
    log = within(log, lw_table_log_min(need->slot_pages), lw_table_log_max(need->slot_pages));
    const uint64_t most = UINT64_C(1) << log;
    const uint64_t entries = local * need->factor / 100;
    /* a hundred places for each group that could be in use */
    const uint64_t groups = (entries + LW_GROUP_REGIONS - 1) / LW_GROUP_REGIONS;
    const uint64_t buckets = groups * 100 / lw_step_table_ways(need->contiguity);
    return (lw_hashed_config){.levels = need->levels,
                              .slot_pages = need->slot_pages,
                              .table_log = log,
                              .step_log =
                                  within(at_least_log(buckets), LW_STEP_LOG_MIN, LW_STEP_LOG_MAX),
                              .stride = 1,
                              .multiplier = LW_HASH_MULTIPLIER,
                              .max_local = (uint32_t)(local < UINT32_MAX ? local : UINT32_MAX),
                              .max_entries = (uint32_t)(entries < 1      ? 1
                                                        : entries < most ? entries
                                                                         : most),
                              .contiguity = need->contiguity};
}
