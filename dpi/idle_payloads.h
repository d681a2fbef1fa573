/* What the RTL sees on a port that nobody drives (R0.3): anything. The twin and the environment see
 * zeros there, so the two sides differ where the RTL looks at a payload without its valid. */
#ifndef LW_DPI_IDLE_PAYLOADS_H
#define LW_DPI_IDLE_PAYLOADS_H

#include "c_model/base/ports.h"
#include "common/rng.h"

/* Draws the payload of each input port whose valid is low. What it writes may be wider than the
 * port, which takes the low bits. The control port's address is always looked at (R12.1), and
 * stays. */
void lw_idle_payloads(lw_rng *rng, lw_inputs *in);

#endif
