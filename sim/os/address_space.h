/* The address spaces of a run: one page table a process, its arrays mapped by the system's policy.
 *
 * Owns physical memory, the frame allocator and the tables. A process's PASID is its number. */
#ifndef LW_SIM_OS_ADDRESS_SPACE_H
#define LW_SIM_OS_ADDRESS_SPACE_H

#include "common/error.h"
#include "sim/frames/frame_allocator.h"
#include "sim/memory/phys_mem.h"
#include "sim/os/address_map.h"
#include "sim/system/system.h"
#include "sim/tables/hashed_table.h"
#include "sim/tables/page_table.h"
#include "sim/workloads/workload.h"

typedef struct lw_address_spaces lw_address_spaces;

/* No process yet. `pages` bounds the 4 KiB pages that will be mapped in all (tables come on top);
 * as many runs of 1 GiB as they could fill are set apart where the system has 1 GiB pages. */
lw_address_spaces *lw_address_spaces_new(const lw_system *system, uint64_t pages, uint64_t seed,
                                         lw_error *err);
/* The same, in memory that has none of the frames that the map gives to its ranges. */
lw_address_spaces *lw_address_spaces_new_beside(const lw_system *system, uint64_t pages,
                                                uint64_t seed, const lw_address_map *map,
                                                lw_error *err);
void lw_address_spaces_free(lw_address_spaces *s);

/* In a system with hashed tables: sets one apart of the size for so many regions of 2 MiB, with
 * which the processes that are added afterwards are mapped beside their page tables. False and a
 * sentence where memory has no room for it. */
bool lw_address_spaces_hash(lw_address_spaces *s, uint64_t regions, lw_error *err);
/* That table, NULL where there is none, and whether a process has it. */
lw_hashed_table *lw_address_spaces_hashed(lw_address_spaces *s);
bool lw_address_spaces_is_hashed(const lw_address_spaces *s, uint32_t process);

/* A process more, with these arrays mapped readable, writable and executable, in pages of the
 * system's size (mixed: the largest that fits, drawn at random); false and a sentence where memory
 * does not suffice. Arrays that start within a page mapped already share it. Of the tables of a
 * process before it the system's part is shared: what is mapped there is mapped for both. */
bool lw_address_spaces_add(lw_address_spaces *s, const lw_array *arrays, size_t count,
                           lw_error *err);

/* A process more, with the map's ranges of its PASID; false and a sentence where memory does not
 * suffice. No table is shared. */
bool lw_address_spaces_add_map(lw_address_spaces *s, const lw_address_map *map, lw_error *err);

/* Plants a page of every kind of bad entry at every level (R1.6) into a process's table, each kind
 * in a root slot of its own, and appends their ranges to `arrays` (room for LW_BAD_ARRAYS). */
#define LW_BAD_ARRAYS 64
bool lw_address_spaces_plant(lw_address_spaces *s, uint32_t process, lw_array *arrays,
                             size_t *count, lw_error *err);

/* Plants frames whose contiguity bits an OS should never have set (R1.11, R1.12): over a hole, over
 * scattered pages, AC without C bits, over a head that is not there or is malformed. For systems
 * with subregions; as lw_address_spaces_plant, at most 8 ranges. */
bool lw_address_spaces_plant_contiguity(lw_address_spaces *s, uint32_t process, lw_array *arrays,
                                        size_t *count, lw_error *err);

/* Adds ranges to a process's list without mapping anything (at most LW_BAD_ARRAYS in all). */
bool lw_address_spaces_append(lw_address_spaces *s, uint32_t process, const lw_array *arrays,
                              size_t count, lw_error *err);

uint32_t lw_address_spaces_processes(const lw_address_spaces *s);
lw_page_table *lw_address_spaces_table(lw_address_spaces *s, uint32_t process);
lw_phys_mem *lw_address_spaces_memory(lw_address_spaces *s);
lw_frame_allocator *lw_address_spaces_frames(lw_address_spaces *s);
/* Tables that a process has from one before it (the system's shared_tables). */
uint64_t lw_address_spaces_shared(const lw_address_spaces *s);
/* Frames that are set apart for 1 GiB pages (page sizes 1G and mixed) and not mapped yet. */
uint64_t lw_address_spaces_reserved(const lw_address_spaces *s);
/* All ranges; the first lw_address_spaces_mapped of them are mapped and may change, the others are
 * planted, or stay as a map says. */
const lw_array *lw_address_spaces_arrays(const lw_address_spaces *s, uint32_t process,
                                         size_t *count);
size_t lw_address_spaces_mapped(const lw_address_spaces *s, uint32_t process);
/* How many of these the OS changes while the unit works: all, or none (hashed_lacks.h). */
size_t lw_address_spaces_changing(const lw_address_spaces *s, uint32_t process);

#endif
