#include "app/host/processes.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A part's process: 0 before it has one, and after it has ended. */
typedef struct part {
    pid_t process;
    lw_process_state state;
    int status;
} part;

struct lw_processes {
    size_t count, at_once, begun, working;
    lw_process_work *work;
    void *ctx;
    unsigned char *places; /* shared with the parts' processes */
    size_t place_bytes, places_bytes;
    part parts[];
};

/* In the process of a part. Should the caller's end, it is told so too; what the caller has begun
 * to write is the caller's to write. */
static _Noreturn void work_at(lw_processes *p, size_t number, pid_t caller) {
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != caller) {
        _exit(1);
    }
    _exit(p->work(p->ctx, number, lw_processes_place(p, number)));
}

static void begin(lw_processes *p) {
    const size_t number = p->begun++;
    const pid_t caller = getpid();
    (void)fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        work_at(p, number, caller);
    }
    if (process == -1) {
        p->parts[number] = (part){.state = LW_PROCESS_DIED};
        return;
    }
    p->parts[number].process = process;
    p->working++;
}

static void begin_what_may(lw_processes *p) {
    while (p->begun < p->count && p->working < p->at_once) {
        begin(p);
    }
}

lw_processes *lw_processes_new(size_t count, size_t at_once, size_t place_bytes,
                               lw_process_work *work, void *ctx, lw_error *err) {
    lw_processes *p = calloc(1, sizeof *p + count * sizeof *p->parts);
    void *places = p == NULL ? MAP_FAILED
                             : mmap(NULL, count * place_bytes, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (places == MAP_FAILED) {
        free(p);
        (void)lw_fail(err, "out of memory for %zu runs", count);
        return NULL;
    }
    p->count = count;
    p->at_once = at_once;
    p->work = work;
    p->ctx = ctx;
    p->places = places;
    p->place_bytes = place_bytes;
    p->places_bytes = count * place_bytes;
    for (size_t i = 0; i < count; i++) {
        p->parts[i].state = LW_PROCESS_WORKING;
    }
    begin_what_may(p);
    return p;
}

void *lw_processes_place(const lw_processes *p, size_t number) {
    return p->places + number * p->place_bytes;
}

/* Whether a part's process has ended; `options` are waitpid's. */
static bool has_ended(lw_processes *p, part *of, int options) {
    int ended = 0;
    if (of->process == 0 || waitpid(of->process, &ended, options) != of->process) {
        return false;
    }
    of->process = 0;
    of->state = WIFEXITED(ended) ? LW_PROCESS_DONE : LW_PROCESS_DIED;
    of->status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended);
    p->working--;
    return true;
}

lw_process_state lw_processes_wait(lw_processes *p, size_t number, int *status) {
    const struct timespec tenth = {.tv_nsec = 100L * 1000 * 1000};
    if (p->parts[number].state == LW_PROCESS_WORKING) {
        bool any = false;
        for (size_t i = 0; i < p->begun; i++) {
            any = has_ended(p, &p->parts[i], WNOHANG) || any;
        }
        begin_what_may(p);
        if (!any) {
            (void)nanosleep(&tenth, NULL);
        }
    }
    *status = p->parts[number].status;
    return p->parts[number].state;
}

void lw_processes_end(lw_processes *p) {
    p->count = p->begun; /* no other begins */
    for (size_t i = 0; i < p->begun; i++) {
        if (p->parts[i].process != 0) {
            (void)kill(p->parts[i].process, SIGTERM);
        }
    }
    for (size_t i = 0; i < p->begun; i++) {
        while (p->parts[i].process != 0 && !has_ended(p, &p->parts[i], 0) && errno == EINTR) {
        }
    }
}

void lw_processes_free(lw_processes *p) {
    if (p == NULL) {
        return;
    }
    lw_processes_end(p);
    (void)munmap(p->places, p->places_bytes);
    free(p);
}

size_t lw_processors(void) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    const int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    return count < 1 ? 1 : (size_t)count;
}
