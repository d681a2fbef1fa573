#include "sim/traces/trace.h"

#include "sim/traces/trace_kernel.h"
#include "sim/traces/trace_list.h"
#include "sim/workloads/page_runs.h"
#include "sim/workloads/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE_SHIFT 12

typedef struct trace {
    lw_trace_list list;
    bool may_be_cut;
    lw_partial partial; /* counted while the arrays are found */
    size_t reached;     /* launches begun so far */
    lw_trace_kernel now;
    lw_array *arrays; /* NULL until somebody asks */
    size_t array_count;
} trace;

/* Adds the pages that the kernel's instructions touch. */
static bool touch(const lw_trace_kernel *kernel, lw_page_set *pages) {
    uint64_t va[LW_WARP];
    uint64_t last = UINT64_MAX; /* no page number: they have 52 bits */
    for (size_t i = 0; i < kernel->inst_count; i++) {
        lw_trace_addresses(kernel, &kernel->insts[i], va);
        for (uint32_t left = kernel->insts[i].mask; left != 0; left &= left - 1) {
            const uint64_t page = va[__builtin_ctz(left)] >> PAGE_SHIFT;
            if (page != last && !lw_page_set_add(pages, page)) {
                return false;
            }
            last = page;
        }
    }
    return true;
}

/* Counts a kernel that has been read into what is whole of the trace. */
static void count_whole(lw_partial *partial, const lw_trace_kernel *kernel) {
    partial->cut = partial->cut || kernel->grid == 0 || kernel->blocks != kernel->grid;
    partial->whole += kernel->blocks;
    partial->of += kernel->grid;
    partial->of_known = partial->of_known && kernel->grid != 0;
    partial->kernels += kernel->blocks != 0;
}

static lw_partial nothing_counted(const lw_trace_list *list) {
    return (lw_partial){.cut = list->missing != 0,
                        .unit = "thread blocks",
                        .of_known = list->missing == 0,
                        .kernels_of = list->kernel_count + list->missing};
}

static bool something_is_whole(const lw_partial *partial, lw_error *err) {
    return !partial->cut || partial->whole != 0 ||
           lw_fail(err, "--partial: the trace is cut, and no thread block of it is whole");
}

static bool find_arrays(trace *t, lw_error *err) {
    lw_page_set pages = {0};
    bool good = true;
    t->partial = nothing_counted(&t->list);
    for (size_t i = 0; good && i < t->list.kernel_count; i++) {
        lw_trace_kernel kernel;
        good = lw_trace_kernel_read(&kernel, t->list.kernels[i], t->may_be_cut, err);
        count_whole(&t->partial, &kernel);
        if (good && !touch(&kernel, &pages)) {
            good = lw_fail(err, "%s: out of memory", t->list.kernels[i]);
        }
        lw_trace_kernel_free(&kernel);
    }
    good = good && something_is_whole(&t->partial, err);
    if (good) {
        t->arrays = lw_page_runs_join(t->list.copies, t->list.copy_count, &pages, &t->array_count);
        good = t->arrays != NULL || lw_fail(err, "out of memory while joining a trace's pages");
    }
    lw_page_set_free(&pages);
    return good;
}

static void trace_close(void *self) {
    trace *t = self;
    lw_trace_list_free(&t->list);
    lw_trace_kernel_free(&t->now);
    free(t->arrays);
    free(t);
}

static const lw_array *trace_arrays(void *self, size_t *count, lw_error *err) {
    trace *t = self;
    if (t->arrays == NULL && !find_arrays(t, err)) {
        return NULL;
    }
    *count = t->array_count;
    return t->arrays;
}

static int trace_next_launch(void *self, lw_launch *launch, lw_error *err) {
    trace *t = self;
    lw_trace_kernel_free(&t->now);
    if (t->reached == t->list.kernel_count) {
        return 0;
    }
    if (!lw_trace_kernel_read(&t->now, t->list.kernels[t->reached], t->may_be_cut, err)) {
        return -1;
    }
    t->reached++;
    (void)snprintf(launch->name, sizeof launch->name, "%.63s", t->now.name);
    launch->groups = (uint32_t)t->now.blocks;
    launch->waves_in_group = t->now.block_warps;
    return 1;
}

static void trace_wave_begin(void *self, lw_wave *wave) {
    const trace *t = self;
    const lw_trace_span *span =
        &t->now.spans[(size_t)wave->group * t->now.block_warps + wave->wave];
    wave->trace.next = span->begin;
    wave->trace.end = span->end;
}

static int trace_wave_next(void *self, lw_wave *wave, lw_wave_inst *inst) {
    const trace *t = self;
    if (wave->trace.next == wave->trace.end) {
        return 0;
    }
    const lw_trace_inst *from = &t->now.insts[wave->trace.next++];
    inst->mask = from->mask;
    inst->access = (lw_access_kind)from->access;
    inst->dep = (from->flags & LW_TRACE_DEP) != 0;
    inst->alu = from->alu;
    lw_trace_addresses(&t->now, from, inst->va);
    return 1;
}

static lw_partial trace_partial(const void *self) {
    const trace *t = self;
    return t->partial;
}

static const lw_source_ops trace_ops = {
    .close = trace_close,
    .arrays = trace_arrays,
    .next_launch = trace_next_launch,
    .wave_begin = trace_wave_begin,
    .wave_next = trace_wave_next,
    .partial = trace_partial,
};

lw_workload *lw_workload_open_trace(const char *path, bool partial, lw_error *err) {
    trace *t = calloc(1, sizeof *t);
    if (t == NULL) {
        (void)lw_fail(err, "%s: out of memory", path);
        return NULL;
    }
    t->may_be_cut = partial;
    if (!lw_trace_list_read(&t->list, path, partial, err)) {
        free(t);
        return NULL;
    }
    return lw_workload_wrap(&trace_ops, t, err);
}

static bool summarize(const char *path, lw_partial *partial, lw_trace_summary *row, lw_error *err) {
    lw_trace_kernel kernel;
    lw_page_set pages = {0};
    if (!lw_trace_kernel_read(&kernel, path, partial != NULL, err)) {
        return false;
    }
    if (partial != NULL) {
        count_whole(partial, &kernel);
    }
    const bool good = touch(&kernel, &pages) || lw_fail(err, "%s: out of memory", path);
    *row = (lw_trace_summary){.blocks = kernel.blocks,
                              .warps = kernel.warps,
                              .instructions = kernel.lines,
                              .wave_accesses = kernel.inst_count,
                              .lane_accesses = kernel.lane_accesses,
                              .distinct_pages = pages.count};
    (void)snprintf(row->name, sizeof row->name, "%s", kernel.name);
    lw_page_set_free(&pages);
    lw_trace_kernel_free(&kernel);
    return good;
}

bool lw_trace_info(const char *path, lw_partial *partial, lw_trace_summary **rows, size_t *count,
                   lw_error *err) {
    lw_trace_list list;
    *rows = NULL;
    *count = 0;
    if (!lw_trace_list_read(&list, path, partial != NULL, err)) {
        return false;
    }
    if (partial != NULL) {
        *partial = nothing_counted(&list);
    }
    lw_trace_summary *table = calloc(list.kernel_count, sizeof *table);
    if (table == NULL) {
        lw_trace_list_free(&list);
        return lw_fail(err, "%s: out of memory", path);
    }
    bool good = true;
    for (size_t i = 0; good && i < list.kernel_count; i++) {
        good = summarize(list.kernels[i], partial, &table[i], err);
    }
    good = good && (partial == NULL || something_is_whole(partial, err));
    if (good) {
        *rows = table;
        *count = list.kernel_count;
    } else {
        free(table);
    }
    lw_trace_list_free(&list);
    return good;
}
