/* The C twin of the unit, bit- and cycle-accurate (docs/architecture, all rules).
 *
 * One cycle is: read the outputs (a function of state), then step with the inputs. The handle owns
 * all state; nothing is global; nothing is allocated after lw_iommu_new. */
#ifndef LW_C_MODEL_IOMMU_H
#define LW_C_MODEL_IOMMU_H

#include "c_model/base/catalogue.h"
#include "c_model/base/ports.h"
#include "c_model/base/watch.h"
#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_iommu lw_iommu;

/* A unit after reset, or NULL and a sentence (illegal parameter, no memory). */
lw_iommu *lw_iommu_new(const lw_params *params, lw_error *err);
void lw_iommu_free(lw_iommu *u);
/* What a reset leaves (R0.2, R0.6): lw_iommu_new's, but for the fields of the buffer that have no
 * reset: they stay, and nobody uses them before they are written. The watch stays too. */
void lw_iommu_reset(lw_iommu *u);

/* The outputs of the present cycle. */
void lw_iommu_outputs(const lw_iommu *u, lw_outputs *out);

/* One cycle with these inputs. */
void lw_iommu_step(lw_iommu *u, const lw_inputs *in);

/* The number of coming cycles in which, with no input valid, no output valid and ready (a response
 * held back by rsp_ready=0 does not count as idle) and no memory response, nothing but counters
 * changes: UINT64_MAX if only an input can wake the unit, 0 if the unit is active now.
 * lw_iommu_skip does the work of n such cycles at once (n at most that number); request_waits says
 * that a request was offered in each of them, with req_ready 0, and so counted as a stall. In all
 * of them the control address is 0, so that ctl_rdata is FEATURES afterwards (R12.1). */
uint64_t lw_iommu_idle_cycles(const lw_iommu *u);
void lw_iommu_skip(lw_iommu *u, uint64_t n, bool request_waits);

/* A counter's present value (LW_C_*, below LW_COUNTERS), which has the events of the last cycle; a
 * read through the control port shows them two cycles later (R12.1). */
uint64_t lw_iommu_counter(const lw_iommu *u, uint32_t number);

/* The register `field` of entry `index` of its structure, which must exist. Fields of entries that
 * are not valid read zero (R0.5), and so do registers that the unit does not have. */
uint64_t lw_iommu_peek(const lw_iommu *u, lw_field field, uint32_t index);
/* Where the entries of a register lie in the unit: the one of index i at bit first + i x stride
 * from `base`, of which any eight bytes from its first byte on can be read. What lies there counts
 * only for valid entries. False for a register that does not lie evenly, or not always in the same
 * place. */
typedef struct lw_register_place {
    const uint8_t *base;
    uint64_t first, stride; /* bits */
    uint32_t bits;
} lw_register_place;
bool lw_iommu_locate(const lw_iommu *u, lw_field field, lw_register_place *place);
/* Tells `written` of each write (lw_written_fn). NULL: off. */
void lw_iommu_watch(lw_iommu *u, lw_written_fn *written, void *ctx);

/* Writes down in `moves` where each request is (moves.h). NULL: off. */
void lw_iommu_follow(lw_iommu *u, lw_moves *moves);

/* Flips one bit of one register (fault injection, tests of the lockstep). The index must exist. Of
 * an entry that it empties nothing else is kept (R0.5). */
void lw_iommu_flip(lw_iommu *u, lw_field field, uint32_t index, uint32_t bit);

#ifdef __cplusplus
}
#endif

#endif
