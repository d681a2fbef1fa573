/* Entries of a hashed table that no driver should have written
 * (docs/architecture/20-hashed-tables.md), for the streams that must meet them: in the step table,
 * in slots, in the victim buffer. */
#ifndef LW_SIM_OS_PLANTED_HASHED_H
#define LW_SIM_OS_PLANTED_HASHED_H

#include "sim/os/address_space.h"

enum {
    LW_PLANTED_REGIONS = 32, /* that a process's table must have room for beside all others */
    LW_PLANTED_PAGES = 8192  /* and pages of 4 KiB, in all */
};

/* Plants them into the hashed table of a process that has one, each kind in a region of its own,
 * which the driver has mapped and of which it goes on to believe what it has written: bad PTEs,
 * wrong tags, steps and contiguity bits, and a bad entry of each kind at each level of the victim
 * buffer. The page table beside says the same where a page is translated and where it is not; that
 * a size is bad (R20.5) it cannot say, and has no such page. Appends their ranges to `arrays` (room
 * for LW_BAD_ARRAYS). */
bool lw_address_spaces_plant_hashed(lw_address_spaces *s, uint32_t process, lw_array *arrays,
                                    size_t *count, lw_error *err);

#endif
