/* Processes whose hashed table lacks a part, for the streams that must meet what a walk then
 * answers (docs/architecture/20-hashed-tables.md, R20.14): the driver has mapped them as all
 * others, but what the unit is told of them leads nowhere. Nothing of theirs changes in a run. */
#ifndef LW_SIM_OS_HASHED_LACKS_H
#define LW_SIM_OS_HASHED_LACKS_H

#include "sim/os/address_space.h"
#include "sim/tables/hashed_query.h"

typedef enum lw_lack {
    LW_LACKS_NOTHING,
    LW_LACKS_VICTIM_BUFFER, /* there is none */
    LW_LACKS_STEP_TABLE,    /* it lies outside of memory, as the next */
    LW_LACKS_TABLE,
    LW_LACKS
} lw_lack;

/* Whether physical addresses go on behind memory, so that a table can lie there. */
bool lw_address_spaces_can_lack(const lw_address_spaces *s);
/* The process that is added next has a hashed table, which lacks this. */
void lw_address_spaces_lack_next(lw_address_spaces *s, lw_lack what);
lw_lack lw_address_spaces_lacks(const lw_address_spaces *s, uint32_t process);

/* What the unit and the oracle are told of a process with a hashed table. */
lw_hashed_walk_query lw_address_spaces_told(lw_address_spaces *s, uint32_t process);
/* The first line (byte address >> 6) behind memory, which has none from there on, in address spaces
 * in which a process lacks something; in others 0, and nobody reads there. */
uint64_t lw_address_spaces_end_line(const lw_address_spaces *s);

#endif
