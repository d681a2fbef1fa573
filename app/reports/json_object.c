#include "app/reports/json_object.h"

#include "app/host/output.h"

#include <errno.h>
#include <stdio.h>

json_t *lw_json_numbers(const lw_json_row *rows, size_t count) {
    json_t *o = json_object();
    for (size_t i = 0; i < count; i++) {
        (void)json_object_set_new(o, rows[i].name, json_integer((json_int_t)rows[i].value));
    }
    return o;
}

bool lw_json_write_object(const char *option, const char *path, json_t *o, lw_error *err) {
    lw_output output;
    bool good = lw_output_begin(&output, option, path, err);
    if (good) {
        errno = 0;
        const bool dumped =
            json_dumpf(o, output.file, JSON_INDENT(2)) == 0 && fputc('\n', output.file) != EOF;
        good = lw_output_end(&output, dumped, err);
    }
    json_decref(o);
    return good;
}
