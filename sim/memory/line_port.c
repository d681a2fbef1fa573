#include "sim/memory/line_port.h"

#include "common/fifo.h"
#include "common/rng.h"
#include "sim/memory/failed_line.h"
#include "sim/memory/line_times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct read_in_flight {
    uint64_t due;    /* LW_LINE_LATER: not yet known */
    uint64_t extra;  /* cycles on top of its latency */
    uint64_t number; /* counts acceptances: of two reads due together the older goes first */
    uint64_t line;
    uint64_t since; /* its acceptance */
    uint32_t tag;
    uint32_t sample; /* its place among the samples; NONE: it has none */
    bool error;
} read_in_flight;

#define NONE UINT32_MAX

/* The reads whose end is not yet known, by their numbers; without reorder also those that have
 * ended and wait for one in front of them. `order` is that of acceptance, and used without reorder.
 */
typedef struct pending_reads {
    read_in_flight *reads;
    uint32_t *free_places;
    uint32_t free_count, count;
    lw_fifo order;
} pending_reads;

/* The lines of the early reads in flight. */
typedef struct samples {
    uint64_t (*lines)[LW_LINE_WORDS];
    uint32_t *free_places;
    uint32_t free_count;
} samples;

struct lw_line_port {
    lw_line_port_config config;
    const lw_phys_mem *mem;
    lw_line_times times;
    lw_rng errors, lateness, earliness;
    samples samples;
    pending_reads pending;
    uint64_t slow; /* cycles that each read takes more */
    uint64_t late, outdated, longest;
    uint64_t accepted;
    uint64_t last_due; /* of the read timed last; used without reorder */
    uint32_t count;
    read_in_flight heap[]; /* of the reads whose end is known: binary, the next response at 0 */
};

void lw_line_port_config_default(lw_line_port_config *config) {
    *config = (lw_line_port_config){
        .latency = {.kind = LW_LATENCY_FIXED, .min = 20, .max = 20}, .capacity = 256, .seed = 1};
}

/* Free places 0, 1, ... */
static uint32_t *places(uint32_t count) {
    uint32_t *list = calloc(count, sizeof *list);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        list[i] = i;
    }
    return list;
}

static bool make_samples(samples *s, uint32_t capacity) {
    s->lines = calloc(capacity, sizeof *s->lines);
    s->free_places = places(capacity);
    s->free_count = capacity;
    return s->lines != NULL && s->free_places != NULL;
}

static bool make_pending(pending_reads *r, uint32_t capacity) {
    r->reads = calloc(capacity, sizeof *r->reads);
    r->free_places = places(capacity);
    r->free_count = capacity;
    return lw_fifo_init(&r->order, capacity) && r->reads != NULL && r->free_places != NULL;
}

static void free_port(lw_line_port *p) {
    free(p->samples.lines);
    free(p->samples.free_places);
    free(p->pending.reads);
    free(p->pending.free_places);
    lw_fifo_free(&p->pending.order);
    free(p);
}

static lw_line_port *make_port(const lw_line_port_config *config, lw_line_times times,
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
    if (p == NULL || !make_pending(&p->pending, config->capacity) ||
        (config->early_percent != 0 && !make_samples(&p->samples, config->capacity))) {
        if (p != NULL) {
            free_port(p);
        }
        lw_fail(err, "line port: the host has no memory left");
        return NULL;
    }
    p->config = *config;
    p->mem = mem;
    p->times = times;
    lw_rng_seed(&p->errors, config->seed);
    lw_rng_seed(&p->lateness, config->seed ^ UINT64_C(0x1a7e));
    lw_rng_seed(&p->earliness, config->seed ^ UINT64_C(0xea51));
    return p;
}

lw_line_port *lw_line_port_new_with(const lw_line_port_config *config, lw_latency_model model,
                                    const lw_phys_mem *mem, lw_error *err) {
    return make_port(config, lw_line_times_of_model(model), mem, err);
}

lw_line_port *lw_line_port_new_on(const lw_line_port_config *config, lw_memory *memory,
                                  const lw_phys_mem *mem, lw_error *err) {
    return make_port(config, lw_line_times_of_memory(memory), mem, err);
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
    p->times.kind->destroy(&p->times);
    free_port(p);
}

bool lw_line_port_ready(const lw_line_port *p, uint64_t now) {
    if (p->count + p->pending.count == p->config.capacity ||
        (p->pending.count != 0 && !p->times.kind->ready(&p->times))) {
        return false;
    }
    /* a hash of the cycle, not a stream: the answer depends neither on how often nor on whether it
     * was asked in other cycles, so skipped cycles change nothing */
    uint64_t x = p->config.seed ^ (now * UINT64_C(0xd1342543de82ef95));
    return lw_rng_splitmix(&x) % 100 >= p->config.not_ready_percent;
}

static bool before(const read_in_flight *a, const read_in_flight *b) {
    return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void heap_push(lw_line_port *p, const read_in_flight *read, uint64_t due) {
    read_in_flight timed = *read;
    const read_in_flight *r = &timed;
    timed.due = due;
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

/* The read's end is known. */
static void enter(lw_line_port *p, const read_in_flight *r) {
    uint64_t due = r->due + r->extra;
    if (!p->config.reorder && due <= p->last_due) {
        due = p->last_due + 1;
    }
    p->last_due = due;
    heap_push(p, r, due);
}

static void leave_pending(lw_line_port *p, uint32_t place) {
    pending_reads *pending = &p->pending;
    enter(p, &pending->reads[place]);
    pending->free_places[pending->free_count++] = place;
    pending->count--;
}

/* Takes what has ended by now out of the memory, so that each call of a cycle sees the same. */
static void collect(lw_line_port *p, uint64_t now) {
    pending_reads *pending = &p->pending;
    uint32_t place = 0;
    while (pending->count != 0 && p->times.kind->ended(&p->times, now, &place)) {
        pending->reads[place].due = now;
        if (p->config.reorder) {
            leave_pending(p, place);
        }
    }
    while (pending->count != 0 && pending->order.count != 0 &&
           pending->reads[lw_fifo_first(&pending->order)].due != LW_LINE_LATER) {
        leave_pending(p, lw_fifo_pop(&pending->order));
    }
}

static bool offers(const lw_line_port *p, uint64_t now) {
    return p->count > 0 && p->heap[0].due <= now;
}

bool lw_line_port_response(lw_line_port *p, uint64_t now, lw_line_response *rsp) {
    collect(p, now);
    if (!offers(p, now)) {
        return false;
    }
    const read_in_flight *r = &p->heap[0];
    rsp->tag = r->tag;
    rsp->error = r->error;
    rsp->line = r->line;
    if (r->sample != NONE) {
        memcpy(rsp->data, p->samples.lines[r->sample], sizeof rsp->data);
    } else {
        lw_phys_mem_read_line(p->mem, r->line, rsp->data);
    }
    if (r->error) {
        lw_failed_line(p->config.seed ^ r->number, rsp->data);
    }
    return true;
}

static bool inject_error(lw_line_port *p, uint64_t line) {
    const bool here = p->config.error_at_line && p->config.error_line == line;
    const bool outside = p->config.end_line != 0 && line >= p->config.end_line;
    return lw_rng_percent(&p->errors, p->config.error_percent) || here || outside;
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
    collect(p, now);
    if (offers(p, now)) {
        leave(p, now);
    }
    if (p->pending.count != 0) {
        p->times.kind->step(&p->times, now);
    }
    if (req == NULL) {
        return;
    }
    pending_reads *pending = &p->pending;
    const uint32_t place = pending->free_places[pending->free_count - 1];
    const read_in_flight r = {.due = p->times.kind->begin(&p->times, now, req->line, place),
                              .extra = extra(p),
                              .number = p->accepted++,
                              .line = req->line,
                              .since = now,
                              .tag = req->tag,
                              .sample = sample(p, req->line),
                              .error = inject_error(p, req->line)};
    if (r.due != LW_LINE_LATER) {
        enter(p, &r);
        return;
    }
    pending->reads[place] = r;
    pending->free_count--;
    pending->count++;
    if (!p->config.reorder) {
        lw_fifo_push(&pending->order, place);
    }
}

uint64_t lw_line_port_next_event(lw_line_port *p, uint64_t now) {
    const uint64_t offer = p->count == 0 ? UINT64_MAX : p->heap[0].due > now ? p->heap[0].due : now;
    const uint64_t end =
        p->pending.count == 0 ? UINT64_MAX : p->times.kind->next_event(&p->times, now);
    return offer < end ? offer : end;
}

uint32_t lw_line_port_in_flight(const lw_line_port *p) {
    return p->count + p->pending.count;
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
    p->times.kind->banks(&p->times, banks);
}
