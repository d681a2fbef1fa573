/* What c_model/iommu.h and c_model/base/ports.h promise to those who clock a unit themselves, where
 * no rule of the contract says it. */
#include "c_model/iommu_parts.h"
#include "tests/unit/c_model/stream_bench.h"

/* ---------------------------------------------------------------- ports */

/* A second unit that is told the same, with whatever stands in the bits beyond the ports' widths.
 */
typedef struct wide {
    lw_iommu *unit;
    lw_rng rng;
    uint32_t id_w, src_w, levels;
} wide;

static uint64_t above(wide *w, uint32_t bits) {
    return lw_rng_next(&w->rng) << bits;
}

static void step_wide(void *ctx, const lw_inputs *stepped, const lw_outputs *out) {
    wide *w = ctx;
    lw_inputs in = *stepped;
    lw_outputs told;
    memset(&told, 0, sizeof told); /* and what lies between them */
    lw_iommu_outputs(w->unit, &told);
    assert_memory_equal(&told, out, sizeof told);
    in.req_id |= (uint32_t)above(w, w->id_w);
    in.req_src |= (uint32_t)above(w, w->src_w);
    in.req_pasid |= (uint32_t)above(w, 20);
    in.req_access |= (uint32_t)above(w, 2);
    in.req_page |= above(w, 52);
    in.inv_pasid |= (uint32_t)above(w, 20);
    in.inv_first |= above(w, 9 * w->levels);
    in.inv_last |= above(w, 9 * w->levels);
    in.ctl_addr |= (uint32_t)above(w, 12);
    lw_iommu_step(w->unit, &in);
}

/* Bits beyond a port's width are not looked at. */
static void test_widths(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        lw_params params = seed % 2 == 0 ? bench_nha : tiny;
        bench b;
        if (seed >= 2) {
            add_subregions(&params, seed);
        }
        bench_init(&b, &params, seed);
        bench_pool(&b, 300, 2, 2);
        wide w = {.unit = lw_iommu_new(&params, NULL),
                  .id_w = params.id_w,
                  .src_w = params.src_w,
                  .levels = params.levels};
        lw_rng_seed(&w.rng, seed);
        memset(&b.out, 0, sizeof b.out);
        b.beside = step_wide;
        b.beside_ctx = &w;
        bench_enable(&b, 2, true, false);
        for (uint32_t n = 0; n < 5000; n++) {
            if (lw_rng_below(&b.rng, 300) == 0) {
                b.in.inv_valid = true;
                b.in.inv_type = (uint32_t)lw_rng_below(&b.rng, 4);
                b.in.inv_pasid = (uint32_t)lw_rng_below(&b.rng, 2);
                b.in.inv_first = b.pool[0].page & ((UINT64_C(1) << 9 * params.levels) - 1);
                b.in.inv_last = b.in.inv_first + 64;
            }
            b.in.ctl_addr = LW_CTL_COUNTER + (uint32_t)lw_rng_below(&b.rng, LW_COUNTERS);
            bench_random_cycle(&b, true);
        }
        assert_true(b.answered > 100);
        for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
            const uint32_t entries = lw_structure_entries(&params, lw_field_structure(f));
            for (uint32_t i = 0; i < entries; i++) {
                assert_int_equal(lw_iommu_peek(w.unit, f, i), bench_peek(&b, f, i));
            }
        }
        lw_iommu_free(w.unit);
        bench_done(&b);
    }
}

/* R12.1: the address of a cycle is in ADDR in the next one, and what that names at the port in the
 * one behind. COUNT then has the events of all cycles before the one that asked (R12.5). */
static void test_control_reads(void **state) {
    (void)state;
    enum { SETTINGS = 5 };
    lw_iommu *u = lw_iommu_new(&bench_nha, NULL);
    lw_iommu_step(u, &(lw_inputs){.ctl_write = true, .ctl_wdata = SETTINGS});
    for (uint32_t cycle = 1; cycle < 30; cycle++) {
        const bool asks = cycle % 5 == 0;
        lw_outputs out;
        lw_iommu_outputs(u, &out);
        const uint64_t wanted = cycle > 5 && cycle % 5 == 2 ? cycle - 2 : SETTINGS;
        assert_true(cycle < 3 || out.ctl_rdata == wanted);
        lw_iommu_step(u, &(lw_inputs){.ctl_addr = asks ? LW_CTL_COUNTER + LW_C_CYCLES : 0});
    }
    lw_iommu_free(u);
}

/* Skipped cycles name the address 0, as an lw_inputs does that says nothing: after one of them the
 * port shows what the cycle before it has named, and from then on the settings. */
static void test_control_in_skipped_cycles(void **state) {
    (void)state;
    enum { SETTINGS = 5, BEFORE = 12 };
    for (uint64_t n = 1; n <= 3; n++) {
        lw_iommu *u = lw_iommu_new(&bench_nha, NULL);
        lw_outputs out;
        lw_iommu_step(u, &(lw_inputs){.ctl_write = true, .ctl_wdata = SETTINGS});
        for (uint32_t cycle = 1; cycle < BEFORE - 1; cycle++) {
            lw_iommu_step(u, &(lw_inputs){0});
        }
        lw_iommu_step(u, &(lw_inputs){.ctl_addr = LW_CTL_COUNTER + LW_C_CYCLES});
        lw_iommu_skip(u, n, false);
        lw_iommu_outputs(u, &out);
        assert_int_equal(out.ctl_rdata, n == 1 ? BEFORE - 1 : SETTINGS);
        lw_iommu_free(u);
    }
}

/* ---------------------------------------------------------------- counters, reset, places */

/* R12.5: a present value has 48 bits, also for who asks for it past the bus. */
static void test_counters_wrap(void **state) {
    (void)state;
    lw_iommu *u = lw_iommu_new(&bench_nha, NULL);
    u->events.total[LW_C_CYCLES] = (UINT64_C(1) << 48) - 3;
    for (uint32_t n = 0; n < 5; n++) {
        lw_iommu_step(u, &(lw_inputs){0});
    }
    assert_int_equal(lw_iommu_counter(u, LW_C_CYCLES), 2);
    lw_iommu_free(u);
}

enum { IDS = 8 };

typedef struct heard {
    uint32_t written, moves;
} heard;

static void hear_write(void *ctx, lw_structure s, uint32_t index) {
    heard *h = ctx;
    (void)s;
    (void)index;
    h->written++;
}

static void hear_move(void *ctx, uint32_t id, lw_stage stage) {
    heard *h = ctx;
    (void)id;
    (void)stage;
    h->moves++;
}

/* Who listens before a reset does so after it. */
static void test_listeners_stay(void **state) {
    (void)state;
    enum { COUNTS = IDS + LW_MOVES_GONE + 1 };
    uint32_t at[IDS] = {0}, cycles[COUNTS * LW_STAGES] = {0}, places[COUNTS];
    lw_request_whole whole[COUNTS];
    heard h = {0};
    lw_moves moves = {.told = hear_move,
                      .ctx = &h,
                      .at = at,
                      .cycles = cycles,
                      .whole = whole,
                      .free = places,
                      .frees = COUNTS - 1};
    for (uint32_t i = 1; i < COUNTS; i++) {
        places[i - 1] = i * LW_STAGES;
    }
    lw_iommu *u = lw_iommu_new(&tiny, NULL); /* with three bits of an id */
    lw_iommu_watch(u, hear_write, &h);
    lw_iommu_follow(u, &moves);
    for (uint32_t resets = 0; resets < 2; resets++) {
        h = (heard){0};
        lw_iommu_step(u, &(lw_inputs){.req_valid = true});
        lw_iommu_step(u, &(lw_inputs){0});
        assert_true(h.written > 0 && h.moves > 0);
        lw_iommu_reset(u);
        memset(at, 0, sizeof at);
    }
    lw_iommu_watch(u, NULL, NULL);
    lw_iommu_follow(u, NULL);
    h = (heard){0};
    lw_iommu_step(u, &(lw_inputs){.req_valid = true});
    assert_int_equal(h.written + h.moves, 0);
    lw_iommu_free(u);
}

/* LINE and POSITION have no reset, and are not told to an entry as it is inserted (R4.2): what the
 * slot had before the reset stands there after it. */
static void test_what_a_reset_leaves(void **state) {
    (void)state;
    bench b;
    uint64_t line = 0, position = 0;
    bench_init(&b, &bench_nha, 3);
    bench_pool(&b, 200, 2, 2);
    bench_enable(&b, 2, true, false);
    for (uint32_t n = 0; line == 0 || position == 0; n++) {
        assert_true(n < 100000);
        bench_random_cycle(&b, true);
        if (bench_peek(&b, LW_F_BUFFER_VALID, 0) != 0) {
            line = bench_peek(&b, LW_F_BUFFER_LINE, 0);
            position = bench_peek(&b, LW_F_BUFFER_POSITION, 0);
        }
    }
    lw_iommu_reset(b.u);
    lw_iommu_step(b.u, &(lw_inputs){.ctl_write = true,
                                    .ctl_addr = LW_CTL_ROOT,
                                    .ctl_wdata = UINT64_C(1) << 63 | b.root[0]});
    lw_iommu_step(b.u, &(lw_inputs){.req_valid = true, .req_page = b.pool[0].page});
    for (uint32_t n = 0; bench_peek(&b, LW_F_BUFFER_VALID, 0) == 0; n++) {
        assert_true(n < 100);
        lw_iommu_step(b.u, &(lw_inputs){0});
    }
    assert_int_equal(bench_peek(&b, LW_F_BUFFER_LINE, 0), line);
    assert_int_equal(bench_peek(&b, LW_F_BUFFER_POSITION, 0), position);
    bench_done(&b);
}

/* Where a register is said to lie, it does. */
static void test_places(void **state) {
    (void)state;
    uint32_t found = 0, entries_found = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        lw_params params = bench_nha;
        bench b;
        if (seed >= 2) {
            add_subregions(&params, seed);
        }
        bench_init(&b, &params, seed);
        bench_pool(&b, 300, 2, 2);
        bench_enable(&b, 2, true, false);
        for (uint32_t n = 0; n < 3000; n++) {
            bench_random_cycle(&b, true);
        }
        for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
            const lw_structure s = lw_field_structure(f);
            const lw_field valid = lw_structure_valid(s);
            const uint32_t entries = lw_structure_entries(&params, s);
            lw_register_place place;
            if (!lw_field_exists(&params, f) || !lw_iommu_locate(b.u, f, &place)) {
                continue;
            }
            found++;
            assert_int_equal(place.bits, lw_field_bits(&params, f));
            for (uint32_t i = 0; i < entries; i++) {
                if (valid != LW_FIELD_COUNT && bench_peek(&b, valid, i) == 0) {
                    continue;
                }
                const uint64_t bit = place.first + i * place.stride;
                uint64_t word = 0;
                memcpy(&word, place.base + bit / 8, sizeof word);
                const uint64_t value = word >> bit % 8 & UINT64_MAX >> (64 - place.bits);
                assert_int_equal(value, bench_peek(&b, f, i));
                entries_found += value != 0;
            }
        }
        bench_done(&b);
    }
    assert_true(found > 400 && entries_found > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_control_reads),
        cmocka_unit_test(test_control_in_skipped_cycles),
        cmocka_unit_test(test_counters_wrap),
        cmocka_unit_test(test_listeners_stay),
        cmocka_unit_test(test_what_a_reset_leaves),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
