#include "sim/gpu/stream_driver.h"

#include "common/rng.h"
#include "sim/gpu/stream_clock.h"
#include "sim/gpu/stream_phases.h"

#include <stdlib.h>
#include <string.h>

enum { HOT_PAGES = 16 };

typedef struct stream_driver {
    lw_stream_params params;
    lw_stream_process *processes;
    lw_rng rng;
    uint32_t *free_ids; /* ring of the ids not in flight, oldest first */
    uint32_t free_head, free_count;
    uint64_t issued, answered, cursor;
    bool offering, ended, gap, not_ready;
    lw_front_request request;
    bool drawn; /* the request, which waits for its cycle */
    uint64_t cycle;
    lw_stream_clock clock;
    uint32_t last_process;
    uint64_t last_page;
    uint64_t hot[HOT_PAGES]; /* page numbers */
    uint32_t hot_process[HOT_PAGES];
    lw_stream_phases phases; /* LW_STREAM_PHASES */
    lw_error error;
} stream_driver;

static uint64_t page_of(const lw_array *array, uint64_t n) {
    return (uint64_t)((int64_t)array->base >> 12) + n;
}

enum { PAGE_BITS = 52 }; /* of VA[63:12] */

/* VA[63:12] of the same address, sign-extended from the top bit of the VPN (canonical form). */
static uint64_t canonical(const stream_driver *d, uint64_t page) {
    unsigned top = 9 * d->params.levels;
    uint64_t sign = (page >> (top - 1)) & 1;
    uint64_t mask = (UINT64_C(1) << top) - 1;
    return ((page & mask) | (sign != 0 ? ~mask : 0)) & ((UINT64_C(1) << PAGE_BITS) - 1);
}

static void draw_anywhere(stream_driver *d) {
    const lw_stream_page any = lw_stream_anywhere(&d->params, &d->rng);
    d->last_process = any.process;
    d->last_page = any.page;
}

static void draw_mixed(stream_driver *d) {
    uint64_t way = lw_rng_below(&d->rng, 100);
    if (way < 25) { /* a neighbour in the leaf line */
        d->last_page = (d->last_page & ~UINT64_C(7)) | lw_rng_below(&d->rng, 8);
    } else if (way < 40) { /* in the line of level 2 */
        d->last_page = (d->last_page & ~UINT64_C(0xfff)) | lw_rng_below(&d->rng, 0x1000);
    } else if (way < 60) {
        uint64_t h = lw_rng_below(&d->rng, HOT_PAGES);
        d->last_process = d->hot_process[h];
        d->last_page = d->hot[h];
    } else {
        draw_anywhere(d);
    }
    if (lw_rng_percent(&d->rng, 5)) {
        uint64_t h = lw_rng_below(&d->rng, HOT_PAGES);
        d->hot_process[h] = d->last_process;
        d->hot[h] = d->last_page;
    }
}

/* A page drawn before becomes a request, of any access, and now and then a bad one. */
static void make_request(stream_driver *d, uint32_t process, uint64_t page) {
    lw_front_request *r = &d->request;
    static const uint32_t accesses[] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 3};
    r->pasid = process;
    r->page = canonical(d, page);
    r->access = accesses[lw_rng_below(&d->rng, sizeof accesses / sizeof accesses[0])];
    if (!lw_rng_percent(&d->rng, d->params.bad_requests)) {
        return;
    }
    switch (lw_rng_below(&d->rng, 4)) {
    case 0: { /* not canonical, by any bit above the VPN */
        const uint64_t vpn_bits = UINT64_C(9) * d->params.levels;
        r->page ^= UINT64_C(1) << (vpn_bits + lw_rng_below(&d->rng, PAGE_BITS - vpn_bits));
        break;
    }
    case 1: /* nobody's PASID: inside the table of roots, or beyond it */
        r->pasid = d->params.process_count +
                   (uint32_t)lw_rng_below(&d->rng, lw_rng_percent(&d->rng, 50) ? 4 : 0xfff00);
        break;
    default: /* anywhere at all */
        r->page = canonical(d, lw_rng_next(&d->rng));
        break;
    }
}

static void draw_random(stream_driver *d) {
    draw_mixed(d);
    make_request(d, d->last_process, d->last_page);
}

/* False in a quiet phase. */
static bool draw_phase(stream_driver *d) {
    if (d->phases.left == 0) {
        lw_phases_next(&d->phases, &d->params, &d->rng);
    }
    if (d->phases.kind == LW_PHASE_QUIET) {
        return false; /* its cycles pass in the tick */
    }
    d->phases.left--;
    if (d->phases.kind == LW_PHASE_MIXED) {
        draw_random(d);
    } else {
        const lw_stream_page page = lw_phases_draw(&d->phases, &d->params, &d->rng);
        make_request(d, page.process, page.page);
    }
    return true;
}

static bool draw(stream_driver *d) {
    lw_front_request *r = &d->request;
    r->access = 0;
    r->pasid = 0;
    r->src = (uint32_t)(d->issued & ((UINT64_C(1) << d->params.src_w) - 1));
    switch (d->params.kind) {
    case LW_STREAM_FILE: {
        lw_stream_access next;
        if (lw_stream_next(d->params.file, &next, &d->error) != 1) {
            d->ended = true;
            return false;
        }
        r->pasid = next.pasid;
        r->page = next.vpn;
        r->access = (uint32_t)next.access;
        r->src = next.source != LW_STREAM_NO_SOURCE ? next.source : r->src;
        d->cycle = next.cycle;
        break;
    }
    case LW_STREAM_RANDOM:
        draw_random(d);
        break;
    case LW_STREAM_PHASES:
        if (!draw_phase(d)) {
            return false;
        }
        break;
    case LW_STREAM_SEQUENTIAL:
        r->page = canonical(d, page_of(&d->processes[0].arrays[0], d->cursor));
        d->cursor = (d->cursor + 1) % lw_array_pages(&d->processes[0].arrays[0]);
        break;
    case LW_STREAM_REPEAT:
        r->page = canonical(d, page_of(&d->processes[0].arrays[0], 0));
        break;
    }
    return true;
}

static bool offer(void *self, uint64_t now, lw_front_request *request) {
    stream_driver *d = self;
    lw_stream_clock_start(&d->clock, now);
    if (!d->offering) {
        if (d->ended || d->gap || d->free_count == 0) {
            return false;
        }
        d->drawn = d->drawn || draw(d);
        if (!d->drawn || lw_stream_clock_due(&d->clock, d->cycle) > now) {
            return false;
        }
        d->request.id = d->free_ids[d->free_head];
        d->offering = true;
        d->drawn = false;
    }
    *request = d->request;
    return true;
}

static bool ready(void *self, uint64_t now) {
    const stream_driver *d = self;
    (void)now;
    return !d->not_ready;
}

static void accepted(void *self, uint64_t now) {
    stream_driver *d = self;
    (void)now;
    d->offering = false;
    d->free_head = (d->free_head + 1) % d->params.outstanding;
    d->free_count--;
    d->issued++;
    d->ended = d->ended || d->issued == d->params.requests;
}

static void response(void *self, uint64_t now, const lw_front_response *rsp) {
    stream_driver *d = self;
    (void)now;
    d->free_ids[(d->free_head + d->free_count) % d->params.outstanding] = rsp->id;
    d->free_count++;
    d->answered++;
}

static void tick(void *self, uint64_t now) {
    stream_driver *d = self;
    const bool phases = d->params.kind == LW_STREAM_PHASES;
    const uint32_t gap = phases ? d->phases.gap : d->params.request_gap;
    const uint32_t not_ready = phases ? d->phases.not_ready : d->params.response_not_ready;
    (void)now;
    if (phases && d->phases.kind == LW_PHASE_QUIET && d->phases.left != 0) {
        d->phases.left--;
    }
    d->gap = gap != 0 && lw_rng_percent(&d->rng, gap);
    d->not_ready = not_ready != 0 && lw_rng_percent(&d->rng, not_ready);
}

static uint64_t next_event(const void *self, uint64_t now, bool waits) {
    const stream_driver *d = self;
    bool draws = d->params.kind == LW_STREAM_PHASES ||
                 d->params.request_gap + d->params.response_not_ready != 0;
    bool offers = !waits && (d->offering || (!d->ended && d->free_count != 0));
    const uint64_t due = d->drawn ? lw_stream_clock_due(&d->clock, d->cycle) : 0;
    if (draws || (offers && due <= now)) {
        return now + 1;
    }
    return offers ? due : UINT64_MAX;
}

static void shootdown(void *self, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last) {
    (void)self;
    (void)type;
    (void)pasid;
    (void)first;
    (void)last;
}

static bool finished(const void *self) {
    const stream_driver *d = self;
    return d->ended && d->answered == d->issued;
}

static uint64_t done(const void *self) {
    const stream_driver *d = self;
    return d->issued + d->answered;
}

static uint64_t waits_for(const void *self) {
    const stream_driver *d = self;
    return d->drawn && d->answered == d->issued ? lw_stream_clock_due(&d->clock, d->cycle) : 0;
}

static bool failed(const void *self, lw_error *err) {
    const stream_driver *d = self;
    if (d->error.text[0] == '\0') {
        return false;
    }
    (void)lw_fail(err, "%s", d->error.text);
    return true;
}

static void release(void *self) {
    stream_driver *d = self;
    if (d->params.file != NULL) {
        lw_stream_close(d->params.file);
    }
    free(d->free_ids);
    free(d->processes);
    free(d);
}

bool lw_stream_driver_new(const lw_stream_params *params, lw_front_end *out, lw_error *err) {
    stream_driver *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return lw_fail(err, "no memory for the stream driver");
    }
    d->params = *params;
    d->processes = calloc(params->process_count + 1, sizeof *d->processes);
    d->free_ids = calloc(params->outstanding, sizeof *d->free_ids);
    if (d->processes == NULL || d->free_ids == NULL) {
        d->params.file = NULL; /* still the caller's */
        release(d);
        return lw_fail(err, "no memory for the stream driver");
    }
    if (params->process_count != 0) {
        memcpy(d->processes, params->processes, params->process_count * sizeof *d->processes);
    }
    d->params.processes = d->processes;
    for (uint32_t i = 0; i < params->outstanding; i++) {
        d->free_ids[i] = i;
    }
    d->free_count = params->outstanding;
    d->ended = params->requests == 0;
    lw_rng_seed(&d->rng, params->seed ^ UINT64_C(0x57e4));
    if (params->kind == LW_STREAM_RANDOM || params->kind == LW_STREAM_PHASES) {
        for (unsigned h = 0; h < HOT_PAGES; h++) {
            draw_anywhere(d);
            d->hot[h] = d->last_page;
            d->hot_process[h] = d->last_process;
        }
    }
    *out = (lw_front_end){d,         offer,    ready, accepted,  response, tick,   next_event,
                          shootdown, finished, done,  waits_for, failed,   release};
    return true;
}
