#include "sim/workloads/workload.h"

#include "sim/workloads/source.h"

#include <stdlib.h>

struct lw_workload {
    const lw_source_ops *ops;
    void *self;
    lw_launch launch; /* the current one; groups 0 before the first */
    uint64_t launches, max_launches;
    uint64_t max_groups;
    lw_wave *free;  /* ended waves, reused: a run begins many more waves than live at once */
    lw_wave *owned; /* every wave ever allocated, for close */
};

lw_workload *lw_workload_wrap(const lw_source_ops *ops, void *self, lw_error *err) {
    lw_workload *w = calloc(1, sizeof *w);
    if (w == NULL) {
        ops->close(self);
        (void)lw_fail(err, "out of memory while opening a workload");
        return NULL;
    }
    w->ops = ops;
    w->self = self;
    return w;
}

void lw_workload_close(lw_workload *w) {
    if (w == NULL) {
        return;
    }
    while (w->owned != NULL) {
        lw_wave *next = w->owned->next_owned;
        free(w->owned);
        w->owned = next;
    }
    w->ops->close(w->self);
    free(w);
}

const lw_array *lw_workload_arrays(lw_workload *w, size_t *count, lw_error *err) {
    return w->ops->arrays(w->self, count, err);
}

lw_partial lw_workload_partial(const lw_workload *w) {
    return w->ops->partial != NULL ? w->ops->partial(w->self) : (lw_partial){.cut = false};
}

void lw_workload_cut(lw_workload *w, uint64_t max_launches, uint64_t max_groups) {
    w->max_launches = max_launches;
    w->max_groups = max_groups;
}

int lw_workload_next_launch(lw_workload *w, lw_launch *launch, lw_error *err) {
    w->launch = (lw_launch){0};
    if (w->max_launches != 0 && w->launches == w->max_launches) {
        return 0;
    }
    int status = w->ops->next_launch(w->self, &w->launch, err);
    if (status == 1) {
        w->launches++;
        if (w->max_groups != 0 && w->launch.groups > w->max_groups) {
            w->launch.groups = (uint32_t)w->max_groups;
        }
        *launch = w->launch;
    }
    return status;
}

lw_wave *lw_workload_wave_begin(lw_workload *w, uint32_t group, uint32_t wave) {
    if (group >= w->launch.groups || wave >= w->launch.waves_in_group) {
        return NULL;
    }
    lw_wave *handle = w->free;
    if (handle != NULL) {
        w->free = handle->next_free;
    } else {
        handle = malloc(sizeof *handle);
        if (handle == NULL) {
            return NULL;
        }
        handle->next_owned = w->owned;
        w->owned = handle;
    }
    *handle = (lw_wave){.group = group, .wave = wave, .next_owned = handle->next_owned};
    w->ops->wave_begin(w->self, handle);
    return handle;
}

int lw_workload_wave_next(lw_workload *w, lw_wave *wave, lw_wave_inst *inst) {
    return w->ops->wave_next(w->self, wave, inst);
}

void lw_workload_wave_end(lw_workload *w, lw_wave *wave) {
    wave->next_free = w->free;
    w->free = wave;
}
