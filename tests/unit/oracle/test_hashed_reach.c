/* The oracle's walk of a hashed page table of other shapes: contiguity bits (R20.27, R20.28), slots
 * of a line (R20.31), five levels (R20.32), tables behind the end of memory (R20.14). The numbers
 * are worked out from the document, not by any code here. */
#include "tests/unit/oracle/hashed_image.h"

/* ---------------------------------------------------------------- contiguity */

#define GROUP UINT64_C(0x155)

/* Region i of the group lies at step 3; every bit is set but those of the page itself. */
static void all_but(image *m, uint32_t way, uint32_t region, uint32_t subregion) {
    uint64_t *e = entry(m, 0, way);
    clear(m);
    e[0] = group_word(GROUP) | (UINT64_C(0xffff) ^ UINT64_C(1) << region) << 43;
    e[1] = UINT64_C(0xb) << 4 * region;
    e[2] = e[3] = UINT64_MAX;
    e[2 + region / 8] ^= UINT64_C(1) << (region % 8 * 8 + subregion);
}

/* R20.27: each bit is that of one region, or of one subregion of it, and no other's. */
static void each_bit_has_its_place(void **state) {
    (void)state;
    static image m;
    for (uint32_t region = 0; region < 16; region++) {
        for (uint32_t subregion = 0; subregion < 8; subregion++) {
            const uint32_t way = subregion & 1;
            const uint64_t number = GROUP << 4 | region;
            const uint64_t head = UINT64_C(64) * subregion, index = head + 43;
            lw_hashed_walk_query q = query(number << 9 | index);
            /* none: its own PTE */
            all_but(&m, way, region, subregion);
            put(&m, TABLE + 3, index, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN, 2);
            /* its subregion's: the head stands for 64 pages */
            entry(&m, 0, way)[2 + region / 8] ^= UINT64_C(1) << (region % 8 * 8 + subregion);
            memset(m.words[TABLE + 3], 0, sizeof m.words[0]);
            put(&m, TABLE + 3, head, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN + 43, 2);
            /* its region's goes before: the first page stands for all */
            entry(&m, 0, way)[0] |= UINT64_C(1) << (43 + region);
            memset(m.words[TABLE + 3], 0, sizeof m.words[0]);
            put(&m, TABLE + 3, 0, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN + index, 2);
            /* not looked at without SUBREGION_ENABLE */
            q.page.subregions = false;
            assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
            put(&m, TABLE + 3, index, number, (PFN + 7) << 12 | ALL);
            assert_page(ask(&m, &q), PFN + 7, 2);
        }
    }
}

/* Entries of 16 bytes have no such bits: the first word is the group's, or it is not (R20.8). */
static void without_them_a_first_word_is_whole(void **state) {
    (void)state;
    static image m;
    lw_hashed_walk_query q = query(GROUP << 13 | 5);
    q.contiguity = false;
    clear(&m);
    m.words[STEPS][6] = group_word(GROUP);
    m.words[STEPS][7] = 8;
    put(&m, TABLE, 5, GROUP << 4, PFN << 12 | ALL);
    assert_page(ask(&m, &q), PFN, 2);
    m.words[STEPS][6] |= UINT64_C(1) << 43;
    assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
    /* nor is it looked for in the bucket behind (R20.9) */
    m.words[STEPS][8] = group_word(GROUP);
    m.words[STEPS][9] = 8;
    assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
}

/* R20.27: AC alone says that the region is one, whatever C7..C0 are. R20.9: the first entry of the
 * group counts, though it has not got the region and the second has. */
static void the_first_entry_says_it_all(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    const lw_hashed_walk_query q = query(region << 9 | 500);
    clear(&m);
    entry(&m, 0, 1)[0] = group_word(GROUP) | UINT64_C(1) << 45;
    entry(&m, 0, 1)[1] = UINT64_C(8) << 8;
    put(&m, TABLE, 0, region, PFN << 12 | ALL);
    assert_page(ask(&m, &q), PFN + 500, 2);
    entry(&m, 0, 0)[0] = group_word(GROUP);
    assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4, 2);
}

/* R20.5: only a page of 4 KiB can stand for others. */
static void a_head_is_of_4_kib(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    const lw_hashed_walk_query q = query(region << 9 | 16);
    all_but(&m, 0, 2, 0);
    put(&m, TABLE + 3, 16, region, PFN << 12 | ALL | 1 << 9);
    assert_int_equal(ask(&m, &q).answer.size, 3);
    entry(&m, 0, 0)[2] |= UINT64_C(1) << 16;
    put(&m, TABLE + 3, 0, region, PFN << 12 | ALL | 1 << 9);
    assert_fault(ask(&m, &q), LW_ORACLE_RESERVED, 1, 2);
}

/* R20.28: a home that is read first, and a victim buffer, have a page's own PTE. */
static void own_ptes(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    q.home_first = true;
    for (int reaches = 0; reaches < 2; reaches++) {
        all_but(&m, 0, 2, 0);
        entry(&m, 0, 0)[1] = UINT64_C(8) << 8; /* at home */
        entry(&m, 0, 0)[2] |= (uint64_t)reaches << 16;
        put(&m, TABLE, 0, region, PFN << 12 | ALL);
        /* its own line has lost its tag: only the head's is another one, to be read */
        if (reaches != 0) {
            assert_page(ask(&m, &q), PFN + 9, 3);
        } else {
            assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4, 3);
        }
        put(&m, TABLE, 9, region, (PFN + 100) << 12 | ALL);
        assert_page(ask(&m, &q), PFN + 100, 1);
    }
    q.home_first = false;
    entry(&m, 0, 0)[0] = 0;
    memset(m.words[TABLE], 0, sizeof m.words[0]);
    m.words[ROOT][0] = (ROOT + 1) << 12 | ALL;
    m.words[ROOT + 1][region >> 9] = (ROOT + 2) << 12 | ALL;
    m.words[ROOT + 2][region & 511] = (ROOT + 3) << 12 | ALL | UINT64_C(0x1ff) << 52;
    m.words[ROOT + 3][9] = (PFN + 200) << 12 | ALL;
    assert_page(ask(&m, &q), PFN + 200, 5);
    assert_true(may(&m, &q, page(PFN + 200)));
    m.words[ROOT + 3][0] = PFN << 12 | ALL;
    assert_false(may(&m, &q, page(PFN + 9)));
}

/* ---------------------------------------------------------------- other shapes */

/* R20.31: a slot is a line; of 128 in two frames number 65 is the second line of the second. */
static void slots_of_a_line(void **state) {
    (void)state;
    static image m;
    for (uint64_t i = 0; i < 8; i++) {
        const uint64_t line = UINT64_C(0x1a2b3);
        lw_hashed_walk_query q = query(line << 3 | i);
        q.page.subregions = q.contiguity = false;
        q.slot_pages = 8;
        q.table_log = 7;
        q.table_frame = TABLE + 1; /* the low bits are replaced */
        q.stride = 13;
        clear(&m);
        /* K of the line is 0x5a2b3, of its group 0x41a2b: home 0, bucket 0 */
        m.words[STEPS][2] = group_word(line >> 4);
        m.words[STEPS][3] = UINT64_C(0xd) << 4 * (line & 15);
        put(&m, TABLE + 1, 8 + i, line, (PFN + i) << 12 | ALL);
        const lw_hashed_walk_answer a = ask(&m, &q);
        assert_page(a, PFN + i, 2);
        assert_int_equal(a.step, 5);
        q.stride = 11;
        assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4, 3);
    }
}

/* R20.6, R20.32: of five levels the region has 36 bits, of which 35:27 are folded in at 2^9. */
static void five_levels(void **state) {
    (void)state;
    static image m;
    static const struct {
        uint64_t region;
        uint32_t multiplier;
        uint64_t home, bucket;
    } rows[] = {
        /* K is 0x40207, times 0x8001 modulo 2^27 is 0x1078207; of the group 0x840000 */
        {UINT64_C(1) << 27 | 7, 0x8001, 1, 4},
        /* the upper half: K is 0x60007, times 0x81 is 0x3060387; of the group 0x42000, 0x2142000 */
        {UINT64_C(1) << 35 | 7, 0x81, 3, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t region = rows[i].region;
        const uint64_t sign = region >> 35 != 0 ? UINT64_C(0x7f) << 45 : 0;
        lw_hashed_walk_query q = query(sign | region << 9 | 100);
        clear(&m);
        q.page.levels = 5;
        q.multiplier = rows[i].multiplier;
        entry(&m, rows[i].bucket, 1)[0] = group_word(region >> 4);
        entry(&m, rows[i].bucket, 1)[1] = UINT64_C(8) << 28;
        put(&m, TABLE + rows[i].home, 100, region, PFN << 12 | ALL);
        assert_page(ask(&m, &q), PFN, 2);
    }
}

/* R20.14: where there is no memory a read fails, and the walk ends. */
static void behind_the_end_of_memory(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    clear(&m);
    entry(&m, 0, 0)[0] = group_word(GROUP);
    entry(&m, 0, 0)[1] = UINT64_C(9) << 8;
    put(&m, TABLE + 1, 9, region, PFN << 12 | ALL);
    put(&m, TABLE, 9, region, (PFN + 1) << 12 | ALL);
    /* the line read is (TABLE + 1) x 64 + 1, or of the home TABLE x 64 + 1 */
    q.end_line = (TABLE + 1) << 6 | 1;
    q.step_frame = 0;
    memcpy(m.words[0], m.words[STEPS], sizeof m.words[0]);
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 1, 2);
    q.end_line++;
    assert_page(ask(&m, &q), PFN, 2);
    q.home_first = true;
    assert_page(ask(&m, &q), PFN + 1, 1);
    q.end_line = TABLE << 6 | 1;
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 1, 1);
    q.home_first = false;
    q.step_frame = STEPS;
    q.end_line = STEPS << 6;
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 6, 1);
    /* without a step table a walk finds its home at most: neither a later slot nor a victim */
    assert_true(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 6)));
    assert_true(may(&m, &q, page(PFN + 1)));
    assert_false(may(&m, &q, page(PFN)));
    assert_false(may(&m, &q, fault(LW_ORACLE_NOT_PRESENT, 4)));
    q.end_line++;
    assert_page(ask(&m, &q), PFN, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_has_its_place),
        cmocka_unit_test(without_them_a_first_word_is_whole),
        cmocka_unit_test(the_first_entry_says_it_all),
        cmocka_unit_test(a_head_is_of_4_kib),
        cmocka_unit_test(own_ptes),
        cmocka_unit_test(slots_of_a_line),
        cmocka_unit_test(five_levels),
        cmocka_unit_test(behind_the_end_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
