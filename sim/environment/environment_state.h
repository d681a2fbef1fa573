/* The state of an environment, shared by the files that make it (environment_make.c, by the others
 * below), run it (environment.c), see whether it goes on (environment_progress.c), judge its reads
 * (environment_reads.c) and tell of it (environment_figures.c); nobody else looks inside. */
#ifndef LW_SIM_ENVIRONMENT_ENVIRONMENT_STATE_H
#define LW_SIM_ENVIRONMENT_ENVIRONMENT_STATE_H

#include "common/rng.h"
#include "oracle/oracle.h"
#include "sim/environment/environment.h"
#include "sim/environment/failed_reads.h"
#include "sim/environment/neighbourhood.h"
#include "sim/environment/old_owners.h"
#include "sim/environment/port_counts.h"
#include "sim/environment/slow_phases.h"
#include "sim/environment/upper_neighbours.h"
#include "sim/environment/wait_bound.h"
#include "sim/environment/wait_counts.h"
#include "sim/environment/waiting.h"
#include "sim/environment/walk_order.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/dram.h"
#include "sim/memory/line_port.h"
#include "sim/memory/pte_cache.h"
#include "sim/os/address_space.h"
#include "sim/os/hashed_lacks.h"
#include "sim/os/os_agent.h"
#include "sim/workloads/workload.h"

#define LW_ENVIRONMENT_PROCESSES 64

enum { LW_BOOT_WORDS = 3 }; /* that tell the unit of a process with a hashed table */

struct lw_environment {
    const lw_system *system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_pte_cache *pte_cache; /* in front of the DRAM, for page walks; or NULL */
    lw_dram *dram;           /* NULL: the port has a latency model of its own */
    lw_memory *memory; /* the DRAM, as page walks and data share it; NULL where there is none */
    lw_memory *l2_of_walks; /* the GPU's L2 data cache, if page walks read through it; or NULL */
    lw_line_port *port;
    lw_os_agent *agent;
    lw_workload *workloads[LW_ENVIRONMENT_PROCESSES];
    uint32_t processes;
    lw_front_end front;
    void (*statistics)(const lw_front_end *front, lw_front_statistics *statistics); /* or NULL */
    const char *(*kernel)(const lw_front_end *front, uint32_t src); /* or NULL: it runs none */
    uint64_t unasked[LW_KINDS]; /* faults that nobody asked for, by kind */
    uint64_t lacks[LW_LACKS];   /* answers that say what a hashed table lacks, by that */
    lw_partial partial;
    bool asks_badly; /* the stream means to fault (random, phases) */
    lw_judgement verdict;
    uint32_t boot; /* control writes done */
    lw_rng rng;    /* of feature changes */
    lw_front_request offered;
    lw_front_request *requests;        /* by id */
    lw_neighbourhoods *neighbourhoods; /* NULL, as the next, where the run does not ask for them */
    lw_upper_neighbours *upper;
    lw_port_counts counts;
    lw_waiting *waiting;
    uint64_t longest_wait; /* of the requests answered */
    lw_wait_counts waits;
    uint64_t *held_then; /* by id: cycles held (wait_counts.h) until it was accepted */
    lw_slow_phases slow;
    lw_old_owners *owners;
    lw_walk_order *order; /* NULL where the ports do not show it (walk_order.h) */
    uint64_t refused;     /* cycles in which the offered request has not been taken */
    lw_failed_reads *failed_reads;
    uint64_t line_offered;    /* by memory, in this cycle */
    uint64_t answering_since; /* when the request that is being answered went into flight */
    uint64_t done, alive;     /* what was done when that was asked last, and when it grew */
    uint64_t completions, agent_alive; /* the same of the OS, or when it last waited for none */
    lw_front_judge judge;
    lw_error wrong_hit; /* the first, "" for none */
    uint64_t neighbours, total, size;
    volatile sig_atomic_t *at, nobody; /* told `asking` while the oracle is asked */
    int asking;
};

/* Before the oracle is asked; returns what `at` is afterwards. */
static inline int lw_environment_asks(lw_environment *env) {
    const int before = *env->at;
    *env->at = env->asking;
    return before;
}

/* Makes main memory, then the front end of the run with its address spaces, then the memory port,
 * the oracle and the OS agent around them. `env` has its system; what was made before a failure
 * stays in it, for lw_environment_free. */
bool lw_environment_make(lw_environment *env, const lw_run *run, lw_error *err);

/* For it, the front end with its address spaces: of a stream (environment_streams.c), or of kernels
 * and traces on the GPU (environment_kernels.c); whether a workload is one of the streams that are
 * no kernels. */
bool lw_environment_make_stream(lw_environment *env, const lw_run *run, lw_error *err);
bool lw_environment_make_kernels(lw_environment *env, const lw_run *run, lw_error *err);
bool lw_environment_is_stream(const char *workload);

/* environment_gpu.c: the GPU in front of the unit, as the system has it; false and a sentence where
 * the unit has too few ids for it. */
bool lw_environment_gpu(lw_environment *env, const lw_run *run, lw_gpu_params *params,
                        lw_error *err);

/* environment_spaces.c: address spaces with room for so much; how much these arrays take at most.
 */
typedef struct lw_room {
    uint64_t pages, regions; /* of 4 KiB, and of 2 MiB */
} lw_room;
bool lw_environment_make_spaces(lw_environment *env, lw_room room, uint64_t seed, lw_error *err);
lw_room lw_environment_room_of(const lw_array *arrays, size_t count);
/* By what a stream or a trace is mapped, and where that is a file: its ranges, in `spaces` address
 * spaces at least. */
typedef enum lw_mapping { LW_MAPPED_TOUCHED, LW_MAPPED_ARRAYS, LW_MAPPED_FILE } lw_mapping;
lw_mapping lw_mapped_by(const lw_run *run);
bool lw_environment_map_file(lw_environment *env, const lw_run *run, uint32_t spaces,
                             lw_error *err);

/* A request is answered, perhaps with a fault that nobody asked for, or one of a table that lacks a
 * part (unasked_faults.c). */
void lw_environment_note_answer(lw_environment *env, const lw_front_request *request, uint32_t kind,
                                uint32_t level);

/* A request is accepted, and may begin a walk (walk_order.h). */
void lw_environment_expect_walk(lw_environment *env, const lw_inputs *in);
/* A line is read (its address in lines of 64 bytes): false and a sentence where nobody has a reason
 * to, or where it begins a walk out of order. */
bool lw_environment_judge_read(lw_environment *env, uint64_t line, lw_error *err);

#endif
