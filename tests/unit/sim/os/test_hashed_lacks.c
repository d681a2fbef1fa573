/* Processes whose hashed tables lack a part: what a walk answers of the pages that the driver has
 * mapped for them (R20.14), what the oracle takes for right, and that nothing of theirs changes. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "sim/os/hashed_lacks.h"

enum { PAGES = 40, NOT_PRESENT = 3, MEMORY_ERROR = 7, EVICTED = 1 };

/* A region that stays in the table, and one that is evicted. */
static const lw_array arrays[] = {{"stays", UINT64_C(1) << 30, PAGES << LW_PAGE_SHIFT},
                                  {"evicted", UINT64_C(1) << 40, PAGES << LW_PAGE_SHIFT}};

/* What the pages of a region answer, and those of one that is nowhere. */
static const struct row {
    lw_lack lack;
    lw_oracle_answer stays, evicted, nowhere; /* kind 0: its frame */
} rows[] = {
    {LW_LACKS_VICTIM_BUFFER,
     {0},
     {.kind = NOT_PRESENT, .level = 6},
     {.kind = NOT_PRESENT, .level = 6}},
    {LW_LACKS_STEP_TABLE,
     {.kind = MEMORY_ERROR, .level = 6},
     {.kind = MEMORY_ERROR, .level = 6},
     {.kind = MEMORY_ERROR, .level = 6}},
    {LW_LACKS_TABLE, {.kind = MEMORY_ERROR, .level = 1}, {0}, {.kind = NOT_PRESENT, .level = 4}},
};

static lw_address_spaces *spaces_of(const lw_system *system) {
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(system, 1 << 12, 1, &err);
    assert_non_null(s);
    assert_true(lw_address_spaces_hash(s, 64, &err));
    assert_true(lw_address_spaces_can_lack(s));
    assert_int_equal(lw_address_spaces_end_line(s), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool done = false;
        lw_address_spaces_lack_next(s, rows[i].lack);
        assert_true(lw_address_spaces_add(s, arrays, COUNT(arrays), &err));
        assert_true(lw_hashed_table_evict(lw_address_spaces_hashed(s), (uint32_t)i,
                                          arrays[EVICTED].base >> LW_PAGE_SHIFT, &done, &err));
        assert_true(done && lw_hashed_table_drain(lw_address_spaces_hashed(s), &err));
    }
    return s;
}

static void check(lw_oracle *o, const lw_system *system, lw_address_spaces *s, uint32_t process,
                  uint64_t page, lw_oracle_answer wanted) {
    lw_error err = {0};
    const lw_oracle_answer now = lw_oracle_answer_now(o, process, page, 0);
    const lw_oracle_answer beside = walk(system, s, process, page, 0);
    const lw_oracle_answer others[] = {{.kind = NOT_PRESENT, .level = 1},
                                       {.kind = NOT_PRESENT, .level = 6},
                                       {.kind = MEMORY_ERROR, .level = 1},
                                       {.kind = MEMORY_ERROR, .level = 6},
                                       beside};
    assert_int_equal(now.kind, wanted.kind);
    assert_int_equal(now.level, wanted.level);
    assert_int_equal(now.pfn, wanted.kind == 0 ? beside.pfn : 0);
    assert_true(lw_oracle_request(o, 0, process, page, 0, &err));
    assert_true(lw_oracle_response(o, 0, &now, &err));
    for (size_t i = 0; i < COUNT(others); i++) {
        /* with HOME_FIRST a walk comes to a page in its home without the step table (R20.13) */
        const bool home = rows[process].lack == LW_LACKS_STEP_TABLE && i == COUNT(others) - 1 &&
                          page << LW_PAGE_SHIFT < arrays[EVICTED].base && others[i].kind == 0;
        const bool same = home || lw_oracle_answer_equal(&others[i], &now);
        assert_true(lw_oracle_request(o, 0, process, page, 0, &err));
        if (lw_oracle_response(o, 0, &others[i], &err) != same) {
            fail_msg("PASID %u, page 0x%llx: answer %zu is %s", process, (unsigned long long)page,
                     i, same ? "refused" : "taken for right");
        }
    }
}

static void test_each_lack(void **state) {
    (void)state;
    const lw_system system = hashed_system("buddy:25", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = spaces_of(&system);
    const lw_oracle_config config = {
        .levels = 4, .pa_width = 48, .ids = 1, .pasids = 4, .read64 = read_memory, .ctx = s};
    lw_error err = {0};
    lw_oracle *o = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < COUNT(rows); p++) {
        const lw_hashed_walk_query told = lw_address_spaces_told(s, p);
        const uint64_t root = lw_page_table_root(lw_address_spaces_table(s, p));
        assert_true(lw_oracle_set_root(o, p, true, root, &err));
        lw_oracle_set_hashed(o, p, &told);
        assert_int_equal(lw_address_spaces_lacks(s, p), rows[p].lack);
        assert_int_equal(lw_address_spaces_mapped(s, p), COUNT(arrays));
        assert_int_equal(lw_address_spaces_changing(s, p), 0);
        check(o, &system, s, p, (arrays[0].base >> LW_PAGE_SHIFT) + 5, rows[p].stays);
        check(o, &system, s, p, (arrays[1].base >> LW_PAGE_SHIFT) + 5, rows[p].evicted);
        check(o, &system, s, p, UINT64_C(3) << 28, rows[p].nowhere);
    }
    lw_oracle_free(o);
    lw_address_spaces_free(s);
}

/* What is missing lies behind memory, all of it and below the last physical address, with slots of
 * either size (R20.31); and where there is no room for it nothing can be missing. */
static void test_behind_memory(void **state) {
    (void)state;
    static const struct {
        uint32_t slot_pages, pa_width;
        uint64_t pages, regions; /* in all, of which the table has these */
        bool can;
    } of[] = {{512, 48, 1 << 12, 64, true},
              {512, 33, 1 << 12, 64, true},
              {8, 33, 1 << 12, 1 << 13, true},
              {512, 33, 350000, 64, false}};
    for (size_t i = 0; i < COUNT(of); i++) {
        lw_error err = {0};
        lw_system system = hashed_system("contiguous", LW_SIZE_4K, 4, of[i].pa_width);
        system.hw.slot_pages = of[i].slot_pages;
        lw_address_spaces *s = lw_address_spaces_new(&system, of[i].pages, 1, &err);
        assert_true(lw_address_spaces_hash(s, of[i].regions, &err));
        assert_int_equal(lw_address_spaces_can_lack(s), of[i].can);
        const uint64_t frames = UINT64_C(1) << (of[i].pa_width - LW_PAGE_SHIFT);
        for (size_t row = 0; of[i].can && row < COUNT(rows); row++) {
            lw_address_spaces_lack_next(s, rows[row].lack);
            assert_true(lw_address_spaces_add(s, arrays, COUNT(arrays), &err));
            const lw_hashed_walk_query q = lw_address_spaces_told(s, (uint32_t)row);
            const uint64_t slots = (UINT64_C(1) << q.table_log) * q.slot_pages / 512;
            const uint64_t buckets = UINT64_C(1) << (q.step_log - 6);
            const bool table = rows[row].lack == LW_LACKS_TABLE;
            const bool steps = rows[row].lack == LW_LACKS_STEP_TABLE;
            const uint64_t end = lw_address_spaces_end_line(s) >> 6;
            assert_int_equal(q.table_frame >= end, table);
            assert_int_equal(q.step_frame >= end, steps);
            assert_true(q.table_frame + slots <= (table ? frames : end));
            assert_true(q.step_frame + buckets <= (steps ? frames : end));
            assert_int_equal(q.has_victim_buffer, rows[row].lack != LW_LACKS_VICTIM_BUFFER);
        }
        lw_address_spaces_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_lack),
                                       cmocka_unit_test(test_behind_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
