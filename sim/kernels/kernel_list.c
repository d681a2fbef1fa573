#include "sim/kernels/kernel_list.h"

#include "sim/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

/* A named kernel, and the engine that walks it: one of the two is not NULL. */
static const struct {
    const lw_kernel_type *tiles;
    const lw_vertex_type *vertices;
} kernels[] = {
    {&lw_mvt, NULL},          {&lw_mvt_f32, NULL},     {&lw_atax, NULL},
    {&lw_bicg, NULL},         {&lw_bicg_square, NULL}, {&lw_gesummv, NULL},
    {&lw_nw, NULL},           {NULL, &lw_bfs},         {&lw_corr, NULL},
    {&lw_covar, NULL},        {&lw_gramschm, NULL},    {&lw_backprop, NULL},
    {&lw_hotspot, NULL},      {&lw_conv2d, NULL},      {&lw_lud, NULL},
    {&lw_srad, NULL},         {NULL, &lw_sssp},        {NULL, &lw_color},
    {&lw_syrk, NULL},         {&lw_lu, NULL},          {&lw_pathfinder, NULL},
    {NULL, &lw_graphbig_bfs}, {NULL, &lw_graphbig_sp}, {NULL, &lw_graphbig_kcore},
    {NULL, &lw_graphbig_bc},  {NULL, &lw_graphbig_cc},
};

const lw_workload_info *lw_workload_at(size_t i) {
    if (i >= sizeof kernels / sizeof kernels[0]) {
        return NULL;
    }
    return kernels[i].tiles != NULL ? &kernels[i].tiles->info : &kernels[i].vertices->info;
}

lw_workload *lw_workload_open(const char *name, const lw_workload_params *params, lw_error *err) {
    char allowed[512] = "";
    size_t used = 0;
    const lw_workload_info *info = NULL;
    for (size_t i = 0; (info = lw_workload_at(i)) != NULL; i++) {
        if (strcmp(info->name, name) == 0) {
            return kernels[i].tiles != NULL ? lw_kernel_open(kernels[i].tiles, params, err)
                                            : lw_vertex_open(kernels[i].vertices, params, err);
        }
        used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i > 0 ? ", " : "",
                                 info->name);
    }
    (void)lw_fail(err, "workload '%s' is not known: %s are", name, allowed);
    return NULL;
}
