/* The control port on AXI4-Lite: a manager that writes and reads what there is and what there is
 * not, AW and W in any order, with back-pressure (R19.8 to R19.12, R19.18 to R19.20, R19.22). */
#include "tests/modules/bus/axi_manager.h"
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum { HOLD = LW_LITE_INPUTS, CTL_RDATA, EVENTS, READING };
enum { CTL_WRITE = LW_LITE_OUTPUTS, CTL_ADDR, CTL_WDATA, STATUS };

static const lw_input inputs[] = {
    [LW_AW_VALID] = {"aw_valid_i", LW_PERCENT, 50}, [LW_AW_ADDR] = {"aw_addr_i", LW_UNIFORM, 0},
    [LW_W_VALID] = {"w_valid_i", LW_PERCENT, 50},   [LW_W_DATA] = {"w_data_i", LW_UNIFORM, 0},
    [LW_W_STRB] = {"w_strb_i", LW_UNIFORM, 0},      [LW_B_READY] = {"b_ready_i", LW_PERCENT, 60},
    [LW_AR_VALID] = {"ar_valid_i", LW_PERCENT, 50}, [LW_AR_ADDR] = {"ar_addr_i", LW_UNIFORM, 0},
    [LW_R_READY] = {"r_ready_i", LW_PERCENT, 60},   [HOLD] = {"hold_i", LW_PERCENT, 10},
    [CTL_RDATA] = {"ctl_rdata_i", LW_UNIFORM, 0},   [EVENTS] = {"events_i", LW_ZERO, 0},
    [READING] = {"reading_i", LW_PERCENT, 50},
};

static const lw_output outputs[] = {
    [LW_AW_READY] = {"aw_ready_o", 0}, [LW_W_READY] = {"w_ready_o", 0},
    [LW_B_VALID] = {"b_valid_o", 0},   [LW_B_RESP] = {"b_resp_o", 0},
    [LW_AR_READY] = {"ar_ready_o", 0}, [LW_R_VALID] = {"r_valid_o", 0},
    [LW_R_DATA] = {"r_data_o", 0},     [LW_R_RESP] = {"r_resp_o", 0},
    [CTL_WRITE] = {"ctl_write_o", 0},  [CTL_ADDR] = {"ctl_addr_o", 0},
    [CTL_WDATA] = {"ctl_wdata_o", 0},  [STATUS] = {"status_o", 0},
};

typedef struct own {
    lw_axi_lite lite;
    lw_manager manager;
} own;

static lw_axi_lite *lite_of(lw_bench *b) {
    lw_axi_lite *l = &((own *)b->own)->lite;
    if (l->pasids == 0) {
        const lw_params *hw = &b->u->cfg.hw;
        lw_axi_lite_init(l, hw->pasids, hw->pwc_org == LW_PWC_OF_STEPS);
    }
    return l;
}

static void legal(lw_bench *b, lw_bits *in) {
    own *o = b->own;
    lw_draw_lite(&o->manager, &b->rng, b->u->cfg.hw.pasids, in);
    if (lw_one_in(&b->rng, 8)) {
        in[EVENTS].w[0] = UINT64_C(1) << lw_rng_below(&b->rng, 4);
    }
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    lw_axi_lite_outputs o;
    lw_axi_lite_show(lite_of(b), in[HOLD].w[0] != 0, &o);
    lw_lite_outputs(&o, out);
    out[CTL_WRITE].w[0] = o.ctl_write;
    out[CTL_ADDR].w[0] = o.ctl_addr;
    out[CTL_WDATA].w[0] = o.ctl_wdata;
    out[STATUS].w[0] = o.status;
}

static void step(lw_bench *b, const lw_bits *in) {
    own *o = b->own;
    lw_axi_lite_inputs i;
    lw_manage(&o->manager, &o->lite, in, &i);
    i.hold = in[HOLD].w[0] != 0;
    i.ctl_rdata = in[CTL_RDATA].w[0];
    i.events = (uint32_t)in[EVENTS].w[0];
    i.reading = in[READING].w[0] != 0;
    lw_axi_lite_step(&o->lite, &i);
}

const lw_module lw_module_axi_lite_control = {
    .top = "axi_lite_control",
    .parameters = "Pasids Hashes",
    .inputs = inputs,
    .outputs = outputs,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .own_bytes = sizeof(own),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
