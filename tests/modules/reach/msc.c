/* The MSC: lookups, fills and sweeps in a small world of frames; one of them a cycle, as one job is
 * under way at a time and waits until the MSC is at rest (R16.4, R16.9); it still is in the cycle
 * after, in which there is none (R16.19). What a cycle does is drawn two cycles before, in which
 * the arrays are told its set (R16.14); a sweep is told to the MSC in the cycle between (R16.18).
 */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    TOLD_SET,
    LOOK,
    FILL,
    PASID,
    FRAME,
    NODE,
    MAP_IN,
    SWEEP_VALID,
    SWEEP_SET,
    INV_TYPE,
    INV_PASID,
    INV_FIRST,
    INV_LAST
};
enum { HIT, MAP_OUT, AT_REST };

/* Frames of every set and of two tags; pages of these frames, first, last and between. */
#define FRAMES UINT64_C(0x67)
#define PAGES (FRAMES << LW_FRAME_SHIFT | 0x101)

static const lw_input inputs[] = {
    [TOLD_SET] = {"told_set_i", LW_ZERO, 0},
    [LOOK] = {"access_i.look", LW_PERCENT, 40},
    [FILL] = {"access_i.fill", LW_PERCENT, 60},
    [PASID] = {"access_i.pasid", LW_MASKED, 1},
    [FRAME] = {"access_i.frame", LW_MASKED, FRAMES},
    [NODE] = {"access_i.node", LW_MASKED, 1},
    [MAP_IN] = {"access_i.joins", LW_UNIFORM, 0},
    [SWEEP_VALID] = {"sweep_i.valid", LW_PERCENT, 10},
    [SWEEP_SET] = {"sweep_i.set_index", LW_UNIFORM, 0},
    [INV_TYPE] = {"sweep_i.inv.inv_type", LW_UNIFORM, 0},
    [INV_PASID] = {"sweep_i.inv.pasid", LW_MASKED, 1},
    [INV_FIRST] = {"sweep_i.inv.first", LW_MASKED, PAGES},
    [INV_LAST] = {"sweep_i.inv.last", LW_MASKED, PAGES},
};

static const lw_output outputs[] = {
    [HIT] = {"hit_o", 0}, [MAP_OUT] = {"map_o", 1 + HIT}, [AT_REST] = {"at_rest_o", 0}};

static const lw_registers_of registers[] = {{LW_S_MSC, "", NULL},
                                            {LW_S_MSC_RANK, "", NULL},
                                            {LW_S_MSC_SWEEP, "", NULL},
                                            {LW_S_MSC_PLACE, "", NULL}};

/* The sweep of the next cycle; the frames of the next cycle and of the one after it; the job of the
 * cycle before. */
typedef struct own {
    lw_bits sweep, sweep_set, frame, later_frame;
    lw_bits pasid_before, frame_before, node_before, map_before;
} own;

static void swap(lw_bits *a, lw_bits *b) {
    const lw_bits other = *a;
    *a = *b;
    *b = other;
}

static void legal(lw_bench *b, lw_bits *in) {
    enum { BEYOND_IN = 4 };
    own *next = b->own;
    /* R11.4: where the TLB has more sets, also of those that the MSC has not */
    in[SWEEP_SET].w[0] %= lw_one_in(&b->rng, BEYOND_IN) ? b->u->cfg.sweep_sets : b->u->cfg.msc_sets;
    swap(&next->later_frame, &in[FRAME]);
    swap(&next->frame, &in[FRAME]);
    swap(&next->sweep, &in[SWEEP_VALID]);
    swap(&next->sweep_set, &in[SWEEP_SET]);
    in[TOLD_SET].w[0] = (next->sweep.w[0] != 0 ? next->sweep_set.w[0] : next->later_frame.w[0]) &
                        (b->u->cfg.msc_sets - 1);
    const lw_msc *m = &b->u->walk.msc;
    if (m->place.touch) {
        in[PASID] = next->pasid_before;
        in[FRAME] = next->frame_before;
        in[NODE] = next->node_before;
        in[MAP_IN] = next->map_before;
    }
    const bool free = lw_msc_at_rest(m) && !m->place.touch;
    in[LOOK].w[0] &= free;
    in[FILL].w[0] &= free && in[LOOK].w[0] == 0;
    next->pasid_before = in[PASID];
    next->frame_before = in[FRAME];
    next->node_before = in[NODE];
    next->map_before = in[MAP_IN];
}

/* Any subregion of the frame says which it is. */
static lw_msc_key key_of(const lw_bits *in) {
    return (lw_msc_key){.pasid = (uint32_t)in[PASID].w[0],
                        .vsn = in[FRAME].w[0] << (LW_FRAME_SHIFT - LW_SUBREGION_SHIFT),
                        .node = in[NODE].w[0]};
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    lw_msc *m = &b->u->walk.msc;
    const lw_msc_place place = m->place; /* as a lookup loads it */
    const lw_msc_key key = key_of(in);
    uint8_t map = 0;
    out[AT_REST].w[0] = lw_msc_at_rest(m);
    if (in[LOOK].w[0] == 0) {
        memset(&b->unsaid[HIT], 0xff, sizeof b->unsaid[HIT]);
        memset(&b->unsaid[MAP_OUT], 0xff, sizeof b->unsaid[MAP_OUT]);
        return;
    }
    out[HIT].w[0] = lw_msc_lookup(m, &key, &map);
    out[MAP_OUT].w[0] = map;
    m->place = place;
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_msc *m = &b->u->walk.msc;
    const lw_msc_key key = key_of(in);
    uint8_t map = 0;
    lw_msc_settle(m, &key, (uint8_t)in[MAP_IN].w[0]);
    if (in[LOOK].w[0] != 0) {
        (void)lw_msc_lookup(m, &key, &map);
    }
    if (in[FILL].w[0] != 0) {
        lw_msc_fill(m, &key);
    }
    lw_msc_sweep(m, &(lw_sweep){.valid = in[SWEEP_VALID].w[0] != 0,
                                .type = (uint8_t)in[INV_TYPE].w[0],
                                .set = (uint32_t)in[SWEEP_SET].w[0],
                                .pasid = (uint32_t)in[INV_PASID].w[0],
                                .first = in[INV_FIRST].w[0],
                                .last = in[INV_LAST].w[0]});
}

const lw_module lw_module_msc = {
    .top = "msc",
    .parameters = "VpnW PfnW PasidW MscEntries MscWays SweepW",
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
