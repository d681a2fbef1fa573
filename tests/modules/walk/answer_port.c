/* The answer port: walkers and entries with every answer that chapters 7 and 9 can leave in them,
 * joined entries that wait, and marks. What an answer's registers cannot hold together is in
 * `legal`. */
#include "c_model/walk/walk_engine.h"
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"
#include "tests/modules/shapes.h"

/* Ports that belong together share a line, where clang-format would give each its own. */
/* clang-format off */
enum { /* what a walker's answer and a read entry's have, in one order */
    STALE, ID, SRC, PASID, VPN, ACCESS, KIND, LEVEL, BASE, SIZE, PERM, CONTIG, ANSWER_PORTS
};
enum {
    SUBREGION_ENABLE, EPOCH_IN, MARK, MARK_ALL, MARK_PASID, MARK_VALUE, ROOM, WALKER_VALID, WALKER,
    SCAN_VALID = WALKER + ANSWER_PORTS, SCAN, ENTRY_VALID = SCAN + ANSWER_PORTS, READING, READING_EPOCH, ENTRY,
    JOIN_VALID = ENTRY + ANSWER_PORTS, JOIN_PASID, JOIN_VSN, JOIN_LENGTH, JOIN_PFN, JOIN_PERM
};
enum {
    WALKER_TAKE, SCAN_TAKE, ENTRY_CHOOSE, CHOSEN, LEFT, ANS_VALID, ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS,
    ANS_KIND, ANS_LEVEL, ANS_PFN, ANS_SIZE, ANS_PERM, ANS_EPOCH, OLD_EPOCH, JOIN_TAKEN, JOIN_LOADS,
    FILL_VALID, FILL_CLASS, FILL_PASID, FILL_VPN, FILL_LENGTH, FILL_PFN, FILL_PERM, FILL_SIZE,
    FILL_LOAD_SUBREGION, TOLD_CLASS, TOLD_VPN
};
/* clang-format on */

static const lw_input inputs[] = {
    [SUBREGION_ENABLE] = {"subregion_enable_i", LW_PERCENT, 70},
    [EPOCH_IN] = {"epoch_i", LW_PERCENT, 50},
    [MARK] = {"mark_i.valid", LW_PERCENT, 15},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_UNIFORM, 0},
    [ROOM] = {"room_i", LW_PERCENT, 80},
    [WALKER_VALID] = {"walker_i.valid", LW_PERCENT, 40},
    [WALKER + STALE] = {"walker_i.stale", LW_PERCENT, 10},
    [WALKER + ID] = {"walker_i.id", LW_UNIFORM, 0},
    [WALKER + SRC] = {"walker_i.src", LW_UNIFORM, 0},
    [WALKER + PASID] = {"walker_i.key.pasid", LW_UNIFORM, 0},
    [WALKER + VPN] = {"walker_i.key.vpn", LW_UNIFORM, 0},
    [WALKER + ACCESS] = {"walker_i.access", LW_UNIFORM, 0},
    [WALKER + KIND] = {"walker_i.kind", LW_ZERO, 0},
    [WALKER + LEVEL] = {"walker_i.level", LW_ZERO, 0},
    [WALKER + BASE] = {"walker_i.base", LW_UNIFORM, 0},
    [WALKER + SIZE] = {"walker_i.size", LW_ZERO, 0},
    [WALKER + PERM] = {"walker_i.perm", LW_UNIFORM, 0},
    [WALKER + CONTIG] = {"walker_i.contig", LW_UNIFORM, 0},
    [SCAN_VALID] = {"scan_i.valid", LW_PERCENT, 40},
    [SCAN + STALE] = {"scan_i.stale", LW_PERCENT, 10},
    [SCAN + ID] = {"scan_i.id", LW_UNIFORM, 0},
    [SCAN + SRC] = {"scan_i.src", LW_UNIFORM, 0},
    [SCAN + PASID] = {"scan_i.key.pasid", LW_UNIFORM, 0},
    [SCAN + VPN] = {"scan_i.key.vpn", LW_UNIFORM, 0},
    [SCAN + ACCESS] = {"scan_i.access", LW_UNIFORM, 0},
    [SCAN + KIND] = {"scan_i.kind", LW_ZERO, 0},
    [SCAN + LEVEL] = {"scan_i.level", LW_ZERO, 0},
    [SCAN + BASE] = {"scan_i.base", LW_UNIFORM, 0},
    [SCAN + SIZE] = {"scan_i.size", LW_ZERO, 0},
    [SCAN + PERM] = {"scan_i.perm", LW_UNIFORM, 0},
    [SCAN + CONTIG] = {"scan_i.contig", LW_UNIFORM, 0},
    [ENTRY_VALID] = {"entry_ready_i", LW_PERCENT, 50},
    [READING] = {"entry_i.valid", LW_PERCENT, 40},
    [READING_EPOCH] = {"entry_epoch_i", LW_PERCENT, 50},
    [ENTRY + STALE] = {"entry_i.stale", LW_PERCENT, 10},
    [ENTRY + ID] = {"entry_i.id", LW_UNIFORM, 0},
    [ENTRY + SRC] = {"entry_i.src", LW_UNIFORM, 0},
    [ENTRY + PASID] = {"entry_i.key.pasid", LW_UNIFORM, 0},
    [ENTRY + VPN] = {"entry_i.key.vpn", LW_UNIFORM, 0},
    [ENTRY + ACCESS] = {"entry_i.access", LW_UNIFORM, 0},
    [ENTRY + KIND] = {"entry_i.kind", LW_ZERO, 0},
    [ENTRY + LEVEL] = {"entry_i.level", LW_ZERO, 0},
    [ENTRY + BASE] = {"entry_i.base", LW_UNIFORM, 0},
    [ENTRY + SIZE] = {"entry_i.size", LW_ZERO, 0},
    [ENTRY + PERM] = {"entry_i.perm", LW_UNIFORM, 0},
    [ENTRY + CONTIG] = {"entry_i.contig", LW_BELOW, LW_REACHES},
    [JOIN_VALID] = {"join_i.valid", LW_PERCENT, 40},
    [JOIN_PASID] = {"join_i.pasid", LW_UNIFORM, 0},
    [JOIN_VSN] = {"join_i.vsn", LW_UNIFORM, 0},
    [JOIN_LENGTH] = {"join_i.length", LW_ZERO, 0},
    [JOIN_PFN] = {"join_i.pfn", LW_UNIFORM, 0},
    [JOIN_PERM] = {"join_i.perm", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [WALKER_TAKE] = {"walker_take_o", 0},
    [SCAN_TAKE] = {"scan_take_o", 0},
    [ENTRY_CHOOSE] = {"entry_choose_o", 0},
    [CHOSEN] = {"chosen_o", 0},
    [LEFT] = {"left_o", 0},
    [ANS_VALID] = {"answer_o.valid", 0},
    [ANS_ID] = {"answer_o.response.id", 1 + ANS_VALID},
    [ANS_SRC] = {"answer_o.src", 1 + ANS_VALID},
    [ANS_PASID] = {"answer_o.key.pasid", 1 + ANS_VALID},
    [ANS_VPN] = {"answer_o.key.vpn", 1 + ANS_VALID},
    [ANS_ACCESS] = {"answer_o.access", 1 + ANS_VALID},
    [ANS_KIND] = {"answer_o.response.kind", 1 + ANS_VALID},
    [ANS_LEVEL] = {"answer_o.response.level", 1 + ANS_VALID},
    [ANS_PFN] = {"answer_o.response.pfn", 1 + ANS_VALID},
    [ANS_SIZE] = {"answer_o.response.size", 1 + ANS_VALID},
    [ANS_PERM] = {"answer_o.response.perm", 1 + ANS_VALID},
    [ANS_EPOCH] = {"answer_o.epoch", 1 + ANS_VALID},
    [OLD_EPOCH] = {"old_epoch_o", 0},
    [JOIN_TAKEN] = {"join_taken_o", 0},
    [JOIN_LOADS] = {"join_loads_o", 0},
    [FILL_VALID] = {"fill_o.valid", 0},
    [FILL_CLASS] = {"fill_o.span", 1 + FILL_VALID},
    [FILL_PASID] = {"fill_o.key.pasid", 1 + FILL_VALID},
    [FILL_VPN] = {"fill_o.key.vpn", 1 + FILL_VALID},
    [FILL_LENGTH] = {"fill_o.length", 1 + FILL_VALID},
    [FILL_PFN] = {"fill_o.pfn", 1 + FILL_VALID},
    [FILL_PERM] = {"fill_o.perm", 1 + FILL_VALID},
    [FILL_SIZE] = {"fill_o.size", 1 + FILL_VALID},
    [FILL_LOAD_SUBREGION] = {"fill_load_subregion_o", 0},
    [TOLD_CLASS] = {"told_fill_o.span", 0},
    [TOLD_VPN] = {"told_fill_o.vpn", 0},
};

static const lw_registers_of registers[] = {
    {LW_S_ANSWER, "", NULL}, {LW_S_CHOICE, "", NULL}, {LW_S_FILL, "", NULL}};

/* What the twin's side of a cycle has planned (outputs_of), for the edge. */
typedef struct own {
    lw_answer_inputs inputs;
    lw_answer_plan plan;
    lw_answers scratch; /* where the edge is tried */
} own;

/* The CONTIG of an entry's answer (R9.6). */
static const uint16_t entry_contig[LW_REACHES] = {0, LW_CONTIG_C, LW_CONTIG_AC};

/* R7.4, R7.5, R9.5, R9.6: what an answer of this kind leaves at zero. `walker`: a walker's BASE of
 * a large page has the VPN's bits already, an entry's has any (R10.8). */
static void shape_answer(lw_bench *b, lw_bits *in, bool walker) {
    enum { FAULT_IN = 6, LARGE_IN = 4, SIZES = 2, SIZE_64K = 3 };
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
    if (lw_has_sizes(&cfg->hw) && lw_one_in(&b->rng, LARGE_IN)) { /* R20.5 */
        in[SIZE].w[0] = SIZE_64K;
        in[CONTIG].w[0] = 0;
    } else if (lw_one_in(&b->rng, LARGE_IN)) { /* R1.7 */
        const uint64_t size = 1 + lw_rng_below(&b->rng, SIZES);
        const uint64_t inside = (UINT64_C(1) << lw_index_shift((uint32_t)size + 1)) - 1;
        in[SIZE].w[0] = size;
        if (walker) {
            in[BASE].w[0] = ((in[BASE].w[0] & ~inside) | (in[VPN].w[0] & inside)) & cfg->pfn_mask;
        }
        in[CONTIG].w[0] = in[LEVEL].w[0] = 0;
    }
}

static void legal(lw_bench *b, lw_bits *in) {
    const lw_params *hw = &b->u->cfg.hw;
    in[SUBREGION_ENABLE].w[0] &= hw->subregions;
    in[ENTRY + CONTIG].w[0] = entry_contig[in[ENTRY + CONTIG].w[0]];
    shape_answer(b, &in[WALKER], true);
    shape_answer(b, &in[SCAN], true);
    shape_answer(b, &in[ENTRY], false);
    /* R16.10: two subregions of a frame, or more */
    in[JOIN_VALID].w[0] &= hw->subregions;
    in[JOIN_VSN].w[0] -= (in[JOIN_VSN].w[0] & 7) == 7;
    in[JOIN_LENGTH].w[0] = 1 + lw_rng_below(&b->rng, 7 - (in[JOIN_VSN].w[0] & 7));
}

/* From WALKER, SCAN or ENTRY on. */
static lw_result result_of(bool valid, const lw_bits *in) {
    return (lw_result){.key = lw_key((uint32_t)in[PASID].w[0], in[VPN].w[0]),
                       .base = in[BASE].w[0],
                       .id = (uint16_t)in[ID].w[0],
                       .src = (uint16_t)in[SRC].w[0],
                       .contig = (uint16_t)in[CONTIG].w[0],
                       .access = (uint8_t)in[ACCESS].w[0],
                       .kind = (uint8_t)in[KIND].w[0],
                       .level = (uint8_t)in[LEVEL].w[0],
                       .size = (uint8_t)in[SIZE].w[0],
                       .perm = (uint8_t)in[PERM].w[0],
                       .valid = valid,
                       .stale = in[STALE].w[0] != 0};
}

static lw_answer_inputs inputs_of(lw_bench *b, const lw_bits *in) {
    lw_control *c = &b->u->control;
    c->feature_bits = (uint8_t)(in[SUBREGION_ENABLE].w[0] << 4); /* R12.2 */
    lw_control_derive(c);
    return (lw_answer_inputs){
        .features = &c->features,
        .walker = result_of(in[WALKER_VALID].w[0] != 0, &in[WALKER]),
        .entry = result_of(in[READING].w[0] != 0, &in[ENTRY]),
        .join = {.vsn = in[JOIN_VSN].w[0],
                 .pfn = in[JOIN_PFN].w[0],
                 .pasid = (uint32_t)in[JOIN_PASID].w[0],
                 .valid = in[JOIN_VALID].w[0] != 0,
                 .length = (uint8_t)in[JOIN_LENGTH].w[0],
                 .perm = (uint8_t)in[JOIN_PERM].w[0]},
        .mark = {.valid = in[MARK].w[0] != 0,
                 .all = in[MARK_ALL].w[0] != 0,
                 .one = in[MARK_PASID].w[0] != 0,
                 .pasid = (uint32_t)in[MARK_VALUE].w[0]},
        .epoch = in[EPOCH_IN].w[0] != 0,
        .room = in[ROOM].w[0] != 0,
        .entry_ready = in[ENTRY_VALID].w[0] != 0,
        .entry_epoch = in[READING_EPOCH].w[0] != 0,
    };
}

static void show_answer(const lw_answers *a, lw_bits *out) {
    const lw_response r = lw_answers_response(a);
    out[ANS_VALID].w[0] = a->answer.valid;
    out[ANS_ID].w[0] = r.id;
    out[ANS_SRC].w[0] = a->answer.result.src;
    out[ANS_PASID].w[0] = lw_key_pasid(a->answer.result.key);
    out[ANS_VPN].w[0] = lw_key_vpn(a->answer.result.key);
    out[ANS_ACCESS].w[0] = a->answer.result.access;
    out[ANS_KIND].w[0] = r.kind;
    out[ANS_LEVEL].w[0] = r.level;
    out[ANS_PFN].w[0] = r.pfn;
    out[ANS_SIZE].w[0] = r.size;
    out[ANS_PERM].w[0] = r.perm;
    out[ANS_EPOCH].w[0] = r.epoch;
}

static void show_fill(const lw_answers *a, lw_bits *out) {
    const lw_fill *fill = &a->fill;
    out[FILL_VALID].w[0] = fill->valid;
    out[FILL_CLASS].w[0] = fill->span;
    out[FILL_PASID].w[0] = fill->pasid;
    out[FILL_VPN].w[0] = fill->page;
    out[FILL_LENGTH].w[0] = fill->length;
    out[FILL_PFN].w[0] = fill->pfn;
    out[FILL_PERM].w[0] = fill->perm;
    out[FILL_SIZE].w[0] = fill->size;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    own *o = b->own;
    const lw_answers *a = &b->u->walk.answers;
    lw_events events = {{0}};
    o->inputs = inputs_of(b, in);
    lw_answers_plan(a, &o->inputs, &o->plan);
    const lw_result scanned = result_of(in[SCAN_VALID].w[0] != 0, &in[SCAN]);
    const bool scan_taken = lw_answers_plan_scanned(&o->inputs, &scanned, &o->plan);
    o->scratch = *a;
    lw_answers_step(&o->scratch, &o->inputs, &o->plan, &events);
    out[WALKER_TAKE].w[0] = o->plan.walker;
    out[SCAN_TAKE].w[0] = scan_taken;
    out[ENTRY_CHOOSE].w[0] = o->plan.entry;
    out[CHOSEN].w[0] = o->plan.chosen;
    out[LEFT].w[0] = a->chosen;
    show_answer(a, out);
    /* R11.6 */
    out[OLD_EPOCH].w[0] = (o->inputs.entry.valid && o->inputs.entry_epoch != o->inputs.epoch) ||
                          (a->answer.valid && a->answer.epoch != o->inputs.epoch);
    out[JOIN_TAKEN].w[0] = o->plan.join_taken;
    out[JOIN_LOADS].w[0] = o->plan.join_loads;
    show_fill(a, out);
    out[FILL_LOAD_SUBREGION].w[0] = events.total[LW_C_SUBREGION_FILLS];
    const lw_fill *next = &o->scratch.fill; /* told ahead, if there is one */
    out[TOLD_CLASS].w[0] = next->span;
    out[TOLD_VPN].w[0] = next->page;
    if (!next->valid) {
        memset(&b->unsaid[TOLD_CLASS], 0xff, sizeof b->unsaid[TOLD_CLASS]);
        memset(&b->unsaid[TOLD_VPN], 0xff, sizeof b->unsaid[TOLD_VPN]);
    }
}

static void step(lw_bench *b, const lw_bits *in) {
    own *o = b->own;
    lw_answers *a = &b->u->walk.answers;
    (void)in;
    if (lw_answers_is_busy(a, &o->plan)) {
        lw_answers_step(a, &o->inputs, &o->plan, &b->u->events);
    }
}

const lw_module lw_module_answer_port = {
    .top = "answer_port",
    .parameters = "VpnW PfnW PasidW IdW SrcW TlbPartition Subregions Colt",
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
