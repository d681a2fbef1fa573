/* Where walks of hashed tables read next: lookups of walkers whose registers are whatever they are
 * in the cycle in which they are asked for, tables that change, fills of the step cache and marks.
 */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    FEATURES_MODE,
    PWC_ENABLE,
    PL_SKIPS_PWC,
    SUBREGION_ENABLE,
    COLT_ENABLE,
    HOME_FIRST,
    ROOT_VALID,
    ROOT_FRAME,
    TABLES,
    ENTER = TABLES + LW_TABLES_PORTS,
    ENTER_WALKER,
    KEY_VPN,
    KEY_PASID,
    KEY_ACCESS,
    KEY_LEVEL,
    KEY_NODE,
    KEY_PERM,
    KEY_CONTIG,
    KEY_WHERE,
    KEY_RETRIED,
    KEY_BUCKET,
    FILL_VALID,
    FILL_VPN,
    FILL_PASID,
    FILL_STEPS,
    FILL_AC,
    FILL_C,
    MARK,
    MARK_ALL,
    MARK_PASID,
    MARK_PASID_VALUE
};
enum {
    KEY_WALKER,
    RES_VALID,
    RES_WALKER,
    RES_HIT,
    RES_LEVEL,
    RES_NODE,
    RES_PERM,
    RES_CONTIG,
    RES_WHERE,
    RES_RETRIED,
    RES_BUCKET
};

/* Of regions one bit in a group, some of the index and one above it. */
#define VPNS UINT64_C(0x8000e200)

static const lw_input inputs[] = {
    [FEATURES_MODE] = {"features_i.mode", LW_IGNORED, 0},
    [PWC_ENABLE] = {"features_i.pwc_enable", LW_PERCENT, 85},
    [PL_SKIPS_PWC] = {"features_i.pl_skips_pwc", LW_IGNORED, 0},
    [SUBREGION_ENABLE] = {"features_i.subregion_enable", LW_IGNORED, 0},
    [COLT_ENABLE] = {"features_i.colt_enable", LW_IGNORED, 0},
    [HOME_FIRST] = {"features_i.home_first", LW_PERCENT, 50},
    [ROOT_VALID] = {"roots_i.valid", LW_ZERO, 0},
    [ROOT_FRAME] = {"roots_i.frame", LW_ZERO, 0},
    LW_TABLES(TABLES, "tables_i"),
    [ENTER] = {"enter_i.valid", LW_PERCENT, 60},
    [ENTER_WALKER] = {"enter_i.walker", LW_ZERO, 0},
    [KEY_VPN] = {"walk_i.key.vpn", LW_MASKED, VPNS},
    [KEY_PASID] = {"walk_i.key.pasid", LW_MASKED, 1},
    [KEY_ACCESS] = {"walk_i.access", LW_IGNORED, 0},
    [KEY_LEVEL] = {"walk_i.level", LW_IGNORED, 0},
    [KEY_NODE] = {"walk_i.node", LW_UNIFORM, 0},
    [KEY_PERM] = {"walk_i.perm", LW_IGNORED, 0},
    [KEY_CONTIG] = {"walk_i.contig", LW_IGNORED, 0},
    [KEY_WHERE] = {"walk_i.hashed.where", LW_BELOW, LW_WHERE_KNOWN + 1},
    [KEY_RETRIED] = {"walk_i.hashed.retried", LW_IGNORED, 0},
    [KEY_BUCKET] = {"walk_i.hashed.bucket", LW_IGNORED, 0},
    [FILL_VALID] = {"fill_i.valid", LW_PERCENT, 40},
    [FILL_VPN] = {"fill_i.key.vpn", LW_MASKED, VPNS},
    [FILL_PASID] = {"fill_i.key.pasid", LW_MASKED, 1},
    [FILL_STEPS] = {"fill_i.steps", LW_UNIFORM, 0},
    [FILL_AC] = {"fill_i.contigs.ac", LW_UNIFORM, 0},
    [FILL_C] = {"fill_i.contigs.c", LW_UNIFORM, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 3},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_PASID_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
};

static const lw_output outputs[] = {
    [KEY_WALKER] = {"walker_o", 0},
    [RES_VALID] = {"result_o.valid", 0},
    [RES_WALKER] = {"result_o.walker", 1 + RES_VALID},
    [RES_HIT] = {"result_o.hit", 1 + RES_VALID},
    [RES_LEVEL] = {"result_o.level", 1 + RES_VALID},
    [RES_NODE] = {"result_o.node", 1 + RES_VALID},
    [RES_PERM] = {"result_o.perm", 1 + RES_VALID},
    [RES_CONTIG] = {"result_o.contig", 1 + RES_VALID},
    [RES_WHERE] = {"result_o.hashed.where", 1 + RES_VALID},
    [RES_RETRIED] = {"result_o.hashed.retried", 1 + RES_VALID},
    [RES_BUCKET] = {"result_o.hashed.bucket", 1 + RES_VALID},
};

static const lw_registers_of registers[] = {
    {LW_S_STEP_CACHE, "u_cache", NULL}, {LW_S_HASH, "u_hash", NULL},
    {LW_S_PWC_PIPE, "u_pipe", NULL},    {LW_S_PWC_KEY, "", NULL},
    {LW_S_PWC_RESULT, "", NULL},        {LW_S_PWC_FILL, "", NULL}};

/* The same bits of regions that are lines (R20.32). */
static void of_lines(const lw_bench *b, lw_bits *vpn) {
    if ((vpn->w[0] & ~VPNS) == 0) { /* else it is uniform */
        vpn->w[0] >>= LW_FRAME_SHIFT - b->u->cfg.region_shift;
    }
}

static lw_mark mark_of(const lw_bits *in) {
    return (lw_mark){.valid = in[MARK].w[0] != 0,
                     .all = in[MARK_ALL].w[0] != 0,
                     .one = in[MARK_PASID].w[0] != 0,
                     .pasid = (uint32_t)in[MARK_PASID_VALUE].w[0]};
}

/* Most lookups are those of walks that begin; a scan that the mark meets fills nothing (R21.14). */
static void legal(lw_bench *b, lw_bits *in) {
    enum { OTHER_IN = 3 };
    lw_iommu *u = b->u;
    lw_draw_roots(&b->rng, u);
    lw_roots_at_port(u, &in[ROOT_VALID], &in[ROOT_FRAME]);
    lw_tables_at_port(u, &in[TABLES]);
    of_lines(b, &in[KEY_VPN]);
    of_lines(b, &in[FILL_VPN]);
    in[ENTER_WALKER].w[0] = UINT64_C(1) << lw_rng_below(&b->rng, u->cfg.hw.walkers);
    if (!lw_one_in(&b->rng, OTHER_IN)) {
        in[KEY_WHERE].w[0] = LW_WHERE_LOOKUP;
    }
    const lw_mark mark = mark_of(in);
    if (lw_mark_meets(&mark, (uint32_t)in[FILL_PASID].w[0])) {
        in[FILL_VALID].w[0] = 0;
    }
    if (u->cfg.hw.subregions == 0) { /* R20.27 */
        in[FILL_AC].w[0] = 0;
        in[FILL_C].w[0] = 0;
        in[FILL_C].w[1] = 0;
    }
}

static int32_t entering(const lw_bits *in) {
    return in[ENTER].w[0] != 0 ? __builtin_ctzll(in[ENTER_WALKER].w[0]) : LW_NONE;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const lw_step_lookup *s = &b->u->walk.steps;
    const lw_step_result *r = &s->result;
    const int32_t asked = lw_steps_key_walker(s, entering(in));
    if (asked != LW_NONE) {
        out[KEY_WALKER].w[0] = (uint64_t)asked;
    } else {
        b->unsaid[KEY_WALKER].w[0] = UINT64_MAX;
    }
    out[RES_VALID].w[0] = r->valid;
    out[RES_WALKER].w[0] = r->walker;
    out[RES_HIT].w[0] = r->hit;
    out[RES_LEVEL].w[0] = r->where == LW_WHERE_STEPS ? 2 : 1; /* R21.7 */
    out[RES_NODE].w[0] = r->node;
    out[RES_WHERE].w[0] = r->where;
    out[RES_BUCKET].w[0] = r->bucket;
    out[RES_CONTIG].w[0] = r->contig;
}

/* In the order of the whole unit's cycle (walk_engine.c, walk_lookups.c). */
static void step(lw_bench *b, const lw_bits *in) {
    lw_step_lookup *s = &b->u->walk.steps;
    const lw_features features = {.pwc_enable = in[PWC_ENABLE].w[0] != 0,
                                  .home_first = in[HOME_FIRST].w[0] != 0};
    const int32_t enters = entering(in), asked = lw_steps_key_walker(s, enters);
    const lw_mark mark = mark_of(in);
    lw_steps_step(s, &features, &b->u->control.roots);
    if (in[FILL_VALID].w[0] != 0) {
        const uint64_t key = lw_key((uint32_t)in[FILL_PASID].w[0], in[FILL_VPN].w[0]);
        lw_steps_load_fill(s, &(lw_step_fill){.key = key,
                                              .steps = in[FILL_STEPS].w[0],
                                              .contigs = {.ac = (uint16_t)in[FILL_AC].w[0],
                                                          .c = {in[FILL_C].w[0], in[FILL_C].w[1]}},
                                              .valid = true});
    }
    if (asked != LW_NONE) {
        lw_steps_load_key(
            s, &(lw_step_key){.key = lw_key((uint32_t)in[KEY_PASID].w[0], in[KEY_VPN].w[0]),
                              .where = (uint8_t)in[KEY_WHERE].w[0],
                              .step = in[KEY_NODE].w[0] & 7});
    }
    if (mark.valid) {
        lw_step_cache_mark(&s->cache, &mark);
    }
    lw_steps_advance(s, enters);
}

const lw_module lw_module_step_lookup = {
    .top = "step_lookup",
    .parameters = "VpnW PaWidth PasidW Walkers PwcEntries PwcLatency Subregions SlotPages",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
