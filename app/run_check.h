/* Arguments that would have no effect are a slip: refused, as is a file that stands for two. */
#ifndef LW_APP_RUN_CHECK_H
#define LW_APP_RUN_CHECK_H

#include "app/options.h"

/* False and a sentence where an option does not touch the workload that was asked for, or where a
 * file that is written is written by another option too, or read. */
bool lw_run_check(const lw_options *options, lw_error *err);

#endif
