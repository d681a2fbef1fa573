/* The page walkers: candidates and entries, answers of the page walk cache, lines (errors and
 * strays among them), marks and roots come as they like, within what the neighbours' rules allow
 * (`legal`).
 *
 * Of the buffer the twin's walkers see what the RTL's read port shows; what either side asks of the
 * CAM port is compared by its effect (cam_probes.h). MODE is the buffer's matter (R9.1) and no
 * input here; the twin's is full. */
#include "cam_probes.h"
#include "draws.h"
#include "modules.h"

/* clang-format off */
enum {
    PWC_ENABLE, PL_SKIPS_PWC, ROOT_VALID, ROOT_FRAME, CANDIDATE_VALID, CANDIDATE_SLOT, READ_ID,
    READ_SRC, READ_PASID, READ_VPN, READ_ACCESS, READ_DONE, READ_CL, READ_PL, READ_PA, READ_PERM,
    RES_VALID, RES_WALKER, RES_HIT, RES_LEVEL, RES_NODE, RES_PERM, MEM_READY, MEM_VALID, MEM_TAG,
    MEM_ERROR, MEM_DATA, MARK_REQ, MARK_ALL, MARK_PASID, MARK_VALUE, ANS_TAKE
};
enum {
    IDLE, TAKE, READ_SLOT, GIVE_BACK, COMMIT, FLIGHT_VALID, FLIGHT_VPN, FLIGHT_PASID, FLIGHT_LEVEL,
    FLIGHT_PERM, CAM_OP, CAM_PASID, CAM_VPN, CAM_LEVEL, CAM_MATCH, CAM_PERM, CAM_VERDICT,
    CAM_FRAME, CLAIM_VALID, CLAIM_LEVEL, CLAIM_PERM, ENTER, ENTER_WALKER, DROP, KEY_VPN, KEY_PASID,
    KEY_ACCESS, KEY_LEVEL, KEY_ADDR, KEY_PERM, FILL_VALID, FILL_LEVEL, FILL_VPN, FILL_PASID,
    FILL_ADDR, FILL_NODE, FILL_PERM, FILL_PTE_PERM, REQ_VALID, REQ_TAG, REQ_LINE, MARK, ANS_VALID,
    ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND, ANS_LEVEL, ANS_PFN, ANS_SIZE,
    ANS_PERM, ANS_STALE, ANY_STALE, STRAY, STARTED_COUNT, CAUSE_COUNT, IDLE_COUNT
};
/* clang-format on */
enum { OP_NONE, OP_SCAN, OP_MARK, OP_COMMIT, OP_ADVANCE }; /* cam_op_e */
enum { TYPE_PASID = 2, TYPE_ALL = 3, MODE_FULL = 2 };

static const lw_input inputs[] = {
    [PWC_ENABLE] = {"pwc_enable_i", LW_PERCENT, 80},
    [PL_SKIPS_PWC] = {"pl_skips_pwc_i", LW_PERCENT, 50},
    [ROOT_VALID] = {"root_valid_i", LW_ZERO, 0},
    [ROOT_FRAME] = {"root_frame_i", LW_ZERO, 0},
    [CANDIDATE_VALID] = {"candidate_valid_i", LW_PERCENT, 60},
    [CANDIDATE_SLOT] = {"candidate_slot_i", LW_UNIFORM, 0},
    [READ_ID] = {"read_id_i", LW_UNIFORM, 0},
    [READ_SRC] = {"read_src_i", LW_UNIFORM, 0},
    [READ_PASID] = {"read_pasid_i", LW_UNIFORM, 0},
    [READ_VPN] = {"read_vpn_i", LW_UNIFORM, 0},
    [READ_ACCESS] = {"read_access_i", LW_UNIFORM, 0},
    [READ_DONE] = {"read_done_i", LW_PERCENT, 15},
    [READ_CL] = {"read_cl_i", LW_ZERO, 0},
    [READ_PL] = {"read_pl_i", LW_ZERO, 0},
    [READ_PA] = {"read_pa_i", LW_UNIFORM, 0},
    [READ_PERM] = {"read_perm_i", LW_UNIFORM, 0},
    [RES_VALID] = {"pwc_res_valid_i", LW_PERCENT, 60},
    [RES_WALKER] = {"pwc_res_walker_i", LW_ZERO, 0},
    [RES_HIT] = {"pwc_res_hit_i", LW_PERCENT, 50},
    [RES_LEVEL] = {"pwc_res_level_i", LW_UNIFORM, 0},
    [RES_NODE] = {"pwc_res_node_i", LW_UNIFORM, 0},
    [RES_PERM] = {"pwc_res_perm_i", LW_UNIFORM, 0},
    [MEM_READY] = {"mem_req_ready_i", LW_PERCENT, 70},
    [MEM_VALID] = {"mem_rsp_valid_i", LW_PERCENT, 50},
    [MEM_TAG] = {"mem_rsp_tag_i", LW_UNIFORM, 0},
    [MEM_ERROR] = {"mem_rsp_error_i", LW_PERCENT, 30},
    [MEM_DATA] = {"mem_rsp_data_i", LW_ZERO, 0},
    [MARK_REQ] = {"mark_req_i", LW_PERCENT, 30},
    [MARK_ALL] = {"mark_all_i", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_pasid_i", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_pasid_value_i", LW_UNIFORM, 0},
    [ANS_TAKE] = {"ans_take_i", LW_PERCENT, 60},
};

static const lw_output outputs[] = {
    [IDLE] = {"idle_o", 0},
    [TAKE] = {"take_o", 0},
    [READ_SLOT] = {"read_slot_o", 0},
    [GIVE_BACK] = {"give_back_o", 0},
    [COMMIT] = {"commit_o", 0},
    [FLIGHT_VALID] = {"flight_valid_o", 0},
    [FLIGHT_VPN] = {"flight_vpn_o", 0},
    [FLIGHT_PASID] = {"flight_pasid_o", 0},
    [FLIGHT_LEVEL] = {"flight_level_o", 0},
    [FLIGHT_PERM] = {"flight_perm_o", 0},
    [CAM_OP] = {"cam_op_o", 0},
    [CAM_PASID] = {"cam_pasid_o", 1 + CAM_OP},
    [CAM_VPN] = {"cam_vpn_o", 1 + CAM_OP},
    [CAM_LEVEL] = {"cam_level_o", 1 + CAM_OP},
    [CAM_MATCH] = {"cam_match_o", 1 + CAM_OP},
    [CAM_PERM] = {"cam_perm_o", 1 + CAM_OP},
    [CAM_VERDICT] = {"cam_verdict_o", 1 + CAM_OP},
    [CAM_FRAME] = {"cam_frame_o", 1 + CAM_OP},
    [CLAIM_VALID] = {"claim_valid_o", 0},
    [CLAIM_LEVEL] = {"claim_level_o", 1 + CLAIM_VALID},
    [CLAIM_PERM] = {"claim_perm_o", 1 + CLAIM_VALID},
    [ENTER] = {"pwc_enter_o", 0},
    [ENTER_WALKER] = {"pwc_enter_walker_o", 1 + ENTER},
    [DROP] = {"pwc_drop_o", 0},
    [KEY_VPN] = {"pwc_key_vpn_o", 0},
    [KEY_PASID] = {"pwc_key_pasid_o", 0},
    [KEY_ACCESS] = {"pwc_key_access_o", 0},
    [KEY_LEVEL] = {"pwc_key_level_o", 0},
    [KEY_ADDR] = {"pwc_key_addr_o", 0},
    [KEY_PERM] = {"pwc_key_perm_o", 0},
    [FILL_VALID] = {"pwc_fill_valid_o", 0},
    [FILL_LEVEL] = {"pwc_fill_level_o", 1 + FILL_VALID},
    [FILL_VPN] = {"pwc_fill_vpn_o", 1 + FILL_VALID},
    [FILL_PASID] = {"pwc_fill_pasid_o", 1 + FILL_VALID},
    [FILL_ADDR] = {"pwc_fill_addr_o", 1 + FILL_VALID},
    [FILL_NODE] = {"pwc_fill_node_o", 1 + FILL_VALID},
    [FILL_PERM] = {"pwc_fill_perm_o", 1 + FILL_VALID},
    [FILL_PTE_PERM] = {"pwc_fill_pte_perm_o", 1 + FILL_VALID},
    [REQ_VALID] = {"mem_req_valid_o", 0},
    [REQ_TAG] = {"mem_req_tag_o", 0},
    [REQ_LINE] = {"mem_req_line_o", 0},
    [MARK] = {"mark_o", 0},
    [ANS_VALID] = {"ans_valid_o", 0},
    [ANS_ID] = {"ans_id_o", 1 + ANS_VALID},
    [ANS_SRC] = {"ans_src_o", 1 + ANS_VALID},
    [ANS_PASID] = {"ans_pasid_o", 1 + ANS_VALID},
    [ANS_VPN] = {"ans_vpn_o", 1 + ANS_VALID},
    [ANS_ACCESS] = {"ans_access_o", 1 + ANS_VALID},
    [ANS_KIND] = {"ans_kind_o", 1 + ANS_VALID},
    [ANS_LEVEL] = {"ans_level_o", 1 + ANS_VALID},
    [ANS_PFN] = {"ans_pfn_o", 1 + ANS_VALID},
    [ANS_SIZE] = {"ans_size_o", 1 + ANS_VALID},
    [ANS_PERM] = {"ans_perm_o", 1 + ANS_VALID},
    [ANS_STALE] = {"ans_stale_o", 1 + ANS_VALID},
    [ANY_STALE] = {"any_stale_o", 0},
    [STRAY] = {"stray_o", 0},
    [STARTED_COUNT] = {"started_count_o", 0},
    [CAUSE_COUNT] = {"cause_count_o", 0},
    [IDLE_COUNT] = {"idle_count_o", 0},
};

static const lw_registers_of registers[] = {
    {LW_S_PWST, "", NULL}, {LW_S_WALK_MEMORY, "", NULL}, {LW_S_LINE, "", NULL}};

/* The neighbours' registers are those of the bench's unit: roots, the invalidation's state and
 * operands, the candidate, and the entries that walkers hold. */
typedef struct own {
    lw_cam_probes probes;
    lw_walkers scratch; /* where a cycle's work on the CAM port is tried */
} own;

/* ---------------------------------------------------------------- what is legal */

static lw_turns turns(const lw_bench *bench) {
    const lw_iommu *u = bench->u;
    return lw_walkers_turns(&u->walkers, u->invalidation.state == LW_INV_MARK,
                            u->buffer.candidate_valid);
}

/* R5.6: the turn of a walker that looks at its entry. */
static bool commits(const lw_bench *bench, const lw_turns *t) {
    return t->cam != LW_NONE && !bench->u->walkers.walker[t->cam].started;
}

/* A random bit of a mask that is not zero. */
static uint32_t one_of(lw_rng *rng, uint32_t mask) {
    for (uint64_t skip = lw_rng_below(rng, (uint64_t)__builtin_popcount(mask)); skip > 0; skip--) {
        mask &= mask - 1;
    }
    return (uint32_t)__builtin_ctz(mask);
}

/* Software gives and removes roots at any time (R12.2), so between a walk's take and commit too. */
static void change_roots(lw_bench *bench, lw_bits *in) {
    enum { CHANGE_IN = 32, ABSENT_IN = 8 };
    lw_iommu *u = bench->u;
    for (uint32_t p = 0; p < u->cfg.hw.pasids; p++) {
        if (lw_one_in(&bench->rng, CHANGE_IN)) {
            const uint64_t valid = !lw_one_in(&bench->rng, ABSENT_IN);
            u->control.root[p] = (lw_rng_next(&bench->rng) & u->cfg.pfn_mask) | valid << 63;
        }
        lw_bits_put(&in[ROOT_VALID], p, 1, u->control.root[p] >> 63);
        lw_bits_put(&in[ROOT_FRAME], p * u->cfg.pfn_w, u->cfg.pfn_w,
                    lw_control_root_frame(&u->control, p));
    }
}

/* R11.1: an invalidation waits for its mark with the operands that it was given; a PASID that is
 * not below PASIDS meets nobody. */
static void hold_mark(lw_bench *bench, lw_bits *in) {
    enum { MARK_IN = 16 }; /* rare enough for walks to end, even where each phase asks for marks */
    lw_invalidation *v = &bench->u->invalidation;
    const uint32_t pasids = bench->u->cfg.hw.pasids;
    if (v->state != LW_INV_MARK && in[MARK_REQ].w[0] != 0 && lw_one_in(&bench->rng, MARK_IN)) {
        v->state = LW_INV_MARK;
        v->type = in[MARK_ALL].w[0] != 0 ? TYPE_ALL : TYPE_PASID;
        v->pasid = (uint32_t)in[MARK_VALUE].w[0] + (in[MARK_PASID].w[0] != 0 ? 0 : pasids);
    }
    in[MARK_REQ].w[0] = v->state == LW_INV_MARK;
    if (v->state == LW_INV_MARK) {
        in[MARK_ALL].w[0] = v->type == TYPE_ALL;
        in[MARK_PASID].w[0] = v->pasid < pasids;
        in[MARK_VALUE].w[0] = v->pasid & (pasids - 1);
    }
}

/* R5.2: a candidate is an entry that no walker holds; it waits until it is taken or marked. */
static void hold_candidate(lw_bench *bench, lw_bits *in) {
    lw_iommu *u = bench->u;
    lw_buffer *b = &u->buffer;
    if (!b->candidate_valid && in[CANDIDATE_VALID].w[0] != 0) {
        const uint32_t slot = (uint32_t)in[CANDIDATE_SLOT].w[0];
        bool held = false;
        for (uint32_t i = 0; i < u->cfg.hw.walkers; i++) {
            const lw_pwst *p = &u->walkers.walker[i];
            held |= p->state != LW_IDLE && !p->started && p->slot == slot;
        }
        b->candidate_valid = !held;
        b->candidate_slot = held ? b->candidate_slot : slot;
        if (!held) {
            b->entry[slot] =
                (lw_entry){.key = lw_key((uint32_t)in[READ_PASID].w[0], in[READ_VPN].w[0]),
                           .id = (uint16_t)in[READ_ID].w[0],
                           .src = (uint16_t)in[READ_SRC].w[0],
                           .access = (uint8_t)in[READ_ACCESS].w[0]};
        }
    }
    in[CANDIDATE_VALID].w[0] = b->candidate_valid;
    if (b->candidate_valid) {
        in[CANDIDATE_SLOT].w[0] = b->candidate_slot;
    }
}

/* The read port shows the entry of the walker that commits, else the candidate (R5.3). Whose it is
 * stays, what it has learnt (R4.1) may be anything each time that it is read. */
static void read_entry(lw_bench *bench, lw_bits *in) {
    enum { WAITS_IN = 4, LEARNT_IN = 2 };
    lw_iommu *u = bench->u;
    const lw_turns t = turns(bench);
    const uint32_t levels = u->cfg.hw.levels;
    const bool commit = commits(bench, &t);
    const uint32_t slot = commit ? u->walkers.walker[t.cam].slot : u->buffer.candidate_slot;
    const bool learnt = lw_one_in(&bench->rng, LEARNT_IN);
    lw_entry *e = &u->buffer.entry[slot];
    e->cl = (uint8_t)(lw_one_in(&bench->rng, WAITS_IN) ? 1 + lw_rng_below(&bench->rng, levels) : 0);
    e->pl = (uint8_t)(learnt ? 2 + lw_rng_below(&bench->rng, levels - 1) : 0);
    e->pa = learnt ? in[READ_PA].w[0] : 0;
    e->perm = (uint8_t)(learnt ? in[READ_PERM].w[0] : 0);
    in[READ_ID].w[0] = e->id;
    in[READ_SRC].w[0] = e->src;
    in[READ_PASID].w[0] = lw_key_pasid(e->key);
    in[READ_VPN].w[0] = lw_key_vpn(e->key);
    in[READ_ACCESS].w[0] = e->access;
    in[READ_CL].w[0] = e->cl;
    in[READ_PL].w[0] = e->pl;
    in[READ_PA].w[0] = e->pa;
    in[READ_PERM].w[0] = e->perm;
}

/* A result is that of a walker in PWC_WAIT, whatever the latency (R6.1); what a hit may say is
 * R6.2's and R6.3's. */
static void answer_lookup(lw_bench *bench, lw_bits *in) {
    const lw_walkers *w = &bench->u->walkers;
    const bool by_address = bench->u->cfg.hw.pwc_org == LW_PWC_BY_ADDRESS;
    in[RES_WALKER].w[0] = lw_rng_below(&bench->rng, bench->u->cfg.hw.walkers);
    in[RES_VALID].w[0] &= w->in_state[LW_PWC_WAIT] != 0;
    if (in[RES_VALID].w[0] == 0) {
        in[RES_HIT].w[0] = 0;
        return;
    }
    const uint32_t i = one_of(&bench->rng, w->in_state[LW_PWC_WAIT]);
    const lw_pwst *p = &w->walker[i];
    in[RES_WALKER].w[0] = i;
    if (in[RES_HIT].w[0] != 0) {
        const uint64_t below = lw_rng_below(&bench->rng, p->level - 1u);
        in[RES_LEVEL].w[0] = p->level - 1u - (by_address ? 0 : below);
        in[RES_PERM].w[0] &= by_address ? p->perm : 3;
        in[RES_HIT].w[0] = lw_grants((uint32_t)in[RES_PERM].w[0], p->access);
    }
}

/* Lines of walkers in MEM, asked for or not, and strays (R8.4). */
static void answer_request(lw_bench *bench, lw_bits *in) {
    enum { STRAY_IN = 16, ERROR_IN = 6 };
    const uint32_t waiting = bench->u->walkers.in_state[LW_MEM];
    if (!lw_one_in(&bench->rng, STRAY_IN)) {
        in[MEM_VALID].w[0] &= waiting != 0;
        in[MEM_TAG].w[0] = waiting != 0 ? one_of(&bench->rng, waiting) : 0;
    }
    in[MEM_ERROR].w[0] &= lw_one_in(&bench->rng, ERROR_IN);
    for (uint32_t j = 0; j < 8; j++) {
        in[MEM_DATA].w[j] = lw_draw_pte(&bench->rng);
    }
}

static void legal(lw_bench *bench, lw_bits *in) {
    change_roots(bench, in);
    hold_mark(bench, in);
    hold_candidate(bench, in);
    read_entry(bench, in);
    answer_lookup(bench, in);
    answer_request(bench, in);
    in[ANS_TAKE].w[0] &= bench->u->walkers.in_state[LW_RESP] != 0;
}

/* ---------------------------------------------------------------- the twin */

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    lw_control *c = &bench->u->control;
    c->features =
        (uint8_t)(MODE_FULL | in[PWC_ENABLE].w[0] << 2 | in[PL_SKIPS_PWC].w[0] << 3); /* R12.2 */
    lw_control_derive(c);
}

/* Whose key the probes have: the port's user, else a STALE walker that scans and is not to be felt.
 */
static int32_t probes_walker(const lw_turns *t) {
    const int32_t on_cam = lw_turns_on_cam(t);
    return on_cam != LW_NONE ? on_cam : t->scanner;
}

/* What the walkers `w` do with the CAM port in this cycle, and the scan of a STALE walker's line;
 * the buffer that they do it to is the probes'. */
static lw_cam_seen work(lw_bench *bench, const lw_bits *in, const lw_turns *t, lw_walkers *w,
                        lw_verdict *verdict) {
    own *o = bench->own;
    lw_iommu *u = bench->u;
    lw_buffer *b = &o->probes.buffer;
    const int32_t user = probes_walker(t);
    if (user == LW_NONE) {
        return (lw_cam_seen){.released = 0};
    }
    const lw_pwst *p = &w->walker[user];
    const bool holds = commits(bench, t);
    lw_cam_probes_set(&o->probes, &u->cfg, &u->watch, p->key);
    if (holds) {
        lw_cam_probes_add(&o->probes, p->slot, &u->buffer.entry[p->slot], in[READ_DONE].w[0] != 0);
    }
    lw_cam_probes_ready(&o->probes);
    if (t->scanner != LW_NONE) {
        lw_walkers_scan(w, (uint32_t)t->scanner, b, &u->control, &u->counters, verdict);
    }
    if (holds) {
        (void)lw_walkers_commit(w, (uint32_t)t->cam, b, &u->control, &u->counters);
    } else if (t->cam != LW_NONE) {
        lw_walkers_advance(w, (uint32_t)t->cam, b, &u->control);
    }
    return lw_cam_probes_see(&o->probes, holds ? p->slot : LW_NONE);
}

static void unsaid(const lw_bench *bench, uint32_t output) {
    memset(&bench->unsaid[output], 0xff, sizeof bench->unsaid[output]);
}

/* R4.3; a walker without an access in flight may show anything. */
static void show_flight(const lw_bench *bench, const lw_turns *t, lw_bits *out) {
    const lw_iommu *u = bench->u;
    const uint32_t valid = lw_walkers_in_flight(&u->walkers, lw_turns_on_cam(t));
    const uint32_t pasid_w = lw_log2(u->cfg.hw.pasids);
    out[FLIGHT_VALID].w[0] = valid;
    for (uint32_t i = 0; i < u->cfg.hw.walkers; i++) {
        const lw_pwst *p = &u->walkers.walker[i];
        const bool shown = (valid >> i & 1) != 0;
        lw_bits *to = shown ? out : bench->unsaid;
        lw_bits_put(&to[FLIGHT_VPN], i * u->cfg.vpn_w, u->cfg.vpn_w,
                    shown ? lw_key_vpn(p->key) : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_PASID], i * pasid_w, pasid_w,
                    shown ? lw_key_pasid(p->key) : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_LEVEL], i * 3, 3, shown ? p->level : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_PERM], i * 2, 2, shown ? p->perm : UINT64_MAX);
    }
}

/* What the probes saw is what the port asks for. A walker that gives its entry back (R5.7), or that
 * is STALE and leaves the buffer alone (R7.7, R11.7), does not use the port's comparison. */
static void show_cam(const lw_bench *bench, const lw_turns *t, const lw_cam_seen *seen,
                     lw_bits *out) {
    const lw_iommu *u = bench->u;
    const int32_t user = probes_walker(t);
    const lw_pwst *p = &u->walkers.walker[user != LW_NONE ? user : 0];
    const bool releases = user != LW_NONE && seen->released != 0;
    const bool scans = releases && user != t->cam, advances = releases && user == t->cam;
    out[CAM_OP].w[0] = scans         ? OP_SCAN
                       : t->mark     ? OP_MARK
                       : seen->freed ? OP_COMMIT
                       : advances    ? OP_ADVANCE
                                     : OP_NONE;
    out[CAM_PASID].w[0] = t->mark ? u->invalidation.pasid : lw_key_pasid(p->key);
    out[CAM_VPN].w[0] = lw_key_vpn(p->key);
    out[CAM_LEVEL].w[0] = seen->released;
    out[CAM_MATCH].w[0] = seen->told;
    out[CAM_PERM].w[0] = seen->told_perm;
    out[CLAIM_VALID].w[0] = seen->claimed != 0;
    out[CLAIM_LEVEL].w[0] = seen->claimed;
    out[CLAIM_PERM].w[0] = seen->claim_perm;
    if (t->mark) {
        unsaid(bench, CAM_VPN);
    }
    if (!releases) {
        unsaid(bench, CAM_LEVEL);
    }
    if (!scans) {
        unsaid(bench, CAM_MATCH);
    }
    if (seen->told) {
        lw_decode_line(&u->cfg, u->walkers.line, p->level, &out[CAM_VERDICT], &out[CAM_FRAME]);
    } else {
        unsaid(bench, CAM_PERM);
        unsaid(bench, CAM_VERDICT);
        unsaid(bench, CAM_FRAME);
    }
}

/* The address of the PTE of a walker's level without its three lowest bits (R1.1, R6.3). */
static uint64_t pte_address(const lw_pwst *p) {
    return p->node << 9 | lw_index(p->key, p->level);
}

/* R6.1, R6.5, R6.6 */
static void show_pwc(const lw_bench *bench, const lw_bits *in, const lw_turns *t,
                     const lw_verdict *verdict, lw_bits *out) {
    const lw_iommu *u = bench->u;
    const lw_walkers *w = &u->walkers;
    const uint32_t dropped = t->mark ? lw_walkers_marked_idle(w, &u->invalidation) : 0;
    const int32_t entering = lw_lowest_walker(w->in_state[LW_PWC_REQ]);
    out[DROP].w[0] = dropped;
    out[ENTER].w[0] = entering != LW_NONE && (dropped >> entering & 1) == 0;
    out[ENTER_WALKER].w[0] = (uint64_t)entering;
    const lw_pwst *key = &w->walker[in[RES_WALKER].w[0]];
    out[KEY_VPN].w[0] = lw_key_vpn(key->key);
    out[KEY_PASID].w[0] = lw_key_pasid(key->key);
    out[KEY_ACCESS].w[0] = key->access;
    out[KEY_LEVEL].w[0] = key->level;
    out[KEY_ADDR].w[0] = pte_address(key);
    out[KEY_PERM].w[0] = key->perm;
    for (uint32_t o = KEY_VPN; o <= KEY_PERM && in[RES_VALID].w[0] == 0; o++) {
        unsaid(bench, o);
    }
    if (t->scan_on_cam && verdict->node && in[PWC_ENABLE].w[0] != 0) {
        const lw_pwst *p = &w->walker[t->scanner];
        out[FILL_VALID].w[0] = 1;
        out[FILL_LEVEL].w[0] = p->level;
        out[FILL_VPN].w[0] = lw_key_vpn(p->key);
        out[FILL_PASID].w[0] = lw_key_pasid(p->key);
        out[FILL_ADDR].w[0] = pte_address(p);
        out[FILL_NODE].w[0] = verdict->frame;
        out[FILL_PERM].w[0] = verdict->perm;
        out[FILL_PTE_PERM].w[0] = verdict->own_perm;
    }
}

/* R10.1, R10.2 */
static void show_answer(const lw_walkers *w, lw_bits *out) {
    const int32_t i = lw_lowest_walker(w->in_state[LW_RESP]);
    if (i == LW_NONE) {
        return;
    }
    const lw_pwst *p = &w->walker[i];
    out[ANS_VALID].w[0] = 1;
    out[ANS_ID].w[0] = p->id;
    out[ANS_SRC].w[0] = p->src;
    out[ANS_PASID].w[0] = lw_key_pasid(p->key);
    out[ANS_VPN].w[0] = lw_key_vpn(p->key);
    out[ANS_ACCESS].w[0] = p->access;
    out[ANS_KIND].w[0] = p->kind;
    out[ANS_LEVEL].w[0] = p->flevel;
    out[ANS_PFN].w[0] = p->node;
    out[ANS_SIZE].w[0] = p->size;
    out[ANS_PERM].w[0] = p->perm;
    out[ANS_STALE].w[0] = p->stale;
}

/* R12.5 (16), R12.6 */
static void show_counts(const lw_bench *bench, lw_bits *out) {
    const lw_walkers *w = &bench->u->walkers;
    const uint32_t bits = 32 - (uint32_t)__builtin_clz(bench->u->cfg.hw.walkers);
    const uint32_t causes[] = {w->count[LW_PWC_REQ] + w->count[LW_PWC_WAIT], w->count[LW_CAM],
                               w->count[LW_REQ], w->count[LW_MEM], w->count[LW_RESP]};
    for (uint32_t i = 0; i < LW_COUNT(causes); i++) {
        lw_bits_put(&out[CAUSE_COUNT], i * bits, bits, causes[i]);
    }
    out[STARTED_COUNT].w[0] = w->started_count;
    out[IDLE_COUNT].w[0] = w->count[LW_IDLE];
}

static void outputs_of(lw_bench *bench, const lw_bits *in, lw_bits *out) {
    const lw_walkers *w = &bench->u->walkers;
    own *o = bench->own;
    const lw_turns t = turns(bench);
    lw_verdict verdict = {.node = false};
    take_inputs(bench, in);
    o->scratch = *w;
    const lw_cam_seen seen = work(bench, in, &t, &o->scratch, &verdict);
    out[IDLE].w[0] = w->in_state[LW_IDLE] != 0;
    out[TAKE].w[0] = t.taker != LW_NONE;
    out[GIVE_BACK].w[0] = seen.given_back;
    out[COMMIT].w[0] = seen.freed;
    if (commits(bench, &t)) {
        out[READ_SLOT].w[0] = w->walker[t.cam].slot;
    } else if (t.taker != LW_NONE) {
        out[READ_SLOT].w[0] = bench->u->buffer.candidate_slot;
    } else {
        unsaid(bench, READ_SLOT);
    }
    show_flight(bench, &t, out);
    show_cam(bench, &t, &seen, out);
    show_pwc(bench, in, &t, &verdict, out);
    out[REQ_VALID].w[0] = w->req_valid;
    out[REQ_TAG].w[0] = w->req_tag;
    out[REQ_LINE].w[0] = w->req_line;
    out[MARK].w[0] = t.mark;
    show_answer(w, out);
    out[ANY_STALE].w[0] = w->stale != 0;
    out[STRAY].w[0] = w->line_valid && t.scanner == LW_NONE; /* R8.4 */
    show_counts(bench, out);
}

/* In the order of the whole unit's cycle (iommu.c). */
static void step(lw_bench *bench, const lw_bits *in) {
    lw_iommu *u = bench->u;
    lw_walkers *w = &u->walkers;
    lw_buffer *b = &u->buffer;
    const lw_turns t = turns(bench);
    const uint32_t in_req = w->in_state[LW_REQ], in_pwc_req = w->in_state[LW_PWC_REQ];
    const bool loads = w->req_valid ? in[MEM_READY].w[0] != 0 : in_req != 0;
    lw_verdict verdict;
    take_inputs(bench, in);
    if (in[ANS_TAKE].w[0] != 0) {
        lw_walkers_answered(w, (uint32_t)lw_lowest_walker(w->in_state[LW_RESP]));
    }
    if (t.taker != LW_NONE) {
        lw_walkers_take(w, (uint32_t)t.taker, b->candidate_slot, &b->entry[b->candidate_slot],
                        &u->control);
        b->candidate_valid = false;
    }
    if (in[RES_VALID].w[0] != 0) {
        const lw_pwc_found found = {.entry = in[RES_HIT].w[0] != 0 ? 0 : LW_NONE,
                                    .level = (uint32_t)in[RES_LEVEL].w[0],
                                    .perm = (uint32_t)in[RES_PERM].w[0],
                                    .node = in[RES_NODE].w[0]};
        lw_walkers_leave_pwc(w, (uint32_t)in[RES_WALKER].w[0], &found);
    }
    (void)work(bench, in, &t, w, &verdict);
    if (loads) {
        lw_walkers_load_request(w, in_req);
    }
    if (in_pwc_req != 0) {
        lw_walkers_enter_pwc(w, (uint32_t)lw_lowest_walker(in_pwc_req));
    }
    if (t.mark) { /* R11.2 */
        lw_walkers_mark(w, &u->invalidation);
        b->candidate_valid &=
            !lw_invalidation_meets(&u->invalidation, lw_key_pasid(b->entry[b->candidate_slot].key));
        u->invalidation.state = LW_INV_IDLE;
    }
    lw_inputs line = {.mem_rsp_valid = in[MEM_VALID].w[0] != 0,
                      .mem_rsp_error = in[MEM_ERROR].w[0] != 0,
                      .mem_rsp_tag = (uint32_t)in[MEM_TAG].w[0]};
    memcpy(line.mem_rsp_data, in[MEM_DATA].w, sizeof line.mem_rsp_data);
    if (line.mem_rsp_valid || w->line_valid) {
        lw_walkers_load_line(w, &line);
    }
}

const lw_module lw_module_page_walkers = {
    .top = "page_walkers",
    .parameters = "VpnW PaWidth PasidW IdW SrcW BufferEntries Walkers PwcOrg",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(own),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
