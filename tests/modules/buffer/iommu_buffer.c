/* The IOMMU buffer: every operation of its ports in every cycle in which it may come, with keys
 * that meet the entries (buffer_stimulus.c). */
#include "tests/modules/buffer/buffer_ports.h"
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

static const lw_input inputs[] = {
    [MODE] = {"mode_i", LW_UNIFORM, 0},
    [EPOCH] = {"epoch_i", LW_UNIFORM, 0},
    [MISS_VALID] = {"miss_i.valid", LW_PERCENT, 50},
    [MISS_ID] = {"miss_i.id", LW_UNIFORM, 0},
    [MISS_SRC] = {"miss_i.src", LW_UNIFORM, 0},
    [MISS_PASID] = {"miss_i.key.pasid", LW_MASKED, 1},
    [MISS_VPN] = {"miss_i.key.vpn", LW_MASKED, VPNS},
    [MISS_ACCESS] = {"miss_i.access", LW_UNIFORM, 0},
    [MISS_STALE] = {"miss_i.stale", LW_PERCENT, 10},
    [FLIGHT_VALID] = {"flight_i.valid", LW_UNIFORM, 0},
    [FLIGHT_VPN] = {"flight_i.key.vpn", LW_ZERO, 0},
    [FLIGHT_PASID] = {"flight_i.key.pasid", LW_ZERO, 0},
    [FLIGHT_LEVEL] = {"flight_i.level", LW_ZERO, 0},
    [FLIGHT_PERM] = {"flight_i.perm", LW_UNIFORM, 0},
    [FLIGHT_REACH] = {"flight_i.reach", LW_ZERO, 0},
    [CAM_OP] = {"cam_i.op", LW_ZERO, 0},
    [CAM_PASID] = {"cam_i.key.pasid", LW_MASKED, 1},
    [CAM_VPN] = {"cam_i.key.vpn", LW_MASKED, VPNS},
    [CAM_LEVEL] = {"cam_i.level", LW_ZERO, 0},
    [CAM_REACH] = {"cam_i.reach", LW_ZERO, 0},
    [CAM_POSITION] = {"cam_i.position", LW_ZERO, 0},
    [CAM_ERROR] = {"cam_i.error", LW_PERCENT, 5},
    [CAM_FAILED] = {"cam_i.failed", LW_ZERO, 0},
    [CAM_PERM] = {"cam_i.perm", LW_UNIFORM, 0},
    [CAM_VERDICT] = {"line_i.verdict", LW_ZERO, 0},
    [CAM_FRAME] = {"line_i.frame", LW_ZERO, 0},
    [CAM_CONTIG] = {"line_i.contig", LW_UNIFORM, 0},
    [CAM_SIZE] = {"line_i.size", LW_ZERO, 0},
    [CAM_LINKS] = {"line_i.links", LW_UNIFORM, 0},
    [CLAIM_VALID] = {"cam_i.claim.valid", LW_PERCENT, 70},
    [CLAIM_LEVEL] = {"cam_i.claim.level", LW_ZERO, 0},
    [CLAIM_REACH] = {"cam_i.claim.reach", LW_ZERO, 0},
    [CLAIM_PERM] = {"cam_i.claim.perm", LW_UNIFORM, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 10},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
    [ROOTS_VALID] = {"roots_valid_i", LW_UNIFORM, 0},
    [WANTED] = {"wanted_i", LW_PERCENT, 60},
    [READ_SLOT] = {"read_slot_i", LW_ZERO, 0},
    [DECIDED_SLOT] = {"decision_i.slot", LW_ZERO, 0},
    [GIVE_BACK] = {"decision_i.give_back", LW_ZERO, 0},
    [COMMIT] = {"decision_i.commit", LW_ZERO, 0},
    [ANS_CHOOSE] = {"choose_i", LW_PERCENT, 5},
    [SECOND_HIT] = {"decision_i.hit", LW_PERCENT, 20},
    [SECOND_SLOT] = {"decision_i.hit_slot", LW_UNIFORM, 0},
};

/* Where an entry is valid, the read port reads a valid one (buffer_stimulus.c). */
static const lw_output outputs[] = {
    [INSERT] = {"insert_o", 0},
    [PICK] = {"pick_o.valid", 0},
    [PICK_SLOT] = {"pick_o.slot", 1 + PICK},
    [READ_ID] = {"read_o.id", 1 + ANY_VALID},
    [READ_SRC] = {"read_o.src", 1 + ANY_VALID},
    [READ_PASID] = {"read_o.key.pasid", 1 + ANY_VALID},
    [READ_VPN] = {"read_o.key.vpn", 1 + ANY_VALID},
    [READ_ACCESS] = {"read_o.access", 1 + ANY_VALID},
    [READ_DONE] = {"read_o.done", 1 + ANY_VALID},
    [READ_STALE] = {"read_o.stale", 1 + ANY_VALID},
    [READ_CL] = {"read_o.cl", 1 + ANY_VALID},
    [READ_PL] = {"read_o.pl", 1 + ANY_VALID},
    [LEARNT_PA] = {"learnt_o.frame", 0},
    [LEARNT_PERM] = {"learnt_o.perm", 0},
    [LEARNT_CONTIG] = {"learnt_o.contig", 0},
    [READ_CHANGING] = {"read_o.changing", 1 + ANY_VALID},
    [ANS_VALID] = {"ready_o", 0},
    [READING] = {"reading_o.valid", 0},
    [READING_EPOCH] = {"reading_epoch_o", 1 + READING},
    [ANS_ID] = {"reading_o.id", 1 + READING},
    [ANS_SRC] = {"reading_o.src", 1 + READING},
    [ANS_PASID] = {"reading_o.key.pasid", 1 + READING},
    [ANS_VPN] = {"reading_o.key.vpn", 1 + READING},
    [ANS_ACCESS] = {"reading_o.access", 1 + READING},
    [ANS_KIND] = {"reading_o.kind", 1 + READING},
    [ANS_LEVEL] = {"reading_o.level", 1 + READING},
    [ANS_PFN] = {"reading_o.base", 1 + READING},
    [ANS_SIZE] = {"reading_o.size", 1 + READING},
    [ANS_PERM] = {"reading_o.perm", 1 + READING},
    [ANS_CONTIG] = {"reading_o.contig", 1 + READING},
    [ANS_STALE] = {"reading_o.stale", 1 + READING},
    [ANY_VALID] = {"any_valid_o", 0},
    [ANY_ELIGIBLE] = {"any_eligible_o", 0},
    [ANY_STALE] = {"any_stale_o", 0},
    [SEARCH + OP] = {"search_o.op", 0},
    [SEARCH + OP_PASID] = {"search_o.key.pasid", 0},
    [SEARCH + OP_VPN] = {"search_o.key.vpn", 0},
    [SEARCH + OP_LEVEL] = {"search_o.level", 0},
    [SEARCH + OP_REACH] = {"search_o.reach", 0},
    [SEARCH + OP_CLAIM] = {"search_o.claim.valid", 0},
    [SEARCH + OP_CLAIM_LEVEL] = {"search_o.claim.level", 0},
    [SEARCH + OP_CLAIM_REACH] = {"search_o.claim.reach", 0},
    [SEARCH + OP_POSITION] = {"search_o.position", 0},
    [SEARCH + OP_ERROR] = {"search_o.error", 0},
    [SEARCH + OP_FAILED] = {"search_o.failed", 0},
    [SEARCH + OP_PERM] = {"search_o.perm", 0},
    [SEARCH + OP_CLAIM_PERM] = {"search_o.claim.perm", 0},
    [UPDATE + OP] = {"update_o.op", 0},
    [UPDATE + OP_PASID] = {"update_o.key.pasid", 0},
    [UPDATE + OP_VPN] = {"update_o.key.vpn", 0},
    [UPDATE + OP_LEVEL] = {"update_o.level", 0},
    [UPDATE + OP_REACH] = {"update_o.reach", 0},
    [UPDATE + OP_CLAIM] = {"update_o.claim.valid", 0},
    [UPDATE + OP_CLAIM_LEVEL] = {"update_o.claim.level", 0},
    [UPDATE + OP_CLAIM_REACH] = {"update_o.claim.reach", 0},
    [UPDATE + OP_POSITION] = {"update_o.position", 0},
    [UPDATE + OP_ERROR] = {"update_o.error", 0},
    [UPDATE + OP_FAILED] = {"update_o.failed", 0},
    [UPDATE + OP_PERM] = {"update_o.perm", 0},
    [UPDATE + OP_CLAIM_PERM] = {"update_o.claim.perm", 0},
    [SAME_NEIGHBOURHOOD] = {"same_neighbourhood_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_BUFFER, "", NULL},
                                            {LW_S_STORE, "gen_store.u_store", NULL},
                                            {LW_S_STORED_PTE, "gen_store.u_store", NULL},
                                            {LW_S_STORE_CONTROL, "gen_store.u_store", NULL},
                                            {LW_S_BUFFER_RING, "u_ring", NULL},
                                            {LW_S_BUFFER_CONTROL, "", NULL},
                                            {LW_S_SEARCH, "u_operation", NULL},
                                            {LW_S_SEARCH_LINE, "u_operation", NULL},
                                            {LW_S_UPDATE, "u_operation", NULL},
                                            {LW_S_UPDATE_LINE, "u_operation", NULL}};

/* ---------------------------------------------------------------- the twin */

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    lw_control *c = &bench->u->control;
    const own *o = bench->own;
    c->feature_bits = (uint8_t)(in[MODE].w[0] | (uint64_t)o->enabled << 4); /* R12.2 */
    lw_control_derive(c);
    for (uint32_t p = 0; p < bench->u->cfg.hw.pasids; p++) {
        c->roots.root[p] = lw_bits_get(&in[ROOTS_VALID], p, 1) << 63;
    }
}

/* R10.2: what is being read. */
static void show_answer(const lw_buffer *b, lw_bits *out) {
    lw_result r = {.valid = false};
    lw_buffer_result(b, &r);
    out[ANS_VALID].w[0] = b->ready;
    out[READING].w[0] = r.valid;
    out[READING_EPOCH].w[0] = b->reading_epoch;
    out[ANS_ID].w[0] = r.id;
    out[ANS_SRC].w[0] = r.src;
    out[ANS_PASID].w[0] = lw_key_pasid(r.key);
    out[ANS_VPN].w[0] = lw_key_vpn(r.key);
    out[ANS_ACCESS].w[0] = r.access;
    out[ANS_KIND].w[0] = r.kind;
    out[ANS_LEVEL].w[0] = r.level;
    out[ANS_PFN].w[0] = r.base;
    out[ANS_SIZE].w[0] = r.size;
    out[ANS_PERM].w[0] = r.perm;
    out[ANS_CONTIG].w[0] = r.contig;
    out[ANS_STALE].w[0] = r.stale;
}

static void show_read(const lw_buffer *b, uint32_t slot, lw_bits *out) {
    lw_entry e;
    lw_buffer_read(b, slot, &e);
    out[READ_ID].w[0] = e.id;
    out[READ_SRC].w[0] = e.src;
    out[READ_PASID].w[0] = lw_key_pasid(e.key);
    out[READ_VPN].w[0] = lw_key_vpn(e.key);
    out[READ_ACCESS].w[0] = e.access;
    out[READ_DONE].w[0] = e.done;
    out[READ_STALE].w[0] = e.stale;
    out[READ_CL].w[0] = e.cl;
    out[READ_PL].w[0] = e.pl;
    const lw_learnt learnt = lw_buffer_learnt(b);
    out[LEARNT_PA].w[0] = learnt.pa;
    out[LEARNT_PERM].w[0] = learnt.perm;
    out[LEARNT_CONTIG].w[0] = learnt.contig;
    out[READ_CHANGING].w[0] = lw_buffer_is_near(b, slot);
}

/* From SEARCH or UPDATE on. */
static void show_operation(const lw_cam_op *o, lw_bits *out) {
    out[OP].w[0] = o->op;
    out[OP_PASID].w[0] = lw_key_pasid(o->key);
    out[OP_VPN].w[0] = lw_key_vpn(o->key);
    out[OP_LEVEL].w[0] = o->level;
    out[OP_REACH].w[0] = o->reach;
    out[OP_CLAIM].w[0] = o->claim;
    out[OP_CLAIM_LEVEL].w[0] = o->claim_level;
    out[OP_CLAIM_REACH].w[0] = o->claim_reach;
    out[OP_POSITION].w[0] = o->position;
    out[OP_ERROR].w[0] = o->error;
    out[OP_FAILED].w[0] = o->failed;
    out[OP_PERM].w[0] = o->perm;
    out[OP_CLAIM_PERM].w[0] = o->claim_perm;
}

/* R5.2 */
static bool picks(const lw_buffer *b, const lw_bits *in) {
    return in[WANTED].w[0] != 0 && lw_buffer_any_eligible(b);
}

static void outputs_of(lw_bench *bench, const lw_bits *in, lw_bits *out) {
    const lw_buffer *b = &bench->u->walk.buffer;
    own *o = bench->own;
    take_inputs(bench, in);
    out[INSERT].w[0] = in[MISS_VALID].w[0] != 0 && b->open; /* R4.2 */
    out[PICK].w[0] = picks(b, in);
    out[PICK_SLOT].w[0] = (uint64_t)lw_buffer_oldest(b);
    show_read(b, (uint32_t)in[READ_SLOT].w[0], out);
    show_answer(b, out);
    show_operation(&b->cam.search, &out[SEARCH]);
    show_operation(&b->cam.update, &out[UPDATE]);
    out[UPDATE + OP_POSITION].w[0] = 0; /* each entry has been told its own (R9.4) */
    out[ANY_VALID].w[0] = b->entries != 0;
    out[ANY_ELIGIBLE].w[0] = lw_buffer_any_eligible(b);
    out[ANY_STALE].w[0] = lw_buffer_any_stale(b);
    if (b->cam.update.op == LW_OP_NONE) {
        return;
    }
    lw_events events = {{0}};
    o->scratch = *b;
    lw_buffer_operate(&o->scratch, bench->u->control.features.takes_part, lw_buffer_awaits(b),
                      &events);
    out[SAME_NEIGHBOURHOOD].w[0] = events.total[LW_C_SAME_NEIGHBOURHOOD];
}

/* What the CAM takes, and what a walker does with the entry that it has read. */
static void take_operation(lw_bench *bench, const lw_bits *in) {
    const own *o = bench->own;
    lw_buffer *b = &bench->u->walk.buffer;
    const lw_decision decision = {.give_back = in[GIVE_BACK].w[0] != 0,
                                  .leaves = in[COMMIT].w[0] != 0,
                                  .slot = (uint16_t)in[DECIDED_SLOT].w[0]};
    lw_buffer_decide(b, &decision);
    if (in[CAM_OP].w[0] != LW_OP_NONE) {
        const lw_cam_op op = buffer_operation(in);
        lw_cam_take(&b->cam, &op);
    }
    if (in[CAM_OP].w[0] == LW_OP_SCAN) {
        lw_cam_take_line(&b->cam, o->line, &o->as, bench->u->control.features.contig_mask);
    }
}

/* R4.3, on the state at the beginning of the cycle. */
static uint32_t first_cl(const lw_bench *bench, const lw_bits *in, const lw_miss *miss) {
    const lw_config *cfg = &bench->u->cfg;
    const uint32_t pasid_w = lw_log2(cfg->hw.pasids);
    lw_flight flight[LW_WALKERS_MAX];
    uint32_t flights = 0;
    for (uint32_t m = (uint32_t)in[FLIGHT_VALID].w[0]; m != 0; m &= m - 1) {
        const uint32_t w = (uint32_t)__builtin_ctz(m);
        const uint64_t pasid = lw_bits_get(&in[FLIGHT_PASID], w * pasid_w, pasid_w);
        const uint64_t vpn = lw_bits_get(&in[FLIGHT_VPN], w * cfg->vpn_w, cfg->vpn_w);
        flight[flights++] = (lw_flight){.key = lw_key((uint32_t)pasid, vpn),
                                        .reach = (lw_reach)lw_bits_get(&in[FLIGHT_REACH], w * 2, 2),
                                        .level = (uint8_t)lw_bits_get(&in[FLIGHT_LEVEL], w * 3, 3),
                                        .perm = (uint8_t)lw_bits_get(&in[FLIGHT_PERM], w * 2, 2)};
    }
    return lw_buffer_first_cl(miss, flight, flights, bench->u->control.features.takes_part);
}

/* In the order of the whole unit's cycle (walk_engine.c). */
static void step(lw_bench *bench, const lw_bits *in) {
    lw_buffer *b = &bench->u->walk.buffer;
    take_inputs(bench, in);
    const lw_mark mark = buffer_mark_of(in);
    const lw_miss miss = {.key = lw_key((uint32_t)in[MISS_PASID].w[0], in[MISS_VPN].w[0]),
                          .id = (uint16_t)in[MISS_ID].w[0],
                          .src = (uint16_t)in[MISS_SRC].w[0],
                          .access = (uint8_t)in[MISS_ACCESS].w[0],
                          .valid = in[MISS_VALID].w[0] != 0,
                          .stale = in[MISS_STALE].w[0] != 0};
    const int32_t oldest = picks(b, in) ? lw_buffer_oldest(b) : LW_NONE;
    const bool inserts = miss.valid && b->open, next_open = lw_buffer_next_open(b, inserts);
    const bool met = lw_mark_meets(&mark, lw_key_pasid(miss.key));
    const uint32_t cl = inserts && !met ? first_cl(bench, in, &miss) : 0;
    const uint32_t awaited = lw_buffer_awaits(b);
    const lw_named named = lw_buffer_named(b, (uint32_t)in[READ_SLOT].w[0]);
    lw_buffer_answer(b, in[ANS_CHOOSE].w[0] != 0, in[EPOCH].w[0] != 0);
    lw_buffer_load_look(b, named);
    lw_buffer_operate(b, bench->u->control.features.takes_part, awaited, &bench->u->events);
    take_operation(bench, in);
    if (oldest != LW_NONE) {
        lw_buffer_pick(b, (uint32_t)oldest);
    }
    if (mark.valid) {
        lw_buffer_mark(b, &mark, &bench->u->control.roots);
    }
    lw_buffer_insert(b, inserts ? &miss : NULL, cl, next_open);
    if (in[SECOND_HIT].w[0] != 0) { /* R5.28 */
        const lw_decision hit = {.leaves = true, .slot = (uint16_t)in[SECOND_SLOT].w[0]};
        lw_buffer_decide(b, &hit);
    }
}

const lw_module lw_module_iommu_buffer = {
    .top = "iommu_buffer",
    .parameters = "VpnW PfnW PasidW IdW SrcW BufferEntries Lines Walkers Sizes Coalesce Subregions "
                  "Colt",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(own),
    .legal = buffer_stimulus_make_legal,
    .outputs_of = outputs_of,
    .step = step,
};
