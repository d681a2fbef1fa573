#include "c_model/walk/line_scan.h"

#include "c_model/walk/hashed_scan.h"
#include "c_model/walk/walker_parts.h"

void lw_walkers_scan(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                     lw_scan *out) {
    lw_pwst *p = &w->walker[i];
    const lw_access a = lw_walkers_access(p); /* as it stands at the beginning of the cycle */
    out->op = (lw_cam_op){.key = a.key,
                          .op = LW_OP_SCAN,
                          .level = a.level,
                          .reach = (uint8_t)a.reach,
                          .position = (uint8_t)(lw_pte_index(w->cfg, &a) & 7),
                          .perm = a.perm,
                          .error = w->line_error,
                          .failed = w->line_error};
    const bool hashed = p->where != LW_WHERE_RADIX;
    const bool sizes = hashed || w->cfg->hw.pages_64k != 0; /* R1.17 */
    out->as = (lw_reading){
        .level = a.level, .hashed = hashed, .sized = sizes && a.level == 1, .reach = a.reach};
    out->fill.valid = false;
    if (view->features->colt_enable) { /* of the line, whatever the error bit says */
        out->op.links = lw_line_links(w->cfg, w->line, a.level, a.reach);
    }
    if (!hashed) {
        lw_scan_judge(w, i, view->features, out);
        if (out->own.node) {
            lw_claim_for(&out->op, lw_walkers_access(p)); /* R9.8 */
        }
    } else {
        lw_hashed_scan(w, i, view, events, out);
    }
    if (!view->on_cam) {
        out->op.op = LW_OP_NONE;
        out->fill.valid = false;
    }
}

bool lw_walkers_fill_pwc(const lw_walkers *w, const lw_pwst *before, const lw_verdict *own,
                         const lw_features *features, const lw_mark *mark) {
    const uint32_t org = w->cfg->hw.pwc_org;
    const bool barred = org == LW_PWC_OF_STEPS || /* R21.1 */
                        (org == LW_PWC_BY_ADDRESS && (mark->valid || before->no_fill));
    return own->node && features->pwc_enable && !barred;
}

/* The places with a contiguous neighbour on one side. */
static uint32_t beside(uint32_t bits) {
    return (bits << 1 | bits >> 1) & LW_CONTIG_C;
}

lw_check lw_walkers_check(const lw_pwst *before, const lw_verdict *own) {
    const uint32_t bits = before->contig & LW_CONTIG_C, place = lw_subregion_place(before->key);
    if (lw_walkers_access(before).reach != LW_REACH_SUBREGION || !own->leaf ||
        (beside(bits) >> place & 1) == 0) {
        return (lw_check){.valid = false};
    }
    return (lw_check){.vsn = lw_key_vpn(before->key) >> LW_SUBREGION_SHIFT,
                      .node = before->node,
                      .pfn = own->frame,
                      .pasid = lw_key_pasid(before->key),
                      .bits = (uint8_t)bits,
                      .perm = own->perm,
                      .pte_perm = own->own_perm,
                      .tagged = before->where != LW_WHERE_RADIX,
                      .valid = true};
}
