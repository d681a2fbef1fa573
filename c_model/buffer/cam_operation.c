#include "c_model/buffer/cam_operation.h"

enum { LINE_PTES = 8 };

void lw_cam_step(lw_cam *c) {
    if (c->search.op != LW_OP_NONE) {
        c->update = c->search;
        if (c->search.op == LW_OP_SCAN) {
            memcpy(c->update_line, c->search_line, sizeof c->update_line);
            lw_touch_all(c->watch, LW_S_UPDATE_LINE, 0, LINE_PTES);
        }
        c->search.op = LW_OP_NONE;
        lw_touch(c->watch, LW_S_SEARCH, 0);
    } else if (c->update.op != LW_OP_NONE) {
        c->update.op = LW_OP_NONE;
    } else {
        return;
    }
    lw_touch(c->watch, LW_S_UPDATE, 0);
}

void lw_cam_take(lw_cam *c, const lw_cam_op *op) {
    c->search = *op;
    lw_touch(c->watch, LW_S_SEARCH, 0);
}

void lw_cam_take_line(lw_cam *c, const uint64_t line[8], const lw_reading *as,
                      uint32_t contig_mask) {
    lw_decode_whole(c->cfg, line, as, lw_key_vpn(c->search.key), contig_mask, c->search_line);
    lw_touch_all(c->watch, LW_S_SEARCH_LINE, 0, LINE_PTES);
}
