/* The C twin behind the tester's three functions. */
#include "c_model/iommu.h"
#include "tests/contract/unit.h"

static void outputs(void *own, lw_outputs *out) {
    lw_iommu_outputs(own, out);
}

static void step(void *own, const lw_inputs *in) {
    lw_iommu_step(own, in);
}

static void done(void *own) {
    lw_iommu_free(own);
}

bool lw_unit_twin(const lw_params *hw, lw_unit *unit, lw_error *err) {
    *unit = (lw_unit){lw_iommu_new(hw, err), outputs, step, done};
    return unit->own != NULL;
}
