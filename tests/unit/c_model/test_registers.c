/* The registers by name under random streams: the state net is told of every one that is written,
 * and a flipped bit is that bit. */
#include "tests/unit/c_model/stream_bench.h"
#include "tests/unit/c_model/told_net.h"

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

/* ---------------------------------------------------------------- flipped bits */

/* Hashed tables wherever they may be. */
static void add_hashed(lw_inputs *in, uint32_t n, lw_rng *rng) {
    static const uint32_t registers[] = {LW_CTL_ROOT, LW_CTL_STEP, LW_CTL_VICTIM, LW_CTL_STRIDE};
    if (n < 2) {
        in->ctl_wdata |= UINT64_C(1) << 62;
    } else if (in->ctl_write && lw_rng_percent(rng, 50)) {
        in->ctl_addr = registers[lw_rng_below(rng, 4)];
        in->ctl_wdata |= UINT64_C(1) << 63;
    }
}

/* Whether the field is one that its entry has now (R0.5). */
static bool is_seen(const lw_iommu *u, lw_field f, uint32_t i) {
    const lw_field valid = lw_structure_valid(lw_field_structure(f));
    return valid == LW_FIELD_COUNT || valid == f || lw_iommu_peek(u, valid, i) != 0;
}

enum { REGISTERS_MAX = 1 << 15 };

typedef struct registers {
    uint64_t value[REGISTERS_MAX];
    uint32_t count;
} registers;

/* All of them but those of one entry, whose valid bit hides the others. */
static void look(const lw_params *hw, const lw_iommu *u, lw_structure s, uint32_t i, registers *r) {
    r->count = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const uint32_t entries = lw_structure_entries(hw, lw_field_structure(f));
        for (uint32_t e = 0; e < entries; e++) {
            if (lw_field_structure(f) != s || e != i) {
                assert_true(r->count < REGISTERS_MAX);
                r->value[r->count++] = lw_iommu_peek(u, f, e);
            }
        }
    }
}

static bool are_alike(const registers *a, const registers *b) {
    return a->count == b->count && memcmp(a->value, b->value, a->count * sizeof a->value[0]) == 0;
}

/* Flips a bit, and back again unless it is to stay; `all`: with a look at every register. */
static void flip(lw_iommu *u, const lw_params *hw, lw_field f, uint32_t i, uint32_t bit, bool stays,
                 bool all) {
    static registers before, after;
    const lw_structure s = lw_field_structure(f);
    const uint64_t value = lw_iommu_peek(u, f, i);
    const uint64_t flipped = is_seen(u, f, i) ? value ^ UINT64_C(1) << bit : value;
    if (all) {
        look(hw, u, s, i, &before);
    }
    lw_iommu_flip(u, f, i, bit);
    assert_true(lw_iommu_peek(u, f, i) == flipped);
    if (all) {
        look(hw, u, s, i, &after);
        assert_true(are_alike(&before, &after));
    }
    if (!stays) {
        lw_iommu_flip(u, f, i, bit);
        assert_true(lw_iommu_peek(u, f, i) == value);
    }
}

/* A flip shows in exactly its bit, flipping back restores it, a bit that is not there is none, and
 * a unit with flipped bits goes on (under the sanitizers: without harm). */
static void test_flips(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.pwc_org = seed >> 1 & 1;
        if (seed >= 30) {
            hw.pwc_org = 2;
            hw.pwc_latency = 4 + (uint32_t)(seed % 5);
        } else if (seed >= 18) {
            add_colt(&hw, seed / 2);
        } else if (seed >= 6) {
            add_subregions(&hw, seed);
        }
        lw_rng rng;
        lw_rng_seed(&rng, seed);
        lw_iommu *u = lw_iommu_new(&hw, NULL);
        assert_non_null(u);
        for (uint32_t n = 0; n < 15000; n++) {
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
            if (hw.pwc_org == 2) {
                add_hashed(&in, n, &rng);
            }
            for (uint32_t j = 0; j < 8; j++) {
                in.mem_rsp_data[j] = P_ | US_ | RW_ | lw_rng_next(&rng) % 64 << 12;
                in.mem_rsp_data[j] |= lw_rng_next(&rng) & CONTIG_ & ~AC_;
                in.mem_rsp_data[j] |= hw.pwc_org == 2 ? lw_rng_next(&rng) : 0;
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
            const uint32_t bits = lw_field_bits(&hw, f);
            lw_iommu_flip(u, f, i, bits);
            assert_true(lw_iommu_peek(u, f, i) == before);
            if (bits != 0) {
                flip(u, &hw, f, i, (uint32_t)lw_rng_below(&rng, bits), lw_rng_percent(&rng, 50),
                     seed % 2 != 0 && lw_rng_percent(&rng, 2));
            }
        }
        lw_iommu_free(u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_net),
        cmocka_unit_test(test_flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
