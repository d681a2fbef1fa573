/* Admission: its neighbours are three numbers, which keep the events within what can happen. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum { REQ_VALID, MISS, OTHER, MISS_LEAVES, HIT_POP, TURN, SECOND, SECOND_MISS };
enum { REQ_READY, HIT_ROOM };

static const lw_input inputs[] = {
    [REQ_VALID] = {"req_valid_i", LW_PERCENT, 60},
    [MISS] = {"decided_miss_i", LW_PERCENT, 40},
    [OTHER] = {"decided_other_i", LW_PERCENT, 40},
    [MISS_LEAVES] = {"miss_leaves_i", LW_PERCENT, 40},
    [HIT_POP] = {"hit_pop_i", LW_PERCENT, 40},
    [TURN] = {"second_turn_i", LW_PERCENT, 30},
    [SECOND] = {"second_i", LW_PERCENT, 70},
    [SECOND_MISS] = {"second_miss_i", LW_PERCENT, 40},
};

static const lw_output outputs[] = {
    [REQ_READY] = {"req_ready_o", 0},
    [HIT_ROOM] = {"hit_room_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_ADMISSION, "", NULL}};

/* What the neighbours hold: lookups and second lookups in the TLB, places of the miss queue and of
 * the hit queue. */
typedef struct neighbours {
    uint32_t lookups, seconds, misses, hits;
    bool second_hit; /* R5.28, of this cycle: it frees no place here */
} neighbours;

static void legal(lw_bench *b, lw_bits *in) {
    enum { HIT_IN = 3 };
    neighbours *n = b->own;
    in[MISS].w[0] &= n->lookups > 0;
    in[OTHER].w[0] &= n->lookups > 0 && in[MISS].w[0] == 0; /* one lookup ends in a cycle */
    in[TURN].w[0] &= b->u->cfg.hw.second_lookup;
    in[SECOND].w[0] &= in[TURN].w[0] != 0 && lw_admission_has_hit_room(&b->u->admission);
    in[SECOND_MISS].w[0] &= n->seconds > 0 && in[MISS].w[0] == 0 && in[OTHER].w[0] == 0;
    n->second_hit = n->seconds > 0 && lw_one_in(&b->rng, HIT_IN) && in[MISS].w[0] == 0 &&
                    in[OTHER].w[0] == 0 && in[SECOND_MISS].w[0] == 0;
    in[MISS_LEAVES].w[0] &= n->misses > 0 || in[MISS].w[0] != 0; /* R4.8: or it passes */
    in[HIT_POP].w[0] &= n->hits > 0;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    out[REQ_READY].w[0] = lw_admission_ready(&b->u->admission, in[TURN].w[0] != 0);
    out[HIT_ROOM].w[0] = lw_admission_has_hit_room(&b->u->admission);
}

static void step(lw_bench *b, const lw_bits *in) {
    neighbours *n = b->own;
    const bool ready = lw_admission_ready(&b->u->admission, in[TURN].w[0] != 0);
    const lw_places places = {.request = in[REQ_VALID].w[0] != 0 && ready,
                              .second = in[SECOND].w[0] != 0,
                              .second_miss = in[SECOND_MISS].w[0] != 0,
                              .miss = in[MISS].w[0] != 0,
                              .no_miss = in[OTHER].w[0] != 0,
                              .miss_left = in[MISS_LEAVES].w[0] != 0,
                              .hit_popped = in[HIT_POP].w[0] != 0};
    lw_admission_step(&b->u->admission, &places);
    n->lookups += (uint32_t)places.request - places.miss - places.no_miss;
    n->misses += (uint32_t)places.miss - places.miss_left;
    n->seconds += (uint32_t)places.second - places.second_miss - n->second_hit;
    n->hits += (uint32_t)places.no_miss + n->second_hit - places.hit_popped;
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
