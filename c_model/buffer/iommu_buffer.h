/* The IOMMU buffer (chapter 4): entries that wait for a walker or for a neighbour's line, the
 * oldest of them (R5.2, oldest_first.h), the choice of an answer (R10.1), and the work of the CAM
 * (cam_operation.h): claim, release, scan and mark.
 *
 * The fields live in `entry` and in one bitmap over the slots for each flag; the rest of the
 * bitmaps is derived and makes each search a few words wide:
 *
 * - at_cl[c], at_pl[l]: valid entries with CL=c, with PL=l;
 * - writes, executes: valid entries by access (R1.4);
 * - bucket[n][h]: valid entries whose neighbourhood of kind n (R1.2) has the hash h;
 * - eligible: R5.1.
 *
 * near_level, near_claim and near_position (NEAR_LEVEL, NEAR_CLAIM, NEAR_POSITION) are for the
 * state net and kept while it looks: the update finds the same entries by the buckets, and leaves
 * out the one that was inserted in the cycle of its search (R4.15).
 *
 * Order within a cycle: choose (the oldest, what is read, the next answer, OPEN, the CL of a new
 * entry, what the line store waits for) on the state at its beginning, then lw_buffer_answer,
 * lw_buffer_operate, what walkers do (lw_cam_take among it), lw_buffer_pick, the mark, and
 * lw_buffer_insert. */
#ifndef LW_C_MODEL_BUFFER_IOMMU_BUFFER_H
#define LW_C_MODEL_BUFFER_IOMMU_BUFFER_H

#include "c_model/buffer/cam_operation.h"
#include "c_model/buffer/line_store.h"

enum {
    LW_BUCKET_BITS = 7,
    LW_BUCKET_KINDS = LW_LEVELS_MAX + 2 /* the levels, then subregion and frame */
};

typedef struct lw_buffer_entry {
    uint64_t key; /* {PASID, VPN} */
    uint16_t id, src;
    uint8_t access, cl, pl, line, position;
} lw_buffer_entry;

typedef struct lw_buffer {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_slots valid, picked, done, batch, alone;
    lw_slots stale; /* also of the entry that is being read, which is valid no more (R11.10) */
    lw_slots near_level, near_claim;
    uint8_t near_position[LW_BUFFER_MAX];
    lw_slots at_cl[8], at_pl[8], writes, executes, eligible;
    uint32_t eligible_words; /* bit w: word w of eligible is not zero */
    uint32_t entries;        /* valid ones */
    uint32_t answers;        /* those of them with DONE */
    uint32_t words;          /* of a slot bitmap in use */
    int32_t inserted;        /* the slot of the cycle before's insertion, LW_NONE without one */
    uint32_t tail, ready_slot, reading_slot, reading_line, reading_position;
    uint32_t look_line, look_position; /* R5.25 */
    bool open, ready, reading, reading_epoch;
    lw_cam cam;
    lw_line_store store;
    lw_buffer_entry entry[LW_BUFFER_MAX];
    lw_slots bucket[LW_BUCKET_KINDS][1 << LW_BUCKET_BITS];
} lw_buffer;

void lw_buffer_init(lw_buffer *b, const lw_config *cfg, const lw_watch *watch);
/* R0.6: the fields that a reset leaves as they were, from the entries before it. */
void lw_buffer_keep(lw_buffer *b, const lw_buffer_entry before[LW_BUFFER_MAX]);

static inline bool lw_slots_has(const lw_slots *m, uint32_t slot) {
    return (m->w[slot / 64] >> (slot % 64) & 1) != 0;
}

/* R5.1: whether there is an eligible entry. */
static inline bool lw_buffer_any_eligible(const lw_buffer *b) {
    return b->eligible_words != 0;
}

/* R5.2: the slot of the oldest eligible entry, or LW_NONE. */
static inline int32_t lw_buffer_oldest(const lw_buffer *b) {
    return lw_oldest_first(&b->eligible, b->eligible_words, b->tail);
}

/* R4.9: what OPEN becomes on the state at the beginning of the cycle, which inserts or does not. */
bool lw_buffer_next_open(const lw_buffer *b, bool inserts);
/* R11.5: whether a valid entry is STALE. */
bool lw_buffer_any_stale(const lw_buffer *b);

/* R4.2, R4.9: `miss` goes into slot TAIL with this CL, or with NULL nothing does; OPEN becomes
 * `next_open`. */
void lw_buffer_insert(lw_buffer *b, const lw_miss *miss, uint32_t cl, bool next_open);

/* R5.18: the read port, on the state at the beginning of the cycle. */
void lw_buffer_read(const lw_buffer *b, uint32_t slot, lw_entry *out);
/* R5.25: what the entry that was read in the cycle before has learnt. */
lw_learnt lw_buffer_learnt(const lw_buffer *b);
/* R5.25: the LINE and POSITION of an entry as they stand at the beginning of the cycle. */
typedef struct lw_named {
    uint32_t line, position;
} lw_named;
static inline lw_named lw_buffer_named(const lw_buffer *b, uint32_t slot) {
    return (lw_named){b->entry[slot].line, b->entry[slot].position};
}
/* R5.25: the registers of the look take these. */
void lw_buffer_load_look(lw_buffer *b, lw_named named);
/* Whether it would change nothing in the next cycle, if the entry at this ASK_SLOT does not. */
static inline bool lw_buffer_has_looked(const lw_buffer *b, uint32_t slot) {
    return b->entry[slot].line == b->look_line && b->entry[slot].position == b->look_position;
}
/* R5.19: whether the operation in update has found the entry near (NEAR_LEVEL or NEAR_CLAIM). */
bool lw_buffer_is_near(const lw_buffer *b, uint32_t slot);
/* R5.2: an entry is given to a walker. */
void lw_buffer_pick(lw_buffer *b, uint32_t slot);
/* R5.7, R5.8, R5.28: what a walker has decided on its entry. */
void lw_buffer_decide(lw_buffer *b, const lw_decision *decision);

/* R10.2: the answer of the entry in the reading register, if there is one. */
void lw_buffer_result(const lw_buffer *b, lw_result *out);
/* R10.2, R10.3, on the state at the beginning of the cycle: batches, the ready register and the
 * reading register, into which the entry that is ready goes if it is `chosen`; it is valid no more.
 */
void lw_buffer_answer(lw_buffer *b, bool chosen, bool epoch);

/* R4.3: the CL of a new entry, from the accesses in flight at the beginning of the cycle: the
 * lowest level that takes part and holds it, 0 if there is none. `takes_part`: bit k set if level k
 * does (R9.1). */
uint32_t lw_buffer_first_cl(const lw_miss *miss, const lw_flight *flight, uint32_t flights,
                            uint32_t takes_part);
/* R9.14, on the state at the beginning of the cycle: whether entries with DONE=1 name STORE_TAIL
 * (bit 0), and the place after it (bit 1). */
uint32_t lw_buffer_awaits(const lw_buffer *b);
/* Whether the line store would stay as it is in a cycle without an operation (R9.13, R9.14). */
bool lw_buffer_store_is_settled(const lw_buffer *b);
/* R4.4: the work of the operation in update (R4.5, R4.6, R9.3 to R9.8, R12.7) and of the line store
 * (R9.12 to R9.14, with what lw_buffer_awaits has said), then the next is in update and none in
 * search. */
void lw_buffer_operate(lw_buffer *b, uint32_t takes_part, uint32_t awaited, lw_events *events);
/* R11.2, after the work of the operation in update. */
void lw_buffer_mark(lw_buffer *b, const lw_mark *mark, const lw_roots *roots);

/* Rebuilds what is derived from the registers. */
void lw_buffer_derive(lw_buffer *b);

#endif
