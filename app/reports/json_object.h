/* JSON objects, as the reports make and write them. */
#ifndef LW_APP_REPORTS_JSON_OBJECT_H
#define LW_APP_REPORTS_JSON_OBJECT_H

#include "common/error.h"

#include <jansson.h>
#include <stdint.h>

/* Writes the file whole or not at all; false and a sentence where it cannot be written. `option`
 * opens the sentence, without dashes. `o` is given up. */
bool lw_json_write_object(const char *option, const char *path, json_t *o, lw_error *err);

/* An object of numbers by name. */
typedef struct lw_json_row {
    const char *name;
    uint64_t value;
} lw_json_row;
json_t *lw_json_numbers(const lw_json_row *rows, size_t count);

#endif
