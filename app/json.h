/* The figures of a run as JSON, one schema for `cosim` and `model` (docs/json.md). */
#ifndef LW_APP_JSON_H
#define LW_APP_JSON_H

#include "app/options.h"

#include <jansson.h>

/* Writes the file whole or not at all; false and a sentence where it cannot be written. `stages` is
 * NULL where they were not asked for. */
bool lw_json_write(const lw_options *options, const lw_session_result *result,
                   const lw_stages *stages, lw_error *err);

/* The points of the coverage with their counts, the same way. */
bool lw_json_write_coverage(const char *path, const lw_coverage *coverage, lw_error *err);

/* Writes an object the same way; `option` opens the sentence, without dashes. `o` is given up. */
bool lw_json_write_object(const char *option, const char *path, json_t *o, lw_error *err);

/* An object of numbers by name. */
typedef struct lw_json_row {
    const char *name;
    uint64_t value;
} lw_json_row;
json_t *lw_json_numbers(const lw_json_row *rows, size_t count);

/* The names of counters and walker causes, as in R12.5 of docs/architecture/12-control.md; NULL
 * where the number names none. */
const char *lw_counter_name(uint32_t number);
/* The name of a kind of fault (R1.9), 1..7. */
const char *lw_fault_name(uint32_t kind);
/* Faults of all kinds that nothing in the run provokes. */
uint64_t lw_unasked_faults(const lw_session_result *result);

/* Page-table accesses, walks, the mean cycles from the insertion of a miss into the IOMMU buffer to
 * its answer, and rates: 0 where there is nothing to divide by. */
double lw_walk_latency_mean(const lw_session_result *result);
double lw_rate(uint64_t part, uint64_t rest);

#endif
