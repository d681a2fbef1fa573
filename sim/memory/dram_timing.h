/* What a DRAM is: its shape, its times and the settings of its controllers, as a timing file gives
 * them (systems/dram/NAME.ini; lw_dram_timing_key_at describes every key). Times are clocks of the
 * memory, whose data bus moves two words a clock: a burst of 8 takes 4 clocks. Each key of a file
 * stands in it once, in its section or above all of them; none has a value by default.
 *
 * A rank's banks are divided into groups, and the banks of a group share what moves their data. So
 * a time whose name ends with _L (long) holds within a group, one with _S (short) between two
 * groups of a rank; where there is one group only those of _L act. */
#ifndef LW_SIM_MEMORY_DRAM_TIMING_H
#define LW_SIM_MEMORY_DRAM_TIMING_H

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_DRAM_RANKS_MAX 8
#define LW_DRAM_CHANNELS_MAX 64
#define LW_DRAM_BANKS_MAX 64                 /* of a channel: ranks x banks */
#define LW_DRAM_GROUPS_MAX LW_DRAM_BANKS_MAX /* of a channel; a group has a bank at least */

/* The parts of an address below the row, from the lowest bits up. */
typedef enum lw_dram_part {
    LW_DRAM_CHANNEL,
    LW_DRAM_RANK,
    LW_DRAM_GROUP,
    LW_DRAM_BANK, /* of its group */
    LW_DRAM_COLUMN,
    LW_DRAM_PARTS
} lw_dram_part;

typedef struct lw_dram_timing {
    uint32_t clock_mhz;
    uint32_t channels, ranks;    /* of a channel */
    uint32_t banks, bank_groups; /* of a rank */
    uint32_t row_bytes, bus_bits, burst_length;
    uint32_t rcd, rp, cl, cwl, ras, rc, faw, rtp, wr, rtrs, refi, rfc;
    uint32_t ccd_s, ccd_l, rrd_s, rrd_l, wtr_s, wtr_l; /* of two bank groups of a rank; of one */
    uint32_t read_queue, write_queue, write_high, write_low, walk_places, starvation, close_idle;
    uint32_t channel_hash, bank_hash;
    lw_dram_part order[LW_DRAM_PARTS];
} lw_dram_timing;

typedef struct lw_dram_key {
    const char *name, *section;
    size_t offset;
    uint32_t min, max;
    bool power_of_two;
    const char *summary;
} lw_dram_key;

/* The i-th key, NULL past the last. */
const lw_dram_key *lw_dram_timing_key_at(size_t i);

/* False and one sentence with file and line for an unknown key, one that stands twice or in
 * another's section, a value out of range, times of which one leaves no room for another, a missing
 * key or file. */
bool lw_dram_timing_load(lw_dram_timing *timing, const char *path, lw_error *err);

/* Clocks of the data bus that a line takes. */
static inline uint32_t lw_dram_burst(const lw_dram_timing *t) {
    return t->burst_length / 2;
}

#endif
