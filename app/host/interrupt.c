#include "app/host/interrupt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t told;

static void hear(int number) {
    told = number;
}

const volatile sig_atomic_t *lw_interrupt_watch(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            struct sigaction ours;
            memset(&ours, 0, sizeof ours);
            ours.sa_handler = hear;
            ours.sa_flags = (int)SA_RESETHAND | SA_RESTART;
            (void)sigaction(numbers[i], &ours, NULL);
        }
    }
    return &told;
}

int lw_interrupted(const char *what, const lw_session_result *result) {
    enum { SHELL = 128 };
    (void)fprintf(stderr, "lockwalk: %s: interrupted", what);
    if (result != NULL) {
        (void)fprintf(stderr, " in cycle %" PRIu64 ", after %" PRIu64 " responses", result->cycles,
                      result->responses);
    }
    (void)fprintf(stderr, "\n");
    return SHELL + told;
}
