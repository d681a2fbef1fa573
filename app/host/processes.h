/* Work whose parts do not need each other, side by side: each part in a process of its own, so that
 * nothing of one reaches another, and as many at a time as the caller says. */
#ifndef LW_APP_HOST_PROCESSES_H
#define LW_APP_HOST_PROCESSES_H

#include "common/error.h"

#include <stddef.h>

typedef struct lw_processes lw_processes;

/* Does part `number`, in a process that has a copy of what the caller had when the part began. What
 * it leaves in `place` the caller sees, also while it works; nothing else of it. It is told to end
 * by SIGTERM. Returns a status, 0..255. */
typedef int lw_process_work(void *ctx, size_t number, void *place);

/* What the caller waits for is there, still worked at, or ended without a status. */
typedef enum lw_process_state {
    LW_PROCESS_DONE,
    LW_PROCESS_WORKING,
    LW_PROCESS_DIED
} lw_process_state;

/* Parts 0..count-1, of which the first `at_once` (at least 1) begin now and the others in their
 * order, as soon as one has ended. A place has `place_bytes` bytes, zero at first. NULL and a
 * sentence where there is no memory or no process for it. */
lw_processes *lw_processes_new(size_t count, size_t at_once, size_t place_bytes,
                               lw_process_work *work, void *ctx, lw_error *err);

/* Looks after all of them and waits for part `number`, a tenth of a second or a signal at most;
 * `status` is written where it is done, and where it died the number of the signal, or 0 where no
 * process could begin. */
lw_process_state lw_processes_wait(lw_processes *processes, size_t number, int *status);

/* What part `number` has left so far; good until lw_processes_free. */
void *lw_processes_place(const lw_processes *processes, size_t number);

/* Tells what still works to end and waits for it; what has not begun does not begin any more. */
void lw_processes_end(lw_processes *processes);

/* The same, and gives all back; NULL is allowed. */
void lw_processes_free(lw_processes *processes);

/* The processors that this program may use, at least 1. */
size_t lw_processors(void);

#endif
