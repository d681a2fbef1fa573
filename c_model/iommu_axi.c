#include "c_model/iommu_axi.h"

#include "c_model/base/config.h"

#include <string.h>

bool lw_iommu_axi_init(lw_iommu_axi *a, lw_iommu *unit, const lw_params *hw, uint32_t data_width,
                       lw_error *err) {
    const uint32_t ids = hw->walkers + (hw->subregions != 0 ? LW_HEADS : 0);
    *a = (lw_iommu_axi){.unit = unit, .flush = true};
    lw_axi_lite_init(&a->lite, hw->pasids, hw->pwc_org == LW_PWC_OF_STEPS);
    return lw_axi_reader_init(&a->reader, data_width, ids, err);
}

void lw_iommu_axi_reset(lw_iommu_axi *a) {
    lw_iommu_reset(a->unit);
    lw_axi_reader_reset(&a->reader);
    lw_axi_lite_init(&a->lite, a->lite.pasids, a->lite.hashes);
    a->flush = true;
}

void lw_iommu_axi_show(const lw_iommu_axi *a, lw_iommu_axi_outputs *out) {
    lw_iommu_outputs(a->unit, &out->unit);
    lw_axi_reader_show(&a->reader, &out->reader);
    lw_axi_lite_show(&a->lite, a->flush, &out->lite);
    out->unit.req_ready = out->unit.req_ready && !a->flush; /* R19.22 */
    out->unit.inv_ready = out->unit.inv_ready && !a->flush;
    out->bus_error = out->lite.status != 0; /* R19.23 */
}

/* What the bridges give the unit, and the unit and they each other. */
static void join(const lw_iommu_axi *a, const lw_iommu_axi_outputs *out, lw_iommu_axi_inputs *in) {
    in->unit.mem_req_ready = out->reader.req_ready;
    in->unit.mem_rsp_valid = a->reader.line.valid;
    in->unit.mem_rsp_error = a->reader.line.error;
    in->unit.mem_rsp_tag = a->reader.line.tag;
    memcpy(in->unit.mem_rsp_data, a->reader.line.data, sizeof in->unit.mem_rsp_data);
    in->unit.ctl_write = out->lite.ctl_write;
    in->unit.ctl_addr = out->lite.ctl_addr;
    in->unit.ctl_wdata = out->lite.ctl_wdata;
    in->reader.flush = a->flush;
    in->reader.req_valid = out->unit.mem_req_valid;
    in->reader.req_tag = out->unit.mem_req_tag;
    in->reader.req_line = out->unit.mem_req_line;
    in->lite.hold = a->flush;
    in->lite.ctl_rdata = out->unit.ctl_rdata;
    in->lite.events = out->reader.events;
    in->lite.reading = out->reader.reading;
}

void lw_iommu_axi_step(lw_iommu_axi *a, const lw_iommu_axi_inputs *in) {
    lw_iommu_axi_outputs out;
    lw_iommu_axi_inputs all = *in;
    lw_iommu_axi_show(a, &out);
    join(a, &out, &all);
    if (!a->flush) {
        lw_iommu_step(a->unit, &all.unit);
    }
    lw_axi_reader_step(&a->reader, &all.reader);
    lw_axi_lite_step(&a->lite, &all.lite);
    a->flush = in->unit_reset;
    if (a->flush) { /* R19.22 */
        lw_iommu_reset(a->unit);
    }
}
