#include "tests/modules/run.h"

#include "tests/modules/draws.h"
#include "tests/modules/registers.h"
#include "tests/modules/stimulus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { HISTORY = 8, DIFFERENCES_MAX = 64, HEX_DIGITS = 64 * LW_PORT_WORDS / 4 + 4 };
/* A whole port may be wider than what a table names of it. */
enum { SHADOW_WORDS = 32 };
/* A reset in so many cycles. */
enum { RESET_IN = 3000 };

/* A port of the RTL, its value as it goes into the model or comes out of it, and how many of its
 * bits the tables name. */
typedef struct shadow {
    const char *name;
    lw_rtl_register at;
    bool input;
    uint32_t named;
    uint64_t w[SHADOW_WORDS];
} shadow;

typedef struct run {
    const lw_run_request *request;
    const lw_module *module;
    lw_module_rtl *rtl;
    lw_bench bench;
    lw_stimulus stimulus;
    lw_rng resets;
    shadow ports[LW_PORTS_MAX];
    uint32_t port_count;
    lw_module_port input[LW_PORTS_MAX], output[LW_PORTS_MAX];
    shadow *input_of[LW_PORTS_MAX], *output_of[LW_PORTS_MAX];
    uint32_t input_bits[LW_PORTS_MAX], output_bits[LW_PORTS_MAX];
    lw_bits in[HISTORY][LW_PORTS_MAX]; /* of cycle c: [c % HISTORY] */
    lw_bits rtl_out[LW_PORTS_MAX], twin_out[LW_PORTS_MAX], unsaid[LW_PORTS_MAX];
    lw_bits first_out[LW_PORTS_MAX]; /* the RTL's of cycle 0 */
    uint64_t high[LW_PORTS_MAX], moved[LW_PORTS_MAX];
    lw_module_registers registers;
} run;

/* ---------------------------------------------------------------- ports */

static lw_bits mask_of(uint32_t bits) {
    lw_bits mask = {{0}};
    for (uint32_t i = 0; i < LW_PORT_WORDS && bits > 64 * i; i++) {
        mask.w[i] = bits - 64 * i >= 64 ? UINT64_MAX : (UINT64_C(1) << (bits - 64 * i)) - 1;
    }
    return mask;
}

/* The table's place of a port, or the table's length. */
static uint32_t place_in(const run *r, const lw_module_port *port) {
    const lw_module *m = r->module;
    uint32_t i = 0;
    while (i < (port->input ? m->input_count : m->output_count) &&
           strcmp(port->input ? m->inputs[i].name : m->outputs[i].name, port->name) != 0) {
        i++;
    }
    return i;
}

/* The shadow of the port that a field lies in, or a new one. */
static shadow *shadow_of(run *r, const lw_module_port *port) {
    for (uint32_t i = 0; i < r->port_count; i++) {
        if (strcmp(r->ports[i].name, port->of) == 0) {
            return &r->ports[i];
        }
    }
    r->ports[r->port_count] = (shadow){.name = port->of, .at = port->at, .input = port->input};
    return &r->ports[r->port_count++];
}

/* Every bit of every port of the RTL is in the tables, and the other way round. */
static bool find_ports(run *r, lw_error *err) {
    const lw_module *m = r->module;
    lw_module_port port;
    for (uint32_t n = 0; r->request->functions->port(r->rtl, n, &port); n++) {
        shadow *s = shadow_of(r, &port);
        const uint32_t at = place_in(r, &port), bits = port.width * port.count;
        if (port.at.bytes > sizeof s->w || port.at.entries != 1) {
            return lw_fail(err, "port %s of %s: %u bits are too many, or unpacked", port.name,
                           m->top, port.at.bits);
        }
        if (at == (port.input ? m->input_count : m->output_count)) {
            continue;
        }
        if (bits > 64 * LW_PORT_WORDS) {
            return lw_fail(err, "field %s of %s: %u bits are too many", port.name, m->top, bits);
        }
        (port.input ? r->input : r->output)[at] = port;
        (port.input ? r->input_of : r->output_of)[at] = s;
        (port.input ? r->input_bits : r->output_bits)[at] = bits;
        s->named += bits;
    }
    for (uint32_t i = 0; i < r->port_count; i++) {
        if (r->ports[i].named != r->ports[i].at.bits) {
            return lw_fail(err, "port %s of %s: its table names %u of its %u bits",
                           r->ports[i].name, m->top, r->ports[i].named, r->ports[i].at.bits);
        }
    }
    for (uint32_t i = 0; i < m->input_count + m->output_count; i++) {
        const bool input = i < m->input_count;
        const uint32_t at = input ? i : i - m->input_count;
        if ((input ? r->input_bits : r->output_bits)[at] == 0) {
            return lw_fail(err, "%s has no port %s", m->top,
                           input ? m->inputs[at].name : m->outputs[at].name);
        }
    }
    return true;
}

/* Copies `width` bits; those of `to` around them stay. */
static void copy_bits(uint64_t *to, uint32_t to_lsb, const uint64_t *from, uint32_t from_lsb,
                      uint32_t width) {
    while (width > 0) {
        const uint32_t t = to_lsb % 64, f = from_lsb % 64, most = 64 - (t > f ? t : f);
        const uint32_t n = width < most ? width : most;
        const uint64_t mask = (n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1) << t;
        const uint64_t bits = from[from_lsb / 64] >> f << t;
        to[to_lsb / 64] = (to[to_lsb / 64] & ~mask) | (bits & mask);
        to_lsb += n;
        from_lsb += n;
        width -= n;
    }
}

static void drive(run *r, const lw_bits *in) {
    for (uint32_t i = 0; i < r->module->input_count; i++) {
        const lw_module_port *p = &r->input[i];
        for (uint32_t k = 0; k < p->count; k++) {
            copy_bits(r->input_of[i]->w, p->lsb + k * p->stride, in[i].w, k * p->width, p->width);
        }
    }
    for (uint32_t i = 0; i < r->port_count; i++) {
        if (r->ports[i].input) {
            memcpy(r->ports[i].at.data, r->ports[i].w, r->ports[i].at.bytes);
        }
    }
    r->request->functions->settle(r->rtl);
    for (uint32_t i = 0; i < r->port_count; i++) {
        if (!r->ports[i].input) {
            memcpy(r->ports[i].w, r->ports[i].at.data, r->ports[i].at.bytes);
        }
    }
    for (uint32_t o = 0; o < r->module->output_count; o++) {
        const lw_module_port *p = &r->output[o];
        for (uint32_t k = 0; k < p->count; k++) {
            copy_bits(r->rtl_out[o].w, k * p->width, r->output_of[o]->w, p->lsb + k * p->stride,
                      p->width);
        }
    }
}

static bool same(const lw_bits *a, const lw_bits *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static bool means_something(const run *r, uint32_t output) {
    const uint32_t when = r->module->outputs[output].when;
    return when == 0 || (r->rtl_out[when - 1].w[0] != 0 && r->twin_out[when - 1].w[0] != 0);
}

static bool differs(const run *r, uint32_t output) {
    uint64_t different = 0;
    for (uint32_t i = 0; i < LW_PORT_WORDS; i++) {
        different |= (r->rtl_out[output].w[i] ^ r->twin_out[output].w[i]) & ~r->unsaid[output].w[i];
    }
    return different != 0 && means_something(r, output);
}

static uint32_t compare_outputs(run *r, uint64_t cycle) {
    uint32_t different = 0;
    for (uint32_t o = 0; o < r->module->output_count; o++) {
        const lw_bits mask = mask_of(r->output_bits[o]);
        for (uint32_t i = 0; i < LW_PORT_WORDS; i++) {
            r->twin_out[o].w[i] &= mask.w[i];
        }
        different += differs(r, o);
        r->high[o] += r->rtl_out[o].w[0] != 0;
        if (cycle == 0) {
            r->first_out[o] = r->rtl_out[o];
        }
        r->moved[o] += !same(&r->rtl_out[o], &r->first_out[o]);
    }
    return different;
}

/* ---------------------------------------------------------------- the report */

static const char *hex(const lw_bits *value, char text[HEX_DIGITS]) {
    uint32_t top = LW_PORT_WORDS - 1;
    while (top > 0 && value->w[top] == 0) {
        top--;
    }
    int at = snprintf(text, HEX_DIGITS, "%" PRIx64, value->w[top]);
    while (top > 0) {
        top--;
        at += snprintf(text + at, HEX_DIGITS - (size_t)at, "%016" PRIx64, value->w[top]);
    }
    return text;
}

static void print_inputs(const run *r, uint64_t cycle) {
    const uint64_t first = cycle >= HISTORY - 1 ? cycle - (HISTORY - 1) : 0;
    char text[HEX_DIGITS];
    (void)printf("inputs of cycles %" PRIu64 " to %" PRIu64 " (those not named are zero):\n", first,
                 cycle);
    for (uint64_t c = first; c <= cycle; c++) {
        (void)printf("  %" PRIu64 ":", c);
        for (uint32_t i = 0; i < r->module->input_count; i++) {
            const lw_bits *value = &r->in[c % HISTORY][i], zero = {{0}};
            if (!same(value, &zero)) {
                (void)printf(" %s=%s", r->module->inputs[i].name, hex(value, text));
            }
        }
        (void)printf("\n");
    }
}

static void report(const run *r, uint64_t cycle, const lw_register_difference *found,
                   size_t registers) {
    const lw_run_request *q = r->request;
    char rtl[HEX_DIGITS], twin[HEX_DIGITS];
    (void)printf("make cosim-module MODULE=%s SEED=%" PRIu64 " CYCLES=%" PRIu64, q->row->name,
                 q->seed, cycle + 1);
    if (q->flip.on) {
        (void)printf(" INJECT='%s[%u].%s.%u@%" PRIu64 "'",
                     lw_structure_name(lw_field_structure(q->flip.field)), q->flip.index,
                     lw_field_name(q->flip.field), q->flip.bit, q->flip.cycle);
    }
    (void)printf("\nmismatch: module %s, seed %" PRIu64 ", cycle %" PRIu64 "\n", q->row->name,
                 q->seed, cycle);
    (void)printf("  %-32s %-20s %s\n", "", "RTL", "twin");
    for (uint32_t o = 0; registers == 0 && o < r->module->output_count; o++) {
        if (differs(r, o)) {
            (void)printf("  %-32s %-20s %s\n", r->module->outputs[o].name, hex(&r->rtl_out[o], rtl),
                         hex(&r->twin_out[o], twin));
        }
    }
    for (size_t i = 0; i < registers && i < DIFFERENCES_MAX; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "%s[%u].%s",
                       lw_structure_name(lw_field_structure(found[i].field)), found[i].index,
                       lw_field_name(found[i].field));
        (void)printf("  %-32s %-20" PRIx64 " %" PRIx64 "\n", name, found[i].rtl, found[i].twin);
    }
    if (registers > DIFFERENCES_MAX) {
        (void)printf("  and %zu more\n", registers - DIFFERENCES_MAX);
    }
    print_inputs(r, cycle);
}

static void print_shares(const run *r) {
    for (uint32_t o = 0; o < r->module->output_count; o++) {
        (void)printf("  %-32s not zero in %5.1f %% of the cycles%s\n", r->module->outputs[o].name,
                     100.0 * (double)r->high[o] / (double)r->request->cycles,
                     r->moved[o] == 0 ? ", and always the same" : "");
    }
}

/* ---------------------------------------------------------------- the run */

/* One cycle; false where the sides differ, which has then been reported. */
static bool cycle_is_equal(run *r, uint64_t cycle) {
    const lw_injection *flip = &r->request->flip;
    lw_bits *in = r->in[cycle % HISTORY];
    lw_stimulus_draw(&r->stimulus, r->module, r->input_bits, in);
    if (r->module->legal != NULL) {
        r->module->legal(&r->bench, in);
    }
    memset(r->twin_out, 0, r->module->output_count * sizeof r->twin_out[0]);
    memset(r->unsaid, 0, r->module->output_count * sizeof r->unsaid[0]);
    r->module->outputs_of(&r->bench, in, r->twin_out);
    drive(r, in);
    if (compare_outputs(r, cycle) != 0 && !r->request->checkers) {
        report(r, cycle, NULL, 0);
        return false;
    }
    r->module->step(&r->bench, in);
    r->request->functions->edge(r->rtl);
    if (flip->on && flip->cycle == cycle) {
        lw_iommu_flip(r->bench.u, flip->field, flip->index, flip->bit);
    }
    lw_register_difference found[DIFFERENCES_MAX];
    if (r->request->checkers) {
        return true;
    }
    if (r->request->functions->failed(r->rtl)) {
        (void)printf("an assertion failed: module %s, seed %" PRIu64 ", cycle %" PRIu64 "\n",
                     r->request->row->name, r->request->seed, cycle);
        return false;
    }
    const size_t n = lw_module_registers_compare(&r->registers, r->bench.u, found, DIFFERENCES_MAX);
    if (n != 0) {
        report(r, cycle, found, n);
    }
    return n == 0;
}

/* All registers are compared in each cycle; but those of the pick's rounds are kept only where
 * somebody watches (oldest_first.h). */
static void wrote(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

/* R0.2 at any moment: both sides and what stands for the module's neighbours begin anew. */
static void reset(run *r) {
    r->request->functions->reset(r->rtl);
    if (r->module->reset != NULL) {
        r->module->reset(&r->bench);
        return;
    }
    lw_iommu_reset(r->bench.u);
    memset(r->bench.own, 0, r->module->own_bytes);
}

static bool begin(run *r, lw_error *err) {
    const lw_run_request *q = r->request;
    r->rtl = q->functions->create();
    if (r->rtl == NULL) {
        return lw_fail(err, "no memory for the RTL of %s", q->row->name);
    }
    if (!find_ports(r, err) ||
        !lw_module_registers_find(&r->registers, q->row, q->functions, r->rtl, err)) {
        return false;
    }
    r->bench.u = lw_iommu_new(q->row->hw, err);
    r->bench.own = calloc(1, r->module->own_bytes + 1);
    if (r->bench.u == NULL || r->bench.own == NULL) {
        return r->bench.u == NULL ? false : lw_fail(err, "no memory for a bench");
    }
    r->bench.unsaid = r->unsaid;
    r->bench.data_width = r->module->data_width;
    lw_iommu_watch(r->bench.u, wrote, NULL);
    lw_rng_seed(&r->bench.rng, ~q->seed);
    lw_rng_seed(&r->resets, q->seed + 1);
    lw_stimulus_seed(&r->stimulus, q->seed);
    return true;
}

lw_run_result lw_module_run(const lw_run_request *request, lw_error *err) {
    run *r = calloc(1, sizeof *r);
    if (r == NULL) {
        (void)lw_fail(err, "no memory for a run");
        return LW_RUN_FAILED;
    }
    r->request = request;
    r->module = request->row->module;
    lw_run_result result = begin(r, err) ? LW_RUN_EQUAL : LW_RUN_FAILED;
    for (uint64_t c = 0; result == LW_RUN_EQUAL && c < request->cycles; c++) {
        if (lw_one_in(&r->resets, RESET_IN)) {
            reset(r);
        }
        result = cycle_is_equal(r, c) ? LW_RUN_EQUAL : LW_RUN_DIFFERENT;
    }
    if (result == LW_RUN_EQUAL && request->functions->failed(r->rtl)) {
        result = LW_RUN_DIFFERENT;
    }
    if (result == LW_RUN_EQUAL) {
        (void)printf("%s, seed %" PRIu64 ": %" PRIu64 " cycles, %u outputs and %u register entries "
                     "compared in each, 0 mismatches\n",
                     request->row->name, request->seed, request->cycles, r->module->output_count,
                     r->registers.values);
        if (request->shares) {
            print_shares(r);
        }
    }
    lw_iommu_free(r->bench.u);
    free(r->bench.own);
    request->functions->destroy(r->rtl);
    free(r);
    return result;
}
