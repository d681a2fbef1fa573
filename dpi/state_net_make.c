#include "dpi/state_net_parts.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a register has as many entries of as many bits, as elements or as planes. */
static bool fits(lw_watched *w, uint32_t entries, uint32_t bits) {
    w->mask = UINT64_MAX >> (64 - bits);
    if (w->reg.entries == entries && w->reg.bits == bits) {
        return true;
    }
    if (w->reg.entries == 1 && w->reg.bits == bits * entries) {
        w->planes = bits;
        return true;
    }
    return false;
}

static bool find_register(lw_state_net *net, const lw_params *params,
                          const lw_rtl_functions *functions, lw_rtl *rtl, lw_field f,
                          lw_error *err) {
    char name[LW_PLACE_MAX], place[LW_PLACE_MAX];
    const lw_structure s = lw_field_structure(f);
    const uint32_t bits = lw_field_bits(params, f);
    const uint32_t entries = net->entries[s];
    lw_watched *w = &net->fields[f];
    lw_rtl_place(params, f, lw_rtl_instance(params, s), place, name);
    if (bits == 0) {
        /* What the unit does not have, the RTL may have declared: it has to stay zero. */
        if (functions->find(rtl, place, name, &w->reg)) {
            net->absent[net->absent_count++] = f;
        }
        return true;
    }
    w->there = functions->find(rtl, place, name, &w->reg);
    if (!w->there) {
        return lw_fail(err, "the RTL build has no register %s.%s for %s.%s of state/registers.yaml",
                       place, name, lw_structure_name(s), lw_field_name(f));
    }
    return fits(w, entries, bits) ||
           lw_fail(err,
                   "register %s.%s has %u elements of %u bits; state/registers.yaml says %u of %u",
                   place, name, w->reg.entries, w->reg.bits, entries, bits);
}

/* The same in a design of one's own, which may lack it; but what its map says must be true. */
static bool find_mapped(lw_state_net *net, const lw_params *params,
                        const lw_rtl_functions *functions, lw_rtl *rtl, const lw_register_map *map,
                        lw_field f, lw_error *err) {
    char name[LW_PLACE_MAX], place[LW_PLACE_MAX];
    const lw_structure s = lw_field_structure(f);
    const uint32_t bits = lw_field_bits(params, f);
    const lw_register_line *line = &map->line[f];
    lw_watched *w = &net->fields[f];
    if (bits == 0 || line->nowhere) {
        return true;
    }
    if (line->number == 0) {
        lw_rtl_place(params, f, lw_rtl_instance(params, s), place, name);
        w->there = functions->find(rtl, place, name, &w->reg) && fits(w, net->entries[s], bits);
        return true;
    }
    w->there = functions->find(rtl, line->instance, line->name, &w->reg);
    if (!w->there) {
        return lw_fail(err, "%s:%u: the design has no register %s.%s; its name must end with _q",
                       map->path, line->number, line->instance, line->name);
    }
    return fits(w, net->entries[s], bits) ||
           lw_fail(err, "%s:%u: %s.%s has %u elements of %u bits; %s.%s has %u of %u", map->path,
                   line->number, line->instance, line->name, w->reg.entries, w->reg.bits,
                   lw_structure_name(s), lw_field_name(f), net->entries[s], bits);
}

/* Without the register that says which entries hold something, the others of them say nothing. */
static void leave_out(lw_state_net *net) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const lw_field valid = lw_structure_valid(lw_field_structure(f));
        if (valid != LW_FIELD_COUNT && !net->fields[valid].there) {
            net->fields[f].there = false;
        }
    }
}

/* Where both sides keep a field. */
static lw_pair pair_of(const lw_state_net *net, lw_field f) {
    enum { BYTE = 8 };
    const lw_watched *w = &net->fields[f];
    lw_pair pair = {.rtl = w->reg.data,
                    .shadow = w->shadow,
                    .mask = w->mask,
                    .planes = w->planes,
                    .rtl_stride = w->planes != 0 ? w->reg.bits / w->planes : w->reg.stride * BYTE,
                    .field = f};
    lw_register_place p;
    /* An absent register's place has no bits. */
    if (net->twin != NULL && lw_iommu_locate(net->twin, f, &p) && p.bits != 0) {
        pair.twin = p.base + p.first / BYTE;
        pair.twin_first = p.first % BYTE;
        pair.twin_stride = (uint32_t)p.stride;
    }
    return pair;
}

/* The fields that are compared, by structure. */
static void list_fields(lw_state_net *net) {
    uint32_t here = 0;
    lw_field f = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        net->first_here[s] = here;
        for (; f < LW_FIELD_COUNT && lw_field_structure(f) == s; f++) {
            if (!net->fields[f].there) {
                continue;
            }
            if (f == lw_structure_valid(s)) {
                net->valid[s] = &net->here[here];
            }
            net->here[here++] = pair_of(net, f);
        }
    }
    net->first_here[LW_STRUCTURE_COUNT] = here;
}

/* Registers without a twin: how many, and the first ones' names. */
typedef struct strangers {
    uint32_t count;
    char text[512];
} strangers;

static void judge_register(void *ctx, const char *instance, const char *name) {
    strangers *s = ctx;
    for (size_t i = 0; i < lw_rtl_known_count; i++) {
        if (fnmatch(lw_rtl_known[i].instance, instance, 0) == 0 &&
            fnmatch(lw_rtl_known[i].name, name, 0) == 0) {
            return;
        }
    }
    const size_t used = strlen(s->text);
    (void)snprintf(s->text + used, sizeof s->text - used, "%s%s.%s", s->count == 0 ? "" : ", ",
                   instance, name);
    s->count++;
}

/* A register that no check would ever look at is as good as unchecked. */
static bool are_registers_known(const lw_rtl_functions *functions, lw_rtl *rtl, lw_error *err) {
    strangers s = {.count = 0};
    functions->each_register(rtl, judge_register, &s);
    return s.count == 0 ||
           lw_fail(err,
                   "the RTL has %u registers without a twin (%s); allowed are those of "
                   "state/registers.yaml and its exceptions",
                   s.count, s.text);
}

lw_state_net *lw_state_net_new(const lw_params *params, const lw_rtl_functions *functions,
                               lw_rtl *rtl, const lw_register_map *map, lw_iommu *twin,
                               lw_error *err) {
    lw_state_net *net = calloc(1, sizeof *net);
    if (net == NULL) {
        (void)lw_fail(err, "no memory for the state net");
        return NULL;
    }
    net->twin = twin;
    uint32_t total = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        net->entries[s] = lw_structure_entries(params, s);
        net->base[s] = total;
        total += net->entries[s];
    }
    net->touched = calloc(total, sizeof *net->touched);
    net->list = calloc(total, sizeof *net->list);
    bool good = net->touched != NULL && net->list != NULL;
    for (lw_field f = 0; good && f < LW_FIELD_COUNT; f++) {
        good = map == NULL ? find_register(net, params, functions, rtl, f, err)
                           : find_mapped(net, params, functions, rtl, map, f, err);
    }
    if (map != NULL) {
        leave_out(net);
    } else {
        good = good && are_registers_known(functions, rtl, err);
    }
    good = good && (lw_state_net_cut(net) || lw_fail(err, "no memory for the state net"));
    list_fields(net);
    if (!good) {
        lw_state_net_free(net);
        return NULL;
    }
    if (twin != NULL) {
        lw_iommu_watch(twin, lw_state_net_twin_wrote, net);
    }
    return net;
}

void lw_state_net_free(lw_state_net *net) {
    if (net == NULL) {
        return;
    }
    if (net->twin != NULL) {
        lw_iommu_watch(net->twin, NULL, NULL);
    }
    lw_state_net_uncut(net);
    free(net->touched);
    free(net->list);
    free(net);
}
