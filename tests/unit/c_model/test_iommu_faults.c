/* The twin's verdicts against the document, rule by rule: which fault a request gets and at which
 * level, what is walked for it, and what is recorded. */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_FULL = 2 };

/* Each fault at each level, for the walker itself and for a neighbour that its line answers. R1.4,
 * R1.6. */
static void test_faults(void **state) {
    (void)state;
    enum { LOOKUP = 10 };
    static const struct {
        uint64_t set, clear;
        uint32_t access, kind, levels; /* levels: a bit for each at which it applies */
    } faults[] = {
        {0, P_, 0, LW_NOT_PRESENT, 0x3e},
        {UINT64_C(1) << 51 | PS_ | NX_, P_ | US_, 2, LW_NOT_PRESENT, 0x3e},
        {PS_, 0, 0, LW_RESERVED, 0x30},
        {UINT64_C(1) << 51, 0, 0, LW_RESERVED, 0x3e},
        {UINT64_C(1) << 48, US_, 0, LW_RESERVED, 0x3e},
        {UINT64_C(1) << 51 | PS_ | UINT64_C(1) << 13, US_, 0, LW_RESERVED, 0x3e},
        {PS_ | UINT64_C(1) << 29, US_, 0, LW_MISALIGNED, 0x08},
        {PS_ | UINT64_C(1) << 13, 0, 0, LW_MISALIGNED, 0x0c},
        {0, US_, 0, LW_PERMISSION, 0x3e},
        {0, RW_, 1, LW_PERMISSION, 0x3e},
        {NX_, 0, 2, LW_PERMISSION, 0x3e},
        {NX_, 0, 3, LW_PERMISSION, 0x3e},
    };
    for (uint32_t levels = 4; levels <= 5; levels++) {
        for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
            for (uint32_t k = 1; k <= levels; k++) {
                if ((faults[f].levels >> k & 1) == 0) {
                    continue;
                }
                lw_params hw = bench_nha;
                hw.levels = levels;
                bench b;
                bench_init(&b, &hw, 1);
                const uint64_t bit = UINT64_C(1) << (9 * (k - 1));
                for (uint64_t i = 0; i < 2; i++) { /* one index apart at level k: one line */
                    bench_map(&b, 1, 0x12345 + i * bit, 0x777 + i);
                }
                for (uint64_t i = 0; i < 2; i++) {
                    uint64_t *pte = bench_pte(&b, 1, 0x12345 + i * bit, k);
                    *pte = (*pte | faults[f].set) & ~faults[f].clear;
                }
                bench_enable(&b, MODE_FULL, true, false);
                for (uint64_t i = 0; i < 2; i++) { /* the second after the first one's lookup */
                    bench_offer(&b, &(bench_page){1, faults[f].access, 0x12345 + i * bit});
                    bench_steps(&b, LOOKUP);
                }
                bench_drain(&b);
                assert_int_equal(b.last.kind, faults[f].kind);
                assert_int_equal(b.last.level, k);
                assert_int_equal(lw_iommu_counter(b.u, LW_C_FAULTS), 2);
                /* R9.5: the second asks for its own line */
                assert_int_equal(lw_iommu_counter(b.u, LW_C_COALESCED_ANSWERS), 0);
                assert_int_equal(b.accesses, levels - k + 2);
                bench_done(&b);
            }
        }
    }
}

static void test_memory_error(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x100, 1);
    bench_map(&b, 0, 0x101, 2);
    bench_enable(&b, MODE_FULL, false, false);
    b.errors = 100;
    bench_offer(&b, &(bench_page){0, 0, 0x100});
    bench_step(&b);
    bench_offer(&b, &(bench_page){0, 0, 0x101});
    bench_drain(&b);
    assert_int_equal(b.last.kind, LW_MEMORY_ERROR); /* R9.9: each has its own */
    assert_int_equal(b.last.level, 4);
    assert_int_equal(b.accesses, 2);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_COALESCED_ANSWERS), 0);
    bench_done(&b);
}

/* R3.3, R12.3, R12.4: faults without a walk, and the record of the first one. The order of the
 * verdicts: R3.2. */
static void test_refusals(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 5, 0x100, 1);
    bench_enable(&b, MODE_FULL, true, false);
    bench_ask(&b, 5, UINT64_C(1) << 40, 1);
    assert_int_equal(b.last.kind, LW_NONCANONICAL);
    bench_ask(&b, 6, 0x100, 0);
    assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
    bench_ask(&b, 16, 0x100, 0);
    assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
    const uint64_t info = bench_peek(&b, LW_F_CONTROL_FAULT_INFO, 0);
    assert_true(info == (UINT64_C(1) << 63 | 1 | 1 << 8 | 5 << 16));
    assert_true(bench_peek(&b, LW_F_CONTROL_FAULT_PAGE, 0) == UINT64_C(1) << 40);
    b.in.ctl_addr = LW_CTL_FAULT_PAGE;
    bench_steps(&b, 2); /* R12.1 */
    lw_iommu_outputs(b.u, &b.out);
    assert_true(b.out.ctl_rdata == UINT64_C(1) << 40);
    bench_write(&b, LW_CTL_FAULT_INFO, 0);
    assert_int_equal(bench_peek(&b, LW_F_CONTROL_FAULT_INFO, 0), 0);
    assert_int_equal(bench_peek(&b, LW_F_CONTROL_FAULT_PAGE, 0), 0);
    bench_ask(&b, 5, bench_sign_extend(&b, UINT64_C(0x800000001)), 0);
    assert_int_equal(bench_peek(&b, LW_F_CONTROL_FAULT_INFO, 0) & 0x7f, LW_NOT_PRESENT | 4 << 4);
    assert_true(bench_peek(&b, LW_F_CONTROL_FAULT_PAGE, 0) == UINT64_C(0xffff800000001));
    b.in.ctl_addr = LW_CTL_COUNTER + LW_C_FAULTS;
    bench_steps(&b, 2); /* R12.1 */
    lw_iommu_outputs(b.u, &b.out);
    assert_int_equal(b.out.ctl_rdata, 4);
    bench_done(&b);
}

/* R12.1, R12.3: a write anywhere but at FEATURES, FAULT_INFO and ROOT of a PASID is ignored, at
 * FAULT_PAGE and at the counters too. */
static void test_ignored_writes(void **state) {
    (void)state;
    enum { ADDRESSES = 0x1000, REGISTERS = 3 };
    static const lw_field shown[REGISTERS] = {LW_F_CONTROL_FEATURES, LW_F_CONTROL_FAULT_INFO,
                                              LW_F_CONTROL_FAULT_PAGE};
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x123, 9);
    bench_enable(&b, MODE_FULL, true, false);
    bench_ask(&b, 0, 0x123, 0);
    bench_ask(&b, 5, UINT64_C(1) << 40, 1);
    uint64_t before[REGISTERS];
    for (uint32_t i = 0; i < REGISTERS; i++) {
        before[i] = bench_peek(&b, shown[i], 0);
        assert_true(before[i] != 0);
    }
    for (uint32_t a = 0; a < ADDRESSES; a++) {
        const bool root = a >= LW_CTL_ROOT && a < LW_CTL_ROOT + bench_nha.pasids;
        if (a != LW_CTL_FEATURES && a != LW_CTL_FAULT_INFO && !root) {
            bench_write(&b, a, UINT64_MAX);
        }
    }
    for (uint32_t i = 0; i < REGISTERS; i++) {
        assert_true(bench_peek(&b, shown[i], 0) == before[i]);
    }
    for (uint32_t p = 0; p < bench_nha.pasids; p++) {
        assert_int_equal(bench_peek(&b, LW_F_ROOT_ROOT_VALID, p), p == 0);
        assert_int_equal(bench_peek(&b, LW_F_ROOT_ROOT_FRAME, p), b.root[p]);
    }
    assert_int_equal(lw_iommu_counter(b.u, LW_C_REQUESTS), 2);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_FAULTS), 1);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_CYCLES), b.cycle);
    bench_done(&b);
}

/* R5.4, R10.10, R12.3: the record of a walk's fault names the request that walked, by all of its
 * fields, and the page sign-extended. */
static void test_walk_recorded(void **state) {
    (void)state;
    enum { PASID = 9, WRITE = 1, SRC = 0x2a, LEVEL = 2 };
    const uint64_t vpn = UINT64_C(0x812345678);
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, PASID, vpn, 1);
    *bench_pte(&b, PASID, vpn, LEVEL) &= ~RW_;
    bench_enable(&b, MODE_FULL, true, false);
    bench_offer(&b, &(bench_page){PASID, WRITE, bench_sign_extend(&b, vpn)});
    b.in.req_src = SRC;
    bench_drain(&b);
    assert_true(bench_peek(&b, LW_F_CONTROL_FAULT_INFO, 0) ==
                (UINT64_C(1) << 63 | LW_PERMISSION | LEVEL << 4 | WRITE << 8 | PASID << 16 |
                 (uint64_t)SRC << 36));
    assert_true(bench_peek(&b, LW_F_CONTROL_FAULT_PAGE, 0) == bench_sign_extend(&b, vpn));
    bench_done(&b);
}

static uint64_t fault_info(const bench *b) {
    return bench_peek(b, LW_F_CONTROL_FAULT_INFO, 0);
}

/* R12.4: a clear in the cycle in which a fault enters the hit queue loses against it, where nothing
 * was recorded; where something was, that is cleared and the new fault is not recorded. */
static void test_clear_beside_a_fault(void **state) {
    (void)state;
    enum { STAGES = 2, OTHER = 6 };
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x123, 9);
    bench_enable(&b, MODE_FULL, false, false);
    for (uint32_t n = 0; n < 2; n++) {
        bench_offer(&b, &(bench_page){OTHER + n, 0, 0x123});
        bench_steps(&b, STAGES);
        assert_int_equal(lw_iommu_counter(b.u, LW_C_FAULTS), n);
        bench_write(&b, LW_CTL_FAULT_INFO, 0);
        assert_int_equal(lw_iommu_counter(b.u, LW_C_FAULTS), n + 1);
        assert_true(fault_info(&b) ==
                    (n == 0 ? UINT64_C(1) << 63 | LW_UNKNOWN_PASID | OTHER << 16 : 0));
        assert_int_equal(bench_peek(&b, LW_F_CONTROL_FAULT_PAGE, 0), n == 0 ? 0x123 : 0);
        bench_drain(&b);
    }
    bench_done(&b);
}

/* R12.4: of a fault that enters the hit queue and one that enters the walk queue in one cycle the
 * first is recorded. */
static void test_two_faults_at_once(void **state) {
    (void)state;
    enum { STAGES = 2, OTHER = 6, ABSENT = 0x124 };
    uint32_t walk = 0; /* the cycle in which its answer enters the walk queue */
    for (uint32_t beside = 0; beside < 2; beside++) {
        bench b;
        bench_init(&b, &bench_nha, 1);
        bench_map(&b, 0, 0x123, 9);
        bench_enable(&b, MODE_FULL, false, false);
        bench_offer(&b, &(bench_page){0, 0, ABSENT});
        for (uint32_t c = 0; bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0) == 0; c++) {
            if (beside != 0 && c == walk - STAGES) {
                bench_offer(&b, &(bench_page){OTHER, 0, ABSENT});
                b.in.req_src = 0;
            }
            walk = beside == 0 ? c + 1 : walk;
            bench_step(&b);
        }
        bench_step(&b);
        assert_int_equal(lw_iommu_counter(b.u, LW_C_FAULTS), 1 + beside);
        assert_true(fault_info(&b) ==
                    (UINT64_C(1) << 63 |
                     (beside != 0 ? LW_UNKNOWN_PASID | OTHER << 16 : LW_NOT_PRESENT | 1 << 4)));
        bench_drain(&b);
        bench_done(&b);
    }
}

/* R3.32: whether a PASID has a root is asked in the cycle of the lookup. A root cleared in the
 * cycle of the request's transfer refuses it, one cleared in the cycle after does so no more. */
static void test_root_at_lookup(void **state) {
    (void)state;
    for (uint32_t after = 0; after < 2; after++) {
        bench b;
        bench_init(&b, &bench_nha, 1);
        bench_map(&b, 0, 0x123, 0x456);
        bench_enable(&b, MODE_FULL, false, false);
        bench_ask(&b, 0, 0x123, 0);
        bench_steps(&b, 5);
        bench_offer(&b, &(bench_page){0, 0, 0x123});
        b.any_kind = true;
        bench_steps(&b, after);
        bench_write(&b, LW_CTL_ROOT, 0);
        bench_drain(&b);
        assert_int_equal(b.last.kind, after == 0 ? LW_UNKNOWN_PASID : LW_OK);
        bench_done(&b);
    }
}

/* R5.9: a root that goes away between the pick and the start. */
static void test_root_removed(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x123, 9);
    bench_enable(&b, MODE_FULL, false, false);
    b.any_kind = true;
    bench_offer(&b, &(bench_page){0, 0, 0x123});
    bench_steps(&b, 4);
    bench_write(&b, LW_CTL_ROOT, 0);
    bench_drain(&b);
    assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
    assert_int_equal(b.last.level, 0);
    assert_int_equal(b.accesses, 0);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_WALKS), 1);
    bench_done(&b);
}

/* R3.3: what the TLB's PERM does not grant is walked again, and the verdict has its level. R1.5. */
static void test_permissions(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x100, 1);
    *bench_pte(&b, 0, 0x100, 3) &= ~RW_;
    bench_enable(&b, MODE_FULL, true, false);
    bench_ask(&b, 0, 0x100, 0);
    assert_int_equal(b.last.perm, 2);
    bench_ask(&b, 0, 0x100, 1);
    assert_int_equal(b.last.kind, LW_PERMISSION);
    assert_int_equal(b.last.level, 3);
    bench_ask(&b, 0, 0x100, 2);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 1);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_MISSES), 2);
    bench_done(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory_error),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_clear_beside_a_fault),
        cmocka_unit_test(test_two_faults_at_once),
        cmocka_unit_test(test_ignored_writes),
        cmocka_unit_test(test_walk_recorded),
        cmocka_unit_test(test_root_at_lookup),
        cmocka_unit_test(test_root_removed),
        cmocka_unit_test(test_permissions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
