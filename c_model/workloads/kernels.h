/* The named kernels, in the order in which `lw_workload_at` lists them. Internal. */
#ifndef LW_WORKLOADS_KERNELS_H
#define LW_WORKLOADS_KERNELS_H

#include "workloads/tile_walk.h"

extern const lw_kernel_type lw_mvt;      /* polybench.c */
extern const lw_kernel_type lw_atax;     /* polybench.c */
extern const lw_kernel_type lw_bicg;     /* polybench.c */
extern const lw_kernel_type lw_gesummv;  /* polybench.c */
extern const lw_kernel_type lw_nw;       /* nw.c */
extern const lw_kernel_type lw_backprop; /* backprop.c */
extern const lw_kernel_type lw_hotspot;  /* hotspot.c */

#endif
