#include "sim/os/os_agent.h"

#include "common/rng.h"
#include "sim/os/contiguity_bits.h"

#include <stdlib.h>

typedef enum agent_state { AGENT_IDLE, AGENT_ASKING, AGENT_WAITING } agent_state;

typedef enum change_kind { UNMAP, MOVE, PROTECT, PUT_BACK } change_kind;

typedef struct change {
    change_kind kind;
    uint32_t process, flags;
    uint64_t vpn;
} change;

/* A 4 KiB page that is not as it was in the beginning. Its first frame is kept for it. */
typedef struct displaced {
    uint32_t process;
    uint64_t vpn, home;
} displaced;

enum { DISPLACED_MAX = 256 };

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
    /* a change that waits for an invalidation of the bits that rest on its entry */
    bool change_waits;
    change waiting;
    displaced displaced[DISPLACED_MAX];
    uint32_t displaced_count;
};

static const uint32_t first_flags = LW_MAP_U | LW_MAP_W | LW_MAP_X;

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

static lw_frame_allocator *frames_of(const lw_os_agent *a) {
    return lw_address_spaces_frames(a->spaces);
}

static void free_later(lw_os_agent *a, uint64_t frame, uint64_t count) {
    a->frees = true;
    a->free_frame = frame;
    a->free_count = count;
}

/* The number of this page among the displaced, or their count. */
static uint32_t find_displaced(const lw_os_agent *a, uint32_t process, uint64_t vpn) {
    uint32_t i = 0;
    while (i < a->displaced_count &&
           (a->displaced[i].process != process || a->displaced[i].vpn != vpn)) {
        i++;
    }
    return i;
}

static change draw_change(lw_os_agent *a) {
    static const uint32_t flags[] = {LW_MAP_U, LW_MAP_U | LW_MAP_W, LW_MAP_U | LW_MAP_X,
                                     LW_MAP_U | LW_MAP_W | LW_MAP_X, LW_MAP_W};
    change c = {.kind = PUT_BACK};
    c.vpn = draw_page(a, &c.process);
    const bool back = lw_rng_percent(&a->rng, 50) || a->displaced_count == DISPLACED_MAX;
    if (back && a->displaced_count > 0) {
        const displaced *d = &a->displaced[lw_rng_below(&a->rng, a->displaced_count)];
        c.process = d->process;
        c.vpn = d->vpn;
    } else if (find_displaced(a, c.process, c.vpn) == a->displaced_count) {
        static const change_kind kinds[] = {UNMAP, MOVE, PROTECT, PROTECT};
        c.kind = kinds[lw_rng_below(&a->rng, sizeof kinds / sizeof kinds[0])];
        c.flags = flags[lw_rng_below(&a->rng, sizeof flags / sizeof flags[0])];
    }
    return c;
}

/* A page where none is, at `frame`. Where a node is missing it is made. */
static bool map_page(lw_os_agent *a, lw_page_table *table, uint64_t vpn, uint64_t frame,
                     uint32_t flags, lw_error *err) {
    return lw_page_table_map(table, vpn, frame, LW_SIZE_4K, flags, NULL) ||
           lw_frame_release(frames_of(a), frame, 1, err);
}

static bool put_back(lw_os_agent *a, lw_page_table *table, const change *c,
                     const lw_page_table_leaf *leaf, lw_error *err) {
    const uint32_t i = find_displaced(a, c->process, c->vpn);
    const uint64_t home = a->displaced[i].home;
    a->displaced[i] = a->displaced[--a->displaced_count];
    if (leaf == NULL) {
        return map_page(a, table, c->vpn, home, first_flags, err);
    }
    const uint64_t frame = (leaf->entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    if (frame != home) {
        free_later(a, frame, 1);
    }
    return lw_page_table_remap(table, c->vpn, home, err) &&
           lw_page_table_protect(table, c->vpn, first_flags, err);
}

/* A page that is there becomes another. A 4 KiB page's first frame stays with it. */
static bool displace(lw_os_agent *a, lw_page_table *table, const change *c,
                     const lw_page_table_leaf *leaf, lw_error *err) {
    const uint64_t old = (leaf->entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    const uint32_t order = 9 * (leaf->level - 1);
    uint64_t frame = 0;
    const bool moves = c->kind == MOVE && lw_frame_alloc_aligned(frames_of(a), order, &frame, NULL);
    if (leaf->level == 1) {
        a->displaced[a->displaced_count++] = (displaced){c->process, c->vpn, old};
    } else if (moves || c->kind == UNMAP) {
        free_later(a, old, UINT64_C(1) << order);
    }
    if (c->kind == UNMAP) {
        return lw_page_table_unmap(table, c->vpn, err);
    }
    return moves ? lw_page_table_remap(table, c->vpn, frame, err)
                 : lw_page_table_protect(table, c->vpn, c->flags, err);
}

/* The change, the contiguity bits that follow from it, and the invalidation of what it changed. */
static bool apply(lw_os_agent *a, const change *c, lw_error *err) {
    lw_page_table *table = lw_address_spaces_table(a->spaces, c->process);
    lw_page_table_leaf leaf = {.level = 1};
    const bool there = lw_page_table_find(table, c->vpn, &leaf, NULL);
    const uint64_t span = there ? (UINT64_C(1) << (9 * (leaf.level - 1))) - 1 : 0;
    const uint64_t first = c->vpn & ~span;
    if (!lw_oracle_remember(a->oracle, c->process, first, first | span, err)) {
        return false;
    }
    bool good = true;
    if (c->kind == PUT_BACK) {
        good = put_back(a, table, c, there ? &leaf : NULL, err);
    } else if (there) {
        good = displace(a, table, c, &leaf, err);
    } else { /* once part of a large page */
        uint64_t frame = 0;
        good = lw_frame_alloc(frames_of(a), &frame, err) &&
               map_page(a, table, c->vpn, frame, c->flags, err);
    }
    if (good && a->system->hw.subregions != 0 && (!there || leaf.level == 1)) {
        good = lw_contiguity_update(table, lw_address_spaces_memory(a->spaces), c->vpn, err);
    }
    shoot_down(a, c->process, first, first | span);
    return good;
}

static bool change_something(lw_os_agent *a, lw_error *err) {
    const change c = draw_change(a);
    lw_page_table *table = lw_address_spaces_table(a->spaces, c.process);
    lw_phys_mem *memory = lw_address_spaces_memory(a->spaces);
    if (a->system->hw.subregions == 0 || !lw_contiguity_rests_on(table, memory, c.vpn)) {
        return apply(a, &c, err);
    }
    a->change_waits = true;
    a->waiting = c;
    shoot_down(a, c.process, c.vpn, c.vpn);
    return lw_oracle_remember(a->oracle, c.process, c.vpn, c.vpn, err) &&
           lw_contiguity_forget(table, memory, c.vpn, err);
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
            return lw_frame_release(frames_of(a), a->free_frame, a->free_count, err);
        }
        if (a->change_waits) {
            a->change_waits = false;
            return apply(a, &a->waiting, err);
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

bool lw_os_agent_waits(const lw_os_agent *a) {
    return a->state == AGENT_WAITING;
}

bool lw_os_agent_busy(const lw_os_agent *a) {
    return a->state != AGENT_IDLE;
}

uint32_t lw_os_agent_frames_kept(const lw_os_agent *a) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->displaced_count; i++) {
        const displaced *d = &a->displaced[i];
        lw_page_table_leaf leaf;
        const bool at_home = lw_page_table_find(lw_address_spaces_table(a->spaces, d->process),
                                                d->vpn, &leaf, NULL) &&
                             (leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT == d->home;
        kept += at_home ? 0 : 1;
    }
    return kept;
}
