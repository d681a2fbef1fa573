/* An OS agent at work on address spaces of a small and a large array each, beside an oracle that is
 * told of what changes, for the tests of what the agent does. */
#ifndef LW_TESTS_UNIT_SIM_OS_AGENT_BENCH_H
#define LW_TESTS_UNIT_SIM_OS_AGENT_BENCH_H

#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"

enum { SMALL = 40, PAGES = SMALL + 1024 };

static const lw_array arrays[] = {
    {"small", UINT64_C(0x10000000), SMALL << 12},
    {"large", UINT64_C(0x20000000000), UINT64_C(2) << 21},
};

typedef struct agent_bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
} agent_bench;

static inline uint64_t page_at(size_t n) {
    return n < SMALL ? (arrays[0].base >> 12) + n : (arrays[1].base >> 12) + n - SMALL;
}

/* The address spaces of the bench's system. */
static inline void open_spaces(agent_bench *b, uint64_t seed, uint32_t processes) {
    lw_error err = {0};
    b->spaces = lw_address_spaces_new(&b->system, 1 << 14, seed, &err);
    for (uint32_t p = 0; p < processes; p++) {
        assert_true(lw_address_spaces_add(b->spaces, arrays, COUNT(arrays), &err));
    }
}

/* What works on them; `watch` sees each word of memory that changes, from then on. */
static inline void open_agent(agent_bench *b, uint64_t seed, lw_phys_mem_changes_fn *watch,
                              void *ctx) {
    lw_error err = {0};
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = b->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = b->spaces};
    b->oracle = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < lw_address_spaces_processes(b->spaces); p++) {
        const uint64_t root = lw_page_table_root(lw_address_spaces_table(b->spaces, p));
        assert_true(lw_oracle_set_root(b->oracle, p, true, root, &err));
    }
    b->agent = lw_os_agent_new(&b->system, b->spaces, b->oracle, seed, &err);
    assert_non_null(b->agent);
    lw_phys_mem_watch(lw_address_spaces_memory(b->spaces), watch, ctx);
}

static inline void close_bench(agent_bench *b) {
    lw_phys_mem_watch(lw_address_spaces_memory(b->spaces), NULL, NULL);
    lw_os_agent_free(b->agent);
    lw_oracle_free(b->oracle);
    lw_address_spaces_free(b->spaces);
}

#endif
