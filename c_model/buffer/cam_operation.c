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

void lw_cam_take(lw_cam *c, const lw_cam_op *op, const uint64_t *line, uint32_t contig_mask) {
    c->search = *op;
    lw_touch(c->watch, LW_S_SEARCH, 0);
    if (line == NULL) {
        return;
    }
    for (uint32_t j = 0; j < LINE_PTES; j++) {
        c->search_line[j] = lw_decode(c->cfg, line[j], op->level, contig_mask);
    }
    touch_line(c, LW_S_SEARCH_LINE);
}
