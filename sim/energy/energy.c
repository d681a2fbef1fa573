#include "sim/energy/energy.h"

#include <string.h>

/* A run that was ended in flight may have counted the one and not yet the other. */
static uint64_t less(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

static void count(uint64_t events[LW_ENERGY_ACCESSES], uint64_t reads, uint64_t writes) {
    events[LW_ENERGY_READ] = reads;
    events[LW_ENERGY_WRITE] = writes;
}

/* A lookup of subregions comes first; one that finds its page is spared that of regular entries,
 * unless both are made at once. A second lookup (R5.26) is a lookup as any; its hits of subregions
 * are not counted apart, so that none is spared. An answer with a translation that is no hit of
 * either is a fill. */
static void count_tlb(const lw_energy_run *run, lw_energy *e) {
    const uint64_t *c = run->counters;
    const lw_params *hw = &run->system->hw;
    const uint64_t lookups = c[LW_C_REQUESTS] + c[LW_C_SECOND_LOOKUPS];
    const uint64_t fills = less(run->translations, c[LW_C_TLB_HITS] + c[LW_C_SECOND_HITS]);
    const uint64_t of_answers = less(c[LW_C_SUBREGION_FILLS], c[LW_C_JOINED]);
    const uint64_t spared = hw->par_lookup ? 0 : c[LW_C_SUBREGION_HITS];
    count(e->events[LW_ENERGY_TLB], less(lookups, spared), less(fills, of_answers));
    if (hw->subregions != 0 && hw->tlb_partition != 0) {
        count(e->events[LW_ENERGY_SUBREGION_TLB], lookups, c[LW_C_SUBREGION_FILLS]);
    }
}

static void count_walks(const lw_energy_run *run, lw_energy *e) {
    const uint64_t *c = run->counters;
    const lw_system *s = run->system;
    const uint64_t lines = less(c[LW_C_PAGE_TABLE_ACCESSES], c[LW_C_HEAD_READS]);
    /* Each walk ends with the line of its leaf, or fault; those before it are of nodes, and fill. A
     * step cache keeps the steps alone, and each walk asks it in vain where it is off. */
    if (s->pwc_enable != 0) {
        count(e->events[LW_ENERGY_PWC], c[LW_C_PWC_LOOKUPS],
              s->hw.pwc_org == LW_PWC_OF_STEPS ? c[LW_C_STEP_READS] : less(lines, c[LW_C_WALKS]));
    }
    count(e->events[LW_ENERGY_MSC], c[LW_C_MSC_LOOKUPS],
          less(c[LW_C_MSC_LOOKUPS], c[LW_C_MSC_HITS]));
    /* Lines and starts of walks are searched for neighbours; requests that come, and what they
     * learn, are written. */
    if (s->hw.coalesce != 0 && s->mode != 0) {
        count(e->events[LW_ENERGY_CAM], lines + c[LW_C_WALKS],
              c[LW_C_TLB_MISSES] + c[LW_C_COALESCED_ANSWERS] + c[LW_C_COALESCED_LEVELS]);
    }
}

static void count_memory(const lw_energy_run *run, lw_energy *e) {
    const lw_banks *b = run->banks;
    const bool is_dram = b->ranks != 0;
    const uint64_t reads = is_dram                      ? b->dram.users[LW_MEMORY_WALKS].reads
                           : run->front->data.has_walks ? run->front->data.walk_reads
                                                        : run->counters[LW_C_PAGE_TABLE_ACCESSES];
    count(e->events[LW_ENERGY_MEMORY], reads, 0);
    if (b->has_pte_cache) {
        count(e->events[LW_ENERGY_PTE_CACHE], b->pte_hits + b->pte_misses, reads);
    }
}

void lw_energy_of(const lw_energy_run *run, const lw_energy_table *table, lw_energy *energy) {
    const lw_front_statistics *f = run->front;
    memset(energy, 0, sizeof *energy);
    count(energy->events[LW_ENERGY_L1_TLB], f->l1_hits + f->l1_misses, f->l1_fills);
    if (f->has_l2) {
        count(energy->events[LW_ENERGY_L2_TLB], f->l2_hits + f->l2_misses, f->l2_fills);
    }
    count_tlb(run, energy);
    count_walks(run, energy);
    count_memory(run, energy);
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        for (uint32_t access = 0; access < LW_ENERGY_ACCESSES; access++) {
            energy->nj[part] += (double)energy->events[part][access] * table->nj[part][access];
        }
        energy->sum += energy->nj[part];
    }
}
