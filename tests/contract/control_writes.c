#include "tests/contract/control_writes.h"

#include "tests/contract/hashed.h"
#include "tests/contract/invalidations.h"
#include "tests/contract/reach.h"

#define VALID (UINT64_C(1) << 63)
enum {
    SOON = 20,
    RETRY = 64,
    HOME_FIRST = 64,
    COLT_ENABLE = 32,
    SUBREGION_ENABLE = 16,
    PWC_ENABLE = 4,
    FEATURES = 64
};

static void push(lw_world *w, uint32_t addr, uint64_t data, uint32_t delay) {
    if (w->ctl_count < LW_CTL_QUEUE) {
        w->ctl[w->ctl_count++] = (lw_ctl_write){addr, data, w->cycle + delay};
    }
}

static bool is_root(const lw_world *w, uint32_t addr) {
    return addr - LW_CTL_ROOT < w->hw.pasids;
}

static void write_root(lw_world *w, uint32_t pasid, uint64_t data) {
    const int word = lw_word_root(pasid);
    const uint64_t old = lw_words_value(w->words, word);
    const uint64_t kept = (data & VALID) != 0 ? VALID | lw_low(data, w->pfn_w) : old & ~VALID;
    (void)lw_words_write(w->words, word, kept, w->cycle + 1);
    lw_reach_update(w, w->cycle + 1);
    if ((old & VALID) != 0 && (kept & VALID) == 0) {
        w->root_back[pasid] = w->cycle;
        w->tally.n[LW_T_ROOT_CLEARED]++;
    } else if ((kept & VALID) != 0 && kept != old) {
        w->tally.n[LW_T_ROOT_CHANGED]++;
        w->tally.n[LW_T_ROOT_BACK_SOON] +=
            (old & VALID) == 0 && w->root_back[pasid] + SOON >= w->cycle && w->cycle > SOON;
    }
}

static void write_features(lw_world *w, uint64_t data) {
    const uint32_t there = 15u | (w->hw.subregions != 0 ? SUBREGION_ENABLE : 0u) |
                           (w->hw.colt != LW_COLT_NONE ? COLT_ENABLE : 0u) |
                           (lw_has_hashed_tables(w) ? HOME_FIRST : 0u);
    w->features = (uint32_t)data & there;
    w->colt_on = (w->features & COLT_ENABLE) != 0 ? UINT64_MAX
                 : w->colt_on == UINT64_MAX       ? w->cycle
                                                  : w->colt_on;
    w->tally.n[LW_T_FEATURES] += w->cycle > SOON;
}

void lw_control_drive(lw_world *w) {
    w->in.ctl_write = false;
    for (uint32_t i = 0; i < w->ctl_count; i++) {
        if (w->ctl[i].from > w->cycle) {
            continue;
        }
        lw_ctl_write c = w->ctl[i];
        for (uint32_t j = i; j + 1 < w->ctl_count; j++) {
            w->ctl[j] = w->ctl[j + 1];
        }
        w->ctl_count--;
        if (is_root(w, c.addr) && (c.data & VALID) != 0 &&
            !lw_reach_may_link(w, lw_words_frame(w->words, lw_low(c.data, w->pfn_w)))) {
            w->tally.n[LW_T_LINK_SPARED]++;
            if (!w->tail) {
                push(w, c.addr, c.data, RETRY);
                lw_inv_want(w, (lw_invalidation){LW_INV_PASID, c.addr - LW_CTL_ROOT, 0, 0});
            }
            c.data &= ~VALID;
        }
        w->in.ctl_write = true;
        w->in.ctl_addr = c.addr;
        w->in.ctl_wdata = c.data;
        if (is_root(w, c.addr)) { /* of a hashed table what counts is its victim buffer */
            w->in.ctl_wdata = lw_hashed_root(w, c.addr - LW_CTL_ROOT, c.data);
            write_root(w, c.addr - LW_CTL_ROOT, c.data);
        } else if (c.addr == LW_CTL_FEATURES) {
            write_features(w, c.data);
        }
        return;
    }
}

void lw_control_features(lw_world *w) {
    const uint32_t kept =
        w->cycle == 0 ? lw_draw(w, 8) < 7 ? SUBREGION_ENABLE : 0u : w->features & SUBREGION_ENABLE;
    const uint32_t often = lw_chance(w, 80) ? COLT_ENABLE : 0;
    const uint32_t cached = w->hw.pwc_org != 0 && lw_chance(w, 50) ? PWC_ENABLE : 0;
    const uint32_t home = lw_has_hashed_tables(w) && lw_chance(w, 50) ? HOME_FIRST : 0;
    push(w, LW_CTL_FEATURES, (lw_draw(w, FEATURES) & 15u) | often | cached | kept | home, 0);
}

void lw_control_hashed(lw_world *w) {
    if (!lw_has_hashed_tables(w)) {
        return;
    }
    push(w, LW_CTL_STRIDE, w->stride, 0);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        push(w, LW_CTL_STEP + p, lw_hashed_step(w), 0);
        push(w, LW_CTL_VICTIM + p, lw_hashed_victim(w, p), 0);
    }
}

void lw_control_set_root(lw_world *w, uint32_t pasid, bool valid, int frame, uint32_t delay) {
    /* without the valid bit the frame is anything: it must not be used */
    if (w->hashed[pasid].there) { /* VICTIM stays as it is while there is a root (chapter 21) */
        frame = w->hashed[pasid].victim;
    }
    const uint64_t pfn = frame == LW_NOWHERE ? lw_low(lw_rng_next(&w->rng), w->pfn_w)
                                             : lw_words_pfn(w->words, frame);
    const uint64_t ignored = lw_rng_next(&w->rng) << w->pfn_w & ~VALID;
    push(w, LW_CTL_ROOT + pasid, (valid ? VALID : 0) | pfn | ignored, delay);
}

static int draw_root(lw_world *w) {
    for (;;) {
        const uint32_t f = lw_draw(w, w->frames);
        if (w->home[f] == w->hw.levels || (w->tangle != 0 && lw_chance(w, 10))) {
            return (int)f;
        }
    }
}

void lw_control_root(lw_world *w) {
    const uint32_t pasid = lw_draw(w, w->hw.pasids);
    for (uint32_t i = 0; i < w->ctl_count; i++) {
        if (w->ctl[i].addr == LW_CTL_ROOT + pasid) {
            return;
        }
    }
    const uint64_t old = lw_words_value(w->words, lw_word_root(pasid));
    const int before = lw_words_frame(w->words, lw_low(old, w->pfn_w));
    const int next = lw_chance(w, 40) ? before : draw_root(w);
    if ((old & VALID) == 0) {
        lw_control_set_root(w, pasid, true, next < 0 ? draw_root(w) : next, 0);
        return;
    }
    if (lw_chance(w, 25)) {
        lw_control_set_root(w, pasid, true, draw_root(w), 0);
    } else {
        const int left = lw_chance(w, 50) ? before : lw_chance(w, 50) ? draw_root(w) : LW_NOWHERE;
        lw_control_set_root(w, pasid, false, left, 0);
        lw_control_set_root(w, pasid, true, next < 0 ? draw_root(w) : next,
                            1 + (lw_chance(w, 50) ? lw_draw(w, SOON) : lw_draw(w, 600)));
    }
    if (lw_chance(w, w->mood.owes)) {
        const lw_invalidation all = {LW_INV_ALL, 0, 0, 0}, one = {LW_INV_PASID, pasid, 0, 0};
        lw_inv_want(w, lw_chance(w, 30) ? all : one);
    }
}
