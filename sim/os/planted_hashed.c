#include "sim/os/planted_hashed.h"

#include "sim/os/address_space_state.h"
#include "sim/os/hashed_mapping.h"
#include "sim/os/planted_entries.h"
#include "sim/os/spoilt_regions.h"
#include "sim/tables/hashed_layout.h"

/* Root slots: of all regions of the table, and the first of those of the victim buffer, which have
 * one each, so that an upper entry spoils nobody else's pages. */
enum { TABLE_SLOT = 32, VICTIM_SLOT = 33 };

enum { GROUPS = 1 << 13 }; /* of the regions of a root slot, half of them or less */

enum { MOST_REGIONS = 3 }; /* of one kind, where a slot is a line */

static const uint32_t all = LW_MAP_W | LW_MAP_U | LW_MAP_X;

typedef struct planting {
    lw_spoilt_table t;
    uint64_t groups, regions; /* of the table: looked at so far, and taken */
    uint64_t victims;         /* regions evicted */
    lw_array *arrays;
    size_t count;
} planting;

/* ---------------------------------------------------------------- regions */

/* In both tables. */
static bool map_pages(planting *p, uint64_t vpn, uint64_t pages, lw_error *err) {
    bool good = lw_address_spaces_map_small(p->t.s, p->t.s->processes[p->t.process].table, vpn,
                                            pages, all, err);
    for (uint64_t i = 0; i < pages && good; i++) {
        good = lw_hashed_mapping_follow_page(p->t.s, p->t.process, vpn + i, err) &&
               lw_hashed_table_drain(p->t.table, err);
    }
    return good;
}

typedef bool region_call(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                         lw_error *err);

static bool act(planting *p, region_call *call, uint64_t vpn, lw_error *err) {
    bool done = false;
    return call(p->t.table, p->t.process, vpn, &done, err) &&
           lw_hashed_table_drain(p->t.table, err);
}

/* Whether the region lies where this kind needs it, and those of its other lines in the table. */
static bool is_placed(const planting *p, const lw_spoilt_kind *k, uint64_t vpn) {
    const lw_hpt_map *map = lw_hashed_table_map_of(p->t.table);
    bool is = !k->off_home || lw_spoilt_step(&p->t, vpn) != 0;
    for (uint64_t line = 0; line < k->lines && is; line++) {
        const uint64_t tag = lw_spoilt_tag(&p->t, vpn + line * LW_LINE_PAGES);
        is = lw_hpt_map_probe(map, tag).found == LW_HPT_HELD;
    }
    return is;
}

/* The pages of the next region that may fit: of a group of its own, in which there are others
 * behind it, for the pages that it has no room for. False and a sentence where none is left. */
static bool next_pages(planting *p, const lw_spoilt_kind *k, uint64_t *vpn, lw_error *err) {
    const uint64_t first = (uint64_t)TABLE_SLOT << 9 * (p->t.s->system->hw.levels - 1);
    do {
        const uint64_t number = p->groups % (LW_GROUP_REGIONS - MOST_REGIONS);
        if (p->regions == LW_PLANTED_REGIONS || p->groups == GROUPS) {
            return lw_fail(err, "hashed table: no region of PASID %u is left for \"%s\"",
                           p->t.process, k->name);
        }
        *vpn = first + (p->groups++ * LW_GROUP_REGIONS + number) * lw_spoilt_region_pages(&p->t) +
               k->first;
    } while (k->taken && !lw_spoilt_slot(&p->t, lw_spoilt_tag(&p->t, *vpn), 0)->valid);
    p->regions++;
    return true;
}

/* Regions are taken one after the other until one fits: the others stay as they are, all pages
 * good. */
static bool plant_in_table(planting *p, const lw_spoilt_kind *k, lw_error *err) {
    bool planted = false;
    uint64_t vpn = 0;
    while (!planted) {
        if (!next_pages(p, k, &vpn, err) || !map_pages(p, vpn, k->lines * LW_LINE_PAGES, err) ||
            (k->off_home && lw_spoilt_step(&p->t, vpn) == 0 &&
             !act(p, lw_hashed_table_move, vpn, err)) ||
            (is_placed(p, k, vpn) && !k->spoil(&p->t, k, vpn, &planted, err))) {
            return false;
        }
    }
    for (uint64_t line = 0; line < k->lines; line++) {
        lw_hashed_table_pin(p->t.table, p->t.process, vpn + line * LW_LINE_PAGES);
    }
    p->arrays[p->count++] = lw_planted_array(k->name, vpn, (k->lines + k->absent) * LW_LINE_PAGES);
    return true;
}

/* An entry of a region that has been evicted, at this level. */
static bool plant_in_victim(planting *p, const lw_spoilt_kind *k, uint32_t level, lw_error *err) {
    const uint64_t vpn = (VICTIM_SLOT + p->victims++) << 9 * (p->t.s->system->hw.levels - 1);
    if (!map_pages(p, vpn, k->lines * LW_LINE_PAGES, err) ||
        !act(p, lw_hashed_table_evict, vpn, err)) {
        return false;
    }
    p->arrays[p->count++] = lw_planted_array(k->name, vpn, (k->lines + k->absent) * LW_LINE_PAGES);
    return lw_spoil_victim(&p->t, k, vpn, level, err);
}

/* ---------------------------------------------------------------- kinds */

static const lw_spoilt_kind bad_sizes[] = {{.name = "bad size 3", .size = 3},
                                           {.name = "bad 64 KiB frame", .size = 1},
                                           {.name = "bad 2 MiB frame", .size = 2}};

static lw_spoilt_kind pte_kind(const lw_spoilt_kind *k) {
    lw_spoilt_kind pte = *k;
    pte.spoil = lw_spoil_pte;
    pte.lines = 1;
    return pte;
}

static bool plant_sizes(planting *p, lw_error *err) {
    bool good = true;
    for (size_t i = 0; i < sizeof bad_sizes / sizeof bad_sizes[0] && good; i++) {
        const lw_spoilt_kind k = pte_kind(&bad_sizes[i]);
        good = plant_in_table(p, &k, err) && plant_in_victim(p, &k, 1, err);
    }
    return good;
}

static bool plant_entries(planting *p, lw_error *err) {
    const uint32_t levels = p->t.s->system->hw.levels;
    const lw_bad_entry *bad = NULL;
    for (size_t i = 0; (bad = lw_bad_entry_at(p->t.s->system, i)) != NULL; i++) {
        const lw_spoilt_kind entry = {.name = bad->name, .entry = bad};
        const lw_spoilt_kind k = pte_kind(&entry);
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
    const uint64_t other = lw_spoilt_tag(&p->t, 0) ^ lw_region_tag(p->t.process ^ 1, 0);
    const lw_spoilt_kind kinds[] = {
        {.name = "step to an empty slot", .spoil = lw_spoil_step, .lines = 1, .off_home = true},
        {.name = "step to another's slot",
         .spoil = lw_spoil_step,
         .lines = 1,
         .off_home = true,
         .taken = true},
        {.name = "step to no slot",
         .spoil = lw_spoil_absent,
         .first = lw_spoilt_region_pages(&p->t) - LW_LINE_PAGES,
         .lines = 1,
         .absent = 1},
        {.name = "lowest bit of a tag", .spoil = lw_spoil_tag, .lines = 3, .tag_flipped = 1},
        {.name = "bit of a tag",
         .spoil = lw_spoil_tag,
         .lines = 3,
         .tag_flipped = UINT64_C(1) << 20},
        {.name = "valid bit of a tag",
         .spoil = lw_spoil_tag,
         .lines = 3,
         .tag_flipped = UINT64_C(1) << 47},
        {.name = "tag of another PASID", .spoil = lw_spoil_tag, .lines = 3, .tag_flipped = other},
        {.name = "second entry wrong", .spoil = lw_spoil_bucket, .lines = 1},
        {.name = "first entry wrong",
         .spoil = lw_spoil_bucket,
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
    const lw_spoilt_kind k = {.name = bad->name,
                              .spoil = lw_spoil_contiguity,
                              .lines = LW_BLOCK_PAGES / LW_LINE_PAGES,
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
    planting p = {.t = {s, s->hashed, process}, .arrays = arrays, .count = *count};
    const bool good = plant_places(&p, err) && plant_sizes(&p, err) && plant_entries(&p, err) &&
                      (s->system->hw.subregions == 0 || plant_contiguity(&p, err));
    *count = p.count;
    return good;
}
