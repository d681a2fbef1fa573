#include "c_model/host/invalidation.h"

void lw_invalidation_init(lw_invalidation *v, const lw_config *cfg, const lw_watch *watch) {
    *v = (lw_invalidation){.cfg = cfg, .watch = watch};
}

void lw_invalidation_step(lw_invalidation *v, const lw_inputs *in, bool under_way, bool old_epoch) {
    const uint8_t before = v->state;
    switch (before) {
    case LW_INV_IDLE: /* R11.1 */
        if (!in->inv_valid) {
            return;
        }
        v->type = in->inv_type & 3;
        v->pasid = in->inv_pasid & 0xfffff;
        v->known = v->pasid < v->cfg->hw.pasids;
        v->first = in->inv_first & v->cfg->vpn_mask;
        v->last = in->inv_last & v->cfg->vpn_mask;
        v->state = LW_INV_MARK;
        break;
    case LW_INV_MARK: /* R11.2 */
        v->sweep_set = 0;
        v->state = LW_INV_SWEEP;
        break;
    case LW_INV_SWEEP: /* R11.4 */
        if (v->sweep_set + 1 == v->cfg->sweep_sets) {
            v->state = LW_INV_SETTLE;
            v->settle_left = v->cfg->tlb_stages - 2;
        } else {
            v->sweep_set++;
        }
        break;
    case LW_INV_SETTLE:
        if (v->settle_left == 0) {
            v->state = LW_INV_WALKS;
        } else {
            v->settle_left--;
        }
        break;
    case LW_INV_WALKS: /* R11.5 */
        if (under_way) {
            return;
        }
        v->epoch = !v->epoch;
        v->state = LW_INV_QUEUES;
        break;
    case LW_INV_QUEUES: /* R11.6 */
        if (old_epoch) {
            return;
        }
        v->state = LW_INV_COMPLETE;
        break;
    default: /* COMPLETE lasts one cycle */
        v->state = LW_INV_IDLE;
        break;
    }
    lw_touch(v->watch, LW_S_INVALIDATION, 0);
}
