/* What software tells the unit of hashed tables: the registers (R21.16, R12.2), and the parameters
 * of a unit that walks them (chapter 13). */
#include "tests/unit/c_model/hashed_bench.h"

enum { FEATURES = 0x000, STRIDE = 0x004, ROOT = 0x800, STEP = 0x900, VICTIM = 0xa00 };

#define FRAMES ((UINT64_C(1) << 28) - 1) /* PA_WIDTH = 40 */

/* R12.1: two cycles after the address. */
static uint64_t read_at(bench *b, uint32_t addr) {
    b->in.ctl_addr = addr;
    bench_steps(b, 3);
    lw_iommu_outputs(b->u, &b->out);
    return b->out.ctl_rdata;
}

static const struct {
    uint32_t addr;
    uint64_t hashed, radix; /* what all ones leave, with hashed tables and without */
} registers[] = {
    {FEATURES, 0x4f, 0x0f},
    {STRIDE, 0x3ffff, 0},
    {ROOT, UINT64_MAX << 57 | FRAMES, UINT64_C(1) << 63 | FRAMES},
    {ROOT + 15, UINT64_MAX << 57 | FRAMES, UINT64_C(1) << 63 | FRAMES},
    {ROOT + 16, 0, 0},
    {STEP, UINT64_C(31) << 57 | FRAMES, 0},
    {STEP + 15, UINT64_C(31) << 57 | FRAMES, 0},
    {STEP + 16, 0, 0},
    {STEP - 1, 0, 0},
    {VICTIM, UINT64_C(1) << 63 | FRAMES, 0},
    {VICTIM + 15, UINT64_C(1) << 63 | FRAMES, 0},
    {VICTIM + 16, 0, 0},
    {VICTIM - 1, 0, 0},
};

static void test_registers(void **state) {
    (void)state;
    for (uint32_t hashed = 0; hashed < 2; hashed++) {
        lw_params hw = hashed_hw;
        hw.pwc_org = hashed != 0 ? 2 : 0;
        for (uint32_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
            bench b;
            bench_init(&b, &hw, 1);
            for (uint32_t j = 0; j < sizeof registers / sizeof registers[0]; j++) {
                assert_true(read_at(&b, registers[j].addr) == 0); /* after reset */
            }
            bench_write(&b, registers[i].addr, UINT64_MAX);
            for (uint32_t j = 0; j < sizeof registers / sizeof registers[0]; j++) {
                const uint64_t all = hashed != 0 ? registers[j].hashed : registers[j].radix;
                assert_true(read_at(&b, registers[j].addr) == (i == j ? all : 0));
            }
            bench_done(&b);
        }
    }
}

/* By the names of the registers. */
static void test_names(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &hashed_hw, 1);
    bench_write(&b, STRIDE, 0x23457);
    bench_write(&b, ROOT + 7, UINT64_C(3) << 62 | UINT64_C(18) << 57 | 0x100);
    assert_true(bench_peek(&b, LW_F_ROOT_ROOT_VALID, 7) == 1);
    bench_write(&b, ROOT + 7, 0x77); /* without bit 63: that bit alone (R12.8) */
    bench_write(&b, STEP + 7, UINT64_C(24) << 57 | 0x200);
    bench_write(&b, VICTIM + 7, UINT64_C(1) << 63 | 0x300);
    assert_true(bench_peek(&b, LW_F_CONTROL_STRIDE, 0) == 0x23457);
    assert_true(bench_peek(&b, LW_F_ROOT_ROOT_VALID, 7) == 0);
    assert_true(bench_peek(&b, LW_F_ROOT_HASHED, 7) == 1);
    assert_true(bench_peek(&b, LW_F_ROOT_TABLE_LOG, 7) == 18);
    assert_true(bench_peek(&b, LW_F_ROOT_ROOT_FRAME, 7) == 0x100);
    assert_true(bench_peek(&b, LW_F_TABLE_STEP_LOG, 7) == 24);
    assert_true(bench_peek(&b, LW_F_TABLE_STEP_FRAME, 7) == 0x200);
    assert_true(bench_peek(&b, LW_F_TABLE_VICTIM_VALID, 7) == 1);
    assert_true(bench_peek(&b, LW_F_TABLE_VICTIM_FRAME, 7) == 0x300);
    /* R3.32: it is VALID that makes a PASID known */
    b.any_kind = true;
    bench_ask(&b, 7, 0x1234, 0);
    assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
    bench_done(&b);
}

/* R21.16: STRIDE, STEP and VICTIM are written as they come, also where bit 63 is zero: that a root
 * is written alone by then (R12.8) is of ROOT alone. */
static void test_written_as_they_come(void **state) {
    (void)state;
    static const struct {
        uint32_t addr;
        uint64_t first, then;
    } cases[] = {
        {STRIDE, 0x23457, 0x10001},
        {STEP + 7, UINT64_C(24) << 57 | 0x200, UINT64_C(6) << 57 | 0x4321},
        {VICTIM + 7, UINT64_C(1) << 63 | 0x300, 0x4321},
        {VICTIM + 7, 0x300, UINT64_C(1) << 63 | 0x4321},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        bench_init(&b, &hashed_hw, 1);
        bench_write(&b, cases[i].addr, cases[i].first);
        assert_true(read_at(&b, cases[i].addr) == cases[i].first);
        bench_write(&b, cases[i].addr, cases[i].then);
        assert_true(read_at(&b, cases[i].addr) == cases[i].then);
        bench_done(&b);
    }
}

static void test_parameters(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *sentence; /* NULL: legal */
    } cases[] = {
        {offsetof(lw_params, pwc_latency), 3,
         "pwc_latency is 3, legal is 4 to 8 with pwc_org 2 (of steps)"},
        {offsetof(lw_params, pwc_latency), 8, NULL},
        {offsetof(lw_params, pwc_entries), 128,
         "pwc_entries is 128, legal is a power of two from 2 to 64 with pwc_org 2 (of steps)"},
        {offsetof(lw_params, pwc_entries), 64, NULL},
        {offsetof(lw_params, pwc_entries), 2, NULL},
        {offsetof(lw_params, pwc_ways), 16, NULL}, /* of the cache by address only */
        {offsetof(lw_params, subregions), 1, NULL},
        {offsetof(lw_params, colt), 1,
         "pwc_org is 2, legal is 0 to 1 unless head_first is 0 (is 0) and colt 0 (is 1)"},
        {offsetof(lw_params, coalesce), 0, NULL},
        {offsetof(lw_params, levels), 5, NULL},
        {offsetof(lw_params, slot_pages), 8, NULL},
        {offsetof(lw_params, slot_pages), 16, "slot_pages is 16, legal is 8 or 512"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lw_error err = {0};
        lw_params p = hashed_hw;
        *(uint32_t *)((char *)&p + cases[i].at) = cases[i].value;
        assert_int_equal(lw_params_check(&p, &err), cases[i].sentence == NULL);
        assert_string_equal(err.text, cases[i].sentence == NULL ? "" : cases[i].sentence);
    }
    lw_error err = {0};
    lw_params p = hashed_hw;
    p.coalesce = 0;
    p.subregions = p.head_first = 1;
    assert_false(lw_params_check(&p, &err));
    assert_string_equal(
        err.text, "pwc_org is 2, legal is 0 to 1 unless head_first is 0 (is 1) and colt 0 (is 0)");
}

/* Chapter 13: what slots that are lines go with (R20.31), and pages of 64 KiB beside them. */
static void test_slot_pages(void **state) {
    (void)state;
    static const struct {
        uint32_t pwc_org, levels, subregions, pages_64k;
        const char *sentence; /* NULL: legal */
    } cases[] = {
        {2, 4, 0, 0, NULL},
        {2, 4, 0, 1, NULL},
        {0, 4, 0, 0,
         "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 0), levels 4 (is 4) and subregions "
         "0 (is 0)"},
        {1, 4, 0, 0,
         "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 1), levels 4 (is 4) and subregions "
         "0 (is 0)"},
        {2, 5, 0, 0,
         "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 2), levels 4 (is 5) and subregions "
         "0 (is 0)"},
        {2, 4, 1, 0,
         "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 2), levels 4 (is 4) and subregions "
         "0 (is 1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lw_error err = {0};
        lw_params p = hashed_hw;
        p.slot_pages = 8;
        p.pwc_org = cases[i].pwc_org;
        p.levels = cases[i].levels;
        p.subregions = cases[i].subregions;
        p.pages_64k = cases[i].pages_64k;
        assert_int_equal(lw_params_check(&p, &err), cases[i].sentence == NULL);
        assert_string_equal(err.text, cases[i].sentence == NULL ? "" : cases[i].sentence);
        p.slot_pages = 512;
        assert_true(lw_params_check(&p, &err));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_written_as_they_come),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_slot_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
