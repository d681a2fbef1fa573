/* The hash unit (R21.4 to R21.6) against the document's sums (R20.1, R20.6 to R20.8). */
#include "c_model/walk/table_hash.h"
#include "tests/unit/c_model/hashed_bench.h"

static const lw_watch nobody = {0};

enum { PASID = 3, VPN_LEVELS = 5 };

static lw_hash_place place_of(const lw_config *cfg, const lw_roots *roots, uint64_t key,
                              uint32_t where, uint32_t step) {
    lw_table_hash h = {.cfg = cfg, .watch = &nobody};
    lw_table_hash_choose(&h, roots, key, where, step);
    lw_table_hash_multiply(&h, roots->stride);
    lw_table_hash_add(&h);
    return lw_table_hash_place(&h);
}

static lw_config config(uint32_t pa_width) {
    lw_params hw = hashed_hw;
    hw.levels = VPN_LEVELS;
    hw.pa_width = pa_width;
    hw.pasids = 256;
    return lw_config_of(&hw);
}

/* R20.6 by hand: K = 1 is the multiplier itself, of which the highest three bits of 27 are 4; the
 * PASID is folded in at bit 18, the number's bit 27 at bit 9. */
static void test_by_hand(void **state) {
    (void)state;
    assert_int_equal(lw_hash_number(1, 0), 1);
    assert_int_equal(lw_hash_number(1, 5), 5 << 18 | 1);
    assert_int_equal(lw_hash_number(UINT64_C(1) << 27, 0), 1 << 9);
    assert_int_equal(lw_hash_number(UINT64_C(1) << 35 | 1 << 17, 0), 0);
    assert_int_equal(lw_hash_number(UINT64_MAX >> 28, 255),
                     ((1 << 27) - 1) ^ (511 << 9) ^ (255 << 18));
    const lw_config cfg = config(52);
    lw_roots roots = {.pasids = 256, .stride = 1};
    roots.root[0] = UINT64_C(3) << 57 | 0x100;
    lw_hash_place p = place_of(&cfg, &roots, 1 << 9, LW_WHERE_HOME, 0);
    assert_true(p.node == 0x100 + 4);
    p = place_of(&cfg, &roots, 1 << 9, LW_WHERE_KNOWN, 7);
    assert_true(p.node == 0x100 + 3); /* 4 + 7, modulo 8 */
}

/* With slots that are lines (R20.31). */
static lw_config config_of_lines(uint32_t pa_width) {
    lw_params hw = config(pa_width).hw;
    hw.levels = 4;
    hw.slot_pages = 8;
    return lw_config_of(&hw);
}

/* R20.31, R20.32 by hand: pages 8 to 15 are region 1 and in group 0, page 128 is in group 1. Of the
 * multiplier's 27 bits the highest six are 39, and the highest seven 79. */
static void test_lines_by_hand(void **state) {
    (void)state;
    const lw_config cfg = config_of_lines(52);
    lw_roots roots = {.pasids = 256, .stride = 1};
    roots.root[0] = UINT64_C(6) << 57 | 0x100;
    roots.step[0] = UINT64_C(7) << 57 | 0x200;
    lw_hash_place p = place_of(&cfg, &roots, 15, LW_WHERE_HOME, 0);
    assert_true(p.node == 0x100 && p.bucket == 39);
    p = place_of(&cfg, &roots, 8, LW_WHERE_KNOWN, 7);
    assert_true(p.node == 0x100 && p.bucket == 39 + 7);
    p = place_of(&cfg, &roots, 7, LW_WHERE_CACHED, 2); /* region 0, whose hash is zero */
    assert_true(p.node == 0x100 && p.bucket == 2);
    p = place_of(&cfg, &roots, 127, LW_WHERE_STEPS, 0);
    assert_true(p.node == 0x200 && p.bucket == 0);
    p = place_of(&cfg, &roots, 128, LW_WHERE_STEPS, 0);
    assert_true(p.node == 0x201 && p.bucket == 79 - 64);
    roots.root[0] = UINT64_C(7) << 57 | 0x100; /* 128 lines are two frames */
    p = place_of(&cfg, &roots, 8, LW_WHERE_HOME, 0);
    assert_true(p.node == 0x101 && p.bucket == 79 - 64);
}

/* The slot and the bucket of random pages, with every LOG that R20.11 allows. */
static void check_places(const lw_config *cfg, uint32_t from, uint32_t logs, uint32_t in_frame) {
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    static hashed h;
    h.b.hw = cfg->hw;
    for (uint32_t n = 0; n < 20000; n++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&rng, 256);
        const uint32_t step = (uint32_t)lw_rng_below(&rng, 8);
        const uint64_t vpn = lw_rng_next(&rng) & cfg->vpn_mask;
        const uint64_t key = (uint64_t)pasid << 48 | vpn;
        hashed_table *t = &h.of[pasid];
        t->table_log = from + (uint32_t)lw_rng_below(&rng, logs);
        t->step_log = 6 + (uint32_t)lw_rng_below(&rng, 19);
        t->table_frame =
            lw_rng_next(&rng) >> 24 & ~((UINT64_C(1) << (t->table_log - in_frame)) - 1);
        t->step_frame = lw_rng_next(&rng) >> 24 & ~((UINT64_C(1) << (t->step_log - 6)) - 1);
        h.stride = (lw_rng_next(&rng) & 0x3ffff) | 1;
        lw_roots roots = {.pasids = 256, .stride = (uint32_t)h.stride};
        roots.root[pasid] = UINT64_C(3) << 62 | (uint64_t)t->table_log << 57 | t->table_frame;
        roots.step[pasid] = (uint64_t)t->step_log << 57 | t->step_frame;
        lw_hash_place p = place_of(cfg, &roots, key, LW_WHERE_CACHED, step);
        const uint64_t slot = hashed_slot(&h, pasid, vpn, step);
        assert_true(p.node == slot / 64);
        assert_int_equal(p.bucket,
                         in_frame != 0 ? slot % 64 : hashed_place(&h, pasid, vpn, step) % 64);
        assert_int_equal(p.where, LW_WHERE_CACHED);
        p = place_of(cfg, &roots, key, LW_WHERE_STEPS, 0);
        assert_true(p.node * 64 + p.bucket == hashed_bucket(&h, pasid, vpn));
        assert_int_equal(p.where, LW_WHERE_STEPS);
    }
}

static void test_places(void **state) {
    (void)state;
    const lw_config of_frames = config(52), of_lines = config_of_lines(52);
    check_places(&of_frames, 3, 16, 0);
    check_places(&of_lines, 6, 19, 6);
}

/* R20.7 in so many bits, with a STRIDE of 1. */
static uint64_t slot_of(uint64_t region, uint32_t bits, uint32_t step) {
    return bits == 0 ? 0 : (hashed_hash(region, PASID, bits) + step) % (UINT64_C(1) << bits);
}

/* Logarithms outside their range lead to other lines, and no further (R21.16): R21.5 and R21.6 say
 * which. */
static void test_any_logarithm(void **state) {
    (void)state;
    const uint64_t vpn = UINT64_C(0x123456789ab);
    const uint64_t key = (uint64_t)PASID << 48 | vpn;
    static const uint32_t widths[] = {32, 40, 52};
    for (uint32_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const lw_config cfg = config(widths[i]);
        const uint64_t frame = UINT64_C(0xaaaaaaaaaa) & cfg.pfn_mask;
        for (uint64_t log = 0; log < 32; log++) {
            lw_roots roots = {.pasids = 256, .stride = 1};
            roots.root[PASID] = roots.step[PASID] = log << 57 | frame;
            const uint64_t low = (UINT64_C(1) << log) - 1, pages = log > 6 ? low >> 6 : 0;
            const uint32_t bits = log < 27 ? (uint32_t)log : 27;
            const uint64_t bucket = bits == 0 ? 0 : hashed_hash(vpn >> 13, PASID, bits);
            for (uint32_t step = 0; step < 8; step += 7) {
                const uint64_t slot = slot_of(vpn >> 9, bits, step);
                const lw_hash_place p = place_of(&cfg, &roots, key, LW_WHERE_KNOWN, step);
                assert_true(p.node == (((frame & ~low) | slot) & cfg.pfn_mask));
                assert_int_equal(p.bucket, slot & 63);
            }
            const lw_hash_place p = place_of(&cfg, &roots, key, LW_WHERE_STEPS, 0);
            assert_true(p.node == (((frame & ~pages) | bucket >> 6) & cfg.pfn_mask));
            assert_int_equal(p.bucket, bucket & 63);
        }
    }
}

/* The same where slots are lines: of LOG below 6 no frame's bit is replaced (R21.6). */
static void test_any_logarithm_of_lines(void **state) {
    (void)state;
    const uint64_t vpn = UINT64_C(0x9876543ab), key = (uint64_t)PASID << 48 | vpn;
    static const uint32_t widths[] = {32, 40, 52};
    for (uint32_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        const lw_config cfg = config_of_lines(widths[i]);
        const uint64_t frame = UINT64_C(0xaaaaaaaaaa) & cfg.pfn_mask;
        for (uint64_t log = 0; log < 32; log++) {
            lw_roots roots = {.pasids = 256, .stride = 1};
            roots.root[PASID] = roots.step[PASID] = log << 57 | frame;
            const uint64_t pages = log > 6 ? ((UINT64_C(1) << log) - 1) >> 6 : 0;
            const uint32_t bits = log < 27 ? (uint32_t)log : 27;
            const uint64_t bucket = bits == 0 ? 0 : hashed_hash(vpn >> 7, PASID, bits);
            for (uint32_t step = 0; step < 8; step += 7) {
                const uint64_t slot = slot_of(vpn >> 3, bits, step);
                const lw_hash_place p = place_of(&cfg, &roots, key, LW_WHERE_KNOWN, step);
                assert_true(p.node == (((frame & ~pages) | slot >> 6) & cfg.pfn_mask));
                assert_int_equal(p.bucket, slot & 63);
            }
            const lw_hash_place p = place_of(&cfg, &roots, key, LW_WHERE_STEPS, 0);
            assert_true(p.node == (((frame & ~pages) | bucket >> 6) & cfg.pfn_mask));
            assert_int_equal(p.bucket, bucket & 63);
        }
    }
}

/* R21.5: each stage keeps what it holds while the one before it is loaded anew. */
static void test_stages(void **state) {
    (void)state;
    const lw_config cfg = config(52);
    lw_roots roots = {.pasids = 256, .stride = 3};
    roots.root[PASID] = UINT64_C(10) << 57 | 0x1000;
    roots.step[PASID] = UINT64_C(8) << 57 | 0x2000;
    lw_table_hash h = {.cfg = &cfg, .watch = &nobody};
    lw_table_hash_choose(&h, &roots, (uint64_t)PASID << 48 | 0x1200, LW_WHERE_KNOWN, 6);
    lw_table_hash_multiply(&h, roots.stride);
    const lw_hash_product first = h.product;
    lw_table_hash_choose(&h, &roots, (uint64_t)PASID << 48 | 0x999999, LW_WHERE_STEPS, 0);
    assert_int_equal(h.product.low, first.low);
    assert_int_equal(first.offset, (6 * 3) << 17);
    assert_int_equal((first.low + first.high) % (1 << 27) >> 17,
                     hashed_hash(0x1200 >> 9, PASID, 10));
    assert_int_equal(first.high % (1 << 14), 0);
    assert_int_equal(first.low, (uint64_t)lw_hash_number(9, PASID) * 0x3BCD % (1 << 27));
    lw_table_hash_add(&h);
    lw_table_hash_multiply(&h, roots.stride);
    assert_int_equal(h.sum.where, LW_WHERE_KNOWN);
    assert_int_equal(h.sum.log, 10);
    assert_true(h.sum.frame == 0x1000);
    assert_int_equal(h.product.where, LW_WHERE_STEPS);
    assert_int_equal(h.product.log, 8);
    assert_true(h.product.frame == 0x2000);
    assert_int_equal(h.product.offset, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_lines_by_hand),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_any_logarithm),
        cmocka_unit_test(test_any_logarithm_of_lines),
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
