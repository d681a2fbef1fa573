/* The CAM port's work on the IOMMU buffer (R4.3 to R4.6, section 9, R11.2): the new entry's check,
 * claim, release, scan and mark. */
#include "buffer_parts.h"

void lw_buffer_check_new(lw_buffer *b, uint32_t cl) {
    const uint32_t slot = b->new_slot;
    if (!lw_slots_has(&b->valid, slot)) {
        return; /* only after a flip */
    }
    lw_buffer_set_cl(b, slot, cl);
    lw_buffer_refresh(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

/* The slots that the access's neighbourhood may hold (the hash decides: each hit is to be
 * verified), are not DONE, whose access PERM grants and whose PL is 0 or above the level. */
static bool reachable(const lw_buffer *b, const lw_access *a, lw_slots *out) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    const uint64_t no_write = (a->perm & 1) == 0 ? UINT64_MAX : 0;
    const uint64_t no_execute = (a->perm & 2) == 0 ? UINT64_MAX : 0;
    uint64_t any = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t m = near->w[w] & ~b->done.w[w];
        if (m != 0) {
            uint64_t open = b->at_pl[0].w[w];
            for (uint32_t l = a->level + 1u; l < 8; l++) {
                open |= b->at_pl[l].w[w];
            }
            m &= open & ~(b->writes.w[w] & no_write) & ~(b->executes.w[w] & no_execute);
        }
        out->w[w] = m;
        any |= m;
    }
    return any != 0;
}

static bool is_neighbour(const lw_buffer *b, uint32_t slot, const lw_access *a) {
    return (b->entry[slot].key ^ a->key) >> lw_near_shift(lw_near(a)) == 0;
}

/* R4.5 */
void lw_buffer_claim(lw_buffer *b, const lw_access *a) {
    lw_slots open;
    if (!reachable(b, a, &open)) {
        return;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t unclaimed = b->at_cl[0].w[w];
        for (uint32_t c = a->level + 1u; c < 8; c++) {
            unclaimed |= b->at_cl[c].w[w];
        }
        for (uint64_t m = open.w[w] & unclaimed; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                lw_buffer_set_cl(b, slot, a->level);
                lw_buffer_refresh(b, slot);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R4.6 */
void lw_buffer_release(lw_buffer *b, const lw_access *a) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->at_cl[a->level].w[w] & near->w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                lw_buffer_set_cl(b, slot, 0);
                lw_buffer_refresh(b, slot);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R9.6: the CONTIG of an answered entry says how far its PA reaches. */
static const uint16_t answer_contig[LW_REACHES] = {0, LW_CONTIG_C, LW_CONTIG_AC};

/* R9.5 (a fault), R9.6 (a leaf), R9.7 (a node): one entry learns from its PTE. */
static void learn(lw_buffer *b, uint32_t slot, const lw_access *a, const lw_verdict *v,
                  uint32_t links, lw_counters *counters) {
    lw_entry *e = &b->entry[slot];
    e->pa = v->frame; /* all four are zero with a fault */
    e->size = v->size;
    e->perm = v->perm;
    e->contig = v->contig;
    if (v->node) {
        lw_buffer_set_pl(b, slot, a->level);
        if (e->cl >= a->level) {
            lw_buffer_set_cl(b, slot, 0);
        }
        lw_count(counters, LW_C_COALESCED_LEVELS, 1);
    } else {
        lw_slots_set(&b->done, slot);
        b->answers++;
        e->kind = v->kind;
        e->level = (uint8_t)(v->kind != LW_OK ? a->level : links);
        e->contig = v->kind != LW_OK ? 0 : answer_contig[a->reach];
        lw_buffer_set_cl(b, slot, 0);
        lw_count(counters, LW_C_COALESCED_ANSWERS, 1);
    }
    lw_buffer_refresh(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

/* R9.4: the PTE that an entry takes from the line of the access. */
static uint32_t place_in_line(const lw_config *cfg, const lw_access *a, const lw_entry *e) {
    return (a->reach == LW_REACH_LINE ? lw_index(e->key, a->level) : lw_pte_index(cfg, a)) & 7;
}

/* R9.4 */
void lw_buffer_scan(lw_buffer *b, const lw_access *a, const lw_line *line, lw_counters *counters) {
    lw_slots open = {{0}};
    if (!reachable(b, a, &open)) {
        return;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = open.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                const lw_entry *e = &b->entry[slot];
                lw_verdict v = lw_judge(b->cfg, line->pte[place_in_line(b->cfg, a, e)], a->level,
                                        lw_key_vpn(e->key), e->access, a->perm);
                v.contig &= line->contig_mask;
                learn(b, slot, a, &v, lw_links_of(line, e->key), counters);
            }
        }
    }
}

/* R12.7 */
bool lw_buffer_has_neighbour(const lw_buffer *b, const lw_access *a) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = near->w[w] & ~b->done.w[w]; m != 0; m &= m - 1) {
            if (is_neighbour(b, w * 64 + (uint32_t)__builtin_ctzll(m), a)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_met(const uint64_t meets[4], const lw_entry *e) {
    const uint32_t pasid = lw_key_pasid(e->key);
    return (meets[pasid / 64 & 3] >> (pasid % 64) & 1) != 0;
}

/* R11.2: an entry with an answer keeps it and becomes STALE, another forgets what it has learnt. */
void lw_buffer_mark(lw_buffer *b, const uint64_t meets[4]) {
    if (b->reading && is_met(meets, &b->entry[b->reading_slot])) { /* R11.3: chosen right now */
        lw_slots_set(&b->stale, b->reading_slot);
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->valid.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            lw_entry *e = &b->entry[slot];
            if (!is_met(meets, e)) {
                continue;
            }
            lw_slots_clear(&b->picked, slot);
            if (lw_slots_has(&b->done, slot)) {
                lw_slots_set(&b->stale, slot);
            } else {
                lw_buffer_set_cl(b, slot, 0);
                lw_buffer_set_pl(b, slot, 0);
                e->pa = 0;
                e->perm = 0;
                e->contig = 0;
            }
            lw_buffer_refresh(b, slot);
            lw_touch(b->watch, LW_S_BUFFER, slot);
        }
    }
}
