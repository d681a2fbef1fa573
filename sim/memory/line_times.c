#include "sim/memory/line_times.h"

#include <stddef.h>

/* ---------------------------------------------------------------- a latency model */

static uint64_t model_begin(lw_line_times *t, uint64_t now, uint64_t line, uint32_t number) {
    (void)number;
    return t->model.due(t->model.state, now, line);
}

static void model_banks(const lw_line_times *t, lw_banks *banks) {
    if (t->model.banks != NULL) {
        t->model.banks(t->model.state, banks);
    }
}

static void model_destroy(lw_line_times *t) {
    t->model.destroy(t->model.state);
}

lw_line_times lw_line_times_of_model(lw_latency_model model) {
    static const lw_line_times_kind kind = {
        .begin = model_begin, .banks = model_banks, .destroy = model_destroy};
    return (lw_line_times){.kind = &kind, .model = model};
}

/* ---------------------------------------------------------------- a shared memory */

static void ask_if_ready(lw_line_times *t, uint64_t now) {
    lw_memory *m = t->memory;
    if (t->waits && m->ready(m->state, now, &t->waiting)) {
        m->ask(m->state, now, &t->waiting);
        t->waits = false;
    }
}

static uint64_t memory_begin(lw_line_times *t, uint64_t now, uint64_t line, uint32_t number) {
    t->waiting = (lw_memory_request){.line = line, .user = LW_MEMORY_WALKS, .id = number};
    t->waits = true;
    ask_if_ready(t, now);
    return LW_LINE_LATER;
}

static bool memory_ready(const lw_line_times *t) {
    return !t->waits;
}

static bool memory_ended(lw_line_times *t, uint64_t now, uint32_t *number) {
    return t->memory->finished(t->memory->state, now, LW_MEMORY_WALKS, number);
}

static uint64_t memory_next_event(lw_line_times *t, uint64_t now) {
    lw_memory *m = t->memory;
    const uint64_t event = m->next_event(m->state, now == 0 ? 0 : now - 1);
    /* room that came after the last try */
    return t->waits && m->ready(m->state, now, &t->waiting) ? now : event;
}

/* The memory tells of its banks itself. */
static void memory_banks(const lw_line_times *t, lw_banks *banks) {
    (void)t;
    (void)banks;
}

/* It is not the port's. */
static void memory_destroy(lw_line_times *t) {
    t->memory = NULL;
}

lw_line_times lw_line_times_of_memory(lw_memory *memory) {
    static const lw_line_times_kind kind = {.begin = memory_begin,
                                            .ready = memory_ready,
                                            .ended = memory_ended,
                                            .step = ask_if_ready,
                                            .next_event = memory_next_event,
                                            .banks = memory_banks,
                                            .destroy = memory_destroy};
    return (lw_line_times){.kind = &kind, .memory = memory};
}
