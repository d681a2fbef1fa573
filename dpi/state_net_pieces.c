/* How the RTL's registers are cut into pieces that are looked through for what has changed. */
#include "dpi/state_net_parts.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b) {
    const lw_watched *x = *(const lw_watched *const *)a;
    const lw_watched *y = *(const lw_watched *const *)b;
    return x->reg.data < y->reg.data ? -1 : x->reg.data > y->reg.data;
}

/* Says of each byte of a register whose it is. */
static void own_bytes(lw_state_net *net, const lw_segment *g, const lw_watched *w) {
    const lw_field f = (lw_field)(w - net->fields);
    const uint32_t structure = (uint32_t)lw_field_structure(f) << LW_INDEX_BITS;
    const size_t offset = (size_t)(w->reg.data - g->data);
    net->fields[f].shadow = g->shadow + offset;
    for (uint32_t byte = 0; byte < w->reg.bytes; byte++) {
        g->owner[offset + byte] = (uint16_t)f;
        g->entry[offset + byte] = w->planes != 0 ? LW_PLANES : structure | byte / w->reg.stride;
    }
}

static bool make_segment(lw_segment *g, const uint8_t *data, size_t bytes) {
    g->data = data;
    g->bytes = bytes;
    g->entry = malloc(bytes * sizeof *g->entry);
    g->owner = calloc(bytes, sizeof *g->owner);
    if (g->entry == NULL || g->owner == NULL) {
        return false;
    }
    for (size_t byte = 0; byte < bytes; byte++) {
        g->entry[byte] = LW_NOBODY;
    }
    return true;
}

static size_t segment_words(const lw_segment *g) {
    return g->bytes / LW_WORD_BYTES + 1;
}

/* What the segments remember lies side by side, as it is looked through in every cycle. */
static void make_shadows(lw_state_net *net) {
    uint8_t *shadow = net->shadows;
    for (size_t i = 0; i < net->segment_count; i++) {
        lw_segment *g = &net->segments[i];
        g->shadow = shadow;
        memcpy(shadow, g->data, g->bytes);
        shadow += segment_words(g) * LW_WORD_BYTES;
    }
}

static void add_piece(lw_state_net *net, size_t *count, const lw_segment *g, size_t at) {
    const size_t left = g->bytes - at;
    const bool whole = left >= LW_WORD_BYTES;
    net->pieces[(*count)++] =
        (lw_piece){.data = g->data + at,
                   .shadow = g->shadow + at,
                   .mask = whole ? UINT64_MAX : UINT64_MAX >> (LW_WORD_BYTES - left) * 8,
                   .segment = g};
}

/* Large pieces, then small ones, of which the last may lie in part over what is before it; a
 * segment smaller than that is cut into words. */
static void make_pieces(lw_state_net *net) {
    static const size_t bytes[LW_PIECE_SIZES] = {
        [LW_PIECE_LARGE] = (size_t)LW_LARGE_WORDS * LW_WORD_BYTES,
        [LW_PIECE_SMALL] = (size_t)LW_SMALL_WORDS * LW_WORD_BYTES,
        [LW_PIECE_WORD] = LW_WORD_BYTES};
    size_t at[LW_FIELD_COUNT] = {0}; /* what of each segment is in a piece */
    size_t count = 0;
    for (lw_piece_size size = 0; size < LW_PIECE_SIZES; size++) {
        const size_t step = bytes[size];
        net->first_piece[size] = count;
        for (size_t i = 0; i < net->segment_count; i++) {
            const lw_segment *g = &net->segments[i];
            for (; at[i] + step <= g->bytes; at[i] += step) {
                add_piece(net, &count, g, at[i]);
            }
            const bool is_last = size == LW_PIECE_SMALL && g->bytes >= step;
            if (at[i] < g->bytes && (is_last || size == LW_PIECE_WORD)) {
                add_piece(net, &count, g, is_last ? g->bytes - step : at[i]);
                at[i] = g->bytes;
            }
        }
    }
    net->first_piece[LW_PIECE_SIZES] = count;
}

static bool make_places(lw_state_net *net) {
    size_t words = 1; /* a word can be read at every byte */
    for (size_t i = 0; i < net->segment_count; i++) {
        words += segment_words(&net->segments[i]);
    }
    net->shadows = calloc(words, LW_WORD_BYTES);
    net->pieces = calloc(words, sizeof *net->pieces);
    if (net->shadows == NULL || net->pieces == NULL) {
        return false;
    }
    make_shadows(net);
    make_pieces(net);
    return true;
}

/* Registers with no more than padding between them are one segment. */
bool lw_state_net_cut(lw_state_net *net) {
    enum { PADDING = LW_WORD_BYTES - 1 };
    const lw_watched *sorted[LW_FIELD_COUNT];
    const lw_segment *home[LW_FIELD_COUNT];
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
        lw_segment *g = &net->segments[net->segment_count++];
        size_t last = first;
        for (; last < count && sorted[last]->reg.data <= end + PADDING; last++) {
            end = sorted[last]->reg.data + sorted[last]->reg.bytes;
            home[last] = g;
        }
        if (!make_segment(g, data, (size_t)(end - data))) {
            return false;
        }
        first = last;
    }
    if (!make_places(net)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        own_bytes(net, home[i], sorted[i]);
    }
    return true;
}

void lw_state_net_uncut(lw_state_net *net) {
    for (size_t i = 0; i < net->segment_count; i++) {
        free(net->segments[i].entry);
        free(net->segments[i].owner);
    }
    free(net->shadows);
    free(net->pieces);
}
