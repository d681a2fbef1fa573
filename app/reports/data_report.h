/* What the GPU's data path has done (sim/gpu/data_path.h), and where its waves' cycles went, as
 * text and as JSON (docs/json.md). */
#ifndef LW_APP_REPORTS_DATA_REPORT_H
#define LW_APP_REPORTS_DATA_REPORT_H

#include "sim/gpu/front_end.h"

#include <jansson.h>

/* Three lines, four where page walks read through the L2; nothing of a run without a data path. */
void lw_data_print(const lw_front_statistics *front);

/* The objects of the keys "data" and "wave_cycles"; null of a run without a data path. */
json_t *lw_data_json(const lw_front_statistics *front);
json_t *lw_wave_cycles_json(const lw_front_statistics *front);

#endif
