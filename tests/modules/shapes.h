/* The hardware parameters with which modules are run (shapes.c says what is special of each); they
 * are legal for a whole unit, of which a module uses its own. */
#ifndef LW_TESTS_MODULES_SHAPES_H
#define LW_TESTS_MODULES_SHAPES_H

#include "c_model/base/params.h"

/* Whether there are sized PTEs (R1.17). */
static inline bool lw_has_sizes(const lw_params *p) {
    return p->pwc_org == LW_PWC_OF_STEPS || p->pages_64k != 0;
}

extern const lw_params lw_shape_small;
extern const lw_params lw_shape_five;
extern const lw_params lw_shape_by_address;
extern const lw_params lw_shape_mesc;
extern const lw_params lw_shape_mesc_parallel;
extern const lw_params lw_shape_mesc_wide;
extern const lw_params lw_shape_macro;
extern const lw_params lw_shape_mesc_headfirst;
extern const lw_params lw_shape_colt;
extern const lw_params lw_shape_colt_mesc;
extern const lw_params lw_shape_full_colt;
extern const lw_params lw_shape_full_colt_parallel;
extern const lw_params lw_shape_full_colt_wide;
extern const lw_params lw_shape_hashed;
extern const lw_params lw_shape_hashed_five;
extern const lw_params lw_shape_hashed_mesc;
extern const lw_params lw_shape_hashed_lines;

#endif
