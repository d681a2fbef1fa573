/* The state net: every register of state/registers.yaml, RTL against C twin.
 *
 * The RTL's registers are read in place (dpi/rtl_api.h) against a copy from the cycle before;
 * whatever changed there, and whatever the twin says it wrote, is compared in the same cycle. So a
 * register that differs is named in the first cycle in which it does, and a silent flip is seen
 * like a write. A full compare looks at every register of every entry. */
#ifndef LW_DPI_STATE_NET_H
#define LW_DPI_STATE_NET_H

#include "c_model/iommu.h"
#include "common/error.h"
#include "dpi/register_map.h"
#include "dpi/rtl_api.h"

#include <stddef.h>

typedef struct lw_state_net lw_state_net;

typedef struct lw_state_difference {
    lw_field field;
    uint32_t index;
    uint64_t rtl, twin;
} lw_state_difference;

/* NULL and a sentence where the build lacks a register of the catalogue. With a map it is a design
 * of one's own, in which what is missing is left out; only what the map says must be there. RTL,
 * functions and twin outlive the net, which takes the twin's watch; `twin` may be NULL where only
 * lw_state_net_flip is wanted. */
lw_state_net *lw_state_net_new(const lw_params *params, const lw_rtl_functions *functions,
                               lw_rtl *rtl, const lw_register_map *map, lw_iommu *twin,
                               lw_error *err);
/* Whether a field is among what is compared. */
bool lw_state_net_has(const lw_state_net *net, lw_field field);
void lw_state_net_free(lw_state_net *net);

/* After both sides have ended a cycle: the number of differences among what was written in it, the
 * first `room` of them in `found`. */
size_t lw_state_net_compare(lw_state_net *net, lw_state_difference *found, size_t room);
/* The same over all registers. */
size_t lw_state_net_compare_all(lw_state_net *net, lw_state_difference *found, size_t room);
/* Register values compared so far. */
uint64_t lw_state_net_compared(const lw_state_net *net);

/* The RTL's value of a register (zero for fields of entries that are not valid). */
uint64_t lw_state_net_rtl(const lw_state_net *net, lw_field field, uint32_t index);
/* Flips a bit of the RTL's register, in a build with writable registers. */
void lw_state_net_flip(lw_state_net *net, lw_field field, uint32_t index, uint32_t bit);
/* Has the entry of this register compared in the next compare. */
void lw_state_net_touch(lw_state_net *net, lw_field field, uint32_t index);
/* Bits of the RTL's register. */
uint32_t lw_state_net_bits(const lw_state_net *net, lw_field field);

#endif
