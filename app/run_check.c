#include "app/run_check.h"

#include "app/output.h"
#include "sim/workloads/kernel_list.h"
#include "sim/workloads/workload.h"

#include <string.h>

enum { KERNEL = 1, TRACE = 2, ARRAY = 4, RANDOM = 8, FILE_STREAM = 16 };

/* What kind of workload it is; 0 for one that nobody knows, which is refused where it is opened. */
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
        if (kind != 0 && rows[i].value != 0 && (rows[i].kinds & kind) == 0) {
            return lw_fail(err, "--%s: has no effect on %s; it is for %s", rows[i].option,
                           run->workload != NULL ? run->workload
                           : kind == TRACE       ? "a trace"
                                                 : "a request stream",
                           rows[i].of);
        }
    }
    return true;
}

static bool check_files(const lw_options *o, lw_error *err) {
    enum { WRITTEN = 6 };
    const char *ini = strstr(o->system_name, ".ini"); /* else it is a name */
    const struct {
        const char *option, *path;
    } files[] = {
        {"json", o->json},
        {"coverage", o->coverage},
        {"log", o->log},
        {"waves", o->waves},
        {"konata", o->konata},
        {"perfetto", o->perfetto},
        {"stream", o->run.stream},
        {"trace", o->run.trace},
        {"system", ini != NULL ? o->system_name : NULL},
        {"map", o->run.map},
        {"registers", o->register_file},
        {"energy", o->energy_file},
    };
    for (size_t i = 0; i < WRITTEN; i++) {
        for (size_t k = i + 1; k < sizeof files / sizeof files[0]; k++) {
            if (files[i].path != NULL && files[k].path != NULL &&
                lw_output_is_same(files[i].path, files[k].path)) {
                return lw_fail(err, "--%s: %s is the file of --%s too; allowed: another",
                               files[i].option, files[i].path, files[k].option);
            }
        }
    }
    return true;
}

bool lw_run_check(const lw_options *options, lw_error *err) {
    return check_effects(&options->run, err) && check_files(options, err);
}
