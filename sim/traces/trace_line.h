/* One instruction line of an Accel-Sim trace. Internal.
 *
 *   [line_num] PC mask ndst [dst..] opcode nsrc [src..] width [mode addresses] [immediate..]
 * [values]
 *
 * Everything up to the width is checked for every instruction; addresses are read (and then the
 * rest of the line checked) only where the opcode translates. */
#ifndef LW_SIM_TRACES_TRACE_LINE_H
#define LW_SIM_TRACES_TRACE_LINE_H

#include "common/error.h"
#include "sim/traces/trace_kernel.h"

/* What a kernel file's header says about its lines. */
typedef struct lw_trace_format {
    bool line_number;        /* each line begins with a source line number */
    unsigned min_immediates; /* fields after the addresses: so many at least, and at most */
    unsigned max_immediates;
    bool values;          /* then NoVal, or Val and the values of the destination registers */
    uint64_t shared_base; /* the 16 MiB window through which LD/ST/ATOM reach LDS; 0: none */
} lw_trace_format;

/* What the parser keeps between a warp's lines; all zero at a warp's first. */
typedef struct lw_trace_warp {
    uint64_t pending[4]; /* registers that a load in flight will write */
    bool wait;           /* one of them has been used since the last translating instruction */
    uint32_t alu;        /* cycles since then */
} lw_trace_warp;

/* Reads the line (cutting it up), updates *warp, and appends the instruction to *kernel where it
 * translates. On failure the sentence says what is wrong, without file and line. */
bool lw_trace_line(const lw_trace_format *format, lw_trace_warp *warp, char *line,
                   lw_trace_kernel *kernel, lw_error *err);

/* Whether a 64-bit address is canonical for 48-bit virtual addresses. */
static inline bool lw_trace_canonical(uint64_t va) {
    return va + (UINT64_C(1) << 47) < UINT64_C(1) << 48;
}

#endif
