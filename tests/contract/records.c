#include "tests/contract/records.h"

#include "tests/contract/failure.h"

#include <inttypes.h>
#include <string.h>

static uint64_t read_register(lw_world *w, lw_unit *unit, uint32_t addr) {
    lw_inputs in;
    memset(&in, 0, sizeof in);
    in.ctl_addr = addr;
    for (int i = 0; i < 2; i++) { /* R12.1 */
        unit->step(unit->own, &in);
        w->cycle++;
    }
    unit->outputs(unit->own, &w->out);
    return w->out.ctl_rdata;
}

static void check_counters(lw_world *w, lw_unit *unit) {
    const struct {
        uint32_t number;
        const char *name;
        uint64_t value;
    } known[] = {
        {LW_C_REQUESTS, "REQUESTS", w->transfers},
        {LW_C_RESPONSES, "RESPONSES", w->responses},
        {LW_C_FAULTS, "FAULTS", w->faults},
        {LW_C_PAGE_TABLE_ACCESSES, "PAGE_TABLE_ACCESSES", w->mem_transfers},
        {LW_C_INVALIDATIONS, "INVALIDATIONS", w->invalidations},
        {LW_C_REQUEST_STALLS, "REQUEST_STALLS", w->stalls},
        {LW_C_HEAD_READS, "HEAD_READS", w->head_transfers},
        {LW_C_STRAY_LINES, "STRAY_LINES", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t said = read_register(w, unit, LW_CTL_COUNTER + known[i].number);
        if (said != known[i].value) {
            lw_bark(w, LW_CHECK_RECORD, NULL,
                    "the counter %s says %" PRIu64 ", the ports have shown %" PRIu64, known[i].name,
                    said, known[i].value);
        }
    }
}

/* Of requests that have all been answered each miss has left the buffer as its walk started (R5.8),
 * as it was answered (R9.6) or by a second hit (R5.28). */
static void check_misses(lw_world *w, lw_unit *unit) {
    const uint64_t misses = read_register(w, unit, LW_CTL_COUNTER + LW_C_TLB_MISSES);
    const uint64_t walks = read_register(w, unit, LW_CTL_COUNTER + LW_C_WALKS);
    const uint64_t told = read_register(w, unit, LW_CTL_COUNTER + LW_C_COALESCED_ANSWERS);
    const uint64_t lookups = read_register(w, unit, LW_CTL_COUNTER + LW_C_SECOND_LOOKUPS);
    const uint64_t hits = read_register(w, unit, LW_CTL_COUNTER + LW_C_SECOND_HITS);
    if (misses != walks + told + hits || hits > lookups ||
        (w->hw.second_lookup == 0 && lookups != 0)) {
        lw_bark(w, LW_CHECK_RECORD, NULL,
                "of %" PRIu64 " misses %" PRIu64 " have walked, %" PRIu64
                " were answered by neighbours and %" PRIu64 " were second hits of %" PRIu64
                " lookups, SECOND_LOOKUP being %u",
                misses, walks, told, hits, lookups, w->hw.second_lookup);
    }
}

/* The record's fault is one of the first that were answered: of those that can stand in the queues
 * together. */
static void check_fault(lw_world *w, lw_unit *unit) {
    const uint64_t info = read_register(w, unit, LW_CTL_FAULT_INFO);
    const uint64_t page = read_register(w, unit, LW_CTL_FAULT_PAGE);
    const uint64_t together = w->hw.hit_queue + w->hw.walk_queue + 1;
    bool found = info >> 63 == 0 && w->faults == 0;
    for (uint64_t i = 0; i < w->faults && i < together && i < LW_FAULTS && !found; i++) {
        const lw_fault *f = &w->fault[i];
        const uint64_t expected = UINT64_C(1) << 63 | f->kind | (uint64_t)f->level << 4 |
                                  (uint64_t)f->access << 8 | (uint64_t)f->pasid << 16 |
                                  (uint64_t)f->src << 36;
        found = info == expected && page == f->page;
    }
    if (!found) {
        lw_bark(w, LW_CHECK_RECORD, NULL,
                "FAULT_INFO is 0x%" PRIx64 " and FAULT_PAGE 0x%" PRIx64
                ", which is none of the first faults answered (%" PRIu64 " in all)",
                info, page, w->faults);
    }
}

/* What only the unit knows: whether its mechanisms have worked. */
static void count_own(lw_world *w, lw_unit *unit) {
    static const struct {
        lw_tally_name name;
        uint32_t number;
    } own[] = {
        {LW_T_TLB_HITS, LW_C_TLB_HITS},
        {LW_T_SECOND_LOOKUPS, LW_C_SECOND_LOOKUPS},
        {LW_T_SECOND_HITS, LW_C_SECOND_HITS},
        {LW_T_PWC_HITS, LW_C_PWC_HITS},
        {LW_T_COALESCED, LW_C_COALESCED_ANSWERS},
        {LW_T_LEVELS_TOLD, LW_C_COALESCED_LEVELS},
        {LW_T_GIVEN_BACK, LW_C_GIVEN_BACK},
        {LW_T_MSC_HITS, LW_C_MSC_HITS},
        {LW_T_JOINED, LW_C_JOINED},
        {LW_T_SUBREGION_HITS, LW_C_SUBREGION_HITS},
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        w->tally.n[own[i].name] += read_register(w, unit, LW_CTL_COUNTER + own[i].number);
    }
}

void lw_records_check(lw_world *w, lw_unit *unit) {
    (void)read_register(w, unit, LW_CTL_FEATURES); /* events count a cycle late (R12.5) */
    (void)read_register(w, unit, LW_CTL_FEATURES);
    check_counters(w, unit);
    check_misses(w, unit);
    check_fault(w, unit);
    count_own(w, unit);
}
