/* The runs of streams: those that are drawn, and those of a file. */
#include "sim/environment/environment_state.h"

#include "sim/gpu/stream_driver.h"
#include "sim/gpu/stream_tlbs.h"
#include "sim/os/planted_hashed.h"
#include "sim/tables/hashed_layout.h"
#include "sim/traces/stream_census.h"
#include "sim/workloads/page_runs.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = LW_ENVIRONMENT_PROCESSES, RANDOM_REQUESTS = 100000 };

static const struct stream_name {
    const char *name, *summary;
    lw_stream_kind kind;
} stream_names[] = {
    {"random", "random requests over arrays of all page sizes, for stress", LW_STREAM_RANDOM},
    {"phases", "the same in phases of reuse, bursts, strides, shared pages and quiet, for hits",
     LW_STREAM_PHASES},
    {"sequential", "page after page through one array of --size pages, over and over",
     LW_STREAM_SEQUENTIAL},
    {"repeat", "one page, over and over: a TLB hit in every cycle", LW_STREAM_REPEAT},
};

enum { STREAMS = sizeof stream_names / sizeof stream_names[0] };

const char *lw_stream_name_at(size_t i, const char **summary) {
    if (i >= STREAMS) {
        return NULL;
    }
    *summary = stream_names[i].summary;
    return stream_names[i].name;
}

static const struct stream_name *find_stream(const char *name) {
    for (size_t i = 0; name != NULL && i < STREAMS; i++) {
        if (strcmp(stream_names[i].name, name) == 0) {
            return &stream_names[i];
        }
    }
    return NULL;
}

/* The arrays of a random stream's process: in every half of the address space, small and large, one
 * that 1 GiB pages fit, so that every level, page size and neighbourhood occurs. */
static size_t random_arrays(uint32_t process, const lw_system *system, lw_array *arrays) {
    const uint32_t levels = system->hw.levels;
    const uint64_t few = (uint64_t)system->few_pages << LW_PAGE_SHIFT;
    static const struct {
        const char *name;
        uint64_t base, bytes;
    } plan[] = {
        {"small", UINT64_C(0x10000000), 40 << 12},
        {"leaf", UINT64_C(0x7f0000000000), 600 << 12},
        {"next leaf", UINT64_C(0x7f0000800000), 100 << 12},
        {"far", UINT64_C(0x7f8040000000), 600 << 12},
        {"large", UINT64_C(0x20000000000), UINT64_C(16) << 20},
        {"huge", UINT64_C(0x40000000000), UINT64_C(1) << 30},
        {"upper half", UINT64_C(0xffff800000000000), 300 << 12},
        {"five levels", UINT64_C(0x10000000000000), 300 << 12},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof plan / sizeof plan[0]; i++) {
        bool only_five = i + 1 == sizeof plan / sizeof plan[0];
        bool upper = i + 2 == sizeof plan / sizeof plan[0];
        if ((only_five && levels < 5)) {
            continue;
        }
        lw_array array = {.base = plan[i].base, .bytes = plan[i].bytes};
        if (few != 0 && few < array.bytes) {
            array.bytes = few; /* so that requests and changes meet */
        }
        memcpy(array.name, plan[i].name, strlen(plan[i].name) + 1);
        if (!upper) {
            array.base += (uint64_t)process << 21;
        }
        if (plan[i].bytes == UINT64_C(1) << 30) {
            array.base = plan[i].base + ((uint64_t)process << 30);
        }
        arrays[count++] = array;
    }
    return count;
}

bool lw_environment_is_stream(const char *workload) {
    return find_stream(workload) != NULL;
}

/* What no OS should have written, for a random stream to find. */
static bool plant(lw_environment *env, uint32_t process, lw_error *err) {
    lw_array bad[LW_BAD_ARRAYS];
    size_t count = 0;
    const bool planted =
        lw_address_spaces_is_hashed(env->spaces, process)
            ? lw_address_spaces_plant_hashed(env->spaces, process, bad, &count, err)
            : lw_address_spaces_plant(env->spaces, process, bad, &count, err) &&
                  (env->system->hw.subregions == 0 ||
                   lw_address_spaces_plant_contiguity(env->spaces, process, bad, &count, err));
    return planted && lw_address_spaces_append(env->spaces, process, bad, count, err);
}

/* What both kinds of streams take from the system. */
static lw_stream_params params_of(const lw_environment *env, const lw_run *run,
                                  lw_stream_kind kind) {
    const lw_system *s = env->system;
    const uint32_t ids = 1u << s->hw.id_w;
    return (lw_stream_params){.kind = kind,
                              .requests = run->max_requests,
                              .outstanding = s->outstanding < ids ? s->outstanding : ids,
                              .request_gap = s->request_gap,
                              .response_not_ready = s->response_not_ready,
                              .bad_requests = s->bad_requests,
                              .src_w = s->hw.src_w,
                              .levels = s->hw.levels,
                              .seed = run->seed};
}

/* Processes beside so many whole ones whose hashed tables lack something, one of each kind, if the
 * system has PASIDs left for them. */
static uint32_t lacking(const lw_system *s, uint32_t whole) {
    const uint32_t kinds = LW_LACKS - LW_LACKS_VICTIM_BUFFER;
    const uint32_t most = s->hw.pasids < MAX_PROCESSES ? s->hw.pasids : MAX_PROCESSES;
    return s->hashed_tables != 0 && whole + kinds <= most ? kinds : 0;
}

/* Every address space gets the arrays of a random stream, and where `planted` what is planted; then
 * *count grows by the processes whose hashed tables lack something. */
static bool map_random(lw_environment *env, const lw_run *run, uint32_t *count, bool planted,
                       lw_error *err) {
    const uint32_t whole = *count;
    const uint32_t lack = planted ? lacking(env->system, whole) : 0;
    lw_array arrays[LW_BAD_ARRAYS];
    size_t n = random_arrays(0, env->system, arrays);
    const lw_room one = lw_environment_room_of(arrays, n);
    const uint32_t every = env->system->hashed_tables; /* of so many processes one has it */
    const uint64_t hashed = planted && every != 0 ? lack + (whole + every - 1) / every : 0;
    const uint64_t all = whole + lack;
    const lw_room room = {all * (one.pages + 4096) + hashed * LW_PLANTED_PAGES,
                          all * one.regions + hashed * LW_PLANTED_REGIONS};
    bool good = lw_environment_make_spaces(env, room, run->seed, err);
    *count += good && lw_address_spaces_can_lack(env->spaces) ? lack : 0;
    for (uint32_t p = 0; p < *count && good; p++) {
        n = random_arrays(p, env->system, arrays);
        if (p >= whole) {
            lw_address_spaces_lack_next(env->spaces, LW_LACKS_VICTIM_BUFFER + (p - whole));
        }
        good =
            lw_address_spaces_add(env->spaces, arrays, n, err) && (!planted || plant(env, p, err));
    }
    return good;
}

static bool make_drawn(lw_environment *env, const lw_run *run, lw_stream_kind kind, lw_error *err) {
    const lw_system *s = env->system;
    const bool random = kind == LW_STREAM_RANDOM || kind == LW_STREAM_PHASES;
    lw_stream_process processes[MAX_PROCESSES] = {{NULL, 0, 0}};
    lw_stream_params params = params_of(env, run, kind);
    uint32_t whole = s->processes < s->hw.pasids ? s->processes : s->hw.pasids;
    whole = !random ? 1 : whole < MAX_PROCESSES ? whole : MAX_PROCESSES;
    uint32_t count = whole;
    env->asks_badly = random;
    env->size = run->size == 0 ? 512 : run->size;
    if (env->size > UINT64_C(1) << 24) {
        return lw_fail(err, "--size is %llu pages; allowed for a stream: 1..%u",
                       (unsigned long long)env->size, 1u << 24);
    }
    /* what is planted stays where it is, and is no part of a program */
    if (random && s->local_share != LW_ALL_LOCAL) {
        return lw_fail_key(err, "local_share", " is %u; allowed: 100, because the workload is %s",
                           s->local_share, run->workload);
    }
    const lw_array one = {
        .name = "array", .base = UINT64_C(0x7f0000000000), .bytes = env->size << LW_PAGE_SHIFT};
    const bool mapped =
        random ? map_random(env, run, &count, true, err)
               : lw_environment_make_spaces(env, lw_environment_room_of(&one, 1), run->seed, err) &&
                     lw_address_spaces_add(env->spaces, &one, 1, err);
    if (!mapped) {
        return false;
    }
    for (uint32_t p = 0; p < count; p++) {
        processes[p].arrays = lw_address_spaces_arrays(env->spaces, p, &processes[p].count);
        processes[p].mapped = lw_address_spaces_mapped(env->spaces, p);
    }
    params.requests = params.requests != 0 ? params.requests : RANDOM_REQUESTS;
    params.processes = processes;
    params.process_count = count;
    params.seldom = count - whole;
    env->total = params.requests;
    return lw_stream_driver_new(&params, &env->front, err);
}

/* ---------------------------------------------------------------- streams of a file */

/* Adds the regions of 2 MiB that the pages touch; false where memory is short. */
static bool add_regions(const lw_page_set *pages, uint64_t *count) {
    lw_page_set regions = {NULL, 0, 0};
    bool good = true;
    for (size_t i = 0; i < pages->slot_count && good; i++) {
        good = pages->slots[i] == 0 ||
               lw_page_set_add(&regions, (pages->slots[i] - 1) >> LW_BLOCK_SHIFT);
    }
    *count += regions.count;
    lw_page_set_free(&regions);
    return good;
}

static bool map_touched(lw_environment *env, const lw_run *run, const lw_stream_census *census,
                        lw_error *err) {
    lw_room room = {0, 0};
    for (uint32_t p = 0; p < census->spaces; p++) {
        room.pages += census->pages[p].count;
        if (!add_regions(&census->pages[p], &room.regions)) {
            return lw_fail(err, "no memory for a stream's regions");
        }
    }
    bool good = lw_environment_make_spaces(env, room, run->seed, err);
    for (uint32_t p = 0; p < census->spaces && good; p++) {
        size_t count = 0;
        lw_array *arrays = lw_page_runs_join(NULL, 0, &census->pages[p], &count);
        good = arrays != NULL ? lw_address_spaces_add(env->spaces, arrays, count, err)
                              : lw_fail(err, "no memory for a stream's pages");
        free(arrays);
    }
    return good;
}

static bool map_file_stream(lw_environment *env, const lw_run *run, const lw_stream_census *census,
                            lw_error *err) {
    const uint32_t pasids = env->system->hw.pasids;
    uint32_t count = pasids < MAX_PROCESSES ? pasids : MAX_PROCESSES;
    switch (lw_mapped_by(run)) {
    case LW_MAPPED_ARRAYS:
        return map_random(env, run, &count, false, err);
    case LW_MAPPED_FILE:
        return lw_environment_map_file(env, run, census->spaces, err);
    default:
        return map_touched(env, run, census, err);
    }
}

/* `census` is what the stream asks for. */
static bool make_front(lw_environment *env, const lw_run *run, const lw_stream_census *census,
                       lw_stream *file, lw_error *err) {
    lw_stream_params params = params_of(env, run, LW_STREAM_FILE);
    params.requests = census->accesses;
    params.file = file;
    if (!run->through_tlbs) {
        env->total = census->accesses;
        return lw_stream_driver_new(&params, &env->front, err);
    }
    lw_gpu_params gpu;
    const lw_stream_tlbs_params tlbs = {
        .gpu = &gpu, .file = file, .outstanding = env->system->outstanding};
    env->total = run->max_requests;
    env->statistics = lw_stream_tlbs_statistics;
    return lw_environment_gpu(env, run, &gpu, err) && lw_stream_tlbs_new(&tlbs, &env->front, err);
}

/* A PASID that nobody has is the unit's to refuse; the GPU's TLBs know only those of the system. */
static bool make_file_stream(lw_environment *env, const lw_run *run, lw_error *err) {
    const lw_system *s = env->system;
    const bool cut = run->max_requests != 0 && !run->through_tlbs;
    const lw_stream_limits limits = {.levels = s->hw.levels,
                                     .pasids = s->hw.pasids,
                                     .known = run->through_tlbs ? s->hw.pasids : 1u << 20,
                                     .sources = run->through_tlbs ? s->cus : 1u << s->hw.src_w,
                                     .partial = run->partial,
                                     .accesses = cut ? run->max_requests : UINT64_MAX};
    lw_stream_census census;
    if (!lw_stream_census_take(&census, run->stream, &limits, err)) {
        return false;
    }
    env->size = 0;
    env->partial = census.partial;
    lw_stream *file = !map_file_stream(env, run, &census, err) ? NULL
                      : run->partial ? lw_stream_open_partial(run->stream, err)
                                     : lw_stream_open(run->stream, err);
    const bool good = file != NULL && make_front(env, run, &census, file, err);
    if (!good) {
        lw_stream_close(file);
    }
    lw_stream_census_free(&census);
    return good;
}

bool lw_environment_make_stream(lw_environment *env, const lw_run *run, lw_error *err) {
    const struct stream_name *stream = find_stream(run->workload);
    return stream == NULL ? make_file_stream(env, run, err)
                          : make_drawn(env, run, stream->kind, err);
}
