/* The answer port: walkers and entries with every answer that sections 7 and 9 can leave in them,
 * and joined entries that wait. What an answer's registers cannot hold together is in `legal`. */
#include "answers.h"
#include "draws.h"
#include "modules.h"

/* clang-format off */
enum { /* the two that may answer follow each other in one order */
    VALID, STALE, ID, SRC, PASID, VPN, ACCESS, KIND, LEVEL, BASE, SIZE, PERM, CONTIG, ANSWER_PORTS
};
enum {
    SUBREGION_ENABLE, ROOM, WALKER, ENTRY = WALKER + ANSWER_PORTS,
    JOIN_VALID = ENTRY + ANSWER_PORTS, JOIN_PASID, JOIN_VSN, JOIN_LENGTH, JOIN_PFN, JOIN_PERM
};
enum {
    WALKER_TAKE, ENTRY_TAKE, ANS_VALID, ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND,
    ANS_LEVEL, ANS_PFN, ANS_SIZE, ANS_PERM, JOIN_TAKEN, FILL_VALID, FILL_CLASS, FILL_PASID,
    FILL_VPN, FILL_LENGTH, FILL_PFN, FILL_PERM, FILL_SIZE
};
/* clang-format on */
enum { SLOT = 0 };

static const lw_input inputs[] = {
    [SUBREGION_ENABLE] = {"subregion_enable_i", LW_PERCENT, 70},
    [ROOM] = {"room_i", LW_PERCENT, 80},
    [WALKER + VALID] = {"walker_valid_i", LW_PERCENT, 40},
    [WALKER + STALE] = {"walker_stale_i", LW_PERCENT, 10},
    [WALKER + ID] = {"walker_id_i", LW_UNIFORM, 0},
    [WALKER + SRC] = {"walker_src_i", LW_UNIFORM, 0},
    [WALKER + PASID] = {"walker_pasid_i", LW_UNIFORM, 0},
    [WALKER + VPN] = {"walker_vpn_i", LW_UNIFORM, 0},
    [WALKER + ACCESS] = {"walker_access_i", LW_UNIFORM, 0},
    [WALKER + KIND] = {"walker_kind_i", LW_ZERO, 0},
    [WALKER + LEVEL] = {"walker_level_i", LW_ZERO, 0},
    [WALKER + BASE] = {"walker_base_i", LW_UNIFORM, 0},
    [WALKER + SIZE] = {"walker_size_i", LW_ZERO, 0},
    [WALKER + PERM] = {"walker_perm_i", LW_UNIFORM, 0},
    [WALKER + CONTIG] = {"walker_contig_i", LW_UNIFORM, 0},
    [ENTRY + VALID] = {"entry_valid_i", LW_PERCENT, 50},
    [ENTRY + STALE] = {"entry_stale_i", LW_PERCENT, 10},
    [ENTRY + ID] = {"entry_id_i", LW_UNIFORM, 0},
    [ENTRY + SRC] = {"entry_src_i", LW_UNIFORM, 0},
    [ENTRY + PASID] = {"entry_pasid_i", LW_UNIFORM, 0},
    [ENTRY + VPN] = {"entry_vpn_i", LW_UNIFORM, 0},
    [ENTRY + ACCESS] = {"entry_access_i", LW_UNIFORM, 0},
    [ENTRY + KIND] = {"entry_kind_i", LW_ZERO, 0},
    [ENTRY + LEVEL] = {"entry_level_i", LW_ZERO, 0},
    [ENTRY + BASE] = {"entry_base_i", LW_UNIFORM, 0},
    [ENTRY + SIZE] = {"entry_size_i", LW_ZERO, 0},
    [ENTRY + PERM] = {"entry_perm_i", LW_UNIFORM, 0},
    [ENTRY + CONTIG] = {"entry_contig_i", LW_BELOW, LW_REACHES},
    [JOIN_VALID] = {"join_valid_i", LW_PERCENT, 40},
    [JOIN_PASID] = {"join_pasid_i", LW_UNIFORM, 0},
    [JOIN_VSN] = {"join_vsn_i", LW_UNIFORM, 0},
    [JOIN_LENGTH] = {"join_length_i", LW_ZERO, 0},
    [JOIN_PFN] = {"join_pfn_i", LW_UNIFORM, 0},
    [JOIN_PERM] = {"join_perm_i", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [WALKER_TAKE] = {"walker_take_o", 0},
    [ENTRY_TAKE] = {"entry_take_o", 0},
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
    [JOIN_TAKEN] = {"join_taken_o", 0},
    [FILL_VALID] = {"fill_valid_o", 0},
    [FILL_CLASS] = {"fill_class_o", 1 + FILL_VALID},
    [FILL_PASID] = {"fill_pasid_o", 1 + FILL_VALID},
    [FILL_VPN] = {"fill_vpn_o", 1 + FILL_VALID},
    [FILL_LENGTH] = {"fill_length_o", 1 + FILL_VALID},
    [FILL_PFN] = {"fill_pfn_o", 1 + FILL_VALID},
    [FILL_PERM] = {"fill_perm_o", 1 + FILL_VALID},
    [FILL_SIZE] = {"fill_size_o", 1 + FILL_VALID},
};

/* The CONTIG of an entry's answer (R9.6). */
static const uint16_t entry_contig[LW_REACHES] = {0, LW_CONTIG_C, LW_CONTIG_AC};

/* R7.4, R7.5, R9.5, R9.6: what an answer of this kind leaves at zero. */
static void shape_answer(lw_bench *b, lw_bits *in) {
    enum { FAULT_IN = 6, LARGE_IN = 4, SIZES = 2 };
    const lw_config *cfg = &b->u->cfg;
    if (cfg->hw.subregions == 0) {
        in[CONTIG].w[0] = 0;
    }
    if (lw_one_in(&b->rng, FAULT_IN)) {
        in[KIND].w[0] = LW_UNKNOWN_PASID + lw_rng_below(&b->rng, LW_MEMORY_ERROR - 1);
        in[LEVEL].w[0] = 1 + lw_rng_below(&b->rng, cfg->hw.levels);
        in[LEVEL].w[0] = in[KIND].w[0] == LW_UNKNOWN_PASID ? 0 : in[LEVEL].w[0];
        in[BASE] = in[PERM] = in[CONTIG] = (lw_bits){{0}};
        return;
    }
    /* R1.9, R1.14 */
    in[LEVEL].w[0] = cfg->hw.colt != LW_COLT_NONE ? lw_rng_below(&b->rng, LW_LINKS_ALL + 1) : 0;
    if (lw_one_in(&b->rng, LARGE_IN)) { /* R1.7: the page's bits below its size */
        const uint64_t size = 1 + lw_rng_below(&b->rng, SIZES);
        const uint64_t inside = (UINT64_C(1) << lw_index_shift((uint32_t)size + 1)) - 1;
        in[SIZE].w[0] = size;
        in[BASE].w[0] = ((in[BASE].w[0] & ~inside) | (in[VPN].w[0] & inside)) & cfg->pfn_mask;
        in[CONTIG].w[0] = in[LEVEL].w[0] = 0;
    }
}

static void legal(lw_bench *b, lw_bits *in) {
    const lw_params *hw = &b->u->cfg.hw;
    in[SUBREGION_ENABLE].w[0] &= hw->subregions;
    in[ENTRY + CONTIG].w[0] = entry_contig[in[ENTRY + CONTIG].w[0]];
    shape_answer(b, &in[WALKER]);
    shape_answer(b, &in[ENTRY]);
    /* R16.10: two subregions of a frame, or more */
    in[JOIN_VALID].w[0] &= hw->subregions;
    in[JOIN_VSN].w[0] -= (in[JOIN_VSN].w[0] & 7) == 7;
    in[JOIN_LENGTH].w[0] = 1 + lw_rng_below(&b->rng, 7 - (in[JOIN_VSN].w[0] & 7));
}

/* The walker 0 in RESP, or an entry that is DONE, as the port shows them. */
static lw_answer answer_of_walker(lw_bench *b, const lw_bits *in) {
    lw_walkers *w = &b->u->walkers;
    w->walker[0] = (lw_pwst){.key = lw_key((uint32_t)in[PASID].w[0], in[VPN].w[0]),
                             .node = in[BASE].w[0],
                             .id = (uint16_t)in[ID].w[0],
                             .src = (uint16_t)in[SRC].w[0],
                             .contig = (uint16_t)in[CONTIG].w[0],
                             .state = LW_RESP,
                             .access = (uint8_t)in[ACCESS].w[0],
                             .perm = (uint8_t)in[PERM].w[0],
                             .kind = (uint8_t)in[KIND].w[0],
                             .flevel = (uint8_t)in[LEVEL].w[0],
                             .size = (uint8_t)in[SIZE].w[0],
                             .started = true,
                             .stale = in[STALE].w[0] != 0};
    lw_walkers_derive(w);
    return lw_answer_of_walker(b->u, 0, false);
}

static lw_answer answer_of_entry(lw_bench *b, const lw_bits *in) {
    lw_buffer *buffer = &b->u->buffer;
    lw_buffer_insert(buffer, SLOT, (uint32_t)in[PASID].w[0], in[VPN].w[0],
                     (uint32_t)in[ACCESS].w[0], (uint32_t)in[ID].w[0], (uint32_t)in[SRC].w[0]);
    lw_buffer_no_insert(buffer);
    lw_entry *e = &buffer->entry[SLOT];
    e->pa = in[BASE].w[0];
    e->contig = (uint16_t)in[CONTIG].w[0];
    e->perm = (uint8_t)in[PERM].w[0];
    e->kind = (uint8_t)in[KIND].w[0];
    e->level = (uint8_t)in[LEVEL].w[0];
    e->size = (uint8_t)in[SIZE].w[0];
    buffer->done.w[0] = UINT64_C(1) << SLOT;
    buffer->stale.w[0] = in[STALE].w[0] << SLOT;
    lw_buffer_derive(buffer);
    return lw_answer_of_entry(b->u, SLOT, false);
}

static void show_answer(const lw_answer *a, lw_bits *out) {
    out[ANS_VALID].w[0] = 1;
    out[ANS_ID].w[0] = a->response.id;
    out[ANS_SRC].w[0] = a->src;
    out[ANS_PASID].w[0] = lw_key_pasid(a->key);
    out[ANS_VPN].w[0] = lw_key_vpn(a->key);
    out[ANS_ACCESS].w[0] = a->access;
    out[ANS_KIND].w[0] = a->response.kind;
    out[ANS_LEVEL].w[0] = a->response.level;
    out[ANS_PFN].w[0] = a->response.pfn;
    out[ANS_SIZE].w[0] = a->response.size;
    out[ANS_PERM].w[0] = a->response.perm;
}

static void show_fill(const lw_bench *b, const lw_mapping *fill, lw_bits *out) {
    if (!fill->span) { /* a regular entry has none (section 3) */
        memset(&b->unsaid[FILL_LENGTH], 0xff, sizeof b->unsaid[FILL_LENGTH]);
    }
    out[FILL_VALID].w[0] = 1;
    out[FILL_CLASS].w[0] = fill->span;
    out[FILL_PASID].w[0] = fill->pasid;
    out[FILL_VPN].w[0] = fill->page;
    out[FILL_LENGTH].w[0] = fill->length;
    out[FILL_PFN].w[0] = fill->pfn;
    out[FILL_PERM].w[0] = fill->perm;
    out[FILL_SIZE].w[0] = fill->size;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const bool room = in[ROOM].w[0] != 0, walker = in[WALKER + VALID].w[0] != 0;
    lw_mapping fill = {.length = 0};
    bool fills = false;
    b->u->control.features = (uint8_t)(in[SUBREGION_ENABLE].w[0] << 4); /* R12.2 */
    lw_control_derive(&b->u->control);
    out[WALKER_TAKE].w[0] = room && walker; /* R10.1 */
    out[ENTRY_TAKE].w[0] = room && !walker && in[ENTRY + VALID].w[0] != 0;
    if (out[WALKER_TAKE].w[0] != 0 || out[ENTRY_TAKE].w[0] != 0) {
        const lw_answer a =
            walker ? answer_of_walker(b, &in[WALKER]) : answer_of_entry(b, &in[ENTRY]);
        show_answer(&a, out);
        fills = lw_answer_fills(b->u, &a, &fill);
    }
    out[JOIN_TAKEN].w[0] = in[JOIN_VALID].w[0] != 0 && !fills; /* R16.10 */
    if (out[JOIN_TAKEN].w[0] != 0 && b->u->cfg.hw.tlb_partition != 0) {
        fills = true;
        fill = (lw_mapping){.page = in[JOIN_VSN].w[0] << LW_SUBREGION_SHIFT,
                            .pfn = in[JOIN_PFN].w[0],
                            .pasid = (uint32_t)in[JOIN_PASID].w[0],
                            .span = true,
                            .length = (uint8_t)in[JOIN_LENGTH].w[0],
                            .perm = (uint8_t)in[JOIN_PERM].w[0]};
    }
    if (fills) {
        show_fill(b, &fill, out);
    }
}

static void step(lw_bench *b, const lw_bits *in) {
    (void)b; /* nothing is kept */
    (void)in;
}

const lw_module lw_module_answer_port = {
    .top = "answer_port",
    .parameters = "VpnW PfnW PasidW IdW SrcW TlbPartition Subregions Colt",
    .inputs = inputs,
    .outputs = outputs,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
