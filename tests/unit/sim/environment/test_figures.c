/* What an environment tells of a run, counted once more by a hand that looks at nothing but the
 * unit's ports. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/upper_neighbours.h"

enum { LONG = 10000000, IDS = 1 << 16, TAGS = 1 << 10 };

/* A request in flight. */
typedef struct flying {
    bool there;
    uint32_t pasid;
    uint64_t page, since, held; /* the last: cycles until then */
} flying;

typedef struct recount {
    flying requests[IDS];
    uint64_t read_since[TAGS];
    uint64_t in_flight, in_flight_sum, in_flight_max, neighbours, longest, memory;
    uint64_t kinds[LW_KINDS], accesses[4], sources; /* the last a bit each */
    lw_waits waits;
    uint64_t offered, read_offered; /* and not taken */
    uint64_t invalidated, inv_since, inv_held;
    lw_upper_neighbours *upper;
} recount;

/* Whether another one in flight has a page of the same eight. */
static bool meets(const recount *c, uint32_t pasid, uint64_t page) {
    for (uint32_t id = 0; id < IDS; id++) {
        const flying *f = &c->requests[id];
        if (f->there && f->pasid == pasid && f->page >> 3 == page >> 3) {
            return true;
        }
    }
    return false;
}

/* The unit is asked what the front end asks. */
static void assert_passed_on(const lw_inputs *in, const lw_front_request *offered) {
    assert_int_equal(in->req_id, offered->id);
    assert_int_equal(in->req_src, offered->src);
    assert_int_equal(in->req_pasid, offered->pasid);
    assert_int_equal(in->req_page, offered->page);
    assert_int_equal(in->req_access, offered->access);
}

static void longer(uint64_t *most, uint64_t cycles) {
    *most = cycles > *most ? cycles : *most;
}

/* docs/json.md: waits for a bound, of which the requester's own are taken off, the cycles in which
 * it holds a valid response back. */
static void count_waits(const environment_run *r, recount *c) {
    const lw_inputs *in = &r->in;
    const lw_outputs *out = &r->out;
    const bool holds = out->rsp_valid && !in->rsp_ready;
    lw_waits *w = &c->waits;
    w->held += holds ? 1 : 0;
    if (!in->req_valid || out->req_ready) {
        c->offered = 0;
    } else if (!holds) {
        longer(&w->acceptance, ++c->offered);
    }
    if (out->mem_req_valid && !in->mem_req_ready) {
        longer(&w->memory_ready, ++c->read_offered);
    } else {
        c->read_offered = 0;
    }
    if (out->inv_done) {
        longer(&w->invalidation, r->now - c->inv_since - (w->held - c->inv_held));
        c->invalidated++;
    }
    if (in->inv_valid && out->inv_ready) {
        c->inv_since = r->now;
        c->inv_held = w->held;
    }
    if (out->rsp_valid && in->rsp_ready) {
        const flying *f = &c->requests[out->rsp_id];
        longer(&w->request, r->now - f->since - (w->held - f->held));
    }
}

/* What is answered in a cycle is still in flight for the request of that cycle. */
static void count(environment_run *r, void *ctx) {
    recount *c = ctx;
    if (r->in.req_valid) {
        assert_passed_on(&r->in, &r->env->offered);
    }
    count_waits(r, c);
    if (r->in.req_valid && r->out.req_ready) {
        c->accesses[r->in.req_access]++;
        c->sources |= UINT64_C(1) << r->in.req_src % 64;
        c->neighbours += meets(c, r->in.req_pasid, r->in.req_page);
        c->requests[r->in.req_id] =
            (flying){true, r->in.req_pasid, r->in.req_page, r->now, c->waits.held};
        lw_upper_neighbours_enter(c->upper, r->in.req_pasid, r->in.req_page);
        c->in_flight++;
        c->in_flight_sum += c->in_flight;
        c->in_flight_max = c->in_flight > c->in_flight_max ? c->in_flight : c->in_flight_max;
    }
    if (r->in.mem_rsp_valid) {
        const uint64_t took = r->now - c->read_since[r->in.mem_rsp_tag];
        c->memory = took > c->memory ? took : c->memory;
    }
    if (r->out.mem_req_valid && r->in.mem_req_ready) {
        c->read_since[r->out.mem_req_tag] = r->now;
    }
    if (r->out.rsp_valid && r->in.rsp_ready) {
        flying *f = &c->requests[r->out.rsp_id];
        const uint64_t waited = r->now - f->since;
        c->longest = waited > c->longest ? waited : c->longest;
        c->kinds[r->out.rsp_kind]++;
        c->in_flight--;
        lw_upper_neighbours_leave(c->upper, f->pasid, f->page);
        f->there = false;
    }
}

static void test_counted_once_more(void **state) {
    (void)state;
    static recount c;
    environment_run r;
    uint64_t kinds[LW_KINDS], unasked[LW_KINDS];
    uint64_t sum = 0;
    uint64_t most = 0;
    const lw_run run = {.workload = "random", .seed = 1, .max_requests = 2000, .neighbours = true};
    environment_open(&r, "stress_small", &run, NULL, NULL);
    c.upper = lw_upper_neighbours_new(r.system.hw.levels, IDS);
    assert_non_null(c.upper);
    if (!environment_go(&r, LONG, count, &c)) {
        fail_msg("%s", r.err.text);
    }
    lw_environment_in_flight(r.env, &sum, &most);
    assert_int_equal(sum, c.in_flight_sum);
    assert_int_equal(most, c.in_flight_max);
    assert_int_equal(lw_environment_requests(r.env), 2000);
    assert_int_equal(lw_environment_requests_total(r.env), 2000);
    assert_int_equal(lw_environment_checked(r.env), 2000);
    assert_int_equal(lw_environment_neighbours(r.env), c.neighbours);
    assert_true(c.accesses[LW_READ] > 100 && c.accesses[LW_WRITE] > 100);
    assert_true(c.accesses[LW_EXECUTE] > 100 && c.sources != 1);
    assert_true(c.neighbours > 20 && c.neighbours < 1900);
    const lw_upper_counts upper = lw_environment_upper_neighbours(r.env);
    assert_int_equal(upper.accesses, lw_upper_neighbours_counts(c.upper).accesses);
    assert_int_equal(upper.met, lw_upper_neighbours_counts(c.upper).met);
    assert_true(upper.met > 20);
    assert_int_equal(lw_environment_longest_wait(r.env), c.longest);
    const lw_waits waits = lw_environment_waits(r.env);
    assert_int_equal(waits.memory, c.memory);
    c.waits.memory = c.memory;
    assert_memory_equal(&waits, &c.waits, sizeof waits);
    assert_true(waits.request < c.longest && waits.held > 100 && c.invalidated > 10);
    assert_true(waits.acceptance > 1 && waits.memory_ready > 1);
    lw_environment_faults(r.env, kinds, unasked);
    assert_memory_equal(kinds, c.kinds, sizeof kinds);
    lw_upper_neighbours_free(c.upper);
    environment_close(&r);
}

/* The OS hears of each request: a remote region that is asked for often enough comes in, and each
 * request for one is a remote access until then (docs/machine.md). */
static void test_os_hears_of_requests(void **state) {
    (void)state;
    const lw_run run = {.workload = "sequential", .seed = 1, .size = 6144, .max_requests = 15000};
    static const char *const after[] = {"100", "1000000"};
    for (size_t i = 0; i < 2; i++) {
        environment_run r;
        environment_open(&r, "fshpt_oversub", &run, "migrate_after", after[i]);
        if (!environment_go(&r, LONG, NULL, NULL)) {
            fail_msg("%s", r.err.text);
        }
        const lw_os_agent_counts told = lw_environment_provocations(r.env).os;
        assert_true(told.remote_accesses > 500);
        assert_int_equal(told.migrations != 0, i == 0);
        environment_close(&r);
    }
}

/* Reads that the banks of memory have served. */
static uint64_t bank_reads(const lw_banks *banks) {
    uint64_t reads = 0;
    for (uint32_t b = 0; b < banks->channels * banks->banks; b++) {
        const lw_bank_counts *bank = &banks->bank[b];
        reads += bank->row_hits + bank->row_misses + bank->row_conflicts;
    }
    return reads;
}

/* Each line that the unit reads is read in a bank of the latency model or of the DRAM, or is one
 * that the cache of page-table lines has looked up. */
static void test_banks(void **state) {
    (void)state;
    static const lw_run run = {.workload = "sequential", .seed = 1, .max_requests = 600};
    static const struct {
        const char *dram, *cache;
    } rows[] = {{"none", "0"}, {"ddr3_1600", "0"}, {"ddr3_1600", "16"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        static lw_banks banks;
        environment_open(&r, "nha", &run, "dram", rows[i].dram);
        lw_environment_free(r.env);
        assert_true(lw_system_set(&r.system, "pte_cache_kib", rows[i].cache, "", &r.err));
        r.env = lw_environment_new(&r.system, &run, &r.err);
        assert_non_null(r.env);
        if (!environment_go(&r, LONG, NULL, NULL)) {
            fail_msg("%s", r.err.text);
        }
        const uint64_t reads = r.env->counts.line_reads;
        memset(&banks, 0, sizeof banks);
        lw_environment_banks(r.env, &banks);
        assert_true(reads > 50);
        assert_int_equal(banks.ranks != 0, i != 0);
        assert_int_equal(banks.has_pte_cache, i == 2);
        if (i == 2) {
            assert_int_equal(banks.pte_hits + banks.pte_misses, reads);
            assert_true(banks.pte_hits > 0);
            assert_int_equal(bank_reads(&banks), banks.pte_misses); /* only these go on */
        } else {
            assert_int_equal(bank_reads(&banks), reads);
        }
        environment_close(&r);
    }
}

/* Neighbours are counted where the run asks for them; what is not there is told as nothing. */
static void test_what_is_not_there(void **state) {
    (void)state;
    const lw_run run = {.workload = "repeat", .seed = 1, .max_requests = 200};
    environment_run r;
    lw_front_statistics statistics;
    environment_open(&r, "nha", &run, NULL, NULL);
    assert_true(environment_go(&r, LONG, NULL, NULL));
    assert_int_equal(lw_environment_neighbours(r.env), 0);
    assert_int_equal(lw_environment_upper_neighbours(r.env).accesses, 0);
    assert_int_equal(lw_environment_ordered_walks(r.env), 0);
    assert_null(lw_environment_kernel(r.env, 0));
    memset(&statistics, 0xff, sizeof statistics);
    lw_environment_statistics(r.env, &statistics);
    assert_int_equal(statistics.l1_hits, 0);
    const lw_hashed_figures hashed = lw_environment_hashed(r.env);
    const lw_hashed_figures none = {0};
    assert_memory_equal(&hashed, &none, sizeof hashed);
    environment_close(&r);
}

/* The size of a run that asks for none, and how many requests it will have, if that is known. */
static void test_defaults(void **state) {
    (void)state;
    static const struct {
        lw_run run;
        uint64_t size, total;
    } rows[] = {
        {{.workload = "random", .seed = 1}, 512, 100000},
        {{.workload = "sequential", .seed = 1, .size = 9, .max_requests = 7}, 9, 7},
        {{.workload = "gramschm", .seed = 1, .size = 64}, 64, 0},
        {{.workload = "gramschm", .seed = 1, .size = 64, .max_requests = 5}, 64, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        environment_open(&r, "nha", &rows[i].run, NULL, NULL);
        assert_int_equal(lw_environment_size(r.env), rows[i].size);
        assert_int_equal(lw_environment_requests_total(r.env), rows[i].total);
        environment_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_once_more),
        cmocka_unit_test(test_os_hears_of_requests),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_what_is_not_there),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
