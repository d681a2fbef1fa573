/* Functional coverage: which corners of the unit a run has reached, counted from the twin's
 * registers and ports. It is asked for (it reads some tens of registers by name in each cycle) and
 * changes nothing.
 *
 * Points lie in groups, each a table of rows and columns: "walker x invalidation: MEM x SWEEP". A
 * point counts the cycles in which it held; in a twin that runs alone those that were not left out.
 */
#ifndef LW_DPI_COVERAGE_H
#define LW_DPI_COVERAGE_H

#include "c_model/iommu.h"

#include <stddef.h>

typedef struct lw_coverage lw_coverage;

lw_coverage *lw_coverage_new(const lw_params *params); /* NULL where there is no memory */
void lw_coverage_free(lw_coverage *c);

/* A cycle as it begins: the unit before its step, its inputs and outputs. */
void lw_coverage_cycle(lw_coverage *c, const lw_iommu *unit, const lw_inputs *in,
                       const lw_outputs *out);

/* The points, from 0: name and count. False past the last. */
typedef struct lw_coverage_point {
    char name[96];
    uint64_t count;
} lw_coverage_point;
bool lw_coverage_point_at(const lw_coverage *c, size_t i, lw_coverage_point *point);

#endif
