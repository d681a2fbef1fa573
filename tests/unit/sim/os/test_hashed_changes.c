/* The OS agent changes pages of processes with hashed tables: it unmaps, maps, moves and protects
 * them, also silently, while their regions move, a word a cycle. Walks that take their time are
 * asked for all the while: what they find is always right to the oracle, and once all is at rest
 * both tables say the same. What nobody may answer any more, it refuses. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"

static const lw_array arrays[] = {
    {"small", UINT64_C(0x10000000), 40 << 12},
    {"large", UINT64_C(0x20000000000), UINT64_C(6) << 21},
    {"alone", UINT64_C(0x30000000000), 1 << 12}, /* with it its region comes and goes */
};

enum { PROCESSES = 2, CYCLES = 200000, PAGES = 48, WALKS = 16 };

typedef struct run {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    uint64_t done_at;
} run;

static void watch(void *ctx, uint64_t pa, uint64_t old) {
    lw_oracle_entry_changes(ctx, pa, old);
}

static void open_run(run *t, uint64_t seed, bool contiguity) {
    lw_error err = {0};
    *t = (run){.system = hashed_system(contiguity ? "contiguous" : "buddy:25", LW_SIZE_4K, 4, 48)};
    t->system.region_moves = 100;
    t->system.remaps = 300;
    t->system.silent_changes = 100;
    t->system.near_changes = 50;
    t->system.hw.subregions = contiguity;
    t->spaces = lw_address_spaces_new(&t->system, 1 << 14, seed, &err);
    assert_true(lw_address_spaces_hash(t->spaces, 20, &err));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(t->spaces, arrays, COUNT(arrays), &err));
    }
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = WALKS,
                                     .pasids = 4,
                                     .read64 = read_memory,
                                     .ctx = t->spaces,
                                     .subregions = contiguity};
    t->oracle = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const lw_hashed_walk_query q = lw_hashed_query(lw_address_spaces_hashed(t->spaces), p);
        lw_oracle_set_hashed(t->oracle, p, &q);
        assert_true(lw_oracle_set_root(
            t->oracle, p, true, lw_page_table_root(lw_address_spaces_table(t->spaces, p)), &err));
    }
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), watch, t->oracle);
    t->agent = lw_os_agent_new(&t->system, t->spaces, t->oracle, seed, &err);
    assert_non_null(t->agent);
}

static void close_run(run *t) {
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), NULL, NULL);
    lw_os_agent_free(t->agent);
    lw_oracle_free(t->oracle);
    lw_address_spaces_free(t->spaces);
}

static void cycle(run *t, lw_rng *rng, uint64_t now) {
    lw_inputs in = {0};
    lw_error err = {0};
    lw_os_agent_drive(t->agent, &in);
    const bool done = now == t->done_at;
    if (in.inv_valid) {
        t->done_at = now + 1 + lw_rng_below(rng, 30);
    }
    if (!lw_os_agent_tick(t->agent, in.inv_valid, done, &err)) {
        fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
    }
}

/* Some pages of both arrays: few, so that changes meet walks. */
static uint64_t draw_page(lw_rng *rng) {
    const lw_array *a = &arrays[lw_rng_below(rng, COUNT(arrays))];
    const uint64_t n = lw_rng_below(rng, PAGES);
    const uint64_t pages = a->bytes >> 12;
    return (a->base >> 12) + (pages < PAGES ? n % pages : n / 8 * 512 + n % 4 * 64 + n % 3);
}

/* A walk that is asked for in one cycle, and in another reads its lines and is answered. */
typedef struct walking {
    bool open;
    uint32_t process;
    uint64_t page, answers_at;
} walking;

static lw_oracle_answer walk_now(const run *t, const walking *w) {
    const lw_flat_image image = {.read64 = read_memory, .ctx = t->spaces};
    lw_hashed_walk_query q = lw_hashed_query(lw_address_spaces_hashed(t->spaces), w->process);
    q.page.pa_width = 48;
    q.page.page_number = w->page;
    q.page.subregions = t->system.hw.subregions != 0;
    return lw_hashed_walk(&image, &q).answer;
}

static void go_on(const run *t, lw_rng *rng, walking *w, uint32_t id, uint64_t now) {
    lw_error err = {0};
    if (!w->open) {
        *w = (walking){.open = true,
                       .process = (uint32_t)lw_rng_below(rng, PROCESSES),
                       .page = draw_page(rng),
                       .answers_at = now + 1 + lw_rng_below(rng, 20)};
        lw_os_agent_asked(t->agent, w->process, w->page, 0);
        assert_true(lw_oracle_request(t->oracle, id, w->process, w->page, 0, &err));
    } else if (now == w->answers_at) {
        const lw_oracle_answer answer = walk_now(t, w);
        w->open = false;
        if (!lw_oracle_response(t->oracle, id, &answer, &err)) {
            fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
        }
    }
}

static void check_rest(run *t) {
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (size_t a = 0; a < COUNT(arrays); a++) {
            for (uint64_t i = 0; i < arrays[a].bytes >> 12; i++) {
                const walking w = {.process = p, .page = (arrays[a].base >> 12) + i};
                const lw_oracle_answer with_bits = walk_now(t, &w);
                assert_true(tables_agree(&t->system, t->spaces, p, w.page));
                const lw_oracle_answer plain = walk(&t->system, t->spaces, p, w.page, 0);
                assert_int_equal(with_bits.pfn, plain.pfn);
            }
        }
    }
}

static void run_seed(uint64_t seed, bool contiguity) {
    run t;
    lw_rng rng;
    walking walks[WALKS] = {{0}};
    uint64_t now = 0;
    open_run(&t, seed, contiguity);
    lw_rng_seed(&rng, seed);
    while (now < CYCLES || lw_os_agent_busy(t.agent)) {
        for (uint32_t id = 0; id < WALKS; id++) {
            go_on(&t, &rng, &walks[id], id, now);
        }
        cycle(&t, &rng, now++);
        if (now == CYCLES) { /* nothing begins any more */
            t.system.region_moves = t.system.remaps = t.system.silent_changes = 0;
        }
    }
    const lw_os_agent_counts done = lw_os_agent_provoked(t.agent);
    assert_true(done.page_changes > 100 && done.appeared > 10 && done.permitted > 10);
    assert_true(done.regions.moves > 5 && done.regions.evictions > 5 && done.regions.recalls > 5);
    assert_true(lw_oracle_checked(t.oracle) > 10000);
    check_rest(&t);
    close_run(&t);
}

static void test_answers_are_right(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        run_seed(seed, false);
    }
}

static void test_answers_are_right_with_contiguity(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        run_seed(seed, true);
    }
}

static bool answers(const run *t, uint64_t page, const lw_oracle_answer *answer) {
    lw_error err = {0};
    assert_true(lw_oracle_request(t->oracle, 0, 0, page, 0, &err));
    return lw_oracle_response(t->oracle, 0, answer, &err);
}

/* A page is moved by hand: until its invalidation is completed old and new are right, then the new
 * alone, and never the frame of another page. */
static void test_old_answers_end(void **state) {
    (void)state;
    run t;
    lw_error err = {0};
    const uint64_t page = arrays[0].base >> 12;
    open_run(&t, 1, false);
    lw_page_table *plain = lw_address_spaces_table(t.spaces, 0);
    lw_hashed_table *hashed = lw_address_spaces_hashed(t.spaces);
    const walking w = {.page = page};
    const walking neighbour = {.page = page + 1};
    const lw_oracle_answer old = walk_now(&t, &w);
    const lw_oracle_answer foreign = walk_now(&t, &neighbour);
    assert_true(answers(&t, page, &old));
    assert_false(answers(&t, page, &foreign));
    assert_true(lw_page_table_remap(plain, page, 0x77, &err));
    assert_true(
        lw_hashed_table_replace(hashed, 0, page, 0x77, LW_MAP_U | LW_MAP_W | LW_MAP_X, &err));
    assert_true(lw_hashed_table_drain(hashed, &err));
    const lw_oracle_answer new = walk_now(&t, &w);
    assert_int_equal(new.pfn, 0x77);
    assert_true(answers(&t, page, &old) && answers(&t, page, &new));
    assert_false(answers(&t, page, &foreign));
    lw_oracle_invalidation_starts(t.oracle, 0, page, page);
    lw_oracle_invalidation_done(t.oracle);
    assert_true(answers(&t, page, &new));
    assert_false(answers(&t, page, &old));
    /* it is mapped: nobody may say that it is not, though the victim buffer does not have it */
    for (uint32_t level = 1; level <= 6; level++) {
        const lw_oracle_answer absent = {.kind = LW_ORACLE_NOT_PRESENT, .level = level};
        assert_false(answers(&t, page, &absent));
    }
    close_run(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_right),
        cmocka_unit_test(test_answers_are_right_with_contiguity),
        cmocka_unit_test(test_old_answers_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
