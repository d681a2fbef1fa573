/* The line store (chapter 9): the last lines from which entries of the IOMMU buffer have learnt,
 * and who names them.
 *
 * `named` is derived: for each place the valid entries that it has told something (PL other than 0,
 * or DONE=1). What an entry has learnt is read here, by its LINE and POSITION. */
#ifndef LW_C_MODEL_BUFFER_LINE_STORE_H
#define LW_C_MODEL_BUFFER_LINE_STORE_H

#include "c_model/buffer/cam_operation.h"
#include "c_model/buffer/oldest_first.h"

enum { LW_LINES_MAX = 64, LW_LINE_PTES = 8 };

typedef struct lw_stored_line {
    uint8_t level, perm, reach, links;
    lw_pte pte[LW_LINE_PTES]; /* of each its frame, PERM, CONTIG and SIZE */
} lw_stored_line;

typedef struct lw_line_store {
    const lw_config *cfg;
    const lw_watch *watch;
    uint32_t tail;
    bool open;
    lw_stored_line line[LW_LINES_MAX];
    lw_slots named[LW_LINES_MAX];
} lw_line_store;

/* R9.12: the place STORE_TAIL is written with the line of a scan. */
void lw_line_store_write(lw_line_store *s, const lw_cam_op *scan, const lw_pte pte[LW_LINE_PTES]);
/* Of an entry with this key, for an answer or for a walker. */
lw_learnt lw_line_store_read(const lw_line_store *s, uint32_t line, uint32_t position, uint64_t key,
                             bool answer);

/* The place after this one; LINES is a power of two. */
static inline uint32_t lw_line_store_after(const lw_line_store *s, uint32_t place) {
    return (place + 1) & (s->cfg->hw.lines - 1);
}

#endif
