/* The OS agent where tables are shared and move and roots change: whoever reads what has changed is
 * told of it before the agent rests, no frame is lost or given twice, and all of it happens. */
#include "tests/unit/sim/os/agent_bench.h"

#include "sim/os/os_roots.h"

enum { PROCESSES = 3, FRAMES = 1 << 21 };

typedef struct os_test {
    agent_bench b;
    /* the answers of each PASID when it was told of the page last */
    lw_oracle_answer told[PROCESSES][PAGES];
    uint64_t invalidations, roots_written, untold;
    bool gone;           /* a root is, since so many invalidations */
    uint64_t gone_since; /* likewise */
    lw_os_agent_counts seen;
    uint64_t begun;               /* events */
    uint64_t changed, changed_of; /* the last word that has changed, and what it was */
    uint64_t written_at;          /* the last root, of which nobody has been told */
    uint64_t told_soon, told_late;
} os_test;

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    os_test *t = ctx;
    t->changed = pa;
    t->changed_of = old_value;
    lw_oracle_entry_changes(t->b.oracle, pa, old_value);
}

static os_test *open_test(uint64_t seed, const lw_system *rates) {
    os_test *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->b.system = *rates;
    open_spaces(&t->b, seed, PROCESSES);
    open_agent(&t->b, seed, entry_changes, t);
    return t;
}

static void close_test(os_test *t) {
    close_bench(&t->b);
    free(t);
}

/* The PASIDs and pages that the invalidation matches have been told. `type` 4: all of them. */
static void tell(os_test *t, const lw_inputs *in) {
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (size_t n = 0; n < PAGES; n++) {
            const uint64_t page = page_at(n);
            const uint32_t bits = 9 * t->told[p][n].size; /* R3.11 */
            const bool told[] = {page >> bits == in->inv_first >> bits,
                                 page >= in->inv_first && page <= in->inv_last, true, true};
            if (told[in->inv_type] && (in->inv_type == 3 || in->inv_pasid == p)) {
                t->told[p][n] = lw_oracle_answer_now(t->b.oracle, p, page, LW_READ);
            }
        }
    }
}

/* Nobody keeps a fault. */
static void count_untold(os_test *t) {
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (size_t n = 0; n < PAGES; n++) {
            const lw_oracle_answer now = lw_oracle_answer_now(t->b.oracle, p, page_at(n), LW_READ);
            const bool kept = t->told[p][n].kind == LW_ORACLE_OK;
            t->untold += kept && !lw_oracle_answer_equal(&now, &t->told[p][n]);
        }
    }
}

/* Frames in use that are neither nodes nor mapped nor kept for a page. In a table that is replaced
 * pages come to lie beside their array, too. */
static uint64_t frames_left(const os_test *t) {
    bool *mapped = calloc(FRAMES, sizeof *mapped);
    uint64_t left = lw_frame_allocator_in_use(lw_address_spaces_frames(t->b.spaces)) -
                    lw_os_agent_frames_kept(t->b.agent);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        lw_page_table *table = lw_address_spaces_table(t->b.spaces, p);
        left -= lw_page_table_nodes(table);
        for (size_t n = 0; n < 512 + 1024; n++) {
            lw_page_table_leaf leaf;
            const uint64_t page =
                n < 512 ? (arrays[0].base >> 12) + n : (arrays[1].base >> 12) + n - 512;
            if (lw_page_table_find(table, page, &leaf, NULL)) {
                const uint64_t inside = page & ((UINT64_C(1) << 9 * (leaf.level - 1)) - 1);
                const uint64_t frame = ((leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT) + inside;
                left -= mapped[frame] ? 0 : 1;
                mapped[frame] = true;
            }
        }
    }
    free(mapped);
    return left;
}

/* A root becomes another at once, or is gone first: while an invalidation runs, or not as long. */
static void see_root(os_test *t, bool valid) {
    if (valid && !t->gone) {
        t->seen.roots_replaced++;
    } else if (valid) {
        *(t->invalidations != t->gone_since ? &t->seen.roots_vanished : &t->seen.roots_blinked) +=
            1;
    }
    t->gone = !valid;
    t->gone_since = t->invalidations;
}

/* One cycle; a completion comes some cycles after the transfer. */
static void cycle(os_test *t, lw_rng *rng, uint64_t now, uint64_t *done_at) {
    lw_inputs in = {0};
    lw_error err = {0};
    lw_os_agent_drive(t->b.agent, &in);
    const bool taken = in.inv_valid && lw_rng_percent(rng, 50);
    const bool done = now == *done_at;
    assert_false(in.inv_valid && in.ctl_write); /* one step at a time */
    if (in.ctl_write) {
        assert_true(in.ctl_addr >= LW_CTL_ROOT && in.ctl_addr < LW_CTL_ROOT + PROCESSES);
        t->roots_written++;
        t->written_at = now;
        see_root(t, in.ctl_wdata >> 63 != 0);
    }
    if (in.inv_valid && t->written_at != 0) {
        *(now - t->written_at < 30 ? &t->told_soon : &t->told_late) += 1;
        t->written_at = 0;
    }
    if (taken) {
        *done_at = now + 1 + lw_rng_below(rng, 9);
        t->invalidations++;
        tell(t, &in);
    }
    const bool busy = lw_os_agent_busy(t->b.agent);
    if (!lw_os_agent_tick(t->b.agent, taken, done, &err)) {
        fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
    }
    t->begun += !busy && lw_os_agent_busy(t->b.agent);
}

static lw_os_agent_counts run(uint64_t seed, const lw_system *rates, uint64_t *untold,
                              uint64_t *roots_written) {
    os_test *t = open_test(seed, rates);
    lw_rng rng;
    uint64_t done_at = UINT64_MAX;
    const lw_inputs all = {.inv_type = 3};
    lw_rng_seed(&rng, seed);
    tell(t, &all);
    const uint64_t before = frames_left(t);
    for (uint64_t now = 0; now < 4000; now++) {
        cycle(t, &rng, now, &done_at);
    }
    t->b.system.remaps = t->b.system.root_changes = t->b.system.table_moves = 0;
    t->b.system.silent_changes = 0;
    for (uint64_t now = 4000; lw_os_agent_busy(t->b.agent); now++) {
        cycle(t, &rng, now, &done_at);
    }
    count_untold(t);
    assert_int_equal(frames_left(t), before);
    const lw_os_agent_counts counts = lw_os_agent_provoked(t->b.agent);
    assert_int_equal(counts.roots_replaced, t->seen.roots_replaced);
    assert_int_equal(counts.roots_vanished, t->seen.roots_vanished);
    assert_int_equal(counts.roots_blinked, t->seen.roots_blinked);
    *untold = t->untold;
    *roots_written += t->roots_written;
    close_test(t);
    return counts;
}

enum { SEEDS = 6 };

static lw_system rates_of(uint32_t page_size) {
    lw_system s = make_system("random", page_size, 4, 48);
    s.burst_length = 4;
    return s;
}

static void test_shared_tables(void **state) {
    (void)state;
    uint64_t shared = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_system s = rates_of(seed % 2 == 0 ? 0 : 1);
        uint64_t untold = 0;
        uint64_t written = 0;
        s.shared_tables = 80;
        s.remaps = 300;
        s.near_changes = 50; /* pauses before it tells */
        shared += run(seed, &s, &untold, &written).shared_changes;
        assert_int_equal(untold, 0);
        assert_int_equal(written, 0);
    }
    assert_true(shared > 50);
}

static void test_moving_tables(void **state) {
    (void)state;
    uint64_t moves = 0;
    uint64_t replaced = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_system s = rates_of(0);
        uint64_t untold = 0;
        uint64_t written = 0;
        s.shared_tables = 50;
        s.table_moves = 300;
        s.remaps = 100;
        const lw_os_agent_counts c = run(seed, &s, &untold, &written);
        moves += c.table_moves;
        replaced += c.tables_replaced;
        assert_int_equal(untold, 0);
    }
    assert_true(moves > 100 && replaced > 10 && replaced < moves);
}

static void test_roots(void **state) {
    (void)state;
    lw_os_agent_counts sum = {0};
    uint64_t written = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_system s = rates_of(0);
        uint64_t untold = 0;
        s.root_changes = 400;
        s.remaps = 800; /* who has got another's table is told of its changes */
        const lw_os_agent_counts c = run(seed, &s, &untold, &written);
        sum.roots_replaced += c.roots_replaced;
        sum.roots_vanished += c.roots_vanished;
        sum.roots_blinked += c.roots_blinked;
        assert_int_equal(untold, 0);
    }
    assert_true(sum.roots_replaced > 5 && sum.roots_vanished > 10 && sum.roots_blinked > 5);
    assert_int_equal(written, sum.roots_replaced + 2 * sum.roots_vanished + 2 * sum.roots_blinked);
}

/* What a change of a root owes (docs/machine.md): an invalidation of the PASID's whole space, once
 * another root is there, or before the next one is written where it had vanished. */
static void test_what_roots_owe(void **state) {
    (void)state;
    enum { CHANGES = 400, OWNERS = 3 };
    const uint64_t last = (UINT64_C(1) << 36) - 1;
    static const lw_array list = {"array", UINT64_C(0x10000000), 1 << 12};
    const lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 10, 1, &err);
    for (uint32_t p = 0; p < OWNERS; p++) {
        assert_true(lw_address_spaces_add(s, &list, 1, &err));
    }
    lw_os_roots *roots = lw_os_roots_new(s);
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        const uint64_t vanished = lw_os_roots_counts(roots).vanished;
        lw_os_roots_change(roots, &rng, &plan);
        const bool waits = lw_os_roots_counts(roots).vanished != vanished;
        uint32_t told = plan.count, set = plan.count;
        for (uint32_t i = 0; i < plan.count; i++) {
            const lw_os_step *step = &plan.steps[i];
            const bool all = step->covers_first == 0 && step->covers_last == last;
            assert_true(step->kind == LW_STEP_PAUSE || step->type == LW_INV_ALL ||
                        step->pasid == plan.steps[0].pasid);
            set = step->kind == LW_STEP_ROOT && step->valid ? i : set;
            if (step->kind == LW_STEP_INVALIDATE && all && (!waits || set == plan.count)) {
                assert_true(step->type == LW_INV_PASID || step->type == LW_INV_ALL);
                told = i;
            }
        }
        assert_true(told < plan.count && set < plan.count && (waits ? told < set : told > set));
    }
    lw_os_roots_free(roots);
    lw_address_spaces_free(s);
}

/* Pages appear and permit more, and nobody is told: what was kept of them has less. */
static void test_silent_changes(void **state) {
    (void)state;
    lw_os_agent_counts sum = {0};
    uint64_t all_untold = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_system s = rates_of(0);
        uint64_t untold = 0;
        uint64_t written = 0;
        s.silent_changes = 500;
        s.remaps = 300;
        const lw_os_agent_counts c = run(seed, &s, &untold, &written);
        sum.appeared += c.appeared;
        sum.permitted += c.permitted;
        all_untold += untold;
    }
    assert_true(sum.appeared > 20 && sum.permitted > 20);
    assert_true(all_untold > 0); /* the check above barks where it must */
}

/* Each is counted as what it is: a page that was not there, or one that permits more. They come
 * alone here, after changes that leave them something to do. */
static void test_silent_changes_are_counted(void **state) {
    (void)state;
    enum { ROUND = 2000, SILENT = 100, ROUNDS = 20, END = ROUNDS * ROUND };
    lw_system s = rates_of(0);
    uint64_t appeared = 0, permitted = 0;
    uint64_t done_at = UINT64_MAX;
    uint64_t alone = 0; /* cycles */
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    os_test *t = open_test(1, &s);
    for (uint64_t now = 0; now < END; now++) {
        const bool silent = now % ROUND >= ROUND - SILENT && !lw_os_agent_busy(t->b.agent);
        t->b.system.remaps = now % ROUND < ROUND / 2 ? 300 : 0;
        t->b.system.silent_changes = silent ? 5000 : 0;
        t->changed = 0;
        cycle(t, &rng, now, &done_at);
        alone += silent;
        if (silent && t->changed != 0) {
            assert_true((read_memory(t->b.spaces, t->changed) & LW_PTE_P) != 0);
            *((t->changed_of & LW_PTE_P) == 0 ? &appeared : &permitted) += 1;
        }
    }
    assert_true(alone > ROUNDS * SILENT / 2);
    assert_true(appeared > 5 && permitted > 5 && appeared != permitted);
    assert_int_equal(lw_os_agent_provoked(t->b.agent).appeared, appeared);
    assert_int_equal(lw_os_agent_provoked(t->b.agent).permitted, permitted);
    close_test(t);
}

/* Between the write of a root and its invalidation the agent pauses, for few cycles or for as long
 * as whole walks take. */
static void test_roots_are_told_late(void **state) {
    (void)state;
    lw_system s = rates_of(LW_PAGES_OF_4K);
    uint64_t done_at = UINT64_MAX;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    s.root_changes = 400;
    os_test *t = open_test(1, &s);
    for (uint64_t now = 0; now < 40000; now++) {
        cycle(t, &rng, now, &done_at);
    }
    assert_true(t->told_soon > 20 && t->told_late > 20);
    close_test(t);
}

/* A node that moves is an event, and nothing is where the page that is drawn has none. */
static void test_moves_are_counted(void **state) {
    (void)state;
    lw_system s = rates_of(LW_PAGES_OF_2M);
    uint64_t done_at = UINT64_MAX;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    s.table_moves = 300;
    os_test *t = open_test(1, &s);
    for (uint64_t now = 0; now < 8000; now++) {
        cycle(t, &rng, now, &done_at);
    }
    assert_true(t->begun > 50);
    assert_int_equal(lw_os_agent_provoked(t->b.agent).table_moves, t->begun);
    close_test(t);
}

static void test_nothing_happens_unasked(void **state) {
    (void)state;
    const lw_system s = rates_of(1);
    uint64_t untold = 0;
    uint64_t written = 0;
    const lw_os_agent_counts c = run(1, &s, &untold, &written);
    const lw_os_agent_counts none = {0};
    assert_memory_equal(&c, &none, sizeof c);
    assert_int_equal(untold + written, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_tables),
        cmocka_unit_test(test_moving_tables),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_what_roots_owe),
        cmocka_unit_test(test_silent_changes),
        cmocka_unit_test(test_silent_changes_are_counted),
        cmocka_unit_test(test_roots_are_told_late),
        cmocka_unit_test(test_moves_are_counted),
        cmocka_unit_test(test_nothing_happens_unasked),
    };
    return cmocka_run_group_tests_name("os_provocations", tests, NULL, NULL);
}
