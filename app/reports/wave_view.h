/* What GTKWave opens the waves of both sides with (a save file, .gtkw). */
#ifndef LW_APP_REPORTS_WAVE_VIEW_H
#define LW_APP_REPORTS_WAVE_VIEW_H

#include "common/error.h"
#include "dpi/session.h"

#include <stdbool.h>

/* Writes the view of a mismatch: the cycle, the marker, and of each register and port that differs
 * the RTL's value beside the twin's. False and a sentence where it cannot be written. */
bool lw_view_write(const char *path, const char *waves, const lw_params *params,
                   const lw_mismatch *mismatch, lw_error *err);

#endif
