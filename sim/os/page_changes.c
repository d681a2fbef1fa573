#include "sim/os/page_changes.h"

#include "sim/os/hashed_changes.h"
#include "sim/os/hashed_mapping.h"
#include "sim/tables/contiguity_bits.h"

#include <stdlib.h>

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

enum { DISPLACED_MAX = 256, LATELY = 16 };

/* A page of a process. */
typedef struct place {
    uint32_t process;
    uint64_t vpn;
} place;

struct lw_page_changes {
    const lw_system *system;
    lw_address_spaces *spaces;
    const lw_os_roots *roots;
    /* a change that waits for an invalidation of the bits that rest on its entry */
    bool change_waits;
    change waiting;
    lw_page_change_counts counts;
    displaced displaced[DISPLACED_MAX];
    uint32_t displaced_count;
    place lately[LATELY]; /* a ring of the pages asked for */
    uint32_t asked;
};

static const uint32_t first_flags = LW_MAP_U | LW_MAP_W | LW_MAP_X;

lw_page_changes *lw_page_changes_new(const lw_system *system, lw_address_spaces *spaces,
                                     const lw_os_roots *roots) {
    lw_page_changes *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->system = system;
        c->spaces = spaces;
        c->roots = roots;
    }
    return c;
}

void lw_page_changes_free(lw_page_changes *c) {
    free(c);
}

lw_page_change_counts lw_page_changes_counts(const lw_page_changes *c) {
    return c->counts;
}

/* Whether it is a page of an array that is mapped: planted bad entries stay as they are. */
static bool may_change(const lw_page_changes *c, place p) {
    const uint64_t mask = (UINT64_C(1) << (9 * c->system->hw.levels)) - 1;
    size_t count = 0;
    const lw_array *arrays = lw_address_spaces_arrays(c->spaces, p.process, &count);
    count = lw_address_spaces_changing(c->spaces, p.process);
    for (size_t i = 0; i < count; i++) {
        const uint64_t first = arrays[i].base >> LW_PAGE_SHIFT & mask;
        if (p.vpn >= first && p.vpn - first < lw_array_pages(&arrays[i])) {
            return true;
        }
    }
    return false;
}

void lw_page_changes_asked(lw_page_changes *c, uint32_t pasid, uint64_t page) {
    place p = {0, page & ((UINT64_C(1) << (9 * c->system->hw.levels)) - 1)};
    if (lw_os_roots_table(c->roots, pasid, &p.process) && may_change(c, p)) {
        c->lately[c->asked++ % LATELY] = p;
    }
}

/* A page asked for lately, or one whose entry lies in the same line. */
static bool draw_near(const lw_page_changes *c, lw_rng *rng, place *near) {
    if (c->system->near_changes == 0 || c->asked < LATELY ||
        !lw_rng_percent(rng, c->system->near_changes)) {
        return false;
    }
    *near = c->lately[lw_rng_below(rng, LATELY)];
    if (lw_rng_percent(rng, 30)) {
        near->vpn = (near->vpn & ~UINT64_C(7)) | lw_rng_below(rng, 8);
    }
    return may_change(c, *near);
}

uint64_t lw_page_changes_draw_page(const lw_page_changes *c, lw_rng *rng, uint32_t *process) {
    const uint64_t mask = (UINT64_C(1) << (9 * c->system->hw.levels)) - 1;
    size_t count = 0;
    place near;
    if (draw_near(c, rng, &near)) {
        *process = near.process;
        return near.vpn;
    }
    const uint32_t processes = lw_address_spaces_processes(c->spaces);
    *process = (uint32_t)lw_rng_below(rng, processes);
    /* Planted bad entries stay as they are; a process may have nothing else. */
    for (uint32_t n = 0; n < processes && lw_address_spaces_changing(c->spaces, *process) == 0;
         n++) {
        *process = (*process + 1) % processes;
    }
    const lw_array *arrays = lw_address_spaces_arrays(c->spaces, *process, &count);
    count = lw_address_spaces_changing(c->spaces, *process);
    if (count == 0) {
        return mask; /* nobody has a page that may change: the last one of all, for somebody */
    }
    const lw_array *array = &arrays[lw_rng_below(rng, count)];
    return ((array->base >> LW_PAGE_SHIFT) + lw_rng_below(rng, lw_array_pages(array))) & mask;
}

static lw_page_table *table_of(const lw_page_changes *c, uint32_t process) {
    return lw_address_spaces_table(c->spaces, process);
}

static lw_frame_allocator *frames_of(const lw_page_changes *c) {
    return lw_address_spaces_frames(c->spaces);
}

/* Of the processes that share the page's entry the lowest: the page is displaced once. */
static uint32_t keeper_of(const lw_page_changes *c, uint32_t process, uint64_t vpn) {
    uint64_t pa = 0;
    if (c->system->shared_tables == 0 ||
        !lw_page_table_entry_address(table_of(c, process), vpn, 1, &pa, NULL)) {
        return process;
    }
    for (uint32_t p = 0; p < process; p++) {
        uint64_t at = 0;
        if (lw_page_table_entry_address(table_of(c, p), vpn, 1, &at, NULL) && at == pa) {
            return p;
        }
    }
    return process;
}

/* The number of this page among the displaced, or their count. */
static uint32_t find_displaced(const lw_page_changes *c, uint32_t process, uint64_t vpn) {
    uint32_t i = 0;
    while (i < c->displaced_count &&
           (c->displaced[i].process != process || c->displaced[i].vpn != vpn)) {
        i++;
    }
    return i;
}

bool lw_page_changes_displaced(const lw_page_changes *c, uint64_t vpn) {
    uint32_t i = 0;
    while (i < c->displaced_count && c->displaced[i].vpn != vpn) {
        i++;
    }
    return i < c->displaced_count;
}

static change draw_change(lw_page_changes *c, lw_rng *rng) {
    static const uint32_t flags[] = {LW_MAP_U, LW_MAP_U | LW_MAP_W, LW_MAP_U | LW_MAP_X,
                                     LW_MAP_U | LW_MAP_W | LW_MAP_X, LW_MAP_W};
    change drawn = {.kind = PUT_BACK};
    drawn.vpn = lw_page_changes_draw_page(c, rng, &drawn.process);
    drawn.process = keeper_of(c, drawn.process, drawn.vpn);
    const bool back = lw_rng_percent(rng, 50) || c->displaced_count == DISPLACED_MAX;
    if (back && c->displaced_count > 0) {
        const displaced *d = &c->displaced[lw_rng_below(rng, c->displaced_count)];
        drawn.process = d->process;
        drawn.vpn = d->vpn;
    } else if (find_displaced(c, drawn.process, drawn.vpn) == c->displaced_count) {
        static const change_kind kinds[] = {UNMAP, MOVE, PROTECT, PROTECT};
        drawn.kind = kinds[lw_rng_below(rng, sizeof kinds / sizeof kinds[0])];
        drawn.flags = flags[lw_rng_below(rng, sizeof flags / sizeof flags[0])];
    }
    return drawn;
}

/* A page where none is, at `frame`. Where a node is missing it is made. */
static bool map_page(lw_page_changes *c, lw_page_table *table, uint64_t vpn, uint64_t frame,
                     uint32_t flags, lw_error *err) {
    return lw_page_table_map(table, vpn, frame, LW_SIZE_4K, flags, NULL) ||
           lw_frame_release(frames_of(c), frame, 1, err);
}

static void free_later(lw_os_plan *plan, uint64_t frame, uint64_t count) {
    plan->free_frame = frame;
    plan->free_count = count;
}

static bool put_back(lw_page_changes *c, const change *what, const lw_page_table_leaf *leaf,
                     lw_os_plan *plan, lw_error *err) {
    lw_page_table *table = table_of(c, what->process);
    const uint32_t i = find_displaced(c, what->process, what->vpn);
    const uint64_t home = c->displaced[i].home;
    c->displaced[i] = c->displaced[--c->displaced_count];
    if (leaf == NULL) {
        return map_page(c, table, what->vpn, home, first_flags, err);
    }
    const uint64_t frame = (leaf->entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    if (frame != home) {
        free_later(plan, frame, 1);
    }
    return lw_page_table_remap(table, what->vpn, home, err) &&
           lw_page_table_protect(table, what->vpn, first_flags, err);
}

/* A page that is there becomes another. A 4 KiB page's first frame stays with it. */
static bool displace(lw_page_changes *c, const change *what, const lw_page_table_leaf *leaf,
                     lw_os_plan *plan, lw_error *err) {
    lw_page_table *table = table_of(c, what->process);
    const uint64_t pages = lw_page_table_leaf_pages(leaf);
    const uint64_t old =
        ((leaf->entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT) & ~(pages - 1); /* the page's first */
    const uint32_t order = (uint32_t)__builtin_ctzll(pages);
    uint64_t frame = 0;
    const bool moves =
        what->kind == MOVE && lw_frame_alloc_aligned(frames_of(c), order, &frame, NULL);
    if (pages == 1) {
        c->displaced[c->displaced_count++] = (displaced){what->process, what->vpn, old};
    } else if (moves || what->kind == UNMAP) {
        free_later(plan, old, pages);
    }
    if (what->kind == UNMAP) {
        return lw_page_table_unmap(table, what->vpn, err);
    }
    return moves ? lw_page_table_remap(table, what->vpn, frame, err)
                 : lw_page_table_protect(table, what->vpn, what->flags, err);
}

/* The frame's level-2 entry, where it has one that leads to pages of 4 KiB. */
static uint64_t contiguity_bits(const lw_page_changes *c, uint32_t process, uint64_t vpn,
                                uint64_t *pa) {
    if (c->system->hw.subregions == 0 ||
        !lw_page_table_entry_address(table_of(c, process), vpn, 2, pa, NULL)) {
        return 0;
    }
    const uint64_t entry = lw_phys_mem_read64(lw_address_spaces_memory(c->spaces), *pa);
    return (entry & LW_PTE_PS) != 0 ? 0 : entry & (LW_PTE_C | LW_PTE_AC);
}

static void owe(lw_page_changes *c, const lw_os_debt *debt, lw_rng *rng, lw_os_plan *plan) {
    c->counts.changes++;
    c->counts.shared += lw_os_roots_owe(c->roots, debt, rng, plan) > 1 ? 1 : 0;
}

/* The change, the contiguity bits that follow from it, and the invalidation of what it changed. */
static bool apply(lw_page_changes *c, const change *what, lw_rng *rng, lw_os_plan *plan,
                  lw_error *err) {
    lw_page_table *table = table_of(c, what->process);
    lw_page_table_leaf leaf = {.level = 1};
    const bool there = lw_page_table_find(table, what->vpn, &leaf, NULL);
    const uint32_t level = there ? leaf.level : 1;
    const uint64_t span = there ? lw_page_table_leaf_pages(&leaf) - 1 : 0;
    const uint64_t first = what->vpn & ~span;
    lw_os_plan_begin(plan);
    lw_hashed_change_remember(c->spaces, what->process, what->vpn, plan);
    bool good = true;
    if (what->kind == PUT_BACK) {
        good = put_back(c, what, there ? &leaf : NULL, plan, err);
    } else if (there) {
        good = displace(c, what, &leaf, plan, err);
    } else { /* once part of a large page */
        uint64_t frame = 0;
        good = lw_frame_alloc(frames_of(c), &frame, err) &&
               map_page(c, table, what->vpn, frame, what->flags, err);
    }
    uint64_t entry = 0;
    const uint64_t before = contiguity_bits(c, what->process, what->vpn, &entry);
    if (good && c->system->hw.subregions != 0 && level == 1) {
        good = lw_contiguity_update(table, lw_address_spaces_memory(c->spaces), what->vpn, err);
    }
    if ((before & ~contiguity_bits(c, what->process, what->vpn, &entry)) != 0) {
        plan->bits_lost = entry;
    }
    bool moved = false;
    good = good && lw_hashed_change_follow(c->spaces, what->process, what->vpn, plan, &moved, err);
    const lw_os_debt debt = {
        what->process, what->vpn, level, first, first | span, true, c->system->near_changes != 0};
    owe(c, &debt, rng, plan);
    if (moved) {
        lw_os_plan_add(plan, lw_os_invalidate_all(c->system->hw.levels));
    }
    return good;
}

bool lw_page_changes_make(lw_page_changes *c, lw_rng *rng, lw_os_plan *plan, lw_error *err) {
    const change what = draw_change(c, rng);
    lw_page_table *table = table_of(c, what.process);
    lw_phys_mem *memory = lw_address_spaces_memory(c->spaces);
    if (!lw_hashed_mapping_can_follow(c->spaces, what.process, what.vpn)) {
        lw_os_plan_begin(plan);
        return true;
    }
    if (c->system->hw.subregions == 0 || !lw_contiguity_rests_on(table, memory, what.vpn)) {
        return apply(c, &what, rng, plan, err);
    }
    const lw_os_debt debt = {
        what.process, what.vpn, 2, what.vpn, what.vpn, true, c->system->near_changes != 0};
    lw_os_plan_begin(plan);
    c->change_waits = true;
    c->waiting = what;
    (void)contiguity_bits(c, what.process, what.vpn, &plan->bits_lost);
    lw_hashed_change_remember(c->spaces, what.process, what.vpn, plan);
    const bool good = lw_contiguity_forget(table, memory, what.vpn, err) &&
                      lw_hashed_change_forget(c->spaces, what.process, what.vpn, plan, err);
    owe(c, &debt, rng, plan);
    return good;
}

bool lw_page_changes_go_on(lw_page_changes *c, lw_rng *rng, lw_os_plan *plan, bool *more,
                           lw_error *err) {
    *more = c->change_waits;
    if (!c->change_waits) {
        return true;
    }
    c->change_waits = false;
    return apply(c, &c->waiting, rng, plan, err);
}

static bool asked_lately(const lw_page_changes *c, const displaced *d) {
    for (uint32_t i = 0; i < LATELY && i < c->asked; i++) {
        if (c->lately[i].process == d->process && c->lately[i].vpn >> 3 == d->vpn >> 3) {
            return true;
        }
    }
    return false;
}

/* One that somebody may wait for, if such changes are wanted and there is one; else any. */
static const displaced *draw_displaced(const lw_page_changes *c, lw_rng *rng) {
    const uint32_t start = (uint32_t)lw_rng_below(rng, c->displaced_count);
    if (c->system->near_changes != 0 && lw_rng_percent(rng, c->system->near_changes)) {
        for (uint32_t n = 0; n < c->displaced_count; n++) {
            const displaced *d = &c->displaced[(start + n) % c->displaced_count];
            if (asked_lately(c, d)) {
                return d;
            }
        }
    }
    return &c->displaced[start];
}

bool lw_page_changes_make_silent(lw_page_changes *c, lw_rng *rng, lw_error *err) {
    if (c->displaced_count == 0) {
        return true;
    }
    const displaced *d = draw_displaced(c, rng);
    lw_page_table *table = table_of(c, d->process);
    const bool less = lw_rng_percent(rng, 50);
    lw_page_table_leaf leaf;
    uint64_t entry = 0;
    if (contiguity_bits(c, d->process, d->vpn, &entry) != 0 ||
        !lw_hashed_change_is_one_word(c->spaces, d->process, d->vpn)) {
        return true; /* the entry may stand for other pages, or another change is under way */
    }
    if (!lw_page_table_find(table, d->vpn, &leaf, NULL)) {
        c->counts.appeared++;
        const uint32_t flags = less ? LW_MAP_U : first_flags;
        return lw_page_table_map(table, d->vpn, d->home, LW_SIZE_4K, flags, err) &&
               lw_hashed_change_at_once(c->spaces, d->process, d->vpn, err);
    }
    const uint64_t all = LW_PTE_RW | LW_PTE_US;
    if (leaf.level == 1 && ((leaf.entry & all) != all || (leaf.entry & LW_PTE_NX) != 0)) {
        c->counts.permitted++;
        return lw_page_table_protect(table, d->vpn, first_flags, err) &&
               lw_hashed_change_at_once(c->spaces, d->process, d->vpn, err);
    }
    return true;
}

uint32_t lw_page_changes_frames_kept(const lw_page_changes *c) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->displaced_count; i++) {
        const displaced *d = &c->displaced[i];
        lw_page_table_leaf leaf;
        const bool at_home = lw_page_table_find(table_of(c, d->process), d->vpn, &leaf, NULL) &&
                             (leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT == d->home;
        kept += at_home ? 0 : 1;
    }
    return kept;
}
