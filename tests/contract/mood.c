#include "tests/contract/mood.h"

enum { TEMPER_MIXED, TEMPER_STEADY, TEMPER_FLOOD, TEMPER_FAST, TEMPER_PORT, TEMPERS };

static uint32_t one_of(lw_world *w, const uint32_t *values, uint32_t count) {
    return values[lw_draw(w, count)];
}

static void note(lw_world *w) {
    w->mood_from[w->moods % LW_MOODS] = w->cycle;
    w->mood_sink[w->moods++ % LW_MOODS] = w->mood.sink;
}

uint32_t lw_mood_slowest_sink(const lw_world *w, uint64_t since) {
    uint32_t least = w->mood.sink;
    for (uint32_t i = w->moods; i > 0 && w->moods - i < LW_MOODS; i--) {
        const uint32_t sink = w->mood_sink[(i - 1) % LW_MOODS];
        least = sink < least ? sink : least;
        if (w->mood_from[(i - 1) % LW_MOODS] <= since) {
            break;
        }
    }
    return least;
}

static void draw(lw_world *w) {
    static const uint32_t asks[] = {100, 100, 60, 25, 8}, sinks[] = {100, 100, 100, 50, 15, 3},
                          ports[] = {100, 100, 100, 60, 15, 4}, latencies[] = {1, 1, 4, 10, 25},
                          gaps[] = {0, 20, 40, 80, 200}, owed[] = {0, 50, 90, 100, 100};
    lw_mood *m = &w->mood;
    *m = (lw_mood){.asks = one_of(w, asks, 5),
                   .sink = one_of(w, sinks, 6),
                   .port = one_of(w, ports, 6),
                   .latency = one_of(w, latencies, 5),
                   .errors = lw_chance(w, 30)   ? 30
                             : lw_chance(w, 30) ? 3
                                                : 0,
                   .late = lw_chance(w, 15) ? 4 : 0,
                   .change_gap = one_of(w, gaps, 5),
                   .flood = lw_chance(w, 30) ? 100 / (1 + lw_draw(w, 50)) : 0,
                   .flood_type = lw_draw(w, 6),
                   .owes = one_of(w, owed, 5)};
    m->jitter = lw_chance(w, 20) ? lw_draw(w, 150) : lw_draw(w, 2 * m->latency + 4);
    m->until = w->cycle + 200 + lw_draw(w, 2500);
    switch (w->temper) {
    case TEMPER_STEADY:
        m->until = UINT64_MAX;
        break;
    case TEMPER_FLOOD:
        m->flood = lw_chance(w, 70) ? 100 : 5;
        m->flood_type = lw_chance(w, 50) ? 3 : m->flood_type;
        m->until = lw_chance(w, 50) ? UINT64_MAX : m->until;
        break;
    case TEMPER_FAST: /* everything at once: who comes late? */
        m->asks = 100;
        m->latency = 1;
        m->jitter = lw_draw(w, 3);
        m->port = 100;
        m->late = 0;
        m->sink = lw_chance(w, 50) ? 10 + lw_draw(w, 40) : 100;
        m->flood = 0;
        m->change_gap = lw_chance(w, 50) ? 0 : m->change_gap;
        m->until = lw_chance(w, 50) ? UINT64_MAX : m->until + 4000;
        break;
    case TEMPER_PORT: /* what waits in the memory port for long */
        m->port = lw_chance(w, 70) ? 2 + lw_draw(w, 8) : 100;
        m->change_gap = 20 + lw_draw(w, 40);
        m->frees = lw_chance(w, 60) ? 40 : 0;
        m->owes = 100;
        break;
    default:
        break;
    }
    const lw_options *o = w->options;
    m->errors = lw_options_acts(o, LW_ACT_ERRORS) ? m->errors : 0;
    m->late = lw_options_acts(o, LW_ACT_LATE) ? m->late : 0;
    m->flood = lw_options_acts(o, LW_ACT_FLOOD) ? m->flood : 0;
    m->focus_width = lw_chance(w, 30) ? w->groups : 1 + lw_draw(w, 6);
    m->focus = lw_draw(w, w->groups);
    note(w);
}

void lw_mood_begin(lw_world *w) {
    w->temper = lw_draw(w, TEMPERS);
    draw(w);
}

void lw_mood_cycle(lw_world *w) {
    if (w->cycle >= w->mood.until) {
        draw(w);
    }
}

void lw_mood_tail(lw_world *w) {
    w->tail = true;
    w->mood = (lw_mood){.until = UINT64_MAX, .sink = 100, .port = 100, .latency = 2, .jitter = 3};
    note(w);
}
