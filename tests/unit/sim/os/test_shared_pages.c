/* Changes of pages that several processes share, and of more pages than can be out of their place
 * at once (page_changes.h). */
#include "tests/unit/sim/os/page_changes_bench.h"

enum { PROCESSES = 4 };

/* Frames in use that no page maps, tables' and those kept for displaced pages. */
static uint64_t frames_left(const bench *b) {
    uint64_t mapped[PROCESSES * PAGES];
    size_t count = 0;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint64_t n = 0; n < PAGES; n++) {
            lw_page_table_leaf leaf;
            const lw_page_table *table = lw_address_spaces_table(b->spaces, p);
            size_t i = 0;
            if (!lw_page_table_find(table, page_at(n), &leaf, NULL)) {
                continue;
            }
            mapped[count] = leaf.entry & LW_PTE_FRAME;
            while (mapped[i] != mapped[count]) {
                i++;
            }
            count += i == count;
        }
    }
    return lw_frame_allocator_in_use(lw_address_spaces_frames(b->spaces)) - count;
}

/* The same where processes share tables, in each of them, whoever of them it is that a page is
 * changed or put back for: it has one first frame. Changes concern all who share the page. */
static void test_shared_pages(void **state) {
    (void)state;
    static bench b;
    static lw_oracle_answer at_first[PROCESSES][PAGES];
    static bool changed[PROCESSES][PAGES];
    uint64_t together = 0, as_it_was = 0, alone = 0;
    lw_error err = {0};
    lw_system system = make_system("random", LW_SIZE_4K, 4, 48);
    system.shared_tables = 60;
    begin_with(&b, system, arrays, COUNT(arrays), PROCESSES);
    uint64_t shared = 0;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint64_t n = 0; n < PAGES; n++) {
            at_first[p][n] = walk(&b.system, b.spaces, p, page_at(n), LW_READ);
            assert_int_equal(at_first[p][n].kind, LW_ORACLE_OK);
            shared += p > 0 && at_first[p][n].pfn == at_first[0][n].pfn;
        }
    }
    assert_true(shared > PAGES / 2);
    const uint64_t left = frames_left(&b);
    for (uint32_t i = 0; i < 2000; i++) {
        const uint64_t before = lw_page_changes_counts(b.changes).shared;
        uint32_t told = 0; /* PASIDs */
        change(&b);
        for (uint32_t s = 0; s < b.plan.count; s++) {
            told += b.plan.steps[s].kind != LW_STEP_INVALIDATE ? 0
                    : b.plan.steps[s].type == LW_INV_ALL       ? PROCESSES
                                                               : 1;
        }
        const bool of_several = lw_page_changes_counts(b.changes).shared != before;
        assert_true(of_several ? told > 1 : told == 1 || told == PROCESSES);
        together += of_several;
        alone += !of_several;
        for (uint64_t n = 0; n < PAGES; n++) {
            for (uint32_t p = 0; p < PROCESSES; p++) {
                const lw_oracle_answer now = walk(&b.system, b.spaces, p, page_at(n), LW_READ);
                const bool same = lw_oracle_answer_equal(&now, &at_first[p][n]);
                assert_true(same || lw_page_changes_displaced(b.changes, page_at(n)));
                changed[p][n] = changed[p][n] || !same;
            }
            as_it_was += !lw_page_changes_displaced(b.changes, page_at(n));
        }
        assert_int_equal(frames_left(&b), left + lw_page_changes_frames_kept(b.changes));
        if (i % 2 != 0) {
            assert_true(lw_page_changes_make_silent(b.changes, &b.rng, &err));
        }
    }
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint64_t n = 0; n < PAGES; n++) {
            assert_true(changed[p][n]);
        }
    }
    assert_true(together > 500 && alone > 200 && as_it_was > 1000);
    end(&b);
}

/* However many pages there are, those that are not as they were are few enough to be remembered:
 * each of the others has its first entry. */
static void test_many_pages(void **state) {
    (void)state;
    enum { MANY = 1 << 16, MOST = 256 };
    static const lw_array many = {"many", UINT64_C(0x10000000), (uint64_t)MANY << 12};
    static uint64_t at_first[MANY];
    static bench b;
    const uint64_t first = many.base >> 12;
    uint32_t kept = 0, displaced = 0;
    lw_error err = {0};
    lw_page_table_leaf leaf;
    begin_with(&b, make_system("random", LW_SIZE_4K, 4, 48), &many, 1, 1);
    const lw_page_table *table = lw_address_spaces_table(b.spaces, 0);
    for (uint64_t n = 0; n < MANY; n++) {
        assert_true(lw_page_table_find(table, first + n, &leaf, &err));
        at_first[n] = leaf.entry;
    }
    for (uint32_t i = 0; i < 100000; i++) {
        change(&b);
        const uint32_t now = i % 256 == 0 ? lw_page_changes_frames_kept(b.changes) : 0;
        kept = now > kept ? now : kept;
    }
    for (uint64_t n = 0; n < MANY; n++) {
        const bool there = lw_page_table_find(table, first + n, &leaf, &err);
        if (!there || leaf.entry != at_first[n]) {
            assert_true(lw_page_changes_displaced(b.changes, first + n));
            displaced++;
        }
    }
    assert_in_range(kept, 100, MOST);
    assert_in_range(displaced, 1, MOST);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_pages),
        cmocka_unit_test(test_many_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
