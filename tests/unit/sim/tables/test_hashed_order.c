/* In which order the words of an entry of a hashed table are written (R20.21, R20.22, R20.24), seen
 * in the table's memory alone. */
#include "tests/unit/sim/tables/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Of no more than one line of the table some words are written and others are not, and of that one
 * word 7 is none: the last to come and the first to go. How many lines are whole. */
static uint32_t whole_lines(const bench *b) {
    const uint64_t slots = lw_hpt_map_slots(lw_hashed_table_map_of(b->table));
    lw_hashed_roots roots;
    uint32_t whole = 0, parts = 0;
    assert_true(lw_hashed_table_roots(b->table, 0, &roots));
    for (uint64_t line = roots.table_frame << 6; line < (roots.table_frame + slots) << 6; line++) {
        uint32_t words = 0;
        for (uint64_t i = 0; i < 8; i++) {
            words += lw_phys_mem_read64(b->mem, line << 6 | i << 3) != 0;
        }
        whole += words == 8;
        parts += words != 8 && words != 0;
        assert_true(words == 8 || lw_phys_mem_read64(b->mem, line << 6 | 7 << 3) == 0);
    }
    assert_true(parts <= 1);
    return whole;
}

/* R20.21, R20.22, R20.24: an entry, all of whose words are something, comes, moves and goes line by
 * line. */
static void line_by_line(void **state) {
    (void)state;
    static region_call *const calls[] = {lw_hashed_table_move, lw_hashed_table_evict,
                                         lw_hashed_table_recall};
    bench b;
    lw_error err = {0};
    bench_open(&b, bench_config(4));
    for (size_t i = 0; i < COUNT(calls) + 2; i++) {
        const uint32_t before = whole_lines(&b);
        bool done = true, written = true;
        uint32_t most = before;
        if (i == 0) {
            assert_true(lw_hashed_table_map(b.table, 0, REGION, REGION, LW_SIZE_2M, RWX, &err));
        } else if (i <= COUNT(calls)) {
            assert_true(calls[i - 1](b.table, 0, REGION, &done, &err));
        } else {
            assert_true(lw_hashed_table_evict(b.table, 0, REGION, &done, &err));
        }
        while (written) {
            assert_true(done && lw_hashed_table_step(b.table, &written, &err));
            const uint32_t whole = whole_lines(&b);
            most = whole > most ? whole : most;
        }
        assert_int_equal(most, i == 1 ? 128 : 64);
        assert_int_equal(whole_lines(&b), i == 2 || i == 4 ? 0 : 64);
    }
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_by_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
