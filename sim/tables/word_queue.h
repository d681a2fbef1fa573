/* Changes of memory that wait: 64-bit words, written one after the other in the order in which they
 * were added, so that whoever reads in between sees each state that software leaves on its way. A
 * word that would change nothing is passed over. */
#ifndef LW_SIM_TABLES_WORD_QUEUE_H
#define LW_SIM_TABLES_WORD_QUEUE_H

#include "common/error.h"
#include "sim/memory/phys_mem.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_word_queue lw_word_queue;

/* `mem` must outlive it. NULL and a sentence without memory. */
lw_word_queue *lw_word_queue_new(lw_phys_mem *mem, lw_error *err);
void lw_word_queue_free(lw_word_queue *q);

/* The word at byte address pa, a multiple of 8, becomes value when its turn comes. False and a
 * sentence without memory. */
bool lw_word_queue_add(lw_word_queue *q, uint64_t pa, uint64_t value, lw_error *err);

/* Writes the next word that changes something; *written: there was one. False and a sentence where
 * memory refuses it. */
bool lw_word_queue_step(lw_word_queue *q, bool *written, lw_error *err);
/* Writes all. */
bool lw_word_queue_drain(lw_word_queue *q, lw_error *err);

bool lw_word_queue_is_empty(const lw_word_queue *q);
uint64_t lw_word_queue_written(const lw_word_queue *q); /* words that have changed, in all */

#endif
