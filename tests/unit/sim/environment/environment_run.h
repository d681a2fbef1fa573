/* A twin in its environment, cycle by cycle, with a hand in between: what a broken unit would show
 * is put on its ports, and the environment must say so. */
#ifndef LW_TESTS_UNIT_SIM_ENVIRONMENT_ENVIRONMENT_RUN_H
#define LW_TESTS_UNIT_SIM_ENVIRONMENT_ENVIRONMENT_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/iommu.h"
#include "sim/environment/environment_state.h"

#include <stdlib.h>
#include <string.h>

typedef struct environment_run {
    lw_system system;
    lw_environment *env;
    lw_iommu *twin;
    uint64_t now;
    lw_inputs in;
    lw_outputs out;
    lw_error err;
} environment_run;

/* Changes what the unit shows in this cycle; called before the environment sees it. */
typedef void hand_fn(environment_run *r, void *ctx);

/* `key`: one setting of the system that is changed, or NULL. */
static inline void environment_load(lw_system *system, const char *name, const char *key,
                                    const char *value) {
    const char *folder = getenv("LW_SYSTEMS");
    lw_error err = {0};
    if (!lw_system_load(system, folder == NULL ? "systems" : folder, name, &err) ||
        (key != NULL && !lw_system_set(system, key, value, "", &err))) {
        fail_msg("%s", err.text);
    }
}

static inline void environment_open(environment_run *r, const char *system, const lw_run *run,
                                    const char *key, const char *value) {
    memset(r, 0, sizeof *r);
    environment_load(&r->system, system, key, value);
    r->env = lw_environment_new(&r->system, run, &r->err);
    r->twin = lw_iommu_new(&r->system.hw, &r->err);
    if (r->env == NULL || r->twin == NULL) {
        fail_msg("%s", r->err.text);
    }
}

static inline void environment_close(environment_run *r) {
    lw_environment_free(r->env);
    lw_iommu_free(r->twin);
}

static inline bool environment_cycle(environment_run *r, hand_fn *hand, void *ctx) {
    lw_environment_drive(r->env, r->now, &r->in);
    lw_iommu_outputs(r->twin, &r->out);
    lw_iommu_step(r->twin, &r->in);
    if (hand != NULL) {
        hand(r, ctx);
    }
    return lw_environment_observe(r->env, r->now++, &r->in, &r->out, &r->err);
}

/* Until it has ended, failed, or so many cycles have passed; whether nothing failed. */
static inline bool environment_go(environment_run *r, uint64_t cycles, hand_fn *hand, void *ctx) {
    for (uint64_t n = 0; n < cycles && !lw_environment_finished(r->env); n++) {
        if (!environment_cycle(r, hand, ctx)) {
            return false;
        }
    }
    return true;
}

static inline void environment_counters(const environment_run *r, uint64_t counters[LW_COUNTERS]) {
    for (uint32_t c = 0; c < LW_COUNTERS; c++) {
        counters[c] = lw_iommu_counter(r->twin, c);
    }
}

#endif
