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

/* What drives the unit in one cycle. Payload is meaningful only with its valid. */
typedef struct lw_inputs {
    bool req_valid;
    uint32_t req_id, req_src, req_pasid, req_access;
    uint64_t req_page; /* VA[63:12], 52 bits */
    bool rsp_ready;
    bool mem_req_ready;
    bool mem_rsp_valid, mem_rsp_error;
    uint32_t mem_rsp_tag;
    uint64_t mem_rsp_data[8]; /* PTE j of the line */
    bool inv_valid;
    uint32_t inv_type, inv_pasid;
    uint64_t inv_first, inv_last; /* VPNs */
    bool ctl_write;
    uint32_t ctl_addr;
    uint64_t ctl_wdata;
} lw_inputs;

/* What the unit shows in one cycle, a function of its state alone (R0.3). */
typedef struct lw_outputs {
    bool req_ready;
    bool rsp_valid;
    uint32_t rsp_id, rsp_kind, rsp_level, rsp_size, rsp_perm;
    uint64_t rsp_pfn;
    bool mem_req_valid;
    uint32_t mem_req_tag;
    uint64_t mem_req_line; /* PA[..:6] */
    bool inv_ready, inv_done;
    uint64_t ctl_rdata;
} lw_outputs;

/* Control addresses (R12). */
enum {
    LW_CTL_FEATURES = 0x000,
    LW_CTL_FAULT_INFO = 0x001,
    LW_CTL_FAULT_PAGE = 0x002,
    LW_CTL_BUS_STATUS = 0x003, /* on a bus only (R19.8) */
    LW_CTL_STRIDE = 0x004,     /* this, STEP and VICTIM of hashed tables (R21.16) */
    LW_CTL_COUNTER = 0x100,
    LW_CTL_ROOT = 0x800,
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
