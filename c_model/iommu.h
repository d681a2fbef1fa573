/* The C twin of the unit, bit- and cycle-accurate (docs/microarchitecture.md, all rules).
 *
 * One cycle is: read the outputs (a function of state), then step with the inputs. The handle owns
 * all state; nothing is global; nothing is allocated after lw_iommu_new. */
#ifndef LW_C_MODEL_IOMMU_H
#define LW_C_MODEL_IOMMU_H

#include "c_model/base/catalogue.h"
#include "c_model/base/ports.h"
#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_iommu lw_iommu;

/* Checks the hardware parameters (section 13): false and one sentence naming the parameter, its
 * value and the legal range. */
bool lw_params_check(const lw_params *p, lw_error *err);

/* Whether subregions are looked up a stage before regular entries (R3.1). */
bool lw_tlb_is_serial(const lw_params *p);
/* Stages of the TLB's pipeline (R3.1), the last of which decides. */
uint32_t lw_tlb_stages(const lw_params *p);

/* A unit after reset, or NULL and a sentence (illegal parameter, no memory). */
lw_iommu *lw_iommu_new(const lw_params *params, lw_error *err);
void lw_iommu_free(lw_iommu *u);

/* The outputs of the present cycle. */
void lw_iommu_outputs(const lw_iommu *u, lw_outputs *out);

/* One cycle with these inputs. */
void lw_iommu_step(lw_iommu *u, const lw_inputs *in);

/* The number of coming cycles in which, with no input valid, no output valid and ready (a response
 * held back by rsp_ready=0 does not count as idle) and no memory response, nothing but counters
 * changes: UINT64_MAX if only an input can wake the unit, 0 if the unit is active now.
 * lw_iommu_skip does the work of n such cycles at once (n at most that number); request_waits says
 * that a request was offered in each of them, with req_ready 0, and so counted as a stall. */
uint64_t lw_iommu_idle_cycles(const lw_iommu *u);
void lw_iommu_skip(lw_iommu *u, uint64_t n, bool request_waits);

/* A counter's present value (LW_C_*). */
uint64_t lw_iommu_counter(const lw_iommu *u, uint32_t number);

/* The register `field` of entry `index` of its structure. Fields of entries that are not valid read
 * zero (R0.5). */
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
/* Entries of a structure under this unit's parameters. */
uint32_t lw_structure_entries(const lw_params *p, lw_structure s);
/* Whether this unit has the register at all: some come with subregions or CoLT only, and by address
 * the PWC has no PASID (section 14). Those that do not exist peek as zero. */
bool lw_field_exists(const lw_params *p, lw_field f);
/* Names as the document has them. */
const char *lw_structure_name(lw_structure s);
const char *lw_field_name(lw_field f);
lw_structure lw_field_structure(lw_field f);

/* The state net: after each step, `written(ctx, structure, index)` has been called at least once
 * for each entry of which a register was written (more is allowed, fewer is a bug). NULL: off. */
typedef void lw_written_fn(void *ctx, lw_structure s, uint32_t index);
void lw_iommu_watch(lw_iommu *u, lw_written_fn *written, void *ctx);

/* Flips one bit of one register (fault injection, tests of the lockstep). The index must exist. */
void lw_iommu_flip(lw_iommu *u, lw_field field, uint32_t index, uint32_t bit);

#endif
