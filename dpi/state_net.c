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

void lw_state_net_twin_wrote(void *ctx, lw_structure s, uint32_t index) {
    touch(ctx, s, index);
}

/* Touches the entry, or the entries, whose bits differ in a byte of a segment. Returns the first
 * byte after the element. */
static size_t touch_byte(lw_state_net *net, const lw_segment *g, size_t byte, uint32_t differing) {
    const lw_field f = (lw_field)g->owner[byte];
    if (f == LW_FIELD_COUNT) {
        return byte + 1;
    }
    const lw_watched *w = &net->fields[f];
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
static void find_changed_bytes(lw_state_net *net, const lw_segment *g, size_t from, size_t to) {
    for (size_t at = from; at < to;) {
        const uint32_t differing = g->data[at] ^ g->shadow[at];
        at = differing == 0 ? at + 1 : touch_byte(net, g, at, differing);
    }
    memcpy(g->shadow + from, g->data + from, to - from);
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
                if (word_at(g->data, at) != word_at(g->shadow, at)) {
                    find_changed_bytes(net, g, at, at + WORD);
                }
            }
        }
    }
    find_changed_bytes(net, g, at, g->bytes);
}

/* ---------------------------------------------------------------- comparing */

static uint64_t lane_value(const lw_lane *l, uint32_t index) {
    const uint64_t bit = l->first + index * l->stride;
    return word_at(l->base, bit / 8) >> (bit % 8) & l->mask;
}

static uint64_t rtl_element(const lw_state_net *net, lw_field f, uint32_t index) {
    const lw_lane *l = &net->rtl_lane[f];
    if (l->base != NULL) {
        return lane_value(l, index);
    }
    return net->fields[f].there ? element(&net->fields[f], index) : 0;
}

static uint64_t twin_element(const lw_state_net *net, lw_field f, uint32_t index) {
    const lw_lane *l = &net->twin_lane[f];
    return l->base != NULL ? lane_value(l, index) : lw_iommu_peek(net->twin, f, index);
}

static size_t compare_entry(lw_state_net *net, lw_structure s, uint32_t index,
                            lw_state_difference *found, size_t room) {
    size_t n = 0;
    const lw_field valid = lw_structure_valid(s);
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
