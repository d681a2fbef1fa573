/* What a run has when it is made (environment.h): its address spaces and their
 * room, its size, and how much of its workload it runs. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/kernels/kernel_list.h"

#include <stdio.h>
#include <unistd.h>

#define LONG UINT64_C(10000000)

static const lw_run kernel = {.workload = "lud", .seed = 1, .size = 64};

static char stream[] = "/tmp/lockwalk_made_XXXXXX";
static char map[] = "/tmp/lockwalk_made_XXXXXX";

static int make_files(void **state) {
    (void)state;
    const int one = mkstemp(stream);
    const int two = mkstemp(map);
    return one < 0 || two < 0 ? -1 : close(one) | close(two);
}

static int remove_files(void **state) {
    (void)state;
    return remove(stream) | remove(map);
}

static const char *data(char path[512], const char *name) {
    const char *folder = getenv("LW_TEST_DATA");
    (void)snprintf(path, 512, "%s/%s", folder != NULL ? folder : "tests/data", name);
    return path;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* ---------------------------------------------------------------- address spaces */

/* With a map for a stream there is an address space for each PASID that either names, in which the
 * map's ranges are mapped and nothing else. */
static void test_map_files(void **state) {
    (void)state;
    static const struct {
        const char *stream, *map;
        uint32_t spaces, mapped; /* the second: the PASID of the map's range */
    } rows[] = {
        {"0 0x100 r\n", "0 0x100 2 4K rw 0x5678\n", 1, 0},
        {"2 0x100 r\n0 0x100 r\n", "0 0x100 2 4K rw 0x5678\n", 3, 0},
        {"0 0x100 r\n", "3 0x100 2 4K rw 0x5678\n", 4, 3},
    };
    const lw_run run = {.stream = stream, .map = map, .seed = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        lw_gpu_params gpu;
        write_text(stream, rows[i].stream);
        write_text(map, rows[i].map);
        environment_open(&r, "nha", &run, NULL, NULL);
        assert_true(lw_environment_gpu(r.env, &run, &gpu, &r.err));
        assert_int_equal(lw_address_spaces_processes(r.env->spaces), rows[i].spaces);
        for (uint32_t p = 0; p < rows[i].spaces; p++) {
            for (uint64_t page = 0xff; page < 0x103; page++) {
                uint64_t frame = 0;
                const bool there = gpu.frames.of(gpu.frames.ctx, p, page, &frame);
                assert_int_equal(there, p == rows[i].mapped && (page == 0x100 || page == 0x101));
                assert_int_equal(frame, there ? page - 0x100 + 0x5678 : 0);
            }
        }
        assert_true(environment_go(&r, LONG, NULL, NULL));
        assert_true(lw_environment_finish(r.env, &r.err));
        environment_close(&r);
    }
}

/* A trace too lies where a map says, in one address space or more. */
static void test_map_of_a_trace(void **state) {
    (void)state;
    char path[512];
    const lw_run run = {.trace = data(path, "trace"), .map = map, .seed = 1};
    environment_run r;
    write_text(map, "0 0x100 2 4K rw 0x5678\n2 0x100 1 4K r\n");
    environment_open(&r, "nha", &run, NULL, NULL);
    assert_int_equal(lw_address_spaces_processes(r.env->spaces), 3);
    const lw_page_table *table = lw_address_spaces_table(r.env->spaces, 0);
    lw_page_table_leaf leaf;
    assert_true(lw_page_table_find(table, 0x101, &leaf, &r.err));
    assert_int_equal((leaf.entry & LW_PTE_FRAME) >> 12, 0x5679);
    assert_false(lw_page_table_find(table, 0x102, &leaf, &r.err));
    environment_close(&r);
}

/* A map that cannot be read makes no run, and says why; "arrays" are those of a stream. */
static void test_maps_refused(void **state) {
    (void)state;
    const lw_run bad = {.stream = stream, .map = map, .seed = 1};
    char path[512];
    const lw_run arrays = {.trace = data(path, "trace"), .map = "arrays", .seed = 1};
    const lw_run bad_trace = {.trace = path, .map = map, .seed = 1};
    lw_system system;
    lw_error err = {0};
    environment_load(&system, "nha", NULL, NULL);
    write_text(stream, "0 0x100 r\n");
    write_text(map, "0 0x100\n");
    assert_null(lw_environment_new(&system, &bad, &err));
    assert_non_null(strstr(err.text, map));
    err = (lw_error){0};
    assert_null(lw_environment_new(&system, &bad_trace, &err));
    assert_non_null(strstr(err.text, map));
    err = (lw_error){0};
    assert_null(lw_environment_new(&system, &arrays, &err));
    assert_non_null(strstr(err.text, "--map: \"arrays\" is for --stream"));
}

/* A kernel runs in as many address spaces as are asked for, one by default, each with its arrays;
 * no more than the system has PASIDs and CUs. */
static void test_processes(void **state) {
    (void)state;
    static const uint32_t asked[] = {0, 1, 3};
    lw_run run = kernel;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        environment_run r;
        run.processes = asked[i];
        environment_open(&r, "nha", &run, NULL, NULL);
        const uint32_t processes = asked[i] == 0 ? 1 : asked[i];
        assert_int_equal(lw_address_spaces_processes(r.env->spaces), processes);
        for (uint32_t p = 0; p < processes; p++) {
            size_t count = 0;
            size_t wanted = 0;
            const lw_array *arrays = lw_address_spaces_arrays(r.env->spaces, p, &count);
            const lw_array *own = lw_workload_arrays(r.env->workloads[p], &wanted, &r.err);
            assert_true(count > 0 && count == wanted);
            assert_memory_equal(arrays, own, count * sizeof *own);
        }
        environment_close(&r);
    }
    static const struct {
        const char *key, *value;
        uint32_t most;
    } bounds[] = {{"cus", "2", 2}, {"pasids", "2", 2}, {"cus", "1", 1}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        lw_system system;
        lw_error err = {0};
        char says[64];
        environment_load(&system, "nha", bounds[i].key, bounds[i].value);
        run.processes = bounds[i].most;
        lw_environment *env = lw_environment_new(&system, &run, &err);
        assert_non_null(env);
        lw_environment_free(env);
        run.processes++;
        assert_null(lw_environment_new(&system, &run, &err));
        (void)snprintf(says, sizeof says, "--pasids is %u; allowed: 1..%u", run.processes,
                       bounds[i].most);
        assert_non_null(strstr(err.text, says));
    }
}

/* The hashed table is made for the regions of all processes, and room in the GPU's memory for the
 * system's share of them (R20.25, docs/machine.md): those in which an array has a page, once. */
static void test_room_of_hashed_tables(void **state) {
    (void)state;
    lw_run run = {.workload = "mvt", .seed = 1, .size = 2048, .max_iters = 1};
    for (uint32_t processes = 1; processes <= 4; processes *= 4) {
        environment_run r;
        uint64_t regions = 0;
        run.processes = processes;
        environment_open(&r, "fshpt_oversub", &run, NULL, NULL);
        for (uint32_t p = 0; p < processes; p++) {
            size_t count = 0;
            const lw_array *arrays = lw_address_spaces_arrays(r.env->spaces, p, &count);
            bool is[4096] = {false}; /* behind the first array's */
            const uint64_t first = arrays[0].base >> 21;
            for (size_t a = 0; a < count; a++) {
                for (uint64_t page = 0; page < lw_array_pages(&arrays[a]); page++) {
                    const uint64_t region = ((arrays[a].base >> 12) + page) >> 9;
                    assert_true(region >= first && region - first < 4096);
                    regions += !is[region - first];
                    is[region - first] = true;
                }
            }
        }
        const lw_hashed_config *config =
            lw_hashed_table_config(lw_address_spaces_hashed(r.env->spaces));
        assert_int_equal(config->max_local, regions * r.system.local_share / 100);
        environment_close(&r);
    }
}

/* So is that of a stream, for the regions that it touches in each address space, however many pages
 * of them: those fill `hashed_load` percent of the slots, as nearly as a power of two can
 * (docs/machine.md). */
static void test_room_for_a_stream(void **state) {
    (void)state;
    static const struct {
        unsigned shift; /* from one page to the next */
        uint64_t regions;
        uint64_t slots; /* nearest to so many over 0.4 */
    } rows[] = {{0, 2, 8}, {1, 2, 8}, {5, 8, 16}, {8, 64, 128}, {9, 128, 256}};
    const lw_run run = {.stream = stream, .seed = 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        FILE *file = fopen(stream, "w");
        assert_non_null(file);
        for (unsigned n = 0; n < 128; n++) {
            const unsigned page = rows[i].shift == 9 ? n << 9 : n / 2 << rows[i].shift;
            assert_true(fprintf(file, "%u 0x%x r\n", n % 2, page) > 0);
        }
        assert_int_equal(fclose(file), 0);
        environment_open(&r, "fshpt", &run, NULL, NULL);
        assert_int_equal(lw_address_spaces_processes(r.env->spaces), 2);
        const lw_hashed_config *config =
            lw_hashed_table_config(lw_address_spaces_hashed(r.env->spaces));
        assert_int_equal(config->max_local, rows[i].regions);
        assert_int_equal(lw_environment_hashed(r.env).slots, rows[i].slots);
        environment_close(&r);
    }
}

/* "arrays" are those of a random stream, in each address space that the unit has, with nothing
 * planted among them. */
static void test_arrays_of_random_streams(void **state) {
    (void)state;
    static const lw_run drawn = {.workload = "random", .seed = 1, .max_requests = 10};
    const lw_run run = {.stream = stream, .map = "arrays", .seed = 1};
    environment_run r, random;
    write_text(stream, "0 0x10000 r\n");
    environment_open(&r, "stress_small", &run, NULL, NULL);
    environment_open(&random, "stress_small", &drawn, NULL, NULL);
    assert_int_equal(lw_address_spaces_processes(r.env->spaces), r.system.hw.pasids);
    for (uint32_t p = 0; p < lw_address_spaces_processes(random.env->spaces); p++) {
        size_t count = 0;
        size_t all = 0;
        const lw_array *arrays = lw_address_spaces_arrays(r.env->spaces, p, &count);
        const lw_array *wanted = lw_address_spaces_arrays(random.env->spaces, p, &all);
        assert_int_equal(count, lw_address_spaces_mapped(r.env->spaces, p));
        assert_int_equal(count, lw_address_spaces_mapped(random.env->spaces, p));
        assert_memory_equal(arrays, wanted, count * sizeof *wanted);
        assert_true(all > count);
    }
    environment_close(&r);
    environment_close(&random);
}

/* ---------------------------------------------------------------- sizes and cuts */

/* A kernel of no size has its paper's; what is no kernel has the size that was asked for. A random
 * stream without end has 100000 requests. */
static void test_sizes(void **state) {
    (void)state;
    char path[512];
    const lw_run trace = {.trace = data(path, "trace"), .seed = 1};
    const lw_run repeat = {.workload = "repeat", .seed = 1, .max_requests = 1};
    const lw_run all = {.workload = "random", .seed = 1};
    environment_run r;
    for (size_t i = 0; lw_workload_at(i) != NULL && i < 3; i++) {
        lw_run run = {.workload = lw_workload_at(i)->name, .seed = 1};
        environment_open(&r, "nha", &run, NULL, NULL);
        assert_int_equal(lw_environment_size(r.env), lw_workload_at(i)->default_size);
        environment_close(&r);
    }
    environment_open(&r, "nha", &kernel, NULL, NULL);
    assert_int_equal(lw_environment_size(r.env), 64);
    environment_close(&r);
    environment_open(&r, "nha", &trace, NULL, NULL);
    assert_int_equal(lw_environment_size(r.env), 0);
    environment_close(&r);
    environment_open(&r, "nha", &repeat, NULL, NULL);
    assert_int_equal(lw_environment_size(r.env), 512);
    assert_int_equal(lw_environment_requests_total(r.env), 1);
    environment_close(&r);
    environment_open(&r, "stress_small", &all, NULL, NULL);
    assert_int_equal(lw_environment_requests_total(r.env), 100000);
    environment_close(&r);
}

/* The wave instructions of a run, and how many its workload has with this cut. */
static uint64_t instructions(const lw_run *run) {
    environment_run r;
    lw_front_statistics statistics;
    environment_open(&r, "nha", run, NULL, NULL);
    assert_true(environment_go(&r, LONG, NULL, NULL));
    lw_environment_statistics(r.env, &statistics);
    environment_close(&r);
    return statistics.wave_instructions;
}

static uint64_t of_workload(const lw_run *run) {
    const lw_workload_params params = {.size = run->size, .max_iters = run->max_iters};
    lw_error err = {0};
    lw_launch launch;
    uint64_t count = 0;
    lw_workload *w = lw_workload_open(run->workload, &params, &err);
    assert_non_null(w);
    for (uint64_t l = 0; lw_workload_next_launch(w, &launch, &err) == 1; l++) {
        for (uint32_t g = 0; g < launch.groups; g++) {
            for (uint32_t i = 0; i < launch.waves_in_group; i++) {
                lw_wave *wave = lw_workload_wave_begin(w, g, i);
                lw_wave_inst inst;
                while (lw_workload_wave_next(w, wave, &inst) == 1) {
                    count += (run->max_launches == 0 || l < run->max_launches) &&
                             (run->max_groups == 0 || g < run->max_groups);
                }
                lw_workload_wave_end(w, wave);
            }
        }
    }
    lw_workload_close(w);
    return count;
}

/* Cuts leave out launches, groups of each, and iterations, and nothing else. */
static void test_cuts(void **state) {
    (void)state;
    static const struct {
        uint64_t iters, launches, groups;
    } rows[] = {{0, 0, 0}, {0, 3, 0}, {0, 0, 1}, {0, 4, 1}};
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_run run = kernel;
        run.max_iters = rows[i].iters;
        run.max_launches = rows[i].launches;
        run.max_groups = rows[i].groups;
        const uint64_t issued = instructions(&run);
        assert_int_equal(issued, of_workload(&run));
        assert_true(i == 0 || (issued > 0 && issued < all));
        all = i == 0 ? issued : all;
    }
}

/* What is whole of a file that is cut runs where that will do, and how much it is is told; else it
 * is refused. Of what is whole nothing is missing. */
static void test_partial(void **state) {
    (void)state;
    static const struct {
        const char *trace, *stream; /* one of them */
        const char *unit;           /* NULL: it is whole */
    } rows[] = {{"cut/kernel-1.traceg", NULL, "thread blocks"},
                {"trace", NULL, NULL},
                {NULL, "cut/loop.champsim", "records"},
                {NULL, "streams/loop.champsim", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[512];
        environment_run r;
        const bool is_trace = rows[i].trace != NULL;
        lw_run run = {.seed = 1, .partial = true};
        *(is_trace ? &run.trace : &run.stream) =
            data(path, is_trace ? rows[i].trace : rows[i].stream);
        environment_open(&r, "nha", &run, NULL, NULL);
        const lw_partial partial = lw_environment_partial(r.env);
        assert_int_equal(partial.cut, rows[i].unit != NULL);
        if (rows[i].unit != NULL) {
            assert_string_equal(partial.unit, rows[i].unit);
            assert_true(partial.whole > 0);
        }
        assert_true(environment_go(&r, LONG, NULL, NULL));
        assert_true(lw_environment_requests(r.env) > 0);
        environment_close(&r);
        run.partial = false;
        lw_environment *env = lw_environment_new(&r.system, &run, &r.err);
        assert_int_equal(env == NULL, rows[i].unit != NULL);
        lw_environment_free(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_files),
        cmocka_unit_test(test_map_of_a_trace),
        cmocka_unit_test(test_maps_refused),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_room_of_hashed_tables),
        cmocka_unit_test(test_room_for_a_stream),
        cmocka_unit_test(test_arrays_of_random_streams),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_partial),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
