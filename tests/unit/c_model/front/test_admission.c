/* What the admission has promised and whom it lets in, in each cycle of random streams, from what
 * stands in the registers at its beginning (R2.1, R2.2, R2.4). */
#include "tests/unit/c_model/stream_bench.h"

enum { WALK = 1 };

typedef struct seen {
    uint64_t no_hit_room, no_miss_room, second, second_miss, passes, pushes_behind;
} seen;

static uint64_t get(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

/* What a cycle does to the places, but for the request that comes in. */
typedef struct places {
    bool no_miss, miss, second, second_miss, enters_register, enters_hit;
} places;

/* R3.2, R5.26, R5.28, R4.8 */
static places places_of(const bench *b) {
    const uint32_t last = b->hw.tlb_latency + (b->hw.subregions != 0 && b->hw.par_lookup == 0);
    const bool decided = bench_peek(b, LW_F_TLB_PIPE_PIPE_VALID, last) != 0;
    const bool is_second = bench_peek(b, LW_F_TLB_PIPE_PIPE_SECOND, last) != 0;
    const bool bad_pasid = get(b, LW_F_TLB_REFUSAL_BAD_PASID) != 0;
    const bool bad = bad_pasid || get(b, LW_F_TLB_REFUSAL_BAD_PAGE) != 0;
    const bool found = get(b, LW_F_TLB_FOUND_FOUND) != 0;
    const bool miss = decided && !is_second && !bad && !found;
    const bool second_miss = decided && is_second && (bad_pasid || !found);
    const bool is_free =
        get(b, LW_F_MISS_MISS_VALID) == 0 || get(b, LW_F_BUFFER_RING_OPEN) != 0; /* R4.2 */
    return (places){.no_miss = decided && !is_second && !miss,
                    .miss = miss,
                    .second = get(b, LW_F_READ_READ_VALID) != 0 &&
                              get(b, LW_F_READ_READ_FIRST) != 0 &&
                              get(b, LW_F_READ_READ_DONE) == 0 && get(b, LW_F_READ_READ_CL) == 0 &&
                              get(b, LW_F_READ_READ_STALE) == 0 &&
                              get(b, LW_F_ADMISSION_HIT_USED) < b->hw.hit_queue,
                    .second_miss = second_miss,
                    .enters_register = is_free && (get(b, LW_F_MISS_MISS_COUNT) != 0 || miss),
                    .enters_hit = decided && !miss && !second_miss};
}

/* R10.4, R10.5, R10.14: whether the hit queue is popped where the output register is free. */
static bool pops_hit(const bench *b, const places *p, seen *s) {
    bool hit = get(b, LW_F_RESPONSE_HIT_COUNT) != 0, walk = get(b, LW_F_RESPONSE_WALK_COUNT) != 0;
    if (!hit && !walk) {
        hit = p->enters_hit;
        walk = get(b, LW_F_ANSWER_ANSWER_VALID) != 0;
        s->passes += hit;
    } else {
        s->pushes_behind += !hit && p->enters_hit;
    }
    return hit && (!walk || get(b, LW_F_RESPONSE_LAST) == WALK);
}

static void watched_cycle(bench *b, seen *s) {
    const places p = places_of(b);
    const bool pops = pops_hit(b, &p, s), full = get(b, LW_F_RESPONSE_OUT_VALID) != 0;
    uint64_t miss_used = get(b, LW_F_ADMISSION_MISS_USED);
    uint64_t hit_used = get(b, LW_F_ADMISSION_HIT_USED);
    const bool hit_room = hit_used < b->hw.hit_queue, miss_room = miss_used < b->hw.miss_queue;
    const bool first = get(b, LW_F_READ_READ_VALID) != 0 && get(b, LW_F_READ_READ_FIRST) != 0;
    bench_random_cycle(b, true);
    assert_int_equal(b->out.req_ready, hit_room && miss_room && !first); /* R2.4 */
    const bool request = b->stepped.req_valid && b->out.req_ready;
    miss_used = miss_used + request - p.no_miss - p.enters_register;
    hit_used = hit_used + request + p.second - p.miss - p.second_miss -
               (pops && (!full || b->stepped.rsp_ready));
    assert_int_equal(get(b, LW_F_ADMISSION_MISS_USED), miss_used);
    assert_int_equal(get(b, LW_F_ADMISSION_HIT_USED), hit_used);
    assert_true(miss_used <= b->hw.miss_queue && hit_used <= b->hw.hit_queue);
    s->no_hit_room += !hit_room && miss_room;
    s->no_miss_room += hit_room && !miss_room;
    s->second += p.second;
    s->second_miss += p.second_miss;
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 12, CYCLES = 1500, EACH = 20, THIRD = 3 };
    seen s = {.second = 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.tlb_latency = 1 + seed % THIRD;
        hw.tlb_entries = 4 * hw.tlb_ways;
        hw.buffer_entries = 8;
        hw.hit_queue = 2 + seed % 5;
        hw.miss_queue = 2 + seed % 7;
        hw.second_lookup = seed % THIRD == 0;
        if (seed % 2 != 0) {
            add_subregions(&hw, seed);
        }
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 3);
        b.latency = 5;
        b.jitter = 10;
        b.response_not_ready = 20 * (seed % 4);
        bench_enable(&b, hw.second_lookup != 0 ? 0 : seed % MODES, true, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 300 == 100;
            b.in.inv_type = 2;
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        assert_empty(&b);
        bench_done(&b);
    }
    assert_true(s.no_hit_room > EACH && s.no_miss_room > EACH && s.second > EACH);
    assert_true(s.second_miss > EACH && s.passes > EACH && s.pushes_behind > EACH);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
