/* Where the requests of a run have spent their time (dpi/stages.h), as text and as JSON
 * (docs/json.md). */
#ifndef LW_APP_REPORTS_STAGES_REPORT_H
#define LW_APP_REPORTS_STAGES_REPORT_H

#include "dpi/stages.h"

#include <jansson.h>

/* Prints the table of all requests, and where there are several kernels one of each. */
void lw_stages_print(const lw_stages *stages);

/* The object of the key "stages"; null for NULL. */
json_t *lw_stages_json(const lw_stages *stages);

#endif
