/* From the insertion register to a walker (R4.2, R5.2, R5.3, R5.10): free slots, the rounds of a
 * pick, candidates that are held, released and dropped. */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_OFF = 0, MODE_LEAF = 1 };

/* Pages this far apart share no line below level 3. */
#define FAR (UINT64_C(1) << 18)

/* Figure 8's hardware. */
static lw_params two_walkers(void) {
    lw_params hw = bench_nha;
    hw.walkers = 2;
    return hw;
}

static void offer_all(bench *b, const uint64_t *page, uint32_t pages) {
    for (uint32_t i = 0; i < pages; i++) {
        bench_offer(b, &(bench_page){PASID, 0, page[i]});
        bench_step(b);
    }
}

/* A place of ROUND1 or ROUND2 and the one after it, from its FOUND on. */
static void assert_place(const bench *b, lw_field found, uint32_t place, uint32_t age, bool next) {
    assert_field(b, found, place, 1);
    assert_field(b, found + 1, place, 0); /* all slots of these tests are low */
    assert_field(b, found + 2, place, age);
    assert_field(b, found, place + 1, next);
}

/* R5.2: requests of cycles 0 to 2 are eligible from 6 on. The first pick finds one of them, the
 * second the two others, whose candidates follow each other. */
static void test_rounds(void **state) {
    (void)state;
    enum { YOUNG = 0x100 }; /* in the block of NEXT_SEQ - 1 */
    static const uint64_t page[] = {0, FAR, 2 * FAR};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 30;
    for (uint32_t i = 0; i < 3; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_OFF, false, false);
    const uint64_t begin = b->cycle;
    offer_all(b, page, 3);
    for (uint32_t pick = 0; pick < 2; pick++) {
        bench_steps(b, (uint32_t)(begin + 7 + UINT64_C(4) * pick - b->cycle));
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 1);
        assert_place(b, LW_F_ROUND1_ROUND1_FOUND, pick, YOUNG + pick, pick == 1);
        bench_step(b);
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 2);
        assert_place(b, LW_F_ROUND2_ROUND2_FOUND, pick, YOUNG + pick, pick == 1);
        bench_step(b);
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 3);
        assert_field(b, LW_F_ROUND2_OLDER, pick, 0);
        assert_field(b, LW_F_ROUND2_OLDER, 2, pick == 1 ? 1u << 1 : 0);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 0);
        bench_step(b);
        assert_field(b, LW_F_PICK_PICK_STEP, 0, pick == 1 ? 3 : 0);
        assert_field(b, LW_F_ROUND2_ROUND2_FOUND, pick, 0);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 1);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, pick);
    }
    bench_steps(b, 2); /* held, and asks for the second walker */
    assert_field(b, LW_F_ASK_ASK_FOR, 0, 1);
    assert_field(b, LW_F_ASK_ASK_WALKER, 0, 1);
    assert_field(b, LW_F_ASK_ASK_SLOT, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 2);
    assert_field(b, LW_F_ROUND2_ROUND2_FOUND, 2, 0);
    assert_field(b, LW_F_PICK_PICK_STEP, 0, 0);
    bench_drain(b);
    pair_done(&both);
}

/* Both walkers are busy while a neighbour of the first one's page is held; the first one's access
 * at level 1 claims it: it is released, and its neighbour's line answers it. */
static void test_released(void **state) {
    (void)state;
    static const uint64_t page[] = {0, FAR, 1};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 30;
    for (uint32_t i = 0; i < 3; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_LEAF, false, false);
    offer_all(b, page, 3);
    for (int n = 0; bench_peek(b, LW_F_BUFFER_CL, 2) != 1; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 2);
    assert_field(b, LW_F_BUFFER_PICKED, 2, 1);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 0);
    assert_field(b, LW_F_BUFFER_PICKED, 2, 0);
    bench_drain(b);
    assert_int_equal(b->accesses, 8);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_GIVEN_BACK), 0);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS), 1);
    pair_done(&both);
}

/* The candidate waits for a walker, asks in the cycle in which one is IDLE, is read in the next and
 * taken in the one after it. */
static void test_waits(void **state) {
    (void)state;
    static const uint64_t page[] = {0, FAR, 2 * FAR, 3 * FAR};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    for (uint32_t i = 0; i < 4; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_OFF, false, false);
    offer_all(b, page, 4);
    for (int n = 0; bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0) == 0; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_STATE, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 2);
    assert_field(b, LW_F_PICK_PICK_STEP, 0, 3); /* the next one is known already */
    bench_step(b);
    assert_field(b, LW_F_ASK_ASK_FOR, 0, 1);
    assert_field(b, LW_F_ASK_ASK_WALKER, 0, 0);
    assert_field(b, LW_F_ASK_ASK_SLOT, 0, 2);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 3);
    bench_step(b);
    assert_field(b, LW_F_ASK_ASK_FOR, 0, 0);
    assert_field(b, LW_F_READ_READ_FOR, 0, 1);
    assert_field(b, LW_F_READ_READ_WALKER, 0, 0);
    assert_field(b, LW_F_READ_READ_SLOT, 0, 2);
    assert_field(b, LW_F_READ_READ_VPN, 0, page[2]);
    assert_field(b, LW_F_PWST_STATE, 0, 0);
    bench_step(b);
    assert_field(b, LW_F_READ_READ_FOR, 0, 0);
    assert_field(b, LW_F_PWST_STATE, 0, 3);
    assert_field(b, LW_F_PWST_SLOT, 0, 2);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 3);
    bench_drain(b);
    pair_done(&both);
}

/* R4.2: of a buffer of four, filled by the requests of cycles 0 to 3, the first commit frees slot
 * 0 in cycle 16; the fifth request transfers in 18. */
static void test_free_slot(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.buffer_entries = 4;
    hw.walkers = 1;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint64_t i = 0; i < 5; i++) {
        bench_map(&b, 0, i * FAR, i + 1);
    }
    b.latency = 30;
    bench_enable(&b, MODE_OFF, false, false);
    static const uint8_t slot[] = {0, 0, 0, 0, 1, 2};
    for (uint32_t t = 0; t < 25; t++) {
        if (t < 5) {
            bench_offer(&b, &(bench_page){0, 0, t * FAR});
        }
        const uint32_t full = t < 18 ? 3 : 0;
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CONTROL_FREE_SLOT, 0),
                         t < sizeof slot ? slot[t] : full);
        for (uint32_t i = 0; i < 4; i++) {
            const bool gone = i == 0 && t >= 17 && t < 22;
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_VALID, i), t >= 4 + i && !gone);
        }
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(b.out.req_ready, t < 4 || t == 18);
        bench_step(&b);
    }
    assert_int_equal(bench_peek(&b, LW_F_BUFFER_SEQ, 0), 4);
    bench_drain(&b);
    bench_done(&b);
}

/* ---------------------------------------------------------------- in random streams */

enum { SLOTS_MAX = 512, PLACES1_MAX = 128, PLACES2_MAX = 16 };

typedef struct place {
    uint32_t found, slot, age; /* slot: the whole of it; no padding, as they are compared */
} place;

/* What the pick judges and what it keeps. */
typedef struct view {
    uint32_t step, places1, places2;
    place open[SLOTS_MAX]; /* eligible, and not in the candidate register */
    place round1[PLACES1_MAX], round2[PLACES2_MAX];
    uint32_t older[PLACES2_MAX], free_slot, slot;
    bool valid, held, cut, eligible; /* of the candidate register and the entry in it */
    bool asks;                       /* for a walker, in the cycle before */
} view;

typedef struct seen {
    uint64_t held, dropped, released, freed, picks, given, ordered;
} seen;

static uint64_t control(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

static bool is_cut(const bench *b, uint32_t slot) {
    return bench_peek(b, LW_F_BUFFER_CL, slot) != 0 || bench_peek(b, LW_F_BUFFER_DONE, slot) != 0;
}

/* R5.1 */
static bool is_eligible(const bench *b, uint32_t slot) {
    return bench_peek(b, LW_F_BUFFER_VALID, slot) != 0 && !is_cut(b, slot) &&
           bench_peek(b, LW_F_BUFFER_PICKED, slot) == 0;
}

/* A place of ROUND1 or ROUND2, of which there are so many, from its FOUND on. */
static place place_of(const bench *b, lw_field found, uint32_t i, uint32_t places) {
    const uint32_t slot = (uint32_t)bench_peek(b, found + 1, i) * places + i;
    return (place){.found = bench_peek(b, found, i) != 0,
                   .slot = bench_peek(b, found, i) != 0 ? slot : 0,
                   .age = (uint32_t)bench_peek(b, found + 2, i)};
}

static void look(const bench *b, view *v) {
    const uint32_t entries = b->hw.buffer_entries;
    memset(v, 0, sizeof *v);
    v->step = (uint32_t)control(b, LW_F_PICK_PICK_STEP);
    v->places1 = entries / 4;
    v->places2 = entries < 32 ? 1 : entries / 32;
    v->free_slot = (uint32_t)control(b, LW_F_BUFFER_CONTROL_FREE_SLOT);
    v->slot = (uint32_t)control(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT);
    v->valid = control(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID) != 0;
    v->held = control(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD) != 0;
    v->cut = is_cut(b, v->slot);
    v->eligible = is_eligible(b, v->slot);
    v->asks = control(b, LW_F_ASK_ASK_FOR) == 1;
    const uint32_t last = (uint32_t)control(b, LW_F_BUFFER_CONTROL_NEXT_SEQ) - 1;
    for (uint32_t i = 0; i < entries; i++) {
        const uint32_t seq = (uint32_t)bench_peek(b, LW_F_BUFFER_SEQ, i);
        const bool young = (seq ^ last) / entries % 4 == 0;
        if (is_eligible(b, i) && !(v->valid && i == v->slot)) {
            v->open[i] = (place){1, i, young * entries + seq % entries};
        }
    }
    for (uint32_t i = 0; i < v->places1; i++) {
        v->round1[i] = place_of(b, LW_F_ROUND1_ROUND1_FOUND, i, v->places1);
    }
    for (uint32_t i = 0; i < v->places2; i++) {
        v->round2[i] = place_of(b, LW_F_ROUND2_ROUND2_FOUND, i, v->places2);
        v->older[i] = (uint32_t)bench_peek(b, LW_F_ROUND2_OLDER, i);
    }
}

/* The oldest of those of `from` that lie `step` apart, from the first on. */
static place oldest(const place *from, uint32_t first, uint32_t step, uint32_t count) {
    place best = {0};
    for (uint32_t i = first; i < count; i += step) {
        if (from[i].found && (!best.found || from[i].age < best.age)) {
            best = from[i];
        }
    }
    return best;
}

/* A round's step, on what stands at the beginning of a cycle. */
static void expect_round(const bench *b, view *v, seen *s) {
    switch (v->step) {
    case 0:
        if (!oldest(v->open, 0, 1, b->hw.buffer_entries).found) {
            return;
        }
        for (uint32_t g = 0; g < v->places1; g++) {
            v->round1[g] = oldest(v->open, g, v->places1, b->hw.buffer_entries);
        }
        s->picks++;
        break;
    case 1:
        for (uint32_t h = 0; h < v->places2; h++) {
            v->round2[h] = oldest(v->round1, h, v->places2, v->places1);
        }
        break;
    default:
        for (uint32_t h = 0; h < v->places2; h++) {
            v->older[h] = 0;
            for (uint32_t i = 0; i < v->places2; i++) {
                const bool older = v->round2[i].found && v->round2[i].age < v->round2[h].age;
                v->older[h] |= (uint32_t)(older && v->round2[h].found) << i;
            }
            s->ordered += v->older[h] != 0;
        }
        break;
    }
    v->step++;
}

/* R5.2, R5.3, R5.10: what the pick becomes, when the candidate asks or not. */
static void expect_pick(const bench *b, view *v, bool asks, seen *s) {
    const bool leaves = v->valid && (asks || (v->held ? v->cut : !v->eligible));
    const bool gives = v->step == 3 && (!v->valid || leaves);
    s->held += v->valid && !v->held && !leaves;
    s->dropped += v->valid && !v->held && leaves;
    s->released += v->held && leaves && !asks;
    if (v->step < 3) {
        expect_round(b, v, s);
    }
    v->held = v->valid && !leaves;
    v->valid = v->valid && !leaves;
    if (gives) {
        const place next = oldest(v->round2, 0, 1, v->places2);
        v->valid = true;
        v->slot = next.slot;
        v->round2[next.slot % v->places2] = (place){0};
        v->older[next.slot % v->places2] = 0; /* no longer shown */
        v->step = oldest(v->round2, 0, 1, v->places2).found ? 3 : 0;
        s->given++;
    }
}

/* R4.2 */
static void expect_free_slot(const bench *b, view *v, seen *s) {
    const uint32_t was = v->free_slot;
    const bool inserts = control(b, LW_F_BUFFER_CONTROL_MISS_VALID) != 0;
    assert_true(!inserts || bench_peek(b, LW_F_BUFFER_VALID, was) == 0);
    for (uint32_t i = b->hw.buffer_entries; i-- > 0;) {
        const bool open = bench_peek(b, LW_F_BUFFER_VALID, i) == 0 && !(inserts && i == was);
        v->free_slot = open ? i : v->free_slot;
    }
    s->freed += v->free_slot != was;
}

static void watched_cycle(bench *b, seen *s) {
    view want, got;
    look(b, &want);
    expect_free_slot(b, &want, s);
    bench_random_cycle(b, true);
    look(b, &got);
    expect_pick(b, &want, got.asks, s);
    assert_int_equal(got.free_slot, want.free_slot);
    assert_int_equal(got.valid, want.valid);
    assert_int_equal(got.held, want.held);
    assert_int_equal(got.slot, want.slot);
    assert_int_equal(got.step, want.step);
    assert_memory_equal(got.round1, want.round1, sizeof got.round1);
    assert_memory_equal(got.round2, want.round2, sizeof got.round2);
    if (got.step == 3) {
        assert_memory_equal(got.older, want.older, sizeof got.older);
    }
}

/* The rounds' registers are kept for a state net. */
static void nobody(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_streams(void **state) {
    (void)state;
    seen s = {0};
    for (uint32_t seed = 0; seed < 14; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 4u << seed % 8;
        hw.walkers = 1 + seed % 3;
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, nobody, NULL);
        bench_pool(&b, 400, 2, 0);
        b.jitter = 20;
        bench_enable(&b, MODE_LEAF + seed % 2, seed % 3 != 0, false);
        for (uint32_t c = 0; c < 3000; c++) {
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(s.held > 1000 && s.dropped > 10 && s.released > 10 && s.freed > 1000);
    assert_true(s.picks > 500 && s.given > s.picks && s.ordered > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),  cmocka_unit_test(test_released),
        cmocka_unit_test(test_waits),   cmocka_unit_test(test_free_slot),
        cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
