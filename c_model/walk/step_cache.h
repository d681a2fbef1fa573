/* The step cache (chapter 21): direct-mapped, an entry for a group of regions, with what its entry
 * in the step table says of them (R20.8, R20.27). */
#ifndef LW_C_MODEL_WALK_STEP_CACHE_H
#define LW_C_MODEL_WALK_STEP_CACHE_H

#include "c_model/base/signals.h"
#include "c_model/walk/step_line.h"

enum { LW_STEP_CACHE_MAX = 64 };

typedef struct lw_step_cache {
    const lw_config *cfg;
    const lw_watch *watch;
    uint64_t key[LW_STEP_CACHE_MAX]; /* {VALID, PASID, TAG} */
    uint64_t steps[LW_STEP_CACHE_MAX];
    lw_step_contigs contigs[LW_STEP_CACHE_MAX]; /* all zero without SUBREGIONS */
} lw_step_cache;

/* R21.3: the step of the key's region, LW_NONE where the cache does not have it. */
int32_t lw_step_cache_find(const lw_step_cache *c, uint64_t key);
/* R21.4: CONTIG of a region that is found. */
uint16_t lw_step_cache_contig(const lw_step_cache *c, uint64_t key);
/* R21.14 */
void lw_step_cache_write(lw_step_cache *c, uint64_t key, const lw_step_entry *entry);
/* R21.15 */
void lw_step_cache_mark(lw_step_cache *c, const lw_mark *mark);

#endif
