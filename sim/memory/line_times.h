/* When the reads of a line port come back. Inside of the line port, of which there are two kinds: a
 * latency model knows the time as it takes a read; a memory that others use too tells it when the
 * read has finished. */
#ifndef LW_SIM_MEMORY_LINE_TIMES_H
#define LW_SIM_MEMORY_LINE_TIMES_H

#include "sim/memory/latency_model.h"
#include "sim/memory/memory.h"

#define LW_LINE_LATER UINT64_MAX

typedef struct lw_line_times lw_line_times;

/* `now` never falls. All but `begin` and `banks` are asked for only while a read is under way that
 * began with LW_LINE_LATER. */
typedef struct lw_line_times_kind {
    /* A read begins, under a number of the port's: the cycle in which it ends, or LW_LINE_LATER. */
    uint64_t (*begin)(lw_line_times *times, uint64_t now, uint64_t line, uint32_t number);
    /* May another read begin? */
    bool (*ready)(const lw_line_times *times);
    /* Takes the next read that has ended by `now`. */
    bool (*ended)(lw_line_times *times, uint64_t now, uint32_t *number);
    /* The end of a cycle, once in each that is not left out. */
    void (*step)(lw_line_times *times, uint64_t now);
    /* The first cycle, `now` or later, that must not be left out; it may be too early. */
    uint64_t (*next_event)(lw_line_times *times, uint64_t now);
    void (*banks)(const lw_line_times *times, lw_banks *banks);
    void (*destroy)(lw_line_times *times);
} lw_line_times_kind;

struct lw_line_times {
    const lw_line_times_kind *kind;
    lw_latency_model model;    /* of the first kind */
    lw_memory *memory;         /* of the second */
    lw_memory_request waiting; /* for room in the memory, if `waits` */
    bool waits;
};

/* The model is the times' own from then on. */
lw_line_times lw_line_times_of_model(lw_latency_model model);
/* A read for whose line the memory has no room waits here until it has, and none is taken behind
 * it. The memory outlives the times. */
lw_line_times lw_line_times_of_memory(lw_memory *memory);

#endif
