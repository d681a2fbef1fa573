/* The response queue: pushes wherever there is room or a promise, a consumer that is slow, quick or
 * asleep. */
#include "tests/modules/modules.h"

enum {
    EPOCH,
    HIT_PUSH,
    HIT_ID,
    HIT_KIND,
    HIT_LEVEL,
    HIT_PFN,
    HIT_SIZE,
    HIT_PERM,
    WALK_PUSH,
    WALK_ID,
    WALK_KIND,
    WALK_LEVEL,
    WALK_PFN,
    WALK_SIZE,
    WALK_PERM,
    WALK_EPOCH,
    WALK_PROMISE,
    RSP_READY
};
enum {
    HIT_POP,
    WALK_ROOM,
    RSP_VALID,
    RSP_ID,
    RSP_KIND,
    RSP_LEVEL,
    RSP_PFN,
    RSP_SIZE,
    RSP_PERM,
    OLD_EPOCH
};

static const lw_input inputs[] = {
    [EPOCH] = {"epoch_i", LW_ZERO, 0},
    [HIT_PUSH] = {"hit_push_i", LW_PERCENT, 50},
    [HIT_ID] = {"hit_i.id", LW_UNIFORM, 0},
    [HIT_KIND] = {"hit_i.kind", LW_UNIFORM, 0},
    [HIT_LEVEL] = {"hit_i.level", LW_UNIFORM, 0},
    [HIT_PFN] = {"hit_i.pfn", LW_UNIFORM, 0},
    [HIT_SIZE] = {"hit_i.size", LW_UNIFORM, 0},
    [HIT_PERM] = {"hit_i.perm", LW_UNIFORM, 0},
    [WALK_PUSH] = {"walk_push_i", LW_PERCENT, 60},
    [WALK_ID] = {"walk_i.id", LW_UNIFORM, 0},
    [WALK_KIND] = {"walk_i.kind", LW_UNIFORM, 0},
    [WALK_LEVEL] = {"walk_i.level", LW_UNIFORM, 0},
    [WALK_PFN] = {"walk_i.pfn", LW_UNIFORM, 0},
    [WALK_SIZE] = {"walk_i.size", LW_UNIFORM, 0},
    [WALK_PERM] = {"walk_i.perm", LW_UNIFORM, 0},
    [WALK_EPOCH] = {"walk_epoch_i", LW_UNIFORM, 0},
    [WALK_PROMISE] = {"walk_promise_i", LW_PERCENT, 50},
    [RSP_READY] = {"rsp_ready_i", LW_PERCENT, 70},
};

static const lw_output outputs[] = {
    [HIT_POP] = {"hit_pop_o", 0},     [WALK_ROOM] = {"walk_room_o", 0},
    [RSP_VALID] = {"rsp_valid_o", 0}, [RSP_ID] = {"rsp_o.id", 0},
    [RSP_KIND] = {"rsp_o.kind", 0},   [RSP_LEVEL] = {"rsp_o.level", 0},
    [RSP_PFN] = {"rsp_o.pfn", 0},     [RSP_SIZE] = {"rsp_o.size", 0},
    [RSP_PERM] = {"rsp_o.perm", 0},   [OLD_EPOCH] = {"old_epoch_o", 0},
};

static const lw_registers_of registers[] = {
    {LW_S_HIT_QUEUE, "", NULL}, {LW_S_WALK_QUEUE, "", NULL}, {LW_S_RESPONSE, "", NULL}};

enum { EPOCH_CHANGES = 20 };

/* A push needs room at the beginning of the cycle (R2.2), or a place that was promised before
 * (R10.1); the epoch turns now and then. */
static void legal(lw_bench *b, lw_bits *in) {
    const lw_responses *r = &b->u->responses;
    uint64_t *epoch = b->own;
    *epoch ^= lw_rng_below(&b->rng, EPOCH_CHANGES) == 0;
    in[EPOCH].w[0] = *epoch;
    in[HIT_PUSH].w[0] &= r->queue[LW_HIT].count < r->queue[LW_HIT].depth;
    in[WALK_PUSH].w[0] &= r->queue[LW_WALK].count < r->walk_used;
    in[WALK_PROMISE].w[0] &= lw_responses_has_walk_room(r);
}

static bool loads(const lw_responses *r, const lw_bits *in) {
    return !r->out_valid || in[RSP_READY].w[0] != 0;
}

/* The inputs of a push follow each other: PUSH ID KIND LEVEL PFN SIZE PERM. */
static void enter(lw_responses *r, uint32_t queue, const lw_bits *in, bool epoch) {
    const lw_response response = {.pfn = in[4].w[0],
                                  .id = (uint16_t)in[1].w[0],
                                  .kind = (uint8_t)in[2].w[0],
                                  .level = (uint8_t)in[3].w[0],
                                  .size = (uint8_t)in[5].w[0],
                                  .perm = (uint8_t)in[6].w[0],
                                  .epoch = epoch};
    if (in[0].w[0] != 0) {
        lw_responses_enter(r, queue, &response);
    }
}

/* True if the hit queue is popped. */
static bool cycle(lw_responses *r, const lw_bits *in) {
    const bool is_free = loads(r, in);
    if (in[WALK_PROMISE].w[0] != 0) {
        lw_responses_promise(r);
    }
    enter(r, LW_HIT, &in[HIT_PUSH], in[EPOCH].w[0] != 0);
    enter(r, LW_WALK, &in[WALK_PUSH], in[WALK_EPOCH].w[0] != 0);
    return lw_responses_step(r, is_free);
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    lw_responses r = b->u->responses; /* the cycle tells what is popped */
    const lw_watch nobody = {0};
    r.watch = &nobody;
    out[RSP_VALID].w[0] = r.out_valid;
    out[RSP_ID].w[0] = r.out.id;
    out[RSP_KIND].w[0] = r.out.kind;
    out[RSP_LEVEL].w[0] = r.out.level;
    out[RSP_PFN].w[0] = r.out.pfn;
    out[RSP_SIZE].w[0] = r.out.size;
    out[RSP_PERM].w[0] = r.out.perm;
    out[OLD_EPOCH].w[0] = lw_responses_other_epoch(&r, in[EPOCH].w[0] != 0);
    out[WALK_ROOM].w[0] = lw_responses_has_walk_room(&r);
    out[HIT_POP].w[0] = cycle(&r, in);
}

static void step(lw_bench *b, const lw_bits *in) {
    (void)cycle(&b->u->responses, in);
}

const lw_module lw_module_response_queue = {
    .top = "response_queue",
    .parameters = "IdW PfnW HitQueue WalkQueue",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(uint64_t),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
