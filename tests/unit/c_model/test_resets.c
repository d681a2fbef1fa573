/* A reset in each cycle of a miss: what is forgotten (R0.2), and what memory and the requester then
 * owe (chapter 0, "What the unit asks"). */
#include "tests/unit/c_model/iommu_bench.h"

enum { OLD = 0, NEW = 1, PAGE = 0x123, OLD_PFN = 0x4444, NEW_PFN = 0x5555, LIFE = 100 };

static void begin(bench *b) {
    bench_init(b, &bench_nha, 1);
    bench_map(b, OLD, PAGE, OLD_PFN);
    bench_map(b, NEW, PAGE, NEW_PFN);
    bench_enable(b, 2, true, false);
}

/* The requester and memory are reset with the unit. */
static void reset(bench *b) {
    lw_iommu_reset(b->u);
    for (uint32_t id = 0; id < b->ids; id++) {
        b->open[id].busy = false;
    }
    for (uint32_t t = 0; t < BENCH_TAGS; t++) {
        b->flight[t].busy = false;
    }
    b->in.req_valid = false;
    b->sent = b->answered = 0;
}

/* The request of before has no answer, its roots and features are gone, and one that is made again
 * is answered by the tables of then. */
static void nothing_is_left(void **state) {
    (void)state;
    for (uint32_t when = 1; when < LIFE; when++) {
        bench b;
        begin(&b);
        bench_offer(&b, &(bench_page){OLD, 0, PAGE});
        bench_steps(&b, when);
        reset(&b);
        assert_empty(&b);
        bench_steps(&b, LIFE);
        assert_true(b.answered == 0 && !b.out.mem_req_valid && !b.out.inv_done);
        bench_map(&b, OLD, PAGE, NEW_PFN);
        b.any_kind = true;
        bench_ask(&b, OLD, PAGE, 0);
        assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
        b.any_kind = false;
        bench_enable(&b, 2, true, false);
        bench_ask(&b, OLD, PAGE, 0);
        assert_int_equal(b.last.pfn, NEW_PFN);
        bench_done(&b);
    }
}

/* Why memory owes it: the last line that was asked for before the reset comes while the same walker
 * waits for one of another PASID, and is taken for that. */
static void a_late_line_is_taken(void **state) {
    (void)state;
    bench b;
    begin(&b);
    bench_offer(&b, &(bench_page){OLD, 0, PAGE});
    while (bench_peek(&b, LW_F_PWST_LEVEL, 0) != 1 || !b.flight[0].busy) {
        bench_step(&b);
    }
    uint64_t late[8];
    memcpy(late, bench_line(&b, b.flight[0].line), sizeof late);
    reset(&b);
    bench_enable(&b, 2, true, false);
    bench_offer(&b, &(bench_page){NEW, 0, PAGE});
    while (bench_peek(&b, LW_F_PWST_LEVEL, 0) != 1 || !b.flight[0].busy) {
        bench_step(&b);
    }
    b.flight[0].early = true;
    memcpy(b.flight[0].data, late, sizeof late);
    b.any_kind = true;
    bench_drain(&b);
    assert_int_equal(b.last.pfn, OLD_PFN);
    bench_done(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(a_late_line_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
