/* The control port on AXI4-Lite, and BUS_STATUS (chapter 19).
 *
 * One cycle is: read the outputs, a function of the state, then step with the inputs. */
#ifndef LW_C_MODEL_BUS_AXI_LITE_CONTROL_H
#define LW_C_MODEL_BUS_AXI_LITE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_axi_lite_inputs {
    bool aw_valid, w_valid, b_ready, ar_valid, r_ready;
    uint32_t aw_addr, ar_addr; /* in bytes */
    uint64_t w_data;
    uint32_t w_strb;
    uint64_t ctl_rdata; /* of the unit */
    bool hold;          /* R19.22 */
    uint32_t events;    /* of the reader: LW_BUS_* */
    bool reading;
} lw_axi_lite_inputs;

typedef struct lw_axi_lite_outputs {
    bool aw_ready, w_ready, b_valid, ar_ready, r_valid;
    uint32_t b_resp, r_resp;
    uint64_t r_data;
    bool ctl_write;
    uint32_t ctl_addr;
    uint64_t ctl_wdata;
    uint32_t status; /* LW_BUS_* that stay */
} lw_axi_lite_outputs;

typedef struct lw_axi_lite {
    uint32_t pasids;
    bool hashes; /* there are hashed tables (R21.16) */
    bool aw_full, w_full, b_full, ar_full, r_full;
    uint32_t aw_addr, ar_addr, w_strb, b_resp, r_resp;
    uint64_t w_data, r_data;
    uint32_t read_cycle; /* 0, or which cycle of a read this is: 1 or 2 after the access */
    bool last_was_write;
    uint32_t status;
} lw_axi_lite;

/* After reset. The unit's port is a function of `hold` too, which the wrapper has in a register. */
void lw_axi_lite_init(lw_axi_lite *l, uint32_t pasids, bool hashes);
void lw_axi_lite_show(const lw_axi_lite *l, bool hold, lw_axi_lite_outputs *out);
void lw_axi_lite_step(lw_axi_lite *l, const lw_axi_lite_inputs *in);

#endif
