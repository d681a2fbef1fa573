/* The line port's reads that come very late, those that tell of the past, and slow phases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/memory/line_port.h"

#include <string.h>

typedef struct reading {
    lw_phys_mem *memory;
    lw_line_port *port;
    uint64_t now;
} reading;

static reading open_port(uint32_t late, uint32_t early) {
    lw_error err = {0};
    lw_line_port_config config;
    lw_line_port_config_default(&config);
    config.late_in_10000 = late;
    config.late_cycles = 1000;
    config.early_percent = early;
    config.reorder = true;
    config.capacity = 4;
    reading r = {.memory = lw_phys_mem_new(48, &err)};
    r.port = lw_line_port_new(&config, r.memory, &err);
    assert_non_null(r.port);
    return r;
}

static void close_port(reading *r) {
    lw_line_port_free(r->port);
    lw_phys_mem_free(r->memory);
}

/* One read; memory changes while it is in flight. How long it took. */
static uint64_t read_once(reading *r, uint64_t value, lw_line_response *rsp) {
    const uint64_t since = r->now;
    lw_error err = {0};
    lw_line_port_step(r->port, since, &(lw_line_request){.tag = 1, .line = 64});
    assert_true(lw_phys_mem_write64(r->memory, 4096, value, &err));
    r->now = lw_line_port_next_event(r->port, since + 1);
    assert_true(lw_line_port_response(r->port, r->now, rsp));
    lw_line_port_step(r->port, r->now, NULL);
    return r->now++ - since;
}

static void a_part_of_the_reads_is_late(void **state) {
    (void)state;
    reading r = open_port(1000, 0);
    lw_line_response rsp;
    uint64_t late = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t took = read_once(&r, i, &rsp);
        assert_true(took == 20 || took == 1020);
        late += took == 1020;
    }
    assert_true(late > 50 && late < 200);
    assert_int_equal(lw_line_port_late(r.port), late);
    assert_int_equal(lw_line_port_longest(r.port), 1020);
    close_port(&r);
}

/* An early read gives what was there when it was taken; each place for one is used again. */
static void a_part_of_the_reads_is_early(void **state) {
    (void)state;
    reading r = open_port(0, 50);
    lw_line_response rsp;
    uint64_t early = 0;
    for (uint64_t i = 1; i <= 1000; i++) {
        assert_int_equal(read_once(&r, i, &rsp), 20);
        assert_true(rsp.data[0] == i || rsp.data[0] == i - 1);
        early += rsp.data[0] == i - 1;
    }
    assert_true(early > 400 && early < 600);
    assert_int_equal(lw_line_port_outdated(r.port), early);
    close_port(&r);
}

/* An early read is outdated only where its line has changed until it was answered. */
static void a_line_that_stays_is_not_outdated(void **state) {
    (void)state;
    reading r = open_port(0, 100);
    lw_line_response rsp;
    for (uint64_t i = 1; i <= 100; i++) {
        (void)read_once(&r, i / 4, &rsp); /* another value every fourth time */
        assert_int_equal(rsp.data[0], (i - 1) / 4);
        assert_int_equal(lw_line_port_outdated(r.port), i / 4);
    }
    close_port(&r);
}

static void none_is_where_none_is_asked_for(void **state) {
    (void)state;
    reading r = open_port(0, 0);
    lw_line_response rsp;
    for (uint64_t i = 1; i <= 100; i++) {
        assert_int_equal(read_once(&r, i, &rsp), 20);
        assert_int_equal(rsp.data[0], i);
    }
    assert_int_equal(lw_line_port_late(r.port) + lw_line_port_outdated(r.port), 0);
    lw_line_port_slow(r.port, 300);
    assert_int_equal(read_once(&r, 1, &rsp), 320);
    lw_line_port_slow(r.port, 0);
    assert_int_equal(read_once(&r, 2, &rsp), 20);
    assert_int_equal(lw_line_port_longest(r.port), 320);
    close_port(&r);
}

static void refusals(void **state) {
    (void)state;
    lw_error err = {0};
    lw_line_port_config config;
    lw_line_port_config_default(&config);
    config.early_percent = 101;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_string_equal(err.text, "line port: early percent 101 is not in 0..100");
    lw_line_port_config_default(&config);
    config.late_in_10000 = 10001;
    assert_null(lw_line_port_new(&config, NULL, &err));
    assert_string_equal(err.text, "line port: late reads 10001 is not in 0..10000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_of_the_reads_is_late),
        cmocka_unit_test(a_part_of_the_reads_is_early),
        cmocka_unit_test(a_line_that_stays_is_not_outdated),
        cmocka_unit_test(none_is_where_none_is_asked_for),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("line_port_times", tests, NULL, NULL);
}
