/* A workload: the wave instructions of GPU kernels that translate, launch by launch.
 *
 * One opaque handle for every source: a named kernel (executed, kernel_list.h), or an
 * NVBit/Accel-Sim trace. The front end (sim/gpu) pulls: next launch -> for each of its waves,
 * next instruction. Each launch is a global barrier. Only memory instructions appear; arithmetic
 * and local memory are the delay `alu` in front of the next one. */
#ifndef LW_SIM_WORKLOADS_WORKLOAD_H
#define LW_SIM_WORKLOADS_WORKLOAD_H

#include "common/error.h"
#include "sim/files/partial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_MAX_LANES 64

typedef enum lw_access_kind { LW_READ = 0, LW_WRITE = 1, LW_EXECUTE = 2 } lw_access_kind;

/* One wave memory instruction. */
typedef struct lw_wave_inst {
    uint64_t va[LW_MAX_LANES]; /* byte address of each lane; meaningful where its mask bit is set */
    uint64_t mask;             /* active lanes, never 0 */
    lw_access_kind access;
    bool dep;     /* the wave first waits for all its earlier instructions */
    uint16_t alu; /* cycles of arithmetic between the previous instruction and this one */
} lw_wave_inst;

/* One kernel launch. */
typedef struct lw_launch {
    char name[64];           /* "mvt_k1" */
    uint32_t groups;         /* work-groups, dispatched in linear order 0..groups-1 */
    uint32_t waves_in_group; /* waves of each group */
} lw_launch;

/* One array: [base, base + bytes), all of it mapped readable and writable before the run. */
typedef struct lw_array {
    char name[32];
    uint64_t base; /* virtual byte address; kernels and traces begin a page with it */
    uint64_t bytes;
} lw_array;

/* The 4 KiB pages that hold a byte of it. */
static inline uint64_t lw_array_pages(const lw_array *array) {
    return ((array->base & 0xfff) + array->bytes + 0xfff) >> 12;
}

typedef struct lw_workload_params {
    uint64_t size;      /* the kernel's N; 0: its default (the paper's) */
    uint64_t seed;      /* for kernels with random data */
    uint64_t base_va;   /* where the first array lies, 4 KiB aligned; 0: 0x7f0000000000 */
    uint32_t lanes;     /* lanes of a wave: 32 or 64; 0: 64 */
    uint64_t max_iters; /* cut of the loops in a lane (Polybench: first J columns or rows, keeping
                           the pitch, and partners of a column; hotspot, srad: time steps;
                           pathfinder: rows of a launch; the others have none); 0: none */
    bool accumulate_in_memory; /* SRC mode of docs/workloads.md section 1; false: OPT */
} lw_workload_params;

typedef struct lw_workload lw_workload;

/* A kernel's name and one-line description. */
typedef struct lw_workload_info {
    const char *name;
    const char *summary;
    bool irregular;         /* NHA's classes (Table II); of MESC's own kernels the sensitive ones */
    uint64_t default_size;  /* the paper's N */
    uint64_t size_multiple; /* N must be a multiple of this, and at least this */
    const char *size_means; /* "matrix side N (f64, pitch 8N bytes)" */
} lw_workload_info;

/* A kernelslist.g, one kernel file, or a folder holding a kernelslist.g. Each file plain, .gz, .xz
 * or .zst. One launch's translating instructions are in memory at a time, read when it is reached;
 * trace.h says what is read and by which rules. With `partial` what is whole of a trace that is cut
 * will do, unless that is nothing. NULL and a sentence where nothing is. */
lw_workload *lw_workload_open_trace(const char *path, bool partial, lw_error *err);

/* After lw_workload_arrays: whether a trace that may be partial is cut. Of every other workload
 * nothing is missing. */
lw_partial lw_workload_partial(const lw_workload *w);

void lw_workload_close(lw_workload *w);

/* The arrays to map. The pointer lives until close. For a trace: the memcpy ranges joined with the
 * pages that its instructions touch, sorted, disjoint. NULL and a sentence on a malformed trace. */
const lw_array *lw_workload_arrays(lw_workload *w, size_t *count, lw_error *err);

/* Ends the workload after so many launches, and each launch after so many groups, without touching
 * sizes or pitches (0: no cut). Before the first launch. */
void lw_workload_cut(lw_workload *w, uint64_t max_launches, uint64_t max_groups);

/* Advances to the next launch. Returns 1 and fills *launch, 0 where the workload has ended, -1 and
 * a sentence where the input is malformed (file and line). */
int lw_workload_next_launch(lw_workload *w, lw_launch *launch, lw_error *err);

/* The instruction stream of wave `wave` of group `group` of the current launch. A wave's handle
 * holds loop counters only; it is the workload's, and good until wave_end, close, or the next
 * launch. wave_begin: NULL where the current launch has no such wave, or memory is short.
 * wave_next: 1 and *inst, 0 at the wave's end; it allocates nothing, and nothing can be wrong: each
 * source has checked its whole launch when it was reached. */
typedef struct lw_wave lw_wave;
lw_wave *lw_workload_wave_begin(lw_workload *w, uint32_t group, uint32_t wave);
int lw_workload_wave_next(lw_workload *w, lw_wave *wave, lw_wave_inst *inst);
void lw_workload_wave_end(lw_workload *w, lw_wave *wave);

#endif
