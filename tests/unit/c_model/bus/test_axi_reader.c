/* The AXI reader by the sentences of chapter 19, R19.1 to R19.7 and R19.11 to R19.17. */
#include "tests/unit/c_model/bus/axi_reader_bench.h"

/* R19.1, R19.13, R19.16: a cycle in the AR register, one in LINE, and one for each beat. */
static void test_burst(void **state) {
    (void)state;
    for (uint32_t width = 64; width <= 512; width *= 2) {
        bench b = bench_of(width);
        assert_true(b.out.req_ready && b.out.r_ready && !b.out.ar_valid);
        request(&b, 2, 0x123456789);
        step(&b);
        assert_true(b.out.ar_valid && b.out.req_ready && b.out.reading);
        assert_int_equal(b.out.ar_id, 2);
        assert_true(b.out.ar_addr == UINT64_C(0x123456789) * 64);
        assert_int_equal((b.out.ar_len + 1) << b.out.ar_size, 64);
        assert_int_equal(8 << b.out.ar_size, width);
        assert_int_equal(b.out.ar_burst, 1);
        step(&b);
        assert_false(b.out.ar_valid);
        beats(&b, 2, 0, b.r.beats - 1);
        assert_false(b.r.line.valid);
        beats(&b, 2, b.r.beats - 1, b.r.beats);
        assert_line(&b, 2);
        assert_int_equal(b.out.events, 0);
        assert_false(b.out.reading);
        step(&b);
        assert_false(b.r.line.valid);
    }
}

/* R19.2, R19.13: while the burst is held up one more request is taken; then they leave in order. */
static void test_back_pressure(void **state) {
    (void)state;
    bench b = bench_of(512);
    b.in.ar_ready = false;
    for (uint32_t tag = 0; tag < 2; tag++) {
        assert_true(b.out.req_ready);
        request(&b, tag, tag);
        step(&b);
    }
    assert_false(b.out.req_ready);
    assert_int_equal(b.out.ar_id, 0);
    b.in.ar_ready = true;
    step(&b);
    assert_true(b.out.ar_valid && b.out.req_ready);
    assert_int_equal(b.out.ar_id, 1);
}

/* R19.2: a second burst of an ID waits for the end of the first. */
static void test_same_id(void **state) {
    (void)state;
    bench b = bench_of(512);
    ask(&b, 1);
    ask(&b, 1);
    step(&b);
    assert_false(b.out.ar_valid);
    beats(&b, 1, 0, 1);
    assert_line(&b, 1);
    step(&b);
    assert_true(b.out.ar_valid);
}

/* R19.15: beats of several bursts in turns, the last asked first answered. */
static void test_interleaving(void **state) {
    (void)state;
    bench b = bench_of(64);
    for (uint32_t id = 0; id < IDS; id++) {
        ask(&b, id);
    }
    for (uint32_t n = 0; n < b.r.beats; n++) {
        for (uint32_t id = IDS; id-- > 0;) {
            beats(&b, id, n, n + 1);
            if (n == b.r.beats - 1) {
                assert_line(&b, id);
            } else {
                assert_false(b.r.line.valid);
            }
        }
    }
    assert_false(b.out.reading);
}

/* R19.3, R19.4, R19.11: an error on any beat is the line's, and the burst is taken to its end. */
static void test_errors(void **state) {
    (void)state;
    const uint32_t event[4] = {
        [LW_AXI_SLVERR] = LW_BUS_SLAVE_ERROR, [LW_AXI_DECERR] = LW_BUS_DECODE_ERROR};
    for (uint32_t resp = LW_AXI_SLVERR; resp <= LW_AXI_DECERR; resp++) {
        for (uint32_t at = 0; at < 4; at++) {
            bench b = bench_of(128);
            ask(&b, 3);
            for (uint32_t n = 0; n < 4; n++) {
                assert_false(b.r.line.valid);
                beat(&b, 3, n, n == at ? resp : LW_AXI_OKAY, n == 3);
                assert_int_equal(b.out.events, n == at ? event[resp] : 0);
            }
            assert_error(&b, 3);
            ask(&b, 3); /* and nothing of it is left */
            beats(&b, 3, 0, 4);
            assert_line(&b, 3);
        }
    }
}

/* R19.3, R19.6, R19.11: too early a RLAST ends the burst, and what comes then is nobody's. */
static void test_early_last(void **state) {
    (void)state;
    bench b = bench_of(256);
    ask(&b, 0);
    beat(&b, 0, 0, LW_AXI_OKAY, true);
    assert_error(&b, 0);
    assert_int_equal(b.out.events, LW_BUS_BAD_LAST);
    assert_false(b.out.reading);
    beat(&b, 0, 1, LW_AXI_OKAY, true);
    assert_false(b.r.line.valid);
    assert_int_equal(b.out.events, LW_BUS_BAD_ID);
}

/* R19.5, R19.17: without RLAST the line is given with its error, and who asks again is answered. */
static void test_missing_last(void **state) {
    (void)state;
    bench b = bench_of(512);
    ask(&b, 1);
    beat(&b, 1, 0, LW_AXI_OKAY, false);
    assert_error(&b, 1);
    assert_int_equal(b.out.events, LW_BUS_BAD_LAST);
    assert_true(b.out.reading);
    beat(&b, 1, 1, LW_AXI_OKAY, false); /* one too many: dropped, and told once */
    assert_false(b.r.line.valid);
    assert_int_equal(b.out.events, 0);
    ask(&b, 1);
    assert_error(&b, 1);
    assert_false(b.out.ar_valid);
    beat(&b, 1, 2, LW_AXI_OKAY, true);
    assert_false(b.out.reading);
    ask(&b, 1);
    beats(&b, 1, 0, 1);
    assert_line(&b, 1);
}

/* R19.11: each burst that is under way is told. */
static void test_reading(void **state) {
    (void)state;
    for (uint32_t id = 0; id < IDS; id++) {
        bench b = bench_of(256);
        assert_false(b.out.reading);
        ask(&b, id);
        assert_true(b.out.reading && !b.out.ar_valid);
        beats(&b, id, 0, 1);
        assert_true(b.out.reading);
        beats(&b, id, 1, 2);
        assert_false(b.out.reading);
    }
}

/* A request for an ID that is OVER, and in the cycle after it a beat with which it still waits. */
static void refuse_after(bench *b, uint32_t id, uint32_t number, bool last) {
    request(b, 1, 9);
    step(b);
    assert_false(b->out.req_ready || b->r.line.valid);
    beat(b, id, number, LW_AXI_OKAY, last);
    assert_false(b->out.req_ready);
    assert_int_equal(b->r.line.tag, id);
}

/* R19.17, R19.16: each beat that completes a line, be it the last or not as it should, holds a
 * refusal up, and no other beat does. It has the error bit (R19.5), and the data of the line
 * before, given or not. */
static void test_refused_request(void **state) {
    (void)state;
    bench b = bench_of(128);
    ask(&b, 1);
    for (uint32_t n = 0; n < b.r.beats; n++) {
        beat(&b, 1, n, LW_AXI_OKAY, false);
    }
    assert_error(&b, 1);
    ask(&b, 2);
    ask(&b, 3);
    beats(&b, 2, 0, 3);
    refuse_after(&b, 2, 3, true);
    assert_line(&b, 2);
    beat(&b, 3, 0, LW_AXI_OKAY, false);
    assert_error(&b, 1);
    assert_data(&b, 2);
    assert_true(b.out.req_ready && !b.out.ar_valid);
    refuse_after(&b, 3, 1, true); /* too early */
    assert_error(&b, 3);
    step(&b);
    assert_error(&b, 1);
    ask(&b, 2);
    beats(&b, 2, 0, 3);
    refuse_after(&b, 2, 3, false); /* too late */
    assert_error(&b, 2);
    step(&b);
    assert_error(&b, 1);
    ask(&b, 0);
    b.in.flush = true;
    step(&b);
    beats(&b, 0, 0, 4);
    assert_false(b.r.line.valid);
    ask(&b, 1);
    assert_error(&b, 1);
    assert_data(&b, 0);
}

/* R19.6: a beat before its burst is transferred, and one of an ID that there is not. */
static void test_strangers(void **state) {
    (void)state;
    bench b = bench_of(512);
    b.in.ar_ready = false;
    request(&b, 1, 1);
    step(&b);
    beat(&b, 1, 0, LW_AXI_OKAY, true);
    assert_false(b.r.line.valid);
    assert_int_equal(b.out.events, LW_BUS_BAD_ID);
    beat(&b, IDS, 0, LW_AXI_SLVERR, true);
    assert_int_equal(b.out.events, LW_BUS_BAD_ID);
    b.in.ar_ready = true;
    step(&b);
    beats(&b, 1, 0, 1);
    assert_line(&b, 1);
}

/* R19.7, R19.14: what waits is dropped, what is offered stays, and no line of before is given. */
static void test_flush(void **state) {
    (void)state;
    bench b = bench_of(512);
    ask(&b, 0);
    b.in.ar_ready = false;
    for (uint32_t tag = 1; tag < 3; tag++) {
        request(&b, tag, tag);
        step(&b);
    }
    assert_false(b.out.req_ready);
    b.in.flush = true;
    step(&b);
    assert_true(b.out.req_ready && b.out.ar_valid);
    assert_int_equal(b.out.ar_id, 1);
    b.in.ar_ready = true;
    step(&b);
    assert_false(b.out.ar_valid);
    assert_int_equal(b.out.ar_id, 1); /* not loaded with what has been dropped */
    request(&b, 1, 7); /* the unit of after: it waits for the end of the burst of before */
    step(&b);
    beats(&b, 0, 0, 1);
    assert_false(b.r.line.valid);
    beats(&b, 1, 0, 1);
    assert_false(b.r.line.valid);
    step(&b);
    assert_true(b.out.ar_valid && b.out.ar_addr == UINT64_C(7) * 64);
    step(&b);
    beats(&b, 1, 0, 1);
    assert_line(&b, 1);
    assert_int_equal(b.out.events, 0);
}

/* R0.2, R19.15: a reset forgets what waits, what is offered and what is under way, but for the
 * parts of lines. */
static void test_reset(void **state) {
    (void)state;
    bench b = bench_of(128);
    ask(&b, 0);
    beat(&b, 0, 0, LW_AXI_SLVERR, false);
    beats(&b, 0, 1, 3);
    ask(&b, 1);
    beats(&b, 1, 0, 3);
    beat(&b, 1, 3, LW_AXI_OKAY, false); /* its line is given, and its burst goes on */
    b.in.ar_ready = false;
    request(&b, 2, 2);
    step(&b);
    b.in.flush = true;
    step(&b);
    request(&b, 3, 3);
    beat(&b, 1, 4, LW_AXI_SLVERR, false);
    assert_true(b.out.ar_valid && !b.out.req_ready && b.out.reading && b.r.burst[0].unwanted);
    assert_int_equal(b.out.events, LW_BUS_SLAVE_ERROR);
    lw_axi_reader_reset(&b.r);
    assert_memory_equal(b.r.burst[0].part + 2, ((uint64_t[]){word(0, 1, 0), word(0, 1, 1)}), 16);
    for (uint32_t id = 0; id < IDS; id++) {
        const lw_axi_burst *burst = &b.r.burst[id];
        assert_false(burst->busy || burst->unwanted || burst->failed || burst->over);
        assert_int_equal(burst->beat, 0);
    }
    const lw_axi_request *requests[] = {&b.r.waiting, &b.r.ar};
    for (size_t i = 0; i < 2; i++) {
        assert_false(requests[i]->valid || requests[i]->unwanted);
        assert_int_equal(requests[i]->tag + requests[i]->line, 0);
    }
    assert_false(b.r.line.valid || b.r.line.error);
    assert_int_equal(b.r.line.tag + b.r.line.data[0] + b.r.events, 0);
    b.in.ar_ready = true;
    ask(&b, 0);
    beat(&b, 0, 0, LW_AXI_OKAY, true); /* ends too soon: with what is kept */
    assert_true(b.r.line.valid && b.r.line.error);
    assert_int_equal(b.r.line.data[2], word(0, 1, 0));
}

static void test_refusals(void **state) {
    (void)state;
    lw_axi_reader r;
    lw_error err;
    assert_false(lw_axi_reader_init(&r, 32, IDS, &err));
    assert_string_equal(err.text, "DATA_WIDTH is 32; allowed: 64, 128, 256, 512");
    assert_false(lw_axi_reader_init(&r, 64, 41, &err));
    assert_string_equal(err.text, "IDS is 41; allowed: 1..40");
    assert_false(lw_axi_reader_init(&r, 64, 0, &err));
    assert_true(lw_axi_reader_init(&r, 64, 1, &err));
    assert_true(lw_axi_reader_init(&r, 64, 40, &err)); /* 32 walkers, and 8 heads */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_burst),           cmocka_unit_test(test_back_pressure),
        cmocka_unit_test(test_same_id),         cmocka_unit_test(test_interleaving),
        cmocka_unit_test(test_errors),          cmocka_unit_test(test_early_last),
        cmocka_unit_test(test_missing_last),    cmocka_unit_test(test_reading),
        cmocka_unit_test(test_refused_request), cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_flush),           cmocka_unit_test(test_reset),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
