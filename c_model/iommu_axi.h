/* The unit with its bridges (chapter 19): page tables are read over AXI4, registers are reached
 * over AXI4-Lite.
 *
 * One cycle is: read the outputs, a function of the state, then step with the inputs. */
#ifndef LW_C_MODEL_IOMMU_AXI_H
#define LW_C_MODEL_IOMMU_AXI_H

#include "c_model/bus/axi_lite_control.h"
#include "c_model/bus/axi_reader.h"
#include "c_model/iommu.h"

typedef struct lw_iommu_axi {
    lw_iommu *unit; /* the caller's */
    lw_axi_reader reader;
    lw_axi_lite lite;
    bool flush; /* R19.22: the unit is held in reset */
} lw_iommu_axi;

/* Of `unit` requests, responses and invalidations count, of the bridges what is at the buses. */
typedef struct lw_iommu_axi_inputs {
    lw_inputs unit;
    lw_axi_reader_inputs reader;
    lw_axi_lite_inputs lite;
    bool unit_reset;
} lw_iommu_axi_inputs;

typedef struct lw_iommu_axi_outputs {
    lw_outputs unit;
    lw_axi_reader_outputs reader;
    lw_axi_lite_outputs lite;
    bool bus_error;
} lw_iommu_axi_outputs;

/* The bridges after reset, around a unit after reset with these parameters. False and a sentence
 * for a width of the bus that is not legal. */
bool lw_iommu_axi_init(lw_iommu_axi *a, lw_iommu *unit, const lw_params *hw, uint32_t data_width,
                       lw_error *err);
/* Of all that it joins, the unit too (R0.2). */
void lw_iommu_axi_reset(lw_iommu_axi *a);
void lw_iommu_axi_show(const lw_iommu_axi *a, lw_iommu_axi_outputs *out);
void lw_iommu_axi_step(lw_iommu_axi *a, const lw_iommu_axi_inputs *in);

#endif
