/* A plain request stream: `pasid vpn access [cycle [source]]` a line, for driving the unit without
 * kernels.
 *
 *   # comment
 *   1 0x7f0000123 r
 *   0 1234567     w  400    # not before cycle 400
 *   0 1234568     w  400 3  # by source 3
 *   0 1234569     w  -   3  # by source 3, as soon as it can
 *
 * pasid 0..1048575 (20 bits, PCIe), vpn = VA[63:12] (52 bits), access r (read), w (write) or x
 * (execute). cycle is the earliest in which the access may be issued, counted from the first in
 * which the unit can be asked; accesses keep the order of the file whatever their cycles. source is
 * who asks, 0..65535: a CU of the GPU. `-` stands for a cycle that is not given. Numbers are
 * decimal or 0x hexadecimal. A vpn that is not canonical is allowed: the unit has an answer for it.
 * Plain, .gz, .xz or .zst. Blank lines are skipped.
 *
 * A file that begins as ChampSim's traces do is read as such (champsim.h): each non-zero memory
 * operand of its records is an access. */
#ifndef LW_SIM_TRACES_STREAM_H
#define LW_SIM_TRACES_STREAM_H

#include "sim/files/partial.h"
#include "sim/workloads/workload.h"

typedef struct lw_stream lw_stream;

typedef struct lw_stream_access {
    uint32_t pasid;
    uint64_t vpn;
    lw_access_kind access;
    uint64_t cycle;  /* 0: as soon as it can */
    uint32_t source; /* or LW_STREAM_NO_SOURCE */
} lw_stream_access;
#define LW_STREAM_NO_SOURCE UINT32_MAX

lw_stream *lw_stream_open(const char *path, lw_error *err);
/* The same, but a file that is cut ends with its last whole line or record. */
lw_stream *lw_stream_open_partial(const char *path, lw_error *err);
void lw_stream_close(lw_stream *s);

/* From now on only PASIDs and sources below these are allowed (at most 2^20 and 2^16). */
void lw_stream_bound(lw_stream *s, uint32_t pasids, uint32_t sources);

/* 1 and an access, 0 at the end, -1 and a sentence that names file and line (or record). */
int lw_stream_next(lw_stream *s, lw_stream_access *access, lw_error *err);

/* Once the end has been reached: whether it was a cut, and how much is whole. */
lw_partial lw_stream_partial(const lw_stream *s);

#endif
