/* Ctrl-C: a run that is told to end closes its files and says where it stood. */
#ifndef LW_APP_HOST_INTERRUPT_H
#define LW_APP_HOST_INTERRUPT_H

#include "dpi/session.h"

#include <signal.h>

/* From now on SIGINT, SIGTERM and SIGHUP only set what this points at, to their number; a second
 * one ends the program. What the caller of the program ignores stays ignored. */
const volatile sig_atomic_t *lw_interrupt_watch(void);

/* Prints "lockwalk: " and that `what` was interrupted, and in which cycle where `result` is not
 * NULL. Returns the exit status: 128 and the signal's number, as of a shell. */
int lw_interrupted(const char *what, const lw_session_result *result);

#endif
