/* The hash unit: any page, step and size of a table, and stages that hold lookups or none. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    ROOT_VALID,
    ROOT_FRAME,
    TABLES,
    HOME_FIRST = TABLES + LW_TABLES_PORTS,
    CHOOSE,
    KEY_VPN,
    KEY_PASID,
    WHERE,
    STEP,
    HIT,
    HIT_STEP,
    HIT_CONTIG,
    MULTIPLY,
    ADD
};
enum { WHERE_NEXT, NODE, BUCKET, CONTIG };

static const lw_input inputs[] = {
    [ROOT_VALID] = {"roots_i.valid", LW_ZERO, 0},
    [ROOT_FRAME] = {"roots_i.frame", LW_ZERO, 0},
    LW_TABLES(TABLES, "tables_i"),
    [HOME_FIRST] = {"home_first_i", LW_PERCENT, 50},
    [CHOOSE] = {"choose_i", LW_PERCENT, 70},
    [KEY_VPN] = {"key_i.vpn", LW_UNIFORM, 0},
    [KEY_PASID] = {"key_i.pasid", LW_UNIFORM, 0},
    [WHERE] = {"where_i", LW_BELOW, LW_WHERE_KNOWN + 1},
    [STEP] = {"step_i", LW_UNIFORM, 0},
    [HIT] = {"hit_i", LW_PERCENT, 50},
    [HIT_STEP] = {"hit_step_i", LW_UNIFORM, 0},
    [HIT_CONTIG] = {"hit_contig_i", LW_UNIFORM, 0},
    [MULTIPLY] = {"multiply_i", LW_PERCENT, 70},
    [ADD] = {"add_i", LW_PERCENT, 70},
};

static const lw_output outputs[] = {
    [WHERE_NEXT] = {"where_o", 0},
    [NODE] = {"node_o", 0},
    [BUCKET] = {"bucket_o", 0},
    [CONTIG] = {"contig_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_HASH, "", NULL}};

/* R21.3: a hit is one with KEY_WHERE LOOKUP. */
static void legal(lw_bench *b, lw_bits *in) {
    lw_draw_roots(&b->rng, b->u);
    lw_roots_at_port(b->u, &in[ROOT_VALID], &in[ROOT_FRAME]);
    lw_tables_at_port(b->u, &in[TABLES]);
    in[HIT].w[0] &= in[WHERE].w[0] == LW_WHERE_LOOKUP;
    in[HIT_CONTIG].w[0] = b->u->cfg.hw.subregions != 0 ? in[HIT_CONTIG].w[0] : 0; /* R20.27 */
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    (void)in;
    const lw_hash_place place = lw_table_hash_place(&b->u->walk.steps.hash);
    out[WHERE_NEXT].w[0] = place.where;
    out[NODE].w[0] = place.node;
    out[BUCKET].w[0] = place.bucket;
    out[CONTIG].w[0] = b->u->walk.steps.hash.sum.contig;
}

/* R21.4, its table. */
static void choose(lw_bench *b, const lw_bits *in) {
    uint32_t where = (uint32_t)in[WHERE].w[0], at = 0;
    if (where == LW_WHERE_KNOWN) {
        at = (uint32_t)in[STEP].w[0];
    } else if (in[HIT].w[0] != 0) {
        where = LW_WHERE_CACHED;
        at = (uint32_t)in[HIT_STEP].w[0];
    } else if (where == LW_WHERE_LOOKUP) {
        where = in[HOME_FIRST].w[0] != 0 ? LW_WHERE_HOME : LW_WHERE_STEPS;
    }
    lw_table_hash_choose(&b->u->walk.steps.hash, &b->u->control.roots,
                         lw_key((uint32_t)in[KEY_PASID].w[0], in[KEY_VPN].w[0]), where, at);
    b->u->walk.steps.hash.chosen.contig =
        (uint16_t)(where == LW_WHERE_CACHED && in[HIT].w[0] != 0 ? in[HIT_CONTIG].w[0] : 0);
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_table_hash *h = &b->u->walk.steps.hash;
    if (in[ADD].w[0] != 0) {
        lw_table_hash_add(h);
    }
    if (in[MULTIPLY].w[0] != 0) {
        lw_table_hash_multiply(h, b->u->control.roots.stride);
    }
    if (in[CHOOSE].w[0] != 0) {
        choose(b, in);
    }
}

const lw_module lw_module_table_hash = {
    .top = "table_hash",
    .parameters = "VpnW PfnW PasidW Subregions SlotPages",
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
