#include "dpi/idle_payloads.h"

enum { FEW_PASIDS = 3, PASIDS = 0xfffff };

/* Every other one of a few, which a unit may know. */
static uint32_t pasid(uint64_t drawn) {
    return (uint32_t)(drawn >> 1) & ((drawn & 1) != 0 ? FEW_PASIDS : PASIDS);
}

/* One draw for all: what matters is that it changes in each cycle and has any value. */
void lw_idle_payloads(lw_rng *rng, lw_inputs *in) {
    const uint64_t drawn = lw_rng_next(rng);
    if (!in->req_valid) {
        in->req_id = (uint32_t)drawn;
        in->req_src = (uint32_t)lw_rng_rotl(drawn, 9);
        in->req_pasid = pasid(lw_rng_rotl(drawn, 19));
        in->req_access = (uint32_t)lw_rng_rotl(drawn, 43);
        in->req_page = lw_rng_rotl(drawn, 53);
    }
    if (!in->mem_rsp_valid) {
        in->mem_rsp_error = (drawn & 1) != 0;
        in->mem_rsp_tag = (uint32_t)lw_rng_rotl(drawn, 31);
        for (int j = 0; j < 8; j++) {
            in->mem_rsp_data[j] = lw_rng_rotl(drawn, 1 + 7 * j);
        }
    }
    if (!in->inv_valid) {
        in->inv_type = (uint32_t)lw_rng_rotl(drawn, 5);
        in->inv_pasid = pasid(lw_rng_rotl(drawn, 23));
        in->inv_first = lw_rng_rotl(drawn, 37);
        in->inv_last = lw_rng_rotl(drawn, 47);
    }
    if (!in->ctl_write) {
        in->ctl_wdata = drawn;
    }
}
