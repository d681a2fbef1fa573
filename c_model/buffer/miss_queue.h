/* The misses on their way into the IOMMU buffer (chapter 4): the miss queue, and the insertion
 * register behind it, whose miss enters the buffer next. So hits pass while the buffer is full.
 *
 * Order within a cycle: lw_miss_queue_mark, then the insertion of what the register holds, then
 * lw_miss_queue_step. */
#ifndef LW_C_MODEL_BUFFER_MISS_QUEUE_H
#define LW_C_MODEL_BUFFER_MISS_QUEUE_H

#include "c_model/base/signals.h"
#include "c_model/base/watch.h"

enum { LW_MISS_QUEUE_MAX = 64 };

typedef struct lw_miss_queue {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_miss next;                  /* the insertion register (R4.8) */
    uint32_t head, count;          /* of the queue; count: 0 to MISS_QUEUE */
    lw_miss at[LW_MISS_QUEUE_MAX]; /* the places of the queue (R4.12), whose `valid` nobody uses */
} lw_miss_queue;

void lw_miss_queue_init(lw_miss_queue *m, const lw_config *cfg, const lw_watch *watch);

/* R4.10: the misses in the register and in the queue that become STALE. */
void lw_miss_queue_mark(lw_miss_queue *m, const lw_mark *mark, const lw_roots *roots);
/* R4.8: the register, whose miss has been `inserted` or not, and the queue; `decided` is the miss
 * that is decided in this cycle, if it is valid. True if a miss enters the register (R2.1). */
bool lw_miss_queue_step(lw_miss_queue *m, bool inserted, const lw_miss *decided);

/* R11.5: whether a miss that waits is STALE. */
bool lw_miss_queue_any_stale(const lw_miss_queue *m);
/* Whether lw_miss_queue_step does something without a miss that is decided or inserted. */
static inline bool lw_miss_queue_move(const lw_miss_queue *m) {
    return !m->next.valid && m->count != 0; /* only after a flip */
}

#endif
