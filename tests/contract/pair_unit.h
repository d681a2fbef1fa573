/* The twin with the RTL beside it: what the tester's software, tables and memory provoke is
 * compared in every cycle, ports and registers, as in the lockstep. */
#ifndef LW_TESTS_CONTRACT_PAIR_UNIT_H
#define LW_TESTS_CONTRACT_PAIR_UNIT_H

#include "dpi/rtl_library.h"
#include "sim/system/system.h"
#include "tests/contract/unit.h"

/* The RTL of a system, for all runs. */
typedef struct lw_beside {
    lw_system system;
    lw_rtl_library_handle library;
} lw_beside;

/* The system by its name or path; its RTL is built if need be. False and a sentence where that
 * fails. */
bool lw_beside_open(lw_beside *beside, const char *system, lw_error *err);
void lw_beside_close(lw_beside *beside);

/* Both sides after a reset; `flips`: the twin loses a bit in mid-run, for the tester's own test. */
bool lw_unit_pair(const lw_beside *beside, bool flips, lw_unit *unit, lw_error *err);

#endif
