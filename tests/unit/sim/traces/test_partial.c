/* Files that are cut: whatever the cut, what is whole comes out as in the whole file, and how much
 * that is is said; without leave they are refused. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/stream.h"
#include "sim/traces/stream_census.h"
#include "sim/traces/trace.h"
#include "sim/traces/trace_kernel.h"
#include "sim/workloads/workload.h"

#include <archive.h>
#include <archive_entry.h>

static const char lines[] = "0 1 r\n"
                            "# a comment\n"
                            "0 0x22 w 7\n"
                            "1 3 x\n";

/* Whole lines and accesses among the first so many bytes. */
static void count_whole(size_t bytes, uint64_t *whole, uint64_t *accesses) {
    *whole = *accesses = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (lines[i] == '\n') {
            (*whole)++;
            *accesses += *whole != 2;
        }
    }
}

static void test_stream_cut_anywhere(void **state) {
    const lw_stream_limits limits = {.levels = 4,
                                     .pasids = 4,
                                     .known = 4,
                                     .sources = 1,
                                     .accesses = UINT64_MAX,
                                     .partial = true};
    char path[PATH_SIZE];
    in_folder(state, path, "list");
    for (size_t n = 1; n < sizeof lines; n++) {
        uint64_t whole = 0;
        uint64_t accesses = 0;
        lw_stream_census census;
        lw_error err = {0};
        count_whole(n, &whole, &accesses);
        write_file(path, lines, n);
        const bool taken = lw_stream_census_take(&census, path, &limits, &err);
        assert_int_equal(taken, accesses != 0);
        if (taken) {
            assert_int_equal(census.accesses, accesses);
            assert_int_equal(census.partial.cut, lines[n - 1] != '\n');
            assert_int_equal(census.partial.whole, whole);
            assert_string_equal(census.partial.unit, "lines");
            assert_false(census.partial.of_known);
            lw_stream_census_free(&census);
        } else {
            assert_non_null(strstr(err.text, "--partial: "));
            assert_non_null(strstr(err.text, path));
        }
    }
}

/* What is malformed is no cut. */
static void test_malformed_stays_refused(void **state) {
    static const char bad[] = "0 1 r\n0 q r\n0 1";
    char path[PATH_SIZE];
    lw_stream_access got;
    lw_error err = {0};
    write_file(in_folder(state, path, "list"), bad, strlen(bad));
    lw_stream *s = lw_stream_open_partial(path, &err);
    assert_int_equal(lw_stream_next(s, &got, &err), 1);
    assert_int_equal(lw_stream_next(s, &got, &err), -1);
    assert_non_null(strstr(err.text, ":2: vpn 'q' is not allowed"));
    lw_stream_close(s);
}

static const char *const filters[] = {"gzip", "xz", "zstd"};
enum { MANY = 60000 }; /* lines, so that the library decodes in several pieces */

static char *many_lines(size_t *bytes) {
    char *text = malloc((size_t)MANY * 16);
    assert_non_null(text);
    *bytes = 0;
    for (unsigned i = 0; i < MANY; i++) {
        *bytes += (size_t)sprintf(text + *bytes, "0 %u r\n", i * 2654435761u % 100000000);
    }
    return text;
}

static void compress(const char *path, const char *filter, const char *bytes, size_t count) {
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    assert_int_equal(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    archive_entry_set_filetype(entry, AE_IFREG);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, bytes, count), (la_ssize_t)count);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_entry_free(entry);
    (void)archive_write_free(a);
}

static char *read_large(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    char *bytes = malloc((size_t)MANY * 16);
    assert_non_null(file);
    assert_non_null(bytes);
    *count = fread(bytes, 1, (size_t)MANY * 16, file);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

/* The lines that come out, which are the first ones; the last status. */
static int read_stream(lw_stream *s, unsigned *count, lw_error *err) {
    lw_stream_access got;
    int status = 1;
    for (*count = 0; (status = lw_stream_next(s, &got, err)) == 1; (*count)++) {
        assert_int_equal(got.vpn, *count * 2654435761u % 100000000);
    }
    return status;
}

static void test_compressed_cut(void **state) {
    char path[PATH_SIZE];
    size_t bytes = 0;
    char *text = many_lines(&bytes);
    in_folder(state, path, "list");
    for (size_t f = 0; f < COUNT(filters); f++) {
        compress(path, filters[f], text, bytes);
        size_t packed = 0;
        char *whole = read_large(path, &packed);
        const size_t cuts[] = {packed, packed - 1, packed - 9, packed * 3 / 4, packed / 2};
        unsigned before = MANY;
        for (size_t c = 0; c < COUNT(cuts); c++) {
            unsigned count = 0;
            lw_error err = {0};
            write_file(path, whole, cuts[c]);
            lw_stream *s = lw_stream_open_partial(path, &err);
            assert_non_null(s);
            assert_int_equal(read_stream(s, &count, &err), 0);
            const lw_partial partial = lw_stream_partial(s);
            assert_int_equal(partial.cut, c != 0);
            assert_int_equal(partial.whole, count);
            assert_true(count > MANY / 4 && count <= before && (c != 0 || count == MANY));
            before = count;
            lw_stream_close(s);
            s = lw_stream_open(path, &err);
            assert_int_equal(read_stream(s, &count, &err), c == 0 ? 0 : -1);
            lw_stream_close(s);
        }
        free(whole);
    }
    free(text);
}

/* A bit that is wrong is no cut either, where the format has check sums of its own. */
static void test_corrupt_stays_refused(void **state) {
    char path[PATH_SIZE];
    size_t bytes = 0;
    char *text = many_lines(&bytes);
    compress(in_folder(state, path, "list"), "xz", text, bytes);
    size_t packed = 0;
    char *whole = read_large(path, &packed);
    whole[packed / 2] = (char)(whole[packed / 2] ^ 0x10);
    write_file(path, whole, packed);
    unsigned count = 0;
    lw_error err = {0};
    lw_stream *s = lw_stream_open_partial(path, &err);
    assert_int_equal(read_stream(s, &count, &err), -1);
    assert_non_null(strstr(err.text, "is corrupt or truncated after line"));
    lw_stream_close(s);
    free(whole);
    free(text);
}

/* ---------------------------------------------------------------- traces */

static const struct {
    uint64_t instructions, wave_accesses, lane_accesses;
} by_blocks[] = {{0, 0, 0}, {5, 3, 37}, {6, 4, 40}};

/* Whole blocks among the first so many bytes: each ends with this line, with its end or without. */
static uint64_t blocks_in(const char *text, size_t bytes) {
    static const char end[] = "#END_TB";
    uint64_t blocks = 0;
    for (size_t i = 0; i + strlen(end) <= bytes; i++) {
        blocks += memcmp(text + i, end, strlen(end)) == 0;
    }
    return blocks;
}

static void test_kernel_cut_anywhere(void **state) {
    char path[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace6/kernel-1-ctx_0x1.traceg"), &count);
    in_folder(state, path, "k.traceg");
    for (size_t n = 1; n < count; n++) {
        const uint64_t blocks = blocks_in(text, n);
        lw_partial partial;
        lw_trace_summary *row = NULL;
        size_t rows = 0;
        lw_error err = {0};
        write_file(path, text, n);
        const bool taken = lw_trace_info(path, &partial, &row, &rows, &err);
        assert_int_equal(taken, blocks != 0);
        if (taken) {
            assert_int_equal(partial.cut, blocks != 2);
            assert_int_equal(partial.whole, blocks);
            assert_true(partial.of_known && partial.of == 2);
            assert_int_equal(row->blocks, blocks);
            assert_int_equal(row->warps, blocks);
            assert_int_equal(row->instructions, by_blocks[blocks].instructions);
            assert_int_equal(row->wave_accesses, by_blocks[blocks].wave_accesses);
            assert_int_equal(row->lane_accesses, by_blocks[blocks].lane_accesses);
        }
        free(row);
        row = NULL;
        assert_int_equal(lw_trace_info(path, NULL, &row, &rows, &err), blocks == 2);
        free(row);
    }
    free(text);
}

/* In memory a cut kernel is what one with fewer blocks is. */
static void test_nothing_of_the_cut_block_is_kept(void **state) {
    char path[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace6/kernel-1-ctx_0x1.traceg"), &count);
    const size_t first = (size_t)(strstr(text, "#END_TB") - text) + strlen("#END_TB\n");
    lw_trace_kernel shorter;
    lw_trace_kernel cut;
    in_folder(state, path, "k.traceg");
    write_file(path, text, count - strlen("#END_TB\n"));
    assert_true(lw_trace_kernel_read(&cut, path, true, NULL));
    write_file(path, text, first);
    assert_true(lw_trace_kernel_read(&shorter, path, true, NULL));
    assert_int_equal(cut.blocks, 1);
    assert_int_equal(cut.blocks, shorter.blocks);
    assert_int_equal(cut.grid, shorter.grid);
    assert_int_equal(cut.warps, shorter.warps);
    assert_int_equal(cut.lines, shorter.lines);
    assert_int_equal(cut.lane_accesses, shorter.lane_accesses);
    assert_int_equal(cut.inst_count, shorter.inst_count);
    assert_int_equal(cut.delta_count, shorter.delta_count);
    assert_int_equal(cut.span_count, shorter.span_count);
    lw_trace_kernel_free(&cut);
    lw_trace_kernel_free(&shorter);
    free(text);
}

static void test_workload_of_a_cut_kernel(void **state) {
    static const char last[] = "thread block = 1,0,0\n";
    char path[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace6/kernel-1-ctx_0x1.traceg"), &count);
    write_file(in_folder(state, path, "k.traceg"), text,
               (size_t)(strstr(text, last) - text) + strlen(last));
    lw_workload *w = lw_workload_open_trace(path, true, NULL);
    assert_non_null(w);
    lw_launch launch;
    lw_wave_inst inst;
    unsigned seen = 0;
    assert_non_null(lw_workload_arrays(w, &count, NULL));
    assert_true(lw_workload_partial(w).cut);
    assert_int_equal(lw_workload_partial(w).kernels, 1);
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
    assert_int_equal(launch.groups, 1);
    lw_wave *wave = lw_workload_wave_begin(w, 0, 0);
    while (lw_workload_wave_next(w, wave, &inst) == 1) {
        seen++;
    }
    assert_int_equal(seen, 3);
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 0);
    lw_workload_close(w);
    free(text);
}

/* Kernels that the list names may be missing, or cut before their first block. */
static void test_list_with_missing_kernels(void **state) {
    static const char list[] = "gone.traceg\nk.traceg\nlist.traceg\n";
    char path[PATH_SIZE];
    char folder[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace6/kernel-1-ctx_0x1.traceg"), &count);
    write_file(in_folder(state, path, "k.traceg"), text, count);
    write_file(in_folder(state, path, "kernelslist.g"), list, strlen(list));
    lw_partial partial;
    lw_trace_summary *row = NULL;
    assert_true(lw_trace_info(path, &partial, &row, &count, NULL));
    assert_int_equal(count, 1);
    assert_true(partial.cut && !partial.of_known);
    assert_int_equal(partial.whole, 2);
    assert_int_equal(partial.kernels, 1);
    assert_int_equal(partial.kernels_of, 3);
    free(row);
    /* A kernel that is cut within its header does not say how many blocks it should have. */
    static const char two[] = "cut.traceg\nk.traceg\n";
    write_file(in_folder(state, path, "cut.traceg"), text, 40);
    write_file(in_folder(state, path, "kernelslist.g"), two, strlen(two));
    assert_true(lw_trace_info(path, &partial, &row, &count, NULL));
    assert_int_equal(count, 2);
    assert_true(partial.cut && !partial.of_known);
    assert_int_equal(partial.kernels, 1);
    assert_int_equal(partial.kernels_of, 2);
    free(row);
    row = NULL;
    write_file(in_folder(state, path, "k.traceg"), text, 100);
    lw_error err = {0};
    assert_false(lw_trace_info(in_folder(state, folder, ""), &partial, &row, &count, &err));
    assert_non_null(strstr(err.text, "no thread block of it is whole"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stream_cut_anywhere, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_malformed_stays_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_compressed_cut, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_corrupt_stays_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_kernel_cut_anywhere, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_nothing_of_the_cut_block_is_kept, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_workload_of_a_cut_kernel, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_list_with_missing_kernels, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
