#include "dpi/state_net.h"

#include "dpi/array_place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a structure's registers live, and the field that says whether an entry is valid. */
typedef struct place {
    const char *instance;
    lw_field valid; /* LW_FIELD_COUNT: always valid */
} place;

static const place places[LW_STRUCTURE_COUNT] = {
    [LW_S_ADMISSION] = {"u_admission", LW_FIELD_COUNT},
    [LW_S_TLB_PIPE] = {"u_tlb", LW_F_TLB_PIPE_PIPE_VALID},
    [LW_S_TLB] = {"u_tlb", LW_F_TLB_VALID},
    [LW_S_TLB_RANK] = {"u_tlb", LW_FIELD_COUNT},
    [LW_S_TLB_RANGE] = {"u_tlb", LW_FIELD_COUNT},
    [LW_S_TLB_FOUND] = {"u_tlb", LW_FIELD_COUNT},
    [LW_S_PLACE] = {"u_tlb", LW_FIELD_COUNT},
    [LW_S_BUFFER] = {"u_walk.u_buffer", LW_F_BUFFER_VALID},
    [LW_S_BUFFER_CONTROL] = {"u_walk.u_buffer", LW_FIELD_COUNT},
    [LW_S_PICK] = {"u_walk.u_buffer.u_oldest_first", LW_FIELD_COUNT},
    [LW_S_ROUND1] = {"u_walk.u_buffer.u_oldest_first", LW_F_ROUND1_ROUND1_FOUND},
    [LW_S_ROUND2] = {"u_walk.u_buffer.u_oldest_first", LW_F_ROUND2_ROUND2_FOUND},
    [LW_S_BLOCK] = {"u_walk.u_buffer", LW_FIELD_COUNT},
    [LW_S_SEARCH] = {"u_walk.u_buffer.u_operation", LW_FIELD_COUNT},
    [LW_S_SEARCH_LINE] = {"u_walk.u_buffer.u_operation", LW_FIELD_COUNT},
    [LW_S_UPDATE] = {"u_walk.u_buffer.u_operation", LW_FIELD_COUNT},
    [LW_S_UPDATE_LINE] = {"u_walk.u_buffer.u_operation", LW_FIELD_COUNT},
    [LW_S_PWC] = {"u_walk.u_pwc.gen_by_level.u_table", LW_F_PWC_VALID},
    [LW_S_PWC_RANK] = {"u_walk.u_pwc.gen_by_level.u_table", LW_FIELD_COUNT},
    [LW_S_PWC_PIPE] = {"u_walk.u_pwc", LW_F_PWC_PIPE_PIPE_VALID},
    [LW_S_PWC_KEY] = {"u_walk.u_pwc", LW_FIELD_COUNT},
    [LW_S_PWC_RESULT] = {"u_walk.u_pwc", LW_FIELD_COUNT},
    [LW_S_PWC_FILL] = {"u_walk.u_pwc", LW_FIELD_COUNT},
    [LW_S_PWC_PLACE] = {"u_walk.u_pwc", LW_FIELD_COUNT},
    [LW_S_ASK] = {"u_walk.u_walkers.u_reader", LW_FIELD_COUNT},
    [LW_S_READ] = {"u_walk.u_walkers.u_reader", LW_FIELD_COUNT},
    [LW_S_PWST] = {"u_walk.u_walkers", LW_F_PWST_STATE},
    [LW_S_WALK_MEMORY] = {"u_walk.u_walkers.u_memory", LW_FIELD_COUNT},
    [LW_S_LINE] = {"u_walk.u_walkers.u_memory", LW_FIELD_COUNT},
    [LW_S_HIT_QUEUE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_WALK_QUEUE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_ANSWER] = {"u_walk.u_answers", LW_FIELD_COUNT},
    [LW_S_FILL] = {"u_walk.u_answers", LW_FIELD_COUNT},
    [LW_S_RESPONSE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_INVALIDATION] = {"u_invalidation", LW_FIELD_COUNT},
    [LW_S_CONTROL] = {"u_control", LW_FIELD_COUNT},
    [LW_S_ROOT] = {"u_control", LW_FIELD_COUNT},
    [LW_S_COUNTER] = {"u_counters", LW_FIELD_COUNT},
    [LW_S_CHECK] = {"u_walk.u_joiner.gen_contiguity.u_contiguity", LW_FIELD_COUNT},
    [LW_S_HEAD] = {"u_walk.u_joiner.gen_contiguity.u_contiguity", LW_FIELD_COUNT},
    [LW_S_CHECK_QUEUE] = {"u_walk.u_joiner.gen_contiguity.u_contiguity", LW_FIELD_COUNT},
    [LW_S_MSC] = {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc", LW_F_MSC_VALID},
    [LW_S_MSC_RANK] = {"u_walk.u_joiner.gen_contiguity.gen_msc.u_msc", LW_FIELD_COUNT},
};

typedef struct watched {
    lw_rtl_register reg;
    bool there;
    uint32_t planes; /* 0: an element an entry; else bit planes of `entries` bits */
    uint64_t mask;   /* of an element */
} watched;

/* One side's entries of a field that lie evenly (lw_register_place). */
typedef struct lane {
    const uint8_t *base; /* NULL: they do not */
    uint64_t first, stride, mask;
} lane;

/* Registers that lie side by side in the Verilated model, as most do: memory that is looked through
 * at once for what has changed since the cycle before. */
typedef struct segment {
    const uint8_t *data;
    uint8_t *shadow;
    uint16_t *owner; /* by byte: the field, or LW_FIELD_COUNT between two */
    size_t bytes;
} segment;

struct lw_state_net {
    lw_iommu *twin;
    segment segments[LW_FIELD_COUNT];
    size_t segment_count;
    watched fields[LW_FIELD_COUNT];
    lane rtl_lane[LW_FIELD_COUNT], twin_lane[LW_FIELD_COUNT];
    lw_field here[LW_FIELD_COUNT];               /* the fields that this unit has */
    uint32_t first_here[LW_STRUCTURE_COUNT + 1]; /* in `here`, by structure */
    uint32_t entries[LW_STRUCTURE_COUNT];
    uint32_t base[LW_STRUCTURE_COUNT]; /* of the structure's entries in `touched` */
    uint8_t *touched;
    uint32_t *list; /* (structure << 24 | index) of the touched entries */
    size_t listed;
    uint64_t compared;
};

/* ---------------------------------------------------------------- the RTL's registers */

static const char *instance_of(const lw_params *params, lw_structure s) {
    if (params->pwc_org == 1 && (s == LW_S_PWC || s == LW_S_PWC_RANK)) {
        return "u_walk.u_pwc.gen_by_address.u_table";
    }
    return places[s].instance;
}

static bool find_register(lw_state_net *net, const lw_params *params,
                          const lw_rtl_functions *functions, lw_rtl *rtl, lw_field f,
                          lw_error *err) {
    char own[64], name[LW_PLACE_MAX], place[LW_PLACE_MAX];
    lw_structure s = lw_field_structure(f);
    watched *w = &net->fields[f];
    if (!lw_field_exists(params, f)) {
        return true;
    }
    const char *text = lw_field_name(f);
    size_t n = 0;
    for (; text[n] != '\0' && n + 3 < sizeof own; n++) {
        own[n] = (char)tolower((unsigned char)text[n]);
    }
    memcpy(own + n, "_q", 3);
    lw_array_place(params, f, instance_of(params, s), own, place, name);
    w->there = functions->find(rtl, place, name, &w->reg);
    if (!w->there) {
        return lw_fail(err, "the RTL build has no register %s.%s for %s.%s of section 14", place,
                       name, lw_structure_name(s), text);
    }
    uint32_t entries = net->entries[s];
    if (w->reg.entries == entries && (entries != 1 || w->reg.bits <= 64)) {
        w->mask = w->reg.bits >= 64 ? UINT64_MAX : (UINT64_C(1) << w->reg.bits) - 1;
    } else if (w->reg.entries == 1 && w->reg.bits % entries == 0) {
        w->planes = w->reg.bits / entries;
    } else {
        return lw_fail(err, "register %s.%s has %u elements of %u bits; section 14 says %u entries",
                       place, name, w->reg.entries, w->reg.bits, entries);
    }
    return true;
}

/* The Verilated model is far larger than a register: eight bytes can always be read. */
static uint64_t word_at(const uint8_t *data, size_t byte) {
    uint64_t value;
    memcpy(&value, data + byte, sizeof value);
    return value;
}

static uint64_t element(const watched *w, uint32_t index) {
    const uint8_t *data = w->reg.data;
    if (w->planes == 0) {
        return word_at(data, (size_t)index * w->reg.stride) & w->mask;
    }
    uint64_t value = 0;
    uint32_t plane_bits = w->reg.bits / w->planes;
    for (uint32_t p = 0; p < w->planes; p++) {
        uint32_t bit = p * plane_bits + index;
        value |= (uint64_t)((data[bit / 8] >> (bit % 8)) & 1) << p;
    }
    return value;
}

static uint64_t rtl_value(const lw_state_net *net, lw_structure s, lw_field f, uint32_t index) {
    lw_field valid = places[s].valid;
    if (!net->fields[f].there) {
        return 0;
    }
    if (valid != LW_FIELD_COUNT && element(&net->fields[valid], index) == 0) {
        return 0;
    }
    return element(&net->fields[f], index);
}

uint64_t lw_state_net_rtl(const lw_state_net *net, lw_field field, uint32_t index) {
    return rtl_value(net, lw_field_structure(field), field, index);
}

uint32_t lw_state_net_bits(const lw_state_net *net, lw_field field) {
    const watched *w = &net->fields[field];
    return !w->there ? 0 : w->planes != 0 ? w->planes : w->reg.bits;
}

void lw_state_net_flip(lw_state_net *net, lw_field field, uint32_t index, uint32_t bit) {
    const watched *w = &net->fields[field];
    uint32_t at = bit;
    uint8_t *data = w->reg.data;
    if (w->planes == 0) {
        data += (size_t)index * w->reg.stride;
    } else {
        at = bit * (w->reg.bits / w->planes) + index;
    }
    data[at / 8] ^= (uint8_t)(1u << (at % 8));
}

/* ---------------------------------------------------------------- what was written */

static void touch(lw_state_net *net, lw_structure s, uint32_t index) {
    uint32_t at = net->base[s] + index;
    if (net->touched[at] == 0) {
        net->touched[at] = 1;
        net->list[net->listed++] = (uint32_t)s << 24 | index;
    }
}

void lw_state_net_touch(lw_state_net *net, lw_field field, uint32_t index) {
    touch(net, lw_field_structure(field), index);
}

static void twin_wrote(void *ctx, lw_structure s, uint32_t index) {
    touch(ctx, s, index);
}

/* Touches the entry, or the entries, whose bits differ in a byte of a segment. Returns the first
 * byte after the element. */
static size_t touch_byte(lw_state_net *net, const segment *g, size_t byte, uint32_t differing) {
    const lw_field f = (lw_field)g->owner[byte];
    if (f == LW_FIELD_COUNT) {
        return byte + 1;
    }
    const watched *w = &net->fields[f];
    const lw_structure s = lw_field_structure(f);
    const size_t offset = (size_t)(w->reg.data - g->data);
    if (w->planes == 0) {
        const size_t index = (byte - offset) / w->reg.stride;
        touch(net, s, (uint32_t)index);
        return offset + (index + 1) * w->reg.stride;
    }
    const uint32_t plane_bits = w->reg.bits / w->planes;
    for (; differing != 0; differing &= differing - 1) {
        const uint32_t bit = (uint32_t)(byte - offset) * 8 + (uint32_t)__builtin_ctz(differing);
        touch(net, s, bit % plane_bits);
    }
    return byte + 1;
}

/* Whether any of the words differs; with a fixed number of them a loop that vectorises. */
static inline bool any_differs(const uint8_t *now, const uint8_t *shadow, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        any |= word_at(now, i * 8) ^ word_at(shadow, i * 8);
    }
    return any != 0;
}

/* The bytes from..to-1 of a segment. */
static void find_changed_bytes(lw_state_net *net, const segment *g, size_t from, size_t to) {
    for (size_t at = from; at < to;) {
        const uint32_t differing = g->data[at] ^ g->shadow[at];
        at = differing == 0 ? at + 1 : touch_byte(net, g, at, differing);
    }
    memcpy(g->shadow + from, g->data + from, to - from);
}

/* Touches what has changed in a segment since the cycle before: in large steps first, as mostly
 * nothing has. */
static void find_changes(lw_state_net *net, const segment *g) {
    enum { WORD = 8, SMALL = 8 * WORD, LARGE = 64 * WORD }; /* bytes */
    size_t at = 0;
    while (at + WORD <= g->bytes) {
        if (at + LARGE <= g->bytes && !any_differs(g->data + at, g->shadow + at, LARGE / WORD)) {
            at += LARGE;
            continue;
        }
        const size_t end = at + LARGE <= g->bytes ? at + LARGE : g->bytes / WORD * WORD;
        while (at < end) {
            if (at + SMALL <= end && !any_differs(g->data + at, g->shadow + at, SMALL / WORD)) {
                at += SMALL;
                continue;
            }
            const size_t part = at + SMALL <= end ? at + SMALL : end;
            for (; at < part; at += WORD) {
                if (word_at(g->data, at) != word_at(g->shadow, at)) {
                    find_changed_bytes(net, g, at, at + WORD);
                }
            }
        }
    }
    find_changed_bytes(net, g, at, g->bytes);
}

/* ---------------------------------------------------------------- comparing */

static uint64_t lane_value(const lane *l, uint32_t index) {
    const uint64_t bit = l->first + index * l->stride;
    return word_at(l->base, bit / 8) >> (bit % 8) & l->mask;
}

static uint64_t rtl_element(const lw_state_net *net, lw_field f, uint32_t index) {
    const lane *l = &net->rtl_lane[f];
    if (l->base != NULL) {
        return lane_value(l, index);
    }
    return net->fields[f].there ? element(&net->fields[f], index) : 0;
}

static uint64_t twin_element(const lw_state_net *net, lw_field f, uint32_t index) {
    const lane *l = &net->twin_lane[f];
    return l->base != NULL ? lane_value(l, index) : lw_iommu_peek(net->twin, f, index);
}

static size_t compare_entry(lw_state_net *net, lw_structure s, uint32_t index,
                            lw_state_difference *found, size_t room) {
    size_t n = 0;
    const lw_field valid = places[s].valid;
    const uint32_t first = net->first_here[s];
    const uint32_t last = net->first_here[s + 1];
    const bool always = valid == LW_FIELD_COUNT;
    const bool rtl_valid = always || rtl_element(net, valid, index) != 0;
    const bool twin_valid = always || twin_element(net, valid, index) != 0;
    /* Of an entry that both sides hold invalid only that is compared (R0.5). */
    if (!rtl_valid && !twin_valid) {
        net->compared++;
        return 0;
    }
    for (uint32_t i = first; i < last; i++) {
        const lw_field f = net->here[i];
        const uint64_t rtl = rtl_valid ? rtl_element(net, f, index) : 0;
        const uint64_t twin = twin_valid ? twin_element(net, f, index) : 0;
        if (rtl != twin) {
            if (n < room) {
                found[n] = (lw_state_difference){f, index, rtl, twin};
            }
            n++;
        }
    }
    net->compared += last - first;
    return n;
}

size_t lw_state_net_compare(lw_state_net *net, lw_state_difference *found, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < net->segment_count; i++) {
        find_changes(net, &net->segments[i]);
    }
    for (size_t i = 0; i < net->listed; i++) {
        lw_structure s = (lw_structure)(net->list[i] >> 24);
        uint32_t index = net->list[i] & 0xffffff;
        net->touched[net->base[s] + index] = 0;
        n += compare_entry(net, s, index, found + (n < room ? n : room), n < room ? room - n : 0);
    }
    net->listed = 0;
    return n;
}

size_t lw_state_net_compare_all(lw_state_net *net, lw_state_difference *found, size_t room) {
    size_t n = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        for (uint32_t i = 0; i < net->entries[s]; i++) {
            n += compare_entry(net, s, i, found + (n < room ? n : room), n < room ? room - n : 0);
        }
    }
    return n;
}

uint64_t lw_state_net_compared(const lw_state_net *net) {
    return net->compared;
}

/* ---------------------------------------------------------------- making one */

static int by_address(const void *a, const void *b) {
    const watched *x = *(const watched *const *)a;
    const watched *y = *(const watched *const *)b;
    return x->reg.data < y->reg.data ? -1 : x->reg.data > y->reg.data;
}

/* Groups the registers, by address; those with no more than padding between them are one segment.
 */
static bool make_segments(lw_state_net *net) {
    enum { PADDING = 7 };
    const watched *sorted[LW_FIELD_COUNT];
    size_t count = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (net->fields[f].there) {
            sorted[count++] = &net->fields[f];
        }
    }
    qsort(sorted, count, sizeof(const watched *), by_address);
    for (size_t first = 0; first < count;) {
        const uint8_t *end = sorted[first]->reg.data;
        size_t last = first;
        for (; last < count && sorted[last]->reg.data <= end + PADDING; last++) {
            end = sorted[last]->reg.data + sorted[last]->reg.bytes;
        }
        segment *g = &net->segments[net->segment_count++];
        g->data = sorted[first]->reg.data;
        g->bytes = (size_t)(end - g->data);
        g->shadow = malloc(g->bytes);
        g->owner = malloc(g->bytes * sizeof *g->owner);
        if (g->shadow == NULL || g->owner == NULL) {
            return false;
        }
        memcpy(g->shadow, g->data, g->bytes);
        for (size_t byte = 0; byte < g->bytes; byte++) {
            g->owner[byte] = LW_FIELD_COUNT;
        }
        for (; first < last; first++) {
            const size_t offset = (size_t)(sorted[first]->reg.data - g->data);
            for (uint32_t byte = 0; byte < sorted[first]->reg.bytes; byte++) {
                g->owner[offset + byte] = (uint16_t)(sorted[first] - net->fields);
            }
        }
    }
    return true;
}

static void find_lanes(lw_state_net *net) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const watched *w = &net->fields[f];
        lw_register_place p;
        if (w->there && w->planes == 0) {
            net->rtl_lane[f] = (lane){w->reg.data, 0, (uint64_t)w->reg.stride * 8, w->mask};
        } else if (w->there && w->planes == 1) {
            net->rtl_lane[f] = (lane){w->reg.data, 0, 1, 1};
        }
        if (lw_iommu_locate(net->twin, f, &p)) {
            net->twin_lane[f] = (lane){p.base, p.first, p.stride, UINT64_MAX >> (64 - p.bits)};
        }
    }
}

lw_state_net *lw_state_net_new(const lw_params *params, const lw_rtl_functions *functions,
                               lw_rtl *rtl, lw_iommu *twin, lw_error *err) {
    lw_state_net *net = calloc(1, sizeof *net);
    if (net == NULL) {
        (void)lw_fail(err, "no memory for the state net");
        return NULL;
    }
    net->twin = twin;
    uint32_t total = 0;
    uint32_t here = 0;
    lw_field f = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        net->entries[s] = lw_structure_entries(params, s);
        net->base[s] = total;
        total += net->entries[s];
        net->first_here[s] = here;
        for (; f < LW_FIELD_COUNT && lw_field_structure(f) == s; f++) {
            if (lw_field_exists(params, f)) {
                net->here[here++] = f;
            }
        }
    }
    net->first_here[LW_STRUCTURE_COUNT] = here;
    net->touched = calloc(total, sizeof *net->touched);
    net->list = calloc(total, sizeof *net->list);
    bool good = net->touched != NULL && net->list != NULL;
    for (f = 0; good && f < LW_FIELD_COUNT; f++) {
        good = find_register(net, params, functions, rtl, f, err);
    }
    good = good && (make_segments(net) || lw_fail(err, "no memory for the state net"));
    if (!good) {
        lw_state_net_free(net);
        return NULL;
    }
    if (twin != NULL) {
        find_lanes(net);
        lw_iommu_watch(twin, twin_wrote, net);
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
        free(net->segments[i].owner);
    }
    free(net->touched);
    free(net->list);
    free(net);
}
