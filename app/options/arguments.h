/* A command line that gives a run again, as a shell reads it, from every folder. */
#ifndef LW_APP_OPTIONS_ARGUMENTS_H
#define LW_APP_OPTIONS_ARGUMENTS_H

#include "app/options/options.h"

#include <stdio.h>

/* What is run: system, settings, workload. */
void lw_print_arguments(FILE *file, const lw_options *o);
/* On what, and how it is looked at: design, nets, flips. */
void lw_print_sides(FILE *file, const lw_options *o);

#endif
