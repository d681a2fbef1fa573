/* A bit of a register that is flipped in mid-run, to see the lockstep bark; the whole unit's and a
 * module's name it alike. */
#ifndef LW_DPI_INJECTION_H
#define LW_DPI_INJECTION_H

#include "c_model/base/catalogue.h"
#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Flips one bit after `cycle` has ended. */
typedef struct lw_injection {
    bool on;
    uint64_t cycle;
    lw_field field;
    uint32_t index, bit;
} lw_injection;

/* "STRUCTURE[index].FIELD.bit@cycle", "BUFFER[3].PL.1@5000"; false and a sentence otherwise. */
bool lw_injection_parse(const char *text, const char *option, const lw_params *params,
                        lw_injection *injection, lw_error *err);

#endif
