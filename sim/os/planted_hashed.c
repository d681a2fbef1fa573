#include "sim/os/planted_hashed.h"

#include "sim/os/address_space_state.h"
#include "sim/os/contiguity_bits.h"
#include "sim/os/hashed_layout.h"
#include "sim/os/hashed_mapping.h"
#include "sim/os/planted_entries.h"
#include "sim/os/step_table.h"

/* Root slots: of all regions of the table, and the first of those of the victim buffer, which have
 * one each, so that an upper entry spoils nobody else's pages. */
enum { TABLE_SLOT = 32, VICTIM_SLOT = 33 };

enum { GROUPS = 1 << 13 }; /* of the regions of a root slot, half of them or less */

enum { LINE_PAGES = 8, LINE_BYTES = 64, WORD_BYTES = 8 };

enum { MOST_REGIONS = 3 }; /* of one kind, where a slot is a line */

static const uint32_t all = LW_MAP_W | LW_MAP_U | LW_MAP_X;

typedef struct planting {
    lw_address_spaces *s;
    lw_hashed_table *table;
    uint32_t process;
    uint64_t groups, regions; /* of the table: looked at so far, and taken */
    uint64_t victims;         /* regions evicted */
    lw_array *arrays;
    size_t count;
} planting;

typedef struct kind kind;

/* Spoils a region of the table, whose pages are mapped from vpn on; *fits: it is one that can be
 * spoilt so, else it is left as it is. */
typedef bool spoil_fn(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err);

struct kind {
    const char *name;
    spoil_fn *spoil;
    uint64_t first; /* page of the region that is mapped, and so many lines of PTEs from there */
    uint64_t lines;
    uint64_t absent; /* lines behind them that belong to the range and are not mapped */
    const lw_bad_entry *entry;
    const lw_bad_contiguity *contiguity;
    uint64_t tag_flipped; /* bits of a line's tag */
    uint32_t size;        /* in bits 10:9 of a PTE (R20.4); 0: none */
    /* Where the home is read first, the step table decides nothing of a region that lies there. */
    bool off_home;
    bool taken;          /* a wrong step leads home, to another's slot, else to an empty one */
    bool first_is_wrong; /* of two entries of a group */
};

/* ---------------------------------------------------------------- words */

static uint64_t read_word(const planting *p, uint64_t pa) {
    return lw_phys_mem_read64(p->s->memory, pa);
}

static uint32_t region_pages(const planting *p) {
    return lw_hashed_table_config(p->table)->slot_pages;
}

static uint64_t tag_of(const planting *p, uint64_t vpn) {
    return lw_region_tag(p->process, vpn / region_pages(p));
}

static uint32_t number_in_group(const planting *p, uint64_t vpn) {
    return (uint32_t)(vpn / region_pages(p)) % LW_GROUP_REGIONS;
}

/* The address of the PTE of a page that the driver has mapped. */
static uint64_t pte_of(const planting *p, uint64_t vpn) {
    lw_hashed_page page = {0, 0, false};
    (void)lw_hashed_table_find(p->table, p->process, vpn, &page);
    return page.pa;
}

/* The address of the entry of vpn at a level of the victim buffer. */
static uint64_t victim_entry(const planting *p, uint64_t vpn, uint32_t level) {
    lw_hashed_roots roots = {0};
    (void)lw_hashed_table_roots(p->table, p->process, &roots);
    uint64_t frame = roots.victim_frame;
    for (uint32_t at = p->s->system->hw.levels;; at--) {
        const uint64_t pa = (frame << LW_PAGE_SHIFT) + (vpn >> (9 * (at - 1)) & 511) * WORD_BYTES;
        if (at == level) {
            return pa;
        }
        frame = (read_word(p, pa) & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    }
}

/* The page table beside has these pages no more. */
static bool lose(planting *p, uint64_t vpn, uint64_t pages, lw_error *err) {
    for (uint64_t i = 0; i < pages; i++) {
        if (!lw_spoil_entry(p->s, p->process, vpn + i, 1, 0, LW_PTE_P, err)) {
            return false;
        }
    }
    return true;
}

/* Of the step entry at pa, the region of vpn. */
static bool set_step(planting *p, uint64_t pa, uint64_t vpn, uint64_t step, lw_error *err) {
    const uint32_t shift = number_in_group(p, vpn) * LW_STEP_BITS;
    return lw_spoil(p->s->memory, pa + WORD_BYTES, 0, UINT64_C(15) << shift, err) &&
           lw_spoil(p->s->memory, pa + WORD_BYTES, (LW_STEP_PRESENT | step) << shift, 0, err);
}

static uint64_t step_entry(const planting *p, uint64_t vpn) {
    uint64_t pa = 0;
    (void)lw_hashed_table_step_entry(p->table, p->process, vpn, &pa);
    return pa;
}

static const lw_hpt_slot *slot_of(const planting *p, uint64_t tag, uint32_t step) {
    const lw_hpt_map *map = lw_hashed_table_map_of(p->table);
    return lw_hpt_map_slot(map, lw_hpt_map_at(map, tag, step));
}

static uint64_t step_of(const planting *p, uint64_t vpn) {
    return lw_hpt_map_probe(lw_hashed_table_map_of(p->table), tag_of(p, vpn)).step;
}

/* ---------------------------------------------------------------- PTEs */

/* The PTE at pa gets the size, and a frame whose low bits differ in the last that size asks for. */
static bool set_size(planting *p, uint64_t pa, uint64_t vpn, uint64_t size, lw_error *err) {
    const uint64_t pages = size == 1 ? 16 : LW_BLOCK_PAGES;
    const uint64_t low = (vpn ^ pages / 2) % pages;
    const uint64_t good = read_word(p, pa) & ~((pages - 1) << LW_PAGE_SHIFT);
    return lw_phys_mem_write64(p->s->memory, pa,
                               good | low << LW_PAGE_SHIFT | size << LW_PTE_SIZE_SHIFT, err) &&
           lose(p, vpn, 1, err);
}

/* An entry of the hashed table or of the victim buffer, and its counterpart. */
static bool spoil_both(planting *p, uint64_t pa, uint64_t vpn, uint32_t level, uint64_t set,
                       uint64_t clear, lw_error *err) {
    return lw_spoil(p->s->memory, pa, set, clear, err) &&
           lw_spoil_entry(p->s, p->process, vpn, level, set, clear, err);
}

static bool spoil_pte(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    const uint64_t pa = pte_of(p, vpn + 1);
    *fits = true;
    return k->size != 0 ? set_size(p, pa, vpn + 1, k->size, err)
                        : spoil_both(p, pa, vpn + 1, 1, k->entry->set, k->entry->clear, err);
}

/* The second line gets another tag, and its pages are lost: those beside it stay. */
static bool spoil_tag(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    *fits = true;
    for (uint32_t i = 0; i < LINE_PAGES; i++) {
        const uint64_t page = vpn + LINE_PAGES + i;
        const uint64_t pa = pte_of(p, page);
        if (!lw_phys_mem_write64(p->s->memory, pa,
                                 read_word(p, pa) ^ lw_tag_slice(k->tag_flipped, i), err)) {
            return false;
        }
    }
    return lose(p, vpn + LINE_PAGES, LINE_PAGES, err);
}

/* ---------------------------------------------------------------- step entries */

/* The region is present at another step than its own: the first that is of this kind. */
static bool spoil_step(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    const uint64_t tag = tag_of(p, vpn);
    uint32_t step = 0;
    while (step < LW_HPT_STEPS &&
           (slot_of(p, tag, step)->valid != k->taken || slot_of(p, tag, step)->tag == tag)) {
        step++;
    }
    *fits = step < LW_HPT_STEPS;
    return !*fits ||
           (set_step(p, step_entry(p, vpn), vpn, step, err) && lose(p, vpn, LINE_PAGES, err));
}

/* The next region is present, though nothing of it is mapped. */
static bool spoil_absent(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    (void)k;
    *fits = true;
    return set_step(p, step_entry(p, vpn), vpn + region_pages(p), 0, err);
}

/* The group has two entries in its bucket, of which the first counts (R20.9). */
static bool spoil_bucket(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    const uint64_t bytes =
        LINE_BYTES / lw_step_table_ways(lw_hashed_table_config(p->table)->contiguity);
    const uint64_t first = step_entry(p, vpn);
    const uint64_t wrong_step = (step_of(p, vpn) + 1) % LW_HPT_STEPS;
    uint64_t second = first + bytes;
    while (second % LINE_BYTES != 0 && read_word(p, second) != 0) {
        second += bytes;
    }
    *fits = second % LINE_BYTES != 0;
    for (uint64_t at = 0; *fits && at < bytes; at += WORD_BYTES) {
        if (!lw_phys_mem_write64(p->s->memory, second + at, read_word(p, first + at), err)) {
            return false;
        }
    }
    return !*fits || (set_step(p, k->first_is_wrong ? first : second, vpn, wrong_step, err) &&
                      (!k->first_is_wrong || lose(p, vpn, LINE_PAGES, err)));
}

/* R20.27, and beside. A size has the head of the region, or that of each of its subregions. */
static bool spoil_contiguity(planting *p, const kind *k, uint64_t vpn, bool *fits, lw_error *err) {
    const lw_bad_contiguity *bad = k->contiguity;
    const uint32_t number = number_in_group(p, vpn);
    const uint64_t contig = bad->bits >> LW_PTE_C_SHIFT & 0x1ff;
    const uint64_t entry = step_entry(p, vpn);
    const uint64_t end = (bad->bits & LW_PTE_AC) != 0 ? 1 : LW_BLOCK_PAGES;
    *fits = true;
    bool good = lw_spoil(p->s->memory, entry, contig >> 8 << (LW_STEP_AC_SHIFT + number), 0, err) &&
                lw_spoil(p->s->memory, entry + UINT64_C(8) * (2 + number / 8),
                         (contig & 0xff) << (8 * (number % 8)), 0, err) &&
                lw_spoil_entry(p->s, p->process, vpn, 2, bad->bits, 0, err);
    for (uint64_t head = 0; k->size != 0 && head < end && good; head += LW_SUBREGION_PAGES) {
        good = set_size(p, pte_of(p, vpn + head), vpn + head, k->size, err);
    }
    return good && (k->size != 0 || spoil_both(p, pte_of(p, vpn + bad->page), vpn + bad->page, 1,
                                               bad->set, bad->clear, err));
}

/* ---------------------------------------------------------------- regions */

/* In both tables. */
static bool map_pages(planting *p, uint64_t vpn, uint64_t pages, lw_error *err) {
    bool good =
        lw_address_spaces_map_small(p->s, p->s->processes[p->process].table, vpn, pages, all, err);
    for (uint64_t i = 0; i < pages && good; i++) {
        good = lw_hashed_mapping_follow_page(p->s, p->process, vpn + i, err) &&
               lw_hashed_table_drain(p->table, err);
    }
    return good;
}

typedef bool region_call(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                         lw_error *err);

static bool act(planting *p, region_call *call, uint64_t vpn, lw_error *err) {
    bool done = false;
    return call(p->table, p->process, vpn, &done, err) && lw_hashed_table_drain(p->table, err);
}

/* Whether the region lies where this kind needs it. */
static bool is_placed(const planting *p, const kind *k, uint64_t vpn) {
    const lw_hpt_probe probe = lw_hpt_map_probe(lw_hashed_table_map_of(p->table), tag_of(p, vpn));
    return probe.found == LW_HPT_HELD && (!k->off_home || probe.step != 0);
}

/* The pages of the next region that may fit: of a group of its own, in which there are more behind
 * it, which take what has no room in it.
 * False and a sentence where none is left. */
static bool next_pages(planting *p, const kind *k, uint64_t *vpn, lw_error *err) {
    const uint64_t first = (uint64_t)TABLE_SLOT << 9 * (p->s->system->hw.levels - 1);
    do {
        const uint64_t number = p->groups % (LW_GROUP_REGIONS - MOST_REGIONS);
        if (p->regions == LW_PLANTED_REGIONS || p->groups == GROUPS) {
            return lw_fail(err, "hashed table: no region of PASID %u is left for \"%s\"",
                           p->process, k->name);
        }
        *vpn = first + (p->groups++ * LW_GROUP_REGIONS + number) * region_pages(p) + k->first;
    } while (k->taken && !slot_of(p, tag_of(p, *vpn), 0)->valid);
    p->regions++;
    return true;
}

/* Regions are taken one after the other until one fits: the others stay as they are, all pages
 * good. */
static bool plant_in_table(planting *p, const kind *k, lw_error *err) {
    bool planted = false;
    uint64_t vpn = 0;
    while (!planted) {
        if (!next_pages(p, k, &vpn, err) || !map_pages(p, vpn, k->lines * LINE_PAGES, err) ||
            (k->off_home && step_of(p, vpn) == 0 && !act(p, lw_hashed_table_move, vpn, err)) ||
            (is_placed(p, k, vpn) && !k->spoil(p, k, vpn, &planted, err))) {
            return false;
        }
    }
    for (uint64_t line = 0; line < k->lines; line++) {
        lw_hashed_table_pin(p->table, p->process, vpn + line * LINE_PAGES);
    }
    p->arrays[p->count++] = lw_planted_array(k->name, vpn, (k->lines + k->absent) * LINE_PAGES);
    return true;
}

/* An entry of a region that has been evicted, at this level. */
static bool plant_in_victim(planting *p, const kind *k, uint32_t level, lw_error *err) {
    const uint64_t vpn = (VICTIM_SLOT + p->victims++) << 9 * (p->s->system->hw.levels - 1);
    if (!map_pages(p, vpn, k->lines * LINE_PAGES, err) ||
        !act(p, lw_hashed_table_evict, vpn, err)) {
        return false;
    }
    const uint64_t pa = victim_entry(p, vpn + 1, level);
    p->arrays[p->count++] = lw_planted_array(k->name, vpn, (k->lines + k->absent) * LINE_PAGES);
    return k->size != 0 ? set_size(p, pa, vpn + 1, k->size, err)
                        : spoil_both(p, pa, vpn + 1, level, k->entry->set, k->entry->clear, err);
}

/* ---------------------------------------------------------------- kinds */

static const kind bad_sizes[] = {{.name = "bad size 3", .size = 3},
                                 {.name = "bad 64 KiB frame", .size = 1},
                                 {.name = "bad 2 MiB frame", .size = 2}};

static kind pte_kind(const kind *k) {
    kind pte = *k;
    pte.spoil = spoil_pte;
    pte.lines = 1;
    return pte;
}

static bool plant_sizes(planting *p, lw_error *err) {
    bool good = true;
    for (size_t i = 0; i < sizeof bad_sizes / sizeof bad_sizes[0] && good; i++) {
        const kind k = pte_kind(&bad_sizes[i]);
        good = plant_in_table(p, &k, err) && plant_in_victim(p, &k, 1, err);
    }
    return good;
}

static bool plant_entries(planting *p, lw_error *err) {
    const uint32_t levels = p->s->system->hw.levels;
    const lw_bad_entry *bad = NULL;
    for (size_t i = 0; (bad = lw_bad_entry_at(p->s->system, i)) != NULL; i++) {
        const kind entry = {.name = bad->name, .entry = bad};
        const kind k = pte_kind(&entry);
        bool good = bad->lowest > 1 || plant_in_table(p, &k, err);
        for (uint32_t level = bad->lowest; level <= bad->highest && level <= levels && good;
             level++) {
            good = plant_in_victim(p, &k, level, err);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool plant_places(planting *p, lw_error *err) {
    const uint64_t other = tag_of(p, 0) ^ lw_region_tag(p->process ^ 1, 0);
    const kind kinds[] = {
        {.name = "step to an empty slot", .spoil = spoil_step, .lines = 1, .off_home = true},
        {.name = "step to another's slot",
         .spoil = spoil_step,
         .lines = 1,
         .off_home = true,
         .taken = true},
        {.name = "step to no slot",
         .spoil = spoil_absent,
         .first = region_pages(p) - LINE_PAGES,
         .lines = 1,
         .absent = 1},
        {.name = "bit of a tag", .spoil = spoil_tag, .lines = 3, .tag_flipped = UINT64_C(1) << 20},
        {.name = "valid bit of a tag",
         .spoil = spoil_tag,
         .lines = 3,
         .tag_flipped = UINT64_C(1) << 47},
        {.name = "tag of another PASID", .spoil = spoil_tag, .lines = 3, .tag_flipped = other},
        {.name = "second entry wrong", .spoil = spoil_bucket, .lines = 1},
        {.name = "first entry wrong",
         .spoil = spoil_bucket,
         .lines = 1,
         .off_home = true,
         .first_is_wrong = true},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && good; i++) {
        good = plant_in_table(p, &kinds[i], err);
    }
    return good;
}

static const lw_bad_contiguity sized_heads[] = {
    {"C, heads have a size", LW_PTE_C, 0, 0, 0},
    {"AC, head has a size", LW_PTE_AC | LW_PTE_C, 0, 0, 0},
};

static bool plant_frame(planting *p, const lw_bad_contiguity *bad, uint32_t size, lw_error *err) {
    const kind k = {.name = bad->name,
                    .spoil = spoil_contiguity,
                    .lines = LW_BLOCK_PAGES / LINE_PAGES,
                    .off_home = true,
                    .contiguity = bad,
                    .size = size};
    return plant_in_table(p, &k, err);
}

static bool plant_contiguity(planting *p, lw_error *err) {
    const lw_bad_contiguity *bad = NULL;
    bool good = true;
    for (size_t i = 0; (bad = lw_bad_contiguity_at(i)) != NULL && good; i++) {
        good = plant_frame(p, bad, 0, err);
    }
    return good && plant_frame(p, &sized_heads[0], 1, err) &&
           plant_frame(p, &sized_heads[1], 2, err);
}

bool lw_address_spaces_plant_hashed(lw_address_spaces *s, uint32_t process, lw_array *arrays,
                                    size_t *count, lw_error *err) {
    planting p = {
        .s = s, .table = s->hashed, .process = process, .arrays = arrays, .count = *count};
    const bool good = plant_places(&p, err) && plant_sizes(&p, err) && plant_entries(&p, err) &&
                      (s->system->hw.subregions == 0 || plant_contiguity(&p, err));
    *count = p.count;
    return good;
}
