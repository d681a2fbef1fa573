#include "tests/modules/bus/axi_memory.h"

#include "tests/modules/draws.h"

enum { STRANGER_IN = 200, WRONG_LAST_IN = 60, ERROR_IN = 24, OVER_ENDS_IN = 8 };

void lw_draw_beat(const lw_axi_reader *r, lw_rng *rng, const lw_beat_ports *beat) {
    const uint32_t first = (uint32_t)lw_rng_below(rng, r->ids);
    uint32_t id = first;
    if (beat->valid->w[0] == 0 || lw_one_in(rng, STRANGER_IN)) {
        return;
    }
    while (!r->burst[id].busy) {
        id = (id + 1) % r->ids;
        if (id == first) {
            beat->valid->w[0] = 0;
            return;
        }
    }
    const lw_axi_burst *burst = &r->burst[id];
    const bool last = burst->over ? lw_one_in(rng, OVER_ENDS_IN) : burst->beat == r->beats - 1;
    beat->id->w[0] = id;
    beat->last->w[0] = last != lw_one_in(rng, WRONG_LAST_IN);
    beat->resp->w[0] = lw_one_in(rng, ERROR_IN) ? beat->resp->w[0] : LW_AXI_OKAY;
}
