/* The unified TLB: lookups, fills, marks and sweeps at once, in a small world of VPNs and PASIDs.
 */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"
#include "tests/modules/shapes.h"

enum {
    REQ_FIRE,
    REQ_ID,
    REQ_SRC,
    REQ_PASID,
    REQ_PAGE,
    REQ_ACCESS,
    SECOND_TURN,
    SECOND_VALID,
    SECOND_WALKER,
    SECOND_ID,
    SECOND_SRC,
    SECOND_PASID,
    SECOND_PAGE,
    SECOND_ACCESS,
    COLT_ENABLE,
    ROOT_VALID,
    TOLD_CLASS,
    TOLD_VPN,
    FILL_VALID,
    FILL_CLASS,
    FILL_PASID,
    FILL_VPN,
    FILL_LENGTH,
    FILL_PFN,
    FILL_PERM,
    FILL_SIZE,
    MARK,
    MARK_ALL,
    MARK_PASID,
    MARK_VALUE,
    SWEEP_VALID,
    SWEEP_SET,
    INV_TYPE,
    INV_PASID,
    INV_FIRST,
    INV_LAST
};
enum {
    DEC_VALID,
    DEC_HIT,
    DEC_MISS,
    DEC_KIND,
    DEC_ID,
    DEC_SRC,
    DEC_PASID,
    DEC_PAGE,
    DEC_ACCESS,
    DEC_PFN,
    DEC_SIZE,
    DEC_PERM,
    DEC_LINKS,
    DEC_SUBREGION,
    END_HIT,
    END_MISS,
    END_WALKER
};

/* Two tags and a few sets; the upper bit makes another 2 MiB page of it. */
#define PAGES UINT64_C(0x213)

static const lw_input inputs[] = {
    [REQ_FIRE] = {"req_fire_i", LW_PERCENT, 60},
    [REQ_ID] = {"req_i.id", LW_UNIFORM, 0},
    [REQ_SRC] = {"req_i.src", LW_UNIFORM, 0},
    [REQ_PASID] = {"req_i.pasid", LW_MASKED, 1},
    [REQ_PAGE] = {"req_i.page", LW_MASKED, PAGES},
    [REQ_ACCESS] = {"req_i.access", LW_UNIFORM, 0},
    [SECOND_TURN] = {"second_i.turn", LW_PERCENT, 40},
    [SECOND_VALID] = {"second_i.valid", LW_PERCENT, 80},
    [SECOND_WALKER] = {"second_i.walker", LW_ZERO, 0},
    [SECOND_ID] = {"second_i.request.id", LW_UNIFORM, 0},
    [SECOND_SRC] = {"second_i.request.src", LW_UNIFORM, 0},
    [SECOND_PASID] = {"second_i.request.pasid", LW_MASKED, 1},
    [SECOND_PAGE] = {"second_i.request.page", LW_MASKED, PAGES},
    [SECOND_ACCESS] = {"second_i.request.access", LW_UNIFORM, 0},
    [COLT_ENABLE] = {"colt_enable_i", LW_PERCENT, 85},
    [ROOT_VALID] = {"root_valid_i", LW_ZERO, 0},
    [TOLD_CLASS] = {"told_fill_i.span", LW_ZERO, 0},
    [TOLD_VPN] = {"told_fill_i.vpn", LW_ZERO, 0},
    [FILL_VALID] = {"fill_i.valid", LW_PERCENT, 30},
    [FILL_CLASS] = {"fill_i.span", LW_PERCENT, 50},
    [FILL_PASID] = {"fill_i.key.pasid", LW_MASKED, 1},
    [FILL_VPN] = {"fill_i.key.vpn", LW_MASKED, PAGES},
    [FILL_LENGTH] = {"fill_i.length", LW_UNIFORM, 0},
    [FILL_PFN] = {"fill_i.pfn", LW_UNIFORM, 0},
    [FILL_PERM] = {"fill_i.perm", LW_UNIFORM, 0},
    [FILL_SIZE] = {"fill_i.size", LW_UNIFORM, 0},
    [MARK] = {"mark_i.valid", LW_PERCENT, 6},
    [MARK_ALL] = {"mark_i.all", LW_PERCENT, 20},
    [MARK_PASID] = {"mark_i.one", LW_PERCENT, 80},
    [MARK_VALUE] = {"mark_i.pasid", LW_MASKED, 1},
    [SWEEP_VALID] = {"sweep_i.valid", LW_PERCENT, 6},
    [SWEEP_SET] = {"sweep_i.set_index", LW_UNIFORM, 0},
    [INV_TYPE] = {"sweep_i.inv.inv_type", LW_UNIFORM, 0},
    [INV_PASID] = {"sweep_i.inv.pasid", LW_MASKED, 1},
    [INV_FIRST] = {"sweep_i.inv.first", LW_MASKED, PAGES},
    [INV_LAST] = {"sweep_i.inv.last", LW_MASKED, PAGES},
};

static const lw_output outputs[] = {
    [DEC_VALID] = {"decided_o.valid", 0},
    [DEC_HIT] = {"decided_o.hit", 0},
    [DEC_MISS] = {"decided_o.miss", 0},
    [DEC_KIND] = {"decided_o.kind", 0},
    [DEC_ID] = {"decided_o.request.id", 0},
    [DEC_SRC] = {"decided_o.request.src", 0},
    [DEC_PASID] = {"decided_o.request.pasid", 0},
    [DEC_PAGE] = {"decided_o.request.page", 0},
    [DEC_ACCESS] = {"decided_o.request.access", 0},
    [DEC_PFN] = {"decided_o.pfn", 0},
    [DEC_SIZE] = {"decided_o.size", 0},
    [DEC_PERM] = {"decided_o.perm", 0},
    [DEC_LINKS] = {"decided_o.links", 0},
    [DEC_SUBREGION] = {"decided_o.subregion", 0},
    [END_HIT] = {"second_o.hit", 0},
    [END_MISS] = {"second_o.miss", 0},
    [END_WALKER] = {"second_o.walker", 0},
};

static const lw_registers_of registers[] = {
    {LW_S_TLB_PIPE, "u_pipe", NULL},  {LW_S_TLB, "", NULL},
    {LW_S_TLB_RANK, "u_ranks", NULL}, {LW_S_TLB_INSERTIONS, "u_ranks.gen_bimodal", NULL},
    {LW_S_TLB_RANGE, "", NULL},       {LW_S_TLB_FOUND, "", NULL},
    {LW_S_PLACE, "", NULL},           {LW_S_TLB_REFUSAL, "u_pipe", NULL},
    {LW_S_TLB_SWEPT, "", NULL}};

enum { ROOT_CHANGES = 50, NONCANONICAL_IN = 16 };

/* With subregions a page has a place in its frame too, and there are more frames. */
static void spread(lw_bench *b, lw_bits *page) {
    enum { PLACES_AND_FRAME = 0x5c0, FAR_FRAME = 0x10000, FAR_IN = 4 };
    page->w[0] ^= lw_rng_next(&b->rng) & PLACES_AND_FRAME;
    page->w[0] ^= lw_one_in(&b->rng, FAR_IN) ? FAR_FRAME : 0;
}

/* R3.14: a run lies in its group, a large page is held as one of its pages. */
static void shape_run(lw_bench *b, lw_bits *in) {
    enum { LARGE_IN = 6 };
    const uint64_t left = LW_RUN_PLACES - 1 - lw_run_place(in[FILL_VPN].w[0]);
    in[FILL_CLASS].w[0] = 1;
    in[FILL_SIZE].w[0] = lw_one_in(&b->rng, LARGE_IN) ? in[FILL_SIZE].w[0] : 0;
    in[FILL_LENGTH].w[0] = in[FILL_SIZE].w[0] != 0 ? 0 : in[FILL_LENGTH].w[0] % (left + 1);
}

/* R3.8, R16.10: what answers and joined entries fill. */
static void shape_fill(lw_bench *b, lw_bits *in) {
    enum { SIZE_64K = 3 };
    const lw_config *cfg = &b->u->cfg;
    uint64_t *page = &in[FILL_VPN].w[0], *length = &in[FILL_LENGTH].w[0];
    if (in[FILL_SIZE].w[0] == SIZE_64K && !lw_has_sizes(&cfg->hw)) { /* R1.7, R20.5 */
        in[FILL_SIZE].w[0] = 0;
    }
    if (cfg->hw.colt == LW_COLT_FULL) {
        shape_run(b, in);
        return;
    }
    in[FILL_CLASS].w[0] &= cfg->span.first_way != cfg->hw.tlb_ways;
    if (in[FILL_CLASS].w[0] == 0) {
        *length = 0; /* R3.6 */
        return;
    }
    *length = lw_one_in(&b->rng, 3) ? 0 : *length;
    if (in[FILL_SIZE].w[0] != 0 || lw_subregion_place(*page) + *length > 7) {
        *page &= ~lw_reach_mask(LW_REACH_FRAME);
        *length = in[FILL_SIZE].w[0] != 0 ? 7 : *length;
    }
    if (in[FILL_SIZE].w[0] != 0) {
        in[FILL_PFN].w[0] &= ~lw_reach_mask(LW_REACH_FRAME);
    }
    *page &= ~lw_reach_mask(LW_REACH_SUBREGION);
}

/* Roots change now and then; a page is mostly canonical, and of both halves of the space; a swept
 * set exists by its width. */
/* What fills in the next cycle, as it is told ahead of it. */
enum { FILL_INPUTS = FILL_SIZE - FILL_VALID + 1 };

typedef struct own {
    uint64_t roots;
    lw_bits fill[FILL_INPUTS];
    uint32_t sweep_set; /* of the next sweep */
} own;

/* R5.26: a second lookup is of a walker that has read an entry, so its page is canonical, and its
 * PASID has had a root. No request is transferred in a cycle that is one's (R2.4). */
static void shape_second(lw_bench *b, lw_bits *in) {
    const lw_config *cfg = &b->u->cfg;
    in[SECOND_TURN].w[0] &= cfg->hw.second_lookup;
    in[SECOND_VALID].w[0] &= in[SECOND_TURN].w[0];
    in[REQ_FIRE].w[0] &= in[SECOND_TURN].w[0] == 0;
    in[SECOND_WALKER].w[0] = lw_rng_below(&b->rng, cfg->hw.walkers);
    in[SECOND_PASID].w[0] &= cfg->hw.pasids - 1;
    in[SECOND_PAGE].w[0] = lw_page_of_vpn(cfg, in[SECOND_PAGE].w[0] & cfg->vpn_mask);
}

static void legal(lw_bench *b, lw_bits *in) {
    const lw_config *cfg = &b->u->cfg;
    own *o = b->own;
    if (lw_rng_below(&b->rng, ROOT_CHANGES) == 0) {
        o->roots = ~lw_draw_sparse(&b->rng);
    }
    in[COLT_ENABLE].w[0] &= cfg->hw.colt != LW_COLT_NONE; /* R12.2 */
    in[ROOT_VALID].w[0] = o->roots & ((UINT64_C(1) << cfg->hw.pasids) - 1);
    if (cfg->hw.subregions != 0) {
        const uint32_t pages[] = {REQ_PAGE, SECOND_PAGE, FILL_VPN, INV_FIRST, INV_LAST};
        for (uint32_t i = 0; i < LW_COUNT(pages); i++) {
            spread(b, &in[pages[i]]);
        }
    }
    shape_fill(b, in);
    for (uint32_t i = 0; i < FILL_INPUTS; i++) {
        const lw_bits later = in[FILL_VALID + i];
        in[FILL_VALID + i] = o->fill[i];
        o->fill[i] = later;
    }
    in[TOLD_CLASS] = o->fill[FILL_CLASS - FILL_VALID];
    in[TOLD_VPN] = o->fill[FILL_VPN - FILL_VALID];
    in[MARK].w[0] &= in[SWEEP_VALID].w[0] == 0; /* R11.2 */
    uint64_t *page = &in[REQ_PAGE].w[0];
    if (lw_rng_below(&b->rng, NONCANONICAL_IN) == 0) {
        *page |= lw_rng_next(&b->rng) << (cfg->vpn_w - 1) & ((UINT64_C(1) << 52) - 1);
    }
    shape_second(b, in);
    /* R11.4: set 0 in the cycle after a mark, and upward. */
    in[SWEEP_SET].w[0] = o->sweep_set;
    o->sweep_set = in[MARK].w[0] != 0 ? 0 : (o->sweep_set + 1) % cfg->sets;
}

static void take_inputs(lw_bench *b, const lw_bits *in) {
    lw_iommu *u = b->u;
    for (uint32_t p = 0; p < u->cfg.hw.pasids; p++) {
        u->control.roots.root[p] = (in[ROOT_VALID].w[0] >> p & 1) << 63;
    }
    u->control.features.colt_enable = in[COLT_ENABLE].w[0] != 0;
}

static lw_lookup decide(const lw_iommu *u) {
    const lw_request *q = lw_tlb_last_stage(&u->tlb);
    lw_lookup l = {.hit = false};
    if (q != NULL) {
        lw_tlb_decide(&u->tlb, q, &u->control.features, &l);
    }
    return l;
}

static void leave_unsaid(lw_bench *b, uint32_t first, uint32_t last) {
    for (uint32_t o = first; o <= last; o++) {
        memset(&b->unsaid[o], 0xff, sizeof b->unsaid[o]);
    }
}

/* R5.28: a second hit says what a hit says (R3.3), a second miss only whose it is. */
static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    take_inputs(b, in);
    const lw_request *q = lw_tlb_last_stage(&b->u->tlb);
    const lw_lookup l = decide(b->u);
    if (q == NULL || (q->second && !l.hit)) {
        leave_unsaid(b, DEC_KIND, DEC_ACCESS);
    }
    if (q == NULL || !l.hit) {
        leave_unsaid(b, DEC_PFN, DEC_SUBREGION);
    }
    if (q == NULL || !q->second) {
        leave_unsaid(b, END_WALKER, END_WALKER);
    }
    if (q == NULL) {
        return;
    }
    out[DEC_VALID].w[0] = !q->second;
    out[DEC_HIT].w[0] = l.hit && !q->second;
    out[DEC_MISS].w[0] = l.kind == LW_OK && !l.hit && !q->second;
    out[END_HIT].w[0] = l.hit && q->second;
    out[END_MISS].w[0] = !l.hit && q->second;
    out[END_WALKER].w[0] = q->walker;
    out[DEC_KIND].w[0] = l.kind;
    out[DEC_ID].w[0] = q->id;
    out[DEC_SRC].w[0] = q->src;
    out[DEC_PASID].w[0] = q->pasid;
    out[DEC_PAGE].w[0] = q->page;
    out[DEC_ACCESS].w[0] = q->access;
    out[DEC_PFN].w[0] = l.pfn;
    out[DEC_SIZE].w[0] = l.size;
    out[DEC_PERM].w[0] = l.perm;
    out[DEC_LINKS].w[0] = l.links;
    out[DEC_SUBREGION].w[0] = l.subregion && !q->second; /* 21 counts those of requests */
    if (b->u->cfg.hw.colt == LW_COLT_FULL) { /* there is no counter that it would count */
        b->unsaid[DEC_SUBREGION].w[0] = UINT64_MAX;
    }
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_tlb *t = &b->u->tlb;
    take_inputs(b, in);
    const lw_lookup l = decide(b->u);
    const lw_fill fill = {.page = in[FILL_VPN].w[0],
                          .pfn = in[FILL_PFN].w[0],
                          .pasid = (uint32_t)in[FILL_PASID].w[0],
                          .valid = in[FILL_VALID].w[0] != 0,
                          .span = in[FILL_CLASS].w[0] != 0,
                          .length = (uint8_t)in[FILL_LENGTH].w[0],
                          .perm = (uint8_t)in[FILL_PERM].w[0],
                          .size = (uint8_t)in[FILL_SIZE].w[0]};
    const lw_mark mark = {.valid = in[MARK].w[0] != 0,
                          .all = in[MARK_ALL].w[0] != 0,
                          .one = in[MARK_PASID].w[0] != 0,
                          .pasid = (uint32_t)in[MARK_VALUE].w[0]};
    const lw_sweep by = {.valid = in[SWEEP_VALID].w[0] != 0,
                         .type = (uint8_t)in[INV_TYPE].w[0],
                         .set = (uint32_t)in[SWEEP_SET].w[0],
                         .pasid = (uint32_t)in[INV_PASID].w[0],
                         .first = in[INV_FIRST].w[0],
                         .last = in[INV_LAST].w[0]};
    lw_tlb_look_up(t, &b->u->control.roots);
    lw_tlb_step(t, &(lw_tlb_events){.hit = l.hit ? (int32_t)l.entry : LW_NONE,
                                    .sweep = &by,
                                    .fill = &fill,
                                    .marked = lw_mark_meets(&mark, fill.pasid)});
    const lw_request request = {.page = in[REQ_PAGE].w[0],
                                .pasid = (uint32_t)in[REQ_PASID].w[0],
                                .id = (uint16_t)in[REQ_ID].w[0],
                                .src = (uint16_t)in[REQ_SRC].w[0],
                                .access = (uint8_t)in[REQ_ACCESS].w[0],
                                .valid = true};
    const lw_request second = {.page = in[SECOND_PAGE].w[0],
                               .pasid = (uint32_t)in[SECOND_PASID].w[0],
                               .id = (uint16_t)in[SECOND_ID].w[0],
                               .src = (uint16_t)in[SECOND_SRC].w[0],
                               .access = (uint8_t)in[SECOND_ACCESS].w[0],
                               .walker = (uint8_t)in[SECOND_WALKER].w[0],
                               .valid = true,
                               .second = true};
    const lw_request *entering = in[REQ_FIRE].w[0] != 0       ? &request
                                 : in[SECOND_VALID].w[0] != 0 ? &second
                                                              : NULL;
    lw_tlb_advance(t, entering);
}

const lw_module lw_module_unified_tlb = {
    .top = "unified_tlb",
    .parameters = "VpnW PfnW PasidW IdW SrcW TlbEntries TlbWays TlbLatency TlbPartition TlbBimodal "
                  "Subregions ParLookup Colt WalkerW SecondLookup",
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
