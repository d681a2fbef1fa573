/* Control registers (R12.1 to R12.4): run-time features, page table roots, the first fault, and the
 * read data register. Counters are read through it but live in perf_counters.h. */
#ifndef LW_C_MODEL_HOST_CONTROL_H
#define LW_C_MODEL_HOST_CONTROL_H

#include "c_model/base/signals.h"
#include "c_model/host/perf_counters.h"

typedef struct lw_control {
    const lw_config *cfg;
    const lw_watch *watch;
    uint32_t takes_part;           /* derived: bit k set if level k takes part (R9.1) */
    uint8_t features;              /* R12.2 */
    bool pwc_enable, pl_skips_pwc; /* derived from it */
    bool subregion_enable;         /* derived from it */
    bool colt_enable;              /* derived from it */
    uint16_t contig_mask;          /* derived from it: the bits of CONTIG that are read (R1.10) */
    uint64_t rdata;
    uint64_t fault_info, fault_page; /* R12.3, as software reads them */
    uint64_t root[256];              /* bit 63 valid, the frame below */
} lw_control;

void lw_control_init(lw_control *c, const lw_config *cfg, const lw_watch *watch);

/* R12.2, R3.2: whether this PASID, any 20-bit value, has a root. */
static inline bool lw_control_has_root(const lw_control *c, uint32_t pasid) {
    return pasid < c->cfg->hw.pasids && c->root[pasid] >> 63 != 0;
}

static inline uint64_t lw_control_root_frame(const lw_control *c, uint32_t pasid) {
    return c->root[pasid & 255] & c->cfg->pfn_mask;
}

/* R12.1: the read data register takes what an address shows at the beginning of the cycle. */
void lw_control_read(lw_control *c, const lw_counters *counters, uint32_t addr);
/* R12.4 and R12.1: the cycle's end. `hit` and `walk` are the answers that enter the queues. */
void lw_control_record(lw_control *c, const lw_fault *hit, const lw_fault *walk, bool clear);
void lw_control_write(lw_control *c, uint32_t addr, uint64_t data);

/* What follows from FEATURES; to be called when the register has been changed. */
void lw_control_derive(lw_control *c);

#endif
