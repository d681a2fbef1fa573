#include "c_model/buffer/cam_operation.h"

enum { LINE_PTES = 8 };

static void touch_line(const lw_cam *c, lw_structure s) {
    for (uint32_t j = 0; j < LINE_PTES && c->watch->written != NULL; j++) {
        lw_touch(c->watch, s, j);
    }
}

void lw_cam_step(lw_cam *c) {
    if (c->search.op != LW_OP_NONE) {
        c->update = c->search;
        if (c->search.op == LW_OP_SCAN) {
            memcpy(c->update_line, c->search_line, sizeof c->update_line);
            touch_line(c, LW_S_UPDATE_LINE);
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
    touch_line(c, LW_S_SEARCH_LINE);
}
