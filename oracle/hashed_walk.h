/* The flat walk of a hashed page table (FS-HPT, chapter 20 of docs/architecture): what a walk of a
 * memory image answers, and how many lines it reads, with no notion of time and no cache.
 *
 * It states the hash, the tag and the step table anew and shares nothing with the driver that
 * builds the tables (sim/tables/) nor with a unit. An HPT entry is a level-1 node, and the victim
 * buffer a radix tree: what their PTEs mean says the flat walk (oracle/flat_walk.h). */
#ifndef LW_ORACLE_HASHED_WALK_H
#define LW_ORACLE_HASHED_WALK_H

#include "oracle/flat_walk.h"

#include <stdbool.h>
#include <stdint.h>

enum { LW_STEP_TABLE_LEVEL = 6 }; /* of a fault of the step table (R20.14) */

typedef struct lw_hashed_walk_query {
    /* levels, pa_width, has_root, page_number, access and subregions (whether contiguity bits are
     * looked at); root: of the victim buffer. Heads first are not known here. */
    lw_flat_walk_query page;
    uint32_t slot_pages; /* of a slot: 512, or 8 (R20.31; levels 4, without contiguity) */
    bool contiguity;     /* entries of the step table have contiguity bits (R20.27) */
    bool has_victim_buffer;
    bool home_first; /* the home slot is read before the step table (section 4.1) */
    uint32_t pasid;  /* 0..2047 */
    /* Frames that are multiples of their table's size (lower bits are not looked at): of
     * 2^table_log slots (3..18, of eight pages 6..24), and of 2^step_log buckets (6..24), a line
     * each. */
    uint64_t table_frame, step_frame;
    uint32_t table_log, step_log;
    uint32_t stride;
    uint32_t multiplier; /* of the hash (R20.6) */
    uint64_t end_line;   /* from this line on there is no memory, and a read fails; 0: nowhere */
} lw_hashed_walk_query;

typedef enum lw_hashed_place {
    LW_HASHED_NOWHERE, /* refused unread, a line outside memory, or no victim buffer to look in */
    LW_HASHED_TABLE,
    LW_HASHED_VICTIM_BUFFER
} lw_hashed_place;

typedef struct lw_hashed_walk_answer {
    lw_oracle_answer answer;
    lw_hashed_place place; /* where the walk has ended */
    uint32_t step;         /* LW_HASHED_TABLE: how far from its home */
    uint32_t accesses;     /* lines read: of the step table, of slots, of the victim buffer */
} lw_hashed_walk_answer;

/* The answer over the image as it is now; `old64` and `line_may_fail` of it are not used. */
lw_hashed_walk_answer lw_hashed_walk(const lw_flat_image *image, const lw_hashed_walk_query *query);

/* Whether `answer` is right for a walk while software moves regions, evicts and recalls them, which
 * changes no translation (R20.22, R20.23), and maps, unmaps and changes pages, in the query's
 * times: the answer over the image as it is now; what a PTE says, or has said, in a line of one of
 * the chain's slots that carries the tag, or has carried it; what the victim buffer says, or has
 * said; or a memory error, where a line that such a walk reads may have failed: of the bucket
 * (level 6), of one of the chain's slots (level 1), of the victim buffer. Whether the page itself
 * was mapped so at any time is not asked here. */
bool lw_hashed_walk_may(const lw_flat_image *image, const lw_hashed_walk_query *query,
                        const lw_oracle_answer *answer);

#endif
