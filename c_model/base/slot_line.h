/* A line of a slot of a hashed table (chapter 20): whose it is. A walker asks (R21.9), and the
 * contiguity check of a head's line (R16.15). */
#ifndef LW_C_MODEL_BASE_SLOT_LINE_H
#define LW_C_MODEL_BASE_SLOT_LINE_H

#include "c_model/base/address.h"

/* R20.3: whether the line carries the tag of the PASID and region of this key, six bits of it in
 * each PTE. */
bool lw_slot_line_carries(const lw_config *cfg, const uint64_t line[8], uint64_t key);

#endif
