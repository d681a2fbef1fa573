/* Page tables as the OS asks them (page_table.h): what a walk that ends early says, changes of
 * pages of several entries, nodes that two tables share, and nodes that move. What they map is
 * tests/unit/sim/memory/test_memory.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/tables/page_table.h"

#include <stdio.h>
#include <string.h>

#define RWX (LW_MAP_W | LW_MAP_U | LW_MAP_X)

/* One page below an entry of its own at every level. */
#define VPN (UINT64_C(3) << 36 | UINT64_C(5) << 27 | UINT64_C(7) << 18 | UINT64_C(9) << 9 | 11)

typedef struct bench {
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    lw_page_table *one, *other;
} bench;

static bench begin(uint32_t levels, uint64_t frames) {
    const lw_frame_allocator_config config = {.policy = {.kind = LW_FRAMES_RANDOM},
                                              .first_frame = 0x40000,
                                              .frames = frames,
                                              .pa_width = 48,
                                              .seed = 9};
    lw_error err = {0};
    bench b = {.mem = lw_phys_mem_new(48, &err)};
    b.frames = lw_frame_allocator_new(&config, &err);
    b.one = lw_page_table_new(b.mem, b.frames, levels, &err);
    b.other = lw_page_table_new(b.mem, b.frames, levels, &err);
    assert_non_null(b.one);
    assert_non_null(b.other);
    return b;
}

static void end(bench *b) {
    lw_page_table_free(b->one);
    lw_page_table_free(b->other);
    assert_int_equal(lw_frame_allocator_in_use(b->frames), 0);
    lw_frame_allocator_free(b->frames);
    lw_phys_mem_free(b->mem);
}

static uint64_t entry_at(const bench *b, const lw_page_table *pt, uint64_t vpn, uint32_t level,
                         uint64_t *pa) {
    lw_error err = {0};
    if (!lw_page_table_entry_address(pt, vpn, level, pa, &err)) {
        fail_msg("%s", err.text);
    }
    return lw_phys_mem_read64(b->mem, *pa);
}

/* The frame to which a table leads this page; 0 where it does not. */
static uint64_t frame_in(const lw_page_table *pt, uint64_t vpn) {
    lw_page_table_leaf leaf;
    lw_error err = {0};
    return lw_page_table_find(pt, vpn, &leaf, &err) ? (leaf.entry & LW_PTE_FRAME) >> 12 : 0;
}

/* ---------------------------------------------------------------- walks that end early */

/* A page has level 1, 2 or 3: an entry above them that says it is one holds none, and a walk ends
 * there. */
static void test_no_page_above_level_3(void **state) {
    (void)state;
    for (uint32_t level = 2; level <= 5; level++) {
        bench b = begin(5, 64);
        lw_error err = {0};
        lw_page_table_leaf leaf = {0};
        uint64_t pa = 0;
        uint64_t below = 0;
        assert_true(lw_page_table_map(b.one, VPN, 0x1234, LW_SIZE_4K, RWX, &err));
        const uint64_t entry = entry_at(&b, b.one, VPN, level, &pa);
        assert_true(lw_phys_mem_write64(b.mem, pa, entry | LW_PTE_PS, &err));
        assert_int_equal(lw_page_table_find(b.one, VPN, &leaf, &err), level <= 3);
        if (level <= 3) {
            assert_int_equal(leaf.level, level);
            assert_int_equal(leaf.pa, pa);
            assert_int_equal(leaf.entry, entry | LW_PTE_PS);
        }
        assert_false(lw_page_table_entry_address(b.one, VPN, level - 1, &below, &err));
        assert_true(lw_page_table_entry_address(b.one, VPN, level, &below, &err));
        assert_int_equal(below, pa);
        end(&b);
    }
}

/* A level is 1 to the table's, and a VPN has 9 bits for each. */
static void test_levels_and_vpns(void **state) {
    (void)state;
    for (uint32_t levels = 4; levels <= 5; levels++) {
        bench b = begin(levels, 64);
        lw_error err = {0};
        lw_page_table_leaf leaf;
        uint64_t pa = 0;
        const uint64_t last = (UINT64_C(1) << 9 * levels) - 1;
        assert_true(lw_page_table_map(b.one, last, 0x1234, LW_SIZE_4K, RWX, &err));
        for (uint32_t level = 0; level <= levels + 1; level++) {
            assert_int_equal(lw_page_table_entry_address(b.one, last, level, &pa, &err),
                             level >= 1 && level <= levels);
            assert_true(level == 0 || level > levels || pa % 4096 == 4088);
            assert_false(lw_page_table_entry_address(b.one, last + 1, level, &pa, &err));
        }
        assert_true(lw_page_table_find(b.one, last, &leaf, &err));
        assert_false(lw_page_table_find(b.one, (UINT64_C(1) << 9 * levels) | last, &leaf, &err));
        end(&b);
    }
}

/* A table has 4 or 5 levels, neither fewer nor more. */
static void test_numbers_of_levels(void **state) {
    (void)state;
    bench b = begin(4, 64);
    for (uint32_t levels = 0; levels <= 8; levels++) {
        lw_error err = {0};
        char wanted[64] = "";
        lw_page_table *pt = lw_page_table_new(b.mem, b.frames, levels, &err);
        assert_int_equal(pt != NULL, levels == 4 || levels == 5);
        if (pt == NULL) {
            (void)snprintf(wanted, sizeof wanted, "page table: %u levels are not 4 or 5", levels);
        }
        assert_string_equal(err.text, wanted);
        lw_page_table_free(pt);
    }
    end(&b);
}

/* ---------------------------------------------------------------- pages of several entries */

enum { OF_64K = 16, AT = 32 };

/* A page of 64 KiB lies between others of 4 KiB. */
static bench begin_with_64k(void) {
    bench b = begin(4, 64);
    lw_error err = {0};
    assert_true(lw_page_table_map(b.one, AT - 1, 0x111, LW_SIZE_4K, RWX, &err));
    assert_true(lw_page_table_map(b.one, AT + OF_64K, 0x222, LW_SIZE_4K, RWX, &err));
    assert_true(lw_page_table_map(b.one, AT, 0x1000, LW_SIZE_64K, RWX, &err));
    return b;
}

static void assert_neighbours(const bench *b) {
    lw_page_table_leaf leaf;
    lw_error err = {0};
    assert_true(lw_page_table_find(b->one, AT - 1, &leaf, &err));
    assert_int_equal(leaf.entry, 0x111 << 12 | LW_PTE_P | LW_PTE_RW | LW_PTE_US);
    assert_true(lw_page_table_find(b->one, AT + OF_64K, &leaf, &err));
    assert_int_equal(leaf.entry, 0x222 << 12 | LW_PTE_P | LW_PTE_RW | LW_PTE_US);
}

/* Whichever of its sixteen is named, a change is of the whole page and of nothing beside it. */
static void test_changes_of_64k(void **state) {
    (void)state;
    const uint64_t kept = LW_PTE_P | LW_PTE_US | LW_PTE_64K;
    for (uint64_t named = AT; named < AT + OF_64K; named++) {
        bench b = begin_with_64k();
        lw_error err = {0};
        lw_page_table_leaf leaf;
        assert_neighbours(&b);
        assert_true(lw_page_table_protect(b.one, named, LW_MAP_U | LW_MAP_X, &err));
        for (uint64_t i = 0; i < OF_64K; i++) {
            assert_true(lw_page_table_find(b.one, AT + i, &leaf, &err));
            assert_int_equal(leaf.entry, (0x1000 + i) << 12 | kept);
            assert_int_equal(lw_page_table_leaf_pages(&leaf), OF_64K);
        }
        assert_true(lw_page_table_remap(b.one, named, 0x2000, &err));
        for (uint64_t i = 0; i < OF_64K; i++) {
            assert_true(lw_page_table_find(b.one, AT + i, &leaf, &err));
            assert_int_equal(leaf.entry, (0x2000 + i) << 12 | kept);
        }
        assert_false(lw_page_table_remap(b.one, named, 0x2008, &err)); /* not a multiple of 16 */
        assert_neighbours(&b);
        assert_true(lw_page_table_unmap(b.one, named, &err));
        for (uint64_t i = 0; i < OF_64K; i++) {
            assert_false(lw_page_table_find(b.one, AT + i, &leaf, &err));
        }
        assert_neighbours(&b);
        end(&b);
    }
}

/* ---------------------------------------------------------------- shared nodes */

/* What is mapped below the shared entry is mapped for both, before and after, and nothing beside
 * it; the entries lead to one node, which stays the other's, and what one has taken away of its own
 * entry the other keeps. */
static void test_what_is_shared(void **state) {
    (void)state;
    for (uint32_t level = 2; level <= 5; level++) {
        bench b = begin(5, 64);
        lw_error err = {0};
        uint64_t pa[2];
        const uint64_t span = UINT64_C(1) << 9 * (level - 1);
        const uint64_t node_of = VPN & ~(span - 1); /* the first page below the entry */
        const uint64_t outside = VPN + span;
        assert_true(lw_page_table_map(b.other, VPN, 0x1234, LW_SIZE_4K, RWX, &err));
        assert_true(lw_page_table_map(b.other, outside, 0x777, LW_SIZE_4K, RWX, &err));
        const uint64_t nodes = lw_page_table_nodes(b.other);
        assert_true(lw_page_table_share(b.one, b.other, VPN, level, LW_PTE_RW, &err));
        assert_int_equal(frame_in(b.one, VPN), 0x1234);
        assert_int_equal(frame_in(b.one, outside), 0);
        const uint64_t theirs = entry_at(&b, b.other, VPN, level, &pa[0]);
        const uint64_t ours = entry_at(&b, b.one, VPN, level, &pa[1]);
        assert_int_equal(ours, theirs & ~LW_PTE_RW);
        assert_true((theirs & LW_PTE_RW) != 0);
        assert_int_not_equal(pa[0], pa[1]);
        (void)entry_at(&b, b.other, VPN, level - 1, &pa[0]);
        (void)entry_at(&b, b.one, VPN, level - 1, &pa[1]);
        assert_int_equal(pa[0], pa[1]);
        assert_true(lw_page_table_has_node(b.other, (ours & LW_PTE_FRAME) >> 12));
        assert_false(lw_page_table_has_node(b.one, (ours & LW_PTE_FRAME) >> 12));
        assert_int_equal(lw_page_table_nodes(b.one), 1 + 5 - level); /* root and way down */
        assert_int_equal(lw_page_table_nodes(b.other), nodes);
        assert_true(lw_page_table_map(b.other, node_of, 0x4321, LW_SIZE_4K, RWX, &err));
        assert_int_equal(frame_in(b.one, node_of), 0x4321);
        assert_true(lw_page_table_map(b.one, node_of + 1, 0x5678, LW_SIZE_4K, RWX, &err));
        assert_int_equal(frame_in(b.other, node_of + 1), 0x5678);
        assert_true(lw_page_table_unmap(b.one, VPN, &err));
        assert_int_equal(frame_in(b.other, VPN), 0);
        end(&b);
    }
}

/* Only a node that the other has can be shared, and only where nothing is; what cannot be shared
 * changes nothing. */
static void test_what_is_not_shared(void **state) {
    (void)state;
    bench b = begin(4, 64);
    lw_error err = {0};
    const uint64_t large = UINT64_C(1) << 18 | 512;
    assert_true(lw_page_table_map(b.other, 5, 0x1234, LW_SIZE_4K, RWX, &err));
    assert_true(lw_page_table_map(b.other, large, 512, LW_SIZE_2M, RWX, &err));
    static const struct {
        uint64_t vpn;
        uint32_t level;
        const char *says;
    } rows[] = {
        {5, 1, "VPN 0x5 has no node below level 1"},               /* a page is no node */
        {5, 5, "is not in 1..4"},                                  /* there is no such level */
        {512, 2, "VPN 0x200 has no node below level 2"},           /* not present */
        {UINT64_C(1) << 18 | 512, 2, "has no node below level 2"}, /* a page of 2 MiB */
        {UINT64_C(1) << 27, 3, "above level 3"},                   /* nor on the way to it */
        {UINT64_C(1) << 36, 3, "more than 36 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        err.text[0] = '\0';
        assert_false(lw_page_table_share(b.one, b.other, rows[i].vpn, rows[i].level, 0, &err));
        assert_non_null(strstr(err.text, rows[i].says));
        assert_int_equal(lw_page_table_nodes(b.one), 1);
    }
    assert_true(lw_page_table_map(b.one, 6, 0x66, LW_SIZE_4K, RWX, &err));
    assert_false(lw_page_table_share(b.one, b.other, 5, 2, 0, &err));
    assert_non_null(strstr(err.text, "is mapped already"));
    assert_int_equal(frame_in(b.one, 5), 0);
    assert_int_equal(frame_in(b.one, 6), 0x66);
    end(&b);
    /* and without a frame for a node on the way down nothing is kept */
    b = begin(4, 6); /* the roots, three nodes of the other's, and one of two */
    assert_true(lw_page_table_map(b.other, 5, 0x1234, LW_SIZE_4K, RWX, &err));
    assert_false(lw_page_table_share(b.one, b.other, 5, 2, 0, &err));
    assert_int_equal(lw_page_table_nodes(b.one), 1);
    assert_int_equal(lw_frame_allocator_in_use(b.frames), 5);
    assert_int_equal(frame_in(b.one, 5), 0);
    assert_true(lw_page_table_share(b.one, b.other, 5, 3, 0, &err));
    end(&b);
}

/* ---------------------------------------------------------------- nodes */

/* A node that has moved is the table's under its new frame, which it gives back; another's is not
 * its own, moved or not. */
static void test_moved_nodes(void **state) {
    (void)state;
    bench b = begin(4, 64);
    lw_error err = {0};
    uint64_t pa = 0;
    assert_true(lw_page_table_map(b.one, 5, 0x1234, LW_SIZE_4K, RWX, &err));
    assert_true(lw_page_table_map(b.other, 5, 0x1234, LW_SIZE_4K, RWX, &err));
    for (uint32_t level = 1; level <= 4; level++) {
        (void)entry_at(&b, b.one, 5, level, &pa);
        const uint64_t old = pa >> 12;
        assert_true(lw_page_table_has_node(b.one, old));
        assert_false(lw_page_table_has_node(b.other, old));
        uint64_t frame = 0;
        assert_true(lw_frame_alloc(b.frames, &frame, &err));
        assert_false(lw_page_table_has_node(b.one, frame));
        assert_false(lw_page_table_replace_node(b.other, old, frame));
        if (level < 4) {
            assert_true(lw_page_table_replace_node(b.one, old, frame));
            assert_true(lw_page_table_has_node(b.one, frame));
            assert_false(lw_page_table_has_node(b.one, old));
            assert_false(lw_page_table_replace_node(b.one, old, frame));
            assert_true(lw_page_table_replace_node(b.one, frame, old));
        }
        assert_int_equal(lw_page_table_nodes(b.one), 4);
        assert_true(lw_frame_release(b.frames, frame, 1, &err));
    }
    end(&b);
}

/* ---------------------------------------------------------------- nothing half done */

/* A node begins empty, whatever its frame held. */
static void test_nodes_begin_empty(void **state) {
    (void)state;
    enum { FRAMES = 16 };
    bench b = begin(5, FRAMES);
    lw_error err = {0};
    uint64_t old[FRAMES];
    uint64_t count = 0;
    while (lw_frame_alloc(b.frames, &old[count], &err)) {
        for (uint64_t at = 0; at < 4096; at += 8) {
            assert_true(lw_phys_mem_write64(b.mem, old[count] << 12 | at, 0x77007, &err));
        }
        count++;
    }
    assert_int_equal(count, FRAMES - 2);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(lw_frame_release(b.frames, old[i], 1, &err));
    }
    assert_true(lw_page_table_map(b.one, VPN, 0x111, LW_SIZE_4K, RWX, &err));
    for (uint32_t level = 1; level <= 5; level++) {
        assert_int_equal(frame_in(b.one, VPN ^ UINT64_C(1) << 9 * (level - 1)), 0);
    }
    assert_int_equal(frame_in(b.one, VPN), 0x111);
    end(&b);
}

/* Of a page of several entries none is written where one of them is another page's. */
static void test_all_entries_or_none(void **state) {
    (void)state;
    for (uint64_t taken = 0; taken < OF_64K; taken++) {
        bench b = begin(4, 64);
        lw_error err = {0};
        assert_true(lw_page_table_map(b.one, AT + taken, 0x111, LW_SIZE_4K, RWX, &err));
        assert_false(lw_page_table_map(b.one, AT, 0x240, LW_SIZE_64K, RWX, &err));
        for (uint64_t i = 0; i < OF_64K; i++) {
            assert_int_equal(frame_in(b.one, AT + i), i == taken ? 0x111 : 0);
        }
        end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_page_above_level_3), cmocka_unit_test(test_levels_and_vpns),
        cmocka_unit_test(test_numbers_of_levels),     cmocka_unit_test(test_changes_of_64k),
        cmocka_unit_test(test_what_is_shared),        cmocka_unit_test(test_what_is_not_shared),
        cmocka_unit_test(test_moved_nodes),           cmocka_unit_test(test_nodes_begin_empty),
        cmocka_unit_test(test_all_entries_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
