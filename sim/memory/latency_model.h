/* When a line read comes back: the timing behind the line port, one vtable a model.
 *
 * Text forms (lw_latency_parse):
 *   fixed:L            L cycles, 1..LW_LATENCY_MAX
 *   uniform:MIN,MAX    uniformly random, 1 <= MIN <= MAX <= LW_LATENCY_MAX
 *   bank               banks with row buffers, the defaults below
 *   bank:C,B,H,M,X     C channels of B banks (powers of two, 1..64 each); row hit H, row closed M,
 *                      row conflict X cycles (1 <= H <= M <= X <= LW_LATENCY_MAX)
 * The bank model: line address = {row, bank, column (7 bits, 8 KiB rows), channel}, the channel's
 * bits XORed with those 3, 6 and 9 places higher, as memory controllers hash them; a bank works on
 * one read at a time, in the order of their acceptance, and leaves the row open; there is no
 * refresh and no data bus limit beyond the port's one response a cycle. */
#ifndef LW_SIM_MEMORY_LATENCY_MODEL_H
#define LW_SIM_MEMORY_LATENCY_MODEL_H

#include "common/error.h"
#include "sim/memory/banks.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_LATENCY_MAX 1000000u
#define LW_LATENCY_BANKS_MAX 64u

typedef enum lw_latency_kind {
    LW_LATENCY_FIXED,
    LW_LATENCY_UNIFORM,
    LW_LATENCY_BANK
} lw_latency_kind;

typedef struct lw_latency_config {
    lw_latency_kind kind;
    uint32_t min, max;                        /* fixed: min = max = L */
    uint32_t channels, banks;                 /* bank: 2, 8 by default */
    uint32_t row_hit, row_miss, row_conflict; /* bank: 20, 40, 60 cycles by default */
} lw_latency_config;

bool lw_latency_parse(const char *text, lw_latency_config *config, lw_error *err);

/* A model. `due(state, now, line)` is called once for each read, in the order of acceptance, `now`
 * never falling; it answers the cycle, now + 1 or later, at which the line is there. It must not
 * allocate. A model that decides later reads first (FR-FCFS) does not fit, as due is final:
 * memory.h is for those. */
typedef struct lw_latency_model {
    void *state;
    uint64_t (*due)(void *state, uint64_t now, uint64_t line);
    void (*destroy)(void *state);
    void (*banks)(const void *state, lw_banks *banks); /* NULL: it has none */
} lw_latency_model;

/* Fills the model of a config; `seed` for its random numbers. False and a sentence where a value is
 * out of range or there is no memory. */
bool lw_latency_model_make(const lw_latency_config *config, uint64_t seed, lw_latency_model *model,
                           lw_error *err);

#endif
