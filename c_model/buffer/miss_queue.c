#include "c_model/buffer/miss_queue.h"

#include "c_model/base/address.h"

void lw_miss_queue_init(lw_miss_queue *m, const lw_config *cfg, const lw_watch *watch) {
    *m = (lw_miss_queue){.cfg = cfg, .watch = watch};
}

/* R14.1: the place of the n-th miss in the queue. */
static uint32_t place_of(const lw_miss_queue *m, uint32_t n) {
    return (m->head + n) % m->cfg->hw.miss_queue;
}

static bool becomes_stale(const lw_miss *miss, const lw_mark *mark, const lw_roots *roots) {
    const uint32_t pasid = lw_key_pasid(miss->key);
    return lw_mark_meets(mark, pasid) && !lw_roots_has(roots, pasid);
}

void lw_miss_queue_mark(lw_miss_queue *m, const lw_mark *mark, const lw_roots *roots) {
    if (m->next.valid && becomes_stale(&m->next, mark, roots)) {
        m->next.stale = true;
        lw_touch(m->watch, LW_S_MISS, 0);
    }
    for (uint32_t n = 0; n < m->count; n++) {
        const uint32_t place = place_of(m, n);
        if (becomes_stale(&m->at[place], mark, roots)) {
            m->at[place].stale = true;
            lw_touch(m->watch, LW_S_MISS_QUEUE, place);
        }
    }
}

static void push(lw_miss_queue *m, const lw_miss *miss) {
    const uint32_t place = place_of(m, m->count);
    m->at[place] = *miss;
    m->count++;
    lw_touch(m->watch, LW_S_MISS_QUEUE, place);
}

static void pop(lw_miss_queue *m) {
    m->next = m->at[place_of(m, 0)];
    m->next.valid = true;
    m->head = m->head + 1 >= m->cfg->hw.miss_queue ? 0 : m->head + 1;
    m->count--;
}

bool lw_miss_queue_step(lw_miss_queue *m, bool inserted, const lw_miss *decided) {
    const bool free = inserted || !m->next.valid;
    const bool waits = m->count != 0; /* at the beginning of the cycle: before it nobody passes */
    if (!decided->valid && (!free || (!inserted && !waits))) {
        return false;
    }
    if (free && waits) {
        pop(m);
    } else if (free && decided->valid) {
        m->next = *decided;
    } else if (free) {
        m->next.valid = false;
    }
    if (decided->valid && (waits || !free)) {
        push(m, decided);
    }
    lw_touch(m->watch, LW_S_MISS, 0);
    return free && m->next.valid;
}

bool lw_miss_queue_any_stale(const lw_miss_queue *m) {
    bool any = m->next.valid && m->next.stale;
    for (uint32_t n = 0; n < m->count; n++) {
        any |= m->at[place_of(m, n)].stale;
    }
    return any;
}
