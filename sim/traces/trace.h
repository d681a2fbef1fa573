/* Accel-Sim (NVBit) traces: what is read, the rules we add, and a summary for `trace-info`.
 *
 * Files. A list (`kernelslist.g`: lines `MemcpyHtoD,0xADDR,BYTES` and kernel file names relative to
 * it; other Memcpy lines are skipped), a single kernel file (`kernel-1.traceg`), or a folder that
 * holds a kernelslist.g. Each plain, .gz, .xz or .zst; a kernel that the list names is also found
 * under its name plus such an ending. Tracer versions 3 to 6; NVBit's ungrouped `.trace` has to
 * pass Accel-Sim's post-traces-processing first.
 *
 * Lines. `[line_num] PC mask ndst [dst..] opcode nsrc [src..] width [mode addresses] [immediate..]
 * [NoVal | Val values]`. The line number is there with `-enable lineinfo = 1`; so many immediates
 * as the `#traces format` line names (one in version 5, two in version 6), and then they must be:
 * otherwise a missing delta could not be told from one; and the values of the destination registers
 * where it names them (version 6), of which nothing is kept.
 * Modes: 0, one address per active lane; 1, base and stride over one run of active lanes; 2, base
 * and active lanes - 1 differences, each from the previous active lane.
 *
 * What translates: LD ST LDG STG LDL STL LDGSTS ATOM ATOMG RED REDG, any suffix, where the width is
 * not 0 and a lane is active. Addresses are taken as written (so LDL/STL are, too); the lanes of a
 * generic LD, ST or ATOM that lie within 16 MiB from `-shmem base_addr` are local memory and masked
 * off. LDS, STS, constants, textures, and the bulk copies of tracer branches past version 5 do not
 * appear. Atomics are writes.
 *
 * How it becomes a workload: a kernel is a launch, a thread block a group, a warp a wave of 32
 * lanes. A trace has no time stamps; our decision: every instruction that does not translate is
 * LW_TRACE_ISSUE_CYCLES of `alu` (NHA's issue period of a wave on a SIMD-16), and `dep` is set
 * where a register that an earlier load of the warp writes has been used since, as the trace names
 * them: a load as wide as so many registers of four bytes writes those from the one that is named
 * on. R255 is none. After a wait no load is under way any more.
 *
 * Memory. The translating instructions of the current kernel only, in 24 bytes each plus 1 to 10
 * bytes for each irregular lane; all else is checked and dropped while reading. A launch is read
 * when it is reached; lw_workload_arrays and lw_trace_info read the whole trace once, kernel by
 * kernel.
 *
 * Errors: one sentence with file and line for whatever is missing, truncated, corrupt, malformed,
 * or not canonical for 48-bit addresses. A file whose blocks are not exactly those of its `-grid
 * dim`, in linear order, counts as truncated. Where a trace may be partial, a file that ends early
 * has the thread blocks that are whole, and kernels that a list names may be missing. */
#ifndef LW_SIM_TRACES_TRACE_H
#define LW_SIM_TRACES_TRACE_H

#include "common/error.h"
#include "sim/files/partial.h"

#include <stddef.h>
#include <stdint.h>

#define LW_TRACE_ISSUE_CYCLES 4

typedef struct lw_trace_summary {
    char name[256];  /* the kernel's, cut at the buffer's end */
    uint64_t blocks; /* that are whole */
    uint64_t warps;
    uint64_t instructions;   /* of all kinds */
    uint64_t wave_accesses;  /* instructions that translate */
    uint64_t lane_accesses;  /* their active lanes, together */
    uint64_t distinct_pages; /* 4 KiB pages that they touch */
} lw_trace_summary;

/* A row per kernel, in launch order, in an array that the caller frees. With `partial` a trace may
 * be cut, and says so there. False and a sentence where anything in the trace is malformed (then
 * *rows is NULL). */
bool lw_trace_info(const char *path, lw_partial *partial, lw_trace_summary **rows, size_t *count,
                   lw_error *err);

#endif
