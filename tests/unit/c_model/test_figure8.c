/* NHA's Figure 8 (chapter 15): the states (a) to (d), field by field, and the chapter's table,
 * cycle by cycle, on both sides, and the number of accesses. The RTL takes the twin's inputs;
 * besides what is asserted, all registers are compared in every cycle. */
#include "tests/unit/c_model/iommu_pair.h"

#define VPN(a, b, c, d)                                                                            \
    ((uint64_t)(a) << 27 | (uint64_t)(b) << 18 | (uint64_t)(c) << 9 | (uint64_t)(d))

enum { PASID = 3, MODE_FULL = 2, IDLE = 0, READ = 1, CAM = 4, MEM = 6, COMMIT = 3 };

static const uint64_t req[3] = {VPN(0x0f5, 0x0a3, 0x029, 0x089), VPN(0x0f5, 0x0a3, 0x029, 0x08a),
                                VPN(0x0f5, 0x0a3, 0x02a, 0x077)};
static const uint64_t pfn[3] = {0x111, 0x222, 0x333};

/* An entry that waits: its request's fields, CL, PL and PA. */
static void assert_entry(const bench *b, uint32_t slot, uint32_t cl, uint32_t pl, uint64_t pa) {
    assert_field(b, LW_F_BUFFER_VALID, slot, 1);
    assert_field(b, LW_F_BUFFER_VPN, slot, req[slot]);
    assert_field(b, LW_F_BUFFER_PASID, slot, PASID);
    assert_field(b, LW_F_BUFFER_ID, slot, slot);
    assert_field(b, LW_F_BUFFER_CL, slot, cl);
    assert_field(b, LW_F_BUFFER_PL, slot, pl);
    if (pl != 0) {
        assert_field(b, LW_F_STORED_PTE_STORED_FRAME, bench_learnt(b, slot), pa);
    }
    assert_field(b, LW_F_BUFFER_DONE, slot, 0);
    assert_field(b, LW_F_BUFFER_STALE, slot, 0);
}

static void assert_walker(const bench *b, uint32_t i, uint64_t vpn, uint32_t level, uint64_t node) {
    assert_field(b, LW_F_PWST_STARTED, i, 1);
    assert_field(b, LW_F_PWST_STALE, i, 0);
    assert_field(b, LW_F_PWST_VPN, i, vpn);
    assert_field(b, LW_F_PWST_PASID, i, PASID);
    assert_field(b, LW_F_PWST_LEVEL, i, level);
    assert_field(b, LW_F_PWST_NODE, i, node);
}

/* The node that holds a level's PTEs for a page. */
static uint64_t node_of(bench *b, uint64_t vpn, uint32_t level) {
    const uint64_t *pte = bench_pte(b, PASID, vpn, level);
    return (uint64_t)(pte - b->table) / 512;
}

static void step_until(bench *b, lw_field f, uint32_t i, uint64_t value) {
    for (int n = 0; bench_peek(b, f, i) != value; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
}

/* Two walkers; the three requests have been transferred. */
static bench *begin(pair *both, uint32_t latency, uint32_t mode) {
    lw_params hw = bench_nha;
    hw.walkers = 2;
    pair_init(both, &hw, true);
    bench *b = &both->b;
    for (int i = 0; i < 3; i++) {
        bench_map(b, PASID, req[i], pfn[i]);
    }
    b->latency = latency;
    bench_enable(b, mode, false, false);
    for (int i = 0; i < 3; i++) {
        bench_offer(b, &(bench_page){PASID, 0, req[i]});
        bench_step(b);
    }
    return b;
}

/* CL and PL after each scan: R4.5, R4.6, R9.3, R9.7, R9.8. */
static void test_figure8(void **state) {
    (void)state;
    pair both;
    bench *b = begin(&both, 50, MODE_FULL);
    bench_steps(b, 3);

    /* (a): the walkers have been given Req0 and Req1, and are reading them */
    for (uint32_t i = 0; i < 3; i++) {
        assert_entry(b, i, 0, 0, 0);
    }
    assert_field(b, LW_F_PWST_STATE, 0, READ);
    assert_field(b, LW_F_PWST_STATE, 1, READ);

    /* (b): the claim takes effect two cycles after the commit. Walker 1 has looked at Req1 in vain
     * (R5.20, R5.10), asks again and gives it back (R5.7). */
    step_until(b, LW_F_PWST_STATE, 0, MEM);
    assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, COMMIT);
    assert_field(b, LW_F_BUFFER_NEAR_CLAIM, 1, 1);
    assert_field(b, LW_F_BUFFER_NEAR_CLAIM, 2, 1);
    assert_field(b, LW_F_BUFFER_NEAR_LEVEL, 1, 0);
    assert_field(b, LW_F_PWST_STATE, 1, CAM);
    assert_field(b, LW_F_PWST_TRIED, 1, 1);
    assert_field(b, LW_F_PWST_SLOT, 1, 1);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_NEAR_CLAIM, 1, 0);
    assert_field(b, LW_F_ASK_ASK_VALID, 0, 1);
    assert_field(b, LW_F_ASK_ASK_WALKER, 0, 1);
    assert_field(b, LW_F_ASK_ASK_SLOT, 0, 1);
    assert_field(b, LW_F_PWST_STATE, 1, READ);
    assert_field(b, LW_F_BUFFER_CL, 2, 4);
    bench_step(b);
    assert_field(b, LW_F_READ_READ_VALID, 0, 1);
    assert_field(b, LW_F_READ_READ_NEAR, 0, 0);
    assert_field(b, LW_F_READ_READ_CL, 0, 4);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_VALID, 0, 0);
    assert_field(b, LW_F_BUFFER_VPN, 0, 0);
    assert_walker(b, 0, req[0], 4, b->root[PASID]);
    assert_field(b, LW_F_PWST_STATE, 1, IDLE);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_GIVEN_BACK), 1);
    for (uint32_t i = 1; i < 3; i++) {
        assert_entry(b, i, 4, 0, 0);
        assert_field(b, LW_F_BUFFER_PICKED, i, 0);
    }

    /* after the scans at levels 4 and 3 */
    for (uint32_t level = 4; level >= 3; level--) {
        step_until(b, LW_F_BUFFER_PL, 1, level);
        const uint64_t node = node_of(b, req[0], level - 1);
        assert_walker(b, 0, req[0], level - 1, node);
        assert_field(b, LW_F_PWST_STATE, 0, MEM); /* the next line is asked for already */
        assert_field(b, LW_F_PWST_STATE, 1, IDLE);
        for (uint32_t i = 1; i < 3; i++) {
            assert_entry(b, i, level - 1, level, node);
            assert_field(b, LW_F_STORED_PTE_STORED_PTE_PERM, bench_learnt(b, i), 3);
            assert_field(b, LW_F_STORE_STORED_PERM, bench_learnt(b, i) / 8, 3);
        }
    }

    /* (c) */
    step_until(b, LW_F_BUFFER_PL, 1, 2);
    assert_entry(b, 1, 1, 2, node_of(b, req[1], 1));
    assert_entry(b, 2, 0, 2, node_of(b, req[2], 1));
    assert_walker(b, 0, req[0], 1, node_of(b, req[0], 1));
    assert_field(b, LW_F_BUFFER_PICKED, 2, 0);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_PICKED, 2, 1);
    assert_field(b, LW_F_ASK_ASK_VALID, 0, 1);
    assert_field(b, LW_F_ASK_ASK_SLOT, 0, 2);
    step_until(b, LW_F_PWST_STATE, 1, MEM);
    assert_walker(b, 1, req[2], 1, node_of(b, req[2], 1));
    assert_field(b, LW_F_BUFFER_VALID, 2, 0);
    assert_entry(b, 1, 1, 2, node_of(b, req[1], 1));

    /* (d) */
    step_until(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
    assert_field(b, LW_F_ANSWER_ANSWER_BASE, 0, pfn[0]);
    assert_field(b, LW_F_PWST_STATE, 0, IDLE);
    step_until(b, LW_F_BUFFER_DONE, 1, 1);
    assert_field(b, LW_F_BUFFER_CL, 1, 0);
    assert_field(b, LW_F_BUFFER_PL, 1, 2);
    assert_field(b, LW_F_STORED_PTE_STORED_FRAME, bench_learnt(b, 1), pfn[1]);
    assert_field(b, LW_F_STORE_STORED_LEVEL, bench_learnt(b, 1) / 8, 1);

    bench_drain(b);
    assert_int_equal(b->accesses, 5);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_PAGE_TABLE_ACCESSES), 5);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_WALKS), 2);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS), 1);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_LEVELS), 3);
    pair_done(&both);
}

/* The chapter's table from its cycle FIRST on, a letter a cycle. Walkers: R is RD, C CAM, Q REQ, M
 * MEM and - IDLE; of entries v is there, P picked, D done and - gone. */
enum { FIRST = 4 };

typedef struct row {
    const char *is;
    uint32_t number;
    const char *cycles;
} row;

static const row table[] = {
    {"walker", 0, "-RRQMMMMMMQMMMMMMQMMMMMMQMMMMMM---"},
    {"walker", 1, "--RRCRR--------------------RRQMMMM"},
    {"level", 0, "   4444444333333322222221111111   "},
    {"scan", 0, ".........4......3......2......1..."},
    {"entry", 0, "vPP-------------------------------"},
    {"entry", 1, "-vPPPPPvvvvvvvvvvvvvvvvvvvvvvvvvvD"},
    {"entry", 2, "--vvvvvvvvvvvvvvvvvvvvvvvvvPP-----"},
    {"CL", 1, "     44444443333333222222211111110"},
    {"CL", 2, "     444444433333332222222000     "},
    {"PL", 1, "     00000004444444333333322222222"},
    {"PL", 2, "     000000044444443333333222     "},
};

static char entry_letter(const bench *b, uint32_t slot) {
    if (bench_peek(b, LW_F_BUFFER_VALID, slot) == 0) {
        return '-';
    }
    if (bench_peek(b, LW_F_BUFFER_DONE, slot) != 0) {
        return 'D';
    }
    return bench_peek(b, LW_F_BUFFER_PICKED, slot) != 0 ? 'P' : 'v';
}

/* What stands there now of this row. */
static char letter(const bench *b, const row *r) {
    if (strcmp(r->is, "walker") == 0) {
        return "-R??CQM?"[bench_peek(b, LW_F_PWST_STATE, r->number)];
    }
    if (strcmp(r->is, "level") == 0) {
        return (char)('0' + bench_peek(b, LW_F_PWST_LEVEL, r->number));
    }
    if (strcmp(r->is, "scan") == 0) {
        const bool line = bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0;
        return (char)(line ? '0' + bench_peek(b, LW_F_PWST_LEVEL, r->number) : '.');
    }
    if (strcmp(r->is, "entry") == 0) {
        return entry_letter(b, r->number);
    }
    const lw_field f = strcmp(r->is, "CL") == 0 ? LW_F_BUFFER_CL : LW_F_BUFFER_PL;
    return (char)('0' + bench_peek(b, f, r->number));
}

static void test_cycles(void **state) {
    (void)state;
    pair both;
    bench *b = begin(&both, 4, MODE_FULL);
    bench_steps(b, FIRST - 3);
    for (size_t c = 0; table[0].cycles[c] != '\0'; c++) {
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            const row *r = &table[i];
            if (r->cycles[c] != ' ' && r->cycles[c] != letter(b, r)) {
                fail_msg("cycle %zu: %s %u is %c, not %c", FIRST + c, r->is, r->number,
                         letter(b, r), r->cycles[c]);
            }
        }
        bench_step(b);
    }
    bench_drain(b);
    assert_int_equal(b->accesses, 5);
    pair_done(&both);
}

/* The same requests without coalescing: 12 accesses. */
static void test_without(void **state) {
    (void)state;
    pair both;
    bench *b = begin(&both, 10, 0);
    bench_drain(b);
    assert_int_equal(b->accesses, 12);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure8),
                                       cmocka_unit_test(test_cycles),
                                       cmocka_unit_test(test_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
