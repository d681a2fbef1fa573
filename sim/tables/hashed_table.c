#include "sim/tables/hashed_table_state.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct {
    uint64_t pages;
    uint64_t hint; /* R20.4; 3: not a size of these tables */
    const char *name;
} sizes[] = {[LW_SIZE_4K] = {1, 0, "4 KiB"},
             [LW_SIZE_2M] = {LW_BLOCK_PAGES, 2, "2 MiB"},
             [LW_SIZE_1G] = {0, 3, "1 GiB"},
             [LW_SIZE_64K] = {16, 1, "64 KiB"}};

static const uint64_t pages_by_hint[] = {1, 16, LW_BLOCK_PAGES, 1};

/* ---------------------------------------------------------------- the tables */

static bool allowed(const char *what, uint32_t value, uint32_t least, uint64_t most,
                    lw_error *err) {
    return (value >= least && value <= most) ||
           lw_fail(err, "hashed table: %s %" PRIu32 " is not in %" PRIu32 "..%" PRIu64, what, value,
                   least, most);
}

static bool odd(const char *what, uint32_t value, lw_error *err) {
    return value % 2 == 1 ||
           lw_fail(err, "hashed table: %s %" PRIu32 " is even; an odd one is allowed", what, value);
}

/* R20.31: a region of a line is known by more bits, and none of MESC's bits speak of so few pages.
 */
static bool check_slots(const lw_hashed_config *c, lw_error *err) {
    return c->slot_pages == LW_SLOT_OF_A_FRAME ||
           (c->slot_pages == LW_SLOT_OF_A_LINE && c->levels == 4 && !c->contiguity) ||
           lw_fail(err,
                   "hashed table: slot_pages %" PRIu32 "; allowed: %d, and %d with levels 4 and "
                   "without contiguity bits",
                   c->slot_pages, LW_SLOT_OF_A_FRAME, LW_SLOT_OF_A_LINE);
}

static bool check(const lw_hashed_config *c, lw_error *err) {
    return allowed("levels", c->levels, 4, 5, err) && check_slots(c, err) &&
           allowed("table_log", c->table_log, lw_table_log_min(c->slot_pages),
                   lw_table_log_max(c->slot_pages), err) &&
           allowed("step_log", c->step_log, LW_STEP_LOG_MIN, LW_STEP_LOG_MAX, err) &&
           allowed("stride", c->stride, 1, (UINT64_C(1) << c->table_log) - 1, err) &&
           odd("stride", c->stride, err) &&
           allowed("multiplier", c->multiplier, 1, (UINT64_C(1) << LW_HASH_BITS) - 1, err) &&
           odd("multiplier", c->multiplier, err) &&
           allowed("max_local", c->max_local, 1, UINT32_MAX, err) &&
           allowed("max_entries", c->max_entries, 1, UINT64_C(1) << c->table_log, err);
}

/* A run of 2^order frames, all zeros, a multiple of its size. */
static bool take_frames(lw_hashed_table *t, uint32_t order, uint64_t *frame, bool *taken,
                        lw_error *err) {
    *taken = lw_frame_alloc_aligned(t->frames, order, frame, err);
    for (uint64_t i = 0; *taken && i < UINT64_C(1) << order; i++) {
        lw_phys_mem_clear_frame(t->mem, *frame + i);
    }
    return *taken;
}

static uint32_t step_order(const lw_hashed_config *c) {
    return c->step_log - LW_STEP_LOG_MIN;
}

/* log2 of the frames that the slots fill. */
static uint32_t table_order(const lw_hashed_config *c) {
    return c->table_log - (c->slot_pages == LW_SLOT_OF_A_LINE ? LW_STEP_LOG_MIN : 0);
}

static bool make(lw_hashed_table *t, lw_error *err) {
    const lw_hashed_config *c = &t->config;
    if (!take_frames(t, table_order(c), &t->table_frame, &t->has_table, err) ||
        !take_frames(t, step_order(c), &t->step_frame, &t->has_steps, err)) {
        return false;
    }
    const lw_step_table_config steps = {t->step_frame, c->step_log, c->multiplier, c->contiguity};
    return (t->queue = lw_word_queue_new(t->mem, err)) != NULL &&
           (t->map = lw_hpt_map_new(c->table_log, c->stride, c->multiplier, err)) != NULL &&
           (t->steps = lw_step_table_new(t->queue, &steps, err)) != NULL &&
           (t->victims = lw_victim_buffer_new(t->queue, t->mem, t->frames, c->levels, c->slot_pages,
                                              err)) != NULL;
}

lw_hashed_table *lw_hashed_table_new(const lw_hashed_config *config, lw_phys_mem *mem,
                                     lw_frame_allocator *frames, lw_error *err) {
    if (!check(config, err)) {
        return NULL;
    }
    lw_hashed_table *t = calloc(1, sizeof *t);
    if (t == NULL) {
        (void)lw_fail(err, "hashed table: the host has no memory left");
        return NULL;
    }
    t->config = *config;
    t->region_shift = config->slot_pages == LW_SLOT_OF_A_LINE ? 3 : 9;
    t->mem = mem;
    t->frames = frames;
    if (!make(t, err)) {
        lw_hashed_table_free(t);
        return NULL;
    }
    return t;
}

void lw_hashed_table_free(lw_hashed_table *t) {
    if (t == NULL) {
        return;
    }
    lw_victim_buffer_free(t->victims);
    lw_step_table_free(t->steps);
    lw_hpt_map_free(t->map);
    lw_word_queue_free(t->queue);
    if (t->has_table) {
        (void)lw_frame_release(t->frames, t->table_frame, UINT64_C(1) << table_order(&t->config),
                               NULL);
    }
    if (t->has_steps) {
        (void)lw_frame_release(t->frames, t->step_frame, UINT64_C(1) << step_order(&t->config),
                               NULL);
    }
    free(t);
}

bool lw_hashed_table_add_process(lw_hashed_table *t, uint32_t pasid, lw_error *err) {
    return lw_victim_buffer_add(t->victims, pasid, err);
}

bool lw_hashed_table_roots(const lw_hashed_table *t, uint32_t pasid, lw_hashed_roots *roots) {
    *roots = (lw_hashed_roots){.table_frame = t->table_frame,
                               .step_frame = t->step_frame,
                               .table_log = t->config.table_log,
                               .step_log = t->config.step_log,
                               .stride = t->config.stride,
                               .multiplier = t->config.multiplier};
    return lw_victim_buffer_root(t->victims, pasid, &roots->victim_frame);
}

/* ---------------------------------------------------------------- pages */

/* Where the region of vpn is. */
typedef struct where {
    uint64_t tag;
    lw_hpt_probe probe;
    lw_victim_leaf *leaf; /* NULL where the region is not in the victim buffer */
    lw_victim_leaf *copy; /* that a recall has left there; NULL without */
} where;

static where locate(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn) {
    const uint64_t region = lw_region_of(t, vpn);
    where w = {.tag = lw_region_tag(pasid, region)};
    w.probe = lw_hpt_map_probe(t->map, w.tag);
    lw_victim_leaf *leaf = lw_victim_buffer_find(t->victims, pasid, region);
    w.leaf = leaf != NULL && leaf->live ? leaf : NULL;
    w.copy = leaf != NULL && leaf->stale ? leaf : NULL;
    return w;
}

/* Where the region's PTEs are; false where it is nowhere. */
static bool pa_of(const lw_hashed_table *t, const where *w, uint64_t *pa) {
    const bool held = w->probe.found == LW_HPT_HELD;
    *pa = held ? lw_slot_pa(t, w->probe.slot) : (w->leaf != NULL) ? w->leaf->pa : 0;
    return held || w->leaf != NULL;
}

bool lw_hashed_table_find(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                          lw_hashed_page *page) {
    const where w = locate(t, pasid, vpn);
    uint64_t pa = 0;
    if (!pa_of(t, &w, &pa)) {
        return false;
    }
    page->pa = lw_pte_pa(t, pa, vpn);
    page->pte = lw_phys_mem_read64(t->mem, page->pa) & ~LW_PTE_TAG;
    page->in_victim_buffer = w.probe.found != LW_HPT_HELD;
    return (page->pte & LW_PTE_P) != 0;
}

static bool check_page(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                       lw_page_size size, lw_error *err) {
    const uint32_t vpn_bits = 9 * t->config.levels;
    const uint32_t pfn_bits = lw_phys_mem_pa_width(t->mem) - LW_PAGE_SHIFT;
    uint64_t root = 0;
    if (size > LW_SIZE_64K || sizes[size].pages == 0 || sizes[size].pages > t->config.slot_pages) {
        return lw_fail(err,
                       "hashed table: page size %u; allowed: 4 KiB, and with slots of 512 pages "
                       "64 KiB and 2 MiB",
                       (unsigned)size);
    }
    if (!lw_victim_buffer_root(t->victims, pasid, &root)) {
        return lw_fail(err, "hashed table: PASID %" PRIu32 " has no process", pasid);
    }
    const uint64_t pages = sizes[size].pages;
    if (vpn >> vpn_bits != 0 || pfn >> pfn_bits != 0 || vpn % pages != 0 || pfn % pages != 0) {
        return lw_fail(err,
                       "hashed table: VPN 0x%" PRIx64 " or frame 0x%" PRIx64
                       " is not a multiple of a page of %s below 2^%" PRIu32 ", 2^%" PRIu32,
                       vpn, pfn, sizes[size].name, vpn_bits, pfn_bits);
    }
    for (uint64_t i = 0; i < pages; i++) {
        lw_hashed_page page;
        if (lw_hashed_table_find(t, pasid, vpn + i, &page)) {
            return lw_fail(err, "hashed table: VPN 0x%" PRIx64 " is mapped already", vpn + i);
        }
    }
    return true;
}

static uint64_t pte_bits(lw_page_size size, uint32_t flags) {
    return LW_PTE_P | ((flags & LW_MAP_W) != 0 ? LW_PTE_RW : 0) |
           ((flags & LW_MAP_U) != 0 ? LW_PTE_US : 0) | ((flags & LW_MAP_X) != 0 ? 0 : LW_PTE_NX) |
           ((flags & LW_MAP_REMOTE) != 0 ? LW_PTE_REMOTE : 0) |
           sizes[size].hint << LW_PTE_SIZE_SHIFT;
}

/* The words of a page in its region; the others become 0. */
static void page_words(const lw_hashed_table *t, lw_region_words *words, uint64_t vpn, uint64_t pfn,
                       lw_page_size size, uint32_t flags) {
    const uint64_t bits = pte_bits(size, flags);
    *words = (lw_region_words){{0}};
    for (uint64_t i = 0; i < sizes[size].pages; i++) {
        words->pte[vpn % t->config.slot_pages + i] = (pfn + i) << LW_PAGE_SHIFT | bits;
    }
}

/* Writes those PTEs that are present into a node whose lines carry the tag (0: none). */
static bool add_words(lw_hashed_table *t, uint64_t pa, uint64_t tag, const lw_region_words *words,
                      lw_error *err) {
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        if (words->pte[i] != 0 && !lw_word_queue_add(t->queue, lw_pte_pa(t, pa, i),
                                                     words->pte[i] | lw_tag_slice(tag, i), err)) {
            return false;
        }
    }
    return true;
}

/* R20.33 */
static bool add_to_copy(lw_hashed_table *t, const lw_victim_leaf *copy,
                        const lw_region_words *words, lw_error *err) {
    return copy == NULL || add_words(t, copy->pa, 0, words, err);
}

/* Line 7: the region has an entry. One that becomes local needs room in the GPU's memory. */
static bool add_to_entry(lw_hashed_table *t, const where *w, const lw_region_words *words,
                         uint32_t pages, uint32_t local, lw_error *err) {
    const uint32_t slot = w->probe.slot;
    t->counts.found++;
    if (local > 0 && lw_hpt_map_slot(t->map, slot)->local == 0 &&
        !lw_hashed_make_local_room(t, err)) {
        return false;
    }
    lw_hpt_map_add_pages(t->map, slot, (int32_t)pages, (int32_t)local);
    return add_to_copy(t, w->copy, words, err) &&
           add_words(t, lw_slot_pa(t, slot), w->tag, words, err);
}

/* The region is in the victim buffer, or comes there. */
static bool add_to_victim(lw_hashed_table *t, uint64_t tag, const lw_region_words *words,
                          uint32_t pages, uint32_t local, lw_error *err) {
    lw_victim_leaf *leaf =
        lw_victim_buffer_make(t->victims, lw_tag_pasid(tag), lw_tag_region(tag), err);
    if (leaf == NULL) {
        return false;
    }
    leaf->live = true;
    leaf->pages = (uint16_t)(leaf->pages + pages);
    leaf->local = (uint16_t)(leaf->local + local);
    return add_words(t, leaf->pa, 0, words, err);
}

/* A region that has no entry, or is in the victim buffer and now becomes local. */
static bool place_region(lw_hashed_table *t, const where *w, const lw_region_words *words,
                         uint32_t pages, uint32_t local, lw_error *err) {
    lw_region_words all = *words;
    uint32_t all_pages = pages;
    uint32_t all_local = local;
    bool placed = false;
    if (w->leaf != NULL) {
        lw_region_read(t, w->leaf->pa, &all);
        for (uint32_t i = 0; i < t->config.slot_pages; i++) {
            all.pte[i] |= words->pte[i];
        }
        all_pages += w->leaf->pages;
        all_local += w->leaf->local;
    }
    if (!lw_hashed_place(t, w->tag, &all, all_pages, all_local, &placed, err)) {
        return false;
    }
    if (!placed) {
        return add_to_victim(t, w->tag, words, pages, local, err);
    }
    if (w->leaf != NULL) {
        lw_hashed_leave_victim(t, w->leaf);
    }
    return add_to_copy(t, w->leaf, words, err);
}

bool lw_hashed_table_map(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                         lw_page_size size, uint32_t flags, lw_error *err) {
    lw_region_words words;
    if (!lw_hashed_begin(t, err) || !check_page(t, pasid, vpn, pfn, size, err)) {
        return false;
    }
    const where w = locate(t, pasid, vpn);
    const uint32_t pages = (uint32_t)sizes[size].pages;
    const uint32_t local = (flags & LW_MAP_REMOTE) != 0 ? 0 : pages;
    page_words(t, &words, vpn, pfn, size, flags);
    if (w.probe.found == LW_HPT_HELD) {
        return add_to_entry(t, &w, &words, pages, local, err);
    }
    if (w.leaf != NULL && (local == 0 || w.leaf->local > 0)) {
        return add_to_victim(t, w.tag, &words, pages, local, err);
    }
    return place_region(t, &w, &words, pages, local, err);
}

/* The PTE of vpn in a copy, if there is one, becomes this (R20.33). */
static bool write_copy(lw_hashed_table *t, const lw_victim_leaf *copy, uint64_t vpn, uint64_t pte,
                       lw_error *err) {
    return copy == NULL || lw_word_queue_add(t->queue, lw_pte_pa(t, copy->pa, vpn), pte, err);
}

bool lw_hashed_table_unmap(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, lw_error *err) {
    lw_hashed_page page;
    if (!lw_hashed_begin(t, err)) {
        return false;
    }
    if (!lw_hashed_table_find(t, pasid, vpn, &page)) {
        return lw_fail(err, "hashed table: VPN 0x%" PRIx64 " of PASID %" PRIu32 " is not mapped",
                       vpn, pasid);
    }
    const where w = locate(t, pasid, vpn);
    const uint64_t pages = pages_by_hint[(page.pte & LW_PTE_SIZE) >> LW_PTE_SIZE_SHIFT];
    const int32_t local = (page.pte & LW_PTE_REMOTE) != 0 ? 0 : (int32_t)pages;
    const uint64_t tag = page.in_victim_buffer ? 0 : w.tag;
    const uint64_t first = vpn & ~(pages - 1);
    for (uint64_t i = 0; i < pages; i++) {
        if (!write_copy(t, w.copy, first + i, 0, err) ||
            !lw_word_queue_add(t->queue, page.pa + (first + i - vpn) * 8,
                               lw_tag_slice(tag, (uint32_t)((first + i) % 8)), err)) {
            return false;
        }
    }
    if (w.leaf != NULL) {
        w.leaf->pages = (uint16_t)(w.leaf->pages - pages);
        w.leaf->local = (uint16_t)(w.leaf->local - local);
        w.leaf->live = w.leaf->pages != 0;
        return true;
    }
    lw_hpt_map_add_pages(t->map, w.probe.slot, -(int32_t)pages, -local);
    return lw_hpt_map_slot(t->map, w.probe.slot)->pages != 0 ||
           lw_hashed_drop(t, w.probe.slot, err);
}

bool lw_hashed_table_replace(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                             uint32_t flags, lw_error *err) {
    lw_hashed_page page;
    if (!lw_hashed_begin(t, err)) {
        return false;
    }
    if (!lw_hashed_table_find(t, pasid, vpn, &page) || (page.pte & LW_PTE_SIZE) != 0) {
        return lw_fail(err,
                       "hashed table: VPN 0x%" PRIx64 " of PASID %" PRIu32 " is no page of 4 KiB",
                       vpn, pasid);
    }
    const uint64_t slice = lw_phys_mem_read64(t->mem, page.pa) & LW_PTE_TAG;
    const uint64_t kept = page.pte & LW_PTE_REMOTE;
    const uint64_t pte = pfn << LW_PAGE_SHIFT | pte_bits(LW_SIZE_4K, flags) | kept;
    const where w = locate(t, pasid, vpn);
    return write_copy(t, w.copy, vpn, pte, err) &&
           lw_word_queue_add(t->queue, page.pa, pte | slice, err);
}

bool lw_hashed_table_step(lw_hashed_table *t, bool *written, lw_error *err) {
    return lw_word_queue_step(t->queue, written, err);
}

bool lw_hashed_table_drain(lw_hashed_table *t, lw_error *err) {
    return lw_word_queue_drain(t->queue, err);
}
