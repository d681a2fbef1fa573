/* A session: one run of a system on a workload, on the C twin alone, the RTL alone, or both in
 * lockstep with all three nets (ports, state, oracle). The same run gives the same figures on each.
 */
#ifndef LW_DPI_SESSION_H
#define LW_DPI_SESSION_H

#include "c_model/iommu.h"
#include "common/error.h"
#include "dpi/coverage.h"
#include "dpi/events.h"
#include "dpi/injection.h"
#include "dpi/register_map.h"
#include "dpi/stages.h"
#include "dpi/state_net.h"
#include "sim/environment/environment.h"
#include "sim/system/system.h"

#include <signal.h>
#include <stdio.h>

typedef enum lw_side { LW_SIDE_TWIN, LW_SIDE_RTL, LW_SIDE_BOTH } lw_side;

/* The three nets of a lockstep; all on but where a test shows that each barks by itself. */
enum { LW_NET_PORTS = 1, LW_NET_STATE = 2, LW_NET_ORACLE = 4, LW_NETS = 7 };

/* What a session is at, for who looks now and then. The machine is all that stands around the unit,
 * the oracle apart; the nets are those of the ports and of the registers. */
typedef enum lw_part {
    LW_PART_NONE, /* before the first cycle and after the last */
    LW_PART_MACHINE,
    LW_PART_ORACLE,
    LW_PART_TWIN,
    LW_PART_RTL,
    LW_PART_NETS,
    LW_PARTS
} lw_part;

typedef struct lw_session_options {
    const char *root; /* the project's folder, where the RTL builds are */
    const char
        *netlist;    /* folder of a netlist that stands for the RTL, or NULL; without state net */
    const char *rtl; /* sources of a design that stands for the RTL, or NULL */
    const lw_register_map *registers; /* where that keeps them; not NULL with `rtl` */
    const lw_system *system;
    const lw_run *run;
    lw_side side;
    uint64_t max_cycles;           /* 0: until the run has ended */
    uint32_t nets_off;             /* LW_NET_*: 0 in every real run */
    int random_start;              /* seed of what has no reset, without state net; 0: it is zero */
    uint64_t full_compare_every;   /* cycles; 0: only at the end */
    const char *waves;             /* FST of the RTL, or NULL */
    const char *lockstep_waves;    /* VCD of both sides (dpi/lockstep_waves.h), or NULL */
    uint64_t waves_from, waves_to; /* their first and last cycle; waves_to 0: the run's last */
    uint64_t trace_from; /* the first cycle that the stages' window shows: the run must reach it */
    lw_injection rtl_injection, twin_injection;
    uint32_t resets;       /* of the unit in mid-run, at cycles drawn from the run's seed */
    FILE *log;             /* events as lines, or NULL */
    lw_coverage *coverage; /* counts what the twin reaches, or NULL */
    lw_stages *stages;     /* counts where the twin's requests spend their time, or NULL */
    /* Called now and then; NULL: never. */
    void (*progress)(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total);
    void *progress_ctx;
    /* Called with each request that is transferred, and its cycle from the last reset on; NULL:
     * never. */
    void (*asked)(void *ctx, uint64_t cycle, const lw_inputs *in);
    void *asked_ctx;
    volatile sig_atomic_t *part; /* is always told the lw_part; NULL: nobody looks */
    bool is_built;               /* the RTL is as in a run before, and need not be looked for */
    const volatile sig_atomic_t *stop; /* not zero: the run ends after its cycle; NULL: never */
} lw_session_options;

#define LW_DIFFERENCES_MAX 64

/* What differed between two sides, and when. */
typedef struct lw_mismatch {
    bool found;
    uint64_t cycle;
    bool after_reset; /* the registers differ before the cycle's own work, right after a reset */
    bool ports;       /* outputs differ: rtl_out, twin_out */
    lw_outputs rtl_out, twin_out;
    size_t differences; /* registers that differ, all over the unit */
    lw_state_difference list[LW_DIFFERENCES_MAX];
    uint32_t request_id; /* of the first buffer entry or walker that differs, else no request */
    bool oracle;         /* a response or a count is wrong (of the side that drives) */
    bool hang;           /* a request, or the whole unit, waits too long */
    bool assertion;      /* an assertion of the RTL failed */
    lw_error sentence;   /* of these three */
} lw_mismatch;

/* After a reset in mid-run the environment has started over: all but cycles, compared_* and resets
 * is of what came after the last. */
typedef struct lw_session_result {
    uint64_t cycles, compared_state_writes, requests, neighbours, responses, size;
    uint64_t counted_cycles;               /* since the last reset, or the run's begin */
    uint64_t in_flight_sum, in_flight_max; /* lw_environment_in_flight */
    uint64_t compared_cycles;              /* in which every net that is on has compared */
    uint32_t fields, fields_compared; /* of the registers: the unit's, and those in the design */
    char left_out[256];               /* the first of the others, by name */
    lw_upper_counts upper_neighbours;
    uint32_t resets;
    bool stopped; /* by options->stop, before the run's end */
    uint64_t counters[LW_COUNTERS];
    uint64_t faults[8];  /* by kind */
    uint64_t unasked[8]; /* those of them that nothing in the run provokes */
    lw_front_statistics front;
    double seconds; /* of host time, set-up not counted */
    char rtl_version[64];
    lw_mismatch mismatch;
    uint64_t checked;       /* responses that the oracle found right */
    uint64_t ordered_walks; /* sim/environment/walk_order.h */
    uint64_t longest_wait;  /* cycles from a request's transfer to its response, at most */
    lw_waits waits;
    lw_provocations provocations;
    lw_hashed_figures hashed; /* slots 0: there is no hashed table */
    uint64_t lacks[LW_LACKS]; /* answers by what a hashed table lacks (sim/os/hashed_lacks.h) */
    lw_partial partial;
    lw_banks banks; /* of memory */
} lw_session_result;

/* Runs it. True where the run has ended, also with a mismatch (result->mismatch); false and a
 * sentence where it could not be run. `events` gets the last ones; may be NULL. */
bool lw_session_run(const lw_session_options *options, lw_session_result *result,
                    lw_event_ring *events, lw_error *err);

#endif
