/* A DRAM under a plan of requests: which commands it gives in which clocks, and when each read has
 * finished. */
#ifndef LW_TESTS_UNIT_SIM_MEMORY_DRAM_RUN_H
#define LW_TESTS_UNIT_SIM_MEMORY_DRAM_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/memory/dram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAM_READS 256
#define DRAM_COMMANDS 1024

typedef struct dram_run {
    lw_dram_timing t;
    lw_dram *dram;
    lw_memory *memory;
    uint64_t now;
    uint64_t finished[DRAM_READS]; /* by id; 0: not yet */
    lw_dram_command commands[DRAM_COMMANDS];
    size_t count;
} dram_run;

static inline lw_dram_timing dram_timing(const char *name) {
    const char *folder = getenv("LW_SYSTEMS");
    char path[512];
    lw_dram_timing t;
    lw_error err = {0};
    (void)snprintf(path, sizeof path, "%s/dram/%s.ini", folder == NULL ? "systems" : folder, name);
    if (!lw_dram_timing_load(&t, path, &err)) {
        fail_msg("%s", err.text);
    }
    return t;
}

/* What docs/machine.md says. */
static inline const char *dram_document(void) {
    static char text[1 << 17];
    FILE *file = fopen("docs/machine.md", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* One channel of DDR3-1600 11-11-11, one rank of 8 banks in one group, no refresh:
 * tRCD tRP tCL 11, tCWL 8, tRAS 28, tRC 39, tCCD 4, tRRD 5, tFAW 24, tWTR 6, tRTP 6, tWR 12, tRTRS
 * 2, a burst 4 clocks. */
static inline lw_dram_timing dram_plain(void) {
    lw_dram_timing t = dram_timing("ddr3_1600");
    t.channels = t.ranks = 1;
    t.banks = 8;
    t.refi = 0;
    t.channel_hash = 0;
    return t;
}

static inline void dram_note(void *ctx, const lw_dram_command *command) {
    dram_run *r = ctx;
    assert_true(r->count < DRAM_COMMANDS);
    r->commands[r->count++] = *command;
}

static inline void dram_open(dram_run *r, const lw_dram_timing *t, uint32_t unit_mhz) {
    lw_error err = {0};
    memset(r, 0, sizeof *r);
    r->t = *t;
    r->dram = lw_dram_new(t, unit_mhz, &err);
    assert_non_null(r->dram);
    r->memory = lw_dram_memory(r->dram);
    lw_dram_watch(r->dram, dram_note, r);
}

static inline void dram_close(dram_run *r) {
    r->memory->destroy(r->memory->state);
}

/* The line there, by the order rank:group:bank:column of one channel; `bank` is that of its rank.
 */
static inline uint64_t dram_line(const dram_run *r, uint32_t rank, uint32_t bank, uint64_t row,
                                 uint32_t column) {
    const uint32_t columns = r->t.row_bytes / 64;
    return ((row * r->t.ranks + rank) * r->t.banks + bank) * columns + column;
}

static inline void dram_take(dram_run *r, lw_memory_user user) {
    uint32_t id = 0;
    while (r->memory->finished(r->memory->state, r->now, user, &id)) {
        assert_int_equal(r->finished[id], 0);
        r->finished[id] = r->now;
    }
}

/* To this cycle, over those between events. */
static inline void dram_go(dram_run *r, uint64_t cycle) {
    dram_take(r, LW_MEMORY_WALKS);
    dram_take(r, LW_MEMORY_DATA);
    while (r->now < cycle) {
        const uint64_t event = r->memory->next_event(r->memory->state, r->now);
        assert_true(event > r->now);
        r->now = event < cycle ? event : cycle;
        dram_take(r, LW_MEMORY_WALKS);
        dram_take(r, LW_MEMORY_DATA);
    }
}

static inline bool dram_try(dram_run *r, uint64_t cycle, uint64_t line, bool write, uint32_t id) {
    const lw_memory_request request = {line, LW_MEMORY_DATA, write, id};
    dram_go(r, cycle);
    if (!r->memory->ready(r->memory->state, cycle, &request)) {
        return false;
    }
    r->memory->ask(r->memory->state, cycle, &request);
    return true;
}

static inline void dram_read(dram_run *r, uint64_t cycle, uint64_t line, uint32_t id) {
    assert_true(dram_try(r, cycle, line, false, id));
}

static inline void dram_write(dram_run *r, uint64_t cycle, uint64_t line) {
    assert_true(dram_try(r, cycle, line, true, 0));
}

typedef struct dram_expected {
    uint64_t clock;
    lw_dram_command_kind kind;
    uint32_t rank, bank;
} dram_expected;

static inline void dram_compare(dram_run *r, const dram_expected *expected, size_t count) {
    static const char *const names[] = {"ACT", "RD", "WR", "PRE", "PRE_ALL", "REF"};
    for (size_t i = 0; i < count; i++) {
        const dram_expected *e = &expected[i];
        const lw_dram_command *c = &r->commands[i];
        if (i >= r->count || c->clock != e->clock || c->kind != e->kind || c->rank != e->rank ||
            c->bank != e->bank) {
            fail_msg("command %zu: want %s of rank %u, bank %u in clock %llu, not %s %u %u in %llu",
                     i, names[e->kind], e->rank, e->bank, (unsigned long long)e->clock,
                     i < r->count ? names[c->kind] : "none", c->rank, c->bank,
                     (unsigned long long)c->clock);
        }
    }
    assert_int_equal(r->count, count);
}

/* The commands until this cycle are exactly these. */
#define DRAM_COMMANDS_ARE(r, cycle, ...)                                                           \
    do {                                                                                           \
        const dram_expected expected_[] = {__VA_ARGS__};                                           \
        dram_go(r, cycle);                                                                         \
        dram_compare(r, expected_, sizeof expected_ / sizeof expected_[0]);                        \
    } while (0)

#endif
