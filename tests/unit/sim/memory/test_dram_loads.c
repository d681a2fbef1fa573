/* The DRAM under many requests: no command ever breaks a time of the file, whatever the mix; what
 * comes out does not depend on which cycles were asked; and no read waits for ever. */
#include "tests/unit/sim/memory/dram_run.h"

#include "common/rng.h"

/* ---------------------------------------------------------------- a judge of its own */

/* The times that a command keeps from another one of its rank, by whether that was of its own bank
 * group. */
enum { CCD, RRD, WTR, TIMES };

/* What the last commands of a bank, a group, a rank and the channel were; clocks + 1, 0: none. */
typedef struct judged_bank {
    uint64_t act, pre, read, write;
    bool open;
    uint64_t row;
} judged_bank;

typedef struct judged_group {
    uint64_t act, read, write;
} judged_group;

typedef struct judged_rank {
    uint64_t acts[4], refresh; /* acts: the last first */
    judged_group groups[LW_DRAM_BANKS_MAX];
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
    uint64_t exact[TIMES][2]; /* how often a command came in the first clock of a time, _S and _L */
} judge;

static uint32_t group_of(const judge *j, const lw_dram_command *c) {
    return c->bank * j->t->bank_groups / j->t->banks;
}

static void apart(const char *what, uint64_t since, uint64_t now, uint64_t clocks) {
    if (since != 0 && now < since - 1 + clocks) {
        fail_msg("%s: clock %llu is only %lld after %llu, not %llu", what, (unsigned long long)now,
                 (long long)(now - (since - 1)), (unsigned long long)(since - 1),
                 (unsigned long long)clocks);
    }
}

/* The command comes late enough after one of group `g` of its rank, from whose clock to the start
 * of the time `before` clocks pass. */
static void in_groups(judge *j, const lw_dram_command *c, uint32_t time, uint32_t g, uint64_t since,
                      uint64_t before) {
    static const char *const names[TIMES][2] = {
        [CCD] = {"tCCD_S", "tCCD_L"}, [RRD] = {"tRRD_S", "tRRD_L"}, [WTR] = {"tWTR_S", "tWTR_L"}};
    const lw_dram_timing *t = j->t;
    const uint32_t clocks[TIMES][2] = {
        [CCD] = {t->ccd_s, t->ccd_l}, [RRD] = {t->rrd_s, t->rrd_l}, [WTR] = {t->wtr_s, t->wtr_l}};
    const bool own = group_of(j, c) == g;
    const uint64_t least = before + clocks[time][own];
    apart(names[time][own], since, c->clock, least);
    j->exact[time][own] += since != 0 && c->clock == since - 1 + least;
}

static void judge_act(judge *j, const lw_dram_command *c) {
    const lw_dram_timing *t = j->t;
    judged_bank *b = &j->banks[c->rank][c->bank];
    judged_rank *r = &j->ranks[c->rank];
    assert_false(b->open);
    apart("tRC", b->act, c->clock, t->rc);
    apart("tRP", b->pre, c->clock, t->rp);
    for (uint32_t g = 0; g < t->bank_groups; g++) {
        in_groups(j, c, RRD, g, r->groups[g].act, 0);
    }
    apart("tFAW", r->acts[3], c->clock, t->faw);
    apart("tRFC", r->refresh, c->clock, t->rfc);
    memmove(&r->acts[1], &r->acts[0], sizeof r->acts - sizeof r->acts[0]);
    b->act = r->acts[0] = r->groups[group_of(j, c)].act = c->clock + 1;
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
    assert_true(b->open && b->row == c->row);
    apart("tRCD", b->act, c->clock, t->rcd);
    for (uint32_t g = 0; g < t->bank_groups; g++) {
        const judged_group *last = &j->ranks[c->rank].groups[g];
        in_groups(j, c, CCD, g, last->read, 0);
        in_groups(j, c, CCD, g, last->write, 0);
        if (!write) {
            in_groups(j, c, WTR, g, last->write, t->cwl + t->burst_length / 2);
        }
    }
    const uint64_t data = c->clock + (write ? t->cwl : t->cl);
    const bool turns = c->rank != j->data_rank || write != j->data_write;
    if (j->data_end != 0 && data < j->data_end + (turns ? t->rtrs : 0)) {
        fail_msg("the bus is taken until %llu", (unsigned long long)j->data_end);
    }
    j->data_end = data + t->burst_length / 2;
    j->data_rank = c->rank;
    j->data_write = write;
    judged_group *own = &j->ranks[c->rank].groups[group_of(j, c)];
    *(write ? &b->write : &b->read) = *(write ? &own->write : &own->read) = c->clock + 1;
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
    lw_dram_timing groups = dram_timing("gddr6");
    small.read_queue = 3;
    closing.close_idle = 60;
    closing.bank_hash = 1;
    closing.starvation = 150;
    groups.channels = 2;
    const struct {
        const lw_dram_timing *t;
        uint32_t unit_mhz;
    } rows[] = {{&nha, 2000}, {&small, 700}, {&closing, 700}, {&nha, 800}, {&groups, 1500}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        planned *plan = plan_of(i + 1);
        follow(rows[i].t, rows[i].unit_mhz, plan, true, judges, &every);
        follow(rows[i].t, rows[i].unit_mhz, plan, false, NULL, &events);
        assert_memory_equal(&every, &events, sizeof every);
        for (uint32_t c = 0; c < 2; c++) {
            const uint64_t *n = judges[c].counts;
            assert_true(n[LW_DRAM_ACT] > 1000 && n[LW_DRAM_RD] > 20000 && n[LW_DRAM_WR] > 5000 &&
                        n[LW_DRAM_PRE] > 1000 && n[LW_DRAM_PRE_ALL] > 50 && n[LW_DRAM_REF] > 100);
            for (uint32_t time = 0; time < TIMES; time++) {
                const uint64_t *exact = judges[c].exact[time];
                assert_true(exact[1] > 20 && (exact[0] > 20 || rows[i].t->bank_groups == 1));
            }
        }
        free(plan);
    }
}

/* ---------------------------------------------------------------- the oldest read */

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
        cmocka_unit_test(nobody_starves),
    };
    return cmocka_run_group_tests_name("dram_loads", tests, NULL, NULL);
}
