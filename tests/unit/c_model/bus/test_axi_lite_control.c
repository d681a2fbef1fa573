/* The control port on AXI4-Lite by the sentences of chapter 19, R19.8 to R19.12 and R19.18 to
 * R19.22. */
#include "c_model/base/ports.h"
#include "c_model/bus/axi_lite_control.h"
#include "c_model/bus/axi_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PASIDS = 4, WHOLE = 0xff, WORDS = 4096 };

typedef struct bench {
    lw_axi_lite l;
    lw_axi_lite_inputs in;
    lw_axi_lite_outputs out; /* of the last cycle */
} bench;

static bench bench_of(bool hashes) {
    bench b = {.in = {.b_ready = true, .r_ready = true, .ctl_rdata = 0x1234}};
    lw_axi_lite_init(&b.l, PASIDS, hashes);
    return b;
}

static bench bench_new(void) {
    return bench_of(false);
}

static void step(bench *b) {
    lw_axi_lite_show(&b->l, b->in.hold, &b->out);
    lw_axi_lite_step(&b->l, &b->in);
    b->in.aw_valid = b->in.w_valid = b->in.ar_valid = false;
    b->in.events = 0;
}

static void offer_write(bench *b, uint32_t addr, uint64_t data, uint32_t strb) {
    b->in.aw_valid = b->in.w_valid = true;
    b->in.aw_addr = addr;
    b->in.w_data = data;
    b->in.w_strb = strb;
}

/* BRESP, and whether the unit was written. */
static uint32_t write(bench *b, uint32_t addr, uint64_t data, uint32_t strb, bool *wrote) {
    offer_write(b, addr, data, strb);
    step(b);
    step(b); /* R19.19: the access in the cycle after */
    *wrote = b->out.ctl_write;
    if (*wrote) {
        assert_int_equal(b->out.ctl_addr, addr / 8);
        assert_true(b->out.ctl_wdata == data);
    }
    step(b);
    assert_true(b->out.b_valid);
    return b->out.b_resp;
}

static uint64_t read(bench *b, uint32_t addr, uint32_t *resp) {
    b->in.ar_valid = true;
    b->in.ar_addr = addr;
    step(b);
    for (uint32_t n = 0; n < 3; n++) { /* R19.20: AR is full as long as the read is under way */
        step(b);
        assert_int_equal(b->out.ctl_addr, addr / 8);
    }
    assert_false(b->out.r_valid || b->out.ar_ready);
    step(b);
    assert_true(b->out.r_valid && b->out.ar_ready);
    *resp = b->out.r_resp;
    return b->out.r_data;
}

/* R19.8, R19.9: every word of the 32 KiB, by chapter 12's own numbers. */
static void check_map(bool hashes) {
    bench b = bench_of(hashes);
    for (uint32_t n = 0; n < WORDS; n++) {
        const bool root = n >= 0x800 && n < 0x800 + PASIDS;
        const bool table =
            n == 4 || (n >= 0x900 && n < 0x900 + PASIDS) || (n >= 0xa00 && n < 0xa00 + PASIDS);
        const bool counter =
            n >= 0x100 && n <= 0x100 + 41 && (n <= 0x100 + 25 || n >= 0x100 + 32 || hashes);
        const bool writes = n == 0 || n == 1 || n == 3 || root || (hashes && table);
        const bool reads = writes || n == 2 || counter;
        bool wrote;
        uint32_t resp;
        assert_int_equal(write(&b, n * 8, 0x55, WHOLE, &wrote),
                         writes ? LW_AXI_OKAY : LW_AXI_SLVERR);
        assert_int_equal(wrote, writes && n != 3);
        const uint64_t data = read(&b, n * 8, &resp);
        assert_int_equal(resp, reads ? LW_AXI_OKAY : LW_AXI_SLVERR);
        assert_true(data == (reads && n != 3 ? 0x1234 : 0));
    }
}

static void test_map(void **state) {
    (void)state;
    check_map(false);
}

/* R19.8: STRIDE, the counters 26 to 31, STEP and VICTIM with PWC_ORG=2. */
static void test_map_hashed(void **state) {
    (void)state;
    check_map(true);
}

/* R19.9 */
static void test_slips(void **state) {
    (void)state;
    bench b = bench_new();
    bool wrote;
    uint32_t resp;
    for (uint32_t strb = 0; strb < WHOLE; strb++) {
        assert_int_equal(write(&b, 0, 1, strb, &wrote), LW_AXI_SLVERR);
        assert_false(wrote);
    }
    for (uint32_t offset = 1; offset < 8; offset++) {
        assert_int_equal(write(&b, offset, 1, WHOLE, &wrote), LW_AXI_SLVERR);
        assert_false(wrote);
        assert_int_equal(read(&b, offset, &resp), 0);
        assert_int_equal(resp, LW_AXI_SLVERR);
    }
}

/* R19.18: AW and W in any order; each is ready until it has come. */
static void test_any_order(void **state) {
    (void)state;
    for (uint32_t data_first = 0; data_first < 2; data_first++) {
        bench b = bench_new();
        offer_write(&b, 8 * LW_CTL_ROOT, 7, WHOLE);
        b.in.aw_valid = data_first == 0;
        b.in.w_valid = data_first != 0;
        step(&b);
        for (uint32_t n = 0; n < 3; n++) {
            step(&b);
            assert_int_equal(b.out.aw_ready, data_first);
            assert_int_equal(b.out.w_ready, !data_first);
            assert_false(b.out.ctl_write || b.out.b_valid);
        }
        offer_write(&b, 8 * LW_CTL_ROOT, 7, WHOLE);
        step(&b);
        step(&b);
        assert_true(b.out.ctl_write);
        assert_int_equal(b.out.ctl_addr, LW_CTL_ROOT);
    }
}

/* R19.12: after reset the write; after a write the read. */
static void test_turns(void **state) {
    (void)state;
    bench b = bench_new();
    bool wrote;
    for (uint32_t n = 0; n < 2; n++) {
        b.in.ar_valid = true;
        b.in.ar_addr = 8 * LW_CTL_COUNTER;
        offer_write(&b, 8 * LW_CTL_ROOT, 1, WHOLE);
        step(&b);
        step(&b);
        assert_int_equal(b.out.ctl_write, n == 0);
        assert_int_equal(b.out.ctl_addr, n == 0 ? LW_CTL_ROOT : LW_CTL_COUNTER);
        step(&b);
        assert_int_equal(b.out.ctl_write, n != 0);
        for (uint32_t wait = 0; wait < 8; wait++) {
            step(&b);
        }
        (void)write(&b, 0, 0, WHOLE, &wrote);
    }
}

/* A write and a read that could both take place: whether the write does first. */
static bool write_is_first(bench *b) {
    offer_write(b, 8 * LW_CTL_ROOT, 1, WHOLE);
    b->in.ar_valid = true;
    b->in.ar_addr = 8 * LW_CTL_COUNTER;
    step(b);
    step(b);
    const bool first = b->out.ctl_write;
    for (uint32_t n = 0; n < 8; n++) {
        step(b);
    }
    return first;
}

/* R19.12: what took place last counts, also where nothing else could have. */
static void test_turns_after_one_kind(void **state) {
    (void)state;
    bench b = bench_new();
    bool wrote;
    uint32_t resp;
    (void)write(&b, 0, 1, WHOLE, &wrote);
    assert_false(write_is_first(&b)); /* the read, and then the write */
    (void)read(&b, 0, &resp);
    assert_true(write_is_first(&b)); /* the write, and then the read */
    assert_true(write_is_first(&b));
}

/* R19.18: B stays until it is transferred, and no write takes place before. */
static void test_b_is_held(void **state) {
    (void)state;
    bench b = bench_new();
    bool wrote;
    b.in.b_ready = false;
    assert_int_equal(write(&b, 8, 1, 0, &wrote), LW_AXI_SLVERR);
    offer_write(&b, 8 * LW_CTL_ROOT, 7, WHOLE);
    for (uint32_t n = 0; n < 6; n++) {
        step(&b);
        assert_true(b.out.b_valid && !b.out.ctl_write);
        assert_int_equal(b.out.b_resp, LW_AXI_SLVERR);
    }
    b.in.b_ready = true;
    step(&b);
    assert_true(b.out.b_valid && !b.out.ctl_write);
    step(&b);
    assert_true(!b.out.b_valid && b.out.ctl_write);
    step(&b);
    assert_true(b.out.b_valid);
    assert_int_equal(b.out.b_resp, LW_AXI_OKAY);
}

/* R19.18, R19.20: R stays until it is transferred, and no read takes place before; its address is
 * at the control port all the same. */
static void test_r_is_held(void **state) {
    (void)state;
    bench b = bench_new();
    uint32_t resp;
    b.in.r_ready = false;
    assert_true(read(&b, 0, &resp) == 0x1234);
    b.in.ctl_rdata = 0x77;
    b.in.ar_valid = true;
    b.in.ar_addr = 8 * LW_CTL_ROOT;
    step(&b);
    for (uint32_t n = 0; n < 6; n++) {
        step(&b);
        assert_true(b.out.r_valid && b.out.r_data == 0x1234);
        assert_int_equal(b.out.ctl_addr, LW_CTL_ROOT);
        assert_false(b.out.ar_ready);
    }
    b.in.r_ready = true;
    step(&b);
    assert_true(b.out.r_valid);
    for (uint32_t n = 0; n < 3; n++) {
        step(&b);
        assert_false(b.out.r_valid);
    }
    step(&b);
    assert_true(b.out.r_valid && b.out.r_data == 0x77);
}

/* R19.10, R19.21: a bit that stays, and one set in the cycle in which it is cleared. */
static void test_status(void **state) {
    (void)state;
    bench b = bench_new();
    bool wrote;
    uint32_t resp;
    for (uint32_t bit = LW_BUS_BAD_LAST; bit <= LW_BUS_DECODE_ERROR; bit <<= 1) {
        b.in.events = bit;
        step(&b);
        step(&b);
        assert_int_equal(b.out.status, bit);
        assert_int_equal(read(&b, 8 * LW_CTL_BUS_STATUS, &resp), bit);
        (void)write(&b, 8 * LW_CTL_BUS_STATUS, ~(uint64_t)bit, WHOLE, &wrote);
        assert_int_equal(b.out.status, bit);
        (void)write(&b, 8 * LW_CTL_BUS_STATUS, bit, 0x0f, &wrote);
        assert_int_equal(b.out.status, bit);
        offer_write(&b, 8 * LW_CTL_BUS_STATUS, bit, WHOLE);
        step(&b);
        b.in.events = bit;
        step(&b);
        step(&b);
        assert_int_equal(b.out.status, bit);
        (void)write(&b, 8 * LW_CTL_BUS_STATUS, bit, WHOLE, &wrote);
        assert_int_equal(b.out.status, 0);
    }
    b.in.reading = true;
    assert_int_equal(read(&b, 8 * LW_CTL_BUS_STATUS, &resp), LW_BUS_READING);
}

/* R19.22: an access waits while the unit is held, and is not lost. */
static void test_hold(void **state) {
    (void)state;
    bench b = bench_new();
    b.in.hold = true;
    b.in.ar_valid = true;
    offer_write(&b, 0, 5, WHOLE);
    for (uint32_t n = 0; n < 10; n++) {
        step(&b);
        assert_false(b.out.ctl_write || b.out.b_valid || b.out.r_valid);
    }
    b.in.hold = false;
    step(&b);
    assert_true(b.out.ctl_write);
    step(&b);
    assert_true(b.out.b_valid);
    for (uint32_t n = 0; n < 3; n++) {
        step(&b);
    }
    assert_true(b.out.r_valid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map),       cmocka_unit_test(test_map_hashed),
        cmocka_unit_test(test_slips),     cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_status),
        cmocka_unit_test(test_hold),      cmocka_unit_test(test_turns_after_one_kind),
        cmocka_unit_test(test_b_is_held), cmocka_unit_test(test_r_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
