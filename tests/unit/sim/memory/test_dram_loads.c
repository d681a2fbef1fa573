/* The DRAM under many requests: no command ever breaks a time of the file, whatever the mix; what
 * comes out does not depend on which cycles were asked; and as many lines pass as the times allow.
 */
#include "tests/unit/sim/memory/dram_run.h"

#include "common/rng.h"

/* ---------------------------------------------------------------- a judge of its own */

/* What the last commands of a bank, a rank and the channel were; clocks + 1, 0: none. */
typedef struct judged_bank {
    uint64_t act, pre, read, write;
    bool open;
    uint64_t row;
} judged_bank;

typedef struct judged_rank {
    uint64_t acts[4], refresh, read, write; /* acts: the last first */
} judged_rank;

typedef struct judge {
    const lw_dram_timing *t;
    judged_bank banks[LW_DRAM_RANKS_MAX][LW_DRAM_BANKS_MAX];
    judged_rank ranks[LW_DRAM_RANKS_MAX];
    uint64_t last;      /* command */
    uint64_t data_end;  /* of the bus */
    uint32_t data_rank; /* whose that was */
    bool data_write;
    uint64_t counts[6];
} judge;

static void apart(const char *what, uint64_t since, uint64_t now, uint64_t clocks) {
    if (since != 0 && now < since - 1 + clocks) {
        fail_msg("%s: clock %llu is only %lld after %llu, not %llu", what, (unsigned long long)now,
                 (long long)(now - (since - 1)), (unsigned long long)(since - 1),
                 (unsigned long long)clocks);
    }
}

static void judge_act(judge *j, const lw_dram_command *c) {
    const lw_dram_timing *t = j->t;
    judged_bank *b = &j->banks[c->rank][c->bank];
    judged_rank *r = &j->ranks[c->rank];
    assert_false(b->open);
    apart("tRC", b->act, c->clock, t->rc);
    apart("tRP", b->pre, c->clock, t->rp);
    apart("tRRD", r->acts[0], c->clock, t->rrd);
    apart("tFAW", r->acts[3], c->clock, t->faw);
    apart("tRFC", r->refresh, c->clock, t->rfc);
    memmove(&r->acts[1], &r->acts[0], sizeof r->acts - sizeof r->acts[0]);
    b->act = r->acts[0] = c->clock + 1;
    b->open = true;
    b->row = c->row;
}

static void judge_pre(judge *j, uint32_t rank, uint32_t bank, uint64_t clock) {
    const lw_dram_timing *t = j->t;
    judged_bank *b = &j->banks[rank][bank];
    if (b->open) {
        apart("tRAS", b->act, clock, t->ras);
        apart("tRTP", b->read, clock, t->rtp);
        apart("tWR", b->write, clock, t->cwl + t->burst_length / 2 + t->wr);
        b->pre = clock + 1;
    }
    b->open = false;
}

static void judge_column(judge *j, const lw_dram_command *c) {
    const lw_dram_timing *t = j->t;
    const bool write = c->kind == LW_DRAM_WR;
    judged_bank *b = &j->banks[c->rank][c->bank];
    judged_rank *r = &j->ranks[c->rank];
    assert_true(b->open && b->row == c->row);
    apart("tRCD", b->act, c->clock, t->rcd);
    apart("tCCD", r->read, c->clock, t->ccd);
    apart("tCCD", r->write, c->clock, t->ccd);
    if (!write) {
        apart("tWTR", r->write, c->clock, t->cwl + t->burst_length / 2 + t->wtr);
    }
    const uint64_t data = c->clock + (write ? t->cwl : t->cl);
    const bool turns = c->rank != j->data_rank || write != j->data_write;
    if (j->data_end != 0 && data < j->data_end + (turns ? t->rtrs : 0)) {
        fail_msg("the bus is taken until %llu", (unsigned long long)j->data_end);
    }
    j->data_end = data + t->burst_length / 2;
    j->data_rank = c->rank;
    j->data_write = write;
    *(write ? &b->write : &b->read) = *(write ? &r->write : &r->read) = c->clock + 1;
}

static void judge_refresh(judge *j, const lw_dram_command *c) {
    for (uint32_t b = 0; b < j->t->banks; b++) {
        assert_false(j->banks[c->rank][b].open);
        apart("tRP before REF", j->banks[c->rank][b].pre, c->clock, j->t->rp);
    }
    /* the n-th is due n intervals from the start, by turns, and comes soon after */
    const uint64_t latest = (uint64_t)j->t->rc + j->t->cwl + j->t->burst_length + j->t->wr;
    judged_rank *r = &j->ranks[c->rank];
    if (r->refresh != 0) {
        apart("tREFI", r->refresh, c->clock, j->t->refi - latest);
        assert_true(c->clock < r->refresh + j->t->refi + latest);
    }
    r->refresh = c->clock + 1;
}

static void judge_command(void *ctx, const lw_dram_command *c) {
    judge *j = &((judge *)ctx)[c->channel];
    assert_true(j->last == 0 || c->clock > j->last - 1); /* one a clock */
    j->last = c->clock + 1;
    j->counts[c->kind]++;
    switch (c->kind) {
    case LW_DRAM_ACT:
        judge_act(j, c);
        break;
    case LW_DRAM_RD:
    case LW_DRAM_WR:
        judge_column(j, c);
        break;
    case LW_DRAM_PRE:
        assert_true(j->banks[c->rank][c->bank].open);
        judge_pre(j, c->rank, c->bank, c->clock);
        break;
    case LW_DRAM_PRE_ALL:
        for (uint32_t b = 0; b < j->t->banks; b++) {
            judge_pre(j, c->rank, b, c->clock);
        }
        break;
    case LW_DRAM_REF:
        judge_refresh(j, c);
        break;
    }
}

/* ---------------------------------------------------------------- many requests, in two ways */

enum { REQUESTS = 100000 };

typedef struct planned {
    uint64_t cycle;
    lw_memory_request request;
} planned;

/* A third of the lines near the last, so that rows are open; bursts with pauses between them, some
 * longer than the refreshes are apart. */
static planned *plan_of(uint64_t seed) {
    planned *plan = calloc(REQUESTS, sizeof *plan);
    lw_rng rng;
    uint64_t cycle = 0;
    uint64_t line = 0;
    assert_non_null(plan);
    lw_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint64_t pause = lw_rng_below(&rng, 1000);
        cycle += pause < 700 ? pause % 4 : pause < 999 ? pause % 100 : 30000;
        line =
            lw_rng_percent(&rng, 33) ? line + lw_rng_below(&rng, 8) : lw_rng_below(&rng, 1 << 18);
        plan[i] = (planned){cycle,
                            {.line = line,
                             .user = lw_rng_percent(&rng, 30) ? LW_MEMORY_WALKS : LW_MEMORY_DATA,
                             .write = lw_rng_percent(&rng, 30),
                             .id = i}};
    }
    return plan;
}

typedef struct outcome {
    uint64_t finished[REQUESTS];
    uint64_t taken[REQUESTS];
    uint32_t order[REQUESTS]; /* of the ends */
    uint32_t ends;
} outcome;

static void take_ends(lw_memory *m, uint64_t now, outcome *o) {
    for (uint32_t user = 0; user < LW_MEMORY_USERS; user++) {
        uint32_t id = 0;
        while (m->finished(m->state, now, (lw_memory_user)user, &id)) {
            assert_int_equal(o->finished[id], 0);
            o->finished[id] = now;
            o->order[o->ends++] = id;
        }
    }
}

/* Each request as soon as it is its turn and there is room. Either every cycle is asked in, or only
 * those of events. */
static void follow(const lw_dram_timing *t, uint32_t unit_mhz, const planned *plan, bool every,
                   judge *judges, outcome *o) {
    lw_error err = {0};
    lw_dram *dram = lw_dram_new(t, unit_mhz, &err);
    assert_non_null(dram);
    lw_memory *m = lw_dram_memory(dram);
    uint32_t reads = 0;
    uint32_t next = 0;
    memset(o, 0, sizeof *o);
    for (uint32_t c = 0; judges != NULL && c < t->channels; c++) {
        judges[c] = (judge){.t = t};
    }
    lw_dram_watch(dram, judges != NULL ? judge_command : NULL, judges);
    for (uint64_t now = 0; next < REQUESTS || o->ends < reads;) {
        take_ends(m, now, o);
        bool room = true;
        while (next < REQUESTS && plan[next].cycle <= now && room) {
            room = m->ready(m->state, now, &plan[next].request);
            if (room) {
                m->ask(m->state, now, &plan[next].request);
                reads += !plan[next].request.write;
                o->taken[next++] = now;
            }
        }
        const uint64_t event = m->next_event(m->state, now);
        const bool waits = next < REQUESTS && plan[next].cycle > now;
        const uint64_t until = waits && plan[next].cycle < event ? plan[next].cycle : event;
        assert_true(until > now);
        now = every || until == UINT64_MAX ? now + 1 : until;
    }
    m->destroy(m->state);
}

static void the_same_whenever_it_is_asked(void **state) {
    (void)state;
    static outcome every, events;
    static judge judges[2];
    lw_dram_timing small = dram_timing("stress");
    lw_dram_timing nha = dram_timing("ddr3_1600");
    lw_dram_timing closing = dram_timing("mesc_1ghz");
    small.read_queue = 3;
    closing.close_idle = 60;
    closing.bank_hash = 1;
    closing.starvation = 150;
    const struct {
        const lw_dram_timing *t;
        uint32_t unit_mhz;
    } rows[] = {{&nha, 2000}, {&small, 700}, {&closing, 700}, {&nha, 800}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        planned *plan = plan_of(i + 1);
        follow(rows[i].t, rows[i].unit_mhz, plan, true, judges, &every);
        follow(rows[i].t, rows[i].unit_mhz, plan, false, NULL, &events);
        assert_memory_equal(&every, &events, sizeof every);
        for (uint32_t c = 0; c < 2; c++) {
            const uint64_t *n = judges[c].counts;
            assert_true(n[LW_DRAM_ACT] > 1000 && n[LW_DRAM_RD] > 20000 && n[LW_DRAM_WR] > 5000 &&
                        n[LW_DRAM_PRE] > 1000 && n[LW_DRAM_PRE_ALL] > 50 && n[LW_DRAM_REF] > 100);
        }
        free(plan);
    }
}

/* ---------------------------------------------------------------- as much as the times allow */

/* So many reads as fast as they are taken; clocks until the last is there. */
static uint64_t clocks_of(const lw_dram_timing *t, uint64_t (*line)(lw_rng *rng, uint64_t i),
                          uint32_t reads) {
    lw_error err = {0};
    lw_dram *dram = lw_dram_new(t, t->clock_mhz, &err);
    assert_non_null(dram);
    lw_memory *m = lw_dram_memory(dram);
    lw_rng rng;
    lw_rng_seed(&rng, 7);
    lw_memory_request request = {line(&rng, 0), LW_MEMORY_WALKS, false, 0};
    uint32_t asked = 0;
    uint32_t ends = 0;
    uint64_t now = 0;
    while (ends < reads) {
        uint32_t id = 0;
        while (m->finished(m->state, now, LW_MEMORY_WALKS, &id)) {
            ends++;
        }
        while (asked < reads && m->ready(m->state, now, &request)) {
            m->ask(m->state, now, &request);
            request.line = line(&rng, ++asked);
        }
        now = ends < reads ? m->next_event(m->state, now) : now;
    }
    m->destroy(m->state);
    return now;
}

static uint64_t one_after_another(lw_rng *rng, uint64_t i) {
    (void)rng;
    return i;
}

static uint64_t anywhere(lw_rng *rng, uint64_t i) {
    (void)i;
    return lw_rng_below(rng, UINT64_C(1) << 30);
}

/* Another row of the first bank each time: 8 banks of 128 lines are a row of all. */
static uint64_t rows_of_one_bank(lw_rng *rng, uint64_t i) {
    (void)rng;
    return i * 8 * 128;
}

static void within(uint64_t clocks, uint64_t least, uint64_t percent_more) {
    if (clocks < least || clocks * 100 > least * (100 + percent_more)) {
        fail_msg("%llu clocks; the times allow %llu, and %llu %% more are expected",
                 (unsigned long long)clocks, (unsigned long long)least,
                 (unsigned long long)percent_more);
    }
}

static void as_many_lines_as_the_times_allow(void **state) {
    (void)state;
    const uint64_t reads = 20000;
    lw_dram_timing t = dram_plain();
    /* The bus is never idle: 4 clocks a line, 64 bytes in 5 ns = 12.8 GB/s; 1 % for the start. */
    within(clocks_of(&t, one_after_another, reads), reads * 4, 1);
    /* One row a read: tRC = 39, and the first read's 26 at the end. */
    within(clocks_of(&t, rows_of_one_bank, 1000), 1000 * 39 - 39 + 26, 0);
    /* Rows at random in 8 banks: four activations in tFAW = 24 clocks, 6 a line, which 8 banks of
     * 39 clocks (4.9 a line) could do if the queue's 32 always spread over all. */
    within(clocks_of(&t, anywhere, reads), reads * 6, 12);
    /* Two ranks of 16 banks are not bound by tFAW (3 a line) but by the bus, with tRTRS whenever
     * the rank changes: between 4 and 6. */
    t.ranks = 2;
    t.banks = 16;
    within(clocks_of(&t, anywhere, reads), reads * 4, 50);
    /* 13 refreshes within 83000 clocks, each tRP + tRFC + tRCD = 230 clocks without a read. */
    t = dram_plain();
    t.refi = 6240;
    within(clocks_of(&t, one_after_another, reads), reads * 4 + UINT64_C(13) * 230, 1);
}

/* Hits that come as fast as they are read until clock 100, then as many as there is room for: the
 * conflict of that clock is still read soon after its bound of 200 clocks. */
static void nobody_starves(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.starvation = 200;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    lw_dram_watch(r.dram, NULL, NULL);
    const lw_memory_request hit = {dram_line(&r, 0, 0, 0, 0), LW_MEMORY_WALKS, false, 2};
    lw_memory *m = r.memory;
    for (uint64_t cycle = 0; r.finished[1] == 0; cycle++) {
        uint32_t id = 0;
        while (m->finished(m->state, cycle, LW_MEMORY_WALKS, &id)) {
        }
        r.now = cycle;
        dram_take(&r, LW_MEMORY_DATA);
        if (cycle == 100) {
            dram_read(&r, cycle, dram_line(&r, 0, 0, 1, 0), 1);
        }
        while ((cycle % 4 == 0 || cycle > 100) && m->ready(m->state, cycle, &hit)) {
            m->ask(m->state, cycle, &hit);
            if (cycle <= 100) {
                break;
            }
        }
    }
    /* at most tCCD before it a last hit, then tRTP + tRP + tRCD + tCL + 4 */
    assert_in_range(r.finished[1] - 100, 200, 200 + 6 + 11 + 11 + 11 + 4);
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_whenever_it_is_asked),
        cmocka_unit_test(as_many_lines_as_the_times_allow),
        cmocka_unit_test(nobody_starves),
    };
    return cmocka_run_group_tests_name("dram_loads", tests, NULL, NULL);
}
