/* What the banks of a memory have done, for reports. */
#ifndef LW_SIM_MEMORY_BANKS_H
#define LW_SIM_MEMORY_BANKS_H

#include "sim/memory/memory.h"

#define LW_BANKS_MAX 4096

/* Requests by what they found in a bank's row buffer, cycles that they waited for the bank to work
 * on them, and cycles in which it worked. */
typedef struct lw_bank_counts {
    uint64_t row_hits, row_misses, row_conflicts; /* the row open, none open, another open */
    uint64_t waited, worked;
} lw_bank_counts;

/* What one user has asked for: its reads took so many cycles in all. */
typedef struct lw_memory_use {
    uint64_t reads, writes, read_cycles;
} lw_memory_use;

/* Of a DRAM, beside its banks. */
typedef struct lw_dram_counts {
    lw_memory_use users[LW_MEMORY_USERS];
    uint64_t refreshes;
    uint64_t forwarded;          /* reads of lines that waited to be written */
    uint64_t bus_cycles, cycles; /* in which the data buses were used, of each of so many */
} lw_dram_counts;

/* Of all banks: bank b of channel c is number c x banks + b. No channels: it has no banks. */
typedef struct lw_banks {
    uint32_t channels, banks; /* banks of a channel */
    uint32_t ranks;           /* that these lie in; 0: a latency model, which has none */
    lw_dram_counts dram;      /* where it has ranks */
    bool has_pte_cache;       /* in front of it: reads of walks that found their line, or not */
    uint64_t pte_hits, pte_misses;
    lw_bank_counts bank[LW_BANKS_MAX];
} lw_banks;

#endif
