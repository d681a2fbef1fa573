#include "cam_probes.h"

/* Slots: the walker's own entry is below WAITING. WAITING + access: an entry without CL and PL, for
 * each access (R1.4). RELEASABLE + k: an entry with CL=k, DONE, so that only a release changes it.
 * BESIDE_WAITING + r and BESIDE_RELEASABLE + r: the same, for a read, at level 1, and with another
 * key that only REACH r or more takes in. */
enum {
    WAITING = 32,
    RELEASABLE = 40,
    BESIDE_WAITING = 48,
    BESIDE_RELEASABLE = 52,
    SLOTS = 64,
    SLOTS_LOG2 = 6,
    SEVERAL = 7
};
enum { READ, WRITE, EXECUTE };

static void add(lw_buffer *b, uint32_t slot, lw_entry entry, bool picked, bool done) {
    entry.seq = (uint16_t)slot;
    b->entry[slot] = entry;
    b->valid.w[0] |= UINT64_C(1) << slot;
    b->picked.w[0] |= (uint64_t)picked << slot;
    b->done.w[0] |= (uint64_t)done << slot;
    b->block_live[0]++;
}

void lw_cam_probes_set(lw_cam_probes *p, const lw_config *cfg, const lw_watch *watch,
                       uint64_t key) {
    p->cfg = *cfg;
    p->cfg.hw.buffer_entries = SLOTS;
    p->cfg.block_shift = SLOTS_LOG2;
    lw_buffer_init(&p->buffer, &p->cfg, watch);
    for (uint32_t access = READ; access <= EXECUTE; access++) {
        add(&p->buffer, WAITING + access, (lw_entry){.key = key, .access = (uint8_t)access}, false,
            false);
    }
    for (uint32_t r = LW_REACH_SUBREGION; r <= LW_REACH_FRAME; r++) {
        const uint64_t other_line = UINT64_C(1) << 3;
        const uint64_t beside =
            key ^ (r == LW_REACH_FRAME ? UINT64_C(1) << LW_SUBREGION_SHIFT : other_line);
        add(&p->buffer, BESIDE_WAITING + r, (lw_entry){.key = beside}, false, false);
        add(&p->buffer, BESIDE_RELEASABLE + r, (lw_entry){.key = beside, .cl = 1}, false, true);
    }
    for (uint32_t k = 1; k <= cfg->hw.levels; k++) {
        add(&p->buffer, RELEASABLE + k, (lw_entry){.key = key, .cl = (uint8_t)k}, false, true);
    }
}

void lw_cam_probes_add(lw_cam_probes *p, uint32_t slot, const lw_entry *entry, bool done) {
    add(&p->buffer, slot, *entry, true, done);
}

void lw_cam_probes_ready(lw_cam_probes *p) {
    lw_buffer_derive(&p->buffer);
}

static bool is_told(const lw_buffer *b, uint32_t slot) {
    return lw_slots_has(&b->done, slot) || b->entry[slot].pl != 0;
}

/* How far an operation at a level went that touched the probes beside the key. */
static lw_reach reach_at(uint32_t level, bool subregion, bool frame) {
    if (level != 1) {
        return LW_REACH_LINE;
    }
    return frame ? LW_REACH_FRAME : subregion ? LW_REACH_SUBREGION : LW_REACH_LINE;
}

static void see_reach(const lw_buffer *b, lw_cam_seen *seen) {
    const uint32_t waiting[] = {BESIDE_WAITING + LW_REACH_SUBREGION,
                                BESIDE_WAITING + LW_REACH_FRAME};
    const uint32_t releasable[] = {BESIDE_RELEASABLE + LW_REACH_SUBREGION,
                                   BESIDE_RELEASABLE + LW_REACH_FRAME};
    seen->released_reach =
        reach_at(seen->released, b->entry[releasable[0]].cl == 0, b->entry[releasable[1]].cl == 0);
    seen->claimed_reach =
        reach_at(seen->claimed, b->entry[waiting[0]].cl != 0, b->entry[waiting[1]].cl != 0);
    /* what is told comes from the line of the level that is released */
    seen->told_reach = reach_at(seen->released, is_told(b, waiting[0]), is_told(b, waiting[1]));
}

lw_cam_seen lw_cam_probes_see(const lw_cam_probes *p, int32_t slot) {
    const lw_buffer *b = &p->buffer;
    lw_cam_seen seen = {.claimed = b->entry[WAITING + READ].cl};
    for (uint32_t k = 1; k <= p->cfg.hw.levels; k++) {
        if (b->entry[RELEASABLE + k].cl == 0) {
            seen.released = seen.released == 0 ? k : SEVERAL;
        }
    }
    seen.told = is_told(b, WAITING + READ);
    see_reach(b, &seen);
    for (uint32_t i = 0; i < 2; i++) { /* PERM's bits (R1.5) */
        const uint32_t probe = WAITING + (i == 0 ? WRITE : EXECUTE);
        seen.claim_perm |= (uint32_t)(b->entry[probe].cl != 0) << i;
        seen.told_perm |= (uint32_t)is_told(b, probe) << i;
    }
    if (slot != LW_NONE) {
        seen.freed = !lw_slots_has(&b->valid, (uint32_t)slot);
        seen.given_back = !seen.freed && !lw_slots_has(&b->picked, (uint32_t)slot);
    }
    return seen;
}
