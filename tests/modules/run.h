/* One run of the module lockstep: cycles until the first difference, and its report. */
#ifndef LW_TESTS_MODULES_RUN_H
#define LW_TESTS_MODULES_RUN_H

#include "dpi/injection.h"
#include "tests/modules/module.h"
#include "tests/modules/module_rtl.h"

typedef struct lw_run_request {
    const lw_row *row;
    const lw_module_rtl_functions *functions;
    uint64_t seed, cycles;
    lw_injection flip; /* of the twin */
    bool shares;       /* print how often each output was not zero, and which never changed */
    bool checkers;     /* the sides may differ: what the assertions of tb/ say, to the end */
} lw_run_request;

typedef enum lw_run_result {
    LW_RUN_EQUAL = 0,
    LW_RUN_DIFFERENT = 1,
    LW_RUN_FAILED = 2
} lw_run_result;

/* Prints the outcome on standard output; LW_RUN_FAILED leaves a sentence in err. */
lw_run_result lw_module_run(const lw_run_request *request, lw_error *err);

#endif
