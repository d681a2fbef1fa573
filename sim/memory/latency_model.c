#include "sim/memory/latency_model.h"

#include "common/number.h"
#include "common/rng.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_BITS 7 /* 128 lines of 64 bytes: a row of 8 KiB */
#define NUMBERS_MAX 5

static const char allowed[] =
    "fixed:L, uniform:MIN,MAX, bank or bank:CHANNELS,BANKS,HIT,MISS,CONFLICT (latencies "
    "1..1000000 cycles, ascending; channels and banks powers of two up to 64)";

static const struct form {
    const char *name;
    lw_latency_kind kind;
    uint32_t numbers;
    bool numbers_optional;
} forms[] = {
    {"fixed", LW_LATENCY_FIXED, 1, false},
    {"uniform", LW_LATENCY_UNIFORM, 2, false},
    {"bank", LW_LATENCY_BANK, NUMBERS_MAX, true},
};

static bool latencies_ascend(const uint32_t *latency, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (latency[i] < (i == 0 ? 1 : latency[i - 1]) || latency[i] > LW_LATENCY_MAX) {
            return false;
        }
    }
    return true;
}

static bool power_of_two_to_64(uint32_t n) {
    return n >= 1 && n <= LW_LATENCY_BANKS_MAX && (n & (n - 1)) == 0;
}

static bool in_range(const lw_latency_config *c) {
    switch (c->kind) {
    case LW_LATENCY_FIXED:
        return c->min == c->max && latencies_ascend(&c->min, 1);
    case LW_LATENCY_UNIFORM:
        return latencies_ascend((const uint32_t[]){c->min, c->max}, 2);
    case LW_LATENCY_BANK:
        return power_of_two_to_64(c->channels) && power_of_two_to_64(c->banks) &&
               latencies_ascend((const uint32_t[]){c->row_hit, c->row_miss, c->row_conflict}, 3);
    }
    return false;
}

static const struct form *find_form(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (strlen(forms[i].name) == length && strncmp(forms[i].name, name, length) == 0) {
            return &forms[i];
        }
    }
    return NULL;
}

/* Reads exactly `count` numbers, commas between them, to the text's end. */
static bool read_numbers(const char *text, uint32_t count, uint32_t *numbers) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = 0;
        if ((i > 0 && *text++ != ',') || !lw_number_read(&text, LW_LATENCY_MAX, &number)) {
            return false;
        }
        numbers[i] = (uint32_t)number;
    }
    return *text == '\0';
}

bool lw_latency_parse(const char *text, lw_latency_config *config, lw_error *err) {
    size_t length = strcspn(text, ":");
    const struct form *form = find_form(text, length);
    /* bank's defaults, in the order of its text form */
    uint32_t n[NUMBERS_MAX] = {2, 8, 20, 40, 60};
    bool given = text[length] == ':';
    bool read = form != NULL && (given ? read_numbers(text + length + 1, form->numbers, n)
                                       : form->numbers_optional);
    if (!read) {
        return lw_fail_key(err, "memory_latency", " is \"%s\"; allowed: %s", text, allowed);
    }
    lw_latency_config c = {.kind = form->kind};
    if (form->kind == LW_LATENCY_BANK) {
        c.channels = n[0];
        c.banks = n[1];
        c.row_hit = n[2];
        c.row_miss = n[3];
        c.row_conflict = n[4];
    } else {
        c.min = n[0];
        c.max = n[form->kind == LW_LATENCY_FIXED ? 0 : 1];
    }
    if (!in_range(&c)) {
        return lw_fail_key(err, "memory_latency", " is \"%s\", which is out of range; allowed: %s",
                           text, allowed);
    }
    *config = c;
    return true;
}

/* fixed and uniform: min + 0..span */
typedef struct spread {
    uint32_t min, span;
    lw_rng rng;
} spread;

static uint64_t spread_due(void *state, uint64_t now, uint64_t line) {
    spread *s = state;
    (void)line;
    uint64_t extra = s->span == 0 ? 0 : lw_rng_below(&s->rng, (uint64_t)s->span + 1);
    return now + s->min + extra;
}

typedef struct bank {
    uint64_t free_at; /* first cycle in which it can begin a read */
    uint64_t row;     /* open row + 1; 0: closed */
    lw_bank_counts counts;
} bank;

typedef struct bank_set {
    lw_latency_config config;
    bank banks[];
} bank_set;

/* Folding higher address bits into the channel's, as memory controllers do: MESC's heads, 512 bytes
 * apart, would all lie in one channel otherwise. */
static uint64_t channel_of(const lw_latency_config *c, uint64_t line) {
    return (line ^ line >> 3 ^ line >> 6 ^ line >> 9) % c->channels;
}

static uint64_t bank_due(void *state, uint64_t now, uint64_t line) {
    bank_set *s = state;
    const lw_latency_config *c = &s->config;
    uint64_t channel = channel_of(c, line);
    uint64_t in_channel = (line / c->channels) >> COLUMN_BITS;
    uint64_t row = in_channel / c->banks + 1;
    bank *b = &s->banks[channel * c->banks + in_channel % c->banks];

    uint32_t latency = c->row_conflict;
    uint64_t *count = &b->counts.row_conflicts;
    if (b->row == row) {
        latency = c->row_hit;
        count = &b->counts.row_hits;
    } else if (b->row == 0) {
        latency = c->row_miss;
        count = &b->counts.row_misses;
    }
    uint64_t begin = b->free_at > now ? b->free_at : now;
    (*count)++;
    b->counts.waited += begin - now;
    b->counts.worked += latency;
    b->free_at = begin + latency;
    b->row = row;
    return b->free_at;
}

static void tell_banks(const void *state, lw_banks *banks) {
    const bank_set *s = state;
    banks->channels = s->config.channels;
    banks->banks = s->config.banks;
    banks->ranks = 0;
    for (uint32_t b = 0; b < banks->channels * banks->banks; b++) {
        banks->bank[b] = s->banks[b].counts;
    }
}

bool lw_latency_model_make(const lw_latency_config *config, uint64_t seed, lw_latency_model *model,
                           lw_error *err) {
    if (!in_range(config)) {
        return lw_fail(err, "a memory latency has a value out of range; allowed: %s", allowed);
    }
    bool banked = config->kind == LW_LATENCY_BANK;
    size_t banks = banked ? (size_t)config->channels * config->banks : 0;
    void *state = calloc(1, banked ? sizeof(bank_set) + banks * sizeof(bank) : sizeof(spread));
    if (state == NULL) {
        return lw_fail(err, "memory latency: the host has no memory left");
    }
    if (banked) {
        ((bank_set *)state)->config = *config;
    } else {
        spread *s = state;
        *s = (spread){.min = config->min, .span = config->max - config->min};
        lw_rng_seed(&s->rng, seed);
    }
    *model =
        (lw_latency_model){state, banked ? bank_due : spread_due, free, banked ? tell_banks : NULL};
    return true;
}
