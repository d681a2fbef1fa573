/* The files of a window of requests (dpi/stage_window.h): --konata, a log that the pipeline viewer
 * Konata reads (Kanata 0004), and --perfetto, a Chrome trace that ui.perfetto.dev reads. Both show
 * each request with the stages that it goes through; a cycle is a microsecond in the latter. */
#ifndef LW_APP_REPORTS_STAGE_FILES_H
#define LW_APP_REPORTS_STAGE_FILES_H

#include "app/host/output.h"
#include "app/options/options.h"
#include "dpi/stage_window.h"

#include <stdbool.h>

typedef struct lw_stage_file {
    lw_output output;
    bool is_open, begun;
    uint64_t cycle, retired; /* of a Konata log: the present cycle, and requests that have ended */
    uint8_t *named;          /* of a Chrome trace: whether an id has its name, by id */
} lw_stage_file;

typedef struct lw_stage_files {
    lw_stage_file konata, perfetto;
    lw_stage_window *window; /* NULL where neither is asked for */
} lw_stage_files;

/* Opens the files that the options ask for, or none. False and a sentence where one cannot be; then
 * nothing is left open. */
bool lw_stage_files_open(lw_stage_files *files, const lw_options *options, lw_error *err);
/* Puts them in their places; takes them away again where the run was not `good`. False and a
 * sentence where one could not be written to its end. */
bool lw_stage_files_close(lw_stage_files *files, bool good, lw_error *err);

#endif
