#include "app/reports/stages_report.h"

#include "common/printable.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    const char *name;
    uint32_t percent;
} quantiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}};

enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };

static double mean(uint64_t cycles, uint64_t requests) {
    return requests == 0 ? 0.0 : (double)cycles / (double)requests;
}

/* ---------------------------------------------------------------- text */

static const char *name_of(lw_stage stage) {
    return stage == LW_STAGE_WHOLE ? "whole" : lw_stage_name(stage);
}

static void print_figures(const lw_stage_figures *f, lw_stage i) {
    const uint64_t count = lw_histogram_count(&f->time[i]);
    (void)printf("    %-9s %9" PRIu64 " %11" PRIu64 " %6.1f%% %8.1f", name_of(i), count, f->sum[i],
                 100.0 * mean(f->sum[i], f->sum[LW_STAGE_WHOLE]), mean(f->sum[i], count));
    for (size_t q = 0; q < QUANTILES; q++) {
        (void)printf(" %6" PRIu64,
                     lw_histogram_quantile(&f->time[i], quantiles[q].percent, f->most[i]));
    }
    (void)printf(" %6" PRIu64, f->most[i]);
}

/* The table of one kernel, or of all; `all` are the figures of its requests in all ways. */
static void print_table(const lw_stages *s, const char *title, size_t kernel) {
    const lw_stage_figures *all = lw_stages_figures(s, kernel, LW_WAYS);
    const lw_stage_figures *way[LW_WAYS];
    uint64_t requests[LW_WAYS];
    for (lw_way w = 0; w < LW_WAYS; w++) {
        way[w] = lw_stages_figures(s, kernel, w);
        requests[w] = lw_histogram_count(&way[w]->time[LW_STAGE_WHOLE]);
    }
    (void)printf("  %-20s %" PRIu64 " hits, %" PRIu64 " walks, %" PRIu64
                 " told by another's walk, in cycles\n",
                 title, requests[LW_WAY_HIT], requests[LW_WAY_WALK], requests[LW_WAY_TOLD]);
    (void)printf("    %-9s %9s %11s %7s %8s", "stage", "requests", "cycles", "share", "mean");
    for (size_t q = 0; q < QUANTILES; q++) {
        (void)printf(" %6s", quantiles[q].name);
    }
    (void)printf(" %6s %8s %8s %8s\n", "max", "of a hit", "a walk", "a told");
    for (lw_stage i = 0; i <= LW_STAGE_WHOLE; i++) {
        if (all->sum[i] == 0 && i != LW_STAGE_WHOLE) {
            continue;
        }
        print_figures(all, i);
        for (lw_way w = 0; w < LW_WAYS; w++) {
            (void)printf(" %8.1f", mean(way[w]->sum[i], requests[w]));
        }
        (void)printf("\n");
    }
}

void lw_stages_print(const lw_stages *stages) {
    print_table(stages, "stages", LW_STAGES_ALL);
    for (size_t i = 0; i < lw_stages_kernels(stages) && lw_stages_kernels(stages) > 1; i++) {
        const char *name = lw_stages_kernel_name(stages, i);
        char shown[4 * 64];
        lw_printable(shown, sizeof shown, name != NULL ? name : "");
        print_table(stages, shown, i);
    }
}

/* ---------------------------------------------------------------- JSON */

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

/* [[from, how many], ..] of each power of two that has any; a number lies below twice its `from`.
 */
static json_t *powers(const lw_histogram *h) {
    json_t *list = json_array();
    for (uint32_t power = 0; power <= LW_HISTOGRAM_WIDTH; power++) {
        const uint64_t count = lw_histogram_power(h, power);
        if (count != 0) {
            json_t *pair = json_array();
            (void)json_array_append_new(pair, number(power == 0 ? 0 : UINT64_C(1) << (power - 1)));
            (void)json_array_append_new(pair, number(count));
            (void)json_array_append_new(list, pair);
        }
    }
    return list;
}

static json_t *figures(const lw_stage_figures *f, lw_stage i) {
    json_t *o = json_object();
    const lw_histogram *h = &f->time[i];
    const uint64_t count = lw_histogram_count(h);
    (void)json_object_set_new(o, "requests", number(count));
    (void)json_object_set_new(o, "cycles", number(f->sum[i]));
    (void)json_object_set_new(o, "mean", json_real(mean(f->sum[i], count)));
    for (size_t q = 0; q < QUANTILES; q++) {
        (void)json_object_set_new(
            o, quantiles[q].name,
            number(lw_histogram_quantile(h, quantiles[q].percent, f->most[i])));
    }
    (void)json_object_set_new(o, "max", number(f->most[i]));
    (void)json_object_set_new(o, "histogram", powers(h));
    return o;
}

static json_t *stage_figures(const lw_stage_figures *f) {
    json_t *o = json_object();
    json_t *stages = json_object();
    for (lw_stage i = 0; i < LW_STAGES; i++) {
        (void)json_object_set_new(stages, lw_stage_name(i), figures(f, i));
    }
    (void)json_object_set_new(o, "whole", figures(f, LW_STAGE_WHOLE));
    (void)json_object_set_new(o, "stages", stages);
    return o;
}

/* Of one kernel, or of all: of its requests in all ways, and in each. */
static json_t *kernel_figures(const lw_stages *s, size_t kernel) {
    json_t *o = stage_figures(lw_stages_figures(s, kernel, LW_WAYS));
    json_t *ways = json_object();
    for (lw_way w = 0; w < LW_WAYS; w++) {
        (void)json_object_set_new(ways, lw_way_name(w),
                                  stage_figures(lw_stages_figures(s, kernel, w)));
    }
    (void)json_object_set_new(o, "ways", ways);
    return o;
}

json_t *lw_stages_json(const lw_stages *stages) {
    if (stages == NULL) {
        return json_null();
    }
    json_t *o = kernel_figures(stages, LW_STAGES_ALL);
    json_t *kernels = json_array();
    for (size_t i = 0; i < lw_stages_kernels(stages); i++) {
        const char *name = lw_stages_kernel_name(stages, i);
        char shown[4 * 64];
        if (name != NULL) {
            json_t *kernel = kernel_figures(stages, i);
            lw_printable(shown, sizeof shown, name);
            (void)json_object_set_new(kernel, "kernel", json_string(shown));
            (void)json_array_append_new(kernels, kernel);
        }
    }
    (void)json_object_set_new(o, "kernels", kernels);
    return o;
}
