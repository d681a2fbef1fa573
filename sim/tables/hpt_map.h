/* The HPT Map: what the driver knows of each slot of a hashed page table (FS-HPT section 3.4). A
 * slot has a tag, a valid bit and a deleted bit; beside them stand the step at which its region
 * lies, how many of its pages are mapped and local, and its place in the order of use.
 *
 * An entry is remote if none of its pages is local (R20.20). Remote and local entries stand in two
 * orders, by when they were used last: the front of one is what Algorithm 1 evicts. */
#ifndef LW_SIM_TABLES_HPT_MAP_H
#define LW_SIM_TABLES_HPT_MAP_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_HPT_NO_SLOT UINT32_MAX

enum { LW_HPT_STEPS = 8 }; /* a region lies at one of the steps 0..7 from its home */

typedef struct lw_hpt_slot {
    uint64_t tag; /* of R20.2; also of a deleted one, whose last it was */
    bool valid, deleted;
    bool pinned;           /* its entry stays where it is, whoever wants the slot */
    uint8_t step;          /* 0..7 from its home */
    uint16_t pages, local; /* 4 KiB pages mapped, and how many of them are local: 0..512 */
    uint32_t accesses;     /* that the driver has learnt of since it became remote ... */
    uint64_t accessed;     /* ... and the cycle of the last of them */
    uint32_t older, newer; /* slots beside it in its order */
} lw_hpt_slot;

typedef enum lw_hpt_found {
    LW_HPT_HELD, /* the region has an entry */
    LW_HPT_FREE, /* it has none, and this slot is its */
    LW_HPT_FULL  /* it has none, and its eight slots are all valid */
} lw_hpt_found;

typedef struct lw_hpt_probe {
    lw_hpt_found found;
    uint32_t slot, step; /* but with LW_HPT_FULL */
    bool reused;         /* LW_HPT_FREE: a deleted slot */
} lw_hpt_probe;

typedef struct lw_hpt_map lw_hpt_map;

/* A map of 2^log slots (log 3..18, 6..24 where a slot is a line), none valid; stride odd; the
 * hash's multiplier (R20.6). NULL and a sentence without memory. */
lw_hpt_map *lw_hpt_map_new(uint32_t log, uint32_t stride, uint32_t multiplier, lw_error *err);
void lw_hpt_map_free(lw_hpt_map *m);

/* The slot at a step (0..7) of a region's probe sequence (R20.7). */
uint32_t lw_hpt_map_at(const lw_hpt_map *m, uint64_t tag, uint32_t step);
/* Lines 1 to 17 of Algorithm 1: follows the probe sequence of a tag to its entry, else to the first
 * invalid slot; a deleted slot passed on the way is taken instead, the first of them. */
lw_hpt_probe lw_hpt_map_probe(const lw_hpt_map *m, uint64_t tag);

const lw_hpt_slot *lw_hpt_map_slot(const lw_hpt_map *m, uint32_t slot);
uint32_t lw_hpt_map_slots(const lw_hpt_map *m);
/* Valid slots that are remote, or local. */
uint32_t lw_hpt_map_count(const lw_hpt_map *m, bool remote);
/* The one of them that was used least recently; LW_HPT_NO_SLOT: there is none. */
uint32_t lw_hpt_map_oldest(const lw_hpt_map *m, bool remote);
/* The remote one of a tag's eight slots that was used least recently; LW_HPT_NO_SLOT likewise. */
uint32_t lw_hpt_map_oldest_of_chain(const lw_hpt_map *m, uint64_t tag);

/* A free slot becomes the tag's entry, with so many pages, just used. */
void lw_hpt_map_occupy(lw_hpt_map *m, const lw_hpt_probe *at, uint64_t tag, uint32_t pages,
                       uint32_t local);
/* Pages come (more than 0: it is just used) or go (it keeps its place, unless it becomes remote).
 */
void lw_hpt_map_add_pages(lw_hpt_map *m, uint32_t slot, int32_t pages, int32_t local);
/* The entry is not to be moved for the sake of another. */
void lw_hpt_map_pin(lw_hpt_map *m, uint32_t slot);
/* The entry was used. */
void lw_hpt_map_touch(lw_hpt_map *m, uint32_t slot);
/* One access more to it, as it is remote, in the cycle `now`: how many there have been since it
 * became that. */
uint32_t lw_hpt_map_access(lw_hpt_map *m, uint32_t slot, uint64_t now);
/* It has been accessed so often already, the last time in the cycle `at`. */
void lw_hpt_map_set_accesses(lw_hpt_map *m, uint32_t slot, uint32_t accesses, uint64_t at);
/* The entry is gone: the slot is deleted. */
void lw_hpt_map_delete(lw_hpt_map *m, uint32_t slot);
/* The entry goes to the free slot at another step of its own, and keeps its place in the order. */
void lw_hpt_map_move(lw_hpt_map *m, uint32_t slot, uint32_t step);

#endif
