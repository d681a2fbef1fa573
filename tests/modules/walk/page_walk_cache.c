/* The page walk cache in both organisations: lookups of walkers whose registers are whatever they
 * are in the cycle in which they are asked for, fills and marks. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    ENTER,
    ENTER_WALKER,
    KEY_VPN,
    KEY_PASID,
    KEY_ACCESS,
    KEY_LEVEL,
    KEY_NODE,
    KEY_PERM,
    KEY_CONTIG,
    KEY_HASHED,
    TOLD_LOOK,
    TOLD_FILL,
    FILL_VALID,
    FILL_LEVEL,
    FILL_VPN,
    FILL_PASID,
    FILL_PARENT,
    FILL_NODE,
    FILL_PERM,
    FILL_PTE_PERM,
    FILL_CONTIG,
    MARK,
    MARK_ALL,
    MARK_PASID,
    MARK_PASID_VALUE
};
enum {
    KEY_WALKER,
    TOLD_WALKER,
    RES_VALID,
    RES_WALKER,
    RES_HIT,
    RES_LEVEL,
    RES_NODE,
    RES_PERM,
    RES_CONTIG,
    RES_HASHED
};

/* Two values of each index, so that keys of all levels meet; nodes of four pages, and of four
 * others whose partial tags are theirs (R6.17). */
#define VPNS UINT64_C(0x8040201)
#define NODES UINT64_C(0x100003)

static const lw_input inputs[] = {
    [ENTER] = {"enter_i.valid", LW_PERCENT, 60},
    [ENTER_WALKER] = {"enter_i.walker", LW_ZERO, 0},
    [KEY_VPN] = {"walk_i.key.vpn", LW_MASKED, VPNS},
    [KEY_PASID] = {"walk_i.key.pasid", LW_MASKED, 1},
    [KEY_ACCESS] = {"walk_i.access", LW_UNIFORM, 0},
    [KEY_LEVEL] = {"walk_i.level", LW_ZERO, 0},
    [KEY_NODE] = {"walk_i.node", LW_MASKED, NODES},
    [KEY_PERM] = {"walk_i.perm", LW_UNIFORM, 0},
    [KEY_CONTIG] = {"walk_i.contig", LW_IGNORED, 0},
    [KEY_HASHED] = {"walk_i.hashed", LW_IGNORED, 0},
    [TOLD_LOOK] = {"told_look_i", LW_ZERO, 0},
    [TOLD_FILL] = {"told_fill_i", LW_ZERO, 0},
    [FILL_VALID] = {"fill_i.valid", LW_PERCENT, 40},
    [FILL_LEVEL] = {"fill_i.level", LW_ZERO, 0},
    [FILL_VPN] = {"fill_i.key.vpn", LW_MASKED, VPNS},
    [FILL_PASID] = {"fill_i.key.pasid", LW_MASKED, 1},
    [FILL_PARENT] = {"fill_i.parent", LW_MASKED, NODES},
    [FILL_NODE] = {"fill_i.node", LW_UNIFORM, 0},
    [FILL_PERM] = {"fill_i.perm", LW_UNIFORM, 0},
    [FILL_PTE_PERM] = {"fill_i.pte_perm", LW_UNIFORM, 0},
    [FILL_CONTIG] = {"fill_i.contig", LW_UNIFORM, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 3},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_PASID_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
};

static const lw_output outputs[] = {
    [KEY_WALKER] = {"walker_o", 0},
    [TOLD_WALKER] = {"told_walker_o", 0},
    [RES_VALID] = {"result_o.valid", 0},
    [RES_WALKER] = {"result_o.walker", 1 + RES_VALID},
    [RES_HIT] = {"result_o.hit", 1 + RES_VALID},
    [RES_LEVEL] = {"result_o.level", 1 + RES_VALID},
    [RES_NODE] = {"result_o.node", 1 + RES_VALID},
    [RES_PERM] = {"result_o.perm", 1 + RES_VALID},
    [RES_CONTIG] = {"result_o.contig", 1 + RES_VALID},
    [RES_HASHED] = {"result_o.hashed", 1 + RES_VALID},
};

static const lw_registers_of registers[] = {
    {LW_S_PWC, "gen_by_level.u_table", "gen_by_address.u_table"},
    {LW_S_PWC_RANK, "gen_by_level.u_table", "gen_by_address.u_table"},
    {LW_S_PWC_PIPE, "u_pipe", NULL},
    {LW_S_PWC_KEY, "", NULL},
    {LW_S_PWC_RESULT, "", NULL},
    {LW_S_PWC_FILL, "", NULL},
    {LW_S_PWC_PLACE, "", NULL}};

/* The page and level of the next cycle's lookup and fill. */
typedef struct own {
    lw_bits key_vpn, key_level, fill_vpn, fill_level;
} own;

/* What is drawn counts in the next cycle, and what was drawn in the cycle before counts now. */
static void put_off(lw_bits *next, lw_bits *now) {
    const lw_bits drawn = *now;
    *now = *next;
    *next = drawn;
}

/* R6.7 */
static uint64_t told(const lw_bits *vpn, const lw_bits *level) {
    return lw_index(lw_key(0, vpn->w[0]), (uint32_t)level->w[0]);
}

static void legal(lw_bench *b, lw_bits *in) {
    const lw_params *hw = &b->u->cfg.hw;
    own *next = b->own;
    in[ENTER_WALKER].w[0] = UINT64_C(1) << lw_rng_below(&b->rng, hw->walkers);
    in[KEY_LEVEL].w[0] = 2 + lw_rng_below(&b->rng, hw->levels - 1);
    in[FILL_LEVEL].w[0] = 2 + lw_rng_below(&b->rng, hw->levels - 1);
    put_off(&next->key_vpn, &in[KEY_VPN]);
    put_off(&next->key_level, &in[KEY_LEVEL]);
    put_off(&next->fill_vpn, &in[FILL_VPN]);
    put_off(&next->fill_level, &in[FILL_LEVEL]);
    in[TOLD_LOOK].w[0] = told(&next->key_vpn, &next->key_level);
    in[TOLD_FILL].w[0] = told(&next->fill_vpn, &next->fill_level);
    if (in[KEY_LEVEL].w[0] == 0) { /* the first cycle, for which nothing was drawn */
        in[KEY_LEVEL].w[0] = 2;
        in[FILL_VALID].w[0] = 0;
    }
    if (in[FILL_LEVEL].w[0] != 2 || hw->subregions == 0) { /* R1.10 */
        in[FILL_CONTIG].w[0] = 0;
    }
    /* R9.2, R6.9: the scan of a walker that the mark meets fills nothing, by address no scan does
     */
    const bool met = in[MARK_ALL].w[0] != 0 ||
                     (in[MARK_PASID].w[0] != 0 && in[MARK_PASID_VALUE].w[0] == in[FILL_PASID].w[0]);
    if (in[MARK].w[0] != 0 && (met || hw->pwc_org == LW_PWC_BY_ADDRESS)) {
        in[FILL_VALID].w[0] = 0;
    }
}

static int32_t entering(const lw_bits *in) {
    return in[ENTER].w[0] != 0 ? __builtin_ctzll(in[ENTER_WALKER].w[0]) : LW_NONE;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const lw_pwc_result *r = &b->u->walk.pwc.result;
    const int32_t asked = lw_pwc_key_walker(&b->u->walk.pwc, entering(in));
    if (asked != LW_NONE) {
        out[KEY_WALKER].w[0] = (uint64_t)asked;
    } else {
        b->unsaid[KEY_WALKER].w[0] = UINT64_MAX;
    }
    b->unsaid[TOLD_WALKER].w[0] = UINT64_MAX; /* what it names shows in what is read for it */
    out[RES_VALID].w[0] = r->valid;
    out[RES_WALKER].w[0] = r->walker;
    out[RES_HIT].w[0] = r->hit;
    out[RES_LEVEL].w[0] = r->level;
    out[RES_NODE].w[0] = r->node;
    out[RES_PERM].w[0] = r->perm;
    out[RES_CONTIG].w[0] = r->contig;
}

static void mark(lw_bench *b, const lw_bits *in) {
    lw_pwc_mark(&b->u->walk.pwc, &(lw_mark){.valid = true,
                                            .all = in[MARK_ALL].w[0] != 0,
                                            .one = in[MARK_PASID].w[0] != 0,
                                            .pasid = (uint32_t)in[MARK_PASID_VALUE].w[0]});
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_pwc *p = &b->u->walk.pwc;
    const lw_pwc_query key = {.key = lw_key((uint32_t)in[KEY_PASID].w[0], in[KEY_VPN].w[0]),
                              .node = in[KEY_NODE].w[0],
                              .level = (uint32_t)in[KEY_LEVEL].w[0],
                              .perm = (uint32_t)in[KEY_PERM].w[0],
                              .access = (uint32_t)in[KEY_ACCESS].w[0]};
    const lw_pwc_query filled = {.key = lw_key((uint32_t)in[FILL_PASID].w[0], in[FILL_VPN].w[0]),
                                 .node = in[FILL_PARENT].w[0],
                                 .level = (uint32_t)in[FILL_LEVEL].w[0]};
    const lw_verdict node = {.frame = in[FILL_NODE].w[0],
                             .node = true,
                             .perm = (uint8_t)in[FILL_PERM].w[0],
                             .own_perm = (uint8_t)in[FILL_PTE_PERM].w[0],
                             .contig = (uint16_t)in[FILL_CONTIG].w[0]};
    lw_pwc_step(p);
    if (in[FILL_VALID].w[0] != 0) {
        lw_pwc_load_fill(p, &filled, &node);
    }
    if (in[MARK].w[0] != 0) {
        mark(b, in);
    }
    if (lw_pwc_key_walker(p, entering(in)) != LW_NONE) {
        lw_pwc_load_key(p, &key);
    }
    lw_pwc_advance(p, entering(in));
}

const lw_module lw_module_page_walk_cache = {
    .top = "page_walk_cache",
    .parameters = "VpnW PaWidth PasidW Walkers PwcOrg PwcEntries PwcWays PwcLatency Subregions",
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
