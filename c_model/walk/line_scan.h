/* The scan of a walker's line (R9.2): the verdict on its own PTE, what the walker does then (R7.4,
 * or in a hashed table R21.9), what the CAM takes of it, and what it leaves for the page walk
 * cache, for the step cache and for the contiguity check. */
#ifndef LW_C_MODEL_WALK_LINE_SCAN_H
#define LW_C_MODEL_WALK_LINE_SCAN_H

#include "c_model/walk/page_walkers.h"

/* What a scan looks at beside the walkers. */
typedef struct lw_scan_view {
    const lw_features *features;
    const lw_roots *roots;
    bool on_cam; /* the CAM takes it (lw_turns) */
} lw_scan_view;

/* What it leaves. */
typedef struct lw_scan {
    lw_cam_op op;      /* of operation LW_OP_NONE if the CAM takes none */
    lw_reading as;     /* how its line is read (R4.18) */
    lw_verdict own;    /* on the walker's own PTE: kind LW_MEMORY_ERROR with the error bit */
    lw_step_fill fill; /* R21.14 */
} lw_scan;

void lw_walkers_scan(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                     lw_scan *out);

/* R7.4: the walker judges the PTE of its access, as `s` says how it is read, and does what the
 * verdict says; `s` gets the verdict. */
void lw_scan_judge(lw_walkers *w, uint32_t i, const lw_features *features, lw_scan *s);

/* R6.5, R6.9, R6.15: whether a scan that the CAM takes fills the PWC, from the walker's PWST before
 * it and the verdict on its own PTE. */
bool lw_walkers_fill_pwc(const lw_walkers *w, const lw_pwst *before, const lw_verdict *own,
                         const lw_features *features, const lw_mark *mark);

/* R16.1: the check that the scan of a walker asks for, with its PWST before it and the verdict;
 * none where R21.9 has led to no verdict. */
lw_check lw_walkers_check(const lw_pwst *before, const lw_verdict *own);

#endif
