#include "c_model/reach/check_queue.h"

void lw_check_queue_init(lw_check_queue *q, uint32_t places, const lw_watch *watch) {
    *q = (lw_check_queue){.watch = watch, .places = places};
}

static uint32_t place_of(const lw_check_queue *q, uint32_t nth) {
    return (q->head + nth) % q->places;
}

bool lw_check_is_same(const lw_check *a, const lw_check *b) {
    return a->pasid == b->pasid && a->vsn == b->vsn;
}

bool lw_check_queue_has(const lw_check_queue *q, const lw_check *job) {
    for (uint32_t n = 0; n < q->count; n++) {
        const lw_check *other = &q->job[place_of(q, n)];
        if (other->valid && lw_check_is_same(other, job)) {
            return true;
        }
    }
    return false;
}

bool lw_check_queue_is_full(const lw_check_queue *q) {
    return q->count == q->places;
}

/* A pop of the same cycle has left HEAD + COUNT as it was. */
void lw_check_queue_push(lw_check_queue *q, const lw_check *job) {
    const uint32_t place = place_of(q, q->count);
    q->job[place] = *job;
    q->count++;
    lw_touch(q->watch, LW_S_CHECK_RING, 0);
    lw_touch(q->watch, LW_S_CHECK_QUEUE, place);
}

const lw_check *lw_check_queue_pop(lw_check_queue *q) {
    const lw_check *job = &q->job[q->head];
    q->head = place_of(q, 1);
    q->count--;
    lw_touch(q->watch, LW_S_CHECK_RING, 0);
    return job;
}

void lw_check_queue_mark(lw_check_queue *q, const lw_mark *mark) {
    for (uint32_t n = 0; n < q->count; n++) {
        const uint32_t place = place_of(q, n);
        if (lw_mark_meets(mark, q->job[place].pasid)) {
            q->job[place].valid = false;
            lw_touch(q->watch, LW_S_CHECK_QUEUE, place);
        }
    }
}
