/* How contiguous the frames of a working set are: MESC's Figure 4 (the sizes of contiguous regions
 * and what they cover) and Table II (what contiguous subregions cover).
 *
 * A region is a longest run of pages, neighbours in virtual addresses, whose frames follow one
 * another. Regions are counted by scopes of 256 pages, as the figure draws them. */
#ifndef LW_SIM_TABLES_CONTIGUITY_CENSUS_H
#define LW_SIM_TABLES_CONTIGUITY_CENSUS_H

#include <stddef.h>
#include <stdint.h>

#define LW_CENSUS_SCOPE 256u /* pages */
#define LW_CENSUS_SCOPES 9u  /* 1-256, 257-512, .. 1793-2048, more */

typedef struct lw_contiguity_census {
    uint64_t pages;
    uint64_t regions, scope_regions[LW_CENSUS_SCOPES];
    uint64_t scope_pages[LW_CENSUS_SCOPES]; /* that those regions hold */
    uint64_t longest;                       /* pages of the longest region */
    uint64_t subregion_pages; /* in aligned runs of 64 pages that are contiguous as a whole */
    uint64_t frame_pages;     /* the same for 512 pages */
} lw_contiguity_census;

/* frames[i] is the frame of the working set's page i; its first page begins a 2 MiB frame. */
lw_contiguity_census lw_contiguity_count(const uint64_t *frames, uint64_t pages);

#endif
