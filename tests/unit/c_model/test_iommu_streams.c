/* The twin under random streams: every answer against the reference walk, invalidations, the state
 * net, skipped cycles, tiny and large parameters, flipped bits. */
#include "tests/unit/c_model/iommu_bench.h"

/* CHECKS: the states of the contiguity check are counted from here on. */
enum { MODES = 3, FIELDS_MAX = 5000, CHECKS = 8 };

static const lw_params tiny = {.levels = 4,
                               .pa_width = 40,
                               .pasids = 2,
                               .id_w = 3,
                               .src_w = 2,
                               .tlb_entries = 4,
                               .tlb_ways = 2,
                               .tlb_latency = 1,
                               .tlb_partition = 0,
                               .hit_queue = 1,
                               .walk_queue = 1,
                               .buffer_entries = 4,
                               .walkers = 1,
                               .pwc_org = 0,
                               .pwc_entries = 2,
                               .pwc_ways = 2,
                               .pwc_latency = 1,
                               .coalesce = 1,
                               .msc_entries = 4,
                               .msc_ways = 2,
                               .check_queue = 1};

/* R12.6, and what else every run adds up to. */
static void assert_counters(const bench *b) {
    uint64_t attributed = 0;
    for (uint32_t n = LW_C_IDLE_EMPTY; n < LW_COUNTERS; n++) {
        attributed += lw_iommu_counter(b->u, n);
    }
    assert_int_equal(attributed, b->hw.walkers * lw_iommu_counter(b->u, LW_C_CYCLES));
    assert_int_equal(lw_iommu_counter(b->u, LW_C_CYCLES), b->cycle);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_REQUESTS), b->sent);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_RESPONSES), b->answered);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_PAGE_TABLE_ACCESSES), b->accesses);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_HEAD_READS), b->heads);
    for (uint32_t n = b->hw.subregions != 0 ? LW_C_CHECKS_DROPPED + 1 : LW_C_MSC_LOOKUPS;
         n < LW_C_IDLE_EMPTY; n++) {
        assert_int_equal(lw_iommu_counter(b->u, n), 0); /* R14.3 */
    }
}

/* A unit in which everything has been answered is empty. */
static void assert_empty(const bench *b) {
    assert_int_equal(bench_peek(b, LW_F_ADMISSION_BUFFER_USED, 0), 0);
    assert_int_equal(bench_peek(b, LW_F_ADMISSION_HIT_USED, 0), 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(bench_peek(b, LW_F_BLOCK_BLOCK_LIVE, i), 0);
    }
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        assert_int_equal(bench_peek(b, LW_F_PWST_STATE, i), 0);
    }
}

/* Subregions in one of the shapes that they have (section 3, R16.13). */
static void add_subregions(lw_params *hw, uint64_t shape) {
    hw->subregions = 1;
    hw->par_lookup = shape & 1;
    hw->tlb_partition = shape % 5 == 0 ? 0 : 1 + (uint32_t)(shape % hw->tlb_ways);
    hw->head_first = shape % 4 == 3;
    hw->coalesce = !hw->head_first;
    hw->msc_entries = hw->msc_ways * (shape % 3 == 0 ? 8 : 1);
    hw->check_queue = 1 + shape % 3;
}

/* CoLT: links alone, with subregions or without, or runs in the TLB. */
static void add_colt(lw_params *hw, uint64_t shape) {
    if (shape % 3 == 0) {
        add_subregions(hw, shape);
        hw->head_first = 0;
    }
    hw->colt = shape % 3 == 2 ? LW_COLT_FULL : LW_COLT_LINKS;
    hw->par_lookup = shape >> 1 & 1;
}

static void add_counters(const bench *b, uint64_t sum[LW_COUNTERS]) {
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        sum[n] += lw_iommu_counter(b->u, n);
    }
}

/* Returns the answers with LINKS. */
static uint64_t run_stream(const lw_params *hw, uint32_t mode, bool pwc, bool skips, uint64_t seed,
                           uint64_t requests, uint64_t sum[LW_COUNTERS]) {
    bench b;
    bench_init(&b, hw, seed);
    bench_pool(&b, 1500, hw->pasids < 4 ? hw->pasids : 4, 2);
    b.latency = 1 + (uint32_t)lw_rng_below(&b.rng, 30);
    b.jitter = (uint32_t)lw_rng_below(&b.rng, 40);
    b.not_ready = (uint32_t)lw_rng_below(&b.rng, 60);
    b.response_not_ready = (uint32_t)lw_rng_below(&b.rng, 60);
    b.request_gap = (uint32_t)lw_rng_below(&b.rng, 60);
    b.errors = seed % 3 == 0 ? 2 : 0;
    bench_enable(&b, mode, pwc, skips);
    bench_run(&b, requests);
    assert_counters(&b);
    assert_empty(&b);
    add_counters(&b, sum);
    bench_done(&b);
    return b.linked;
}

static void test_nha(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        lw_params hw = bench_nha;
        hw.pwc_org = seed & 1;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.tlb_latency = 1 + seed % 4;
        hw.tlb_entries = seed % 5 == 0 ? 256 : 32;
        (void)run_stream(&hw, (uint32_t)(seed % MODES), (seed & 4) != 0, (seed & 8) != 0, seed,
                         4000, sum);
    }
    assert_true(sum[LW_C_SAME_NEIGHBOURHOOD] > 0);
}

/* The smallest parameters never hang and answer everything once. */
static void test_tiny(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 36; seed++) {
        lw_params hw = tiny;
        hw.walkers = 1 + seed % 3;
        hw.pwc_org = seed >> 1 & 1;
        hw.tlb_latency = 1 + (seed >> 2) % 2;
        hw.pwc_latency = 1 + (seed >> 3) % 8;
        hw.pa_width = seed % 7 == 0 ? 52 : 40;
        hw.coalesce = seed % 11 != 0;
        (void)run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 3000,
                         sum);
    }
    assert_true(sum[LW_C_GIVEN_BACK] > 0);
}

/* Subregions in every shape, in tiny units and larger ones. */
static void test_subregions(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.walkers = seed % 2 == 0 ? 1 + seed % 9 : 1 + seed % 3;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.pwc_org = seed >> 2 & 1;
        hw.tlb_entries = hw.tlb_ways << seed % 8;
        add_subregions(&hw, seed / 2);
        (void)run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 3000,
                         sum);
    }
    for (uint32_t n = LW_C_MSC_LOOKUPS; n <= LW_C_CHECKS_DROPPED; n++) {
        assert_true(sum[n] > 0);
    }
}

/* LINKS of every answer against the page tables, runs in every shape of a TLB. */
static void test_colt(void **state) {
    (void)state;
    uint64_t hits[3] = {0};
    for (uint64_t seed = 0; seed < 36; seed++) {
        uint64_t sum[LW_COUNTERS] = {0};
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.walkers = seed % 2 == 0 ? 1 + seed % 9 : 1 + seed % 3;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.pwc_org = seed >> 2 & 1;
        hw.tlb_entries = hw.tlb_ways << seed % 8;
        add_colt(&hw, seed / 2);
        const uint64_t linked = run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0,
                                           seed % 5 == 0, seed, 3000, sum);
        assert_true(linked > 100);
        hits[seed / 2 % 3] += sum[LW_C_TLB_HITS];
    }
    assert_true(hits[2] > hits[1]); /* runs hold more pages than the same entries one by one */
}

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
        assert_true(seen[CHECKS + s] > 0);
    }
    assert_true(old_answers > 0);
}

/* --- all registers -----------------------------------------------------------------------------
 */

static void assert_equal_units(const lw_params *hw, const lw_iommu *a, const lw_iommu *b) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const uint32_t entries = lw_structure_entries(hw, lw_field_structure(f));
        for (uint32_t i = 0; i < entries; i++) {
            if (lw_iommu_peek(a, f, i) != lw_iommu_peek(b, f, i)) {
                print_error("%s.%s[%u]\n", lw_structure_name(lw_field_structure(f)),
                            lw_field_name(f), i);
                fail();
            }
        }
    }
}

/* A sibling that skips whatever it may is equal in every register. */
static void test_skip(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        lw_params params = seed % 2 == 0 ? bench_nha : tiny;
        const lw_params *hw = &params;
        bench b;
        if (seed >= 24) {
            add_colt(&params, seed / 2);
        } else if (seed >= 8) {
            add_subregions(&params, seed);
        }
        bench_init(&b, hw, seed);
        bench_pool(&b, 600, 2, 2);
        b.latency = 60;
        b.request_gap = 95;
        bench_enable(&b, (uint32_t)(seed % MODES), seed % 3 != 0, false);
        lw_iommu *sibling = lw_iommu_new(hw, NULL);
        assert_non_null(sibling);
        for (uint32_t p = 0; p < hw->pasids; p++) { /* as bench_enable */
            if (b.root[p] != 0) {
                lw_iommu_step(sibling, &(lw_inputs){.rsp_ready = true,
                                                    .mem_req_ready = true,
                                                    .ctl_write = true,
                                                    .ctl_addr = LW_CTL_ROOT + p,
                                                    .ctl_wdata = UINT64_C(1) << 63 | b.root[p]});
            }
        }
        lw_iommu_step(sibling, &(lw_inputs){.ctl_write = true,
                                            .ctl_wdata = bench_peek(&b, LW_F_CONTROL_FEATURES, 0)});
        uint64_t skip = 0, skipped = 0;
        for (uint32_t n = 0; n < 40000; n++) {
            if (lw_rng_below(&b.rng, 500) == 0) {
                b.in.inv_valid = true;
                b.in.inv_type = (uint32_t)lw_rng_below(&b.rng, 4);
                b.in.inv_pasid = (uint32_t)lw_rng_below(&b.rng, 2);
                b.in.inv_last = UINT64_MAX;
            }
            bench_random_cycle(&b, true);
            const lw_inputs in = b.stepped;
            if (!in.req_valid && !in.mem_rsp_valid && !in.inv_valid &&
                lw_iommu_idle_cycles(sibling) > skip) {
                skip++;
                continue;
            }
            lw_iommu_skip(sibling, skip, false);
            skipped += skip;
            skip = 0;
            lw_iommu_step(sibling, &in);
            if (lw_rng_below(&b.rng, 200) == 0) {
                assert_equal_units(hw, b.u, sibling);
            }
        }
        lw_iommu_skip(sibling, skip, false);
        assert_equal_units(hw, b.u, sibling);
        assert_true(skipped > 1000);
        lw_iommu_free(sibling);
        bench_done(&b);
    }
}

/* --- the state net -----------------------------------------------------------------------------
 */

typedef struct net {
    const lw_params *hw;
    bool written[LW_STRUCTURE_COUNT][1024];
    uint64_t value[FIELDS_MAX];
} net;

static void written(void *ctx, lw_structure s, uint32_t index) {
    net *n = ctx;
    assert_true(index < lw_structure_entries(n->hw, s));
    n->written[s][index] = true;
}

/* Every register that has another value than before lies in an entry that was told. */
static void assert_told(net *n, const lw_iommu *u) {
    uint32_t at = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const lw_structure s = lw_field_structure(f);
        for (uint32_t i = 0; i < lw_structure_entries(n->hw, s); i++, at++) {
            assert_true(at < FIELDS_MAX);
            const uint64_t value = lw_iommu_peek(u, f, i);
            if (value != n->value[at] && !n->written[s][i]) {
                print_error("%s.%s[%u] was not told\n", lw_structure_name(s), lw_field_name(f), i);
                fail();
            }
            n->value[at] = value;
        }
    }
    memset(n->written, 0, sizeof n->written);
}

static void test_state_net(void **state) {
    (void)state;
    static net n;
    for (uint64_t seed = 0; seed < 24; seed++) {
        lw_params hw = tiny;
        hw.walkers = 4;
        hw.buffer_entries = 16;
        hw.tlb_latency = 3;
        hw.id_w = 6;
        hw.walk_queue = hw.hit_queue = 4;
        hw.pwc_org = seed & 1;
        if (seed >= 18) {
            add_colt(&hw, seed);
        } else if (seed >= 6) {
            add_subregions(&hw, seed);
        }
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 300, 2, 2);
        b.request_gap = 50;
        n = (net){.hw = &hw};
        lw_iommu_watch(b.u, written, &n);
        bench_enable(&b, (uint32_t)(seed % MODES), true, false);
        memset(n.written, 1, sizeof n.written); /* the first look only takes the values */
        for (uint32_t c = 0; c < 4000; c++) {
            assert_told(&n, b.u);
            b.in.inv_valid = lw_rng_percent(&b.rng, 1);
            b.in.inv_type = (uint32_t)lw_rng_below(&b.rng, 4);
            b.in.inv_last = UINT64_MAX;
            b.any_kind = true;
            bench_random_cycle(&b, true);
        }
        bench_done(&b);
    }
}

/* --- flipped bits ------------------------------------------------------------------------------
 */

/* A flip shows in exactly its bit, flipping back restores every register, and a unit with flipped
 * bits goes on (under the sanitizers: without harm). */
static void test_flips(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.pwc_org = seed >> 1 & 1;
        if (seed >= 18) {
            add_colt(&hw, seed / 2);
        } else if (seed >= 6) {
            add_subregions(&hw, seed);
        }
        lw_rng rng;
        lw_rng_seed(&rng, seed);
        lw_iommu *u = lw_iommu_new(&hw, NULL);
        assert_non_null(u);
        for (uint32_t n = 0; n < 30000; n++) {
            lw_inputs in = {.req_valid = true,
                            .req_id = (uint32_t)lw_rng_next(&rng),
                            .req_pasid = (uint32_t)lw_rng_below(&rng, 2),
                            .req_page = lw_rng_next(&rng) & 0xffff,
                            .rsp_ready = true,
                            .mem_req_ready = true,
                            .mem_rsp_valid = lw_rng_percent(&rng, 30),
                            .mem_rsp_tag = (uint32_t)lw_rng_below(&rng, 40),
                            .inv_valid = lw_rng_percent(&rng, 1),
                            .inv_type = (uint32_t)lw_rng_below(&rng, 4),
                            .ctl_write = n < 3 || lw_rng_percent(&rng, 1),
                            .ctl_addr = n < 2 ? LW_CTL_ROOT + n : 0,
                            .ctl_wdata = n < 2 ? UINT64_C(1) << 63 : lw_rng_next(&rng)};
            for (uint32_t j = 0; j < 8; j++) {
                in.mem_rsp_data[j] = P_ | US_ | RW_ | lw_rng_next(&rng) % 64 << 12;
                in.mem_rsp_data[j] |= lw_rng_next(&rng) & CONTIG_ & ~AC_;
            }
            lw_iommu_step(u, &in);
            const lw_field f = (lw_field)lw_rng_below(&rng, LW_FIELD_COUNT);
            const uint32_t entries = lw_structure_entries(&hw, lw_field_structure(f));
            if (entries == 0) {
                continue;
            }
            const uint32_t i = (uint32_t)lw_rng_below(&rng, entries);
            if (f == LW_F_CONTROL_RDATA || lw_rng_percent(&rng, 90)) {
                continue;
            }
            const uint64_t before = lw_iommu_peek(u, f, i);
            lw_iommu_flip(u, f, i, 0);
            const uint64_t after = lw_iommu_peek(u, f, i);
            assert_true(after == before || after == (before ^ 1));
            if (lw_rng_percent(&rng, 50)) {
                lw_iommu_flip(u, f, i, (uint32_t)lw_rng_below(&rng, 64));
            } else if (after != before) {
                lw_iommu_flip(u, f, i, 0);
                assert_true(lw_iommu_peek(u, f, i) == before);
            }
        }
        lw_iommu_free(u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nha),          cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_subregions),   cmocka_unit_test(test_colt),
        cmocka_unit_test(test_invalidation), cmocka_unit_test(test_skip),
        cmocka_unit_test(test_state_net),    cmocka_unit_test(test_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
