/* The modules that the module lockstep knows; each in the file of its name. */
#ifndef LW_TESTS_MODULES_MODULES_H
#define LW_TESTS_MODULES_MODULES_H

#include "tests/modules/module.h"

extern const lw_module lw_module_admission;
extern const lw_module lw_module_answer_port;
extern const lw_module lw_module_axi_lite_control;
extern const lw_module lw_module_axi_reader_64;
extern const lw_module lw_module_axi_reader_128;
extern const lw_module lw_module_axi_reader_256;
extern const lw_module lw_module_axi_reader_512;
extern const lw_module lw_module_contiguity;
extern const lw_module lw_module_control;
extern const lw_module lw_module_invalidation;
extern const lw_module lw_module_iommu_axi_64;
extern const lw_module lw_module_iommu_axi_512;
extern const lw_module lw_module_iommu_buffer;
extern const lw_module lw_module_line_decoder;
extern const lw_module lw_module_miss_queue;
extern const lw_module lw_module_msc;
extern const lw_module lw_module_page_walk_cache;
extern const lw_module lw_module_page_walkers;
extern const lw_module lw_module_perf_counters;
extern const lw_module lw_module_response_queue;
extern const lw_module lw_module_step_lookup;
extern const lw_module lw_module_table_hash;
extern const lw_module lw_module_unified_tlb;

#endif
