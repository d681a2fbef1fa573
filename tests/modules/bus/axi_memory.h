/* The memory on an AXI bus, for the modules that read from it. */
#ifndef LW_TESTS_MODULES_BUS_AXI_MEMORY_H
#define LW_TESTS_MODULES_BUS_AXI_MEMORY_H

#include "c_model/bus/axi_reader.h"
#include "tests/modules/module.h"

/* What is at R, but for the data. */
typedef struct lw_beat_ports {
    lw_bits *valid, *id, *resp, *last;
} lw_beat_ports;

/* Makes of drawn values a beat: mostly one of any burst under way, with its RLAST; now and then
 * with an error, with a wrong RLAST, or for an ID that may have asked for nothing. */
void lw_draw_beat(const lw_axi_reader *r, lw_rng *rng, const lw_beat_ports *beat);

#endif
