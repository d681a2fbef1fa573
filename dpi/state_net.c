#include "state_net.h"

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
    [LW_S_BUFFER] = {"u_buffer", LW_F_BUFFER_VALID},
    [LW_S_BUFFER_CONTROL] = {"u_buffer", LW_FIELD_COUNT},
    [LW_S_BLOCK] = {"u_buffer", LW_FIELD_COUNT},
    [LW_S_PWC] = {"u_pwc.gen_by_level.u_table", LW_F_PWC_VALID},
    [LW_S_PWC_RANK] = {"u_pwc.gen_by_level.u_table", LW_FIELD_COUNT},
    [LW_S_PWC_PIPE] = {"u_pwc", LW_F_PWC_PIPE_PIPE_VALID},
    [LW_S_PWST] = {"u_walkers", LW_F_PWST_STATE},
    [LW_S_WALK_MEMORY] = {"u_walkers", LW_FIELD_COUNT},
    [LW_S_LINE] = {"u_walkers", LW_FIELD_COUNT},
    [LW_S_HIT_QUEUE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_WALK_QUEUE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_RESPONSE] = {"u_responses", LW_FIELD_COUNT},
    [LW_S_INVALIDATION] = {"u_invalidation", LW_FIELD_COUNT},
    [LW_S_CONTROL] = {"u_control", LW_FIELD_COUNT},
    [LW_S_ROOT] = {"u_control", LW_FIELD_COUNT},
    [LW_S_COUNTER] = {"u_counters", LW_FIELD_COUNT},
};

typedef struct watched {
    lw_rtl_register reg;
    bool there;
    uint32_t planes; /* 0: an element an entry; else bit planes of `entries` bits */
    uint64_t mask;   /* of an element */
    uint8_t *shadow; /* the register as it was after the cycle before */
} watched;

/* Registers of at most eight bytes, the most of them, are compared as one word each. */
typedef struct small_register {
    const uint8_t *data;
    uint8_t *shadow;
    uint64_t mask;
    lw_field field;
} small_register;

struct lw_state_net {
    lw_iommu *twin;
    small_register small[LW_FIELD_COUNT];
    size_t smalls;
    lw_field large[LW_FIELD_COUNT];
    size_t larges;
    watched fields[LW_FIELD_COUNT];
    lw_field first_field[LW_STRUCTURE_COUNT + 1];
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
        return "u_pwc.gen_by_address.u_table";
    }
    return places[s].instance;
}

static bool find_register(lw_state_net *net, const lw_params *params,
                          const lw_rtl_functions *functions, lw_rtl *rtl, lw_field f,
                          lw_error *err) {
    char name[64];
    lw_structure s = lw_field_structure(f);
    watched *w = &net->fields[f];
    const char *text = lw_field_name(f);
    size_t n = 0;
    for (; text[n] != '\0' && n + 3 < sizeof name; n++) {
        name[n] = (char)tolower((unsigned char)text[n]);
    }
    memcpy(name + n, "_q", 3);
    w->there = functions->find(rtl, instance_of(params, s), name, &w->reg);
    if (!w->there) {
        /* By address the PWC has no PASID (section 14). */
        if (f == LW_F_PWC_PASID && params->pwc_org == 1) {
            return true;
        }
        return lw_fail(err, "the RTL build has no register %s.%s for %s.%s of section 14",
                       instance_of(params, s), name, lw_structure_name(s), text);
    }
    uint32_t entries = net->entries[s];
    if (w->reg.entries == entries && (entries != 1 || w->reg.bits <= 64)) {
        w->mask = w->reg.bits >= 64 ? UINT64_MAX : (UINT64_C(1) << w->reg.bits) - 1;
    } else if (w->reg.entries == 1 && w->reg.bits % entries == 0) {
        w->planes = w->reg.bits / entries;
    } else {
        return lw_fail(err, "register %s.%s has %u elements of %u bits; section 14 says %u entries",
                       instance_of(params, s), name, w->reg.entries, w->reg.bits, entries);
    }
    w->shadow = calloc(1, w->reg.bytes + 8);
    return w->shadow != NULL || lw_fail(err, "no memory for the state net");
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

/* Touches the entries whose bits differ in the eight bytes at `byte`. */
static void touch_word(lw_state_net *net, lw_structure s, const watched *w, size_t byte,
                       uint64_t differing) {
    uint32_t plane_bits = w->planes == 0 ? 0 : w->reg.bits / w->planes;
    while (differing != 0) {
        uint32_t bit = (uint32_t)(byte * 8) + (uint32_t)__builtin_ctzll(differing);
        if (w->planes != 0) {
            touch(net, s, bit % plane_bits);
            differing &= differing - 1;
            continue;
        }
        uint32_t index = bit / 8 / w->reg.stride;
        touch(net, s, index);
        /* On to the next element. */
        uint64_t next = (uint64_t)(index + 1) * w->reg.stride * 8 - byte * 8;
        differing = next >= 64 ? 0 : differing >> next << next;
    }
}

static uint64_t load(const uint8_t *data, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, data, bytes);
    return value;
}

static void find_changes(lw_state_net *net, lw_structure s, const watched *w) {
    enum { CHUNK = 128 }; /* passed over at once where nothing differs */
    const uint8_t *now = w->reg.data;
    size_t whole = w->reg.bytes & ~(size_t)7;
    for (size_t at = 0; at < whole;) {
        if (whole - at >= CHUNK && memcmp(now + at, w->shadow + at, CHUNK) == 0) {
            at += CHUNK;
            continue;
        }
        size_t end = whole - at < CHUNK ? whole : at + CHUNK;
        for (; at < end; at += 8) {
            uint64_t differing = word_at(now, at) ^ word_at(w->shadow, at);
            if (differing != 0) {
                touch_word(net, s, w, at, differing);
                memcpy(w->shadow + at, now + at, 8);
            }
        }
    }
    if (whole < w->reg.bytes) {
        uint64_t differing =
            load(now + whole, w->reg.bytes - whole) ^ load(w->shadow + whole, w->reg.bytes - whole);
        touch_word(net, s, w, whole, differing);
        memcpy(w->shadow + whole, now + whole, w->reg.bytes - whole);
    }
}

/* ---------------------------------------------------------------- comparing */

static size_t compare_entry(lw_state_net *net, lw_structure s, uint32_t index,
                            lw_state_difference *found, size_t room) {
    size_t n = 0;
    lw_field valid = places[s].valid;
    lw_field last = net->first_field[s + 1];
    /* Of an entry that both sides hold invalid only that is compared (R0.5). */
    bool rtl_valid = valid == LW_FIELD_COUNT || element(&net->fields[valid], index) != 0;
    if (!rtl_valid && lw_iommu_peek(net->twin, valid, index) == 0) {
        net->compared++;
        return 0;
    }
    for (lw_field f = net->first_field[s]; f < last; f++) {
        uint64_t rtl = rtl_valid && net->fields[f].there ? element(&net->fields[f], index) : 0;
        uint64_t twin = lw_iommu_peek(net->twin, f, index);
        if (rtl != twin) {
            if (n < room) {
                found[n] = (lw_state_difference){f, index, rtl, twin};
            }
            n++;
        }
    }
    net->compared += last - net->first_field[s];
    return n;
}

/* Whether a register has changed since the cycle before; a plain loop, which vectorises. */
static bool changed(const watched *w) {
    uint64_t any = 0;
    uint32_t words = w->reg.bytes / 8;
    for (uint32_t i = 0; i < words; i++) {
        any |= word_at(w->reg.data, (size_t)i * 8) ^ word_at(w->shadow, (size_t)i * 8);
    }
    size_t rest = w->reg.bytes % 8;
    return any != 0 ||
           memcmp(w->reg.data + w->reg.bytes - rest, w->shadow + w->reg.bytes - rest, rest) != 0;
}

size_t lw_state_net_compare(lw_state_net *net, lw_state_difference *found, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < net->smalls; i++) {
        const small_register *r = &net->small[i];
        if (((word_at(r->data, 0) ^ word_at(r->shadow, 0)) & r->mask) != 0) {
            find_changes(net, lw_field_structure(r->field), &net->fields[r->field]);
        }
    }
    for (size_t i = 0; i < net->larges; i++) {
        lw_field f = net->large[i];
        if (changed(&net->fields[f])) {
            find_changes(net, lw_field_structure(f), &net->fields[f]);
        }
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

lw_state_net *lw_state_net_new(const lw_params *params, const lw_rtl_functions *functions,
                               lw_rtl *rtl, lw_iommu *twin, lw_error *err) {
    lw_state_net *net = calloc(1, sizeof *net);
    if (net == NULL) {
        (void)lw_fail(err, "no memory for the state net");
        return NULL;
    }
    net->twin = twin;
    uint32_t total = 0;
    lw_field f = 0;
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        net->entries[s] = lw_structure_entries(params, s);
        net->base[s] = total;
        total += net->entries[s];
        net->first_field[s] = f;
        while (f < LW_FIELD_COUNT && lw_field_structure(f) == s) {
            f++;
        }
    }
    net->first_field[LW_STRUCTURE_COUNT] = f;
    net->touched = calloc(total, sizeof *net->touched);
    net->list = calloc(total, sizeof *net->list);
    bool good = net->touched != NULL && net->list != NULL;
    for (f = 0; good && f < LW_FIELD_COUNT; f++) {
        good = find_register(net, params, functions, rtl, f, err);
    }
    if (!good) {
        lw_state_net_free(net);
        return NULL;
    }
    for (f = 0; f < LW_FIELD_COUNT; f++) {
        const watched *w = &net->fields[f];
        if (!w->there) {
            continue;
        }
        memcpy(w->shadow, w->reg.data, w->reg.bytes);
        if (w->reg.bytes > 8) {
            net->large[net->larges++] = f;
        } else {
            uint64_t mask = w->reg.bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * w->reg.bytes) - 1;
            net->small[net->smalls++] = (small_register){w->reg.data, w->shadow, mask, f};
        }
    }
    if (twin != NULL) {
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
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        free(net->fields[f].shadow);
    }
    free(net->touched);
    free(net->list);
    free(net);
}
