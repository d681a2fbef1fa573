#include "c_model/buffer/oldest_first.h"

#include "c_model/buffer/buffer_parts.h"

/* PICK_STEP: what is next. */
enum { STEP_ROUND1, STEP_ROUND2, STEP_ORDER, STEP_GIVE };

bool lw_buffer_is_eligible(const lw_buffer *b, uint32_t slot) {
    const uint32_t seq = b->entry[slot].seq;
    return lw_slots_has(&b->valid, slot) && (b->by_seq[seq / 64] >> (seq % 64) & 1) != 0;
}

/* The next eligible entry's SEQ from this on, going round; LW_NONE if all SEQs are passed. */
static int32_t next_eligible(const lw_buffer *b, uint32_t passed) {
    const uint32_t seqs = b->cfg->seq_mask + 1;
    while (passed < seqs) {
        const uint32_t seq = (b->next_seq + passed) & b->cfg->seq_mask;
        const uint64_t word = b->by_seq[seq / 64] >> (seq % 64);
        if (word != 0) {
            passed += (uint32_t)__builtin_ctzll(word);
            return passed < seqs ? (int32_t)passed : LW_NONE;
        }
        const uint32_t word_end = 64 - seq % 64, space_end = seqs - seq;
        passed += word_end < space_end ? word_end : space_end;
    }
    return LW_NONE;
}

/* R5.2, step 0: the oldest of each class, by age. */
static void find_winners(const lw_buffer *b, lw_pick_plan *p) {
    const uint32_t classes = lw_round2_places(b->cfg->hw.buffer_entries);
    uint32_t open = (UINT32_C(1) << classes) - 1;
    for (int32_t passed = next_eligible(b, 0); passed != LW_NONE && open != 0;
         passed = next_eligible(b, (uint32_t)passed + 1)) {
        const uint32_t seq = (b->next_seq + (uint32_t)passed) & b->cfg->seq_mask;
        const uint16_t slot = b->slot_of_seq[seq];
        const uint32_t class = UINT32_C(1) << (slot % classes);
        if ((open & class) != 0 && !(b->candidate_valid && slot == b->candidate_slot)) {
            open &= ~class;
            p->winner[p->winners++] = slot;
        }
    }
}

void lw_buffer_plan_pick(const lw_buffer *b, bool taken, lw_pick_plan *p) {
    p->winners = 0;
    if (b->pick.step == STEP_ROUND1 && lw_buffer_any_eligible(b)) {
        find_winners(b, p);
    }
    p->goes_on = b->pick.step == STEP_ROUND2 || b->pick.step == STEP_ORDER;
    p->candidate = LW_CANDIDATE_STAYS;
    if (b->candidate_valid) {
        const uint32_t slot = b->candidate_slot;
        if (taken) {
            p->candidate = LW_CANDIDATE_LEAVES;
        } else if (!b->candidate_held) { /* R5.10 */
            p->candidate = lw_buffer_is_eligible(b, slot) ? LW_CANDIDATE_HELD : LW_CANDIDATE_LEAVES;
        } else if (lw_slots_has(&b->done, slot) || b->entry[slot].cl != 0) {
            p->candidate = LW_CANDIDATE_RELEASED;
        }
    }
    p->loads =
        b->pick.step == STEP_GIVE && (!b->candidate_valid || p->candidate == LW_CANDIDATE_LEAVES ||
                                      p->candidate == LW_CANDIDATE_RELEASED);
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

static void first_round(lw_buffer *b) {
    const uint32_t groups = b->cfg->hw.buffer_entries / LW_ROUND1_GROUP;
    for (uint32_t g = 0; g < groups; g++) {
        lw_round best = {.found = false};
        for (uint32_t i = 0; i < LW_ROUND1_GROUP; i++) {
            const uint32_t slot = g + i * groups;
            const bool candidate = b->candidate_valid && slot == b->candidate_slot;
            if (lw_buffer_is_eligible(b, slot) && !candidate &&
                (!best.found || age_of(b, slot) < best.age)) {
                best = (lw_round){.age = age_of(b, slot), .slot = (uint8_t)i, .found = true};
            }
        }
        put_round(b, LW_S_ROUND1, b->pick.round1, g, best);
    }
}

static void second_round(lw_buffer *b) {
    const uint32_t groups = b->cfg->hw.buffer_entries / LW_ROUND1_GROUP;
    const uint32_t classes = lw_round2_places(b->cfg->hw.buffer_entries);
    for (uint32_t h = 0; h < classes; h++) {
        lw_round best = {.found = false};
        for (uint32_t g = h; g < groups; g += classes) {
            const lw_round *r = &b->pick.round1[g];
            if (r->found && (!best.found || r->age < best.age)) {
                best = (lw_round){.age = r->age,
                                  .slot = (uint8_t)((g + r->slot * groups) / classes),
                                  .found = true};
            }
        }
        put_round(b, LW_S_ROUND2, b->pick.round2, h, best);
    }
}

/* Who is older than whom, of those of the second round; nobody than a place that has found none. */
static void order_places(lw_buffer *b) {
    const uint32_t classes = lw_round2_places(b->cfg->hw.buffer_entries);
    const lw_round *r = b->pick.round2;
    for (uint32_t h = 0; h < classes; h++) {
        uint32_t older = 0;
        for (uint32_t i = 0; i < classes; i++) {
            older |= (uint32_t)(r[h].found && r[i].found && r[i].age < r[h].age) << i;
        }
        b->pick.older[h] = (uint16_t)older;
        lw_touch(b->watch, LW_S_ROUND2, h);
    }
}

static void set_step(lw_buffer *b, uint32_t step) {
    b->pick.step = (uint8_t)step;
    lw_touch(b->watch, LW_S_PICK, 0);
}

/* The next winner's turn is over, and perhaps the tournament. */
static uint16_t give_winner(lw_buffer *b) {
    const uint16_t slot = b->pick.winner[b->pick.given++ % LW_ROUND2_MAX];
    if (b->watch->written != NULL) {
        const uint32_t class = slot % lw_round2_places(b->cfg->hw.buffer_entries);
        b->pick.round2[class].found = false;
        lw_touch(b->watch, LW_S_ROUND2, class);
    }
    if (b->pick.given == b->pick.winners) {
        set_step(b, STEP_ROUND1);
    }
    return slot;
}

/* The rounds (R5.2), but step 3. */
static void step_rounds(lw_buffer *b, const lw_pick_plan *p) {
    static void (*const round[])(lw_buffer *) = {first_round, second_round, order_places};
    if (p->winners == 0 && !p->goes_on) {
        return;
    }
    if (b->watch->written != NULL) {
        round[b->pick.step](b);
    }
    if (p->winners != 0) {
        b->pick.winners = p->winners;
        b->pick.given = 0;
        memset(b->pick.winner, 0, sizeof b->pick.winner); /* the others are given after a flip */
        memcpy(b->pick.winner, p->winner, p->winners * sizeof *p->winner);
    }
    set_step(b, b->pick.step + 1u);
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
        break;
    }
    if (p->loads) {
        b->candidate_valid = true;
        b->candidate_held = false;
        b->candidate_slot = give_winner(b);
    }
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}
