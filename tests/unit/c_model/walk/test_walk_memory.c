/* The walk memory port (chapter 8): who loads the request register, and that it stays until its
 * content is transferred. */
#include "tests/unit/c_model/mesc_frames.h"

/* R8.1, R8.2, R0.3: a head's request stays though the check asks for the next and a walker comes to
 * REQ; once it is transferred the walker is first, and then the check. */
static void test_walker_before_head(void **state) {
    (void)state;
    enum { REQ = 5, HELD = 5, WALKER = 0, FAR = 0x40000 };
    lw_params hw = mesc();
    hw.walkers = 2;
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    bench_map(b, OTHER_PASID, FAR, 7);
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, FRAME});
    step_until(b, LW_F_CHECK_STATE, 0, READ);
    const uint64_t node = (uint64_t)(bench_pte(b, PASID, FRAME, 1) - b->table) / 512;
    const uint64_t line[] = {node << 6 | 8, b->root[OTHER_PASID] * 64 + (FAR >> 27) / 8,
                             node << 6 | 16};
    const uint64_t tag[] = {hw.walkers + 1, WALKER, hw.walkers + 2};
    b->not_ready = 100;
    bench_offer(b, &(bench_page){OTHER_PASID, 0, FAR});
    bench_step(b);
    for (uint32_t waits = 0; waits < HELD;) {
        assert_field(b, LW_F_WALK_MEMORY_REQ_VALID, 0, 1);
        assert_field(b, LW_F_WALK_MEMORY_REQ_TAG, 0, tag[0]);
        assert_field(b, LW_F_WALK_MEMORY_REQ_LINE, 0, line[0]);
        assert_field(b, LW_F_CHECK_STATE, 0, READ);
        assert_field(b, LW_F_CHECK_ASKED, 0, 1 << 1);
        waits += bench_peek(b, LW_F_PWST_STATE, WALKER) == REQ;
        bench_step(b);
    }
    b->not_ready = 0;
    for (uint32_t t = 0; t < 3; t++) {
        assert_field(b, LW_F_WALK_MEMORY_REQ_VALID, 0, 1);
        assert_field(b, LW_F_WALK_MEMORY_REQ_TAG, 0, tag[t]);
        assert_field(b, LW_F_WALK_MEMORY_REQ_LINE, 0, line[t]);
        bench_step(b);
    }
    bench_drain(b);
    settle(b);
    assert_int_equal(counter(b, LW_C_JOINED), 1);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walker_before_head)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
