#include "app/options/run_check.h"

#include "app/host/output.h"
#include "sim/kernels/kernel_list.h"
#include "sim/traces/trace_list.h"
#include "sim/workloads/workload.h"

#include <string.h>

enum { KERNEL = 1, TRACE = 2, ARRAY = 4, RANDOM = 8, FILE_STREAM = 16 };

/* What kind of workload it is; 0 for one that nobody knows. */
static int kind_of(const lw_run *run) {
    const lw_workload_info *info = NULL;
    if (run->workload == NULL) {
        return run->trace != NULL ? TRACE : FILE_STREAM;
    }
    for (size_t i = 0; (info = lw_workload_at(i)) != NULL; i++) {
        if (strcmp(info->name, run->workload) == 0) {
            return KERNEL;
        }
    }
    const bool one_array =
        strcmp(run->workload, "sequential") == 0 || strcmp(run->workload, "repeat") == 0;
    const bool random =
        strcmp(run->workload, "random") == 0 || strcmp(run->workload, "phases") == 0;
    return one_array ? ARRAY : random ? RANDOM : 0;
}

static bool check_effects(const lw_run *run, lw_error *err) {
    const int kind = kind_of(run);
    if (kind == 0) {
        return lw_fail(err, "--workload: \"%s\" is no workload; `lockwalk workloads` lists them",
                       run->workload);
    }
    const struct {
        const char *option, *of;
        uint64_t value;
        int kinds;
    } rows[] = {
        {"size", "kernels, sequential and repeat", run->size, KERNEL | ARRAY},
        {"max-iters", "kernels", run->max_iters, KERNEL},
        {"max-launches", "kernels and traces", run->max_launches, KERNEL | TRACE},
        {"max-groups", "kernels and traces", run->max_groups, KERNEL | TRACE},
        {"pasids", "kernels and traces", run->processes, KERNEL | TRACE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value != 0 && (rows[i].kinds & kind) == 0) {
            return lw_fail(err, "--%s: has no effect on %s; it is for %s", rows[i].option,
                           run->workload != NULL ? run->workload
                           : kind == TRACE       ? "a trace"
                                                 : "a request stream",
                           rows[i].of);
        }
    }
    return true;
}

/* No file that is written may be the one of this path, which another option writes or reads. */
static bool spares(const lw_options *o, const char *path, const char *what, lw_error *err) {
    const struct {
        const char *option, *path;
    } written[] = {
        {"json", o->json},   {"coverage", o->coverage}, {"log", o->log},
        {"waves", o->waves}, {"konata", o->konata},     {"perfetto", o->perfetto},
    };
    for (size_t i = 0; path != NULL && i < sizeof written / sizeof written[0]; i++) {
        const char *out = written[i].path;
        if (out == path) { /* itself: those behind it meet it when it is their turn */
            return true;
        }
        if (out != NULL && lw_output_is_same(out, path)) {
            return lw_fail(err, "--%s: %s is %s too; allowed: another", written[i].option, out,
                           what);
        }
    }
    return true;
}

/* The files that the command line names itself. */
static bool check_named(const lw_options *o, lw_error *err) {
    const struct {
        const char *what, *path;
    } files[] = {
        {"the file of --coverage", o->coverage},
        {"the file of --log", o->log},
        {"the file of --waves", o->waves},
        {"the file of --konata", o->konata},
        {"the file of --perfetto", o->perfetto},
        {"the file of --stream", o->run.stream},
        {"the file of --trace", o->run.trace},
        {"the file of --system", lw_system_is_path(o->system_name) ? o->system_name : NULL},
        {"the file of --map", o->run.map},
        {"the file of --registers", o->register_file},
        {"the file of --energy", o->energy_file},
        {"the file of --rtl", o->rtl},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!spares(o, files[i].path, files[i].what, err)) {
            return false;
        }
    }
    return true;
}

static bool check_trace(const lw_options *o, lw_error *err) {
    lw_trace_list list;
    if (o->run.trace == NULL) {
        return true;
    }
    if (!lw_trace_list_read(&list, o->run.trace, o->run.partial, err)) {
        return false;
    }
    bool good = spares(o, list.path, "the list of --trace", err);
    for (size_t i = 0; good && i < list.kernel_count; i++) {
        good = spares(o, list.kernels[i], "a kernel of --trace", err);
    }
    lw_trace_list_free(&list);
    return good;
}

bool lw_run_check(const lw_options *options, lw_error *err) {
    return check_effects(&options->run, err) && check_named(options, err);
}

bool lw_run_check_inputs(const lw_options *o, lw_error *err) {
    static const char pagemap[] = "pagemap:";
    const size_t n = sizeof pagemap - 1;
    const lw_system *s = &o->system;
    char dram[LW_DRAM_FILE_MAX];
    for (size_t i = 0; i < s->file_count; i++) {
        if (!spares(o, s->files[i], "a file of --system", err)) {
            return false;
        }
    }
    return (!lw_system_dram_file(s, dram) || spares(o, dram, "the timing file of dram", err)) &&
           (strncmp(s->mapping, pagemap, n) != 0 ||
            spares(o, s->mapping + n, "the pagemap of mapping", err)) &&
           check_trace(o, err);
}
