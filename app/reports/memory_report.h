/* What the banks of memory have done (sim/memory/banks.h), as text and as JSON
 * (docs/json.md). */
#ifndef LW_APP_REPORTS_MEMORY_REPORT_H
#define LW_APP_REPORTS_MEMORY_REPORT_H

#include "sim/memory/banks.h"

#include <jansson.h>

/* A line, of a DRAM one more, and one of the cache of page-table lines; nothing of a memory without
 * banks, or that was not asked. */
void lw_memory_print(const lw_banks *banks);

/* The object of the key "memory"; null of a memory without banks. */
json_t *lw_memory_json(const lw_banks *banks);

#endif
