/* Where the RTL keeps the registers: instance and name, made from state/registers.yaml. The
 * lockstep's state net and the module lockstep find them there. */
#ifndef LW_DPI_PLACES_H
#define LW_DPI_PLACES_H

#include "c_model/base/catalogue.h"

#include <stddef.h>

enum { LW_PLACE_MAX = 128, LW_SRAM_WORDS = 64 };

/* An array of the RTL (rtl/prim/sram.sv) that holds a field: its instance, NULL where there is
 * none, and its words. From LW_SRAM_WORDS words on it is a memory macro (R14.4). */
typedef struct lw_rtl_array {
    const char *instance;
    uint32_t words;
} lw_rtl_array;

/* The registers that state/registers.yaml knows, whatever the parameters: those with a twin, and
 * its exceptions. Instance and name may hold the wildcard `*` (fnmatch). */
typedef struct lw_rtl_pattern {
    const char *instance, *name;
} lw_rtl_pattern;
extern const lw_rtl_pattern lw_rtl_known[];
extern const size_t lw_rtl_known_count;

/* The instance of a structure below the unit, also where the unit has no such structure. */
const char *lw_rtl_instance(const lw_params *p, lw_structure s);
/* The file that it is written in, from the project's folder; and the rules of docs/architecture
 * that a field's meaning cites, or its structure's ("R4.1, R4.5", "chapter 6"). */
const char *lw_rtl_file(const lw_params *p, lw_structure s);
const char *lw_field_rules(lw_field f);
lw_rtl_array lw_rtl_array_of(const lw_params *p, lw_field f);
/* Writes instance and register of a field of a structure that lies in `instance`. */
void lw_rtl_place(const lw_params *p, lw_field f, const char *instance, char place[LW_PLACE_MAX],
                  char name[LW_PLACE_MAX]);

#endif
