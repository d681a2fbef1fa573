/* Address spaces and the flat walk over them, for the tests of what the OS does. */
#ifndef LW_TESTS_UNIT_SIM_OS_SPACE_WALK_H
#define LW_TESTS_UNIT_SIM_OS_SPACE_WALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/oracle.h"
#include "sim/os/address_space.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* A system with all that address spaces and the agent look at. */
static inline lw_system make_system(const char *mapping, uint32_t page_size, uint32_t levels,
                                    uint32_t pa_width) {
    lw_system system = {.name = "test", .page_size = page_size};
    system.hw.levels = levels;
    system.hw.pa_width = pa_width;
    system.hw.pasids = 4;
    system.hw.slot_pages = 512;
    memcpy(system.mapping, mapping, strlen(mapping) + 1);
    return system;
}

static inline uint64_t read_memory(void *ctx, uint64_t pa) {
    return lw_phys_mem_read64(lw_address_spaces_memory(ctx), pa);
}

static inline lw_oracle_answer walk(const lw_system *system, lw_address_spaces *s, uint32_t process,
                                    uint64_t page, uint32_t access) {
    const lw_flat_image image = {.read64 = read_memory, .ctx = s};
    const lw_flat_walk_query query = {
        .levels = system->hw.levels,
        .pa_width = system->hw.pa_width,
        .has_root = true,
        .root = lw_page_table_root(lw_address_spaces_table(s, process)),
        .page_number = page,
        .access = access,
        .subregions = system->hw.subregions != 0,
        .head_first = system->hw.head_first != 0,
        .size_hints = system->hw.pages_64k != 0,
    };
    return lw_flat_walk(&image, &query);
}

#endif
