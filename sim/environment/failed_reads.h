/* The reads of walkers that memory has failed. Each excuses one answer MEMORY_ERROR (R9.9), of a
 * request that was in flight when the error came.
 *
 * Which of several errors an answer is of the ports do not show, where regions share the slots of a
 * hashed table: an answer is refused only where errors cannot be given to all answers so far, one
 * to each. */
#ifndef LW_SIM_ENVIRONMENT_FAILED_READS_H
#define LW_SIM_ENVIRONMENT_FAILED_READS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_failed_reads lw_failed_reads;

lw_failed_reads *lw_failed_reads_new(void); /* NULL where there is no memory */
void lw_failed_reads_free(lw_failed_reads *f);
/* An error came in cycle `now`. What came before `oldest`, the cycle in which the request that
 * waits longest went into flight, excuses nobody any more. False where there is no memory. */
bool lw_failed_reads_add(lw_failed_reads *f, uint64_t line, uint64_t now, uint64_t oldest);
/* An answer is looked at, of a request that went into flight in cycle `since`: no line is its own
 * yet. */
void lw_failed_reads_ask(lw_failed_reads *f, uint64_t since);
/* The answer may be of a failed read of this line too: whether an error of one of its lines is left
 * for it, or can be, as the answer that it was given to has another. */
bool lw_failed_reads_may(lw_failed_reads *f, uint64_t line);
/* The answer has been accepted: it has its error, where there is one. */
void lw_failed_reads_use(lw_failed_reads *f);

#endif
