/* One run's state, which the parts of the tester share: what the unit is, what memory holds, what
 * waits, and what the tester has found. Each part's header says which of it the part writes. */
#ifndef LW_TESTS_CONTRACT_WORLD_H
#define LW_TESTS_CONTRACT_WORLD_H

#include "c_model/base/params.h"
#include "c_model/base/ports.h"
#include "common/rng.h"
#include "tests/contract/options.h"
#include "tests/contract/tally.h"
#include "tests/contract/words.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LW_GROUPS = 56,
    LW_IDS = 256,
    LW_FILL = 160,
    LW_UPS = 4,
    LW_LOWS = 8,
    LW_TAGS = 64,
    LW_WANTED = 16,
    LW_CTL_QUEUE = 64,
    LW_ERRORS = 4096,
    LW_FAULTS = 64,
    LW_MOODS = 64,
    LW_SLOT_FRAMES = 8,
    LW_SLOTS = 512, /* at most: lines of those frames */
    LW_LARGE_SIZES = 3,
};

/* Four neighbouring pages of a PASID, and for each the transfer of the latest completed
 * invalidation that covers it: the beginning of its window. */
typedef struct lw_group {
    uint32_t pasid;
    uint64_t vpn;
    uint64_t since[4];
    /* by SIZE - 1: that meets the 2 MiB, the 1 GiB, the 64 KiB in which they lie */
    uint64_t large_since[LW_LARGE_SIZES];
    uint64_t changed; /* the cycle of the latest change on the way to one of its pages */
} lw_group;

/* A request in the unit. */
typedef struct lw_request {
    bool busy;
    uint32_t id, pasid, access, src, place;
    uint64_t page, accepted;
    uint64_t clock, invalidations; /* of the unit's life when it was accepted (liveness.h) */
    int group;                     /* -1: of no group */
} lw_request;

/* What the surroundings are like for a while (mood.h). */
typedef struct lw_mood {
    uint64_t until;
    uint32_t asks, sink, port; /* percent */
    uint32_t latency, jitter;
    uint32_t errors, late; /* of 1000 lines */
    uint32_t frees;        /* percent of the changes that free a table */
    uint32_t change_gap;   /* mean cycles between two changes; 0: none */
    uint32_t flood;        /* percent of the cycles that begin one more invalidation */
    uint32_t flood_type;
    uint32_t owes; /* percent of what is owed that is paid */
    uint32_t focus, focus_width;
} lw_mood;

/* A line that memory owes the unit. */
typedef struct lw_flight {
    bool busy, late, error;
    uint64_t line, asked, due;
    uint64_t data[8];
} lw_flight;

typedef struct lw_invalidation {
    uint32_t type, pasid;
    uint64_t first, last;
} lw_invalidation;

typedef struct lw_ctl_write {
    uint32_t addr;
    uint64_t data;
    uint64_t from; /* not before this cycle */
} lw_ctl_write;

typedef struct lw_error_line {
    uint64_t line, cycle;
} lw_error_line;

/* What a unit that has faulted may say in its record. */
typedef struct lw_fault {
    uint32_t kind, level, access, pasid, src;
    uint64_t page;
} lw_fault;

/* Whether a PASID has a hashed table (hashed.h). */
typedef struct lw_hashed_table {
    bool there;
    int victim; /* the frame of the victim buffer's root */
} lw_hashed_table;

/* Whose a slot is. */
typedef struct lw_hashed_region {
    bool used;
    uint32_t pasid, step;
    uint64_t region;
    uint32_t contig; /* its contiguity bits, {AC, C7..C0} */
} lw_hashed_region;

typedef struct lw_world {
    const lw_options *options;
    uint64_t seed, cycle;
    lw_rng rng;
    lw_params hw;
    uint32_t vpn_w, pfn_w, features;
    bool early, failed, tail; /* early: lines hold what memory held when they were asked for */
    lw_tally tally;
    lw_inputs in;
    lw_outputs out, last;
    lw_inputs last_in;

    /* tables.h */
    lw_words *words;
    uint32_t home[LW_FRAMES], frames, tangle; /* percent of the links that go anywhere */
    uint32_t up[LW_UPS], ups, low[LW_LOWS], lows, fill[LW_FILL], fills;
    lw_group group[LW_GROUPS];
    uint32_t groups;

    /* hashed.h */
    lw_hashed_table hashed[LW_ROOTS];
    lw_hashed_region slot[LW_SLOTS];
    uint32_t table_log;
    uint64_t stride;

    /* reach.h */
    uint32_t levels[LW_FRAMES];         /* a bit for each level at which it can be reached now, */
    uint32_t of[LW_ROOTS][LW_FRAMES];   /* from the root of this PASID, */
    uint32_t ever[LW_FRAMES];           /* or ever */
    uint64_t gone[LW_ROOTS][LW_FRAMES]; /* out of this PASID's reach since, if it is */
    uint64_t dirty[LW_FRAMES];     /* the cycle of the latest change of an upper PTE in it, or 0 */
    uint64_t bits_gone[LW_FRAMES]; /* when a level-2 PTE's bits that name its heads went last */

    /* requester.h */
    lw_request request[LW_IDS];
    lw_request asking;
    uint32_t waiting;
    bool asks;

    /* mood.h, line_memory.h */
    lw_mood mood;
    uint64_t mood_from[LW_MOODS]; /* rings: the latest moods' first cycles, and their sinks */
    uint32_t mood_sink[LW_MOODS], moods;
    uint32_t temper; /* what kind of moods the run has */
    lw_flight flight[LW_TAGS];
    uint32_t flights, late_lines;
    lw_error_line error[LW_ERRORS];
    uint64_t errors, error_answers, mem_transfers, head_transfers;

    /* software.h, invalidations.h */
    uint64_t next_change, root_back[LW_ROOTS];
    lw_ctl_write ctl[LW_CTL_QUEUE];
    uint32_t ctl_count;
    lw_invalidation wanted[LW_WANTED], under_way;
    uint32_t wanted_first, wanted_count;
    bool inv_asks, inv_busy, inv_rootless[LW_ROOTS];
    uint64_t inv_transfer, inv_done;
    uint64_t met[LW_ROOTS];        /* transfers of the latest completed of type PASID or all, */
    uint64_t met_by_any[LW_ROOTS]; /* of those of any type that meet the PASID, */
    uint64_t any;                  /* or any PASID */
    uint64_t invalidations, colt_on;

    /* liveness.h */
    uint64_t clock, asks_since, inv_since, latency_max; /* since: the clock then, */
    uint64_t asks_cycle, inv_cycle;                     /* and the cycle, */
    uint64_t asks_invalidations;                        /* and those that were done */

    /* records.h */
    lw_fault fault[LW_FAULTS];
    uint64_t faults, transfers, responses, stalls;

    struct lw_contents *contents; /* contents.h */
} lw_world;

static inline bool lw_chance(lw_world *w, uint32_t percent) {
    return lw_rng_percent(&w->rng, percent) != 0;
}

static inline uint32_t lw_draw(lw_world *w, uint32_t bound) {
    return (uint32_t)lw_rng_below(&w->rng, bound);
}

/* How many ids are used. */
static inline uint32_t lw_ids(const lw_world *w) {
    return w->hw.id_w < 8 ? UINT32_C(1) << w->hw.id_w : LW_IDS;
}

static inline uint64_t lw_low(uint64_t value, uint32_t bits) {
    return value & ((UINT64_C(1) << bits) - 1);
}

#endif
