/* The unit's registers by name: the catalogue that the twin's peek, the lockstep's state net, fault
 * injection and every report share. It is made from state/registers.yaml. */
#ifndef LW_C_MODEL_BASE_CATALOGUE_H
#define LW_C_MODEL_BASE_CATALOGUE_H

#include "c_model/base/params.h"
#include "state/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names as the document has them, and what a register says in a line. */
const char *lw_structure_name(lw_structure s);
const char *lw_field_name(lw_field f);
const char *lw_field_meaning(lw_field f);
lw_structure lw_field_structure(lw_field f);
/* The field that is zero where an entry holds nothing (R0.5); LW_FIELD_COUNT where all hold. */
lw_field lw_structure_valid(lw_structure s);
/* Entries of a structure in a unit with these parameters; 0: it has none. */
uint32_t lw_structure_entries(const lw_params *p, lw_structure s);
/* Width of a register; 0: the unit does not have it. */
uint32_t lw_field_bits(const lw_params *p, lw_field f);

static inline bool lw_field_exists(const lw_params *p, lw_field f) {
    return lw_field_bits(p, f) != 0;
}

#ifdef __cplusplus
}
#endif

#endif
