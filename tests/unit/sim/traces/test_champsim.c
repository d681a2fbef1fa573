/* ChampSim's records as a stream: which accesses they hold, in which order, and what is refused. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/champsim.h"

/* Three records: two loads and two stores; a branch; a store in the upper half and four loads. */
enum { RECORDS = 3 };
#define ALL_BYTES ((size_t)RECORDS * LW_CHAMPSIM_BYTES)
static const struct {
    uint8_t is_branch, branch_taken;
    uint64_t destinations[2], sources[4];
} records[RECORDS] = {
    {0, 0, {0x7f0000003ff8, 0x1000}, {0, 0x7f0000001234, 0, 0x7f0000001fff}},
    {1, 1, {0, 0}, {0, 0, 0, 0}},
    {1, 0, {0, 0xffff800000000abc}, {0x1, 0x2000, 0x3000, 0x4000}},
};

static const struct {
    uint64_t vpn;
    lw_access_kind access;
} wanted[] = {{0x7f0000001, LW_READ}, {0x7f0000001, LW_READ}, {0x7f0000003, LW_WRITE},
              {0x1, LW_WRITE},        {0, LW_READ},           {2, LW_READ},
              {3, LW_READ},           {4, LW_READ},           {0xffff800000000, LW_WRITE}};

static void put(uint8_t *at, uint64_t value) {
    for (unsigned i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

/* The first so many bytes of the records. */
static void write_records(const char *path, size_t bytes) {
    uint8_t all[ALL_BYTES] = {0};
    for (size_t r = 0; r < RECORDS; r++) {
        uint8_t *at = all + r * LW_CHAMPSIM_BYTES;
        put(at, 0x400000 + r);
        at[8] = records[r].is_branch;
        at[9] = records[r].branch_taken;
        memset(at + 10, 0x55, 6); /* registers */
        for (size_t i = 0; i < 2; i++) {
            put(at + 16 + 8 * i, records[r].destinations[i]);
        }
        for (size_t i = 0; i < 4; i++) {
            put(at + 32 + 8 * i, records[r].sources[i]);
        }
    }
    write_file(path, (const char *)all, bytes);
}

static void test_accesses(void **state) {
    char path[PATH_SIZE];
    lw_stream_access got;
    write_records(in_folder(state, path, "list"), ALL_BYTES);
    lw_stream *s = lw_stream_open(path, NULL);
    assert_non_null(s);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_int_equal(lw_stream_next(s, &got, NULL), 1);
        assert_int_equal(got.vpn, wanted[i].vpn);
        assert_int_equal(got.access, wanted[i].access);
        assert_int_equal(got.pasid, 0);
        assert_int_equal(got.cycle, 0);
        assert_int_equal(got.source, LW_STREAM_NO_SOURCE);
    }
    assert_int_equal(lw_stream_next(s, &got, NULL), 0);
    assert_int_equal(lw_stream_next(s, &got, NULL), 0);
    lw_stream_close(s);
}

/* Whatever the cut, whole records come first, and then one sentence. */
static void test_truncated_anywhere(void **state) {
    char path[PATH_SIZE];
    char part[64];
    for (size_t bytes = 1; bytes < ALL_BYTES; bytes++) {
        const size_t left = bytes % LW_CHAMPSIM_BYTES;
        lw_error err = {0};
        lw_stream_access got;
        int status = 1;
        write_records(in_folder(state, path, "list"), bytes);
        lw_stream *s = lw_stream_open(path, &err);
        assert_non_null(s);
        while ((status = lw_stream_next(s, &got, &err)) == 1) {
        }
        assert_int_equal(status, left == 0 ? 0 : -1);
        (void)snprintf(part, sizeof part, "is truncated: %zu bytes are left after %zu records",
                       left, bytes / LW_CHAMPSIM_BYTES);
        if (bytes < 10) { /* too short to tell from a text */
            assert_non_null(strstr(err.text, ":1: holds a NUL byte"));
        } else if (left != 0) {
            assert_non_null(strstr(err.text, part));
            assert_non_null(strstr(err.text, path));
        }
        lw_stream_close(s);
    }
}

static void test_a_record_of_something_else(void **state) {
    for (size_t offset = 8; offset < 10; offset++) {
        char path[PATH_SIZE];
        lw_error err = {0};
        lw_stream_access got;
        size_t count = 0;
        write_records(in_folder(state, path, "list"), ALL_BYTES);
        char *bytes = read_file(path, &count);
        bytes[LW_CHAMPSIM_BYTES + offset] = 2;
        write_file(path, bytes, count);
        free(bytes);
        lw_stream *s = lw_stream_open(path, &err);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(lw_stream_next(s, &got, &err), 1);
        }
        assert_int_equal(lw_stream_next(s, &got, &err), -1);
        assert_non_null(strstr(err.text, "record 2 is none of ChampSim's"));
        lw_stream_close(s);
    }
}

static void test_what_begins_so(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        bool begins;
    } rows[] = {{"0 0x7f00000 r\n", 14, false},
                {"\n\n\n\n\n\n\n\n\n\n", 10, false},
                {"\x10\x20\x40\0\0\0\0\0\1\0", 10, true},
                {"\x10\x20\x40\0\0\0\0\0\1\2", 10, false},
                {"\x10\x20\x40\0\0\0\0\0\0\0", 9, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const bool begins = lw_champsim_begins((const uint8_t *)rows[i].bytes, rows[i].count);
        assert_int_equal(begins, rows[i].begins);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_accesses, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_truncated_anywhere, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_record_of_something_else, make_folder,
                                        remove_folder),
        cmocka_unit_test(test_what_begins_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
