/* Where in a DRAM a line lies. The row is what is above the other parts of its address, whose order
 * the timing file gives; so no two lines share a place, however many rows there are.
 *
 * channel_hash folds the bits 3, 6 and 9 places above the channel's into it, as the bank model of
 * latency_model.h does: what lies at a stride would be in one channel otherwise. bank_hash folds
 * the row's lowest bits into the bank of a rank, group and all, so that rows of one bank at a
 * stride spread over all. */
#ifndef LW_SIM_MEMORY_DRAM_MAP_H
#define LW_SIM_MEMORY_DRAM_MAP_H

#include "sim/memory/dram_timing.h"

typedef struct lw_dram_map {
    uint32_t shift[LW_DRAM_PARTS], row_shift;
    uint64_t mask[LW_DRAM_PARTS];
    uint32_t rank_shift, group_shift; /* from a rank or group to the number of its first bank */
    uint32_t hash_mask;               /* of the row's bits that are folded into the bank */
    bool channel_hash;
} lw_dram_map;

typedef struct lw_dram_place {
    uint32_t channel;
    uint32_t bank; /* of its channel, a group's banks in a row and a rank's groups */
    uint32_t column;
    uint64_t row;
} lw_dram_place;

void lw_dram_map_init(lw_dram_map *map, const lw_dram_timing *timing);
lw_dram_place lw_dram_map_line(const lw_dram_map *map, uint64_t line);

#endif
