/* What the oracle lets pass of a hashed page table whose words have changed, or may have failed
 * (R20.22, R20.23, lw_hashed_walk_may). */
#include "tests/unit/oracle/hashed_image.h"

#define GROUP UINT64_C(0x155)

/* A word that changed at time 10 counts for whoever can have read it before: a translation from
 * `since` on, a fault from `asked` on. */
static void old_values_have_times(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    const uint64_t pte = PFN << 12 | ALL;
    clear(&m);
    entry(&m, 0, 0)[0] = group_word(GROUP);
    entry(&m, 0, 0)[1] = UINT64_C(8) << 8;
    put(&m, TABLE, 9, region, pte);
    const uint64_t now = m.words[TABLE][9];
    m.old_pa = TABLE << 12 | 9 << 3;
    m.old_until = 10;
    for (uint64_t since = 9; since <= 11; since++) {
        for (uint64_t asked = since; asked <= 11; asked++) {
            q.page.since = since;
            q.page.asked = asked;
            m.old_value[since & 1] = now + (UINT64_C(1) << 12);
            assert_int_equal(may(&m, &q, page(PFN + 1)), since <= 10);
            m.old_value[since & 1] = now & ~UINT64_C(1);
            assert_int_equal(may(&m, &q, fault(LW_ORACLE_NOT_PRESENT, 1)), asked <= 10);
            assert_true(may(&m, &q, page(PFN)));
            assert_false(may(&m, &q, page(PFN + 2)));
        }
    }
    /* the tag has left another word of the line at 10, and the region is nowhere */
    m.old_pa = TABLE << 12 | 15 << 3;
    m.old_value[0] = 0;
    m.old_value[1] = m.words[TABLE][15];
    m.words[TABLE][15] = 0;
    for (uint64_t since = 9; since <= 11; since++) {
        q.page.since = q.page.asked = since;
        assert_int_equal(may(&m, &q, page(PFN)), since <= 10);
    }
}

/* A page is found by its own PTE or by its head's, in any slot of the chain; by a head only where
 * there are contiguity bits. The same lines may fail. */
static void heads_may_have_told(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    static const uint64_t heads[] = {0, 128, 171};
    lw_hashed_walk_query q = query(region << 9 | 171);
    for (int reaches = 0; reaches < 3; reaches++) {
        q.contiguity = reaches != 1;
        q.page.subregions = reaches != 2;
        for (uint32_t step = 0; step < 8; step++) {
            for (uint32_t i = 0; i < 3; i++) {
                const bool told = reaches == 0 || heads[i] == 171;
                clear(&m);
                put(&m, TABLE + step, heads[i], region, PFN << 12 | ALL);
                assert_int_equal(may(&m, &q, page(PFN + 171 - heads[i])), told);
                m.failing_line = (TABLE + step) << 6 | heads[i] >> 3;
                assert_int_equal(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 1)), told);
                m.failing_line++;
                assert_false(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 1)));
            }
        }
    }
}

/* Who is refused unread is refused whatever the tables say. */
static void refused_unread(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    clear(&m);
    put(&m, TABLE, 9, region, PFN << 12 | ALL);
    assert_true(may(&m, &q, page(PFN)));
    q.page.has_root = false;
    assert_true(may(&m, &q, fault(LW_ORACLE_UNKNOWN_PASID, 0)));
    assert_false(may(&m, &q, page(PFN)));
    assert_false(may(&m, &q, fault(LW_ORACLE_NOT_PRESENT, 4)));
    q.page.page_number |= UINT64_C(1) << 40;
    assert_true(may(&m, &q, fault(LW_ORACLE_NONCANONICAL, 0)));
    assert_false(may(&m, &q, fault(LW_ORACLE_UNKNOWN_PASID, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_values_have_times),
        cmocka_unit_test(heads_may_have_told),
        cmocka_unit_test(refused_unread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
