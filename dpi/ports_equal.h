/* The ports' net: whether two sides show the same in a cycle. */
#ifndef LW_DPI_PORTS_EQUAL_H
#define LW_DPI_PORTS_EQUAL_H

#include "c_model/base/ports.h"

/* Payload counts only with its valid (R0.3). */
static inline bool lw_outputs_equal(const lw_outputs *a, const lw_outputs *b) {
    return a->req_ready == b->req_ready && a->rsp_valid == b->rsp_valid &&
           a->mem_req_valid == b->mem_req_valid && a->inv_ready == b->inv_ready &&
           a->inv_done == b->inv_done && a->ctl_rdata == b->ctl_rdata &&
           (!a->rsp_valid || (a->rsp_id == b->rsp_id && a->rsp_kind == b->rsp_kind &&
                              a->rsp_level == b->rsp_level && a->rsp_size == b->rsp_size &&
                              a->rsp_perm == b->rsp_perm && a->rsp_pfn == b->rsp_pfn)) &&
           (!a->mem_req_valid ||
            (a->mem_req_tag == b->mem_req_tag && a->mem_req_line == b->mem_req_line));
}

#endif
