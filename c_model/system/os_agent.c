#include "system/os_agent.h"

#include "common/rng.h"

#include <stdlib.h>

typedef enum agent_state { AGENT_IDLE, AGENT_ASKING, AGENT_WAITING } agent_state;

struct lw_os_agent {
    const lw_system *system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_rng rng;
    agent_state state;
    /* the invalidation on the port */
    uint32_t type, pasid;
    uint64_t first, last;
    /* the pages of which nothing from before is left once it is done */
    uint64_t covers_first, covers_last;
    /* a frame that nobody maps any more once the invalidation is done */
    bool frees;
    uint64_t free_frame, free_count;
};

enum { INV_PAGE = 0, INV_RANGE = 1, INV_PASID = 2, INV_ALL = 3 };

lw_os_agent *lw_os_agent_new(const lw_system *system, lw_address_spaces *spaces, lw_oracle *oracle,
                             uint64_t seed, lw_error *err) {
    lw_os_agent *a = calloc(1, sizeof *a);
    if (a == NULL) {
        (void)lw_fail(err, "no memory for the OS agent");
        return NULL;
    }
    a->system = system;
    a->spaces = spaces;
    a->oracle = oracle;
    lw_rng_seed(&a->rng, seed ^ UINT64_C(0x05));
    return a;
}

void lw_os_agent_free(lw_os_agent *a) {
    free(a);
}

void lw_os_agent_drive(const lw_os_agent *a, lw_inputs *in) {
    in->inv_valid = a->state == AGENT_ASKING;
    in->inv_type = a->type;
    in->inv_pasid = a->pasid;
    in->inv_first = a->first;
    in->inv_last = a->last;
}

static uint64_t vpn_mask(const lw_os_agent *a) {
    return (UINT64_C(1) << (9 * a->system->hw.levels)) - 1;
}

/* A page of some array of some process. */
static uint64_t draw_page(lw_os_agent *a, uint32_t *process) {
    size_t count = 0;
    *process = (uint32_t)lw_rng_below(&a->rng, lw_address_spaces_processes(a->spaces));
    const lw_array *arrays = lw_address_spaces_arrays(a->spaces, *process, &count);
    /* Planted bad entries stay as they are. */
    count = lw_address_spaces_mapped(a->spaces, *process);
    const lw_array *array = &arrays[lw_rng_below(&a->rng, count)];
    uint64_t pages = (array->bytes + 0xfff) >> LW_PAGE_SHIFT;
    return ((array->base >> LW_PAGE_SHIFT) + lw_rng_below(&a->rng, pages)) & vpn_mask(a);
}

static void ask(lw_os_agent *a, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last) {
    bool whole = type == INV_PASID || type == INV_ALL;
    a->state = AGENT_ASKING;
    a->type = type;
    a->pasid = pasid;
    a->first = first;
    a->last = last;
    a->covers_first = whole ? 0 : first;
    a->covers_last = whole ? vpn_mask(a) : type == INV_PAGE ? first : last;
}

/* An invalidation of its own accord: every type, known and unknown PASIDs, empty ranges too. */
static void invalidate_something(lw_os_agent *a) {
    uint32_t process = 0;
    uint64_t page = draw_page(a, &process);
    uint32_t type = (uint32_t)lw_rng_below(&a->rng, 4);
    uint64_t span = lw_rng_below(&a->rng, 1024);
    bool backwards = lw_rng_percent(&a->rng, 5);
    uint32_t pasid = lw_rng_percent(&a->rng, 5) ? a->system->hw.pasids + process : process;
    uint64_t last = page + span > vpn_mask(a) ? vpn_mask(a) : page + span;
    ask(a, type, pasid, backwards ? last : page, backwards ? page : last);
}

/* The invalidation that an OS sends after a change of first..last: now exactly, now generously. */
static void shoot_down(lw_os_agent *a, uint32_t process, uint64_t first, uint64_t last) {
    static const uint32_t types[] = {INV_PAGE, INV_PAGE, INV_RANGE, INV_RANGE, INV_PASID, INV_ALL};
    uint32_t type = types[lw_rng_below(&a->rng, sizeof types / sizeof types[0])];
    /* A page of a large mapping drops all of it (R3.11). */
    uint64_t inside = first + lw_rng_below(&a->rng, last - first + 1);
    ask(a, type, process, type == INV_PAGE ? inside : first, last);
    if (type == INV_PAGE) {
        a->covers_first = first;
        a->covers_last = last;
    }
}

static bool move(lw_os_agent *a, lw_page_table *table, uint64_t vpn, uint32_t level, uint64_t old,
                 lw_error *err) {
    uint64_t frame = 0;
    if (!lw_frame_alloc_aligned(lw_address_spaces_frames(a->spaces), 9 * (level - 1), &frame,
                                NULL)) {
        return lw_page_table_protect(table, vpn, LW_MAP_U, err);
    }
    a->frees = true;
    a->free_frame = old;
    a->free_count = UINT64_C(1) << (9 * (level - 1));
    return lw_page_table_remap(table, vpn, frame, err);
}

static bool change_something(lw_os_agent *a, lw_error *err) {
    static const uint32_t flags[] = {LW_MAP_U, LW_MAP_U | LW_MAP_W, LW_MAP_U | LW_MAP_X,
                                     LW_MAP_U | LW_MAP_W | LW_MAP_X, LW_MAP_W};
    uint32_t process = 0;
    uint64_t vpn = draw_page(a, &process);
    uint32_t what = (uint32_t)lw_rng_below(&a->rng, 4);
    uint32_t flag = flags[lw_rng_below(&a->rng, sizeof flags / sizeof flags[0])];
    lw_page_table *table = lw_address_spaces_table(a->spaces, process);
    lw_page_table_leaf leaf;
    if (!lw_page_table_find(table, vpn, &leaf, NULL)) {
        /* Unmapped before: a page again (where a node is missing it is made). */
        uint64_t frame = 0;
        if (!lw_oracle_remember(a->oracle, process, vpn, vpn, err) ||
            !lw_frame_alloc(lw_address_spaces_frames(a->spaces), &frame, err)) {
            return false;
        }
        if (!lw_page_table_map(table, vpn, frame, LW_SIZE_4K, flag, NULL) &&
            !lw_frame_release(lw_address_spaces_frames(a->spaces), frame, 1, err)) {
            return false;
        }
        shoot_down(a, process, vpn, vpn);
        return true;
    }
    uint64_t span = (UINT64_C(1) << (9 * (leaf.level - 1))) - 1;
    uint64_t first = vpn & ~span;
    if (!lw_oracle_remember(a->oracle, process, first, first | span, err)) {
        return false;
    }
    uint64_t old = (leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    bool good = what == 0   ? lw_page_table_unmap(table, vpn, err)
                : what == 1 ? move(a, table, vpn, leaf.level, old, err)
                            : lw_page_table_protect(table, vpn, flag, err);
    if (what == 0) {
        a->frees = true;
        a->free_frame = old;
        a->free_count = span + 1;
    }
    shoot_down(a, process, first, first | span);
    return good;
}

bool lw_os_agent_tick(lw_os_agent *a, bool taken, bool done, lw_error *err) {
    if (a->state == AGENT_ASKING && taken) {
        a->state = AGENT_WAITING;
        lw_oracle_invalidation_starts(a->oracle,
                                      a->type == INV_ALL ? LW_ORACLE_EVERY_PASID : a->pasid,
                                      a->covers_first, a->covers_last);
        return true;
    }
    if (a->state == AGENT_WAITING && done) {
        a->state = AGENT_IDLE;
        lw_oracle_invalidation_done(a->oracle);
        if (a->frees) {
            a->frees = false;
            return lw_frame_release(lw_address_spaces_frames(a->spaces), a->free_frame,
                                    a->free_count, err);
        }
        return true;
    }
    if (a->state != AGENT_IDLE || a->system->invalidations + a->system->remaps == 0) {
        return true;
    }
    uint64_t draw = lw_rng_below(&a->rng, 10000);
    if (draw < a->system->remaps) {
        return change_something(a, err);
    }
    if (draw < (uint64_t)a->system->remaps + a->system->invalidations) {
        invalidate_something(a);
    }
    return true;
}

uint64_t lw_os_agent_next_event(const lw_os_agent *a, uint64_t now) {
    bool acts = a->system->invalidations + a->system->remaps != 0;
    return acts || a->state == AGENT_ASKING ? now + 1 : UINT64_MAX;
}

bool lw_os_agent_busy(const lw_os_agent *a) {
    return a->state != AGENT_IDLE;
}
