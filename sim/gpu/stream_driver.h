/* The front end of plain request streams: a file's, a random one for stress, and two regular ones
 * for measurements. Open loop but for the number of requests in flight.
 *
 * - file: the requests of an lw_stream, in order, none before its cycle (sim/traces/stream.h)
 * - random: a mixture of pages that are hot for a while, neighbours of the last page in its leaf
 *   line or in its line of level 2, and any page of any array; of these `bad_requests` percent are
 *   non-canonical by any bit above the VPN, of an unknown PASID or unmapped
 * - phases: the same in phases with locality (stream_phases.h)
 * - sequential: page after page through the first array of process 0, over and over
 * - repeat: the first page of that array, over and over
 *
 * A request is drawn when it is first offered, so idle cycles can be skipped, except where
 * `request_gap` or `response_not_ready` draw in each cycle, and in phases. */
#ifndef LW_SIM_GPU_STREAM_DRIVER_H
#define LW_SIM_GPU_STREAM_DRIVER_H

#include "sim/gpu/front_end.h"
#include "sim/traces/stream.h"
#include "sim/workloads/workload.h"

#include <stddef.h>

typedef enum lw_stream_kind {
    LW_STREAM_FILE,
    LW_STREAM_RANDOM,
    LW_STREAM_PHASES,
    LW_STREAM_SEQUENTIAL,
    LW_STREAM_REPEAT
} lw_stream_kind;

/* The arrays of one process, which outlive the driver. */
typedef struct lw_stream_process {
    const lw_array *arrays;
    size_t count;
    size_t mapped; /* the first so many are mapped; the others are asked for now and then */
} lw_stream_process;

typedef struct lw_stream_params {
    lw_stream_kind kind;
    lw_stream *file;             /* LW_STREAM_FILE: taken over, closed by free */
    uint64_t requests;           /* in all; a file may end before */
    uint32_t outstanding;        /* 1..2^id_w */
    uint32_t request_gap;        /* percent of cycles in which no request is offered, 0..99 */
    uint32_t response_not_ready; /* percent of cycles in which no response is taken, 0..99 */
    uint32_t bad_requests;       /* percent, random and phases only */
    uint32_t src_w;              /* bits of a source */
    uint32_t levels;
    uint64_t seed;
    const lw_stream_process *processes; /* all kinds but file; copied */
    uint32_t process_count;
    uint32_t seldom; /* so many processes, the last, ask a tenth of the time; below all */
} lw_stream_params;

/* False and a sentence where there is no memory. */
bool lw_stream_driver_new(const lw_stream_params *params, lw_front_end *out, lw_error *err);

#endif
