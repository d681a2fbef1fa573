#include "tests/contract/pair_unit.h"

#include "dpi/port_table.h"
#include "dpi/ports_equal.h"
#include "dpi/state_net.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLIP_AT = 2000, NEVER = 0, TEXT = 512 };

typedef struct pair {
    lw_unit twin;
    const lw_rtl_functions *functions;
    lw_rtl *rtl;
    lw_state_net *net;
    lw_inputs in;
    lw_outputs out; /* the twin's, of the present cycle */
    uint64_t cycle, flip_at;
    char text[TEXT]; /* the first difference */
} pair;

bool lw_beside_open(lw_beside *beside, const char *system, lw_error *err) {
    *beside = (lw_beside){.library = {.handle = NULL}};
    return lw_system_load(&beside->system, "systems", system, err) &&
           lw_system_check(&beside->system, err) &&
           lw_rtl_library_open(&beside->library, ".", &beside->system, false, err);
}

void lw_beside_close(lw_beside *beside) {
    lw_rtl_library_close(&beside->library);
}

static void outputs(void *own, lw_outputs *out) {
    pair *p = own;
    p->twin.outputs(p->twin.own, &p->out);
    *out = p->out;
}

/* The first port that differs. */
static void compare_ports(pair *p, const lw_outputs *rtl) {
    if (p->text[0] != '\0' || lw_outputs_equal(rtl, &p->out)) {
        return;
    }
    for (size_t i = 0; lw_port_at(i) != NULL; i++) {
        const lw_port *port = lw_port_at(i);
        if (!port->is_input && lw_port_value(port, rtl) != lw_port_value(port, &p->out)) {
            (void)snprintf(p->text, sizeof p->text,
                           "%s is 0x%" PRIx64 " in the RTL, 0x%" PRIx64 " in the twin", port->name,
                           lw_port_value(port, rtl), lw_port_value(port, &p->out));
            return;
        }
    }
}

/* lw_rtl_cycle_fn */
static void rtl_cycle(void *ctx, const lw_outputs *out, lw_inputs *in) {
    pair *p = ctx;
    compare_ports(p, out);
    *in = p->in;
}

static void compare_registers(pair *p) {
    lw_state_difference first;
    const char *assertion = NULL;
    const bool differs = lw_state_net_compare(p->net, &first, 1) != 0;
    if (p->text[0] != '\0') {
        return;
    }
    if (differs) {
        (void)snprintf(p->text, sizeof p->text,
                       "%s.%s[%u] is 0x%" PRIx64 " in the RTL, 0x%" PRIx64 " in the twin",
                       lw_structure_name(lw_field_structure(first.field)),
                       lw_field_name(first.field), first.index, first.rtl, first.twin);
    } else if (p->functions->failed(p->rtl, &assertion)) {
        (void)snprintf(p->text, sizeof p->text, "an assertion of the RTL fails: %s", assertion);
    }
}

static void step(void *own, const lw_inputs *in) {
    pair *p = own;
    p->in = *in;
    p->functions->step(p->rtl);
    p->twin.step(p->twin.own, in);
    if (++p->cycle == p->flip_at) {
        lw_iommu_flip(lw_unit_twin_iommu(&p->twin), LW_F_BUFFER_RING_TAIL, 0, 0);
        lw_state_net_touch(p->net, LW_F_BUFFER_RING_TAIL, 0);
    }
    compare_registers(p);
}

static void done(void *own) {
    pair *p = own;
    lw_state_net_free(p->net);
    if (p->rtl != NULL) {
        p->functions->destroy(p->rtl);
    }
    if (p->twin.own != NULL) {
        p->twin.free(p->twin.own);
    }
    free(p);
}

static uint64_t peek(void *own, lw_field field, uint32_t index) {
    const pair *p = own;
    return p->twin.peek(p->twin.own, field, index);
}

static const char *difference(void *own) {
    const pair *p = own;
    return p->text[0] == '\0' ? NULL : p->text;
}

bool lw_unit_pair(const lw_beside *beside, bool flips, lw_unit *unit, lw_error *err) {
    pair *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return lw_fail(err, "there is no memory for a unit");
    }
    *unit = (lw_unit){p, outputs, step, done, peek, difference};
    p->functions = beside->library.functions;
    p->flip_at = flips ? FLIP_AT : NEVER;
    if (!lw_unit_twin(&beside->system.hw, &p->twin, err)) {
        return false;
    }
    p->rtl = p->functions->create(rtl_cycle, p, 0);
    if (p->rtl == NULL) {
        return lw_fail(err, "there is no memory for the RTL");
    }
    p->functions->reset(p->rtl);
    p->net = lw_state_net_new(&beside->system.hw, p->functions, p->rtl, NULL,
                              lw_unit_twin_iommu(&p->twin), err);
    return p->net != NULL;
}
