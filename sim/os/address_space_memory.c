/* The memory of the address spaces: how much a run needs, where it lies, and what is set apart of
 * it when the OS boots. */
#include "sim/os/address_space_state.h"

#include <stdlib.h>

/* As many runs as `pages` have room for, if there are so many. */
static void reserve_runs(lw_address_spaces *s, uint64_t pages) {
    const uint64_t runs = pages / LW_GIB_FRAMES;
    if (s->system->page_size != LW_PAGES_OF_1G && s->system->page_size != LW_PAGES_MIXED) {
        return;
    }
    while (s->reserved_count < LW_RESERVED_MAX && s->reserved_count < runs &&
           lw_frame_alloc_aligned(s->frames, LW_ORDER_1G, &s->reserved[s->reserved_count], NULL)) {
        s->reserved_count++;
    }
}

lw_address_spaces *lw_address_spaces_new(const lw_system *system, uint64_t pages, uint64_t seed,
                                         lw_error *err) {
    return lw_address_spaces_new_beside(system, pages, seed, NULL, err);
}

lw_address_spaces *lw_address_spaces_new_beside(const lw_system *system, uint64_t pages,
                                                uint64_t seed, const lw_address_map *map,
                                                lw_error *err) {
    lw_frame_allocator_config config = {.pa_width = system->hw.pa_width, .seed = seed};
    lw_address_spaces *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)lw_fail(err, "no memory for the address spaces");
        return NULL;
    }
    s->system = system;
    lw_rng_seed(&s->rng, seed ^ UINT64_C(0xadd5));
    if (!lw_frame_policy_parse(system->mapping, &config.policy, err)) {
        free(s);
        return NULL;
    }
    /* Twice what is mapped, so that fragmentation has room, and some for the tables; whole GiB. */
    uint64_t want = 2 * pages + pages / 64 + (1u << 16);
    uint64_t pinned = config.policy.fragmentation;
    want = want * 100 / (100 - pinned);
    config.frames = (want + LW_GIB_FRAMES - 1) / LW_GIB_FRAMES * LW_GIB_FRAMES;
    if (config.policy.kind == LW_FRAMES_PAGEMAP) {
        config.frames = pages + pages / 64 + (1u << 12);
    }
    const uint64_t tables = system->hashed_tables != 0 ? LW_TABLE_FRAMES : 0;
    config.first_frame =
        map == NULL ? LW_GIB_FRAMES : lw_address_map_free_frames(map, config.frames + tables);
    const uint64_t end = UINT64_C(1) << (system->hw.pa_width - LW_PAGE_SHIFT);
    const uint64_t limit = config.first_frame < end ? end - config.first_frame : 0;
    const uint64_t needed = config.frames + tables;
    if (needed > limit || config.frames > LW_FRAMES_MAX) {
        (void)lw_fail(
            err,
            "--size or --map: %llu pages need %llu frames of memory in a row, but pa_width "
            "%u, the allocator and the frames that a map names leave %llu",
            (unsigned long long)pages, (unsigned long long)needed, system->hw.pa_width,
            (unsigned long long)(limit < LW_FRAMES_MAX ? limit : LW_FRAMES_MAX));
        free(s);
        return NULL;
    }
    s->memory = lw_phys_mem_new(system->hw.pa_width, err);
    s->frames = s->memory == NULL ? NULL : lw_frame_allocator_new(&config, err);
    if (s->frames == NULL) {
        lw_address_spaces_free(s);
        return NULL;
    }
    s->end_frame =
        (lw_frame_allocator_end(s->frames) + LW_GIB_FRAMES - 1) / LW_GIB_FRAMES * LW_GIB_FRAMES;
    reserve_runs(s, pages);
    return s;
}

void lw_address_spaces_free(lw_address_spaces *s) {
    if (s == NULL) {
        return;
    }
    for (uint32_t p = 0; p < s->count; p++) {
        lw_page_table_free(s->processes[p].table);
        free(s->processes[p].arrays);
    }
    lw_hashed_table_free(s->hashed);
    lw_frame_allocator_free(s->table_frames);
    lw_frame_allocator_free(s->frames);
    lw_phys_mem_free(s->memory);
    free(s);
}
