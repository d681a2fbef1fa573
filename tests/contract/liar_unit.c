/* A unit that lies now and then at its ports, to see that the tester barks. */
#include "common/rng.h"
#include "tests/contract/unit.h"

#include <stdlib.h>
#include <string.h>

bool lw_unit_liar(lw_unit inner, const lw_params *hw, const char *lie, uint64_t seed, lw_unit *unit,
                  lw_error *err) {
    (void)inner;
    (void)hw;
    (void)lie;
    (void)seed;
    (void)unit;
    return lw_fail(err, "--lie: not there yet");
}
