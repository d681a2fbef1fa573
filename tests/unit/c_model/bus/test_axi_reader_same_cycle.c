/* What happens to the AXI reader in one cycle: a request beside the burst of its ID that is offered
 * (R19.2, R19.13), beats of a burst that is OVER (R19.11), and a flush beside a request, a beat or
 * the transfer of a burst (R19.7, R19.14, R19.16). */
#include "tests/unit/c_model/bus/axi_reader_bench.h"

/* R19.13: the AR register is loaded in the cycle in which its burst is transferred. */
static void test_a_burst_a_cycle(void **state) {
    (void)state;
    bench b = bench_of(512);
    for (uint32_t tag = 0; tag < IDS; tag++) {
        request(&b, tag, tag);
        step(&b);
        assert_true(b.out.ar_valid && b.out.req_ready);
        assert_int_equal(b.out.ar_id, tag);
    }
}

/* R19.2: a request waits while its tag is that of the burst that is offered, in the cycle of that
 * burst's transfer too, be it in WAITING by then or transferred in that cycle. */
static void test_waits_for_the_offered_burst(void **state) {
    (void)state;
    for (uint32_t held = 0; held < 2; held++) {
        bench b = bench_of(512);
        request(&b, 1, 1);
        step(&b);
        b.in.ar_ready = held == 0;
        request(&b, 1, 2);
        step(&b);
        if (held != 0) {
            assert_true(b.out.ar_valid && b.out.ar_addr == 64);
            b.in.ar_ready = true;
            step(&b);
        }
        assert_false(b.out.ar_valid || b.out.req_ready);
        beats(&b, 1, 0, 1);
        assert_line(&b, 1);
        step(&b);
        assert_true(b.out.ar_valid && b.out.ar_addr == UINT64_C(2) * 64);
    }
}

/* R19.11: errors are told of each beat of a BUSY ID, its burst being OVER or not; where RLAST is
 * says nothing any more. What comes after is as if nothing had been (R19.14). */
static void test_errors_of_dropped_beats(void **state) {
    (void)state;
    bench b = bench_of(256);
    ask(&b, 2);
    beat(&b, 2, 0, LW_AXI_OKAY, false);
    beat(&b, 2, 1, LW_AXI_OKAY, false);
    assert_error(&b, 2);
    beat(&b, 2, 2, LW_AXI_SLVERR, false);
    assert_int_equal(b.out.events, LW_BUS_SLAVE_ERROR);
    beat(&b, 2, 3, LW_AXI_DECERR, false);
    assert_int_equal(b.out.events, LW_BUS_DECODE_ERROR);
    assert_true(b.out.reading);
    beat(&b, 2, 4, LW_AXI_OKAY, true);
    assert_int_equal(b.out.events, 0);
    assert_false(b.r.line.valid || b.out.reading);
    ask(&b, 2);
    beats(&b, 2, 0, 2);
    assert_line(&b, 2);
}

/* R19.7: a request that is transferred in the cycle of a flush has not been offered. */
static void test_flush_beside_a_request(void **state) {
    (void)state;
    for (uint32_t held = 0; held < 2; held++) { /* the AR register is full, so it would wait */
        bench b = bench_of(512);
        b.in.ar_ready = false;
        if (held != 0) {
            request(&b, 0, 0);
            step(&b);
        }
        request(&b, 1, 1);
        b.in.flush = true;
        step(&b);
        assert_true(b.out.req_ready);
        assert_int_equal(b.out.ar_valid, held);
        b.in.ar_ready = true;
        step(&b);
        step(&b);
        assert_false(b.out.ar_valid);
        assert_int_equal(b.out.reading, held);
    }
}

/* R19.7, R19.16: a beat that comes in the cycle of a flush ends its burst, and its line is not
 * given. */
static void test_flush_beside_a_beat(void **state) {
    (void)state;
    bench b = bench_of(256);
    ask(&b, 3);
    beats(&b, 3, 0, 1);
    b.in.flush = true;
    beats(&b, 3, 1, 2);
    assert_false(b.r.line.valid || b.out.reading);
    ask(&b, 3);
    beats(&b, 3, 0, 2);
    assert_line(&b, 3);
}

/* R19.14: a burst that is transferred in the cycle of a flush is of before, as is each that is
 * under way (R19.7). */
static void test_flush_beside_a_transfer(void **state) {
    (void)state;
    for (uint32_t first = 0; first < IDS; first++) {
        bench b = bench_of(512);
        for (uint32_t n = 0; n < IDS; n++) {
            request(&b, (first + n) % IDS, n);
            step(&b);
        }
        b.in.flush = true;
        step(&b); /* the last of them is transferred */
        assert_false(b.out.ar_valid);
        for (uint32_t id = 0; id < IDS; id++) {
            assert_true(b.out.reading);
            beats(&b, id, 0, 1);
            assert_false(b.r.line.valid);
        }
        assert_false(b.out.reading);
        ask(&b, first);
        beats(&b, first, 0, 1);
        assert_line(&b, first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_burst_a_cycle),
        cmocka_unit_test(test_waits_for_the_offered_burst),
        cmocka_unit_test(test_errors_of_dropped_beats),
        cmocka_unit_test(test_flush_beside_a_request),
        cmocka_unit_test(test_flush_beside_a_beat),
        cmocka_unit_test(test_flush_beside_a_transfer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
