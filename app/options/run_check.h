/* Arguments that would have no effect are a slip: refused, as is a file that stands for two. */
#ifndef LW_APP_OPTIONS_RUN_CHECK_H
#define LW_APP_OPTIONS_RUN_CHECK_H

#include "app/options/options.h"

/* False and a sentence where an option does not touch the workload that was asked for, or where a
 * file that is written is written by another option too, or read. */
bool lw_run_check(const lw_options *options, lw_error *err);

/* The same of the files that are read without standing on the command line themselves, once the
 * system is known: what it extends, its dram's and its mapping's, and the parts of a trace. */
bool lw_run_check_inputs(const lw_options *options, lw_error *err);

#endif
