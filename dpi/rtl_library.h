/* The RTL builds: one shared library a set of hardware parameters, below build/rtl, built by the
 * Makefile when it is first asked for and loaded from there afterwards. */
#ifndef LW_DPI_RTL_LIBRARY_H
#define LW_DPI_RTL_LIBRARY_H

#include "common/error.h"
#include "dpi/rtl_api.h"
#include "sim/system/system.h"

typedef struct lw_rtl_library {
    void *handle;
    const lw_rtl_functions *functions;
    bool is_built; /* told by the caller: it is there, and as its sources are */
} lw_rtl_library_handle;

/* Loads the build for a system, `root` being the project's folder; `probes` asks for the one
 * whose registers fault injection may change and that can write waves. Prints that it builds
 * (stderr). False and a sentence where it cannot be built (the log file is named) or loaded. */
bool lw_rtl_library_open(lw_rtl_library_handle *library, const char *root, const lw_system *system,
                         bool probes, lw_error *err);
/* The same for the netlist in `folder` (netlist.v, cells.v), built in its lockstep/. */
bool lw_rtl_library_open_netlist(lw_rtl_library_handle *library, const char *root,
                                 const lw_system *system, const char *folder, lw_error *err);
/* The same for a design of one's own with the ports and parameters of rtl/iommu.sv: `given` is a
 * list of sources as Verilator's -F reads it, or a folder with a files.f; built in lockstep/ beside
 * it. Verilator's warnings are printed (stderr) where it is built. */
bool lw_rtl_library_open_own(lw_rtl_library_handle *library, const char *root,
                             const lw_system *system, const char *given, bool probes,
                             lw_error *err);
void lw_rtl_library_close(lw_rtl_library_handle *library);

#endif
