/* The line decoder: eight PTEs at any level (lw_decode_line is the twin's side). */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"
#include "tests/modules/shapes.h"

enum { LINE, LEVEL, REACH, ENABLE, COLT_ENABLE, SIZED, VPN };
enum { VERDICT, FRAME, CONTIG, SIZE, LINKS };

static const lw_input inputs[] = {
    [LINE] = {"line_i", LW_ZERO, 0},
    [LEVEL] = {"level_i", LW_ZERO, 0},
    [REACH] = {"reach_i", LW_BELOW, LW_REACH_FRAME + 1},
    [ENABLE] = {"subregion_enable_i", LW_PERCENT, 70},
    [COLT_ENABLE] = {"colt_enable_i", LW_PERCENT, 80},
    [SIZED] = {"sized_i", LW_PERCENT, 80},
    [VPN] = {"vpn_i", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [VERDICT] = {"line_o.verdict", 0}, [FRAME] = {"line_o.frame", 0},
    [CONTIG] = {"line_o.contig", 0},   [SIZE] = {"line_o.size", 0},
    [LINKS] = {"line_o.links", 0},
};

static void legal(lw_bench *b, lw_bits *in) {
    in[LEVEL].w[0] = 1 + lw_rng_below(&b->rng, b->u->cfg.hw.levels);
    if (in[LEVEL].w[0] != 1 || b->u->cfg.hw.subregions == 0) { /* R1.11 */
        in[REACH].w[0] = LW_REACH_LINE;
    }
    in[ENABLE].w[0] &= b->u->cfg.hw.subregions; /* R12.2 */
    in[COLT_ENABLE].w[0] &= b->u->cfg.hw.colt != LW_COLT_NONE;
    lw_draw_line(&b->rng, &b->u->cfg, in[LINE].w);
    in[SIZED].w[0] &= lw_has_sizes(&b->u->cfg.hw) && in[LEVEL].w[0] == 1; /* R1.17 */
    if (in[SIZED].w[0] != 0) {
        lw_draw_sizes(&b->rng, &b->u->cfg, in[VPN].w[0], in[LINE].w);
    }
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    lw_decoded line;
    const lw_reading as = {.level = (uint32_t)in[LEVEL].w[0],
                           .sized = in[SIZED].w[0] != 0,
                           .reach = (lw_reach)in[REACH].w[0]};
    lw_decode_line(&b->u->cfg, in[LINE].w, &as, in[VPN].w[0],
                   in[ENABLE].w[0] != 0 ? LW_CONTIG_AC | LW_CONTIG_C : 0, &line);
    out[VERDICT] = line.verdict;
    out[FRAME] = line.frame;
    out[CONTIG] = line.contig;
    out[SIZE] = line.size;
    if (in[COLT_ENABLE].w[0] != 0) {
        out[LINKS].w[0] = lw_line_links(&b->u->cfg, in[LINE].w, (uint32_t)in[LEVEL].w[0],
                                        (lw_reach)in[REACH].w[0]);
    }
}

static void step(lw_bench *b, const lw_bits *in) {
    (void)b; /* nothing is kept */
    (void)in;
}

const lw_module lw_module_line_decoder = {
    .top = "line_decoder",
    .parameters = "PaWidth Subregions Colt Sizes",
    .inputs = inputs,
    .outputs = outputs,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
