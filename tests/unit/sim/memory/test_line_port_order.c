/* The line port's order against a list that is searched: with `reorder` each cycle offers the read
 * that has been there for longest, without it each read waits for the one in front of it. And where
 * memory ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/memory/line_port.h"

enum { READS = 800, CAPACITY = 40 };

typedef struct listed {
    uint64_t due;
    bool answered;
} listed;

/* A latency model that draws, and notes what it has drawn. */
typedef struct drawn {
    lw_rng rng;
    uint64_t spread;
    listed reads[READS];
    uint32_t count;
} drawn;

static uint64_t draw_due(void *state, uint64_t now, uint64_t line) {
    drawn *d = state;
    assert_int_equal(line, d->count);
    d->reads[d->count].due = now + 1 + lw_rng_below(&d->rng, d->spread);
    return d->reads[d->count++].due;
}

static void destroy_nothing(void *state) {
    (void)state;
}

/* The read that is on offer in this cycle; READS where there is none. */
static uint32_t expected(const drawn *d, bool reorder, uint64_t now) {
    uint32_t first = READS;
    for (uint32_t i = 0; i < d->count; i++) {
        const listed *r = &d->reads[i];
        if (!r->answered && (first == READS || (reorder && r->due < d->reads[first].due))) {
            first = i;
        }
    }
    return first != READS && d->reads[first].due <= now ? first : READS;
}

static void the_order_of_reads(void **state) {
    (void)state;
    static drawn d;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    assert_non_null(m);
    for (uint32_t i = 0; i < 8; i++) {
        static const uint64_t spreads[] = {1, 4, 60, 500};
        const bool reorder = i % 2 == 1;
        lw_line_port_config config;
        lw_line_port_config_default(&config);
        config.reorder = reorder;
        config.capacity = CAPACITY;
        d = (drawn){.spread = spreads[i / 2]};
        lw_rng_seed(&d.rng, i);
        const lw_latency_model model = {.state = &d, .due = draw_due, .destroy = destroy_nothing};
        lw_line_port *p = lw_line_port_new_with(&config, model, m, &err);
        assert_non_null(p);
        uint32_t back = 0;
        for (uint64_t now = 1; back < READS; now++) {
            lw_line_response rsp;
            const uint32_t want = expected(&d, reorder, now);
            const bool ready = lw_line_port_ready(p, now);
            assert_int_equal(ready, d.count - back < CAPACITY);
            assert_int_equal(lw_line_port_response(p, now, &rsp), want != READS);
            if (want != READS) {
                assert_true(rsp.tag == want && rsp.line == want);
                d.reads[want].answered = true;
                back++;
            }
            const bool asks = ready && d.count < READS && lw_rng_percent(&d.rng, 70);
            const lw_line_request request = {d.count, d.count};
            lw_line_port_step(p, now, asks ? &request : NULL);
        }
        lw_line_port_free(p);
    }
    lw_phys_mem_free(m);
}

/* Every read from the line on at which memory ends is an error, and no other. */
static void where_memory_ends(void **state) {
    (void)state;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    lw_line_port_config config;
    lw_line_response rsp;
    assert_non_null(m);
    assert_true(lw_phys_mem_write64(m, UINT64_C(64) * 99, 1, &err));
    assert_true(lw_phys_mem_write64(m, UINT64_C(64) * 100, 1, &err));
    for (uint64_t end = 0; end <= 100; end += 100) {
        lw_line_port_config_default(&config);
        config.end_line = end;
        lw_line_port *p = lw_line_port_new(&config, m, &err);
        static const uint64_t lines[] = {0, 99, 100, 101, UINT64_C(1) << 40};
        for (uint32_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            const uint64_t now = 100 * (uint64_t)i;
            lw_line_port_step(p, now, &(lw_line_request){i, lines[i]});
            assert_true(lw_line_port_response(p, now + 20, &rsp));
            const bool outside = end != 0 && lines[i] >= end;
            assert_int_equal(rsp.error, outside);
            if (!outside) { /* else it is that of failed_line.h */
                assert_int_equal(rsp.data[0], lines[i] == 99 || lines[i] == 100);
            }
            lw_line_port_step(p, now + 20, NULL);
        }
        lw_line_port_free(p);
    }
    lw_phys_mem_free(m);
}

/* fixed:20, in order, always ready, no errors, capacity 256, seed 1; and no banks. */
static void what_a_port_is_by_default(void **state) {
    (void)state;
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    lw_line_port_config config;
    lw_line_response rsp;
    lw_line_port_config_default(&config);
    assert_int_equal(config.seed, 1);
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    for (uint32_t t = 0; t < 1000; t++) {
        assert_true(lw_line_port_ready(p, t));
        assert_int_equal(lw_line_port_response(p, t, &rsp), t >= 20);
        assert_true(t < 20 || (rsp.tag == t - 20 && !rsp.error));
        lw_line_port_step(p, t, &(lw_line_request){t, t});
    }
    lw_line_port_slow(p, 5000);
    for (uint32_t t = 1000; t < 1256 + 20; t++) {
        const bool ready = lw_line_port_ready(p, t);
        assert_int_equal(ready, t < 1256);
        lw_line_port_step(p, t, ready ? &(lw_line_request){t, t} : NULL);
    }
    static lw_banks told;
    told.channels = told.banks = 7;
    lw_line_port_banks(p, &told);
    assert_true(told.channels == 0 && told.banks == 0);
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_reads),
        cmocka_unit_test(where_memory_ends),
        cmocka_unit_test(what_a_port_is_by_default),
    };
    return cmocka_run_group_tests_name("line_port_order", tests, NULL, NULL);
}
