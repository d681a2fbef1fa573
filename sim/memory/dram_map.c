#include "sim/memory/dram_map.h"

static uint32_t bits_of(uint32_t power_of_two) {
    uint32_t bits = 0;
    while (power_of_two >> bits > 1) {
        bits++;
    }
    return bits;
}

void lw_dram_map_init(lw_dram_map *map, const lw_dram_timing *timing) {
    enum { LINE_BYTES = 64 };
    const uint32_t sizes[LW_DRAM_PARTS] = {
        [LW_DRAM_CHANNEL] = timing->channels,
        [LW_DRAM_RANK] = timing->ranks,
        [LW_DRAM_GROUP] = timing->bank_groups,
        [LW_DRAM_BANK] = timing->banks / timing->bank_groups,
        [LW_DRAM_COLUMN] = timing->row_bytes / LINE_BYTES,
    };
    uint32_t shift = 0;
    for (uint32_t i = 0; i < LW_DRAM_PARTS; i++) {
        const lw_dram_part part = timing->order[i];
        map->shift[part] = shift;
        map->mask[part] = sizes[part] - 1;
        shift += bits_of(sizes[part]);
    }
    map->row_shift = shift;
    map->rank_shift = bits_of(timing->banks);
    map->group_shift = bits_of(sizes[LW_DRAM_BANK]);
    map->channel_hash = timing->channel_hash != 0;
    map->hash_mask = timing->bank_hash != 0 ? timing->banks - 1 : 0;
}

static uint32_t part_of(const lw_dram_map *map, uint64_t line, lw_dram_part part) {
    return (uint32_t)(line >> map->shift[part] & map->mask[part]);
}

lw_dram_place lw_dram_map_line(const lw_dram_map *map, uint64_t line) {
    const uint64_t row = line >> map->row_shift;
    const uint64_t folded = map->channel_hash ? line ^ line >> 3 ^ line >> 6 ^ line >> 9 : line;
    const uint32_t bank =
        part_of(map, line, LW_DRAM_GROUP) << map->group_shift | part_of(map, line, LW_DRAM_BANK);
    return (lw_dram_place){
        .channel = part_of(map, folded, LW_DRAM_CHANNEL),
        .bank = part_of(map, line, LW_DRAM_RANK) << map->rank_shift |
                (bank ^ ((uint32_t)row & map->hash_mask)),
        .column = part_of(map, line, LW_DRAM_COLUMN),
        .row = row,
    };
}
