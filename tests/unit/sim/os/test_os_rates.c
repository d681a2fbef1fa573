/* The OS agent does as much as its rates say, and where they say: keys of a system that only the
 * kind of a run shows (docs/machine.md). */
#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"

static const lw_array arrays[] = {{"pages", UINT64_C(0x10000000), 4096 << 12}};

enum { PROCESSES = 3, CYCLES = 20000, FIRST = 0x10000 };

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    lw_inputs in;
    uint64_t done_at, now;
    uint64_t takes; /* cycles from an invalidation's transfer to its completion */
} bench;

static void begin(bench *b, const lw_system *rates) {
    lw_error err = {0};
    *b = (bench){.system = *rates, .done_at = UINT64_MAX, .takes = 1};
    b->spaces = lw_address_spaces_new(&b->system, 1 << 14, 1, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(b->spaces, arrays, COUNT(arrays), &err));
    }
    const lw_oracle_config config = {.levels = b->system.hw.levels,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = b->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = b->spaces};
    b->oracle = lw_oracle_new(&config, &err);
    b->agent = lw_os_agent_new(&b->system, b->spaces, b->oracle, 1, &err);
    assert_non_null(b->agent);
}

static void end(bench *b) {
    lw_os_agent_free(b->agent);
    lw_oracle_free(b->oracle);
    lw_address_spaces_free(b->spaces);
}

/* A cycle of a unit that takes each invalidation at once. */
static void cycle(bench *b) {
    lw_error err = {0};
    lw_os_agent_drive(b->agent, &b->in);
    const bool done = b->now == b->done_at;
    b->done_at = b->in.inv_valid ? b->now + b->takes : b->done_at;
    if (!lw_os_agent_tick(b->agent, b->in.inv_valid, done, &err)) {
        fail_msg("%s", err.text);
    }
    b->in.ctl_write = false;
    b->now++;
}

static lw_system no_rates(void) {
    lw_system s = make_system("random", 0, 4, 48);
    s.burst_length = 4;
    return s;
}

static uint64_t silent_changes_at(uint32_t rate, uint32_t remaps, uint64_t takes) {
    bench b;
    lw_system s = no_rates();
    s.silent_changes = rate;
    s.remaps = remaps; /* else nothing is there that may appear */
    begin(&b, &s);
    b.takes = takes;
    for (uint32_t c = 0; c < CYCLES; c++) {
        cycle(&b);
    }
    const lw_os_agent_counts n = lw_os_agent_provoked(b.agent);
    end(&b);
    return n.appeared + n.permitted;
}

/* In 10000 cycles, also where an invalidation is under way nearly all the time; a change may find
 * nothing to change. */
static void a_rate_is_a_rate(void **state) {
    (void)state;
    const uint64_t seldom = silent_changes_at(20, 300, 1), often = silent_changes_at(100, 300, 1);
    assert_in_range(seldom, 10, 20 * (CYCLES / 10000));
    assert_in_range(often, 50, 100 * (CYCLES / 10000));
    assert_in_range(silent_changes_at(100, 10000, 20), 50, 100 * (CYCLES / 10000));
}

/* Of a hundred of its own invalidations how many are of the line of PTEs whose page is asked for
 * all the time. */
static uint64_t near_at(uint32_t percent) {
    bench b;
    uint64_t all = 0, near = 0;
    lw_system s = no_rates();
    s.invalidations = 10000;
    s.near_changes = percent;
    begin(&b, &s);
    for (uint32_t c = 0; c < CYCLES; c++) {
        lw_os_agent_asked(b.agent, 1, FIRST + 7, c);
        cycle(&b);
        if (b.in.inv_valid && b.in.inv_type == LW_INV_PAGE) {
            all++;
            near += b.in.inv_pasid == 1 && b.in.inv_first / 8 == FIRST / 8;
        }
    }
    end(&b);
    assert_true(all > 1000);
    return 100 * near / all;
}

/* But for unknown PASIDs and neighbours that may not change, a few in a hundred. */
static void changes_come_near(void **state) {
    (void)state;
    assert_int_equal(near_at(0), 0);
    assert_in_range(near_at(50), 35, 50);
    assert_in_range(near_at(100), 80, 98);
}

/* One draw decides in each cycle in which nothing is under way, and in no other: how long an
 * invalidation takes makes no difference to how many there are in so many such cycles. */
static void draws_are_of_idle_cycles(void **state) {
    (void)state;
    static const uint64_t takes[] = {1, 20};
    for (size_t i = 0; i < COUNT(takes); i++) {
        bench b;
        uint64_t idle = 0, begun = 0;
        lw_system s = no_rates();
        s.invalidations = 2000;
        begin(&b, &s);
        b.takes = takes[i];
        for (uint32_t c = 0; c < CYCLES; c++) {
            idle += !lw_os_agent_busy(b.agent);
            cycle(&b);
            begun += b.in.inv_valid;
        }
        /* the cycle of the draw, that of the transfer, and those until it is done */
        assert_in_range(idle + begun * (1 + takes[i]), CYCLES - 30, CYCLES + 30);
        assert_in_range(begun * 10000 / idle, 1700, 2300);
        end(&b);
    }
}

/* Of each process the tables on the way to each leaf table, by the level of their entries. */
enum { LEAF_NODES = 4096 / 512, MOST_LEVELS = 5 };
typedef struct nodes_of {
    uint64_t at[PROCESSES][LEAF_NODES][MOST_LEVELS + 1];
} nodes_of;

static void find_nodes(const bench *b, nodes_of *nodes) {
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const lw_page_table *table = lw_address_spaces_table(b->spaces, p);
        for (uint64_t leaf = 0; leaf < LEAF_NODES; leaf++) {
            for (uint32_t level = 1; level <= b->system.hw.levels; level++) {
                uint64_t pa = 0;
                assert_true(
                    lw_page_table_entry_address(table, FIRST + 512 * leaf, level, &pa, NULL));
                nodes->at[p][leaf][level] = pa >> LW_PAGE_SHIFT;
            }
        }
    }
}

/* The levels of which a table lies elsewhere than before, a bit each. */
static uint32_t compare_nodes(const bench *b, const nodes_of *before, const nodes_of *now,
                              nodes_of *moves) {
    uint32_t levels = 0;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint32_t leaf = 0; leaf < LEAF_NODES; leaf++) {
            for (uint32_t level = 1; level <= b->system.hw.levels; level++) {
                const bool other = now->at[p][leaf][level] != before->at[p][leaf][level];
                moves->at[p][leaf][level] += other;
                levels |= (uint32_t)other << level;
            }
        }
    }
    return levels;
}

/* A move is one table's. Each table below the roots moves, whatever its level, most of them leaf
 * tables. No root moves for this rate. */
static void tables_of_every_level_move(void **state) {
    (void)state;
    for (uint32_t levels = 4; levels <= MOST_LEVELS; levels++) {
        static nodes_of before, now, moves;
        uint64_t of_level[MOST_LEVELS + 1] = {0}, all = 0;
        bench b;
        lw_system s = no_rates();
        s.hw.levels = levels;
        s.table_moves = 5000;
        begin(&b, &s);
        memset(&moves, 0, sizeof moves);
        find_nodes(&b, &before);
        for (uint32_t c = 0; c < 10 * CYCLES; c++) {
            cycle(&b);
            if (lw_os_agent_provoked(b.agent).table_moves == all) {
                continue;
            }
            find_nodes(&b, &now);
            const uint32_t changed = compare_nodes(&b, &before, &now, &moves);
            assert_true(changed != 0 && (changed & (changed - 1)) == 0);
            of_level[__builtin_ctz(changed)]++;
            all++;
            before = now;
        }
        for (uint32_t p = 0; p < PROCESSES; p++) {
            for (uint32_t leaf = 0; leaf < LEAF_NODES; leaf++) {
                for (uint32_t level = 1; level <= levels; level++) {
                    assert_int_equal(moves.at[p][leaf][level] != 0, level < levels);
                }
            }
        }
        for (uint32_t level = 1; level < levels; level++) {
            assert_in_range(100 * of_level[level] / all, level == 1 ? 55 : 8, level == 1 ? 75 : 25);
        }
        assert_true(all > 1000);
        end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_a_rate),
        cmocka_unit_test(changes_come_near),
        cmocka_unit_test(draws_are_of_idle_cycles),
        cmocka_unit_test(tables_of_every_level_move),
    };
    return cmocka_run_group_tests_name("os_rates", tests, NULL, NULL);
}
