/* Which frames pages get is drawn from the run's seed (docs/machine.md, where pages lie). */
#include "tests/unit/sim/os/space_walk.h"

enum { PAGES = 64 };

static void frames_of(const char *mapping, uint64_t seed, uint64_t frames[PAGES]) {
    static const lw_array list = {"array", UINT64_C(0x7f0000000000), PAGES << 12};
    const lw_system system = make_system(mapping, LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 10, seed, &err);
    assert_true(lw_address_spaces_add(s, &list, 1, &err));
    for (uint64_t n = 0; n < PAGES; n++) {
        const lw_oracle_answer answer = walk(&system, s, 0, (list.base >> 12) + n, LW_READ);
        assert_int_equal(answer.kind, LW_ORACLE_OK);
        frames[n] = answer.pfn;
    }
    lw_address_spaces_free(s);
}

/* Where frames are drawn: of two seeds hardly a page lies in the same one. */
static void test_the_seed_decides(void **state) {
    (void)state;
    static const struct {
        const char *mapping;
        bool drawn;
    } rows[] = {{"contiguous", false},
                {"buddy:0", false},
                {"buddy:25", true},
                {"memhog:50", true},
                {"random", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t one[PAGES], same[PAGES], other[PAGES];
        unsigned equal = 0;
        frames_of(rows[i].mapping, 1, one);
        frames_of(rows[i].mapping, 1, same);
        frames_of(rows[i].mapping, 2, other);
        assert_memory_equal(one, same, sizeof one);
        for (size_t n = 0; n < PAGES; n++) {
            equal += one[n] == other[n];
        }
        assert_true(rows[i].drawn ? equal < PAGES / 4 : equal == PAGES);
    }
}

/* The sizes of an array's pages: as large as `page_size` says from the first boundary of such pages
 * on, and smaller before it and at the end; of 1 GiB next those of 2 MiB, else 4 KiB. */
static void test_sizes_from_boundaries(void **state) {
    (void)state;
    static const struct {
        uint32_t page_size;
        uint64_t first, pages; /* of the array */
        struct {
            uint32_t size;
            uint64_t end; /* the page behind those of this size */
        } parts[5];
    } rows[] = {
        {LW_PAGES_OF_64K,
         0x10001,
         60,
         {{LW_SIZE_4K, 0x10010}, {LW_SIZE_64K, 0x10030}, {LW_SIZE_4K, 0x1003d}}},
        {LW_PAGES_OF_2M,
         0x101ff,
         1030,
         {{LW_SIZE_4K, 0x10200}, {LW_SIZE_2M, 0x10600}, {LW_SIZE_4K, 0x10605}}},
        {LW_PAGES_OF_1G,
         0x13fdff,
         (3 << 9) + (1 << 18) + 8,
         {{LW_SIZE_4K, 0x13fe00},
          {LW_SIZE_2M, 0x140000},
          {LW_SIZE_1G, 0x180000},
          {LW_SIZE_2M, 0x180400},
          {LW_SIZE_4K, 0x180407}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_array list = {"array", rows[i].first << 12, rows[i].pages << 12};
        lw_system system = make_system("contiguous", rows[i].page_size, 4, 48);
        lw_error err = {0};
        size_t part = 0;
        system.hw.pages_64k = 1;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 19, 1, &err);
        assert_true(lw_address_spaces_add(s, &list, 1, &err));
        for (uint64_t page = rows[i].first; page < rows[i].first + rows[i].pages; page++) {
            part += page == rows[i].parts[part].end;
            assert_int_equal(walk(&system, s, 0, page, LW_READ).size, rows[i].parts[part].size);
        }
        assert_int_equal(rows[i].parts[part].end, rows[i].first + rows[i].pages);
        lw_address_spaces_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_from_boundaries),
        cmocka_unit_test(test_the_seed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
