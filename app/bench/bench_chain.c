#include "app/bench/bench_chain.h"

#include "app/bench/bench_run.h"
#include "app/bench/bench_streams.h"
#include "app/reports/figures.h"

#include <stdlib.h>
#include <unistd.h>

static void print_row(const lw_bench_stream *s, const lw_session_result *r) {
    enum { TIMES = 20 }; /* to reach, of the fastest published */
    const lw_front_statistics *f = &r->front;
    const double speed = (double)f->translations / r->seconds;
    const double times = speed / s->most;
    (void)printf("  %-11s %12.0f %8.3f %8.3f   %3.0f-%3.0f k  %6.1f x  ", s->name, speed,
                 lw_rate(f->l1_hits, f->l1_misses), lw_rate(f->l2_hits, f->l2_misses),
                 s->least * 1e-3, s->most * 1e-3, times);
    if (times >= TIMES) {
        (void)printf("%d x: reached\n", TIMES);
    } else {
        (void)printf("%d x: missed by %.1f\n", TIMES, TIMES - times);
    }
}

static bool run_stream(const lw_options *o, const lw_system *system, const lw_bench_stream *s,
                       const char *path, FILE *file) {
    static lw_bench_run measured;
    const lw_run run = {.stream = path, .map = "touched", .through_tlbs = true, .seed = 1};
    if (!lw_bench_stream_write(s, s->accesses, file) || fflush(file) != 0) {
        (void)fprintf(stderr, "lockwalk: bench: %s cannot be written\n", path);
        return false;
    }
    if (!lw_bench_measure(o, system, &run, LW_SIDE_TWIN, 0, &measured)) {
        return false;
    }
    print_row(s, &measured.result);
    return true;
}

bool lw_bench_chain(const lw_options *o) {
    static lw_system system;
    bool good = lw_bench_load(o, "bench_chain", &system);
    if (good) {
        (void)printf(
            "bench_chain, the C twin behind an L1 TLB of 64 entries and an L2 TLB of 4096, "
            "as Akita's chain\n  %-11s %12s %8s %8s   %s\n",
            "", "transl./s", "L1 hits", "L2 hits", "Akita, on another machine");
    }
    for (size_t i = 0; good && lw_bench_stream_at(i) != NULL; i++) {
        char path[] = "/tmp/lockwalk-bench-XXXXXX";
        const int fd = mkstemp(path);
        FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
        if (file == NULL) {
            (void)fprintf(stderr, "lockwalk: bench: %s cannot be written\n", path);
            return false;
        }
        good = run_stream(o, &system, lw_bench_stream_at(i), path, file);
        (void)fclose(file);
        (void)unlink(path);
    }
    return good;
}
