#include "oldest_first.h"

#include "buffer_parts.h"

enum { STEP_GROUPS, STEP_ROUND1, STEP_ROUND2 };

bool lw_buffer_is_eligible(const lw_buffer *b, uint32_t slot) {
    const uint32_t seq = b->entry[slot].seq;
    return lw_slots_has(&b->valid, slot) && (b->by_seq[seq / 64] >> (seq % 64) & 1) != 0;
}

void lw_buffer_plan_pick(const lw_buffer *b, bool taken, bool marked, lw_pick_plan *p) {
    const bool room = !b->candidate_valid || b->candidate_held;
    p->oldest = b->pick.step == STEP_GROUPS && room ? lw_buffer_oldest(b) : LW_NONE;
    p->second = b->pick.step == STEP_ROUND1;
    p->loads = b->pick.step == STEP_ROUND2 && !b->candidate_valid;
    p->candidate = LW_CANDIDATE_STAYS;
    if (!b->candidate_valid) {
        return;
    }
    const uint32_t slot = b->candidate_slot;
    if (taken || marked) {
        p->candidate = LW_CANDIDATE_LEAVES;
    } else if (!b->candidate_held) { /* R5.10 */
        p->candidate = lw_buffer_is_eligible(b, slot) ? LW_CANDIDATE_HELD : LW_CANDIDATE_LEAVES;
    } else if (lw_slots_has(&b->done, slot) || b->entry[slot].cl != 0) {
        p->candidate = LW_CANDIDATE_RELEASED;
    }
}

static void put_round(const lw_buffer *b, lw_structure s, lw_round *at, uint32_t place,
                      lw_round value) {
    at[place] = value;
    lw_touch(b->watch, s, place);
}

/* R5.2: {whether the SEQ lies in the block of NEXT_SEQ - 1, the SEQ in its block}. */
static uint16_t age_of(const lw_buffer *b, uint32_t slot) {
    const uint32_t shift = b->cfg->block_shift, seq = b->entry[slot].seq;
    const bool young = seq >> shift == ((b->next_seq - 1) & b->cfg->seq_mask) >> shift;
    return (uint16_t)((uint32_t)young << shift | (seq & (b->cfg->hw.buffer_entries - 1)));
}

static void begin_rounds(lw_buffer *b) {
    for (uint32_t g = 0; g < b->cfg->hw.buffer_entries / LW_ROUND1_GROUP; g++) {
        lw_round best = {.found = false};
        for (uint32_t i = 0; i < LW_ROUND1_GROUP; i++) {
            const uint32_t slot = g * LW_ROUND1_GROUP + i;
            if (lw_buffer_is_eligible(b, slot) && (!best.found || age_of(b, slot) < best.age)) {
                best = (lw_round){.age = age_of(b, slot), .slot = (uint8_t)i, .found = true};
            }
        }
        put_round(b, LW_S_ROUND1, b->pick.round1, g, best);
    }
}

static void second_round(lw_buffer *b) {
    const uint32_t groups = b->cfg->hw.buffer_entries / LW_ROUND1_GROUP;
    for (uint32_t h = 0; h < lw_round2_places(b->cfg->hw.buffer_entries); h++) {
        lw_round best = {.found = false};
        for (uint32_t i = 0; i < LW_ROUND2_GROUP && h * LW_ROUND2_GROUP + i < groups; i++) {
            const lw_round *r = &b->pick.round1[h * LW_ROUND2_GROUP + i];
            if (r->found && (!best.found || r->age < best.age)) {
                best = (lw_round){
                    .age = r->age, .slot = (uint8_t)(i * LW_ROUND1_GROUP + r->slot), .found = true};
            }
        }
        put_round(b, LW_S_ROUND2, b->pick.round2, h, best);
    }
}

static void set_step(lw_buffer *b, uint32_t step) {
    b->pick.step = (uint8_t)step;
    lw_touch(b->watch, LW_S_PICK, 0);
}

/* The rounds (R5.2), but what step 2 leaves in the candidate register. */
static void step_rounds(lw_buffer *b, const lw_pick_plan *p) {
    const bool looked_at = b->watch->written != NULL;
    if (p->oldest != LW_NONE) {
        if (looked_at) {
            begin_rounds(b);
        }
        b->pick.oldest = (uint8_t)p->oldest;
        set_step(b, STEP_ROUND1);
    } else if (p->second) {
        if (looked_at) {
            second_round(b);
        }
        set_step(b, STEP_ROUND2);
    } else if (p->loads) {
        set_step(b, STEP_GROUPS);
    }
}

static void empty_candidate(lw_buffer *b) {
    b->candidate_valid = b->candidate_held = false;
}

void lw_buffer_pick(lw_buffer *b, const lw_pick_plan *p) {
    step_rounds(b, p); /* before anything of this cycle is no longer eligible */
    const uint32_t slot = b->candidate_slot;
    switch (p->candidate) {
    case LW_CANDIDATE_HELD:
        lw_slots_set(&b->picked, slot);
        lw_buffer_refresh(b, slot);
        lw_touch(b->watch, LW_S_BUFFER, slot);
        b->candidate_held = true;
        break;
    case LW_CANDIDATE_RELEASED:
        lw_buffer_give_back(b, slot);
        empty_candidate(b);
        break;
    case LW_CANDIDATE_LEAVES:
        empty_candidate(b);
        break;
    default:
        if (!p->loads) {
            return;
        }
        b->candidate_valid = true;
        b->candidate_held = false;
        b->candidate_slot = b->pick.oldest;
        break;
    }
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

lw_cell lw_buffer_pick_cell(lw_buffer *b, lw_field field, uint32_t index) {
    enum { ROUND1_SLOT_W = 2, ROUND2_SLOT_W = 5 };
    const uint32_t slot_w = b->cfg->block_shift;
    lw_round *r1 = &b->pick.round1[index], *r2 = &b->pick.round2[index % LW_ROUND2_MAX];
    switch (field) {
    case LW_F_ROUND1_ROUND1_FOUND:
        return LW_CELL(r1->found, 1, true);
    case LW_F_ROUND1_ROUND1_SLOT:
        return LW_CELL(r1->slot, ROUND1_SLOT_W, r1->found);
    case LW_F_ROUND1_ROUND1_AGE:
        return LW_CELL(r1->age, slot_w + 1, r1->found);
    case LW_F_ROUND2_ROUND2_FOUND:
        return LW_CELL(r2->found, 1, true);
    case LW_F_ROUND2_ROUND2_SLOT:
        return LW_CELL(r2->slot, slot_w < ROUND2_SLOT_W ? slot_w : ROUND2_SLOT_W, r2->found);
    case LW_F_ROUND2_ROUND2_AGE:
        return LW_CELL(r2->age, slot_w + 1, r2->found);
    default:
        return LW_CELL(b->pick.step, 2, true);
    }
}
