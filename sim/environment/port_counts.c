#include "sim/environment/port_counts.h"

#include <inttypes.h>
#include <stddef.h>

void lw_port_counts_cycle(lw_port_counts *counts, uint32_t walkers, const lw_inputs *in,
                          const lw_outputs *out) {
    counts->cycles++;
    if (in->req_valid && out->req_ready) {
        const uint64_t in_flight = ++counts->requests - counts->responses;
        counts->in_flight_sum += in_flight;
        counts->in_flight_max =
            in_flight > counts->in_flight_max ? in_flight : counts->in_flight_max;
    }
    counts->request_stalls += in->req_valid && !out->req_ready;
    counts->invalidations += out->inv_done;
    if (out->rsp_valid && in->rsp_ready) {
        counts->responses++;
        counts->kinds[out->rsp_kind % LW_PORT_KINDS]++;
    }
    if (out->mem_req_valid && in->mem_req_ready) {
        counts->line_reads++;
        counts->head_reads += out->mem_req_tag >= walkers;
    }
    counts->lines += in->mem_rsp_valid;
    /* the registers behind have no root to take away: STEP, VICTIM */
    const bool root = in->ctl_write && in->ctl_addr >= LW_CTL_ROOT && in->ctl_addr < LW_CTL_STEP;
    counts->roots_cleared += root && in->ctl_wdata >> 63 == 0;
    counts->walker_errors += in->mem_rsp_valid && in->mem_rsp_error && in->mem_rsp_tag < walkers;
}

void lw_port_counts_idle(lw_port_counts *counts, uint64_t n, bool waits) {
    counts->cycles += n;
    counts->request_stalls += waits ? n : 0;
}

static uint64_t faults(const lw_port_counts *counts) {
    uint64_t sum = 0;
    for (uint32_t kind = LW_OK + 1; kind < LW_PORT_KINDS; kind++) {
        sum += counts->kinds[kind];
    }
    return sum;
}

bool lw_port_counts_agree(const lw_port_counts *counts, const lw_params *params, bool quiet,
                          const uint64_t counters[LW_COUNTERS], lw_error *err) {
    const struct {
        const char *name, *what;
        uint64_t counter, seen;
        bool comparable;
    } rows[] = {
        {"CYCLES", "cycles", counters[LW_C_CYCLES], counts->cycles, true},
        {"REQUESTS", "requests taken", counters[LW_C_REQUESTS], counts->requests, true},
        {"REQUEST_STALLS", "cycles with a request not taken", counters[LW_C_REQUEST_STALLS],
         counts->request_stalls, true},
        {"RESPONSES", "responses taken", counters[LW_C_RESPONSES], counts->responses, true},
        {"PAGE_TABLE_ACCESSES", "lines asked for", counters[LW_C_PAGE_TABLE_ACCESSES],
         counts->line_reads, true},
        {"HEAD_READS", "lines asked for with a head's tag", counters[LW_C_HEAD_READS],
         counts->head_reads, true},
        {"INVALIDATIONS", "completions", counters[LW_C_INVALIDATIONS], counts->invalidations, true},
        /* a fault is counted where it enters a queue, before it is seen */
        {"FAULTS", "responses with a fault", counters[LW_C_FAULTS], faults(counts), quiet},
        /* every request is decided once (R3.2); one whose root has gone since is refused later */
        {"TLB_HITS and TLB_MISSES", "responses but for those that the TLB refuses",
         counters[LW_C_TLB_HITS] + counters[LW_C_TLB_MISSES],
         counts->responses - counts->kinds[LW_NONCANONICAL] - counts->kinds[LW_UNKNOWN_PASID],
         quiet && counts->roots_cleared == 0},
        /* only a head that an invalidation has given up can be nobody's (R8.4) */
        {"STRAY_LINES", "lines for nobody", counters[LW_C_STRAY_LINES], 0, params->subregions == 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].comparable && rows[i].counter != rows[i].seen) {
            return lw_fail(err, "the unit's %s is %" PRIu64 ", its ports have shown %" PRIu64 " %s",
                           rows[i].name, rows[i].counter, rows[i].seen, rows[i].what);
        }
    }
    /* R9.9: an error is one walker's alone, and so is the answer */
    if (quiet && counts->kinds[LW_MEMORY_ERROR] != counts->walker_errors) {
        return lw_fail(err,
                       "%" PRIu64 " responses say MEMORY_ERROR, and memory gave %" PRIu64
                       " errors to walkers",
                       counts->kinds[LW_MEMORY_ERROR], counts->walker_errors);
    }
    return true;
}
