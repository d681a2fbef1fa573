/* The registers of one module on both sides (state/registers.yaml): found in the Verilated model by
 * name, read as the document shows them (R0.5), and compared all in each cycle. */
#ifndef LW_TESTS_MODULES_REGISTERS_H
#define LW_TESTS_MODULES_REGISTERS_H

#include "tests/modules/module.h"
#include "tests/modules/module_rtl.h"

typedef struct lw_module_register {
    lw_field field;
    bool there;       /* a PWC by address has no PASID */
    uint32_t planes;  /* 0: an element an entry; else bit planes of `entries` bits */
    uint32_t entries; /* as state/registers.yaml says */
    uint32_t valid; /* the register whose entry says whether this one's is valid; itself if none */
    lw_rtl_register at;
} lw_module_register;

typedef struct lw_module_registers {
    lw_module_register reg[LW_FIELD_COUNT];
    uint32_t count, values; /* registers; entries of all of them */
} lw_module_registers;

typedef struct lw_register_difference {
    lw_field field;
    uint32_t index;
    uint64_t rtl, twin;
} lw_register_difference;

/* False and a sentence where the RTL has no such register, or one of another shape. */
bool lw_module_registers_find(lw_module_registers *r, const lw_row *row,
                              const lw_module_rtl_functions *functions, lw_module_rtl *rtl,
                              lw_error *err);
/* The number of differences; the first `room` of them are kept. */
size_t lw_module_registers_compare(const lw_module_registers *r, const lw_iommu *twin,
                                   lw_register_difference *found, size_t room);

#endif
