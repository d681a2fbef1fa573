#include "tests/contract/hashed.h"

#include "tests/contract/tables.h"

#define VALID (UINT64_C(1) << 63)
#define HASHED (UINT64_C(1) << 62)
#define TAG_BITS (UINT64_C(63) << TAG_AT)
enum {
    LOG_AT = 57,
    TAG_AT = 57,
    TABLE_LOG = 3,
    STEP_LOG = 6,
    STEPS = 8,
    HASH_BITS = 27,
    REGION = 9,
    GROUP = 13
};

/* R20.6 */
static uint64_t hash(uint64_t n, uint32_t pasid, uint32_t log) {
    const uint64_t k = n ^ (n >> HASH_BITS) << REGION ^ (uint64_t)pasid << 18;
    return lw_low(k * 0x4F1BBCD, HASH_BITS) >> (HASH_BITS - log);
}

/* R20.7 */
static uint32_t slot_at(const lw_world *w, uint32_t pasid, uint64_t vpn, uint32_t step) {
    return (uint32_t)(hash(vpn >> REGION, pasid, TABLE_LOG) + step * w->stride) % LW_SLOTS;
}

void lw_hashed_place(lw_world *w) {
    if (lw_has_hashed_tables(w)) {
        const uint64_t first = lw_low(lw_rng_next(&w->rng), w->pfn_w);
        lw_words_row(w->words, LW_SLOT_FRAME, LW_SLOTS, first & ~(uint64_t)(LW_SLOTS - 1));
    }
}

/* R20.8: the entry with this first word in the bucket of a group. */
static int entry_of(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t word) {
    const uint32_t first = (uint32_t)hash(vpn >> GROUP, pasid, STEP_LOG) * 8;
    for (uint32_t e = 0; e < 8; e += 2) {
        if (lw_words_value(w->words, lw_word(LW_STEP_FRAME, first + e)) == word) {
            return lw_word(LW_STEP_FRAME, first + e);
        }
    }
    return LW_NOWHERE;
}

static uint64_t group_word(uint32_t pasid, uint64_t vpn) {
    return VALID | (uint64_t)pasid << 32 | vpn >> GROUP;
}

/* R20.2, R20.3: a line of the region in each line of the slot. */
static void fill_slot(lw_world *w, int frame, uint32_t pasid, uint64_t vpn) {
    const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)pasid << 36 | vpn >> REGION;
    for (uint32_t i = 0; i < LW_FRAME_WORDS; i++) {
        (void)lw_words_write(w->words, lw_word(frame, i), (tag >> (6 * (i % 8)) & 63) << TAG_AT, 0);
    }
    for (uint32_t i = 0; i < w->fills; i++) {
        lw_tables_write(w, frame, w->fill[i],
                        lw_hashed_sized(w, w->fill[i], lw_tables_draw(w, 1, 0)));
    }
}

/* The region gets a slot of its chain, if there is one. */
static void put_region(lw_world *w, uint32_t pasid, uint64_t vpn) {
    const uint64_t word = group_word(pasid, vpn);
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
    w->slot[slot] = (lw_hashed_region){true, pasid, vpn >> REGION};
    fill_slot(w, LW_SLOT_FRAME + (int)slot, pasid, vpn);
    const uint64_t steps = lw_words_value(w->words, entry + 1);
    const uint64_t present = (uint64_t)(8 | step) << (4 * (vpn >> REGION & 15));
    (void)lw_words_write(w->words, entry, word, 0);
    (void)lw_words_write(w->words, entry + 1, steps | present, 0);
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
        if (w->hashed[pasid].there && lw_hashed_slot(w, pasid, vpn) == LW_NOWHERE &&
            lw_chance(w, 70)) {
            put_region(w, pasid, vpn);
        }
    }
}

uint64_t lw_hashed_root(const lw_world *w, uint32_t pasid, uint64_t data) {
    if (!lw_has_hashed_tables(w)) {
        return data;
    }
    return w->hashed[pasid].there ? (data & VALID) | HASHED | (uint64_t)TABLE_LOG << LOG_AT |
                                        lw_words_pfn(w->words, LW_SLOT_FRAME)
                                  : data & ~HASHED;
}

uint64_t lw_hashed_step(const lw_world *w) {
    return (uint64_t)STEP_LOG << LOG_AT | lw_words_pfn(w->words, LW_STEP_FRAME);
}

uint64_t lw_hashed_victim(const lw_world *w, uint32_t pasid) {
    return VALID | lw_words_pfn(w->words, w->hashed[pasid].victim);
}

int lw_hashed_slot(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    for (int i = 0; i < LW_SLOTS && w->hashed[pasid].there; i++) {
        const lw_hashed_region *r = &w->slot[i];
        if (r->used && r->pasid == pasid && r->region == vpn >> REGION) {
            return LW_SLOT_FRAME + i;
        }
    }
    return LW_NOWHERE;
}

lw_walk_at lw_hashed_start(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t root) {
    const int slot = lw_hashed_slot(w, pasid, vpn);
    if (slot != LW_NOWHERE) {
        return (lw_walk_at){1, LW_PERM_ALL, lw_words_pfn(w->words, slot), LW_LINE};
    }
    return (lw_walk_at){w->hw.levels, LW_PERM_ALL, lw_low(root, w->pfn_w), LW_LINE};
}

bool lw_hashed_steps(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t *steps) {
    const int entry = entry_of(w, pasid, vpn, group_word(pasid, vpn));
    *steps = entry != LW_NOWHERE ? lw_words_value(w->words, entry + 1) : 0;
    return entry != LW_NOWHERE;
}

uint64_t lw_hashed_bucket(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    return lw_words_pfn(w->words, LW_STEP_FRAME) << 6 | hash(vpn >> GROUP, pasid, STEP_LOG);
}

uint64_t lw_hashed_home(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    const int frame = LW_SLOT_FRAME + (int)slot_at(w, pasid, vpn, 0);
    return lw_words_pfn(w->words, frame) << 6 | (vpn >> 3 & 63);
}

uint64_t lw_hashed_sized(lw_world *w, uint32_t index, uint64_t pte) {
    static const uint64_t same[] = {0, 0xf, 0x1ff, 0x1ff};
    if (!lw_has_hashed_tables(w) || lw_chance(w, 50)) {
        return pte;
    }
    const uint32_t size = lw_draw(w, lw_chance(w, 90) ? 3 : 4);
    const uint64_t kept = lw_chance(w, 90) ? same[size] << LW_PTE_FRAME : 0;
    pte = (pte & ~(UINT64_C(3) << LW_PTE_SIZE)) | (uint64_t)size << LW_PTE_SIZE;
    return (pte & ~kept) | ((uint64_t)index << LW_PTE_FRAME & kept);
}

uint64_t lw_hashed_kept(const lw_world *w, int frame, uint64_t old, uint64_t value) {
    const bool slot = lw_has_hashed_tables(w) && frame >= LW_SLOT_FRAME;
    return slot ? (value & ~TAG_BITS) | (old & TAG_BITS) : value;
}
