/* The modules that the module lockstep knows; each in the file of its name. */
#ifndef LW_TESTS_MODULES_H
#define LW_TESTS_MODULES_H

#include "module.h"

extern const lw_module lw_module_unified_tlb;

#endif
