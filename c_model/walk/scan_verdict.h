/* What every scan of a walker's line shares, in a radix table (line_scan.h) as in a hashed one
 * (hashed_scan.h): what it looks at, what it leaves, and the verdict on the walker's own PTE. */
#ifndef LW_C_MODEL_WALK_SCAN_VERDICT_H
#define LW_C_MODEL_WALK_SCAN_VERDICT_H

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

/* R7.4: the walker judges the PTE of its access, as `s` says how it is read, and does what the
 * verdict says; `s` gets the verdict. */
void lw_scan_judge(lw_walkers *w, uint32_t i, const lw_features *features, lw_scan *s);

#endif
