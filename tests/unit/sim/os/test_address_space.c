/* Address spaces: every page of every array is mapped, once, in the page sizes asked for; planted
 * bad entries give each fault at each level. All of it seen through the flat walk, which shares no
 * code with the tables' builder. */
#include "tests/unit/sim/os/space_walk.h"

enum { ONE_GIB_PAGES = 1 << 18 };

/* ---------------------------------------------------------------- mapped pages */

static const lw_array arrays[] = {
    {"one page", UINT64_C(0x10000000), 1},
    {"its neighbour", UINT64_C(0x10001000), 5 << 12},
    {"within a page", UINT64_C(0x10005ffc), 4}, /* shares the neighbour's last page */
    {"2 MiB, askew", UINT64_C(0x7f0000003000), (512 << 12) + 12},
    {"several 2 MiB", UINT64_C(0x7f8040000000), UINT64_C(9) << 20},
    {"1 GiB and more", UINT64_C(0x4003fe00000), (UINT64_C(1) << 30) + (UINT64_C(5) << 20)},
    {"upper half", UINT64_C(0xffff800000000000), 300 << 12},
};

static const struct mapping_row {
    const char *mapping;
    uint32_t page_size, levels, pa_width, processes;
    bool sizes[4]; /* of the pages that must occur; the others must not */
} mapping_rows[] = {
    {"contiguous", LW_SIZE_4K, 4, 48, 2, {true, false, false}},
    {"random", LW_SIZE_4K, 4, 40, 1, {true, false, false}},
    {"buddy:25", LW_SIZE_4K, 5, 52, 2, {true, false, false}},
    {"contiguous", LW_SIZE_2M, 4, 48, 2, {true, true, false}},
    {"buddy:25", LW_SIZE_2M, 4, 48, 1, {true, false, false}}, /* too fragmented: falls back */
    {"buddy:0", LW_SIZE_1G, 4, 48, 2, {true, true, true}},
    {"buddy:0", 3, 5, 52, 2, {true, true, true}},
    {"random", LW_SIZE_1G, 4, 48, 2, {true, true, true}},
    {"random", 3, 4, 48, 2, {true, true, true}},
    {"contiguous", LW_PAGES_OF_64K, 4, 48, 2, {true, false, false, true}},
    {"buddy:0", LW_PAGES_MIXED, 5, 52, 2, {true, true, false, true}}, /* no draw of 1 GiB fits */
};

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Walks all pages of a process; appends its frames, each page once. */
static size_t walk_all(const lw_system *system, lw_address_spaces *s, uint32_t process,
                       bool sizes[4], uint64_t *frames) {
    size_t count = 0;
    uint64_t previous = UINT64_MAX;
    for (size_t a = 0; a < COUNT(arrays); a++) {
        const uint64_t last = (arrays[a].base + arrays[a].bytes - 1) >> 12;
        for (uint64_t page = arrays[a].base >> 12; page <= last; page++) {
            const lw_oracle_answer answer = walk(system, s, process, page, LW_READ);
            assert_int_equal(answer.kind, LW_ORACLE_OK);
            assert_true(answer.w && answer.x);
            sizes[answer.size] = true;
            if (page != previous) {
                frames[count++] = answer.pfn;
            }
            previous = page;
        }
    }
    return count;
}

static void test_every_page_is_mapped(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mapping_rows); i++) {
        const struct mapping_row *row = &mapping_rows[i];
        lw_system system = make_system(row->mapping, row->page_size, row->levels, row->pa_width);
        system.hw.pages_64k = row->sizes[LW_SIZE_64K];
        const uint64_t room = UINT64_C(2) * ONE_GIB_PAGES * row->processes;
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, room, i, &err);
        uint64_t *frames = calloc(room, sizeof *frames);
        bool sizes[4] = {false};
        size_t count = 0;
        uint64_t nodes = 0;
        assert_non_null(frames);
        for (uint32_t p = 0; s != NULL && p < row->processes; p++) {
            if (!lw_address_spaces_add(s, arrays, COUNT(arrays), &err)) {
                break;
            }
            nodes += lw_page_table_nodes(lw_address_spaces_table(s, p));
            count += walk_all(&system, s, p, sizes, frames + count);
            /* and nothing beside */
            assert_int_equal(walk(&system, s, p, 0x10006, LW_READ).kind, LW_ORACLE_NOT_PRESENT);
            assert_int_equal(walk(&system, s, p, 0xffff, LW_READ).kind, LW_ORACLE_NOT_PRESENT);
        }
        assert_string_equal(err.text, "");
        assert_memory_equal(sizes, row->sizes, sizeof sizes);
        /* No frame twice, and no table's frame: all in use are those of pages and of nodes, and
         * what is set apart. */
        qsort(frames, count, sizeof *frames, compare);
        for (size_t f = 1; f < count; f++) {
            assert_true(frames[f] != frames[f - 1]);
        }
        assert_int_equal(lw_frame_allocator_in_use(lw_address_spaces_frames(s)),
                         count + nodes + lw_address_spaces_reserved(s));
        free(frames);
        lw_address_spaces_free(s);
    }
}

/* What is mapped already stays where it is, whether an array begins with it, ends with it or has it
 * in the middle; each page has a frame, each its own, and none is lost. */
static void test_arrays_that_meet(void **state) {
    (void)state;
    static const lw_array list[] = {
        {"middle", UINT64_C(0x10003000), 2 << 12},
        {"around", UINT64_C(0x10000000), 8 << 12},
        {"from its end", UINT64_C(0x10007800), 3 << 12},
        {"to its end", UINT64_C(0xfffd000), 0x3001},
        {"again", UINT64_C(0x10000000), 8 << 12},
    };
    static const char *const mappings[] = {"contiguous", "buddy:0", "random"};
    enum { FIRST = 0xfffd, END = 0x1000b };
    for (size_t m = 0; m < COUNT(mappings); m++) {
        const lw_system system = make_system(mappings[m], LW_SIZE_4K, 4, 48);
        uint64_t frames[END - FIRST] = {0};
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
        assert_true(lw_address_spaces_add(s, list, COUNT(list), &err));
        for (uint64_t page = FIRST - 1; page <= END; page++) {
            const lw_oracle_answer a = walk(&system, s, 0, page, LW_READ);
            assert_int_equal(a.kind == LW_ORACLE_OK, page >= FIRST && page < END);
            for (uint64_t other = FIRST; a.kind == LW_ORACLE_OK && other < page; other++) {
                assert_int_not_equal(frames[other - FIRST], a.pfn);
            }
            if (a.kind == LW_ORACLE_OK) {
                frames[page - FIRST] = a.pfn;
            }
        }
        assert_int_equal(lw_frame_allocator_in_use(lw_address_spaces_frames(s)),
                         END - FIRST + lw_page_table_nodes(lw_address_spaces_table(s, 0)));
        lw_address_spaces_free(s);
    }
}

/* With pages of 4 KiB an array gets the largest free blocks at once (docs/machine.md), wherever it
 * begins: it lies in a row where memory does. */
static void test_an_array_in_a_row(void **state) {
    (void)state;
    static const lw_array list = {"askew", UINT64_C(0x101ff000), UINT64_C(1024) << 12};
    const lw_system system = make_system("buddy:0", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
    assert_true(lw_address_spaces_add(s, &list, 1, &err));
    const uint64_t first = walk(&system, s, 0, list.base >> 12, LW_READ).pfn;
    for (uint64_t n = 0; n < 1024; n++) {
        assert_int_equal(walk(&system, s, 0, (list.base >> 12) + n, LW_READ).pfn, first + n);
    }
    lw_address_spaces_free(s);
}

/* Each array is whole before the next one gets a frame (docs/machine.md), wherever they lie. */
static void test_arrays_in_their_order(void **state) {
    (void)state;
    static const lw_array list[] = {{"first", UINT64_C(0x7f0000200000), 9 << 12},
                                    {"second", UINT64_C(0x7f0000000000), 7 << 12}};
    const lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
    assert_true(lw_address_spaces_add(s, list, COUNT(list), &err));
    assert_true(walk(&system, s, 0, (list[0].base >> 12) + 8, LW_READ).pfn <
                walk(&system, s, 0, list[1].base >> 12, LW_READ).pfn);
    lw_address_spaces_free(s);
}

/* Where the unit knows subregions, the frames of 2 MiB of each array say which of theirs are
 * contiguous (R1.10), in whichever half it lies; else none says so. */
static void test_contiguity(void **state) {
    (void)state;
    static const lw_array list[] = {{"lower", UINT64_C(0x10000000), UINT64_C(3) << 21},
                                    {"upper", UINT64_C(0xffff800000000000), UINT64_C(2) << 21},
                                    {"last", UINT64_C(0xffffffffffe00000), UINT64_C(1) << 21}};
    for (uint32_t subregions = 0; subregions < 2; subregions++) {
        lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
        lw_error err = {0};
        system.hw.subregions = subregions;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
        assert_true(lw_address_spaces_add(s, list, COUNT(list), &err));
        for (size_t a = 0; a < COUNT(list); a++) {
            for (uint64_t n = 0; n < list[a].bytes >> 21; n++) {
                const uint64_t vpn = ((list[a].base >> 12) + n * 512) & ((UINT64_C(1) << 36) - 1);
                uint64_t pa = 0;
                assert_true(
                    lw_page_table_entry_address(lw_address_spaces_table(s, 0), vpn, 2, &pa, &err));
                assert_int_equal(read_memory(s, pa) & (LW_PTE_C | LW_PTE_AC),
                                 subregions != 0 ? LW_PTE_C | LW_PTE_AC : 0);
            }
        }
        lw_address_spaces_free(s);
    }
}

/* As many pages as were said have room, however much of memory is pinned: twice 2^18 frames, a 64th
 * and 2^16 for tables are a quarter of 2375680, which 10 GiB hold, and so three quarters pinned. */
static void test_room_beside_what_is_pinned(void **state) {
    (void)state;
    static const lw_array large = {"large", UINT64_C(0x7f0000000000), UINT64_C(1) << 30};
    const lw_system system = make_system("buddy:75", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, lw_array_pages(&large), 1, &err);
    assert_non_null(s);
    assert_int_equal(lw_frame_allocator_available(lw_address_spaces_frames(s)), (10 << 18) / 4);
    assert_true(lw_address_spaces_add(s, &large, 1, &err));
    lw_address_spaces_free(s);
}

static void test_too_much(void **state) {
    (void)state;
    lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 32);
    lw_error err = {0};
    assert_null(lw_address_spaces_new(&system, UINT64_C(1) << 21, 1, &err));
    assert_non_null(strstr(err.text, "--size or --map: 2097152 pages need "));
    assert_non_null(strstr(err.text, "pa_width 32"));
    system = make_system("tidy", LW_SIZE_4K, 4, 48);
    assert_null(lw_address_spaces_new(&system, 1, 1, &err));
    assert_non_null(strstr(err.text, "tidy"));
    system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = lw_address_spaces_new(&system, 100, 1, &err);
    for (uint32_t p = 0; p < system.hw.pasids; p++) {
        assert_true(lw_address_spaces_add(s, NULL, 0, &err));
    }
    assert_false(lw_address_spaces_add(s, NULL, 0, &err));
    assert_non_null(strstr(err.text, "the system test has 4 address spaces"));
    lw_address_spaces_free(s);
}

/* ---------------------------------------------------------------- shared tables */

enum { SHARERS = 32, SHARED_ARRAYS = 4 };

/* The lowest process that reads the same level-1 entry for this page. */
static uint32_t owner_of(lw_address_spaces *s, uint32_t process, uint64_t vpn, uint32_t level) {
    uint64_t pa = 0;
    uint64_t at = 0;
    uint32_t p = 0;
    assert_true(
        lw_page_table_entry_address(lw_address_spaces_table(s, process), vpn, level, &pa, NULL));
    while (!lw_page_table_entry_address(lw_address_spaces_table(s, p), vpn, level, &at, NULL) ||
           at != pa) {
        p++;
    }
    return p;
}

/* The system's percent of tables are those of a process before, some of them only to read; where
 * level-2 entries have contiguity bits they are shared with what is below them. What is not shared
 * may be written. */
static void test_shared_tables(void **state) {
    (void)state;
    static const uint32_t percents[] = {0, 40, 100};
    lw_array list[SHARED_ARRAYS]; /* each below a root entry of its own */
    for (uint64_t a = 0; a < SHARED_ARRAYS; a++) {
        list[a] = (lw_array){"array", (a + 1) << 39, 3 << 12};
    }
    for (size_t i = 0; i < 2 * COUNT(percents); i++) {
        const uint32_t percent = percents[i / 2];
        lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
        uint64_t shared = 0, read_only = 0, level_2 = 0;
        lw_error err = {0};
        system.hw.pasids = SHARERS;
        system.hw.subregions = i % 2;
        system.shared_tables = percent;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, i, &err);
        for (uint32_t p = 0; p < SHARERS; p++) {
            assert_true(lw_address_spaces_add(s, list, SHARED_ARRAYS, &err));
            for (size_t a = 0; a < SHARED_ARRAYS; a++) {
                const uint64_t vpn = list[a].base >> 12;
                const bool is = owner_of(s, p, vpn, 1) != p;
                const lw_oracle_answer answer = walk(&system, s, p, vpn, LW_READ);
                assert_int_equal(answer.kind, LW_ORACLE_OK);
                assert_true(is || answer.w);
                shared += is;
                read_only += !answer.w;
                level_2 += is && owner_of(s, p, vpn, 2) != p;
            }
        }
        assert_int_equal(lw_address_spaces_shared(s), shared);
        const uint64_t most = (uint64_t)(SHARERS - 1) * SHARED_ARRAYS;
        assert_in_range(shared * 100, most * (percent == 40 ? 30 : percent),
                        most * (percent == 40 ? 50 : percent));
        assert_true(percent == 0 || (read_only > shared / 10 && read_only < shared));
        assert_true(i % 2 != 0 ? level_2 == shared : percent == 0 || level_2 < shared);
        lw_address_spaces_free(s);
    }
}

/* A process shares with one before it, which is drawn for it: each of them as often as any other,
 * and not always the last. Where each has its array below a root entry of its own, those of whom
 * another has tables are those whose pages it sees. */
static void test_with_whom_tables_are_shared(void **state) {
    (void)state;
    enum { DRAWERS = 4, SEEDS = 240 };
    uint32_t drawn[DRAWERS][DRAWERS] = {{0}};
    lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    system.shared_tables = 100;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 8, seed, &err);
        for (uint64_t p = 0; p < DRAWERS; p++) {
            const lw_array own = {"own", (p + 1) << 39, 3 << 12};
            uint32_t others = 0;
            assert_true(lw_address_spaces_add(s, &own, 1, &err));
            for (uint64_t other = 0; other < DRAWERS; other++) {
                const uint64_t page = (other + 1) << (39 - 12);
                const bool sees = walk(&system, s, (uint32_t)p, page, LW_READ).kind == LW_ORACLE_OK;
                assert_true(sees || other != p);
                drawn[p][other] += sees;
                others += sees && other != p;
            }
            assert_int_equal(others, p == 0 ? 0 : 1);
        }
        lw_address_spaces_free(s);
    }
    for (uint32_t p = 1; p < DRAWERS; p++) {
        for (uint32_t other = 0; other < p; other++) {
            assert_in_range(drawn[p][other], SEEDS * 2 / (3 * p), SEEDS * 4 / (3 * p));
        }
    }
}

/* ---------------------------------------------------------------- planted entries */

static void test_planted(void **state) {
    (void)state;
    /* What the second page of a range of this name answers to a read, a write and an execute. */
    static const struct {
        const char *name;
        uint32_t kinds[3];
    } rows[] = {
        {"bad not present", {3, 3, 3}},      {"bad reserved frame bit", {4, 4, 4}},
        {"bad reserved PS", {4, 4, 4}},      {"bad misaligned 2 MiB", {5, 5, 5}},
        {"bad misaligned 1 GiB", {5, 5, 5}}, {"bad no user", {6, 6, 6}},
        {"bad read only", {0, 6, 0}},        {"bad no execute", {0, 0, 6}},
    };
    static const struct {
        uint32_t levels, pa_width;
        size_t ranges;
    } systems[] = {{4, 48, 23}, {5, 48, 29}, {5, 51, 29}, {4, 52, 19}, {5, 52, 24}};
    for (size_t i = 0; i < COUNT(systems); i++) {
        const lw_system system =
            make_system("random", LW_SIZE_4K, systems[i].levels, systems[i].pa_width);
        lw_array planted[LW_BAD_ARRAYS];
        size_t count = 0;
        uint32_t levels_seen[8] = {0}; /* by kind, a bit a level */
        lw_error err = {0};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
        assert_true(lw_address_spaces_add(s, arrays, 2, &err));
        assert_true(lw_address_spaces_plant(s, 0, planted, &count, &err));
        assert_true(lw_address_spaces_append(s, 0, planted, count, &err));
        assert_int_equal(count, systems[i].ranges);
        for (size_t a = 0; a < count; a++) {
            size_t row = 0;
            while (strcmp(rows[row].name, planted[a].name) != 0) {
                assert_true(++row < COUNT(rows));
            }
            for (uint32_t access = 0; access < 3; access++) {
                const lw_oracle_answer answer =
                    walk(&system, s, 0, (planted[a].base >> 12) + 1, access);
                assert_int_equal(answer.kind, rows[row].kinds[access]);
                levels_seen[answer.kind] |= 1u << answer.level;
            }
        }
        /* Every kind at every level where it can occur. */
        const uint32_t all = (2u << systems[i].levels) - 2;
        const uint32_t upper = all & ~0xeu; /* PS above the 1 GiB level */
        assert_int_equal(levels_seen[LW_ORACLE_NOT_PRESENT], all);
        assert_int_equal(levels_seen[LW_ORACLE_RESERVED], systems[i].pa_width < 52 ? all : upper);
        assert_int_equal(levels_seen[LW_ORACLE_MISALIGNED], 1u << 2 | 1u << 3);
        assert_int_equal(levels_seen[LW_ORACLE_PERMISSION], all);
        /* The arrays mapped before are as they were; the list has both. */
        size_t listed = 0;
        (void)lw_address_spaces_arrays(s, 0, &listed);
        assert_int_equal(listed, 2 + count);
        assert_int_equal(lw_address_spaces_mapped(s, 0), 2);
        assert_int_equal(walk(&system, s, 0, 0x10005, LW_WRITE).kind, LW_ORACLE_OK);
        lw_address_spaces_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_page_is_mapped),
        cmocka_unit_test(test_room_beside_what_is_pinned),
        cmocka_unit_test(test_arrays_that_meet),
        cmocka_unit_test(test_an_array_in_a_row),
        cmocka_unit_test(test_arrays_in_their_order),
        cmocka_unit_test(test_contiguity),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_shared_tables),
        cmocka_unit_test(test_with_whom_tables_are_shared),
        cmocka_unit_test(test_planted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
