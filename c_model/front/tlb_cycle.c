#include "c_model/front/tlb_cycle.h"

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

/* Decision, lookup, and what happens to the entries. */
static void use_table(lw_iommu *u, const lw_request *q, bool mark, lw_lookup *l) {
    lw_tlb *t = &u->tlb;
    const lw_mapping *fill = u->answers.fill_valid ? &u->answers.fill : NULL;
    const lw_invalidation *inv = &u->invalidation;
    l->hit = false;
    if (q != NULL) {
        lw_tlb_decide(t, q, &u->control, l);
    }
    if (lw_tlb_is_busy(t)) {
        lw_tlb_look_up(t);
    }
    if (l->hit) {
        lw_count(&u->counters, LW_C_TLB_HITS, 1);
        lw_count(&u->counters, LW_C_SUBREGION_HITS, l->subregion);
    }
    lw_tlb_step(t, &(lw_tlb_events){.hit = l->hit ? (int32_t)l->entry : LW_NONE,
                                    .sweep = inv->state == LW_INV_SWEEP ? inv : NULL,
                                    .fill = fill,
                                    .marked = mark && fill != NULL &&
                                              lw_invalidation_meets(inv, fill->pasid)});
}

static void advance(lw_iommu *u, const lw_inputs *in, bool request) {
    lw_tlb *t = &u->tlb;
    if (!request) {
        if (t->lookups != 0) {
            lw_tlb_advance(t, NULL);
        }
        return;
    }
    lw_tlb_advance(t, &(lw_request){.page = in->req_page & ((UINT64_C(1) << 52) - 1),
                                    .pasid = in->req_pasid & 0xfffff,
                                    .id = (uint16_t)(in->req_id & ((1u << u->cfg.hw.id_w) - 1)),
                                    .src = (uint16_t)(in->req_src & ((1u << u->cfg.hw.src_w) - 1)),
                                    .access = in->req_access & 3,
                                    .valid = true});
    lw_count(&u->counters, LW_C_REQUESTS, 1);
}

void lw_tlb_cycle(lw_iommu *u, const lw_inputs *in, bool mark, bool epoch, lw_places *places,
                  lw_fault *fault) {
    const lw_request *q = lw_tlb_last_stage(&u->tlb);
    lw_lookup l;
    use_table(u, q, mark, &l);
    places->miss = q != NULL && l.kind == LW_OK && !l.hit;
    places->no_miss = q != NULL && !places->miss;
    if (places->no_miss) {
        end_lookup(u, q, &l, epoch, fault);
    }
    if (places->miss) { /* R4.2 */
        lw_buffer_load_miss(&u->buffer, q->pasid, q->page & u->cfg.vpn_mask, q->access, q->id,
                            q->src);
    } else {
        lw_buffer_no_miss(&u->buffer);
    }
    advance(u, in, places->request);
}
