/* The page walkers: picks and entries, answers of the page walk cache, lines (errors and
 * strays among them), marks and roots come as they like, within what the neighbours' rules allow
 * (walker_stimulus.c). What they show of it is walker_outputs.c's.
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
    [HOME_FIRST] = {"features_i.home_first", LW_IGNORED, 0},
    [ROOT_VALID] = {"roots_i.valid", LW_ZERO, 0},
    [ROOT_FRAME] = {"roots_i.frame", LW_ZERO, 0},
    LW_TABLES(TABLES, "tables_i"),
    [PICK] = {"pick_i.valid", LW_PERCENT, 60},
    [PICK_SLOT] = {"pick_i.slot", LW_UNIFORM, 0},
    [READ_ID] = {"read_i.id", LW_UNIFORM, 0},
    [READ_SRC] = {"read_i.src", LW_UNIFORM, 0},
    [READ_PASID] = {"read_i.key.pasid", LW_MASKED, 1},
    [READ_VPN] = {"read_i.key.vpn", LW_MASKED, VPNS},
    [READ_ACCESS] = {"read_i.access", LW_UNIFORM, 0},
    [READ_DONE] = {"read_i.done", LW_PERCENT, 15},
    [READ_STALE] = {"read_i.stale", LW_PERCENT, 10},
    [READ_CL] = {"read_i.cl", LW_ZERO, 0},
    [READ_PL] = {"read_i.pl", LW_ZERO, 0},
    [LEARNT_PA] = {"learnt_i.frame", LW_UNIFORM, 0},
    [LEARNT_PERM] = {"learnt_i.perm", LW_UNIFORM, 0},
    [LEARNT_CONTIG] = {"learnt_i.contig", LW_UNIFORM, 0},
    [READ_CHANGING] = {"read_i.changing", LW_PERCENT, 20},
    [RES_VALID] = {"pwc_result_i.valid", LW_PERCENT, 60},
    [RES_WALKER] = {"pwc_result_i.walker", LW_ZERO, 0},
    [RES_HIT] = {"pwc_result_i.hit", LW_PERCENT, 50},
    [RES_LEVEL] = {"pwc_result_i.level", LW_UNIFORM, 0},
    [RES_NODE] = {"pwc_result_i.node", LW_UNIFORM, 0},
    [RES_PERM] = {"pwc_result_i.perm", LW_UNIFORM, 0},
    [RES_CONTIG] = {"pwc_result_i.contig", LW_UNIFORM, 0},
    [RES_WHERE] = {"pwc_result_i.hashed.where", LW_ZERO, 0},
    [RES_RETRIED] = {"pwc_result_i.hashed.retried", LW_IGNORED, 0},
    [RES_BUCKET] = {"pwc_result_i.hashed.bucket", LW_UNIFORM, 0},
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
    [SEARCH + OP_FAILED] = {"search_i.failed", LW_IGNORED, 0},
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
    [UPDATE + OP_FAILED] = {"update_i.failed", LW_IGNORED, 0},
    [UPDATE + OP_PERM] = {"update_i.perm", LW_IGNORED, 0},
    [UPDATE + OP_CLAIM_PERM] = {"update_i.claim.perm", LW_IGNORED, 0},
    [KEY_WALKER] = {"pwc_walker_i", LW_ZERO, 0},
    [TOLD_WALKER] = {"told_walker_i", LW_ZERO, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 30},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_UNIFORM, 0},
    [ANS_TAKE] = {"result_taken_i", LW_PERCENT, 60},
    [SCAN_TAKE] = {"scan_taken_i", LW_PERCENT, 40},
    [HIT_ROOM] = {"hit_room_i", LW_PERCENT, 70},
    [SECOND_HIT] = {"second_end_i.hit", LW_PERCENT, 20},
    [SECOND_MISS] = {"second_end_i.miss", LW_PERCENT, 30},
    [SECOND_WALKER] = {"second_end_i.walker", LW_ZERO, 0},
};

static const lw_output outputs[] = {
    [WANTED] = {"wanted_o", 0},
    [READ_SLOT] = {"read_slot_o", 0},
    [DECIDED_SLOT] = {"decision_o.slot", 0},
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
    [CAM_FAILED] = {"cam_o.failed", 1 + CAM_OP},
    [CAM_PERM] = {"cam_o.perm", 1 + CAM_OP},
    [CAM_VERDICT] = {"line_o.verdict", 0},
    [CAM_FRAME] = {"line_o.frame", 0},
    [CAM_CONTIG] = {"line_o.contig", 0},
    [CAM_SIZE] = {"line_o.size", 0},
    [CAM_LINKS] = {"line_o.links", 0},
    [CLAIM_VALID] = {"cam_o.claim.valid", 1 + CAM_OP},
    [CLAIM_LEVEL] = {"cam_o.claim.level", 1 + CLAIM_VALID},
    [CLAIM_REACH] = {"cam_o.claim.reach", 1 + CLAIM_VALID},
    [CLAIM_PERM] = {"cam_o.claim.perm", 1 + CLAIM_VALID},
    [ENTER] = {"pwc_enter_o.valid", 0},
    [ENTER_WALKER] = {"pwc_enter_o.walker", 1 + ENTER},
    [KEY_VPN] = {"pwc_walk_o.key.vpn", 0},
    [KEY_PASID] = {"pwc_walk_o.key.pasid", 0},
    [KEY_ACCESS] = {"pwc_walk_o.access", 0},
    [KEY_LEVEL] = {"pwc_walk_o.level", 0},
    [KEY_NODE] = {"pwc_walk_o.node", 0},
    [KEY_PERM] = {"pwc_walk_o.perm", 0},
    [KEY_CONTIG] = {"pwc_walk_o.contig", 0},
    [KEY_WHERE] = {"pwc_walk_o.hashed.where", 0},
    [KEY_RETRIED] = {"pwc_walk_o.hashed.retried", 0},
    [KEY_BUCKET] = {"pwc_walk_o.hashed.bucket", 0},
    [TOLD_LOOK] = {"told_look_o", 0},
    [TOLD_FILL] = {"told_fill_o", 0},
    [FILL_VALID] = {"pwc_fill_o.valid", 0},
    [FILL_LEVEL] = {"pwc_fill_o.level", 1 + FILL_VALID},
    [FILL_VPN] = {"pwc_fill_o.key.vpn", 1 + FILL_VALID},
    [FILL_PASID] = {"pwc_fill_o.key.pasid", 1 + FILL_VALID},
    [FILL_PARENT] = {"pwc_fill_o.parent", 1 + FILL_VALID},
    [FILL_NODE] = {"pwc_fill_o.node", 1 + FILL_VALID},
    [FILL_PERM] = {"pwc_fill_o.perm", 1 + FILL_VALID},
    [FILL_PTE_PERM] = {"pwc_fill_o.pte_perm", 1 + FILL_VALID},
    [FILL_CONTIG] = {"pwc_fill_o.contig", 1 + FILL_VALID},
    [STEPS_VALID] = {"step_fill_o.valid", 0},
    [STEPS_VPN] = {"step_fill_o.key.vpn", 1 + STEPS_VALID},
    [STEPS_PASID] = {"step_fill_o.key.pasid", 1 + STEPS_VALID},
    [STEPS] = {"step_fill_o.steps", 1 + STEPS_VALID},
    [STEPS_AC] = {"step_fill_o.contigs.ac", 1 + STEPS_VALID},
    [STEPS_C] = {"step_fill_o.contigs.c", 1 + STEPS_VALID},
    [STEP_LOOK] = {"step_look_o", 1 + ENTER},
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
    [CHECK_OF_SLOT] = {"check_o.of_slot", 1 + CHECK_VALID},
    [HEAD_TAKEN] = {"head_taken_o", 0},
    [HEAD_TRANSFER] = {"head_transfer_o", 0},
    [LINE_HEAD] = {"head_line_o.valid", 0},
    [LINE_PLACE] = {"head_line_o.place", 1 + LINE_HEAD},
    [LINE_ERROR] = {"head_line_o.error", 1 + LINE_HEAD},
    [LINE_SIZED] = {"head_line_o.sized", 1 + LINE_HEAD},
    [LINE_TAG] = {"head_line_o.tag", 1 + LINE_HEAD},
    [ANS + ANS_VALID] = {"result_o.valid", 0},
    [ANS + ANS_ID] = {"result_o.id", 1 + ANS + ANS_VALID},
    [ANS + ANS_SRC] = {"result_o.src", 1 + ANS + ANS_VALID},
    [ANS + ANS_PASID] = {"result_o.key.pasid", 1 + ANS + ANS_VALID},
    [ANS + ANS_VPN] = {"result_o.key.vpn", 1 + ANS + ANS_VALID},
    [ANS + ANS_ACCESS] = {"result_o.access", 1 + ANS + ANS_VALID},
    [ANS + ANS_KIND] = {"result_o.kind", 1 + ANS + ANS_VALID},
    [ANS + ANS_LEVEL] = {"result_o.level", 1 + ANS + ANS_VALID},
    [ANS + ANS_PFN] = {"result_o.base", 1 + ANS + ANS_VALID},
    [ANS + ANS_SIZE] = {"result_o.size", 1 + ANS + ANS_VALID},
    [ANS + ANS_PERM] = {"result_o.perm", 1 + ANS + ANS_VALID},
    [ANS + ANS_CONTIG] = {"result_o.contig", 1 + ANS + ANS_VALID},
    [ANS + ANS_STALE] = {"result_o.stale", 1 + ANS + ANS_VALID},
    [SCANNED + ANS_VALID] = {"scan_result_o.valid", 0},
    [SCANNED + ANS_ID] = {"scan_result_o.id", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_SRC] = {"scan_result_o.src", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_PASID] = {"scan_result_o.key.pasid", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_VPN] = {"scan_result_o.key.vpn", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_ACCESS] = {"scan_result_o.access", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_KIND] = {"scan_result_o.kind", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_LEVEL] = {"scan_result_o.level", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_PFN] = {"scan_result_o.base", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_SIZE] = {"scan_result_o.size", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_PERM] = {"scan_result_o.perm", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_CONTIG] = {"scan_result_o.contig", 1 + SCANNED + ANS_VALID},
    [SCANNED + ANS_STALE] = {"scan_result_o.stale", 1 + SCANNED + ANS_VALID},
    [ANY_STALE] = {"any_stale_o", 0},
    [STRAY] = {"counts_o.stray", 0},
    [CAUSE_COUNT] = {"counts_o.cause", 0},
    [IDLE_COUNT] = {"counts_o.idle", 0},
    [STEP_READ] = {"hashed_counts_o.step_read", 0},
    [TABLE_READ] = {"hashed_counts_o.table_read", 0},
    [VICTIM_WALK] = {"hashed_counts_o.victim_walk", 0},
    [VICTIM_READ] = {"hashed_counts_o.victim_read", 0},
    [TAG_MISS] = {"hashed_counts_o.tag_miss", 0},
    [STEP_RETRY] = {"hashed_counts_o.step_retry", 0},
    [TURN] = {"second_o.turn", 0},
    [SECOND] = {"second_o.valid", 0},
    [SECOND_ID] = {"second_o.request.id", 1 + SECOND},
    [SECOND_SRC] = {"second_o.request.src", 1 + SECOND},
    [SECOND_PASID] = {"second_o.request.pasid", 1 + SECOND},
    [SECOND_PAGE] = {"second_o.request.page", 1 + SECOND},
    [SECOND_ACCESS] = {"second_o.request.access", 1 + SECOND},
    [SECOND_OF] = {"second_o.walker", 1 + SECOND},
    [SECOND_FREES] = {"decision_o.hit", 0},
    [FREED_SLOT] = {"decision_o.hit_slot", 1 + SECOND_FREES},
};

static const lw_registers_of registers[] = {{LW_S_ASK, "u_reader", NULL},
                                            {LW_S_READ, "u_reader", NULL},
                                            {LW_S_PWST, "", NULL},
                                            {LW_S_ORDER, "u_order", NULL},
                                            {LW_S_WALK_MEMORY, "u_memory", NULL},
                                            {LW_S_LINE, "u_memory", NULL}};

typedef struct own {
    lw_walkers scratch; /* where a cycle's work is tried */
} own;

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    lw_control *c = &bench->u->control;
    c->feature_bits =
        (uint8_t)(in[MODE].w[0] | in[PWC_ENABLE].w[0] << 2 | in[PL_SKIPS_PWC].w[0] << 3 |
                  in[SUBREGION_ENABLE].w[0] << 4 | in[COLT_ENABLE].w[0] << 5); /* R12.2 */
    lw_control_derive(c);
}

static walker_work work(const lw_bench *bench, const lw_bits *in, const lw_turns *t,
                        lw_walkers *w) {
    const lw_control *c = &bench->u->control;
    walker_work d = {.turns = *t};
    const lw_mark mark = lw_invalidation_mark(&bench->u->invalidation);
    if (t->scanner != LW_NONE) {
        const lw_scan_view view = walker_view(bench, t);
        lw_walkers_scan(w, (uint32_t)t->scanner, &view, &d.counted, &d.scan);
        d.op = d.scan.op;
        lw_walkers_result(w, UINT32_C(1) << t->scanner, &d.scanned);
    }
    if (lw_walkers_asks_tlb(w, in[HIT_ROOM].w[0] != 0)) {
        d.second = lw_walkers_second(w);
    }
    if (t->looks) {
        const lw_look look = {.features = &c->features,
                              .roots = &c->roots,
                              .mark = mark,
                              .learnt = {.pa = in[LEARNT_PA].w[0],
                                         .perm = (uint8_t)in[LEARNT_PERM].w[0],
                                         .contig = (uint16_t)in[LEARNT_CONTIG].w[0]},
                              .second = d.second.valid,
                              .vain = t->vain};
        lw_cam_op op;
        d.decision = lw_walkers_look(w, &look, &d.counted, &op);
        d.op = op.op != LW_OP_NONE ? op : d.op; /* never with a scan (R5.20) */
    } else if (t->advancer != LW_NONE) {
        d.op = lw_walkers_advance(w, (uint32_t)t->advancer, &c->features, &mark);
    }
    return d;
}

static void outputs_of(lw_bench *bench, const lw_bits *in, lw_bits *out) {
    own *o = bench->own;
    take_inputs(bench, in);
    o->scratch = bench->u->walk.walkers;
    const lw_turns t = walker_turns(bench, walkers_picked(in));
    const walker_work done = work(bench, in, &t, &o->scratch);
    walker_outputs_show(bench, in, &done, out);
}

/* R21.7 */
static void take_step(lw_walkers *w, const lw_bits *in) {
    const lw_step_result result = {.node = in[RES_NODE].w[0],
                                   .walker = (uint8_t)in[RES_WALKER].w[0],
                                   .where = (uint8_t)in[RES_WHERE].w[0],
                                   .bucket = (uint8_t)in[RES_BUCKET].w[0],
                                   .contig = (uint16_t)in[RES_CONTIG].w[0],
                                   .valid = true,
                                   .hit = in[RES_HIT].w[0] != 0};
    lw_walkers_leave_steps(w, &result);
}

/* R6.2 */
static void take_result(lw_walkers *w, const lw_bits *in) {
    if (w->cfg->hw.pwc_org == LW_PWC_OF_STEPS) {
        take_step(w, in);
        return;
    }
    const lw_pwc_result result = {.node = in[RES_NODE].w[0],
                                  .contig = (uint16_t)in[RES_CONTIG].w[0],
                                  .walker = (uint8_t)in[RES_WALKER].w[0],
                                  .level = (uint8_t)in[RES_LEVEL].w[0],
                                  .perm = (uint8_t)in[RES_PERM].w[0],
                                  .valid = true,
                                  .hit = in[RES_HIT].w[0] != 0};
    lw_walkers_leave_pwc(w, &result);
}

/* R8.3 */
static void take_line(lw_walkers *w, const lw_bits *in) {
    lw_inputs line = {.mem_rsp_valid = in[MEM_VALID].w[0] != 0,
                      .mem_rsp_error = in[MEM_ERROR].w[0] != 0,
                      .mem_rsp_tag = (uint32_t)in[MEM_TAG].w[0]};
    memcpy(line.mem_rsp_data, in[MEM_DATA].w, sizeof line.mem_rsp_data);
    if (line.mem_rsp_valid || w->line_valid) {
        lw_walkers_load_line(w, &line);
    }
}

/* R11.2 */
static void take_mark(lw_bench *bench, uint32_t in_mem) {
    lw_iommu *u = bench->u;
    const lw_mark mark = lw_invalidation_mark(&u->invalidation);
    lw_cam_op *searched = &u->walk.buffer.cam.update; /* as lw_buffer_mark does */
    if (lw_mark_meets(&mark, lw_key_pasid(searched->key))) {
        searched->op = LW_OP_NONE;
    }
    lw_walkers_mark(&u->walk.walkers, &mark, in_mem);
    u->invalidation.state = LW_INV_IDLE;
}

/* In the order of the whole unit's cycle (walk_engine.c). */
static void step(lw_bench *bench, const lw_bits *in) {
    lw_iommu *u = bench->u;
    lw_walkers *w = &u->walk.walkers;
    lw_buffer *b = &u->walk.buffer;
    take_inputs(bench, in);
    const uint32_t in_req = w->in_state[LW_REQ], in_mem = w->in_state[LW_MEM];
    const uint32_t idle = w->in_state[LW_IDLE];
    const int32_t entering = lw_walkers_oldest(w, w->in_state[LW_PWC_REQ]);
    const lw_mark mark = lw_invalidation_mark(&u->invalidation);
    const bool head = walkers_take_head(w, in);
    const bool loads = w->req_valid ? in[MEM_READY].w[0] != 0 : in_req != 0;
    const lw_turns t = walker_turns(bench, walkers_picked(in));
    lw_read next;
    lw_walkers_plan_read(w, mark.valid, &next);
    lw_buffer_read(b, next.slot, &next.entry);
    next.near = u->control.features.takes_part != 0 && in[READ_CHANGING].w[0] != 0; /* R5.19 */
    if (in[ANS_TAKE].w[0] != 0) {
        lw_walkers_answered(w, UINT32_MAX);
    }
    if (in[RES_VALID].w[0] != 0) {
        take_result(w, in);
    }
    const uint32_t contig_mask = walkers_contig_mask(bench, &t);
    const walker_work done = work(bench, in, &t, w);
    if (done.scanned.valid && in[SCAN_TAKE].w[0] != 0) {
        lw_walkers_answered(w, UINT32_C(1) << t.scanner);
    }
    lw_cam_step(&b->cam);
    if (done.op.op != LW_OP_NONE) {
        lw_cam_take(&b->cam, &done.op);
    }
    if (done.op.op == LW_OP_SCAN) {
        lw_cam_take_line(&b->cam, w->line, &done.scan.as, contig_mask);
    }
    lw_walkers_load_read(w, &next);
    lw_walkers_follow(w, idle);
    if (!mark.valid) {
        lw_walkers_ask(w, &t);
    }
    if (head) {
        u->walk.contiguity.job.node = in[HEAD_NODE].w[0];
        lw_walkers_load_head(
            w, (uint32_t)in[HEAD_PLACE].w[0],
            lw_contiguity_line(&u->walk.contiguity, (uint32_t)in[HEAD_PLACE].w[0]));
    } else if (loads) {
        lw_walkers_load_request(w, in_req);
    }
    if (entering != LW_NONE) {
        lw_walkers_enter_pwc(w, (uint32_t)entering);
    }
    if (mark.valid) {
        take_mark(bench, in_mem);
    }
    if (in[SECOND_HIT].w[0] != 0 || in[SECOND_MISS].w[0] != 0) { /* R5.28 */
        const lw_second_end end = {.valid = true,
                                   .hit = in[SECOND_HIT].w[0] != 0,
                                   .walker = (uint8_t)in[SECOND_WALKER].w[0]};
        (void)lw_walkers_end_second(w, &end);
    }
    take_line(w, in);
}

const lw_module lw_module_page_walkers = {
    .top = "page_walkers",
    .parameters = "VpnW PaWidth PasidW IdW SrcW BufferEntries Walkers PwcOrg Coalesce "
                  "Subregions HeadFirst Colt SlotPages Pages64K SecondLookup",
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
