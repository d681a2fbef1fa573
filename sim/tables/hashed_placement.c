#include "sim/tables/hashed_placement.h"

#include "sim/tables/hashed_layout.h"
#include "sim/tables/hashed_query.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LEVELS = 4, PA_WIDTH = 48 };

static const uint32_t all_flags = LW_MAP_W | LW_MAP_U | LW_MAP_X;

typedef struct placing {
    const lw_hashed_program *program;
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    lw_hashed_table *table;
    uint64_t pages, local_pages; /* of a process */
    uint64_t regions, region;    /* of a process: those with local pages so far, and the last */
    uint64_t *given;             /* by process and page: its frame */
    lw_hashed_placement *out;
} placing;

/* What is done with the n-th page of a process. */
typedef bool page_fn(placing *p, uint32_t pasid, uint64_t n, uint64_t vpn, lw_error *err);

static bool each_page(placing *p, uint32_t pasid, page_fn *visit, lw_error *err) {
    uint64_t n = 0;
    uint64_t next = 0; /* arrays are in order and may share a page */
    for (size_t a = 0; a < p->program->count; a++) {
        const lw_array *array = &p->program->arrays[a];
        const uint64_t first = array->base >> LW_PAGE_SHIFT;
        const uint64_t end = first + lw_array_pages(array);
        for (uint64_t vpn = first < next ? next : first; vpn < end; vpn++) {
            if (!visit(p, pasid, n++, vpn, err)) {
                return false;
            }
        }
        next = end > next ? end : next;
    }
    return true;
}

static bool count_page(placing *p, uint32_t pasid, uint64_t n, uint64_t vpn, lw_error *err) {
    (void)pasid;
    (void)vpn;
    (void)err;
    p->pages = n + 1;
    return true;
}

static bool count_region(placing *p, uint32_t pasid, uint64_t n, uint64_t vpn, lw_error *err) {
    const uint64_t region = vpn / LW_BLOCK_PAGES;
    (void)pasid;
    (void)err;
    if (n < p->local_pages && (n == 0 || region != p->region)) {
        p->regions++;
        p->region = region;
    }
    return true;
}

static bool map_page(placing *p, uint32_t pasid, uint64_t n, uint64_t vpn, lw_error *err) {
    const uint32_t remote = n < p->local_pages ? 0 : LW_MAP_REMOTE;
    uint64_t *frame = &p->given[pasid * p->pages + n];
    return lw_frame_alloc(p->frames, frame, err) &&
           lw_hashed_table_map(p->table, pasid, vpn, *frame, LW_SIZE_4K, all_flags | remote, err) &&
           lw_hashed_table_drain(p->table, err);
}

static uint64_t read64(void *ctx, uint64_t pa) {
    return lw_phys_mem_read64(ctx, pa);
}

static bool walk_page(placing *p, uint32_t pasid, uint64_t n, uint64_t vpn, lw_error *err) {
    const lw_flat_image image = {.read64 = read64, .ctx = p->mem};
    lw_hashed_walk_query q = lw_hashed_query(p->table, pasid);
    q.page.pa_width = PA_WIDTH;
    q.page.page_number = vpn;
    (void)err;
    const uint64_t frame = p->given[pasid * p->pages + n];
    for (int home_first = 0; home_first < 2; home_first++) {
        q.home_first = home_first != 0;
        const lw_hashed_walk_answer a = lw_hashed_walk(&image, &q);
        p->out->wrong += a.answer.kind != LW_ORACLE_OK || a.answer.pfn != frame;
        *(q.home_first ? &p->out->home_first_accesses : &p->out->accesses) += a.accesses;
        p->out->in_victim_buffer += !q.home_first && a.place == LW_HASHED_VICTIM_BUFFER;
    }
    return true;
}

static bool place_all(placing *p, lw_error *err) {
    const lw_hashed_program *program = p->program;
    for (uint32_t pasid = 0; pasid < program->processes; pasid++) {
        if (!lw_hashed_table_add_process(p->table, pasid, err) ||
            !each_page(p, pasid, map_page, err)) {
            return false;
        }
    }
    for (uint32_t pasid = 0; pasid < program->processes; pasid++) {
        if (!each_page(p, pasid, walk_page, err)) {
            return false;
        }
    }
    p->out->figures = lw_hashed_table_figures(p->table);
    p->out->counts = lw_hashed_table_counts(p->table);
    return true;
}

static uint64_t *make_list(uint64_t pages, lw_error *err) {
    uint64_t *list = calloc(pages + 1, sizeof *list);
    if (list == NULL) {
        (void)lw_fail(err, "no memory for the frames of %" PRIu64 " pages", pages);
    }
    return list;
}

/* A run of frames for all pages, and beside them the largest tables that there are. */
static lw_frame_allocator *make_frames(uint64_t pages, lw_error *err) {
    const uint64_t gib = UINT64_C(1) << LW_ORDER_1G;
    lw_frame_allocator_config config = {
        .policy = {.kind = LW_FRAMES_CONTIGUOUS}, .first_frame = gib, .pa_width = PA_WIDTH};
    const uint64_t want = pages + pages / 64 + 4 * gib;
    config.frames = (want + gib - 1) / gib * gib;
    if (config.frames > LW_FRAMES_MAX) {
        (void)lw_fail(err,
                      "--size or --pasids: %" PRIu64
                      " pages and their tables are more than %" PRIu64 " frames",
                      pages, LW_FRAMES_MAX);
        return NULL;
    }
    return lw_frame_allocator_new(&config, err);
}

bool lw_hashed_place_program(const lw_hashed_program *program, lw_hashed_placement *placement,
                             lw_error *err) {
    placing p = {.program = program, .out = placement};
    *placement = (lw_hashed_placement){0};
    (void)each_page(&p, 0, count_page, err);
    p.local_pages = (p.pages * program->local_percent + 99) / 100;
    (void)each_page(&p, 0, count_region, err);
    placement->pages = p.pages * program->processes;
    placement->local_pages = p.local_pages * program->processes;
    /* the GPU's memory is given out in blocks of 2 MiB */
    const lw_hashed_need need = {.pages = p.regions * program->processes * LW_BLOCK_PAGES,
                                 .factor = program->factor,
                                 .load = LW_LOAD_DEFAULT,
                                 .levels = LEVELS,
                                 .slot_pages = LW_SLOT_OF_A_FRAME};
    placement->config = lw_hashed_config_for(&need);
    const bool placed =
        (p.given = make_list(placement->pages, err)) != NULL &&
        (p.frames = make_frames(placement->pages, err)) != NULL &&
        (p.mem = lw_phys_mem_new(PA_WIDTH, err)) != NULL &&
        (p.table = lw_hashed_table_new(&placement->config, p.mem, p.frames, err)) != NULL &&
        place_all(&p, err);
    lw_hashed_table_free(p.table);
    lw_phys_mem_free(p.mem);
    lw_frame_allocator_free(p.frames);
    free(p.given);
    return placed;
}
