/* The C twin behind the tester's functions. */
#include "tests/contract/unit.h"

#include <stdlib.h>
#include <string.h>

/* How a register is read: looked up by its name, at its place, or not at all as there is none. */
typedef enum way { BY_NAME_FIRST, BY_PLACE, BY_NAME, NOT_AT_ALL } way;

typedef struct twin {
    lw_iommu *iommu;
    lw_params hw;
    way way[LW_FIELD_COUNT];
    lw_register_place place[LW_FIELD_COUNT];
} twin;

static void outputs(void *own, lw_outputs *out) {
    lw_iommu_outputs(((twin *)own)->iommu, out);
}

static void step(void *own, const lw_inputs *in) {
    lw_iommu_step(((twin *)own)->iommu, in);
}

static void done(void *own) {
    lw_iommu_free(((twin *)own)->iommu);
    free(own);
}

static way find(twin *t, lw_field field) {
    if (!lw_field_exists(&t->hw, field)) {
        return NOT_AT_ALL;
    }
    return lw_iommu_locate(t->iommu, field, &t->place[field]) ? BY_PLACE : BY_NAME;
}

static uint64_t peek(void *own, lw_field field, uint32_t index) {
    twin *t = own;
    if (t->way[field] == BY_NAME_FIRST) {
        t->way[field] = find(t, field);
    }
    if (t->way[field] != BY_PLACE) {
        return t->way[field] == BY_NAME ? lw_iommu_peek(t->iommu, field, index) : 0;
    }
    const lw_register_place *p = &t->place[field];
    const uint64_t bit = p->first + index * p->stride;
    uint64_t eight = 0;
    memcpy(&eight, p->base + bit / 8, sizeof eight);
    return eight >> (bit % 8) & (UINT64_MAX >> (64 - p->bits));
}

bool lw_unit_twin(const lw_params *hw, lw_unit *unit, lw_error *err) {
    twin *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return lw_fail(err, "there is no memory for a twin");
    }
    t->hw = *hw;
    t->iommu = lw_iommu_new(hw, err);
    if (t->iommu == NULL) {
        free(t);
        return false;
    }
    *unit = (lw_unit){t, outputs, step, done, peek, NULL};
    return true;
}

lw_iommu *lw_unit_twin_iommu(const lw_unit *unit) {
    return ((const twin *)unit->own)->iommu;
}
