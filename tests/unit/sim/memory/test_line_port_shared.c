/* The line port on a memory that others use too: the same promises as on a latency model of its
 * own. The memory is a DRAM of one channel whose clock is the unit's. */
#include "tests/unit/sim/memory/dram_run.h"

#include "sim/memory/line_port.h"

typedef struct shared_run {
    dram_run dram;
    lw_phys_mem *content;
    lw_line_port *port;
} shared_run;

static lw_line_port_config plain_config(void) {
    lw_line_port_config config;
    lw_line_port_config_default(&config);
    config.reorder = true;
    return config;
}

static void open_shared(shared_run *s, const lw_dram_timing *t, const lw_line_port_config *config) {
    lw_error err = {0};
    dram_open(&s->dram, t, t->clock_mhz);
    s->content = lw_phys_mem_new(48, &err);
    s->port = lw_line_port_new_on(config, s->dram.memory, s->content, &err);
    assert_non_null(s->content);
    assert_non_null(s->port);
}

static void close_shared(shared_run *s) {
    lw_line_port_free(s->port);
    lw_phys_mem_free(s->content);
    dram_close(&s->dram);
}

static void step_read(shared_run *s, uint64_t now, uint32_t tag, uint64_t line) {
    assert_true(lw_line_port_ready(s->port, now));
    lw_line_port_step(s->port, now, &(lw_line_request){tag, line});
}

/* Runs to the next response, over idle cycles; its cycle. */
static uint64_t next_response(shared_run *s, uint64_t now, lw_line_response *rsp) {
    for (;;) {
        const uint64_t at = lw_line_port_next_event(s->port, now);
        assert_true(at != UINT64_MAX && at >= now);
        const bool offer = lw_line_port_response(s->port, at, rsp);
        assert_int_equal(lw_line_port_response(s->port, at, rsp), offer);
        lw_line_port_step(s->port, at, NULL);
        if (offer) {
            return at;
        }
        now = at + 1;
    }
}

/* A closed row takes 26 clocks; of a row that is open two reads of cycles 50 and 51 take 15, their
 * commands 4 clocks apart. */
static void latencies_to_the_cycle(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    const lw_line_port_config config = plain_config();
    shared_run s;
    lw_line_response rsp;
    open_shared(&s, &t, &config);
    assert_int_equal(lw_line_port_next_event(s.port, 0), UINT64_MAX);
    step_read(&s, 0, 7, 3);
    assert_int_equal(lw_line_port_in_flight(s.port), 1);
    assert_int_equal(next_response(&s, 1, &rsp), 26);
    assert_true(rsp.tag == 7 && rsp.line == 3 && !rsp.error);
    step_read(&s, 50, 8, 4);
    step_read(&s, 51, 9, 5);
    assert_int_equal(next_response(&s, 52, &rsp), 65);
    assert_int_equal(next_response(&s, 66, &rsp), 69);
    assert_int_equal(lw_line_port_in_flight(s.port), 0);
    assert_int_equal(lw_line_port_longest(s.port), 26);
    close_shared(&s);
}

/* A conflict of cycle 30 is read in 30 + 11 + 11 + 11 + 4 = 67, another bank's closed row in 31 +
 * 26 = 57; in order the second is offered after the first. */
static void in_order_and_reordered(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    for (uint32_t reorder = 0; reorder < 2; reorder++) {
        lw_line_port_config config = plain_config();
        shared_run s;
        lw_line_response rsp;
        config.reorder = reorder != 0;
        open_shared(&s, &t, &config);
        step_read(&s, 0, 1, dram_line(&s.dram, 0, 0, 0, 0));
        assert_int_equal(next_response(&s, 1, &rsp), 26);
        step_read(&s, 30, 2, dram_line(&s.dram, 0, 0, 1, 0));
        step_read(&s, 31, 3, dram_line(&s.dram, 0, 1, 0, 0));
        assert_int_equal(next_response(&s, 32, &rsp), reorder != 0 ? 57 : 67);
        assert_int_equal(rsp.tag, reorder != 0 ? 3 : 2);
        assert_int_equal(next_response(&s, 58, &rsp), reorder != 0 ? 67 : 68);
        close_shared(&s);
    }
}

/* The queue has one place. The second read waits for it in the port, which takes no third until the
 * first is there: 26, and the second is asked for in that cycle and hits: 26 + 15. */
static void a_read_without_room(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.read_queue = 1;
    t.walk_places = 0;
    const lw_line_port_config config = plain_config();
    shared_run s;
    lw_line_response rsp;
    open_shared(&s, &t, &config);
    step_read(&s, 0, 1, 0);
    step_read(&s, 1, 2, 1);
    assert_false(lw_line_port_ready(s.port, 2));
    assert_int_equal(next_response(&s, 2, &rsp), 26);
    assert_true(lw_line_port_ready(s.port, 27));
    assert_int_equal(next_response(&s, 27, &rsp), 41);
    assert_int_equal(rsp.tag, 2);
    close_shared(&s);
}

/* The one place is another user's, who takes its read in 26 when the port has tried already; the
 * port asks in 27, and hits: 42. */
static void room_that_another_user_gives(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.read_queue = 1;
    t.walk_places = 0;
    const lw_line_port_config config = plain_config();
    shared_run s;
    lw_line_response rsp;
    uint32_t id = 0;
    open_shared(&s, &t, &config);
    lw_memory *m = s.dram.memory;
    m->ask(m->state, 0, &(lw_memory_request){.line = 0, .user = LW_MEMORY_DATA, .id = 77});
    step_read(&s, 1, 1, 1);
    assert_int_equal(lw_line_port_next_event(s.port, 16), 26);
    lw_line_port_step(s.port, 26, NULL);
    assert_true(m->finished(m->state, 26, LW_MEMORY_DATA, &id) && id == 77);
    assert_int_equal(lw_line_port_next_event(s.port, 27), 27);
    assert_int_equal(next_response(&s, 27, &rsp), 42);
    close_shared(&s);
}

/* Errors, late reads, early data and slow phases come on top of the memory's time, and a full port
 * is not ready. */
static void what_comes_on_top(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    lw_line_port_config config = plain_config();
    lw_error err = {0};
    shared_run s;
    lw_line_response rsp;
    config.late_in_10000 = 10000;
    config.late_cycles = 1000;
    config.early_percent = 100;
    config.capacity = 1;
    config.error_at_line = true;
    config.error_line = 5;
    open_shared(&s, &t, &config);
    assert_true(lw_phys_mem_write64(s.content, UINT64_C(64) * 4, 1, &err));
    step_read(&s, 0, 1, 4);
    assert_false(lw_line_port_ready(s.port, 1));
    assert_true(lw_phys_mem_write64(s.content, UINT64_C(64) * 4, 2, &err));
    assert_int_equal(next_response(&s, 1, &rsp), 1026);
    assert_true(rsp.data[0] == 1 && lw_line_port_late(s.port) == 1);
    assert_int_equal(lw_line_port_outdated(s.port), 1);
    lw_line_port_slow(s.port, 300);
    step_read(&s, 2000, 2, 5);
    assert_int_equal(next_response(&s, 2001, &rsp), 2000 + 15 + 1000 + 300);
    assert_true(rsp.error);
    close_shared(&s);
}

/* 2000 reads, each when its turn has come and the port takes it; in all cycles, or only in those of
 * events and turns. */
static void follow(const lw_dram_timing *t, const lw_line_port_config *config, bool every,
                   uint64_t *answered) {
    shared_run s;
    uint32_t sent = 0;
    uint32_t back = 0;
    uint64_t turn = 1;
    open_shared(&s, t, config);
    lw_dram_watch(s.dram.dram, NULL, NULL);
    for (uint64_t now = 1; back < 2000;) {
        lw_line_response rsp;
        const bool sends = sent < 2000 && turn <= now && lw_line_port_ready(s.port, now);
        if (lw_line_port_response(s.port, now, &rsp)) {
            assert_int_equal(answered[rsp.tag], 0);
            answered[rsp.tag] = now;
            back++;
        }
        const uint32_t line = sent * UINT32_C(2654435761) >> 18;
        lw_line_port_step(s.port, now, sends ? &(lw_line_request){sent, line} : NULL);
        if (sends) {
            sent++;
            turn = now + 1 + (uint64_t)(sent % 3) * (sent % 40);
        }
        const uint64_t event = lw_line_port_next_event(s.port, now + 1);
        const uint64_t next = turn > now ? turn : now + 1;
        const uint64_t until = sent < 2000 && next < event ? next : event;
        assert_true(back == 2000 || until != UINT64_MAX);
        now = every ? now + 1 : until;
    }
    close_shared(&s);
}

static void the_same_over_idle_cycles(void **state) {
    (void)state;
    static uint64_t answered[2][2000];
    lw_dram_timing timings[] = {dram_timing("stress"), dram_timing("ddr3_1600")};
    for (uint32_t i = 0; i < 8; i++) {
        lw_line_port_config config = plain_config();
        config.reorder = (i & 1) != 0;
        config.late_in_10000 = (i & 2) != 0 ? 500 : 0;
        config.late_cycles = 700;
        config.capacity = 6;
        memset(answered, 0, sizeof answered);
        follow(&timings[i / 4], &config, true, answered[0]);
        follow(&timings[i / 4], &config, false, answered[1]);
        assert_memory_equal(answered[0], answered[1], sizeof answered[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_to_the_cycle), cmocka_unit_test(in_order_and_reordered),
        cmocka_unit_test(a_read_without_room),    cmocka_unit_test(room_that_another_user_gives),
        cmocka_unit_test(what_comes_on_top),      cmocka_unit_test(the_same_over_idle_cycles),
    };
    return cmocka_run_group_tests_name("line_port_shared", tests, NULL, NULL);
}
