/* The DRAM beside Ramulator, a simulator of its own (Kim, Yang and Mutlu, IEEE CAL 2015; its
 * revision 214f635): the same requests in the memory of its configs/DDR3-config.cfg. They are of
 * the kinds by which it was compared with other simulators (its test_ddr3.py), and some more. What
 * Ramulator says of one, its `ramulator.dram_cycles`, is had by
 *
 *     build/unit/sim/memory/test_dram_ramulator "random" > random.trace
 *     ramulator configs/DDR3-config.cfg --mode=dram random.trace     (ranks = 2 where there are
 * two)
 */
#include "tests/unit/sim/memory/dram_run.h"

enum { REQUESTS = 100000, LINES = 1 << 25 /* of 2 GiB */ };

/* Numbers anybody can draw: Knuth's linear congruential generator. */
static uint64_t draw(uint64_t *x, uint64_t below) {
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*x >> 33) * below >> 31;
}

typedef struct trace {
    const char *name;    /* as docs/machine.md has it */
    uint32_t ranks, run; /* lines in a row, from any line on; 0: all */
    uint32_t reads;      /* of 100; where all lines are in a row the writes are the last */
    uint64_t ramulator;  /* clocks */
    uint32_t percent;    /* that ours may be off, where half are writes by when these go */
} trace;

/* The documents' table has these too. */
static const trace traces[] = {
    {"all in a row", 1, 0, 90, 410404, 1},
    {"all in a row, 2 ranks", 2, 0, 90, 411310, 1},
    {"runs of 8", 1, 8, 90, 453573, 3},
    {"runs of 8, 2 ranks", 2, 8, 90, 434506, 3},
    {"runs of 8, half writes", 1, 8, 50, 505333, 7},
    {"random", 1, 1, 90, 640081, 3},
    {"random, 2 ranks", 2, 1, 90, 478646, 3},
    {"random, reads alone", 1, 1, 100, 621152, 3},
    {"random, half writes", 1, 1, 50, 717314, 5},
};

/* The i-th, behind one of that line. */
static lw_memory_request request_of(const trace *t, uint32_t i, uint64_t *x, uint64_t line) {
    lw_memory_request request = {line + 1, LW_MEMORY_DATA, false, i};
    if (t->run == 0) {
        request.line = i;
        request.write = i >= (uint64_t)REQUESTS * t->reads / 100;
    } else {
        if (i % t->run == 0) {
            request.line = draw(x, LINES);
        }
        request.write = draw(x, 100) >= t->reads;
    }
    return request;
}

/* Its DDR3_1600K and DDR3_2Gb_x8, one channel, and its controller: 32 places each, writes go from
 * above 0.8 of them until below 0.2. */
static lw_dram_timing timing_of(const trace *t) {
    lw_dram_timing d = dram_plain();
    d.ranks = t->ranks;
    d.refi = 6240;
    d.rfc = 128;
    d.read_queue = d.write_queue = 32;
    d.write_high = 26;
    d.write_low = 6;
    d.starvation = UINT32_MAX;
    return d;
}

typedef struct result {
    uint64_t read, written; /* clocks until the last data, and after the last WR */
} result;

static void note_writes(void *ctx, const lw_dram_command *c) {
    result *r = ctx;
    r->written = c->kind == LW_DRAM_WR ? c->clock + 1 : r->written;
}

/* Clocks until the last read's data is there and the last WR is given, with one request a clock
 * where there is room. */
static uint64_t clocks_of(const trace *t) {
    const lw_dram_timing d = timing_of(t);
    lw_error err = {0};
    lw_dram *dram = lw_dram_new(&d, d.clock_mhz, &err);
    assert_non_null(dram);
    lw_memory *m = lw_dram_memory(dram);
    result r = {0, 0};
    lw_dram_watch(dram, note_writes, &r);
    uint64_t x = 0;
    uint32_t asked = 0;
    uint64_t now = 0;
    lw_memory_request request = request_of(t, 0, &x, 0);
    while (now != UINT64_MAX) {
        uint32_t id = 0;
        while (m->finished(m->state, now, LW_MEMORY_DATA, &id)) {
            r.read = now;
        }
        const bool asks = asked < REQUESTS && m->ready(m->state, now, &request);
        if (asks) {
            m->ask(m->state, now, &request);
            request = request_of(t, ++asked, &x, request.line);
        }
        now = asks ? now + 1 : m->next_event(m->state, now);
    }
    m->destroy(m->state);
    return r.read > r.written ? r.read : r.written;
}

static void is_near_to_ramulator(void **state) {
    (void)state;
    const char *text = dram_document();
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        const trace *t = &traces[i];
        const uint64_t ours = clocks_of(t);
        const uint64_t apart = ours > t->ramulator ? ours - t->ramulator : t->ramulator - ours;
        char row[128];
        if (apart * 100 > t->ramulator * t->percent) {
            fail_msg("%s: %llu clocks, and %llu of Ramulator", t->name, (unsigned long long)ours,
                     (unsigned long long)t->ramulator);
        }
        (void)snprintf(row, sizeof row, "\n| %s | %llu | %llu | %.3f |\n", t->name,
                       (unsigned long long)ours, (unsigned long long)t->ramulator,
                       (double)ours / (double)t->ramulator);
        if (strstr(text, row) == NULL) {
            fail_msg("docs/machine.md does not say \"%.*s\"", (int)strlen(row) - 2, row + 1);
        }
    }
}

static int write_trace(const char *name) {
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        uint64_t x = 0;
        uint64_t line = 0;
        for (uint32_t n = 0; n < REQUESTS && strcmp(name, traces[i].name) == 0; n++) {
            const lw_memory_request r = request_of(&traces[i], n, &x, line);
            printf("0x%llx %c\n", (unsigned long long)r.line << 6, r.write ? 'W' : 'R');
            line = r.line;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_near_to_ramulator)};
    return argc > 1 ? write_trace(argv[1])
                    : cmocka_run_group_tests_name("dram_ramulator", tests, NULL, NULL);
}
