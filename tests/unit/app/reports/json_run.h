/* A run that is written as JSON, and read again. */
#ifndef LW_TESTS_UNIT_APP_JSON_RUN_H
#define LW_TESTS_UNIT_APP_JSON_RUN_H

#include "app/reports/json.h"
#include "app/reports/json_object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static lw_options options;
static lw_session_result result;

/* What is written of the run; to be given up. */
static inline json_t *written(void) {
    static const lw_command command = {.name = "model"};
    char path[] = "/tmp/lockwalk-json-XXXXXX";
    lw_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    options.command = &command;
    options.json = path;
    assert_true(lw_json_write(&options, &result, NULL, &err));
    json_t *o = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    (void)unlink(path);
    options.json = NULL;
    assert_non_null(o);
    return o;
}

static inline int begin(void **state) {
    (void)state;
    memset(&options, 0, sizeof options);
    memset(&result, 0, sizeof result);
    options.run.workload = "mvt";
    return 0;
}

static inline void assert_numbers(const json_t *o, const lw_json_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(o, rows[i].name);
        if (!json_is_integer(value) || (uint64_t)json_integer_value(value) != rows[i].value) {
            fail_msg("%s is not %llu", rows[i].name, (unsigned long long)rows[i].value);
        }
    }
}

#endif
