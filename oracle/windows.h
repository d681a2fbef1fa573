/* How far back an answer may look: for each page, the transfer of the last completed invalidation
 * that matches it (R11.8). What is older than that is seen by nobody, what is younger may be. */
#ifndef LW_ORACLE_WINDOWS_H
#define LW_ORACLE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#define LW_WINDOWS_EVERY_PASID UINT32_MAX

typedef struct lw_windows lw_windows;

/* Pages are 0..last_page; no invalidation yet. NULL where there is no memory. */
lw_windows *lw_windows_new(uint32_t pasids, uint64_t last_page);
void lw_windows_free(lw_windows *w);

/* An invalidation of these pages, both ends included, which was transferred at `time`, is complete;
 * `time` never falls. False where there is no memory. */
bool lw_windows_complete(lw_windows *w, uint32_t pasid, uint64_t first, uint64_t last,
                         uint64_t time);
/* The time from which on a page's entries may have been read; 0: from the beginning. */
uint64_t lw_windows_since(const lw_windows *w, uint32_t pasid, uint64_t page);
/* The time before which nobody's entries can have been read. */
uint64_t lw_windows_floor(const lw_windows *w);

#endif
