/* The driver of a hashed page table: each branch of Algorithm 1 and of what chapter 20 adds to it
 * (R20.15 to R20.20) but for full chains, and Figure 2's sequence. */
#include "tests/unit/sim/tables/hashed_homes.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* ---------------------------------------------------------------- the probe sequence */

/* R20.7, R20.15: colliding regions lie at steps 0, 1, 2, .., also past the end of the table. */
static void collisions_take_steps(void **state) {
    (void)state;
    static const uint32_t strides[] = {1, 5, 15};
    for (size_t s = 0; s < COUNT(strides); s++) {
        bench b;
        lw_hashed_config config = bench_config(4);
        config.stride = strides[s];
        bench_open(&b, config);
        for (uint32_t n = 0; n < 8; n++) {
            assert_int_equal(step_of(&b, 0, put(&b, 15, n, RWX)), n);
        }
        check_tables(&b);
        const lw_hashed_figures f = lw_hashed_table_figures(b.table);
        for (uint32_t n = 0; n < 8; n++) {
            assert_int_equal(f.steps[n], 1);
            assert_true(right(&b, region_at(&b, 0, 15, n), n));
        }
        assert_int_equal(f.local, 8);
        assert_int_equal(f.slots, 16);
        bench_close(&b);
    }
}

/* R20.16, line 7: a region with an entry gets no second one, also behind a deleted slot. */
static void a_page_joins_its_region(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    const uint64_t first = put(&b, 3, 0, RWX);
    const uint64_t second = put(&b, 3, 1, RWX);
    map(&b, 0, second * REGION + 100, 77, LW_MAP_U);
    unmap(&b, 0, first * REGION, 1);
    map(&b, 0, second * REGION + 101, 78, RWX);
    assert_int_equal(counts(&b).found, 2);
    assert_int_equal(counts(&b).entries, 2);
    assert_int_equal(step_of(&b, 0, second), 1);
    assert_int_equal(lw_hashed_table_figures(b.table).local, 1);
    assert_true(agree(&b, 0, second * REGION + 100) && agree(&b, 0, second * REGION + 101));
    check_tables(&b);
    bench_close(&b);
}

/* Lines 13, 14 and 23, 24: the first deleted slot on the way is taken, with its own step. */
static void a_deleted_slot_is_reused(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    for (uint32_t n = 0; n < 5; n++) {
        (void)put(&b, 14, n, RWX);
    }
    for (uint32_t n = 1; n <= 3; n += 2) {
        unmap(&b, 0, region_at(&b, 0, 14, n) * REGION + n, 1);
    }
    assert_int_equal(counts(&b).reused, 0);
    assert_int_equal(step_of(&b, 0, put(&b, 14, 5, RWX)), 1);
    assert_int_equal(step_of(&b, 0, put(&b, 14, 6, RWX)), 3);
    assert_int_equal(step_of(&b, 0, put(&b, 14, 7, RWX)), 5);
    assert_int_equal(counts(&b).reused, 2);
    check_tables(&b);
    bench_close(&b);
}

/* R20.16: eight slots without an invalid one, but with a deleted one, are no full chain. */
static void a_chain_ends_in_a_deleted_slot(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    for (uint32_t n = 0; n < 8; n++) {
        (void)put(&b, 2, n, RWX);
    }
    unmap(&b, 0, region_at(&b, 0, 2, 6) * REGION + 6, 1);
    assert_int_equal(step_of(&b, 0, put(&b, 2, 8, RWX)), 6);
    assert_int_equal(counts(&b).chain_moves + counts(&b).unplaced, 0);
    check_tables(&b);
    bench_close(&b);
}

/* ---------------------------------------------------------------- evictions */

/* Figure 2: page 4 is not there, the GPU's memory is full of pages 0 to 3; page 0, the one that
 * has been used least recently, goes to the host, and page 4 comes. */
static void figure_2(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 4;
    bench_open(&b, config);
    for (uint64_t n = 0; n < 4; n++) {
        map(&b, 0, n * REGION, 10 + n, RWX);
    }
    const uint64_t fourth = UINT64_C(4) * REGION;
    assert_int_equal(hashed_walk(&b, 0, fourth, false).answer.kind, LW_ORACLE_NOT_PRESENT);
    map(&b, 0, fourth, 10, RWX); /* page 0's frame */
    assert_int_equal(b.paged_out, 1);
    assert_int_equal(counts(&b).page_evictions, 1);
    assert_int_equal(hashed_walk(&b, 0, 0, false).answer.kind, LW_ORACLE_NOT_PRESENT);
    assert_int_equal(hashed_walk(&b, 0, fourth, false).answer.pfn, 10);
    map(&b, 0, REGION + 1, 20, RWX); /* a page that is added is a use (R20.20) */
    map(&b, 0, 0, 12, RWX);          /* page 0 comes back; page 2 is the oldest now */
    for (uint64_t n = 0; n < 5; n++) {
        const uint32_t kind = hashed_walk(&b, 0, n * REGION, false).answer.kind;
        assert_int_equal(kind, n == 2 ? LW_ORACLE_NOT_PRESENT : LW_ORACLE_OK);
        assert_true(agree(&b, 0, n * REGION));
    }
    check_tables(&b);
    bench_close(&b);
}

/* R20.17, lines 18 to 21: a local page with the GPU's memory full pages out, even at the threshold;
 * a remote one needs no memory. */
static void oversubscription_comes_first(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 2;
    config.max_entries = 4;
    bench_open(&b, config);
    map(&b, 0, 0, 1, REMOTE);
    map(&b, 0, REGION, 2, RWX);
    map(&b, 0, 2 * REGION, 3, RWX);
    map(&b, 0, 3 * REGION, 4, REMOTE);
    map(&b, 0, 4 * REGION, 5, RWX);
    assert_int_equal(counts(&b).page_evictions, 1);
    assert_int_equal(counts(&b).remote_evictions, 0);
    assert_int_equal(hashed_walk(&b, 0, REGION, false).answer.kind, LW_ORACLE_NOT_PRESENT);
    map(&b, 0, 5 * REGION, 6, REMOTE);
    assert_int_equal(counts(&b).page_evictions, 1);
    assert_int_equal(counts(&b).remote_evictions, 1);
    assert_int_equal(hashed_walk(&b, 0, 0, false).place, LW_HASHED_VICTIM_BUFFER);
    check_tables(&b);
    bench_close(&b);
}

/* R20.16: the probe comes before room is made. Of a chain that was not full a slot that room has
 * emptied is none that was passed; the next region passes it. */
static void the_probe_comes_first(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_entries = 2;
    bench_open(&b, config);
    (void)put(&b, 3, 0, REMOTE);
    (void)put(&b, 3, 1, REMOTE);
    const uint64_t third = put(&b, 3, 2, REMOTE);
    assert_int_equal(counts(&b).remote_evictions, 1);
    assert_int_equal(step_of(&b, 0, region_at(&b, 0, 3, 0)), UINT32_MAX); /* it was at home */
    assert_int_equal(step_of(&b, 0, third), 2);
    assert_int_equal(step_of(&b, 0, put(&b, 3, 3, REMOTE)), 0);
    assert_int_equal(counts(&b).reused, 1);
    check_tables(&b);
    bench_close(&b);
}

/* Section 3.6: at the threshold the remote entry goes that was used least recently. */
static void the_threshold_evicts_remote_entries(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(5);
    config.max_entries = 4;
    bench_open(&b, config);
    map(&b, 0, 0, 1, RWX);
    for (uint64_t n = 1; n < 4; n++) {
        map(&b, 0, n * REGION + n, 10 + n, REMOTE);
    }
    assert_int_equal(lw_hashed_table_access(b.table, 0, REGION, 1), 1);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 3 * REGION, 2), 1);
    map(&b, 0, 4 * REGION, 20, RWX);
    assert_int_equal(hashed_walk(&b, 0, 2 * REGION + 2, false).place, LW_HASHED_VICTIM_BUFFER);
    map(&b, 0, 5 * REGION, 21, REMOTE);
    assert_int_equal(hashed_walk(&b, 0, REGION + 1, false).place, LW_HASHED_VICTIM_BUFFER);
    assert_int_equal(hashed_walk(&b, 0, 3 * REGION + 3, false).place, LW_HASHED_TABLE);
    for (uint64_t n = 0; n < 6; n++) {
        assert_true(agree(&b, 0, n * REGION + n));
    }
    const lw_hashed_figures f = lw_hashed_table_figures(b.table);
    assert_true(f.local == 2 && f.remote == 2 && f.victim_regions == 2);
    assert_int_equal(counts(&b).remote_evictions, 2);
    check_tables(&b);
    bench_close(&b);
}

/* R20.19: with m = 1 and a table of local entries, a remote page goes to the victim buffer. */
static void no_remote_entry_to_evict(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = config.max_entries = 3;
    bench_open(&b, config);
    for (uint64_t n = 0; n < 3; n++) {
        map(&b, 0, n * REGION, 1 + n, RWX);
    }
    map(&b, 0, 3 * REGION, 9, REMOTE);
    map(&b, 0, 3 * REGION + 1, 10, REMOTE);
    assert_int_equal(counts(&b).over_threshold, 1);
    assert_int_equal(hashed_walk(&b, 0, 3 * REGION + 1, false).place, LW_HASHED_VICTIM_BUFFER);
    /* its first local page brings it back, and a local entry is paged out for it */
    map(&b, 0, 3 * REGION + 2, 11, RWX);
    assert_int_equal(counts(&b).recalls, 1);
    assert_int_equal(counts(&b).page_evictions, 1);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(hashed_walk(&b, 0, 3 * REGION + i, false).place, LW_HASHED_TABLE);
        assert_true(agree(&b, 0, 3 * REGION + i) && agree(&b, 0, i * REGION));
    }
    check_tables(&b);
    bench_close(&b);
}

/* R20.19 is of regions that have pages in the victim buffer: with the last of them a region is
 * nowhere, and the next page looks for a place in the table. */
static void a_region_without_pages_is_nowhere(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    map(&b, 0, REGION, 1, REMOTE);
    map(&b, 0, REGION + 1, 2, REMOTE);
    assert_true(act(&b, lw_hashed_table_evict, 0, REGION));
    unmap(&b, 0, REGION, 1);
    assert_true(lw_hashed_table_holds(b.table, 0, REGION));
    unmap(&b, 0, REGION + 1, 1);
    assert_false(lw_hashed_table_holds(b.table, 0, REGION));
    assert_int_equal(lw_hashed_table_figures(b.table).victim_regions, 0);
    map(&b, 0, REGION + 2, 3, REMOTE);
    assert_int_equal(hashed_walk(&b, 0, REGION + 2, false).place, LW_HASHED_TABLE);
    assert_true(counts(&b).entries == 2 && counts(&b).recalls == 0);
    check_tables(&b);
    bench_close(&b);
}

/* R20.20: an entry becomes local with its first local page, which needs room; and remote again. */
static void entries_become_local(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 1;
    bench_open(&b, config);
    map(&b, 0, 0, 1, RWX);
    map(&b, 0, REGION, 2, REMOTE);
    assert_int_equal(lw_hashed_table_figures(b.table).remote, 1);
    map(&b, 0, REGION + 1, 3, RWX);
    assert_int_equal(counts(&b).page_evictions, 1);
    assert_true(lw_hashed_table_figures(b.table).remote == 0 &&
                lw_hashed_table_figures(b.table).local == 1);
    map(&b, 0, REGION + 2, 4, RWX); /* it is local already */
    assert_int_equal(counts(&b).page_evictions, 1);
    unmap(&b, 0, REGION + 1, 1);
    unmap(&b, 0, REGION + 2, 1);
    assert_int_equal(lw_hashed_table_figures(b.table).remote, 1);
    assert_true(agree(&b, 0, REGION) && agree(&b, 0, 0));
    check_tables(&b);
    bench_close(&b);
}

/* R20.20: a page that is added is a use of its entry, local or remote; one that goes is none. */
static void an_added_page_is_a_use(void **state) {
    (void)state;
    for (uint32_t remote = 0; remote < 2; remote++) {
        const uint32_t flags = remote != 0 ? REMOTE : RWX;
        bench b;
        lw_hashed_config config = bench_config(4);
        config.max_local = config.max_entries = 3;
        bench_open(&b, config);
        for (uint64_t n = 0; n < 3; n++) {
            map(&b, 0, n * REGION, 10 + n, flags);
            map(&b, 0, n * REGION + 1, 20 + n, flags);
        }
        unmap(&b, 0, REGION + 1, 1);
        map(&b, 0, 2, 30, flags);
        map(&b, 0, 3 * REGION, 40, flags); /* in the place of region 1, the oldest by now */
        for (uint64_t n = 0; n < 4; n++) {
            const lw_hashed_walk_answer a = hashed_walk(&b, 0, n * REGION, false);
            assert_int_equal(a.place == LW_HASHED_TABLE && a.answer.kind == LW_ORACLE_OK, n != 1);
            assert_true(agree(&b, 0, n * REGION));
        }
        check_tables(&b);
        bench_close(&b);
    }
}

/* R20.20: an access that the driver learns of is a use of the remote entry. */
static void an_access_is_a_use(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_entries = 3;
    bench_open(&b, config);
    for (uint64_t n = 0; n < 3; n++) {
        map(&b, 0, n * REGION, 10 + n, REMOTE);
    }
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 100), 1);
    map(&b, 0, 3 * REGION, 40, REMOTE);
    for (uint64_t n = 0; n < 4; n++) {
        assert_int_equal(hashed_walk(&b, 0, n * REGION, false).place,
                         n == 1 ? LW_HASHED_VICTIM_BUFFER : LW_HASHED_TABLE);
    }
    bench_close(&b);
}

static void a_table_without_room(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(3));
    for (uint64_t n = 0; n < 12; n++) {
        map(&b, 0, n * REGION + n, 50 + n, RWX);
        map(&b, 0, n * REGION + n + 1, 150 + n, RWX);
    }
    /* eight slots, eight entries: neither threshold nor memory lets a ninth in */
    assert_int_equal(lw_hashed_table_figures(b.table).local, 8);
    for (uint64_t n = 0; n < 12; n++) {
        assert_true(agree(&b, 0, n * REGION + n) && agree(&b, 0, n * REGION + n + 1));
    }
    check_tables(&b);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_take_steps),
        cmocka_unit_test(a_page_joins_its_region),
        cmocka_unit_test(a_deleted_slot_is_reused),
        cmocka_unit_test(a_chain_ends_in_a_deleted_slot),
        cmocka_unit_test(figure_2),
        cmocka_unit_test(oversubscription_comes_first),
        cmocka_unit_test(the_probe_comes_first),
        cmocka_unit_test(the_threshold_evicts_remote_entries),
        cmocka_unit_test(no_remote_entry_to_evict),
        cmocka_unit_test(a_region_without_pages_is_nowhere),
        cmocka_unit_test(entries_become_local),
        cmocka_unit_test(an_added_page_is_a_use),
        cmocka_unit_test(an_access_is_a_use),
        cmocka_unit_test(a_table_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
