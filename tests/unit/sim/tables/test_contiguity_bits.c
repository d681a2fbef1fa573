/* MESC's OS side: what the scanner finds (Algorithm 1, the frames of Figures 6 and 9), that the
 * bits follow every change, and that no walk, whenever it read which entry, finds another page's
 * frame. */
#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"
#include "sim/tables/contiguity_bits.h"

#include <stdio.h>

enum { ALL = LW_MAP_U | LW_MAP_W | LW_MAP_X };

typedef struct table_test {
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    lw_page_table *table;
} table_test;

static table_test new_table(void) {
    lw_error err = {0};
    const lw_frame_allocator_config config = {.policy = {.kind = LW_FRAMES_CONTIGUOUS},
                                              .first_frame = UINT64_C(1) << 30,
                                              .frames = 64,
                                              .pa_width = 48};
    table_test t = {.mem = lw_phys_mem_new(48, &err),
                    .frames = lw_frame_allocator_new(&config, &err)};
    t.table = lw_page_table_new(t.mem, t.frames, 4, &err);
    assert_non_null(t.table);
    return t;
}

static void free_table(table_test *t) {
    lw_page_table_free(t->table);
    lw_frame_allocator_free(t->frames);
    lw_phys_mem_free(t->mem);
}

static void map_run(table_test *t, uint64_t vpn, uint64_t pfn, uint64_t pages, uint32_t flags) {
    lw_error err = {0};
    for (uint64_t i = 0; i < pages; i++) {
        assert_true(lw_page_table_map(t->table, vpn + i, pfn + i, LW_SIZE_4K, flags, &err));
    }
}

/* AC and C7..C0 of the frame's level-2 entry. */
static uint64_t bits_of(const table_test *t, uint64_t vpn) {
    lw_error err = {0};
    uint64_t pa = 0;
    assert_true(lw_page_table_entry_address(t->table, vpn, 2, &pa, &err));
    return lw_phys_mem_read64(t->mem, pa) >> LW_PTE_C_SHIFT & 0x1ff;
}

static void update(table_test *t, uint64_t vpn) {
    lw_error err = {0};
    assert_true(lw_contiguity_update(t->table, t->mem, vpn, &err));
}

enum { FRAME = 0x80000, WHOLE = 0x1ff };

static void figure_9(void **state) {
    (void)state;
    table_test t = new_table();
    map_run(&t, FRAME, 0x00f87, UINT64_C(4) * 64, ALL);
    map_run(&t, FRAME + UINT64_C(4) * 64, 0x0201d, 64, ALL);
    for (uint64_t page = 0; page < UINT64_C(2) * 64; page++) { /* S5, S6: no two in a row */
        map_run(&t, FRAME + UINT64_C(5) * 64 + page, 0x90000 + 2 * page, 1, ALL);
    }
    map_run(&t, FRAME + 7 * 64, 0x0205d, 64, ALL);
    const lw_node_contiguity found = lw_contiguity_find(t.table, t.mem, FRAME + 300);
    assert_int_equal(found.subregions, 0x9f);
    assert_int_equal(found.joined, 0x07);
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), 0x09f);
    free_table(&t);
}

static void contiguous_though_not_aligned(void **state) {
    (void)state;
    lw_error err = {0};
    table_test t = new_table();
    map_run(&t, FRAME, 0x6000a, 512, ALL);
    assert_true(lw_contiguity_scan(t.table, t.mem, FRAME, FRAME + 511, &err));
    assert_int_equal(bits_of(&t, FRAME), WHOLE);
    /* one page elsewhere: its subregion and the frame are not contiguous any more */
    assert_true(lw_page_table_remap(t.table, FRAME + 200, 0x99999, &err));
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), 0xf7);
    assert_true(lw_page_table_remap(t.table, FRAME + 200, 0x6000a + 200, &err));
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), WHOLE);
    /* other permissions within a subregion break it; of a whole one only its joining */
    assert_true(lw_page_table_protect(t.table, FRAME + 1, LW_MAP_U, &err));
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), 0xfe);
    for (uint64_t page = 0; page < 64; page++) {
        assert_true(lw_page_table_protect(t.table, FRAME + page, LW_MAP_U, &err));
    }
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), 0xff);
    assert_int_equal(lw_contiguity_find(t.table, t.mem, FRAME).joined, 0x7e);
    /* a hole */
    assert_true(lw_page_table_unmap(t.table, FRAME + 511, &err));
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), 0x7f);
    free_table(&t);
}

static void large_pages_and_nothing_are_left_alone(void **state) {
    (void)state;
    lw_error err = {0};
    table_test t = new_table();
    assert_true(lw_page_table_map(t.table, FRAME, 0x200, LW_SIZE_2M, ALL, &err));
    assert_true(lw_contiguity_scan(t.table, t.mem, FRAME, FRAME + 4096, &err));
    assert_int_equal(bits_of(&t, FRAME), 0);
    assert_false(lw_contiguity_rests_on(t.table, t.mem, FRAME));
    free_table(&t);
}

static void heads_in_use(void **state) {
    (void)state;
    lw_error err = {0};
    table_test t = new_table();
    map_run(&t, FRAME, 0x6000a, 512, ALL);
    update(&t, FRAME);
    /* with AC the other heads too: who knows the entry from before it goes by the C bits */
    assert_true(lw_contiguity_rests_on(t.table, t.mem, FRAME));
    assert_true(lw_contiguity_rests_on(t.table, t.mem, FRAME + 64));
    assert_false(lw_contiguity_rests_on(t.table, t.mem, FRAME + 1));
    assert_true(lw_contiguity_forget(t.table, t.mem, FRAME, &err));
    assert_int_equal(bits_of(&t, FRAME), 0xfe);
    assert_false(lw_contiguity_rests_on(t.table, t.mem, FRAME));
    assert_true(lw_contiguity_rests_on(t.table, t.mem, FRAME + 64));
    assert_false(lw_contiguity_rests_on(t.table, t.mem, FRAME + 65));
    free_table(&t);
}

static void heads_first(void **state) {
    (void)state;
    lw_error err = {0};
    table_test t = new_table();
    lw_page_table_put_heads_first(t.table);
    map_run(&t, FRAME, 0x6000a, 512, ALL);
    uint64_t node = 0, pa = 0;
    bool used[512] = {false};
    assert_true(lw_page_table_entry_address(t.table, FRAME, 1, &node, &err));
    for (uint64_t page = 0; page < 512; page++) {
        assert_true(lw_page_table_entry_address(t.table, FRAME + page, 1, &pa, &err));
        const uint64_t place = (pa - node) / 8;
        assert_true(place < 512 && !used[place]);
        used[place] = true;
        assert_true(page % 64 != 0 || place == page / 64);
    }
    update(&t, FRAME);
    assert_int_equal(bits_of(&t, FRAME), WHOLE);
    free_table(&t);
}

/* Of entries alone: a subregion is not contiguous where a page is not there or has another
 * permission, whatever frames their entries name, none joins one that is not, and what an entry
 * says beside its frame and its permissions does not matter. */
static void entries_alone(void **state) {
    (void)state;
    const uint64_t permissions = LW_PTE_P | LW_PTE_RW | LW_PTE_US;
    static const uint64_t others[] = {UINT64_C(1) << 5, UINT64_C(1) << 6, LW_PTE_64K,
                                      UINT64_C(1) << 11, UINT64_C(63) << 57};
    static const uint64_t each[] = {LW_PTE_P, LW_PTE_RW, LW_PTE_US, LW_PTE_NX};
    uint64_t entries[LW_FRAME_PAGES];
    for (uint64_t i = 0; i < LW_FRAME_PAGES; i++) {
        entries[i] = ((0x6000a + i) << 12 | permissions) ^ others[i % COUNT(others)];
    }
    assert_int_equal(lw_contiguity_bits(lw_contiguity_of(entries)), WHOLE);
    for (uint64_t i = 128; i < 192; i++) { /* S2 */
        entries[i] &= ~LW_PTE_P;
    }
    lw_node_contiguity found = lw_contiguity_of(entries);
    assert_int_equal(found.subregions, 0xfb);
    assert_int_equal(found.joined, 0x79);
    for (uint64_t i = 128; i < 192; i++) {
        entries[i] |= LW_PTE_P;
    }
    for (size_t i = 0; i < COUNT(each); i++) { /* within S2, at whose ends all is as before */
        entries[130] ^= each[i];
        found = lw_contiguity_of(entries);
        assert_int_equal(found.subregions, 0xfb);
        assert_int_equal(found.joined, 0x79);
        assert_int_equal(lw_contiguity_bits(found), 0xfb);
        entries[130] ^= each[i];
    }
}

/* A scan writes the bits of every frame that meets it, and of no other. */
static void scans(void **state) {
    (void)state;
    static const struct {
        uint64_t first, last;
        uint64_t from, to; /* frames */
    } rows[] = {{512 + 511, UINT64_C(3) * 512, 1, 3},
                {UINT64_C(2) * 512 + 7, UINT64_C(2) * 512 + 7, 2, 2},
                {0, UINT64_C(5) * 512 - 1, 0, 4},
                {UINT64_C(3) * 512, UINT64_C(4) * 512 - 1, 3, 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {0};
        table_test t = new_table();
        map_run(&t, FRAME, 0x6000a, UINT64_C(5) * 512, ALL);
        assert_true(
            lw_contiguity_scan(t.table, t.mem, FRAME + rows[i].first, FRAME + rows[i].last, &err));
        for (uint64_t f = 0; f < 5; f++) {
            assert_int_equal(bits_of(&t, FRAME + f * 512),
                             f >= rows[i].from && f <= rows[i].to ? WHOLE : 0);
        }
        free_table(&t);
    }
}

/* ---------------------------------------------------------------- under the OS agent */

enum { PAGES = 3 * 512, PROCESSES = 2 };

static const lw_array arrays[] = {{"array", UINT64_C(0x10000000), (uint64_t)PAGES << 12}};

typedef struct agent_test {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    /* the level-2 entries as they were when the last invalidation was done */
    uint64_t old_at[PROCESSES][3], old_entry[PROCESSES][3];
    uint32_t frames_whole, frames_broken;
} agent_test;

static uint64_t first_page(void) {
    return arrays[0].base >> 12;
}

static void remember_entries(agent_test *t) {
    lw_error err = {0};
    for (uint32_t p = 0; p < PROCESSES; p++) {
        lw_page_table *table = lw_address_spaces_table(t->spaces, p);
        for (uint64_t f = 0; f < 3; f++) {
            assert_true(lw_page_table_entry_address(table, first_page() + f * 512, 2,
                                                    &t->old_at[p][f], &err));
            t->old_entry[p][f] = read_memory(t->spaces, t->old_at[p][f]);
        }
    }
}

/* The image of a walk that read its level-2 entry before the change under way, and the level-1
 * entry now. */
static uint64_t read_half_old(void *ctx, uint64_t pa) {
    const agent_test *t = ctx;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint32_t f = 0; f < 3; f++) {
            if (t->old_at[p][f] == pa) {
                return t->old_entry[p][f];
            }
        }
    }
    return read_memory(t->spaces, pa);
}

/* What the page's own level-1 entry says. */
static lw_oracle_answer own_answer(agent_test *t, uint32_t process, uint64_t page) {
    lw_system plain = t->system;
    plain.hw.subregions = 0;
    return walk(&plain, t->spaces, process, page, LW_READ);
}

/* Pages of which the half-old walk finds something that their own entries do not say, now or before
 * the change (`before`): only the page that changes may be among them. */
static void check_half_old(agent_test *t, lw_oracle_answer before[PROCESSES][PAGES]) {
    const lw_flat_image image = {.read64 = read_half_old, .ctx = t};
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (uint64_t page = 0; page < PAGES; page++) {
            const lw_flat_walk_query query = {
                .levels = 4,
                .pa_width = 48,
                .has_root = true,
                .root = lw_page_table_root(lw_address_spaces_table(t->spaces, p)),
                .page_number = first_page() + page,
                .subregions = true};
            const lw_oracle_answer found = lw_flat_walk(&image, &query);
            const lw_oracle_answer now = own_answer(t, p, first_page() + page);
            assert_true(lw_oracle_answer_equal(&found, &now) ||
                        lw_oracle_answer_equal(&found, &before[p][page]));
        }
    }
}

static void check_bits(agent_test *t, lw_oracle_answer before[PROCESSES][PAGES]) {
    lw_phys_mem *mem = lw_address_spaces_memory(t->spaces);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const lw_page_table *table = lw_address_spaces_table(t->spaces, p);
        for (uint64_t page = 0; page < PAGES; page++) {
            before[p][page] = own_answer(t, p, first_page() + page);
            const lw_oracle_answer found =
                walk(&t->system, t->spaces, p, first_page() + page, LW_READ);
            assert_true(lw_oracle_answer_equal(&found, &before[p][page]));
        }
        for (uint64_t f = 0; f < 3; f++) {
            const bool whole =
                lw_contiguity_find(table, mem, first_page() + f * 512).joined == 0x7f;
            t->frames_whole += whole;
            t->frames_broken += !whole;
        }
    }
}

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    const agent_test *t = ctx;
    lw_oracle_entry_changes(t->oracle, pa, old_value);
}

/* So that many a change meets the head of others. */
static void ask_for_heads(agent_test *t, unsigned event) {
    for (unsigned i = 0; i < 16; i++) {
        const uint64_t head = (event + i) % 3 * 512 + (event / 3 + i) % 8 * 64;
        lw_os_agent_asked(t->agent, i % PROCESSES, first_page() + head, 0);
    }
}

static void run_agent(uint64_t seed, bool heads) {
    static agent_test test;
    static lw_oracle_answer before[PROCESSES][PAGES];
    agent_test *t = &test;
    lw_error err = {0};
    memset(t, 0, sizeof *t);
    t->system = make_system("contiguous", 0, 4, 48);
    t->system.hw.subregions = 1;
    t->system.hw.head_first = heads;
    t->system.remaps = 5000;
    t->system.near_changes = 50;
    t->spaces = lw_address_spaces_new(&t->system, 1 << 14, seed, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(t->spaces, arrays, COUNT(arrays), &err));
    }
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = t->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = t->spaces,
                                     .subregions = true,
                                     .head_first = heads};
    t->oracle = lw_oracle_new(&config, &err);
    t->agent = lw_os_agent_new(&t->system, t->spaces, t->oracle, seed, &err);
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), entry_changes, t);
    remember_entries(t);
    check_bits(t, before);
    for (unsigned event = 0; event < 60; event++) {
        lw_inputs in = {0};
        ask_for_heads(t, event);
        while (!in.inv_valid) {
            assert_true(lw_os_agent_tick(t->agent, false, false, &err));
            lw_os_agent_drive(t->agent, &in);
        }
        if (!heads) { /* the half-old walk above knows the plain layout */
            check_half_old(t, before);
        }
        assert_true(lw_os_agent_tick(t->agent, true, false, &err));
        t->system.remaps = 0; /* what follows a completion is only the change that waited for it */
        assert_true(lw_os_agent_tick(t->agent, false, true, &err));
        t->system.remaps = 5000;
        lw_os_agent_drive(t->agent, &in);
        if (!in.inv_valid) {
            check_bits(t, before);
        }
        remember_entries(t);
    }
    lw_phys_mem_watch(lw_address_spaces_memory(t->spaces), NULL, NULL);
    lw_os_agent_free(t->agent);
    lw_oracle_free(t->oracle);
    lw_address_spaces_free(t->spaces);
    assert_true(t->frames_whole > 20 && t->frames_broken > 20);
}

static void bits_follow_every_change(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        run_agent(seed, seed % 2 != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_9),
        cmocka_unit_test(contiguous_though_not_aligned),
        cmocka_unit_test(large_pages_and_nothing_are_left_alone),
        cmocka_unit_test(heads_in_use),
        cmocka_unit_test(heads_first),
        cmocka_unit_test(entries_alone),
        cmocka_unit_test(scans),
        cmocka_unit_test(bits_follow_every_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
