/* A named system: the values of all parameters, hardware and run time, of one machine.
 *
 * systems/NAME.ini is the only place where a parameter has a value (libinih; `key = value` in the
 * key's section or above all, `extends = NAME` first to start from another system). `--set
 * key=value` changes one for a run. lw_system_key_at describes every key; its ranges are checked
 * here, those that depend on each other by lw_params_check. */
#ifndef LW_SIM_SYSTEM_SYSTEM_H
#define LW_SIM_SYSTEM_SYSTEM_H

#include "c_model/base/params.h"
#include "c_model/base/ports.h"
#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LW_TEXT_MAX 256
#define LW_SYSTEM_KEYS_MAX 128
#define LW_SYSTEM_FILES_MAX 9
#define LW_DRAM_FILE_MAX (2 * LW_TEXT_MAX + 16) /* folder, "/dram/", name, ".ini" */

enum { LW_ALL_LOCAL = 100 }; /* local_share: the GPU's memory has room for all */

/* How large pages are where they can be; else they are of the next smaller size. */
enum { LW_PAGES_OF_4K, LW_PAGES_OF_2M, LW_PAGES_OF_1G, LW_PAGES_MIXED, LW_PAGES_OF_64K };

/* Where a key was set: a line of one of the files, or what lw_system_set was told. */
typedef struct lw_place {
    uint32_t file, line; /* line 0: no file's */
    const char *where;   /* "--set: ", or "" */
} lw_place;

typedef struct lw_system {
    char name[64];
    char summary[128];
    char folder[LW_TEXT_MAX]; /* of the named systems, where it was loaded from */
    char files[LW_SYSTEM_FILES_MAX][LW_TEXT_MAX]; /* what was read, its own first */
    size_t file_count;
    bool set[LW_SYSTEM_KEYS_MAX]; /* has lw_system_key_at(i) a value? */
    lw_place set_at[LW_SYSTEM_KEYS_MAX];
    lw_params hw;
    /* unit settings (R12.2) */
    uint32_t mode, pwc_enable, pl_skips_pwc, subregion_enable, colt_enable, home_first;
    /* walk memory (memory/line_port.h) and page tables (frames/frame_allocator.h) */
    char memory_latency[LW_TEXT_MAX];
    uint32_t memory_reorder, memory_not_ready, memory_errors, memory_capacity;
    uint32_t pte_cache_kib, pte_cache_ways, pte_cache_latency; /* memory/pte_cache.h */
    char dram[LW_TEXT_MAX]; /* memory/dram_timing.h: none, or its name or file */
    char mapping[LW_TEXT_MAX];
    uint32_t page_size;                                 /* of mappings: LW_PAGES_* */
    uint32_t hashed_tables, hashed_factor, hashed_load; /* os/hashed_mapping.h */
    uint32_t local_share, migrate_after; /* os/migrations.h; percent of the regions */
    /* the GPU (gpu/gpu.h) */
    uint32_t clock_mhz; /* of the unit too */
    uint32_t cus, simds, waves, lanes, l1_entries, l1_probes, l1_latency, l1_mshrs, l2_entries,
        l2_ways, l2_latency, l2_lookups, l2_mshrs, schedule, wave_loads, issue_period,
        ideal_translation;
    /* its data path (gpu/data_path.h) */
    uint32_t data, data_line, l1d_kib, l1d_ways, l1d_latency, l1d_lookups, l1d_mshrs,
        crossbar_latency, l2d_kib, l2d_ways, l2d_latency, l2d_lookups, l2d_mshrs, data_latency,
        l1d_hash, l2d_hash, l2d_store_fetch, l2d_walks;
    /* plain and random streams (gpu/stream_driver.h), percent where not said */
    uint32_t outstanding, request_gap, response_not_ready, bad_requests, processes, few_pages;
    /* the operating system at work (os/os_agent.h, environment.h): events per 10000 cycles */
    uint32_t invalidations, remaps, feature_changes;
    /* what provokes rare faults: events per 10000 cycles but for near_changes
     * (percent of the changes that meet a page asked for lately), shared_tables (percent of a
     * process's tables that the next one has too), late_lines (in 10000 reads), early_lines
     * (percent of reads) and the bounds of what is drawn: burst_length invalidations, slow_phase
     * and late_cycles cycles */
    uint32_t near_changes, shared_tables, table_moves, root_changes, silent_changes,
        invalidation_bursts, burst_length, region_moves;
    uint32_t slow_sinks, slow_memories, slow_phase, late_lines, late_cycles, early_lines;
    uint32_t longest_wait; /* cycles after which a waiting request fails the run */
} lw_system;

typedef struct lw_system_key {
    const char *name;
    const char *section;
    size_t offset;
    bool is_text;
    uint32_t min, max;
    bool hardware;   /* part of the RTL build's key */
    const char *rtl; /* the RTL parameter's name, NULL if not hardware */
    const char *summary;
} lw_system_key;

/* The i-th key, NULL past the last. */
const lw_system_key *lw_system_key_at(size_t i);

/* The value of the i-th key: its text, or NULL and the number. */
const char *lw_system_value(const lw_system *system, size_t i, uint32_t *number);

/* Reads a system: a name (folder/NAME.ini) or a path that ends with .ini; `extends` takes either
 * too, a path from the folder of the file that it stands in. False and one sentence with file and
 * line for an unknown key, one that stands twice or in another's section, a value out of range, a
 * line too long or indented, a missing file, a circle of `extends`. */
bool lw_system_load(lw_system *system, const char *folder, const char *name_or_path, lw_error *err);

/* Whether a text that may be a name is a path: it ends with .ini. */
bool lw_system_is_path(const char *name);

/* The timing file that `dram` names, which need not be there; false where it is none. */
bool lw_system_dram_file(const lw_system *system, char path[LW_DRAM_FILE_MAX]);

/* One setting "key=value". `where`, which outlives the system, opens the error sentence ("--set: ",
 * or ""). */
bool lw_system_set(lw_system *system, const char *key, const char *value, const char *where,
                   lw_error *err);

/* The whole, once every key is set: nothing is switched on whose hardware is not there. */
bool lw_system_check(const lw_system *system, lw_error *err);

/* Puts where a key was set in front of a sentence that begins with it (lw_fail_key). Any other
 * stays as it is. */
void lw_system_name_place(const lw_system *system, lw_error *err);

/* The name of the RTL build that serves this system: its hardware values joined by '_', which is
 * also a folder name below build/rtl. At most LW_TEXT_MAX characters. */
void lw_system_build_key(const lw_system *system, char key[LW_TEXT_MAX]);

/* Verilator's -G options for the same values, space separated. */
void lw_system_build_options(const lw_system *system, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
