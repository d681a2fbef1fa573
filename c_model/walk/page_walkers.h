/* The page walkers (chapter 7): the PWST, look and advance (chapters 5 and 9), and the registers of
 * the walk memory port (chapter 8); the scan of a walker's line is line_scan.h's. What they say to
 * the CAM and the buffer leaves them as an lw_cam_op and an lw_decision.
 *
 * A walker's event of a cycle is decided by the state that it is in at the cycle's beginning; the
 * caller chooses from lw_walkers.in_state before it calls the functions that move walkers on. */
#ifndef LW_C_MODEL_WALK_PAGE_WALKERS_H
#define LW_C_MODEL_WALK_PAGE_WALKERS_H

#include "c_model/base/signals.h"
#include "c_model/walk/page_walk_cache.h"
#include "c_model/walk/step_lookup.h"

enum { LW_WALKERS_MAX = 32 };

/* R7.1, R7.2. A walker in MEM may stay there for ever (R7.8). */
enum { LW_IDLE, LW_READ, LW_PWC_REQ, LW_PWC_WAIT, LW_CAM, LW_REQ, LW_MEM, LW_RESP, LW_STATES };

typedef struct lw_pwst {
    uint64_t key; /* {PASID, VPN} */
    uint64_t node;
    uint16_t id, src, contig, slot;
    uint8_t state, access, level, perm, kind, flevel, size;
    uint8_t where, bucket; /* chapter 21, LW_WHERE_*; of a walk in a hashed table */
    bool started, stale, tried, own_line, no_fill, retried;
} lw_pwst;

/* R5.3: the ask register. */
typedef struct lw_ask {
    bool valid, first; /* first: R5.27 */
    uint8_t walker;
    uint16_t slot;
} lw_ask;

/* R5.18: the read register. */
typedef struct lw_read {
    lw_entry entry;
    uint16_t slot;
    uint8_t walker;
    bool valid, near, first;
} lw_read;

typedef struct lw_walkers {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_pwst walker[LW_WALKERS_MAX];
    uint32_t ahead[LW_WALKERS_MAX]; /* R5.22: a bit for each walker */
    uint32_t placed; /* a bit for each WHERE with which a walker reads {NODE, BUCKET} (R21.8) */
    lw_ask ask;
    lw_read read;
    /* derived: a bit for each walker */
    uint32_t in_state[LW_STATES], started, stale, tried;
    uint32_t count[LW_STATES], started_count; /* of those bits */
    uint32_t followed;                        /* those in IDLE as the last cycle began (R5.22) */
    /* the memory request register (R8.1) and the line register (R8.3) */
    bool req_valid, line_valid, line_error;
    uint32_t req_tag, line_tag;
    uint64_t req_line;
    uint64_t line[8];
} lw_walkers;

void lw_walkers_init(lw_walkers *w, const lw_config *cfg, const lw_watch *watch);

static inline int32_t lw_lowest_walker(uint32_t mask) {
    return mask == 0 ? LW_NONE : __builtin_ctz(mask);
}

/* R5.22: of these walkers the one that was given its entry first, LW_NONE of none. */
static inline int32_t lw_walkers_oldest(const lw_walkers *w, uint32_t set) {
    for (uint32_t m = set; m != 0; m &= m - 1) {
        const int32_t i = __builtin_ctz(m);
        if ((w->ahead[i] & set) == 0) {
            return i;
        }
    }
    return lw_lowest_walker(set); /* of none, or after a flip that lets walkers wait in a ring */
}

/* What the page walk cache is asked by this walker. */
lw_pwc_query lw_walkers_query(const lw_pwst *p);

/* The access that a walker makes next or has made. */
static inline lw_access lw_walkers_access(const lw_pwst *p) {
    return (lw_access){.key = p->key,
                       .reach = lw_reach_of(p->contig, p->level, p->key),
                       .level = p->level,
                       .perm = p->perm};
}

/* R5.22: AHEAD of all walkers, from those that were in IDLE at the beginning of the cycle. */
void lw_walkers_follow(lw_walkers *w, uint32_t idle);
/* Whether it would change nothing in the next cycle. */
static inline bool lw_walkers_have_followed(const lw_walkers *w) {
    return w->followed == w->in_state[LW_IDLE];
}
/* R5.2, R14.2: an IDLE walker is given an entry, after all that leads others to IDLE in the cycle.
 */
void lw_walkers_pick(lw_walkers *w, uint32_t i);
/* R5.6: a walker in CAM has its entry read again. */
void lw_walkers_read_again(lw_walkers *w, uint32_t i);
/* R21.13: of these walkers those that are not at an upper level of a victim buffer. */
uint32_t lw_walkers_but_victims(const lw_walkers *w, uint32_t set);
/* R7.3: the walkers with an access in flight. */
static inline uint32_t lw_walkers_in_flight(const lw_walkers *w) {
    const uint32_t flying = w->started & ~w->stale & ~w->in_state[LW_RESP];
    return w->cfg->hw.pwc_org == LW_PWC_OF_STEPS ? lw_walkers_but_victims(w, flying) : flying;
}
/* ... and what one of them has. */
lw_access lw_walkers_flying(const lw_pwst *p);
/* R4.3: those accesses, for a new entry: so many. */
uint32_t lw_walkers_flight(const lw_walkers *w, lw_flight flight[LW_WALKERS_MAX]);
/* What a walker looks at beside what was read, on the state at the beginning of the cycle. */
typedef struct lw_look {
    const lw_features *features;
    const lw_roots *roots;
    lw_mark mark;
    lw_learnt learnt; /* R5.25 */
    bool second;      /* R5.26: the unified TLB is asked once more */
    bool vain;        /* R5.20: a scan is taken, something close is on its way, or R5.29 */
} lw_look;

/* R5.20, with R5.4 to R5.10: READ_WALKER looks at what was read. `op` is what the CAM takes: of
 * operation LW_OP_NONE if no walk starts, or if the mark meets it (R11.7). */
lw_decision lw_walkers_look(lw_walkers *w, const lw_look *look, lw_events *events, lw_cam_op *op);
/* R5.28: the second lookup of a walker ends; what becomes of its entry. */
lw_decision lw_walkers_end_second(lw_walkers *w, const lw_second_end *end);
/* R7.7: what the CAM takes, of operation LW_OP_NONE from a walker that is STALE or that the mark
 * meets. */
lw_cam_op lw_walkers_advance(lw_walkers *w, uint32_t i, const lw_features *features,
                             const lw_mark *mark);

/* R6.1, and what follows from a result (R6.2, R6.3). */
void lw_walkers_enter_pwc(lw_walkers *w, uint32_t i);
void lw_walkers_leave_pwc(lw_walkers *w, const lw_pwc_result *result);
/* R21.7 */
void lw_walkers_leave_steps(lw_walkers *w, const lw_step_result *result);

/* R8.4: the walker of the line register, LW_NONE if it is empty or its line is no walker's. */
static inline int32_t lw_walkers_scanner(const lw_walkers *w) {
    const bool scan = w->line_valid && ((uint64_t)w->in_state[LW_MEM] >> w->line_tag & 1) != 0;
    return scan ? (int32_t)w->line_tag : LW_NONE;
}

/* R8.1: a walker's line is asked for. */
void lw_walkers_await_line(lw_walkers *w, uint32_t i);

/* R7.6, R10.1, R10.13: how the walk of the oldest of some walkers in RESP has ended, if there is
 * one; and that its answer is taken. */
void lw_walkers_result(const lw_walkers *w, uint32_t some, lw_result *out);
void lw_walkers_answered(lw_walkers *w, uint32_t some);
/* R11.2: the mark, `waiting` being the walkers that were in MEM at the beginning of the cycle
 * (R6.15). */
void lw_walkers_mark(lw_walkers *w, const lw_mark *mark, uint32_t waiting);

void lw_walkers_derive(lw_walkers *w);

#endif
