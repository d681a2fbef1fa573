/* Physical memory and page tables; random tables are walked by the oracle, which shares no code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "oracle/oracle.h"
#include "sim/tables/page_table.h"

#include <string.h>

#define RWX (LW_MAP_W | LW_MAP_U | LW_MAP_X)

static void assert_says(const lw_error *err, const char *part) {
    if (strstr(err->text, part) == NULL) {
        fail_msg("'%s' does not say '%s'", err->text, part);
    }
}

static void memory_keeps_words_and_lines(void **state) {
    (void)state;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    assert_int_equal(lw_phys_mem_pa_width(m), 48);
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    uint64_t line[LW_LINE_WORDS], zeros[LW_LINE_WORDS] = {0};
    lw_phys_mem_read_line(m, (UINT64_C(1) << 42) - 1, line);
    assert_memory_equal(line, zeros, sizeof line);
    /* 5000 pages all over, enough for the table to grow several times */
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t pa = lw_rng_next(&rng) >> 16 & ~UINT64_C(63);
        for (uint64_t j = 0; j < 8; j++) {
            assert_true(lw_phys_mem_write64(m, pa + 8 * j, ~(pa + j), &err));
        }
    }
    lw_rng_seed(&rng, 1);
    for (uint64_t i = 0; i < 5000; i++) {
        uint64_t pa = lw_rng_next(&rng) >> 16 & ~UINT64_C(63);
        lw_phys_mem_read_line(m, pa >> 6, line);
        for (uint64_t j = 0; j < 8; j++) {
            assert_int_equal(line[j], ~(pa + j));
            assert_int_equal(lw_phys_mem_read64(m, pa + 8 * j + j), ~(pa + j));
        }
        lw_phys_mem_clear_frame(m, pa >> 12);
        assert_int_equal(lw_phys_mem_read64(m, pa), 0);
        for (uint64_t j = 0; j < 8; j++) { /* another address may share the frame */
            assert_true(lw_phys_mem_write64(m, pa + 8 * j, ~(pa + j), &err));
        }
    }
    lw_phys_mem_free(m);
}

static void memory_refuses(void **state) {
    (void)state;
    lw_error err = {0};
    assert_null(lw_phys_mem_new(31, &err));
    assert_string_equal(err.text, "physical memory: an address width of 31 bits is not in 32..52");
    assert_null(lw_phys_mem_new(53, &err));
    assert_string_equal(err.text, "physical memory: an address width of 53 bits is not in 32..52");
    lw_phys_mem *m = lw_phys_mem_new(52, &err);
    assert_true(lw_phys_mem_write64(m, (UINT64_C(1) << 52) - 8, 1, &err));
    assert_false(lw_phys_mem_write64(m, UINT64_C(1) << 52, 1, &err));
    assert_says(&err, "cannot write at 0x10000000000000");
    lw_phys_mem_free(m);
    m = lw_phys_mem_new(32, &err);
    assert_false(lw_phys_mem_write64(m, UINT64_C(1) << 32, 1, &err));
    assert_says(&err, "cannot write at 0x100000000");
    assert_false(lw_phys_mem_write64(m, 4, 1, &err));
    assert_true(lw_phys_mem_write64(m, 0xfffffff8, 1, &err));
    assert_int_equal(lw_phys_mem_read64(m, UINT64_C(1) << 32), 0);
    lw_phys_mem_free(m);
    lw_phys_mem_free(NULL);
}

/* Memory that is full at both ends goes on nowhere, nor begins again. */
static void beyond_its_end_is_nothing(void **state) {
    (void)state;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(32, &err);
    uint64_t line[LW_LINE_WORDS], zeros[LW_LINE_WORDS] = {0};
    assert_true(lw_phys_mem_write64(m, 0, 1, &err));
    assert_true(lw_phys_mem_write64(m, 0xfffffff8, 2, &err));
    for (uint64_t end = UINT64_C(1) << 32; end < UINT64_C(1) << 52; end <<= 1) {
        assert_int_equal(lw_phys_mem_read64(m, end), 0);
        assert_int_equal(lw_phys_mem_read64(m, end + 0xfffffff8), 0);
        lw_phys_mem_read_line(m, end >> LW_LINE_SHIFT, line);
        assert_memory_equal(line, zeros, sizeof line);
    }
    lw_phys_mem_free(m);
}

/* All words of a frame, and none of its neighbours. */
static void a_frame_is_cleared(void **state) {
    (void)state;
    enum { FRAME = 4096 };
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    for (uint64_t pa = 0; pa < UINT64_C(3) * FRAME; pa += 8) {
        assert_true(lw_phys_mem_write64(m, pa, ~pa, &err));
    }
    lw_phys_mem_clear_frame(m, 1);
    for (uint64_t pa = 0; pa < UINT64_C(3) * FRAME; pa += 8) {
        assert_int_equal(lw_phys_mem_read64(m, pa), pa / FRAME == 1 ? 0 : ~pa);
    }
    lw_phys_mem_free(m);
}

typedef struct seen_change {
    const lw_phys_mem *mem;
    unsigned calls;
    uint64_t pa, old_value, read_then;
} seen_change;

static void see_change(void *ctx, uint64_t pa, uint64_t old_value) {
    seen_change *seen = ctx;
    *seen =
        (seen_change){seen->mem, seen->calls + 1, pa, old_value, lw_phys_mem_read64(seen->mem, pa)};
}

static void the_watcher_sees_changes_before_they_are_made(void **state) {
    (void)state;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    seen_change seen = {.mem = m};
    lw_phys_mem_watch(m, see_change, &seen);
    assert_true(lw_phys_mem_write64(m, 0x1008, 5, &err));
    assert_true(seen.calls == 1 && seen.pa == 0x1008 && seen.old_value == 0);
    assert_true(lw_phys_mem_write64(m, 0x1008, 5, &err)); /* no change */
    assert_int_equal(seen.calls, 1);
    lw_phys_mem_clear_frame(m, 1);
    assert_true(seen.calls == 2 && seen.old_value == 5 && seen.read_then == 5);
    lw_phys_mem_watch(m, NULL, NULL);
    assert_true(lw_phys_mem_write64(m, 0x1008, 6, &err));
    assert_int_equal(seen.calls, 2);
    lw_phys_mem_free(m);
}

typedef struct machine {
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    lw_page_table *pt;
    lw_oracle *oracle;
} machine;

static uint64_t read64(void *ctx, uint64_t pa) {
    return lw_phys_mem_read64(ctx, pa);
}

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    lw_oracle_entry_changes(ctx, pa, old_value);
}

static machine new_machine(uint32_t levels, uint64_t frames) {
    lw_error err = {0};
    machine m = {.mem = lw_phys_mem_new(48, &err)};
    lw_frame_allocator_config config = {.policy = {.kind = LW_FRAMES_RANDOM},
                                        .first_frame = 0x40000,
                                        .frames = frames,
                                        .pa_width = 48,
                                        .seed = 9};
    m.frames = lw_frame_allocator_new(&config, &err);
    m.pt = lw_page_table_new(m.mem, m.frames, levels, &err);
    lw_oracle_config oracle = {.levels = levels,
                               .pa_width = 48,
                               .ids = 1,
                               .pasids = 1,
                               .size_hints = true,
                               .read64 = read64,
                               .ctx = m.mem};
    m.oracle = lw_oracle_new(&oracle, &err);
    assert_true(lw_oracle_set_root(m.oracle, 0, true, lw_page_table_root(m.pt), &err));
    lw_phys_mem_watch(m.mem, entry_changes, m.oracle);
    return m;
}

static void free_machine(machine *m) {
    lw_page_table_free(m->pt);
    assert_int_equal(lw_frame_allocator_in_use(m->frames), 0);
    lw_frame_allocator_free(m->frames);
    lw_oracle_free(m->oracle);
    lw_phys_mem_free(m->mem);
}

static lw_oracle_answer ask(const machine *m, uint64_t vpn, uint32_t access) {
    uint32_t bits = 9 * lw_page_table_levels(m->pt);
    uint64_t sign = vpn >> (bits - 1) == 0 ? 0 : (UINT64_C(1) << 52) - (UINT64_C(1) << bits);
    return lw_oracle_answer_now(m->oracle, 0, sign | vpn, access);
}

/* Bits of a VPN within a page of each lw_page_size. */
static const uint32_t bits_of[] = {0, 9, 18, 4};

typedef struct mapping {
    uint64_t vpn, pfn;
    uint32_t size, flags;
    bool mapped;
} mapping;

static void assert_mapping(const machine *m, const mapping *map, lw_rng *rng) {
    uint64_t offset = lw_rng_below(rng, UINT64_C(1) << bits_of[map->size]);
    for (uint32_t access = 0; access < 3; access++) {
        lw_oracle_answer a = ask(m, map->vpn + offset, access);
        bool w = (map->flags & LW_MAP_W) != 0, x = (map->flags & LW_MAP_X) != 0;
        bool granted = (map->flags & LW_MAP_U) != 0 && (access != 1 || w) && (access != 2 || x);
        if (!map->mapped) {
            assert_int_equal(a.kind, LW_ORACLE_NOT_PRESENT);
        } else if (!granted) {
            assert_true(a.kind == LW_ORACLE_PERMISSION && a.level == bits_of[map->size] / 9 + 1);
        } else {
            assert_true(a.kind == LW_ORACLE_OK && a.size == map->size && a.w == w && a.x == x);
            assert_int_equal(a.pfn, map->pfn + offset);
        }
    }
}

static uint64_t random_pfn(lw_rng *rng, uint32_t size) {
    return lw_rng_next(rng) >> 28 >> bits_of[size] << bits_of[size];
}

static void random_tables_mean_what_was_mapped(void **state) {
    (void)state;
    for (uint32_t levels = 4; levels <= 5; levels++) {
        machine m = new_machine(levels, 8192);
        lw_error err = {0};
        lw_rng rng;
        lw_rng_seed(&rng, levels);
        mapping maps[300];
        for (size_t i = 0; i < 300; i++) {
            mapping *map = &maps[i];
            map->size = (uint32_t)lw_rng_below(&rng, LW_SIZE_64K + 1);
            map->flags = (uint32_t)lw_rng_below(&rng, 8);
            map->pfn = random_pfn(&rng, map->size);
            const uint32_t bits = bits_of[map->size];
            map->vpn = lw_rng_next(&rng) >> (64 - 9 * levels) >> bits << bits;
            map->mapped = lw_page_table_map(m.pt, map->vpn, map->pfn, (lw_page_size)map->size,
                                            map->flags, &err);
            if (!map->mapped) { /* by chance within another one */
                assert_says(&err, "is mapped already");
                i--;
            }
        }
        for (unsigned round = 0; round < 2; round++) {
            for (size_t i = 0; i < 300; i++) {
                assert_mapping(&m, &maps[i], &rng);
            }
            for (size_t i = 0; i < 300; i++) {
                mapping *map = &maps[i];
                map->flags = (uint32_t)lw_rng_below(&rng, 8);
                map->pfn = random_pfn(&rng, map->size);
                assert_true(lw_page_table_protect(m.pt, map->vpn, map->flags, &err));
                assert_true(lw_page_table_remap(m.pt, map->vpn, map->pfn, &err));
            }
        }
        for (size_t i = 0; i < 300; i += 2) {
            assert_true(lw_page_table_unmap(m.pt, maps[i].vpn, &err));
            assert_false(lw_page_table_unmap(m.pt, maps[i].vpn, &err));
            maps[i].mapped = false;
        }
        for (size_t i = 0; i < 300; i++) {
            assert_mapping(&m, &maps[i], &rng);
        }
        free_machine(&m);
    }
}

static void planted_entries_fault_at_their_level(void **state) {
    (void)state;
    static const struct {
        uint32_t size, level;
        uint64_t clear, set;
        uint32_t kind;
    } cases[] = {
        {LW_SIZE_4K, 1, LW_PTE_P, 0, LW_ORACLE_NOT_PRESENT},
        {LW_SIZE_4K, 2, LW_PTE_P, 0, LW_ORACLE_NOT_PRESENT},
        {LW_SIZE_4K, 3, LW_PTE_P, 0, LW_ORACLE_NOT_PRESENT},
        {LW_SIZE_4K, 4, LW_PTE_P, 0, LW_ORACLE_NOT_PRESENT},
        {LW_SIZE_4K, 5, LW_PTE_P, 0, LW_ORACLE_NOT_PRESENT},
        {LW_SIZE_4K, 1, 0, UINT64_C(1) << 48, LW_ORACLE_RESERVED},
        {LW_SIZE_2M, 2, 0, UINT64_C(1) << 51, LW_ORACLE_RESERVED},
        {LW_SIZE_4K, 3, 0, UINT64_C(1) << 50, LW_ORACLE_RESERVED},
        {LW_SIZE_4K, 4, 0, LW_PTE_PS, LW_ORACLE_RESERVED},
        {LW_SIZE_4K, 5, 0, LW_PTE_PS, LW_ORACLE_RESERVED},
        {LW_SIZE_2M, 2, 0, UINT64_C(1) << 13, LW_ORACLE_MISALIGNED},
        {LW_SIZE_1G, 3, 0, UINT64_C(1) << 29, LW_ORACLE_MISALIGNED},
        {LW_SIZE_4K, 2, LW_PTE_US, 0, LW_ORACLE_PERMISSION},
        {LW_SIZE_4K, 5, LW_PTE_US, 0, LW_ORACLE_PERMISSION},
        {LW_SIZE_2M, 2, 0, UINT64_C(1) << 12, LW_ORACLE_OK}, /* PAT */
        {LW_SIZE_4K, 1, 0, LW_PTE_SIZE, LW_ORACLE_RESERVED},
        {LW_SIZE_64K, 1, 0, UINT64_C(1) << 12, LW_ORACLE_MISALIGNED},
        {LW_SIZE_64K, 1, LW_PTE_US, 0, LW_ORACLE_PERMISSION},
        {LW_SIZE_4K, 2, 0, LW_PTE_AC | (UINT64_C(0xff) << LW_PTE_C_SHIFT), LW_ORACLE_OK},
    };
    const uint64_t vpn = UINT64_C(3) << 36 | UINT64_C(7) << 18;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine m = new_machine(5, 64);
        lw_error err = {0};
        assert_true(lw_page_table_map(m.pt, vpn, 0x80000, (lw_page_size)cases[i].size, RWX, &err));
        uint64_t pa = 0;
        assert_true(lw_page_table_entry_address(m.pt, vpn, cases[i].level, &pa, &err));
        uint64_t entry = lw_phys_mem_read64(m.mem, pa);
        entry = (entry & ~cases[i].clear) | cases[i].set;
        assert_true(lw_phys_mem_write64(m.mem, pa, entry, &err));
        lw_oracle_answer a = ask(&m, vpn, 0);
        assert_int_equal(a.kind, cases[i].kind);
        assert_int_equal(a.level, a.kind == LW_ORACLE_OK ? 0 : cases[i].level);
        free_machine(&m);
    }
}

static void tables_refuse(void **state) {
    (void)state;
    machine m = new_machine(4, 64);
    lw_error err = {0};
    uint64_t pa = 0;
    lw_page_table_leaf leaf;
    assert_null(lw_page_table_new(m.mem, m.frames, 3, &err));
    assert_string_equal(err.text, "page table: 3 levels are not 4 or 5");
    assert_false(lw_page_table_map(m.pt, UINT64_C(1) << 36, 0, LW_SIZE_4K, RWX, &err));
    assert_says(&err, "VPN 0x1000000000 has more than 36 bits");
    assert_false(lw_page_table_map(m.pt, 0, UINT64_C(1) << 36, LW_SIZE_4K, RWX, &err));
    assert_says(&err, "below 2^36");
    assert_false(lw_page_table_map(m.pt, 0, 511, LW_SIZE_2M, RWX, &err));
    assert_says(&err, "is not a multiple of 0x200 (a page of 2 MiB)");
    assert_false(lw_page_table_map(m.pt, 512, 0, LW_SIZE_1G, RWX, &err));
    assert_says(&err, "VPN 0x200 is not a multiple of a page of 1 GiB");
    assert_false(lw_page_table_map(m.pt, 16, 8, LW_SIZE_64K, RWX, &err));
    assert_says(&err, "frame 0x8 is not a multiple of 0x10 (a page of 64 KiB)");
    assert_false(lw_page_table_map(m.pt, 8, 16, LW_SIZE_64K, RWX, &err));
    assert_says(&err, "VPN 0x8 is not a multiple of a page of 64 KiB");
    assert_false(lw_page_table_map(m.pt, 0, 0, (lw_page_size)4, RWX, &err));
    assert_says(&err, "page size 4 is not 0 (4 KiB), 1 (2 MiB), 2 (1 GiB) or 3 (64 KiB)");
    assert_false(lw_page_table_find(m.pt, 0, &leaf, &err));
    assert_string_equal(err.text, "page table: VPN 0x0 is not mapped");
    assert_false(lw_page_table_entry_address(m.pt, 0, 3, &pa, &err));
    assert_says(&err, "ends at level 4, above level 3");
    assert_false(lw_page_table_entry_address(m.pt, 0, 5, &pa, &err));
    assert_int_equal(lw_page_table_nodes(m.pt), 1);
    assert_true(lw_page_table_map(m.pt, 1, 1, LW_SIZE_4K, RWX, &err));
    assert_int_equal(lw_page_table_nodes(m.pt), 4);
    assert_false(lw_page_table_map(m.pt, 0, 512, LW_SIZE_2M, RWX, &err)); /* over a node */
    assert_says(&err, "is mapped already");
    assert_false(lw_page_table_map(m.pt, 0, 0, LW_SIZE_64K, RWX, &err)); /* over one of its pages */
    assert_says(&err, "VPN 0x1 is mapped already");
    assert_false(lw_page_table_find(m.pt, 0, &leaf, &err)); /* and nothing of it is written */
    assert_true(lw_page_table_find(m.pt, 1, &leaf, &err));
    assert_true(leaf.level == 1 && leaf.entry == 0x1007);
    free_machine(&m);
    /* no frame for the last node: nothing mapped, nothing kept */
    m = new_machine(4, 3);
    assert_false(lw_page_table_map(m.pt, 0, 1, LW_SIZE_4K, RWX, &err));
    assert_says(&err, "no aligned run of 1 frames is free (0 single frames are)");
    assert_int_equal(lw_page_table_nodes(m.pt), 1);
    assert_int_equal(lw_frame_allocator_in_use(m.frames), 1);
    assert_int_equal(ask(&m, 0, 0).level, 4);
    assert_true(lw_page_table_map(m.pt, 0, 0, LW_SIZE_1G, RWX, &err));
    free_machine(&m);
}

static void reused_node_frames_are_empty(void **state) {
    (void)state;
    machine m = new_machine(4, 4); /* as many frames as one mapping's nodes */
    lw_error err = {0};
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t page = 0; page < 512; page++) {
            assert_int_equal(ask(&m, page, 0).level, 4);
        }
        assert_true(lw_page_table_map(m.pt, round, round, LW_SIZE_4K, RWX, &err));
        for (uint64_t page = 0; page < 512; page++) {
            assert_int_equal(ask(&m, page, 0).kind == LW_ORACLE_OK, page == round);
        }
        lw_page_table_free(m.pt);
        m.pt = lw_page_table_new(m.mem, m.frames, 4, &err);
        assert_true(lw_oracle_set_root(m.oracle, 0, true, lw_page_table_root(m.pt), &err));
    }
    free_machine(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_keeps_words_and_lines),
        cmocka_unit_test(memory_refuses),
        cmocka_unit_test(beyond_its_end_is_nothing),
        cmocka_unit_test(a_frame_is_cleared),
        cmocka_unit_test(the_watcher_sees_changes_before_they_are_made),
        cmocka_unit_test(random_tables_mean_what_was_mapped),
        cmocka_unit_test(planted_entries_fault_at_their_level),
        cmocka_unit_test(tables_refuse),
        cmocka_unit_test(reused_node_frames_are_empty),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
