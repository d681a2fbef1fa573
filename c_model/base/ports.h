/* The unit's ports as C sees them (chapter 1 of the contract): one lw_inputs and one lw_outputs
 * describe one cycle. */
#ifndef LW_C_MODEL_BASE_PORTS_H
#define LW_C_MODEL_BASE_PORTS_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of answers (R1.9). */
typedef enum lw_kind {
    LW_OK = 0,
    LW_NONCANONICAL = 1,
    LW_UNKNOWN_PASID = 2,
    LW_NOT_PRESENT = 3,
    LW_RESERVED = 4,
    LW_MISALIGNED = 5,
    LW_PERMISSION = 6,
    LW_MEMORY_ERROR = 7
} lw_kind;

/* Types of an invalidation (chapter 1, Ports): of page `first`, of the pages first..last, of all
 * pages of the PASID, of all PASIDs. */
enum { LW_INV_PAGE = 0, LW_INV_RANGE = 1, LW_INV_PASID = 2, LW_INV_ALL = 3 };

/* What drives the unit in one cycle. Payload is meaningful only with its valid, and stays as it is
 * from then until the transfer, the cycle in which the ready is there too (R0.3). Of a number that
 * has fewer bits than its type the others are not looked at. */
typedef struct lw_inputs {
    bool req_valid;
    uint32_t req_id;     /* ID_W bits: again free once its response has left */
    uint32_t req_src;    /* SRC_W bits: which GPU and CU, for the record of the first fault */
    uint32_t req_pasid;  /* 20 bits */
    uint32_t req_access; /* 0 read, 1 write, 2 or 3 execute (R1.4) */
    uint64_t req_page;   /* VA[63:12], 52 bits */
    bool rsp_ready;
    bool mem_req_ready;
    bool mem_rsp_valid, mem_rsp_error; /* always accepted (R8.3) */
    uint32_t mem_rsp_tag;              /* of the line's request */
    uint64_t mem_rsp_data[8];          /* PTE j of the line */
    bool inv_valid;
    uint32_t inv_type, inv_pasid; /* LW_INV_*; 20 bits */
    uint64_t inv_first, inv_last; /* VPNs: 9 x LEVELS bits */
    bool ctl_write;               /* takes effect in the next cycle (R12.1) */
    uint32_t ctl_addr;            /* 12 bits: LW_CTL_* and what is added; what ctl_rdata shows */
    uint64_t ctl_wdata;
} lw_inputs;

/* What the unit shows in one cycle, a function of its state alone (R0.3). */
typedef struct lw_outputs {
    bool req_ready;
    bool rsp_valid;
    uint32_t rsp_id;
    uint32_t rsp_kind;  /* lw_kind */
    uint32_t rsp_level; /* of a fault: where it was met (R1.9); else LINKS (R1.14) */
    uint32_t rsp_size;  /* 0: 4 KiB, 1: 2 MiB, 2: 1 GiB, 3: 64 KiB (R1.7, R20.5) */
    uint32_t rsp_perm;  /* bit 0: may be written, bit 1: executed (R1.5) */
    uint64_t rsp_pfn;   /* PA[PA_WIDTH-1:12]; this, size and perm are zero with a fault */
    bool mem_req_valid;
    uint32_t mem_req_tag;     /* of up to WALKERS, and eight with SUBREGIONS, in flight */
    uint64_t mem_req_line;    /* PA[PA_WIDTH-1:6] */
    bool inv_ready, inv_done; /* done: one cycle, when the last one taken is completed (R11.6) */
    uint64_t ctl_rdata;       /* what the address named that was there two cycles ago (R12.1) */
} lw_outputs;

/* Control addresses (R12.2): a counter's number, or a PASID, is added where there are many. */
enum {
    LW_CTL_FEATURES = 0x000,   /* MODE and what is enabled */
    LW_CTL_FAULT_INFO = 0x001, /* the first fault; a write clears it */
    LW_CTL_FAULT_PAGE = 0x002,
    LW_CTL_BUS_STATUS = 0x003, /* on a bus only (R19.8) */
    LW_CTL_STRIDE = 0x004,     /* this, STEP and VICTIM of hashed tables (R21.16) */
    LW_CTL_COUNTER = 0x100,    /* + LW_C_* */
    LW_CTL_ROOT = 0x800,       /* + PASID: bit 63 valid, the frame of the root below; without bit 63
                                * that bit alone is written */
    LW_CTL_STEP = 0x900,
    LW_CTL_VICTIM = 0xa00
};

/* Counters (R12.5, R12.6). */
enum {
    LW_C_CYCLES = 0,
    LW_C_REQUESTS,
    LW_C_RESPONSES,
    LW_C_TLB_HITS,
    LW_C_TLB_MISSES,
    LW_C_FAULTS,
    LW_C_WALKS,
    LW_C_PAGE_TABLE_ACCESSES,
    LW_C_PWC_LOOKUPS,
    LW_C_PWC_HITS,
    LW_C_COALESCED_ANSWERS,
    LW_C_COALESCED_LEVELS,
    LW_C_GIVEN_BACK,
    LW_C_INVALIDATIONS,
    LW_C_REQUEST_STALLS,
    LW_C_STRAY_LINES,
    LW_C_WAITING,
    LW_C_SAME_NEIGHBOURHOOD,
    LW_C_MSC_LOOKUPS,
    LW_C_MSC_HITS,
    LW_C_HEAD_READS,
    LW_C_SUBREGION_HITS,
    LW_C_SUBREGION_FILLS,
    LW_C_JOINED,
    LW_C_CHECKS_MERGED,
    LW_C_CHECKS_DROPPED,
    LW_C_STEP_READS,
    LW_C_TABLE_READS,
    LW_C_VICTIM_WALKS,
    LW_C_VICTIM_READS,
    LW_C_TAG_MISSES,
    LW_C_STEP_RETRIES,
    LW_C_EVENTS, /* those up to here count events; the next attribute the cycles of walkers, */
    LW_C_IDLE_EMPTY = 32,
    LW_C_IDLE_HELD,
    LW_C_IDLE_PICK,
    LW_C_PWC,
    LW_C_CAM,
    LW_C_MEMORY_PORT,
    LW_C_MEMORY,
    LW_C_RESPONSE_QUEUE,
    LW_C_ATTRIBUTION_END, /* and those from here on count events again */
    LW_C_SECOND_LOOKUPS = LW_C_ATTRIBUTION_END,
    LW_C_SECOND_HITS,
    LW_COUNTERS
};

#endif
