/* What a line holds that comes with the error bit: nothing that the unit may use (R9.9, R16.15,
 * R21.9). It is not zero, so that a unit which uses it all the same is seen: in one half of the
 * reads it is as memory has it, in the other each word is a PTE that is present and leads to
 * another frame. */
#ifndef LW_SIM_MEMORY_FAILED_LINE_H
#define LW_SIM_MEMORY_FAILED_LINE_H

#include "sim/memory/phys_mem.h"

#include <stdint.h>

/* `data` is the line as memory has it; `draw` is another number for each read. A large page's frame
 * moves by up to 3 GiB, any other by up to 960 KiB, within an aligned 4 GiB and 1 MiB. */
void lw_failed_line(uint64_t draw, uint64_t data[LW_LINE_WORDS]);

#endif
