/* What reaches the IOMMU buffer: misses, accesses in flight, operations with keys that meet the
 * entries, marks and choices, within what the neighbours' rules allow. */
#include "tests/modules/buffer/buffer_ports.h"
#include "tests/modules/draws.h"

static uint32_t slots(const lw_buffer *b, const lw_slots *m) {
    return (uint32_t)m->w[0] & ((UINT32_C(1) << b->cfg->hw.buffer_entries) - 1);
}

/* Entries that a walker has been given and whose walk has not started (R5.2). */
static uint32_t held(const lw_buffer *b) {
    return slots(b, &b->picked);
}

/* Where a VPN differs from another of its frame, with subregions: another line, another subregion.
 */
static uint64_t within(const lw_bench *bench) {
    return bench->u->cfg.hw.subregions != 0 ? 0x48 : 0;
}

/* R1.11 */
static uint64_t draw_reach(lw_bench *bench, uint64_t level) {
    const bool may = bench->u->cfg.hw.subregions != 0 && level == 1;
    return may ? lw_rng_below(&bench->rng, LW_REACHES) : LW_REACH_LINE;
}

/* How the line of a scan was read. PTEs of level 1 may have sizes (R1.17), and in a hashed table
 * what teaches nobody releases a level or none, and claims any (R21.12). */
static void draw_reading(lw_bench *bench, lw_bits *in) {
    enum { UPPER_IN = 4 };
    const lw_config *cfg = &bench->u->cfg;
    own *o = bench->own;
    in[CAM_FAILED].w[0] = in[CAM_ERROR].w[0];
    o->as =
        (lw_reading){.level = (uint32_t)in[CAM_LEVEL].w[0], .reach = (lw_reach)in[CAM_REACH].w[0]};
    o->as.hashed = cfg->hw.pwc_org == LW_PWC_OF_STEPS && !lw_one_in(&bench->rng, 3);
    o->as.sized = (o->as.hashed || cfg->hw.pages_64k != 0) && o->as.level == 1;
    if (o->as.sized) {
        lw_draw_sizes(&bench->rng, cfg, in[CAM_VPN].w[0], o->line);
    }
    if (!o->as.hashed) {
        return;
    }
    if (in[CAM_ERROR].w[0] != 0 || lw_one_in(&bench->rng, UPPER_IN)) {
        in[CAM_ERROR].w[0] = 1;
        if (lw_one_in(&bench->rng, 2)) {
            in[CAM_LEVEL].w[0] = 0;
            in[CAM_REACH].w[0] = LW_REACH_LINE;
        }
        in[CLAIM_VALID].w[0] = in[CAM_FAILED].w[0] == 0 && lw_one_in(&bench->rng, 2);
        in[CLAIM_LEVEL].w[0] = 1 + lw_rng_below(&bench->rng, 2);
        in[CLAIM_REACH].w[0] = draw_reach(bench, in[CLAIM_LEVEL].w[0]);
    }
}

/* How far a scan reaches, and its line. */
static void draw_line(lw_bench *bench, lw_bits *in) {
    enum { DISABLED_IN = 4 };
    const lw_config *cfg = &bench->u->cfg;
    own *o = bench->own;
    in[CAM_REACH].w[0] = draw_reach(bench, in[CAM_LEVEL].w[0]);
    const lw_cam_op op = buffer_operation(in);
    const lw_access a = lw_cam_op_access(&op);
    in[CAM_POSITION].w[0] = lw_pte_index(cfg, &a) & 7;
    o->enabled = cfg->hw.subregions != 0 && !lw_one_in(&bench->rng, DISABLED_IN);
    lw_draw_line(&bench->rng, cfg, o->line);
    draw_reading(bench, in);
    if (cfg->hw.colt == LW_COLT_NONE || a.level != 1) { /* R1.14 */
        in[CAM_LINKS].w[0] = 0;
    } else if (a.reach != LW_REACH_LINE && in[CAM_LINKS].w[0] != 0) {
        in[CAM_LINKS].w[0] = UINT64_MAX >> (64 - 6);
    }
    lw_decoded line;
    lw_decode_line(cfg, o->line, &o->as, lw_key_vpn(op.key),
                   o->enabled ? LW_CONTIG_AC | LW_CONTIG_C : 0, &line);
    in[CAM_VERDICT] = line.verdict;
    in[CAM_FRAME] = line.frame;
    in[CAM_CONTIG] = line.contig;
    in[CAM_SIZE] = line.size;
}

static void put_zero(lw_bits *in, const uint8_t *port, uint32_t ports) {
    for (uint32_t i = 0; i < ports; i++) {
        in[port[i]] = (lw_bits){{0}};
    }
}

/* R5.21: whether an operation is close to the entry with this key. */
static bool is_close(const lw_cam_op *o, uint64_t key) {
    if (o->op == LW_OP_NONE || (o->level == 0 && !o->claim)) {
        return false;
    }
    const bool by_claim = o->op == LW_OP_COMMIT || (o->op == LW_OP_ADVANCE && o->level == 1) ||
                          (o->op == LW_OP_SCAN && o->claim && o->claim_level > o->level);
    const lw_access a = by_claim ? lw_cam_op_claim(o) : lw_cam_op_access(o);
    return lw_is_near(&a, key);
}

/* R5.20: whether the operations in search and update leave the entry alone. */
static bool may_commit(const lw_bench *bench, const lw_bits *in, uint32_t slot) {
    const lw_buffer *b = &bench->u->walk.buffer;
    const uint64_t key = b->entry[slot].key;
    const bool close = is_close(&b->cam.search, key) || is_close(&b->cam.update, key);
    return !close || in[MODE].w[0] == 0 || b->cfg->hw.coalesce == 0;
}

static void choose_commit(lw_bench *bench, lw_bits *in) {
    const lw_buffer *b = &bench->u->walk.buffer;
    const uint32_t slot = lw_draw_bit(&bench->rng, held(b));
    const lw_buffer_entry *e = &b->entry[slot];
    if (!may_commit(bench, in, slot)) {
        return;
    }
    const bool back = lw_slots_has(&b->done, slot) || e->cl != 0; /* R5.7 */
    in[DECIDED_SLOT].w[0] = slot;
    in[GIVE_BACK].w[0] = back;
    in[COMMIT].w[0] = !back;
    in[CAM_OP].w[0] = back ? LW_OP_NONE : LW_OP_COMMIT;
    in[CAM_VPN].w[0] = lw_key_vpn(e->key);
    in[CAM_PASID].w[0] = lw_key_pasid(e->key);
    in[CLAIM_LEVEL].w[0] = 1 + lw_rng_below(&bench->rng, bench->u->cfg.hw.levels);
}

static void choose_operation(lw_bench *bench, lw_bits *in) {
    const lw_buffer *b = &bench->u->walk.buffer;
    const uint32_t levels = bench->u->cfg.hw.levels, valid = slots(b, &b->valid);
    enum { SCAN_BELOW = 35, ADVANCE_BELOW = 50, COMMIT_BELOW = 80, ALL = 100 };
    const uint64_t roll = lw_rng_below(&bench->rng, ALL);
    if (valid != 0 && !lw_one_in(&bench->rng, 3)) { /* a key that meets somebody */
        const lw_buffer_entry *e = &b->entry[lw_draw_bit(&bench->rng, valid)];
        in[CAM_VPN].w[0] = lw_key_vpn(e->key) ^ (lw_rng_next(&bench->rng) & within(bench));
        in[CAM_PASID].w[0] = lw_key_pasid(e->key);
    }
    in[READ_SLOT].w[0] = valid != 0 ? lw_draw_bit(&bench->rng, valid) : 0;
    if (roll < SCAN_BELOW) {
        const uint64_t level = 1 + lw_rng_below(&bench->rng, levels);
        in[CAM_OP].w[0] = LW_OP_SCAN;
        in[CAM_LEVEL].w[0] = level;
        in[CLAIM_VALID].w[0] &= in[CAM_ERROR].w[0] == 0 && level > 1;
        in[CLAIM_LEVEL].w[0] = level - 1;
        in[CLAIM_PERM].w[0] &= in[CAM_PERM].w[0];
    } else if (roll < ADVANCE_BELOW) {
        /* R7.7: after a hit, so below the root; or of a walk that has claimed its own line */
        const bool own_line = lw_one_in(&bench->rng, 2);
        in[CAM_OP].w[0] = LW_OP_ADVANCE;
        in[CAM_LEVEL].w[0] = own_line ? 1 : 2 + lw_rng_below(&bench->rng, levels - 1);
        in[CLAIM_VALID].w[0] = 1;
        in[CLAIM_LEVEL].w[0] =
            own_line ? 1 + lw_rng_below(&bench->rng, levels) : in[CAM_LEVEL].w[0] - 1;
    } else if (roll < COMMIT_BELOW && held(b) != 0) {
        choose_commit(bench, in);
    }
}

/* R11.7: the CAM takes nothing of a walker that the mark meets. */
static void end_by_mark(lw_bits *in) {
    const lw_mark mark = buffer_mark_of(in);
    if (lw_mark_meets(&mark, (uint32_t)in[CAM_PASID].w[0])) {
        in[CAM_OP].w[0] = LW_OP_NONE;
    }
}

/* What an operation does not say is zero (R4.7). */
static void draw_operation(lw_bench *bench, lw_bits *in) {
    static const uint8_t of_scan[] = {CAM_REACH,  CAM_POSITION, CAM_ERROR,
                                      CAM_FAILED, CAM_PERM,     CAM_LINKS};
    static const uint8_t of_claim[] = {CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM};
    choose_operation(bench, in);
    end_by_mark(in);
    in[CLAIM_REACH].w[0] = draw_reach(bench, in[CLAIM_LEVEL].w[0]);
    if (in[CAM_OP].w[0] == LW_OP_SCAN) {
        draw_line(bench, in);
    } else {
        put_zero(in, of_scan, sizeof of_scan);
    }
    in[CLAIM_VALID].w[0] &= in[CAM_OP].w[0] != LW_OP_NONE;
    if (in[CLAIM_VALID].w[0] == 0) {
        put_zero(in, of_claim, sizeof of_claim);
    }
}

/* R5.28: of an entry that a walker holds, but not of one at which it looks in this cycle. */
static void choose_second_hit(lw_bench *bench, lw_bits *in) {
    const lw_buffer *b = &bench->u->walk.buffer;
    const bool decides = in[GIVE_BACK].w[0] != 0 || in[COMMIT].w[0] != 0;
    const uint32_t looked = decides ? UINT32_C(1) << in[DECIDED_SLOT].w[0] : 0;
    const uint32_t others = held(b) & ~looked;
    in[SECOND_HIT].w[0] &= b->cfg->hw.second_lookup != 0 && others != 0;
    if (in[SECOND_HIT].w[0] != 0) {
        in[SECOND_SLOT].w[0] = lw_draw_bit(&bench->rng, others);
    }
}

void buffer_stimulus_make_legal(lw_bench *bench, lw_bits *in) {
    enum { MARK_IN = 16, STALE_IN = 4 }; /* so rare that entries learn, whatever a phase asks for */
    const lw_config *cfg = &bench->u->cfg;
    const lw_buffer *b = &bench->u->walk.buffer;
    const uint32_t pasid_w = lw_log2(cfg->hw.pasids);
    in[MISS_VPN].w[0] ^= lw_rng_next(&bench->rng) & within(bench);
    for (uint32_t w = 0; w < cfg->hw.walkers; w++) {
        const uint64_t level = 1 + lw_rng_below(&bench->rng, cfg->hw.levels);
        const bool near = lw_one_in(&bench->rng, 2); /* in flight where the new entry is */
        const uint64_t random = lw_rng_next(&bench->rng);
        lw_bits_put(&in[FLIGHT_VPN], w * cfg->vpn_w, cfg->vpn_w,
                    near ? in[MISS_VPN].w[0] ^ (random & (within(bench) | 7)) : random & VPNS);
        lw_bits_put(&in[FLIGHT_PASID], w * pasid_w, pasid_w,
                    near ? in[MISS_PASID].w[0] : random >> 63);
        lw_bits_put(&in[FLIGHT_LEVEL], w * 3, 3, level);
        lw_bits_put(&in[FLIGHT_REACH], w * 2, 2, draw_reach(bench, level));
    }
    in[MARK].w[0] &= lw_one_in(&bench->rng, MARK_IN);
    in[MISS_STALE].w[0] &= lw_one_in(&bench->rng, STALE_IN);
    draw_operation(bench, in);
    choose_second_hit(bench, in);
    in[WANTED].w[0] &= in[MARK].w[0] == 0; /* R11.3 */
    in[ANS_CHOOSE].w[0] &= b->ready;
}
