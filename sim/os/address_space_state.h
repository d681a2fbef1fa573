/* The state of the address spaces, for the files of this folder that set their memory apart
 * (address_space_memory.c), map arrays and ranges of a file (address_space.c, address_map.c,
 * hashed_mapping.c) and plant what must fault (planted_*.c, spoilt_regions.c, hashed_lacks.c). */
#ifndef LW_SIM_OS_ADDRESS_SPACE_STATE_H
#define LW_SIM_OS_ADDRESS_SPACE_STATE_H

#include "common/rng.h"
#include "sim/os/address_space.h"

enum { LW_PROCESSES_MAX = 256, LW_RESERVED_MAX = 256 };

/* Frames of 1 GiB. */
#define LW_GIB_FRAMES (UINT64_C(1) << LW_ORDER_1G)

/* Frames for the largest hashed table, its step table, and as many again for its victim buffer. */
#define LW_TABLE_FRAMES (UINT64_C(1) << 20)

typedef struct lw_process {
    lw_page_table *table;
    lw_array *arrays;
    size_t count, mapped;
    uint32_t lack; /* of its hashed table (hashed_lacks.h) */
} lw_process;

struct lw_address_spaces {
    const lw_system *system;
    lw_phys_mem *memory;
    lw_frame_allocator *frames;
    /* Runs of 1 GiB, set apart before anything breaks them up, as an OS does when it boots. */
    uint64_t reserved[LW_RESERVED_MAX];
    uint32_t reserved_count;
    lw_rng rng;
    lw_process processes[LW_PROCESSES_MAX];
    uint32_t count;
    uint64_t shared; /* tables that a process has from another */
    /* Of those processes that have one; NULL: of none. Its frames are set apart when the OS boots,
     * behind all others, in memory that nothing breaks up. */
    lw_hashed_table *hashed;
    lw_frame_allocator *table_frames;
    uint64_t end_frame; /* of the others: whole GiB */
    bool lack;          /* a process lacks something (hashed_lacks.h) */
};

/* A process more with an empty table, and room for so many arrays beside those that are planted;
 * NULL and a sentence where the system has no address space left, or memory is short. */
lw_process *lw_address_spaces_begin(lw_address_spaces *s, size_t arrays, lw_error *err);

/* Maps pages of 4 KiB from vpn on with LW_MAP_* flags, to frames of the policy; those that are
 * mapped already stay. False and a sentence where memory does not suffice. */
bool lw_address_spaces_map_small(lw_address_spaces *s, lw_page_table *table, uint64_t vpn,
                                 uint64_t pages, uint32_t flags, lw_error *err);

#endif
