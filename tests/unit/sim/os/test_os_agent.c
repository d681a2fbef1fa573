/* The OS agent: its invalidations cover what it changes, the oracle is told as much and no more,
 * and no frame is lost or given twice. */
#include "tests/unit/sim/os/agent_bench.h"

enum { PROCESSES = 2 };

typedef struct agent_test {
    agent_bench b;
    lw_oracle_answer seen[PROCESSES][PAGES];
    uint64_t changed_events;
    /* the answer of one page from before the event under way */
    bool has_stale;
    lw_oracle_answer stale;
    uint32_t stale_process;
    uint64_t stale_page;
} agent_test;

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    agent_test *t = ctx;
    lw_oracle_entry_changes(t->b.oracle, pa, old_value);
}

static bool same_large_page(uint64_t a, uint64_t b, uint32_t size) {
    return a >> (9 * size) == b >> (9 * size);
}

static bool same_invalidation(const lw_inputs *a, const lw_inputs *b) {
    return a->inv_valid == b->inv_valid && a->inv_type == b->inv_type &&
           a->inv_pasid == b->inv_pasid && a->inv_first == b->inv_first &&
           a->inv_last == b->inv_last;
}

/* The invalidation covers every page whose good answer has changed (faults are not kept, and any
 * invalidation ends the walks of its PASID, R11.2). Then takes the new image. */
static void check_covered(agent_test *t, const lw_inputs *in) {
    t->has_stale = false;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (size_t n = 0; n < PAGES; n++) {
            const uint64_t page = page_at(n);
            const lw_oracle_answer old = t->seen[p][n];
            const lw_oracle_answer now = walk(&t->b.system, t->b.spaces, p, page, LW_READ);
            t->seen[p][n] = now;
            if (lw_oracle_answer_equal(&old, &now)) {
                continue;
            }
            if (old.kind == LW_ORACLE_OK) {
                const bool inside[] = {
                    in->inv_pasid == p && same_large_page(page, in->inv_first, old.size),
                    in->inv_pasid == p && page >= in->inv_first && page <= in->inv_last,
                    in->inv_pasid == p, true};
                assert_true(inside[in->inv_type]);
            }
            t->has_stale = true;
            t->stale = old;
            t->stale_process = p;
            t->stale_page = page;
        }
    }
    t->changed_events += t->has_stale ? 1 : 0;
}

/* Whether the oracle lets the answer from before the change pass. */
static bool stale_passes(agent_test *t) {
    assert_true(lw_oracle_request(t->b.oracle, 0, t->stale_process, t->stale_page, LW_READ, NULL));
    return lw_oracle_response(t->b.oracle, 0, &t->stale, NULL);
}

/* Frames in use that are neither nodes nor pages of the arrays: none is lost, none given twice. */
static uint64_t frames_unaccounted(agent_test *t) {
    uint64_t left = lw_frame_allocator_in_use(lw_address_spaces_frames(t->b.spaces));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        lw_page_table *table = lw_address_spaces_table(t->b.spaces, p);
        lw_page_table_leaf leaf;
        left -= lw_page_table_nodes(table);
        for (size_t n = 0; n < PAGES; n++) {
            left -= lw_page_table_find(table, page_at(n), &leaf, NULL) ? 1 : 0;
        }
    }
    return left;
}

/* Large pages are split for good when they are unmapped, so a run has few: there are many runs. */
static void run_agent(uint64_t seed, uint64_t cycles, uint64_t types[4]) {
    agent_test *t = calloc(1, sizeof *t);
    lw_array planted[LW_BAD_ARRAYS];
    lw_error err = {0};
    lw_rng rng;
    assert_non_null(t);
    lw_rng_seed(&rng, seed);
    t->b.system = make_system("random", 3, 4, 48);
    t->b.system.remaps = 400;
    t->b.system.invalidations = 200;
    open_spaces(&t->b, seed, PROCESSES);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        size_t count = 0;
        assert_true(lw_address_spaces_plant(t->b.spaces, p, planted, &count, &err));
        assert_true(lw_address_spaces_append(t->b.spaces, p, planted, count, &err));
    }
    open_agent(&t->b, seed, entry_changes, t);
    lw_inputs in = {0};
    in.inv_type = 3;
    check_covered(t, &in);
    t->changed_events = 0;
    const uint64_t planted_frames = frames_unaccounted(t);
    uint64_t done_at = UINT64_MAX;
    bool held = false;
    lw_inputs before = {0};
    for (uint64_t now = 0; now < cycles; now++) {
        lw_os_agent_drive(t->b.agent, &in);
        const bool taken = in.inv_valid && lw_rng_percent(&rng, 30);
        const bool done = now == done_at;
        /* What it asks stays on the port until it is taken. */
        assert_true(!held || same_invalidation(&in, &before));
        held = in.inv_valid && !taken;
        before = in;
        if (taken) {
            done_at = now + 1 + lw_rng_below(&rng, 20);
            types[in.inv_type]++;
            check_covered(t, &in);
        }
        if (!lw_os_agent_tick(t->b.agent, taken, done, &err)) {
            fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
        }
        /* Old and new are right until the invalidation is done, then only the new; an old fault is
         * not right for a request that comes after it. */
        if ((taken || done) && t->has_stale) {
            assert_int_equal(stale_passes(t), taken && t->stale.kind == LW_ORACLE_OK);
        }
    }
    assert_true(t->changed_events > cycles / 100);
    /* Let what is under way end, then count. */
    t->b.system.remaps = t->b.system.invalidations = 0;
    while (lw_os_agent_busy(t->b.agent)) {
        lw_os_agent_drive(t->b.agent, &in);
        assert_true(lw_os_agent_tick(t->b.agent, in.inv_valid, !in.inv_valid, &err));
    }
    assert_int_equal(frames_unaccounted(t) - lw_os_agent_frames_kept(t->b.agent), planted_frames);
    assert_true(lw_os_agent_next_event(t->b.agent, 5) == UINT64_MAX);
    close_bench(&t->b);
    free(t);
}

static void test_os_agent(void **state) {
    (void)state;
    uint64_t types[4] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        run_agent(seed, 2000, types);
    }
    for (size_t type = 0; type < COUNT(types); type++) {
        assert_true(types[type] > 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_os_agent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
