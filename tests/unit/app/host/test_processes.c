/* Parts of some work side by side: what the caller sees of them, and when they begin and end. */
#include "app/host/processes.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTS = 7, NEVER = 300 };

/* What a part finds and leaves. */
typedef struct place {
    int times;       /* how often it was done */
    uint64_t square; /* of its number */
    pid_t process;
} place;

/* What all parts see: how many work, how many did so at most, and how many have begun. */
typedef struct crowd {
    _Atomic int now, most, begun;
} crowd;

static void nap(void) {
    const struct timespec some = {.tv_nsec = 10L * 1000 * 1000};
    (void)nanosleep(&some, NULL);
}

static crowd *new_crowd(void) {
    void *shared =
        mmap(NULL, sizeof(crowd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    return shared;
}

static int await(lw_processes *p, size_t number, lw_process_state *state) {
    int status = -1;
    *state = LW_PROCESS_WORKING;
    for (int tries = 0; tries < NEVER && *state == LW_PROCESS_WORKING; tries++) {
        *state = lw_processes_wait(p, number, &status);
    }
    assert_int_not_equal(*state, LW_PROCESS_WORKING);
    return status;
}

static lw_processes *begun(size_t count, size_t at_once, lw_process_work *work, void *ctx) {
    lw_error err = {0};
    lw_processes *p = lw_processes_new(count, at_once, sizeof(place), work, ctx, &err);
    assert_non_null(p);
    return p;
}

static int square(void *ctx, size_t number, void *at) {
    const uint64_t *add = ctx;
    place *mine = at;
    mine->times++;
    mine->square = number * number + *add;
    mine->process = getpid();
    return (int)number;
}

/* Statuses and places are each part's own, also where the caller waits for the last one first. */
static void test_each_has_its_place(void **unused) {
    (void)unused;
    uint64_t add = 5;
    for (size_t at_once = 1; at_once <= PARTS + 1; at_once++) {
        lw_processes *p = begun(PARTS, at_once, square, &add);
        for (size_t i = 0; i < PARTS; i++) {
            const size_t number = PARTS - 1 - i;
            lw_process_state state;
            assert_int_equal(await(p, number, &state), (int)number);
            assert_int_equal(state, LW_PROCESS_DONE);
            const place *left = lw_processes_place(p, number);
            assert_int_equal(left->times, 1);
            assert_int_equal(left->square, number * number + add);
            assert_int_not_equal(left->process, getpid());
        }
        lw_processes_free(p);
    }
}

static int stand_in_the_crowd(void *ctx, size_t number, void *at) {
    crowd *c = ctx;
    (void)number;
    (void)at;
    const int now = ++c->now;
    c->most = now > c->most ? now : c->most;
    nap();
    --c->now;
    return 0;
}

static void test_not_more_at_a_time(void **unused) {
    (void)unused;
    crowd *c = new_crowd();
    for (int at_once = 1; at_once <= 3; at_once++) {
        lw_process_state state;
        c->most = 0;
        lw_processes *p = begun(PARTS, (size_t)at_once, stand_in_the_crowd, c);
        (void)await(p, PARTS - 1, &state);
        lw_processes_free(p);
        assert_in_range(c->most, 1, at_once);
        assert_int_equal(c->now, 0);
    }
    (void)munmap(c, sizeof *c);
}

/* Works until another one does, too. */
static int meet(void *ctx, size_t number, void *at) {
    crowd *c = ctx;
    (void)number;
    (void)at;
    ++c->now;
    for (int tries = 0; tries < NEVER && c->now < 2; tries++) {
        nap();
    }
    return c->now < 2 ? 1 : 0;
}

static void test_side_by_side(void **unused) {
    (void)unused;
    crowd *c = new_crowd();
    lw_processes *p = begun(2, 2, meet, c);
    for (size_t i = 0; i < 2; i++) {
        lw_process_state state;
        assert_int_equal(await(p, i, &state), 0);
    }
    lw_processes_free(p);
    (void)munmap(c, sizeof *c);
}

static int kill_itself(void *ctx, size_t number, void *at) {
    (void)ctx;
    (void)at;
    return number == 1 ? raise(SIGKILL) : 3;
}

/* The others go on. */
static void test_dies(void **unused) {
    (void)unused;
    lw_processes *p = begun(3, 1, kill_itself, NULL);
    lw_process_state state;
    assert_int_equal(await(p, 2, &state), 3);
    assert_int_equal(state, LW_PROCESS_DONE);
    assert_int_equal(await(p, 1, &state), SIGKILL);
    assert_int_equal(state, LW_PROCESS_DIED);
    lw_processes_free(p);
}

static int work_for_ever(void *ctx, size_t number, void *at) {
    crowd *c = ctx;
    (void)number;
    (void)at;
    ++c->begun;
    while (c->begun != 0) {
        nap();
    }
    return 0;
}

/* Who is told to end ends, and who waits for a place does not begin. */
static void test_end(void **unused) {
    (void)unused;
    crowd *c = new_crowd();
    lw_processes *p = begun(PARTS, 2, work_for_ever, c);
    int status = 0;
    for (int tries = 0; tries < NEVER && c->begun < 2; tries++) {
        assert_int_equal(lw_processes_wait(p, 0, &status), LW_PROCESS_WORKING);
    }
    lw_processes_end(p);
    assert_int_equal(lw_processes_wait(p, 0, &status), LW_PROCESS_DIED);
    assert_int_equal(status, SIGTERM);
    assert_int_equal(lw_processes_wait(p, PARTS - 1, &status), LW_PROCESS_WORKING);
    assert_int_equal(c->begun, 2);
    lw_processes_free(p);
    (void)munmap(c, sizeof *c);
}

static void test_processors(void **unused) {
    (void)unused;
    cpu_set_t mine;
    cpu_set_t one;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    assert_int_equal(lw_processors(), CPU_COUNT(&mine));
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++) {
        if (CPU_ISSET(cpu, &mine)) {
            CPU_SET(cpu, &one);
        }
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(lw_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof mine, &mine), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_has_its_place),
        cmocka_unit_test(test_not_more_at_a_time),
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_dies),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
