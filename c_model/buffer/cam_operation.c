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

void lw_cam_take(lw_cam *c, const lw_operation *op, const uint64_t *line, uint32_t contig_mask) {
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

static lw_cell search_cell(const lw_config *cfg, lw_operation *o, lw_field field) {
    switch (field) {
    case LW_F_SEARCH_SEARCH_OP:
        return LW_CELL(o->op, 2, true);
    case LW_F_SEARCH_SEARCH_PASID:
        return LW_CELL_PART(o->key, LW_KEY_PASID, (uint32_t)__builtin_ctz(cfg->hw.pasids), true);
    case LW_F_SEARCH_SEARCH_VPN:
        return LW_CELL_PART(o->key, 0, cfg->vpn_w, true);
    case LW_F_SEARCH_SEARCH_LEVEL:
        return LW_CELL(o->level, 3, true);
    case LW_F_SEARCH_SEARCH_REACH:
        return LW_CELL(o->reach, 2, true);
    case LW_F_SEARCH_SEARCH_POSITION:
        return LW_CELL(o->position, 3, true);
    case LW_F_SEARCH_SEARCH_ERROR:
        return LW_CELL(o->error, 1, true);
    case LW_F_SEARCH_SEARCH_PERM:
        return LW_CELL(o->perm, 2, true);
    case LW_F_SEARCH_SEARCH_CLAIM:
        return LW_CELL(o->claim, 1, true);
    case LW_F_SEARCH_SEARCH_CLAIM_LEVEL:
        return LW_CELL(o->claim_level, 3, true);
    case LW_F_SEARCH_SEARCH_CLAIM_REACH:
        return LW_CELL(o->claim_reach, 2, true);
    case LW_F_SEARCH_SEARCH_CLAIM_PERM:
        return LW_CELL(o->claim_perm, 2, true);
    default:
        return LW_CELL(o->links, 2 * LW_LINKS_BITS, true);
    }
}

static lw_cell update_cell(const lw_config *cfg, lw_operation *o, lw_field field) {
    static const struct {
        lw_field update, search;
    } same[] = {
        {LW_F_UPDATE_UPDATE_OP, LW_F_SEARCH_SEARCH_OP},
        {LW_F_UPDATE_UPDATE_PASID, LW_F_SEARCH_SEARCH_PASID},
        {LW_F_UPDATE_UPDATE_VPN, LW_F_SEARCH_SEARCH_VPN},
        {LW_F_UPDATE_UPDATE_LEVEL, LW_F_SEARCH_SEARCH_LEVEL},
        {LW_F_UPDATE_UPDATE_REACH, LW_F_SEARCH_SEARCH_REACH},
        {LW_F_UPDATE_UPDATE_ERROR, LW_F_SEARCH_SEARCH_ERROR},
        {LW_F_UPDATE_UPDATE_PERM, LW_F_SEARCH_SEARCH_PERM},
        {LW_F_UPDATE_UPDATE_CLAIM, LW_F_SEARCH_SEARCH_CLAIM},
        {LW_F_UPDATE_UPDATE_CLAIM_LEVEL, LW_F_SEARCH_SEARCH_CLAIM_LEVEL},
        {LW_F_UPDATE_UPDATE_CLAIM_REACH, LW_F_SEARCH_SEARCH_CLAIM_REACH},
        {LW_F_UPDATE_UPDATE_CLAIM_PERM, LW_F_SEARCH_SEARCH_CLAIM_PERM},
        {LW_F_UPDATE_UPDATE_LINKS, LW_F_SEARCH_SEARCH_LINKS},
    };
    size_t i = 0;
    while (i + 1 < sizeof same / sizeof same[0] && same[i].update != field) {
        i++;
    }
    return search_cell(cfg, o, same[i].search);
}

static lw_cell pte_cell(const lw_config *cfg, lw_pte *pte, lw_field field) {
    switch (field) {
    case LW_F_SEARCH_LINE_SEARCH_KIND:
    case LW_F_UPDATE_LINE_UPDATE_KIND:
        return LW_CELL(pte->kind, 4, true);
    case LW_F_SEARCH_LINE_SEARCH_USER:
    case LW_F_UPDATE_LINE_UPDATE_USER:
        return LW_CELL(pte->user, 1, true);
    case LW_F_SEARCH_LINE_SEARCH_PTE_PERM:
    case LW_F_UPDATE_LINE_UPDATE_PTE_PERM:
        return LW_CELL(pte->perm, 2, true);
    case LW_F_SEARCH_LINE_SEARCH_LEAF:
    case LW_F_UPDATE_LINE_UPDATE_LEAF:
        return LW_CELL(pte->leaf, 1, true);
    case LW_F_SEARCH_LINE_SEARCH_FRAME:
    case LW_F_UPDATE_LINE_UPDATE_FRAME:
        return LW_CELL(pte->frame, cfg->pfn_w, true);
    default:
        return LW_CELL(pte->contig, LW_CONTIG_BITS, true);
    }
}

lw_cell lw_cam_cell(lw_cam *c, lw_field field, uint32_t index) {
    switch (lw_field_structure(field)) {
    case LW_S_SEARCH:
        return search_cell(c->cfg, &c->search, field);
    case LW_S_UPDATE:
        return update_cell(c->cfg, &c->update, field);
    case LW_S_SEARCH_LINE:
        return pte_cell(c->cfg, &c->search_line[index % LINE_PTES], field);
    default:
        return pte_cell(c->cfg, &c->update_line[index % LINE_PTES], field);
    }
}
