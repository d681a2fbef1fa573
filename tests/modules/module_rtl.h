/* One Verilated module as C sees it: one shared library for each row of the catalogue, holding the
 * model and this interface (module_rtl.cpp). Ports and registers are found by name in the model. */
#ifndef LW_TESTS_MODULES_MODULE_RTL_H
#define LW_TESTS_MODULES_MODULE_RTL_H

#include "dpi/rtl_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_module_rtl lw_module_rtl;

/* A port, or a field of one ("mark_i.pasid"; layout.py): `count` pieces of `width` bits, `stride`
 * apart, from bit `lsb` of the port `of` on, whose place in the model is `at`. */
typedef struct lw_module_port {
    const char *name, *of;
    uint32_t lsb, width, count, stride;
    bool input;
    lw_rtl_register at;
} lw_module_port;

typedef struct lw_module_rtl_functions {
    /* A model after reset, its inputs zero; clock and reset (where there are any) are its own. */
    lw_module_rtl *(*create)(void);
    void (*destroy)(lw_module_rtl *rtl);
    /* Two cycles in reset, with the inputs that are there. */
    void (*reset)(lw_module_rtl *rtl);
    /* The cycle's first half: the outputs follow the inputs. */
    void (*settle)(lw_module_rtl *rtl);
    /* The clock edge; nothing in a module without a clock. */
    void (*edge)(lw_module_rtl *rtl);
    /* Port or field n, clock and reset apart, a port before its fields; false after the last. */
    bool (*port)(lw_module_rtl *rtl, uint32_t n, lw_module_port *port);
    /* The register of this name in this instance ("" or "gen_x.u_y") of `top`. */
    bool (*find)(lw_module_rtl *rtl, const char *top, const char *instance, const char *name,
                 lw_rtl_register *at);
    /* Whether an assertion of tb/ has failed; it has then said so on standard output. */
    bool (*failed)(const lw_module_rtl *rtl);
} lw_module_rtl_functions;

/* The one symbol of the library. */
const lw_module_rtl_functions *lw_module_rtl_library(void);

#ifdef __cplusplus
}
#endif

#endif
