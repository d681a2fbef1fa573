#include "tlb_cycle.h"

/* R3.3 */
static void end_lookup(lw_iommu *u, const lw_request *q, const lw_lookup *l, bool epoch,
                       lw_fault *fault) {
    lw_responses_push(&u->responses, LW_HIT,
                      &(lw_response){l->hit ? l->pfn : 0, q->id, l->kind, l->hit ? l->links : 0,
                                     l->hit ? l->size : 0, l->hit ? l->perm : 0, epoch});
    if (l->kind != LW_OK) {
        *fault = (lw_fault){l->kind, 0, q->access, q->pasid, q->src, q->page};
    }
}

/* Lookup, sweep and fill, in the order of R3.7 and R3.10. */
static lw_lookup use_table(lw_iommu *u, const lw_request *q, const lw_mapping *fill) {
    lw_tlb *t = &u->tlb;
    const lw_lookup l = q != NULL ? lw_tlb_decide(t, q, &u->control) : (lw_lookup){0};
    lw_tlb_choice choice = {0};
    if (fill != NULL) {
        choice = lw_tlb_choose(t, fill);
    }
    if (u->invalidation.state == LW_INV_SWEEP) {
        lw_tlb_sweep(t, &u->invalidation);
    }
    if (l.hit) {
        lw_tlb_touch(t, l.entry); /* R3.5 */
        lw_count(&u->counters, LW_C_TLB_HITS, 1);
        lw_count(&u->counters, LW_C_SUBREGION_HITS, l.subregion);
    }
    if (fill != NULL) {
        lw_tlb_fill(t, &choice, fill);
        lw_count(&u->counters, LW_C_SUBREGION_FILLS, fill->span && u->cfg.hw.subregions != 0);
    }
    return l;
}

void lw_tlb_cycle(lw_iommu *u, const lw_inputs *in, const lw_tlb_work *work, lw_places *places,
                  lw_fault *fault) {
    lw_tlb *t = &u->tlb;
    const lw_request *q = lw_tlb_last_stage(t);
    const bool busy = lw_tlb_is_busy(t);
    const lw_found found = busy ? lw_tlb_found(t) : (lw_found){.found = false};
    const lw_lookup l = use_table(u, q, work->fill);
    places->miss = q != NULL && l.kind == LW_OK && !l.hit;
    places->no_miss = q != NULL && !places->miss;
    if (places->no_miss) {
        end_lookup(u, q, &l, work->epoch, fault);
    }
    if (places->miss && work->free_slot != LW_NONE) {
        lw_buffer_insert(&u->buffer, (uint32_t)work->free_slot, q->pasid, q->page & u->cfg.vpn_mask,
                         q->access, q->id, q->src);
        lw_count(&u->counters, LW_C_TLB_MISSES, 1);
    } else {
        lw_buffer_no_insert(&u->buffer);
    }
    if (!work->request) {
        if (busy) {
            lw_tlb_advance(t, NULL, found);
        }
        return;
    }
    lw_tlb_advance(t,
                   &(lw_request){.page = in->req_page & ((UINT64_C(1) << 52) - 1),
                                 .pasid = in->req_pasid & 0xfffff,
                                 .id = (uint16_t)(in->req_id & ((1u << u->cfg.hw.id_w) - 1)),
                                 .src = (uint16_t)(in->req_src & ((1u << u->cfg.hw.src_w) - 1)),
                                 .access = in->req_access & 3,
                                 .valid = true},
                   found);
    lw_count(&u->counters, LW_C_REQUESTS, 1);
}
