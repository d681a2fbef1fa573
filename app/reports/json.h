/* The figures of a run as JSON, one schema for `cosim` and `model` (docs/json.md). */
#ifndef LW_APP_REPORTS_JSON_H
#define LW_APP_REPORTS_JSON_H

#include "app/options/options.h"

/* Writes the file whole or not at all; false and a sentence where it cannot be written. `stages` is
 * NULL where they were not asked for. */
bool lw_json_write(const lw_options *options, const lw_session_result *result,
                   const lw_stages *stages, lw_error *err);

/* The points of the coverage with their counts, the same way. */
bool lw_json_write_coverage(const char *path, const lw_coverage *coverage, lw_error *err);

#endif
