/* Everything around the unit, for the C twin alone and for the lockstep pair alike: front end,
 * address spaces, walk memory, OS agent, and the oracle that checks each response.
 *
 * One cycle: drive (the unit's inputs), then the unit's outputs and step, then observe. A run
 * begins with the control writes that set features and roots. The same run in another host gives
 * the same inputs in the same cycles, as long as the outputs are the same. */
#ifndef LW_SIM_ENVIRONMENT_ENVIRONMENT_H
#define LW_SIM_ENVIRONMENT_ENVIRONMENT_H

#include "c_model/base/ports.h"
#include "common/error.h"
#include "sim/environment/upper_neighbours.h"
#include "sim/environment/wait_counts.h"
#include "sim/files/partial.h"
#include "sim/gpu/front_end.h"
#include "sim/memory/latency_model.h"
#include "sim/os/hashed_lacks.h"
#include "sim/os/os_agent.h"
#include "sim/system/system.h"

#include <signal.h>

typedef struct lw_environment lw_environment;

/* What runs. Exactly one of workload, trace, stream is not NULL. */
typedef struct lw_run {
    const char *workload; /* a kernel, or a stream of lw_stream_name_at */
    const char *trace;    /* file or folder */
    const char *stream;   /* file */
    /* Of a trace or stream, what is mapped: "touched" (or NULL), the pages that it touches (and a
     * trace's copies); "arrays" (stream), what a random stream has, in each address space; else an
     * address map (sim/os/address_map.h). */
    const char *map;
    bool partial;      /* what is whole of a stream or trace that is cut will do */
    bool through_tlbs; /* a stream passes the GPU's TLBs (sim/gpu/stream_tlbs.h) */
    uint64_t size;     /* kernel: its N; the streams: pages of their array; 0: the default */
    uint64_t seed;
    uint64_t max_requests; /* requests to the unit; 0: all (random streams: 100000) */
    /* cuts of a kernel that keep its sizes and pitches; 0: none */
    uint64_t max_iters;    /* iterations of its inner loops */
    uint64_t max_launches; /* launches */
    uint64_t max_groups;   /* groups of each launch */
    uint32_t processes;    /* address spaces that run the kernel side by side; 0: one */
    bool neighbours;       /* count them: NHA's Figures 5 and 6; costs up to a tenth of the time */
} lw_run;

/* The streams that are no kernels: name and a line each; NULL past the last. */
const char *lw_stream_name_at(size_t i, const char **summary);

/* Whether there is such a GPU, also in front of a stream that does not go through it; else false
 * and a sentence that begins with the key (lw_fail_key). */
bool lw_environment_check_gpu(const lw_system *system, lw_error *err);

/* `system` outlives the environment. NULL and a sentence where anything is refused. */
lw_environment *lw_environment_new(const lw_system *system, const lw_run *run, lw_error *err);
void lw_environment_free(lw_environment *env);

/* From now on `at`, which outlives the environment, is `asking` while the oracle is asked of a
 * request, an answer or a hit, and is otherwise left alone: for who looks what a run is at. */
void lw_environment_tell(lw_environment *env, volatile sig_atomic_t *at, int asking);

void lw_environment_drive(lw_environment *env, uint64_t now, lw_inputs *in);
/* False and a sentence where something is wrong; lw_environment_verdict says what kind of thing. */
bool lw_environment_observe(lw_environment *env, uint64_t now, const lw_inputs *in,
                            const lw_outputs *out, lw_error *err);
/* `n` cycles were left out, with a request that the unit did not take in each of them if `waits`.
 */
void lw_environment_skip(lw_environment *env, uint64_t n, bool waits);

typedef enum lw_judgement {
    LW_VERDICT_GOOD,  /* of the unit: what failed is the input or the host */
    LW_VERDICT_WRONG, /* a response, a hit of the GPU's TLBs, a completion or a count is wrong */
    LW_VERDICT_HANGS  /* a request waits longer than `longest_wait` */
} lw_judgement;

lw_judgement lw_environment_verdict(const lw_environment *env);

/* The first cycle, later than `now`, in which the environment may act without being acted on;
 * `waits`: a request is offered that the unit does not take until then. */
uint64_t lw_environment_next_event(const lw_environment *env, uint64_t now, bool waits);

/* Whether anything has gone on since this was asked last: an instruction, a translation or a line
 * of data of the GPU, a request, a response, a read or its line, a write of the set-up. False and a
 * sentence that names what stands still where nothing has for more than `most` cycles, unless a
 * stream waits for a cycle of its own. It is asked every now and then, in cycles that are not left
 * out. */
bool lw_environment_goes_on(lw_environment *env, uint64_t now, uint64_t most, lw_error *err);
/* All is issued, answered and quiet. */
bool lw_environment_finished(const lw_environment *env);
/* At the end: every request answered once. */
bool lw_environment_finish(const lw_environment *env, lw_error *err);
/* At any end of a run, also one in flight: the unit's counters agree with what its ports have shown
 * (sim/environment/port_counts.h). */
bool lw_environment_counters_agree(const lw_environment *env, const uint64_t counters[LW_COUNTERS],
                                   lw_error *err);

void lw_environment_statistics(const lw_environment *env, lw_front_statistics *statistics);
/* The name of the kernel that runs on this source (CU), good until its next launch; NULL where none
 * does, as for a stream. */
const char *lw_environment_kernel(const lw_environment *env, uint32_t src);
/* Requests accepted so far, for progress and limits, and how many there will be (0: not known). */
uint64_t lw_environment_requests(const lw_environment *env);
uint64_t lw_environment_requests_total(const lw_environment *env);
/* Requests in flight in the unit as one is transferred, itself among them: the sum over all
 * requests, and the most. */
void lw_environment_in_flight(const lw_environment *env, uint64_t *sum, uint64_t *most);
/* Where the run asks for them, else zeros: requests that met another one in flight in their level-1
 * neighbourhood (NHA Figure 5), and accesses to upper levels (Figure 6). */
uint64_t lw_environment_neighbours(const lw_environment *env);
lw_upper_counts lw_environment_upper_neighbours(const lw_environment *env);
/* Responses by kind (R1.9), LW_KINDS of them; and those of the faults among them that nothing in
 * the run provokes: no stream that asks badly on purpose (random, phases), no memory that fails,
 * and no OS at work on a page that was mapped in the beginning. */
enum { LW_KINDS = 8 };
void lw_environment_faults(const lw_environment *env, uint64_t kinds[LW_KINDS],
                           uint64_t unasked[LW_KINDS]);
/* Responses that the oracle has found right. */
uint64_t lw_environment_checked(const lw_environment *env);
/* Walks that were seen to begin in their order (sim/environment/walk_order.h). */
uint64_t lw_environment_ordered_walks(const lw_environment *env);
/* The most cycles from a request's transfer to its response. */
uint64_t lw_environment_longest_wait(const lw_environment *env);
/* What the banks of memory have done. */
void lw_environment_banks(const lw_environment *env, lw_banks *banks);
/* The worst waits, for a bound. */
lw_waits lw_environment_waits(const lw_environment *env);

/* How often what provokes rare faults has happened: a run that shows that none is there must have
 * provoked them. */
typedef struct lw_provocations {
    lw_os_agent_counts os;
    uint64_t shared_tables;        /* that a process has from another */
    uint64_t orphans, orphans_met; /* old_owners.h */
    uint64_t slow_sinks, slow_memories, late_lines;
    uint64_t outdated_lines; /* that had changed between the read and its answer */
} lw_provocations;
lw_provocations lw_environment_provocations(const lw_environment *env);
/* How the hashed table stands now; all zeros where the system has none. */
lw_hashed_figures lw_environment_hashed(const lw_environment *env);
/* Answers that say what a process's hashed table lacks (R20.14), by that. */
void lw_environment_lacks(const lw_environment *env, uint64_t lacks[LW_LACKS]);
/* How much of a stream or trace that is cut is whole, and runs. */
lw_partial lw_environment_partial(const lw_environment *env);
/* The size that a run with size 0 got. */
uint64_t lw_environment_size(const lw_environment *env);

#endif
