/* The IOMMU buffer (chapter 4): entries that wait for a walker or for a neighbour's line, the pick
 * of the oldest (R5.2, oldest_first.h), the choice of an answer (R10.1), and the work of the CAM
 * (cam_operation.h): claim, release, scan and mark.
 *
 * The fields live in `entry` and in one bitmap over the slots for each flag; the rest of the
 * bitmaps is derived and makes each search a few words wide:
 *
 * - at_cl[c], at_pl[l]: valid entries with CL=c, with PL=l;
 * - writes, executes: valid entries by access (R1.4);
 * - bucket[n][h]: valid entries whose neighbourhood of kind n (R1.2) has the hash h;
 * - by_seq: eligible entries at their SEQ, so that the oldest is the first from NEXT_SEQ.
 *
 * near_level, near_claim and near_position (NEAR_LEVEL, NEAR_CLAIM, NEAR_POSITION) are for the
 * state net and kept while it looks: the update finds the same entries by the buckets, and leaves
 * out the one that is new (R4.4).
 *
 * Order within a cycle: choose (lw_buffer_plan_pick, next answer, next free slot) on the state at
 * its beginning, then lw_buffer_answer, lw_buffer_pick, lw_buffer_operate, lw_buffer_check, what
 * walkers do (lw_cam_take among it), the mark, lw_buffer_insert, and what the insertion register
 * becomes. */
#ifndef LW_C_MODEL_BUFFER_IOMMU_BUFFER_H
#define LW_C_MODEL_BUFFER_IOMMU_BUFFER_H

#include "c_model/buffer/cam_operation.h"
#include "c_model/buffer/oldest_first.h"

enum {
    LW_BUCKET_BITS = 7,
    LW_BUCKET_KINDS = LW_LEVELS_MAX + 2, /* the levels, then subregion and frame */
    LW_SEQ_WORDS = 4 * LW_SLOT_WORDS,
    LW_CL_UNKNOWN = 7 /* CL before its check (R4.1) */
};

typedef struct lw_slots {
    uint64_t w[LW_SLOT_WORDS];
} lw_slots;

typedef struct lw_buffer_entry {
    uint64_t key; /* {PASID, VPN} */
    uint64_t pa;
    uint16_t id, src, seq, contig;
    uint8_t access, cl, pl, perm, size, links;
} lw_buffer_entry;

typedef struct lw_buffer {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_slots valid, picked, done, batch;
    lw_slots stale; /* also of the entry that is being read, which is valid no more (R11.3) */
    lw_slots near_level, near_claim;
    uint8_t near_position[LW_BUFFER_MAX];
    lw_slots at_cl[8], at_pl[8], writes, executes;
    uint64_t by_seq[LW_SEQ_WORDS];
    uint32_t by_seq_words; /* bit w: by_seq[w] is not zero */
    uint32_t entries;      /* valid ones */
    uint32_t answers;      /* those of them with DONE */
    uint32_t words;        /* of a slot bitmap in use */
    uint32_t next_seq, free_slot, candidate_slot, ready_slot, reading_slot;
    uint32_t new_slot, new_pasid, new_access;
    uint32_t first_slot, first_cl;
    uint64_t new_vpn;
    bool candidate_valid, candidate_held, ready, reading, reading_epoch, new_valid, first_valid;
    lw_miss miss; /* the insertion register (R4.2) */
    lw_pick pick;
    lw_cam cam;
    uint32_t block_live[LW_BLOCKS]; /* R2.4 */
    lw_buffer_entry entry[LW_BUFFER_MAX];
    uint16_t slot_of_seq[4 * LW_BUFFER_MAX];
    lw_slots bucket[LW_BUCKET_KINDS][1 << LW_BUCKET_BITS];
} lw_buffer;

void lw_buffer_init(lw_buffer *b, const lw_config *cfg, const lw_watch *watch);
/* R0.6: the fields that a reset leaves as they were, from the entries before it. */
void lw_buffer_keep(lw_buffer *b, const lw_buffer_entry before[LW_BUFFER_MAX]);

static inline bool lw_slots_has(const lw_slots *m, uint32_t slot) {
    return (m->w[slot / 64] >> (slot % 64) & 1) != 0;
}

static inline bool lw_buffer_any_eligible(const lw_buffer *b) {
    return b->by_seq_words != 0;
}

/* Whether a pick is under way, or has left its candidate (R12.6). */
static inline bool lw_buffer_is_picking(const lw_buffer *b) {
    return b->candidate_valid || b->pick.step != 0;
}

/* R4.2: what FREE_SLOT becomes, on the state at the beginning of the cycle, or LW_NONE. */
int32_t lw_buffer_next_free(const lw_buffer *b);
/* R5.1 */
bool lw_buffer_is_eligible(const lw_buffer *b, uint32_t slot);
/* R11.5: whether a valid entry is STALE. */
bool lw_buffer_any_stale(const lw_buffer *b);

/* R4.2: the insertion register's content, if there is one, goes into its slot, which is then true;
 * FREE_SLOT becomes `next_free`. Afterwards the insertion register is loaded with a miss or becomes
 * empty. */
bool lw_buffer_insert(lw_buffer *b, int32_t next_free);
void lw_buffer_load_miss(lw_buffer *b, const lw_miss *miss);
void lw_buffer_no_miss(lw_buffer *b);

/* R5.3: the read port, on the state at the beginning of the cycle. */
void lw_buffer_read(const lw_buffer *b, uint32_t slot, lw_entry *out);
/* R5.7, R5.8: what a walker has decided on the entry that it has read. */
void lw_buffer_decide(lw_buffer *b, const lw_decision *decision);
/* R2.4: an entry that has left counts in its block no more. */
void lw_buffer_leave_block(lw_buffer *b, uint32_t block);

static inline uint32_t lw_buffer_block(const lw_buffer *b, const lw_buffer_entry *e) {
    return e->seq >> b->cfg->block_shift;
}

/* R10.2: the answer of the entry in the reading register, if there is one. */
void lw_buffer_result(const lw_buffer *b, lw_result *out);
/* R10.2, R10.3, on the state at the beginning of the cycle: batches, the ready register and the
 * reading register, into which the entry that is ready goes if it is `chosen`; it is valid no more.
 */
void lw_buffer_answer(lw_buffer *b, bool chosen, bool epoch);

/* R5.2, R5.10, on the state at the beginning of the cycle: `taken` if a walker takes the candidate;
 * and what has been planned. */
void lw_buffer_plan_pick(const lw_buffer *b, bool taken, lw_pick_plan *p);
void lw_buffer_pick(lw_buffer *b, const lw_pick_plan *p);

/* R4.3: the lowest level that takes part of a walker's access in flight that holds the new entry; 0
 * if there is none. */
uint32_t lw_buffer_new_cl(const lw_buffer *b, const lw_flight *flight, uint32_t flights,
                          uint32_t takes_part);
/* R4.3, after the work of the operation in update: the entry that has been checked gets its CL, and
 * the new one's check has found this. Not needed where there is neither. */
void lw_buffer_check(lw_buffer *b, uint32_t cl);
/* R4.4: the work of the operation in update (R4.5, R4.6, R9.3 to R9.8, R12.7), then the next is in
 * update and none in search. `takes_part`: bit k set if level k does (R9.1). */
void lw_buffer_operate(lw_buffer *b, uint32_t takes_part, lw_events *events);
/* R11.2, after the work of the operation in update. */
void lw_buffer_mark(lw_buffer *b, const lw_mark *mark, const lw_roots *roots);

/* Rebuilds what is derived from the registers. */
void lw_buffer_derive(lw_buffer *b);

#endif
