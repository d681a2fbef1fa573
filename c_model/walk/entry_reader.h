/* Who uses the CAM port and the buffer's read port in a cycle (R4.4, R5.3, R5.6, R7.7), and the two
 * registers on the way of an entry from the buffer to a walker: what is asked for, what was read.
 */
#ifndef LW_C_MODEL_WALK_ENTRY_READER_H
#define LW_C_MODEL_WALK_ENTRY_READER_H

#include "c_model/walk/page_walkers.h"

/* Whose turn it is in a cycle, on the state at its beginning; LW_NONE where it is nobody's. */
typedef struct lw_turns {
    int32_t scanner;   /* R9.2: the walker whose line is scanned */
    bool scan_on_cam;  /* R9.2: the CAM takes it, as it is neither STALE nor met by a mark */
    int32_t taker;     /* R5.3: the walker that takes what was read for it */
    int32_t committer; /* R5.6: the walker that looks at what was read for its commit */
    int32_t advancer;  /* R7.7 */
    int32_t chooser;   /* R5.3: the walker for which the candidate asks */
    int32_t asker;     /* R5.6: the walker that asks for its commit */
} lw_turns;

/* What the reader sees of the buffer at the beginning of the cycle. */
typedef struct lw_buffer_view {
    const lw_cam_op *search, *update; /* of the CAM */
    bool held;                        /* the candidate register is (R5.3) */
    uint16_t candidate;               /* its slot */
} lw_buffer_view;

/* `mark`: that of this cycle (R11.3, R11.7); `takes_part`: bit k set if level k does (R9.1), for
 * what is close (R5.6). */
lw_turns lw_walkers_turns(const lw_walkers *w, const lw_buffer_view *b, const lw_mark *mark,
                          uint32_t takes_part);

/* R5.3, R5.6: what the read register becomes, on the state at the beginning of the cycle, but for
 * the entry asked for as it stands, which the caller reads where something is asked; then, when a
 * walker has used what the register held, that or nothing. With a mark nothing is read (R11.3). */
void lw_walkers_plan_read(const lw_walkers *w, const lw_buffer_view *b, bool mark,
                          uint32_t takes_part, lw_read *next);
void lw_walkers_load_read(lw_walkers *w, const lw_read *next);
/* Who asks in this cycle, with the slot of the candidate as it stands at its beginning; not to be
 * called in that of a mark (R11.3). */
void lw_walkers_ask(lw_walkers *w, const lw_turns *t, uint16_t candidate);

#endif
