#include "dpi/state_net_parts.h"

#include <string.h>

/* ---------------------------------------------------------------- the RTL's registers */

/* The Verilated model is far larger than a register: eight bytes can always be read. */
static uint64_t word_at(const uint8_t *data, size_t byte) {
    uint64_t value;
    memcpy(&value, data + byte, sizeof value);
    return value;
}

static uint64_t element(const lw_watched *w, uint32_t index) {
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
    lw_field valid = lw_structure_valid(s);
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
    const lw_watched *w = &net->fields[field];
    return !w->there ? 0 : w->planes != 0 ? w->planes : w->reg.bits;
}

bool lw_state_net_has(const lw_state_net *net, lw_field field) {
    return net->fields[field].there;
}

void lw_state_net_flip(lw_state_net *net, lw_field field, uint32_t index, uint32_t bit) {
    const lw_watched *w = &net->fields[field];
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

static void touch(lw_state_net *net, uint32_t entry) {
    const uint32_t index = entry & ((UINT32_C(1) << LW_INDEX_BITS) - 1);
    const uint32_t at = net->base[entry >> LW_INDEX_BITS] + index;
    if (net->touched[at] == 0) {
        net->touched[at] = 1;
        net->list[net->listed++] = entry;
    }
}

void lw_state_net_touch(lw_state_net *net, lw_field field, uint32_t index) {
    touch(net, (uint32_t)lw_field_structure(field) << LW_INDEX_BITS | index);
}

void lw_state_net_twin_wrote(void *ctx, lw_structure s, uint32_t index) {
    touch(ctx, (uint32_t)s << LW_INDEX_BITS | index);
}

/* Touches the entries whose bits differ in a byte of bit planes. */
static void touch_planes(lw_state_net *net, const lw_segment *g, size_t byte, uint32_t differing) {
    const lw_field f = (lw_field)g->owner[byte];
    const lw_watched *w = &net->fields[f];
    const uint32_t first = (uint32_t)(byte - (size_t)(w->reg.data - g->data)) * 8;
    const uint32_t plane_bits = w->reg.bits / w->planes;
    for (; differing != 0; differing &= differing - 1) {
        const uint32_t bit = first + (uint32_t)__builtin_ctz(differing);
        lw_state_net_touch(net, f, bit % plane_bits);
    }
}

/* Touches the entries of a word, at byte `at`, of which these bits differ. */
static void touch_word(lw_state_net *net, const lw_segment *g, size_t at, uint64_t differing) {
    while (differing != 0) {
        const uint32_t shift = (uint32_t)__builtin_ctzll(differing) / 8 * 8;
        const uint64_t byte_mask = UINT64_C(0xff) << shift;
        const size_t byte = at + shift / 8;
        const uint32_t entry = g->entry[byte];
        if (entry == LW_PLANES) {
            touch_planes(net, g, byte, (uint32_t)((differing & byte_mask) >> shift));
        } else if (entry != LW_NOBODY) {
            touch(net, entry);
        }
        differing &= ~byte_mask;
    }
}

/* Whether any of the words differs; with a fixed number of them a loop that vectorises. */
static inline bool any_differs(const uint8_t *now, const uint8_t *shadow, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        any |= word_at(now, i * 8) ^ word_at(shadow, i * 8);
    }
    return any != 0;
}

static inline void compare_word(lw_state_net *net, const lw_segment *g, size_t at, uint64_t mask) {
    const uint64_t now = word_at(g->data, at) & mask;
    const uint64_t differing = now ^ word_at(g->shadow, at);
    if (differing != 0) {
        touch_word(net, g, at, differing);
        memcpy(g->shadow + at, &now, sizeof now);
    }
}

/* Touches what has changed in a segment since the cycle before: in large steps first, as mostly
 * nothing has. */
static void find_changes(lw_state_net *net, const lw_segment *g) {
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
                compare_word(net, g, at, UINT64_MAX);
            }
        }
    }
    if (at < g->bytes) {
        compare_word(net, g, at, g->last_mask);
    }
}

/* ---------------------------------------------------------------- comparing */

static uint64_t lane_value(const lw_lane *l, uint32_t index) {
    const uint64_t bit = l->first + index * l->stride;
    return word_at(l->base, bit / 8) >> (bit % 8) & l->mask;
}

static uint64_t rtl_element(const lw_state_net *net, const lw_pair *p, uint32_t index) {
    return p->rtl.base != NULL ? lane_value(&p->rtl, index)
                               : element(&net->fields[p->field], index);
}

static uint64_t twin_element(const lw_state_net *net, const lw_pair *p, uint32_t index) {
    return p->twin.base != NULL ? lane_value(&p->twin, index)
                                : lw_iommu_peek(net->twin, p->field, index);
}

static size_t compare_entry(lw_state_net *net, lw_structure s, uint32_t index,
                            lw_state_difference *found, size_t room) {
    size_t n = 0;
    const lw_pair *valid = net->valid[s];
    const uint32_t first = net->first_here[s];
    const uint32_t last = net->first_here[s + 1];
    const bool rtl_valid = valid == NULL || rtl_element(net, valid, index) != 0;
    const bool twin_valid = valid == NULL || twin_element(net, valid, index) != 0;
    /* Of an entry that both sides hold invalid only that is compared (R0.5). */
    if (!rtl_valid && !twin_valid) {
        net->compared++;
        return 0;
    }
    for (uint32_t i = first; i < last; i++) {
        const lw_pair *p = &net->here[i];
        const uint64_t rtl = rtl_valid ? rtl_element(net, p, index) : 0;
        const uint64_t twin = twin_valid ? twin_element(net, p, index) : 0;
        if (rtl != twin) {
            if (n < room) {
                found[n] = (lw_state_difference){p->field, index, rtl, twin};
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
        const lw_structure s = (lw_structure)(net->list[i] >> LW_INDEX_BITS);
        const uint32_t index = net->list[i] & ((UINT32_C(1) << LW_INDEX_BITS) - 1);
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
    for (size_t i = 0; i < net->absent_count; i++) {
        const uint8_t *data = net->fields[net->absent[i]].reg.data;
        const uint32_t bytes = net->fields[net->absent[i]].reg.bytes;
        uint32_t at = 0;
        while (at < bytes && data[at] == 0) {
            at++;
        }
        if (at < bytes) {
            if (n < room) {
                found[n] = (lw_state_difference){net->absent[i], 0, data[at], 0};
            }
            n++;
        }
    }
    return n;
}

uint64_t lw_state_net_compared(const lw_state_net *net) {
    return net->compared;
}
