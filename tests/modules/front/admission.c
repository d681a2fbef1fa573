/* Admission: its neighbours are three numbers, which keep the events within what can happen. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum { REQ_VALID, MISS, OTHER, COMMIT, ANSWER, HIT_POP, NEXT_SEQ, BLOCK_LIVE };
enum { REQ_READY, BUFFER_USED, FREED };

static const lw_input inputs[] = {
    [REQ_VALID] = {"req_valid_i", LW_PERCENT, 60}, [MISS] = {"decided_miss_i", LW_PERCENT, 40},
    [OTHER] = {"decided_other_i", LW_PERCENT, 40}, [COMMIT] = {"freed_commit_i", LW_PERCENT, 25},
    [ANSWER] = {"freed_answer_i", LW_PERCENT, 25}, [HIT_POP] = {"hit_pop_i", LW_PERCENT, 40},
    [NEXT_SEQ] = {"next_seq_i", LW_UNIFORM, 0},    [BLOCK_LIVE] = {"block_live_i", LW_ZERO, 0},
};

static const lw_output outputs[] = {
    [REQ_READY] = {"req_ready_o", 0},
    [BUFFER_USED] = {"buffer_used_o", 0},
    [FREED] = {"freed_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_ADMISSION, "", NULL}};

/* What the neighbours hold: lookups in the TLB, entries in the buffer, places of the hit queue. */
typedef struct neighbours {
    uint32_t lookups, entries, hits;
} neighbours;

static void legal(lw_bench *b, lw_bits *in) {
    const neighbours *n = b->own;
    in[MISS].w[0] &= n->lookups > 0;
    in[OTHER].w[0] &= n->lookups > 0 && in[MISS].w[0] == 0; /* one lookup ends in a cycle */
    in[COMMIT].w[0] &= n->entries > 0;
    in[ANSWER].w[0] &= n->entries > in[COMMIT].w[0];
    in[HIT_POP].w[0] &= n->hits > 0;
    in[BLOCK_LIVE].w[0] = lw_draw_sparse(&b->rng) & 15;
}

static void take_inputs(lw_bench *b, const lw_bits *in) {
    b->u->walk.buffer.next_seq = (uint32_t)in[NEXT_SEQ].w[0];
    for (uint32_t i = 0; i < 4; i++) {
        b->u->walk.buffer.block_live[i] = in[BLOCK_LIVE].w[0] >> i & 1;
    }
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    take_inputs(b, in);
    out[REQ_READY].w[0] = lw_admission_ready(&b->u->admission, b->u->walk.buffer.next_seq,
                                             b->u->walk.buffer.block_live);
    out[BUFFER_USED].w[0] = b->u->admission.buffer_used;
    out[FREED].w[0] = b->u->admission.freed;
}

static void step(lw_bench *b, const lw_bits *in) {
    neighbours *n = b->own;
    take_inputs(b, in);
    const lw_places places = {.request =
                                  in[REQ_VALID].w[0] != 0 &&
                                  lw_admission_ready(&b->u->admission, b->u->walk.buffer.next_seq,
                                                     b->u->walk.buffer.block_live),
                              .miss = in[MISS].w[0] != 0,
                              .no_miss = in[OTHER].w[0] != 0,
                              .freed = (uint32_t)(in[COMMIT].w[0] + in[ANSWER].w[0]),
                              .hit_popped = in[HIT_POP].w[0] != 0};
    lw_admission_step(&b->u->admission, &places);
    n->lookups += (uint32_t)places.request - places.miss - places.no_miss;
    n->entries += (uint32_t)places.miss - places.freed;
    n->hits += (uint32_t)places.no_miss - places.hit_popped;
}

const lw_module lw_module_admission = {
    .top = "admission",
    .parameters = "BufferEntries HitQueue TlbStages",
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
