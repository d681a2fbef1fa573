/* Changes of pages where a hashed table stands beside the page table (hashed_mapping.h): pages of
 * 4 KiB in both change in both; of others neither does, and nothing is planned for them. And which
 * sizes its pages have there. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "common/rng.h"
#include "sim/os/address_space_state.h"
#include "sim/os/hashed_mapping.h"
#include "sim/os/page_changes.h"

static const lw_array arrays[] = {
    {"small", UINT64_C(0x10000000), 37 << 12},
    {"large", UINT64_C(0x20000000000), (UINT64_C(3) << 20) + (5 << 12)},
};

enum { PAGES = 37 + 768 + 5, PROCESSES = 2, CHANGES = 3000 };

static uint64_t page_at(uint64_t n) {
    return n < 37 ? (arrays[0].base >> 12) + n : (arrays[1].base >> 12) + n - 37;
}

static uint64_t entry_of(lw_address_spaces *s, uint32_t process, uint64_t vpn) {
    lw_page_table_leaf leaf;
    const lw_page_table *table = lw_address_spaces_table(s, process);
    return lw_page_table_find(table, vpn, &leaf, NULL) ? leaf.entry : 0;
}

/* Whether a page of 4 KiB is one in both tables. */
static bool is_small(const lw_system *system, lw_address_spaces *s, uint32_t process,
                     uint64_t page) {
    const lw_oracle_answer plain = walk(system, s, process, page, LW_READ);
    const lw_oracle_answer hashed = hashed_walk_of(system, s, process, page).answer;
    assert_true(plain.kind == LW_ORACLE_OK && hashed.kind == LW_ORACLE_OK);
    return plain.size == LW_SIZE_4K && hashed.size == LW_SIZE_4K;
}

static void test_changes_by_size(void **state) {
    (void)state;
    static bool small[PROCESSES][PAGES], changed[PROCESSES][PAGES];
    static uint64_t at_first[PROCESSES][PAGES];
    static lw_os_plan plan;
    uint64_t large = 0, of_small = 0, changes = 0, nothing = 0;
    lw_system system = hashed_system("contiguous", LW_PAGES_MIXED, 4, 48);
    system.hashed_tables = 2; /* the second process has none */
    lw_error err = {0};
    lw_rng rng;
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 13, 1, &err);
    assert_true(lw_address_spaces_hash(s, 20, &err));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(s, arrays, COUNT(arrays), &err));
        for (uint64_t n = 0; n < PAGES; n++) {
            at_first[p][n] = entry_of(s, p, page_at(n));
            small[p][n] = p != 0 || is_small(&system, s, p, page_at(n));
            large += !small[p][n];
            assert_int_equal(lw_hashed_mapping_can_follow(s, p, page_at(n)), small[p][n]);
        }
    }
    lw_hashed_roots none;
    assert_false(lw_hashed_table_roots(lw_address_spaces_hashed(s), 1, &none));
    lw_os_roots *roots = lw_os_roots_new(s);
    lw_page_changes *pages = lw_page_changes_new(&system, s, roots);
    lw_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < CHANGES; i++) {
        plan.count = 7; /* of another plan */
        plan.free_count = 1;
        assert_true(lw_page_changes_make(pages, &rng, &plan, &err));
        assert_true(lw_hashed_table_drain(lw_address_spaces_hashed(s), &err));
        assert_true(
            plan.free_count == 0 ||
            lw_frame_release(lw_address_spaces_frames(s), plan.free_frame, plan.free_count, &err));
        changes += plan.count != 0;
        nothing += plan.count == 0;
        assert_int_equal(lw_page_changes_counts(pages).changes, changes);
        for (uint64_t n = 0; i % 50 == 0 && n < PAGES; n++) {
            assert_true(tables_agree(&system, s, 0, page_at(n)));
            for (uint32_t p = 0; p < PROCESSES; p++) {
                changed[p][n] = changed[p][n] || entry_of(s, p, page_at(n)) != at_first[p][n];
                assert_true(small[p][n] || !changed[p][n]);
            }
        }
    }
    for (uint64_t n = 0; n < PAGES; n++) {
        of_small += small[0][n] && changed[0][n];
    }
    assert_true(large > 100 && of_small > 50 && changes > 500 && nothing > 200);
    lw_page_changes_free(pages);
    lw_os_roots_free(roots);
    lw_address_spaces_free(s);
}

/* ---------------------------------------------------------------- sizes */

/* The size in the hashed table of the page at vpn, by the page table: 64 KiB where sixteen pages of
 * 4 KiB lie as one, all of them before `end` and from `first` on, with the same permissions. */
static uint32_t size_wanted(const lw_system *system, lw_address_spaces *s, uint64_t vpn,
                            uint64_t first, uint64_t end) {
    const lw_oracle_answer own = walk(system, s, 0, vpn, LW_READ);
    const uint64_t head = vpn & ~UINT64_C(15);
    if (own.size != LW_SIZE_4K) {
        return own.size;
    }
    const lw_oracle_answer of_head = walk(system, s, 0, head, LW_READ);
    bool one = head >= first && head + 16 <= end && of_head.pfn % 16 == 0;
    for (uint64_t i = 0; i < 16 && one; i++) {
        const lw_oracle_answer a = walk(system, s, 0, head + i, LW_READ);
        one = a.kind == LW_ORACLE_OK && a.size == LW_SIZE_4K && a.pfn == of_head.pfn + i &&
              a.w == of_head.w && a.x == of_head.x;
    }
    return one ? LW_SIZE_64K : LW_SIZE_4K;
}

/* Each page has its size, wherever it lies; the number of those of 64 KiB, and of others that begin
 * as one could. */
static void check_sizes(const lw_system *system, lw_address_spaces *s, const lw_array *list,
                        size_t count, uint64_t *of_64k, uint64_t *others) {
    for (size_t a = 0; a < count; a++) {
        const uint64_t first = list[a].base >> 12;
        const uint64_t end = first + lw_array_pages(&list[a]);
        for (uint64_t vpn = first; vpn < end; vpn++) {
            const uint32_t size = hashed_walk_of(system, s, 0, vpn).answer.size;
            assert_int_equal(size, size_wanted(system, s, vpn, first, end));
            assert_true(tables_agree(system, s, 0, vpn));
            assert_int_equal(lw_hashed_mapping_can_follow(s, 0, vpn),
                             size == LW_SIZE_4K &&
                                 walk(system, s, 0, vpn, LW_READ).size == LW_SIZE_4K);
            *of_64k += size == LW_SIZE_64K;
            *others += size == LW_SIZE_4K && vpn % 16 == 0 && vpn + 16 <= end;
        }
    }
}

static void test_pages_of_64k(void **state) {
    (void)state;
    enum { ARRAYS = 18 };
    lw_array list[ARRAYS]; /* each begins elsewhere among sixteen */
    for (uint64_t a = 0; a < ARRAYS; a++) {
        list[a] = (lw_array){"pages", UINT64_C(0x10000000) + (0x203 * a << 12), (48 + a % 2) << 12};
    }
    static const char *const mappings[] = {"contiguous", "buddy:5", "random"};
    for (size_t m = 0; m < COUNT(mappings); m++) {
        const lw_system system = hashed_system(mappings[m], LW_PAGES_MIXED, 4, 48);
        uint64_t of_64k = 0, others = 0;
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 11, 1, &err);
        assert_true(lw_address_spaces_hash(s, 40, &err));
        assert_true(lw_address_spaces_add(s, list, ARRAYS, &err));
        check_sizes(&system, s, list, ARRAYS, &of_64k, &others);
        assert_true(m == 2 ? of_64k == 0 && others > 10 : of_64k > 0);
        lw_address_spaces_free(s);
    }
}

/* Sixteen in a row with two kinds of permissions are none. */
static void test_permissions_divide(void **state) {
    (void)state;
    const lw_system system = hashed_system("contiguous", LW_PAGES_MIXED, 4, 48);
    const lw_array list = {"pages", UINT64_C(0x10000000), 48 << 12};
    const uint64_t first = list.base >> 12;
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 11, 1, &err);
    assert_true(lw_address_spaces_hash(s, 40, &err));
    lw_process *p = lw_address_spaces_begin(s, 1, &err);
    assert_non_null(p);
    for (uint64_t i = 0; i < 48; i++) {
        const uint32_t flags = i == 23 ? LW_MAP_U : LW_MAP_U | LW_MAP_W;
        assert_true(lw_page_table_map(p->table, first + i, 0x123400 + i, LW_SIZE_4K, flags, &err));
    }
    p->arrays[0] = list;
    p->count = p->mapped = 1;
    assert_true(lw_hashed_mapping_follow(s, 0, &err));
    for (uint64_t i = 0; i < 48; i++) {
        assert_int_equal(hashed_walk_of(&system, s, 0, first + i).answer.size,
                         i / 16 == 1 ? LW_SIZE_4K : LW_SIZE_64K);
        assert_true(tables_agree(&system, s, 0, first + i));
    }
    lw_address_spaces_free(s);
}

/* Of pages of 4 KiB none is larger in a system of such pages, and none of 2 MiB in any, however
 * they lie. */
static void test_small_pages_in_a_row(void **state) {
    (void)state;
    const lw_array list = {"pages", UINT64_C(0x10000000), UINT64_C(2) << 20};
    for (int mixed = 0; mixed < 2; mixed++) {
        const lw_system system =
            hashed_system("contiguous", mixed != 0 ? LW_PAGES_MIXED : LW_PAGES_OF_4K, 4, 48);
        const uint64_t first = list.base >> 12;
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 11, 1, &err);
        assert_true(lw_address_spaces_hash(s, 10, &err));
        lw_process *p = lw_address_spaces_begin(s, 1, &err);
        assert_non_null(p);
        for (uint64_t i = 0; i < 512; i++) {
            assert_true(lw_page_table_map(p->table, first + i, 0x80000 + i, LW_SIZE_4K,
                                          LW_MAP_U | LW_MAP_W, &err));
        }
        p->arrays[0] = list;
        p->count = p->mapped = 1;
        assert_true(lw_hashed_mapping_follow(s, 0, &err));
        for (uint64_t i = 0; i < 512; i++) {
            assert_int_equal(hashed_walk_of(&system, s, 0, first + i).answer.size,
                             mixed != 0 ? LW_SIZE_64K : LW_SIZE_4K);
        }
        lw_address_spaces_free(s);
    }
}

/* Where slots are lines (R20.31) every page is one of 4 KiB, whatever it is in the page table. */
static void test_slots_of_lines(void **state) {
    (void)state;
    static const uint32_t sizes[] = {LW_PAGES_OF_4K, LW_PAGES_OF_2M, LW_PAGES_MIXED};
    static const lw_array list = {"pages", UINT64_C(0x10000000), UINT64_C(5) << 20};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        lw_system system = hashed_system("contiguous", sizes[i], 4, 48);
        bool large = false;
        lw_error err = {0};
        system.hw.slot_pages = LW_SLOT_OF_A_LINE;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
        assert_true(lw_address_spaces_hash(s, 10, &err));
        assert_true(lw_address_spaces_add(s, &list, 1, &err));
        for (uint64_t vpn = list.base >> 12; vpn < (list.base + list.bytes) >> 12; vpn++) {
            assert_true(tables_agree(&system, s, 0, vpn));
            assert_int_equal(hashed_walk_of(&system, s, 0, vpn).answer.size, LW_SIZE_4K);
            large = large || walk(&system, s, 0, vpn, LW_READ).size != LW_SIZE_4K;
        }
        assert_int_equal(large, i != 0);
        lw_address_spaces_free(s);
    }
}

/* What the GPU's memory had no room for is in the page table alone: a change of that cannot be
 * followed, nor one where the page table has no node; a page that neither has can come. */
static void test_pages_of_one_table(void **state) {
    (void)state;
    static const lw_array list = {"pages", UINT64_C(0x10000000), (UINT64_C(2) << 21) + (7 << 12)};
    const lw_system system = hashed_system("contiguous", LW_SIZE_4K, 4, 48);
    const uint64_t first = list.base >> 12;
    uint64_t out = 0;
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
    assert_true(lw_address_spaces_hash(s, 1, &err));
    assert_true(lw_address_spaces_add(s, &list, 1, &err));
    for (uint64_t vpn = first; vpn < first + 1024 + 7; vpn++) {
        const bool there = hashed_walk_of(&system, s, 0, vpn).answer.kind == LW_ORACLE_OK;
        assert_int_equal(walk(&system, s, 0, vpn, LW_READ).kind, LW_ORACLE_OK);
        assert_int_equal(lw_hashed_mapping_can_follow(s, 0, vpn), there);
        out += !there;
    }
    assert_int_equal(out, 1024); /* all but the last region */
    assert_true(lw_hashed_mapping_can_follow(s, 0, first + 1024 + 7));
    assert_false(lw_hashed_mapping_can_follow(s, 0, first + (UINT64_C(1) << 18)));
    lw_address_spaces_free(s);
}

/* ---------------------------------------------------------------- contiguity */

/* {AC, C7..C0} of the region that holds vpn: in the page table, and in its step entry (R20.27). */
static uint64_t bits_in_table(lw_address_spaces *s, uint64_t vpn) {
    uint64_t pa = 0;
    assert_true(lw_page_table_entry_address(lw_address_spaces_table(s, 0), vpn, 2, &pa, NULL));
    return read_memory(s, pa) >> LW_PTE_C_SHIFT & 0x1ff;
}

static uint64_t bits_in_step(lw_address_spaces *s, uint64_t vpn) {
    const uint64_t number = vpn >> 9 & 15;
    uint64_t pa = 0;
    assert_true(lw_hashed_table_step_entry(lw_address_spaces_hashed(s), 0, vpn, &pa));
    const uint64_t c = read_memory(s, pa + 16 + number / 8 * 8);
    return (read_memory(s, pa) >> (43 + number) & 1) << 8 | (c >> number % 8 * 8 & 0xff);
}

/* In a system with subregions each region of each array has the bits in both tables, from the
 * beginning, and none has them in one without. */
static void test_contiguity(void **state) {
    (void)state;
    static const lw_array list[] = {
        {"askew", UINT64_C(0x10000000) + (300 << 12), UINT64_C(1000) << 12},
        {"one more", UINT64_C(0x20000000), (UINT64_C(512) << 12) + 1},
        {"whole", UINT64_C(0x30000000), UINT64_C(2) << 21}};
    for (uint32_t subregions = 0; subregions < 2; subregions++) {
        lw_system system = hashed_system("contiguous", LW_SIZE_4K, 4, 48);
        uint64_t whole = 0, part = 0;
        lw_error err = {0};
        system.hw.subregions = subregions;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 13, 1, &err);
        assert_true(lw_address_spaces_hash(s, 10, &err));
        assert_true(lw_address_spaces_add(s, list, COUNT(list), &err));
        for (size_t a = 0; a < COUNT(list) && subregions != 0; a++) {
            const uint64_t end = (list[a].base >> 12) + lw_array_pages(&list[a]);
            for (uint64_t vpn = list[a].base >> 12 & ~UINT64_C(511); vpn < end; vpn += 512) {
                const uint64_t bits = bits_in_step(s, vpn);
                assert_int_equal(bits, bits_in_table(s, vpn));
                whole += bits == 0x1ff;
                part += bits != 0 && bits != 0x1ff;
            }
        }
        assert_true(subregions == 0 ? bits_in_table(s, list[2].base >> 12) == 0
                                    : whole >= 4 && part >= 2);
        lw_address_spaces_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_by_size),      cmocka_unit_test(test_pages_of_64k),
        cmocka_unit_test(test_slots_of_lines),       cmocka_unit_test(test_pages_of_one_table),
        cmocka_unit_test(test_small_pages_in_a_row), cmocka_unit_test(test_contiguity),
        cmocka_unit_test(test_permissions_divide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
