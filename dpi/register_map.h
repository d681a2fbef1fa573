/* Where a design of one's own keeps the unit's registers (--rtl, --registers).
 *
 * A text file, a line a register, `#` comments: `STRUCTURE.FIELD instance.name`, the instance below
 * the design's `iommu` ("u_walk.u_mine.state_q"; without an instance: "state_q"), with the width
 * and the number of entries that state/registers.yaml says; or `STRUCTURE.FIELD -` where the design
 * has none. What no line names is looked for where Lockwalk's own RTL has it, and is left out of
 * the comparison where it is not there or is laid out otherwise. */
#ifndef LW_DPI_REGISTER_MAP_H
#define LW_DPI_REGISTER_MAP_H

#include "c_model/base/catalogue.h"
#include "common/error.h"
#include "dpi/places.h"

#include <stdbool.h>

typedef struct lw_register_line {
    unsigned number; /* of the line in its file; 0: none names this field */
    bool nowhere;    /* `-` */
    char instance[LW_PLACE_MAX], name[LW_PLACE_MAX];
} lw_register_line;

typedef struct lw_register_map {
    const char *path; /* NULL: no file */
    lw_register_line line[LW_FIELD_COUNT];
} lw_register_map;

/* Reads a map; `path` NULL gives one without lines. False and a sentence with file and line for
 * what is no such line, a register that a system with these parameters does not have, or one named
 * twice. `path` outlives the map. */
bool lw_register_map_read(lw_register_map *map, const char *path, const lw_params *params,
                          lw_error *err);

#endif
