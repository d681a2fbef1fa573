#include "sim/tables/contiguity_census.h"

#include "sim/tables/contiguity_bits.h"

static void count_region(lw_contiguity_census *c, uint64_t pages) {
    uint64_t scope = (pages - 1) / LW_CENSUS_SCOPE;
    scope = scope < LW_CENSUS_SCOPES ? scope : LW_CENSUS_SCOPES - 1;
    c->regions++;
    c->scope_regions[scope]++;
    c->scope_pages[scope] += pages;
    c->longest = pages > c->longest ? pages : c->longest;
}

/* The pages of those of the region's aligned runs of `run` pages that it holds whole. */
static uint64_t whole_runs(uint64_t first, uint64_t pages, uint64_t run) {
    const uint64_t begin = (first + run - 1) / run * run;
    const uint64_t end = (first + pages) / run * run;
    return end > begin ? end - begin : 0;
}

lw_contiguity_census lw_contiguity_count(const uint64_t *frames, uint64_t pages) {
    lw_contiguity_census c = {.pages = pages};
    uint64_t first = 0;
    for (uint64_t i = 1; i <= pages; i++) {
        if (i < pages && frames[i] == frames[i - 1] + 1) {
            continue;
        }
        count_region(&c, i - first);
        c.subregion_pages += whole_runs(first, i - first, LW_SUBREGION_PAGES);
        c.frame_pages += whole_runs(first, i - first, LW_FRAME_PAGES);
        first = i;
    }
    return c;
}
