#include "sim/workloads/page_runs.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGE_SHIFT 12

static int by_first(const void *a, const void *b) {
    const lw_page_run *x = a;
    const lw_page_run *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Joins neighbours of a sorted list in place; how many are left. */
static size_t join_neighbours(lw_page_run *runs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && runs[i].first <= runs[kept - 1].end) {
            lw_page_run *last = &runs[kept - 1];
            last->end = runs[i].end > last->end ? runs[i].end : last->end;
        } else {
            runs[kept++] = runs[i];
        }
    }
    return kept;
}

lw_array *lw_page_runs_join(const lw_page_run *runs, size_t run_count, const lw_page_set *pages,
                            size_t *count) {
    lw_page_run *all = calloc(run_count + pages->count + 1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    size_t n = 0;
    for (; n < run_count; n++) {
        all[n] = runs[n];
    }
    for (size_t i = 0; i < pages->slot_count; i++) {
        if (pages->slots[i] != 0) {
            all[n++] = (lw_page_run){pages->slots[i] - 1, pages->slots[i]};
        }
    }
    qsort(all, n, sizeof *all, by_first);
    n = join_neighbours(all, n);
    lw_array *arrays = calloc(n + 1, sizeof *arrays);
    for (size_t i = 0; arrays != NULL && i < n; i++) {
        arrays[i].base = all[i].first << PAGE_SHIFT;
        arrays[i].bytes = (all[i].end - all[i].first) << PAGE_SHIFT;
        (void)snprintf(arrays[i].name, sizeof arrays[i].name, "range%zu", i);
    }
    free(all);
    *count = n;
    return arrays;
}
