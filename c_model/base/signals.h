/* What passes between the unit's modules: the structs of the ports of the RTL's modules
 * (rtl/pkg/lockwalk_types.svh), by the same names. */
#ifndef LW_C_MODEL_BASE_SIGNALS_H
#define LW_C_MODEL_BASE_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/* A request on its way through the TLB. */
typedef struct lw_request {
    uint64_t page;
    uint32_t pasid;
    uint16_t id, src;
    uint8_t access;
    bool valid;
} lw_request;

/* What a fill writes: a regular entry for `page`, or a span from the place of `page` on: its
 * subregion (R3.12), itself (R3.14). */
typedef struct lw_mapping {
    uint64_t page, pfn;
    uint32_t pasid;
    bool span;
    uint8_t length, perm, size;
} lw_mapping;

/* A response on its way to the port. R10.2: PFN, SIZE and PERM are zero with a fault (R1.9). */
typedef struct lw_response {
    uint64_t pfn;
    uint16_t id;
    uint8_t kind, level, size, perm;
    bool epoch; /* R10.6 */
} lw_response;

/* A fault as the record keeps it. */
typedef struct lw_fault {
    uint8_t kind, level, access; /* kind LW_OK: no fault */
    uint32_t pasid, src;
    uint64_t page;
} lw_fault;

/* What a scan asks to be checked (R16.1). */
typedef struct lw_job {
    uint64_t vsn, node, pfn;
    uint32_t pasid;
    uint8_t bits, perm, pte_perm;
    bool live;
} lw_job;

#endif
