/* The dynamic energy of a run's translation path: events times the energy of an access. The events
 * are those that the unit's counters, the GPU and memory have counted anyway; docs/machine.md says
 * which they are for each structure, and what they leave out. */
#ifndef LW_SIM_ENERGY_ENERGY_H
#define LW_SIM_ENERGY_ENERGY_H

#include "sim/energy/energy_table.h"
#include "sim/gpu/front_end.h"
#include "sim/memory/banks.h"
#include "sim/system/system.h"

#include <stdint.h>

/* What has been counted of a run. */
typedef struct lw_energy_run {
    const lw_system *system;
    const uint64_t *counters; /* the unit's, LW_COUNTERS of them */
    uint64_t translations;    /* responses of the unit with KIND OK */
    const lw_front_statistics *front;
    const lw_banks *banks;
} lw_energy_run;

typedef struct lw_energy {
    uint64_t events[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]; /* 0 of a structure that is not there */
    double nj[LW_ENERGY_PARTS];
    double sum; /* nJ */
} lw_energy;

void lw_energy_of(const lw_energy_run *run, const lw_energy_table *table, lw_energy *energy);

#endif
