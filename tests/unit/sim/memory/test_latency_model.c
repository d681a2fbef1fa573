/* The bank model: in which bank a line lies, and what a read finds there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/memory/latency_model.h"

#include <string.h>

enum { HIT = 20, CLOSED = 40, CONFLICT = 60, COLUMNS = 128 };

static lw_latency_model make(uint32_t channels, uint32_t banks) {
    const lw_latency_config config = {.kind = LW_LATENCY_BANK,
                                      .channels = channels,
                                      .banks = banks,
                                      .row_hit = HIT,
                                      .row_miss = CLOSED,
                                      .row_conflict = CONFLICT};
    lw_latency_model model;
    lw_error err = {0};
    assert_true(lw_latency_model_make(&config, 1, &model, &err));
    return model;
}

/* How long a read takes that finds its bank idle. */
static uint64_t took(const lw_latency_model *m, uint64_t *now, uint64_t line) {
    *now += 1000;
    return m->due(m->state, *now, line) - *now;
}

/* Whatever a row's number: closed at first, then open, then another is. */
static void what_a_read_finds(void **state) {
    (void)state;
    for (uint64_t row = 0; row < 6; row++) {
        const lw_latency_model m = make(1, 2);
        uint64_t now = 0;
        for (uint64_t bank = 0; bank < 2; bank++) {
            const uint64_t line = (row * 2 + bank) * COLUMNS;
            const uint64_t other = ((row + 1) * 2 + bank) * COLUMNS;
            assert_int_equal(took(&m, &now, line), CLOSED);
            assert_int_equal(took(&m, &now, line + COLUMNS - 1), HIT);
            assert_int_equal(took(&m, &now, other), CONFLICT);
            assert_int_equal(took(&m, &now, other), HIT);
            assert_int_equal(took(&m, &now, line), CONFLICT);
        }
        m.destroy(m.state);
    }
}

/* A line's channel is its lowest bits, XORed with those 3, 6 and 9 places higher; above the
 * channel's bits are those of a column of 128, and above these the bank's. */
static void where_a_line_lies(void **state) {
    (void)state;
    enum { BANKS = 8 };
    static lw_banks before, after;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (uint32_t channels = 1; channels <= 64; channels *= 4) {
        const lw_latency_model m = make(channels, BANKS);
        m.banks(m.state, &before);
        assert_true(before.channels == channels && before.banks == BANKS && before.ranks == 0);
        for (uint64_t n = 0; n < 300; n++) {
            const uint64_t line = lw_rng_next(&rng) >> 20;
            const uint64_t channel = (line ^ line >> 3 ^ line >> 6 ^ line >> 9) % channels;
            const uint64_t bank = line / channels / COLUMNS % BANKS;
            (void)m.due(m.state, 1000 * n, line);
            m.banks(m.state, &after);
            lw_bank_counts *b = &before.bank[channel * BANKS + bank];
            const lw_bank_counts *a = &after.bank[channel * BANKS + bank];
            assert_int_equal(a->row_hits + a->row_misses + a->row_conflicts,
                             b->row_hits + b->row_misses + b->row_conflicts + 1);
            *b = *a;
            assert_memory_equal(before.bank, after.bank,
                                (size_t)channels * BANKS * sizeof after.bank[0]);
        }
        m.destroy(m.state);
    }
}

/* Without numbers it is 2 channels of 8 banks, and 20, 40 and 60 cycles. */
static void what_bank_alone_means(void **state) {
    (void)state;
    lw_latency_config c;
    lw_error err = {0};
    assert_true(lw_latency_parse("bank", &c, &err));
    assert_true(c.kind == LW_LATENCY_BANK && c.channels == 2 && c.banks == 8);
    assert_true(c.row_hit == 20 && c.row_miss == 40 && c.row_conflict == 60);
}

/* Latencies of 1 to 1000000 that do not descend, and powers of two up to 64: the ends are allowed,
 * and what is one beyond in any place is out of range. */
static void both_sides_of_the_limits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool allowed;
    } rows[] = {
        {"fixed:1", true},
        {"fixed:1000000", true},
        {"fixed:0", false},
        {"uniform:1,1000000", true},
        {"uniform:5,5", true},
        {"uniform:5,4", false},
        {"uniform:0,4", false},
        {"bank:1,1,1,1,1", true},
        {"bank:64,64,1000000,1000000,1000000", true},
        {"bank:128,8,1,2,3", false},
        {"bank:0,8,1,2,3", false},
        {"bank:2,128,1,2,3", false},
        {"bank:2,0,1,2,3", false},
        {"bank:2,6,1,2,3", false},
        {"bank:2,8,0,2,3", false},
        {"bank:2,8,3,2,3", false},
        {"bank:2,8,1,3,2", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_latency_config c;
        lw_error err = {0};
        assert_int_equal(lw_latency_parse(rows[i].text, &c, &err), rows[i].allowed);
        assert_true(rows[i].allowed || strstr(err.text, "which is out of range") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_read_finds),
        cmocka_unit_test(where_a_line_lies),
        cmocka_unit_test(what_bank_alone_means),
        cmocka_unit_test(both_sides_of_the_limits),
    };
    return cmocka_run_group_tests_name("latency_model", tests, NULL, NULL);
}
