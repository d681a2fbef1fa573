/* What the trace and stream readers refuse: each in one sentence with file and line. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/stream.h"
#include "sim/traces/trace.h"
#include "sim/workloads/workload.h"

/* A good kernel file; each case replaces one part of it. */
static const char good[] = "-kernel name = k\n"
                           "-grid dim = (2,1,1)\n"
                           "-block dim = (64,1,1)\n"
                           "-accelsim tracer version = 5\n"
                           "-enable lineinfo = 0\n"
                           "#traces format = [line_num] PC mask ... [mem_addresses] immediate\n"
                           "#BEGIN_TB\n"
                           "thread block = 0,0,0\n"
                           "warp = 0\n"
                           "insts = 2\n"
                           "0010 00000007 1 R4 LDG.E 1 R2 4 2 0x7f0000000000 4 8 0\n"
                           "0020 00000003 0 STG.E 2 R2 R4 4 1 0x7f0000000000 4 0\n"
                           "warp = 1\n"
                           "insts = 1\n"
                           "0010 00000003 1 R4 LDG.E 1 R2 4 0 0x7f0000000000 0x7f0000000008 0\n"
                           "#END_TB\n"
                           "#BEGIN_TB\n"
                           "thread block = 1,0,0\n"
                           "#END_TB\n";

/* Writes `whole` with the first `from` replaced by `to`. */
static void write_changed(const char *path, const char *whole, const char *from, const char *to) {
    char text[4096];
    const char *at = strstr(whole, from);
    assert_non_null(at);
    const int n =
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    assert_true(n > 0 && (size_t)n < sizeof text);
    write_file(path, text, (size_t)n);
}

static void expect_refusal(const char *path, const char *part) {
    lw_error err = {0};
    lw_trace_summary *rows = NULL;
    size_t count = 0;
    assert_false(lw_trace_info(path, NULL, &rows, &count, &err));
    assert_null(rows);
    if (strstr(err.text, part) == NULL) {
        fail_msg("'%s' has no '%s'", err.text, part);
    }
    assert_null(strchr(err.text, '\n'));
}

static void test_malformed_kernels(void **state) {
    static const struct {
        const char *from, *to, *part;
    } cases[] = {
        /* addresses */
        {"4 8 0\n", "4 8\n", ":11: is too short by 1: it needs the addresses of 3 lanes"},
        {"4 8 0\n", "4\n", ":11: has 2 of the 3 addresses that its mask 00000007 needs"},
        {"4 8 0\n", "\n", ":11: has 1 of the 3 addresses"},
        {"4 8 0\n", "4 8 0 0\n", ":11: has 2 more after the addresses of its 3 lanes"},
        {"4 8 0\n", "4 x 0\n", ":11: 'x' is no address difference"},
        {"0x7f0000000008 0\n", "\n", ":15: has 1 of the 2 addresses"},
        {"0x7f0000000008 0\n", "zz 0\n", ":15: 'zz' is no address"},
        {"0x7f0000000008 0\n", "0x800000000000 0\n",
         ":15: the address 0x800000000000 of lane 1 is not canonical"},
        {"2 0x7f0000000000", "2 0x1ffffffffffffffff", ":11: '0x1ffffffffffffffff' is no base"},
        {"4 8 0\n", "140737488355328 8 0\n", "of lane 1 is not canonical"},
        {"00000003 0 STG", "00000005 0 STG", ":12: gives base and stride (mode 1) for the mask"},
        {"4 1 0x", "4 3 0x", ":12: '3' is no address mode (0 list, 1 stride, 2 deltas)"},
        /* the line before them */
        {"0020 00000003", "0020 1ffffffff", ":12: '1ffffffff' is no mask of 32 lanes"},
        {"0020 ", "xyz ", ":12: 'xyz' is no PC"},
        {"1 R4 LDG", "1 LDG", ":11: 'LDG.E' stands where register 1 of 1 is expected"},
        {"1 R4 LDG", "1 R256 LDG", ":11: 'R256' stands where register 1 of 1"},
        {"1 R4 LDG.E", "1 R4 7", ":11: '7' stands where the opcode is expected"},
        {" 4 1 0x7f0000000000 4 0\n", "\n", ":12: the line ends before its memory width"},
        /* structure */
        {"insts = 2", "insts = 3", ":13: warp 0 ends with 1 of its instructions missing"},
        {"insts = 2", "insts = 1", ":12: an instruction more than its warp's 'insts' says"},
        {"insts = 1\n0010 00000003 1 R4 LDG.E 1 R2 4 0 0x7f0000000000 0x7f0000000008 0\n", "",
         ":14: warp 1 ends without its 'insts = n' line"},
        {"00000003 0 STG.E 2 R2 R4 4 1 0x7f0000000000 4 0",
         "00000001 0 STG.E 2 R2 R4 4 1 0x7f0000000000",
         ":12: has no stride after its base address"},
        {"insts = 2", "insts = x", ":10: 'insts = x' is not allowed here"},
        {"insts = 2\n", "", ":10: 'insts = n' is expected after 'warp ='"},
        {"warp = 1", "warp = 2", ":13: warp '2' is not allowed: 0 to 1 are"},
        {"warp = 1", "warp = 0", ":13: warp 0 stands twice"},
        {"warp = 1\ninsts = 1\n", "", ":13: an instruction more than its warp's"},
        {"thread block = 0,0,0\n", "", ":8: 'warp = 0' is not allowed here"},
        {"thread block = 0,0,0", "thread block = 1,0,0", ":8: thread block '1,0,0' stands"},
        {"thread block = 0,0,0", "thread block = 2,0,0", ":8: thread block '2,0,0' is not in"},
        {"thread block = 1,0,0\n", "", ":18: the thread block ends without its"},
        {"#END_TB\n#BEGIN_TB\n", "#BEGIN_TB\n", ":16: '#BEGIN_TB' is not allowed here"},
        {"#END_TB\n#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n", "", ":15: the file is truncated"},
        {"#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n", "", "after 1 of the 2 thread blocks"},
        {"#BEGIN_TB\n", "0 0 0 0 0010 ffffffff 0 NOP 0\n", ":7: '0 0 0 0 0010 ffffffff 0 NOP 0'"},
        /* the header */
        {"version = 5", "version = 7", ":4: tracer version '7' is not known: 3 to 6"},
        {"version = 5", "version = 2", ":4: tracer version '2' is not known"},
        {"-accelsim tracer version = 5\n", "", "no '-accelsim tracer version' line"},
        {"-grid dim = (2,1,1)\n", "", "no '-grid dim' line"},
        {"-block dim = (64,1,1)\n", "", "no '-block dim' line"},
        {"(2,1,1)", "(2,1)", ":2: grid dim '(2,1)' is not allowed"},
        {"(2,1,1)", "(1,1,1)", ":17: a thread block too many"},
        {"(2,1,1)", "(2147483647,65535,65535)", ":2: grid dim"},
        {"(2,1,1)", "(2147483648,1,1)", ":2: grid dim '(2147483648,1,1)' is not allowed"},
        {"(2,1,1)", "(1,65536,1)", ":2: grid dim '(1,65536,1)' is not allowed"},
        {"(2,1,1)", "(1,1,65536)", ":2: grid dim '(1,1,65536)' is not allowed"},
        {"(2,1,1)", "(65538,65535,1)", ":2: grid dim '(65538,65535,1)' is not allowed"},
        /* the most that is allowed, of which the blocks are missing */
        {"(2,1,1)", "(2147483647,1,1)", "after 2 of the 2147483647 thread blocks"},
        {"(2,1,1)", "(2,65535,1)", "after 2 of the 131070 thread blocks"},
        {"(2,1,1)", "(2,1,65535)", "after 2 of the 131070 thread blocks"},
        {"(2,1,1)", "(65537,65535,1)", "after 2 of the 4294967295 thread blocks"},
        {"(64,1,1)", "(64,64,1)", ":3: block dim '(64,64,1)' is not allowed"},
        {"(64,1,1)", "(0,1,1)", ":3: block dim"},
        {"(64,1,1)", "(41,25,1)", ":3: block dim '(41,25,1)' is not allowed"}, /* 1025 threads */
        {"lineinfo = 0", "lineinfo = 2", ":5: enable lineinfo '2' is not allowed: 0 or 1"},
        {"-enable lineinfo = 0", "-shmem base_addr = z",
         ":5: shmem base_addr 'z' is no hexadecimal address"},
    };
    char path[PATH_SIZE];
    in_folder(state, path, "k.traceg");
    write_file(path, good, strlen(good));
    lw_trace_summary *rows = NULL;
    size_t count = 0;
    assert_true(lw_trace_info(path, NULL, &rows, &count, NULL));
    assert_int_equal(rows->lane_accesses, 7);
    free(rows);
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_changed(path, good, cases[i].from, cases[i].to);
        expect_refusal(path, cases[i].part);
        expect_refusal(path, path);
        /* The same sentence, whichever way the workload meets the file. */
        lw_error err = {0};
        lw_launch launch;
        lw_workload *w = lw_workload_open_trace(path, false, &err);
        assert_non_null(w);
        assert_int_equal(lw_workload_next_launch(w, &launch, &err), -1);
        assert_non_null(strstr(err.text, cases[i].part));
        assert_null(lw_workload_wave_begin(w, 0, 0));
        assert_null(lw_workload_arrays(w, &count, &err));
        lw_workload_close(w);
    }
}

/* An immediate in brackets may be there or not; the addresses are not taken for it. */
static void test_optional_immediate(void **state) {
    char path[PATH_SIZE];
    size_t count = 0;
    in_folder(state, path, "k.traceg");
    write_changed(path, good, "] immediate\n", "] [immediate]\n");
    char *optional = read_file(path, &count);
    static const char *const ends[] = {"4 8 0\n", "4 8\n"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        lw_trace_summary *rows = NULL;
        write_changed(path, optional, ends[0], ends[i]);
        assert_true(lw_trace_info(path, NULL, &rows, &count, NULL));
        assert_int_equal(rows->lane_accesses, 7);
        free(rows);
    }
    write_changed(path, optional, ends[0], "4\n");
    expect_refusal(path, ":11: has 2 of the 3 addresses");
    write_changed(path, optional, ends[0], "4 8 0 0\n");
    expect_refusal(path, ":11: has 2 more after the addresses of its 3 lanes: 1 immediate");
    free(optional);
}

/* Version 6 ends with two immediates, and values or their absence. */
static void test_malformed_values(void **state) {
    static const struct {
        const char *from, *to, *part;
    } cases[] = {
        {"-8192 5 0 Val", "-8192 5 Val", ":30: is too short by 1: it needs the addresses of 3"},
        {"-8192 5 0 Val", "5 0 Val", ":30: is too short by 1"},
        {"-8192 5 0 Val", "-8192 5 0 0 Val", ":30: has 3 more after the addresses of its 3 lanes"},
        {"4 0 0 NoVal", "4 0 0", ":29: '(end of line)' stands where NoVal, or Val and values,"},
        {"4 0 0 NoVal", "4 0 0 AnyVal", ":29: 'AnyVal' stands where NoVal"},
        {"4 0 0 NoVal", "4 0 0 NoVal 1", ":29: '1' stands behind NoVal: nothing is allowed"},
        {"Val 1 3 0x1 0x2 0x3", "Val", ":30: ends behind Val: at least one value is needed"},
        {"Val 1 3 0x1 0x2 0x3", "Val 1 x", ":30: 'x' stands behind Val: hexadecimal numbers"},
    };
    char path[PATH_SIZE];
    size_t count = 0;
    char *text = read_file(data_path(path, "trace6/kernel-1-ctx_0x1.traceg"), &count);
    in_folder(state, path, "k.traceg");
    /* Without a format line version 6 means the same. */
    char *format = strstr(text, "#traces format");
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        if (i == COUNT(cases)) {
            format[1] = 'T'; /* no longer that line */
        }
        write_changed(path, text, cases[i % COUNT(cases)].from, cases[i % COUNT(cases)].to);
        expect_refusal(path, cases[i % COUNT(cases)].part);
    }
    lw_trace_summary *rows = NULL;
    write_file(path, text, strlen(text));
    assert_true(lw_trace_info(path, NULL, &rows, &count, NULL));
    assert_int_equal(rows->lane_accesses, 40);
    free(rows);
    free(text);
}

/* A plain file cut anywhere is refused (but for the last end of line). */
static void test_truncated_anywhere(void **state) {
    char path[PATH_SIZE];
    in_folder(state, path, "k.traceg");
    for (size_t n = 0; n + 1 < strlen(good); n++) {
        write_file(path, good, n);
        expect_refusal(path, path);
    }
}

static void test_malformed_lists(void **state) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "kernelslist.g: is empty"},
        {"\n\n", "kernelslist.g: names no kernel file"},
        {"MemcpyHtoD,0x7f0000000000,16\n", "names no kernel file"},
        {"\nMemcpyHtoD,0x7f0000000000\n", ":2: 'MemcpyHtoD,0x7f0000000000' is not allowed"},
        {"MemcpyHtoD,zz,16\n", ":1: 'MemcpyHtoD,zz,16' is not allowed"},
        {"MemcpyHtoD,0x7fffffffffff,2\n", "is not allowed: MemcpyHtoD,0xADDRESS,BYTES within"},
        {"MemcpyHtoD,0x800000000000,2\n", "is not allowed: MemcpyHtoD"},
        {"MemcpyHtoD,0xffffffffffffffff,2\n", "is not allowed: MemcpyHtoD"},
        {"MemcpyHtoD,0x0,18446603336221196289\n", "is not allowed: MemcpyHtoD"}, /* across both */
        {"MemcpyHtoD,0x7fffffffffff,1\n", "names no kernel file"}, /* the last byte of a half */
        {"MemcpyHtoD,0xffff800000000000,140737488355328\n", "names no kernel file"},
        {"hello\n", ":1: 'hello' is not allowed: MemcpyHtoD"},
        {"kernel-7.traceg\n", ":1: 'kernel-7.traceg' is missing"},
    };
    char path[PATH_SIZE];
    in_folder(state, path, "kernelslist.g");
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_file(path, cases[i].text, strlen(cases[i].text));
        expect_refusal(path, cases[i].part);
        expect_refusal(*state, cases[i].part); /* and found through its folder */
    }
    (void)remove(path);
    expect_refusal(path, "kernelslist.g: cannot open it: No such file");
    expect_refusal(*state, "is a folder without a kernelslist.g");
    write_file(path, "a\0b\n", 4);
    expect_refusal(path, ":1: holds a NUL byte");
    char *long_line = malloc(200000);
    assert_non_null(long_line);
    memset(long_line, 'x', 200000);
    write_file(path, long_line, 200000);
    free(long_line);
    expect_refusal(path, ":1: is longer than 65536 bytes");
}

static void test_stream(void **state) {
    (void)state;
    static const lw_stream_access want[] = {
        {1, 0x7f0000123, LW_READ, 0, LW_STREAM_NO_SOURCE},
        {2, 4096, LW_WRITE, 0, LW_STREAM_NO_SOURCE},
        {1048575, 0xfffffffffffff, LW_EXECUTE, 0, LW_STREAM_NO_SOURCE},
        {0, 5, LW_READ, 400, LW_STREAM_NO_SOURCE},
        {0, 6, LW_READ, 0x500, 65535},
        {0, 7, LW_READ, 0, 3}};
    char path[PATH_SIZE];
    lw_stream *s = lw_stream_open(data_path(path, "requests.stream"), NULL);
    assert_non_null(s);
    lw_stream_access got;
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(lw_stream_next(s, &got, NULL), 1);
        assert_int_equal(got.pasid, want[i].pasid);
        assert_int_equal(got.vpn, want[i].vpn);
        assert_int_equal(got.access, want[i].access);
        assert_int_equal(got.cycle, want[i].cycle);
        assert_int_equal(got.source, want[i].source);
    }
    assert_int_equal(lw_stream_next(s, &got, NULL), 0);
    lw_stream_close(s);
}

static void test_malformed_streams(void **state) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"0 1 r\n0 1\n", ":2: access '(missing)' is not allowed: r, w or x is"},
        {"0 1 r\n\n0 1 q\n", ":3: access 'q' is not allowed"},
        {" \t\n0 1 r\n \t # blank\n0 1 q\n", ":4: access 'q' is not allowed"},
        {"0 1 r\n0\n", ":2: vpn '(missing)' is not allowed"},
        {"0 1 r\n0 0x10000000000000 r\n", ":2: vpn '0x10000000000000' is not allowed"},
        {"0 1 r\n0 -1 r\n", ":2: vpn '-1' is not allowed"},
        {"0 1 r\n1048576 1 r\n", ":2: pasid '1048576' is not allowed"},
        {"0 1 r\n0 1f r\n", ":2: vpn '1f' is not allowed"},
        {"0 1 r\n0 1 r x\n", ":2: cycle 'x' is not allowed: 0 to 1099511627775"},
        {"0 1 r\n0 1 r 5 x\n", ":2: source 'x' is not allowed: 0 to 65535"},
        {"0 1 r\n0 1 r 5 65536\n", ":2: source '65536' is not allowed"},
        {"0 1 r\n0 1 r - -\n", ":2: source '-' is not allowed"},
        {"0 1 r\n0 1 r 5 5 5\n", ":2: sixth word '5' is not allowed: 'pasid vpn access [cycle"},
    };
    char path[PATH_SIZE];
    in_folder(state, path, "list");
    for (size_t i = 0; i < COUNT(cases); i++) {
        lw_stream_access got;
        lw_error err = {0};
        write_file(path, cases[i].text, strlen(cases[i].text));
        lw_stream *s = lw_stream_open(path, &err);
        assert_non_null(s);
        assert_int_equal(lw_stream_next(s, &got, &err), 1);
        assert_int_equal(lw_stream_next(s, &got, &err), -1);
        if (strstr(err.text, cases[i].part) == NULL || strstr(err.text, path) == NULL) {
            fail_msg("'%s' has no '%s'", err.text, cases[i].part);
        }
        lw_stream_close(s);
    }
    assert_null(lw_stream_open(*state, NULL));
}

/* Narrower than the format: what a system has. */
static void test_bounded_stream(void **state) {
    static const char text[] = "3 1 r 0 7\n4 1 r 0 7\n3 1 r 0 8\n";
    static const char *const parts[] = {":2: pasid '4' is not allowed: 0 to 3",
                                        ":3: source '8' is not allowed: 0 to 7"};
    char path[PATH_SIZE];
    lw_stream_access got;
    write_file(in_folder(state, path, "list"), text, strlen(text));
    lw_stream *s = lw_stream_open(path, NULL);
    assert_non_null(s);
    lw_stream_bound(s, 4, 8);
    assert_int_equal(lw_stream_next(s, &got, NULL), 1);
    for (size_t i = 0; i < COUNT(parts); i++) {
        lw_error err = {0};
        assert_int_equal(lw_stream_next(s, &got, &err), -1);
        assert_non_null(strstr(err.text, parts[i]));
    }
    lw_stream_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_malformed_kernels, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_optional_immediate, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_malformed_values, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_truncated_anywhere, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_malformed_lists, make_folder, remove_folder),
        cmocka_unit_test(test_stream),
        cmocka_unit_test_setup_teardown(test_malformed_streams, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_bounded_stream, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
