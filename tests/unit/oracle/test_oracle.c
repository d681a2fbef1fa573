/* The oracle's walk against cases worked out by hand.  Where a PTE lies: R1.1. */
#include "tests/unit/oracle/oracle_image.h"

static lw_oracle_answer ask(image *m, uint32_t levels, uint64_t page, uint32_t access) {
    lw_oracle *o = new_oracle(m, levels);
    lw_oracle_answer a = lw_oracle_answer_now(o, 1, page, access);
    lw_oracle_free(o);
    return a;
}

static void assert_page(lw_oracle_answer a, uint64_t pfn, uint32_t size, bool w, bool x) {
    assert_int_equal(a.kind, LW_ORACLE_OK);
    assert_int_equal(a.level, 0);
    assert_int_equal(a.pfn, pfn);
    assert_int_equal(a.size, size);
    assert_int_equal(a.w, w);
    assert_int_equal(a.x, x);
}

static void pages_of_every_size(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    for (uint32_t levels = 4; levels <= 5; levels++) {
        assert_page(ask(&m, levels, PAGE, READ), 0xabcde, 0, true, true);
    }
    /* PAT (bit 7) of a 4 KiB entry and every ignored bit change nothing */
    *entry_of(&m, 1) |= 0x80 | (UINT64_C(0x7ff) << 52) | 0xe00;
    assert_page(ask(&m, 4, PAGE, EXECUTE), 0xabcde, 0, true, true);
    /* 2 MiB at frame 0x200: PAT is bit 12; page 8 of it */
    *entry_of(&m, 2) = (UINT64_C(0x200) << 12) | (1 << 12) | LARGE;
    assert_page(ask(&m, 4, PAGE, WRITE), 0x208, 1, true, true);
    /* 1 GiB at frame 0x80000; page 7 x 512 + 8 of it */
    *entry_of(&m, 3) = (UINT64_C(0x80000) << 12) | (1 << 12) | LARGE;
    assert_page(ask(&m, 5, PAGE, READ), 0x80000 + 7 * 512 + 8, 2, true, true);
}

static void bad_entries_at_every_level(void **state) {
    (void)state;
    for (uint32_t levels = 4; levels <= 5; levels++) {
        for (uint32_t level = 1; level <= levels; level++) {
            image m;
            good_tables(&m);
            *entry_of(&m, level) &= ~UINT64_C(1);
            *entry_of(&m, level) |= UINT64_C(1) << 51; /* not present goes first */
            m.reads = 0;
            assert_fault(ask(&m, levels, PAGE, READ), LW_ORACLE_NOT_PRESENT, level);
            assert_int_equal(m.reads, levels - level + 1);
            for (uint32_t bit = 48; bit <= 51; bit++) {
                good_tables(&m);
                *entry_of(&m, level) |= UINT64_C(1) << bit;
                *entry_of(&m, level) &= ~UINT64_C(4); /* reserved goes before permission */
                assert_fault(ask(&m, levels, PAGE, READ), LW_ORACLE_RESERVED, level);
            }
            good_tables(&m);
            *entry_of(&m, level) &= ~UINT64_C(4);
            assert_fault(ask(&m, levels, PAGE, READ), LW_ORACLE_PERMISSION, level);
            good_tables(&m);
            *entry_of(&m, level) &= ~UINT64_C(2);
            assert_fault(ask(&m, levels, PAGE, WRITE), LW_ORACLE_PERMISSION, level);
            assert_page(ask(&m, levels, PAGE, READ), 0xabcde, 0, false, true);
            assert_page(ask(&m, levels, PAGE, EXECUTE_TOO), 0xabcde, 0, false, true);
            good_tables(&m);
            *entry_of(&m, level) |= NX;
            assert_fault(ask(&m, levels, PAGE, EXECUTE), LW_ORACLE_PERMISSION, level);
            assert_page(ask(&m, levels, PAGE, WRITE), 0xabcde, 0, true, false);
            if (level >= 4) {
                good_tables(&m);
                *entry_of(&m, level) |= 0x80;
                assert_fault(ask(&m, levels, PAGE, READ), LW_ORACLE_RESERVED, level);
            }
        }
    }
}

static void misaligned_large_pages(void **state) {
    (void)state;
    static const struct { uint32_t level, top_bit; } cases[] = {{2, 20}, {3, 29}};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t bit = 13; bit <= cases[i].top_bit; bit++) {
            image m;
            good_tables(&m);
            *entry_of(&m, cases[i].level) = (UINT64_C(1) << bit) | LARGE;
            assert_fault(ask(&m, 4, PAGE, READ), LW_ORACLE_MISALIGNED, cases[i].level);
            *entry_of(&m, cases[i].level) &= ~UINT64_C(4); /* before permission */
            assert_fault(ask(&m, 4, PAGE, READ), LW_ORACLE_MISALIGNED, cases[i].level);
            *entry_of(&m, cases[i].level) |= UINT64_C(1) << 48; /* after reserved */
            assert_fault(ask(&m, 4, PAGE, READ), LW_ORACLE_RESERVED, cases[i].level);
        }
        image m;
        good_tables(&m);
        *entry_of(&m, cases[i].level) = (UINT64_C(2) << cases[i].top_bit) | LARGE;
        assert_int_equal(ask(&m, 4, PAGE, READ).kind, LW_ORACLE_OK);
    }
}

static void nothing_is_read_for_bad_addresses_and_pasids(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    for (uint32_t bit = 35; bit < 52; bit++) {
        assert_fault(lw_oracle_answer_now(o, 1, UINT64_C(1) << bit, READ), LW_ORACLE_NONCANONICAL,
                     0);
        /* before the PASID */
        assert_fault(lw_oracle_answer_now(o, 3, UINT64_C(1) << bit, READ), LW_ORACLE_NONCANONICAL,
                     0);
    }
    assert_fault(lw_oracle_answer_now(o, 0, PAGE, READ), LW_ORACLE_UNKNOWN_PASID, 0);
    assert_fault(lw_oracle_answer_now(o, 4, PAGE, READ), LW_ORACLE_UNKNOWN_PASID, 0);
    assert_fault(lw_oracle_answer_now(o, 0xfffff, PAGE, READ), LW_ORACLE_UNKNOWN_PASID, 0);
    assert_int_equal(m.reads, 0);
    /* the upper half: bits 51:35 all one */
    assert_fault(lw_oracle_answer_now(o, 1, UINT64_C(0x1ffff) << 35, READ), LW_ORACLE_NOT_PRESENT,
                 4);
    lw_oracle_free(o);
    /* with five levels bit 35 is an ordinary one and bits 51:44 are the sign */
    assert_fault(ask(&m, 5, UINT64_C(1) << 35, READ), LW_ORACLE_NOT_PRESENT, 4);
    assert_fault(ask(&m, 5, UINT64_C(1) << 44, READ), LW_ORACLE_NONCANONICAL, 0);
}

/* The very first thing asked, and a root for a PASID that can have none. */
static void nobody_has_a_root_at_first(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    const lw_oracle_config config = {
        .levels = 4, .pa_width = 48, .ids = 8, .pasids = 4, .read64 = read64, .ctx = &m};
    lw_oracle *o = lw_oracle_new(&config, &err);
    assert_non_null(o);
    assert_fault(lw_oracle_answer_now(o, 0, 0, READ), LW_ORACLE_UNKNOWN_PASID, 0);
    for (uint32_t pasid = 4; pasid < 6; pasid++) {
        assert_true(lw_oracle_set_root(o, pasid, true, 1, &err));
        assert_fault(lw_oracle_answer_now(o, pasid, PAGE, READ), LW_ORACLE_UNKNOWN_PASID, 0);
    }
    assert_true(lw_oracle_set_root(o, 3, true, 1, &err));
    assert_page(lw_oracle_answer_now(o, 3, PAGE, READ), 0xabcde, 0, true, true);
    lw_oracle_free(o);
}

/* The oracle keeps answers that it has given, fewer than there are pages here: each page still has
 * its own. */
static void no_page_is_taken_for_another_of_many(void **state) {
    (void)state;
    enum { FIRST = 10, TABLES = 4, PAGES = TABLES * 512 };
    image m;
    good_tables(&m);
    m.words[1][0] = (2 << 12) | NODE;
    m.words[2][0] = (3 << 12) | NODE;
    for (uint64_t page = 0; page < PAGES; page++) {
        m.words[3][page / 512] = (FIRST + page / 512) << 12 | NODE;
        m.words[FIRST + page / 512][page % 512] = (PAGES + page) << 12 | NODE;
    }
    lw_oracle *o = new_oracle(&m, 4);
    for (uint64_t i = 0; i < UINT64_C(2) * PAGES; i++) {
        assert_page(lw_oracle_answer_now(o, 1, i % PAGES, READ), PAGES + i % PAGES, 0, true, true);
    }
    lw_oracle_free(o);
}

/* So with more address spaces than answers are kept, of which every other one has tables of its
 * own. */
static void no_address_space_is_taken_for_another_of_many(void **state) {
    (void)state;
    enum { PASIDS = 4096 };
    image m;
    lw_error err = {0};
    good_tables(&m);
    for (uint64_t level = 0; level < 3; level++) {
        m.words[10 + level][entry_of(&m, 4 - (uint32_t)level) - m.words[1 + level]] =
            (11 + level) << 12 | NODE;
    }
    m.words[13][8] = UINT64_C(0x12345) << 12 | NODE;
    const lw_oracle_config config = {
        .levels = 4, .pa_width = 48, .ids = 8, .pasids = PASIDS, .read64 = read64, .ctx = &m};
    lw_oracle *o = lw_oracle_new(&config, &err);
    assert_non_null(o);
    for (uint32_t pasid = 0; pasid < PASIDS; pasid++) {
        assert_true(lw_oracle_set_root(o, pasid, true, pasid % 2 == 0 ? 1 : 10, &err));
    }
    for (uint32_t i = 0; i < 2 * PASIDS; i++) {
        assert_page(lw_oracle_answer_now(o, i % PASIDS, PAGE, READ), i % 2 == 0 ? 0xabcde : 0x12345,
                    0, true, true);
    }
    lw_oracle_free(o);
}

static void bad_configurations(void **state) {
    (void)state;
    static const struct {
        lw_oracle_config config;
        const char *sentence;
    } cases[] = {
        {{.levels = 3}, "oracle: levels 3 is not in 4..5"},
        {{.levels = 4, .pa_width = 53}, "oracle: pa_width 53 is not in 32..52"},
        {{.levels = 4, .pa_width = 48, .ids = 0}, "oracle: ids 0 is not in 1..16777216"},
        {{.levels = 4, .pa_width = 48, .ids = 8}, "oracle: pasids 0 is not in 1..1048576"},
        {{.levels = 4, .pa_width = 48, .ids = 8, .pasids = 4},
         "oracle: no read64 callback is given"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lw_error err = {0};
        assert_null(lw_oracle_new(&cases[i].config, &err));
        assert_string_equal(err.text, cases[i].sentence);
    }
    assert_string_equal(lw_oracle_kind_name(LW_ORACLE_MISALIGNED), "MISALIGNED");
    assert_string_equal(lw_oracle_kind_name(8), "?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_every_size),
        cmocka_unit_test(bad_entries_at_every_level),
        cmocka_unit_test(misaligned_large_pages),
        cmocka_unit_test(nothing_is_read_for_bad_addresses_and_pasids),
        cmocka_unit_test(nobody_has_a_root_at_first),
        cmocka_unit_test(no_page_is_taken_for_another_of_many),
        cmocka_unit_test(no_address_space_is_taken_for_another_of_many),
        cmocka_unit_test(bad_configurations),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
