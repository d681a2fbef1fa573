#include "app/bench/bench_parts.h"

#include <sys/time.h>

static volatile sig_atomic_t now_at;
static volatile sig_atomic_t looks[LW_PARTS];

static void look(int signal_number) {
    (void)signal_number;
    looks[now_at]++;
}

static void set_timer(suseconds_t microseconds) {
    const struct itimerval timer = {.it_interval = {0, microseconds},
                                    .it_value = {0, microseconds}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

volatile sig_atomic_t *lw_bench_parts_begin(void) {
    enum { PERIOD = 997 }; /* microseconds; in step with nothing */
    const struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    now_at = LW_PART_NONE;
    for (int p = 0; p < LW_PARTS; p++) {
        looks[p] = 0;
    }
    (void)sigaction(SIGALRM, &action, NULL);
    set_timer(PERIOD);
    return &now_at;
}

void lw_bench_parts_end(lw_bench_parts *parts) {
    int sum = 0;
    set_timer(0); /* the handler stays: a signal may be under way */
    for (int p = LW_PART_NONE + 1; p < LW_PARTS; p++) {
        sum += looks[p];
    }
    for (int p = 0; p < LW_PARTS; p++) {
        parts->share[p] = sum == 0 || p == LW_PART_NONE ? 0 : (double)looks[p] / sum;
    }
}
