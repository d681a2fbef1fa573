/* Which answer is chosen and its way to the port (R10.1 to R10.5, R10.11 to R10.14): each cycle of
 * random streams against the rules, from what stands in the registers at its beginning and end. */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_FULL = 2, IDLE = 0, MEM = 6, RESP = 7, NONE = -1, SLOTS_MAX = 32, TYPE_ALL = 3 };

typedef struct seen {
    uint64_t walker_first; /* a walker was chosen while an entry was ready */
    uint64_t read_first;   /* a walker was chosen while an entry was being read */
    uint64_t no_gap;       /* ... and an entry in the cycle in which it was loaded */
    uint64_t full;         /* the walk queue's places were all taken or promised */
    uint64_t late;         /* an entry was done that was not of the batch, and waited */
    uint64_t kept;         /* a batch began without the entry that was ready */
    uint64_t straight;     /* a scan's answer was chosen at once */
    uint64_t passed;       /* an answer went past the empty queue */
    uint64_t batches;
    uint64_t older;     /* an answer of an EPOCH that is over by then */
    uint64_t overtaken; /* an entry was chosen while another's answer was known before its own */
} seen;

/* By slot, from when on it could be answered and from when on its turn is fixed; 0 for not. */
typedef struct waiting {
    uint32_t cycle, since[SLOTS_MAX], batched[SLOTS_MAX];
} waiting;

typedef struct view {
    uint64_t batch, done, ready; /* by slot; done: DONE=1 and PICKED=0 */
    int32_t walker;              /* the oldest in RESP */
    bool reading, room, chosen_entry, walker_next;
    uint32_t ready_slot, reading_slot, used;
    int32_t scanned; /* the walker whose line is scanned */
    bool epoch, reading_epoch;
} view;

static view look(const bench *b) {
    view v = {.walker = NONE};
    uint64_t in_resp = 0;
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        in_resp |= (uint64_t)(bench_peek(b, LW_F_PWST_STATE, i) == RESP) << i;
    }
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        const bool oldest = (bench_peek(b, LW_F_ORDER_AHEAD, i) & in_resp) == 0;
        v.walker = (in_resp >> i & 1) != 0 && oldest ? (int32_t)i : v.walker;
    }
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        const bool done = bench_peek(b, LW_F_BUFFER_DONE, i) != 0;
        v.batch |= bench_peek(b, LW_F_BUFFER_BATCH, i) << i;
        v.done |= (uint64_t)(done && bench_peek(b, LW_F_BUFFER_PICKED, i) == 0) << i;
    }
    const uint32_t tag = (uint32_t)bench_peek(b, LW_F_WALK_MEMORY_LINE_TAG, 0);
    const bool line = bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0;
    v.scanned = line && bench_peek(b, LW_F_PWST_STATE, tag) == MEM ? (int32_t)tag : NONE;
    v.ready_slot = (uint32_t)bench_peek(b, LW_F_BUFFER_CONTROL_READY_SLOT, 0);
    v.ready = bench_peek(b, LW_F_BUFFER_CONTROL_READY, 0) << v.ready_slot;
    v.reading = bench_peek(b, LW_F_BUFFER_CONTROL_READING, 0) != 0;
    v.reading_slot = (uint32_t)bench_peek(b, LW_F_BUFFER_CONTROL_READING_SLOT, 0);
    v.used = (uint32_t)bench_peek(b, LW_F_RESPONSE_WALK_USED, 0);
    v.room = v.used < b->hw.walk_queue;
    v.chosen_entry = bench_peek(b, LW_F_CHOICE_CHOSEN_ENTRY, 0) != 0;
    v.walker_next = bench_peek(b, LW_F_CHOICE_WALKER_NEXT, 0) != 0;
    v.epoch = bench_peek(b, LW_F_INVALIDATION_EPOCH, 0) != 0;
    v.reading_epoch = bench_peek(b, LW_F_BUFFER_CONTROL_READING_EPOCH, 0) != 0;
    return v;
}

static void count(const view *v, bool walker, seen *s) {
    s->walker_first += walker && v->ready != 0;
    s->full += !v->room && (v->walker != NONE || v->ready != 0);
    s->late += v->batch != 0 && (v->done & ~v->batch & ~v->ready) != 0;
    s->kept += v->batch == 0 && v->ready != 0 && (v->done & ~v->ready) != 0;
    s->batches += v->batch == 0 && (v->done & ~v->ready) != 0;
}

/* Batches and the ready register (R10.3). */
static void check_ready(const view *before, const view *after, bool chosen) {
    const bool loads = before->ready == 0 || chosen;
    const uint64_t lowest = loads ? before->batch & -before->batch : 0;
    assert_true(after->batch ==
                (before->batch != 0 ? before->batch & ~lowest : before->done & ~before->ready));
    assert_true(after->ready == (loads ? lowest : before->ready));
    assert_true(lowest != 0 || after->ready_slot == before->ready_slot);
}

/* Chapter 0, Order: whose answer is known when a batch is formed is passed by nobody whose answer
 * becomes known later. In the order of their answers alone they do not leave. */
static void check_order(waiting *w, const view *v, bool chosen, seen *s) {
    w->cycle++;
    for (uint32_t i = 0; i < SLOTS_MAX; i++) {
        const bool done = (v->done >> i & 1) != 0;
        const bool batched = ((v->batch | v->ready) >> i & 1) != 0;
        w->since[i] = !done ? 0 : w->since[i] != 0 ? w->since[i] : w->cycle;
        w->batched[i] = !done || !batched ? 0 : w->batched[i] != 0 ? w->batched[i] : w->cycle;
    }
    const uint32_t since = chosen ? w->since[v->ready_slot] : 0;
    for (uint32_t i = 0; i < SLOTS_MAX; i++) {
        if (w->since[i] != 0 && w->since[i] < since) {
            assert_true(since < w->batched[i]);
            s->overtaken++;
        }
    }
}

static void watched_cycle(bench *b, waiting *w, seen *s) {
    const view before = look(b);
    /* R10.1, R10.12 */
    const bool may = before.walker != NONE && !before.walker_next;
    const bool both = may && before.ready != 0;
    const bool turn = before.room && may && (!both || before.chosen_entry);
    const bool entry = before.room && before.ready != 0 && (!both || !before.chosen_entry);
    /* R10.2 */
    const bool defers = turn && before.reading;
    const bool waited = before.walker_next || (turn && !before.reading);
    /* R10.13, if the scan ends the walk */
    const bool straight = before.room && before.walker == NONE && before.ready == 0 &&
                          !before.reading && before.scanned != NONE;
    const uint32_t from = (uint32_t)(waited ? before.walker : before.scanned);
    const uint64_t id = waited || straight ? bench_peek(b, LW_F_PWST_ID, from) : 0;
    const bool entering = bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0) != 0;
    const uint64_t count_before = bench_peek(b, LW_F_RESPONSE_WALK_COUNT, 0);
    const uint64_t answers = lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS);
    bench_random_cycle(b, true);
    const view after = look(b);

    /* the choice (R10.1, R10.3); a scan that goes on leaves its walker at work */
    const uint64_t state = waited || straight ? bench_peek(b, LW_F_PWST_STATE, from) : IDLE;
    const bool walker = waited || (straight && state == IDLE);
    const bool chosen = turn || entry || (straight && state == IDLE);
    assert_int_equal(bench_peek(b, LW_F_CHOICE_CHOSEN, 0), chosen);
    assert_int_equal(after.chosen_entry, chosen ? entry : before.chosen_entry); /* R10.12 */
    assert_int_equal(after.reading, entry);
    assert_int_equal(after.walker_next, defers);
    assert_true(!entry || after.reading_slot == before.ready_slot);
    assert_true(!waited || state == IDLE); /* R7.6 */
    assert_true(!straight || state != RESP);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS), answers + entry);
    check_ready(&before, &after, entry);
    check_order(w, &before, entry, s);

    /* the way (R10.2) */
    assert_int_equal(bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0), walker || before.reading);
    assert_true(!walker || bench_peek(b, LW_F_ANSWER_ANSWER_ID, 0) == id);
    /* R10.11 */
    assert_true(!entry || after.reading_epoch == before.epoch);
    const bool epoch = before.reading ? before.reading_epoch : before.epoch;
    const bool loaded = walker || before.reading;
    assert_true(!loaded || bench_peek(b, LW_F_ANSWER_ANSWER_EPOCH, 0) == epoch);
    s->older += before.reading && before.reading_epoch != before.epoch;
    const uint64_t count_after = bench_peek(b, LW_F_RESPONSE_WALK_COUNT, 0);
    const uint64_t popped = count_before + entering - count_after;
    assert_true(popped <= 1);
    assert_int_equal(after.used, before.used + chosen - popped);
    assert_true(after.used <= b->hw.walk_queue && count_after <= after.used);
    s->read_first += defers;
    s->no_gap += before.walker_next && entry;
    s->straight += straight && walker;
    s->passed += entering && count_before == 0 && count_after == 0;
    count(&before, walker, s);
}

/* Chapter 0's life of a coalesced miss: a neighbour's line is scanned in cycle s, its walker's own
 * answer is chosen in that cycle, and the entry's response is valid in s+8. */
static void test_way(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x100, 1);
    bench_map(&b, 0, 0x101, 2);
    bench_enable(&b, MODE_FULL, false, false);
    bench_offer(&b, &(bench_page){0, 0, 0x100});
    bench_step(&b);
    bench_offer(&b, &(bench_page){0, 0, 0x101});
    for (int n = 0; bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0) == 0; n++) {
        assert_true(n < 1000);
        bench_step(&b);
    }
    for (uint32_t t = 1; t < 11; t++) { /* t = 0: the scan */
        assert_int_equal(bench_peek(&b, LW_F_SEARCH_SEARCH_OP, 0), t == 1);
        assert_int_equal(bench_peek(&b, LW_F_UPDATE_UPDATE_OP, 0), t == 2);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_VALID, 1), t <= 5);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_DONE, 1), t >= 3 && t <= 5);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_BATCH, 1), t == 4);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CONTROL_READY, 0), t == 5);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CONTROL_READING, 0), t == 6);
        /* the walker's own goes before it */
        assert_int_equal(bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0), t == 1 || t == 7);
        assert_int_equal(bench_peek(&b, LW_F_FILL_FILL_VALID, 0), t == 2 || t == 8);
        assert_int_equal(bench_peek(&b, LW_F_PLACE_PLACE_VALID, 0), t == 3 || t == 9);
        assert_int_equal(bench_peek(&b, LW_F_RESPONSE_WALK_COUNT, 0), 0);
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(b.out.rsp_valid, t == 2 || t == 8);
        bench_step(&b);
    }
    bench_drain(&b);
    bench_done(&b);
}

static void test_streams(void **state) {
    (void)state;
    seen s = {0};
    enum { MARKED_FROM = 12, SEEDS = 15 }; /* the last with invalidations */
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS_MAX;
        hw.walkers = 2 + seed % 5;
        hw.walk_queue = 1 + seed % 4;
        hw.tlb_entries = hw.tlb_ways; /* so that most requests miss */
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 0);
        bench_pool_runs(&b, 12, 2); /* neighbours, so that lines answer entries */
        b.latency = 3;
        b.jitter = 6;
        b.response_not_ready = 20 * (seed % 3);
        bench_enable(&b, MODE_FULL, seed % 3 != 0, false);
        waiting w = {0};
        for (uint32_t c = 0; c < 6000; c++) {
            b.in.inv_valid = seed >= MARKED_FROM && c % 20 == 0;
            b.in.inv_type = TYPE_ALL;
            watched_cycle(&b, &w, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(s.walker_first > 50 && s.read_first > 50 && s.full > 50);
    assert_true(s.late > 50 && s.kept > 50 && s.batches > 50);
    assert_true(s.overtaken > 20);
    assert_true(s.straight > 50 && s.passed > 50 && s.no_gap > 50);

    assert_true(s.older > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_way), cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
