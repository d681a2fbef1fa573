/* The reads of walkers that memory has failed. Each excuses one answer MEMORY_ERROR (R9.9), of a
 * request that was in flight when the error came. */
#ifndef LW_SIM_SYSTEM_FAILED_READS_H
#define LW_SIM_SYSTEM_FAILED_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_failed_reads lw_failed_reads;

lw_failed_reads *lw_failed_reads_new(void); /* NULL where there is no memory */
void lw_failed_reads_free(lw_failed_reads *f);
/* An error came in cycle `now`. What came before `oldest`, the cycle in which the request that
 * waits longest went into flight, excuses nobody any more. False where there is no memory. */
bool lw_failed_reads_add(lw_failed_reads *f, uint64_t line, uint64_t now, uint64_t oldest);
/* An error of the line, in cycle `since` or later, that has excused no answer: the oldest. */
bool lw_failed_reads_find(const lw_failed_reads *f, uint64_t line, uint64_t since, size_t *found);
/* The error found has excused an answer. */
void lw_failed_reads_use(lw_failed_reads *f, size_t found);

#endif
