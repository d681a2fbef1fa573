/* The misses in front of the IOMMU buffer: decided ones as long as there is a place (R2.1), an
 * insertion whenever a miss waits in the register, and marks with any roots. */
#include "tests/modules/modules.h"

enum {
    MARK,
    MARK_ALL,
    MARK_PASID,
    MARK_VALUE,
    ROOTS_VALID,
    MISS_VALID,
    MISS_ID,
    MISS_SRC,
    MISS_PASID,
    MISS_VPN,
    MISS_ACCESS,
    MISS_STALE,
    INSERT
};
enum {
    NEXT_VALID,
    NEXT_ID,
    NEXT_SRC,
    NEXT_PASID,
    NEXT_VPN,
    NEXT_ACCESS,
    NEXT_STALE,
    LEAVES,
    ANY_STALE
};

static const lw_input inputs[] = {
    [MARK] = {"mark_i.valid", LW_PERCENT, 10},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_UNIFORM, 0},
    [ROOTS_VALID] = {"roots_valid_i", LW_UNIFORM, 0},
    [MISS_VALID] = {"miss_i.valid", LW_PERCENT, 50},
    [MISS_ID] = {"miss_i.id", LW_UNIFORM, 0},
    [MISS_SRC] = {"miss_i.src", LW_UNIFORM, 0},
    [MISS_PASID] = {"miss_i.key.pasid", LW_UNIFORM, 0},
    [MISS_VPN] = {"miss_i.key.vpn", LW_UNIFORM, 0},
    [MISS_ACCESS] = {"miss_i.access", LW_UNIFORM, 0},
    [MISS_STALE] = {"miss_i.stale", LW_PERCENT, 10},
    [INSERT] = {"insert_i", LW_PERCENT, 50},
};

static const lw_output outputs[] = {
    [NEXT_VALID] = {"miss_o.valid", 0},
    [NEXT_ID] = {"miss_o.id", 1 + NEXT_VALID},
    [NEXT_SRC] = {"miss_o.src", 1 + NEXT_VALID},
    [NEXT_PASID] = {"miss_o.key.pasid", 1 + NEXT_VALID},
    [NEXT_VPN] = {"miss_o.key.vpn", 1 + NEXT_VALID},
    [NEXT_ACCESS] = {"miss_o.access", 1 + NEXT_VALID},
    [NEXT_STALE] = {"miss_o.stale", 1 + NEXT_VALID},
    [LEAVES] = {"leaves_o", 0},
    [ANY_STALE] = {"any_stale_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_MISS, "", NULL}, {LW_S_MISS_QUEUE, "", NULL}};

typedef struct own {
    lw_miss_queue scratch; /* where the cycle is tried */
} own;

/* R4.8: only what waits in the register is inserted; R2.1: a miss is decided only with a place for
 * it in the queue. */
static void legal(lw_bench *b, lw_bits *in) {
    const lw_miss_queue *m = &b->u->walk.misses;
    in[INSERT].w[0] &= m->next.valid;
    in[MISS_VALID].w[0] &= m->count < b->u->cfg.hw.miss_queue;
}

/* The cycle, whose mark comes first; true if a miss enters the register. */
static bool cycle(lw_bench *b, const lw_bits *in, lw_miss_queue *m, bool *stale) {
    lw_roots *roots = &b->u->control.roots;
    const lw_mark mark = {.valid = in[MARK].w[0] != 0,
                          .all = in[MARK_ALL].w[0] != 0,
                          .one = in[MARK_PASID].w[0] != 0,
                          .pasid = (uint32_t)in[MARK_VALUE].w[0]};
    const lw_miss decided = {.key = lw_key((uint32_t)in[MISS_PASID].w[0], in[MISS_VPN].w[0]),
                             .id = (uint16_t)in[MISS_ID].w[0],
                             .src = (uint16_t)in[MISS_SRC].w[0],
                             .access = (uint8_t)in[MISS_ACCESS].w[0],
                             .valid = in[MISS_VALID].w[0] != 0,
                             .stale = in[MISS_STALE].w[0] != 0};
    for (uint32_t p = 0; p < b->u->cfg.hw.pasids; p++) {
        roots->root[p] = lw_bits_get(&in[ROOTS_VALID], p, 1) << 63;
    }
    if (mark.valid) {
        lw_miss_queue_mark(m, &mark, roots);
    }
    *stale = m->next.stale;
    return lw_miss_queue_step(m, in[INSERT].w[0] != 0, &decided);
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    own *o = b->own;
    const lw_miss_queue *m = &b->u->walk.misses;
    bool stale;
    o->scratch = *m;
    out[LEAVES].w[0] = cycle(b, in, &o->scratch, &stale);
    out[NEXT_VALID].w[0] = m->next.valid;
    out[NEXT_ID].w[0] = m->next.id;
    out[NEXT_SRC].w[0] = m->next.src;
    out[NEXT_PASID].w[0] = lw_key_pasid(m->next.key);
    out[NEXT_VPN].w[0] = lw_key_vpn(m->next.key);
    out[NEXT_ACCESS].w[0] = m->next.access;
    out[NEXT_STALE].w[0] = stale; /* R4.10: as the mark of this cycle leaves it */
    out[ANY_STALE].w[0] = lw_miss_queue_any_stale(m);
}

static void step(lw_bench *b, const lw_bits *in) {
    bool stale;
    (void)cycle(b, in, &b->u->walk.misses, &stale);
}

const lw_module lw_module_miss_queue = {
    .top = "miss_queue",
    .parameters = "VpnW PasidW IdW SrcW MissQueue",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .own_bytes = sizeof(own),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
