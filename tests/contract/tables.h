/* The page tables: frames with a level that they are mostly used at, words drawn at random, links
 * that share tables between paths and PASIDs or lead back up, and the pages that are asked for. */
#ifndef LW_TESTS_CONTRACT_TABLES_H
#define LW_TESTS_CONTRACT_TABLES_H

#include "tests/contract/world.h"

/* Draws all of it for the run. False without memory. */
bool lw_tables_build(lw_world *w);

/* A PTE for this level: mostly a good one. `near`: the PTE before it, of which a leaf may be the
 * continuation; 0: none. A link to a table that may not be linked comes out as not present. */
uint64_t lw_tables_draw(lw_world *w, uint32_t level, uint64_t near);

/* Writes the word now, with all that hangs on it: reach, dirty tables, bits that went. */
void lw_tables_write(lw_world *w, int frame, uint32_t index, uint64_t value);

/* The physical index of a VPN's PTE at a level, as its own page (no reach). */
uint32_t lw_tables_index(const lw_world *w, uint64_t vpn, uint32_t level);

#endif
