/* The oracle's walk where an entry of level 1 is another's or stands for more pages than one:
 * MESC's contiguity bits (R1.10 to R1.12), heads first (R1.13), sized entries (R1.17). */
#include "tests/unit/oracle/oracle_image.h"

/* The pages of PAGE's level-1 node are those of FRAME. */
#define FRAME (PAGE & ~UINT64_C(511))
#define C_BIT(i) (UINT64_C(1) << (52 + (i)))
#define AC_BIT (UINT64_C(1) << 60)
#define SIZE(s) ((uint64_t)(s) << 9)

typedef struct features {
    bool subregions, head_first, size_hints;
} features;

static lw_oracle_answer ask(image *m, features f, uint64_t page) {
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 8,
                                     .pasids = 4,
                                     .read64 = read64,
                                     .ctx = m,
                                     .subregions = f.subregions,
                                     .head_first = f.head_first,
                                     .size_hints = f.size_hints};
    lw_error err = {0};
    lw_oracle *o = lw_oracle_new(&config, &err);
    assert_non_null(o);
    assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
    const lw_oracle_answer a = lw_oracle_answer_now(o, 1, page, READ);
    lw_oracle_free(o);
    return a;
}

static void assert_page(lw_oracle_answer a, uint64_t pfn, uint32_t size) {
    assert_int_equal(a.kind, LW_ORACLE_OK);
    assert_int_equal(a.pfn, pfn);
    assert_int_equal(a.size, size);
    assert_true(a.w && a.x && a.level == 0);
}

static const features mesc = {.subregions = true};

/* A page has its own entry, or its subregion's, or its frame's: each bit is that of one of them, AC
 * goes before the others. */
static void each_bit_is_one_subregion_s(void **state) {
    (void)state;
    image m;
    for (uint32_t s = 0; s < 8; s++) {
        const uint64_t head = UINT64_C(64) * s, index = head + 43;
        good_tables(&m);
        memset(m.words[4], 0, sizeof m.words[4]);
        uint64_t *entry = entry_of(&m, 2);
        *entry |= C_BIT(8) - C_BIT(0);
        *entry ^= C_BIT(s);
        m.words[4][index] = UINT64_C(0x1000) << 12 | NODE;
        assert_page(ask(&m, mesc, FRAME + index), 0x1000, 0);
        *entry |= C_BIT(s);
        m.words[4][head] = UINT64_C(0x2000) << 12 | NODE;
        assert_page(ask(&m, mesc, FRAME + index), 0x2000 + 43, 0);
        *entry |= AC_BIT;
        m.words[4][0] = UINT64_C(0x3000) << 12 | NODE;
        assert_page(ask(&m, mesc, FRAME + index), 0x3000 + index, 0);
        *entry &= ~(C_BIT(8) - C_BIT(0));
        assert_page(ask(&m, mesc, FRAME + index), 0x3000 + index, 0);
        /* a unit without subregions ignores them */
        assert_page(ask(&m, (features){.subregions = false}, FRAME + index), 0x1000, 0);
    }
}

/* R1.12: the head's verdict is the page's; its frames go on modulo those that there are. */
static void a_head_speaks_for_its_pages(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    *entry_of(&m, 2) |= C_BIT(0);
    m.words[4][0] = UINT64_C(0xffffffffe) << 12 | NODE;
    assert_page(ask(&m, mesc, PAGE), 6, 0); /* PAGE is the eighth behind its head */
    m.words[4][0] &= ~UINT64_C(4);
    assert_fault(ask(&m, mesc, PAGE), LW_ORACLE_PERMISSION, 1);
    m.words[4][0] = 0;
    assert_fault(ask(&m, mesc, PAGE), LW_ORACLE_NOT_PRESENT, 1);
}

/* R1.13: i[8:6] and i[2:0] are exchanged where i[5:3] is zero. */
static void heads_lie_first(void **state) {
    (void)state;
    static const struct {
        uint64_t index, at;
    } rows[] = {{0, 0},   {64, 1},   {448, 7},   {1, 64},    {7, 448},
                {65, 65}, {66, 129}, {129, 66},  {455, 455}, {8, 8},
                {72, 72}, {63, 63},  {120, 120}, {511, 511}, {0x38, 0x38}};
    image m;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good_tables(&m);
        memset(m.words[4], 0, sizeof m.words[4]);
        m.words[4][rows[i].at] = UINT64_C(0x77) << 12 | NODE;
        assert_page(ask(&m, (features){.head_first = true}, FRAME + rows[i].index), 0x77, 0);
        *entry_of(&m, 2) |= C_BIT(rows[i].index >> 6);
        if (rows[i].index % 64 == 0) { /* and there the subregion's bit leads */
            assert_page(ask(&m, (features){true, true, false}, FRAME + rows[i].index + 9), 0x77 + 9,
                        0);
        }
    }
    /* of level 1 alone */
    good_tables(&m);
    assert_page(ask(&m, (features){.head_first = true}, PAGE), 0xabcde, 0);
}

/* R1.17, with R20.4 and R20.5: bits 10:9 say how large the page is. */
static void entries_have_sizes(void **state) {
    (void)state;
    static const struct {
        uint64_t frame, hint;
        uint32_t kind, size;
    } rows[] = {
        /* PAGE ends with 0xe08 */
        {0xabcde, 0, LW_ORACLE_OK, 0},         {0xabcd8, 1, LW_ORACLE_OK, 3},
        {0xabcd9, 1, LW_ORACLE_MISALIGNED, 0}, {0xabcc8, 1, LW_ORACLE_OK, 3},
        {0xabc08, 2, LW_ORACLE_OK, 1},         {0xabd08, 2, LW_ORACLE_MISALIGNED, 0},
        {0xabc09, 2, LW_ORACLE_MISALIGNED, 0}, {0xabe08, 2, LW_ORACLE_OK, 1},
        {0xabc08, 3, LW_ORACLE_RESERVED, 0},
    };
    image m;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good_tables(&m);
        *entry_of(&m, 1) = rows[i].frame << 12 | NODE | SIZE(rows[i].hint);
        const lw_oracle_answer a = ask(&m, (features){.size_hints = true}, PAGE);
        if (rows[i].kind == LW_ORACLE_OK) {
            assert_page(a, rows[i].frame, rows[i].size);
        } else {
            assert_fault(a, rows[i].kind, 1);
        }
        /* elsewhere they mean nothing */
        assert_page(ask(&m, (features){.size_hints = false}, PAGE), rows[i].frame, 0);
        good_tables(&m);
        *entry_of(&m, 2) |= SIZE(rows[i].hint);
        assert_page(ask(&m, (features){.size_hints = true}, PAGE), 0xabcde, 0);
        /* what is more than 4 KiB stands for nobody else */
        *entry_of(&m, 2) |= C_BIT(0);
        m.words[4][0] = UINT64_C(0x5000) << 12 | NODE | SIZE(rows[i].hint);
        const lw_oracle_answer by_head = ask(&m, (features){true, false, true}, PAGE);
        if (rows[i].hint == 0) {
            assert_page(by_head, 0x5008, 0);
        } else {
            assert_fault(by_head, LW_ORACLE_RESERVED, 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_is_one_subregion_s),
        cmocka_unit_test(a_head_speaks_for_its_pages),
        cmocka_unit_test(heads_lie_first),
        cmocka_unit_test(entries_have_sizes),
    };
    return cmocka_run_group_tests_name("oracle_reach", tests, NULL, NULL);
}
