/* The twin of a row iommu_axi of the module lockstep as a library: pins by the names that they have
 * in rtl/iommu_axi.sv, so that a test drives twin and RTL alike. */
#include "c_model/iommu_axi.h"
#include "tests/modules/module.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct bus_twin {
    lw_iommu_axi axi;
    lw_iommu_axi_inputs in;
    lw_iommu_axi_outputs out;
} bus_twin;

/* Where a pin lies, and how many bytes it has. */
typedef struct pin {
    const char *name;
    size_t at, bytes;
} pin;

#define IN(name, member)                                                                           \
    { name, offsetof(bus_twin, in.member), sizeof(((bus_twin *)0)->in.member) }
#define OUT(name, member)                                                                          \
    { name, offsetof(bus_twin, out.member), sizeof(((bus_twin *)0)->out.member) }

static const pin pins[] = {
    IN("unit_reset_i", unit_reset),       IN("req_valid_i", unit.req_valid),
    IN("req_id_i", unit.req_id),          IN("req_src_i", unit.req_src),
    IN("req_pasid_i", unit.req_pasid),    IN("req_page_i", unit.req_page),
    IN("req_access_i", unit.req_access),  IN("rsp_ready_i", unit.rsp_ready),
    IN("inv_valid_i", unit.inv_valid),    IN("inv_type_i", unit.inv_type),
    IN("m_ar_ready_i", reader.ar_ready),  IN("m_r_valid_i", reader.r_valid),
    IN("m_r_id_i", reader.r_id),          IN("m_r_data_i", reader.r_data),
    IN("m_r_resp_i", reader.r_resp),      IN("m_r_last_i", reader.r_last),
    IN("s_aw_valid_i", lite.aw_valid),    IN("s_aw_addr_i", lite.aw_addr),
    IN("s_w_valid_i", lite.w_valid),      IN("s_w_data_i", lite.w_data),
    IN("s_w_strb_i", lite.w_strb),        IN("s_b_ready_i", lite.b_ready),
    IN("s_ar_valid_i", lite.ar_valid),    IN("s_ar_addr_i", lite.ar_addr),
    IN("s_r_ready_i", lite.r_ready),      OUT("bus_error_o", bus_error),
    OUT("req_ready_o", unit.req_ready),   OUT("rsp_valid_o", unit.rsp_valid),
    OUT("rsp_id_o", unit.rsp_id),         OUT("rsp_kind_o", unit.rsp_kind),
    OUT("rsp_level_o", unit.rsp_level),   OUT("rsp_pfn_o", unit.rsp_pfn),
    OUT("inv_ready_o", unit.inv_ready),   OUT("inv_done_o", unit.inv_done),
    OUT("m_ar_valid_o", reader.ar_valid), OUT("m_ar_id_o", reader.ar_id),
    OUT("m_ar_addr_o", reader.ar_addr),   OUT("m_ar_len_o", reader.ar_len),
    OUT("s_aw_ready_o", lite.aw_ready),   OUT("s_w_ready_o", lite.w_ready),
    OUT("s_b_valid_o", lite.b_valid),     OUT("s_b_resp_o", lite.b_resp),
    OUT("s_ar_ready_o", lite.ar_ready),   OUT("s_r_valid_o", lite.r_valid),
    OUT("s_r_data_o", lite.r_data),       OUT("s_r_resp_o", lite.r_resp),
};

void bus_twin_free(bus_twin *t) {
    if (t != NULL) {
        lw_iommu_free(t->axi.unit);
    }
    free(t);
}

/* The twin of this row after reset, or NULL. */
bus_twin *bus_twin_new(const char *row_name) {
    lw_error err;
    bus_twin *t = calloc(1, sizeof *t);
    const lw_row *row = lw_row_find(row_name, &err);
    lw_iommu *unit = row == NULL ? NULL : lw_iommu_new(row->hw, &err);
    if (t == NULL || unit == NULL ||
        !lw_iommu_axi_init(&t->axi, unit, row->hw, row->module->data_width, &err)) {
        lw_iommu_free(unit);
        free(t);
        return NULL;
    }
    return t;
}

/* The place of a pin, and its bytes; NULL if the twin has none of this name. */
void *bus_twin_pin(bus_twin *t, const char *name, size_t *bytes) {
    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        if (strcmp(pins[i].name, name) == 0) {
            *bytes = pins[i].bytes;
            return (char *)t + pins[i].at;
        }
    }
    return NULL;
}

/* The outputs of the cycle, and its end. */
void bus_twin_settle(bus_twin *t) {
    lw_iommu_axi_show(&t->axi, &t->out);
}

void bus_twin_edge(bus_twin *t) {
    lw_iommu_axi_step(&t->axi, &t->in);
}
