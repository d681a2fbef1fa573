/* A session, for a test to change what it likes of its options: of random requests, or where memory
 * has a latency of its own page after page. */
#ifndef LW_TESTS_UNIT_DPI_SESSION_BENCH_H
#define LW_TESTS_UNIT_DPI_SESSION_BENCH_H

#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/session.h"

typedef struct session_bench {
    lw_system system;
    lw_run run;
    lw_session_options options;
    lw_session_result result;
    lw_error err;
} session_bench;

static inline void session_begin(session_bench *b, lw_side side, const char *system,
                                 const char *latency) {
    memset(b, 0, sizeof *b);
    environment_load(&b->system, system, latency == NULL ? NULL : "memory_latency", latency);
    if (!lw_system_set(&b->system, "few_pages", "64", "", &b->err)) { /* fast to be mapped */
        fail_msg("%s", b->err.text);
    }
    b->run = (lw_run){
        .workload = latency == NULL ? "random" : "sequential", .seed = 1, .max_requests = 200};
    b->options =
        (lw_session_options){.root = ".", .system = &b->system, .run = &b->run, .side = side};
}

static inline const lw_session_result *session_go(session_bench *b) {
    if (!lw_session_run(&b->options, &b->result, NULL, &b->err)) {
        fail_msg("%s", b->err.text);
    }
    return &b->result;
}

static inline lw_injection session_flip(lw_field field, uint32_t index, uint32_t bit,
                                        uint64_t cycle) {
    return (lw_injection){.on = true, .cycle = cycle, .field = field, .index = index, .bit = bit};
}

/* What the sides give alike: the figures of the twin's counters only where it runs. */
static inline void assert_same_figures(const lw_session_result *a, const lw_session_result *b) {
    assert_int_equal(a->requests, b->requests);
    assert_int_equal(a->responses, b->responses);
    assert_int_equal(a->checked, b->checked);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->in_flight_sum, b->in_flight_sum);
    assert_int_equal(a->in_flight_max, b->in_flight_max);
    assert_int_equal(a->longest_wait, b->longest_wait);
    assert_int_equal(a->ordered_walks, b->ordered_walks);
    assert_memory_equal(a->faults, b->faults, sizeof a->faults);
    assert_memory_equal(a->unasked, b->unasked, sizeof a->unasked);
    assert_memory_equal(&a->waits, &b->waits, sizeof a->waits);
    assert_memory_equal(&a->provocations, &b->provocations, sizeof a->provocations);
}

#endif
