/* Bad entries as they are planted into the tables of a process (planted_entries.c) and, with others
 * of its own, into the hashed table beside (planted_hashed.c). */
#ifndef LW_SIM_OS_PLANTED_ENTRIES_H
#define LW_SIM_OS_PLANTED_ENTRIES_H

#include "sim/os/address_space.h"

/* Bits set and cleared in a good entry. */
typedef struct lw_bad_entry {
    const char *name;
    uint32_t lowest, highest; /* levels at which it makes sense */
    uint64_t set, clear;
} lw_bad_entry;

/* Contiguity bits that are wrong, and what happens to one page of the frame. */
typedef struct lw_bad_contiguity {
    const char *name;
    uint64_t bits; /* of the level-2 entry */
    uint64_t page; /* of the frame: the one spoilt */
    uint64_t set, clear;
} lw_bad_contiguity;

/* The n-th of each that the system can have; NULL past the last. */
const lw_bad_entry *lw_bad_entry_at(const lw_system *system, size_t n);
const lw_bad_contiguity *lw_bad_contiguity_at(size_t n);

/* Changes the word at this byte address. */
bool lw_spoil(lw_phys_mem *memory, uint64_t pa, uint64_t set, uint64_t clear, lw_error *err);
/* The same of the entry of vpn at a level of the process's page table. */
bool lw_spoil_entry(lw_address_spaces *s, uint32_t process, uint64_t vpn, uint32_t level,
                    uint64_t set, uint64_t clear, lw_error *err);

/* The range of so many pages from vpn on. */
lw_array lw_planted_array(const char *name, uint64_t vpn, uint64_t pages);

#endif
