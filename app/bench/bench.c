#include "app/bench/bench_chain.h"
#include "app/bench/bench_run.h"
#include "app/commands/commands.h"
#include "app/host/interrupt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The RTL alone and the lockstep, one after the other, as the host's pace drifts. */
typedef struct speed_pair {
    lw_bench_run rtl, both;
} speed_pair;

static double cycles_a_second(const lw_bench_run *run) {
    return (double)run->result.cycles / run->result.seconds;
}

static double lockstep_cost(const speed_pair *p) {
    return cycles_a_second(&p->rtl) / cycles_a_second(&p->both);
}

static int by_cost(const void *a, const void *b) {
    const double x = lockstep_cost(a);
    const double y = lockstep_cost(b);
    return x < y ? -1 : x > y;
}

/* Host speed of the three ways to run the same stream, which always misses; of the pairs the one
 * whose ratio is the middle one. */
static bool bench_speed(const lw_options *o, const char *name) {
    enum { PAIRS = 5, MIDDLE = PAIRS / 2, RTL_CYCLES = 300000 };
    static lw_bench_run twin;
    static speed_pair pairs[PAIRS];
    lw_system system;
    const lw_run run = {
        .workload = "sequential", .size = 1 << 16, .seed = 1, .max_requests = UINT64_C(4000000)};
    if (!lw_bench_load(o, name, &system) ||
        !lw_bench_measure(o, &system, &run, LW_SIDE_TWIN, 0, &twin)) {
        return false;
    }
    for (int i = 0; i < PAIRS; i++) {
        if (!lw_bench_measure(o, &system, &run, LW_SIDE_RTL, RTL_CYCLES, &pairs[i].rtl) ||
            !lw_bench_measure(o, &system, &run, LW_SIDE_BOTH, RTL_CYCLES, &pairs[i].both)) {
            return false;
        }
    }
    qsort(pairs, PAIRS, sizeof pairs[0], by_cost);
    const speed_pair *middle = &pairs[MIDDLE];
    (void)printf("%s, a stream of 65536 pages that always misses\n", name);
    (void)printf("  %-14s %12s %12s %12s   %s\n", "", "transl./s", "cycles/s", "seconds",
                 "machine  oracle    twin     RTL    nets  %");
    print_speed("C twin alone", &twin);
    print_speed("RTL alone", &middle->rtl);
    print_speed("lockstep", &middle->both);
    (void)printf("  lockstep costs %.2f x RTL alone (to reach: at most 1.30), "
                 "the middle of %d pairs, %.2f to %.2f\n",
                 lockstep_cost(middle), PAIRS, lockstep_cost(&pairs[0]),
                 lockstep_cost(&pairs[PAIRS - 1]));
    (void)printf("  the C twin is %.1f x as fast as the RTL (to reach: 30)\n",
                 cycles_a_second(&twin) / cycles_a_second(&middle->rtl));
    (void)printf("  the C twin makes %.2f million translations a second (to reach: 1)\n",
                 (double)twin.result.responses / twin.result.seconds * 1e-6);
    (void)printf(
        "  of a translation the twin takes %.2f us, the machine %.2f us, the oracle %.2f us\n",
        part_each(&twin, LW_PART_TWIN), part_each(&twin, LW_PART_MACHINE),
        part_each(&twin, LW_PART_ORACLE));
    return true;
}

int lw_command_bench(const lw_options *o) {
    bool good =
        bench_cycles(o) && bench_speed(o, "nha") && bench_speed(o, "baseline") && lw_bench_chain(o);
    return *lw_interrupt_watch() != 0 ? lw_interrupted("bench", NULL) : good ? 0 : 1;
}
