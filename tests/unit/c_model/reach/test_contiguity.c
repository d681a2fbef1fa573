/* The contiguity check (chapter 16): which heads join, for drawn frames; lines that nobody waits
 * for; what is dropped; the MSC's sets. */
#include "tests/unit/c_model/mesc_frames.h"

enum { PLACES = 8, NODE_PFN = BENCH_NODES };

typedef struct drawn {
    uint32_t bits, joins, place; /* C7..C0; i: the heads of i and i + 1 go on; x */
} drawn;

/* Heads alone: no other page of the frame is there. PS means nothing at level 1 (R1.6). */
static void map_heads(bench *b, uint64_t frame, const drawn *d, uint64_t pfn) {
    for (uint32_t i = 0; i < PLACES; i++) {
        const uint64_t vpn = frame + (uint64_t)i * PAGES;
        bench_map(b, PASID, vpn, pfn);
        *bench_pte(b, PASID, vpn, 1) |= i % 2 != 0 ? PS_ : 0;
        pfn += (d->joins >> i & 1) != 0 ? PAGES : PAGES + 2;
    }
    set_bits(b, PASID, frame, (uint64_t)d->bits * C_(0));
}

static bool has(uint32_t bits, uint32_t i) {
    return i < PLACES && (bits >> i & 1) != 0;
}

/* R16.5, R16.8 */
static uint32_t map_of(const drawn *d) {
    uint32_t map = 0;
    for (uint32_t i = 0; i + 1 < PLACES; i++) {
        map |= (uint32_t)(has(d->bits, i) && has(d->bits, i + 1) && has(d->joins, i)) << i;
    }
    return map;
}

static uint64_t pfn_at(const bench *b, uint64_t frame, uint32_t place) {
    const uint64_t node = *bench_pte((bench *)b, PASID, frame, 2) >> 12 & (BENCH_NODES - 1);
    return b->table[node * 512 + (uint64_t)place * PAGES] >> 12 & UINT64_C(0xfffffffff);
}

static void assert_joined(const bench *b, uint64_t frame, uint32_t first, uint32_t last) {
    const uint32_t base = partition_entry(b, frame, 0);
    uint32_t found = 0;
    for (uint32_t w = 0; w < b->hw.tlb_partition; w++) {
        if (bench_peek(b, LW_F_TLB_VALID, base + w) != 0 &&
            bench_peek(b, LW_F_TLB_TAG, base + w) == frame / PAGES + first) {
            assert_entry(b, base + w, 1, frame / PAGES + first, last - first,
                         pfn_at(b, frame, first));
            found++;
        }
    }
    assert_int_equal(found, 1);
}

/* R16.9, R16.19, R16.4: the frame's entry lies in its own set. */
static void assert_in_msc(const bench *b, uint64_t frame, uint32_t map) {
    const uint32_t sets = b->hw.msc_entries / b->hw.msc_ways;
    const uint32_t base = (uint32_t)(frame / 512 % sets) * b->hw.msc_ways;
    uint32_t found = 0;
    for (uint32_t w = 0; w < b->hw.msc_ways; w++) { /* the last that was touched */
        found += bench_peek(b, LW_F_MSC_RANK_RANK, base + w) == 0 &&
                 bench_peek(b, LW_F_MSC_VALID, base + w) != 0 &&
                 bench_peek(b, LW_F_MSC_TAG, base + w) == frame / 512 / sets &&
                 bench_peek(b, LW_F_MSC_PASID, base + w) == PASID &&
                 bench_peek(b, LW_F_MSC_MAP, base + w) == map;
    }
    assert_int_equal(found, 1);
}

/* R16.1, R16.5, R16.8, R16.10. */
static void test_joins(void **state) {
    (void)state;
    enum { FRAMES = 120, EACH = 20 };
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    b->latency = 1;
    for (uint32_t e = 0; e < b->hw.msc_entries; e++) { /* R3.4, R0.2 */
        assert_field(b, LW_F_MSC_RANK_RANK, e, e % b->hw.msc_ways);
    }
    bench_root(b, PASID);
    start(b);
    uint32_t joined = 0, alone = 0;
    for (uint32_t n = 0; n < FRAMES; n++) {
        const uint64_t drawn_bits = lw_rng_next(&b->rng);
        drawn d = {.bits = (drawn_bits | drawn_bits >> 8) & 0xff,
                   .joins = (drawn_bits >> 16 | drawn_bits >> 24) & 0xff,
                   .place = drawn_bits >> 32 & 7};
        d.bits |= 1u << d.place;
        const uint64_t frame = FRAME + UINT64_C(512) * n;
        map_heads(b, frame, &d, NODE_PFN + UINT64_C(0x1003) * n);
        const uint32_t map = map_of(&d);
        uint32_t first = d.place, last = d.place;
        while (first > 0 && has(map, first - 1)) {
            first--;
        }
        while (has(map, last)) {
            last++;
        }
        const bool asks = has(d.bits, d.place + 1) || (d.place > 0 && has(d.bits, d.place - 1));
        const uint64_t before = counter(b, LW_C_JOINED), checks = counter(b, LW_C_MSC_LOOKUPS);
        ask(b, frame + (uint64_t)d.place * PAGES + 5);
        settle(b);
        assert_int_equal(counter(b, LW_C_MSC_LOOKUPS) - checks, asks);
        assert_int_equal(counter(b, LW_C_JOINED) - before, first != last);
        assert_joined(b, frame, first, last);
        if (asks) {
            assert_field(b, LW_F_CHECK_MAP, 0, map);
            assert_in_msc(b, frame, map);
        }
        joined += first != last;
        alone += asks && first == last;
    }
    assert_true(joined > EACH && alone > 0);
    pair_done(&both);
}

/* R8.4, R16.7: of the heads only lines that are asked for and not yet got are the check's. */
static void test_stray_heads(void **state) {
    (void)state;
    enum { GOT = 1, LATE = 2, NEVER = 5 };
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    const drawn d = {.bits = 7, .joins = 7, .place = 0};
    map_heads(b, FRAME, &d, NODE_PFN);
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, FRAME});
    step_until(b, LW_F_CHECK_STATE, 0, READ);
    step_until(b, LW_F_CHECK_ASKED, 0, 1 << GOT | 1 << LATE);
    bench_step(b);
    assert_true(b->flight[hw.walkers + LATE].busy);
    b->flight[hw.walkers + LATE].due += 20;
    step_until(b, LW_F_CHECK_GOT, 0, 1 << GOT);
    static const uint32_t stray[] = {NEVER, GOT};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t tag = hw.walkers + stray[i];
        b->flight[tag].busy = true;
        b->flight[tag].early = false;
        b->flight[tag].line = 0;
        b->flight[tag].due = b->cycle;
        bench_steps(b, 2);
        assert_field(b, LW_F_CHECK_GOT, 0, 1 << GOT);
        assert_field(b, LW_F_CHECK_STATE, 0, READ);
        assert_int_equal(counter(b, LW_C_STRAY_LINES), i + 1);
    }
    bench_drain(b);
    settle(b);
    assert_int_equal(counter(b, LW_C_STRAY_LINES), 2);
    assert_int_equal(counter(b, LW_C_JOINED), 1);
    assert_joined(b, FRAME, 0, 2);
    pair_done(&both);
}

/* Runs until the check is over; the lines of the heads in `failed` come with the error bit. */
static void settle_failing(bench *b, uint32_t failed) {
    for (uint32_t c = 0; c < 200; c++) {
        b->errors = 0;
        for (uint32_t i = 0; i < PLACES; i++) {
            const uint32_t tag = b->hw.walkers + i;
            if (has(failed, i) && b->flight[tag].busy && b->flight[tag].due <= b->cycle) {
                b->errors = 100;
            }
        }
        bench_step(b);
    }
    assert_field(b, LW_F_CHECK_STATE, 0, IDLE);
}

/* R16.15: a head whose line came with the error bit joins with nobody, whatever the line holds. */
static void test_failed_heads(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    b->latency = 3;
    bench_root(b, PASID);
    start(b);
    const drawn d = {.bits = 0xff, .joins = 0xff, .place = 3};
    for (uint32_t failed = 0; failed < 1u << PLACES; failed++) {
        if (has(failed, d.place)) { /* that head is the answer's own */
            continue;
        }
        const uint64_t frame = FRAME + UINT64_C(512) * failed;
        map_heads(b, frame, &d, NODE_PFN);
        bench_offer(b, &(bench_page){PASID, 0, frame + (uint64_t)d.place * PAGES + 5});
        step_until(b, LW_F_CHECK_STATE, 0, READ);
        settle_failing(b, failed);
        uint32_t first = d.place, last = d.place;
        while (first > 0 && !has(failed, first - 1)) {
            first--;
        }
        while (last + 1 < PLACES && !has(failed, last + 1)) {
            last++;
        }
        assert_joined(b, frame, first, last);
        assert_in_msc(b, frame, 0x7f & ~(failed | failed >> 1));
    }
    pair_done(&both);
}

/* R16.2: of so many checks in as many cycles the first is under way, the third, which finds the
 * queue's place free again, waits, and the others are dropped. */
static void test_dropped(void **state) {
    (void)state;
    for (uint32_t frames = 3; frames < 7; frames++) {
        lw_params hw = mesc();
        hw.check_queue = 1;
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        b->latency = 60;
        const drawn d = {.bits = 3, .joins = 1, .place = 0};
        for (uint32_t i = 0; i < frames; i++) {
            map_heads(b, FRAME + UINT64_C(512) * i, &d, NODE_PFN + UINT64_C(0x1000) * i);
        }
        start(b);
        for (uint32_t i = 0; i < frames; i++) {
            bench_offer(b, &(bench_page){PASID, 0, FRAME + UINT64_C(512) * i});
            bench_step(b);
        }
        bench_drain(b);
        settle(b);
        assert_int_equal(counter(b, LW_C_CHECKS_DROPPED), frames - 2);
        assert_int_equal(counter(b, LW_C_CHECKS_MERGED), 0);
        assert_int_equal(counter(b, LW_C_JOINED), 2);
        pair_done(&both);
    }
}

/* R3.13, R16.10: a joined entry waits for a cycle in which no answer loads the fill register; one
 * that joins with nobody does not wait. In each cycle of random streams. */
static void insert_cycle(bench *b, uint32_t seen[3]) {
    const uint64_t vsn = bench_peek(b, LW_F_CHECK_VSN, 0), x = vsn % PLACES;
    const uint32_t map = (uint32_t)bench_peek(b, LW_F_CHECK_MAP, 0);
    const uint32_t bits = (uint32_t)bench_peek(b, LW_F_CHECK_BITS, 0);
    const bool inserts = bench_peek(b, LW_F_CHECK_STATE, 0) == INSERT;
    const bool fills = bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0) != 0 &&
                       bench_peek(b, LW_F_ANSWER_ANSWER_KIND, 0) == LW_OK;
    const uint64_t joined = counter(b, LW_C_JOINED);
    uint32_t first = (uint32_t)x, last = (uint32_t)x;
    while (first > 0 && has(map, first - 1) && has(bits, first - 1)) {
        first--;
    }
    while (has(map, last) && has(bits, last + 1)) {
        last++;
    }
    bench_random_cycle(b, true);
    if (!inserts) {
        return;
    }
    const bool waits = fills && first != last, joins = !fills && first != last;
    assert_field(b, LW_F_CHECK_STATE, 0, waits ? INSERT : IDLE);
    assert_int_equal(counter(b, LW_C_JOINED) - joined, joins);
    assert_field(b, LW_F_FILL_FILL_VALID, 0, fills || joins);
    if (joins) {
        assert_field(b, LW_F_FILL_FILL_CLASS, 0, 1);
        assert_field(b, LW_F_FILL_FILL_LENGTH, 0, last - first);
        assert_field(b, LW_F_FILL_FILL_VPN, 0, (vsn - x + first) * PAGES);
    }
    seen[0] += waits;
    seen[1] += joins;
    seen[2] += first == last;
}

static void test_insert(void **state) {
    (void)state;
    enum { CYCLES = 20000, SEEDS = 2 };
    uint32_t seen[3] = {0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = mesc();
        hw.coalesce = seed;
        hw.tlb_entries = hw.tlb_ways;
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        bench_pool(b, 300, 2, 0);
        b->latency = 1;
        b->jitter = 3;
        bench_enable(b, 2 * seed, true, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            insert_cycle(b, seen);
        }
        bench_drain(b);
        pair_done(&both);
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

static void invalidate(bench *b) {
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = PASID;
    bench_step(b);
}

static void assert_checks(const bench *b, uint64_t lookups, uint64_t merged) {
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), lookups);
    assert_int_equal(counter(b, LW_C_CHECKS_MERGED), merged);
    assert_int_equal(counter(b, LW_C_CHECKS_DROPPED), 0);
}

/* R16.2: a check of the subregion whose job is under way is merged; one that comes when that job is
 * over, or drains, is not, but has its own turn. */
static void test_merged(void **state) {
    (void)state;
    const lw_params hw = mesc();
    const drawn d = {.bits = 3, .joins = 1, .place = 0};
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    b->latency = 60;
    map_heads(b, FRAME, &d, NODE_PFN);
    start(b);
    for (uint64_t i = 1; i < 3; i++) {
        bench_offer(b, &(bench_page){PASID, 0, FRAME + i});
        bench_step(b);
    }
    bench_drain(b);
    settle(b);
    assert_checks(b, 1, 1);
    invalidate(b);
    step_until(b, LW_F_INVALIDATION_STATE, 0, IDLE);
    b->latency = 300;
    ask(b, FRAME + 3); /* over */
    step_until(b, LW_F_CHECK_ASKED, 0, 2);
    assert_checks(b, 2, 1);
    invalidate(b);
    step_until(b, LW_F_INVALIDATION_STATE, 0, INV_WALKS);
    assert_field(b, LW_F_CHECK_STATE, 0, DRAIN);
    b->latency = 1;
    ask(b, FRAME + 4); /* drains */
    assert_field(b, LW_F_CHECK_STATE, 0, DRAIN);
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 1);
    settle(b);
    assert_checks(b, 3, 1);
    assert_int_equal(counter(b, LW_C_JOINED), 2);
    pair_done(&both);
}

/* R16.2: a queued job that a mark has met merges nothing: the next check of its subregion has its
 * own turn. */
static void test_dead_job_merges_nothing(void **state) {
    (void)state;
    enum { OTHERS = 0xfe, SLOW = 400 };
    const lw_params hw = mesc();
    const drawn d = {.bits = 3, .joins = 1, .place = 0};
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    map_joined(b, OTHER_PASID, FRAME, 0x70000);
    map_heads(b, FRAME, &d, NODE_PFN);
    start(b);
    bench_offer(b, &(bench_page){OTHER_PASID, 0, FRAME});
    step_until(b, LW_F_CHECK_STATE, 0, LOOKUP);
    b->latency = SLOW; /* of its heads: it is under way until the end */
    step_until(b, LW_F_CHECK_ASKED, 0, OTHERS);
    b->latency = 1;
    ask(b, FRAME + 1);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_LIVE, 1, 1);
    invalidate(b);
    step_until(b, LW_F_INVALIDATION_STATE, 0, INV_WALKS);
    step_until(b, LW_F_INVALIDATION_STATE, 0, IDLE);
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 1);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_LIVE, 1, 0);
    ask(b, FRAME + 2);
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 2);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_LIVE, 2, 1);
    settle(b);
    assert_checks(b, 2, 0);
    assert_int_equal(counter(b, LW_C_JOINED), 2);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_failed_heads),
        cmocka_unit_test(test_stray_heads),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_insert),
        cmocka_unit_test(test_dead_job_merges_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
