#include "sim/gpu/gpu.h"

#include "sim/gpu/compute_unit.h"
#include "sim/gpu/l2_tlb.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_CUS = 64 };

/* What one workload has left to dispatch. */
typedef struct process {
    lw_launch launch;
    uint32_t next_group, groups_running;
    bool ended;
} process;

typedef struct gpu {
    lw_gpu_params params;
    lw_workload *workloads[MAX_CUS];
    uint32_t processes;
    process process[MAX_CUS];
    lw_compute_units *units;
    lw_l2_tlb *l2;
    uint32_t next_cu;  /* the dispatch pass begins here */
    bool dispatching;  /* something may be dispatched */
    uint64_t requests; /* that the unit took */
    uint64_t answered;
    lw_error error;
} gpu;

bool lw_gpu_params_check(const lw_gpu_params *p, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value, min, max;
    } rows[] = {
        {"cus", p->cus, 1, MAX_CUS},
        {"simds", p->simds, 1, 16},
        {"waves", p->waves, 1, 64},
        {"schedule", p->schedule, 0, LW_SCHEDULES - 1},
        {"wave_loads", p->wave_loads, 0, 64},
        {"issue_period", p->issue_period, 1, 64},
        {"l1_entries", p->l1_entries, 1, 1024},
        {"l1_probes", p->l1_probes, 1, 64},
        {"l1_latency", p->l1_latency, 0, 1000},
        {"l1_mshrs", p->l1_mshrs, 0, 65536},
        {"l2_entries", p->l2_entries, 0, 65536},
        {"l2_ways", p->l2_ways, 1, 64},
        {"l2_latency", p->l2_latency, 1, 1000},
        {"l2_lookups", p->l2_lookups, 1, 64},
        {"l2_mshrs", p->l2_mshrs, 1, 65536},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value < rows[i].min || rows[i].value > rows[i].max) {
            return lw_fail_key(err, rows[i].name, " is %u; allowed: %u..%u", rows[i].value,
                               rows[i].min, rows[i].max);
        }
    }
    const uint32_t sets = p->l2_entries / p->l2_ways;
    if (p->l2_entries != 0 && (p->l2_entries % p->l2_ways != 0 || (sets & (sets - 1)) != 0)) {
        return lw_fail_key(err, "l2_entries", " is %u; allowed: l2_ways (%u) times a power of two",
                           p->l2_entries, p->l2_ways);
    }
    return !p->has_data || lw_data_path_check(&p->data, err);
}

/* ---------------------------------------------------------------- dispatch */

static void group_done(void *ctx, uint32_t cu) {
    gpu *g = ctx;
    g->process[cu % g->processes].groups_running--;
    g->dispatching = true;
}

/* The next launch of a process once its last one has ended: each launch is a barrier. */
static void next_launch(gpu *g, uint32_t p) {
    process *r = &g->process[p];
    while (!r->ended && r->next_group == r->launch.groups && r->groups_running == 0) {
        int status = lw_workload_next_launch(g->workloads[p], &r->launch, &g->error);
        r->next_group = 0;
        r->ended = status != 1;
        lw_data_path *data = lw_compute_units_data(g->units);
        for (uint32_t cu = p; data != NULL && status == 1 && cu < g->params.cus;
             cu += g->processes) {
            lw_data_path_launch(data, cu);
        }
        if (status == 1 && r->launch.waves_in_group > g->params.simds * g->params.waves) {
            r->ended = true;
            (void)lw_fail(&g->error, "%s has groups of %u waves; a CU of this system holds %u",
                          r->launch.name, r->launch.waves_in_group,
                          g->params.simds * g->params.waves);
        }
    }
}

/* One pass over the CUs from a rotating start, at most one group each. */
static void dispatch(gpu *g, uint64_t now) {
    const uint32_t processes = g->processes;
    bool any = false;
    assert(processes != 0);
    for (uint32_t p = 0; p < processes; p++) {
        next_launch(g, p);
    }
    for (uint32_t i = 0; i < g->params.cus; i++) {
        uint32_t cu = (g->next_cu + i) % g->params.cus;
        process *r = &g->process[cu % processes];
        if (r->ended || r->next_group == r->launch.groups ||
            !lw_compute_units_fits(g->units, cu, r->launch.waves_in_group)) {
            continue;
        }
        r->groups_running++;
        lw_compute_units_start(g->units, cu, r->next_group++, r->launch.waves_in_group, now);
        any = true;
    }
    if (any) {
        g->next_cu = (g->next_cu + 1) % g->params.cus;
    }
    /* Else the next pass comes with a group's end (group_done), as with gem5's dispatcher. */
    g->dispatching = any;
}

static bool holds(const gpu *g) {
    return g->params.max_requests != 0 && g->requests >= g->params.max_requests;
}

/* ---------------------------------------------------------------- the front end's interface */

static bool offer(void *self, uint64_t now, lw_front_request *request) {
    const gpu *g = self;
    (void)now;
    return !holds(g) && lw_l2_tlb_offer(g->l2, request);
}

static bool ready(void *self, uint64_t now) {
    (void)self;
    (void)now;
    return true;
}

static void accepted(void *self, uint64_t now) {
    gpu *g = self;
    (void)now;
    lw_l2_tlb_accepted(g->l2);
    g->requests++;
}

static void response(void *self, uint64_t now, const lw_front_response *rsp) {
    gpu *g = self;
    g->answered++;
    lw_compute_units_at(g->units, now);
    lw_l2_tlb_response(g->l2, rsp);
}

static void tick(void *self, uint64_t now) {
    gpu *g = self;
    if (g->dispatching && !holds(g)) {
        dispatch(g, now);
    }
    lw_compute_units_tick(g->units, now, holds(g));
    lw_l2_tlb_tick(g->l2, now);
}

static uint64_t next_event(const void *self, uint64_t now, bool waits) {
    const gpu *g = self;
    if (g->dispatching && !holds(g)) {
        return now + 1;
    }
    const uint64_t l2 = lw_l2_tlb_next_event(g->l2, now, waits);
    if (l2 <= now + 1) {
        return l2;
    }
    const uint64_t units = lw_compute_units_next_event(g->units, now, holds(g));
    return units < l2 ? units : l2;
}

static void shootdown(void *self, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last) {
    gpu *g = self;
    const lw_gpu_shootdown what = {type, pasid, first, last};
    lw_l1_tlbs_shootdown(lw_compute_units_l1(g->units), &what);
    lw_l2_tlb_shootdown(g->l2, &what);
}

static bool finished(const void *self) {
    const gpu *g = self;
    if (holds(g)) {
        return g->requests == g->answered;
    }
    if (lw_compute_units_pending(g->units) != 0) {
        return false;
    }
    for (uint32_t p = 0; p < g->processes; p++) {
        if (!g->process[p].ended) {
            return false;
        }
    }
    return true;
}

static uint64_t done(const void *self) {
    const gpu *g = self;
    return lw_compute_units_done(g->units);
}

static uint64_t waits_for(const void *self) {
    (void)self;
    return 0; /* the longest arithmetic between two instructions is short */
}

static bool failed(const void *self, lw_error *err) {
    const gpu *g = self;
    if (g->error.text[0] != '\0') {
        (void)lw_fail(err, "%s", g->error.text);
        return true;
    }
    return lw_compute_units_failed(g->units, err);
}

static void release(void *self) {
    gpu *g = self;
    lw_compute_units_free(g->units);
    lw_l2_tlb_free(g->l2);
    free(g);
}

bool lw_gpu_new(const lw_gpu_params *params, lw_workload *const *workloads, uint32_t n,
                lw_front_end *out, lw_error *err) {
    if (!lw_gpu_params_check(params, err)) {
        return false;
    }
    if (n < 1 || n > params->cus) {
        return lw_fail(err, "%u processes; allowed: 1..%u, the CUs", n, params->cus);
    }
    gpu *g = calloc(1, sizeof *g);
    if (g == NULL) {
        return lw_fail(err, "no memory for the GPU");
    }
    g->params = *params;
    g->processes = n;
    g->dispatching = true;
    for (uint32_t p = 0; p < n; p++) {
        g->workloads[p] = workloads[p];
    }
    const lw_compute_params compute = {.gpu = &g->params,
                                       .workloads = g->workloads,
                                       .workload_count = n,
                                       .group_done = group_done,
                                       .ctx = g};
    g->units = lw_compute_units_new(&compute);
    lw_l1_tlbs *l1 = g->units == NULL ? NULL : lw_compute_units_l1(g->units);
    const lw_l2_params l2 = {.entries = params->l2_entries,
                             .ways = params->l2_ways,
                             .latency = params->l2_latency,
                             .lookups = params->l2_lookups,
                             .mshrs = params->l2_mshrs,
                             .misses = lw_compute_units_misses(params),
                             .answer = lw_l1_tlbs_answer,
                             .asks = params->has_data ? lw_l1_tlbs_asks : NULL,
                             .ctx = l1,
                             .judge = params->judge};
    g->l2 = g->units == NULL ? NULL : lw_l2_tlb_new(&l2);
    if (g->l2 == NULL) {
        release(g);
        return lw_fail(err, "no memory for the GPU");
    }
    lw_l1_tlbs_connect(l1, g->l2);
    *out = (lw_front_end){g,         offer,    ready, accepted,  response, tick,   next_event,
                          shootdown, finished, done,  waits_for, failed,   release};
    return true;
}

void lw_gpu_statistics(const lw_front_end *front, lw_front_statistics *statistics) {
    const gpu *g = front->self;
    lw_compute_units_statistics(g->units, statistics);
    statistics->has_waves = true;
    statistics->has_l1 = !g->params.ideal;
    statistics->has_l2 = !g->params.ideal && g->params.l2_entries != 0;
    lw_l2_tlb_statistics(g->l2, statistics);
}

lw_memory *lw_gpu_walks(const lw_front_end *front) {
    const gpu *g = front->self;
    lw_data_path *data = lw_compute_units_data(g->units);
    return data != NULL ? lw_data_path_walks(data) : NULL;
}

void lw_gpu_table_changes(const lw_front_end *front, uint64_t address) {
    const gpu *g = front->self;
    lw_data_path_table_changes(lw_compute_units_data(g->units), address);
}

const char *lw_gpu_kernel(const lw_front_end *front, uint32_t cu) {
    const gpu *g = front->self;
    return g->process[cu % g->processes].launch.name;
}
