#include "sim/system/system.h"

#include "c_model/iommu.h"
#include "common/number.h"

#include <stdio.h>
#include <string.h>

#define HW(key, field, lo, hi, rtl, text)                                                          \
    { key, "hardware", offsetof(lw_system, hw.field), false, lo, hi, true, rtl, text }
#define NUM(sec, key, field, lo, hi, text)                                                         \
    { key, sec, offsetof(lw_system, field), false, lo, hi, false, NULL, text }
#define TXT(sec, key, field, text)                                                                 \
    { key, sec, offsetof(lw_system, field), true, 0, 0, false, NULL, text }

static const lw_system_key keys[] = {
    HW("levels", levels, 4, 5, "Levels", "levels of the page table"),
    HW("pa_width", pa_width, 32, 52, "PaWidth", "bits of a physical address"),
    HW("pasids", pasids, 2, 256, "Pasids", "address spaces, a power of two"),
    HW("id_w", id_w, 1, 16, "IdW", "bits of a request id"),
    HW("src_w", src_w, 1, 16, "SrcW", "bits of a request source"),
    HW("tlb_entries", tlb_entries, 2, 4096, "TlbEntries", "unified TLB entries"),
    HW("tlb_ways", tlb_ways, 2, 16, "TlbWays", "unified TLB ways, a power of two"),
    HW("tlb_latency", tlb_latency, 1, 8, "TlbLatency",
       "stages of a TLB lookup before its decision"),
    HW("tlb_partition", tlb_partition, 0, 16, "TlbPartition",
       "ways of the unified TLB open to subregions"),
    HW("tlb_bimodal", tlb_bimodal, 0, 8, "TlbBimodal",
       "one of 2^n new TLB entries is the last to be replaced"),
    HW("hit_queue", hit_queue, 1, 64, "HitQueue", "places of the hit queue"),
    HW("miss_queue", miss_queue, 1, 64, "MissQueue", "misses that may wait in front of the buffer"),
    HW("walk_queue", walk_queue, 1, 64, "WalkQueue", "places of the walk queue"),
    HW("buffer_entries", buffer_entries, 4, 512, "BufferEntries", "IOMMU buffer, a power of two"),
    HW("lines", lines, 4, 64, "Lines", "lines that the buffer keeps, a power of two"),
    HW("walkers", walkers, 1, 32, "Walkers", "page walkers"),
    HW("pwc_org", pwc_org, 0, 2, "PwcOrg",
       "page walk cache: 0 by level, 1 by PTE address, 2 of hashed tables' steps"),
    HW("pwc_entries", pwc_entries, 2, 1024, "PwcEntries", "per level, or in all"),
    HW("pwc_ways", pwc_ways, 2, 16, "PwcWays", "ways of the PWC by address"),
    HW("pwc_latency", pwc_latency, 1, 8, "PwcLatency", "cycles of a PWC lookup"),
    HW("coalesce", coalesce, 0, 1, "Coalesce", "is the coalescing hardware present"),
    HW("subregions", subregions, 0, 1, "Subregions", "is MESC's hardware present"),
    HW("par_lookup", par_lookup, 0, 1, "ParLookup", "subregions and regular in one cycle"),
    HW("msc_entries", msc_entries, 2, 4096, "MscEntries", "memory subregion cache"),
    HW("msc_ways", msc_ways, 2, 16, "MscWays", "ways of the MSC, a power of two"),
    HW("check_queue", check_queue, 1, 16, "CheckQueue", "contiguity checks that can wait"),
    HW("head_first", head_first, 0, 1, "HeadFirst", "heads in the first line of a level-1 node"),
    HW("colt", colt, 0, 2, "Colt", "CoLT: 0 none, 1 links in answers, 2 runs in the TLB too"),
    HW("slot_pages", slot_pages, 8, 512, "SlotPages",
       "pages of a slot of a hashed table: 512, or 8, which are a line"),
    HW("pages_64k", pages_64k, 0, 1, "Pages64K", "radix tables have pages of 64 KiB"),
    HW("second_lookup", second_lookup, 0, 1, "SecondLookup",
       "is the unified TLB asked once more before a walk"),
    NUM("settings", "mode", mode, 0, 2, "coalescing: 0 off, 1 leaf, 2 full"),
    NUM("settings", "pwc_enable", pwc_enable, 0, 1, "is the page walk cache used"),
    NUM("settings", "pl_skips_pwc", pl_skips_pwc, 0, 1, "entries with PL do not ask the PWC"),
    NUM("settings", "subregion_enable", subregion_enable, 0, 1, "are contiguity bits looked at"),
    NUM("settings", "colt_enable", colt_enable, 0, 1, "do answers say which pages go on"),
    NUM("settings", "home_first", home_first, 0, 1,
        "is the home slot of a hashed table read before the step table"),
    TXT("memory", "memory_latency", memory_latency, "fixed:L, uniform:MIN,MAX or bank"),
    NUM("memory", "memory_reorder", memory_reorder, 0, 1, "responses may overtake"),
    NUM("memory", "memory_not_ready", memory_not_ready, 0, 99, "percent of cycles not ready"),
    NUM("memory", "memory_errors", memory_errors, 0, 100, "percent of reads that fail"),
    NUM("memory", "memory_capacity", memory_capacity, 1, 65536, "reads in flight"),
    TXT("memory", "dram", dram,
        "none: memory_latency; NAME: systems/dram/NAME.ini; or a path that ends with .ini"),
    TXT("memory", "mapping", mapping,
        "contiguous, buddy:FRAG, memhog:FRAG, random, pagemap[:FILE]"),
    NUM("memory", "page_size", page_size, 0, 4, "of mappings: 0 4K, 1 2M, 2 1G, 3 mixed, 4 64K"),
    NUM("memory", "hashed_tables", hashed_tables, 0, 2,
        "page tables: 0 radix, 1 hashed, 2 hashed for every other process"),
    NUM("memory", "hashed_factor", hashed_factor, 100, 1000,
        "percent of a full hashed table from which on remote regions leave it"),
    NUM("memory", "hashed_load", hashed_load, 4, 100,
        "percent of a hashed table's slots that a full memory should fill"),
    NUM("memory", "local_share", local_share, 1, 100,
        "percent of the regions that the GPU's memory has room for"),
    NUM("memory", "migrate_after", migrate_after, 1, 1000000,
        "accesses to a remote region after which it comes to the GPU's memory"),
    NUM("memory", "pte_cache_kib", pte_cache_kib, 0, 1024,
        "a cache of page-table lines in front of dram; 0: none"),
    NUM("memory", "pte_cache_ways", pte_cache_ways, 1, 64, "its ways"),
    NUM("memory", "pte_cache_latency", pte_cache_latency, 1, 1000, "cycles of its lookup"),
    NUM("gpu", "clock_mhz", clock_mhz, 1, 10000, "MHz of the GPU and the unit; for dram only"),
    NUM("gpu", "cus", cus, 1, 64, "compute units"),
    NUM("gpu", "simds", simds, 1, 16, "SIMDs of a CU"),
    NUM("gpu", "waves", waves, 1, 64, "wave slots of a SIMD"),
    NUM("gpu", "lanes", lanes, 32, 64, "lanes of a wave, 32 or 64"),
    NUM("gpu", "l1_entries", l1_entries, 1, 1024, "entries of a CU's L1 TLB"),
    NUM("gpu", "l1_probes", l1_probes, 1, 64, "L1 TLB probes a cycle and CU"),
    NUM("gpu", "l1_latency", l1_latency, 0, 1000, "cycles of an L1 TLB lookup"),
    NUM("gpu", "l1_mshrs", l1_mshrs, 0, 65536, "outstanding misses of a CU's L1 TLB; 0: no bound"),
    NUM("gpu", "l2_entries", l2_entries, 0, 65536, "entries of the shared L2 TLB; 0: none"),
    NUM("gpu", "l2_ways", l2_ways, 1, 64, "ways of the L2 TLB"),
    NUM("gpu", "l2_latency", l2_latency, 1, 1000, "cycles of an L2 TLB lookup"),
    NUM("gpu", "l2_lookups", l2_lookups, 1, 64, "L2 TLB lookups a cycle"),
    NUM("gpu", "l2_mshrs", l2_mshrs, 1, 65536, "outstanding L2 TLB misses"),
    NUM("gpu", "schedule", schedule, 0, 1, "who issues: 0 the oldest wave, 1 in turn"),
    NUM("gpu", "wave_loads", wave_loads, 0, 64, "memory instructions of a wave under way; 0: all"),
    NUM("gpu", "issue_period", issue_period, 1, 64, "cycles that an instruction keeps its SIMD"),
    NUM("gpu", "ideal_translation", ideal_translation, 0, 1,
        "does translation take no time and no request"),
    NUM("gpu", "data", data, 0, 1, "is the data path there, else data takes no time"),
    NUM("gpu", "data_line", data_line, 64, 128, "bytes of a line of data, 64 or 128"),
    NUM("gpu", "l1d_kib", l1d_kib, 1, 65536, "KiB of a CU's L1 data cache"),
    NUM("gpu", "l1d_ways", l1d_ways, 1, 64, "ways of an L1 data cache"),
    NUM("gpu", "l1d_latency", l1d_latency, 1, 1000, "cycles of an L1 data cache lookup"),
    NUM("gpu", "l1d_lookups", l1d_lookups, 1, 64, "lines a cycle and CU to its L1 data cache"),
    NUM("gpu", "l1d_mshrs", l1d_mshrs, 1, 4096, "lines that an L1 data cache waits for"),
    NUM("gpu", "l1d_hash", l1d_hash, 0, 1, "do all bits of a line choose its set in an L1"),
    NUM("gpu", "crossbar_latency", crossbar_latency, 1, 1000,
        "cycles from an L1 data cache to the L2 and back, each"),
    NUM("gpu", "l2d_kib", l2d_kib, 1, 65536, "KiB of the shared L2 data cache"),
    NUM("gpu", "l2d_ways", l2d_ways, 1, 64, "ways of the L2 data cache"),
    NUM("gpu", "l2d_latency", l2d_latency, 1, 1000, "cycles of an L2 data cache lookup"),
    NUM("gpu", "l2d_lookups", l2d_lookups, 1, 64, "L2 data cache lookups a cycle"),
    NUM("gpu", "l2d_mshrs", l2d_mshrs, 1, 4096, "lines that the L2 data cache waits for"),
    NUM("gpu", "l2d_store_fetch", l2d_store_fetch, 0, 1,
        "does a store that misses the L2 data cache bring its line in"),
    NUM("gpu", "l2d_hash", l2d_hash, 0, 1, "do all bits of a line choose its set in the L2"),
    NUM("gpu", "l2d_walks", l2d_walks, 0, 1, "do page walks read through the L2 data cache"),
    NUM("gpu", "data_latency", data_latency, 1, 100000, "cycles of a main memory of data alone"),
    NUM("stream", "outstanding", outstanding, 1, 65536, "requests in flight of a stream"),
    NUM("stream", "request_gap", request_gap, 0, 99, "percent of cycles without a request"),
    NUM("stream", "response_not_ready", response_not_ready, 0, 99, "percent of cycles not ready"),
    NUM("stream", "bad_requests", bad_requests, 0, 100, "percent of requests that must fault"),
    NUM("stream", "processes", processes, 1, 256, "address spaces of a random stream"),
    NUM("stream", "few_pages", few_pages, 0, 65536,
        "pages of each array of a random stream at most; 0: all"),
    NUM("os", "invalidations", invalidations, 0, 10000, "invalidations in 10000 cycles"),
    NUM("os", "remaps", remaps, 0, 10000, "page table changes in 10000 cycles"),
    NUM("os", "feature_changes", feature_changes, 0, 10000,
        "changes of the settings in 10000 cycles"),
    NUM("os", "near_changes", near_changes, 0, 100,
        "percent of changes that meet a page asked for lately"),
    NUM("os", "shared_tables", shared_tables, 0, 100, "percent of tables shared with a process"),
    NUM("os", "table_moves", table_moves, 0, 10000, "tables moved in 10000 cycles"),
    NUM("os", "root_changes", root_changes, 0, 10000, "roots changed in 10000 cycles"),
    NUM("os", "region_moves", region_moves, 0, 10000,
        "regions of hashed tables moved, evicted or recalled in 10000 cycles"),
    NUM("os", "silent_changes", silent_changes, 0, 10000,
        "pages that appear in 10000 cycles, told to nobody"),
    NUM("os", "invalidation_bursts", invalidation_bursts, 0, 10000,
        "bursts of invalidations in 10000 cycles"),
    NUM("os", "burst_length", burst_length, 1, 1000000,
        "invalidations of a burst after its first, at most"),
    NUM("phases", "slow_sinks", slow_sinks, 0, 10000,
        "phases in 10000 cycles in which responses are hardly taken"),
    NUM("phases", "slow_memories", slow_memories, 0, 10000,
        "phases in 10000 cycles in which memory is slow"),
    NUM("phases", "slow_phase", slow_phase, 1, 1000000, "cycles of a slow phase at most"),
    NUM("phases", "late_lines", late_lines, 0, 10000, "reads in 10000 that come very late"),
    NUM("phases", "late_cycles", late_cycles, 1, 1000000, "cycles that they come later"),
    NUM("phases", "early_lines", early_lines, 0, 100,
        "percent of reads that give what memory held when it took them"),
    NUM("checks", "longest_wait", longest_wait, 1, 1000000000, "cycles that a request may wait"),
};

enum { KEYS = sizeof keys / sizeof keys[0] };
_Static_assert(KEYS <= LW_SYSTEM_KEYS_MAX, "lw_system.set has a place for each key");

const lw_system_key *lw_system_key_at(size_t i) {
    return i < KEYS ? &keys[i] : NULL;
}

static bool parse_number(const char *text, uint32_t *value) {
    uint64_t number = 0;
    const bool read = lw_number_read(&text, UINT32_MAX, &number) && *text == '\0';
    *value = read ? (uint32_t)number : *value;
    return read;
}

bool lw_system_set(lw_system *system, const char *key, const char *value, const char *where,
                   lw_error *err) {
    for (size_t i = 0; i < KEYS; i++) {
        const lw_system_key *k = &keys[i];
        if (strcmp(k->name, key) != 0) {
            continue;
        }
        void *place = (char *)system + k->offset;
        if (k->is_text) {
            if (strlen(value) >= LW_TEXT_MAX || value[0] == '\0') {
                return lw_fail(err, "%s%s takes a text of 1 to %d characters (%s)", where, key,
                               LW_TEXT_MAX - 1, k->summary);
            }
            memcpy(place, value, strlen(value) + 1);
            system->set[i] = true;
            system->set_at[i] = (lw_place){.where = where};
            return true;
        }
        uint32_t number = 0;
        if (!parse_number(value, &number) || number < k->min || number > k->max) {
            return lw_fail(err, "%s%s is \"%s\"; allowed: a whole number in %u..%u (%s)", where,
                           key, value, k->min, k->max, k->summary);
        }
        memcpy(place, &number, sizeof number);
        system->set[i] = true;
        system->set_at[i] = (lw_place){.where = where};
        return true;
    }
    return lw_fail(err, "%sthere is no key \"%s\"; `lockwalk systems --keys` lists them", where,
                   key);
}

const char *lw_system_value(const lw_system *system, size_t i, uint32_t *number) {
    const char *place = (const char *)system + keys[i].offset;
    if (keys[i].is_text) {
        return place;
    }
    memcpy(number, place, sizeof *number);
    return NULL;
}

/* What is switched on must be there. */
static bool check_enables(const lw_system *s, lw_error *err) {
    const struct {
        const char *name, *hardware;
        uint32_t value, present;
    } rows[] = {
        {"mode", "coalesce", s->mode, s->hw.coalesce},
        {"subregion_enable", "subregions", s->subregion_enable, s->hw.subregions},
        {"colt_enable", "colt", s->colt_enable, s->hw.colt},
        {"home_first", "hashed_tables", s->home_first, s->hashed_tables},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value != 0 && rows[i].present == 0) {
            return lw_fail_key(err, rows[i].name,
                               " is %u; allowed: 0, because %s is 0 (its hardware)", rows[i].value,
                               rows[i].hardware);
        }
    }
    return true;
}

typedef struct rate {
    const char *name;
    uint32_t value;
} rate;

/* Of rates that another key forbids, by its name and value. */
static bool are_off(const rate *rates, size_t count, const char *because, uint32_t is,
                    lw_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (rates[i].value != 0) {
            return lw_fail_key(err, rates[i].name, " is %u; allowed: 0, because %s is %u",
                               rates[i].value, because, is);
        }
    }
    return true;
}

/* A region that becomes local by a change, and not by accesses to it, would page another out
 * (R20.17), of which the page tables beside know nothing. */
static bool check_share(const lw_system *s, lw_error *err) {
    const rate rates[] = {
        {"remaps", s->remaps},
        {"silent_changes", s->silent_changes},
        {"region_moves", s->region_moves},
    };
    return s->local_share == LW_ALL_LOCAL ||
           are_off(rates, sizeof rates / sizeof rates[0], "local_share", s->local_share, err);
}

/* What changes a radix table does not follow in a hashed one. */
static bool check_hashed(const lw_system *s, lw_error *err) {
    const rate rates[] = {
        {"root_changes", s->root_changes},
        {"table_moves", s->table_moves},
        {"shared_tables", s->shared_tables},
    };
    if (s->hashed_tables == 0 && s->local_share != LW_ALL_LOCAL) {
        return lw_fail_key(err, "local_share", " is %u; allowed: 100, because hashed_tables is 0",
                           s->local_share);
    }
    if (s->hashed_tables == 0) {
        const rate moves = {"region_moves", s->region_moves};
        return are_off(&moves, 1, "hashed_tables", 0, err);
    }
    if (s->hw.pwc_org != LW_PWC_OF_STEPS) {
        return lw_fail_key(err, "hashed_tables", " is %u; allowed: 0, because pwc_org is %u",
                           s->hashed_tables, s->hw.pwc_org);
    }
    return are_off(rates, sizeof rates / sizeof rates[0], "hashed_tables", s->hashed_tables, err) &&
           check_share(s, err);
}

void lw_system_name_place(const lw_system *system, lw_error *err) {
    size_t i = 0;
    while (i < KEYS && strcmp(keys[i].name, err->key) != 0) {
        i++;
    }
    if (i == KEYS) {
        return;
    }
    const lw_place *place = &system->set_at[i];
    if (place->line != 0) {
        (void)lw_fail(err, "%s:%u: %s", system->files[place->file], place->line, err->text);
    } else if (place->where != NULL && place->where[0] != '\0') {
        (void)lw_fail(err, "%s%s", place->where, err->text);
    } else {
        (void)lw_fail(err, "system %s: %s", system->name, err->text);
    }
}

/* The operating system does one thing at a time, which a draw in each cycle decides. */
static bool check_rates(const lw_system *s, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value;
    } rows[] = {
        {"remaps", s->remaps},
        {"invalidations", s->invalidations},
        {"root_changes", s->root_changes},
        {"table_moves", s->table_moves},
        {"invalidation_bursts", s->invalidation_bursts},
        {"region_moves", s->region_moves},
    };
    enum { CYCLES_OF_A_RATE = 10000 };
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sum += rows[i].value;
        if (sum > CYCLES_OF_A_RATE) {
            return lw_fail_key(err, rows[i].name,
                               " is %u; allowed: at most %u, because other rates take %u of the "
                               "%u cycles",
                               rows[i].value, CYCLES_OF_A_RATE + rows[i].value - sum,
                               sum - rows[i].value, CYCLES_OF_A_RATE);
        }
    }
    return true;
}

static bool check_single(const lw_system *s, lw_error *err) {
    if (s->lanes != 32 && s->lanes != 64) {
        return lw_fail_key(err, "lanes", " is %u; allowed: 32, 64", s->lanes);
    }
    if (s->page_size == LW_PAGES_OF_64K && s->hw.pages_64k == 0) {
        return lw_fail_key(err, "page_size",
                           " is 4 (64 KiB); allowed: 0..3, because pages_64k is 0");
    }
    return true;
}

bool lw_system_check(const lw_system *system, lw_error *err) {
    for (size_t i = 0; i < KEYS; i++) {
        const lw_system_key *k = &keys[i];
        uint32_t value = 0;
        if (!system->set[i]) {
            return lw_fail(err, "%s: %s is not set (%s), nor in a system that it extends",
                           system->files[0], k->name, k->summary);
        }
        if (k->is_text) {
            continue;
        }
        memcpy(&value, (const char *)system + k->offset, sizeof value);
        if (value < k->min || value > k->max) {
            return lw_fail(err, "system %s: %s is %u; allowed: %u..%u", system->name, k->name,
                           value, k->min, k->max);
        }
    }
    const bool good = check_single(system, err) && check_rates(system, err) &&
                      check_enables(system, err) && check_hashed(system, err) &&
                      lw_params_check(&system->hw, err);
    if (!good && err != NULL) {
        lw_system_name_place(system, err);
    }
    return good;
}

void lw_system_build_key(const lw_system *system, char key[LW_TEXT_MAX]) {
    size_t used = 0;
    key[0] = '\0';
    for (size_t i = 0; i < KEYS; i++) {
        if (!keys[i].hardware) {
            continue;
        }
        uint32_t value = 0;
        memcpy(&value, (const char *)system + keys[i].offset, sizeof value);
        used +=
            (size_t)snprintf(key + used, LW_TEXT_MAX - used, "%s%u", used == 0 ? "" : "_", value);
    }
}

void lw_system_build_options(const lw_system *system, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < KEYS && used < size; i++) {
        if (!keys[i].hardware) {
            continue;
        }
        uint32_t value = 0;
        memcpy(&value, (const char *)system + keys[i].offset, sizeof value);
        used += (size_t)snprintf(text + used, size - used, "%s-G%s=%u", used == 0 ? "" : " ",
                                 keys[i].rtl, value);
    }
}
