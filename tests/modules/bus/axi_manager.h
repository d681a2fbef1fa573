/* The manager on an AXI4-Lite bus, for the modules that it writes and reads. */
#ifndef LW_TESTS_MODULES_BUS_AXI_MANAGER_H
#define LW_TESTS_MODULES_BUS_AXI_MANAGER_H

#include "c_model/bus/axi_lite_control.h"
#include "tests/modules/module.h"

/* The inputs of AXI4-Lite, in the order in which a module's table has them; the outputs alike. */
enum {
    LW_AW_VALID,
    LW_AW_ADDR,
    LW_W_VALID,
    LW_W_DATA,
    LW_W_STRB,
    LW_B_READY,
    LW_AR_VALID,
    LW_AR_ADDR,
    LW_R_READY,
    LW_LITE_INPUTS
};
enum {
    LW_AW_READY,
    LW_W_READY,
    LW_B_VALID,
    LW_B_RESP,
    LW_AR_READY,
    LW_R_VALID,
    LW_R_DATA,
    LW_R_RESP,
    LW_LITE_OUTPUTS
};

/* What the manager holds up until it is taken: AW, W and AR with their payload. */
typedef struct lw_manager {
    bool aw_held, w_held, ar_held;
    lw_bits before[LW_LITE_INPUTS];
} lw_manager;

/* Makes of drawn values accesses: mostly whole ones of a register, or of a place just outside. */
void lw_draw_lite(lw_manager *m, lw_rng *rng, uint32_t pasids, lw_bits *in);
/* The inputs as the twin has them; the manager takes note of what is not taken in this cycle. */
void lw_manage(lw_manager *m, const lw_axi_lite *l, const lw_bits *in, lw_axi_lite_inputs *to);
void lw_lite_outputs(const lw_axi_lite_outputs *o, lw_bits *out);

#endif
