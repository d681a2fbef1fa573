/* The files that a command writes. A path may name a regular file, which is then replaced whole or
 * left as it was, or what is none (a FIFO, a device, where stdout goes), which is written to. */
#ifndef LW_APP_HOST_OUTPUT_H
#define LW_APP_HOST_OUTPUT_H

#include "common/error.h"

#include <limits.h>
#include <stdio.h>

typedef struct lw_output {
    FILE *file; /* to write to */
    const char *option, *path;
    char target[PATH_MAX]; /* the regular file to be replaced; "" where the path names none */
    char part[PATH_MAX];   /* what replaces it */
} lw_output;

/* Before a run, whether the path can be written after it, without opening it: a FIFO's reader
 * would see its end. `option` opens the sentence, without dashes; a NULL path is right. */
bool lw_output_check(const char *option, const char *path, lw_error *err);

/* The same for a file in which the writer goes back and forth: no FIFO, no device. */
bool lw_output_check_regular(const char *option, const char *path, lw_error *err);

/* Whether two paths are of one regular file, be it there or not. */
bool lw_output_is_same(const char *path, const char *other);

/* Opens a file that is written whole. Where it returns true, lw_output_end must follow. */
bool lw_output_begin(lw_output *output, const char *option, const char *path, lw_error *err);

/* Puts the file in its place. Where a write has failed, or `good` is false because what was to be
 * written could not be (errno says why), takes it away again: false and a sentence. */
bool lw_output_end(lw_output *output, bool good, lw_error *err);

/* Opens a file that grows while the command runs; `mode` as fopen's: "w", "a". NULL and a sentence
 * where it cannot be opened. */
FILE *lw_output_open(const char *option, const char *path, const char *mode, lw_error *err);

/* Opens a table to which rows are added: a new one begins with the line of its columns, one that is
 * there has it, and whole rows. NULL and a sentence otherwise. */
FILE *lw_output_open_table(const char *option, const char *path, const char *columns,
                           lw_error *err);

/* Closes it; false and a sentence if any write to it has failed. A NULL file is right. */
bool lw_output_close(FILE *file, const char *option, const char *path, lw_error *err);

/* Writes out what stdout still holds; false and a sentence if any write to it has failed. */
bool lw_output_flush(lw_error *err);

#endif
