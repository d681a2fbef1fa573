/* What whole kernels did that a table cuts, measured once on the twin, so that a table can say how
 * far its cuts are from them. */
#ifndef LW_APP_TABLE_WHOLE_H
#define LW_APP_TABLE_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel of the default size, with nothing cut and no value of the system changed: cycles of the
 * run, and line reads of page walks. */
typedef struct lw_whole {
    const char *kernel, *system;
    uint64_t cycles, accesses;
} lw_whole;

/* NULL where it has not been run. */
const lw_whole *lw_whole_of(const char *kernel, const char *system);

#endif
