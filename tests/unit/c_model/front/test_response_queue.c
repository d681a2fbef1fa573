/* The response queue alone (R10.4, R10.5, R10.7, R10.14): in each cycle of random pushes and
 * transfers against two FIFOs and an output register as the document has them. */
#include "c_model/front/response_queue.h"
#include "common/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 64, CYCLES = 20000 };

/* By LW_HIT and LW_WALK: the ids that stand in a queue, the oldest first. */
typedef struct model {
    uint32_t depth[2], id[2][MOST], count[2];
    uint32_t used; /* WALK_USED */
    bool out_valid;
    uint32_t out, last;
} model;

typedef struct seen {
    uint64_t turn[2]; /* both offered something, and it was this one's turn */
    uint64_t passed;  /* through an empty queue */
    uint64_t pushed;  /* although both were empty: the other one passed, or the register was full */
    uint64_t full[2];
} seen;

/* What enters in a cycle: an id, or no. */
typedef struct entering {
    bool there[2];
    uint32_t id[2];
} entering;

/* R10.4: what a queue offers; where both are empty, what enters it. */
static bool offers(const model *m, const entering *e, uint32_t queue, uint32_t *id) {
    const bool empty = m->count[LW_HIT] == 0 && m->count[LW_WALK] == 0;
    *id = empty ? e->id[queue] : m->id[queue][0];
    return empty ? e->there[queue] : m->count[queue] != 0;
}

static void push(model *m, uint32_t queue, uint32_t id) {
    assert_true(m->count[queue] < m->depth[queue]);
    m->id[queue][m->count[queue]++] = id;
}

static void pop(model *m, uint32_t queue) {
    m->count[queue]--;
    memmove(m->id[queue], m->id[queue] + 1, m->count[queue] * sizeof m->id[queue][0]);
}

/* A cycle in which the output register is empty or its content is transferred, or not: whether the
 * hit queue was popped, or passed. */
static bool step(model *m, const entering *e, bool is_free, seen *s) {
    const bool empty = m->count[LW_HIT] == 0 && m->count[LW_WALK] == 0;
    uint32_t id[2];
    const bool hit = offers(m, e, LW_HIT, &id[LW_HIT]);
    const bool walk = offers(m, e, LW_WALK, &id[LW_WALK]);
    const uint32_t from = hit && walk ? (m->last == LW_HIT ? LW_WALK : LW_HIT) : walk;
    const bool loads = is_free && (hit || walk);
    if (is_free) {
        m->out_valid = loads;
    }
    if (loads) {
        m->out = id[from];
        m->last = from;
        m->used -= from == LW_WALK;
        s->turn[from] += hit && walk;
        s->passed += empty;
    }
    for (uint32_t queue = 0; queue < 2; queue++) {
        const bool leaves = loads && from == queue;
        if (leaves && !empty) {
            pop(m, queue);
        }
        if (e->there[queue] && !(leaves && empty)) {
            push(m, queue, e->id[queue]);
            s->pushed += empty;
        }
        s->full[queue] += m->count[queue] == m->depth[queue];
    }
    return loads && from == LW_HIT;
}

static void run(uint32_t hit_queue, uint32_t walk_queue, seen *s) {
    const lw_config cfg = {.hw = {.hit_queue = hit_queue, .walk_queue = walk_queue}};
    const lw_watch watch = {.written = NULL};
    lw_responses r;
    lw_rng rng;
    model m = {.depth = {hit_queue, walk_queue}};
    uint32_t next_id = 0, promised = 0;
    lw_responses_init(&r, &cfg, &watch);
    lw_rng_seed(&rng, hit_queue * MOST + walk_queue);
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        /* in each phase the queues fill or run empty */
        const uint32_t ready = cycle / 500 % 2 == 0 ? 40 : 90;
        const bool out_free = !m.out_valid || lw_rng_percent(&rng, ready);
        entering e = {{m.count[LW_HIT] < hit_queue && lw_rng_percent(&rng, 50),
                       promised != 0 && lw_rng_percent(&rng, 50)},
                      {next_id, next_id + 1}};
        next_id += 2;
        promised -= e.there[LW_WALK];
        for (uint32_t queue = 0; queue < 2; queue++) {
            if (e.there[queue]) {
                lw_responses_enter(&r, queue, &(lw_response){.id = (uint16_t)e.id[queue]});
            }
        }
        assert_int_equal(lw_responses_has_walk_room(&r), m.used < walk_queue); /* R10.1 */
        if (m.used < walk_queue && lw_rng_percent(&rng, 50)) {
            lw_responses_promise(&r);
            m.used++;
            promised++;
        }
        assert_int_equal(step(&m, &e, out_free, s), lw_responses_step(&r, out_free));
        assert_int_equal(r.out_valid, m.out_valid);
        assert_true(!m.out_valid || r.out.id == (uint16_t)m.out);
        assert_int_equal(r.last, m.last);
        assert_int_equal(r.walk_used, m.used);
        assert_int_equal(r.queue[LW_HIT].count, m.count[LW_HIT]);
        assert_int_equal(r.queue[LW_WALK].count, m.count[LW_WALK]);
    }
}

static void test_two_queues_take_turns(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {8, 4}, {3, 1}, {1, 5}, {MOST, MOST}};
    seen s = {.passed = 0};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run(sizes[i][0], sizes[i][1], &s);
    }
    assert_true(s.turn[LW_HIT] > 1000 && s.turn[LW_WALK] > 1000);
    assert_true(s.passed > 1000 && s.pushed > 1000);
    assert_true(s.full[LW_HIT] > 1000 && s.full[LW_WALK] > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_queues_take_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
