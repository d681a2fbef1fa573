/* Control registers (R12.1 to R12.4): run-time features, page table roots, the first fault, and the
 * read data register. Counters are read through it but live in perf_counters.h. */
#ifndef LW_C_MODEL_HOST_CONTROL_H
#define LW_C_MODEL_HOST_CONTROL_H

#include "c_model/base/signals.h"

typedef struct lw_control {
    const lw_config *cfg;
    const lw_watch *watch;
    uint8_t feature_bits;            /* FEATURES, as software reads it (R12.2) */
    lw_features features;            /* derived from it */
    uint64_t rdata, rdata_count;     /* R12.1 */
    uint64_t fault_info, fault_page; /* R12.3, as software reads them */
    lw_roots roots;
} lw_control;

void lw_control_init(lw_control *c, const lw_config *cfg, const lw_watch *watch);

/* Whether an address shows a counter, and which one. */
static inline bool lw_control_is_counter(uint32_t addr, uint32_t *number) {
    *number = addr - LW_CTL_COUNTER;
    return *number < LW_COUNTERS;
}
/* R12.1: the read data registers take what an address shows at the beginning of the cycle, of a
 * counter its COUNT. */
void lw_control_read(lw_control *c, uint32_t addr, uint64_t count);
static inline uint64_t lw_control_rdata(const lw_control *c) {
    return c->rdata | c->rdata_count;
}
/* R12.4 and R12.1: the cycle's end. `hit` and `walk` are the answers that enter the queues. */
void lw_control_record(lw_control *c, const lw_fault *hit, const lw_fault *walk, bool clear);
void lw_control_write(lw_control *c, uint32_t addr, uint64_t data);

/* What follows from FEATURES; to be called when the register has been changed. */
void lw_control_derive(lw_control *c);

#endif
