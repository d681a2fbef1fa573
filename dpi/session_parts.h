/* What a session is made of, for the files that are its code: how it begins and ends
 * (session_ends.c), its cycles (session.c), and what it shows of them (session_waves.c). */
#ifndef LW_DPI_SESSION_PARTS_H
#define LW_DPI_SESSION_PARTS_H

#include "common/rng.h"
#include "dpi/lockstep_waves.h"
#include "dpi/rtl_library.h"
#include "dpi/session.h"

typedef struct lw_session {
    const lw_session_options *options;
    lw_session_result *result;
    lw_environment *env;
    lw_iommu *twin;
    lw_rtl_library_handle library;
    lw_rtl *rtl;
    lw_state_net *net;
    lw_event_ring *events;
    uint64_t now, started; /* cycles; the environment counts from the last reset on */
    uint64_t reset_at;     /* the cycle before which the next reset comes; UINT64_MAX: none does */
    uint64_t report_at;    /* the next cycle of progress and of the look for what hangs */
    lw_rng rng;            /* of the resets */
    lw_rng idle_payloads;  /* what the RTL sees on ports that nobody drives */
    volatile sig_atomic_t *part, nobody; /* an lw_part; told `nobody` where nobody looks */
    bool ports_compared, state_compared; /* in this cycle */
    lw_inputs in;
    lw_lockstep_waves *lockstep_waves;
    bool waves_begun, waves_ended;
    lw_outputs rtl_out;
    lw_outputs out; /* of the side that drives: the twin if it is there */
    lw_error *err;
} lw_session;

/* Whether the registers are compared in this run. */
bool lw_session_compares_state(const lw_session_options *options);

/* Makes the environment and the sides that the run has; `cycle` is what the RTL calls in each of
 * its cycles. False and a sentence in s->err where one cannot be made; lw_session_close follows
 * then too. */
bool lw_session_open(lw_session *s, lw_rtl_cycle_fn *cycle);

/* Makes the environment alone, as a reset begins with; false and a sentence in s->err. */
bool lw_session_make_environment(lw_session *s);

/* What holds at the end of a run: all registers equal, every request answered, the counters right -
 * or it is a mismatch. False and a sentence where the run was not what was asked for. */
bool lw_session_check_end(lw_session *s);

/* Fills the result with what the run has counted. */
void lw_session_collect(lw_session *s);

/* Before a cycle: opens the waves that begin with it, closes those that end before it, and writes
 * the registers that it begins with. False and a sentence on waves that cannot be written. */
bool lw_session_waves_begin(lw_session *s);
/* Closes what is open of the waves, the registers after the last cycle being the last that they
 * show. Returns `good`, or false and a sentence where they are not whole. */
bool lw_session_waves_end(lw_session *s, bool good);

/* Closes the waves and gives everything back. Returns `good`, or false and a sentence where the
 * waves are not whole. */
bool lw_session_close(lw_session *s, bool good);

#endif
