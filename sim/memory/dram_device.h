/* The banks, bank groups, ranks and data bus of one DRAM channel: from which clock on each command
 * keeps every time of the timing file, and what a command changes. Knows nothing of requests.
 *
 * RD and WR move a line; the bus carries it tCL or tCWL clocks later for burst_length / 2 clocks.
 */
#ifndef LW_SIM_MEMORY_DRAM_DEVICE_H
#define LW_SIM_MEMORY_DRAM_DEVICE_H

#include "sim/memory/dram_timing.h"

typedef enum lw_dram_command_kind {
    LW_DRAM_ACT,     /* opens a row of a bank */
    LW_DRAM_RD,      /* of the open row */
    LW_DRAM_WR,      /* likewise */
    LW_DRAM_PRE,     /* closes a bank's row */
    LW_DRAM_PRE_ALL, /* closes those of all banks of a rank */
    LW_DRAM_REF      /* refreshes a rank, all of whose banks are closed */
} lw_dram_command_kind;

/* In each `from`: the first clock for such a command, as far as this bank is concerned. */
typedef struct lw_dram_bank {
    bool open;
    uint64_t row;
    uint64_t act_from, column_from, pre_from;
    uint64_t used; /* the clock of its last RD or WR, for which its row was opened */
} lw_dram_bank;

/* As far as the commands of its rank are concerned, those of the other groups too. */
typedef struct lw_dram_group {
    uint64_t act_from;
    uint64_t column_from[2]; /* RD, WR */
} lw_dram_group;

typedef struct lw_dram_rank {
    uint64_t window[4]; /* clocks at which the last four ACT are tFAW ago, the oldest at `oldest` */
    uint32_t oldest;
    uint64_t refresh_due; /* UINT64_MAX: never */
} lw_dram_rank;

typedef struct lw_dram_device {
    const lw_dram_timing *t;
    uint32_t rank_shift, group_shift; /* from a bank's number to its rank's, and to its group's */
    lw_dram_rank ranks[LW_DRAM_RANKS_MAX];
    lw_dram_group groups[LW_DRAM_GROUPS_MAX]; /* a rank's in a row */
    lw_dram_bank banks[LW_DRAM_BANKS_MAX];    /* a group's in a row */
    uint64_t open;                            /* a bit for each bank that has a row open */
    uint64_t bus_free;                        /* the clock after its last data */
    uint32_t bus_rank;                        /* whose data that was */
    bool bus_write;
} lw_dram_device;

void lw_dram_device_init(lw_dram_device *d, const lw_dram_timing *timing);

/* The first clock for ACT, and for RD or WR, of a bank of this group, as far as the group, its rank
 * and the data bus are concerned. */
uint64_t lw_dram_act_from(const lw_dram_device *d, uint32_t group);
uint64_t lw_dram_column_from(const lw_dram_device *d, uint32_t group, bool write);
/* The first clock for what a refresh of the rank needs next: PRE_ALL while a row is open, else REF.
 */
uint64_t lw_dram_refresh_from(const lw_dram_device *d, uint32_t rank, lw_dram_command_kind *kind);

/* The rank of a group. */
static inline uint32_t lw_dram_rank_of(const lw_dram_device *d, uint32_t group) {
    return group >> (d->rank_shift - d->group_shift);
}

/* A bank's own first clock for ACT, RD, WR or PRE. */
static inline uint64_t lw_dram_bank_from(const lw_dram_bank *b, lw_dram_command_kind kind) {
    return kind == LW_DRAM_ACT ? b->act_from : kind == LW_DRAM_PRE ? b->pre_from : b->column_from;
}

/* The command is given in this clock; of PRE_ALL and REF `bank` is any of the rank. */
void lw_dram_device_command(lw_dram_device *d, lw_dram_command_kind kind, uint32_t bank,
                            uint64_t row, uint64_t clock);

#endif
