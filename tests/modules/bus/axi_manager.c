#include "tests/modules/bus/axi_manager.h"

#include "tests/modules/draws.h"

enum { ANY_IN = 12, MISALIGNED_IN = 16, PARTIAL_IN = 8, BYTES = 8, WHOLE = 0xff };

static uint64_t draw_addr(lw_rng *rng, uint32_t pasids, uint64_t any) {
    enum { PLACES = 6 };
    const uint32_t from[PLACES] = {LW_CTL_FEATURES, LW_CTL_BUS_STATUS, LW_CTL_COUNTER,
                                   LW_CTL_ROOT,     LW_CTL_STEP,       LW_CTL_VICTIM};
    const uint32_t below[PLACES] = {6, 1, LW_COUNTERS + 2, pasids + 2, pasids + 2, pasids + 2};
    const uint32_t kind = (uint32_t)lw_rng_below(rng, PLACES);
    if (lw_one_in(rng, ANY_IN)) {
        return any;
    }
    const uint64_t number = from[kind] + lw_rng_below(rng, below[kind]);
    return number * BYTES + (lw_one_in(rng, MISALIGNED_IN) ? any & (BYTES - 1) : 0);
}

/* R0.3: what is not taken stays. */
static void hold(const lw_manager *m, lw_bits *in, bool held, uint32_t from, uint32_t to) {
    if (held) {
        memcpy(&in[from], &m->before[from], (to - from + 1) * sizeof *in);
    }
}

void lw_draw_lite(lw_manager *m, lw_rng *rng, uint32_t pasids, lw_bits *in) {
    in[LW_AW_ADDR].w[0] = draw_addr(rng, pasids, in[LW_AW_ADDR].w[0]);
    in[LW_AR_ADDR].w[0] = draw_addr(rng, pasids, in[LW_AR_ADDR].w[0]);
    if (!lw_one_in(rng, PARTIAL_IN)) {
        in[LW_W_STRB].w[0] = WHOLE;
    }
    hold(m, in, m->aw_held, LW_AW_VALID, LW_AW_ADDR);
    hold(m, in, m->w_held, LW_W_VALID, LW_W_STRB);
    hold(m, in, m->ar_held, LW_AR_VALID, LW_AR_ADDR);
}

void lw_manage(lw_manager *m, const lw_axi_lite *l, const lw_bits *in, lw_axi_lite_inputs *to) {
    *to = (lw_axi_lite_inputs){
        .aw_valid = in[LW_AW_VALID].w[0] != 0,
        .aw_addr = (uint32_t)in[LW_AW_ADDR].w[0],
        .w_valid = in[LW_W_VALID].w[0] != 0,
        .w_data = in[LW_W_DATA].w[0],
        .w_strb = (uint32_t)in[LW_W_STRB].w[0],
        .b_ready = in[LW_B_READY].w[0] != 0,
        .ar_valid = in[LW_AR_VALID].w[0] != 0,
        .ar_addr = (uint32_t)in[LW_AR_ADDR].w[0],
        .r_ready = in[LW_R_READY].w[0] != 0,
    };
    m->aw_held = to->aw_valid && l->aw_full;
    m->w_held = to->w_valid && l->w_full;
    m->ar_held = to->ar_valid && l->ar_full;
    memcpy(m->before, in, sizeof m->before);
}

void lw_lite_outputs(const lw_axi_lite_outputs *o, lw_bits *out) {
    out[LW_AW_READY].w[0] = o->aw_ready;
    out[LW_W_READY].w[0] = o->w_ready;
    out[LW_B_VALID].w[0] = o->b_valid;
    out[LW_B_RESP].w[0] = o->b_resp;
    out[LW_AR_READY].w[0] = o->ar_ready;
    out[LW_R_VALID].w[0] = o->r_valid;
    out[LW_R_DATA].w[0] = o->r_data;
    out[LW_R_RESP].w[0] = o->r_resp;
}
