/* Whom a line tells and whom an access claims (R4.5, R9.4), wherever in the buffer they stand. */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER = 5, MODE_FULL = 2, LEVELS = 4 };

/* Pages this far apart share no line but the root's. */
#define FAR (UINT64_C(1) << 27)

/* The slots of which a test has its entries are these and the next: R4.11. */
static const uint32_t firsts[] = {0, 70, 130, 253};
enum { FIRSTS = sizeof firsts / sizeof firsts[0] };

/* Walks that fault at the root, so many, have had the slots before. */
static void begin(pair *p, uint32_t walkers, uint32_t first, bool pwc) {
    lw_params hw = bench_nha;
    hw.walkers = walkers;
    pair_init(p, &hw, false);
    bench *b = &p->b;
    bench_root(b, PASID);
    bench_root(b, OTHER);
    bench_enable(b, MODE_FULL, pwc, false);
    b->latency = 1;
    for (uint32_t i = 0; i < first; i++) {
        bench_ask(b, OTHER, i * FAR, 0);
    }
    b->latency = 10;
}

static uint32_t slot_at(const bench *b, uint32_t n) {
    return ((uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0) + n) % b->hw.buffer_entries;
}

/* R4.5, R9.4: two walks whose lookups of the page walk cache overlap read the root's line both
 * (R5.24). The third has learnt from the first, so neither the second's claim, if that comes after
 * it, nor its line does anything to it. */
static void test_told_once(void **state) {
    (void)state;
    enum { THIRD = 2, LAST_GAP = 5, SCAN = 1, ADVANCE = 2 };
    uint32_t late = 0;
    for (uint32_t n = 0; n < LAST_GAP * FIRSTS; n++) {
        const uint32_t gap = 1 + n % LAST_GAP;
        pair both;
        begin(&both, 2, firsts[n / LAST_GAP], true);
        bench *b = &both.b;
        const uint64_t begun = b->cycle;
        const uint32_t slot = slot_at(b, THIRD);
        b->latency = 1;
        for (uint64_t i = 0; i <= THIRD; i++) {
            bench_map(b, PASID, i * FAR, 1 + i);
        }
        bench_offer(b, &(bench_page){PASID, 0, 0});
        bench_steps(b, gap);
        bench_offer(b, &(bench_page){PASID, 0, FAR});
        bench_step(b);
        bench_offer(b, &(bench_page){PASID, 0, THIRD * FAR});
        while (bench_peek(b, LW_F_BUFFER_PL, slot) == 0) {
            assert_true(b->cycle - begun < 100);
            bench_step(b);
        }
        const uint64_t line = bench_peek(b, LW_F_BUFFER_LINE, slot);
        uint32_t scans = 0;
        while (bench_peek(b, LW_F_BUFFER_PICKED, slot) == 0) {
            assert_true(b->cycle - begun < 200);
            assert_field(b, LW_F_BUFFER_PL, slot, LEVELS);
            assert_field(b, LW_F_BUFFER_LINE, slot, line);
            assert_field(b, LW_F_BUFFER_CL, slot, 0);
            const uint64_t op = bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0);
            scans += op == SCAN && bench_peek(b, LW_F_UPDATE_UPDATE_LEVEL, 0) == LEVELS;
            late += op == ADVANCE && bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM_LEVEL, 0) == LEVELS;
            bench_step(b);
        }
        assert_int_equal(scans, 1);
        const uint64_t accesses = b->accesses;
        bench_drain(b);
        assert_true(b->accesses - accesses <= LEVELS);
        pair_done(&both);
    }
    assert_true(late > 0);
}

enum { MEM = 6 };

/* Walker 0 waits for the leaf of page 0, for long. */
static void walk_to_its_leaf(bench *b) {
    const uint64_t begun = b->cycle;
    bench_offer(b, &(bench_page){PASID, 0, 0});
    while (bench_peek(b, LW_F_PWST_LEVEL, 0) != 1 || bench_peek(b, LW_F_PWST_STATE, 0) != MEM) {
        assert_true(b->cycle - begun < 200);
        bench_step(b);
    }
    b->latency = 300;
    bench_steps(b, 2);
}

/* R4.5, R9.7: an entry that waits for a low level is not claimed for a higher one, and goes on
 * waiting when a line of that level tells it a node; one whose access the low walk's PERM does not
 * grant is claimed for the higher one only, and waits no more when it is told. */
static void test_waits_for_the_lowest(void **state) {
    (void)state;
    enum { WRITE = 1 };
    for (uint32_t n = 0; n < FIRSTS; n++) {
        pair both;
        begin(&both, 2, firsts[n], false);
        bench *b = &both.b;
        const uint32_t waits = slot_at(b, 2), writes = slot_at(b, 3);
        for (uint64_t page = 0; page < 3; page++) {
            bench_map(b, PASID, page, 1 + page);
        }
        bench_map(b, PASID, FAR, 4);
        *bench_pte(b, PASID, 0, 2) &= ~RW_;
        walk_to_its_leaf(b);
        b->latency = 40; /* of the walk of FAR */
        bench_offer(b, &(bench_page){PASID, 0, FAR});
        bench_steps(b, 2); /* so that all are in the buffer when that one starts */
        bench_offer(b, &(bench_page){PASID, 0, 1});
        bench_step(b);
        bench_offer(b, &(bench_page){PASID, WRITE, 2});
        bench_steps(b, 4);
        for (uint32_t t = 0; bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0; t++) {
            assert_field(b, LW_F_BUFFER_CL, waits, 1);
            assert_field(b, LW_F_BUFFER_CL, writes, t < 2 ? 0 : LEVELS);
            bench_step(b);
        }
        assert_field(b, LW_F_WALK_MEMORY_LINE_TAG, 0, 1);
        bench_steps(b, 3);
        assert_field(b, LW_F_BUFFER_PL, waits, LEVELS);
        assert_field(b, LW_F_BUFFER_PL, writes, LEVELS);
        assert_field(b, LW_F_BUFFER_CL, waits, 1);
        assert_field(b, LW_F_BUFFER_CL, writes, 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R4.5: nor is it claimed for any of the levels in between, as a walk of the next node of level 1
 * comes down: it claims for each in turn, and none of its lines tells it anything. */
static void test_waits_for_the_lowest_of_all(void **state) {
    (void)state;
    enum { NEXT_NODE = 512 };
    for (uint32_t n = 0; n < FIRSTS; n++) {
        pair both;
        begin(&both, 2, firsts[n], false);
        bench *b = &both.b;
        const uint64_t begun = b->cycle;
        const uint32_t waits = slot_at(b, 2);
        uint32_t levels = 0;
        bench_map(b, PASID, 0, 1);
        bench_map(b, PASID, 1, 2);
        bench_map(b, PASID, NEXT_NODE, 3);
        walk_to_its_leaf(b);
        b->latency = 20;
        bench_offer(b, &(bench_page){PASID, 0, NEXT_NODE});
        bench_step(b);
        bench_offer(b, &(bench_page){PASID, 0, 1});
        bench_steps(b, 6);
        while (bench_peek(b, LW_F_PWST_STATE, 1) != MEM || bench_peek(b, LW_F_PWST_LEVEL, 1) != 1) {
            assert_true(b->cycle - begun < 400);
            assert_field(b, LW_F_BUFFER_CL, waits, 1);
            if (bench_peek(b, LW_F_PWST_STATE, 1) == MEM) {
                levels |= UINT32_C(1) << bench_peek(b, LW_F_PWST_LEVEL, 1);
            }
            bench_step(b);
        }
        assert_int_equal(levels, 1u << 4 | 1u << 3 | 1u << 2);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R9.5, R9.12, R9.15: whose own PTE is a fault learns nothing and walks alone, and a line that
 * teaches nobody is written where the next one will be; one that teaches keeps its place. */
static void test_fault_teaches_nothing(void **state) {
    (void)state;
    enum { SCAN = 1, TOLD = 3 }; /* the lines of levels 4 to 2 have told it */
    for (uint32_t n = 0; n < 2 * FIRSTS; n++) {
        const uint32_t present = n % 2;
        pair both;
        begin(&both, 1, firsts[n / 2], false);
        bench *b = &both.b;
        const uint64_t begun = b->cycle;
        const uint32_t slot = slot_at(b, 1);
        bench_map(b, PASID, 0, 0x111);
        if (present != 0) {
            bench_map(b, PASID, 1, 0x222);
        }
        bench_offer(b, &(bench_page){PASID, 0, 0});
        bench_step(b);
        bench_offer(b, &(bench_page){PASID, 0, 1});
        while (bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0) != SCAN ||
               bench_peek(b, LW_F_UPDATE_UPDATE_LEVEL, 0) != 1) {
            assert_true(b->cycle - begun < 200);
            bench_step(b);
        }
        assert_field(b, LW_F_BUFFER_CL, slot, 1);
        assert_field(b, LW_F_BUFFER_NEAR_LEVEL, slot, 1); /* R4.13, R4.14 */
        assert_field(b, LW_F_BUFFER_NEAR_POSITION, slot, 1);
        assert_field(b, LW_F_STORE_CONTROL_STORE_TAIL, 0, TOLD);
        bench_step(b);
        assert_field(b, LW_F_BUFFER_DONE, slot, present);
        assert_field(b, LW_F_BUFFER_ALONE, slot, present == 0);
        assert_field(b, LW_F_BUFFER_CL, slot, 0);
        assert_field(b, LW_F_BUFFER_PL, slot, 2);
        assert_field(b, LW_F_BUFFER_LINE, slot, present != 0 ? TOLD : TOLD - 1);
        assert_field(b, LW_F_STORE_CONTROL_STORE_TAIL, 0, present != 0 ? TOLD + 1 : TOLD);
        assert_field(b, LW_F_STORE_STORED_LEVEL, TOLD, 1);
        assert_field(b, LW_F_STORED_PTE_STORED_FRAME, 8 * TOLD, 0x111);
        bench_drain(b);
        /* R12.7: the first walk's line, whatever its neighbour's PTE is */
        assert_int_equal(lw_iommu_counter(b->u, LW_C_SAME_NEIGHBOURHOOD), 1);
        pair_done(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told_once),
                                       cmocka_unit_test(test_waits_for_the_lowest),
                                       cmocka_unit_test(test_waits_for_the_lowest_of_all),
                                       cmocka_unit_test(test_fault_teaches_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
