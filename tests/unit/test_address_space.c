/* Address spaces: every page of every array is mapped, once, in the page sizes asked for; planted
 * bad entries give each fault at each level; the OS agent's invalidations cover what it changes.
 * All of it seen through the flat walk, which shares no code with the tables' builder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "oracle/oracle.h"
#include "system/os_agent.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { ONE_GIB_PAGES = 1 << 18 };

/* A system with all that address spaces and the agent look at. */
static lw_system make_system(const char *mapping, uint32_t page_size, uint32_t levels,
                             uint32_t pa_width) {
    lw_system system = {.name = "test", .page_size = page_size};
    system.hw.levels = levels;
    system.hw.pa_width = pa_width;
    system.hw.pasids = 4;
    memcpy(system.mapping, mapping, strlen(mapping) + 1);
    return system;
}

static uint64_t read_memory(void *ctx, uint64_t pa) {
    return lw_phys_mem_read64(lw_address_spaces_memory(ctx), pa);
}

static lw_oracle_answer walk(const lw_system *system, lw_address_spaces *s, uint32_t process,
                             uint64_t page, uint32_t access) {
    const lw_flat_image image = {.read64 = read_memory, .ctx = s};
    const lw_flat_walk_query query = {
        .levels = system->hw.levels,
        .pa_width = system->hw.pa_width,
        .has_root = true,
        .root = lw_page_table_root(lw_address_spaces_table(s, process)),
        .page_number = page,
        .access = access,
    };
    return lw_flat_walk(&image, &query);
}

/* ---------------------------------------------------------------- mapped pages */

static const lw_array arrays[] = {
    {"one page", UINT64_C(0x10000000), 1},
    {"its neighbour", UINT64_C(0x10001000), 5 << 12},
    {"within a page", UINT64_C(0x10005ffc), 4}, /* shares the neighbour's last page */
    {"2 MiB, askew", UINT64_C(0x7f0000003000), (512 << 12) + 12},
    {"several 2 MiB", UINT64_C(0x7f8040000000), UINT64_C(9) << 20},
    {"1 GiB and more", UINT64_C(0x4003fe00000), (UINT64_C(1) << 30) + (UINT64_C(5) << 20)},
    {"upper half", UINT64_C(0xffff800000000000), 300 << 12},
};

static const struct mapping_row {
    const char *mapping;
    uint32_t page_size, levels, pa_width, processes;
    bool sizes[3]; /* of the pages that must occur; the others must not */
} mapping_rows[] = {
    {"contiguous", LW_SIZE_4K, 4, 48, 2, {true, false, false}},
    {"random", LW_SIZE_4K, 4, 40, 1, {true, false, false}},
    {"buddy:25", LW_SIZE_4K, 5, 52, 2, {true, false, false}},
    {"contiguous", LW_SIZE_2M, 4, 48, 2, {true, true, false}},
    {"buddy:25", LW_SIZE_2M, 4, 48, 1, {true, false, false}}, /* too fragmented: falls back */
    {"buddy:0", LW_SIZE_1G, 4, 48, 2, {true, true, true}},
    {"buddy:0", 3, 5, 52, 2, {true, true, true}},
    {"random", 3, 4, 48, 2, {true, true, false}},
};

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Walks all pages of a process; appends its frames, each page once. */
static size_t walk_all(const lw_system *system, lw_address_spaces *s, uint32_t process,
                       bool sizes[3], uint64_t *frames) {
    size_t count = 0;
    uint64_t previous = UINT64_MAX;
    for (size_t a = 0; a < COUNT(arrays); a++) {
        const uint64_t last = (arrays[a].base + arrays[a].bytes - 1) >> 12;
        for (uint64_t page = arrays[a].base >> 12; page <= last; page++) {
            const lw_oracle_answer answer = walk(system, s, process, page, LW_READ);
            assert_int_equal(answer.kind, LW_ORACLE_OK);
            assert_true(answer.w && answer.x);
            sizes[answer.size] = true;
            if (page != previous) {
                frames[count++] = answer.pfn;
            }
            previous = page;
        }
    }
    return count;
}

static void test_every_page_is_mapped(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mapping_rows); i++) {
        const struct mapping_row *row = &mapping_rows[i];
        const lw_system system =
            make_system(row->mapping, row->page_size, row->levels, row->pa_width);
        const uint64_t room = UINT64_C(2) * ONE_GIB_PAGES * row->processes;
        lw_error err = {""};
        lw_address_spaces *s = lw_address_spaces_new(&system, room, i, &err);
        uint64_t *frames = calloc(room, sizeof *frames);
        bool sizes[3] = {false};
        size_t count = 0;
        uint64_t nodes = 0;
        assert_non_null(frames);
        for (uint32_t p = 0; s != NULL && p < row->processes; p++) {
            if (!lw_address_spaces_add(s, arrays, COUNT(arrays), &err)) {
                break;
            }
            nodes += lw_page_table_nodes(lw_address_spaces_table(s, p));
            count += walk_all(&system, s, p, sizes, frames + count);
            /* and nothing beside */
            assert_int_equal(walk(&system, s, p, 0x10006, LW_READ).kind, LW_ORACLE_NOT_PRESENT);
            assert_int_equal(walk(&system, s, p, 0xffff, LW_READ).kind, LW_ORACLE_NOT_PRESENT);
        }
        assert_string_equal(err.text, "");
        assert_memory_equal(sizes, row->sizes, sizeof sizes);
        /* No frame twice, and no table's frame: all in use are those of pages and of nodes. */
        qsort(frames, count, sizeof *frames, compare);
        for (size_t f = 1; f < count; f++) {
            assert_true(frames[f] != frames[f - 1]);
        }
        assert_int_equal(lw_frame_allocator_in_use(lw_address_spaces_frames(s)), count + nodes);
        free(frames);
        lw_address_spaces_free(s);
    }
}

static void test_too_much(void **state) {
    (void)state;
    lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 32);
    lw_error err = {""};
    assert_null(lw_address_spaces_new(&system, UINT64_C(1) << 21, 1, &err));
    assert_non_null(strstr(err.text, "--size: 2097152 pages need "));
    assert_non_null(strstr(err.text, "pa_width 32"));
    system = make_system("tidy", LW_SIZE_4K, 4, 48);
    assert_null(lw_address_spaces_new(&system, 1, 1, &err));
    assert_non_null(strstr(err.text, "tidy"));
    system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = lw_address_spaces_new(&system, 100, 1, &err);
    for (uint32_t p = 0; p < system.hw.pasids; p++) {
        assert_true(lw_address_spaces_add(s, NULL, 0, &err));
    }
    assert_false(lw_address_spaces_add(s, NULL, 0, &err));
    assert_non_null(strstr(err.text, "the system test has 4 address spaces"));
    lw_address_spaces_free(s);
}

/* ---------------------------------------------------------------- planted entries */

static void test_planted(void **state) {
    (void)state;
    /* What the second page of a range of this name answers to a read, a write and an execute. */
    static const struct {
        const char *name;
        uint32_t kinds[3];
    } rows[] = {
        {"bad not present", {3, 3, 3}},      {"bad reserved frame bit", {4, 4, 4}},
        {"bad reserved PS", {4, 4, 4}},      {"bad misaligned 2 MiB", {5, 5, 5}},
        {"bad misaligned 1 GiB", {5, 5, 5}}, {"bad no user", {6, 6, 6}},
        {"bad read only", {0, 6, 0}},        {"bad no execute", {0, 0, 6}},
    };
    static const struct {
        uint32_t levels, pa_width;
        size_t ranges;
    } systems[] = {{4, 48, 23}, {5, 48, 29}, {5, 51, 29}, {4, 52, 19}, {5, 52, 24}};
    for (size_t i = 0; i < COUNT(systems); i++) {
        const lw_system system =
            make_system("random", LW_SIZE_4K, systems[i].levels, systems[i].pa_width);
        lw_array planted[LW_BAD_ARRAYS];
        size_t count = 0;
        uint32_t levels_seen[8] = {0}; /* by kind, a bit a level */
        lw_error err = {""};
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 12, 1, &err);
        assert_true(lw_address_spaces_add(s, arrays, 2, &err));
        assert_true(lw_address_spaces_plant(s, 0, planted, &count, &err));
        assert_true(lw_address_spaces_append(s, 0, planted, count, &err));
        assert_int_equal(count, systems[i].ranges);
        for (size_t a = 0; a < count; a++) {
            size_t row = 0;
            while (strcmp(rows[row].name, planted[a].name) != 0) {
                assert_true(++row < COUNT(rows));
            }
            for (uint32_t access = 0; access < 3; access++) {
                const lw_oracle_answer answer =
                    walk(&system, s, 0, (planted[a].base >> 12) + 1, access);
                assert_int_equal(answer.kind, rows[row].kinds[access]);
                levels_seen[answer.kind] |= 1u << answer.level;
            }
        }
        /* Every kind at every level where it can occur. */
        const uint32_t all = (2u << systems[i].levels) - 2;
        const uint32_t upper = all & ~0xeu; /* PS above the 1 GiB level */
        assert_int_equal(levels_seen[LW_ORACLE_NOT_PRESENT], all);
        assert_int_equal(levels_seen[LW_ORACLE_RESERVED], systems[i].pa_width < 52 ? all : upper);
        assert_int_equal(levels_seen[LW_ORACLE_MISALIGNED], 1u << 2 | 1u << 3);
        assert_int_equal(levels_seen[LW_ORACLE_PERMISSION], all);
        /* The arrays mapped before are as they were; the list has both. */
        size_t listed = 0;
        (void)lw_address_spaces_arrays(s, 0, &listed);
        assert_int_equal(listed, 2 + count);
        assert_int_equal(lw_address_spaces_mapped(s, 0), 2);
        assert_int_equal(walk(&system, s, 0, 0x10005, LW_WRITE).kind, LW_ORACLE_OK);
        lw_address_spaces_free(s);
    }
}

/* ---------------------------------------------------------------- the OS agent */

static const lw_array agent_arrays[] = {
    {"small", UINT64_C(0x10000000), 40 << 12},
    {"large", UINT64_C(0x20000000000), UINT64_C(2) << 21},
};

enum { PROCESSES = 2, AGENT_PAGES = 40 + 1024 };

typedef struct agent_test {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    lw_oracle_answer seen[PROCESSES][AGENT_PAGES];
    uint64_t changed_events, types[4], unknown_pasids;
    /* the answer of one page from before the event under way */
    bool has_stale;
    lw_oracle_answer stale;
    uint32_t stale_process;
    uint64_t stale_page;
} agent_test;

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    agent_test *t = ctx;
    lw_oracle_entry_changes(t->oracle, pa, old_value);
}

static uint64_t agent_page(size_t n) {
    return n < 40 ? (agent_arrays[0].base >> 12) + n : (agent_arrays[1].base >> 12) + n - 40;
}

static bool same_large_page(uint64_t a, uint64_t b, uint32_t size) {
    return a >> (9 * size) == b >> (9 * size);
}

/* The invalidation covers every page whose good answer has changed (faults are not kept, and any
 * invalidation ends the walks of its PASID, R11.2). Then takes the new image. */
static void check_covered(agent_test *t, const lw_inputs *in) {
    t->has_stale = false;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (size_t n = 0; n < AGENT_PAGES; n++) {
            const uint64_t page = agent_page(n);
            const lw_oracle_answer old = t->seen[p][n];
            const lw_oracle_answer now = walk(&t->system, t->spaces, p, page, LW_READ);
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
    assert_true(lw_oracle_request(t->oracle, 0, t->stale_process, t->stale_page, LW_READ, NULL));
    return lw_oracle_response(t->oracle, 0, &t->stale, NULL);
}

/* Frames in use that are neither nodes nor pages of the arrays: none is lost, none given twice. */
static uint64_t frames_unaccounted(agent_test *t) {
    uint64_t left = lw_frame_allocator_in_use(lw_address_spaces_frames(t->spaces));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        lw_page_table *table = lw_address_spaces_table(t->spaces, p);
        lw_page_table_leaf leaf;
        left -= lw_page_table_nodes(table);
        for (size_t n = 0; n < AGENT_PAGES; n++) {
            left -= lw_page_table_find(table, agent_page(n), &leaf, NULL) ? 1 : 0;
        }
    }
    return left;
}

static void test_os_agent(void **state) {
    (void)state;
    agent_test *t = calloc(1, sizeof *t);
    lw_array planted[LW_BAD_ARRAYS];
    lw_error err = {""};
    lw_rng rng;
    assert_non_null(t);
    lw_rng_seed(&rng, 7);
    t->system = make_system("random", 3, 4, 48);
    t->system.remaps = 400;
    t->system.invalidations = 200;
    t->spaces = lw_address_spaces_new(&t->system, 1 << 14, 1, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        size_t count = 0;
        assert_true(lw_address_spaces_add(t->spaces, agent_arrays, COUNT(agent_arrays), &err));
        assert_true(lw_address_spaces_plant(t->spaces, p, planted, &count, &err));
        assert_true(lw_address_spaces_append(t->spaces, p, planted, count, &err));
    }
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = t->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = t->spaces};
    t->oracle = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const uint64_t root = lw_page_table_root(lw_address_spaces_table(t->spaces, p));
        assert_true(lw_oracle_set_root(t->oracle, p, true, root, &err));
    }
    t->agent = lw_os_agent_new(&t->system, t->spaces, t->oracle, 1, &err);
    assert_non_null(t->agent);
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), entry_changes, t);
    lw_inputs in = {0};
    in.inv_type = 3;
    check_covered(t, &in);
    t->changed_events = 0;
    const uint64_t planted_frames = frames_unaccounted(t);
    uint64_t done_at = UINT64_MAX;
    bool held = false;
    lw_inputs before = {0};
    for (uint64_t now = 0; now < 60000; now++) {
        lw_os_agent_drive(t->agent, &in);
        const bool taken = in.inv_valid && lw_rng_percent(&rng, 30);
        const bool done = now == done_at;
        /* What it asks stays on the port until it is taken. */
        assert_true(!held || (in.inv_valid && in.inv_first == before.inv_first));
        held = in.inv_valid && !taken;
        before = in;
        if (taken) {
            done_at = now + 1 + lw_rng_below(&rng, 20);
            t->types[in.inv_type]++;
            t->unknown_pasids += in.inv_pasid >= PROCESSES ? 1 : 0;
            check_covered(t, &in);
        }
        if (!lw_os_agent_tick(t->agent, taken, done, &err)) {
            fail_msg("cycle %llu: %s", (unsigned long long)now, err.text);
        }
        /* Old and new are right until the invalidation is done, then only the new. */
        if ((taken || done) && t->has_stale) {
            assert_int_equal(stale_passes(t), taken);
        }
    }
    assert_true(t->changed_events > 500);
    for (size_t type = 0; type < COUNT(t->types); type++) {
        assert_true(t->types[type] > 100);
    }
    assert_true(t->unknown_pasids > 0);
    /* Let what is under way end, then count. */
    t->system.remaps = t->system.invalidations = 0;
    while (lw_os_agent_busy(t->agent)) {
        lw_os_agent_drive(t->agent, &in);
        assert_true(lw_os_agent_tick(t->agent, in.inv_valid, !in.inv_valid, &err));
    }
    assert_int_equal(frames_unaccounted(t), planted_frames);
    assert_true(lw_os_agent_next_event(t->agent, 5) == UINT64_MAX);
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), NULL, NULL);
    lw_os_agent_free(t->agent);
    lw_oracle_free(t->oracle);
    lw_address_spaces_free(t->spaces);
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_page_is_mapped),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_os_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
