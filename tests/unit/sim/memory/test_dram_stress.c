/* What systems/dram/stress.ini is for: what is rare in a memory that there is comes in it within
 * some thousand cycles. A rule that acts is seen by what changes without it. */
#include "tests/unit/sim/memory/dram_run.h"

#include "common/rng.h"

enum { CYCLES = 5000 };

/* Every command of CYCLES cycles, in which walks and data ask for lines near to each other as fast
 * as they are taken, a third of the data's written. */
static void run(dram_run *r, const lw_dram_timing *t) {
    lw_memory_request request[LW_MEMORY_USERS] = {{.user = LW_MEMORY_WALKS},
                                                  {.user = LW_MEMORY_DATA}};
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    dram_open(r, t, 700);
    lw_memory *m = r->memory;
    for (; r->now < CYCLES; r->now++) {
        for (uint32_t user = 0; user < LW_MEMORY_USERS; user++) {
            uint32_t id = 0;
            while (m->finished(m->state, r->now, (lw_memory_user)user, &id)) {
            }
            if (m->ready(m->state, r->now, &request[user])) {
                m->ask(m->state, r->now, &request[user]);
                request[user].line = lw_rng_below(&rng, 1 << 8);
                request[user].write = user == LW_MEMORY_DATA && lw_rng_percent(&rng, 33);
            }
        }
    }
    dram_close(r);
}

static bool alike(const dram_run *a, const dram_run *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const lw_dram_command *x = &a->commands[i];
        const lw_dram_command *y = &b->commands[i];
        same = x->clock == y->clock && x->channel == y->channel && x->rank == y->rank &&
               x->bank == y->bank && x->kind == y->kind && x->row == y->row &&
               x->column == y->column;
    }
    return same;
}

static void what_acts_within_some_thousand_cycles(void **state) {
    (void)state;
#define WITHOUT(field, value)                                                                      \
    { #field, offsetof(lw_dram_timing, field), value }
    static const struct {
        const char *name;
        size_t at;
        uint32_t value;
    } rows[] = {
        WITHOUT(refi, 0),         WITHOUT(close_idle, 0),  WITHOUT(starvation, 1000000),
        WITHOUT(read_queue, 2),   WITHOUT(write_queue, 3), WITHOUT(write_high, 1),
        WITHOUT(channel_hash, 0), WITHOUT(bank_hash, 0),   WITHOUT(bank_groups, 1),
        WITHOUT(rtrs, 0),         WITHOUT(wr, 1),          WITHOUT(wtr_l, 2),
    };
    static dram_run with, without;
    const lw_dram_timing stress = dram_timing("stress");
    run(&with, &stress);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_dram_timing t = stress;
        memcpy((char *)&t + rows[i].at, &rows[i].value, sizeof rows[i].value);
        run(&without, &t);
        if (alike(&with, &without)) {
            fail_msg("%s changes nothing", rows[i].name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_acts_within_some_thousand_cycles)};
    return cmocka_run_group_tests_name("dram_stress", tests, NULL, NULL);
}
