#include "sim/os/hashed_mapping.h"

#include "sim/os/address_space_state.h"
#include "sim/tables/hashed_layout.h"

bool lw_address_spaces_hash(lw_address_spaces *s, uint64_t regions, lw_error *err) {
    if (s->system->hashed_tables == 0) {
        return true;
    }
    const uint64_t share = regions * s->system->local_share / LW_ALL_LOCAL;
    const uint64_t local = share == 0 ? 1 : share;
    const lw_hashed_need need = {.pages = local * LW_BLOCK_PAGES,
                                 .factor = s->system->hashed_factor,
                                 .load = s->system->hashed_load,
                                 .levels = s->system->hw.levels,
                                 .slot_pages = s->system->hw.slot_pages,
                                 .contiguity = s->system->hw.subregions != 0};
    const lw_hashed_config config = lw_hashed_config_for(&need);
    const lw_frame_allocator_config frames = {.policy = {.kind = LW_FRAMES_CONTIGUOUS},
                                              .first_frame = s->end_frame,
                                              .frames = LW_TABLE_FRAMES,
                                              .pa_width = s->system->hw.pa_width};
    s->table_frames = lw_frame_allocator_new(&frames, err);
    s->hashed = s->table_frames == NULL
                    ? NULL
                    : lw_hashed_table_new(&config, s->memory, s->table_frames, err);
    return s->hashed != NULL;
}

lw_hashed_table *lw_address_spaces_hashed(lw_address_spaces *s) {
    return s->hashed;
}

bool lw_address_spaces_is_hashed(const lw_address_spaces *s, uint32_t process) {
    return s->hashed != NULL &&
           (process % s->system->hashed_tables == 0 || s->processes[process].lack != 0);
}

static uint32_t flags_of(uint64_t entry) {
    return ((entry & LW_PTE_RW) != 0 ? LW_MAP_W : 0) | ((entry & LW_PTE_US) != 0 ? LW_MAP_U : 0) |
           ((entry & LW_PTE_NX) != 0 ? 0 : LW_MAP_X);
}

/* A page as the page table has it, in the largest size that a hashed table has for it. */
typedef struct found {
    uint64_t vpn, pfn;
    uint32_t flags;
    uint32_t level;
    uint64_t pages; /* of 4 KiB that it has there */
} found;

static bool find(const lw_page_table *table, uint64_t vpn, found *page) {
    lw_page_table_leaf leaf;
    if (!lw_page_table_find(table, vpn, &leaf, NULL)) {
        return false;
    }
    const uint64_t within = (UINT64_C(1) << 9 * (leaf.level - 1)) - 1;
    *page =
        (found){.vpn = vpn,
                .pfn = ((leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT & ~within) | (vpn & within),
                .flags = flags_of(leaf.entry),
                .level = leaf.level,
                .pages = lw_page_table_leaf_pages(&leaf)};
    return true;
}

/* Whether `pages` pages from this one on, all before `end`, lie in a row as one large page, and are
 * not in the hashed table yet. */
static bool is_one(const lw_address_spaces *s, uint32_t process, const found *first, uint64_t pages,
                   uint64_t end) {
    bool is = first->vpn % pages == 0 && first->pfn % pages == 0 && first->vpn + pages <= end;
    for (uint64_t i = 1; i < pages && is; i++) {
        found page;
        lw_hashed_page there;
        is = find(s->processes[process].table, first->vpn + i, &page) &&
             page.level == first->level && page.pfn == first->pfn + i &&
             page.flags == first->flags &&
             !lw_hashed_table_find(s->hashed, process, first->vpn + i, &there);
    }
    return is;
}

/* The size of the page at vpn in the hashed table, and how many pages of 4 KiB it has. */
static lw_page_size size_of(const lw_address_spaces *s, uint32_t process, const found *page,
                            uint64_t end, uint64_t *pages) {
    if (lw_hashed_table_config(s->hashed)->slot_pages == LW_SLOT_OF_A_LINE) {
        *pages = 1;
        return LW_SIZE_4K;
    }
    if (page->level > 1 && is_one(s, process, page, LW_BLOCK_PAGES, end)) {
        *pages = LW_BLOCK_PAGES;
        return LW_SIZE_2M;
    }
    const bool may_be_64k =
        s->system->page_size == LW_PAGES_MIXED || s->system->page_size == LW_PAGES_OF_64K;
    if (may_be_64k && page->level == 1 && is_one(s, process, page, LW_ENTRIES_OF_64K, end)) {
        *pages = LW_ENTRIES_OF_64K;
        return LW_SIZE_64K;
    }
    *pages = 1;
    return LW_SIZE_4K;
}

/* The contiguity bits of all regions of these pages. */
static bool find_contiguity(lw_address_spaces *s, uint32_t process, uint64_t first, uint64_t end,
                            lw_error *err) {
    if (!lw_hashed_table_config(s->hashed)->contiguity) {
        return true;
    }
    for (uint64_t vpn = first & ~(uint64_t)(LW_BLOCK_PAGES - 1); vpn < end; vpn += LW_BLOCK_PAGES) {
        if (!lw_hashed_table_find_contiguity(s->hashed, process, vpn, err) ||
            !lw_hashed_table_drain(s->hashed, err)) {
            return false;
        }
    }
    return true;
}

/* Arrays may share a page, which is there then. */
static bool map_array(lw_address_spaces *s, uint32_t process, const lw_array *array,
                      lw_error *err) {
    const lw_page_table *table = s->processes[process].table;
    const uint64_t mask = (UINT64_C(1) << 9 * s->system->hw.levels) - 1;
    uint64_t vpn = array->base >> LW_PAGE_SHIFT & mask;
    const uint64_t end = vpn + lw_array_pages(array);
    const uint64_t first = vpn;
    while (vpn < end) {
        uint64_t pages = 1;
        found page;
        lw_hashed_page there;
        if (!lw_hashed_table_find(s->hashed, process, vpn, &there) && find(table, vpn, &page)) {
            const lw_page_size size = size_of(s, process, &page, end, &pages);
            const bool remote = s->system->local_share != LW_ALL_LOCAL &&
                                !lw_hashed_table_has_local_room(s->hashed, process, vpn);
            const uint32_t flags = page.flags | (remote ? LW_MAP_REMOTE : 0);
            if (!lw_hashed_table_map(s->hashed, process, vpn, page.pfn, size, flags, err) ||
                !lw_hashed_table_drain(s->hashed, err)) {
                return false;
            }
        }
        vpn += pages;
    }
    return find_contiguity(s, process, first, end, err);
}

bool lw_hashed_mapping_follow(lw_address_spaces *s, uint32_t process, lw_error *err) {
    const lw_process *p = &s->processes[process];
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    bool good = lw_hashed_table_add_process(s->hashed, process, err);
    for (size_t a = 0; a < p->count && good; a++) {
        good = map_array(s, process, &p->arrays[a], err);
    }
    return good;
}

bool lw_hashed_mapping_can_follow(const lw_address_spaces *s, uint32_t process, uint64_t vpn) {
    const lw_page_table *table = s->processes[process].table;
    lw_hashed_page there;
    found page;
    uint64_t pa = 0;
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    const bool is = lw_hashed_table_find(s->hashed, process, vpn, &there);
    return lw_page_table_entry_address(table, vpn, 1, &pa, NULL) && find(table, vpn, &page) == is &&
           (!is || ((there.pte & LW_PTE_SIZE) == 0 && page.pages == 1));
}

bool lw_hashed_mapping_follow_page(lw_address_spaces *s, uint32_t process, uint64_t vpn,
                                   lw_error *err) {
    lw_hashed_page there;
    found page;
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    const bool is = lw_hashed_table_find(s->hashed, process, vpn, &there);
    if (!find(s->processes[process].table, vpn, &page)) {
        return !is || lw_hashed_table_unmap(s->hashed, process, vpn, err);
    }
    return is ? lw_hashed_table_replace(s->hashed, process, vpn, page.pfn, page.flags, err)
              : lw_hashed_table_map(s->hashed, process, vpn, page.pfn, LW_SIZE_4K, page.flags, err);
}
