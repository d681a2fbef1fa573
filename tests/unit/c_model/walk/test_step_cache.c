/* The step cache: what is a hit (R21.3), a fill (R21.14) and a mark (R21.15); and the lines that
 * its entries and the slots come from (R20.2, R20.3, R20.8, R20.9). */
#include "c_model/base/slot_line.h"
#include "c_model/walk/step_cache.h"
#include "c_model/walk/step_line.h"
#include "tests/unit/c_model/hashed_bench.h"

static const lw_watch nobody = {0};

enum { PASID = 5, ENTRIES = 8 };

#define GROUP (UINT64_C(1) << 13)
#define REGION (UINT64_C(1) << 9)

static uint64_t key_of(uint32_t pasid, uint64_t vpn) {
    return (uint64_t)pasid << 48 | vpn;
}

static void write_steps(lw_step_cache *c, uint64_t vpn, uint64_t steps) {
    lw_step_cache_write(c, key_of(PASID, vpn), &(lw_step_entry){.steps = steps});
}

static void test_hit(void **state) {
    (void)state;
    const lw_config cfg = lw_config_of(&hashed_hw);
    static lw_step_cache c;
    c = (lw_step_cache){.cfg = &cfg, .watch = &nobody};
    const uint64_t vpn = 11 * GROUP;
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, 0), LW_NONE); /* nothing is valid */
    /* region 0 has step 6, region 15 step 1; region 3 has a step and is not present */
    write_steps(&c, vpn + 3 * REGION + 7, UINT64_C(0x900000000000500e));
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn)), 6);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + 511)), 6);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + 15 * REGION)), 1);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + 3 * REGION)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + 1 * REGION)), LW_NONE);
    /* another group with its index, another PASID */
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + ENTRIES * GROUP)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID ^ 8, vpn)), LW_NONE);
    /* the top bit of the VPN is one of TAG's */
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn | UINT64_C(1) << 35)), LW_NONE);
}

/* R21.14: an entry for an index; the last fill stays. */
static void test_fill(void **state) {
    (void)state;
    const lw_config cfg = lw_config_of(&hashed_hw);
    static lw_step_cache c;
    c = (lw_step_cache){.cfg = &cfg, .watch = &nobody};
    for (uint32_t i = 0; i < ENTRIES; i++) {
        write_steps(&c, i * GROUP, 8 | i);
    }
    for (uint32_t i = 0; i < ENTRIES; i++) {
        assert_int_equal(lw_step_cache_find(&c, key_of(PASID, i * GROUP)), i);
    }
    write_steps(&c, (2 + ENTRIES) * GROUP, 15);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, 2 * GROUP)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, (2 + ENTRIES) * GROUP)), 7);
    write_steps(&c, (2 + ENTRIES) * GROUP, 0);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, (2 + ENTRIES) * GROUP)), LW_NONE);
}

/* R21.15 */
static void test_mark(void **state) {
    (void)state;
    const lw_config cfg = lw_config_of(&hashed_hw);
    static lw_step_cache c;
    c = (lw_step_cache){.cfg = &cfg, .watch = &nobody};
    write_steps(&c, 0, 8);
    write_steps(&c, 2 * GROUP, 8);
    lw_step_cache_write(&c, key_of(0, 1 * GROUP), &(lw_step_entry){.steps = 8});
    lw_step_cache_mark(&c, &(lw_mark){.valid = true}); /* of a PASID that is not known */
    lw_step_cache_mark(&c, &(lw_mark){.one = true, .pasid = PASID});
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, 0)), 0);
    const uint64_t valid = UINT64_C(1) << 63, first = c.key[0];
    lw_step_cache_mark(&c, &(lw_mark){.valid = true, .one = true, .pasid = PASID});
    assert_true(c.key[0] == (first ^ valid)); /* VALID alone is cleared */
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, 0)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, 2 * GROUP)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(0, 1 * GROUP)), 0);
    lw_step_cache_mark(&c, &(lw_mark){.valid = true, .all = true});
    assert_int_equal(lw_step_cache_find(&c, key_of(0, 1 * GROUP)), LW_NONE);
}

/* R20.8, R20.9: the first entry with the group's word, in the PASID's own name. */
static void test_step_line(void **state) {
    (void)state;
    const uint64_t vpn = UINT64_C(0x1ffffffff) * GROUP % (UINT64_C(1) << 45) + 5 * REGION;
    const uint64_t word = UINT64_C(1) << 63 | (uint64_t)PASID << 32 | (vpn >> 13);
    const lw_config cfg = lw_config_of(&hashed_hw);
    lw_step_entry entry;
    for (uint64_t at = 0; at < 4; at++) {
        uint64_t line[8] = {0};
        assert_false(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
        line[2 * at] = word;
        line[2 * at + 1] = UINT64_C(0xd00000);
        line[7] |= at == 3 ? 0 : 1;
        assert_true(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
        assert_true(entry.steps == UINT64_C(0xd00000));
        assert_true(lw_group_present(&cfg, entry.steps, vpn));
        assert_int_equal(lw_group_step(&cfg, entry.steps, vpn), 5);
        assert_int_equal(lw_group_contig(&cfg, &entry.contigs, vpn), 0);
        for (uint32_t bit = 0; bit < 64; bit++) { /* zeros are part of it */
            line[2 * at] = word ^ UINT64_C(1) << bit;
            assert_false(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
        }
    }
    uint64_t twice[8] = {0};
    twice[2] = twice[4] = word;
    twice[3] = 1;
    twice[5] = 2;
    assert_true(lw_step_line_find(&cfg, twice, key_of(PASID, vpn), &entry));
    assert_true(entry.steps == 1);
}

/* R20.27: with SUBREGIONS=1 two entries; AC stands in the first word and is no part of what is
 * compared, C7..C0 in the third and the fourth. */
static void test_step_line_with_contiguity(void **state) {
    (void)state;
    lw_params hw = hashed_hw;
    hw.subregions = 1;
    const lw_config cfg = lw_config_of(&hw);
    const uint64_t vpn = UINT64_C(0x1ffffffff) * GROUP % (UINT64_C(1) << 45);
    const uint64_t word = UINT64_C(1) << 63 | (uint64_t)PASID << 32 | (vpn >> 13);
    const uint64_t ac = UINT64_C(0x8421) << 43;
    const uint64_t low = UINT64_C(0x8070605040302010), high = UINT64_C(0xf0e0d0c0b0a09081);
    lw_step_entry entry;
    for (uint64_t at = 0; at < 2; at++) {
        uint64_t line[8] = {0};
        line[4 * at] = word | ac;
        line[4 * at + 1] = UINT64_C(0xd00000);
        line[4 * at + 2] = low;
        line[4 * at + 3] = high;
        assert_true(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
        assert_true(entry.steps == UINT64_C(0xd00000));
        assert_true(entry.contigs.ac == 0x8421);
        assert_true(entry.contigs.c[0] == low && entry.contigs.c[1] == high);
        for (uint32_t i = 0; i < 16; i++) {
            const uint64_t c = (i < 8 ? low : high) >> (8 * (i % 8)) & 0xff;
            assert_int_equal(lw_group_contig(&cfg, &entry.contigs, vpn + i * REGION),
                             c | (i % 5 == 0 ? 0x100 : 0));
        }
        for (uint32_t bit = 0; bit < 64; bit++) {
            line[4 * at] = (word | ac) ^ UINT64_C(1) << bit;
            assert_int_equal(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry),
                             bit >= 43 && bit < 59);
        }
    }
    /* where the other layout has its second and fourth entry nobody looks */
    const uint64_t other[8] = {0, 0, word, 0, 0, 0, word, 0};
    assert_false(lw_step_line_find(&cfg, other, key_of(PASID, vpn), &entry));
    const uint64_t twice[8] = {word, 1, 0, 0, word | ac, 2, low, high};
    assert_true(lw_step_line_find(&cfg, twice, key_of(PASID, vpn), &entry));
    assert_true(entry.steps == 1 && entry.contigs.ac == 0 && entry.contigs.c[0] == 0);
}

/* R21.14, R21.4 */
static void test_contiguity_is_kept(void **state) {
    (void)state;
    lw_params hw = hashed_hw;
    hw.subregions = 1;
    const lw_config cfg = lw_config_of(&hw);
    static lw_step_cache c;
    c = (lw_step_cache){.cfg = &cfg, .watch = &nobody};
    const lw_step_entry entry = {8, {0x8001, {0x12, UINT64_C(0x34) << 56}}};
    lw_step_cache_write(&c, key_of(PASID, 5 * GROUP), &entry);
    assert_int_equal(lw_step_cache_contig(&c, key_of(PASID, 5 * GROUP + 511)), 0x112);
    assert_int_equal(lw_step_cache_contig(&c, key_of(PASID, 5 * GROUP + REGION)), 0);
    assert_int_equal(lw_step_cache_contig(&c, key_of(PASID, 5 * GROUP + 15 * REGION)), 0x134);
}

/* R20.3: all 48 bits of the tag, and nothing else. */
static void test_slot_line(void **state) {
    (void)state;
    const lw_config cfg = lw_config_of(&hashed_hw);
    const uint64_t vpn = UINT64_C(0x123456789ab);
    const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)PASID << 36 | vpn >> 9;
    uint64_t line[8];
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = (tag >> (6 * j) & 63) << 57 | (j % 2 == 0 ? UINT64_C(1) << 63 : 0xfff);
    }
    assert_true(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn)));
    assert_true(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn ^ 511)));
    for (uint32_t bit = 0; bit < 48; bit++) {
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        assert_false(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn)));
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
    }
    assert_false(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn ^ 512)));
    assert_false(lw_slot_line_carries(&cfg, line, key_of(PASID ^ 1, vpn)));
    const uint64_t empty[8] = {0};
    assert_false(lw_slot_line_carries(&cfg, empty, 0)); /* R20.2: not region 0 of PASID 0 */
}

/* ---------------------------------------------------------------- slots that are lines (R20.31) */

/* R20.32: eight pages are a region, and 128 a group. */
#define LINE_REGION UINT64_C(8)
#define LINE_GROUP UINT64_C(128)

static lw_config config_of_lines(void) {
    lw_params hw = hashed_hw;
    hw.slot_pages = 8;
    return lw_config_of(&hw);
}

/* R21.3, R21.14: the low bits of the group's number are the index, and all above them the tag. */
static void test_lines_in_the_cache(void **state) {
    (void)state;
    const lw_config cfg = config_of_lines();
    static lw_step_cache c;
    c = (lw_step_cache){.cfg = &cfg, .watch = &nobody};
    const uint64_t vpn = 11 * LINE_GROUP;
    /* region 0 has step 6, region 15 step 1; region 3 has a step and is not present */
    write_steps(&c, vpn + 3 * LINE_REGION + 7, UINT64_C(0x900000000000500e));
    for (uint64_t page = 0; page < LINE_GROUP; page++) {
        const uint64_t place = page / LINE_REGION;
        assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn + page)), place == 0 ? 6
                                                                            : place == 15
                                                                                ? 1
                                                                                : LW_NONE);
    }
    for (uint32_t bit = 7; bit < 36; bit++) {
        assert_int_equal(lw_step_cache_find(&c, key_of(PASID, vpn ^ UINT64_C(1) << bit)), LW_NONE);
    }
    for (uint32_t i = 0; i < ENTRIES; i++) { /* each group has its own entry */
        write_steps(&c, i * LINE_GROUP, 8 | i);
    }
    for (uint32_t i = 0; i < ENTRIES; i++) {
        assert_int_equal(lw_step_cache_find(&c, key_of(PASID, i * LINE_GROUP)), i);
    }
    write_steps(&c, (2 + ENTRIES) * LINE_GROUP, 15); /* but this one that of group 2 */
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, 2 * LINE_GROUP)), LW_NONE);
    assert_int_equal(lw_step_cache_find(&c, key_of(PASID, (2 + ENTRIES) * LINE_GROUP)), 7);
}

/* R20.8, R20.9 with the numbers of R20.32: all 29 bits of a group are looked at. */
static void test_lines_in_a_bucket(void **state) {
    (void)state;
    const lw_config cfg = config_of_lines();
    const uint64_t vpn = (UINT64_C(1) << 36) - LINE_GROUP + 5 * LINE_REGION;
    const uint64_t word = UINT64_C(1) << 63 | (uint64_t)PASID << 32 | 0x1fffffff;
    uint64_t line[8] = {0, 0, 0, 0, word, UINT64_C(0xd00000), 0, 0};
    lw_step_entry entry;
    assert_true(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
    assert_true(lw_group_present(&cfg, entry.steps, vpn));
    assert_int_equal(lw_group_step(&cfg, entry.steps, vpn + LINE_REGION - 1), 5);
    assert_false(lw_group_present(&cfg, entry.steps, vpn + LINE_REGION));
    assert_false(lw_group_present(&cfg, entry.steps, vpn - 1));
    for (uint32_t bit = 0; bit < 64; bit++) {
        line[4] = word ^ UINT64_C(1) << bit;
        assert_false(lw_step_line_find(&cfg, line, key_of(PASID, vpn), &entry));
    }
}

/* R20.2: a tag with the 33 bits of such a region. */
static void test_lines_tag(void **state) {
    (void)state;
    const lw_config cfg = config_of_lines();
    const uint64_t vpn = UINT64_C(0xfedcba98d);
    const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)PASID << 36 | UINT64_C(0x1fdb97531);
    uint64_t line[8];
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = (tag >> (6 * j) & 63) << 57;
    }
    for (uint64_t place = 0; place < LINE_REGION; place++) {
        assert_true(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn ^ place)));
    }
    for (uint32_t bit = 3; bit < 36; bit++) {
        assert_false(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn ^ UINT64_C(1) << bit)));
    }
    for (uint32_t bit = 0; bit < 48; bit++) {
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        assert_false(lw_slot_line_carries(&cfg, line, key_of(PASID, vpn)));
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_step_line),
        cmocka_unit_test(test_step_line_with_contiguity),
        cmocka_unit_test(test_contiguity_is_kept),
        cmocka_unit_test(test_slot_line),
        cmocka_unit_test(test_lines_in_the_cache),
        cmocka_unit_test(test_lines_in_a_bucket),
        cmocka_unit_test(test_lines_tag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
