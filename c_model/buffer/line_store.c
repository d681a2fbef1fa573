#include "c_model/buffer/line_store.h"

void lw_line_store_write(lw_line_store *s, const lw_cam_op *scan, const lw_pte pte[LW_LINE_PTES]) {
    lw_stored_line *to = &s->line[s->tail];
    to->level = scan->level;
    to->perm = scan->perm;
    to->reach = scan->reach;
    to->links = scan->links;
    memcpy(to->pte, pte, sizeof to->pte);
    lw_touch(s->watch, LW_S_STORE, s->tail);
    lw_touch_all(s->watch, LW_S_STORED_PTE, s->tail * LW_LINE_PTES, LW_LINE_PTES);
}

/* R9.11: the CONTIG of an answer says how far its PA reaches. */
static const uint16_t answer_contig[LW_REACHES] = {0, LW_CONTIG_C, LW_CONTIG_AC};

lw_learnt lw_line_store_read(const lw_line_store *s, uint32_t line, uint32_t position, uint64_t key,
                             bool answer) {
    const lw_stored_line *from = &s->line[line];
    const lw_pte *pte = &from->pte[position];
    const uint32_t reach = from->reach < LW_REACHES ? from->reach : 0; /* 3 only after a flip */
    return (lw_learnt){.pa = pte->frame,
                       .contig = answer ? answer_contig[reach] : pte->contig,
                       .perm = from->perm & pte->perm,
                       /* R21.11, R21.19: a PTE that is not sized has SIZE 0 there */
                       .size = from->level == 1 ? pte->size : (from->level - 1) & 3,
                       .links = (uint8_t)lw_links_of(from->links, key)};
}
