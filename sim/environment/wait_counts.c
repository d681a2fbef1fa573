#include "sim/environment/wait_counts.h"

static void worst(uint64_t *most, uint64_t waited) {
    *most = waited > *most ? waited : *most;
}

void lw_wait_counts_cycle(lw_wait_counts *w, uint64_t now, const lw_inputs *in,
                          const lw_outputs *out) {
    const bool held = out->rsp_valid && !in->rsp_ready;
    w->worst.held += held;
    if (in->req_valid && !out->req_ready) {
        w->offered += !held;
        worst(&w->worst.acceptance, w->offered);
    } else {
        w->offered = 0;
    }
    w->read_offered = out->mem_req_valid && !in->mem_req_ready ? w->read_offered + 1 : 0;
    worst(&w->worst.memory_ready, w->read_offered);
    if (out->inv_done) {
        worst(&w->worst.invalidation, now - w->inv_since - (w->worst.held - w->inv_held));
    }
    if (in->inv_valid && out->inv_ready) {
        w->inv_since = now;
        w->inv_held = w->worst.held;
    }
}

void lw_wait_counts_skip(lw_wait_counts *w, uint64_t n, bool waits) {
    w->offered += waits ? n : 0;
    worst(&w->worst.acceptance, w->offered);
}

void lw_wait_counts_answer(lw_wait_counts *w, uint64_t now, uint64_t since, uint64_t held_then) {
    worst(&w->worst.request, now - since - (w->worst.held - held_then));
}
