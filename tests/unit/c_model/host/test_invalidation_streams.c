/* Invalidations under random streams: pages are remapped while the unit walks to them. */
#include "tests/unit/c_model/stream_bench.h"

/* CHECKS: the states of the contiguity check are counted from here on. */
enum { CHECKS = 8, CHECK_DRAIN = 6 };

/* Takes the contiguity bits off a frame if a page of it is the head that they name, as software
 * must before it remaps that page; then the whole frame is to be invalidated. */
static uint64_t *rests_on(bench *b, uint32_t pasid, uint64_t vpn) {
    uint64_t *above = bench_pte(b, pasid, vpn, 2);
    return bench_rest(b, *above, vpn) != 0 && (vpn & bench_rest(b, *above, vpn)) == 0 ? above
                                                                                      : NULL;
}

/* R11.8: pages are remapped at random and invalidated; after inv_done none follows the old PTE.
 * The marks of all rounds together find walkers in every state. */
static void invalidation_rounds(const lw_params *hw, uint64_t seed, uint32_t rounds,
                                uint64_t seen[16], uint64_t *old_answers) {
    bench b;
    bench_init(&b, hw, seed);
    bench_pool(&b, 120, 2, 0);
    b.latency = 8;
    b.jitter = seed % 4 == 1 ? 80 : 20; /* some heads outlast an invalidation: DRAIN */
    b.response_not_ready = 20;
    bench_enable(&b, (uint32_t)(seed % MODES), seed % 4 != 0, false);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint64_t n = lw_rng_below(&b.rng, 150); n > 0; n--) {
            bench_random_cycle(&b, true);
        }
        const bench_page *q = &b.pool[lw_rng_below(&b.rng, b.pool_size)];
        const uint64_t vpn = q->page & ((UINT64_C(1) << (9 * hw->levels)) - 1);
        const bench_answer now = bench_reference(&b, q);
        if (now.kind != LW_OK || now.size != 0) {
            continue;
        }
        uint32_t type = (uint32_t)lw_rng_below(&b.rng, 4);
        uint64_t first = type == 0 ? vpn : vpn - lw_rng_below(&b.rng, vpn < 9 ? vpn + 1 : 9);
        uint64_t last = vpn + lw_rng_below(&b.rng, 9);
        b.changed = rests_on(&b, q->pasid, vpn);
        if (b.changed != NULL) {
            b.old_pte = *b.changed;
            *b.changed &= ~CONTIG_;
            type = type == 0 ? 1 : type;
            first = vpn & ~UINT64_C(511);
            last = vpn | 511;
        } else {
            b.changed = bench_pte(&b, q->pasid, vpn, 1);
            b.old_pte = *b.changed;
            *b.changed ^= (lw_rng_below(&b.rng, 255) + 1) << 12;
        }
        bool transferred = false, marked = false;
        for (uint32_t n = 0; !b.out.inv_done; n++) {
            assert_true(n < 100000);
            b.in.inv_valid = !transferred;
            b.in.inv_type = type;
            b.in.inv_pasid = q->pasid;
            b.in.inv_first = first;
            b.in.inv_last = last;
            const bool was_mark = bench_peek(&b, LW_F_INVALIDATION_STATE, 0) == 1;
            uint64_t before[16] = {0};
            for (uint32_t i = 0; i < hw->walkers && was_mark; i++) {
                before[bench_peek(&b, LW_F_PWST_STATE, i)]++;
            }
            before[CHECKS + bench_peek(&b, LW_F_CHECK_STATE, 0)]++;
            bench_random_cycle(&b, true);
            transferred = transferred || b.out.inv_ready;
            if (was_mark && !marked && bench_peek(&b, LW_F_INVALIDATION_STATE, 0) == 2) {
                marked = true;
                for (uint32_t s = 0; s < 16; s++) {
                    seen[s] += before[s];
                }
            }
        }
        *old_answers += b.old_answers;
        b.old_answers = 0;
        b.changed = NULL;
        b.out.inv_done = false;
    }
    bench_drain(&b);
    assert_counters(&b);
    assert_empty(&b);
    bench_done(&b);
}

static void test_invalidation(void **state) {
    (void)state;
    uint64_t seen[16] = {0}, old_answers = 0;
    for (uint64_t seed = 0; seed < 54; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.pwc_org = seed >> 1 & 1;
        hw.tlb_entries = hw.tlb_ways * (seed % 3 == 0 ? 1 : 4);
        if (seed >= 36) {
            add_colt(&hw, seed / 2);
        } else if (seed >= 12) {
            add_subregions(&hw, seed);
        }
        invalidation_rounds(&hw, seed, 150, seen, &old_answers);
    }
    for (uint32_t s = 0; s < 7; s++) {
        assert_true(seen[s] > 0);
        assert_int_equal(seen[CHECKS + s] > 0, s != CHECK_DRAIN); /* R11.5 */
    }
    assert_true(old_answers > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invalidation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
