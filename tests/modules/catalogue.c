/* The rows: which modules are run, and with which hardware parameters. */
#include "tests/modules/modules.h"

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
                                .miss_queue = 3,
                                .buffer_entries = 8,
                                .lines = 4,
                                .walkers = 3,
                                .pwc_entries = 4,
                                .pwc_ways = 2,
                                .pwc_latency = 2,
                                .coalesce = 1,
                                .msc_entries = 4,
                                .msc_ways = 2,
                                .check_queue = 1};
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
                               .miss_queue = 1,
                               .buffer_entries = 4,
                               .lines = 4,
                               .walkers = 1,
                               .pwc_entries = 2,
                               .pwc_ways = 2,
                               .pwc_latency = 1,
                               .coalesce = 1,
                               .msc_entries = 4,
                               .msc_ways = 2,
                               .check_queue = 1};

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
                                     .miss_queue = 3,
                                     .buffer_entries = 8,
                                     .lines = 4,
                                     .walkers = 3,
                                     .pwc_org = 1,
                                     .pwc_entries = 8,
                                     .pwc_ways = 2,
                                     .pwc_latency = 3,
                                     .coalesce = 1,
                                     .msc_entries = 4,
                                     .msc_ways = 2,
                                     .check_queue = 1};

/* With subregions: the serial lookup, two ways of the partition, fewer sets in the TLB than in the
 * MSC. */
static const lw_params mesc = {.levels = 4,
                               .pa_width = 48,
                               .pasids = 4,
                               .id_w = 12,
                               .src_w = 6,
                               .tlb_entries = 8,
                               .tlb_ways = 4,
                               .tlb_latency = 2,
                               .tlb_partition = 2,
                               .hit_queue = 3,
                               .walk_queue = 3,
                               .miss_queue = 3,
                               .buffer_entries = 8,
                               .lines = 4,
                               .walkers = 3,
                               .pwc_entries = 4,
                               .pwc_ways = 2,
                               .pwc_latency = 2,
                               .coalesce = 1,
                               .subregions = 1,
                               .msc_entries = 8,
                               .msc_ways = 2,
                               .check_queue = 2};
/* The parallel lookup in one set, all ways of which are the partition; one walker, one place. */
static const lw_params mesc_parallel = {.levels = 5,
                                        .pa_width = 52,
                                        .pasids = 2,
                                        .id_w = 1,
                                        .src_w = 16,
                                        .tlb_entries = 4,
                                        .tlb_ways = 4,
                                        .tlb_latency = 1,
                                        .tlb_partition = 4,
                                        .hit_queue = 1,
                                        .walk_queue = 1,
                                        .miss_queue = 1,
                                        .buffer_entries = 4,
                                        .lines = 4,
                                        .walkers = 1,
                                        .pwc_org = 1,
                                        .pwc_entries = 8,
                                        .pwc_ways = 2,
                                        .pwc_latency = 3,
                                        .coalesce = 1,
                                        .subregions = 1,
                                        .par_lookup = 1,
                                        .msc_entries = 4,
                                        .msc_ways = 4,
                                        .check_queue = 1};
/* More sets than a VSN has places for, one way of the partition, the narrowest addresses. */
static const lw_params mesc_wide = {.levels = 4,
                                    .pa_width = 32,
                                    .pasids = 2,
                                    .id_w = 4,
                                    .src_w = 4,
                                    .tlb_entries = 256,
                                    .tlb_ways = 2,
                                    .tlb_latency = 1,
                                    .tlb_partition = 1,
                                    .hit_queue = 3,
                                    .walk_queue = 3,
                                    .miss_queue = 3,
                                    .buffer_entries = 4,
                                    .lines = 4,
                                    .walkers = 5,
                                    .pwc_entries = 4,
                                    .pwc_ways = 2,
                                    .pwc_latency = 2,
                                    .coalesce = 1,
                                    .subregions = 1,
                                    .msc_entries = 16,
                                    .msc_ways = 2,
                                    .check_queue = 3};
/* Arrays of 64 words, which are memory macros (R14.4). */
static const lw_params macro = {.levels = 4,
                                .pa_width = 48,
                                .pasids = 4,
                                .id_w = 12,
                                .src_w = 6,
                                .tlb_entries = 8,
                                .tlb_ways = 4,
                                .tlb_latency = 2,
                                .tlb_partition = 2,
                                .hit_queue = 3,
                                .walk_queue = 3,
                                .miss_queue = 3,
                                .buffer_entries = 8,
                                .lines = 4,
                                .walkers = 3,
                                .pwc_org = 1,
                                .pwc_entries = 128,
                                .pwc_ways = 2,
                                .pwc_latency = 2,
                                .coalesce = 1,
                                .subregions = 1,
                                .msc_entries = 128,
                                .msc_ways = 2,
                                .check_queue = 2};
/* The heads in one line: neither MSC nor check queue; and no partition. */
static const lw_params mesc_headfirst = {.levels = 4,
                                         .pa_width = 40,
                                         .pasids = 4,
                                         .id_w = 12,
                                         .src_w = 6,
                                         .tlb_entries = 8,
                                         .tlb_ways = 4,
                                         .tlb_latency = 2,
                                         .hit_queue = 3,
                                         .walk_queue = 3,
                                         .miss_queue = 3,
                                         .buffer_entries = 8,
                                         .lines = 4,
                                         .walkers = 3,
                                         .pwc_entries = 4,
                                         .pwc_ways = 2,
                                         .pwc_latency = 2,
                                         .subregions = 1,
                                         .msc_entries = 4,
                                         .msc_ways = 2,
                                         .check_queue = 1,
                                         .head_first = 1};

/* Links in answers, without subregions and with them. */
static const lw_params colt = {.levels = 4,
                               .pa_width = 40,
                               .pasids = 4,
                               .id_w = 12,
                               .src_w = 6,
                               .tlb_entries = 32,
                               .tlb_ways = 4,
                               .tlb_latency = 2,
                               .hit_queue = 3,
                               .walk_queue = 3,
                               .miss_queue = 3,
                               .buffer_entries = 8,
                               .lines = 4,
                               .walkers = 3,
                               .pwc_entries = 4,
                               .pwc_ways = 2,
                               .pwc_latency = 2,
                               .coalesce = 1,
                               .msc_entries = 4,
                               .msc_ways = 2,
                               .check_queue = 1,
                               .colt = LW_COLT_LINKS};
static const lw_params colt_mesc = {.levels = 5,
                                    .pa_width = 52,
                                    .pasids = 4,
                                    .id_w = 8,
                                    .src_w = 6,
                                    .tlb_entries = 8,
                                    .tlb_ways = 4,
                                    .tlb_latency = 1,
                                    .tlb_partition = 2,
                                    .hit_queue = 3,
                                    .walk_queue = 3,
                                    .miss_queue = 3,
                                    .buffer_entries = 8,
                                    .lines = 4,
                                    .walkers = 4,
                                    .pwc_entries = 4,
                                    .pwc_ways = 2,
                                    .pwc_latency = 2,
                                    .coalesce = 1,
                                    .subregions = 1,
                                    .msc_entries = 8,
                                    .msc_ways = 2,
                                    .check_queue = 2,
                                    .colt = LW_COLT_LINKS};
/* Runs in the TLB, with the addition in a stage of its own; and in one set without it. */
static const lw_params full_colt = {.levels = 4,
                                    .pa_width = 48,
                                    .pasids = 4,
                                    .id_w = 12,
                                    .src_w = 6,
                                    .tlb_entries = 16,
                                    .tlb_ways = 4,
                                    .tlb_latency = 2,
                                    .hit_queue = 3,
                                    .walk_queue = 3,
                                    .miss_queue = 3,
                                    .buffer_entries = 8,
                                    .lines = 4,
                                    .walkers = 3,
                                    .pwc_entries = 4,
                                    .pwc_ways = 2,
                                    .pwc_latency = 2,
                                    .coalesce = 1,
                                    .msc_entries = 4,
                                    .msc_ways = 2,
                                    .check_queue = 1,
                                    .colt = LW_COLT_FULL};
static const lw_params full_colt_parallel = {.levels = 5,
                                             .pa_width = 32,
                                             .pasids = 2,
                                             .id_w = 1,
                                             .src_w = 16,
                                             .tlb_entries = 8,
                                             .tlb_ways = 8,
                                             .tlb_latency = 1,
                                             .tlb_partition = 3,
                                             .hit_queue = 1,
                                             .walk_queue = 1,
                                             .miss_queue = 1,
                                             .buffer_entries = 4,
                                             .lines = 4,
                                             .walkers = 1,
                                             .pwc_entries = 2,
                                             .pwc_ways = 2,
                                             .pwc_latency = 1,
                                             .coalesce = 1,
                                             .par_lookup = 1,
                                             .msc_entries = 4,
                                             .msc_ways = 2,
                                             .check_queue = 1,
                                             .colt = LW_COLT_FULL};
/* More sets than a subregion has places for: what TAG leaves out is not what it is with MESC. */
static const lw_params full_colt_wide = {.levels = 4,
                                         .pa_width = 48,
                                         .pasids = 2,
                                         .id_w = 4,
                                         .src_w = 4,
                                         .tlb_entries = 512,
                                         .tlb_ways = 2,
                                         .tlb_latency = 1,
                                         .hit_queue = 3,
                                         .walk_queue = 3,
                                         .miss_queue = 3,
                                         .buffer_entries = 4,
                                         .lines = 4,
                                         .walkers = 1,
                                         .pwc_entries = 2,
                                         .pwc_ways = 2,
                                         .pwc_latency = 1,
                                         .msc_entries = 4,
                                         .msc_ways = 2,
                                         .check_queue = 1,
                                         .colt = LW_COLT_FULL};

static const lw_row rows[] = {
    {"unified_tlb", &lw_module_unified_tlb, &small},
    {"unified_tlb_five", &lw_module_unified_tlb, &five},
    {"unified_tlb_mesc", &lw_module_unified_tlb, &mesc},
    {"unified_tlb_mesc_parallel", &lw_module_unified_tlb, &mesc_parallel},
    {"unified_tlb_mesc_wide", &lw_module_unified_tlb, &mesc_wide},
    {"unified_tlb_mesc_headfirst", &lw_module_unified_tlb, &mesc_headfirst},
    {"unified_tlb_colt_mesc", &lw_module_unified_tlb, &colt_mesc},
    {"unified_tlb_full_colt", &lw_module_unified_tlb, &full_colt},
    {"unified_tlb_full_colt_parallel", &lw_module_unified_tlb, &full_colt_parallel},
    {"unified_tlb_full_colt_wide", &lw_module_unified_tlb, &full_colt_wide},
    {"response_queue", &lw_module_response_queue, &small},
    {"response_queue_five", &lw_module_response_queue, &five},
    {"admission", &lw_module_admission, &small},
    {"admission_five", &lw_module_admission, &five},
    {"invalidation", &lw_module_invalidation, &small},
    {"invalidation_five", &lw_module_invalidation, &five},
    {"invalidation_mesc", &lw_module_invalidation, &mesc},
    {"control", &lw_module_control, &small},
    {"control_five", &lw_module_control, &five},
    {"control_mesc", &lw_module_control, &mesc},
    {"control_colt", &lw_module_control, &colt},
    {"control_colt_mesc", &lw_module_control, &colt_mesc},
    {"perf_counters", &lw_module_perf_counters, &small},
    {"perf_counters_mesc", &lw_module_perf_counters, &mesc},
    {"line_decoder", &lw_module_line_decoder, &small},
    {"line_decoder_five", &lw_module_line_decoder, &five},
    {"line_decoder_mesc", &lw_module_line_decoder, &mesc},
    {"line_decoder_mesc_wide", &lw_module_line_decoder, &mesc_wide},
    {"line_decoder_colt", &lw_module_line_decoder, &colt},
    {"line_decoder_colt_mesc", &lw_module_line_decoder, &colt_mesc},
    {"line_decoder_full_colt", &lw_module_line_decoder, &full_colt},
    {"page_walk_cache_by_level", &lw_module_page_walk_cache, &small},
    {"page_walk_cache_by_level_five", &lw_module_page_walk_cache, &five},
    {"page_walk_cache_by_address", &lw_module_page_walk_cache, &by_address},
    {"page_walk_cache_by_level_mesc", &lw_module_page_walk_cache, &mesc},
    {"page_walk_cache_by_address_mesc", &lw_module_page_walk_cache, &mesc_parallel},
    {"page_walk_cache_by_address_macro", &lw_module_page_walk_cache, &macro},
    {"miss_queue", &lw_module_miss_queue, &small},
    {"miss_queue_five", &lw_module_miss_queue, &five},
    {"iommu_buffer", &lw_module_iommu_buffer, &small},
    {"iommu_buffer_five", &lw_module_iommu_buffer, &five},
    {"iommu_buffer_mesc", &lw_module_iommu_buffer, &mesc},
    {"iommu_buffer_mesc_parallel", &lw_module_iommu_buffer, &mesc_parallel},
    {"iommu_buffer_mesc_headfirst", &lw_module_iommu_buffer, &mesc_headfirst},
    {"iommu_buffer_colt", &lw_module_iommu_buffer, &colt},
    {"iommu_buffer_colt_mesc", &lw_module_iommu_buffer, &colt_mesc},
    {"page_walkers", &lw_module_page_walkers, &small},
    {"page_walkers_five", &lw_module_page_walkers, &five},
    {"page_walkers_by_address", &lw_module_page_walkers, &by_address},
    {"page_walkers_mesc", &lw_module_page_walkers, &mesc},
    {"page_walkers_mesc_parallel", &lw_module_page_walkers, &mesc_parallel},
    {"page_walkers_mesc_headfirst", &lw_module_page_walkers, &mesc_headfirst},
    {"page_walkers_colt", &lw_module_page_walkers, &colt},
    {"page_walkers_colt_mesc", &lw_module_page_walkers, &colt_mesc},
    {"contiguity", &lw_module_contiguity, &mesc},
    {"contiguity_wide", &lw_module_contiguity, &mesc_wide},
    {"contiguity_headfirst", &lw_module_contiguity, &mesc_headfirst},
    {"msc", &lw_module_msc, &mesc},
    {"msc_one_set", &lw_module_msc, &mesc_parallel},
    {"msc_macro", &lw_module_msc, &macro},
    {"answer_port", &lw_module_answer_port, &small},
    {"answer_port_mesc", &lw_module_answer_port, &mesc},
    {"answer_port_mesc_headfirst", &lw_module_answer_port, &mesc_headfirst},
    {"answer_port_colt_mesc", &lw_module_answer_port, &colt_mesc},
    {"answer_port_full_colt", &lw_module_answer_port, &full_colt},
};

const lw_row *lw_row_find(const char *name, lw_error *err) {
    char names[2048] = "";
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

/* The RTL's parameters as they follow from those of docs/architecture/13-parameters.md. */
typedef struct derived {
    const char *name;
    uint32_t value;
} derived;

static uint32_t greater(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* R11.4 */
static uint32_t sweep_sets(const lw_params *p) {
    const uint32_t sets = p->tlb_entries / p->tlb_ways;
    return p->subregions != 0 ? greater(sets, p->msc_entries / p->msc_ways) : sets;
}

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
        {"TlbStages", lw_tlb_stages(p)},
        {"TlbPartition", p->tlb_partition},
        {"Sets", sweep_sets(p)},
        {"SweepW", greater(log2_of(sweep_sets(p)), 1)},
        {"HitQueue", p->hit_queue},
        {"WalkQueue", p->walk_queue},
        {"MissQueue", p->miss_queue},
        {"BufferEntries", p->buffer_entries},
        {"Lines", p->lines},
        {"Walkers", p->walkers},
        {"IncrementW", 32u - (uint32_t)__builtin_clz(p->buffer_entries + p->walkers)},
        {"PwcOrg", p->pwc_org},
        {"PwcEntries", p->pwc_entries},
        {"PwcWays", p->pwc_ways},
        {"PwcLatency", p->pwc_latency},
        {"Coalesce", p->coalesce},
        {"Subregions", p->subregions},
        {"ParLookup", p->par_lookup},
        {"MscEntries", p->msc_entries},
        {"MscWays", p->msc_ways},
        {"CheckQueue", p->check_queue},
        {"HeadFirst", p->head_first},
        {"Colt", p->colt},
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
