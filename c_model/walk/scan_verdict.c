#include "c_model/walk/scan_verdict.h"

#include "c_model/walk/walker_parts.h"

/* R7.4 */
static void move_on(lw_walkers *w, uint32_t i, const lw_verdict *own, uint32_t links,
                    const lw_features *features) {
    lw_pwst *p = &w->walker[i];
    if (own->kind != LW_OK) {
        lw_walker_fails(w, i, own->kind, p->level);
        return;
    }
    p->node = own->frame;
    p->perm = own->perm;
    if (!own->node) {
        p->contig = p->level == 1 ? p->contig : 0; /* R7.5 */
        p->kind = LW_OK;
        p->flevel = (uint8_t)links;
        p->size = own->size;
        lw_walker_goes(w, i, LW_RESP);
        return;
    }
    p->level = (p->level - 1u) & 7;
    p->contig = own->contig;
    const bool lookup =
        w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS && features->pwc_enable && p->level >= 2;
    lw_walker_goes(w, i, lookup ? LW_PWC_REQ : LW_REQ);
}

void lw_scan_judge(lw_walkers *w, uint32_t i, const lw_features *features, lw_scan *s) {
    const lw_pwst *p = &w->walker[i];
    const lw_cam_op *o = &s->op;
    const uint64_t vpn = lw_key_vpn(o->key);
    if (w->line_error) {
        s->own = (lw_verdict){.kind = LW_MEMORY_ERROR};
    } else if (s->as.sized) { /* R21.11 */
        const lw_pte pte = lw_decode_sized(w->cfg, w->line[o->position], vpn, s->as.reach);
        s->own = lw_judge_decoded(&pte, s->as.level, vpn, p->access, o->perm);
    } else {
        s->own = lw_judge(w->cfg, w->line[o->position], s->as.level, vpn, p->access, o->perm);
        s->own.contig &= s->as.hashed ? 0 : features->contig_mask; /* R1.10 */
    }
    move_on(w, i, &s->own, lw_links_of(o->links, o->key), features);
}
