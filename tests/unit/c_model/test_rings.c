/* The queues as rings of places (R14.1), in random streams, in every cycle: a push writes the place
 * HEAD + COUNT modulo the depth and no other, a pop moves HEAD on by one, and what a place holds
 * stays when it is taken. */
#include "tests/unit/c_model/stream_bench.h"

enum { PLACES_MAX = 8, FIELDS_MAX = 10, TYPE_PASID = 2 };

typedef struct ring {
    lw_field head, count, first, last;
    lw_field marked; /* what a mark writes too (R4.12, R16.11) */
} ring;

static const ring rings[] = {
    {LW_F_RESPONSE_HIT_HEAD, LW_F_RESPONSE_HIT_COUNT, LW_F_HIT_QUEUE_HIT_ID,
     LW_F_HIT_QUEUE_HIT_EPOCH, LW_FIELD_COUNT},
    {LW_F_RESPONSE_WALK_HEAD, LW_F_RESPONSE_WALK_COUNT, LW_F_WALK_QUEUE_WALK_ID,
     LW_F_WALK_QUEUE_WALK_EPOCH, LW_FIELD_COUNT},
    {LW_F_MISS_MISS_HEAD, LW_F_MISS_MISS_COUNT, LW_F_MISS_QUEUE_QUEUED_ID,
     LW_F_MISS_QUEUE_QUEUED_STALE, LW_F_MISS_QUEUE_QUEUED_STALE},
    {LW_F_CHECK_RING_QUEUE_HEAD, LW_F_CHECK_RING_QUEUE_COUNT, LW_F_CHECK_QUEUE_JOB_LIVE,
     LW_F_CHECK_QUEUE_JOB_PTE_PERM, LW_F_CHECK_QUEUE_JOB_LIVE},
};
enum { RINGS = sizeof rings / sizeof rings[0] };

typedef struct content {
    uint32_t head[RINGS], count[RINGS];
    uint64_t of[RINGS][FIELDS_MAX][PLACES_MAX];
} content;

static uint32_t depth_of(const bench *b, const ring *r) {
    return lw_structure_entries(&b->hw, lw_field_structure(r->first));
}

static void look(const bench *b, content *c) {
    for (uint32_t n = 0; n < RINGS; n++) {
        const ring *r = &rings[n];
        const uint32_t depth = depth_of(b, r);
        c->head[n] = depth == 0 ? 0 : (uint32_t)bench_peek(b, r->head, 0);
        c->count[n] = depth == 0 ? 0 : (uint32_t)bench_peek(b, r->count, 0);
        for (lw_field f = r->first; f <= r->last; f++) {
            for (uint32_t i = 0; i < depth; i++) {
                c->of[n][f - r->first][i] = bench_peek(b, f, i);
            }
        }
    }
}

/* How often each ring is pushed and popped, and both in one cycle. */
typedef struct seen {
    uint64_t pushes[RINGS], pops[RINGS], both[RINGS], full[RINGS];
} seen;

static void check(const bench *b, uint32_t n, const content *was, const content *is, seen *s) {
    const ring *r = &rings[n];
    const uint32_t depth = depth_of(b, r);
    const uint32_t pops = (is->head[n] + depth - was->head[n]) % depth;
    const uint32_t pushes = is->count[n] + pops - was->count[n];
    const uint32_t place = (was->head[n] + was->count[n]) % depth;
    assert_true(is->head[n] < depth && is->count[n] <= depth);
    assert_true(pops <= 1 && pushes <= 1 && pops <= was->count[n]);
    for (lw_field f = r->first; f <= r->last; f++) {
        for (uint32_t i = 0; i < depth; i++) {
            assert_true((pushes != 0 && i == place) || f == r->marked ||
                        was->of[n][f - r->first][i] == is->of[n][f - r->first][i]);
        }
    }
    s->pushes[n] += pushes;
    s->pops[n] += pops;
    s->both[n] += pops & pushes;
    s->full[n] += is->count[n] == depth;
}

static void stay(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_rings(void **state) {
    (void)state;
    enum { SEEDS = 8, CYCLES = 4000, EACH = 20 };
    static content at[2];
    seen s = {{0}, {0}, {0}, {0}};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.hit_queue = 2 + seed % 5;
        hw.walk_queue = 2 + seed % 3;
        hw.miss_queue = 2 + seed % 4;
        hw.buffer_entries = 4u << seed % 2;
        hw.tlb_entries = hw.tlb_ways;
        add_subregions(&hw, seed);
        hw.head_first = 0;
        hw.coalesce = seed % 2;
        hw.check_queue = 2 + seed % 3;
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, stay, NULL);
        bench_pool(&b, 60, 2, 2);
        b.latency = 3;
        b.jitter = 20;
        b.request_gap = seed % 2 * 60;
        b.response_not_ready = 10 + seed % 4 * 20;
        bench_enable(&b, 0, true, false);
        look(&b, &at[0]);
        for (uint32_t c = 1; c < CYCLES; c++) {
            b.in.inv_valid = c % 200 == 0;
            b.in.inv_type = TYPE_PASID;
            bench_random_cycle(&b, true);
            look(&b, &at[c % 2]);
            for (uint32_t n = 0; n < RINGS; n++) {
                check(&b, n, &at[1 - c % 2], &at[c % 2], &s);
            }
        }
        bench_drain(&b);
        bench_done(&b);
    }
    for (uint32_t n = 0; n < RINGS; n++) {
        assert_true(s.pushes[n] > EACH && s.pops[n] > EACH);
        assert_true(s.both[n] > EACH && s.full[n] > EACH);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
