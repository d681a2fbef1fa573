/* The compact form of trace_kernel.h: append and expand. */
#include "common/room.h"
#include "sim/traces/trace_kernel.h"

#include <stdlib.h>

#define VARINT_MAX 10

static size_t put_varint(uint8_t *out, uint64_t delta) {
    uint64_t zigzag = (delta << 1) ^ (0 - (delta >> 63));
    size_t n = 0;
    for (; zigzag > 0x7f; zigzag >>= 7) {
        out[n++] = (uint8_t)(zigzag | 0x80);
    }
    out[n++] = (uint8_t)zigzag;
    return n;
}

static uint64_t get_varint(const uint8_t **in) {
    uint64_t zigzag = 0;
    unsigned shift = 0;
    for (; (**in & 0x80) != 0; (*in)++, shift += 7) {
        zigzag |= (uint64_t)(**in & 0x7f) << shift;
    }
    zigzag |= (uint64_t) * (*in)++ << shift;
    return (zigzag >> 1) ^ (0 - (zigzag & 1));
}

bool lw_trace_append(lw_trace_kernel *kernel, lw_trace_inst inst, const uint64_t *va) {
    uint64_t delta[LW_WARP];
    size_t deltas = 0;
    uint64_t last = 0;
    bool first = true;
    bool even = true; /* all differences alike */
    for (unsigned lane = 0; lane < LW_WARP; lane++) {
        if ((inst.mask >> lane & 1) == 0) {
            continue;
        }
        if (first) {
            inst.base = va[lane];
            first = false;
        } else {
            delta[deltas] = va[lane] - last;
            even = even && delta[deltas] == delta[0];
            deltas++;
        }
        last = va[lane];
    }
    if (even) {
        inst.to.stride = deltas > 0 ? (int64_t)delta[0] : 0;
    } else {
        void *bytes = kernel->deltas;
        if (!lw_room(&bytes, &kernel->delta_room, kernel->delta_count + deltas * VARINT_MAX, 1)) {
            return false;
        }
        kernel->deltas = bytes;
        inst.flags |= LW_TRACE_DELTAS;
        inst.to.deltas = kernel->delta_count;
        for (size_t i = 0; i < deltas; i++) {
            kernel->delta_count += put_varint(kernel->deltas + kernel->delta_count, delta[i]);
        }
    }
    void *insts = kernel->insts;
    if (!lw_room(&insts, &kernel->inst_room, kernel->inst_count + 1, sizeof inst)) {
        return false;
    }
    kernel->insts = insts;
    kernel->insts[kernel->inst_count++] = inst;
    kernel->lane_accesses += deltas + 1;
    return true;
}

void lw_trace_addresses(const lw_trace_kernel *kernel, const lw_trace_inst *inst, uint64_t *va) {
    const bool listed = (inst->flags & LW_TRACE_DELTAS) != 0;
    const uint8_t *deltas = listed ? kernel->deltas + inst->to.deltas : NULL;
    uint64_t at = inst->base;
    bool first = true;
    for (unsigned lane = 0; lane < LW_WARP; lane++) {
        if ((inst->mask >> lane & 1) == 0) {
            continue;
        }
        if (!first) {
            at += listed ? get_varint(&deltas) : (uint64_t)inst->to.stride;
        }
        first = false;
        va[lane] = at;
    }
}

void lw_trace_kernel_free(lw_trace_kernel *kernel) {
    free(kernel->insts);
    free(kernel->deltas);
    free(kernel->spans);
    *kernel = (lw_trace_kernel){0};
}
