/* The RTL side as C sees it: one shared library for each set of hardware parameters, holding the
 * Verilated lockstep_tb and this interface (dpi/rtl_side.cpp).
 *
 * The library never calls exit; a failed assertion in the RTL is told by lw_rtl_functions.failed.
 */
#ifndef LW_DPI_RTL_API_H
#define LW_DPI_RTL_API_H

#include "c_model/base/ports.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_rtl lw_rtl;

/* Called once a cycle: the RTL's outputs of the cycle; fills the inputs of the same cycle. */
typedef void lw_rtl_cycle_fn(void *ctx, const lw_outputs *out, lw_inputs *in);

/* One register: where it lies and how it is laid out. `data` is the first word in the Verilated
 * model; entry i is at data + i * stride (an unpacked array), or bit i of each plane of `entries`
 * bits (a packed vector or bit planes). */
typedef struct lw_rtl_register {
    uint8_t *data;
    uint32_t bytes;   /* of the whole register */
    uint32_t entries; /* elements of the unpacked array; 1 if it is none */
    uint32_t stride;  /* bytes of an element */
    uint32_t bits;    /* of an element */
} lw_rtl_register;

/* Called once for each register: the instance below the unit, and the name. */
typedef void lw_rtl_register_fn(void *ctx, const char *instance, const char *name);

typedef struct lw_rtl_functions {
    /* What has no reset begins as zero, or with `random_start` above 0 as random bits of that seed.
     */
    lw_rtl *(*create)(lw_rtl_cycle_fn *cycle, void *ctx, int random_start);
    void (*destroy)(lw_rtl *rtl);
    /* Holds reset for two cycles; no callback. */
    void (*reset)(lw_rtl *rtl);
    /* One cycle: falling edge (the callback), rising edge. */
    void (*step)(lw_rtl *rtl);
    /* False where no such register is in this build: instance path below the unit ("u_tlb"). */
    bool (*find)(lw_rtl *rtl, const char *instance, const char *name, lw_rtl_register *reg);
    /* All registers of the unit, those of the checkers that are bound to it left out. */
    void (*each_register)(lw_rtl *rtl, lw_rtl_register_fn *found, void *ctx);
    /* FST waves of everything from now on, into `path`; false where it cannot be written. */
    bool (*wave_open)(lw_rtl *rtl, const char *path);
    /* Whether all that was to be written of them until now is written. */
    bool (*waves_are_good)(const lw_rtl *rtl);
    /* Closes the waves; false where the file is not whole. True without waves. */
    bool (*wave_close)(lw_rtl *rtl);
    /* Whether an assertion has failed, and its text. */
    bool (*failed)(lw_rtl *rtl, const char **text);
    /* Verilator's version, and the name and version of the compiler of what it wrote. */
    const char *(*version)(void);
} lw_rtl_functions;

/* The one symbol of the library. */
const lw_rtl_functions *lw_rtl_library(void);

#ifdef __cplusplus
}
#endif

#endif
