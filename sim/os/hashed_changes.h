/* A change of a page where a hashed table stands beside the page table: that is changed first, at
 * once, and the hashed table follows a word a cycle, before anything is invalidated. Where the
 * process has no hashed table all of this does nothing. */
#ifndef LW_SIM_OS_HASHED_CHANGES_H
#define LW_SIM_OS_HASHED_CHANGES_H

#include "common/error.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"

/* Before the change: what a walk may find until the hashed table has followed. */
void lw_hashed_change_remember(lw_address_spaces *s, uint32_t process, uint64_t vpn,
                               lw_os_plan *plan);
/* After it: queues the page's words, and plans that they are written, and then the contiguity bits
 * of its region. *moved: another region has made room, for which an invalidation of everything is
 * owed. False and a sentence where memory does not suffice. */
bool lw_hashed_change_follow(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_os_plan *plan,
                             bool *moved, lw_error *err);
/* The page table has lost the contiguity bits that rest on this page: so does the region. */
bool lw_hashed_change_forget(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_os_plan *plan,
                             lw_error *err);

/* Whether a change that nobody plans can be followed now, by a single word; and does so. */
bool lw_hashed_change_is_one_word(lw_address_spaces *s, uint32_t process, uint64_t vpn);
bool lw_hashed_change_at_once(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_error *err);

#endif
