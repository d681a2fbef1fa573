/* Who uses the CAM port and the buffer's read port in a cycle (R4.4, R5.2, R5.6, R5.20, R7.7), and
 * the two registers on the way of an entry from the buffer to a walker: what is asked for, what was
 * read. */
#ifndef LW_C_MODEL_WALK_ENTRY_READER_H
#define LW_C_MODEL_WALK_ENTRY_READER_H

#include "c_model/walk/page_walkers.h"

/* Whose turn it is in a cycle, on the state at its beginning; LW_NONE where it is nobody's. */
typedef struct lw_turns {
    int32_t scanner;  /* R9.2: the walker whose line is scanned */
    bool scan_on_cam; /* R9.2: the CAM takes it, as it is neither STALE nor met by a mark */
    bool looks;       /* R5.20: READ_WALKER looks at what was read */
    bool vain;        /* R5.20: and yet no walk can start */
    int32_t advancer; /* R7.7 */
    int32_t asker;    /* R5.6: the walker that has its entry read again */
    int32_t picker;   /* R5.2: the walker that is given the oldest eligible entry, and its slot */
    uint16_t oldest;
    bool first; /* R5.27: it will be looked up again */
} lw_turns;

/* What the reader sees of the buffer at the beginning of the cycle. */
typedef struct lw_buffer_view {
    const lw_cam_op *search, *update; /* of the CAM */
    int32_t oldest;                   /* the slot of the oldest eligible entry, or LW_NONE (R5.2) */
} lw_buffer_view;

/* `mark`: that of this cycle (R11.3, R11.7); `takes_part`: bit k set if level k does (R9.1), for
 * what is close (R5.21). */
lw_turns lw_walkers_turns(const lw_walkers *w, const lw_buffer_view *b, const lw_mark *mark,
                          uint32_t takes_part);

/* R5.26: whether there is a look in this cycle that has the unified TLB asked once more, which
 * needs room in the hit queue; and what it asks. */
bool lw_walkers_asks_tlb(const lw_walkers *w, bool hit_room);
lw_request lw_walkers_second(const lw_walkers *w);

/* R5.18: what the read register becomes, on the state at the beginning of the cycle, but for the
 * entry asked for and READ_NEAR, which the caller reads where something is asked; then, when a
 * walker has used what the register held, that or nothing. With a mark nothing is read (R11.3). */
void lw_walkers_plan_read(const lw_walkers *w, bool mark, lw_read *next);
void lw_walkers_load_read(lw_walkers *w, const lw_read *next);
/* R5.2, R5.3, R5.6: who has an entry read, after all that leads walkers to IDLE in the cycle; not
 * to be called in that of a mark (R11.3). */
void lw_walkers_ask(lw_walkers *w, const lw_turns *t);

#endif
