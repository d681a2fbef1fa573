/* The C side of lockwalk_ref.sv: the twin by standard DPI-C (IEEE 1800, annex H and I), for any
 * simulator. A handle is one unit; nothing is global. */
#include "c_model/iommu.h"

#include <stdio.h>
#include <string.h>
#include <svdpi.h>

enum { PARAMETERS = sizeof(lw_params) / sizeof(uint32_t), LINE_WORDS = 16 };

/* The parameters in lw_params' order, 32 bits each from bit 0 on. NULL where they are illegal; the
 * sentence is then on stderr. */
void *lw_ref_new(const svBitVecVal *parameters) {
    lw_params params;
    lw_error err;
    _Static_assert(sizeof params == PARAMETERS * sizeof *parameters, "lw_params is plain numbers");
    memcpy(&params, parameters, sizeof params);
    lw_iommu *u = lw_iommu_new(&params, &err);
    if (u == NULL) {
        (void)fprintf(stderr, "lockwalk_ref: %s\n", err.text);
    }
    return u;
}

void lw_ref_free(void *u) {
    lw_iommu_free(u);
}

void lw_ref_reset(void *u) {
    lw_iommu_reset(u);
}

/* One rising edge with the inputs that were there before it. */
void lw_ref_step(void *u, svBit req_valid, uint32_t req_id, uint32_t req_src, uint32_t req_pasid,
                 uint64_t req_page, uint32_t req_access, svBit rsp_ready, svBit mem_req_ready,
                 svBit mem_rsp_valid, uint32_t mem_rsp_tag, svBit mem_rsp_error,
                 const svBitVecVal *mem_rsp_data, svBit inv_valid, uint32_t inv_type,
                 uint32_t inv_pasid, uint64_t inv_first, uint64_t inv_last, svBit ctl_write,
                 uint32_t ctl_addr, uint64_t ctl_wdata) {
    lw_inputs in = {
        .req_valid = req_valid,
        .req_id = req_id,
        .req_src = req_src,
        .req_pasid = req_pasid,
        .req_page = req_page,
        .req_access = req_access,
        .rsp_ready = rsp_ready,
        .mem_req_ready = mem_req_ready,
        .mem_rsp_valid = mem_rsp_valid,
        .mem_rsp_tag = mem_rsp_tag,
        .mem_rsp_error = mem_rsp_error,
        .inv_valid = inv_valid,
        .inv_type = inv_type,
        .inv_pasid = inv_pasid,
        .inv_first = inv_first,
        .inv_last = inv_last,
        .ctl_write = ctl_write,
        .ctl_addr = ctl_addr,
        .ctl_wdata = ctl_wdata,
    };
    for (size_t j = 0; mem_rsp_valid && j < LINE_WORDS; j += 2) {
        in.mem_rsp_data[j / 2] = (uint64_t)mem_rsp_data[j + 1] << 32 | mem_rsp_data[j];
    }
    lw_iommu_step(u, &in);
}

/* The outputs from this edge to the next. */
void lw_ref_outputs(void *u, svBit *req_ready, svBit *rsp_valid, uint32_t *rsp_id,
                    uint32_t *rsp_kind, uint32_t *rsp_level, uint64_t *rsp_pfn, uint32_t *rsp_size,
                    uint32_t *rsp_perm, svBit *mem_req_valid, uint32_t *mem_req_tag,
                    uint64_t *mem_req_line, svBit *inv_ready, svBit *inv_done,
                    uint64_t *ctl_rdata) {
    lw_outputs out;
    lw_iommu_outputs(u, &out);
    *req_ready = out.req_ready;
    *rsp_valid = out.rsp_valid;
    *rsp_id = out.rsp_id;
    *rsp_kind = out.rsp_kind;
    *rsp_level = out.rsp_level;
    *rsp_pfn = out.rsp_pfn;
    *rsp_size = out.rsp_size;
    *rsp_perm = out.rsp_perm;
    *mem_req_valid = out.mem_req_valid;
    *mem_req_tag = out.mem_req_tag;
    *mem_req_line = out.mem_req_line;
    *inv_ready = out.inv_ready;
    *inv_done = out.inv_done;
    *ctl_rdata = out.ctl_rdata;
}
