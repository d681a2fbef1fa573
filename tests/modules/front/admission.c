/* Admission: its neighbours are three numbers, which keep the events within what can happen. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum { REQ_VALID, MISS, OTHER, MISS_LEAVES, HIT_POP };
enum { REQ_READY };

static const lw_input inputs[] = {
    [REQ_VALID] = {"req_valid_i", LW_PERCENT, 60},
    [MISS] = {"decided_miss_i", LW_PERCENT, 40},
    [OTHER] = {"decided_other_i", LW_PERCENT, 40},
    [MISS_LEAVES] = {"miss_leaves_i", LW_PERCENT, 40},
    [HIT_POP] = {"hit_pop_i", LW_PERCENT, 40},
};

static const lw_output outputs[] = {
    [REQ_READY] = {"req_ready_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_ADMISSION, "", NULL}};

/* What the neighbours hold: lookups in the TLB, places of the miss queue and of the hit queue. */
typedef struct neighbours {
    uint32_t lookups, misses, hits;
} neighbours;

static void legal(lw_bench *b, lw_bits *in) {
    const neighbours *n = b->own;
    in[MISS].w[0] &= n->lookups > 0;
    in[OTHER].w[0] &= n->lookups > 0 && in[MISS].w[0] == 0;      /* one lookup ends in a cycle */
    in[MISS_LEAVES].w[0] &= n->misses > 0 || in[MISS].w[0] != 0; /* R4.8: or it passes */
    in[HIT_POP].w[0] &= n->hits > 0;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    (void)in;
    out[REQ_READY].w[0] = lw_admission_ready(&b->u->admission);
}

static void step(lw_bench *b, const lw_bits *in) {
    neighbours *n = b->own;
    const lw_places places = {.request =
                                  in[REQ_VALID].w[0] != 0 && lw_admission_ready(&b->u->admission),
                              .miss = in[MISS].w[0] != 0,
                              .no_miss = in[OTHER].w[0] != 0,
                              .miss_left = in[MISS_LEAVES].w[0] != 0,
                              .hit_popped = in[HIT_POP].w[0] != 0};
    lw_admission_step(&b->u->admission, &places);
    n->lookups += (uint32_t)places.request - places.miss - places.no_miss;
    n->misses += (uint32_t)places.miss - places.miss_left;
    n->hits += (uint32_t)places.no_miss - places.hit_popped;
}

const lw_module lw_module_admission = {
    .top = "admission",
    .parameters = "HitQueue MissQueue",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(neighbours),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
