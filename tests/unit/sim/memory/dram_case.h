/* A case of a DRAM: which requests come in which cycles, and all commands that follow from them. */
#ifndef LW_TESTS_UNIT_SIM_MEMORY_DRAM_CASE_H
#define LW_TESTS_UNIT_SIM_MEMORY_DRAM_CASE_H

#include "tests/unit/sim/memory/dram_run.h"

/* A time or setting other than dram_plain's; the clock, which is at 0, is none. */
#define CHANGE(field, to)                                                                          \
    { offsetof(lw_dram_timing, field), to }
/* Requests in a cycle, and commands in a clock. */
#define READ(cycle, rank, bank, row, column)                                                       \
    { cycle, ASKS_READ, rank, bank, row, column }
#define WRITE(cycle, rank, bank, row, column)                                                      \
    { cycle, ASKS_WRITE, rank, bank, row, column }
#define ACT(clock, rank, bank)                                                                     \
    { clock, LW_DRAM_ACT, rank, bank }
#define RD(clock, rank, bank)                                                                      \
    { clock, LW_DRAM_RD, rank, bank }
#define WR(clock, rank, bank)                                                                      \
    { clock, LW_DRAM_WR, rank, bank }
#define PRE(clock, rank, bank)                                                                     \
    { clock, LW_DRAM_PRE, rank, bank }
#define PRE_ALL(clock, rank, bank)                                                                 \
    { clock, LW_DRAM_PRE_ALL, rank, bank }
#define REF(clock, rank, bank)                                                                     \
    { clock, LW_DRAM_REF, rank, bank }

typedef struct dram_case {
    const char *name;
    struct {
        size_t at;
        uint32_t value;
    } changes[4];
    uint32_t unit_mhz; /* 0: the memory's */
    struct {
        uint64_t cycle;
        enum { ASKS_NOTHING, ASKS_READ, ASKS_WRITE } kind; /* nothing: there are no more */
        uint32_t rank, bank;
        uint64_t row;
        uint32_t column;
    } asks[13];
    dram_expected commands[14]; /* all until a cycle; in clock 0 the first alone */
    uint64_t finished[12];      /* the cycle of each ask; 0: not compared */
    uint64_t until;
} dram_case;

static inline void dram_run_case(void **state) {
    const dram_case *c = *state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    size_t count = 1;
    for (size_t i = 0; c->changes[i].at != 0; i++) {
        memcpy((char *)&t + c->changes[i].at, &c->changes[i].value, sizeof c->changes[i].value);
    }
    dram_open(&r, &t, c->unit_mhz != 0 ? c->unit_mhz : t.clock_mhz);
    for (uint32_t i = 0; c->asks[i].kind != ASKS_NOTHING; i++) {
        const uint64_t line =
            dram_line(&r, c->asks[i].rank, c->asks[i].bank, c->asks[i].row, c->asks[i].column);
        assert_true(dram_try(&r, c->asks[i].cycle, line, c->asks[i].kind == ASKS_WRITE, i));
    }
    dram_go(&r, c->until);
    while (c->commands[count].clock != 0) {
        count++;
    }
    dram_compare(&r, c->commands, count);
    for (uint32_t i = 0; c->asks[i].kind != ASKS_NOTHING; i++) {
        if (c->finished[i] != 0) {
            assert_int_equal(r.finished[i], c->finished[i]);
        }
    }
    dram_close(&r);
}

#endif
