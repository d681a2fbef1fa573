/* The front end of a stream that goes through the GPU's TLBs: no waves, the accesses themselves.
 *
 * The accesses are issued in the order of the file, each by its source, a CU (those without one: by
 * the CUs in turn): not before its cycle, `l1_probes` a cycle and CU at most, and `outstanding`
 * under way at most; one that cannot be issued holds up those behind it. It goes through its CU's
 * L1 TLB and the L2 TLB to the unit as a kernel's page does (l1_tlb.h, l2_tlb.h), and is answered
 * when that is. */
#ifndef LW_SIM_GPU_STREAM_TLBS_H
#define LW_SIM_GPU_STREAM_TLBS_H

#include "sim/gpu/gpu.h"
#include "sim/traces/stream.h"

typedef struct lw_stream_tlbs_params {
    const lw_gpu_params *gpu; /* simds and waves are not used; copied */
    lw_stream *file;          /* PASIDs below 4096, sources below gpu->cus; taken over */
    uint32_t outstanding;     /* accesses under way at most, from 1 */
} lw_stream_tlbs_params;

/* False and a sentence where a parameter is out of range or there is no memory; the file is then
 * still the caller's. */
bool lw_stream_tlbs_new(const lw_stream_tlbs_params *params, lw_front_end *out, lw_error *err);

/* Only for a front end made by lw_stream_tlbs_new. */
void lw_stream_tlbs_statistics(const lw_front_end *front, lw_front_statistics *statistics);

#endif
