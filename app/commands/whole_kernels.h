/* What kernels take whole, where it has been measured: a table shows it beside its cuts, so that
 * one sees how far a cut is from its kernel. `lockwalk table nha --whole --csv
 * papers/whole_kernels.csv` writes the file, on the C twin. */
#ifndef LW_APP_COMMANDS_WHOLE_KERNELS_H
#define LW_APP_COMMANDS_WHOLE_KERNELS_H

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>

enum { LW_WHOLE_RUNS = 256 };

typedef struct lw_whole_run {
    char kernel[32], system[32];
    uint64_t cycles;
} lw_whole_run;

typedef struct lw_whole_kernels {
    lw_whole_run run[LW_WHOLE_RUNS];
    size_t count;
} lw_whole_kernels;

/* Reads papers/whole_kernels.csv below `root`; without that file nothing is known. False and a
 * sentence that names the file and the line where it is no such table. */
bool lw_whole_kernels_load(lw_whole_kernels *whole, const char *root, lw_error *err);

/* The cycles of the whole kernel on `system` as a part of those on `base`; 0 where one of them is
 * not known. */
double lw_whole_kernels_relative(const lw_whole_kernels *whole, const char *kernel,
                                 const char *system, const char *base);

#endif
