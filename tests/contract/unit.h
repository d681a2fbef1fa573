/* The unit under test as the contract tester sees it: ports, and its registers by name where it
 * lets us look. The twin is one (twin_unit.c), the twin with the RTL beside it another
 * (pair_unit.h). */
#ifndef LW_TESTS_CONTRACT_UNIT_H
#define LW_TESTS_CONTRACT_UNIT_H

#include "c_model/base/params.h"
#include "c_model/iommu.h"
#include "common/error.h"

#include <stdbool.h>

typedef struct lw_unit {
    void *own;
    void (*outputs)(void *own, lw_outputs *out);  /* of the present cycle */
    void (*step)(void *own, const lw_inputs *in); /* one cycle with these inputs */
    void (*free)(void *own);
    /* The register `field` of entry `index`, which counts only where the entry is valid. NULL: the
     * unit shows its ports alone. */
    uint64_t (*peek)(void *own, lw_field field, uint32_t index);
    /* Where its two sides differ, in words; NULL: nowhere until now. NULL itself: it has one side.
     */
    const char *(*difference)(void *own);
} lw_unit;

/* The twin after a reset; false and a sentence (illegal parameters, no memory). */
bool lw_unit_twin(const lw_params *hw, lw_unit *unit, lw_error *err);
/* The twin behind such a unit. */
lw_iommu *lw_unit_twin_iommu(const lw_unit *unit);

/* A unit that tells one lie: `inner`, which it then owns, with what the ports say falsified now and
 * then, or what a register shows. For the tester's own test: each check must bark at its lie. */
bool lw_unit_liar(lw_unit inner, const char *lie, lw_unit *unit, lw_error *err);
bool lw_unit_table_liar(lw_unit inner, const char *lie, lw_unit *unit, lw_error *err);

#endif
