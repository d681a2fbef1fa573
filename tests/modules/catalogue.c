/* The rows: which modules are run, and in which shapes; and what a shape makes of the parameters of
 * the RTL. */
#include "tests/modules/modules.h"
#include "tests/modules/shapes.h"

#include <stdio.h>
#include <string.h>

static const lw_row rows[] = {
    {"unified_tlb", &lw_module_unified_tlb, &lw_shape_small},
    {"unified_tlb_five", &lw_module_unified_tlb, &lw_shape_five},
    {"unified_tlb_mesc", &lw_module_unified_tlb, &lw_shape_mesc},
    {"unified_tlb_mesc_parallel", &lw_module_unified_tlb, &lw_shape_mesc_parallel},
    {"unified_tlb_mesc_wide", &lw_module_unified_tlb, &lw_shape_mesc_wide},
    {"unified_tlb_mesc_headfirst", &lw_module_unified_tlb, &lw_shape_mesc_headfirst},
    {"unified_tlb_colt_mesc", &lw_module_unified_tlb, &lw_shape_colt_mesc},
    {"unified_tlb_full_colt", &lw_module_unified_tlb, &lw_shape_full_colt},
    {"unified_tlb_full_colt_parallel", &lw_module_unified_tlb, &lw_shape_full_colt_parallel},
    {"unified_tlb_full_colt_wide", &lw_module_unified_tlb, &lw_shape_full_colt_wide},
    {"response_queue", &lw_module_response_queue, &lw_shape_small},
    {"response_queue_five", &lw_module_response_queue, &lw_shape_five},
    {"admission", &lw_module_admission, &lw_shape_small},
    {"admission_five", &lw_module_admission, &lw_shape_five},
    {"admission_mesc", &lw_module_admission, &lw_shape_mesc},
    {"invalidation", &lw_module_invalidation, &lw_shape_small},
    {"invalidation_five", &lw_module_invalidation, &lw_shape_five},
    {"invalidation_mesc", &lw_module_invalidation, &lw_shape_mesc},
    {"control", &lw_module_control, &lw_shape_small},
    {"control_five", &lw_module_control, &lw_shape_five},
    {"control_mesc", &lw_module_control, &lw_shape_mesc},
    {"control_colt", &lw_module_control, &lw_shape_colt},
    {"control_colt_mesc", &lw_module_control, &lw_shape_colt_mesc},
    {"control_hashed", &lw_module_control, &lw_shape_hashed},
    {"control_hashed_five", &lw_module_control, &lw_shape_hashed_five},
    {"perf_counters", &lw_module_perf_counters, &lw_shape_small},
    {"perf_counters_mesc", &lw_module_perf_counters, &lw_shape_mesc},
    {"perf_counters_hashed", &lw_module_perf_counters, &lw_shape_hashed},
    {"line_decoder", &lw_module_line_decoder, &lw_shape_small},
    {"line_decoder_five", &lw_module_line_decoder, &lw_shape_five},
    {"line_decoder_mesc", &lw_module_line_decoder, &lw_shape_mesc},
    {"line_decoder_mesc_wide", &lw_module_line_decoder, &lw_shape_mesc_wide},
    {"line_decoder_colt", &lw_module_line_decoder, &lw_shape_colt},
    {"line_decoder_colt_mesc", &lw_module_line_decoder, &lw_shape_colt_mesc},
    {"line_decoder_full_colt", &lw_module_line_decoder, &lw_shape_full_colt},
    {"line_decoder_hashed", &lw_module_line_decoder, &lw_shape_hashed},
    {"line_decoder_hashed_mesc", &lw_module_line_decoder, &lw_shape_hashed_mesc},
    {"page_walk_cache_by_level", &lw_module_page_walk_cache, &lw_shape_small},
    {"page_walk_cache_by_level_five", &lw_module_page_walk_cache, &lw_shape_five},
    {"page_walk_cache_by_address", &lw_module_page_walk_cache, &lw_shape_by_address},
    {"page_walk_cache_by_level_mesc", &lw_module_page_walk_cache, &lw_shape_mesc},
    {"page_walk_cache_by_address_mesc", &lw_module_page_walk_cache, &lw_shape_mesc_parallel},
    {"page_walk_cache_by_address_macro", &lw_module_page_walk_cache, &lw_shape_macro},
    {"step_lookup", &lw_module_step_lookup, &lw_shape_hashed},
    {"step_lookup_five", &lw_module_step_lookup, &lw_shape_hashed_five},
    {"step_lookup_mesc", &lw_module_step_lookup, &lw_shape_hashed_mesc},
    {"step_lookup_lines", &lw_module_step_lookup, &lw_shape_hashed_lines},
    {"table_hash", &lw_module_table_hash, &lw_shape_hashed_five},
    {"table_hash_mesc", &lw_module_table_hash, &lw_shape_hashed_mesc},
    {"table_hash_lines", &lw_module_table_hash, &lw_shape_hashed_lines},
    {"miss_queue", &lw_module_miss_queue, &lw_shape_small},
    {"miss_queue_five", &lw_module_miss_queue, &lw_shape_five},
    {"iommu_buffer", &lw_module_iommu_buffer, &lw_shape_small},
    {"iommu_buffer_five", &lw_module_iommu_buffer, &lw_shape_five},
    {"iommu_buffer_mesc", &lw_module_iommu_buffer, &lw_shape_mesc},
    {"iommu_buffer_mesc_parallel", &lw_module_iommu_buffer, &lw_shape_mesc_parallel},
    {"iommu_buffer_mesc_headfirst", &lw_module_iommu_buffer, &lw_shape_mesc_headfirst},
    {"iommu_buffer_colt", &lw_module_iommu_buffer, &lw_shape_colt},
    {"iommu_buffer_colt_mesc", &lw_module_iommu_buffer, &lw_shape_colt_mesc},
    {"iommu_buffer_hashed", &lw_module_iommu_buffer, &lw_shape_hashed},
    {"iommu_buffer_hashed_five", &lw_module_iommu_buffer, &lw_shape_hashed_five},
    {"page_walkers", &lw_module_page_walkers, &lw_shape_small},
    {"page_walkers_five", &lw_module_page_walkers, &lw_shape_five},
    {"page_walkers_by_address", &lw_module_page_walkers, &lw_shape_by_address},
    {"page_walkers_mesc", &lw_module_page_walkers, &lw_shape_mesc},
    {"page_walkers_mesc_parallel", &lw_module_page_walkers, &lw_shape_mesc_parallel},
    {"page_walkers_mesc_headfirst", &lw_module_page_walkers, &lw_shape_mesc_headfirst},
    {"page_walkers_colt", &lw_module_page_walkers, &lw_shape_colt},
    {"page_walkers_colt_mesc", &lw_module_page_walkers, &lw_shape_colt_mesc},
    {"page_walkers_hashed", &lw_module_page_walkers, &lw_shape_hashed},
    {"page_walkers_hashed_mesc", &lw_module_page_walkers, &lw_shape_hashed_mesc},
    {"page_walkers_hashed_lines", &lw_module_page_walkers, &lw_shape_hashed_lines},
    {"contiguity", &lw_module_contiguity, &lw_shape_mesc},
    {"contiguity_wide", &lw_module_contiguity, &lw_shape_mesc_wide},
    {"contiguity_headfirst", &lw_module_contiguity, &lw_shape_mesc_headfirst},
    {"contiguity_hashed", &lw_module_contiguity, &lw_shape_hashed_mesc},
    {"msc", &lw_module_msc, &lw_shape_mesc_wide},
    {"msc_one_set", &lw_module_msc, &lw_shape_mesc_parallel},
    {"msc_macro", &lw_module_msc, &lw_shape_macro},
    {"answer_port", &lw_module_answer_port, &lw_shape_small},
    {"answer_port_mesc", &lw_module_answer_port, &lw_shape_mesc},
    {"answer_port_mesc_headfirst", &lw_module_answer_port, &lw_shape_mesc_headfirst},
    {"answer_port_colt_mesc", &lw_module_answer_port, &lw_shape_colt_mesc},
    {"answer_port_full_colt", &lw_module_answer_port, &lw_shape_full_colt},
    {"answer_port_hashed", &lw_module_answer_port, &lw_shape_hashed},
    {"answer_port_hashed_mesc", &lw_module_answer_port, &lw_shape_hashed_mesc},
    {"axi_lite_control", &lw_module_axi_lite_control, &lw_shape_small},
    {"axi_lite_control_five", &lw_module_axi_lite_control, &lw_shape_five},
    {"axi_reader_64", &lw_module_axi_reader_64, &lw_shape_small},
    {"axi_reader_128", &lw_module_axi_reader_128, &lw_shape_mesc},
    {"axi_reader_256", &lw_module_axi_reader_256, &lw_shape_small},
    {"axi_reader_512", &lw_module_axi_reader_512, &lw_shape_mesc},
    {"axi_reader_one", &lw_module_axi_reader_512, &lw_shape_five},
    {"axi_reader_one_64", &lw_module_axi_reader_64, &lw_shape_five},
    {"iommu_axi_64", &lw_module_iommu_axi_64, &lw_shape_small},
    {"iommu_axi_512", &lw_module_iommu_axi_512, &lw_shape_mesc},
    {"iommu_axi_hashed", &lw_module_iommu_axi_64, &lw_shape_hashed},
    {"iommu_axi_hashed_lines", &lw_module_iommu_axi_64, &lw_shape_hashed_lines},
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

/* The bits that number these. */
static uint32_t index_bits(uint32_t of) {
    return of <= 2 ? 1 : 32u - (uint32_t)__builtin_clz(of - 1);
}

/* R11.4 */
static uint32_t sweep_sets(const lw_params *p) {
    const uint32_t sets = p->tlb_entries / p->tlb_ways;
    return p->subregions != 0 ? greater(sets, p->msc_entries / p->msc_ways) : sets;
}

void lw_row_options(const lw_row *row, char *text, size_t room) {
    const lw_params *p = row->hw;
    const derived all[] = {
        {"Levels", p->levels},
        {"VpnW", 9 * p->levels},
        {"PaWidth", p->pa_width},
        {"PfnW", p->pa_width - 12},
        {"Pasids", p->pasids},
        {"PasidW", log2_of(p->pasids)},
        {"IdW", p->id_w},
        {"SrcW", p->src_w},
        {"TlbEntries", p->tlb_entries},
        {"TlbWays", p->tlb_ways},
        {"TlbLatency", p->tlb_latency},
        {"TlbStages", lw_tlb_stages(p)},
        {"TlbPartition", p->tlb_partition},
        {"TlbBimodal", p->tlb_bimodal},
        {"Sets", sweep_sets(p)},
        {"SweepW", greater(log2_of(sweep_sets(p)), 1)},
        {"HitQueue", p->hit_queue},
        {"WalkQueue", p->walk_queue},
        {"MissQueue", p->miss_queue},
        {"BufferEntries", p->buffer_entries},
        {"Lines", p->lines},
        {"Walkers", p->walkers},
        {"WalkerW", index_bits(p->walkers)},
        {"IncrementW", 32u - (uint32_t)__builtin_clz(p->buffer_entries + p->walkers)},
        {"PwcOrg", p->pwc_org},
        {"Hashes", p->pwc_org == LW_PWC_OF_STEPS},
        {"Sizes", lw_has_sizes(p)},
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
        {"SlotPages", p->slot_pages},
        {"Pages64K", p->pages_64k},
        {"SecondLookup", p->second_lookup},
        {"DataWidth", row->module->data_width},
        {"Ids", lw_row_ids(p)},
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
