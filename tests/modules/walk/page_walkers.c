/* The page walkers: candidates and entries, answers of the page walk cache, lines (errors and
 * strays among them), marks and roots come as they like, within what the neighbours' rules allow
 * (walker_stimulus.c).
 *
 * Of the buffer the twin's walkers see what the RTL's read port shows, and what is in search and in
 * update; the operations are those that the CAM takes (R4.7). */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"
#include "tests/modules/walk/walker_ports.h"

/* Few pages, so that an operation is often close to what is read (R5.6): two bits of a line, and
 * one bit of each step between two neighbourhoods. */
#define VPNS UINT64_C(0x4824120b)

static const lw_input inputs[] = {
    [MODE] = {"features_i.mode", LW_UNIFORM, 0},
    [PWC_ENABLE] = {"features_i.pwc_enable", LW_PERCENT, 80},
    [PL_SKIPS_PWC] = {"features_i.pl_skips_pwc", LW_PERCENT, 50},
    [SUBREGION_ENABLE] = {"features_i.subregion_enable", LW_PERCENT, 85},
    [COLT_ENABLE] = {"features_i.colt_enable", LW_PERCENT, 85},
    [ROOT_VALID] = {"roots_i.valid", LW_ZERO, 0},
    [ROOT_FRAME] = {"roots_i.frame", LW_ZERO, 0},
    [CANDIDATE_HELD] = {"candidate_i.held", LW_PERCENT, 60},
    [CANDIDATE_SLOT] = {"candidate_i.slot", LW_UNIFORM, 0},
    [READ_ID] = {"read_i.id", LW_UNIFORM, 0},
    [READ_SRC] = {"read_i.src", LW_UNIFORM, 0},
    [READ_PASID] = {"read_i.key.pasid", LW_MASKED, 1},
    [READ_VPN] = {"read_i.key.vpn", LW_MASKED, VPNS},
    [READ_ACCESS] = {"read_i.access", LW_UNIFORM, 0},
    [READ_DONE] = {"read_i.done", LW_PERCENT, 15},
    [READ_CL] = {"read_i.cl", LW_ZERO, 0},
    [READ_PL] = {"read_i.pl", LW_ZERO, 0},
    [READ_PA] = {"read_i.pa", LW_UNIFORM, 0},
    [READ_PERM] = {"read_i.perm", LW_UNIFORM, 0},
    [READ_CONTIG] = {"read_i.contig", LW_UNIFORM, 0},
    [READ_BLOCK] = {"read_i.block", LW_UNIFORM, 0},
    [RES_VALID] = {"pwc_result_i.valid", LW_PERCENT, 60},
    [RES_WALKER] = {"pwc_result_i.walker", LW_ZERO, 0},
    [RES_HIT] = {"pwc_result_i.hit", LW_PERCENT, 50},
    [RES_LEVEL] = {"pwc_result_i.level", LW_UNIFORM, 0},
    [RES_NODE] = {"pwc_result_i.node", LW_UNIFORM, 0},
    [RES_PERM] = {"pwc_result_i.perm", LW_UNIFORM, 0},
    [RES_CONTIG] = {"pwc_result_i.contig", LW_UNIFORM, 0},
    [MEM_READY] = {"mem_req_ready_i", LW_PERCENT, 70},
    [MEM_VALID] = {"mem_rsp_i.valid", LW_PERCENT, 50},
    [MEM_TAG] = {"mem_rsp_i.tag", LW_UNIFORM, 0},
    [MEM_ERROR] = {"mem_rsp_i.error", LW_PERCENT, 30},
    [MEM_DATA] = {"mem_rsp_i.data", LW_ZERO, 0},
    [HEAD_REQ] = {"head_i.valid", LW_PERCENT, 30},
    [HEAD_PLACE] = {"head_i.place", LW_UNIFORM, 0},
    [HEAD_NODE] = {"head_i.node", LW_UNIFORM, 0},
    [SEARCH + OP] = {"search_i.op", LW_ZERO, 0},
    [SEARCH + OP_PASID] = {"search_i.key.pasid", LW_ZERO, 0},
    [SEARCH + OP_VPN] = {"search_i.key.vpn", LW_ZERO, 0},
    [SEARCH + OP_LEVEL] = {"search_i.level", LW_ZERO, 0},
    [SEARCH + OP_REACH] = {"search_i.reach", LW_ZERO, 0},
    [SEARCH + OP_CLAIM] = {"search_i.claim.valid", LW_ZERO, 0},
    [SEARCH + OP_CLAIM_LEVEL] = {"search_i.claim.level", LW_ZERO, 0},
    [SEARCH + OP_CLAIM_REACH] = {"search_i.claim.reach", LW_ZERO, 0},
    [SEARCH + OP_POSITION] = {"search_i.position", LW_ZERO, 0},
    [SEARCH + OP_ERROR] = {"search_i.error", LW_IGNORED, 0},
    [SEARCH + OP_PERM] = {"search_i.perm", LW_IGNORED, 0},
    [SEARCH + OP_CLAIM_PERM] = {"search_i.claim.perm", LW_IGNORED, 0},
    [UPDATE + OP] = {"update_i.op", LW_ZERO, 0},
    [UPDATE + OP_PASID] = {"update_i.key.pasid", LW_ZERO, 0},
    [UPDATE + OP_VPN] = {"update_i.key.vpn", LW_ZERO, 0},
    [UPDATE + OP_LEVEL] = {"update_i.level", LW_ZERO, 0},
    [UPDATE + OP_REACH] = {"update_i.reach", LW_ZERO, 0},
    [UPDATE + OP_CLAIM] = {"update_i.claim.valid", LW_ZERO, 0},
    [UPDATE + OP_CLAIM_LEVEL] = {"update_i.claim.level", LW_ZERO, 0},
    [UPDATE + OP_CLAIM_REACH] = {"update_i.claim.reach", LW_ZERO, 0},
    [UPDATE + OP_POSITION] = {"update_i.position", LW_IGNORED, 0},
    [UPDATE + OP_ERROR] = {"update_i.error", LW_IGNORED, 0},
    [UPDATE + OP_PERM] = {"update_i.perm", LW_IGNORED, 0},
    [UPDATE + OP_CLAIM_PERM] = {"update_i.claim.perm", LW_IGNORED, 0},
    [KEY_WALKER] = {"pwc_walker_i", LW_ZERO, 0},
    [MARK_REQ] = {"mark_req_i.valid", LW_PERCENT, 30},
    [MARK_ALL] = {"mark_req_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_req_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_req_i.pasid", LW_UNIFORM, 0},
    [ANS_TAKE] = {"result_taken_i", LW_PERCENT, 60},
};

static const lw_output outputs[] = {
    [TAKE] = {"take_o", 0},
    [TAKING] = {"taking_o", 0},
    [READ_SLOT] = {"read_slot_o", 0},
    [COMMIT_SLOT] = {"decision_o.slot", 0},
    [COMMIT_BLOCK] = {"decision_o.block", 1 + COMMIT},
    [GIVE_BACK] = {"decision_o.give_back", 0},
    [COMMIT] = {"decision_o.commit", 0},
    [COALESCED_LEVELS] = {"counts_o.coalesced_levels", 0},
    [FLIGHT_VALID] = {"flight_o.valid", 0},
    [FLIGHT_VPN] = {"flight_o.key.vpn", 0},
    [FLIGHT_PASID] = {"flight_o.key.pasid", 0},
    [FLIGHT_LEVEL] = {"flight_o.level", 0},
    [FLIGHT_PERM] = {"flight_o.perm", 0},
    [FLIGHT_REACH] = {"flight_o.reach", 0},
    [CAM_OP] = {"cam_o.op", 0},
    [CAM_PASID] = {"cam_o.key.pasid", 1 + CAM_OP},
    [CAM_VPN] = {"cam_o.key.vpn", 1 + CAM_OP},
    [CAM_LEVEL] = {"cam_o.level", 1 + CAM_OP},
    [CAM_REACH] = {"cam_o.reach", 1 + CAM_OP},
    [CAM_POSITION] = {"cam_o.position", 1 + CAM_OP},
    [CAM_ERROR] = {"cam_o.error", 1 + CAM_OP},
    [CAM_PERM] = {"cam_o.perm", 1 + CAM_OP},
    [CAM_VERDICT] = {"line_o.verdict", 0},
    [CAM_FRAME] = {"line_o.frame", 0},
    [CAM_CONTIG] = {"line_o.contig", 0},
    [CAM_LINKS] = {"line_o.links", 0},
    [CLAIM_VALID] = {"cam_o.claim.valid", 1 + CAM_OP},
    [CLAIM_LEVEL] = {"cam_o.claim.level", 1 + CLAIM_VALID},
    [CLAIM_REACH] = {"cam_o.claim.reach", 1 + CLAIM_VALID},
    [CLAIM_PERM] = {"cam_o.claim.perm", 1 + CLAIM_VALID},
    [ENTER] = {"pwc_enter_o.valid", 0},
    [ENTER_WALKER] = {"pwc_enter_o.walker", 1 + ENTER},
    [DROP] = {"pwc_drop_o", 0},
    [KEY_VPN] = {"pwc_walk_o.key.vpn", 0},
    [KEY_PASID] = {"pwc_walk_o.key.pasid", 0},
    [KEY_ACCESS] = {"pwc_walk_o.access", 0},
    [KEY_LEVEL] = {"pwc_walk_o.level", 0},
    [KEY_NODE] = {"pwc_walk_o.node", 0},
    [KEY_PERM] = {"pwc_walk_o.perm", 0},
    [KEY_CONTIG] = {"pwc_walk_o.contig", 0},
    [FILL_VALID] = {"pwc_fill_o.valid", 0},
    [FILL_LEVEL] = {"pwc_fill_o.level", 1 + FILL_VALID},
    [FILL_VPN] = {"pwc_fill_o.key.vpn", 1 + FILL_VALID},
    [FILL_PASID] = {"pwc_fill_o.key.pasid", 1 + FILL_VALID},
    [FILL_PARENT] = {"pwc_fill_o.parent", 1 + FILL_VALID},
    [FILL_NODE] = {"pwc_fill_o.node", 1 + FILL_VALID},
    [FILL_PERM] = {"pwc_fill_o.perm", 1 + FILL_VALID},
    [FILL_PTE_PERM] = {"pwc_fill_o.pte_perm", 1 + FILL_VALID},
    [FILL_CONTIG] = {"pwc_fill_o.contig", 1 + FILL_VALID},
    [REQ_VALID] = {"mem_req_o.valid", 0},
    [REQ_TAG] = {"mem_req_o.tag", 0},
    [REQ_LINE] = {"mem_req_o.line", 0},
    [CHECK_VALID] = {"check_o.valid", 0},
    [CHECK_PASID] = {"check_o.pasid", 1 + CHECK_VALID},
    [CHECK_VSN] = {"check_o.vsn", 1 + CHECK_VALID},
    [CHECK_BITS] = {"check_o.bits", 1 + CHECK_VALID},
    [CHECK_NODE] = {"check_o.node", 1 + CHECK_VALID},
    [CHECK_PFN] = {"check_o.pfn", 1 + CHECK_VALID},
    [CHECK_PERM] = {"check_o.perm", 1 + CHECK_VALID},
    [CHECK_PTE_PERM] = {"check_o.pte_perm", 1 + CHECK_VALID},
    [HEAD_TAKEN] = {"head_taken_o", 0},
    [HEAD_TRANSFER] = {"head_transfer_o", 0},
    [LINE_HEAD] = {"head_line_o.valid", 0},
    [LINE_PLACE] = {"head_line_o.place", 1 + LINE_HEAD},
    [LINE_ERROR] = {"head_line_o.error", 1 + LINE_HEAD},
    [MARK] = {"mark_o.valid", 0},
    [MARKED_ALL] = {"mark_o.all", 1 + MARK},
    [MARKED_ONE] = {"mark_o.one", 1 + MARK},
    [MARKED_PASID] = {"mark_o.pasid", 1 + MARK},
    [ANS_VALID] = {"result_o.valid", 0},
    [ANS_ID] = {"result_o.id", 1 + ANS_VALID},
    [ANS_SRC] = {"result_o.src", 1 + ANS_VALID},
    [ANS_PASID] = {"result_o.key.pasid", 1 + ANS_VALID},
    [ANS_VPN] = {"result_o.key.vpn", 1 + ANS_VALID},
    [ANS_ACCESS] = {"result_o.access", 1 + ANS_VALID},
    [ANS_KIND] = {"result_o.kind", 1 + ANS_VALID},
    [ANS_LEVEL] = {"result_o.level", 1 + ANS_VALID},
    [ANS_PFN] = {"result_o.base", 1 + ANS_VALID},
    [ANS_SIZE] = {"result_o.size", 1 + ANS_VALID},
    [ANS_PERM] = {"result_o.perm", 1 + ANS_VALID},
    [ANS_CONTIG] = {"result_o.contig", 1 + ANS_VALID},
    [ANS_STALE] = {"result_o.stale", 1 + ANS_VALID},
    [ANY_STALE] = {"any_stale_o", 0},
    [STRAY] = {"counts_o.stray", 0},
    [STARTED_COUNT] = {"counts_o.started", 0},
    [CAUSE_COUNT] = {"counts_o.cause", 0},
    [IDLE_COUNT] = {"counts_o.idle", 0},
};

static const lw_registers_of registers[] = {{LW_S_ASK, "u_reader", NULL},
                                            {LW_S_READ, "u_reader", NULL},
                                            {LW_S_PWST, "", NULL},
                                            {LW_S_WALK_MEMORY, "u_memory", NULL},
                                            {LW_S_LINE, "u_memory", NULL}};

/* The neighbours' registers are those of the bench's unit: roots, the invalidation's state and
 * operands, the candidate, and the entries that walkers hold. */
typedef struct own {
    lw_walkers scratch; /* where a cycle's work is tried */
} own;

/* ---------------------------------------------------------------- the twin */

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    lw_control *c = &bench->u->control;
    c->features = (uint8_t)(in[MODE].w[0] | in[PWC_ENABLE].w[0] << 2 | in[PL_SKIPS_PWC].w[0] << 3 |
                            in[SUBREGION_ENABLE].w[0] << 4 | in[COLT_ENABLE].w[0] << 5); /* R12.2 */
    lw_control_derive(c);
}

/* What the walkers have done to the buffer, and what a commit has found told (R12.5, 11). */
typedef struct done {
    bool freed, given_back;
    uint64_t levels;
} done;

/* What the walkers `w` do with what was read, with the line and with the CAM in this cycle. */
static done work(lw_bench *bench, const lw_turns *t, lw_walkers *w, lw_verdict *verdict) {
    lw_iommu *u = bench->u;
    lw_buffer *b = &u->buffer;
    const uint64_t levels = lw_counters_total(&u->counters, LW_C_COALESCED_LEVELS);
    done d = {.freed = false};
    lw_cam_step(&b->cam);
    if (t->taker != LW_NONE) {
        lw_walkers_take(w, &u->control);
    }
    if (t->scanner != LW_NONE) {
        lw_walkers_scan(w, (uint32_t)t->scanner, &b->cam, &u->control, verdict);
    }
    if (t->committer != LW_NONE) {
        d.freed = lw_walkers_commit(w, b, &u->control, &u->counters);
        d.given_back = !d.freed;
    } else if (t->advancer != LW_NONE) {
        lw_walkers_advance(w, (uint32_t)t->advancer, &b->cam, &u->control);
    }
    d.levels = lw_counters_total(&u->counters, LW_C_COALESCED_LEVELS) - levels;
    return d;
}

static void unsaid(const lw_bench *bench, uint32_t output) {
    memset(&bench->unsaid[output], 0xff, sizeof bench->unsaid[output]);
}

/* R4.3; a walker without an access in flight may show anything. */
static void show_flight(const lw_bench *bench, lw_bits *out) {
    const lw_iommu *u = bench->u;
    const uint32_t valid = lw_walkers_in_flight(&u->walkers);
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

/* What the CAM takes; what R4.7 calls zero the buffer may make so. */
static void show_cam(const lw_bench *bench, const lw_cam *cam, lw_bits *out) {
    const lw_operation *op = &cam->search;
    out[CAM_OP].w[0] = op->op;
    out[CAM_PASID].w[0] = lw_key_pasid(op->key);
    out[CAM_VPN].w[0] = lw_key_vpn(op->key);
    out[CAM_LEVEL].w[0] = op->level;
    out[CAM_REACH].w[0] = op->reach;
    out[CAM_POSITION].w[0] = op->position;
    out[CAM_ERROR].w[0] = op->error;
    out[CAM_PERM].w[0] = op->perm;
    out[CAM_LINKS].w[0] = op->links;
    out[CLAIM_VALID].w[0] = op->op != LW_OP_NONE && op->claim;
    out[CLAIM_LEVEL].w[0] = op->claim_level;
    out[CLAIM_REACH].w[0] = op->claim_reach;
    out[CLAIM_PERM].w[0] = op->claim_perm;
    if (op->op == LW_OP_COMMIT) {
        unsaid(bench, CAM_LEVEL);
    }
    if (op->op != LW_OP_SCAN) {
        static const uint8_t of_scan[] = {CAM_REACH, CAM_POSITION, CAM_ERROR, CAM_PERM, CAM_LINKS};
        for (uint32_t i = 0; i < sizeof of_scan; i++) {
            unsaid(bench, of_scan[i]);
        }
    }
}

/* The line as the CAM takes it, or as the check does its first PTE (R16.7). */
static void show_line(const lw_bench *bench, const lw_cam *cam, bool head, lw_bits *out) {
    enum { VERDICT_W = 8, LEAF_LEVEL = 1 };
    const lw_config *cfg = &bench->u->cfg;
    const lw_walkers *w = &bench->u->walkers;
    lw_decoded line;
    if (cam->search.op == LW_OP_SCAN) {
        lw_decoded_at_port(cfg, cam->search_line, &line);
        out[CAM_VERDICT] = line.verdict;
        out[CAM_FRAME] = line.frame;
        out[CAM_CONTIG] = line.contig;
        return;
    }
    unsaid(bench, CAM_VERDICT);
    unsaid(bench, CAM_FRAME);
    unsaid(bench, CAM_CONTIG);
    if (head && !w->line_error) {
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
    if (t->scan_on_cam && lw_walkers_want_check(&w->walker[t->scanner], verdict, &job)) {
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
    const lw_pwst *key = &w->walker[in[KEY_WALKER].w[0]];
    out[KEY_VPN].w[0] = lw_key_vpn(key->key);
    out[KEY_PASID].w[0] = lw_key_pasid(key->key);
    out[KEY_ACCESS].w[0] = key->access;
    out[KEY_LEVEL].w[0] = key->level;
    out[KEY_NODE].w[0] = key->node;
    out[KEY_PERM].w[0] = key->perm;
    out[KEY_CONTIG].w[0] = key->contig;
    const bool asked = key->state == LW_PWC_REQ || key->state == LW_PWC_WAIT;
    for (uint32_t o = KEY_VPN; o <= KEY_CONTIG && !asked; o++) {
        unsaid(bench, o);
    }
    if (t->scan_on_cam && verdict->node && in[PWC_ENABLE].w[0] != 0) {
        const lw_pwst *p = &w->walker[t->scanner];
        out[FILL_VALID].w[0] = 1;
        out[FILL_LEVEL].w[0] = p->level;
        out[FILL_VPN].w[0] = lw_key_vpn(p->key);
        out[FILL_PASID].w[0] = lw_key_pasid(p->key);
        out[FILL_PARENT].w[0] = p->node;
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

static void show_entry(const lw_bench *bench, const lw_turns *t, const done *d, lw_bits *out) {
    const lw_walkers *w = &bench->u->walkers;
    out[TAKE].w[0] = t->chooser != LW_NONE;
    out[TAKING].w[0] = w->ask.what == LW_READ_TAKE || w->read.what == LW_READ_TAKE; /* R12.6 */
    out[GIVE_BACK].w[0] = d->given_back;
    out[COMMIT].w[0] = d->freed;
    out[COMMIT_SLOT].w[0] = w->read.slot;
    out[COMMIT_BLOCK].w[0] = w->read.block;
    out[COALESCED_LEVELS].w[0] = d->levels;
    out[READ_SLOT].w[0] = w->ask.slot;
    if (!d->given_back && !d->freed) {
        unsaid(bench, COMMIT_SLOT);
    }
}

static void outputs_of(lw_bench *bench, const lw_bits *in, lw_bits *out) {
    const lw_walkers *w = &bench->u->walkers;
    lw_cam *cam = &bench->u->buffer.cam;
    own *o = bench->own;
    take_inputs(bench, in);
    const lw_turns t = walker_turns(bench);
    const lw_cam before = *cam;
    lw_verdict verdict = {.node = false};
    o->scratch = *w;
    const done d = work(bench, &t, &o->scratch, &verdict);
    show_entry(bench, &t, &d, out);
    show_flight(bench, out);
    show_cam(bench, cam, out);
    show_line(bench, cam, head_of_line(bench) != LW_NONE, out);
    *cam = before;
    show_check(bench, in, &t, &verdict, out);
    show_pwc(bench, in, &t, &verdict, out);
    out[REQ_VALID].w[0] = w->req_valid;
    out[REQ_TAG].w[0] = w->req_tag;
    out[REQ_LINE].w[0] = w->req_line;
    out[MARK].w[0] = t.mark; /* whom it meets is what was asked for */
    out[MARKED_ALL] = in[MARK_ALL];
    out[MARKED_ONE] = in[MARK_PASID];
    out[MARKED_PASID] = in[MARK_VALUE];
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
    take_inputs(bench, in);
    const lw_turns t = walker_turns(bench);
    const uint32_t in_req = w->in_state[LW_REQ], in_pwc_req = w->in_state[LW_PWC_REQ];
    const bool head = takes_head(w, in);
    const bool loads = w->req_valid ? in[MEM_READY].w[0] != 0 : in_req != 0;
    const uint32_t candidate_slot = b->candidate_slot;
    lw_verdict verdict;
    lw_read next;
    lw_walkers_plan_read(w, b, u->control.takes_part, &next);
    if (in[ANS_TAKE].w[0] != 0) {
        lw_walkers_answered(w, (uint32_t)lw_lowest_walker(w->in_state[LW_RESP]));
    }
    b->candidate_held &= t.chooser == LW_NONE;
    if (in[RES_VALID].w[0] != 0) {
        const lw_pwc_result result = {.node = in[RES_NODE].w[0],
                                      .contig = (uint16_t)in[RES_CONTIG].w[0],
                                      .walker = (uint8_t)in[RES_WALKER].w[0],
                                      .level = (uint8_t)in[RES_LEVEL].w[0],
                                      .perm = (uint8_t)in[RES_PERM].w[0],
                                      .valid = true,
                                      .hit = in[RES_HIT].w[0] != 0};
        lw_walkers_leave_pwc(w, &result);
    }
    (void)work(bench, &t, w, &verdict);
    lw_walkers_load_read(w, &next);
    lw_walkers_ask(w, &t, candidate_slot);
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
    .parameters = "VpnW PaWidth PasidW IdW SrcW BufferEntries Walkers PwcOrg Coalesce "
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
