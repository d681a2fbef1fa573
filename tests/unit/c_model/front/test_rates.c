/* A request in every cycle: which sizes of the two queues that takes (chapter 13), whatever the
 * length of the TLB's pipeline. */
#include "tests/unit/c_model/iommu_bench.h"

enum { CYCLES = 100, PAGES = CYCLES, PAGE = 0x40000, LATENCIES = 8, FAR = 1000000 };

typedef struct pipeline {
    uint32_t latency;
    bool serial; /* R3.19 */
} pipeline;

static uint32_t stages_of(const pipeline *p) {
    return p->latency + 1 + p->serial;
}

static lw_params params_of(const pipeline *p) {
    lw_params hw = bench_nha;
    hw.tlb_latency = p->latency;
    hw.subregions = p->serial;
    return hw;
}

/* How many of the cycles take a request. */
static uint32_t taken(bench *b, uint32_t pages) {
    const uint64_t before = b->sent;
    for (uint32_t c = 0; c < CYCLES; c++) {
        bench_offer(b, &(bench_page){0, 0, PAGE + c % pages});
        bench_step(b);
    }
    return (uint32_t)(b->sent - before);
}

static uint32_t hits_taken(const pipeline *p, uint32_t hit_queue) {
    lw_params hw = params_of(p);
    hw.hit_queue = hit_queue;
    bench b;
    bench_init(&b, &hw, 1);
    bench_map(&b, 0, PAGE, 7);
    bench_enable(&b, 0, true, false);
    bench_ask(&b, 0, PAGE, 0);
    bench_steps(&b, 4); /* the fill's place, and its writing */
    const uint32_t count = taken(&b, 1);
    bench_drain(&b);
    assert_int_equal(b.accesses, hw.levels);
    bench_done(&b);
    return count;
}

/* Memory takes longer than the test, and the buffer has room. */
static uint32_t misses_taken(const pipeline *p, uint32_t miss_queue) {
    lw_params hw = params_of(p);
    hw.miss_queue = miss_queue;
    hw.hit_queue = 64;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint32_t i = 0; i < PAGES; i++) {
        bench_map(&b, 0, PAGE + i, 7 + i);
    }
    b.latency = FAR;
    bench_enable(&b, 0, false, false);
    bench_steps(&b, 2);
    const uint32_t count = taken(&b, PAGES);
    bench_done(&b);
    return count;
}

static void a_request_every_cycle(void **state) {
    (void)state;
    for (uint32_t latency = 1; latency <= LATENCIES; latency++) {
        for (uint32_t serial = 0; serial < 2; serial++) {
            const pipeline p = {latency, serial != 0};
            const uint32_t least = stages_of(&p) + 1;
            assert_int_equal(hits_taken(&p, least), CYCLES);
            assert_true(hits_taken(&p, least - 1) < CYCLES);
            assert_int_equal(misses_taken(&p, least), CYCLES);
            assert_true(misses_taken(&p, least - 1) < CYCLES);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_every_cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
