/* The state of an environment, shared by the two files that make it (environment_make.c) and run it
 * (environment.c); nobody else looks inside. */
#ifndef LW_SIM_SYSTEM_ENVIRONMENT_STATE_H
#define LW_SIM_SYSTEM_ENVIRONMENT_STATE_H

#include "common/rng.h"
#include "oracle/oracle.h"
#include "sim/memory/line_port.h"
#include "sim/os/address_space.h"
#include "sim/os/os_agent.h"
#include "sim/system/environment.h"
#include "sim/system/neighbourhood.h"
#include "sim/workloads/workload.h"

#define LW_ENVIRONMENT_PROCESSES 64
#define LW_ENVIRONMENT_KINDS 8

struct lw_environment {
    const lw_system *system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_line_port *port;
    lw_os_agent *agent;
    lw_workload *workloads[LW_ENVIRONMENT_PROCESSES];
    uint32_t processes;
    lw_front_end front;
    bool is_gpu, oracle_failed;
    uint32_t boot; /* control writes done */
    lw_rng rng;    /* of feature changes */
    lw_front_request offered;
    lw_front_request *requests; /* by id */
    lw_neighbourhoods *neighbourhoods;
    uint64_t accepted, neighbours, total, size;
    uint64_t faults[LW_ENVIRONMENT_KINDS];
};

/* Makes the front end of the run with its address spaces, then the memory port, the oracle and the
 * OS agent around them. `env` has its system; what was made before a failure stays in it, for
 * lw_environment_free. */
bool lw_environment_make(lw_environment *env, const lw_run *run, lw_error *err);

#endif
