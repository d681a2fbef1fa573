/* Control registers (R12.1 to R12.4, R21.16): run-time features, page table roots, the first fault,
 * and the registers of a read. Counters are read through it but live in perf_counters.h. */
#ifndef LW_C_MODEL_HOST_CONTROL_H
#define LW_C_MODEL_HOST_CONTROL_H

#include "c_model/base/signals.h"

typedef struct lw_control {
    const lw_config *cfg;
    const lw_watch *watch;
    uint8_t feature_bits; /* FEATURES, as software reads it (R12.2) */
    lw_features features; /* derived from it */
    uint32_t addr;        /* what is read (R12.1) */
    uint64_t rdata;
    uint64_t fault_info, fault_page; /* R12.3, as software reads them */
    lw_roots roots;
} lw_control;

void lw_control_init(lw_control *c, const lw_config *cfg, const lw_watch *watch);

/* Whether ADDR names a counter, and which one. */
static inline bool lw_control_reads_counter(const lw_control *c, uint32_t *number) {
    *number = c->addr - LW_CTL_COUNTER;
    return *number < LW_COUNTERS;
}
/* R12.1: RDATA takes what ADDR names at the beginning of the cycle, of a counter `count`, its
 * COUNT; `next` is the address of this cycle. */
void lw_control_read(lw_control *c, uint64_t count, uint32_t next);
/* R12.4 and R12.1: the cycle's end. `hit` and `walk` are the answers that enter the queues;
 * `clear` says that FAULT_INFO is written. A write's address has 12 bits. */
void lw_control_record(lw_control *c, const lw_fault *hit, const lw_fault *walk, bool clear);
void lw_control_write(lw_control *c, uint32_t addr, uint64_t data);

/* What follows from FEATURES; to be called when the register has been changed. */
void lw_control_derive(lw_control *c);

#endif
