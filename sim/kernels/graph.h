/* The graphs that graph kernels run on, made from a seed in integer arithmetic: the same on every
 * machine (docs/workloads.md section 5, "Synthesising graphs"). CSR: the arcs out of vertex t lead
 * to col[row[t]] .. col[row[t+1] - 1]. Internal. */
#ifndef LW_SIM_KERNELS_GRAPH_H
#define LW_SIM_KERNELS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define LW_GRAPH_VERTICES_MAX (UINT64_C(1) << 24)

typedef struct lw_graph {
    uint32_t vertices;
    uint32_t arcs;
    uint32_t *row; /* vertices + 1 */
    uint32_t *col; /* arcs */
} lw_graph;        /* all zero: none */

/* Each returns false where memory is short; then *graph holds nothing. */

/* Degrees uniform in 1..11, their sum then moved to `arcs` (even, 1..11 a vertex); each end meets a
 * random other end. Loops and double edges happen, and a few vertices are apart. */
bool lw_graph_uniform(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed);

/* A 5-point grid of floor(sqrt(vertices)) columns, row by row; the last row may be shorter. */
bool lw_graph_grid(lw_graph *graph, uint32_t vertices);

/* A connected part of that grid: a random spanning comb (each vertex keeps its edge north or its
 * edge west), and of the other edges as many, drawn evenly, as `arcs` needs. Then 8 % of the ids
 * change places. An odd number of arcs leaves one edge one-way. `arcs` beyond what the grid or the
 * comb allows is moved to the nearest that they do. */
bool lw_graph_road(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed);

/* A power-law graph: each of `arcs` / 2 (even) edges by R-MAT of a = 0.57, b = c = 0.19, d = 0.05
 * (Graph500) in the least square of a power of two that holds the vertices, drawn again where an
 * end is none; then all ids change places. Loops and double edges happen, and some vertices are
 * apart. */
bool lw_graph_power_law(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed);

/* The weight of an edge, 1 to 10000, the same in both directions. */
uint32_t lw_edge_weight(uint64_t seed, uint32_t a, uint32_t b);

void lw_graph_free(lw_graph *graph);

#endif
