/* INI files, read line by line (libinih) for those who know their keys: system files and the timing
 * files of memories. Each refusal is one sentence that begins with the file and the line. */
#ifndef LW_COMMON_INI_FILE_H
#define LW_COMMON_INI_FILE_H

#include "common/error.h"

#include <stdio.h>

/* What became of a key: taken; refused, with a sentence that still wants the file and line in front
 * of it; or refused with one that is whole. */
typedef enum lw_ini_verdict { LW_INI_TAKEN, LW_INI_REFUSED, LW_INI_REFUSED_WHOLE } lw_ini_verdict;

/* A line `name = value` below `[section]`, "" above all sections. */
typedef struct lw_ini_line {
    const char *section, *name, *value;
    int number;
} lw_ini_line;

typedef lw_ini_verdict lw_ini_take_fn(void *ctx, const lw_ini_line *line, lw_error *refusal);

/* What the files of a kind have in common. */
typedef struct lw_ini_kind {
    const char *name;            /* what such a file is: "system file" */
    const char *const *sections; /* that it may have, NULL behind the last */
    lw_ini_take_fn *take;
} lw_ini_kind;

/* Gives each key of the file to `take`, up to the first that it refuses, and closes the file. A
 * section that the kind does not have is refused, with keys or without. */
bool lw_ini_read(FILE *file, const char *path, const lw_ini_kind *kind, void *ctx, lw_error *err);

/* The first key that stands in a file keeps its line in *seen (0: none yet); false and a sentence
 * where it stands there a second time. */
bool lw_ini_once(int *seen, int line, const char *name, lw_error *refusal);

#endif
