/* The contiguity check: checks that scans ask for, heads that arrive (late, twice, never asked for,
 * with the error bit), sweeps, marks, and an MSC that hits or misses as it likes.
 *
 * Where a job's subregions lie, and whether they join, is drawn anew for each line, around the BASE
 * of the job under way. What the twin asks of its MSC goes to one that holds what the port says. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

/* Ports that belong together share a line, where clang-format would give each its own. */
/* clang-format off */
enum {
    CHECK_VALID, CHECK_PASID, CHECK_VSN, CHECK_BITS, CHECK_NODE, CHECK_PFN, CHECK_PERM,
    CHECK_PTE_PERM, CHECK_OF_SLOT, LINE_VERDICT, LINE_FRAME, LINE_CONTIG, LINE_SIZE, LINE_LINKS, LINE_HEAD, LINE_PLACE,
    LINE_ERROR, LINE_SIZED, LINE_TAG, HEAD_TAKEN, AT_REST, MSC_HIT, MSC_MAP_IN, JOIN_TAKEN,
    MARK, MARK_ALL, MARK_PASID, MARK_VALUE
};
enum {
    LINE_TAKEN, HEAD_REQ, HEAD_PLACE, HEAD_NODE, MSC_LOOK, MSC_FILL, MSC_PASID, MSC_FRAME,
    MSC_NEXT_FRAME, MSC_MAP_OUT, JOIN_VALID, JOIN_PASID, JOIN_VSN, JOIN_LENGTH, JOIN_PFN, JOIN_PERM, MERGED, DROPPED,
    DRAINING, MSC_NODE
};
/* clang-format on */

/* All places of two frames. */
#define VSNS UINT64_C(0xf)

static const lw_input inputs[] = {
    [CHECK_VALID] = {"check_i.valid", LW_PERCENT, 12},
    [CHECK_PASID] = {"check_i.pasid", LW_MASKED, 1},
    [CHECK_VSN] = {"check_i.vsn", LW_MASKED, VSNS},
    [CHECK_BITS] = {"check_i.bits", LW_UNIFORM, 0},
    [CHECK_NODE] = {"check_i.node", LW_UNIFORM, 0},
    [CHECK_PFN] = {"check_i.pfn", LW_UNIFORM, 0},
    [CHECK_PERM] = {"check_i.perm", LW_UNIFORM, 0},
    [CHECK_PTE_PERM] = {"check_i.pte_perm", LW_UNIFORM, 0},
    [CHECK_OF_SLOT] = {"check_i.of_slot", LW_PERCENT, 70},
    [LINE_VERDICT] = {"line_i.verdict", LW_ZERO, 0},
    [LINE_FRAME] = {"line_i.frame", LW_ZERO, 0},
    [LINE_CONTIG] = {"line_i.contig", LW_IGNORED, 0},
    [LINE_SIZE] = {"line_i.size", LW_IGNORED, 0},
    [LINE_LINKS] = {"line_i.links", LW_IGNORED, 0},
    [LINE_HEAD] = {"head_line_i.valid", LW_PERCENT, 50},
    [LINE_PLACE] = {"head_line_i.place", LW_UNIFORM, 0},
    [LINE_ERROR] = {"head_line_i.error", LW_PERCENT, 12},
    [LINE_SIZED] = {"head_line_i.sized", LW_ZERO, 0},
    [LINE_TAG] = {"head_line_i.tag", LW_ZERO, 0},
    [HEAD_TAKEN] = {"head_taken_i", LW_PERCENT, 60},
    [AT_REST] = {"msc_at_rest_i", LW_PERCENT, 80},
    [MSC_HIT] = {"msc_hit_i", LW_PERCENT, 30},
    [MSC_MAP_IN] = {"msc_map_i", LW_UNIFORM, 0},
    [JOIN_TAKEN] = {"join_taken_i", LW_PERCENT, 60},
    [MARK] = {"mark_i.valid", LW_PERCENT, 4},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
};

static const lw_output outputs[] = {
    [LINE_TAKEN] = {"head_line_taken_o", 0},
    [HEAD_REQ] = {"head_o.valid", 0},
    [HEAD_PLACE] = {"head_o.place", 1 + HEAD_REQ},
    [HEAD_NODE] = {"head_o.node", 1 + HEAD_REQ},
    [MSC_LOOK] = {"msc_o.look", 0},
    [MSC_FILL] = {"msc_o.fill", 0},
    [MSC_PASID] = {"msc_o.pasid", 0},
    [MSC_FRAME] = {"msc_o.frame", 0},
    [MSC_NODE] = {"msc_o.node", 0},
    [MSC_NEXT_FRAME] = {"msc_next_frame_o", 0},
    [MSC_MAP_OUT] = {"msc_o.joins", 1 + MSC_FILL},
    [JOIN_VALID] = {"join_o.valid", 0},
    [JOIN_PASID] = {"join_o.pasid", 1 + JOIN_VALID},
    [JOIN_VSN] = {"join_o.vsn", 1 + JOIN_VALID},
    [JOIN_LENGTH] = {"join_o.length", 1 + JOIN_VALID},
    [JOIN_PFN] = {"join_o.pfn", 1 + JOIN_VALID},
    [JOIN_PERM] = {"join_o.perm", 1 + JOIN_VALID},
    [MERGED] = {"merged_o", 0},
    [DROPPED] = {"dropped_o", 0},
    [DRAINING] = {"draining_o", 0},
};

static const lw_registers_of registers[] = {{LW_S_CHECK, "", NULL},
                                            {LW_S_HEAD, "", NULL},
                                            {LW_S_CHECK_RING, "gen_queue.u_queue", NULL},
                                            {LW_S_CHECK_QUEUE, "gen_queue.u_queue", NULL}};

typedef struct own {
    uint64_t line[LW_HEADS]; /* in the line register */
    lw_check job;            /* that the cycle's scan asks for */
    lw_contiguity scratch;   /* where a cycle is tried */
    lw_msc scratch_msc;
} own;

/* ---------------------------------------------------------------- what is legal */

/* The PTE of place i, where that of place x has this frame and PERM: mostly one that joins, or that
 * is wrong in one bit. */
static uint64_t draw_head(lw_bench *b, uint32_t i, uint32_t x, uint64_t pfn, uint32_t perm) {
    enum {
        ELSEWHERE_IN = 20,
        NEAR_IN = 10,
        OTHER_PERM_IN = 10,
        PAGE_SHIFT = 12,
        RW_AT = 1,
        NX_AT = 63
    };
    const lw_config *cfg = &b->u->cfg;
    uint64_t pte = lw_draw_pte(&b->rng);
    if (!lw_one_in(&b->rng, ELSEWHERE_IN)) {
        uint64_t frame =
            pfn + ((uint64_t)i << LW_SUBREGION_SHIFT) - ((uint64_t)x << LW_SUBREGION_SHIFT);
        frame ^= (uint64_t)lw_one_in(&b->rng, NEAR_IN) << lw_rng_below(&b->rng, cfg->pfn_w);
        pte &= ~(cfg->pfn_mask << PAGE_SHIFT);
        pte |= (frame & cfg->pfn_mask) << PAGE_SHIFT;
    }
    if (!lw_one_in(&b->rng, OTHER_PERM_IN)) { /* R16.1: {X = not NX, W = RW} */
        pte &= ~(UINT64_C(1) << RW_AT | UINT64_C(1) << NX_AT);
        pte |= (uint64_t)(perm & 1) << RW_AT | (uint64_t)(perm >> 1 ^ 1) << NX_AT;
    }
    return pte;
}

/* Of a slot most lines carry the tag of the job's region, and their PTE 0 is of 4 KiB (R20.4). */
static void draw_slot(lw_bench *b, const lw_check *job, uint64_t line[LW_HEADS]) {
    enum { SIZED_IN = 10, SIZES = 3, SIZE_AT = 9 };
    const uint64_t region = job->vsn >> (LW_FRAME_SHIFT - LW_SUBREGION_SHIFT);
    lw_draw_tag(&b->rng, job->pasid, region, line);
    line[0] &= ~((uint64_t)SIZES << SIZE_AT);
    line[0] |= lw_one_in(&b->rng, SIZED_IN) ? (1 + lw_rng_below(&b->rng, SIZES)) << SIZE_AT : 0;
}

/* Its frames, some of which go round the end of memory. */
static uint64_t draw_base(lw_bench *b, uint64_t uniform) {
    enum { END_IN = 4, FRAME_PAGES = 512 };
    const uint64_t pfn_mask = b->u->cfg.pfn_mask;
    const uint64_t last = lw_rng_below(&b->rng, FRAME_PAGES);
    return (lw_one_in(&b->rng, END_IN) ? UINT64_C(0) - last : uniform) & pfn_mask;
}

/* The line of a walker whose scan asks for a check: its own PTE is a leaf of REACH subregion for
 * its access, in the place where R1.12 or R1.13 puts it; a neighbour is contiguous (R16.1). */
static void draw_check(lw_bench *b, lw_bits *in) {
    enum { LEVEL = 1, READ = 0, PERM_ALL = 3, LOWEST = 2, HIGHEST = 0x40, ALL = 0xff, ALL_IN = 4 };
    const lw_config *cfg = &b->u->cfg;
    own *o = b->own;
    const uint32_t x = (uint32_t)in[CHECK_VSN].w[0] & 7;
    const uint32_t place = cfg->hw.head_first != 0 ? x : 0;
    const uint64_t base = draw_base(b, in[CHECK_PFN].w[0]);
    const uint32_t perm = (uint32_t)in[CHECK_PTE_PERM].w[0];
    lw_verdict own_verdict;
    for (uint32_t i = 0; i < LW_HEADS; i++) {
        o->line[i] = draw_head(b, i, place, base, perm);
    }
    do {
        o->line[place] = draw_head(b, place, place, base, perm);
        own_verdict = lw_judge(cfg, o->line[place], LEVEL, 0, READ, PERM_ALL);
    } while (own_verdict.kind != LW_OK);
    in[CHECK_PFN].w[0] = own_verdict.frame;
    in[CHECK_PTE_PERM].w[0] = own_verdict.own_perm;
    in[CHECK_PERM].w[0] &= own_verdict.own_perm; /* R1.8 */
    uint64_t *bits = &in[CHECK_BITS].w[0];
    *bits |= lw_one_in(&b->rng, ALL_IN) ? ALL : UINT64_C(1) << x;
    if ((*bits & (UINT64_C(5) << x >> 1)) == 0) {
        *bits |= x == 0 ? LOWEST : x == 7 ? HIGHEST : UINT64_C(1) << (x - 1);
    }
    o->job = (lw_check){.vsn = in[CHECK_VSN].w[0],
                        .node = in[CHECK_NODE].w[0],
                        .pfn = in[CHECK_PFN].w[0],
                        .pasid = (uint32_t)in[CHECK_PASID].w[0],
                        .bits = (uint8_t)*bits,
                        .perm = (uint8_t)in[CHECK_PERM].w[0],
                        .pte_perm = (uint8_t)in[CHECK_PTE_PERM].w[0],
                        .tagged = in[CHECK_OF_SLOT].w[0] != 0,
                        .valid = true};
}

/* A line whose tag is a head's: mostly one that the check waits for (R16.7). */
static void draw_arrival(lw_bench *b, lw_bits *in) {
    enum { ANY_IN = 6, STRAY_IN = 10, ERROR_IN = 3 };
    const lw_contiguity *c = &b->u->walk.contiguity;
    own *o = b->own;
    const bool waits = c->state == LW_CHECK_READ || c->state == LW_CHECK_DRAIN;
    const uint32_t open = waits ? c->asked & ~(uint32_t)c->got : 0;
    if (open != 0 && !lw_one_in(&b->rng, ANY_IN)) {
        in[LINE_PLACE].w[0] = lw_draw_bit(&b->rng, open);
    } else {
        in[LINE_HEAD].w[0] &= open != 0 || lw_one_in(&b->rng, STRAY_IN);
    }
    in[LINE_ERROR].w[0] &= lw_one_in(&b->rng, ERROR_IN);
    const uint32_t x = (uint32_t)c->job.vsn & 7, i = (uint32_t)in[LINE_PLACE].w[0];
    for (uint32_t j = 0; j < LW_HEADS; j++) {
        o->line[j] = draw_head(b, i, x, c->head[x].pfn, c->head[x].perm);
    }
    if (b->u->cfg.hw.pwc_org == LW_PWC_OF_STEPS && c->job.tagged) {
        draw_slot(b, &c->job, o->line);
    }
}

static void legal(lw_bench *b, lw_bits *in) {
    const lw_config *cfg = &b->u->cfg;
    own *o = b->own;
    const bool hashes = cfg->hw.pwc_org == LW_PWC_OF_STEPS;
    lw_decoded line;
    in[CHECK_OF_SLOT].w[0] &= hashes; /* R16.1 */
    if (in[CHECK_VALID].w[0] != 0) {  /* one line at a time (R8.3) */
        draw_check(b, in);
        in[LINE_HEAD].w[0] = 0;
        in[LINE_ERROR].w[0] = 0;
    } else {
        draw_arrival(b, in);
    }
    static const lw_reading leaf = {.level = 1};
    lw_decode_line(cfg, o->line, &leaf, 0, 0, &line);
    in[LINE_VERDICT] = line.verdict;
    in[LINE_FRAME] = line.frame;
    if (hashes) {
        lw_slot_at_port(o->line, &in[LINE_SIZED], &in[LINE_TAG]);
    }
    in[HEAD_TAKEN].w[0] &= lw_contiguity_asks(&b->u->walk.contiguity) != LW_NONE;
    in[JOIN_TAKEN].w[0] &= lw_contiguity_join(&b->u->walk.contiguity).valid;
    const bool met = in[MARK_ALL].w[0] != 0 ||
                     (in[MARK_PASID].w[0] != 0 && in[MARK_VALUE].w[0] == in[CHECK_PASID].w[0]);
    /* A scan that the mark meets asks for nothing (R11.7), DRAIN is waited for (R11.5), and no
     * sweep is under way at a mark (R11.4). */
    in[MARK].w[0] &=
        (in[CHECK_VALID].w[0] == 0 || !met) && b->u->walk.contiguity.state != LW_CHECK_DRAIN;
    in[AT_REST].w[0] |= in[MARK].w[0];
}

/* ---------------------------------------------------------------- the twin */

static int32_t arrived(const lw_bench *b, const lw_bits *in) {
    const uint32_t tag = b->u->cfg.hw.walkers + (uint32_t)in[LINE_PLACE].w[0];
    return in[LINE_HEAD].w[0] != 0 ? lw_contiguity_waits_for(&b->u->walk.contiguity, tag) : LW_NONE;
}

/* The cycle of a check that sees an MSC. */
static void work(lw_bench *b, const lw_bits *in, lw_contiguity *c, lw_msc *msc,
                 lw_events *counted) {
    const lw_config *cfg = &b->u->cfg;
    const own *o = b->own;
    lw_check check = o->job;
    check.valid = in[CHECK_VALID].w[0] != 0;
    const lw_contiguity_events events = {
        .check = &check,
        .line = o->line,
        .arrived = arrived(b, in),
        .error = in[LINE_ERROR].w[0] != 0,
        .asked = in[HEAD_TAKEN].w[0] != 0 ? lw_contiguity_asks(c) : LW_NONE,
        .join_taken = in[JOIN_TAKEN].w[0] != 0,
    };
    if (cfg->hw.head_first != 0) {
        lw_contiguity_step(c, NULL, &events, counted);
        return;
    }
    if (c->state == LW_CHECK_COMPARE || c->state == LW_CHECK_FILL) {
        lw_msc_init(msc, cfg, &b->u->watch);
    }
    if (c->state == LW_CHECK_COMPARE && in[MSC_HIT].w[0] != 0) {
        const lw_msc_key key = {c->job.pasid, c->job.vsn, c->job.node};
        lw_msc_fill(msc, &key);
        lw_msc_settle(msc, &key, (uint8_t)in[MSC_MAP_IN].w[0]);
    }
    msc->sweep = in[AT_REST].w[0] == 0;
    lw_contiguity_step(c, msc, &events, counted);
}

/* R16.14: whether the MSC is told the set of a job, in the cycle that leads to this. */
static bool is_told(const lw_contiguity *c) {
    return c->state == LW_CHECK_LOOKUP || c->state == LW_CHECK_COMPARE ||
           c->state == LW_CHECK_FILL || (c->state == LW_CHECK_JOIN && c->cfg->hw.head_first == 0);
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const lw_contiguity *c = &b->u->walk.contiguity;
    own *o = b->own;
    lw_events counted = {{0}};
    o->scratch = *c;
    work(b, in, &o->scratch, &o->scratch_msc, &counted);
    out[LINE_TAKEN].w[0] = arrived(b, in) != LW_NONE;
    out[HEAD_REQ].w[0] = lw_contiguity_asks(c) != LW_NONE;
    out[HEAD_PLACE].w[0] = (uint64_t)lw_contiguity_asks(c);
    out[HEAD_NODE].w[0] = c->job.node;
    out[MSC_LOOK].w[0] = counted.total[LW_C_MSC_LOOKUPS];
    out[MSC_FILL].w[0] = c->state == LW_CHECK_FILL && o->scratch_msc.place.write;
    out[MSC_PASID].w[0] = c->job.pasid;
    out[MSC_NODE].w[0] = c->job.node;
    out[MSC_FRAME].w[0] = c->job.vsn >> (LW_FRAME_SHIFT - LW_SUBREGION_SHIFT);
    out[MSC_NEXT_FRAME].w[0] = o->scratch.job.vsn >> (LW_FRAME_SHIFT - LW_SUBREGION_SHIFT);
    out[MSC_MAP_OUT].w[0] = c->map;
    if (out[MSC_LOOK].w[0] == 0 && out[MSC_FILL].w[0] == 0) {
        memset(&b->unsaid[MSC_PASID], 0xff, sizeof b->unsaid[MSC_PASID]);
        memset(&b->unsaid[MSC_FRAME], 0xff, sizeof b->unsaid[MSC_FRAME]);
    }
    if (!is_told(&o->scratch)) {
        memset(&b->unsaid[MSC_NEXT_FRAME], 0xff, sizeof b->unsaid[MSC_NEXT_FRAME]);
    }
    const lw_join join = lw_contiguity_join(c);
    out[JOIN_VALID].w[0] = join.valid;
    out[JOIN_PASID].w[0] = join.pasid;
    out[JOIN_VSN].w[0] = join.vsn;
    out[JOIN_LENGTH].w[0] = join.length;
    out[JOIN_PFN].w[0] = join.pfn;
    out[JOIN_PERM].w[0] = join.perm;
    out[MERGED].w[0] = counted.total[LW_C_CHECKS_MERGED];
    out[DROPPED].w[0] = counted.total[LW_C_CHECKS_DROPPED];
    out[DRAINING].w[0] = c->state == LW_CHECK_DRAIN;
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_contiguity *c = &b->u->walk.contiguity;
    work(b, in, c, &b->u->walk.msc, &b->u->events);
    if (in[MARK].w[0] != 0) {
        lw_contiguity_mark(c, &(lw_mark){.valid = true,
                                         .all = in[MARK_ALL].w[0] != 0,
                                         .one = in[MARK_PASID].w[0] != 0,
                                         .pasid = (uint32_t)in[MARK_VALUE].w[0]});
    }
}

const lw_module lw_module_contiguity = {
    .top = "contiguity",
    .parameters = "VpnW PfnW PasidW CheckQueue HeadFirst Hashes",
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
