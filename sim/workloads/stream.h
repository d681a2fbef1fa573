/* A plain request stream: `pasid vpn access` a line, for driving the unit without kernels.
 *
 *   # comment
 *   1 0x7f0000123 r
 *   0 1234567     w   # comment
 *
 * pasid 0..1048575 (20 bits, PCIe), vpn = VA[63:12] (52 bits), both decimal or 0x hexadecimal;
 * access r (read), w (write) or x (execute). A vpn that is not canonical is allowed: the unit has
 * an answer for it. Plain, .gz, .xz or .zst. Blank lines are skipped. */
#ifndef LW_SIM_WORKLOADS_STREAM_H
#define LW_SIM_WORKLOADS_STREAM_H

#include "sim/workloads/workload.h"

typedef struct lw_stream lw_stream;

typedef struct lw_stream_access {
    uint32_t pasid;
    uint64_t vpn;
    lw_access_kind access;
} lw_stream_access;

lw_stream *lw_stream_open(const char *path, lw_error *err);
void lw_stream_close(lw_stream *s);

/* 1 and an access, 0 at the end, -1 and a sentence that names file and line. */
int lw_stream_next(lw_stream *s, lw_stream_access *access, lw_error *err);

#endif
