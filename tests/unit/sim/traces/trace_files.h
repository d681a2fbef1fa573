/* Files for the tests of traces and streams: samples, and a folder of the test's own. */
#ifndef LW_TESTS_UNIT_SIM_TRACES_TRACE_FILES_H
#define LW_TESTS_UNIT_SIM_TRACES_TRACE_FILES_H

#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
#define PATH_SIZE 512

static inline const char *data_path(char *path, const char *name) {
    const char *folder = getenv("LW_TEST_DATA");
    (void)snprintf(path, PATH_SIZE, "%s/%s", folder != NULL ? folder : "tests/data", name);
    return path;
}

/* A folder of the test's own; its files are removed with it. */
static inline int make_folder(void **state) {
    static const char pattern[] = "/tmp/lockwalk_trace_XXXXXX";
    char *folder = strdup(pattern);
    *state = folder;
    return folder != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static const char *const made[] = {"k.traceg",      "k.traceg.gz", "k.traceg.xz", "k.traceg.zst",
                                   "kernelslist.g", "list",        "cut.traceg"};

static inline int remove_folder(void **state) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < COUNT(made); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", (const char *)*state, made[i]);
        (void)remove(path);
    }
    const int status = rmdir(*state);
    free(*state);
    return status;
}

static inline const char *in_folder(void **state, char *path, const char *name) {
    (void)snprintf(path, PATH_SIZE, "%s/%s", (const char *)*state, name);
    return path;
}

static inline void write_file(const char *path, const char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline char *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 65536);
    assert_non_null(bytes);
    *count = fread(bytes, 1, 65535, file);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

#endif
