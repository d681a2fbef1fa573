/* The invalidation's state machine; every input is legal in every cycle. */
#include "tests/modules/modules.h"

enum { INV_VALID, INV_TYPE, INV_PASID, INV_FIRST, INV_LAST, UNDER_WAY, OLD_EPOCH };
enum {
    INV_READY,
    INV_DONE,
    MARK,
    MEETS_ALL,
    MEETS_PASID,
    MEETS_VALUE,
    SWEEP_VALID,
    SWEEP_SET,
    TYPE,
    PASID,
    FIRST,
    LAST,
    EPOCH
};

static const lw_input inputs[] = {
    [INV_VALID] = {"inv_valid_i", LW_PERCENT, 40}, [INV_TYPE] = {"inv_i.inv_type", LW_UNIFORM, 0},
    [INV_PASID] = {"inv_i.pasid", LW_MASKED, 7},   [INV_FIRST] = {"inv_i.first", LW_UNIFORM, 0},
    [INV_LAST] = {"inv_i.last", LW_UNIFORM, 0},    [UNDER_WAY] = {"under_way_i", LW_PERCENT, 50},
    [OLD_EPOCH] = {"old_epoch_i", LW_PERCENT, 50},
};

static const lw_output outputs[] = {
    [INV_READY] = {"inv_ready_o", 0},
    [INV_DONE] = {"inv_done_o", 0},
    [MARK] = {"mark_o.valid", 0},
    [MEETS_ALL] = {"mark_o.all", 0},
    [MEETS_PASID] = {"mark_o.one", 0},
    [MEETS_VALUE] = {"mark_o.pasid", 1 + MEETS_PASID},
    [SWEEP_VALID] = {"sweep_o.valid", 0},
    [SWEEP_SET] = {"sweep_o.set_index", 0},
    [TYPE] = {"sweep_o.inv.inv_type", 0},
    [PASID] = {"sweep_o.inv.pasid", 0},
    [FIRST] = {"sweep_o.inv.first", 0},
    [LAST] = {"sweep_o.inv.last", 0},
    [EPOCH] = {"epoch_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_INVALIDATION, "", NULL}};

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const lw_invalidation *v = &b->u->invalidation;
    const lw_mark mark = lw_invalidation_mark(v);
    const lw_sweep by = lw_invalidation_sweep(v);
    (void)in;
    out[INV_READY].w[0] = v->state == LW_INV_IDLE;
    out[INV_DONE].w[0] = v->state == LW_INV_COMPLETE;
    out[MARK].w[0] = mark.valid;
    out[MEETS_ALL].w[0] = mark.all;
    out[MEETS_PASID].w[0] = mark.one;
    out[MEETS_VALUE].w[0] = mark.pasid & (b->u->cfg.hw.pasids - 1);
    out[SWEEP_VALID].w[0] = by.valid;
    out[SWEEP_SET].w[0] = by.set;
    out[TYPE].w[0] = by.type;
    out[PASID].w[0] = by.pasid;
    out[FIRST].w[0] = by.first;
    out[LAST].w[0] = by.last;
    out[EPOCH].w[0] = v->epoch;
}

static void step(lw_bench *b, const lw_bits *in) {
    const lw_inputs inputs_of = {.inv_valid = in[INV_VALID].w[0] != 0,
                                 .inv_type = (uint32_t)in[INV_TYPE].w[0],
                                 .inv_pasid = (uint32_t)in[INV_PASID].w[0],
                                 .inv_first = in[INV_FIRST].w[0],
                                 .inv_last = in[INV_LAST].w[0]};
    lw_invalidation_step(&b->u->invalidation, &inputs_of, in[UNDER_WAY].w[0] != 0,
                         in[OLD_EPOCH].w[0] != 0);
}

const lw_module lw_module_invalidation = {
    .top = "invalidation",
    .parameters = "VpnW PasidW Sets TlbStages",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .outputs_of = outputs_of,
    .step = step,
};
