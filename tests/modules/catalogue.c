/* The rows: which modules are run, and with which hardware parameters. */
#include "modules.h"

#include <stdio.h>
#include <string.h>

/* Small, so that everything is full soon. */
static const lw_params small = {.levels = 4,
                                .pa_width = 48,
                                .pasids = 4,
                                .id_w = 12,
                                .src_w = 6,
                                .tlb_entries = 32,
                                .tlb_ways = 4,
                                .tlb_latency = 2,
                                .tlb_partition = 2,
                                .hit_queue = 3,
                                .walk_queue = 3,
                                .buffer_entries = 8,
                                .walkers = 3,
                                .pwc_entries = 4,
                                .pwc_ways = 2,
                                .pwc_latency = 2,
                                .coalesce = 1};
/* Five levels and the widest addresses; where there can be one of a thing, there is one. */
static const lw_params five = {.levels = 5,
                               .pa_width = 52,
                               .pasids = 2,
                               .id_w = 1,
                               .src_w = 16,
                               .tlb_entries = 4,
                               .tlb_ways = 4,
                               .tlb_latency = 1,
                               .hit_queue = 1,
                               .walk_queue = 1,
                               .buffer_entries = 4,
                               .walkers = 1,
                               .pwc_entries = 2,
                               .pwc_ways = 2,
                               .pwc_latency = 1,
                               .coalesce = 1};

/* A page walk cache by address, of four sets. */
static const lw_params by_address = {.levels = 4,
                                     .pa_width = 40,
                                     .pasids = 4,
                                     .id_w = 12,
                                     .src_w = 6,
                                     .tlb_entries = 32,
                                     .tlb_ways = 4,
                                     .tlb_latency = 2,
                                     .hit_queue = 3,
                                     .walk_queue = 3,
                                     .buffer_entries = 8,
                                     .walkers = 3,
                                     .pwc_org = 1,
                                     .pwc_entries = 8,
                                     .pwc_ways = 2,
                                     .pwc_latency = 3,
                                     .coalesce = 1};

static const lw_row rows[] = {
    {"unified_tlb", &lw_module_unified_tlb, &small},
    {"unified_tlb_five", &lw_module_unified_tlb, &five},
    {"response_queue", &lw_module_response_queue, &small},
    {"response_queue_five", &lw_module_response_queue, &five},
    {"admission", &lw_module_admission, &small},
    {"admission_five", &lw_module_admission, &five},
    {"invalidation", &lw_module_invalidation, &small},
    {"invalidation_five", &lw_module_invalidation, &five},
    {"control", &lw_module_control, &small},
    {"control_five", &lw_module_control, &five},
    {"perf_counters", &lw_module_perf_counters, &small},
    {"line_decoder", &lw_module_line_decoder, &small},
    {"line_decoder_five", &lw_module_line_decoder, &five},
    {"page_walk_cache_by_level", &lw_module_page_walk_cache, &small},
    {"page_walk_cache_by_level_five", &lw_module_page_walk_cache, &five},
    {"page_walk_cache_by_address", &lw_module_page_walk_cache, &by_address},
    {"iommu_buffer", &lw_module_iommu_buffer, &small},
    {"iommu_buffer_five", &lw_module_iommu_buffer, &five},
    {"page_walkers", &lw_module_page_walkers, &small},
    {"page_walkers_five", &lw_module_page_walkers, &five},
    {"page_walkers_by_address", &lw_module_page_walkers, &by_address},
};

const lw_row *lw_row_find(const char *name, lw_error *err) {
    char names[512] = "";
    size_t at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0 ? "" : ", ",
                               rows[i].name);
    }
    (void)lw_fail(err, "MODULE '%s' is not known; allowed: %s", name, names);
    return NULL;
}

void lw_rows_print(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)puts(rows[i].name);
    }
}

static uint32_t log2_of(uint32_t value) {
    return (uint32_t)__builtin_ctz(value);
}

/* The RTL's parameters as they follow from section 13's. */
typedef struct derived {
    const char *name;
    uint32_t value;
} derived;

void lw_row_options(const lw_row *row, char *text, size_t room) {
    const lw_params *p = row->hw;
    const derived all[] = {
        {"VpnW", 9 * p->levels},
        {"PaWidth", p->pa_width},
        {"PfnW", p->pa_width - 12},
        {"PasidW", log2_of(p->pasids)},
        {"IdW", p->id_w},
        {"SrcW", p->src_w},
        {"TlbEntries", p->tlb_entries},
        {"TlbWays", p->tlb_ways},
        {"TlbLatency", p->tlb_latency},
        {"Sets", p->tlb_entries / p->tlb_ways},
        {"HitQueue", p->hit_queue},
        {"WalkQueue", p->walk_queue},
        {"BufferEntries", p->buffer_entries},
        {"Walkers", p->walkers},
        {"PwcOrg", p->pwc_org},
        {"PwcEntries", p->pwc_entries},
        {"PwcWays", p->pwc_ways},
        {"PwcLatency", p->pwc_latency},
        {"Coalesce", p->coalesce},
    };
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const size_t length = strlen(all[i].name);
        for (const char *s = row->module->parameters; *s != '\0';) {
            const size_t word = strcspn(s, " ");
            if (word == length && memcmp(s, all[i].name, length) == 0) {
                at += (size_t)snprintf(text + at, room - at, "-G%s=%u ", all[i].name, all[i].value);
            }
            s += word + strspn(s + word, " ");
        }
    }
}
