/* The page walkers: candidates and entries, answers of the page walk cache, lines (errors and
 * strays among them), marks and roots come as they like, within what the neighbours' rules allow
 * (walker_stimulus.c).
 *
 * Of the buffer the twin's walkers see what the RTL's read port shows; what either side asks of the
 * CAM port is compared by its effect (cam_probes.h). MODE and COALESCE are the buffer's matter
 * (R9.1) and no inputs here; in the twin every level takes part. */
#include "cam_probes.h"
#include "draws.h"
#include "modules.h"
#include "walker_ports.h"

enum { OP_NONE, OP_SCAN, OP_MARK, OP_COMMIT, OP_ADVANCE }; /* cam_op_e */

static const lw_input inputs[] = {
    [PWC_ENABLE] = {"pwc_enable_i", LW_PERCENT, 80},
    [PL_SKIPS_PWC] = {"pl_skips_pwc_i", LW_PERCENT, 50},
    [SUBREGION_ENABLE] = {"subregion_enable_i", LW_PERCENT, 85},
    [COLT_ENABLE] = {"colt_enable_i", LW_PERCENT, 85},
    [ROOT_VALID] = {"root_valid_i", LW_ZERO, 0},
    [ROOT_FRAME] = {"root_frame_i", LW_ZERO, 0},
    [CANDIDATE_HELD] = {"candidate_held_i", LW_PERCENT, 60},
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
    [READ_CONTIG] = {"read_contig_i", LW_UNIFORM, 0},
    [RES_VALID] = {"pwc_res_valid_i", LW_PERCENT, 60},
    [RES_WALKER] = {"pwc_res_walker_i", LW_ZERO, 0},
    [RES_HIT] = {"pwc_res_hit_i", LW_PERCENT, 50},
    [RES_LEVEL] = {"pwc_res_level_i", LW_UNIFORM, 0},
    [RES_NODE] = {"pwc_res_node_i", LW_UNIFORM, 0},
    [RES_PERM] = {"pwc_res_perm_i", LW_UNIFORM, 0},
    [RES_CONTIG] = {"pwc_res_contig_i", LW_UNIFORM, 0},
    [MEM_READY] = {"mem_req_ready_i", LW_PERCENT, 70},
    [MEM_VALID] = {"mem_rsp_valid_i", LW_PERCENT, 50},
    [MEM_TAG] = {"mem_rsp_tag_i", LW_UNIFORM, 0},
    [MEM_ERROR] = {"mem_rsp_error_i", LW_PERCENT, 30},
    [MEM_DATA] = {"mem_rsp_data_i", LW_ZERO, 0},
    [HEAD_REQ] = {"head_req_i", LW_PERCENT, 30},
    [HEAD_PLACE] = {"head_place_i", LW_UNIFORM, 0},
    [HEAD_NODE] = {"head_node_i", LW_UNIFORM, 0},
    [MARK_REQ] = {"mark_req_i", LW_PERCENT, 30},
    [MARK_ALL] = {"mark_all_i", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_pasid_i", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_pasid_value_i", LW_UNIFORM, 0},
    [ANS_TAKE] = {"ans_take_i", LW_PERCENT, 60},
};

static const lw_output outputs[] = {
    [TAKE] = {"take_o", 0},
    [READ_SLOT] = {"read_slot_o", 0},
    [GIVE_BACK] = {"give_back_o", 0},
    [COMMIT] = {"commit_o", 0},
    [FLIGHT_VALID] = {"flight_valid_o", 0},
    [FLIGHT_VPN] = {"flight_vpn_o", 0},
    [FLIGHT_PASID] = {"flight_pasid_o", 0},
    [FLIGHT_LEVEL] = {"flight_level_o", 0},
    [FLIGHT_PERM] = {"flight_perm_o", 0},
    [FLIGHT_REACH] = {"flight_reach_o", 0},
    [CAM_OP] = {"cam_op_o", 0},
    [CAM_PASID] = {"cam_pasid_o", 1 + CAM_OP},
    [CAM_VPN] = {"cam_vpn_o", 1 + CAM_OP},
    [CAM_LEVEL] = {"cam_level_o", 1 + CAM_OP},
    [CAM_REACH] = {"cam_reach_o", 1 + CAM_OP},
    [CAM_POSITION] = {"cam_position_o", 1 + CAM_OP},
    [CAM_MATCH] = {"cam_match_o", 1 + CAM_OP},
    [CAM_PERM] = {"cam_perm_o", 1 + CAM_OP},
    [CAM_VERDICT] = {"cam_verdict_o", 0},
    [CAM_FRAME] = {"cam_frame_o", 0},
    [CAM_CONTIG] = {"cam_contig_o", 0},
    [CAM_LINKS] = {"cam_links_o", 0},
    [CLAIM_VALID] = {"claim_valid_o", 0},
    [CLAIM_LEVEL] = {"claim_level_o", 1 + CLAIM_VALID},
    [CLAIM_REACH] = {"claim_reach_o", 1 + CLAIM_VALID},
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
    [FILL_CONTIG] = {"pwc_fill_contig_o", 1 + FILL_VALID},
    [REQ_VALID] = {"mem_req_valid_o", 0},
    [REQ_TAG] = {"mem_req_tag_o", 0},
    [REQ_LINE] = {"mem_req_line_o", 0},
    [CHECK_VALID] = {"check_valid_o", 0},
    [CHECK_PASID] = {"check_pasid_o", 1 + CHECK_VALID},
    [CHECK_VSN] = {"check_vsn_o", 1 + CHECK_VALID},
    [CHECK_BITS] = {"check_bits_o", 1 + CHECK_VALID},
    [CHECK_NODE] = {"check_node_o", 1 + CHECK_VALID},
    [CHECK_PFN] = {"check_pfn_o", 1 + CHECK_VALID},
    [CHECK_PERM] = {"check_perm_o", 1 + CHECK_VALID},
    [CHECK_PTE_PERM] = {"check_pte_perm_o", 1 + CHECK_VALID},
    [HEAD_TAKEN] = {"head_taken_o", 0},
    [HEAD_TRANSFER] = {"head_transfer_o", 0},
    [LINE_HEAD] = {"line_head_o", 0},
    [LINE_PLACE] = {"line_place_o", 1 + LINE_HEAD},
    [LINE_ERROR] = {"line_error_o", 1 + LINE_HEAD},
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
    [ANS_CONTIG] = {"ans_contig_o", 1 + ANS_VALID},
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

/* ---------------------------------------------------------------- the twin */

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    enum { EVERY_LEVEL = 0xfe };
    lw_control *c = &bench->u->control;
    c->features = (uint8_t)(in[PWC_ENABLE].w[0] << 2 | in[PL_SKIPS_PWC].w[0] << 3 |
                            in[SUBREGION_ENABLE].w[0] << 4 | in[COLT_ENABLE].w[0] << 5); /* R12.2 */
    lw_control_derive(c);
    c->takes_part = EVERY_LEVEL;
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
    const bool holds = walker_commits(bench, t);
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
        lw_bits_put(&to[FLIGHT_REACH], i * 2, 2, shown ? lw_walkers_access(p).reach : UINT64_MAX);
    }
}

/* The place in its line of a walker's own PTE. */
static uint64_t own_position(const lw_config *cfg, const lw_pwst *p) {
    const lw_access a = lw_walkers_access(p);
    return lw_pte_index(cfg, &a) & 7;
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
    out[CAM_REACH].w[0] = seen->told ? seen->told_reach : seen->released_reach;
    out[CAM_POSITION].w[0] = own_position(&u->cfg, p);
    out[CAM_MATCH].w[0] = seen->told;
    out[CAM_PERM].w[0] = seen->told_perm;
    out[CLAIM_VALID].w[0] = seen->claimed != 0;
    out[CLAIM_LEVEL].w[0] = seen->claimed;
    out[CLAIM_REACH].w[0] = seen->claimed_reach;
    out[CLAIM_PERM].w[0] = seen->claim_perm;
    if (t->mark) {
        unsaid(bench, CAM_VPN);
    }
    if (!releases) {
        unsaid(bench, CAM_LEVEL);
        unsaid(bench, CAM_REACH);
    }
    if (!scans) {
        unsaid(bench, CAM_MATCH);
    }
    if (!seen->told) {
        unsaid(bench, CAM_PERM);
        unsaid(bench, CAM_POSITION);
    }
}

/* The line as the buffer learns from it (R9.4), or the check from its first PTE (R16.7). */
static void show_line(const lw_bench *bench, const lw_turns *t, const lw_cam_seen *seen, bool head,
                      lw_bits *out) {
    enum { VERDICT_W = 8, LEAF_LEVEL = 1 };
    const lw_config *cfg = &bench->u->cfg;
    const lw_walkers *w = &bench->u->walkers;
    lw_decoded line;
    if (!seen->told) {
        unsaid(bench, CAM_VERDICT);
        unsaid(bench, CAM_FRAME);
        unsaid(bench, CAM_CONTIG);
        unsaid(bench, CAM_LINKS);
    }
    if (seen->told) {
        const lw_access a = lw_walkers_access(&w->walker[t->scanner]);
        lw_decode_line(cfg, w->line, a.level, bench->u->control.contig_mask, &line);
        if (bench->u->control.colt_enable) {
            out[CAM_LINKS].w[0] = lw_links_at_port(lw_line_links(cfg, w->line, a.level, a.reach));
        }
        out[CAM_VERDICT] = line.verdict;
        out[CAM_FRAME] = line.frame;
        out[CAM_CONTIG] = line.contig;
        bench->unsaid[CAM_CONTIG] = line.no_contig;
    } else if (head && !w->line_error) {
        lw_decode_line(cfg, w->line, LEAF_LEVEL, 0, &line);
        out[CAM_VERDICT] = line.verdict;
        out[CAM_FRAME] = line.frame;
        lw_bits_put(&bench->unsaid[CAM_VERDICT], 0, VERDICT_W, 0);
        lw_bits_put(&bench->unsaid[CAM_FRAME], 0, cfg->pfn_w, 0);
    }
}

/* R16.6, R8.1: whether the memory request register takes the head that is asked for. */
static bool takes_head(const lw_walkers *w, const lw_bits *in) {
    return in[HEAD_REQ].w[0] != 0 && w->in_state[LW_REQ] == 0 &&
           (!w->req_valid || in[MEM_READY].w[0] != 0);
}

/* R16.7: the head whose tag the line register has, as a check sees it that waits for all of them.
 */
static int32_t head_of_line(const lw_bench *bench) {
    const lw_walkers *w = &bench->u->walkers;
    lw_check all = bench->u->check;
    all.state = LW_CHECK_READ;
    all.asked = UINT8_MAX;
    all.got = 0;
    return bench->u->cfg.hw.subregions != 0 && w->line_valid ? lw_check_waits_for(&all, w->line_tag)
                                                             : LW_NONE;
}

/* Section 16, as far as it concerns the walkers. */
static void show_check(const lw_bench *bench, const lw_bits *in, const lw_turns *t,
                       const lw_verdict *verdict, lw_bits *out) {
    const lw_walkers *w = &bench->u->walkers;
    const int32_t head = head_of_line(bench);
    lw_job job;
    if (t->scan_on_cam && lw_check_wanted(&w->walker[t->scanner], verdict, &job)) {
        out[CHECK_VALID].w[0] = 1;
        out[CHECK_PASID].w[0] = job.pasid;
        out[CHECK_VSN].w[0] = job.vsn;
        out[CHECK_BITS].w[0] = job.bits;
        out[CHECK_NODE].w[0] = job.node;
        out[CHECK_PFN].w[0] = job.pfn;
        out[CHECK_PERM].w[0] = job.perm;
        out[CHECK_PTE_PERM].w[0] = job.pte_perm;
    }
    out[HEAD_TAKEN].w[0] = takes_head(w, in);
    out[HEAD_TRANSFER].w[0] = w->req_valid && in[MEM_READY].w[0] != 0 && /* R12.5 (20) */
                              w->req_tag >= bench->u->cfg.hw.walkers;
    out[LINE_HEAD].w[0] = head != LW_NONE;
    out[LINE_PLACE].w[0] = (uint64_t)head;
    out[LINE_ERROR].w[0] = w->line_error;
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
        out[FILL_CONTIG].w[0] = verdict->contig;
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
    out[ANS_CONTIG].w[0] = p->contig;
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
    const lw_turns t = walker_turns(bench);
    lw_verdict verdict = {.node = false};
    take_inputs(bench, in);
    o->scratch = *w;
    const lw_cam_seen seen = work(bench, in, &t, &o->scratch, &verdict);
    out[TAKE].w[0] = t.taker != LW_NONE;
    out[GIVE_BACK].w[0] = seen.given_back;
    out[COMMIT].w[0] = seen.freed;
    if (walker_commits(bench, &t)) {
        out[READ_SLOT].w[0] = w->walker[t.cam].slot;
    } else if (t.taker != LW_NONE) {
        out[READ_SLOT].w[0] = bench->u->buffer.candidate_slot;
    } else {
        unsaid(bench, READ_SLOT);
    }
    show_flight(bench, &t, out);
    show_cam(bench, &t, &seen, out);
    show_line(bench, &t, &seen, head_of_line(bench) != LW_NONE, out);
    show_check(bench, in, &t, &verdict, out);
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
    const lw_turns t = walker_turns(bench);
    const uint32_t in_req = w->in_state[LW_REQ], in_pwc_req = w->in_state[LW_PWC_REQ];
    const bool head = takes_head(w, in);
    const bool loads = w->req_valid ? in[MEM_READY].w[0] != 0 : in_req != 0;
    lw_verdict verdict;
    take_inputs(bench, in);
    if (in[ANS_TAKE].w[0] != 0) {
        lw_walkers_answered(w, (uint32_t)lw_lowest_walker(w->in_state[LW_RESP]));
    }
    if (t.taker != LW_NONE) {
        lw_walkers_take(w, (uint32_t)t.taker, b->candidate_slot, &b->entry[b->candidate_slot],
                        &u->control);
        b->candidate_held = false;
    }
    if (in[RES_VALID].w[0] != 0) {
        const lw_pwc_found found = {.entry = in[RES_HIT].w[0] != 0 ? 0 : LW_NONE,
                                    .level = (uint32_t)in[RES_LEVEL].w[0],
                                    .perm = (uint32_t)in[RES_PERM].w[0],
                                    .contig = (uint32_t)in[RES_CONTIG].w[0],
                                    .node = in[RES_NODE].w[0]};
        lw_walkers_leave_pwc(w, (uint32_t)in[RES_WALKER].w[0], &found);
    }
    (void)work(bench, in, &t, w, &verdict);
    if (head) {
        u->check.job.node = in[HEAD_NODE].w[0];
        lw_walkers_load_head(w, (uint32_t)in[HEAD_PLACE].w[0],
                             lw_check_line(&u->check, (uint32_t)in[HEAD_PLACE].w[0]));
    } else if (loads) {
        lw_walkers_load_request(w, in_req);
    }
    if (in_pwc_req != 0) {
        lw_walkers_enter_pwc(w, (uint32_t)lw_lowest_walker(in_pwc_req));
    }
    if (t.mark) { /* R11.2 */
        lw_walkers_mark(w, &u->invalidation);
        b->candidate_held &=
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
    .parameters = "VpnW PaWidth PasidW IdW SrcW BufferEntries Walkers PwcOrg "
                  "Subregions HeadFirst Colt",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(own),
    .legal = walker_stimulus_make_legal,
    .outputs_of = outputs_of,
    .step = step,
};
