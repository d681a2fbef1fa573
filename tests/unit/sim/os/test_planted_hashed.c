/* What is planted into hashed tables: what a walk answers to each kind of bad entry, whichever is
 * read first, that its neighbours are as they were, that no page gets the frame of another, and
 * that the oracle takes no other answer for right. */
#include "tests/unit/sim/os/planted_spaces.h"

enum { NOT_PRESENT = 3, RESERVED, MISALIGNED, PERMISSION, MANY = 0 };

/* What a page of a range of this name answers to a read, a write and an execute, and how many of
 * its pages answer a read with a fault. */
static const struct row {
    const char *name;
    uint64_t page;
    uint32_t kinds[3];
    uint64_t faults; /* MANY: one, or all where an upper entry is the bad one */
} rows[] = {
    {"step to an empty slot", 0, {3, 3, 3}, 8},
    {"step to another's slot", 7, {3, 3, 3}, 8},
    {"step to no slot", 8, {3, 3, 3}, 8},
    {"lowest bit of a tag", 12, {3, 3, 3}, 8},
    {"bit of a tag", 8, {3, 3, 3}, 8},
    {"valid bit of a tag", 15, {3, 3, 3}, 8},
    {"tag of another PASID", 12, {3, 3, 3}, 8},
    {"second entry wrong", 0, {0, 0, 0}, 0},
    {"first entry wrong", 0, {3, 3, 3}, 8},
    {"bad size 3", 1, {4, 4, 4}, 1},
    {"bad 64 KiB frame", 1, {5, 5, 5}, 1},
    {"bad 2 MiB frame", 1, {5, 5, 5}, 1},
    {"bad not present", 1, {3, 3, 3}, MANY},
    {"bad reserved frame bit", 1, {4, 4, 4}, MANY},
    {"bad reserved PS", 1, {4, 4, 4}, 8},
    {"bad misaligned 2 MiB", 1, {5, 5, 5}, 8},
    {"bad misaligned 1 GiB", 1, {5, 5, 5}, 8},
    {"bad no user", 1, {6, 6, 6}, MANY},
    {"bad read only", 1, {0, 6, 0}, 0},
    {"bad no execute", 1, {0, 0, 6}, 0},
    {"C over a hole", 5, {0, 0, 0}, 0},
    {"AC over a hole", 200, {0, 0, 0}, 0},
    {"AC without C", 511, {0, 0, 0}, 0},
    {"C, head not present", 191, {3, 3, 3}, 64},
    {"AC, head reserved", 511, {4, 4, 4}, 512},
    {"C, head read only", 100, {0, 6, 0}, 0},
    {"C, heads have a size", 127, {4, 4, 4}, 512},
    {"AC, head has a size", 300, {4, 4, 4}, 512},
};

static lw_hashed_walk_answer ask(const planted *t, uint32_t process, uint64_t page, uint32_t access,
                                 bool home_first) {
    const lw_flat_image image = {.read64 = read_memory, .ctx = t->spaces};
    lw_hashed_walk_query q = lw_hashed_query(lw_address_spaces_hashed(t->spaces), process);
    q.page.pa_width = t->system.hw.pa_width;
    q.page.page_number = page;
    q.page.access = access;
    q.page.subregions = t->system.hw.subregions != 0;
    q.home_first = home_first;
    return lw_hashed_walk(&image, &q);
}

static bool is_sized(const lw_oracle_answer *a) {
    return a->level == 1 && (a->kind == RESERVED || a->kind == MISALIGNED);
}

/* Both tables say the same, but for a bad size, whose page the page table does not have. */
static void check_beside(const planted *t, uint32_t process, uint64_t page, uint32_t access,
                         const lw_oracle_answer *answer) {
    const lw_oracle_answer plain = walk(&t->system, t->spaces, process, page, access);
    assert_true(plain.kind == answer->kind || (plain.kind == NOT_PRESENT && is_sized(answer)));
    assert_int_equal(plain.pfn, answer->pfn);
    assert_int_equal(plain.w, answer->w);
    assert_int_equal(plain.x, answer->x);
}

/* How many pages the entry stands for that gives page n of a range, by the bits of the level-2
 * entry beside: only those of contiguity bits have a whole frame. */
static uint64_t run_of(const planted *t, uint32_t process, const lw_array *range, uint64_t n) {
    const lw_page_table *table = lw_address_spaces_table(t->spaces, process);
    uint64_t pa = 0;
    if (range->bytes >> LW_PAGE_SHIFT != 512) {
        return 1;
    }
    assert_true(lw_page_table_entry_address(table, range->base >> LW_PAGE_SHIFT, 2, &pa, NULL));
    const uint64_t entry = read_memory(t->spaces, pa);
    return (entry & LW_PTE_AC) != 0 ? 512 : (entry >> (LW_PTE_C_SHIFT + n / 64) & 1) != 0 ? 64 : 1;
}

/* The frame that a page was mapped to, or that its head gives it; false where it has no leaf in the
 * page table beside. */
static bool own_frame(const planted *t, uint32_t process, const lw_array *range, uint64_t n,
                      uint64_t *frame) {
    const lw_page_table *table = lw_address_spaces_table(t->spaces, process);
    const uint64_t head = n / run_of(t, process, range, n) * run_of(t, process, range, n);
    const uint64_t vpn = (range->base >> LW_PAGE_SHIFT) + head;
    uint64_t pa = 0;
    if (!lw_page_table_entry_address(table, vpn, 1, &pa, NULL)) {
        return false;
    }
    *frame = ((read_memory(t->spaces, pa) & LW_PTE_FRAME) >> LW_PAGE_SHIFT) + n - head;
    return true;
}

/* All pages of a range; how many answer a read with a fault. */
static uint64_t check_range(const planted *t, uint32_t process, const lw_array *range) {
    uint64_t faults = 0;
    uint64_t frame = 0;
    for (uint64_t n = 0; n < range->bytes >> LW_PAGE_SHIFT; n++) {
        const uint64_t page = (range->base >> LW_PAGE_SHIFT) + n;
        for (uint32_t access = 0; access < 3; access++) {
            const lw_hashed_walk_answer a = ask(t, process, page, access, false);
            const lw_hashed_walk_answer home = ask(t, process, page, access, true);
            assert_true(lw_oracle_answer_equal(&a.answer, &home.answer));
            check_beside(t, process, page, access, &a.answer);
            faults += access == 0 && a.answer.kind != LW_ORACLE_OK;
            if (a.answer.kind == LW_ORACLE_OK) {
                assert_true(own_frame(t, process, range, n, &frame));
                assert_int_equal(a.answer.pfn, frame);
            }
        }
    }
    return faults;
}

static const struct row *row_of(const lw_array *range) {
    size_t row = 0;
    while (strcmp(rows[row].name, range->name) != 0) {
        assert_true(++row < COUNT(rows));
    }
    return &rows[row];
}

static void test_each_kind(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        planted t;
        uint32_t levels[8] = {0}; /* of the victim buffer's faults by kind, a bit a level */
        plant(&t, &shapes[i]);
        for (uint32_t p = 0; p < PROCESSES; p++) {
            for (size_t a = 0; a < t.count; a++) {
                const lw_array *range = &t.bad[p][a];
                const struct row *row = row_of(range);
                const uint64_t page = (range->base >> LW_PAGE_SHIFT) + row->page;
                for (uint32_t access = 0; access < 3; access++) {
                    const lw_hashed_walk_answer answer = ask(&t, p, page, access, false);
                    assert_int_equal(answer.answer.kind, row->kinds[access]);
                    const bool in_buffer = answer.place == LW_HASHED_VICTIM_BUFFER;
                    levels[answer.answer.kind] |= in_buffer ? 1u << answer.answer.level : 0;
                }
                const uint64_t faults = check_range(&t, p, range);
                assert_true(faults == row->faults ||
                            (row->faults == MANY && (faults == 1 || faults == 8)));
            }
        }
        /* Every kind at every level where it can occur. */
        const uint32_t all = (2u << shapes[i].levels) - 2;
        const uint32_t size_or_page = shapes[i].pa_width < 52 ? all : all & ~0xcu;
        assert_int_equal(levels[NOT_PRESENT], all);
        assert_int_equal(levels[RESERVED], size_or_page);
        assert_int_equal(levels[MISALIGNED], 1u << 1 | 1u << 2 | 1u << 3);
        assert_int_equal(levels[PERMISSION], all);
        lw_address_spaces_free(t.spaces);
    }
}

/* No region of the table that is planted moves for the sake of another, which would mend it. */
static void test_all_are_pinned(void **state) {
    (void)state;
    planted t;
    plant(&t, &shapes[0]);
    const lw_hpt_map *map = lw_hashed_table_map_of(lw_address_spaces_hashed(t.spaces));
    uint32_t pinned = 0;
    for (uint32_t i = 0; i < lw_hpt_map_slots(map); i++) {
        pinned += lw_hpt_map_slot(map, i)->valid && lw_hpt_map_slot(map, i)->pinned;
    }
    assert_int_equal(pinned, PROCESSES * 17);
    lw_address_spaces_free(t.spaces);
}

/* ---------------------------------------------------------------- the oracle */

static lw_oracle *oracle_of(const planted *t) {
    lw_error err = {0};
    const lw_oracle_config config = {.levels = t->system.hw.levels,
                                     .pa_width = t->system.hw.pa_width,
                                     .ids = 1,
                                     .pasids = PROCESSES,
                                     .read64 = read_memory,
                                     .ctx = t->spaces};
    lw_oracle *o = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const lw_hashed_walk_query q = lw_hashed_query(lw_address_spaces_hashed(t->spaces), p);
        const uint64_t root = lw_page_table_root(lw_address_spaces_table(t->spaces, p));
        lw_oracle_set_hashed(o, p, &q);
        assert_true(lw_oracle_set_root(o, p, true, root, &err));
    }
    return o;
}

static bool takes(lw_oracle *o, uint64_t page, lw_oracle_answer answer) {
    lw_error err = {0};
    assert_true(lw_oracle_request(o, 0, 0, page, 0, &err));
    return lw_oracle_response(o, 0, &answer, &err);
}

static lw_oracle_answer translation(uint64_t pfn) {
    return (lw_oracle_answer){.kind = LW_ORACLE_OK, .pfn = pfn, .w = true, .x = true};
}

/* Of every page the walk's answer is right; where that is a fault, no translation is, and no fault
 * of another kind. */
static void test_the_oracle_judges(void **state) {
    (void)state;
    planted t;
    plant(&t, &shapes[0]);
    lw_oracle *o = oracle_of(&t);
    for (size_t a = 0; a < t.count; a++) {
        for (uint64_t n = 0; n < t.bad[0][a].bytes >> LW_PAGE_SHIFT; n++) {
            const uint64_t page = (t.bad[0][a].base >> LW_PAGE_SHIFT) + n;
            const lw_oracle_answer right = ask(&t, 0, page, 0, false).answer;
            lw_oracle_answer wrong = right;
            assert_true(takes(o, page, right));
            for (wrong.kind = NOT_PRESENT; wrong.kind <= PERMISSION; wrong.kind++) {
                wrong.pfn = wrong.size = wrong.w = wrong.x = 0;
                assert_true(wrong.kind == right.kind || !takes(o, page, wrong));
            }
            uint64_t own = 0;
            if (own_frame(&t, 0, &t.bad[0][a], n, &own)) {
                assert_false(takes(o, page, translation(own ^ 1)));
                assert_int_equal(takes(o, page, translation(own)),
                                 right.kind == LW_ORACLE_OK && right.w && right.x);
            }
        }
    }
    lw_oracle_free(o);
    lw_address_spaces_free(t.spaces);
}

/* A fault of a bad size that the hashed table alone has is refused: the page table beside maps the
 * page, so somebody has written what nobody meant. */
static void test_a_size_is_no_excuse(void **state) {
    (void)state;
    planted t;
    lw_error err = {0};
    uint64_t pa = 0;
    plant(&t, &shapes[0]);
    lw_oracle *o = oracle_of(&t);
    size_t a = 0;
    while (strcmp(t.bad[0][a].name, "bad size 3") != 0) {
        a++;
    }
    const uint64_t page = (t.bad[0][a].base >> LW_PAGE_SHIFT) + 1;
    const lw_oracle_answer fault = {.kind = LW_ORACLE_RESERVED, .level = 1};
    assert_true(takes(o, page, fault));
    assert_true(
        lw_page_table_entry_address(lw_address_spaces_table(t.spaces, 0), page, 1, &pa, &err));
    assert_true(lw_phys_mem_write64(lw_address_spaces_memory(t.spaces), pa,
                                    read_memory(t.spaces, pa) | LW_PTE_P, &err));
    assert_false(takes(o, page, fault));
    lw_oracle_free(o);
    lw_address_spaces_free(t.spaces);
}

/* A table without the room ends in a sentence. */
static void test_no_room(void **state) {
    (void)state;
    lw_error err = {0};
    lw_array bad[LW_BAD_ARRAYS];
    size_t count = 0;
    const lw_system system = hashed_system("buddy:25", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 15, 1, &err);
    assert_true(lw_address_spaces_hash(s, 1, &err));
    assert_true(lw_address_spaces_add(s, arrays, 0, &err));
    assert_false(lw_address_spaces_plant_hashed(s, 0, bad, &count, &err));
    assert_non_null(
        strstr(err.text, "no region of PASID 0 is left for \"step to another's slot\""));
    lw_address_spaces_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind),         cmocka_unit_test(test_all_are_pinned),
        cmocka_unit_test(test_the_oracle_judges), cmocka_unit_test(test_a_size_is_no_excuse),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
