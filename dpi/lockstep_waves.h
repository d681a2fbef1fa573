/* Waves of both sides beside each other, as VCD (IEEE 1364, clause 18): every register of
 * state/registers.yaml of every side that the run has, the ports, the cycle, and whether anything
 * differs. A point in time is a cycle: registers as they are in it, ports as they are then. */
#ifndef LW_DPI_LOCKSTEP_WAVES_H
#define LW_DPI_LOCKSTEP_WAVES_H

#include "c_model/iommu.h"
#include "common/error.h"
#include "dpi/state_net.h"

typedef struct lw_lockstep_waves lw_lockstep_waves;

/* Opens the file and writes what there is to see. Either side may be missing (NULL), not both; both
 * outlive the waves. NULL and a sentence where the file cannot be written. */
lw_lockstep_waves *lw_lockstep_waves_open(const char *path, const lw_params *params,
                                          const lw_iommu *twin, const lw_state_net *net,
                                          lw_error *err);
/* The registers at the beginning of a cycle. */
void lw_lockstep_waves_registers(lw_lockstep_waves *w, uint64_t cycle);
/* The ports in it, each side's; NULL for one that the run does not have. */
void lw_lockstep_waves_ports(lw_lockstep_waves *w, const lw_inputs *in, const lw_outputs *rtl,
                             const lw_outputs *twin);
/* Whether all was written until now. */
bool lw_lockstep_waves_are_good(const lw_lockstep_waves *w);
/* Closes the file; whether it is whole. True for NULL. */
bool lw_lockstep_waves_close(lw_lockstep_waves *w);

/* The name that a register of a side has in the waves, as GTKWave shows it. `side`: "rtl", "twin".
 */
void lw_lockstep_waves_name(const lw_params *params, lw_field field, uint32_t index,
                            const char *side, char *text, size_t size);

#endif
