/* The line port: latency to the cycle, order, exactly once, next event, errors, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/memory/line_port.h"

#include <string.h>

static lw_phys_mem *new_memory(void) {
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    assert_non_null(m);
    return m;
}

static lw_line_port_config config_of(const char *latency) {
    lw_line_port_config config;
    lw_error err = {0};
    lw_line_port_config_default(&config);
    assert_true(lw_latency_parse(latency, &config.latency, &err));
    return config;
}

static void step_read(lw_line_port *p, uint64_t now, uint32_t tag, uint64_t line) {
    assert_true(lw_line_port_ready(p, now));
    lw_line_port_step(p, now, &(lw_line_request){tag, line});
}

/* Runs to the next response, over idle cycles; its cycle. */
static uint64_t next_response(lw_line_port *p, uint64_t now, lw_line_response *rsp) {
    uint64_t at = lw_line_port_next_event(p, now);
    assert_true(at != UINT64_MAX && at >= now);
    assert_true(at == now || !lw_line_port_response(p, at - 1, rsp));
    assert_true(lw_line_port_response(p, at, rsp));
    lw_line_port_step(p, at, NULL);
    return at;
}

static void fixed_latency_to_the_cycle(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    static const struct {
        const char *text;
        uint64_t latency;
    } cases[] = {{"fixed:1", 1}, {"fixed:20", 20}, {"fixed:1000000", 1000000}};
    for (size_t i = 0; i < 3; i++) {
        lw_error err = {0};
        lw_line_port_config config = config_of(cases[i].text);
        lw_line_port *p = lw_line_port_new(&config, m, &err);
        lw_line_response rsp;
        assert_int_equal(lw_line_port_next_event(p, 5), UINT64_MAX);
        assert_false(lw_line_port_response(p, 5, &rsp));
        for (uint32_t t = 0; t < 3; t++) { /* one a cycle in, one a cycle out */
            step_read(p, 5 + t, t, 100 + t);
            if (cases[i].latency == 1) {
                assert_true(lw_line_port_response(p, 6 + t, &rsp) && rsp.tag == t);
            }
        }
        uint64_t now = 8;
        for (uint32_t t = 0; t < 3 && cases[i].latency > 1; t++) {
            now = next_response(p, now, &rsp) + 1;
            assert_int_equal(now - 1, 5 + t + cases[i].latency);
            assert_true(rsp.tag == t && rsp.line == 100 + t && !rsp.error);
        }
        lw_line_port_free(p);
    }
    lw_phys_mem_free(m);
}

static void data_is_that_of_the_offer(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("fixed:4");
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    step_read(p, 0, 9, 2);
    assert_true(lw_phys_mem_write64(m, 2 * 64 + 5 * 8, 0x1234, &err));
    lw_line_response rsp;
    assert_int_equal(next_response(p, 1, &rsp), 4);
    assert_int_equal(rsp.data[5], 0x1234);
    assert_int_equal(rsp.data[4], 0);
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

typedef struct traffic {
    uint64_t cycle_of[2000]; /* of the offer, by tag */
    uint64_t accepted_at[2000];
    uint32_t overtakes, refused_cycles;
    uint64_t end;
} traffic;

/* 2000 reads, one as soon as the port takes it in 70 % of the cycles; each answered once; in every
 * cycle next_event says whether the offer is now. */
static void run_traffic(const lw_line_port_config *config, const lw_phys_mem *m, traffic *t) {
    lw_error err = {0};
    lw_line_port *p = lw_line_port_new(config, m, &err);
    assert_non_null(p);
    memset(t, 0, sizeof *t);
    lw_rng rng;
    lw_rng_seed(&rng, 42);
    uint32_t sent = 0, back = 0, highest = 0;
    for (uint64_t now = 1; back < 2000; now++) {
        bool ready = lw_line_port_ready(p, now);
        assert_int_equal(lw_line_port_ready(p, now), ready);
        assert_int_equal(lw_line_port_in_flight(p), sent - back);
        lw_line_response rsp;
        bool offer = lw_line_port_response(p, now, &rsp);
        assert_int_equal(offer, lw_line_port_next_event(p, now) == now);
        if (offer) {
            assert_int_equal(t->cycle_of[rsp.tag], 0); /* exactly once */
            assert_true(rsp.tag < sent);
            t->cycle_of[rsp.tag] = now;
            t->overtakes += rsp.tag < highest;
            highest = rsp.tag > highest ? rsp.tag : highest;
            back++;
        }
        bool send = ready && sent < 2000 && lw_rng_percent(&rng, 70);
        t->refused_cycles += !ready;
        lw_line_request req = {sent, lw_rng_below(&rng, 1u << 20)};
        lw_line_port_step(p, now, send ? &req : NULL);
        if (send) {
            t->accepted_at[sent++] = now;
        }
        t->end = now;
    }
    assert_int_equal(lw_line_port_next_event(p, t->end + 1), UINT64_MAX);
    lw_line_port_free(p);
}

static void uniform_latency_in_order_and_reordered(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_line_port_config config = config_of("uniform:20,200");
    traffic t;
    run_traffic(&config, m, &t);
    assert_int_equal(t.overtakes, 0);
    config.reorder = true;
    run_traffic(&config, m, &t);
    assert_true(t.overtakes > 500);
    uint64_t shortest = UINT64_MAX, sum = 0;
    for (size_t i = 0; i < 2000; i++) {
        uint64_t latency = t.cycle_of[i] - t.accepted_at[i];
        assert_true(latency >= 20);
        shortest = latency < shortest ? latency : shortest;
        sum += latency;
    }
    assert_int_equal(shortest, 20);
    assert_in_range(sum / 2000, 100, 130); /* mean 110, and a little for offers that collide */
    traffic again;
    run_traffic(&config, m, &again);
    assert_memory_equal(&t, &again, sizeof t);
    config.seed = 2;
    run_traffic(&config, m, &again);
    assert_memory_not_equal(&t, &again, sizeof t);
    lw_phys_mem_free(m);
}

static uint64_t due_at_fifty(void *state, uint64_t now, uint64_t line) {
    (void)state;
    (void)line;
    return now < 50 ? 50 : now + 1;
}

static void destroy_nothing(void *state) {
    (void)state;
}

static void of_two_due_together_the_older_goes_first(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("fixed:1");
    config.reorder = true;
    lw_latency_model model = {.due = due_at_fifty, .destroy = destroy_nothing};
    lw_line_port *p = lw_line_port_new_with(&config, model, m, &err);
    for (uint32_t t = 0; t < 20; t++) {
        step_read(p, t, t, t);
    }
    for (uint32_t t = 0; t < 20; t++) {
        lw_line_response rsp;
        assert_int_equal(next_response(p, t == 0 ? 20 : 50 + t, &rsp), 50 + t);
        assert_int_equal(rsp.tag, t);
    }
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

static void uniform_reaches_both_ends(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("uniform:3,5");
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    unsigned times[6] = {0};
    for (uint64_t now = 0; now < 3000; now += 10) {
        lw_line_response rsp;
        step_read(p, now, 0, 0);
        uint64_t latency = next_response(p, now + 1, &rsp) - now;
        assert_in_range(latency, 3, 5);
        times[latency]++;
    }
    assert_true(times[3] > 70 && times[4] > 70 && times[5] > 70);
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

static void back_pressure(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_line_port_config config = config_of("fixed:3");
    config.not_ready_percent = 40;
    traffic t;
    run_traffic(&config, m, &t);
    assert_in_range(t.refused_cycles * UINT64_C(100) / t.end, 36, 44);
    for (size_t i = 0; i < 2000; i++) {
        assert_int_equal(t.cycle_of[i] - t.accepted_at[i], 3);
    }
    /* a full port is not ready */
    config = config_of("fixed:100");
    config.capacity = 2;
    lw_error err = {0};
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    step_read(p, 0, 0, 0);
    step_read(p, 1, 1, 0);
    assert_false(lw_line_port_ready(p, 2));
    lw_line_response rsp;
    assert_int_equal(next_response(p, 2, &rsp), 100);
    assert_true(lw_line_port_ready(p, 101));
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

static void injected_errors(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("fixed:1");
    config.error_at_line = true;
    config.error_line = 7;
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    lw_line_response rsp;
    for (uint64_t line = 0; line < 20; line++) {
        step_read(p, 2 * line, 0, line);
        assert_int_equal(next_response(p, 2 * line + 1, &rsp), 2 * line + 1);
        assert_int_equal(rsp.error, line == 7);
    }
    lw_line_port_free(p);
    config = config_of("fixed:1");
    config.error_percent = 30;
    p = lw_line_port_new(&config, m, &err);
    unsigned errors = 0;
    for (uint64_t line = 0; line < 2000; line++) {
        step_read(p, 2 * line, 0, line);
        (void)next_response(p, 2 * line + 1, &rsp);
        errors += rsp.error;
    }
    assert_in_range(errors, 500, 700);
    lw_line_port_free(p);
    lw_phys_mem_free(m);
}

static void banks(void **state) {
    (void)state;
    /* one channel, two banks; line = {row, bank, column[7]} */
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("bank:1,2,20,40,60");
    config.reorder = true;
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    step_read(p, 0, 0, 0);   /* bank 0 row 0, closed: 40 */
    step_read(p, 1, 1, 1);   /* the same row: from 40 on 20 = 60 */
    step_read(p, 2, 2, 128); /* bank 1 row 0, closed: 2 + 40 = 42 */
    step_read(p, 3, 3, 256); /* bank 0 row 1, conflict: 60 + 60 = 120 */
    step_read(p, 4, 4, 255); /* bank 1 row 0, hit: 42 + 20 = 62 */
    static const struct {
        uint32_t tag;
        uint64_t cycle;
    } expected[] = {{0, 40}, {2, 42}, {1, 60}, {4, 62}, {3, 120}};
    uint64_t now = 5;
    for (size_t i = 0; i < 5; i++) {
        lw_line_response rsp;
        now = next_response(p, now, &rsp);
        assert_int_equal(rsp.tag, expected[i].tag);
        assert_int_equal(now, expected[i].cycle);
        now++;
    }
    /* of bank 0 the second read waits 39 cycles and the third 57, of bank 1 the second 38 */
    static lw_banks told;
    lw_line_port_banks(p, &told);
    assert_true(told.channels == 1 && told.banks == 2);
    const lw_bank_counts want[] = {{1, 1, 1, 39 + 57, 20 + 40 + 60}, {1, 1, 0, 38, 20 + 40}};
    assert_memory_equal(told.bank, want, sizeof want);
    lw_line_port_free(p);
    /* the second channel is another bank: no conflict */
    config = config_of("bank:2,1,20,40,60");
    config.reorder = true;
    p = lw_line_port_new(&config, m, &err);
    step_read(p, 0, 0, 0);
    step_read(p, 1, 1, 1);
    lw_line_response rsp;
    assert_int_equal(next_response(p, 2, &rsp), 40);
    assert_int_equal(next_response(p, 41, &rsp), 41);
    lw_line_port_free(p);
    traffic t;
    config = config_of("bank");
    run_traffic(&config, m, &t);
    assert_int_equal(t.overtakes, 0);
    lw_phys_mem_free(m);
}

static uint64_t due_in_seven(void *state, uint64_t now, uint64_t line) {
    *(uint64_t *)state = line;
    return now + 7;
}

static void destroy_marks(void *state) {
    *(uint64_t *)state = UINT64_MAX;
}

static void a_model_of_the_callers(void **state) {
    (void)state;
    lw_phys_mem *m = new_memory();
    lw_error err = {0};
    lw_line_port_config config = config_of("fixed:1");
    uint64_t last_line = 0;
    lw_latency_model model = {.state = &last_line, .due = due_in_seven, .destroy = destroy_marks};
    lw_line_port *p = lw_line_port_new_with(&config, model, m, &err);
    step_read(p, 0, 0, 0x55);
    assert_int_equal(last_line, 0x55);
    assert_int_equal(lw_line_port_next_event(p, 1), 7);
    lw_line_port_free(p);
    assert_int_equal(last_line, UINT64_MAX);
    lw_phys_mem_free(m);
}

static void refusals(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",        "fixed",          "fixed:0",          "fixed:1000001",  "fixed:1,2",
        "fixed:x", "uniform:5",      "uniform:5,4",      "uniform:0,4",    "uniform:1,2,3",
        "bank:",   "bank:3,8,1,2,3", "bank:2,128,1,2,3", "bank:2,8,3,2,1", "fixed:1 ",
        "dram:3",  "uniform:5;6",    "bank:2,8,1.2,3",
    };
    lw_error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lw_latency_config latency;
        err.text[0] = '\0';
        assert_false(lw_latency_parse(bad[i], &latency, &err));
        assert_non_null(strstr(err.text, "fixed:L, uniform:MIN,MAX, bank or bank:"));
    }
    lw_line_port_config config = config_of("fixed:1");
    config.not_ready_percent = 100;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_string_equal(err.text, "line port: not-ready percent 100 is not in 0..99");
    config = config_of("fixed:1");
    config.capacity = 0;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_string_equal(err.text, "line port: capacity 0 is not in 1..65536");
    config = config_of("fixed:1");
    config.error_percent = 101;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_string_equal(err.text, "line port: error percent 101 is not in 0..100");
    config = config_of("fixed:1");
    config.latency.max = 2;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_non_null(strstr(err.text, "out of range"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_latency_to_the_cycle),
        cmocka_unit_test(data_is_that_of_the_offer),
        cmocka_unit_test(uniform_latency_in_order_and_reordered),
        cmocka_unit_test(of_two_due_together_the_older_goes_first),
        cmocka_unit_test(uniform_reaches_both_ends),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(injected_errors),
        cmocka_unit_test(banks),
        cmocka_unit_test(a_model_of_the_callers),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("line_port", tests, NULL, NULL);
}
