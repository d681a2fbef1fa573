/* The way of a line of data behind its translation: the CU's L1 data cache, the crossbar, the L2
 * data cache that all CUs share, main memory.
 *
 * A CU gives its L1 lines of physical addresses, loads and stores alike (data_cache.h: the L1 is
 * write-through without write-allocate, the L2 write-back with write-allocate). What the L1 cannot
 * answer crosses to the L2 in `crossbar` cycles, is looked up there in the order of its coming, and
 * its answer crosses back in as many. A load is done when its line is back. A store is done when
 * the L2 has it and the word of that has crossed back, whether or not the L2 must first bring the
 * line in: nobody waits for memory for a store's sake, but from the L2 on all CUs see it. A line
 * that the L2 misses is asked of memory in pieces of 64 bytes, in the order of the misses and of
 * the dirty victims.
 *
 * With `walks` the unit's page walks read through the L2 too, as users of lw_data_path_walks: a
 * read is looked up there before what comes from CUs, shares the L2's lookups, MSHRs and places
 * with it, and is back without a crossing. Time alone, as of all lines: what a read gives is in
 * phys_mem.h.
 *
 * In each cycle: page walks ask, tick, then the CUs ask. */
#ifndef LW_SIM_GPU_DATA_PATH_H
#define LW_SIM_GPU_DATA_PATH_H

#include "sim/memory/data_cache.h"
#include "sim/memory/memory.h"

/* Where the line of a load comes from that has been asked for. */
typedef enum lw_data_place { LW_DATA_IN_CACHES, LW_DATA_IN_MEMORY } lw_data_place;

typedef struct lw_data_path_params {
    uint32_t cus;                /* [1..64] */
    lw_data_cache_params l1, l2; /* of one line size */
    uint32_t crossbar;           /* [1..1000] */
    uint32_t memory_latency;     /* of a memory of its own [1..100000] */
    const lw_memory *memory;     /* shared, and the giver's; NULL: one of its own */
    uint32_t walks; /* reads of page walks under way; 0: none goes through the L2 [0..65536] */
    /* Line `who` is back, or the L2 has its store; a load's has gone on to memory. */
    void (*done)(void *ctx, uint32_t who, lw_data_place from);
    void (*leaves_caches)(void *ctx, uint32_t who);
    void *ctx;
} lw_data_path_params;

typedef struct lw_data_path lw_data_path;

/* False and a sentence that names the system's key. */
bool lw_data_path_check(const lw_data_path_params *params, lw_error *err);
/* Params that are good. NULL where there is no memory. */
lw_data_path *lw_data_path_new(const lw_data_path_params *params);
void lw_data_path_free(lw_data_path *p);

/* Whether the CU's L1 takes a line in this cycle, and one more line; `address` in bytes. */
bool lw_data_path_takes(const lw_data_path *p, uint32_t cu, uint64_t now);
void lw_data_path_ask(lw_data_path *p, uint32_t cu, uint64_t now, uint64_t address, bool store,
                      uint32_t who);
/* A kernel begins on the CU: its L1 forgets its lines, which is what keeps L1s coherent (gem5,
 * GPGPU-Sim). The L2 keeps them. */
void lw_data_path_launch(lw_data_path *p, uint32_t cu);

/* The L2 as a memory of page walks, which is the path's own; NULL without `walks`. It takes reads
 * of LW_MEMORY_WALKS alone. What they miss is asked of main memory as theirs. */
lw_memory *lw_data_path_walks(lw_data_path *p);
/* The CPU has written to the table entry at this address in bytes: the L2 drops its line. */
void lw_data_path_table_changes(lw_data_path *p, uint64_t address);

void lw_data_path_tick(lw_data_path *p, uint64_t now);
/* The first cycle after `now` in which a tick would do something if nothing is asked before. */
uint64_t lw_data_path_next_event(const lw_data_path *p, uint64_t now);

typedef struct lw_data_counts {
    lw_data_cache_counts l1, l2;
    uint64_t lines;                       /* asked for by CUs */
    uint64_t memory_reads, memory_writes; /* of 64 bytes */
    bool has_walks;                       /* page walks read through the L2 */
    uint64_t walk_hits, walk_misses;      /* their part of its hits and misses */
    uint64_t walk_reads;                  /* and of memory_reads */
} lw_data_counts;
void lw_data_path_counts(const lw_data_path *p, lw_data_counts *counts);

#endif
