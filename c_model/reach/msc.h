/* The memory subregion cache (chapter 16): for a frame the seven bits MAP, set-associative with
 * true LRU. Entry set x MSC_WAYS + way.
 *
 * The contiguity check looks up and fills in different cycles, and in none in which the MSC is not
 * at rest (R16.20). That the RTL's arrays are told their set ahead (R14.4, R16.14) changes nothing
 * that can be seen.
 */
#ifndef LW_C_MODEL_REACH_MSC_H
#define LW_C_MODEL_REACH_MSC_H

#include "c_model/base/signals.h"

enum { LW_MSC_MAX = 16 * 256 };

/* R16.19: the way that was hit, or is filled, in the cycle before. */
typedef struct lw_msc_place {
    bool touch, write;
    uint8_t way;
} lw_msc_place;

/* Whose frame is looked up or filled; `vsn` is any subregion of the frame, `node` holds its heads'
 * PTEs. */
typedef struct lw_msc_key {
    uint32_t pasid;
    uint64_t vsn, node;
} lw_msc_key;

typedef struct lw_msc {
    const lw_config *cfg;
    const lw_watch *watch;
    uint64_t key[LW_MSC_MAX]; /* {VALID, PASID, TAG} */
    uint64_t node[LW_MSC_MAX];
    uint8_t map[LW_MSC_MAX];
    uint64_t ranks[256]; /* by set */
    lw_msc_place place;
    bool sweep; /* R16.18: SWEEP_SET is swept in this cycle */
    uint32_t sweep_set;
    uint16_t swept; /* R16.20: ways of SWEPT_SET */
    uint32_t swept_set;
    int32_t written; /* the entry that is written in this cycle, or LW_NONE; no register */
} lw_msc;

void lw_msc_init(lw_msc *m, const lw_config *cfg, const lw_watch *watch);

/* R16.20 */
bool lw_msc_at_rest(const lw_msc *m);
/* Whether a cycle changes anything of itself. */
bool lw_msc_is_busy(const lw_msc *m);
/* R16.19: touches and writes what the cycle before has found, for the job of `key` with `map`. The
 * first thing in a cycle; nothing without TOUCH. */
void lw_msc_settle(lw_msc *m, const lw_msc_key *key, uint8_t map);
/* R16.4: true with a hit. */
bool lw_msc_lookup(lw_msc *m, const lw_msc_key *key, uint8_t *map);
/* R16.9 */
void lw_msc_fill(lw_msc *m, const lw_msc_key *key);
/* R16.12, R16.18, R16.20: sweeps by the operands of `by`, and takes its set for the next cycle, if
 * it is valid. The last thing in every cycle. */
void lw_msc_sweep(lw_msc *m, const lw_sweep *by);

#endif
