#include "sim/memory/fixed_memory.h"

#include <stdlib.h>

typedef struct under_way {
    uint64_t due;
    uint32_t id;
} under_way;

typedef struct fixed_memory {
    under_way *reads; /* a ring, oldest first */
    uint32_t head, count, room, latency;
} fixed_memory;

static bool ready(void *state, uint64_t now, const lw_memory_request *request) {
    const fixed_memory *m = state;
    (void)now;
    return request->write || m->count < m->room;
}

static void ask(void *state, uint64_t now, const lw_memory_request *request) {
    fixed_memory *m = state;
    if (!request->write) {
        m->reads[(m->head + m->count++) % m->room] = (under_way){now + m->latency, request->id};
    }
}

static bool finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    fixed_memory *m = state;
    (void)user;
    if (m->count == 0 || m->reads[m->head].due > now) {
        return false;
    }
    *id = m->reads[m->head].id;
    m->head = m->head + 1 == m->room ? 0 : m->head + 1;
    m->count--;
    return true;
}

static uint64_t next_event(void *state, uint64_t now) {
    const fixed_memory *m = state;
    const uint64_t due = m->count == 0 ? UINT64_MAX : m->reads[m->head].due;
    return due > now ? due : now + 1;
}

static void destroy(void *state) {
    fixed_memory *m = state;
    free(m->reads);
    free(m);
}

bool lw_fixed_memory_new(uint32_t latency, uint32_t room, lw_memory *out) {
    fixed_memory *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return false;
    }
    *m = (fixed_memory){.reads = calloc(room, sizeof *m->reads), .room = room, .latency = latency};
    if (m->reads == NULL) {
        free(m);
        return false;
    }
    *out = (lw_memory){m, ready, ask, finished, next_event, destroy};
    return true;
}
