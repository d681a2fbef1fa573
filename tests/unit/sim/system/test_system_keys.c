/* The keys of a system one by one (system.h): their bounds are those of whoever gets them, and what
 * is set is what is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of a key. */
static size_t find(const char *name) {
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        if (strcmp(lw_system_key_at(i)->name, name) == 0) {
            return i;
        }
    }
    fail_msg("there is no key %s", name);
    return 0;
}

/* Each has a name of its own, a section and a summary, and a parameter of the RTL if it is one of
 * the hardware. */
static void test_all_keys(void **state) {
    (void)state;
    size_t count = 0;
    while (lw_system_key_at(count) != NULL) {
        const lw_system_key *k = lw_system_key_at(count);
        assert_int_equal(find(k->name), count);
        assert_true(k->section[0] != '\0' && k->summary[0] != '\0');
        assert_int_equal(k->rtl != NULL, k->hardware);
        assert_true(k->is_text || k->min < k->max);
        count++;
    }
    assert_in_range(count, 100, LW_SYSTEM_KEYS_MAX);
    for (size_t i = count; i < count + 100; i++) {
        assert_null(lw_system_key_at(i));
    }
}

static void test_bounds(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t min, max;
    } rows[] = {
        /* sim/gpu/gpu.h */
        {"cus", 1, 64},
        {"simds", 1, 16},
        {"waves", 1, 64},
        {"schedule", 0, 1},
        {"wave_loads", 0, 64},
        {"issue_period", 1, 64},
        {"l1_entries", 1, 1024},
        {"l1_probes", 1, 64},
        {"l1_latency", 0, 1000},
        {"l1_mshrs", 0, 65536},
        {"l2_entries", 0, 65536},
        {"l2_ways", 1, 64},
        {"l2_latency", 1, 1000},
        {"l2_lookups", 1, 64},
        {"l2_mshrs", 1, 65536},
        /* sim/memory/data_cache.h, sim/gpu/data_path.h */
        {"l1d_kib", 1, 65536},
        {"l1d_ways", 1, 64},
        {"l1d_latency", 1, 1000},
        {"l1d_lookups", 1, 64},
        {"l1d_mshrs", 1, 4096},
        {"l2d_kib", 1, 65536},
        {"l2d_ways", 1, 64},
        {"l2d_latency", 1, 1000},
        {"l2d_lookups", 1, 64},
        {"l2d_mshrs", 1, 4096},
        {"crossbar_latency", 1, 1000},
        {"data_latency", 1, 100000},
        {"data_line", 64, 128},
        {"lanes", 32, 64},
        {"clock_mhz", 1, 10000}, /* as a memory's */
        /* sim/memory/line_port.h */
        {"memory_not_ready", 0, 99},
        {"memory_errors", 0, 100},
        {"memory_capacity", 1, 65536},
        {"late_lines", 0, 10000},
        {"early_lines", 0, 100},
        /* sim/memory/pte_cache.h, sim/os/address_space_state.h */
        {"pte_cache_ways", 1, 64},
        {"pte_cache_latency", 1, 1000},
        {"processes", 1, 256},
        /* events in 10000 cycles, and percents: docs/machine.md, docs/guide.md */
        {"remaps", 0, 10000},
        {"table_moves", 0, 10000},
        {"root_changes", 0, 10000},
        {"region_moves", 0, 10000},
        {"silent_changes", 0, 10000},
        {"feature_changes", 0, 10000},
        {"invalidations", 0, 10000},
        {"invalidation_bursts", 0, 10000},
        {"slow_sinks", 0, 10000},
        {"slow_memories", 0, 10000},
        {"near_changes", 0, 100},
        {"shared_tables", 0, 100},
        {"local_share", 1, 100},
        {"hashed_load", 4, 100},
        {"hashed_factor", 100, 1000},
        {"bad_requests", 0, 100},
        /* what is drawn of so many, of which there must be one; what is counted up to */
        {"burst_length", 1, 1000000},
        {"slow_phase", 1, 1000000},
        {"late_cycles", 1, 1000000},
        {"migrate_after", 1, 1000000},
        {"longest_wait", 1, 1000000000},
        /* a request's id has 16 bits at most; 0: all pages, and no cache */
        {"outstanding", 1, 65536},
        {"few_pages", 0, 65536},
        {"pte_cache_kib", 0, 1024},
        /* of which some remain: nothing would ever be taken */
        {"request_gap", 0, 99},
        {"response_not_ready", 0, 99},
        /* R12.2 */
        {"mode", 0, 2},
        {"pwc_enable", 0, 1},
        {"pl_skips_pwc", 0, 1},
        {"subregion_enable", 0, 1},
        {"colt_enable", 0, 1},
        {"home_first", 0, 1},
        /* switches, and sizes of pages */
        {"memory_reorder", 0, 1},
        {"data", 0, 1},
        {"l1d_hash", 0, 1},
        {"l2d_hash", 0, 1},
        {"l2d_store_fetch", 0, 1},
        {"l2d_walks", 0, 1},
        {"ideal_translation", 0, 1},
        {"hashed_tables", 0, 2},
        {"page_size", LW_PAGES_OF_4K, LW_PAGES_OF_64K},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_system_key *k = lw_system_key_at(find(rows[i].name));
        assert_false(k->is_text);
        assert_int_equal(k->min, rows[i].min);
        assert_int_equal(k->max, rows[i].max);
    }
}

/* Those of the unit's parameters are those that the twin allows. */
static void test_hardware_bounds(void **state) {
    (void)state;
    const char *folder = getenv("LW_SYSTEMS");
    static lw_system system;
    lw_error err = {0};
    uint32_t count = 0;
    assert_true(lw_system_load(&system, folder == NULL ? "systems" : folder, "nha_mesc", &err));
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        const lw_system_key *k = lw_system_key_at(i);
        if (!k->hardware || strcmp(k->name, "slot_pages") == 0) { /* that has two values */
            continue;
        }
        const uint64_t wrong[] = {(uint64_t)k->max + 1, (uint64_t)k->min - 1};
        for (size_t w = 0; w < (k->min == 0 ? 1 : 2); w++) {
            lw_system changed = system;
            char bounds[64], name[64];
            *(uint32_t *)((char *)&changed + k->offset) = (uint32_t)wrong[w];
            assert_false(lw_params_check(&changed.hw, &err));
            (void)snprintf(bounds, sizeof bounds, "%u to %u", k->min, k->max);
            (void)snprintf(name, sizeof name, "%s is %u, legal is ", k->name, (uint32_t)wrong[w]);
            if (strncmp(err.text, name, strlen(name)) != 0 || strstr(err.text, bounds) == NULL) {
                fail_msg("%s: %s, and not %s", k->name, err.text, bounds);
            }
        }
        count++;
    }
    assert_true(count >= 30);
}

/* Each value is kept for its key alone, the largest and the smallest, and told as it was set. */
static void test_values(void **state) {
    (void)state;
    static lw_system system, before;
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        const lw_system_key *k = lw_system_key_at(i);
        lw_error err = {0};
        for (int largest = 0; largest < 2; largest++) {
            char text[32];
            uint32_t number = 7;
            const uint32_t wanted = largest != 0 ? k->max : k->min;
            (void)snprintf(text, sizeof text, k->is_text ? "text %u" : "%u", wanted);
            before = system;
            assert_true(lw_system_set(&system, k->name, text, "", &err));
            const char *told = lw_system_value(&system, i, &number);
            assert_true(system.set[i] && (told != NULL) == k->is_text);
            assert_int_equal(number, k->is_text ? 7 : wanted);
            assert_true(told == NULL || strcmp(told, text) == 0);
            const size_t size = k->is_text ? LW_TEXT_MAX : sizeof number;
            memcpy((char *)&before + k->offset, (char *)&system + k->offset, size);
            before.set[i] = true;
            before.set_at[i] = system.set_at[i];
            assert_memory_equal(&before, &system, sizeof system);
        }
        assert_true(!k->is_text || lw_system_set(&system, k->name, "a", "", &err));
        assert_true(!k->is_text || strcmp(lw_system_value(&system, i, NULL), "a") == 0);
    }
}

static lw_system load(const char *name) {
    const char *folder = getenv("LW_SYSTEMS");
    lw_system system;
    lw_error err = {0};
    if (!lw_system_load(&system, folder == NULL ? "systems" : folder, name, &err) ||
        !lw_system_check(&system, &err)) {
        fail_msg("%s", err.text);
    }
    return system;
}

/* A system is checked for what its keys allow, however it came to its values. */
static void test_checked_values(void **state) {
    (void)state;
    const lw_system good = load("baseline");
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        const lw_system_key *k = lw_system_key_at(i);
        const uint32_t bad[] = {k->max + 1, k->min - 1};
        for (size_t b = 0; b < (k->is_text ? 0 : k->min == 0 ? 1 : 2); b++) {
            lw_system system = good;
            lw_error err = {0};
            char says[128];
            memcpy((char *)&system + k->offset, &bad[b], sizeof bad[b]);
            assert_false(lw_system_check(&system, &err));
            (void)snprintf(says, sizeof says, "system baseline: %s is %u; allowed: %u..%u", k->name,
                           bad[b], k->min, k->max);
            assert_string_equal(err.text, says);
        }
    }
}

/* What is switched on must be there (R12.2). */
static void test_switches(void **state) {
    (void)state;
    static const struct {
        const char *system, *key, *part;
    } rows[] = {{"nha", "mode", "coalesce"},
                {"mesc", "subregion_enable", "subregions"},
                {"colt", "colt_enable", "colt"},
                {"fshpt", "home_first", "hashed_tables"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_system system = load(rows[i].system);
        lw_error err = {0};
        char says[128];
        assert_true(lw_system_set(&system, rows[i].key, "1", "", &err));
        assert_true(lw_system_check(&system, &err));
        assert_true(lw_system_set(&system, rows[i].part, "0", "", &err));
        assert_false(lw_system_check(&system, &err));
        (void)snprintf(says, sizeof says, "%s is 1; allowed: 0, because %s is 0", rows[i].key,
                       rows[i].part);
        assert_non_null(strstr(err.text, says));
    }
}

/* The page tables' keys that a hashed table does not follow. */
static void test_hashed_tables(void **state) {
    (void)state;
    static const char *const keys[] = {"root_changes", "table_moves", "shared_tables"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        lw_system system = load("fshpt");
        lw_error err = {0};
        assert_true(lw_system_set(&system, keys[i], "1", "", &err));
        assert_false(lw_system_check(&system, &err));
        assert_non_null(strstr(err.text, keys[i]));
        assert_non_null(strstr(err.text, "allowed: 0, because hashed_tables is 1"));
        system = load("nha");
        assert_true(lw_system_set(&system, keys[i], "1", "", &err));
        assert_true(lw_system_check(&system, &err));
    }
}

/* docs/machine.md: in a program that is larger than the GPU's memory nothing changes but by
 * accesses. */
static void test_local_share(void **state) {
    (void)state;
    static const char *const keys[] = {"remaps", "silent_changes", "region_moves"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char says[LW_TEXT_MAX];
        lw_system system = load("fshpt");
        lw_error err = {0};
        assert_true(lw_system_set(&system, keys[i], "7", "", &err));
        assert_true(lw_system_check(&system, &err));
        assert_true(lw_system_set(&system, "local_share", "99", "", &err));
        assert_false(lw_system_check(&system, &err));
        (void)snprintf(says, sizeof says, "%s is 7; allowed: 0, because local_share is 99",
                       keys[i]);
        assert_non_null(strstr(err.text, says));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys),        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_hardware_bounds), cmocka_unit_test(test_values),
        cmocka_unit_test(test_checked_values),  cmocka_unit_test(test_switches),
        cmocka_unit_test(test_hashed_tables),   cmocka_unit_test(test_local_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
