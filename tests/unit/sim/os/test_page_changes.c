/* Changes of pages by the OS: what is put back is as it was in the beginning, a silent change never
 * takes anything away, and changes meet who waits where that is wanted (page_changes.h). */
#include "tests/unit/sim/os/page_changes_bench.h"

#include "sim/os/hashed_changes.h"
#include "sim/tables/contiguity_bits.h"

/* Every page that is not displaced has its first frame and permissions; of those that are each kind
 * of change is seen, and frames that nobody maps are kept for them. No page is left alone. */
static void test_put_back_as_it_was(void **state) {
    (void)state;
    static bench b;
    uint64_t displaced = 0, unmapped = 0, moved = 0, less = 0, kernel = 0;
    bool changed[PAGES] = {false};
    begin(&b, 0);
    for (uint64_t n = 0; n < PAGES; n++) {
        assert_false(lw_page_changes_displaced(b.changes, page_at(n)));
    }
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t kept = 0;
        change(&b);
        for (uint64_t n = 0; n < PAGES; n++) {
            const lw_oracle_answer now = answer(&b, n);
            if (!lw_page_changes_displaced(b.changes, page_at(n))) {
                assert_true(lw_oracle_answer_equal(&now, &b.at_first[n]));
                continue;
            }
            const bool elsewhere = now.kind == LW_ORACLE_OK && now.pfn != b.at_first[n].pfn;
            changed[n] = true;
            displaced++;
            unmapped += now.kind == LW_ORACLE_NOT_PRESENT;
            moved += elsewhere;
            less += now.kind == LW_ORACLE_OK && !elsewhere && !(now.w && now.x);
            kernel += now.kind == LW_ORACLE_PERMISSION;
            kept += now.kind == LW_ORACLE_NOT_PRESENT || elsewhere;
        }
        assert_int_equal(lw_page_changes_frames_kept(b.changes), kept);
    }
    for (uint64_t n = 0; n < PAGES; n++) {
        assert_true(changed[n]);
    }
    assert_int_equal(lw_page_changes_counts(b.changes).changes, 2000);
    assert_true(displaced > 5000 && unmapped > 1000 && moved > 1000 && less > 1000 && kernel > 100);
    end(&b);
}

/* A page becomes present where it was in the beginning, or is permitted more: for that x86 asks no
 * invalidation. */
static void test_silent_changes(void **state) {
    (void)state;
    static bench b;
    uint64_t appeared = 0, permitted = 0;
    begin(&b, 0);
    lw_error err = {0};
    assert_true(lw_page_changes_make_silent(b.changes, &b.rng, &err)); /* nothing to be done */
    for (uint32_t i = 0; i < 2000; i++) {
        lw_oracle_answer before[PAGES];
        change(&b);
        for (uint64_t n = 0; n < PAGES; n++) {
            before[n] = answer(&b, n);
        }
        assert_true(lw_page_changes_make_silent(b.changes, &b.rng, &err));
        uint32_t changed = 0;
        for (uint64_t n = 0; n < PAGES; n++) {
            const lw_oracle_answer now = answer(&b, n);
            if (lw_oracle_answer_equal(&now, &before[n])) {
                continue;
            }
            changed++;
            assert_int_equal(now.kind, LW_ORACLE_OK);
            if (before[n].kind == LW_ORACLE_NOT_PRESENT) {
                assert_int_equal(now.pfn, b.at_first[n].pfn);
                appeared++;
            } else {
                assert_true(before[n].kind == LW_ORACLE_PERMISSION || now.pfn == before[n].pfn);
                assert_true(now.w && now.x);
                permitted++;
            }
        }
        assert_true(changed <= 1);
    }
    const lw_page_change_counts counts = lw_page_changes_counts(b.changes);
    assert_true(appeared > 50 && permitted > 50);
    assert_int_equal(counts.appeared, appeared);
    assert_int_equal(counts.permitted, permitted);
    end(&b);
}

/* ---------------------------------------------------------------- near changes */

/* How often each page is drawn, of so many draws; never another. */
static void draw(bench *b, uint32_t draws, uint32_t hits[PAGES]) {
    memset(hits, 0, PAGES * sizeof hits[0]);
    for (uint32_t i = 0; i < draws; i++) {
        uint32_t process = 9;
        uint64_t n = 0;
        const uint64_t vpn = lw_page_changes_draw_page(b->changes, &b->rng, &process);
        while (n < PAGES && page_at(n) != vpn) {
            n++;
        }
        assert_true(n < PAGES && process == 0);
        hits[n]++;
    }
}

static void test_near_changes(void **state) {
    (void)state;
    static bench b;
    uint32_t hits[PAGES];
    begin(&b, 80);
    /* until sixteen have been asked for, and for what may not change, any page */
    for (uint32_t i = 0; i < 15; i++) {
        lw_page_changes_asked(b.changes, 0, page_at(5));
    }
    for (uint32_t i = 0; i < 100; i++) {
        lw_page_changes_asked(b.changes, 3, page_at(5)); /* nobody's table */
        lw_page_changes_asked(b.changes, 0, page_at(0) - 1);
        lw_page_changes_asked(b.changes, 0, page_at(9) + 1);
    }
    draw(&b, 3100, hits);
    for (uint64_t n = 0; n < PAGES; n++) {
        assert_in_range(hits[n], 20, 200); /* arrays are drawn alike, whatever their size */
    }
    /* page 0x10008, whose line ends behind the array: 56 of 100 itself, 24 in its line, 20 any */
    lw_page_changes_asked(b.changes, 0, page_at(5));
    draw(&b, 10000, hits);
    assert_in_range(hits[5], 5600, 6300);
    for (uint64_t n = 6; n < 10; n++) {
        assert_in_range(hits[n], 300, 600);
    }
    assert_true(hits[4] < 200 && hits[20] < 200);
    /* the first and the last page may change too */
    for (uint32_t i = 0; i < 16; i++) {
        lw_page_changes_asked(b.changes, 0, i % 2 == 0 ? page_at(0) : page_at(PAGES - 1));
    }
    draw(&b, 10000, hits);
    assert_true(hits[0] > 2500 && hits[PAGES - 1] > 2500);
    b.system.near_changes = 0;
    draw(&b, 3100, hits);
    assert_in_range(hits[0], 20, 200);
    end(&b);
}

static bool in_lines(uint64_t page, const uint64_t asked[2]) {
    return page >> 3 == asked[0] >> 3 || page >> 3 == asked[1] >> 3;
}

/* A silent change too meets a line that the unit was asked for lately, by the process that asked,
 * where one of its pages is not as it was; else any. */
static void test_near_silent_changes(void **state) {
    (void)state;
    static bench b;
    lw_error err = {0};
    uint64_t met = 0, any = 0;
    begin_with(&b, make_system("random", LW_SIZE_4K, 4, 48), arrays, COUNT(arrays), 2);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t asks = i / 2 % 2;
        const uint64_t asked[] = {page_at(lw_rng_below(&b.rng, PAGES)),
                                  page_at(lw_rng_below(&b.rng, PAGES))};
        const uint32_t once = (uint32_t)lw_rng_below(&b.rng, 16);
        lw_oracle_answer before[2][PAGES];
        bool has_displaced = false;
        b.system.near_changes = 0;
        change(&b);
        change(&b);
        b.system.near_changes = 100;
        for (uint32_t n = 0; n < 16; n++) {
            lw_page_changes_asked(b.changes, asks, asked[n == once]);
        }
        for (uint32_t p = 0; p < 2; p++) {
            for (uint64_t n = 0; n < PAGES; n++) {
                before[p][n] = walk(&b.system, b.spaces, p, page_at(n), LW_READ);
                const bool less =
                    before[p][n].kind != LW_ORACLE_OK || !before[p][n].w || !before[p][n].x;
                has_displaced = has_displaced || (less && p == asks && in_lines(page_at(n), asked));
            }
        }
        assert_true(lw_page_changes_make_silent(b.changes, &b.rng, &err));
        for (uint32_t p = 0; p < 2; p++) {
            for (uint64_t n = 0; n < PAGES; n++) {
                const lw_oracle_answer now = walk(&b.system, b.spaces, p, page_at(n), LW_READ);
                const bool near = p == asks && in_lines(page_at(n), asked);
                if (!lw_oracle_answer_equal(&now, &before[p][n])) {
                    assert_true(near || !has_displaced);
                    met += near;
                    any += !near;
                }
            }
        }
    }
    assert_true(met > 100 && any > 100);
    end(&b);
}

/* ---------------------------------------------------------------- heads */

/* A page through whose entry others are found changes only once the bits that say so are gone and
 * an invalidation has been completed; any other changes at once. Whoever takes bits away says of
 * which entry. */
static void test_heads_wait(void **state) {
    (void)state;
    static const lw_array frame = {"a frame", UINT64_C(0x10000000), 512 << 12};
    static bench b;
    lw_error err = {0};
    lw_rng rng;
    uint64_t waited = 0, lost = 0, at_once = 0, later = 0, with_bits = 0, entry_pa = 0, pa = 0;
    lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    system.near_changes = 60;
    system.hw.subregions = 1;
    begin_with(&b, system, &frame, 1, 1);
    lw_rng_seed(&rng, 2);
    const uint64_t first = frame.base >> 12;
    lw_page_table *table = lw_address_spaces_table(b.spaces, 0);
    lw_phys_mem *mem = lw_address_spaces_memory(b.spaces);
    assert_true(lw_page_table_entry_address(table, first, 2, &entry_pa, &err));
    for (uint32_t i = 0; i < 1000; i++) {
        bool rests[512];
        uint64_t entries[512];
        bool more = true;
        for (uint32_t n = 0; n < 16; n++) {
            lw_page_changes_asked(b.changes, 0, first + lw_rng_below(&rng, 8) * 64);
        }
        for (uint64_t n = 0; n < 512; n++) {
            rests[n] = lw_contiguity_rests_on(table, mem, first + n);
            assert_true(lw_page_table_entry_address(table, first + n, 1, &pa, &err));
            entries[n] = lw_phys_mem_read64(mem, pa);
        }
        for (uint32_t part = 0; more; part++) {
            const uint64_t before = lw_phys_mem_read64(mem, entry_pa);
            assert_true(part == 0 ? lw_page_changes_make(b.changes, &b.rng, &b.plan, &err)
                                  : lw_page_changes_go_on(b.changes, &b.rng, &b.plan, &more, &err));
            if (!more) {
                break;
            }
            assert_true(part < 2 && b.plan.count > 0);
            const uint64_t gone = before & ~lw_phys_mem_read64(mem, entry_pa);
            assert_int_equal(b.plan.bits_lost, gone != 0 ? entry_pa : 0);
            assert_true((gone & ~(LW_PTE_C | LW_PTE_AC)) == 0);
            lost += gone != 0;
            waited += part;
            for (uint64_t n = 0; n < 512; n++) {
                assert_true(lw_page_table_entry_address(table, first + n, 1, &pa, &err));
                const uint64_t now = lw_phys_mem_read64(mem, pa);
                assert_true(now == entries[n] || rests[n] == (part == 1));
                assert_true(part == 0 || now == entries[n] ||
                            !lw_contiguity_rests_on(table, mem, first + n));
                *(part == 0 ? &at_once : &later) += now != entries[n];
            }
            assert_true(b.plan.free_count == 0 ||
                        lw_frame_release(lw_address_spaces_frames(b.spaces), b.plan.free_frame,
                                         b.plan.free_count, &err));
        }
        /* as long as an entry of the frame may stand for other pages nothing changes silently */
        const bool has_bits = (lw_phys_mem_read64(mem, entry_pa) & (LW_PTE_C | LW_PTE_AC)) != 0;
        for (uint64_t n = 0; n < 512; n++) {
            assert_true(lw_page_table_entry_address(table, first + n, 1, &pa, &err));
            entries[n] = lw_phys_mem_read64(mem, pa);
        }
        assert_true(lw_page_changes_make_silent(b.changes, &b.rng, &err));
        for (uint64_t n = 0; n < 512 && has_bits; n++) {
            assert_true(lw_page_table_entry_address(table, first + n, 1, &pa, &err));
            assert_int_equal(lw_phys_mem_read64(mem, pa), entries[n]);
        }
        with_bits += has_bits;
    }
    assert_true(waited > 50 && with_bits > 50 && later > waited / 2 && lost > 50 && at_once > 200);
    end(&b);
}

/* Planted entries stay as they are, also where somebody has just asked for them; and a process that
 * has nothing else has no page to change. */
static void test_planted_pages_stay(void **state) {
    (void)state;
    static const lw_array planted = {"bad", UINT64_C(0x20000000), 64 << 12};
    bench b;
    lw_error err = {0};
    for (uint32_t whole = 0; whole < 2; whole++) {
        memset(&b, 0, sizeof b);
        b.system = make_system("random", LW_SIZE_4K, 4, 48);
        b.system.near_changes = 90;
        lw_rng_seed(&b.rng, 1);
        b.spaces = lw_address_spaces_new(&b.system, 1 << 12, 1, &err);
        for (uint32_t p = 0; p < 3; p++) { /* of three processes the last may have pages */
            const size_t count = p == 2 && whole != 0 ? COUNT(arrays) : 0;
            assert_true(lw_address_spaces_add(b.spaces, arrays, count, &err));
            assert_true(lw_address_spaces_append(b.spaces, p, &planted, 1, &err));
        }
        b.roots = lw_os_roots_new(b.spaces);
        b.changes = lw_page_changes_new(&b.system, b.spaces, b.roots);
        for (uint32_t i = 0; i < 60; i++) {
            lw_page_changes_asked(b.changes, i % 3, (planted.base >> 12) + i % 64);
        }
        for (uint32_t i = 0; i < 1000; i++) {
            uint32_t process = 9;
            uint64_t n = 0;
            const uint64_t vpn = lw_page_changes_draw_page(b.changes, &b.rng, &process);
            while (n < PAGES && page_at(n) != vpn) {
                n++;
            }
            assert_true(whole != 0 ? n < PAGES && process == 2
                                   : vpn == (UINT64_C(1) << 36) - 1 && process < 3);
        }
        end(&b);
    }
}

/* Without a hashed table nothing is remembered, planned or owed beside the page table's change. */
static void test_no_hashed_table(void **state) {
    (void)state;
    static bench b;
    lw_error err = {0};
    bool moved = true;
    begin(&b, 0);
    lw_os_plan_begin(&b.plan);
    lw_hashed_change_remember(b.spaces, 0, page_at(3), &b.plan);
    assert_true(lw_hashed_change_follow(b.spaces, 0, page_at(3), &b.plan, &moved, &err));
    assert_false(moved);
    assert_true(lw_hashed_change_forget(b.spaces, 0, page_at(3), &b.plan, &err));
    assert_true(lw_hashed_change_is_one_word(b.spaces, 0, page_at(3)));
    assert_true(lw_hashed_change_at_once(b.spaces, 0, page_at(3), &err));
    assert_int_equal(b.plan.count, 0);
    assert_int_equal(b.plan.before_count, 0);
    for (uint64_t n = 0; n < PAGES; n++) {
        const lw_oracle_answer now = answer(&b, n);
        assert_true(lw_oracle_answer_equal(&now, &b.at_first[n]));
    }
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_back_as_it_was),  cmocka_unit_test(test_silent_changes),

        cmocka_unit_test(test_near_silent_changes), cmocka_unit_test(test_heads_wait),
        cmocka_unit_test(test_near_changes),        cmocka_unit_test(test_planted_pages_stay),
        cmocka_unit_test(test_no_hashed_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
