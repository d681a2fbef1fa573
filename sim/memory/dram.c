#include "sim/memory/dram.h"

#include "sim/memory/dram_map.h"

#include <stdlib.h>
#include <string.h>

struct lw_dram {
    lw_dram_timing t;
    lw_dram_map map;
    lw_dram_watcher watcher;
    lw_memory memory;
    uint64_t unit, own; /* the two clocks, in MHz */
    uint64_t now;       /* the last cycle asked in, up to which commands are worked out */
    lw_memory_use users[LW_MEMORY_USERS];
    lw_dram_channel channels[];
};

/* The first clock that begins with this cycle or later, and the other way round. */
static uint64_t clock_of(const lw_dram *d, uint64_t cycle) {
    return (cycle * d->own + d->unit - 1) / d->unit;
}

static uint64_t cycle_of(const lw_dram *d, uint64_t clock) {
    return (clock * d->unit + d->own - 1) / d->own;
}

/* Every request of the cycles before this one is known, and so is what all clocks before it do. */
static void advance(lw_dram *d, uint64_t now) {
    if (now <= d->now) {
        return;
    }
    const uint64_t limit = clock_of(d, now);
    d->now = now;
    for (uint32_t c = 0; c < d->t.channels; c++) {
        lw_dram_channel_advance(&d->channels[c], limit);
    }
}

static bool ready(void *state, uint64_t now, const lw_memory_request *request) {
    lw_dram *d = state;
    const lw_dram_place place = lw_dram_map_line(&d->map, request->line);
    advance(d, now);
    return lw_dram_channel_has_room(&d->channels[place.channel], request, place.bank);
}

static void ask(void *state, uint64_t now, const lw_memory_request *request) {
    lw_dram *d = state;
    const lw_dram_place place = lw_dram_map_line(&d->map, request->line);
    advance(d, now);
    lw_dram_entry entry = {.request = *request,
                           .row = place.row,
                           .bank = place.bank,
                           .column = place.column,
                           .asked = now,
                           .arrival = clock_of(d, now)};
    lw_dram_channel_ask(&d->channels[place.channel], &entry);
}

static const lw_dram_answer *first_answer(const lw_dram_channel *c, uint32_t user) {
    const lw_dram_answers *a = &c->answers[user];
    return a->count == 0 ? NULL : &a->ring[a->head];
}

static bool finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    lw_dram *d = state;
    lw_dram_channel *from = NULL;
    uint64_t first = UINT64_MAX;
    advance(d, now);
    for (uint32_t c = 0; c < d->t.channels; c++) {
        const lw_dram_answer *a = first_answer(&d->channels[c], user);
        if (a == NULL || a->clock * d->unit > now * d->own) {
            continue; /* cycle_of would be after now: most of the time, and without its division */
        }
        const uint64_t finish = cycle_of(d, a->clock);
        if (finish < first) {
            first = finish;
            from = &d->channels[c];
        }
    }
    if (from == NULL) {
        return false;
    }
    lw_dram_answers *answers = &from->answers[user];
    *id = answers->ring[answers->head].id;
    d->users[user].reads++;
    d->users[user].read_cycles += first - answers->ring[answers->head].asked;
    answers->head = answers->head + 1 == d->t.read_queue ? 0 : answers->head + 1;
    answers->count--;
    from->reads--;
    return true;
}

/* When this channel may have an answer or room. */
static uint64_t event_of(lw_dram *d, lw_dram_channel *c, uint64_t now) {
    uint64_t clock = UINT64_MAX; /* of the first answer */
    for (uint32_t u = 0; u < LW_MEMORY_USERS; u++) {
        const lw_dram_answer *a = first_answer(c, u);
        clock = a == NULL ? clock : lw_earlier(clock, a->clock);
    }
    const bool reads = c->queues[0].count != 0;
    const bool full = c->queues[1].count == d->t.write_queue;
    const uint64_t next = reads || full ? lw_dram_channel_next(c) : UINT64_MAX;
    if (reads && next != UINT64_MAX) {
        clock = lw_earlier(clock, next + d->t.cl + lw_dram_burst(&d->t));
    }
    uint64_t event = clock == UINT64_MAX ? UINT64_MAX : cycle_of(d, clock);
    if (full && next != UINT64_MAX) {
        event = lw_earlier(event, next * d->unit / d->own + 1);
    }
    return event > now ? event : now + 1;
}

static uint64_t next_event(void *state, uint64_t now) {
    lw_dram *d = state;
    uint64_t event = UINT64_MAX;
    advance(d, now);
    for (uint32_t c = 0; c < d->t.channels && event > now + 1; c++) {
        event = lw_earlier(event, event_of(d, &d->channels[c], now));
    }
    return event;
}

static void destroy(void *state) {
    lw_dram_free(state);
}

lw_dram *lw_dram_new(const lw_dram_timing *timing, uint32_t unit_mhz, lw_error *err) {
    lw_dram *d = calloc(1, sizeof *d + timing->channels * sizeof d->channels[0]);
    bool good = d != NULL;
    if (good) {
        d->t = *timing;
        d->unit = unit_mhz;
        d->own = timing->clock_mhz;
        d->memory = (lw_memory){d, ready, ask, finished, next_event, destroy};
        lw_dram_map_init(&d->map, timing);
        for (uint32_t c = 0; c < timing->channels; c++) {
            good = lw_dram_channel_init(&d->channels[c], &d->t, &d->watcher, c) && good;
        }
    }
    if (!good) {
        lw_dram_free(d);
        (void)lw_fail(err, "DRAM: the host has no memory left");
        return NULL;
    }
    return d;
}

void lw_dram_free(lw_dram *d) {
    for (uint32_t c = 0; d != NULL && c < d->t.channels; c++) {
        lw_dram_channel_free(&d->channels[c]);
    }
    free(d);
}

lw_memory *lw_dram_memory(lw_dram *d) {
    return &d->memory;
}

void lw_dram_watch(lw_dram *d, lw_dram_watch_fn *command, void *ctx) {
    d->watcher = (lw_dram_watcher){command, ctx};
}

void lw_dram_banks(const lw_dram *d, lw_banks *banks) {
    memset(banks, 0, sizeof *banks);
    banks->channels = d->t.channels;
    banks->ranks = d->t.ranks;
    banks->banks = d->t.ranks * d->t.banks;
    banks->dram.cycles = d->now;
    memcpy(banks->dram.users, d->users, sizeof d->users);
    for (uint32_t c = 0; c < d->t.channels; c++) {
        const lw_dram_channel *channel = &d->channels[c];
        for (uint32_t b = 0; b < banks->banks; b++) {
            lw_bank_counts *counts = &banks->bank[c * banks->banks + b];
            *counts = channel->banks[b];
            counts->waited = cycle_of(d, counts->waited);
            counts->worked = cycle_of(d, counts->worked);
        }
        for (uint32_t u = 0; u < LW_MEMORY_USERS; u++) {
            banks->dram.users[u].writes += channel->writes[u];
        }
        banks->dram.refreshes += channel->refreshes;
        banks->dram.forwarded += channel->forwarded;
        banks->dram.bus_cycles += cycle_of(d, channel->bus_clocks);
    }
}
