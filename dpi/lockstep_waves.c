#include "dpi/lockstep_waves.h"

#include "dpi/port_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RTL, TWIN, SIDES };
static const char *const side_names[SIDES] = {"rtl", "twin"};

/* What is shown of a register or a port of one side: its identifier code is its place in `seen`. */
typedef struct shown {
    uint64_t value;
    bool written; /* once at least */
} shown;

struct lw_lockstep_waves {
    FILE *file;
    lw_params params;
    const lw_iommu *twin;
    const lw_state_net *net;
    shown *seen;
    size_t count, at;
    bool declaring; /* names are written, not values */
    bool differs;
};

/* ---------------------------------------------------------------- VCD */

/* Identifier codes are numbers of base 94, in printable characters. */
static void write_code(FILE *file, size_t number) {
    do {
        (void)fputc('!' + (int)(number % 94), file);
        number /= 94;
    } while (number != 0);
}

static void declare(lw_lockstep_waves *w, const char *name, const char *side, uint32_t bits) {
    (void)fprintf(w->file, "$var reg %u ", bits);
    write_code(w->file, w->at);
    (void)fprintf(w->file, " %s%s%s", name, side == NULL ? "" : "_", side == NULL ? "" : side);
    if (bits > 1) {
        (void)fprintf(w->file, " [%u:0]", bits - 1);
    }
    (void)fprintf(w->file, " $end\n");
}

static void write_value(lw_lockstep_waves *w, uint64_t value, uint32_t bits) {
    char digits[65];
    for (uint32_t i = 0; i < bits; i++) {
        digits[i] = (char)('0' + (value >> (bits - 1 - i) & 1));
    }
    digits[bits] = '\0';
    (void)fprintf(w->file, bits == 1 ? "%s" : "b%s ", digits);
    write_code(w->file, w->at);
    (void)fputc('\n', w->file);
}

/* The next in order: declared in the first pass, written in the others where it has changed. */
static void show(lw_lockstep_waves *w, const char *name, const char *side, uint64_t value,
                 uint32_t bits) {
    if (w->declaring) {
        declare(w, name, side, bits);
    } else {
        shown *s = &w->seen[w->at];
        if (!s->written || s->value != value) {
            write_value(w, value, bits);
            *s = (shown){value, true};
        }
    }
    w->at++;
}

/* ---------------------------------------------------------------- registers */

static void entry_name(const lw_params *params, lw_structure s, uint32_t index, char *text,
                       size_t size) {
    if (lw_structure_entries(params, s) > 1) {
        (void)snprintf(text, size, "%s_%u", lw_structure_name(s), index);
    } else {
        (void)snprintf(text, size, "%s", lw_structure_name(s));
    }
}

void lw_lockstep_waves_name(const lw_params *params, lw_field field, uint32_t index,
                            const char *side, char *text, size_t size) {
    char entry[64];
    const uint32_t bits = lw_field_bits(params, field);
    entry_name(params, lw_field_structure(field), index, entry, sizeof entry);
    const int used = snprintf(text, size, "lockstep.%s.%s_%s", entry, lw_field_name(field), side);
    if (bits > 1 && used > 0 && (size_t)used < size) {
        (void)snprintf(text + used, size - (size_t)used, "[%u:0]", bits - 1);
    }
}

static void show_register(lw_lockstep_waves *w, lw_field f, uint32_t index) {
    const uint32_t bits = lw_field_bits(&w->params, f);
    const bool has[SIDES] = {w->net != NULL && lw_state_net_has(w->net, f), w->twin != NULL};
    uint64_t value[SIDES] = {0, 0};
    for (int side = 0; side < SIDES; side++) {
        if (has[side]) {
            value[side] = w->declaring  ? 0
                          : side == RTL ? lw_state_net_rtl(w->net, f, index)
                                        : lw_iommu_peek(w->twin, f, index);
            show(w, lw_field_name(f), side_names[side], value[side], bits);
        }
    }
    w->differs |= has[RTL] && has[TWIN] && value[RTL] != value[TWIN];
}

static void show_registers(lw_lockstep_waves *w) {
    char name[64];
    lw_field first = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        const uint32_t entries = lw_structure_entries(&w->params, s);
        lw_field end = first;
        while (end < LW_FIELD_COUNT && lw_field_structure(end) == s) {
            end++;
        }
        for (uint32_t i = 0; i < entries; i++) {
            if (w->declaring) {
                entry_name(&w->params, s, i, name, sizeof name);
                (void)fprintf(w->file, "$scope module %s $end\n", name);
            }
            for (lw_field f = first; f < end; f++) {
                if (lw_field_exists(&w->params, f)) {
                    show_register(w, f, i);
                }
            }
            if (w->declaring) {
                (void)fprintf(w->file, "$upscope $end\n");
            }
        }
        first = end;
    }
}

/* ---------------------------------------------------------------- ports */

static void show_ports(lw_lockstep_waves *w, const lw_inputs *in, const lw_outputs *rtl,
                       const lw_outputs *twin) {
    const lw_port *port = NULL;
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        const uint32_t bits = lw_port_bits(port, &w->params);
        if (port->is_input) {
            show(w, port->name, NULL, in == NULL ? 0 : lw_port_value(port, in), bits);
            continue;
        }
        if (rtl != NULL) {
            show(w, port->name, side_names[RTL], lw_port_value(port, rtl), bits);
        }
        if (twin != NULL) {
            show(w, port->name, side_names[TWIN], lw_port_value(port, twin), bits);
        }
    }
}

/* ---------------------------------------------------------------- the file */

static void declare_all(lw_lockstep_waves *w) {
    static const lw_outputs none;
    w->declaring = true;
    w->at = 0;
    (void)fprintf(w->file, "$comment A point in time is a cycle. $end\n$timescale 1ns $end\n"
                           "$scope module lockstep $end\n");
    show(w, "cycle", NULL, 0, 64);
    show_registers(w);
    show(w, "differs", NULL, 0, 1);
    (void)fprintf(w->file, "$scope module ports $end\n");
    show_ports(w, NULL, w->net != NULL ? &none : NULL, w->twin != NULL ? &none : NULL);
    (void)fprintf(w->file, "$upscope $end\n$upscope $end\n$enddefinitions $end\n");
    w->declaring = false;
    w->count = w->at;
}

lw_lockstep_waves *lw_lockstep_waves_open(const char *path, const lw_params *params,
                                          const lw_iommu *twin, const lw_state_net *net,
                                          lw_error *err) {
    lw_lockstep_waves *w = calloc(1, sizeof *w);
    if (w == NULL) {
        (void)lw_fail(err, "no memory for the waves");
        return NULL;
    }
    w->params = *params;
    w->twin = twin;
    w->net = net;
    w->file = fopen(path, "w");
    if (w->file == NULL) {
        (void)lw_fail(err, "--waves: %s cannot be written", path);
        free(w);
        return NULL;
    }
    declare_all(w);
    w->seen = calloc(w->count, sizeof *w->seen);
    if (w->seen == NULL) {
        (void)lw_fail(err, "no memory for the waves");
        (void)lw_lockstep_waves_close(w);
        return NULL;
    }
    return w;
}

void lw_lockstep_waves_registers(lw_lockstep_waves *w, uint64_t cycle) {
    (void)fprintf(w->file, "#%" PRIu64 "\n", cycle);
    w->at = 0;
    w->differs = false;
    show(w, "cycle", NULL, cycle, 64);
    show_registers(w);
    show(w, "differs", NULL, w->differs, 1);
}

void lw_lockstep_waves_ports(lw_lockstep_waves *w, const lw_inputs *in, const lw_outputs *rtl,
                             const lw_outputs *twin) {
    show_ports(w, in, rtl, twin);
}

bool lw_lockstep_waves_are_good(const lw_lockstep_waves *w) {
    return ferror(w->file) == 0;
}

bool lw_lockstep_waves_close(lw_lockstep_waves *w) {
    if (w == NULL) {
        return true;
    }
    const bool good = ferror(w->file) == 0;
    const bool closed = fclose(w->file) == 0;
    free(w->seen);
    free(w);
    return good && closed;
}
