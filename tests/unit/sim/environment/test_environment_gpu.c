/* The GPU and the memory of a run (docs/machine.md): which key of the system is whose, what stands
 * between page walks and main memory, and what is refused. */
#include "tests/unit/sim/environment/environment_run.h"

#include <stdio.h>

static const lw_run kernel = {.workload = "lud", .seed = 1, .size = 64};

/* Each key of the GPU is one part's. */
static void test_keys_of_the_gpu(void **state) {
    (void)state;
#define PARAM(key, field)                                                                          \
    { key, offsetof(lw_gpu_params, field) }
    static const struct {
        const char *key;
        size_t offset;
    } rows[] = {PARAM("cus", cus),
                PARAM("simds", simds),
                PARAM("waves", waves),
                PARAM("schedule", schedule),
                PARAM("wave_loads", wave_loads),
                PARAM("issue_period", issue_period),
                PARAM("l1_entries", l1_entries),
                PARAM("l1_probes", l1_probes),
                PARAM("l1_latency", l1_latency),
                PARAM("l1_mshrs", l1_mshrs),
                PARAM("l2_entries", l2_entries),
                PARAM("l2_ways", l2_ways),
                PARAM("l2_latency", l2_latency),
                PARAM("l2_lookups", l2_lookups),
                PARAM("l2_mshrs", l2_mshrs),
                PARAM("l1d_kib", data.l1.kib),
                PARAM("l1d_ways", data.l1.ways),
                PARAM("data_line", data.l1.line),
                PARAM("data_line", data.l2.line),
                PARAM("l1d_latency", data.l1.latency),
                PARAM("l1d_lookups", data.l1.lookups),
                PARAM("l1d_mshrs", data.l1.mshrs),
                PARAM("crossbar_latency", data.crossbar),
                PARAM("l2d_kib", data.l2.kib),
                PARAM("l2d_ways", data.l2.ways),
                PARAM("l2d_latency", data.l2.latency),
                PARAM("l2d_lookups", data.l2.lookups),
                PARAM("l2d_mshrs", data.l2.mshrs),
                PARAM("data_latency", data.memory_latency)};
#undef PARAM
    environment_run r;
    lw_gpu_params gpu;
    environment_open(&r, "nha", &kernel, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_system as_it_was = r.system;
        uint32_t value = 0;
        const char *const values[] = {"64", "1", "128"};
        for (size_t v = 0; v < 3; v++) { /* each key has one of them at least */
            if (lw_system_set(&r.system, rows[i].key, values[v], "", &r.err)) {
                assert_true(lw_environment_gpu(r.env, &kernel, &gpu, &r.err));
                memcpy(&value, (const char *)&gpu + rows[i].offset, sizeof value);
                assert_int_equal(value, strtoul(values[v], NULL, 10));
            }
        }
        assert_true(value != 0);
        r.system = as_it_was;
    }
    for (uint32_t on = 0; on < 2; on++) {
        r.system.data = r.system.ideal_translation = r.system.l2d_walks = on;
        r.system.l1d_hash = on;
        r.system.l2d_hash = 1 - on;
        r.system.l2d_store_fetch = 1 - on;
        r.system.memory_capacity = 3;
        assert_true(lw_environment_gpu(r.env, &kernel, &gpu, &r.err));
        assert_true(gpu.has_data == (on != 0) && gpu.ideal == (on != 0));
        assert_true(gpu.data.l1.hash == (on != 0) && gpu.data.l2.hash == (on == 0));
        assert_true(gpu.data.l2.store_fetch == (on == 0));
        assert_true(gpu.data.l2.write_back && !gpu.data.l1.write_back);
        assert_int_equal(gpu.data.walks, on != 0 ? 3 : 0);
    }
    r.system.l2_mshrs = 1u << r.system.hw.id_w;
    assert_true(lw_environment_gpu(r.env, &kernel, &gpu, &r.err));
    r.system.l2_mshrs++;
    assert_false(lw_environment_gpu(r.env, &kernel, &gpu, &r.err));
    assert_non_null(strstr(r.err.text, "allowed: at most 2^id_w"));
    environment_close(&r);
}

/* Main memory is the system's `dram`, a name or a file; one cache at most stands in front of it for
 * page walks, and only where there is something to stand in front of. */
static void test_memories(void **state) {
    (void)state;
    static const struct {
        const char *dram, *data, *walks, *cache;
        const char *refused; /* or NULL: as told */
        bool has_dram, has_cache, has_l2;
    } rows[] = {
        {"none", "0", "0", "0", NULL, false, false, false},
        {"ddr3_1600", "0", "0", "0", NULL, true, false, false},
        {"dram/ddr3_1600.ini", "0", "0", "0", NULL, true, false, false},
        {"ddr3_1600", "1", "0", "8", NULL, true, true, false},
        {"ddr3_1600", "1", "1", "0", NULL, true, false, true},
        {"none", "1", "1", "0", NULL, false, false, true},
        {"none", "0", "1", "0", "l2d_walks is 1; allowed: 0, because data is 0", 0, 0, 0},
        {"ddr3_1600", "1", "1", "8", "pte_cache_kib is 8; allowed: 0, because l2d_walks", 0, 0, 0},
        {"none", "0", "0", "8", "pte_cache_kib is 8; allowed: 0, because dram is none", 0, 0, 0},
        {"nobody", "0", "0", "0", "nobody.ini", 0, 0, 0},
        {"dram/nobody.ini", "0", "0", "0", "dram/nobody.ini", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_system system;
        lw_error err = {0};
        environment_load(&system, "nha", "data", rows[i].data);
        assert_true(lw_system_set(&system, "dram", rows[i].dram, "", &err) &&
                    lw_system_set(&system, "l2d_walks", rows[i].walks, "", &err) &&
                    lw_system_set(&system, "pte_cache_kib", rows[i].cache, "", &err));
        if (lw_system_is_path(rows[i].dram)) { /* --set: from where the program runs */
            (void)snprintf(system.dram, sizeof system.dram, "%.200s/%s", system.folder,
                           rows[i].dram);
        }
        lw_environment *env = lw_environment_new(&system, &kernel, &err);
        if (rows[i].refused != NULL) {
            assert_null(env);
            assert_non_null(strstr(err.text, rows[i].refused));
            continue;
        }
        assert_non_null(env);
        assert_int_equal(env->memory != NULL, rows[i].has_dram);
        assert_int_equal(env->pte_cache != NULL, rows[i].has_cache);
        assert_int_equal(env->l2_of_walks != NULL, rows[i].has_l2);
        lw_environment_free(env);
    }
}

/* Cycles until this memory has the line for a page walk. */
static uint64_t read_takes(environment_run *r, const lw_memory *memory, uint64_t line) {
    const lw_memory_request request = {.line = line, .user = LW_MEMORY_WALKS, .id = 5};
    const uint64_t begin = r->now;
    uint32_t id = 0;
    assert_true(memory->ready(memory->state, r->now, &request));
    memory->ask(memory->state, r->now, &request);
    while (!memory->finished(memory->state, r->now, LW_MEMORY_WALKS, &id)) {
        r->env->front.tick(r->env->front.self, r->now++);
        assert_true(r->now < begin + 10000);
    }
    assert_int_equal(id, 5);
    return r->now - begin;
}

static uint64_t walk_takes(environment_run *r, uint64_t line) {
    return read_takes(r, r->env->l2_of_walks, line);
}

/* Five lines are read one after the other. Which of them the cache of page-table lines still has is
 * a matter of its sets, kib * 16 / ways of them, chosen by the low bits of a line's number, and of
 * their ways; a hit takes its latency to the cycle, and what it has lost takes longer. */
static void test_keys_of_the_pte_cache(void **state) {
    (void)state;
    static const uint64_t lines[] = {0, 8, 16, 32, 48};
    enum { LINES = sizeof lines / sizeof lines[0] };
    static const struct {
        const char *kib, *ways, *latency;
        uint64_t hit;
        bool has[LINES];
    } rows[] = {
        {"1", "2", "8", 8, {false, false, false, true, true}}, /* 8 sets: all lines in one */
        {"1", "4", "8", 8, {false, true, true, true, true}},   /* 4 sets: all in one again */
        {"2", "2", "8", 8, {false, true, false, true, true}},  /* 16 sets: line 8 is elsewhere */
        {"4", "2", "8", 8, {true, true, true, true, true}}, /* 32 sets: two lines in one at most */
        {"2", "2", "1", 1, {false, true, false, true, true}},
        {"2", "2", "16", 16, {false, true, false, true, true}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const settings[][2] = {{"pte_cache_kib", rows[i].kib},
                                           {"pte_cache_ways", rows[i].ways},
                                           {"pte_cache_latency", rows[i].latency}};
        environment_run r;
        memset(&r, 0, sizeof r);
        environment_load(&r.system, "nha", "dram", "ddr3_1600");
        for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
            assert_true(lw_system_set(&r.system, settings[k][0], settings[k][1], "", &r.err));
        }
        r.env = lw_environment_new(&r.system, &kernel, &r.err);
        assert_true(r.env != NULL && r.env->pte_cache != NULL);
        const lw_memory *cache = lw_pte_cache_memory(r.env->pte_cache);
        for (size_t n = 0; n < LINES; n++) {
            assert_true(read_takes(&r, cache, lines[n]) > rows[i].hit);
        }
        for (size_t n = LINES; n-- > 0;) { /* the last first, so that none drives out one to come */
            const uint64_t took = read_takes(&r, cache, lines[n]);
            assert_true(rows[i].has[n] ? took == rows[i].hit : took > rows[i].hit);
        }
        environment_close(&r);
    }
}

/* When the OS writes to an entry, the L2 drops its line, and no other. */
static void test_the_l2_follows_the_os(void **state) {
    (void)state;
    environment_run r;
    memset(&r, 0, sizeof r);
    environment_load(&r.system, "nha", "data", "1");
    assert_true(lw_system_set(&r.system, "l2d_walks", "1", "", &r.err));
    r.env = lw_environment_new(&r.system, &kernel, &r.err);
    r.twin = lw_iommu_new(&r.system.hw, &r.err);
    assert_true(r.env != NULL && r.twin != NULL);
    const uint64_t root = lw_page_table_root(lw_address_spaces_table(r.env->spaces, 0));
    const uint64_t line = root << 6;
    const uint64_t missed = walk_takes(&r, line);
    const uint64_t found = walk_takes(&r, line);
    (void)walk_takes(&r, line + 4);
    assert_true(found < missed);
    lw_phys_mem *memory = lw_address_spaces_memory(r.env->spaces);
    const uint64_t entry = lw_phys_mem_read64(memory, (root << 12) + 56);
    assert_true(lw_phys_mem_write64(memory, (root << 12) + 56, entry ^ 1, &r.err));
    assert_int_equal(walk_takes(&r, line), missed);
    assert_int_equal(walk_takes(&r, line + 4), found);
    environment_close(&r);
}

/* ---------------------------------------------------------------- the unit's port */

/* What the reads of a run have been like. */
typedef struct reads {
    uint64_t since[1 << 10]; /* by tag */
    uint64_t count, under_way, most, shortest, longest;
    uint64_t ready; /* of the cycles 64 to 127 those in which the port was */
} reads;

static void note_reads(environment_run *r, void *ctx) {
    reads *seen = ctx;
    if (r->in.mem_rsp_valid) {
        const uint64_t took = r->now - seen->since[r->in.mem_rsp_tag];
        seen->shortest = took < seen->shortest ? took : seen->shortest;
        seen->longest = took > seen->longest ? took : seen->longest;
        seen->under_way--;
    }
    if (r->out.mem_req_valid && r->in.mem_req_ready) {
        seen->since[r->out.mem_req_tag] = r->now;
        seen->count++;
        seen->under_way++;
        seen->most = seen->under_way > seen->most ? seen->under_way : seen->most;
    }
    seen->ready |= r->now / 64 == 1 ? (uint64_t)r->in.mem_req_ready << r->now % 64 : 0;
}

/* The reads of a kernel with two or three settings more. */
static reads run_reads(uint64_t seed, const char *const settings[3][2]) {
    const lw_run run = {.workload = "mvt", .seed = seed, .size = 2048, .max_requests = 300};
    static environment_run r;
    static reads seen;
    seen = (reads){.shortest = UINT64_MAX};
    memset(&r, 0, sizeof r);
    environment_load(&r.system, "nha", "memory_latency", "fixed:50");
    for (size_t i = 0; i < 3 && settings[i][0] != NULL; i++) {
        assert_true(lw_system_set(&r.system, settings[i][0], settings[i][1], "", &r.err));
    }
    r.env = lw_environment_new(&r.system, &run, &r.err);
    r.twin = lw_iommu_new(&r.system.hw, &r.err);
    assert_true(r.env != NULL && r.twin != NULL);
    assert_true(environment_go(&r, 10000000, note_reads, &seen));
    assert_true(lw_environment_finished(r.env) && seen.count > 20);
    environment_close(&r);
    return seen;
}

/* The latency, how many reads may be under way, which of them are late and by how much, and when
 * the port takes none, are the system's; what is drawn is the run's, by its seed. */
static void test_keys_of_the_port(void **state) {
    (void)state;
    static const char *const plain[3][2] = {{"memory_capacity", "256"}, {"late_lines", "0"}};
    static const char *const few[3][2] = {{"memory_capacity", "3"}, {"late_lines", "0"}};
    static const char *const late[3][2] = {{"late_lines", "10000"}, {"late_cycles", "700"}};
    static const char *const busy[3][2] = {{"memory_not_ready", "50"}, {"late_lines", "0"}};
    const reads usual = run_reads(1, plain);
    assert_true(usual.shortest == 50 && usual.longest < 60);
    assert_true(usual.most > 3 && usual.ready == UINT64_MAX);
    assert_int_equal(run_reads(1, few).most, 3);
    const reads slow = run_reads(1, late);
    assert_true(slow.shortest == 750 && slow.longest < 760);
    const reads drawn = run_reads(1, busy);
    assert_in_range(__builtin_popcountll(drawn.ready), 20, 44);
    assert_int_equal(run_reads(1, busy).ready, drawn.ready);
    assert_int_not_equal(run_reads(2, busy).ready, drawn.ready);
    lw_system system;
    lw_error err = {0};
    environment_load(&system, "nha", NULL, NULL);
    (void)snprintf(system.memory_latency, sizeof system.memory_latency, "soon");
    assert_null(lw_environment_new(&system, &kernel, &err));
    assert_non_null(strstr(err.text, "soon"));
}

/* A read that the L2 has is looked up in the cycle in which the unit asks for it, as the port asks
 * before the GPU's cycle, and the unit gets it in the one after the lookup's end. As many may be
 * under way as without the L2. */
static void test_walks_through_the_l2(void **state) {
    (void)state;
    static const struct {
        const char *latency;
        uint64_t cycles;
    } rows[] = {{"1", 2}, {"16", 17}, {"300", 301}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const settings[3][2] = {
            {"data", "1"}, {"l2d_walks", "1"}, {"l2d_latency", rows[i].latency}};
        assert_int_equal(run_reads(1, settings).shortest, rows[i].cycles);
    }
    const char *const few[3][2] = {{"data", "1"}, {"l2d_walks", "1"}, {"memory_capacity", "3"}};
    assert_int_equal(run_reads(1, few).most, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_of_the_gpu),       cmocka_unit_test(test_memories),
        cmocka_unit_test(test_keys_of_the_pte_cache), cmocka_unit_test(test_the_l2_follows_the_os),
        cmocka_unit_test(test_keys_of_the_port),      cmocka_unit_test(test_walks_through_the_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
