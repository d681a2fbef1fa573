/* The memory subregion cache (chapter 16): for a frame the seven bits MAP, set-associative with
 * true LRU. Entry set x MSC_WAYS + way.
 *
 * The contiguity check looks up and fills in different cycles, and in none of a sweep. That the
 * RTL's arrays are told their set ahead (R14.4, R16.14) changes nothing that can be seen.
 */
#ifndef LW_C_MODEL_REACH_MSC_H
#define LW_C_MODEL_REACH_MSC_H

#include "c_model/base/signals.h"

enum { LW_MSC_MAX = 16 * 256, LW_MSC_MAP_BITS = 7 };

typedef struct lw_msc {
    const lw_config *cfg;
    const lw_watch *watch;
    uint64_t key[LW_MSC_MAX]; /* {VALID, PASID, TAG} */
    uint64_t node[LW_MSC_MAX];
    uint8_t map[LW_MSC_MAX];
    uint64_t ranks[256]; /* by set */
    bool sweep;          /* R16.18: SWEEP_SET is swept in this cycle */
    uint32_t sweep_set;
} lw_msc;

void lw_msc_init(lw_msc *m, const lw_config *cfg, const lw_watch *watch);

/* R16.4: true with a hit, which touches the entry; `vsn` is any subregion of the frame, `node`
 * holds its heads' PTEs. */
bool lw_msc_lookup(lw_msc *m, uint32_t pasid, uint64_t vsn, uint64_t node, uint8_t *map);
/* R16.9 */
void lw_msc_fill(lw_msc *m, uint32_t pasid, uint64_t vsn, uint64_t node, uint8_t map);
/* R16.12, R16.18: sweeps by the operands of `by`, and takes its set for the next cycle, if it is
 * valid. Nothing happens without SWEEP and with no valid `by`. */
void lw_msc_sweep(lw_msc *m, const lw_sweep *by);

#endif
