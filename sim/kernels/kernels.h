/* The named kernels, for kernel_list.c. */
#ifndef LW_SIM_KERNELS_KERNELS_H
#define LW_SIM_KERNELS_KERNELS_H

#include "sim/kernels/tile_walk.h"
#include "sim/kernels/vertex_walk.h"

extern const lw_kernel_type lw_mvt;         /* polybench.c */
extern const lw_kernel_type lw_mvt_f32;     /* polybench.c */
extern const lw_kernel_type lw_atax;        /* polybench.c */
extern const lw_kernel_type lw_bicg;        /* polybench.c */
extern const lw_kernel_type lw_bicg_square; /* polybench.c */
extern const lw_kernel_type lw_gesummv;     /* polybench.c */
extern const lw_kernel_type lw_nw;          /* nw.c */
extern const lw_kernel_type lw_backprop;    /* backprop.c */
extern const lw_kernel_type lw_hotspot;     /* hotspot.c */
extern const lw_kernel_type lw_corr;        /* correlation.c */
extern const lw_kernel_type lw_covar;       /* correlation.c */
extern const lw_kernel_type lw_gramschm;    /* gramschm.c */
extern const lw_kernel_type lw_conv2d;      /* conv2d.c */
extern const lw_kernel_type lw_lud;         /* lud.c */
extern const lw_kernel_type lw_srad;        /* srad.c */
extern const lw_kernel_type lw_syrk;        /* syrk.c */
extern const lw_kernel_type lw_lu;          /* lu.c */
extern const lw_kernel_type lw_pathfinder;  /* pathfinder.c */

extern const lw_vertex_type lw_bfs;   /* bfs.c */
extern const lw_vertex_type lw_sssp;  /* sssp.c */
extern const lw_vertex_type lw_color; /* color.c */

extern const lw_vertex_type lw_graphbig_bfs;   /* graphbig_bfs.c */
extern const lw_vertex_type lw_graphbig_sp;    /* graphbig_sp.c */
extern const lw_vertex_type lw_graphbig_kcore; /* graphbig_kcore.c */
extern const lw_vertex_type lw_graphbig_cc;    /* graphbig_cc.c */
extern const lw_vertex_type lw_graphbig_bc;    /* graphbig_bc.c */

#endif
