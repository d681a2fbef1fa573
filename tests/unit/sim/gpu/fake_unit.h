/* A unit for the tests of front ends: answers each request a fixed time after it took it, in order
 * or not, with the identity frame; and keeps a log of all it was asked.
 *
 * It watches what every front end owes the unit: an offer stays until it is taken, no id is in
 * flight twice, and none is finished while an answer is owed. Run it in every cycle or only in the
 * cycles that next_event names: the logs must be equal. */
#ifndef LW_TESTS_UNIT_SIM_GPU_FAKE_UNIT_H
#define LW_TESTS_UNIT_SIM_GPU_FAKE_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/gpu/front_end.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

typedef struct fake_config {
    uint64_t delay;  /* cycles from taking a request to its answer, at least 1 */
    uint64_t spread; /* up to so many more, by the request's number; 0: answers in order */
    uint64_t stall;  /* takes no request in cycles that are a multiple of this; 0: always takes */
    uint32_t kind;   /* of every answer (LW_OK, or a fault) */
    uint32_t perm;
    bool skip; /* runs only the cycles that next_event and the answers name */
    bool ends; /* fails where the front end does not finish */
    /* a shootdown after the n-th answer, counted from 1; 0: none */
    uint64_t shootdown_after;
    uint32_t shootdown_type, shootdown_pasid;
    uint64_t shootdown_first, shootdown_last;
} fake_config;

#define FAKE_UNIT                                                                                  \
    (fake_config) {                                                                                \
        .delay = 50, .perm = 3, .ends = true                                                       \
    }

typedef struct fake_request {
    uint64_t cycle, answered; /* when taken, when answered */
    lw_front_request request;
} fake_request;

enum { FAKE_IDS = 1 << 16, FAKE_CYCLES = 20000000 };

typedef struct fake_unit {
    fake_request *log;
    size_t count, room;
    uint64_t answers, end;        /* the cycle in which the front end finished */
    uint64_t not_ready, no_offer; /* cycles */
    uint64_t executed;            /* cycles that ran, with skip fewer than end + 1 */
    bool in_flight[FAKE_IDS];
    /* requests not answered yet: a heap would be faster, a list is enough */
    struct {
        uint64_t due;
        size_t number;
    } * waiting;
    size_t waiting_count, waiting_room;
} fake_unit;

static inline void fake_free(fake_unit *u) {
    free(u->log);
    free(u->waiting);
    free(u);
}

/* Field by field: the structure has gaps. */
static inline bool fake_same(const lw_front_request *a, const lw_front_request *b) {
    return a->id == b->id && a->src == b->src && a->pasid == b->pasid && a->page == b->page &&
           a->access == b->access;
}

static inline uint64_t fake_scatter(uint64_t n, uint64_t spread) {
    return spread == 0 ? 0 : (n * UINT64_C(0x9e3779b97f4a7c15) >> 40) % spread;
}

static inline void fake_take(fake_unit *u, const fake_config *c, uint64_t now,
                             const lw_front_request *request) {
    assert_true(request->id < FAKE_IDS);
    assert_false(u->in_flight[request->id]);
    u->in_flight[request->id] = true;
    if (u->count == u->room) {
        u->room = u->room == 0 ? 1024 : 2 * u->room;
        u->log = realloc(u->log, u->room * sizeof *u->log);
        assert_non_null(u->log);
    }
    if (u->waiting_count == u->waiting_room) {
        u->waiting_room = u->waiting_room == 0 ? 1024 : 2 * u->waiting_room;
        u->waiting = realloc(u->waiting, u->waiting_room * sizeof *u->waiting);
        assert_non_null(u->waiting);
    }
    u->waiting[u->waiting_count].due = now + c->delay + fake_scatter(u->count, c->spread);
    u->waiting[u->waiting_count++].number = u->count;
    u->log[u->count++] = (fake_request){now, 0, *request};
}

/* Where in `waiting` the answer that comes next stands: earliest due, then earliest taken. */
static inline size_t fake_next(const fake_unit *u) {
    size_t first = 0;
    for (size_t i = 1; i < u->waiting_count; i++) {
        if (u->waiting[i].due < u->waiting[first].due) {
            first = i;
        }
    }
    return first;
}

static inline void fake_answer(fake_unit *u, const fake_config *c, const lw_front_end *front,
                               uint64_t now, size_t at) {
    fake_request *r = &u->log[u->waiting[at].number];
    const lw_front_response response = {
        .id = r->request.id, .kind = c->kind, .perm = c->perm, .pfn = r->request.page};
    memmove(&u->waiting[at], &u->waiting[at + 1], (--u->waiting_count - at) * sizeof *u->waiting);
    u->in_flight[r->request.id] = false;
    r->answered = now;
    front->response(front->self, now, &response);
    if (++u->answers == c->shootdown_after) {
        front->shootdown(front->self, c->shootdown_type, c->shootdown_pasid, c->shootdown_first,
                         c->shootdown_last);
    }
}

/* Runs until the front end has finished, or failed where c->ends is false. */
static inline fake_unit *fake_run(const lw_front_end *front, fake_config c) {
    fake_unit *u = calloc(1, sizeof *u);
    lw_front_request held = {0};
    bool holds = false;
    uint64_t now = 0;
    assert_non_null(u);
    for (;;) {
        lw_front_request request = {0};
        const bool offered = front->offer(front->self, now, &request);
        const bool ready = front->ready(front->self, now);
        assert_true(!holds || (offered && fake_same(&held, &request)));
        const bool takes = c.stall == 0 || now % c.stall != 0;
        holds = offered && !takes;
        held = request;
        u->no_offer += offered ? 0 : 1;
        u->not_ready += ready ? 0 : 1;
        u->executed++;
        if (offered && takes) {
            fake_take(u, &c, now, &request);
            front->accepted(front->self, now);
        }
        size_t at = fake_next(u);
        if (ready && u->waiting_count > 0 && u->waiting[at].due <= now) {
            fake_answer(u, &c, front, now, at);
        }
        front->tick(front->self, now);
        if (front->finished(front->self)) {
            assert_int_equal(u->waiting_count, 0);
            break;
        }
        if (front->failed(front->self, NULL)) {
            assert_false(c.ends);
            break;
        }
        uint64_t next = front->next_event(front->self, now, false);
        assert_true(next > now);
        at = fake_next(u);
        if (u->waiting_count > 0 && u->waiting[at].due < next) {
            next = u->waiting[at].due;
        }
        assert_true(next != UINT64_MAX); /* nothing would ever happen again */
        now = c.skip && !holds && next > now ? next : now + 1;
        assert_true(now < FAKE_CYCLES);
    }
    u->end = now;
    return u;
}

static inline void assert_same_run(const fake_unit *a, const fake_unit *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->end, b->end);
    for (size_t i = 0; i < a->count; i++) {
        const fake_request *x = &a->log[i];
        const fake_request *y = &b->log[i];
        assert_int_equal(x->cycle, y->cycle);
        assert_int_equal(x->answered, y->answered);
        assert_true(fake_same(&x->request, &y->request));
    }
}

#endif
