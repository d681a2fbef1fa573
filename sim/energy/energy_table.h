/* The energy of an access to each structure of the translation path, as a table of one's own or of
 * systems/energy/ gives it: a section for each structure, `read` and `write` in it, nJ an access.
 * Each stands in the file once; none has a value by default. */
#ifndef LW_SIM_ENERGY_ENERGY_TABLE_H
#define LW_SIM_ENERGY_ENERGY_TABLE_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum lw_energy_part {
    LW_ENERGY_L1_TLB, /* of all CUs */
    LW_ENERGY_L2_TLB,
    LW_ENERGY_TLB, /* the unit's: pages, or runs of them */
    LW_ENERGY_SUBREGION_TLB,
    LW_ENERGY_PWC,
    LW_ENERGY_MSC,
    LW_ENERGY_CAM, /* of the IOMMU buffer */
    LW_ENERGY_PTE_CACHE,
    LW_ENERGY_MEMORY, /* where page tables are; nobody here writes them */
    LW_ENERGY_PARTS
} lw_energy_part;

typedef enum lw_energy_access {
    LW_ENERGY_READ,
    LW_ENERGY_WRITE,
    LW_ENERGY_ACCESSES
} lw_energy_access;

typedef struct lw_energy_table {
    char name[64];                                  /* the file's, without .ini */
    double nj[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]; /* 0 for an access that there is not */
} lw_energy_table;

/* The section of a structure, and the key of an access. */
const char *lw_energy_part_name(lw_energy_part part);
const char *lw_energy_access_name(lw_energy_access access);
/* Whether the structure has such an access. */
bool lw_energy_has(lw_energy_part part, lw_energy_access access);

/* False and one sentence, with file and line, for an unknown section or key, one that stands twice,
 * a value that is no number of nJ from 0 on, a key that is missing, a file that is not there. */
bool lw_energy_table_load(lw_energy_table *table, const char *path, lw_error *err);

#endif
