#include "app/reports/data_report.h"

#include "app/reports/figures.h"
#include "app/reports/json_object.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const cause_names[LW_CAUSES] = {
    [LW_CAUSE_ISSUE] = "issue", [LW_CAUSE_ALU] = "alu",          [LW_CAUSE_TLB] = "tlb",
    [LW_CAUSE_UNIT] = "unit",   [LW_CAUSE_CACHE] = "data_cache", [LW_CAUSE_MEMORY] = "data_memory",
};

void lw_data_print(const lw_front_statistics *front) {
    const lw_data_counts *d = &front->data;
    if (!front->has_data) {
        return;
    }
    (void)printf("  lines of data        %" PRIu64 ", %" PRIu64
                 " of them stores; hit rates L1 %.3f, "
                 "L2 %.3f\n",
                 d->lines, d->l1.stores, lw_rate(d->l1.hits, d->l1.misses),
                 lw_rate(d->l2.hits, d->l2.misses));
    (void)printf("  memory of data       %" PRIu64 " reads, %" PRIu64 " writes; %" PRIu64
                 " lines written back\n",
                 d->memory_reads, d->memory_writes, d->l2.writebacks);
    if (d->has_walks) {
        (void)printf("  page walks in the L2 hit rate %.3f; %" PRIu64 " of the reads of memory\n",
                     lw_rate(d->walk_hits, d->walk_misses), d->walk_reads);
    }
    (void)printf("  wave cycles         ");
    for (uint32_t i = 0; i < LW_CAUSES; i++) {
        (void)printf(" %s %.1f%%", cause_names[i],
                     front->cycles.waves == 0
                         ? 0.0
                         : 100.0 * (double)front->cycles.of[i] / (double)front->cycles.waves);
    }
    (void)printf("\n");
}

static json_t *cache(const lw_data_cache_counts *c) {
    const lw_json_row rows[] = {{"hits", c->hits},
                                {"misses", c->misses},
                                {"stores", c->stores},
                                {"store_hits", c->store_hits},
                                {"writebacks", c->writebacks}};
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

static json_t *walks(const lw_data_counts *d) {
    const lw_json_row rows[] = {
        {"hits", d->walk_hits}, {"misses", d->walk_misses}, {"memory_reads", d->walk_reads}};
    return d->has_walks ? lw_json_numbers(rows, sizeof rows / sizeof rows[0]) : json_null();
}

json_t *lw_data_json(const lw_front_statistics *front) {
    const lw_data_counts *d = &front->data;
    if (!front->has_data) {
        return json_null();
    }
    const lw_json_row rows[] = {{"lines", d->lines},
                                {"memory_reads", d->memory_reads},
                                {"memory_writes", d->memory_writes}};
    json_t *o = lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
    (void)json_object_set_new(o, "l1", cache(&d->l1));
    (void)json_object_set_new(o, "l2", cache(&d->l2));
    (void)json_object_set_new(o, "walks", walks(d));
    return o;
}

json_t *lw_wave_cycles_json(const lw_front_statistics *front) {
    if (!front->has_data) {
        return json_null();
    }
    lw_json_row rows[LW_CAUSES + 1] = {{"waves", front->cycles.waves}};
    for (uint32_t i = 0; i < LW_CAUSES; i++) {
        rows[i + 1] = (lw_json_row){cause_names[i], front->cycles.of[i]};
    }
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}
