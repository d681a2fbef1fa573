#include "dpi/port_table.h"

#include <string.h>

#define IN(field, bits)                                                                            \
    { #field, offsetof(lw_inputs, field), sizeof(((lw_inputs *)NULL)->field), bits, true }
#define OUT(field, bits)                                                                           \
    { #field, offsetof(lw_outputs, field), sizeof(((lw_outputs *)NULL)->field), bits, false }
#define PTE(j)                                                                                     \
    {                                                                                              \
        "mem_rsp_pte" #j, offsetof(lw_inputs, mem_rsp_data) + (j) * sizeof(uint64_t),              \
            sizeof(uint64_t), 64, true                                                             \
    }

static const lw_port ports[] = {
    IN(req_valid, 1),
    OUT(req_ready, 1),
    IN(req_id, 0),
    IN(req_src, 0),
    IN(req_pasid, 20),
    IN(req_page, 52),
    IN(req_access, 2),
    OUT(rsp_valid, 1),
    IN(rsp_ready, 1),
    OUT(rsp_id, 0),
    OUT(rsp_kind, 4),
    OUT(rsp_level, 3),
    OUT(rsp_pfn, 0),
    OUT(rsp_size, 2),
    OUT(rsp_perm, 2),
    OUT(mem_req_valid, 1),
    IN(mem_req_ready, 1),
    OUT(mem_req_tag, 8),
    OUT(mem_req_line, 0),
    IN(mem_rsp_valid, 1),
    IN(mem_rsp_tag, 8),
    IN(mem_rsp_error, 1),
    PTE(0),
    PTE(1),
    PTE(2),
    PTE(3),
    PTE(4),
    PTE(5),
    PTE(6),
    PTE(7),
    IN(inv_valid, 1),
    OUT(inv_ready, 1),
    IN(inv_type, 2),
    IN(inv_pasid, 20),
    IN(inv_first, 0),
    IN(inv_last, 0),
    OUT(inv_done, 1),
    IN(ctl_write, 1),
    IN(ctl_addr, 12),
    IN(ctl_wdata, 64),
    OUT(ctl_rdata, 64),
};

const lw_port *lw_port_at(size_t i) {
    return i < sizeof ports / sizeof ports[0] ? &ports[i] : NULL;
}

uint64_t lw_port_value(const lw_port *port, const void *in) {
    uint64_t value = 0; /* the machine is little-endian, as the lockstep is */
    memcpy(&value, (const char *)in + port->offset, port->bytes);
    return value;
}

uint32_t lw_port_bits(const lw_port *port, const lw_params *params) {
    const struct {
        const char *name;
        uint32_t bits;
    } rows[] = {
        {"req_id", params->id_w},
        {"rsp_id", params->id_w},
        {"req_src", params->src_w},
        {"rsp_pfn", params->pa_width - 12},
        {"mem_req_line", params->pa_width - 6},
        {"inv_first", 9 * params->levels},
        {"inv_last", 9 * params->levels},
    };
    for (size_t i = 0; port->bits == 0 && i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(port->name, rows[i].name) == 0) {
            return rows[i].bits;
        }
    }
    return port->bits;
}
