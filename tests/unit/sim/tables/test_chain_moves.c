/* Regions of a hashed table that move so that another has a place (R20.18), while the OS works:
 * each may move once only until an invalidation of its PASID is completed (chapter 21, "What
 * software owes"), so that is owed for the move, of everything. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "common/rng.h"
#include "sim/os/migrations.h"
#include "sim/os/page_changes.h"
#include "sim/os/region_moves.h"

enum { SLOTS = 16, AFTER = 3 };

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_hashed_table *table;
} bench;

/* A table of sixteen slots, of which so many can be local. */
static void begin(bench *b, uint32_t local_share, uint64_t regions, uint32_t load) {
    lw_error err = {0};
    *b = (bench){.system = hashed_system("contiguous", LW_SIZE_4K, 4, 48)};
    b->system.local_share = local_share;
    b->system.hashed_load = load;
    b->spaces = lw_address_spaces_new(&b->system, 1 << 12, 1, &err);
    assert_true(lw_address_spaces_hash(b->spaces, regions, &err));
    b->table = lw_address_spaces_hashed(b->spaces);
    assert_int_equal(lw_hpt_map_slots(lw_hashed_table_map_of(b->table)), SLOTS);
}

static void end(bench *b) {
    lw_address_spaces_free(b->spaces);
}

/* The first page of the n-th region of the first process, from the second on, whose home is this
 * slot. */
static uint64_t page_at(const bench *b, uint32_t home, uint32_t n) {
    const lw_hpt_map *map = lw_hashed_table_map_of(b->table);
    uint64_t region = 1;
    while (lw_hpt_map_at(map, UINT64_C(1) << 47 | region, 0) != home || n-- != 0) {
        region++;
    }
    return region * 512;
}

static lw_array one_page(uint64_t vpn) {
    return (lw_array){.name = "a region", .base = vpn << 12, .bytes = 1};
}

static uint64_t chain_moves(const bench *b) {
    return lw_hashed_table_counts(b->table).chain_moves;
}

/* Whether the plan invalidates everything, after the words of the change. */
static bool invalidates_all(const lw_os_plan *plan) {
    bool words = false;
    for (uint32_t i = 0; i < plan->count; i++) {
        const lw_os_step *step = &plan->steps[i];
        words = words || step->kind == LW_STEP_WORDS;
        if (step->kind == LW_STEP_INVALIDATE && step->type == LW_INV_ALL) {
            assert_true(words && step->covers_first == 0);
            assert_int_equal(step->covers_last, (UINT64_C(1) << 36) - 1);
            return true;
        }
    }
    return false;
}

/* A region comes in, and its chain is full of local ones, of which one can move. */
static void test_migration(void **state) {
    (void)state;
    bench b;
    lw_array arrays[10];
    lw_error err = {0};
    lw_migrations m = {false};
    lw_os_plan plan;
    bool done = false;
    begin(&b, 50, 18, 60); /* nine local ones */
    const uint64_t moves = page_at(&b, 4, 0);
    const uint64_t comes = page_at(&b, 0, 7);
    arrays[0] = one_page(page_at(&b, 12, 0)); /* the oldest, which becomes remote */
    arrays[1] = one_page(moves);
    for (uint32_t i = 0; i < 7; i++) {
        arrays[2 + i] = one_page(page_at(&b, 0, i));
    }
    arrays[9] = one_page(comes); /* remote, and has made room for itself */
    assert_true(lw_address_spaces_add(b.spaces, arrays, COUNT(arrays), &err));
    assert_int_equal(chain_moves(&b), 1);
    assert_true(lw_hashed_table_evict(b.table, 0, comes, &done, &err) && done);
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_true(lw_hashed_table_move(b.table, 0, moves, &done, &err) && done);
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_int_equal(hashed_walk_of(&b.system, b.spaces, 0, moves).step, 0);
    for (uint64_t n = 0; n < AFTER; n++) {
        lw_migrations_asked(&m, b.spaces, 0, comes, AFTER, 1000 + n);
    }
    assert_true(m.due);
    assert_true(lw_migrations_make(&m, b.spaces, &plan, &err));
    assert_int_equal(m.made, 1);
    assert_int_equal(chain_moves(&b), 2);
    assert_int_equal(plan.count, 2);
    assert_true(invalidates_all(&plan));
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_int_equal(hashed_walk_of(&b.system, b.spaces, 0, moves).step, 4);
    assert_int_equal(hashed_walk_of(&b.system, b.spaces, 0, comes).place, LW_HASHED_TABLE);
    end(&b);
}

/* A region comes back from the victim buffer for no reason of its own, and another makes room. */
static void test_recall(void **state) {
    (void)state;
    bench b;
    lw_array arrays[9];
    lw_error err = {0};
    lw_region_moves counts = {0};
    lw_os_plan plan;
    lw_rng rng;
    bool done = false;
    begin(&b, LW_ALL_LOCAL, SLOTS, 100);
    lw_rng_seed(&rng, 1);
    const uint64_t moves = page_at(&b, 4, 0);
    const uint64_t comes = page_at(&b, 0, 7);
    arrays[0] = one_page(moves);
    for (uint32_t i = 0; i < 8; i++) {
        arrays[1 + i] = one_page(page_at(&b, 0, i));
    }
    assert_true(lw_address_spaces_add(b.spaces, arrays, COUNT(arrays), &err));
    assert_true(lw_hashed_table_evict(b.table, 0, comes, &done, &err) && done);
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_true(lw_hashed_table_move(b.table, 0, moves, &done, &err) && done);
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_int_equal(chain_moves(&b), 1);
    while (counts.recalls == 0) {
        assert_true(lw_region_move(b.spaces, 0, comes, &rng, &plan, &counts, &err));
    }
    assert_int_equal(chain_moves(&b), 2);
    assert_true(invalidates_all(&plan));
    end(&b);
}

/* Pages come and go, and with each its region; where one has made another move, everything is
 * invalidated, and both tables say the same. */
static void test_page_changes(void **state) {
    (void)state;
    enum { REGIONS = 14, CHANGES = 10000 };
    bench b;
    lw_array arrays[REGIONS];
    lw_error err = {0};
    lw_os_plan plan;
    lw_rng rng;
    uint64_t moved = 0, all = 0;
    begin(&b, LW_ALL_LOCAL, SLOTS, 100);
    for (uint32_t i = 0; i < REGIONS; i++) {
        arrays[i] = one_page(page_at(&b, i % 2 * 4, i / 2));
    }
    assert_true(lw_address_spaces_add(b.spaces, arrays, REGIONS, &err));
    lw_os_roots *roots = lw_os_roots_new(b.spaces);
    lw_page_changes *changes = lw_page_changes_new(&b.system, b.spaces, roots);
    lw_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < CHANGES; i++) {
        const uint64_t before = chain_moves(&b);
        bool more = false;
        assert_true(lw_page_changes_make(changes, &rng, &plan, &err));
        if (chain_moves(&b) != before) {
            assert_true(invalidates_all(&plan));
            moved++;
        }
        all += plan.count != 0 && invalidates_all(&plan);
        assert_true(lw_hashed_table_drain(b.table, &err));
        assert_true(plan.free_count == 0 ||
                    lw_frame_release(lw_address_spaces_frames(b.spaces), plan.free_frame, 1, &err));
        assert_true(lw_page_changes_go_on(changes, &rng, &plan, &more, &err));
        assert_false(more);
        for (uint32_t a = 0; i % 16 == 0 && a < REGIONS; a++) {
            assert_true(tables_agree(&b.system, b.spaces, 0, arrays[a].base >> 12));
        }
    }
    assert_true(moved > 20 && all < CHANGES / 2);
    lw_page_changes_free(changes);
    lw_os_roots_free(roots);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_recall),
        cmocka_unit_test(test_page_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
