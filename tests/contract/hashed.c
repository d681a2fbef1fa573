#include "tests/contract/hashed.h"

#define VALID (UINT64_C(1) << 63)
#define HASHED (UINT64_C(1) << 62)
enum { LOG_AT = 57, TABLE_LOG = 3, STEP_LOG = 6, ROW = 8, HASH_BITS = 27, REGION = 9, GROUP = 13 };

/* The first of a row of frames that are none of the tables'. */
static uint64_t draw_row(lw_world *w) {
    for (;;) {
        const uint64_t first = lw_low(lw_rng_next(&w->rng), w->pfn_w) & ~(uint64_t)(ROW - 1);
        bool free = true;
        for (uint64_t i = 0; i < ROW; i++) {
            free = free && lw_words_frame(w->words, first + i) == LW_NOWHERE;
        }
        if (free) {
            return first;
        }
    }
}

void lw_hashed_begin(lw_world *w) {
    if (!lw_has_hashed_tables(w)) {
        return;
    }
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        lw_hashed_table *t = &w->hashed[p];
        t->there = lw_chance(w, 70);
        t->table = draw_row(w);
        t->step = draw_row(w);
        t->step_log = STEP_LOG + lw_draw(w, 4);
        do {
            t->victim = (int)lw_draw(w, w->frames);
        } while (w->home[t->victim] != w->hw.levels);
    }
}

uint64_t lw_hashed_root(lw_world *w, uint32_t pasid, uint64_t data) {
    const lw_hashed_table *t = &w->hashed[pasid];
    if (!lw_has_hashed_tables(w)) {
        return data;
    }
    return t->there ? (data & VALID) | HASHED | (uint64_t)TABLE_LOG << LOG_AT | t->table
                    : data & ~HASHED;
}

uint64_t lw_hashed_step(const lw_world *w, uint32_t pasid) {
    return (uint64_t)w->hashed[pasid].step_log << LOG_AT | w->hashed[pasid].step;
}

uint64_t lw_hashed_victim(const lw_world *w, uint32_t pasid) {
    return VALID | lw_words_pfn(w->words, w->hashed[pasid].victim);
}

/* R20.6 */
static uint64_t hash(uint64_t n, uint32_t pasid, uint32_t log) {
    const uint64_t k = n ^ (n >> HASH_BITS) << REGION ^ (uint64_t)pasid << 18;
    return lw_low(k * 0x4F1BBCD, HASH_BITS) >> (HASH_BITS - log);
}

uint64_t lw_hashed_bucket(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    const lw_hashed_table *t = &w->hashed[pasid];
    const uint64_t bucket = hash(vpn >> GROUP, pasid, t->step_log);
    const uint64_t frames = t->step >> (t->step_log - STEP_LOG) << (t->step_log - STEP_LOG);
    return frames << 6 | bucket;
}

uint64_t lw_hashed_home(const lw_world *w, uint32_t pasid, uint64_t vpn) {
    const lw_hashed_table *t = &w->hashed[pasid];
    return (t->table | hash(vpn >> REGION, pasid, TABLE_LOG)) << 6 | (vpn >> 3 & 63);
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
