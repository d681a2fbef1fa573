/* The dynamic energy of the translation path (sim/energy/energy.h), as text and as JSON
 * (docs/json.md), where --energy has given a table. */
#ifndef LW_APP_REPORTS_ENERGY_REPORT_H
#define LW_APP_REPORTS_ENERGY_REPORT_H

#include "app/options/options.h"

#include <jansson.h>

/* A line; nothing without a table. */
void lw_energy_print(const lw_options *options, const lw_session_result *result);

/* The object of the key "energy"; null without a table. */
json_t *lw_energy_json(const lw_options *options, const lw_session_result *result);

#endif
