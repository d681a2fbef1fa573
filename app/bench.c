#include "app/bench.h"

#include "app/commands.h"
#include "app/interrupt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool lw_bench_measure(const lw_options *o, const lw_system *system, const lw_run *run, lw_side side,
                      uint64_t max_cycles, lw_bench_run *measured) {
    lw_error err = {0};
    const lw_session_result *result = &measured->result;
    const lw_session_options session = {.root = o->root,
                                        .system = system,
                                        .run = run,
                                        .side = side,
                                        .max_cycles = max_cycles,
                                        .full_compare_every = 4096,
                                        .part = lw_bench_parts_begin(),
                                        .stop = lw_interrupt_watch()};
    const bool good = lw_session_run(&session, &measured->result, NULL, &err);
    lw_bench_parts_end(&measured->parts);
    if (*session.stop != 0) {
        return false;
    }
    if (!good) {
        (void)fprintf(stderr, "lockwalk: bench: %s\n", err.text);
        return false;
    }
    if (result->mismatch.found) {
        (void)fprintf(stderr, "lockwalk: bench: MISMATCH in cycle %" PRIu64 ": %s\n",
                      result->mismatch.cycle, result->mismatch.sentence.text);
        return false;
    }
    return true;
}

bool lw_bench_load(const lw_options *o, const char *name, lw_system *system) {
    lw_error err = {0};
    char folder[600];
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    if (lw_system_load(system, folder, name, &err) && lw_system_check(system, &err)) {
        return true;
    }
    (void)fprintf(stderr, "lockwalk: bench: %s\n", err.text);
    return false;
}

/* Cycles a translation, in lockstep: the hit stream, and the 512-page stream against the figures of
 * a published coalescing IOMMU (measured on its RTL). */
static bool bench_cycles(const lw_options *o) {
    static const struct {
        const char *what, *workload, *latency;
        uint64_t size, requests;
        double published;
    } rows[] = {
        {"one page, over and over (TLB hits)", "repeat", "fixed:20", 1, 200000, 1.0},
        {"512-page stream, memory latency 20", "sequential", "fixed:20", 512, 512, 3.0},
        {"512-page stream, memory latency 100", "sequential", "fixed:100", 512, 512, 13.0},
    };
    lw_system system;
    if (!lw_bench_load(o, "bench_stream", &system)) {
        return false;
    }
    (void)printf("cycles a translation, 4 walkers, PWC on, full coalescing, in lockstep\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static lw_bench_run one;
        const lw_run run = {.workload = rows[i].workload,
                            .size = rows[i].size,
                            .seed = 1,
                            .max_requests = rows[i].requests};
        (void)snprintf(system.memory_latency, sizeof system.memory_latency, "%s", rows[i].latency);
        if (!lw_bench_measure(o, &system, &run, LW_SIDE_BOTH, 0, &one)) {
            return false;
        }
        double each = (double)one.result.cycles / (double)one.result.responses;
        (void)printf("  %-38s %6.2f   to beat %5.2f  (%.2f of it)\n", rows[i].what, each,
                     rows[i].published, each / rows[i].published);
    }
    return true;
}

static void print_speed(const char *name, const lw_bench_run *run) {
    const lw_session_result *r = &run->result;
    (void)printf("  %-14s %12.0f %12.0f %12.2f  ", name, (double)r->responses / r->seconds,
                 (double)r->cycles / r->seconds, r->seconds);
    for (int p = LW_PART_MACHINE; p < LW_PARTS; p++) {
        (void)printf(" %7.1f", 100 * run->parts.share[p]);
    }
    (void)printf("\n");
}

/* What a part of a run takes of each translation, in microseconds. */
static double part_each(const lw_bench_run *run, lw_part part) {
    return run->parts.share[part] * run->result.seconds * 1e6 / (double)run->result.responses;
}

/* Host speed of the three ways to run the same stream, which always misses. */
static bool bench_speed(const lw_options *o, const char *name, uint64_t cycles) {
    static lw_bench_run twin;
    static lw_bench_run rtl;
    static lw_bench_run both;
    lw_system system;
    const lw_run run = {
        .workload = "sequential", .size = 1 << 16, .seed = 1, .max_requests = UINT64_C(4000000)};
    if (!lw_bench_load(o, name, &system) ||
        !lw_bench_measure(o, &system, &run, LW_SIDE_TWIN, 0, &twin) ||
        !lw_bench_measure(o, &system, &run, LW_SIDE_RTL, cycles, &rtl) ||
        !lw_bench_measure(o, &system, &run, LW_SIDE_BOTH, cycles, &both)) {
        return false;
    }
    (void)printf("%s, a stream of 65536 pages that always misses\n", name);
    (void)printf("  %-14s %12s %12s %12s   %s\n", "", "transl./s", "cycles/s", "seconds",
                 "machine  twin    RTL    nets  %");
    print_speed("C twin alone", &twin);
    print_speed("RTL alone", &rtl);
    print_speed("lockstep", &both);
    double twin_rate = (double)twin.result.cycles / twin.result.seconds;
    double rtl_rate = (double)rtl.result.cycles / rtl.result.seconds;
    double both_rate = (double)both.result.cycles / both.result.seconds;
    double translations = (double)twin.result.responses / twin.result.seconds;
    (void)printf("  lockstep costs %.2f x RTL alone (to reach: at most 1.30)\n",
                 rtl_rate / both_rate);
    (void)printf("  the C twin is %.1f x as fast as the RTL (to reach: 30)\n",
                 twin_rate / rtl_rate);
    (void)printf("  the C twin makes %.2f million translations a second (to reach: 1)\n",
                 translations * 1e-6);
    (void)printf("  of a translation the twin takes %.2f us, the machine and the oracle %.2f us\n",
                 part_each(&twin, LW_PART_TWIN), part_each(&twin, LW_PART_MACHINE));
    return true;
}

int lw_command_bench(const lw_options *o) {
    enum { RTL_CYCLES = 300000 };
    bool good = bench_cycles(o) && bench_speed(o, "nha", RTL_CYCLES) &&
                bench_speed(o, "baseline", RTL_CYCLES) && lw_bench_chain(o);
    return *lw_interrupt_watch() != 0 ? lw_interrupted("bench", NULL) : good ? 0 : 1;
}
