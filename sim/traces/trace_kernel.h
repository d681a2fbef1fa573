/* One kernel file of an Accel-Sim trace, in memory: its translating instructions only. Internal;
 * what is read, and how, is said in trace.h. */
#ifndef LW_SIM_TRACES_TRACE_KERNEL_H
#define LW_SIM_TRACES_TRACE_KERNEL_H

#include "sim/workloads/workload.h"

#define LW_WARP 32

/* 24 bytes an instruction, plus 1-10 bytes a lane where the addresses are no arithmetic row. */
typedef struct lw_trace_inst {
    uint64_t base; /* address of the lowest active lane */
    union {
        int64_t stride;  /* from each active lane to the next */
        uint64_t deltas; /* or: where in the kernel's `deltas` the differences begin */
    } to;
    uint32_t mask;
    uint16_t alu;
    uint8_t access; /* lw_access_kind */
    uint8_t flags;  /* LW_TRACE_DEP, LW_TRACE_DELTAS */
} lw_trace_inst;
#define LW_TRACE_DEP 1u
#define LW_TRACE_DELTAS 2u

typedef struct lw_trace_span {
    uint64_t begin, end; /* indices into insts */
} lw_trace_span;

typedef struct lw_trace_kernel {
    char name[256];       /* cut at the buffer's end */
    uint64_t blocks;      /* that are whole */
    uint64_t grid;        /* blocks that there should be; 0: the file is cut before it says so */
    uint32_t block_warps; /* warps of each block by the block dimensions */
    uint64_t warps;       /* warps that the file holds */
    uint64_t lines;       /* instructions of all kinds */
    uint64_t lane_accesses;

    lw_trace_inst *insts;
    size_t inst_count, inst_room;
    uint8_t *deltas; /* zigzag varints (7 bits a byte, low first, high bit: more) */
    size_t delta_count, delta_room;
    lw_trace_span *spans; /* [block * block_warps + warp]; empty where the file has no such warp */
    size_t span_count, span_room;
} lw_trace_kernel;

/* Reads all of the file, or with `partial` the whole blocks of one that is cut (perhaps none). On
 * failure *kernel is empty, and the sentence names file and line. */
bool lw_trace_kernel_read(lw_trace_kernel *kernel, const char *path, bool partial, lw_error *err);
void lw_trace_kernel_free(lw_trace_kernel *kernel);

/* The addresses of an instruction's active lanes, each at its lane's index. */
void lw_trace_addresses(const lw_trace_kernel *kernel, const lw_trace_inst *inst, uint64_t *va);

/* Appends an instruction with the addresses at the mask's lanes. False where memory is short. */
bool lw_trace_append(lw_trace_kernel *kernel, lw_trace_inst inst, const uint64_t *va);

#endif
