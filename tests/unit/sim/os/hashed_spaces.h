/* Address spaces of a system with hashed tables, and the oracle's walk of theirs. */
#ifndef LW_TESTS_UNIT_SIM_OS_HASHED_SPACES_H
#define LW_TESTS_UNIT_SIM_OS_HASHED_SPACES_H

#include "tests/unit/sim/os/space_walk.h"

#include "sim/tables/hashed_query.h"

static inline lw_system hashed_system(const char *mapping, uint32_t page_size, uint32_t levels,
                                      uint32_t pa_width) {
    lw_system system = make_system(mapping, page_size, levels, pa_width);
    system.hw.pwc_org = 2;
    system.hashed_tables = 1;
    system.hashed_factor = 120;
    system.hashed_load = 40;
    system.local_share = LW_ALL_LOCAL;
    return system;
}

static inline lw_hashed_walk_answer hashed_walk_of(const lw_system *system, lw_address_spaces *s,
                                                   uint32_t process, uint64_t page) {
    const lw_flat_image image = {.read64 = read_memory, .ctx = s};
    lw_hashed_walk_query q = lw_hashed_query(lw_address_spaces_hashed(s), process);
    q.page.pa_width = system->hw.pa_width;
    q.page.page_number = page;
    return lw_hashed_walk(&image, &q);
}

/* Whether both tables say the same of the page, but for the level of a fault and the page's size.
 */
static inline bool tables_agree(const lw_system *system, lw_address_spaces *s, uint32_t process,
                                uint64_t page) {
    const lw_oracle_answer plain = walk(system, s, process, page, 0);
    const lw_oracle_answer hashed = hashed_walk_of(system, s, process, page).answer;
    return plain.kind == hashed.kind && plain.pfn == hashed.pfn && plain.w == hashed.w &&
           plain.x == hashed.x;
}

#endif
