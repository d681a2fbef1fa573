/* FS-HPT's page table as its driver builds it in physical memory: a hashed table of fixed size, the
 * step table that says where in it a region lies, and the victim buffer for what does not
 * (docs/architecture/20-hashed-tables.md, chapter 20). Several PASIDs share the table.
 *
 * A change is planned at once and written word by word: each call below that changes something
 * fills a queue, lw_hashed_table_step writes its next word, lw_hashed_table_drain all of them. In
 * between a walk finds every page that the change does not concern where it was, and those that it
 * moves at one of both places (R20.21 to R20.24). The next change begins when the queue is empty:
 * until then these calls refuse. lw_hashed_table_find reads the words that are written: what it
 * says of pages that a change concerns holds once the queue is empty.
 *
 * VPNs have 9 x levels bits, frames pa_width - 12. A program is never refused for want of room in
 * the table: the victim buffer takes what it has none for. */
#ifndef LW_SIM_TABLES_HASHED_TABLE_H
#define LW_SIM_TABLES_HASHED_TABLE_H

#include "c_model/base/params.h"
#include "common/error.h"
#include "sim/frames/frame_allocator.h"
#include "sim/memory/phys_mem.h"
#include "sim/tables/hpt_map.h"
#include "sim/tables/page_table.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LW_TABLE_LOG_MIN = 3, /* eight slots; of lines: a frame of them, 6 */
    /* of the frames of slots: the largest run that the allocator knows */
    LW_TABLE_FRAMES_LOG_MAX = 18,
    LW_STEP_LOG_MIN = 6,  /* a frame of buckets */
    LW_STEP_LOG_MAX = 24, /* 1 GiB of them */
    /* of the hash: 2^27 x 0.618.., which scatters what lies close */
    LW_HASH_MULTIPLIER = 0x4f1bbcd,
    LW_FACTOR_DEFAULT = 120, /* the paper's m, in percent */
    LW_LOAD_DEFAULT = 40     /* the paper's load factor, in percent */
};

/* The logarithms that a table of slots of so many pages may have. */
static inline uint32_t lw_table_log_min(uint32_t slot_pages) {
    return slot_pages == LW_SLOT_OF_A_LINE ? LW_STEP_LOG_MIN : LW_TABLE_LOG_MIN;
}

static inline uint32_t lw_table_log_max(uint32_t slot_pages) {
    return LW_TABLE_FRAMES_LOG_MAX + (slot_pages == LW_SLOT_OF_A_LINE ? LW_STEP_LOG_MIN : 0);
}

typedef struct lw_hashed_config {
    uint32_t levels;      /* of the victim buffer: 4 or 5 */
    uint32_t slot_pages;  /* of a slot and so of a region: 512, or 8 with four levels */
    uint32_t table_log;   /* log2 of the slots: 3..18, of eight pages 6..24 */
    uint32_t step_log;    /* log2 of the step table's buckets, LW_STEP_LOG_MIN..MAX */
    uint32_t stride;      /* slots from a step to the next; odd, below 2^table_log */
    uint32_t multiplier;  /* of the hash (R20.6); odd, below 2^27 */
    uint32_t max_local;   /* entries that the GPU's memory can fill, at least 1 */
    uint32_t max_entries; /* entries from which on remote ones are evicted; 1..2^table_log */
    bool contiguity;      /* step entries have MESC's contiguity bits (R20.27); slots of 512 */
    /* Told of each PTE whose page goes to the host's memory (oversubscription); may be NULL. */
    void (*paged_out)(void *ctx, uint32_t pasid, uint64_t vpn, uint64_t pte);
    void *ctx;
} lw_hashed_config;

/* What the driver knows when it makes a table. */
typedef struct lw_hashed_need {
    uint64_t pages;  /* of 4 KiB that the GPU's memory has: 1..2^36 */
    uint32_t factor; /* the paper's m, in percent: 100..1000 */
    uint32_t load;   /* percent of the slots that local entries should fill: 1..100 */
    uint32_t levels, slot_pages;
    bool contiguity;
} lw_hashed_need;

/* The power of two of slots whose load factor, filled with local entries, is nearest to the one
 * wanted (R20.25); Equation 1 (R20.17); stride 1 and LW_HASH_MULTIPLIER. */
lw_hashed_config lw_hashed_config_for(const lw_hashed_need *need);

typedef struct lw_hashed_table lw_hashed_table;

/* An empty table. `mem` and `frames` must outlive it. NULL and a sentence where a value of config
 * is out of range, or no run of frames is free. */
lw_hashed_table *lw_hashed_table_new(const lw_hashed_config *config, lw_phys_mem *mem,
                                     lw_frame_allocator *frames, lw_error *err);
/* Gives the tables' frames back (not the frames mapped). */
void lw_hashed_table_free(lw_hashed_table *t);

/* Gives the PASID (0..2047) its tree of the victim buffer; false and a sentence where it has one or
 * no frame is free. */
bool lw_hashed_table_add_process(lw_hashed_table *t, uint32_t pasid, lw_error *err);

/* What the unit's registers say of a PASID (R20.11). */
typedef struct lw_hashed_roots {
    uint64_t table_frame, step_frame, victim_frame;
    uint32_t table_log, step_log, stride, multiplier;
} lw_hashed_roots;
/* False where the PASID has no process. */
bool lw_hashed_table_roots(const lw_hashed_table *t, uint32_t pasid, lw_hashed_roots *roots);

/* Maps the page of `size` (4K, 64K or 2M) at vpn to the frames from pfn on, with LW_MAP_* flags, by
 * Algorithm 1. Fails where vpn or pfn is too large or not a multiple of the page's frames (1, 16,
 * 512), where it is larger than a slot, where one of its 4 KiB pages is mapped, and where memory or
 * frames run out. */
bool lw_hashed_table_map(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                         lw_page_size size, uint32_t flags, lw_error *err);
/* Takes the page that holds vpn away, of whatever size; fails where none is mapped. */
bool lw_hashed_table_unmap(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, lw_error *err);

/* The page of 4 KiB at vpn gets another frame and other LW_MAP_* flags, and stays where it is,
 * local or remote: one word. Fails where there is no such page. */
bool lw_hashed_table_replace(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                             uint32_t flags, lw_error *err);

/* The GPU's counters tell of an access to the page in the cycle `now`. Where its region is remote
 * it is the remote one that was used last, and the accesses to it since it became remote are
 * returned; else 0. */
uint32_t lw_hashed_table_access(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t now);
/* The remote region that holds vpn becomes local; where the GPU's memory is full, the local entry
 * that was used least recently becomes remote first (R20.30). *done: it was remote and has an entry
 * now. No translation changes. */
bool lw_hashed_table_migrate(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                             lw_error *err);
/* Whether a page of it can be local without another entry leaving the GPU's memory. */
bool lw_hashed_table_has_local_room(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn);

/* These act on the region that holds vpn; *done: it was where it could be taken from, and had a
 * place to go to. None changes a translation. Move: to another of its eight slots; evict: from the
 * table to the victim buffer; recall: back. */
bool lw_hashed_table_move(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                          lw_error *err);
bool lw_hashed_table_evict(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                           lw_error *err);
bool lw_hashed_table_recall(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                            lw_error *err);
/* With `contiguity`: gives the region that holds vpn the bits that its pages of 4 KiB allow, where
 * it is in the table. A region that comes from the victim buffer has them from the beginning; pages
 * that are mapped, unmapped or changed one by one leave them as they are. */
bool lw_hashed_table_find_contiguity(lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                     lw_error *err);
/* Takes the bits of that region away. */
bool lw_hashed_table_forget_contiguity(lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                       lw_error *err);
/* Whether the region that holds vpn has a place, in the table or in the victim buffer. */
bool lw_hashed_table_holds(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn);
/* Whether all words of the last change are written. */
bool lw_hashed_table_is_settled(const lw_hashed_table *t);
/* Empties the copies that recalls have left in the victim buffer: once no walk can be on its way
 * through them (R20.23). */
bool lw_hashed_table_settle(lw_hashed_table *t, lw_error *err);

/* Writes the next word of the change under way; *written: there was one. */
bool lw_hashed_table_step(lw_hashed_table *t, bool *written, lw_error *err);
bool lw_hashed_table_drain(lw_hashed_table *t, lw_error *err);

/* The PTE of the page that holds vpn, without the tag: false where none is mapped. */
typedef struct lw_hashed_page {
    uint64_t pa, pte;
    bool in_victim_buffer;
} lw_hashed_page;
bool lw_hashed_table_find(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                          lw_hashed_page *page);

/* For those who plant entries of their own with lw_phys_mem_write64: the byte address of the step
 * entry of the group that holds vpn, false where that has none; and a region in the table, local,
 * whose slot no other gets, so that nobody writes it anew. */
bool lw_hashed_table_step_entry(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                uint64_t *pa);
void lw_hashed_table_pin(lw_hashed_table *t, uint32_t pasid, uint64_t vpn);

/* How often each branch was taken. */
typedef struct lw_hashed_counts {
    uint64_t found;            /* a page went into an entry that was there (line 7) */
    uint64_t entries;          /* new entries (line 26) ... */
    uint64_t reused;           /* ... of these in a deleted slot (line 24) */
    uint64_t page_evictions;   /* local entries paged out, oversubscription (line 19) */
    uint64_t demotions;        /* local entries that became remote for the sake of another */
    uint64_t live_cycles;      /* from the first to the last access of all remote regions */
    uint64_t remote_evictions; /* remote entries evicted at the threshold (line 21) */
    uint64_t chain_evictions;  /* remote entries evicted from a full chain */
    uint64_t chain_moves;      /* members of a full chain moved */
    uint64_t recalls;          /* regions that came back from the victim buffer */
    /* regions that went to the victim buffer for want of a place: at the threshold without a remote
     * entry, in a full chain, in a full bucket of the step table */
    uint64_t over_threshold, unplaced, bucket_full;
    uint64_t words; /* written, the trees' new frames not counted */
} lw_hashed_counts;
lw_hashed_counts lw_hashed_table_counts(const lw_hashed_table *t);

/* How the table stands now. */
typedef struct lw_hashed_figures {
    uint64_t slots, local, remote;         /* entries of the table */
    uint64_t step_places, groups;          /* step entries that there is room for, and in use */
    uint64_t victim_regions, victim_nodes; /* frames of its trees, the roots too */
    /* so far, as lw_hashed_counts has them */
    uint64_t demotions, live_cycles, remote_evictions;
    uint64_t steps[LW_HPT_STEPS]; /* entries by their step */
} lw_hashed_figures;
lw_hashed_figures lw_hashed_table_figures(const lw_hashed_table *t);
const lw_hashed_config *lw_hashed_table_config(const lw_hashed_table *t);
const lw_hpt_map *lw_hashed_table_map_of(const lw_hashed_table *t);

#endif
