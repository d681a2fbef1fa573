/* What the page walkers show in a cycle, by the twin (page_walkers.c). */
#include "tests/modules/draws.h"
#include "tests/modules/walk/walker_ports.h"

static void unsaid(const lw_bench *bench, uint32_t output) {
    memset(&bench->unsaid[output], 0xff, sizeof bench->unsaid[output]);
}

/* R4.3; a walker without an access in flight may show anything. */
static void show_flight(const lw_bench *bench, lw_bits *out) {
    const lw_iommu *u = bench->u;
    const uint32_t valid = lw_walkers_in_flight(&u->walk.walkers);
    const uint32_t pasid_w = lw_log2(u->cfg.hw.pasids);
    out[FLIGHT_VALID].w[0] = valid;
    for (uint32_t i = 0; i < u->cfg.hw.walkers; i++) {
        const lw_access a = lw_walkers_flying(&u->walk.walkers.walker[i]);
        const bool shown = (valid >> i & 1) != 0;
        lw_bits *to = shown ? out : bench->unsaid;
        lw_bits_put(&to[FLIGHT_VPN], i * u->cfg.vpn_w, u->cfg.vpn_w,
                    shown ? lw_key_vpn(a.key) : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_PASID], i * pasid_w, pasid_w,
                    shown ? lw_key_pasid(a.key) : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_LEVEL], i * 3, 3, shown ? a.level : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_PERM], i * 2, 2, shown ? a.perm : UINT64_MAX);
        lw_bits_put(&to[FLIGHT_REACH], i * 2, 2, shown ? a.reach : UINT64_MAX);
    }
}

/* What the CAM takes; what R4.7 calls zero the buffer may make so. */
static void show_cam(const lw_bench *bench, const lw_cam_op *op, lw_bits *out) {
    out[CAM_OP].w[0] = op->op;
    out[CAM_PASID].w[0] = lw_key_pasid(op->key);
    out[CAM_VPN].w[0] = lw_key_vpn(op->key);
    out[CAM_LEVEL].w[0] = op->level;
    out[CAM_REACH].w[0] = op->reach;
    out[CAM_POSITION].w[0] = op->position;
    out[CAM_ERROR].w[0] = op->error;
    out[CAM_FAILED].w[0] = op->failed;
    out[CAM_PERM].w[0] = op->perm;
    out[CAM_LINKS].w[0] = op->links;
    out[CLAIM_VALID].w[0] = op->op != LW_OP_NONE && op->claim;
    out[CLAIM_LEVEL].w[0] = op->claim_level;
    out[CLAIM_REACH].w[0] = op->claim_reach;
    out[CLAIM_PERM].w[0] = op->claim_perm;
    if (op->op == LW_OP_COMMIT) {
        unsaid(bench, CAM_LEVEL);
    }
    if (op->op != LW_OP_SCAN) {
        static const uint8_t of_scan[] = {CAM_REACH,  CAM_POSITION, CAM_ERROR,
                                          CAM_FAILED, CAM_PERM,     CAM_LINKS};
        for (uint32_t i = 0; i < sizeof of_scan; i++) {
            unsaid(bench, of_scan[i]);
        }
    }
}

/* The line as the CAM takes it, or as the check does its first PTE (R16.7). */
static void show_line(const lw_bench *bench, const walker_work *work, bool head, lw_bits *out) {
    enum { VERDICT_W = 8 };
    static const lw_reading leaf = {.level = 1};
    const lw_cam_op *op = &work->op;
    const lw_config *cfg = &bench->u->cfg;
    const lw_walkers *w = &bench->u->walk.walkers;
    lw_decoded line;
    if (op->op == LW_OP_SCAN) {
        lw_decode_line(cfg, w->line, &work->scan.as, lw_key_vpn(op->key),
                       walkers_contig_mask(bench, &work->turns), &line);
        out[CAM_VERDICT] = line.verdict;
        out[CAM_FRAME] = line.frame;
        out[CAM_CONTIG] = line.contig;
        out[CAM_SIZE] = line.size;
        return;
    }
    unsaid(bench, CAM_VERDICT);
    unsaid(bench, CAM_FRAME);
    unsaid(bench, CAM_CONTIG);
    unsaid(bench, CAM_SIZE);
    if (head && !w->line_error) {
        lw_decode_line(cfg, w->line, &leaf, 0, 0, &line);
        out[CAM_VERDICT] = line.verdict;
        out[CAM_FRAME] = line.frame;
        lw_bits_put(&bench->unsaid[CAM_VERDICT], 0, VERDICT_W, 0);
        lw_bits_put(&bench->unsaid[CAM_FRAME], 0, cfg->pfn_w, 0);
    }
}

/* R16.7: the head whose tag the line register has, as a check sees it that waits for all of them.
 */
static int32_t head_of_line(const lw_bench *bench) {
    const lw_walkers *w = &bench->u->walk.walkers;
    lw_contiguity all = bench->u->walk.contiguity;
    all.state = LW_CHECK_READ;
    all.asked = UINT8_MAX;
    all.got = 0;
    return bench->u->cfg.hw.subregions != 0 && w->line_valid
               ? lw_contiguity_waits_for(&all, w->line_tag)
               : LW_NONE;
}

/* Chapter 16, as far as it concerns the walkers. */
static void show_check(const lw_bench *bench, const lw_bits *in, const walker_work *done,
                       lw_bits *out) {
    const lw_walkers *w = &bench->u->walk.walkers;
    const int32_t head = head_of_line(bench);
    const lw_turns *t = &done->turns;
    if (t->scan_on_cam) {
        const lw_check job = lw_walkers_check(&w->walker[t->scanner], &done->scan.own);
        out[CHECK_VALID].w[0] = job.valid;
        out[CHECK_PASID].w[0] = job.pasid;
        out[CHECK_VSN].w[0] = job.vsn;
        out[CHECK_BITS].w[0] = job.bits;
        out[CHECK_NODE].w[0] = job.node;
        out[CHECK_PFN].w[0] = job.pfn;
        out[CHECK_PERM].w[0] = job.perm;
        out[CHECK_PTE_PERM].w[0] = job.pte_perm;
        out[CHECK_OF_SLOT].w[0] = job.tagged;
    }
    out[HEAD_TAKEN].w[0] = walkers_take_head(w, in);
    out[HEAD_TRANSFER].w[0] = w->req_valid && in[MEM_READY].w[0] != 0 && /* R12.5 (20) */
                              w->req_tag >= bench->u->cfg.hw.walkers;
    out[LINE_HEAD].w[0] = head != LW_NONE;
    out[LINE_PLACE].w[0] = (uint64_t)head;
    out[LINE_ERROR].w[0] = w->line_error;
    if (bench->u->cfg.hw.pwc_org == LW_PWC_OF_STEPS) { /* R16.15 */
        lw_slot_at_port(w->line, &out[LINE_SIZED], &out[LINE_TAG]);
    }
}

/* R6.7: the index of the PTE that a walker of this number reads. Without one in this state, or at
 * level 1, of which the cache keeps nothing, and where there is none (R21.1), what is told is used
 * by nobody. */
static void show_told(const lw_bench *bench, uint64_t number, bool used, uint32_t output,
                      lw_bits *out) {
    const lw_pwst *p = &bench->u->walk.walkers.walker[used ? number : 0];
    if (used && p->level > 1 && bench->u->cfg.hw.pwc_org != LW_PWC_OF_STEPS) {
        out[output].w[0] = lw_index(p->key, p->level);
    } else {
        unsaid(bench, output);
    }
}

/* R6.7 */
static void show_ahead(const lw_bench *bench, const lw_bits *in, lw_bits *out) {
    const lw_iommu *u = bench->u;
    const uint64_t looking = (uint64_t)__builtin_ctzll(in[TOLD_WALKER].w[0]);
    const uint64_t line = in[MEM_TAG].w[0];
    const uint32_t state = u->walk.walkers.walker[looking].state;
    show_told(bench, looking, state == LW_PWC_REQ || state == LW_PWC_WAIT, TOLD_LOOK, out);
    show_told(bench, line, line < u->cfg.hw.walkers && u->walk.walkers.walker[line].state == LW_MEM,
              TOLD_FILL, out);
}

/* R6.1, R6.5, R6.6 */
static void show_pwc(const lw_bench *bench, const lw_bits *in, const walker_work *done,
                     lw_bits *out) {
    const lw_iommu *u = bench->u;
    const lw_turns *t = &done->turns;
    const lw_verdict *verdict = &done->scan.own;
    const lw_walkers *w = &u->walk.walkers;
    const lw_mark mark = lw_invalidation_mark(&u->invalidation);
    const int32_t entering = lw_walkers_oldest(w, w->in_state[LW_PWC_REQ]);
    out[ENTER].w[0] = entering != LW_NONE;
    out[ENTER_WALKER].w[0] = entering != LW_NONE ? UINT64_C(1) << entering : 0;
    const lw_pwst *key = &w->walker[in[KEY_WALKER].w[0]];
    out[KEY_VPN].w[0] = lw_key_vpn(key->key);
    out[KEY_PASID].w[0] = lw_key_pasid(key->key);
    out[KEY_ACCESS].w[0] = key->access;
    out[KEY_LEVEL].w[0] = key->level;
    out[KEY_NODE].w[0] = key->node;
    out[KEY_PERM].w[0] = key->perm;
    out[KEY_CONTIG].w[0] = key->contig;
    out[KEY_WHERE].w[0] = key->where;
    out[KEY_RETRIED].w[0] = key->retried;
    out[KEY_BUCKET].w[0] = key->bucket;
    const bool asked = key->state == LW_PWC_REQ || key->state == LW_PWC_WAIT;
    for (uint32_t o = KEY_VPN; o <= KEY_BUCKET && !asked; o++) {
        unsaid(bench, o);
    }
    const lw_pwst *p = &w->walker[t->scanner != LW_NONE ? t->scanner : 0];
    if (t->scan_on_cam && lw_walkers_fill_pwc(w, p, verdict, &u->control.features, &mark)) {
        out[FILL_VALID].w[0] = 1;
        out[FILL_LEVEL].w[0] = p->level;
        out[FILL_VPN].w[0] = lw_key_vpn(p->key);
        out[FILL_PASID].w[0] = lw_key_pasid(p->key);
        out[FILL_PARENT].w[0] = p->node;
        out[FILL_NODE].w[0] = verdict->frame;
        out[FILL_PERM].w[0] = verdict->perm;
        out[FILL_PTE_PERM].w[0] = verdict->own_perm;
        out[FILL_CONTIG].w[0] = verdict->contig;
    }
}

/* R21.14, R21.17; whose lookup enters is one that may find a step (R12.5 (8)). */
static void show_steps(const lw_bench *bench, const walker_work *done, lw_bits *out) {
    static const uint8_t counted[][2] = {
        {STEP_READ, LW_C_STEP_READS},     {TABLE_READ, LW_C_TABLE_READS},
        {VICTIM_WALK, LW_C_VICTIM_WALKS}, {VICTIM_READ, LW_C_VICTIM_READS},
        {TAG_MISS, LW_C_TAG_MISSES},      {STEP_RETRY, LW_C_STEP_RETRIES},
    };
    const lw_walkers *w = &bench->u->walk.walkers;
    const lw_step_fill *fill = &done->scan.fill;
    const int32_t entering = lw_walkers_oldest(w, w->in_state[LW_PWC_REQ]);
    out[STEPS_VALID].w[0] = fill->valid;
    out[STEPS_VPN].w[0] = lw_key_vpn(fill->key);
    out[STEPS_PASID].w[0] = lw_key_pasid(fill->key);
    out[STEPS].w[0] = fill->steps;
    out[STEPS_AC].w[0] = fill->contigs.ac;
    out[STEPS_C].w[0] = fill->contigs.c[0];
    out[STEPS_C].w[1] = fill->contigs.c[1];
    out[STEP_LOOK].w[0] = entering != LW_NONE && w->walker[entering].where == LW_WHERE_LOOKUP;
    for (uint32_t i = 0; i < LW_COUNT(counted); i++) {
        out[counted[i][0]].w[0] = done->counted.total[counted[i][1]];
    }
}

/* R10.1, R10.2, R10.13; from ANS or SCANNED on. */
static void show_result(const lw_result *r, lw_bits *out) {
    out[ANS_VALID].w[0] = r->valid;
    out[ANS_ID].w[0] = r->id;
    out[ANS_SRC].w[0] = r->src;
    out[ANS_PASID].w[0] = lw_key_pasid(r->key);
    out[ANS_VPN].w[0] = lw_key_vpn(r->key);
    out[ANS_ACCESS].w[0] = r->access;
    out[ANS_KIND].w[0] = r->kind;
    out[ANS_LEVEL].w[0] = r->level;
    out[ANS_PFN].w[0] = r->base;
    out[ANS_SIZE].w[0] = r->size;
    out[ANS_PERM].w[0] = r->perm;
    out[ANS_CONTIG].w[0] = r->contig;
    out[ANS_STALE].w[0] = r->stale;
}

/* R12.5 (16), R12.6 */
static void show_counts(const lw_bench *bench, lw_bits *out) {
    const lw_walkers *w = &bench->u->walk.walkers;
    const uint32_t bits = 32 - (uint32_t)__builtin_clz(bench->u->cfg.hw.walkers);
    const uint32_t causes[] = {w->count[LW_PWC_REQ] + w->count[LW_PWC_WAIT],
                               w->count[LW_READ] + w->count[LW_CAM], w->count[LW_REQ],
                               w->count[LW_MEM], w->count[LW_RESP]};
    for (uint32_t i = 0; i < LW_COUNT(causes); i++) {
        lw_bits_put(&out[CAUSE_COUNT], i * bits, bits, causes[i]);
    }
    out[IDLE_COUNT].w[0] = w->count[LW_IDLE];
}

static void show_entry(const lw_bench *bench, const walker_work *done, lw_bits *out) {
    const lw_walkers *w = &bench->u->walk.walkers;
    const lw_decision *d = &done->decision;
    out[WANTED].w[0] = walkers_want(bench);
    out[GIVE_BACK].w[0] = d->give_back;
    out[COMMIT].w[0] = d->leaves;
    out[DECIDED_SLOT].w[0] = d->slot;
    out[COALESCED_LEVELS].w[0] = done->counted.total[LW_C_COALESCED_LEVELS];
    out[READ_SLOT].w[0] = w->ask.slot;
    if (!d->give_back && !d->leaves) {
        unsaid(bench, DECIDED_SLOT);
    }
}

/* R2.4, R5.26, R5.28 */
static void show_second(const lw_bench *bench, const lw_bits *in, const lw_request *q,
                        lw_bits *out) {
    const lw_walkers *w = &bench->u->walk.walkers;
    out[TURN].w[0] = w->read.valid && w->read.first;
    out[SECOND].w[0] = q->valid;
    out[SECOND_ID].w[0] = q->id;
    out[SECOND_SRC].w[0] = q->src;
    out[SECOND_PASID].w[0] = q->pasid;
    out[SECOND_PAGE].w[0] = q->page;
    out[SECOND_ACCESS].w[0] = q->access;
    out[SECOND_OF].w[0] = q->walker;
    out[SECOND_FREES].w[0] = in[SECOND_HIT].w[0];
    out[FREED_SLOT].w[0] = w->walker[in[SECOND_WALKER].w[0]].slot;
}

void walker_outputs_show(const lw_bench *bench, const lw_bits *in, const walker_work *work,
                         lw_bits *out) {
    const lw_walkers *w = &bench->u->walk.walkers;
    show_entry(bench, work, out);
    show_flight(bench, out);
    show_cam(bench, &work->op, out);
    show_line(bench, work, head_of_line(bench) != LW_NONE, out);
    show_check(bench, in, work, out);
    show_ahead(bench, in, out);
    show_pwc(bench, in, work, out);
    show_steps(bench, work, out);
    show_second(bench, in, &work->second, out);
    out[REQ_VALID].w[0] = w->req_valid;
    out[REQ_TAG].w[0] = w->req_tag;
    out[REQ_LINE].w[0] = w->req_line;
    lw_result waiting = {.valid = false};
    lw_walkers_result(w, UINT32_MAX, &waiting);
    show_result(&waiting, &out[ANS]);
    show_result(&work->scanned, &out[SCANNED]);
    out[ANY_STALE].w[0] = w->stale != 0;
    out[STRAY].w[0] = w->line_valid && work->turns.scanner == LW_NONE; /* R8.4 */
    show_counts(bench, out);
}
