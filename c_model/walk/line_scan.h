/* The scan of a walker's line (R9.2): how the line is read, what the CAM takes of it, the verdict
 * (scan_verdict.h) or what a hashed table's part has to say (hashed_scan.h), and what is left for
 * the page walk cache and for the contiguity check. */
#ifndef LW_C_MODEL_WALK_LINE_SCAN_H
#define LW_C_MODEL_WALK_LINE_SCAN_H

#include "c_model/walk/scan_verdict.h"

void lw_walkers_scan(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                     lw_scan *out);

/* R6.5, R6.9, R6.15: whether a scan that the CAM takes fills the PWC, from the walker's PWST before
 * it and the verdict on its own PTE. */
bool lw_walkers_fill_pwc(const lw_walkers *w, const lw_pwst *before, const lw_verdict *own,
                         const lw_features *features, const lw_mark *mark);

/* R16.1: the check that the scan of a walker asks for, with its PWST before it and the verdict;
 * none where R21.9 has led to no verdict. */
lw_check lw_walkers_check(const lw_pwst *before, const lw_verdict *own);

#endif
