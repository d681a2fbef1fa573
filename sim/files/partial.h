/* How much of a file that is cut is whole. */
#ifndef LW_SIM_FILES_PARTIAL_H
#define LW_SIM_FILES_PARTIAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_partial {
    bool cut;         /* something is missing; what follows says nothing otherwise */
    const char *unit; /* "lines" or "records" of a stream, "thread blocks" of a trace */
    uint64_t whole;
    bool of_known; /* how many there should be, as far as the file that is there can say */
    uint64_t of;
    /* of a trace: the kernels with a whole thread block, of those that its list names; else 0 */
    uint64_t kernels, kernels_of;
} lw_partial;

#endif
