/* Who waits for whom (chapter 0, Liveness): what holds up nobody else, and for how long, seen at
 * the ports. */
#include "tests/unit/c_model/ports_bench.h"

#include <inttypes.h>

/* R5.22, R10.12: with a slow sink and a fast memory nobody is passed over for ever: the longest
 * wait of an endless stream does not grow with its length. */
static void test_nobody_starves(void **state) {
    (void)state;
    enum { REQUESTS = 30000, LONGEST = 2 * (256 + 64) };
    lw_params hw = bench_nha;
    hw.coalesce = 0;
    bench b;
    bench_init(&b, &hw, 1);
    b.latency = 1;
    static uint64_t since[BENCH_IDS];
    for (uint64_t page = 0; page < 4096; page++) {
        bench_map(&b, PASID, PAGE + page, page + 1);
    }
    bench_enable(&b, 0, false, false);
    uint64_t answered = 0, longest = 0;
    for (uint64_t sent = 0; b.answered < REQUESTS;) {
        if (!b.in.req_valid && sent < REQUESTS) {
            bench_offer(&b, &(bench_page){PASID, 0, PAGE + sent++ * 7 % 4096});
        }
        b.in.rsp_ready = b.cycle % 12 == 0;
        const bool taken = b.in.req_valid;
        const uint32_t id = b.in.req_id;
        bench_step(&b);
        if (taken && !b.in.req_valid) {
            since[id] = b.answered;
        }
        if (b.answered != answered) { /* waits are counted in answers of others */
            answered = b.answered;
            longest = answered - since[b.last_id] > longest ? answered - since[b.last_id] : longest;
        }
    }
    assert_true(longest < LONGEST);
    bench_done(&b);
}

/* The walker whose leaf is asked for now never gets it; its number. */
static uint32_t lose_the_line(bench *b) {
    for (uint32_t t = 0; t < b->hw.walkers; t++) {
        if (b->flight[t].busy) {
            b->flight[t].due = UINT64_MAX;
            return t;
        }
    }
    fail_msg("nothing is asked for");
    return 0;
}

/* So many requests for pages of OTHER, each on a line of its own; how many are answered in the end.
 */
static uint64_t ask_others(bench *b, uint64_t count) {
    const uint64_t answered = b->answered;
    uint64_t offered = 0;
    for (uint32_t n = 0; n < 40 * (uint32_t)count * b->hw.levels; n++) {
        if (offered < count && !b->in.req_valid) {
            bench_offer(b, &(bench_page){OTHER, 0, PAGE + 8 * offered++});
        }
        bench_step(b);
    }
    return b->answered - answered;
}

static void assert_stuck(const bench *b, uint32_t walker) {
    enum { STATE_MEM = 6 };
    assert_int_equal(bench_peek(b, LW_F_PWST_STATE, walker), STATE_MEM);
}

/* R7.8: a line that never comes holds up its walker, and who must outlive it; with a neighbour that
 * waits for the line, also those misses for which the neighbour's slot would be next (R4.11). */
static void test_line_that_never_comes(void **state) {
    (void)state;
    enum { REQUESTS = 100 };
    for (uint32_t neighbours = 0; neighbours < 2; neighbours++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 16;
        bench b;
        bench_init(&b, &hw, 1);
        bench_map(&b, PASID, PAGE, 7);
        bench_map(&b, PASID, PAGE ^ 1, 8);
        for (uint64_t i = 0; i < REQUESTS; i++) {
            bench_map(&b, OTHER, PAGE + 8 * i, 100 + i);
        }
        bench_enable(&b, MODE_FULL, false, false);
        offer(&b, PASID, PAGE);
        while (b.accesses < hw.levels) {
            bench_step(&b);
        }
        const uint32_t walker = lose_the_line(&b);
        if (neighbours != 0) {
            offer(&b, PASID, PAGE ^ 1);
        }
        assert_int_equal(ask_others(&b, REQUESTS),
                         neighbours != 0 ? hw.buffer_entries - 1 : REQUESTS);
        assert_stuck(&b, walker);
        if (neighbours == 0) {
            invalidate(&b, TYPE_PASID, OTHER);
            begin_invalidation(&b, TYPE_PASID, PASID);
            for (int n = 0; n < 5000; n++) {
                assert_false(b.out.inv_done);
                bench_step(&b);
            }
            assert_stuck(&b, walker);
        }
        b.flight[walker].due = 0;
        bench_drain(&b);
        for (int n = 0; neighbours == 0 && !b.out.inv_done; n++) {
            assert_true(n < 10000);
            bench_step(&b);
        }
        assert_empty(&b);
        bench_done(&b);
    }
}

/* What the walks of a buffer's requests find, all of which need one line. */
typedef struct storm {
    const char *what;
    uint32_t levels; /* that are there above the line */
    uint32_t errors; /* per cent */
    uint64_t pte;    /* all of the line's */
    uint8_t access, kind;
} storm;

/* R9.15, R0.7: walks that all end in a fault, or an error, of one line go on side by side, and none
 * waits for those of all before it. */
static void test_faults_wait_for_no_other(void **state) {
    (void)state;
    enum { READ = 0, WRITE = 1, PRESENT_USER = 5, REQUESTS = 200, WALKERS = 32, LATENCY = 100 };
    static const storm storms[] = {
        {"no table below the root", 0, 0, 0, READ, LW_NOT_PRESENT},
        {"no page", 3, 0, 0, READ, LW_NOT_PRESENT},
        {"no permission at the root", 0, 0, PRESENT_USER | 0x5000, WRITE, LW_PERMISSION},
        {"an error of the root's line", 0, 100, 0, READ, LW_MEMORY_ERROR},
    };
    for (size_t i = 0; i < sizeof storms / sizeof storms[0]; i++) {
        const storm *t = &storms[i];
        lw_params hw = bench_nha;
        hw.walkers = WALKERS;
        bench b;
        bench_init(&b, &hw, 1);
        b.any_kind = true;
        b.latency = LATENCY;
        b.errors = t->errors;
        const uint32_t shift = 9 * (hw.levels - t->levels - 1);
        for (uint64_t page = 0; page < 8; page++) { /* so that the levels above are there */
            bench_map(&b, PASID, page << shift, 7);
            *bench_pte(&b, PASID, page << shift, hw.levels - t->levels) = t->pte;
        }
        bench_enable(&b, MODE_FULL, false, false);
        const uint64_t begun = b.cycle;
        for (uint64_t n = 0; n < REQUESTS; n++) {
            bench_offer(&b, &(bench_page){PASID, t->access, n % 8 << shift});
            while (b.in.req_valid) {
                bench_step(&b);
            }
        }
        while (b.answered < REQUESTS) {
            bench_step(&b);
            assert_int_equal(b.last.kind, b.answered != 0 ? t->kind : b.last.kind);
        }
        /* A of R0.7; who comes first has walked down to the line, and those who wait for it begin
         * there with what they have learnt or at the root */
        const uint64_t access = (uint64_t)LATENCY + hw.pwc_latency + WALKERS + 12;
        const uint64_t allowed = (uint64_t)(REQUESTS / WALKERS + 2) * (hw.levels + 1) * access;
        if (b.cycle - begun > allowed || b.cycle - begun > REQUESTS * (uint64_t)LATENCY / 2) {
            fail_msg("%s: %" PRIu64 " cycles", t->what, b.cycle - begun);
        }
        bench_done(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_starves),
        cmocka_unit_test(test_line_that_never_comes),
        cmocka_unit_test(test_faults_wait_for_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
