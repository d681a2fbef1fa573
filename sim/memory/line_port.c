#include "sim/memory/line_port.h"

#include "common/rng.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct read_in_flight {
    uint64_t due;
    uint64_t number; /* counts acceptances: of two reads due together the older goes first */
    uint64_t line;
    uint64_t since; /* its acceptance */
    uint32_t tag;
    uint32_t sample; /* its place among the samples; NONE: it has none */
    bool error;
} read_in_flight;

#define NONE UINT32_MAX

/* The lines of the early reads in flight. */
typedef struct samples {
    uint64_t (*lines)[LW_LINE_WORDS];
    uint32_t *free_places;
    uint32_t free_count;
} samples;

struct lw_line_port {
    lw_line_port_config config;
    const lw_phys_mem *mem;
    lw_latency_model model;
    lw_rng errors, lateness, earliness;
    samples samples;
    uint64_t slow; /* cycles that each read takes more */
    uint64_t late, outdated, longest;
    uint64_t accepted;
    uint64_t last_due; /* of the read accepted last; used without reorder */
    uint32_t count;
    read_in_flight heap[]; /* binary heap, the next response at 0 */
};

void lw_line_port_config_default(lw_line_port_config *config) {
    *config = (lw_line_port_config){
        .latency = {.kind = LW_LATENCY_FIXED, .min = 20, .max = 20}, .capacity = 256, .seed = 1};
}

static bool make_samples(samples *s, uint32_t capacity) {
    s->lines = calloc(capacity, sizeof *s->lines);
    s->free_places = calloc(capacity, sizeof *s->free_places);
    if (s->lines == NULL || s->free_places == NULL) {
        return false;
    }
    while (s->free_count < capacity) {
        s->free_places[s->free_count] = s->free_count;
        s->free_count++;
    }
    return true;
}

static void free_samples(samples *s) {
    free(s->lines);
    free(s->free_places);
}

lw_line_port *lw_line_port_new_with(const lw_line_port_config *config, lw_latency_model model,
                                    const lw_phys_mem *mem, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value, min, max;
    } ranges[] = {
        {"not-ready percent", config->not_ready_percent, 0, 99},
        {"error percent", config->error_percent, 0, 100},
        {"late reads", config->late_in_10000, 0, 10000},
        {"early percent", config->early_percent, 0, 100},
        {"capacity", config->capacity, 1, LW_LINE_PORT_CAPACITY_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max) {
            lw_fail(err, "line port: %s %" PRIu32 " is not in %" PRIu32 "..%" PRIu32,
                    ranges[i].name, ranges[i].value, ranges[i].min, ranges[i].max);
            return NULL;
        }
    }
    lw_line_port *p = calloc(1, sizeof *p + config->capacity * sizeof p->heap[0]);
    if (p == NULL || (config->early_percent != 0 && !make_samples(&p->samples, config->capacity))) {
        if (p != NULL) {
            free_samples(&p->samples);
        }
        free(p);
        lw_fail(err, "line port: the host has no memory left");
        return NULL;
    }
    p->config = *config;
    p->mem = mem;
    p->model = model;
    lw_rng_seed(&p->errors, config->seed);
    lw_rng_seed(&p->lateness, config->seed ^ UINT64_C(0x1a7e));
    lw_rng_seed(&p->earliness, config->seed ^ UINT64_C(0xea51));
    return p;
}

lw_line_port *lw_line_port_new(const lw_line_port_config *config, const lw_phys_mem *mem,
                               lw_error *err) {
    lw_latency_model model;
    /* another seed than the errors', or errors would go with certain latencies */
    if (!lw_latency_model_make(&config->latency, ~config->seed, &model, err)) {
        return NULL;
    }
    lw_line_port *p = lw_line_port_new_with(config, model, mem, err);
    if (p == NULL) {
        model.destroy(model.state);
    }
    return p;
}

void lw_line_port_free(lw_line_port *p) {
    if (p == NULL) {
        return;
    }
    p->model.destroy(p->model.state);
    free_samples(&p->samples);
    free(p);
}

bool lw_line_port_ready(const lw_line_port *p, uint64_t now) {
    if (p->count == p->config.capacity) {
        return false;
    }
    /* a hash of the cycle, not a stream: the answer depends neither on how often nor on whether it
     * was asked in other cycles, so skipped cycles change nothing */
    uint64_t x = p->config.seed ^ (now * UINT64_C(0xd1342543de82ef95));
    return lw_rng_splitmix(&x) % 100 >= p->config.not_ready_percent;
}

static bool offers(const lw_line_port *p, uint64_t now) {
    return p->count > 0 && p->heap[0].due <= now;
}

bool lw_line_port_response(const lw_line_port *p, uint64_t now, lw_line_response *rsp) {
    if (!offers(p, now)) {
        return false;
    }
    const read_in_flight *r = &p->heap[0];
    rsp->tag = r->tag;
    rsp->error = r->error;
    rsp->line = r->line;
    if (r->error) {
        memset(rsp->data, 0, sizeof rsp->data);
    } else if (r->sample != NONE) {
        memcpy(rsp->data, p->samples.lines[r->sample], sizeof rsp->data);
    } else {
        lw_phys_mem_read_line(p->mem, r->line, rsp->data);
    }
    return true;
}

static bool before(const read_in_flight *a, const read_in_flight *b) {
    return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void heap_push(lw_line_port *p, const read_in_flight *r) {
    uint32_t i = p->count++;
    while (i > 0 && before(r, &p->heap[(i - 1) / 2])) {
        p->heap[i] = p->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    p->heap[i] = *r;
}

static void heap_pop(lw_line_port *p) {
    const read_in_flight *last = &p->heap[--p->count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= p->count) {
            break;
        }
        if (child + 1 < p->count && before(&p->heap[child + 1], &p->heap[child])) {
            child++;
        }
        if (!before(&p->heap[child], last)) {
            break;
        }
        p->heap[i] = p->heap[child];
        i = child;
    }
    p->heap[i] = *last;
}

static bool inject_error(lw_line_port *p, uint64_t line) {
    bool here = p->config.error_at_line && p->config.error_line == line;
    return lw_rng_percent(&p->errors, p->config.error_percent) || here;
}

void lw_line_port_slow(lw_line_port *p, uint64_t cycles) {
    p->slow = cycles;
}

/* What comes on top of the model's time. */
static uint64_t extra(lw_line_port *p) {
    const uint32_t rate = p->config.late_in_10000;
    if (rate == 0 || lw_rng_below(&p->lateness, 10000) >= rate) {
        return p->slow;
    }
    p->late++;
    return p->slow + p->config.late_cycles;
}

/* What memory holds now is what the read gives, if it is drawn so. */
static uint32_t sample(lw_line_port *p, uint64_t line) {
    const uint32_t percent = p->config.early_percent;
    if (percent == 0 || !lw_rng_percent(&p->earliness, percent)) {
        return NONE;
    }
    const uint32_t place = p->samples.free_places[--p->samples.free_count];
    lw_phys_mem_read_line(p->mem, line, p->samples.lines[place]);
    return place;
}

/* The read at the top is answered. */
static void leave(lw_line_port *p, uint64_t now) {
    const read_in_flight *r = &p->heap[0];
    const uint64_t waited = now - r->since;
    p->longest = waited > p->longest ? waited : p->longest;
    if (r->sample != NONE) {
        uint64_t present[LW_LINE_WORDS];
        lw_phys_mem_read_line(p->mem, r->line, present);
        p->outdated += memcmp(present, p->samples.lines[r->sample], sizeof present) != 0;
        p->samples.free_places[p->samples.free_count++] = r->sample;
    }
    heap_pop(p);
}

void lw_line_port_step(lw_line_port *p, uint64_t now, const lw_line_request *req) {
    if (offers(p, now)) {
        leave(p, now);
    }
    if (req == NULL) {
        return;
    }
    uint64_t due = p->model.due(p->model.state, now, req->line) + extra(p);
    if (!p->config.reorder && due <= p->last_due) {
        due = p->last_due + 1;
    }
    p->last_due = due;
    heap_push(p, &(read_in_flight){.due = due,
                                   .number = p->accepted++,
                                   .line = req->line,
                                   .since = now,
                                   .tag = req->tag,
                                   .sample = sample(p, req->line),
                                   .error = inject_error(p, req->line)});
}

uint64_t lw_line_port_next_event(const lw_line_port *p, uint64_t now) {
    if (p->count == 0) {
        return UINT64_MAX;
    }
    return p->heap[0].due > now ? p->heap[0].due : now;
}

uint32_t lw_line_port_in_flight(const lw_line_port *p) {
    return p->count;
}

uint64_t lw_line_port_late(const lw_line_port *p) {
    return p->late;
}

uint64_t lw_line_port_outdated(const lw_line_port *p) {
    return p->outdated;
}

uint64_t lw_line_port_longest(const lw_line_port *p) {
    return p->longest;
}

void lw_line_port_banks(const lw_line_port *p, lw_banks *banks) {
    banks->channels = banks->banks = 0;
    if (p->model.banks != NULL) {
        p->model.banks(p->model.state, banks);
    }
}
