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

/* Whether a word of the piece differs; with a fixed number of them a loop that vectorises. */
static inline __attribute__((always_inline)) bool differs(const lw_piece *p, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        any |= word_at(p->data, i * LW_WORD_BYTES) ^ word_at(p->shadow, i * LW_WORD_BYTES);
    }
    return (any & p->mask) != 0;
}

static void take_piece(lw_state_net *net, const lw_piece *p, size_t words) {
    for (size_t byte = 0; byte < words * LW_WORD_BYTES; byte += LW_WORD_BYTES) {
        const uint64_t now = word_at(p->data, byte) & p->mask;
        const uint64_t differing = now ^ word_at(p->shadow, byte);
        if (differing != 0) {
            touch_word(net, p->segment, (size_t)(p->data - p->segment->data) + byte, differing);
            memcpy(p->shadow + byte, &now, sizeof now);
        }
    }
}

static inline __attribute__((always_inline)) void look(lw_state_net *net, lw_piece_size size,
                                                       size_t words) {
    for (size_t i = net->first_piece[size]; i < net->first_piece[size + 1]; i++) {
        if (differs(&net->pieces[i], words)) {
            take_piece(net, &net->pieces[i], words);
        }
    }
}

/* Touches what has changed in the RTL and nobody has compared yet. */
static void find_changes(lw_state_net *net) {
    look(net, LW_PIECE_LARGE, LW_LARGE_WORDS);
    look(net, LW_PIECE_SMALL, LW_SMALL_WORDS);
    look(net, LW_PIECE_WORD, 1);
}

/* ---------------------------------------------------------------- comparing */

/* An element of the RTL, which is remembered as compared: it alone, as what lies beside it may have
 * changed too. */
static inline uint64_t take_element(const lw_pair *p, uint32_t index) {
    const size_t at = (size_t)index * (p->rtl_stride / 8);
    const uint64_t word = word_at(p->rtl, at);
    switch (p->rtl_stride) {
    case 8:
        memcpy(p->shadow + at, &word, 1);
        break;
    case 16:
        memcpy(p->shadow + at, &word, 2);
        break;
    case 32:
        memcpy(p->shadow + at, &word, 4);
        break;
    default:
        memcpy(p->shadow + at, &word, sizeof word);
    }
    return word & p->mask;
}

static inline uint64_t take_planes(const lw_pair *p, uint32_t index) {
    uint64_t value = 0;
    uint32_t bit = index;
    for (uint32_t plane = 0; plane < p->planes; plane++, bit += p->rtl_stride) {
        const uint8_t byte = p->rtl[bit / 8];
        uint8_t *shadow = &p->shadow[bit / 8];
        *shadow ^= (*shadow ^ byte) & (uint8_t)(1u << bit % 8);
        value |= (uint64_t)(byte >> bit % 8 & 1) << plane;
    }
    return value;
}

/* The RTL's value, which is remembered. */
static inline uint64_t take_rtl(const lw_pair *p, uint32_t index) {
    return p->planes != 0 ? take_planes(p, index) : take_element(p, index);
}

static inline uint64_t twin_value(const lw_state_net *net, const lw_pair *p, uint32_t index) {
    if (p->twin == NULL) {
        return lw_iommu_peek(net->twin, p->field, index);
    }
    const uint64_t bit = p->twin_first + (uint64_t)index * p->twin_stride;
    return word_at(p->twin, bit / 8) >> bit % 8 & p->mask;
}

static size_t compare_entry(lw_state_net *net, lw_structure s, uint32_t index,
                            lw_state_difference *found, size_t room) {
    size_t n = 0;
    const lw_pair *valid = net->valid[s];
    const uint32_t first = net->first_here[s];
    const uint32_t last = net->first_here[s + 1];
    const bool rtl_valid = valid == NULL || take_rtl(valid, index) != 0;
    const bool twin_valid = valid == NULL || twin_value(net, valid, index) != 0;
    /* Of an entry that both sides hold invalid only that is compared (R0.5). */
    if (!rtl_valid && !twin_valid) {
        net->compared++;
        return 0;
    }
    for (uint32_t i = first; i < last; i++) {
        const lw_pair *p = &net->here[i];
        const uint64_t rtl = rtl_valid ? take_rtl(p, index) : 0;
        const uint64_t twin = twin_valid ? twin_value(net, p, index) : 0;
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

/* Compares the entries that are listed, and empties the list. */
static size_t compare_listed(lw_state_net *net, lw_state_difference *found, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < net->listed; i++) {
        const lw_structure s = (lw_structure)(net->list[i] >> LW_INDEX_BITS);
        const uint32_t index = net->list[i] & ((UINT32_C(1) << LW_INDEX_BITS) - 1);
        net->touched[net->base[s] + index] = 0;
        n += compare_entry(net, s, index, found + (n < room ? n : room), n < room ? room - n : 0);
    }
    net->listed = 0;
    return n;
}

/* First what the twin wrote, where the RTL has mostly written too; so that in the RTL's registers
 * little is left to find. */
size_t lw_state_net_compare(lw_state_net *net, lw_state_difference *found, size_t room) {
    size_t n = compare_listed(net, found, room);
    find_changes(net);
    n += compare_listed(net, found + (n < room ? n : room), n < room ? room - n : 0);
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
