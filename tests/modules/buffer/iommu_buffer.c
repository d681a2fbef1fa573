/* The IOMMU buffer: every operation of its ports in every cycle in which it may come, with keys
 * that meet the entries. Its neighbours' rules that it relies on are those of `legal`. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

/* clang-format off */
enum { /* what the outputs show of an operation in search and of one in update */
    OP, OP_PASID, OP_VPN, OP_LEVEL, OP_REACH, OP_POSITION, OP_ERROR, OP_PERM, OP_CLAIM, OP_CLAIM_LEVEL,
    OP_CLAIM_REACH, OP_CLAIM_PERM, OPERATION_PORTS
};
enum {
    MODE, EPOCH, MISS_VALID, MISS_ID, MISS_SRC, MISS_PASID, MISS_VPN, MISS_ACCESS, FLIGHT_VALID,
    FLIGHT_VPN,    FLIGHT_PASID, FLIGHT_LEVEL, FLIGHT_PERM, FLIGHT_REACH, CAM_OP, CAM_PASID, CAM_VPN, CAM_LEVEL,
    CAM_REACH, CAM_POSITION, CAM_ERROR, CAM_PERM, CAM_VERDICT, CAM_FRAME, CAM_CONTIG, CAM_LINKS,
    CLAIM_VALID, CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM, MARK, MARK_ALL, MARK_PASID, MARK_VALUE, TAKE,
    READ_SLOT, COMMIT_SLOT, COMMIT_BLOCK, GIVE_BACK, COMMIT, ANS_CHOOSE, FREED, FREED_BLOCK
};
enum {
    INSERTING, NEXT_SEQ, BLOCK_LIVE, CANDIDATE_HELD, PICKING, CANDIDATE_SLOT, READ_ID, READ_SRC, READ_PASID,
    READ_VPN, READ_ACCESS, READ_DONE, READ_CL, READ_PL, READ_PA, READ_PERM, READ_CONTIG, READ_BLOCK,
    ANS_VALID, READING, READING_EPOCH, ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND, ANS_LEVEL, ANS_PFN,
    ANS_SIZE, ANS_PERM, ANS_CONTIG, ANS_STALE, ANS_BLOCK, ANY_VALID, ANY_ELIGIBLE, ANY_STALE,
    SEARCH, UPDATE = SEARCH + OPERATION_PORTS, SAME_NEIGHBOURHOOD = UPDATE + OPERATION_PORTS
};
/* clang-format on */

/* Two bits of a line, and one bit of each step between two neighbourhoods. */
#define VPNS UINT64_C(0x4824120b)

static const lw_input inputs[] = {
    [MODE] = {"mode_i", LW_UNIFORM, 0},
    [EPOCH] = {"epoch_i", LW_UNIFORM, 0},
    [MISS_VALID] = {"miss_i.valid", LW_PERCENT, 50},
    [MISS_ID] = {"miss_i.id", LW_UNIFORM, 0},
    [MISS_SRC] = {"miss_i.src", LW_UNIFORM, 0},
    [MISS_PASID] = {"miss_i.key.pasid", LW_MASKED, 1},
    [MISS_VPN] = {"miss_i.key.vpn", LW_MASKED, VPNS},
    [MISS_ACCESS] = {"miss_i.access", LW_UNIFORM, 0},
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
    [CAM_PERM] = {"cam_i.perm", LW_UNIFORM, 0},
    [CAM_VERDICT] = {"line_i.verdict", LW_ZERO, 0},
    [CAM_FRAME] = {"line_i.frame", LW_ZERO, 0},
    [CAM_CONTIG] = {"line_i.contig", LW_UNIFORM, 0},
    [CAM_LINKS] = {"line_i.links", LW_UNIFORM, 0},
    [CLAIM_VALID] = {"cam_i.claim.valid", LW_PERCENT, 70},
    [CLAIM_LEVEL] = {"cam_i.claim.level", LW_ZERO, 0},
    [CLAIM_REACH] = {"cam_i.claim.reach", LW_ZERO, 0},
    [CLAIM_PERM] = {"cam_i.claim.perm", LW_UNIFORM, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 10},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
    [TAKE] = {"take_i", LW_PERCENT, 60},
    [READ_SLOT] = {"read_slot_i", LW_ZERO, 0},
    [COMMIT_SLOT] = {"decision_i.slot", LW_ZERO, 0},
    [COMMIT_BLOCK] = {"decision_i.block", LW_ZERO, 0},
    [GIVE_BACK] = {"decision_i.give_back", LW_ZERO, 0},
    [COMMIT] = {"decision_i.commit", LW_ZERO, 0},
    [ANS_CHOOSE] = {"choose_i", LW_PERCENT, 50},
    [FREED] = {"freed_i", LW_PERCENT, 60},
    [FREED_BLOCK] = {"freed_block_i", LW_ZERO, 0},
};

/* Where an entry is valid, the read port reads a valid one (`legal`). */
static const lw_output outputs[] = {
    [INSERTING] = {"inserting_o", 0},
    [NEXT_SEQ] = {"next_seq_o", 0},
    [BLOCK_LIVE] = {"block_live_o", 0},
    [CANDIDATE_HELD] = {"candidate_o.held", 0},
    [PICKING] = {"picking_o", 0},
    [CANDIDATE_SLOT] = {"candidate_o.slot", 0},
    [READ_ID] = {"read_o.id", 1 + ANY_VALID},
    [READ_SRC] = {"read_o.src", 1 + ANY_VALID},
    [READ_PASID] = {"read_o.key.pasid", 1 + ANY_VALID},
    [READ_VPN] = {"read_o.key.vpn", 1 + ANY_VALID},
    [READ_ACCESS] = {"read_o.access", 1 + ANY_VALID},
    [READ_DONE] = {"read_o.done", 1 + ANY_VALID},
    [READ_CL] = {"read_o.cl", 1 + ANY_VALID},
    [READ_PL] = {"read_o.pl", 1 + ANY_VALID},
    [READ_PA] = {"read_o.pa", 1 + ANY_VALID},
    [READ_PERM] = {"read_o.perm", 1 + ANY_VALID},
    [READ_CONTIG] = {"read_o.contig", 1 + ANY_VALID},
    [READ_BLOCK] = {"read_o.block", 1 + ANY_VALID},
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
    [ANS_BLOCK] = {"reading_block_o", 1 + READING},
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
    [UPDATE + OP_PERM] = {"update_o.perm", 0},
    [UPDATE + OP_CLAIM_PERM] = {"update_o.claim.perm", 0},
    [SAME_NEIGHBOURHOOD] = {"same_neighbourhood_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_BUFFER, "", NULL},
                                            {LW_S_BUFFER_CONTROL, "", NULL},
                                            {LW_S_BLOCK, "", NULL},
                                            {LW_S_SEARCH, "u_operation", NULL},
                                            {LW_S_SEARCH_LINE, "u_operation", NULL},
                                            {LW_S_UPDATE, "u_operation", NULL},
                                            {LW_S_UPDATE_LINE, "u_operation", NULL},
                                            {LW_S_PICK, "u_oldest_first", NULL},
                                            {LW_S_ROUND1, "u_oldest_first", NULL},
                                            {LW_S_ROUND2, "u_oldest_first", NULL}};

typedef struct own {
    uint64_t line[8];            /* of which the verdicts are those at the port */
    bool enabled;                /* SUBREGION_ENABLE in the cycle in which it was read */
    lw_buffer scratch;           /* where an update is tried */
    uint32_t leaving[LW_BLOCKS]; /* entries chosen that have not left their block (R2.4) */
} own;

/* ---------------------------------------------------------------- what is legal */

static uint32_t slots(const lw_buffer *b, const lw_slots *m) {
    return (uint32_t)m->w[0] & ((UINT32_C(1) << b->cfg->hw.buffer_entries) - 1);
}

/* Entries that a walker has taken and not yet committed. */
static uint32_t held(const lw_buffer *b) {
    const uint32_t candidate = b->candidate_held ? UINT32_C(1) << b->candidate_slot : 0;
    return slots(b, &b->picked) & ~candidate;
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

/* The operation at the port (R4.7). */
static lw_operation operation(const lw_bits *in) {
    return (lw_operation){.key = lw_key((uint32_t)in[CAM_PASID].w[0], in[CAM_VPN].w[0]),
                          .op = (uint8_t)in[CAM_OP].w[0],
                          .level = (uint8_t)in[CAM_LEVEL].w[0],
                          .reach = (uint8_t)in[CAM_REACH].w[0],
                          .position = (uint8_t)in[CAM_POSITION].w[0],
                          .error = in[CAM_ERROR].w[0] != 0,
                          .perm = (uint8_t)in[CAM_PERM].w[0],
                          .claim = in[CLAIM_VALID].w[0] != 0,
                          .claim_level = (uint8_t)in[CLAIM_LEVEL].w[0],
                          .claim_reach = (uint8_t)in[CLAIM_REACH].w[0],
                          .claim_perm = (uint8_t)in[CLAIM_PERM].w[0],
                          .links = (uint8_t)in[CAM_LINKS].w[0]};
}

/* How far a scan reaches, and its line. */
static void draw_line(lw_bench *bench, lw_bits *in) {
    enum { DISABLED_IN = 4 };
    const lw_config *cfg = &bench->u->cfg;
    own *o = bench->own;
    in[CAM_REACH].w[0] = draw_reach(bench, in[CAM_LEVEL].w[0]);
    const lw_operation op = operation(in);
    const lw_access a = lw_operation_access(&op);
    in[CAM_POSITION].w[0] = lw_pte_index(cfg, &a) & 7;
    o->enabled = cfg->hw.subregions != 0 && !lw_one_in(&bench->rng, DISABLED_IN);
    lw_draw_line(&bench->rng, cfg, o->line);
    if (cfg->hw.colt == LW_COLT_NONE || a.level != 1) { /* R1.14 */
        in[CAM_LINKS].w[0] = 0;
    } else if (a.reach != LW_REACH_LINE && in[CAM_LINKS].w[0] != 0) {
        in[CAM_LINKS].w[0] = UINT64_MAX >> (64 - 6);
    }
    lw_decoded line;
    lw_decode_line(cfg, o->line, a.level, o->enabled ? LW_CONTIG_AC | LW_CONTIG_C : 0, &line);
    in[CAM_VERDICT] = line.verdict;
    in[CAM_FRAME] = line.frame;
    in[CAM_CONTIG] = line.contig;
}

static void put_zero(lw_bits *in, const uint8_t *port, uint32_t ports) {
    for (uint32_t i = 0; i < ports; i++) {
        in[port[i]] = (lw_bits){{0}};
    }
}

/* R5.6: whether the operations in search and update leave the entry alone. */
static bool may_commit(const lw_bench *bench, const lw_bits *in, uint32_t slot) {
    const lw_buffer *b = &bench->u->buffer;
    const uint64_t key = b->entry[slot].key;
    const bool close =
        lw_operation_is_close(&b->cam.search, key) || lw_operation_is_close(&b->cam.update, key);
    return !close || in[MODE].w[0] == 0 || b->cfg->hw.coalesce == 0;
}

static void choose_commit(lw_bench *bench, lw_bits *in) {
    const lw_buffer *b = &bench->u->buffer;
    const uint32_t slot = lw_draw_bit(&bench->rng, held(b));
    const lw_entry *e = &b->entry[slot];
    if (!may_commit(bench, in, slot)) {
        return;
    }
    const bool back = lw_slots_has(&b->done, slot) || e->cl != 0; /* R5.7 */
    in[COMMIT_SLOT].w[0] = slot;
    in[COMMIT_BLOCK].w[0] = lw_buffer_block(b, e);
    in[GIVE_BACK].w[0] = back;
    in[COMMIT].w[0] = !back;
    in[CAM_OP].w[0] = back ? LW_OP_NONE : LW_OP_COMMIT;
    in[CAM_VPN].w[0] = lw_key_vpn(e->key);
    in[CAM_PASID].w[0] = lw_key_pasid(e->key);
    in[CLAIM_LEVEL].w[0] = 1 + lw_rng_below(&bench->rng, bench->u->cfg.hw.levels);
}

static void choose_operation(lw_bench *bench, lw_bits *in) {
    const lw_buffer *b = &bench->u->buffer;
    const uint32_t levels = bench->u->cfg.hw.levels, valid = slots(b, &b->valid);
    enum { SCAN_BELOW = 35, ADVANCE_BELOW = 50, COMMIT_BELOW = 80, ALL = 100 };
    const uint64_t roll = lw_rng_below(&bench->rng, ALL);
    if (valid != 0 && !lw_one_in(&bench->rng, 3)) { /* a key that meets somebody */
        const lw_entry *e = &b->entry[lw_draw_bit(&bench->rng, valid)];
        in[CAM_VPN].w[0] = lw_key_vpn(e->key) ^ (lw_rng_next(&bench->rng) & within(bench));
        in[CAM_PASID].w[0] = lw_key_pasid(e->key);
    }
    in[READ_SLOT].w[0] = valid != 0 ? lw_draw_bit(&bench->rng, valid) : 0;
    if (in[MARK].w[0] != 0) {
        in[CAM_OP].w[0] = LW_OP_NONE;
    } else if (roll < SCAN_BELOW) {
        const uint64_t level = 1 + lw_rng_below(&bench->rng, levels);
        in[CAM_OP].w[0] = LW_OP_SCAN;
        in[CAM_LEVEL].w[0] = level;
        in[CLAIM_VALID].w[0] &= in[CAM_ERROR].w[0] == 0 && level > 1;
        in[CLAIM_LEVEL].w[0] = level - 1;
        in[CLAIM_PERM].w[0] &= in[CAM_PERM].w[0];
    } else if (roll < ADVANCE_BELOW) {
        in[CAM_OP].w[0] = LW_OP_ADVANCE; /* after a hit, so below the root */
        in[CAM_LEVEL].w[0] = 2 + lw_rng_below(&bench->rng, levels - 1);
        in[CLAIM_VALID].w[0] = 1;
        in[CLAIM_LEVEL].w[0] = in[CAM_LEVEL].w[0] - 1;
    } else if (roll < COMMIT_BELOW && held(b) != 0) {
        choose_commit(bench, in);
    }
}

/* What an operation does not say is zero (R4.7). */
static void draw_operation(lw_bench *bench, lw_bits *in) {
    static const uint8_t of_scan[] = {CAM_REACH, CAM_POSITION, CAM_ERROR, CAM_PERM, CAM_LINKS};
    static const uint8_t of_claim[] = {CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM};
    choose_operation(bench, in);
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

/* R2.4: an entry that was chosen leaves its block some time later. */
static void leave_block(lw_bench *bench, lw_bits *in) {
    const own *o = bench->own;
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < LW_BLOCKS; i++) {
        blocks |= (uint32_t)(o->leaving[i] != 0) << i;
    }
    in[FREED].w[0] &= blocks != 0;
    in[FREED_BLOCK].w[0] = blocks != 0 ? lw_draw_bit(&bench->rng, blocks) : 0;
}

static void legal(lw_bench *bench, lw_bits *in) {
    const lw_config *cfg = &bench->u->cfg;
    const lw_buffer *b = &bench->u->buffer;
    const uint32_t seq = (b->next_seq + b->miss.valid) & cfg->seq_mask; /* that the miss will get */
    const uint32_t block = seq >> cfg->block_shift, pasid_w = lw_log2(cfg->hw.pasids);
    /* R2.4: FREE_SLOT will be free; the live SEQs lie in this block and the one before */
    in[MISS_VALID].w[0] &= lw_buffer_next_free(b) != LW_NONE &&
                           b->block_live[(block + 1) & 3] == 0 &&
                           b->block_live[(block + 2) & 3] == 0;
    in[MISS_VPN].w[0] ^= lw_rng_next(&bench->rng) & within(bench);
    for (uint32_t w = 0; w < cfg->hw.walkers; w++) {
        const uint64_t level = 1 + lw_rng_below(&bench->rng, cfg->hw.levels);
        const bool near = lw_one_in(&bench->rng, 2); /* in flight where the new entry is */
        const uint64_t random = lw_rng_next(&bench->rng);
        lw_bits_put(&in[FLIGHT_VPN], w * cfg->vpn_w, cfg->vpn_w,
                    near ? b->new_vpn ^ (random & (within(bench) | 7)) : random & VPNS);
        lw_bits_put(&in[FLIGHT_PASID], w * pasid_w, pasid_w, near ? b->new_pasid : random >> 63);
        lw_bits_put(&in[FLIGHT_LEVEL], w * 3, 3, level);
        lw_bits_put(&in[FLIGHT_REACH], w * 2, 2, draw_reach(bench, level));
    }
    in[MARK].w[0] &= !lw_cam_is_busy(&b->cam); /* R11.2 */
    draw_operation(bench, in);
    in[TAKE].w[0] &= b->candidate_held && in[MARK].w[0] == 0;
    leave_block(bench, in);
    in[ANS_CHOOSE].w[0] &= lw_buffer_next_answer(b) != LW_NONE;
}

/* ---------------------------------------------------------------- the twin */

/* A CONTIG that gives every page this reach (R1.11). */
static const uint16_t contig_of[LW_REACHES] = {0, LW_CONTIG_C, LW_CONTIG_AC};

static void take_inputs(lw_bench *bench, const lw_bits *in) {
    lw_iommu *u = bench->u;
    const uint32_t pasid_w = lw_log2(u->cfg.hw.pasids);
    const own *o = bench->own;
    u->control.features = (uint8_t)(in[MODE].w[0] | (uint64_t)o->enabled << 4); /* R12.2 */
    lw_control_derive(&u->control);
    u->walkers.started = (uint32_t)in[FLIGHT_VALID].w[0];
    for (uint32_t w = 0; w < u->cfg.hw.walkers; w++) {
        lw_pwst *p = &u->walkers.walker[w];
        p->key = lw_key((uint32_t)lw_bits_get(&in[FLIGHT_PASID], w * pasid_w, pasid_w),
                        lw_bits_get(&in[FLIGHT_VPN], w * u->cfg.vpn_w, u->cfg.vpn_w));
        p->level = (uint8_t)lw_bits_get(&in[FLIGHT_LEVEL], w * 3, 3);
        p->perm = (uint8_t)lw_bits_get(&in[FLIGHT_PERM], w * 2, 2);
        p->contig = contig_of[lw_bits_get(&in[FLIGHT_REACH], w * 2, 2)];
    }
}

/* R10.2: what is being read. */
static void show_answer(const lw_buffer *b, lw_bits *out) {
    const lw_entry *e = &b->entry[b->reading_slot];
    out[ANS_VALID].w[0] = lw_buffer_next_answer(b) != LW_NONE;
    out[READING].w[0] = b->reading;
    out[READING_EPOCH].w[0] = b->reading_epoch;
    out[ANS_ID].w[0] = e->id;
    out[ANS_SRC].w[0] = e->src;
    out[ANS_PASID].w[0] = lw_key_pasid(e->key);
    out[ANS_VPN].w[0] = lw_key_vpn(e->key);
    out[ANS_ACCESS].w[0] = e->access;
    out[ANS_KIND].w[0] = e->kind;
    out[ANS_LEVEL].w[0] = e->level;
    out[ANS_PFN].w[0] = e->pa;
    out[ANS_SIZE].w[0] = e->size;
    out[ANS_PERM].w[0] = e->perm;
    out[ANS_CONTIG].w[0] = e->contig;
    out[ANS_STALE].w[0] = lw_slots_has(&b->stale, b->reading_slot);
    out[ANS_BLOCK].w[0] = lw_buffer_block(b, e);
}

static void show_read(const lw_buffer *b, uint32_t slot, lw_bits *out) {
    const lw_entry *e = &b->entry[slot];
    out[READ_ID].w[0] = e->id;
    out[READ_SRC].w[0] = e->src;
    out[READ_PASID].w[0] = lw_key_pasid(e->key);
    out[READ_VPN].w[0] = lw_key_vpn(e->key);
    out[READ_ACCESS].w[0] = e->access;
    out[READ_DONE].w[0] = lw_slots_has(&b->done, slot);
    out[READ_CL].w[0] = e->cl;
    out[READ_PL].w[0] = e->pl;
    out[READ_PA].w[0] = e->pa;
    out[READ_PERM].w[0] = e->perm;
    out[READ_CONTIG].w[0] = e->contig;
    out[READ_BLOCK].w[0] = lw_buffer_block(b, e);
}

/* From SEARCH or UPDATE on. */
static void show_operation(const lw_operation *o, lw_bits *out) {
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
    out[OP_PERM].w[0] = o->perm;
    out[OP_CLAIM_PERM].w[0] = o->claim_perm;
}

static void outputs_of(lw_bench *bench, const lw_bits *in, lw_bits *out) {
    const lw_buffer *b = &bench->u->buffer;
    own *o = bench->own;
    take_inputs(bench, in);
    out[INSERTING].w[0] = b->miss.valid;
    out[NEXT_SEQ].w[0] = b->next_seq;
    for (uint32_t i = 0; i < 4; i++) {
        out[BLOCK_LIVE].w[0] |= (uint64_t)(b->block_live[i] != 0) << i;
    }
    out[CANDIDATE_HELD].w[0] = b->candidate_held;
    out[PICKING].w[0] = lw_buffer_is_picking(b);
    out[CANDIDATE_SLOT].w[0] = b->candidate_slot;
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
    lw_counters counters = {.watch = &bench->u->watch};
    o->scratch = *b;
    lw_buffer_operate(&o->scratch, bench->u->control.takes_part, &counters);
    out[SAME_NEIGHBOURHOOD].w[0] = lw_counters_total(&counters, LW_C_SAME_NEIGHBOURHOOD);
}

/* What the CAM takes, and what a walker does with the entry that it has read. */
static void take_operation(lw_bench *bench, const lw_bits *in) {
    const own *o = bench->own;
    lw_buffer *b = &bench->u->buffer;
    if (in[GIVE_BACK].w[0] != 0) {
        lw_buffer_give_back(b, (uint32_t)in[COMMIT_SLOT].w[0]);
    } else if (in[COMMIT].w[0] != 0) {
        lw_buffer_free(b, (uint32_t)in[COMMIT_SLOT].w[0]);
        lw_buffer_leave_block(b, (uint32_t)in[COMMIT_BLOCK].w[0]);
    }
    if (in[CAM_OP].w[0] != LW_OP_NONE) {
        const lw_operation op = operation(in);
        lw_cam_take(&b->cam, &op, op.op == LW_OP_SCAN ? o->line : NULL,
                    bench->u->control.contig_mask);
    }
}

/* The choice (R10.1), and what leaves its block. */
static void answer(lw_bench *bench, const lw_bits *in) {
    lw_buffer *b = &bench->u->buffer;
    own *o = bench->own;
    const bool chosen = in[ANS_CHOOSE].w[0] != 0;
    if (in[FREED].w[0] != 0) {
        lw_buffer_leave_block(b, (uint32_t)in[FREED_BLOCK].w[0]);
        o->leaving[in[FREED_BLOCK].w[0]]--;
    }
    o->leaving[lw_buffer_block(b, &b->entry[b->ready_slot])] += chosen;
    lw_buffer_answer(b, chosen, in[EPOCH].w[0] != 0);
}

/* R4.3, on the state at the beginning of the cycle. */
static uint32_t new_cl(const lw_bench *bench, uint64_t meets) {
    const lw_buffer *b = &bench->u->buffer;
    if (!b->new_valid || (meets >> b->new_pasid & 1) != 0) {
        return 0;
    }
    return lw_walkers_lowest_access(&bench->u->walkers, b, bench->u->control.takes_part);
}

static void step(lw_bench *bench, const lw_bits *in) {
    lw_buffer *b = &bench->u->buffer;
    take_inputs(bench, in);
    const int32_t next_free = lw_buffer_next_free(b);
    uint64_t meets[4] = {0};
    if (in[MARK].w[0] != 0) { /* R11.2; at most 64 PASIDs here */
        meets[0] = in[MARK_ALL].w[0] != 0 ? UINT64_MAX : in[MARK_PASID].w[0] << in[MARK_VALUE].w[0];
    }
    const uint32_t pasid = lw_key_pasid(b->entry[b->candidate_slot].key);
    lw_pick_plan pick;
    lw_buffer_plan_pick(b, in[TAKE].w[0] != 0, (meets[0] >> pasid & 1) != 0, &pick);
    const uint32_t cl = new_cl(bench, meets[0]);
    answer(bench, in);
    lw_buffer_pick(b, &pick);
    lw_buffer_operate(b, bench->u->control.takes_part, &bench->u->counters);
    if (b->new_valid || b->checked) {
        lw_buffer_check(b, cl);
    }
    take_operation(bench, in);
    if (in[MARK].w[0] != 0) {
        lw_buffer_mark(b, meets);
    }
    (void)lw_buffer_insert(b, next_free);
    if (in[MISS_VALID].w[0] != 0) {
        lw_buffer_load_miss(b, (uint32_t)in[MISS_PASID].w[0], in[MISS_VPN].w[0],
                            (uint32_t)in[MISS_ACCESS].w[0], (uint32_t)in[MISS_ID].w[0],
                            (uint32_t)in[MISS_SRC].w[0]);
    } else {
        lw_buffer_no_miss(b);
    }
}

const lw_module lw_module_iommu_buffer = {
    .top = "iommu_buffer",
    .parameters = "VpnW PfnW PasidW IdW SrcW BufferEntries Walkers Coalesce Subregions Colt",
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
