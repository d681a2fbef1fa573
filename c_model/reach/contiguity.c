#include "c_model/reach/contiguity.h"

#include "c_model/base/slot_line.h"

enum { ALL_PLACES = 0xff, LAST_STEP = LW_HEADS - 2, SUBREGION_PAGES = 1 << LW_SUBREGION_SHIFT };

void lw_contiguity_init(lw_contiguity *c, const lw_config *cfg, const lw_watch *watch) {
    *c = (lw_contiguity){.cfg = cfg, .watch = watch};
    lw_check_queue_init(&c->queue, cfg->hw.check_queue, watch);
}

static uint32_t place_of(const lw_check *job) {
    return (uint32_t)job->vsn & (LW_HEADS - 1);
}

static bool is_under_way(const lw_contiguity *c) {
    return c->state != LW_CHECK_IDLE && c->state != LW_CHECK_DRAIN;
}

/* The places whose neighbour on one side is set. */
static uint32_t beside(uint32_t bits) {
    return (bits << 1 | bits >> 1) & ALL_PLACES;
}

/* R16.5 */
static uint32_t need(const lw_contiguity *c) {
    return c->job.bits & beside(c->job.bits) & ~(UINT32_C(1) << place_of(&c->job));
}

bool lw_contiguity_is_busy(const lw_contiguity *c) {
    switch (c->state) {
    case LW_CHECK_IDLE:
        return c->queue.count != 0;
    case LW_CHECK_READ:
        return lw_contiguity_asks(c) != LW_NONE || c->got == need(c);
    case LW_CHECK_DRAIN:
        return c->asked == c->got;
    default:
        return true;
    }
}

int32_t lw_contiguity_asks(const lw_contiguity *c) {
    const uint32_t open = c->state == LW_CHECK_READ ? need(c) & ~c->asked : 0;
    return open != 0 ? __builtin_ctz(open) : LW_NONE;
}

/* R16.6 with R1.1: the PTE of index {place, 6'b0}. */
uint64_t lw_contiguity_line(const lw_contiguity *c, uint32_t place) {
    return c->job.node << 6 | place << LW_SUBREGION_SHIFT >> 3;
}

int32_t lw_contiguity_waits_for(const lw_contiguity *c, uint32_t tag) {
    const uint32_t place = tag - c->cfg->hw.walkers;
    const bool reads = c->state == LW_CHECK_READ || c->state == LW_CHECK_DRAIN;
    const bool waits = reads && place < LW_HEADS && (c->asked & ~c->got & 1u << place) != 0;
    return waits ? (int32_t)place : LW_NONE;
}

/* ---------------------------------------------------------------- a job's way in */

/* R16.13 */
static bool has_queue(const lw_contiguity *c) {
    return c->cfg->hw.head_first == 0;
}

/* R16.2 */
static bool is_known(const lw_contiguity *c, const lw_check *job) {
    return (is_under_way(c) && lw_check_is_same(&c->job, job)) ||
           (has_queue(c) && lw_check_queue_has(&c->queue, job));
}

static void set_head(lw_contiguity *c, uint32_t place, lw_head head) {
    c->head[place] = head;
    lw_touch(c->watch, LW_S_HEAD, place);
}

enum { READ = 0, LEAF_LEVEL = 1 };

/* What a head's own PTE says. */
static lw_head head_of(const lw_pte *pte) {
    return (lw_head){.pfn = pte->frame, .perm = pte->perm, .ok = lw_kind_for(pte, READ) == LW_OK};
}

/* R16.15. In a slot (R20.5, R20.26) it is one only with the tag of the region, whose VPN the job's
 * is but for its low bits. */
static lw_head head_of_line(const lw_contiguity *c, const uint64_t line[8], bool error) {
    const lw_check *job = &c->job;
    const uint64_t vpn = job->vsn << LW_SUBREGION_SHIFT;
    const lw_pte pte = job->tagged ? lw_decode_sized(c->cfg, line[0], vpn, LW_REACH_SUBREGION)
                                   : lw_decode(c->cfg, line[0], LEAF_LEVEL, 0);
    lw_head head = head_of(&pte);
    head.ok &=
        !error && (!job->tagged || lw_slot_line_carries(c->cfg, line, lw_key(job->pasid, vpn)));
    return head;
}

static void begin(lw_contiguity *c, const lw_check *job, uint32_t state, uint32_t got) {
    c->job = *job;
    c->state = (uint8_t)state;
    c->map = c->step = 0;
    c->asked = c->got = (uint8_t)got;
}

/* R16.3 */
static void pop(lw_contiguity *c) {
    const lw_check *job = lw_check_queue_pop(&c->queue);
    if (job->valid) {
        begin(c, job, LW_CHECK_LOOKUP, 0);
        set_head(c, place_of(job), (lw_head){.pfn = job->pfn, .perm = job->pte_perm, .ok = true});
    }
}

/* R16.13 */
static void begin_with_line(lw_contiguity *c, const lw_check *job, const uint64_t line[LW_HEADS]) {
    begin(c, job, LW_CHECK_JOIN, ALL_PLACES);
    for (uint32_t i = 0; i < LW_HEADS; i++) {
        const lw_pte pte = lw_decode(c->cfg, line[i], LEAF_LEVEL, 0);
        set_head(c, i, head_of(&pte));
    }
}

/* ---------------------------------------------------------------- one job */

static lw_msc_key key_of(const lw_check *job) {
    return (lw_msc_key){.pasid = job->pasid, .vsn = job->vsn, .node = job->node};
}

/* R16.4 */
static void look_up(lw_contiguity *c, lw_msc *msc, lw_events *counted) {
    const lw_msc_key key = key_of(&c->job);
    const bool hit = lw_msc_lookup(msc, &key, &c->map);
    c->state = hit ? LW_CHECK_INSERT : LW_CHECK_READ;
    lw_count(counted, LW_C_MSC_LOOKUPS, 1);
    lw_count(counted, LW_C_MSC_HITS, hit);
}

/* R16.8: whether the heads of a place and the next one say that the two join. */
static bool heads_join(const lw_contiguity *c, uint32_t place) {
    const uint32_t both = UINT32_C(3) << place;
    const uint32_t known = c->got | UINT32_C(1) << place_of(&c->job);
    const lw_head *a = &c->head[place], *b = &c->head[place + 1];
    return (c->job.bits & known & both) == both && a->ok && b->ok && a->perm == b->perm &&
           ((a->pfn + SUBREGION_PAGES) & c->cfg->pfn_mask) == b->pfn;
}

static void join(lw_contiguity *c) {
    const uint32_t step = c->step;
    c->map = (uint8_t)((c->map & ~(1u << step)) | (uint32_t)heads_join(c, step) << step);
    if (step < LAST_STEP) {
        c->step++;
    } else {
        c->state = c->cfg->hw.head_first != 0 ? LW_CHECK_INSERT : LW_CHECK_FILL;
    }
}

lw_join lw_contiguity_join(const lw_contiguity *c) {
    if (c->state != LW_CHECK_INSERT) {
        return (lw_join){.valid = false};
    }
    const uint32_t x = place_of(&c->job);
    uint32_t first = x, last = x;
    while (first > 0 && (c->map >> (first - 1) & c->job.bits >> (first - 1) & 1) != 0) {
        first--;
    }
    while (last + 1 < LW_HEADS && (c->map >> last & c->job.bits >> (last + 1) & 1) != 0) {
        last++;
    }
    const uint64_t before = (uint64_t)(x - first) << LW_SUBREGION_SHIFT;
    return (lw_join){.vsn = c->job.vsn - x + first,
                     .pfn = (c->head[x].pfn - before) & c->cfg->pfn_mask,
                     .pasid = c->job.pasid,
                     .valid = first != last,
                     .length = (uint8_t)(last - first),
                     .perm = c->job.perm};
}

/* R16.10 */
static void insert(lw_contiguity *c, const lw_contiguity_events *e) {
    if (!lw_contiguity_join(c).valid || e->join_taken) {
        c->state = LW_CHECK_IDLE;
    }
}

/* R16.6, R16.7 */
static void read_heads(lw_contiguity *c, const lw_contiguity_events *e) {
    if (c->state == LW_CHECK_READ && c->got == need(c)) {
        c->state = LW_CHECK_JOIN;
    } else if (c->state == LW_CHECK_DRAIN && c->got == c->asked) {
        c->state = LW_CHECK_IDLE;
    }
    if (e->arrived != LW_NONE) {
        const uint32_t place = (uint32_t)e->arrived;
        c->got |= (uint8_t)(1u << place);
        if (c->state == LW_CHECK_READ) {
            set_head(c, place, head_of_line(c, e->line, e->error));
        }
    }
    if (e->asked != LW_NONE) {
        c->asked |= (uint8_t)(1u << e->asked);
    }
}

/* R16.9 */
static void fill(lw_contiguity *c, lw_msc *msc) {
    const lw_msc_key key = key_of(&c->job);
    lw_msc_fill(msc, &key);
    c->state = LW_CHECK_INSERT;
}

static void work(lw_contiguity *c, lw_msc *msc, const lw_contiguity_events *e, lw_events *counted) {
    const bool msc_is_free = msc != NULL && lw_msc_at_rest(msc);
    switch (c->state) {
    case LW_CHECK_IDLE:
        if (has_queue(c) && c->queue.count != 0) {
            pop(c);
        }
        break;
    case LW_CHECK_LOOKUP:
        c->state = LW_CHECK_COMPARE;
        break;
    case LW_CHECK_COMPARE:
        if (msc_is_free) {
            look_up(c, msc, counted);
        }
        break;
    case LW_CHECK_JOIN:
        join(c);
        break;
    case LW_CHECK_FILL:
        if (msc_is_free) {
            fill(c, msc);
        }
        break;
    case LW_CHECK_INSERT:
        insert(c, e);
        break;
    default:
        read_heads(c, e);
        break;
    }
}

void lw_contiguity_step(lw_contiguity *c, lw_msc *msc, const lw_contiguity_events *e,
                        lw_events *counted) {
    const bool head_first = c->cfg->hw.head_first != 0;
    const bool known = e->check->valid && is_known(c, e->check); /* before anything moves */
    const bool room = head_first ? c->state == LW_CHECK_IDLE : !lw_check_queue_is_full(&c->queue);
    if (msc != NULL) { /* R16.19: for the job as it stands */
        const lw_msc_key key = key_of(&c->job);
        lw_msc_settle(msc, &key, c->map);
    }
    work(c, msc, e, counted);
    if (e->check->valid) {
        lw_count(counted, LW_C_CHECKS_MERGED, known);
        lw_count(counted, LW_C_CHECKS_DROPPED, !known && !room);
    }
    if (e->check->valid && !known && room) {
        if (head_first) {
            begin_with_line(c, e->check, e->line);
        } else {
            lw_check_queue_push(&c->queue, e->check);
        }
    }
    lw_touch(c->watch, LW_S_CHECK, 0);
}

void lw_contiguity_mark(lw_contiguity *c, const lw_mark *mark) {
    if (has_queue(c)) {
        lw_check_queue_mark(&c->queue, mark);
    }
    if (c->state != LW_CHECK_IDLE && lw_mark_meets(mark, c->job.pasid)) {
        const bool drains = c->state == LW_CHECK_READ && c->asked != c->got;
        c->state = drains ? LW_CHECK_DRAIN : LW_CHECK_IDLE;
        lw_touch(c->watch, LW_S_CHECK, 0);
    }
}
