#include "tests/contract/hashed.h"

#include "tests/contract/tables.h"

#define VALID (UINT64_C(1) << 63)
#define HASHED (UINT64_C(1) << 62)
#define TAG_BITS (UINT64_C(63) << TAG_AT)
enum {
    LOG_AT = 57,
    TAG_AT = 57,
    FRAMES_LOG = 3, /* of LW_SLOT_FRAMES */
    LINES_LOG = 6,  /* of a frame's lines */
    STEP_LOG = 6,
    STEPS = 8,
    HASH_BITS = 27,
    AC_AT = 43
};
#define AC_BITS (UINT64_C(0xffff) << AC_AT)

/* R20.6 */
static uint64_t hash(uint64_t n, uint32_t pasid, uint32_t log) {
    const uint64_t k = n ^ (n >> HASH_BITS) << 9 ^ (uint64_t)pasid << 18;
    return lw_low(k * 0x4F1BBCD, HASH_BITS) >> (HASH_BITS - log);
}

/* R20.7 */
static uint32_t slot_at(const lw_world *w, uint32_t pasid, uint64_t vpn, uint32_t step) {
    const uint64_t home = hash(vpn >> lw_region_at(w), pasid, w->table_log);
    return (uint32_t)lw_low(home + step * w->stride, w->table_log);
}

/* The page's slot, or LW_NOWHERE. */
static int slot_of(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    for (uint32_t step = 0; step < STEPS && w->hashed[pasid].there; step++) {
        const uint32_t slot = slot_at(w, pasid, vpn, step);
        const lw_hashed_region *r = &w->slot[slot];
        if (r->used && r->pasid == pasid && r->region == vpn >> lw_region_at(w)) {
            return (int)slot;
        }
    }
    return LW_NOWHERE;
}

/* R20.1, R20.31: the frame that a slot lies in, or is, and its place there in words. */
static int frame_of(const lw_world *w, uint32_t slot) {
    return LW_SLOT_FRAME + (int)(slot * w->hw.slot_pages / LW_FRAME_WORDS);
}

static uint32_t place_of(const lw_world *w, uint32_t slot) {
    return slot * w->hw.slot_pages % LW_FRAME_WORDS;
}

void lw_hashed_put(lw_world *w) {
    if (lw_has_hashed_tables(w)) {
        const uint64_t first = lw_low(lw_rng_next(&w->rng), w->pfn_w);
        lw_words_row(w->words, LW_SLOT_FRAME, LW_SLOT_FRAMES,
                     first & ~(uint64_t)(LW_SLOT_FRAMES - 1));
        w->table_log = lw_has_line_slots(w) ? LINES_LOG + lw_draw(w, FRAMES_LOG + 1) : FRAMES_LOG;
    }
}

/* R20.8, R20.27: the entry with this first word, but for AC, in the bucket of a group. */
static int entry_of(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t word) {
    const uint32_t first = (uint32_t)hash(vpn >> lw_group_at(w), pasid, STEP_LOG) * 8;
    const uint32_t words = w->hw.subregions != 0 ? 4 : 2;
    const uint64_t read = w->hw.subregions != 0 ? ~AC_BITS : UINT64_MAX;
    for (uint32_t e = 0; e < 8; e += words) {
        if ((lw_words_value(w->words, lw_word(LW_STEP_FRAME, first + e)) & read) == word) {
            return lw_word(LW_STEP_FRAME, first + e);
        }
    }
    return LW_NOWHERE;
}

static uint64_t group_word(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    return VALID | (uint64_t)pasid << 32 | vpn >> lw_group_at(w);
}

/* R20.32 */
static uint32_t place_in_group(const lw_world *w, uint64_t vpn) {
    return (uint32_t)lw_low(vpn >> lw_region_at(w), 4);
}

/* R20.31: all the pages of a region that is a line. */
static void fill_line(lw_world *w, int frame, uint32_t place, uint64_t vpn) {
    for (uint32_t i = 0; i < w->hw.slot_pages; i++) {
        const uint32_t page = (uint32_t)lw_low(vpn, 9) & ~7u;
        const uint64_t before = lw_words_value(w->words, lw_word(frame, place + i) - 1);
        const uint64_t pte = lw_tables_draw(w, 1, i % 4 == 0 ? 0 : before);
        lw_tables_write(w, frame, place + i, lw_hashed_sized(w, page + i, pte));
    }
}

/* R20.2, R20.3: a line of the region in each line of the slot. */
static void fill_slot(lw_world *w, uint32_t slot, uint32_t pasid, uint64_t vpn) {
    const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)pasid << 36 | vpn >> lw_region_at(w);
    const int frame = frame_of(w, slot);
    const uint32_t place = place_of(w, slot);
    for (uint32_t i = 0; i < w->hw.slot_pages; i++) {
        (void)lw_words_write(w->words, lw_word(frame, place + i),
                             (tag >> (6 * (i % 8)) & 63) << TAG_AT, 0);
    }
    if (lw_has_line_slots(w)) {
        fill_line(w, frame, place, vpn);
        return;
    }
    const bool heads = w->hw.subregions != 0 && lw_chance(w, 70);
    const uint64_t base = lw_low(lw_rng_next(&w->rng), w->pfn_w);
    for (uint32_t i = 0; i < w->fills; i++) {
        const uint32_t index = w->fill[i];
        const uint64_t frame_bits = lw_low(base + index, w->pfn_w) << LW_PTE_FRAME;
        const bool head = heads && index % 64 == 0 && !lw_chance(w, 8);
        lw_tables_write(w, frame, index,
                        head ? frame_bits | LW_PTE_P | LW_PTE_RW | LW_PTE_US
                             : lw_hashed_sized(w, index, lw_tables_draw(w, 1, 0)));
    }
}

/* Bits of a region, whatever its pages are: one that is wrongly set has the head speak (R1.12). */
static uint32_t draw_contig(lw_world *w) {
    static const uint32_t shapes[] = {0xff, 0xff, 0x0f, 0x3e, 0x03, 0xaa};
    if (w->hw.subregions == 0 || lw_chance(w, 25)) {
        return 0;
    }
    return (lw_chance(w, 70) ? shapes[lw_draw(w, 6)] : lw_draw(w, 256)) |
           (lw_chance(w, 15) ? 0x100u : 0u);
}

/* R20.27 */
static void put_contig(lw_world *w, int entry, uint64_t vpn, uint32_t contig) {
    const uint32_t region = place_in_group(w, vpn);
    const int at = entry + 2 + (int)region / 8;
    if (contig != 0) {
        const uint64_t ac = (uint64_t)(contig >> 8) << (AC_AT + region);
        const uint64_t c = (uint64_t)(contig & 0xff) << (8 * (region & 7));
        (void)lw_words_write(w->words, entry, lw_words_value(w->words, entry) | ac, 0);
        (void)lw_words_write(w->words, at, lw_words_value(w->words, at) | c, 0);
    }
}

/* The region gets a slot of its chain, if there is one. */
static void put_region(lw_world *w, uint32_t pasid, uint64_t vpn) {
    const uint64_t word = group_word(w, pasid, vpn);
    int entry = entry_of(w, pasid, vpn, word);
    entry = entry != LW_NOWHERE ? entry : entry_of(w, pasid, vpn, 0);
    uint32_t step = lw_draw(w, 2);
    while (step < STEPS && w->slot[slot_at(w, pasid, vpn, step)].used) {
        step++;
    }
    if (entry == LW_NOWHERE || step == STEPS) {
        return;
    }
    const uint32_t slot = slot_at(w, pasid, vpn, step);
    const uint32_t contig = draw_contig(w);
    w->slot[slot] = (lw_hashed_region){true, pasid, step, vpn >> lw_region_at(w), contig};
    fill_slot(w, slot, pasid, vpn);
    const uint64_t steps = lw_words_value(w->words, entry + 1);
    const uint64_t present = (uint64_t)(8 | step) << (4 * place_in_group(w, vpn));
    (void)lw_words_write(w->words, entry, lw_words_value(w->words, entry) | word, 0);
    (void)lw_words_write(w->words, entry + 1, steps | present, 0);
    put_contig(w, entry, vpn, contig);
}

void lw_hashed_build(lw_world *w) {
    if (!lw_has_hashed_tables(w)) {
        return;
    }
    w->stride = 1 + 2 * lw_draw(w, 1 << 17);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        w->hashed[p].there = lw_chance(w, 70);
        do {
            w->hashed[p].victim = (int)lw_draw(w, w->frames);
        } while (w->home[w->hashed[p].victim] != w->hw.levels);
    }
    for (uint32_t g = 0; g < w->groups; g++) {
        const uint32_t pasid = w->group[g].pasid;
        const uint64_t vpn = w->group[g].vpn;
        if (w->hashed[pasid].there && slot_of(w, pasid, vpn) == LW_NOWHERE && lw_chance(w, 70)) {
            put_region(w, pasid, vpn);
        }
    }
}

uint64_t lw_hashed_root(lw_world *w, uint32_t pasid, uint64_t data) {
    if (!lw_has_hashed_tables(w)) {
        return data;
    }
    if ((data & VALID) == 0) { /* whatever the other bits are, walks under way must not see them */
        return (uint64_t)lw_draw(w, UINT32_MAX) << 31 | lw_draw(w, UINT32_MAX);
    }
    return w->hashed[pasid].there ? VALID | HASHED | (uint64_t)w->table_log << LOG_AT |
                                        lw_words_pfn(w->words, LW_SLOT_FRAME)
                                  : data & ~HASHED;
}

uint64_t lw_hashed_step(const lw_world *w) {
    return (uint64_t)STEP_LOG << LOG_AT | lw_words_pfn(w->words, LW_STEP_FRAME);
}

uint64_t lw_hashed_victim(const lw_world *w, uint32_t pasid) {
    return VALID | lw_words_pfn(w->words, w->hashed[pasid].victim);
}

/* R1.11 */
static lw_reach_kind reach_of(const lw_world *w, const lw_hashed_region *r, uint64_t vpn) {
    if (!lw_reads_contiguity(w)) {
        return LW_LINE;
    }
    return (r->contig & 0x100) != 0                 ? LW_FRAME
           : (r->contig >> (vpn >> 6 & 7) & 1) != 0 ? LW_SUBREGION
                                                    : LW_LINE;
}

uint32_t lw_hashed_starts(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t root,
                          lw_walk_at at[LW_STARTS]) {
    const int slot = slot_of(w, pasid, vpn);
    if (slot == LW_NOWHERE) {
        at[0] = (lw_walk_at){w->hw.levels, LW_PERM_ALL, lw_low(root, w->pfn_w), LW_LINE, 0};
        return 1;
    }
    const lw_hashed_region *r = &w->slot[slot];
    const uint64_t frame = lw_words_pfn(w->words, frame_of(w, (uint32_t)slot));
    const lw_reach_kind reach = reach_of(w, r, vpn);
    const uint32_t line = lw_has_line_slots(w) ? 1 + place_of(w, (uint32_t)slot) / 8 : 0;
    at[0] = (lw_walk_at){1, LW_PERM_ALL, frame, reach, line};
    at[1] = (lw_walk_at){1, LW_PERM_ALL, frame, LW_LINE, line};
    return reach != LW_LINE && r->step == 0 ? 2 : 1;
}

bool lw_hashed_find(const lw_world *w, uint32_t pasid, uint64_t vpn, lw_hashed_group *group) {
    const int entry = entry_of(w, pasid, vpn, group_word(w, pasid, vpn));
    *group = (lw_hashed_group){0};
    if (entry == LW_NOWHERE) {
        return false;
    }
    group->steps = lw_words_value(w->words, entry + 1);
    if (lw_reads_contiguity(w)) {
        group->ac = (uint32_t)((lw_words_value(w->words, entry) & AC_BITS) >> AC_AT);
        group->c[0] = lw_words_value(w->words, entry + 2);
        group->c[1] = lw_words_value(w->words, entry + 3);
    }
    return true;
}

bool lw_hashed_names_head(const lw_world *w, int frame, uint32_t subregion) {
    if (!lw_has_slots(w, frame)) {
        return false;
    }
    const uint32_t contig = w->slot[frame - LW_SLOT_FRAME].contig;
    return (contig >> subregion & 1) != 0 || (subregion == 0 && contig >> 8 != 0);
}

bool lw_hashed_joins(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t node,
                     uint32_t subregions) {
    const int slot = slot_of(w, pasid, vpn);
    if (slot == LW_NOWHERE || !lw_reads_contiguity(w) ||
        lw_words_pfn(w->words, frame_of(w, (uint32_t)slot)) != node) {
        return false;
    }
    const uint32_t contig = w->slot[slot].contig;
    return (contig & (0x100u | subregions)) == subregions;
}

uint64_t lw_hashed_bucket(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    return lw_words_pfn(w->words, LW_STEP_FRAME) << 6 |
           hash(vpn >> lw_group_at(w), pasid, STEP_LOG);
}

uint64_t lw_hashed_home(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    const uint32_t slot = slot_at(w, pasid, vpn, 0);
    const uint64_t line = place_of(w, slot) / 8 + lw_low(vpn, lw_region_at(w)) / 8;
    return lw_words_pfn(w->words, frame_of(w, slot)) << 6 | line;
}

uint64_t lw_hashed_sized(lw_world *w, uint32_t index, uint64_t pte) {
    static const uint64_t same[] = {0, 0xf, 0x1ff, 0x1ff};
    if ((!lw_has_hashed_tables(w) && w->hw.pages_64k == 0) || lw_chance(w, 50)) {
        return pte;
    }
    const uint32_t size = lw_draw(w, lw_chance(w, 90) ? 3 : 4);
    const uint64_t kept = lw_chance(w, 90) ? same[size] << LW_PTE_FRAME : 0;
    pte = (pte & ~(UINT64_C(3) << LW_PTE_SIZE)) | (uint64_t)size << LW_PTE_SIZE;
    return (pte & ~kept) | ((uint64_t)index << LW_PTE_FRAME & kept);
}

uint64_t lw_hashed_kept(const lw_world *w, int frame, uint64_t old, uint64_t value) {
    if (!lw_has_hashed_tables(w)) {
        return value;
    }
    const bool large = (value >> LW_PTE_SIZE & 3) == 2 && w->hw.subregions != 0;
    value ^= large ? UINT64_C(3) << LW_PTE_SIZE : 0; /* 64 KiB instead */
    return frame >= LW_SLOT_FRAME ? (value & ~TAG_BITS) | (old & TAG_BITS) : value;
}
