#include "app/commands/commands.h"

#include "app/host/output.h"
#include "sim/frames/frame_allocator.h"
#include "sim/tables/contiguity_census.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MIB_PAGES = 256, SIZE_MAX_MIB = 1 << 16, SIZE_DEFAULT_MIB = 128 };

/* The frames of a working set of `pages`, as the policy gives them to one array. */
static uint64_t *take_frames(const char *mapping, uint64_t pages, uint64_t seed, lw_error *err) {
    const uint64_t gib = UINT64_C(1) << LW_ORDER_1G;
    lw_frame_allocator_config config = {.first_frame = gib, .pa_width = 48, .seed = seed};
    if (!lw_frame_policy_parse(mapping, &config.policy, err)) {
        return NULL;
    }
    /* twice the working set, beside what is pinned; of this process's frames just as many */
    const uint64_t want = 2 * pages * 100 / (100 - config.policy.fragmentation);
    config.frames = config.policy.kind == LW_FRAMES_PAGEMAP ? pages : (want + gib - 1) / gib * gib;
    lw_frame_allocator *a = lw_frame_allocator_new(&config, err);
    uint64_t *frames = a == NULL ? NULL : malloc(pages * sizeof *frames);
    for (uint64_t n = 0; frames != NULL && n < pages;) {
        uint64_t first = 0;
        uint64_t got = 0;
        if (!lw_frame_alloc_extent(a, pages - n, &first, &got, err)) {
            free(frames);
            frames = NULL;
            break;
        }
        for (uint64_t i = 0; i < got; i++) {
            frames[n++] = first + i;
        }
    }
    lw_frame_allocator_free(a);
    return frames;
}

static void scope_name(size_t scope, char name[24]) {
    if (scope + 1 == LW_CENSUS_SCOPES) {
        (void)snprintf(name, 24, ">%u", (unsigned)(LW_CENSUS_SCOPE * scope));
    } else {
        (void)snprintf(name, 24, "%u-%u", (unsigned)(LW_CENSUS_SCOPE * scope + 1),
                       (unsigned)(LW_CENSUS_SCOPE * (scope + 1)));
    }
}

static double share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static void print_census(const lw_contiguity_census *c) {
    uint64_t covered = 0;
    (void)printf("%-12s %10s %8s %10s %10s\n", "pages", "regions", "share", "cover", "cumulative");
    for (size_t s = 0; s < LW_CENSUS_SCOPES; s++) {
        char name[24];
        scope_name(s, name);
        covered += c->scope_pages[s];
        (void)printf("%-12s %10" PRIu64 " %8.3f %10.3f %10.3f\n", name, c->scope_regions[s],
                     share(c->scope_regions[s], c->regions), share(c->scope_pages[s], c->pages),
                     share(covered, c->pages));
    }
    (void)printf("longest region %" PRIu64 " pages; contiguous subregions cover %.1f %% of the "
                 "footprint, contiguous 2 MiB frames %.1f %%\n",
                 c->longest, 100.0 * share(c->subregion_pages, c->pages),
                 100.0 * share(c->frame_pages, c->pages));
}

/* Adds the rows to the file; a new file begins with the names of its columns. */
static bool write_csv(const char *path, const char *mapping, uint64_t mib,
                      const lw_contiguity_census *c, lw_error *err) {
    FILE *file = lw_output_open_table("csv", path,
                                      "mapping,mib,scope,regions,region_share,pages,"
                                      "cumulative_cover,subregion_cover,frame_cover",
                                      err);
    uint64_t covered = 0;
    if (file == NULL) {
        return false;
    }
    for (size_t s = 0; s < LW_CENSUS_SCOPES; s++) {
        char name[24];
        scope_name(s, name);
        covered += c->scope_pages[s];
        (void)fprintf(file, "%s,%" PRIu64 ",%s,%" PRIu64 ",%.6f,%" PRIu64 ",%.6f,%.6f,%.6f\n",
                      mapping, mib, name, c->scope_regions[s],
                      share(c->scope_regions[s], c->regions), c->scope_pages[s],
                      share(covered, c->pages), share(c->subregion_pages, c->pages),
                      share(c->frame_pages, c->pages));
    }
    return lw_output_close(file, "csv", path, err);
}

int lw_command_contiguity(const lw_options *o) {
    lw_error err = {0};
    const char *mapping = o->mapping == NULL ? "pagemap" : o->mapping;
    const uint64_t mib = o->run.size == 0 ? SIZE_DEFAULT_MIB : o->run.size;
    if (mib > SIZE_MAX_MIB) {
        (void)lw_fail(&err, "--size is %" PRIu64 " MiB; allowed: 1..%d", mib, SIZE_MAX_MIB);
        return lw_refuse(&err);
    }
    uint64_t *frames = take_frames(mapping, mib * MIB_PAGES, o->run.seed, &err);
    if (frames == NULL) {
        if (err.text[0] == '\0') {
            (void)lw_fail(&err, "no memory for %" PRIu64 " MiB of frame numbers", mib);
        }
        return lw_refuse(&err);
    }
    const lw_contiguity_census c = lw_contiguity_count(frames, mib * MIB_PAGES);
    free(frames);
    (void)printf("%s, a working set of %" PRIu64 " MiB\n", mapping, mib);
    print_census(&c);
    if (o->csv != NULL && !write_csv(o->csv, mapping, mib, &c, &err)) {
        return lw_refuse(&err);
    }
    return 0;
}
