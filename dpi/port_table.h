/* The unit's ports by name, for reports and waves (chapter 1). */
#ifndef LW_DPI_PORT_TABLE_H
#define LW_DPI_PORT_TABLE_H

#include "c_model/base/params.h"
#include "c_model/base/ports.h"

#include <stddef.h>

typedef struct lw_port {
    const char *name;
    size_t offset, bytes;
    uint32_t bits; /* 0: depends on the parameters */
    bool is_input; /* of the unit: in lw_inputs, else in lw_outputs */
} lw_port;

/* The i-th port, NULL past the last. Of a line of walk memory each PTE is one. */
const lw_port *lw_port_at(size_t i);
/* Its value in the lw_inputs or lw_outputs. */
uint64_t lw_port_value(const lw_port *port, const void *ports);
/* Its width in a unit with these parameters. */
uint32_t lw_port_bits(const lw_port *port, const lw_params *params);

#endif
