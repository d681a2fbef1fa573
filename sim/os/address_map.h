/* An address map: a text file that says which pages of which address space are mapped, and how.
 *
 *   # pasid  first page   count  size  permissions  [frame]
 *   0        0x7f0000000  512    4K    rw
 *   0        0x7f0000200  3      2M    r            0x80000
 *   1        0x400        16     4K    rx
 *
 * A line is a range: `count` pages of `size` (4K, 2M or 1G, and 64K where the unit has pages_64k)
 * from the virtual page `first page` (VA[63:12], canonical, a multiple of the size) on, in the
 * address space `pasid`. Permissions: r, with w (write) and x (execute) or without. `frame` is the
 * physical frame of the range's first page (PA[..:12]); the pages after it follow in a row. Without
 * it the frames are what --mapping gives. Numbers are decimal or 0x hexadecimal. Blank lines and
 * what follows a '#' are skipped; plain, .gz, .xz or .zst.
 *
 * Ranges of one address space must not overlap; frames may be given twice, as shared memory is.
 * While an OS is at work (--remap), ranges with a frame, or without w or x, stay as they are. */
#ifndef LW_SIM_OS_ADDRESS_MAP_H
#define LW_SIM_OS_ADDRESS_MAP_H

#include "common/error.h"
#include "sim/system/system.h"

typedef struct lw_address_map lw_address_map;

/* NULL and a sentence with file and line for whatever is not as above, for a PASID that the system
 * does not have, and for frames past its pa_width or beside a --mapping of a pagemap. */
lw_address_map *lw_address_map_read(const char *path, const lw_system *system, lw_error *err);
void lw_address_map_free(lw_address_map *map);

/* Pages of 4 KiB that the ranges without a frame take; one more than the highest PASID. */
uint64_t lw_address_map_pages(const lw_address_map *map);
uint32_t lw_address_map_spaces(const lw_address_map *map);

/* Regions of 2 MiB that they touch, at most. */
uint64_t lw_address_map_regions(const lw_address_map *map);

/* The first frame, a multiple of 1 GiB from 1 GiB on, of `frames` frames in a row that no range
 * names. */
uint64_t lw_address_map_free_frames(const lw_address_map *map, uint64_t frames);

#endif
