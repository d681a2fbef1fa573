/* What passes between the unit's modules: the structs of the ports of the RTL's modules
 * (rtl/pkg/lockwalk_types*.svh and lockwalk_pkg.sv), by the same names. A module knows this folder
 * and its own; iommu.c and walk_engine.c pass what leaves one to another. */
#ifndef LW_C_MODEL_BASE_SIGNALS_H
#define LW_C_MODEL_BASE_SIGNALS_H

#include "c_model/base/pte.h"

/* ---------------------------------------------------------------- requests and responses */

/* A request on its way through the TLB, or the second lookup of a walker's entry (R5.26). */
typedef struct lw_request {
    uint64_t page;
    uint32_t pasid;
    uint16_t id, src;
    uint8_t access, walker; /* walker: of a second lookup */
    bool valid, second;
} lw_request;

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

/* What a fill writes: a regular entry for `page`, or a span from the place of `page` on: its
 * subregion (R3.12), itself (R3.14). */
typedef struct lw_fill {
    uint64_t page, pfn;
    uint32_t pasid;
    bool valid, span;
    uint8_t length, perm, size;
} lw_fill;

/* ---------------------------------------------------------------- what the host sets */

/* FEATURES (R12.2), as the modules use it. */
typedef struct lw_features {
    uint32_t takes_part;  /* MODE: bit k set if level k takes part (R9.1) */
    uint16_t contig_mask; /* the bits of CONTIG that are read (R1.10) */
    bool pwc_enable, pl_skips_pwc, subregion_enable, colt_enable, home_first;
} lw_features;

enum { LW_PASIDS_MAX = 256 };

/* The roots of the page tables, by PASID (R12.2): bit 63 valid, the frame below. Of a hashed table
 * (R20.11, R21.16) ROOT also has HASHED and the table's LOG, STEP the step table's LOG and frame,
 * VICTIM bit 63 valid and the frame of the victim buffer's root. */
typedef struct lw_roots {
    uint32_t pasids, stride;
    uint64_t root[LW_PASIDS_MAX], step[LW_PASIDS_MAX], victim[LW_PASIDS_MAX];
} lw_roots;

enum { LW_ROOT_HASHED = 62, LW_ROOT_LOG = 57, LW_ROOT_LOG_MAX = 31 };

/* R3.32: whether this PASID, any 20-bit value, has a root. */
static inline bool lw_roots_has(const lw_roots *r, uint32_t pasid) {
    return pasid < r->pasids && r->root[pasid] >> 63 != 0;
}

/* The frame and the logarithm in such a register. */
static inline uint64_t lw_root_frame(uint64_t word) {
    return word & ((UINT64_C(1) << LW_ROOT_LOG) - 1);
}

static inline uint32_t lw_root_log(uint64_t word) {
    return (uint32_t)(word >> LW_ROOT_LOG) & LW_ROOT_LOG_MAX;
}

static inline uint64_t lw_roots_frame(const lw_roots *r, uint32_t pasid) {
    return lw_root_frame(r->root[pasid % LW_PASIDS_MAX]);
}

/* R21.1 */
static inline bool lw_roots_hashed(const lw_roots *r, uint32_t pasid) {
    return (r->root[pasid % LW_PASIDS_MAX] >> LW_ROOT_HASHED & 1) != 0;
}

/* ---------------------------------------------------------------- invalidation */

/* A mark, which is made in this cycle, and whom it meets (R11.2): all PASIDs, or the one of
 * `pasid`, or (with neither) none. */
typedef struct lw_mark {
    bool valid, all, one;
    uint32_t pasid;
} lw_mark;

static inline bool lw_mark_meets(const lw_mark *m, uint32_t pasid) {
    return m->valid && (m->all || (m->one && m->pasid == pasid));
}

/* The set that is swept in this cycle (R11.4), and for which invalidation. */
typedef struct lw_sweep {
    bool valid;
    uint8_t type;
    uint32_t set, pasid;
    uint64_t first, last;
} lw_sweep;

/* R3.11, R16.12: whether an entry of the TLB or the MSC matches that covers these pages of an
 * address space. */
static inline bool lw_sweep_matches(const lw_sweep *s, uint32_t pasid, uint64_t first,
                                    uint64_t last) {
    if (s->type == LW_INV_ALL || s->pasid != pasid) {
        return s->type == LW_INV_ALL;
    }
    const uint64_t until = s->type == LW_INV_PAGE ? s->first : s->last;
    return s->type == LW_INV_PASID || (s->first <= until && first <= until && last >= s->first);
}

/* ---------------------------------------------------------------- the IOMMU buffer */

/* A miss on its way into the buffer (R4.8, R4.12). STALE: its PASID had no root when a mark met it
 * (R4.10). */
typedef struct lw_miss {
    uint64_t key; /* {PASID, VPN} */
    uint16_t id, src;
    uint8_t access;
    bool valid, stale;
} lw_miss;

/* An entry as the read port shows it (R5.18). */
typedef struct lw_entry {
    uint64_t key;
    uint16_t id, src;
    uint8_t access, cl, pl;
    bool done, stale;
} lw_entry;

/* R9.10, R9.11: what an entry has learnt from a PTE of the line store. */
typedef struct lw_learnt {
    uint64_t pa;
    uint16_t contig;
    uint8_t perm, size, links;
} lw_learnt;

/* What a walker does with its entry: give it back (R5.7), or free it, as it starts (R5.8) or as its
 * second lookup has hit (R5.28), or neither. */
typedef struct lw_decision {
    bool give_back, leaves;
    uint16_t slot;
} lw_decision;

/* The end of a second lookup (R5.28): whose, and whether it is a second hit. */
typedef struct lw_second_end {
    bool valid, hit;
    uint8_t walker;
} lw_second_end;

/* A walker's access in flight, on which a new entry may wait (R4.3, R7.3); a list has the valid
 * ones.
 */
typedef lw_access lw_flight;

enum { LW_OP_NONE, LW_OP_SCAN, LW_OP_ADVANCE, LW_OP_COMMIT };

/* An operation of the coalescing CAM (R4.4, R4.7). It releases the neighbourhood of `key` at
 * `level` (a commit releases none) and claims that of `claim`. A scan also says what its line is
 * worth to the entries: `position` is that of the walker's own PTE, `error` that it teaches nobody,
 * `failed` that it came with the error bit. */
typedef struct lw_cam_op {
    uint64_t key; /* {PASID, VPN} */
    uint8_t op, level, reach, position, perm, claim_level, claim_reach, claim_perm, links;
    bool error, failed, claim;
} lw_cam_op;

/* What an operation releases and tells, and what it claims, as accesses. Of the
 * four values of REACH's two bits the fourth, which only a flip can make, counts as none. */
static inline lw_access lw_cam_op_access(const lw_cam_op *o) {
    return (lw_access){.key = o->key,
                       .reach = o->reach < LW_REACHES ? (lw_reach)o->reach : LW_REACH_LINE,
                       .level = o->level,
                       .perm = o->perm};
}

static inline lw_access lw_cam_op_claim(const lw_cam_op *o) {
    return (lw_access){.key = o->key,
                       .reach =
                           o->claim_reach < LW_REACHES ? (lw_reach)o->claim_reach : LW_REACH_LINE,
                       .level = o->claim_level,
                       .perm = o->claim_perm};
}

/* ---------------------------------------------------------------- walks and their ends */

/* How a walk has ended, in a walker or in an entry. The page's frame is `base` and what the page's
 * place in its reach adds (R10.2); `level` is a fault's level, or the LINKS of a translation. */
typedef struct lw_result {
    uint64_t key, base;
    uint16_t id, src, contig;
    uint8_t access, kind, level, size, perm;
    bool valid, stale;
} lw_result;

/* A check that a scan asks for (R16.1): the subregion's number and frame, CONTIG's bits for its
 * neighbours, and the node that holds their heads, a slot of a hashed table if it is TAGGED. */
typedef struct lw_check {
    uint64_t vsn, node, pfn;
    uint32_t pasid;
    uint8_t bits, perm, pte_perm;
    bool tagged, valid;
} lw_check;

/* The joined entry (R16.10); `vsn` is that of its first subregion. */
typedef struct lw_join {
    uint64_t vsn, pfn;
    uint32_t pasid;
    bool valid;
    uint8_t length, perm;
} lw_join;

/* ---------------------------------------------------------------- what is counted */

/* The events of the counters (LW_C_*, R12.5), from the unit's beginning on; each module adds those
 * of its own in each cycle. */
typedef struct lw_events {
    uint64_t total[LW_COUNTERS];
} lw_events;

/* `events` in each of n cycles, of which the last is the one that runs. */
static inline void lw_count_cycles(lw_events *e, uint32_t number, uint64_t n, uint64_t events) {
    e->total[number] += n * events;
}

static inline void lw_count(lw_events *e, uint32_t number, uint64_t events) {
    lw_count_cycles(e, number, 1, events);
}

#endif
