#include "dpi/state_net_parts.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a register has as many entries of as many bits, as elements or as planes. */
static bool fits(lw_watched *w, uint32_t entries, uint32_t bits) {
    if (w->reg.entries == entries && w->reg.bits == bits) {
        w->mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
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
    const lw_watched *w = &net->fields[f];
    lw_pair pair = {.field = f};
    lw_register_place p;
    if (w->planes == 0) {
        pair.rtl = (lw_lane){w->reg.data, 0, (uint64_t)w->reg.stride * 8, w->mask};
    } else if (w->planes == 1) {
        pair.rtl = (lw_lane){w->reg.data, 0, 1, 1};
    }
    if (net->twin != NULL && lw_iommu_locate(net->twin, f, &p)) {
        /* an absent register's place has no bits */
        const uint64_t mask = p.bits == 0 ? 0 : UINT64_MAX >> (64 - p.bits);
        pair.twin = (lw_lane){p.base, p.first, p.stride, mask};
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

static int by_address(const void *a, const void *b) {
    const lw_watched *x = *(const lw_watched *const *)a;
    const lw_watched *y = *(const lw_watched *const *)b;
    return x->reg.data < y->reg.data ? -1 : x->reg.data > y->reg.data;
}

/* Says of each byte of a register whose it is. */
static void own_bytes(const lw_state_net *net, const lw_segment *g, const lw_watched *w) {
    const lw_field f = (lw_field)(w - net->fields);
    const uint32_t structure = (uint32_t)lw_field_structure(f) << LW_INDEX_BITS;
    const size_t offset = (size_t)(w->reg.data - g->data);
    for (uint32_t byte = 0; byte < w->reg.bytes; byte++) {
        g->owner[offset + byte] = (uint16_t)f;
        g->entry[offset + byte] = w->planes != 0 ? LW_PLANES : structure | byte / w->reg.stride;
    }
}

static bool make_segment(lw_segment *g, const uint8_t *data, size_t bytes) {
    enum { WORD = 8 };
    g->data = data;
    g->bytes = bytes;
    g->last_mask = (UINT64_C(1) << bytes % WORD * 8) - 1;
    g->shadow = calloc(bytes / WORD + 1, WORD);
    g->entry = malloc(bytes * sizeof *g->entry);
    g->owner = calloc(bytes, sizeof *g->owner);
    if (g->shadow == NULL || g->entry == NULL || g->owner == NULL) {
        return false;
    }
    memcpy(g->shadow, data, bytes);
    for (size_t byte = 0; byte < bytes; byte++) {
        g->entry[byte] = LW_NOBODY;
    }
    return true;
}

/* Groups the registers, by address; those with no more than padding between them are one segment.
 */
static bool make_segments(lw_state_net *net) {
    enum { PADDING = 7 };
    const lw_watched *sorted[LW_FIELD_COUNT];
    size_t count = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (net->fields[f].there) {
            sorted[count++] = &net->fields[f];
        }
    }
    qsort(sorted, count, sizeof(const lw_watched *), by_address);
    for (size_t first = 0; first < count;) {
        const uint8_t *data = sorted[first]->reg.data;
        const uint8_t *end = data;
        size_t last = first;
        for (; last < count && sorted[last]->reg.data <= end + PADDING; last++) {
            end = sorted[last]->reg.data + sorted[last]->reg.bytes;
        }
        lw_segment *g = &net->segments[net->segment_count++];
        if (!make_segment(g, data, (size_t)(end - data))) {
            return false;
        }
        for (; first < last; first++) {
            own_bytes(net, g, sorted[first]);
        }
    }
    return true;
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
    list_fields(net);
    good = good && (make_segments(net) || lw_fail(err, "no memory for the state net"));
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
    for (size_t i = 0; i < net->segment_count; i++) {
        free(net->segments[i].shadow);
        free(net->segments[i].entry);
        free(net->segments[i].owner);
    }
    free(net->touched);
    free(net->list);
    free(net);
}
