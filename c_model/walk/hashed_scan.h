/* The scan of a walker in a hashed table (chapter 21): what it does with the line of its bucket, of
 * its slot, or of the victim buffer, and what the CAM takes of that. */
#ifndef LW_C_MODEL_WALK_HASHED_SCAN_H
#define LW_C_MODEL_WALK_HASHED_SCAN_H

#include "c_model/walk/scan_verdict.h"

/* Of a walker with a WHERE other than RADIX: `s` holds the operation as R4.7 says it, and gets what
 * R21.12 makes of it, the verdict where there is one, and the fill (R21.14). The counters are those
 * of R21.17. */
void lw_hashed_scan(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                    lw_scan *s);

#endif
