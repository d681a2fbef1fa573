/* What reaches the page walkers: picks and entries, answers of the page walk cache, lines,
 * marks and roots, within what the neighbours' rules allow. */
#include "tests/modules/draws.h"
#include "tests/modules/shapes.h"
#include "tests/modules/walk/walker_ports.h"

/* Software gives and removes roots at any time (R12.2), so between an entry's pick and the start of
 * its walk too. */
static void change_roots(lw_bench *bench, lw_bits *in) {
    lw_draw_roots(&bench->rng, bench->u);
    lw_roots_at_port(bench->u, &in[ROOT_VALID], &in[ROOT_FRAME]);
    lw_tables_at_port(bench->u, &in[TABLES]);
}

/* R11.1: a mark has the operands of its invalidation; a PASID that is not below PASIDS meets
 * nobody. */
static void draw_mark(lw_bench *bench, lw_bits *in) {
    enum { MARK_IN = 16 }; /* rare enough for walks to end, even where each phase asks for marks */
    lw_invalidation *v = &bench->u->invalidation;
    const uint32_t pasids = bench->u->cfg.hw.pasids;
    v->state = LW_INV_IDLE;
    if (in[MARK].w[0] != 0 && lw_one_in(&bench->rng, MARK_IN)) {
        v->state = LW_INV_MARK;
        v->type = in[MARK_ALL].w[0] != 0 ? LW_INV_ALL : LW_INV_PASID;
        v->pasid = (uint32_t)in[MARK_VALUE].w[0] + (in[MARK_PASID].w[0] != 0 ? 0 : pasids);
        v->known = v->pasid < pasids;
    }
    in[MARK].w[0] = v->state == LW_INV_MARK;
    if (v->state == LW_INV_MARK) {
        in[MARK_ALL].w[0] = v->type == LW_INV_ALL;
        in[MARK_PASID].w[0] = v->known;
        in[MARK_VALUE].w[0] = v->pasid & (pasids - 1);
    }
}

/* R5.2: whether a walker has this entry, or is about to have it. */
static bool is_held(const lw_walkers *w, uint32_t slot) {
    bool held = (w->ask.valid && w->ask.slot == slot) || (w->read.valid && w->read.slot == slot);
    for (uint32_t i = 0; i < w->cfg->hw.walkers; i++) {
        const lw_pwst *p = &w->walker[i];
        held |= p->state != LW_IDLE && !p->started && p->slot == slot;
    }
    return held;
}

/* R5.2: an entry is picked only if a walker wants one, and only one that no walker has. Some pages
 * lie in the upper half, where the page of a second lookup is sign-extended (R5.26). */
static void pick_entry(lw_bench *bench, lw_bits *in) {
    enum { UPPER_IN = 8, NEAR_IN = 3, LINES_OF_A_TABLE = 0x1f8 };
    const lw_config *cfg = &bench->u->cfg;
    const uint32_t slot = (uint32_t)in[PICK_SLOT].w[0];
    if (lw_one_in(&bench->rng, NEAR_IN)) { /* close to a walk at one level and not at another */
        const uint64_t walker = lw_rng_below(&bench->rng, cfg->hw.walkers);
        const uint64_t key = bench->u->walk.walkers.walker[walker].key;
        in[READ_PASID].w[0] = lw_key_pasid(key);
        in[READ_VPN].w[0] = lw_key_vpn(key) ^ (lw_rng_next(&bench->rng) & LINES_OF_A_TABLE);
    }
    if (lw_one_in(&bench->rng, UPPER_IN)) {
        in[READ_VPN].w[0] |= UINT64_C(1) << (cfg->vpn_w - 1);
    }
    in[PICK].w[0] &= walkers_want(bench) && !is_held(&bench->u->walk.walkers, slot);
    if (in[PICK].w[0] != 0) {
        bench->u->walk.buffer.entry[slot] =
            (lw_buffer_entry){.key = lw_key((uint32_t)in[READ_PASID].w[0], in[READ_VPN].w[0]),
                              .id = (uint16_t)in[READ_ID].w[0],
                              .src = (uint16_t)in[READ_SRC].w[0],
                              .access = (uint8_t)in[READ_ACCESS].w[0]};
    }
}

/* R1.10; whole frames less often than subregions, as only those are checked (R16.1). */
static uint64_t draw_contig(lw_bench *bench, uint64_t uniform) {
    enum { FRAME_IN = 2 };
    const uint64_t kept = lw_one_in(&bench->rng, FRAME_IN) ? uniform : uniform & LW_CONTIG_C;
    return bench->u->cfg.hw.subregions != 0 ? kept : 0;
}

/* The read port shows the entry that was asked for (R5.3, R5.6). Whose it is stays, what it has
 * learnt (R4.1) may be anything each time that it is read. */
static void read_entry(lw_bench *bench, lw_bits *in) {
    enum { WAITS_IN = 4, LEARNT_IN = 2, CHANGED_IN = 8 };
    lw_iommu *u = bench->u;
    const uint32_t levels = u->cfg.hw.levels, slot = u->walk.walkers.ask.slot;
    lw_buffer_entry *e = &u->walk.buffer.entry[slot];
    const bool hashed = lw_roots_hashed(&u->control.roots, lw_key_pasid(e->key)); /* R21.12 */
    const bool learnt =
        lw_one_in(&bench->rng, LEARNT_IN) && (!hashed || lw_one_in(&bench->rng, CHANGED_IN));
    e->cl = (uint8_t)(lw_one_in(&bench->rng, WAITS_IN) ? 1 + lw_rng_below(&bench->rng, levels) : 0);
    e->pl = (uint8_t)(learnt ? 2 + lw_rng_below(&bench->rng, levels - 1) : 0);
    const uint64_t bit = UINT64_C(1) << (slot % 64);
    u->walk.buffer.done.w[slot / 64] &= ~bit;
    u->walk.buffer.done.w[slot / 64] |= in[READ_DONE].w[0] != 0 ? bit : 0;
    u->walk.buffer.stale.w[slot / 64] &= ~bit;
    u->walk.buffer.stale.w[slot / 64] |= in[READ_STALE].w[0] != 0 ? bit : 0;
    in[READ_ID].w[0] = e->id;
    in[READ_SRC].w[0] = e->src;
    in[READ_PASID].w[0] = lw_key_pasid(e->key);
    in[READ_VPN].w[0] = lw_key_vpn(e->key);
    in[READ_ACCESS].w[0] = e->access;
    in[READ_CL].w[0] = e->cl;
    in[READ_PL].w[0] = e->pl;
    const bool above_leaf = u->walk.walkers.read.entry.pl == 2; /* of the entry that is looked at */
    in[LEARNT_CONTIG].w[0] = above_leaf ? draw_contig(bench, in[LEARNT_CONTIG].w[0]) : 0;
}

/* R21.4, R21.7: what step cache and hash unit say to a walker. */
static void answer_step(lw_bench *bench, const lw_pwst *p, lw_bits *in) {
    static const uint8_t of_lookup[] = {LW_WHERE_CACHED, LW_WHERE_CACHED, LW_WHERE_HOME,
                                        LW_WHERE_STEPS};
    const uint64_t drawn = lw_rng_below(&bench->rng, sizeof of_lookup);
    const uint32_t where = p->where == LW_WHERE_LOOKUP ? of_lookup[drawn] : p->where;
    in[RES_WHERE].w[0] = where;
    in[RES_HIT].w[0] = where == LW_WHERE_CACHED;
    in[RES_LEVEL].w[0] = where == LW_WHERE_STEPS ? 2 : 1;
    in[RES_PERM].w[0] = 0;
}

/* A result is that of a walker in PWC_WAIT, whatever the latency (R6.1); what a hit may say is
 * R6.2's and R6.3's. */
static void answer_lookup(lw_bench *bench, lw_bits *in) {
    const lw_walkers *w = &bench->u->walk.walkers;
    const bool by_address = bench->u->cfg.hw.pwc_org == LW_PWC_BY_ADDRESS;
    in[RES_WALKER].w[0] = lw_rng_below(&bench->rng, bench->u->cfg.hw.walkers);
    in[RES_VALID].w[0] &= w->in_state[LW_PWC_WAIT] != 0;
    if (in[RES_VALID].w[0] == 0) {
        in[RES_HIT].w[0] = 0;
        return;
    }
    const uint32_t i = lw_draw_bit(&bench->rng, w->in_state[LW_PWC_WAIT]);
    const lw_pwst *p = &w->walker[i];
    in[RES_WALKER].w[0] = i;
    if (bench->u->cfg.hw.pwc_org == LW_PWC_OF_STEPS) {
        answer_step(bench, p, in);
    } else if (in[RES_HIT].w[0] != 0) {
        const uint64_t below = lw_rng_below(&bench->rng, p->level - 1u);
        in[RES_LEVEL].w[0] = p->level - 1u - (by_address ? 0 : below);
        in[RES_PERM].w[0] &= by_address ? p->perm : 3;
        in[RES_HIT].w[0] = lw_grants((uint32_t)in[RES_PERM].w[0], p->access);
    }
    const bool known = in[RES_LEVEL].w[0] == 1 && /* R21.4: of the step cache after a hit */
                       (bench->u->cfg.hw.pwc_org != LW_PWC_OF_STEPS || in[RES_HIT].w[0] != 0);
    in[RES_CONTIG].w[0] = known ? draw_contig(bench, in[RES_CONTIG].w[0]) : 0;
}

/* The entry of the walker's group (R20.8), now and then a second one; seldom of a group or address
 * space beside it. */
static void draw_bucket(lw_bench *bench, const lw_pwst *p, uint64_t line[8]) {
    enum { LINE_WORDS = 8, ABSENT_IN = 3, TWICE_IN = 4, BESIDE_IN = 8 };
    enum { GROUP_BITS = 32, PASID_BITS = 11 };
    enum { AC_AT = 43, AC = 0xffff };
    lw_rng *rng = &bench->rng;
    const uint32_t words = bench->u->cfg.hw.subregions != 0 ? 4 : 2; /* R20.27 */
    const uint64_t pasid = lw_key_pasid(p->key), vpn = lw_key_vpn(p->key);
    const lw_config *cfg = &bench->u->cfg;
    const uint64_t present = UINT64_C(8) << (4 * (vpn >> cfg->region_shift & 15));
    const uint32_t entries = lw_one_in(rng, TWICE_IN) ? 2 : 1;
    for (uint32_t e = 0; e < entries; e++) {
        const uint64_t at = words * lw_rng_below(rng, LINE_WORDS / words);
        line[at] = UINT64_C(1) << 63 | pasid << 32 | vpn >> cfg->group_shift;
        line[at] |= words == 4 ? (lw_draw_sparse(rng) & AC) << AC_AT : 0;
        line[at + 1] = lw_rng_next(rng) | (lw_one_in(rng, ABSENT_IN) ? 0 : present);
        if (lw_one_in(rng, BESIDE_IN)) {
            line[at] ^= UINT64_C(1)
                        << (lw_one_in(rng, 2) ? lw_rng_below(rng, GROUP_BITS)
                                              : GROUP_BITS + lw_rng_below(rng, PASID_BITS));
        }
    }
}

/* Most sizes lie as they ask. In a hashed table most lines are the walker's, and a victim buffer
 * is walked down to its leaves. */
static void draw_line_of(lw_bench *bench, const lw_pwst *p, uint64_t line[8]) {
    enum { ASTRAY_IN = 4, OTHERS_IN = 8, NODE = 7 };
    lw_rng *rng = &bench->rng;
    const lw_params *hw = &bench->u->cfg.hw;
    if (!lw_has_sizes(hw) || (p->where == LW_WHERE_RADIX && hw->pages_64k == 0) ||
        lw_one_in(rng, ASTRAY_IN)) {
        return;
    }
    if (p->where == LW_WHERE_RADIX) {
        if (p->level == 1) {
            lw_draw_sizes(rng, &bench->u->cfg, lw_key_vpn(p->key), line);
        }
    } else if (p->where == LW_WHERE_STEPS) {
        draw_bucket(bench, p, line);
    } else if (p->where == LW_WHERE_VICTIM && p->level >= 2) {
        for (uint32_t j = 0; j < 8; j++) {
            line[j] = (line[j] & bench->u->cfg.pfn_mask << 12) | NODE;
        }
    } else {
        lw_draw_sizes(rng, &bench->u->cfg, lw_key_vpn(p->key), line);
        if (p->where != LW_WHERE_VICTIM && !lw_one_in(rng, OTHERS_IN)) {
            lw_draw_tag(rng, lw_key_pasid(p->key), lw_key_vpn(p->key) >> bench->u->cfg.region_shift,
                        line);
        }
    }
}

/* Lines of walkers in MEM, asked for or not, of heads (R16.6), and strays (R8.4). */
static void answer_request(lw_bench *bench, lw_bits *in) {
    enum { STRAY_IN = 16, ERROR_IN = 6, HEAD_IN = 4 };
    const lw_params *hw = &bench->u->cfg.hw;
    const uint32_t waiting = bench->u->walk.walkers.in_state[LW_MEM];
    if (hw->subregions != 0 && lw_one_in(&bench->rng, HEAD_IN)) {
        in[MEM_TAG].w[0] = hw->walkers + lw_rng_below(&bench->rng, LW_HEADS);
    } else if (!lw_one_in(&bench->rng, STRAY_IN)) {
        in[MEM_VALID].w[0] &= waiting != 0;
        in[MEM_TAG].w[0] = waiting != 0 ? lw_draw_bit(&bench->rng, waiting) : 0;
    }
    in[MEM_ERROR].w[0] &= lw_one_in(&bench->rng, ERROR_IN);
    lw_draw_line(&bench->rng, &bench->u->cfg, in[MEM_DATA].w);
    if (in[MEM_TAG].w[0] < hw->walkers) {
        draw_line_of(bench, &bench->u->walk.walkers.walker[in[MEM_TAG].w[0]], in[MEM_DATA].w);
    }
}

/* R10.13: whether the scan of this cycle is of a walk that ends, with no other walker in RESP. */
static bool scan_ends_walk(const lw_bench *bench) {
    lw_walkers tried = bench->u->walk.walkers;
    const lw_turns t = walker_turns(bench, LW_NONE);
    const lw_scan_view view = walker_view(bench, &t);
    lw_events events = {{0}};
    lw_scan scan;
    if (t.scanner == LW_NONE || tried.in_state[LW_RESP] != 0) {
        return false;
    }
    lw_walkers_scan(&tried, (uint32_t)t.scanner, &view, &events, &scan);
    return tried.in_state[LW_RESP] != 0;
}

/* What the CAM shows of an operation, from SEARCH or UPDATE on. */
static void put_operation(const lw_cam_op *o, lw_bits *in) {
    in[OP].w[0] = o->op;
    in[OP_PASID].w[0] = lw_key_pasid(o->key);
    in[OP_VPN].w[0] = lw_key_vpn(o->key);
    in[OP_LEVEL].w[0] = o->level;
    in[OP_REACH].w[0] = o->reach;
    in[OP_CLAIM].w[0] = o->claim;
    in[OP_CLAIM_LEVEL].w[0] = o->claim_level;
    in[OP_CLAIM_REACH].w[0] = o->claim_reach;
}

/* R5.28: the end of a lookup of a walker in READ that neither asks for its entry nor looks at it.
 */
static void end_lookup(lw_bench *bench, lw_bits *in) {
    const lw_walkers *w = &bench->u->walk.walkers;
    uint32_t asked = w->in_state[LW_READ];
    asked &= w->ask.valid ? ~(UINT32_C(1) << w->ask.walker) : UINT32_MAX;
    asked &= w->read.valid ? ~(UINT32_C(1) << w->read.walker) : UINT32_MAX;
    in[SECOND_HIT].w[0] &= asked != 0;
    in[SECOND_MISS].w[0] &= asked != 0 && in[SECOND_HIT].w[0] == 0;
    const bool ends = in[SECOND_HIT].w[0] != 0 || in[SECOND_MISS].w[0] != 0;
    in[SECOND_WALKER].w[0] = ends ? lw_draw_bit(&bench->rng, asked)
                                  : lw_rng_below(&bench->rng, bench->u->cfg.hw.walkers);
}

void walker_stimulus_make_legal(lw_bench *bench, lw_bits *in) {
    const lw_cam *cam = &bench->u->walk.buffer.cam;
    in[SUBREGION_ENABLE].w[0] &= bench->u->cfg.hw.subregions; /* R12.2 */
    in[COLT_ENABLE].w[0] &= bench->u->cfg.hw.colt != LW_COLT_NONE;
    in[HEAD_REQ].w[0] &= bench->u->cfg.hw.subregions;
    put_operation(&cam->search, &in[SEARCH]);
    put_operation(&cam->update, &in[UPDATE]);
    in[KEY_WALKER].w[0] = lw_rng_below(&bench->rng, bench->u->cfg.hw.walkers);
    in[TOLD_WALKER].w[0] = UINT64_C(1) << lw_rng_below(&bench->rng, bench->u->cfg.hw.walkers);
    change_roots(bench, in);
    draw_mark(bench, in);
    pick_entry(bench, in);
    read_entry(bench, in);
    answer_lookup(bench, in);
    answer_request(bench, in);
    in[ANS_TAKE].w[0] &= bench->u->walk.walkers.in_state[LW_RESP] != 0;
    in[SCAN_TAKE].w[0] &= scan_ends_walk(bench);
    end_lookup(bench, in);
}
