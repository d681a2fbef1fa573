#include "sim/os/spoilt_regions.h"

#include "sim/os/address_space_state.h"
#include "sim/tables/contiguity_bits.h"
#include "sim/tables/hashed_layout.h"
#include "sim/tables/step_table.h"

enum { LINE_BYTES = 64, WORD_BYTES = 8 };

/* ---------------------------------------------------------------- words */

static uint64_t read_word(const lw_spoilt_table *t, uint64_t pa) {
    return lw_phys_mem_read64(t->s->memory, pa);
}

uint32_t lw_spoilt_region_pages(const lw_spoilt_table *t) {
    return lw_hashed_table_config(t->table)->slot_pages;
}

uint64_t lw_spoilt_tag(const lw_spoilt_table *t, uint64_t vpn) {
    return lw_region_tag(t->process, vpn / lw_spoilt_region_pages(t));
}

static uint32_t number_in_group(const lw_spoilt_table *t, uint64_t vpn) {
    return (uint32_t)(vpn / lw_spoilt_region_pages(t)) % LW_GROUP_REGIONS;
}

/* The address of the PTE of a page that the driver has mapped. */
static uint64_t pte_of(const lw_spoilt_table *t, uint64_t vpn) {
    lw_hashed_page page = {0, 0, false};
    (void)lw_hashed_table_find(t->table, t->process, vpn, &page);
    return page.pa;
}

/* The address of the entry of vpn at a level of the victim buffer. */
static uint64_t victim_entry(const lw_spoilt_table *t, uint64_t vpn, uint32_t level) {
    lw_hashed_roots roots = {0};
    (void)lw_hashed_table_roots(t->table, t->process, &roots);
    uint64_t frame = roots.victim_frame;
    for (uint32_t at = t->s->system->hw.levels;; at--) {
        const uint64_t pa = (frame << LW_PAGE_SHIFT) + (vpn >> (9 * (at - 1)) & 511) * WORD_BYTES;
        if (at == level) {
            return pa;
        }
        frame = (read_word(t, pa) & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    }
}

/* The page table beside has these pages no more. */
static bool lose(lw_spoilt_table *t, uint64_t vpn, uint64_t pages, lw_error *err) {
    for (uint64_t i = 0; i < pages; i++) {
        if (!lw_spoil_entry(t->s, t->process, vpn + i, 1, 0, LW_PTE_P, err)) {
            return false;
        }
    }
    return true;
}

/* Of the step entry at pa, the region of vpn. */
static bool set_step(lw_spoilt_table *t, uint64_t pa, uint64_t vpn, uint64_t step, lw_error *err) {
    const uint32_t shift = number_in_group(t, vpn) * LW_STEP_BITS;
    return lw_spoil(t->s->memory, pa + WORD_BYTES, 0, UINT64_C(15) << shift, err) &&
           lw_spoil(t->s->memory, pa + WORD_BYTES, (LW_STEP_PRESENT | step) << shift, 0, err);
}

static uint64_t step_entry(const lw_spoilt_table *t, uint64_t vpn) {
    uint64_t pa = 0;
    (void)lw_hashed_table_step_entry(t->table, t->process, vpn, &pa);
    return pa;
}

const lw_hpt_slot *lw_spoilt_slot(const lw_spoilt_table *t, uint64_t tag, uint32_t step) {
    const lw_hpt_map *map = lw_hashed_table_map_of(t->table);
    return lw_hpt_map_slot(map, lw_hpt_map_at(map, tag, step));
}

uint64_t lw_spoilt_step(const lw_spoilt_table *t, uint64_t vpn) {
    return lw_hpt_map_probe(lw_hashed_table_map_of(t->table), lw_spoilt_tag(t, vpn)).step;
}

/* ---------------------------------------------------------------- PTEs */

/* The PTE at pa gets the size, and a frame whose low bits differ in the last that size asks for. */
static bool set_size(lw_spoilt_table *t, uint64_t pa, uint64_t vpn, uint64_t size, lw_error *err) {
    const uint64_t pages = size == 1 ? 16 : LW_BLOCK_PAGES;
    const uint64_t low = (vpn ^ pages / 2) % pages;
    const uint64_t good = read_word(t, pa) & ~((pages - 1) << LW_PAGE_SHIFT);
    return lw_phys_mem_write64(t->s->memory, pa,
                               good | low << LW_PAGE_SHIFT | size << LW_PTE_SIZE_SHIFT, err) &&
           lose(t, vpn, 1, err);
}

/* An entry of the hashed table or of the victim buffer, and its counterpart. */
static bool spoil_both(lw_spoilt_table *t, uint64_t pa, uint64_t vpn, uint32_t level, uint64_t set,
                       uint64_t clear, lw_error *err) {
    return lw_spoil(t->s->memory, pa, set, clear, err) &&
           lw_spoil_entry(t->s, t->process, vpn, level, set, clear, err);
}

bool lw_spoil_pte(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                  lw_error *err) {
    const uint64_t pa = pte_of(t, vpn + 1);
    *fits = true;
    return k->size != 0 ? set_size(t, pa, vpn + 1, k->size, err)
                        : spoil_both(t, pa, vpn + 1, 1, k->entry->set, k->entry->clear, err);
}

bool lw_spoil_victim(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, uint32_t level,
                     lw_error *err) {
    const uint64_t pa = victim_entry(t, vpn + 1, level);
    return k->size != 0 ? set_size(t, pa, vpn + 1, k->size, err)
                        : spoil_both(t, pa, vpn + 1, level, k->entry->set, k->entry->clear, err);
}

/* The second line gets another tag, and its pages are lost: those beside it stay. */
bool lw_spoil_tag(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                  lw_error *err) {
    *fits = true;
    for (uint32_t i = 0; i < LW_LINE_PAGES; i++) {
        const uint64_t page = vpn + LW_LINE_PAGES + i;
        const uint64_t pa = pte_of(t, page);
        if (!lw_phys_mem_write64(t->s->memory, pa,
                                 read_word(t, pa) ^ lw_tag_slice(k->tag_flipped, i), err)) {
            return false;
        }
    }
    return lose(t, vpn + LW_LINE_PAGES, LW_LINE_PAGES, err);
}

/* ---------------------------------------------------------------- step entries */

/* The region is present at another step than its own: the first that is of this kind. */
bool lw_spoil_step(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                   lw_error *err) {
    const uint64_t tag = lw_spoilt_tag(t, vpn);
    uint32_t step = 0;
    while (step < LW_HPT_STEPS && (lw_spoilt_slot(t, tag, step)->valid != k->taken ||
                                   lw_spoilt_slot(t, tag, step)->tag == tag)) {
        step++;
    }
    *fits = step < LW_HPT_STEPS;
    return !*fits ||
           (set_step(t, step_entry(t, vpn), vpn, step, err) && lose(t, vpn, LW_LINE_PAGES, err));
}

/* The next region is present, though nothing of it is mapped. */
bool lw_spoil_absent(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                     lw_error *err) {
    (void)k;
    *fits = true;
    return set_step(t, step_entry(t, vpn), vpn + lw_spoilt_region_pages(t), 0, err);
}

/* The group has two entries in its bucket, of which the first counts (R20.9). */
bool lw_spoil_bucket(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                     lw_error *err) {
    const uint64_t bytes =
        LINE_BYTES / lw_step_table_ways(lw_hashed_table_config(t->table)->contiguity);
    const uint64_t first = step_entry(t, vpn);
    const uint64_t wrong_step = (lw_spoilt_step(t, vpn) + 1) % LW_HPT_STEPS;
    uint64_t second = first + bytes;
    while (second % LINE_BYTES != 0 && read_word(t, second) != 0) {
        second += bytes;
    }
    *fits = second % LINE_BYTES != 0;
    for (uint64_t at = 0; *fits && at < bytes; at += WORD_BYTES) {
        if (!lw_phys_mem_write64(t->s->memory, second + at, read_word(t, first + at), err)) {
            return false;
        }
    }
    return !*fits || (set_step(t, k->first_is_wrong ? first : second, vpn, wrong_step, err) &&
                      (!k->first_is_wrong || lose(t, vpn, LW_LINE_PAGES, err)));
}

/* R20.27, and beside. A size has the head of the region, or that of each of its subregions. */
bool lw_spoil_contiguity(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                         lw_error *err) {
    const lw_bad_contiguity *bad = k->contiguity;
    const uint32_t number = number_in_group(t, vpn);
    const uint64_t contig = bad->bits >> LW_PTE_C_SHIFT & 0x1ff;
    const uint64_t entry = step_entry(t, vpn);
    const uint64_t end = (bad->bits & LW_PTE_AC) != 0 ? 1 : LW_BLOCK_PAGES;
    *fits = true;
    bool good = lw_spoil(t->s->memory, entry, contig >> 8 << (LW_STEP_AC_SHIFT + number), 0, err) &&
                lw_spoil(t->s->memory, entry + UINT64_C(8) * (2 + number / 8),
                         (contig & 0xff) << (8 * (number % 8)), 0, err) &&
                lw_spoil_entry(t->s, t->process, vpn, 2, bad->bits, 0, err);
    for (uint64_t head = 0; k->size != 0 && head < end && good; head += LW_SUBREGION_PAGES) {
        good = set_size(t, pte_of(t, vpn + head), vpn + head, k->size, err);
    }
    return good && (k->size != 0 || spoil_both(t, pte_of(t, vpn + bad->page), vpn + bad->page, 1,
                                               bad->set, bad->clear, err));
}
