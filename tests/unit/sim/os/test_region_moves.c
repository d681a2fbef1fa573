/* The OS agent at work on a hashed table: regions move, leave for the victim buffer and come back,
 * a word a cycle; at no cycle does a page translate to anything else than its page table says, and
 * between two moves an invalidation of everything is completed (chapter 21, "What software owes").
 */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"
#include "sim/os/region_moves.h"

static const lw_array arrays[] = {
    {"small", UINT64_C(0x10000000), 40 << 12},
    {"large", UINT64_C(0x20000000000), UINT64_C(6) << 21},
};

enum { PROCESSES = 2, CYCLES = 400000 };

typedef struct run {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    uint64_t done_at, moves, since; /* moves when an invalidation was completed last */
} run;

static uint64_t draw_page(lw_rng *rng) {
    const lw_array *a = &arrays[lw_rng_below(rng, COUNT(arrays))];
    return (a->base >> 12) + lw_rng_below(rng, a->bytes >> 12);
}

static lw_address_spaces *open_spaces(const lw_system *system, uint64_t seed) {
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(system, 1 << 14, seed, &err);
    assert_true(lw_address_spaces_hash(s, 20, &err));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(s, arrays, COUNT(arrays), &err));
    }
    return s;
}

static void open_run(run *opened, uint64_t seed) {
    lw_error err = {0};
    *opened = (run){.system = hashed_system("buddy:25", LW_SIZE_4K, 4, 48)};
    opened->system.region_moves = 300;
    opened->spaces = open_spaces(&opened->system, seed);
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = 4,
                                     .read64 = read_memory,
                                     .ctx = opened->spaces};
    opened->oracle = lw_oracle_new(&config, &err);
    opened->agent = lw_os_agent_new(&opened->system, opened->spaces, opened->oracle, seed, &err);
    assert_non_null(opened->agent);
}

static void cycle(run *t, lw_rng *rng, uint64_t now) {
    lw_inputs in = {0};
    lw_error err = {0};
    lw_os_agent_drive(t->agent, &in);
    assert_false(in.ctl_write);
    const bool done = now == t->done_at;
    if (in.inv_valid) {
        assert_int_equal(in.inv_type, 3);
        t->done_at = now + 1 + lw_rng_below(rng, 30);
    }
    if (!lw_os_agent_tick(t->agent, in.inv_valid, done, &err)) {
        fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
    }
    t->since = done ? t->moves : t->since;
    t->moves = lw_os_agent_provoked(t->agent).regions.moves;
    assert_true(t->moves - t->since <= 1);
}

static void test_translations_stay(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        run t;
        lw_rng rng;
        open_run(&t, seed);
        lw_rng_seed(&rng, seed);
        bool in_victim_buffer = false;
        for (uint64_t now = 0; now < CYCLES; now++) {
            cycle(&t, &rng, now);
            const uint32_t process = (uint32_t)lw_rng_below(&rng, PROCESSES);
            const uint64_t page = draw_page(&rng);
            if (!tables_agree(&t.system, t.spaces, process, page)) {
                fail_msg("cycle %llu: page 0x%llx", (unsigned long long)now,
                         (unsigned long long)page);
            }
            in_victim_buffer =
                in_victim_buffer ||
                hashed_walk_of(&t.system, t.spaces, process, page).place == LW_HASHED_VICTIM_BUFFER;
        }
        const lw_region_moves done = lw_os_agent_provoked(t.agent).regions;
        assert_true(done.moves > 20 && done.evictions > 20 && done.recalls > 20 &&
                    done.settled > 20 && in_victim_buffer);
        lw_os_agent_free(t.agent);
        lw_oracle_free(t.oracle);
        lw_address_spaces_free(t.spaces);
    }
}

static bool is_of_all(const lw_os_step *step) {
    return step->kind == LW_STEP_INVALIDATE && step->type == LW_INV_ALL;
}

/* Chapters 20 and 21, "What software owes": everything is invalidated before the copies that
 * recalls have left are emptied, and after the words of a move, at once or once walks have met it;
 * for an eviction or a recall nothing is. */
static void test_what_is_owed(void **state) {
    (void)state;
    run t;
    lw_rng rng;
    lw_error err = {0};
    lw_region_moves counts = {0};
    uint32_t brief = 0, walks = 0;
    open_run(&t, 1);
    lw_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 2000; i++) {
        const lw_region_moves before = counts;
        lw_os_plan plan;
        assert_true(lw_region_move(t.spaces, (uint32_t)lw_rng_below(&rng, PROCESSES),
                                   draw_page(&rng), &rng, &plan, &counts, &err));
        const lw_os_step *steps = plan.steps;
        if (counts.settled != before.settled) {
            assert_true(plan.count == 2 && is_of_all(&steps[0]) && steps[1].kind == LW_STEP_SETTLE);
            assert_true(lw_hashed_table_settle(lw_address_spaces_hashed(t.spaces), &err));
        } else if (plan.count != 0) {
            const bool owes = counts.moves != before.moves;
            assert_int_equal(steps[0].kind, LW_STEP_WORDS);
            assert_int_equal(plan.count, owes ? 3 : 1);
            assert_true(!owes || (steps[1].kind == LW_STEP_PAUSE && is_of_all(&steps[2])));
            brief += owes && steps[1].cycles < 24;
            walks += owes && steps[1].cycles > 300;
        }
        assert_true(lw_hashed_table_drain(lw_address_spaces_hashed(t.spaces), &err));
    }
    assert_true(counts.moves > 20 && counts.evictions > 20 && counts.recalls > 20 &&
                counts.settled > 20);
    assert_true(brief > counts.moves / 4 && walks > counts.moves / 8);
    lw_os_agent_free(t.agent);
    lw_oracle_free(t.oracle);
    lw_address_spaces_free(t.spaces);
}

/* Of two processes the second has no hashed table where only every other one has: nothing is
 * planned for it, and nothing is counted. */
static void test_no_hashed_table(void **state) {
    (void)state;
    lw_system system = hashed_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_region_moves counts = {0};
    const lw_region_moves none = {0};
    lw_rng rng;
    lw_error err = {0};
    system.hashed_tables = 2;
    lw_address_spaces *s = open_spaces(&system, 1);
    lw_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 500; i++) {
        lw_os_plan plan;
        const uint32_t process = i < 250 ? 1 : 0;
        assert_true(lw_region_move(s, process, draw_page(&rng), &rng, &plan, &counts, &err));
        assert_true(process == 0 || plan.count == 0);
        assert_true(process == 0 || memcmp(&counts, &none, sizeof none) == 0);
        assert_true(lw_hashed_table_drain(lw_address_spaces_hashed(s), &err));
    }
    assert_true(counts.moves > 20 && counts.settled > 10);
    lw_address_spaces_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_translations_stay),
                                       cmocka_unit_test(test_what_is_owed),
                                       cmocka_unit_test(test_no_hashed_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
