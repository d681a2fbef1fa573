/* Who comes into a full chain of a hashed table moves another region for room (R20.18). That is a
 * move, after which everything is invalidated before the next (chapter 21, "What software owes"),
 * whoever it was that came: by a recall, by a migration, or with a page that is mapped. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "sim/os/migrations.h"
#include "sim/os/os_roots.h"
#include "sim/os/page_changes.h"
#include "sim/os/region_moves.h"

enum { PROCESSES = 2, REGIONS = 31, SLOTS = 64, CHANGES = 4000 };

typedef struct bench {
    lw_system system;
    lw_array arrays[REGIONS];
    lw_address_spaces *spaces;
    lw_hashed_table *table;
    lw_rng rng;
    uint64_t owed, nothing; /* changes after which everything was invalidated, and others */
} bench;

/* Regions of one page each, far from each other; the table has a slot for each that is local, and
 * hardly any more. */
static void open_bench(bench *b, uint32_t local_share) {
    lw_error err = {0};
    *b = (bench){.system = hashed_system("contiguous", LW_SIZE_4K, 4, 48)};
    b->system.hashed_load = 100;
    b->system.hashed_factor = 100;
    b->system.local_share = local_share;
    for (uint32_t i = 0; i < REGIONS; i++) {
        b->arrays[i] = (lw_array){"one page", (UINT64_C(0x10ab) * (i + 1)) << 21, 1 << 12};
    }
    b->spaces = lw_address_spaces_new(&b->system, 1 << 14, 1, &err);
    assert_true(lw_address_spaces_hash(b->spaces, SLOTS, &err));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(b->spaces, b->arrays, REGIONS, &err));
    }
    b->table = lw_address_spaces_hashed(b->spaces);
    lw_rng_seed(&b->rng, 1);
}

static void close_bench(bench *b) {
    assert_true(b->owed > 5 && b->nothing > 5);
    lw_address_spaces_free(b->spaces);
}

static uint64_t draw_page(bench *b) {
    return b->arrays[lw_rng_below(&b->rng, REGIONS)].base >> 12;
}

static uint32_t draw_process(bench *b) {
    return (uint32_t)lw_rng_below(&b->rng, PROCESSES);
}

/* Whether the last of a plan, behind the words that are written, is an invalidation of all. */
static bool ends_with_all(const lw_os_plan *plan) {
    const lw_os_step *last = &plan->steps[plan->count - 1];
    return plan->count > 1 && last->kind == LW_STEP_INVALIDATE && last->type == LW_INV_ALL;
}

/* Of a change that is planned, and is nobody's move but that of whom it moves for room. */
static void expect_owed(bench *b, const lw_os_plan *plan, uint64_t moves_before, bool alone) {
    lw_error err = {0};
    const bool moved = lw_hashed_table_counts(b->table).chain_moves != moves_before;
    assert_true(plan->count != 0 && plan->steps[0].kind == LW_STEP_WORDS);
    assert_true(!moved || ends_with_all(plan));
    assert_true(moved || !alone || plan->count == 1);
    *(moved ? &b->owed : &b->nothing) += 1;
    assert_true(lw_hashed_table_drain(b->table, &err));
}

static void test_recalls(void **state) {
    (void)state;
    bench b;
    lw_region_moves counts = {0};
    lw_error err = {0};
    open_bench(&b, LW_ALL_LOCAL);
    for (uint32_t i = 0; i < CHANGES; i++) {
        const uint64_t before = lw_hashed_table_counts(b.table).chain_moves;
        const uint64_t recalls = counts.recalls;
        lw_os_plan plan;
        assert_true(lw_region_move(b.spaces, draw_process(&b), draw_page(&b), &b.rng, &plan,
                                   &counts, &err));
        if (counts.recalls != recalls) {
            expect_owed(&b, &plan, before, true);
        }
        assert_true(lw_hashed_table_drain(b.table, &err));
    }
    close_bench(&b);
}

static void test_migrations(void **state) {
    (void)state;
    bench b;
    lw_migrations m = {.due = false};
    lw_error err = {0};
    open_bench(&b, 50);
    for (uint32_t i = 0; i < CHANGES; i++) {
        const uint64_t before = lw_hashed_table_counts(b.table).chain_moves;
        lw_os_plan plan;
        lw_migrations_asked(&m, b.spaces, draw_process(&b), draw_page(&b), 1, i);
        if (m.due) {
            assert_true(lw_migrations_make(&m, b.spaces, &plan, &err));
            expect_owed(&b, &plan, before, true);
        }
    }
    close_bench(&b);
}

/* A page that is mapped again brings its region back, to where others have come and gone. */
static void test_pages(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    open_bench(&b, LW_ALL_LOCAL);
    lw_os_roots *roots = lw_os_roots_new(b.spaces);
    lw_page_changes *pages = lw_page_changes_new(&b.system, b.spaces, roots);
    for (uint32_t i = 0; i < CHANGES; i++) {
        bool done = false;
        assert_true((i % 2 == 0 ? lw_hashed_table_move : lw_hashed_table_recall)(
            b.table, draw_process(&b), draw_page(&b), &done, &err));
        assert_true(lw_hashed_table_drain(b.table, &err));
        const uint64_t before = lw_hashed_table_counts(b.table).chain_moves;
        lw_os_plan plan;
        assert_true(lw_page_changes_make(pages, &b.rng, &plan, &err));
        expect_owed(&b, &plan, before, false);
    }
    lw_page_changes_free(pages);
    lw_os_roots_free(roots);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recalls),
        cmocka_unit_test(test_migrations),
        cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
