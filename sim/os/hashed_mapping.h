/* The hashed table of the address spaces (sim/tables/hashed_table.h): what the page tables of their
 * processes map is mapped there too, by the driver's own rules. The page tables stay beside: the
 * host's, which it keeps anyhow, and against which the oracle holds what the unit answers. */
#ifndef LW_SIM_OS_HASHED_MAPPING_H
#define LW_SIM_OS_HASHED_MAPPING_H

#include "sim/os/address_space.h"

/* A process has been mapped: so are its pages in the hashed table, if it has that. Pages of 1 GiB
 * are mapped there as 512 of 2 MiB, and with page_size 3 or 4 sixteen pages that lie as one of
 * 64 KiB as that; where slots are lines (R20.31) all pages are mapped as pages of 4 KiB. Pages of 4
 * KiB never become one of 2 MiB, however they lie; where the unit has subregions their contiguity
 * bits are found (R20.29). False and a sentence where memory does not suffice. */
bool lw_hashed_mapping_follow(lw_address_spaces *s, uint32_t process, lw_error *err);

/* Whether a change of this page's PTE, or of its presence, can be followed: where there is no
 * hashed table always, else of pages of 4 KiB in both tables. */
bool lw_hashed_mapping_can_follow(const lw_address_spaces *s, uint32_t process, uint64_t vpn);
/* Such a page has been changed in the page table: its words for the hashed table are queued, to be
 * written one by one. False and a sentence where memory does not suffice. */
bool lw_hashed_mapping_follow_page(lw_address_spaces *s, uint32_t process, uint64_t vpn,
                                   lw_error *err);

#endif
