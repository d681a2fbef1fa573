/* Trace import: modes, versions, compression, summaries, pages (test_trace_refusals.c: what is
 * malformed). The samples are in LW_TEST_DATA (default tests/data); traces of real GPUs, which are
 * too large for the repository, are read where ../shared/traces beside it holds them. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/trace.h"
#include "sim/workloads/workload.h"

#include <archive.h>
#include <archive_entry.h>

static void compress(const char *path, int filter, const char *bytes, size_t count) {
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    assert_int_equal(archive_write_add_filter(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, bytes, count), (la_ssize_t)count);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_entry_free(entry);
    (void)archive_write_free(a);
}

static lw_workload *open_trace(const char *path) {
    lw_error err = {0};
    lw_workload *w = lw_workload_open_trace(path, false, &err);
    assert_string_equal(err.text, "");
    assert_non_null(w);
    return w;
}

typedef struct expected {
    unsigned launch, group, wave;
    uint32_t mask;
    lw_access_kind access;
    bool dep;
    uint16_t alu;
    uint64_t va[8]; /* of the active lanes, lowest first (of the first eight) */
} expected;

static const expected sample[] = {
    {0, 0, 0, 0x80000003, LW_READ, false, 4, {0x7f0000000000, 0x7f0000005008, 0x7f0000001ff0}},
    /* The IADD3 between uses what the load before it writes: dep. */
    {0, 0, 0, 0x1, LW_WRITE, true, 4, {0x7f0000002000}},
    {0, 1, 1, 0x2, LW_READ, false, 0, {0x7f0000000040}},
    {1, 0, 0, 0xffffffff, LW_READ, false, 4, {0x7f0000008000, 0x7f0000008010, 0x7f0000008020}},
    {1,
     0,
     0,
     0xf0,
     LW_READ,
     false,
     0,
     {0x7f000000a000, 0x7f0000009000, 0x7f0000008000, 0x7f0000007000}},
    /* The masked-off load rewrites R4, which is in flight: dep. */
    {1,
     0,
     0,
     0x8000a001,
     LW_READ,
     true,
     8,
     {0x7f000000c000, 0x7f000000d000, 0x7f000000b000, 0x7f000000b00c}},
    {1, 0, 0, 0x100, LW_READ, false, 0, {0x7f000000d000}},
    /* It stores R8, the upper half of the 64-bit load to R7. */
    {1, 0, 0, 0x3, LW_WRITE, true, 8, {0x7f0000009ff0, 0x7f000000a000}},
    /* Lanes 0 of the generic load, and all of the second one, lie in the shared window. */
    {2, 0, 0, 0x6, LW_READ, false, 4, {0x7f8100000000, 0x7f8100000008}},
    {2, 0, 0, 0x5, LW_WRITE, true, 4, {0x7f0000020000, 0x7f000001fffc}},
    {2, 0, 0, 0x1, LW_WRITE, false, 0, {0x7f0000020008}},
    {2, 0, 0, 0x3, LW_WRITE, false, 0, {0x7f9000000000, 0x7f9000000004}},
    {2, 0, 0, 0x3, LW_READ, false, 0, {0x7f9000000000, 0x7f9000000004}},
    {2, 0, 0, 0x3, LW_READ, true, 4, {0xffff800000000000, 0xffff800000000010}},
};

static void check_inst(const expected *want, unsigned launch, unsigned group, unsigned wave,
                       const lw_wave_inst *inst) {
    assert_int_equal(want->launch, launch);
    assert_int_equal(want->group, group);
    assert_int_equal(want->wave, wave);
    assert_int_equal(inst->mask, want->mask);
    assert_int_equal(inst->access, want->access);
    assert_int_equal(inst->dep, want->dep);
    assert_int_equal(inst->alu, want->alu);
    size_t n = 0;
    for (uint64_t left = inst->mask; left != 0 && n < COUNT(want->va); left &= left - 1, n++) {
        if (want->va[n] != 0) {
            assert_int_equal(inst->va[__builtin_ctzll(left)], want->va[n]);
        }
    }
}

static void test_sample(void **state) {
    (void)state;
    char path[PATH_SIZE];
    lw_workload *w = open_trace(data_path(path, "trace"));
    static const char *const names[] = {"list_v3", "modes_v4", "immediates_v5"};
    lw_launch launch;
    lw_wave_inst inst;
    size_t seen = 0;
    for (unsigned launches = 0; launches < COUNT(names); launches++) {
        assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        assert_string_equal(launch.name, names[launches]);
        for (uint32_t at = 0; at < launch.groups * launch.waves_in_group; at++) {
            const uint32_t group = at / launch.waves_in_group;
            lw_wave *wave = lw_workload_wave_begin(w, group, at % launch.waves_in_group);
            while (lw_workload_wave_next(w, wave, &inst) == 1) {
                assert_true(seen < COUNT(sample));
                check_inst(&sample[seen++], launches, group, at % launch.waves_in_group, &inst);
            }
            lw_workload_wave_end(w, wave);
        }
    }
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 0);
    assert_int_equal(seen, COUNT(sample));
    lw_workload_close(w);
}

static void test_arrays(void **state) {
    (void)state;
    char path[PATH_SIZE];
    /* The copies 0-1 and 10-11 (100 bytes across a page's end) joined with the touched pages. */
    static const lw_array want[] = {
        {"range0", 0x7f0000000000, 0x3000}, {"range1", 0x7f0000005000, 0x1000},
        {"range2", 0x7f0000007000, 0x7000}, {"range3", 0x7f0000010000, 0x2000},
        {"range4", 0x7f000001f000, 0x2000}, {"range5", 0x7f8100000000, 0x1000},
        {"range6", 0x7f9000000000, 0x1000}, {"range7", 0xffff800000000000, 0x1000},
    };
    lw_workload *w = open_trace(data_path(path, "trace/kernelslist.g"));
    size_t count = 0;
    const lw_array *arrays = lw_workload_arrays(w, &count, NULL);
    assert_int_equal(count, COUNT(want));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(arrays[i].name, want[i].name);
        assert_int_equal(arrays[i].base, want[i].base);
        assert_int_equal(arrays[i].bytes, want[i].bytes);
    }
    lw_workload_close(w);
}

static void check_summary(const char *path, const lw_trace_summary *want, size_t rows) {
    lw_error err = {0};
    lw_trace_summary *row = NULL;
    size_t count = 0;
    assert_true(lw_trace_info(path, NULL, &row, &count, &err));
    assert_int_equal(count, rows);
    for (size_t i = 0; i < rows; i++) {
        assert_string_equal(row[i].name, want[i].name);
        assert_int_equal(row[i].blocks, want[i].blocks);
        assert_int_equal(row[i].warps, want[i].warps);
        assert_int_equal(row[i].instructions, want[i].instructions);
        assert_int_equal(row[i].wave_accesses, want[i].wave_accesses);
        assert_int_equal(row[i].lane_accesses, want[i].lane_accesses);
        assert_int_equal(row[i].distinct_pages, want[i].distinct_pages);
    }
    free(row);
}

static void test_summaries(void **state) {
    (void)state;
    char path[PATH_SIZE];
    static const lw_trace_summary own[] = {{"list_v3", 2, 4, 6, 3, 5, 4},
                                           {"modes_v4", 1, 1, 10, 5, 43, 7},
                                           {"immediates_v5", 1, 1, 9, 6, 11, 5}};
    check_summary(data_path(path, "trace"), own, COUNT(own));
    check_summary(data_path(path, "trace/kernel-2.traceg"), own + 1, 1);
    static const lw_trace_summary with_values = {"values_v6", 2, 2, 6, 4, 40, 5};
    check_summary(data_path(path, "trace6"), &with_values, 1);
    /* The real ones, counted once by a separate script (python: split each line, sum the set bits
     * of LDG/STG masks, collect base + i*stride >> 12). */
    static const struct {
        const char *path;
        lw_trace_summary row;
    } real[] = {{"../shared/traces/matrixmul-32-32-trace",
                 {"_Z8mult_gpuIfEvPT_S1_S1_ii", 1, 32, 4416, 96, 3072, 3}},
                {"../shared/traces/vectoradd-100-32-trace",
                 {"_Z6vecAddIfEvPT_S1_S1_i", 1, 32, 344, 12, 300, 1}}};
    for (size_t i = 0; i < COUNT(real); i++) {
        struct stat status;
        if (stat(real[i].path, &status) == 0) {
            check_summary(real[i].path, &real[i].row, 1);
        }
    }
}

/* A damaged file is refused in one sentence, or reads as `same` (a byte that means nothing). */
static void check_damaged(const char *path, const char *bytes, size_t count,
                          const lw_trace_summary *same) {
    lw_error err = {0};
    lw_trace_summary *row = NULL;
    size_t rows = 0;
    write_file(path, bytes, count);
    if (!lw_trace_info(path, NULL, &row, &rows, &err)) {
        assert_non_null(strstr(err.text, path));
    } else if (same != NULL) {
        assert_memory_equal(row, same, sizeof *same);
    }
    free(row);
}

static const struct {
    const char *ending;
    int filter;
    bool summed; /* carries a check sum (libarchive writes zstd without, the zstd program with) */
} filters[] = {{".gz", ARCHIVE_FILTER_GZIP, true},
               {".xz", ARCHIVE_FILTER_XZ, true},
               {".zst", ARCHIVE_FILTER_ZSTD, false}};

static void test_compressed(void **state) {
    char path[PATH_SIZE];
    char list[PATH_SIZE];
    char name[32];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace/kernel-2.traceg"), &count);
    static const lw_trace_summary want = {"modes_v4", 1, 1, 10, 5, 43, 7};
    in_folder(state, list, "kernelslist.g");
    write_file(list, "k.traceg\n", strlen("k.traceg\n"));
    for (size_t i = 0; i < COUNT(filters); i++) {
        (void)snprintf(name, sizeof name, "k.traceg%s", filters[i].ending);
        compress(in_folder(state, path, name), filters[i].filter, text, count);
        check_summary(path, &want, 1);
        check_summary(list, &want, 1); /* found under its name and the ending */

        size_t packed = 0;
        char *bytes = read_file(path, &packed);
        for (size_t at = 0; at < packed; at++) {
            bytes[at] = (char)(bytes[at] ^ 0x10);
            check_damaged(path, bytes, packed, filters[i].summed ? &want : NULL);
            bytes[at] = (char)(bytes[at] ^ 0x10);
            check_damaged(path, bytes, at, &want);
        }
        free(bytes);
        (void)remove(path);
    }
    free(text);
}

/* Every `from` of a text as `to`; freed by the caller. */
static char *replaced(const char *text, const char *from, const char *to, size_t *count) {
    char *made_of = calloc(2, strlen(text) + 1);
    assert_non_null(made_of);
    *count = 0;
    while (*text != '\0') {
        const bool here = strncmp(text, from, strlen(from)) == 0;
        const char *taken = here ? to : text;
        const size_t bytes = here ? strlen(to) : 1;
        memcpy(made_of + *count, taken, bytes);
        *count += bytes;
        text += here ? strlen(from) : 1;
    }
    return made_of;
}

/* Lines that end as Windows ends them, and addresses without 0x, as a tracer may write them. */
static void test_written_otherwise(void **state) {
    static const struct { const char *from, *to; } ways[] = {{"\n", "\r\n"}, {"0x00007f0", "7f0"}};
    static const lw_trace_summary want = {"list_v3", 2, 4, 6, 3, 5, 4};
    char path[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace/kernel-1.traceg"), &count);
    in_folder(state, path, "k.traceg");
    for (size_t i = 0; i < COUNT(ways); i++) {
        assert_non_null(strstr(text, ways[i].from));
        char *otherwise = replaced(text, ways[i].from, ways[i].to, &count);
        write_file(path, otherwise, count);
        check_summary(path, &want, 1);
        free(otherwise);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_summaries),
        cmocka_unit_test_setup_teardown(test_written_otherwise, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_compressed, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
