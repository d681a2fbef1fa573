#include "sim/kernels/graph.h"

#include "common/rng.h"

#include <assert.h>
#include <stdlib.h>

#define DEGREE_MAX 11
#define WEIGHT_MAX 10000
#define SWAP_ONE_IN 25 /* as many swaps as a 25th of the vertices move 8 % of the ids */

/* Undirected edges, ends[2i] and ends[2i+1]. With an odd number of arcs the last edge leads from
 * its first end to its second only. */
typedef struct edge_list {
    uint32_t *ends;
    uint32_t arcs;
    uint32_t spare; /* a grid's edge without which it stays connected, if `wanted` was any */
} edge_list;

void lw_graph_free(lw_graph *graph) {
    free(graph->row);
    free(graph->col);
    *graph = (lw_graph){0};
}

uint32_t lw_edge_weight(uint64_t seed, uint32_t a, uint32_t b) {
    uint64_t x = seed ^ (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
    return (uint32_t)(1 + (lw_rng_splitmix(&x) >> 32) % WEIGHT_MAX);
}

static bool allocate(lw_graph *graph, uint32_t vertices, uint32_t arcs) {
    *graph = (lw_graph){.vertices = vertices, .arcs = arcs};
    graph->row = calloc((size_t)vertices + 1, sizeof *graph->row);
    graph->col = calloc((size_t)arcs + 1, sizeof *graph->col);
    if (graph->row == NULL || graph->col == NULL) {
        lw_graph_free(graph);
        return false;
    }
    return true;
}

/* The CSR of an edge list: a vertex's arcs are in the edges' order. */
static bool from_edges(lw_graph *graph, uint32_t vertices, const edge_list *list) {
    if (!allocate(graph, vertices, list->arcs)) {
        return false;
    }
    for (uint32_t a = 0; a < list->arcs; a++) {
        graph->row[list->ends[a] + 1]++;
    }
    for (uint32_t t = 0; t < vertices; t++) {
        graph->row[t + 1] += graph->row[t];
    }
    /* row[t] moves to t's end while t's arcs are filled in, which is where row[t+1] belongs. */
    for (uint32_t a = 0; a < list->arcs; a++) {
        graph->col[graph->row[list->ends[a]]++] = list->ends[a ^ 1];
    }
    for (uint32_t t = vertices; t > 0; t--) {
        graph->row[t] = graph->row[t - 1];
    }
    graph->row[0] = 0;
    return true;
}

/* ---------------------------------------------------------------- uniform */

static void draw_degrees(uint8_t *degrees, uint32_t vertices, uint32_t arcs, lw_rng *rng) {
    uint64_t sum = 0;
    for (uint32_t t = 0; t < vertices; t++) {
        degrees[t] = (uint8_t)(1 + lw_rng_below(rng, DEGREE_MAX));
        sum += degrees[t];
    }
    while (sum != arcs) {
        uint8_t *degree = &degrees[lw_rng_below(rng, vertices)];
        if (sum < arcs && *degree < DEGREE_MAX) {
            (*degree)++;
            sum++;
        } else if (sum > arcs && *degree > 1) {
            (*degree)--;
            sum--;
        }
    }
}

bool lw_graph_uniform(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed) {
    lw_rng rng;
    uint8_t *degrees = malloc(vertices);
    const edge_list list = {malloc(((size_t)arcs + 1) * sizeof(uint32_t)), arcs, 0};
    *graph = (lw_graph){0};
    if (degrees == NULL || list.ends == NULL) {
        free(degrees);
        free(list.ends);
        return false;
    }
    lw_rng_seed(&rng, seed);
    draw_degrees(degrees, vertices, arcs, &rng);
    uint32_t end = 0;
    for (uint32_t t = 0; t < vertices; t++) {
        for (uint32_t i = 0; i < degrees[t]; i++) {
            list.ends[end++] = t;
        }
    }
    for (uint32_t left = arcs; left > 1; left--) {
        const uint32_t other = (uint32_t)lw_rng_below(&rng, left);
        const uint32_t kept = list.ends[left - 1];
        list.ends[left - 1] = list.ends[other];
        list.ends[other] = kept;
    }
    const bool good = from_edges(graph, vertices, &list);
    free(degrees);
    free(list.ends);
    return good;
}

/* ---------------------------------------------------------------- grids */

static uint32_t columns_of(uint32_t vertices) {
    uint64_t columns = 1;
    while ((columns + 1) * (columns + 1) <= vertices) {
        columns++;
    }
    return (uint32_t)columns;
}

static void append(edge_list *list, uint32_t a, uint32_t b) {
    list->ends[list->arcs++] = a;
    list->ends[list->arcs++] = b;
}

/* Edges of the grid beyond the comb's vertices - 1: those of cells with a north and a west. */
static uint32_t spare_edges(uint32_t vertices) {
    const uint32_t columns = columns_of(vertices);
    uint32_t spare = 0;
    for (uint32_t t = columns; t < vertices; t++) {
        spare += t % columns != 0 ? 1 : 0;
    }
    return spare;
}

/* The grid's edges, each vertex's north and then west: so that arcs come out ascending. Of the
 * `spare` ones `wanted` are taken. */
static void grid_edges(edge_list *list, uint32_t vertices, uint32_t wanted, lw_rng *rng) {
    const uint32_t columns = columns_of(vertices);
    uint32_t spare = spare_edges(vertices);
    assert(columns != 0);
    for (uint32_t t = 0; t < vertices; t++) {
        const bool has_north = t >= columns;
        const bool has_west = t % columns != 0;
        bool north = has_north;
        bool west = has_west;
        if (has_north && has_west) {
            const bool both = lw_rng_below(rng, spare) < wanted;
            const bool comb_north = lw_rng_below(rng, 2) == 0;
            wanted -= both ? 1 : 0;
            spare--;
            north = both || comb_north;
            west = both || !comb_north;
        }
        list->spare = north && west ? list->arcs / 2 : list->spare;
        if (north) {
            append(list, t, t - columns);
        }
        if (west) {
            append(list, t, t - 1);
        }
    }
}

static bool swap_ids(edge_list *list, uint32_t vertices, lw_rng *rng) {
    uint32_t *ids = malloc((size_t)vertices * sizeof *ids);
    if (ids == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < vertices; t++) {
        ids[t] = t;
    }
    for (uint32_t i = 0; i < vertices / SWAP_ONE_IN; i++) {
        uint32_t *a = &ids[lw_rng_below(rng, vertices)];
        uint32_t *b = &ids[lw_rng_below(rng, vertices)];
        const uint32_t kept = *a;
        *a = *b;
        *b = kept;
    }
    for (uint32_t a = 0; a < list->arcs; a++) {
        list->ends[a] = ids[list->ends[a]];
    }
    free(ids);
    return true;
}

static void make_last(edge_list *list, uint32_t edge) {
    for (uint32_t end = 0; end < 2; end++) {
        uint32_t *a = &list->ends[2 * edge + end];
        uint32_t *b = &list->ends[list->arcs - 2 + end];
        const uint32_t kept = *a;
        *a = *b;
        *b = kept;
    }
}

static bool allocate_edges(edge_list *list, uint32_t edges) {
    *list = (edge_list){.ends = calloc(((size_t)edges + 1) * 2, sizeof(uint32_t))};
    return list->ends != NULL;
}

bool lw_graph_grid(lw_graph *graph, uint32_t vertices) {
    const uint32_t spare = spare_edges(vertices);
    edge_list list;
    lw_rng rng;
    *graph = (lw_graph){0};
    if (!allocate_edges(&list, vertices - 1 + spare)) {
        return false;
    }
    lw_rng_seed(&rng, 0); /* draws that decide nothing: every edge is wanted */
    grid_edges(&list, vertices, spare, &rng);
    const bool good = from_edges(graph, vertices, &list);
    free(list.ends);
    return good;
}

bool lw_graph_road(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed) {
    const uint32_t comb = vertices - 1;
    const uint32_t spare = spare_edges(vertices);
    const uint32_t least = 2 * comb;
    const uint32_t most = 2 * (comb + spare);
    edge_list list;
    lw_rng rng;
    arcs = arcs < least ? least : arcs > most ? most : arcs;
    *graph = (lw_graph){0};
    if (!allocate_edges(&list, comb + spare)) {
        return false;
    }
    lw_rng_seed(&rng, seed);
    grid_edges(&list, vertices, (arcs + 1) / 2 - comb, &rng);
    const bool swapped = swap_ids(&list, vertices, &rng);
    if (arcs % 2 != 0) {
        make_last(&list, list.spare);
        list.arcs--;
    }
    const bool good = swapped && from_edges(graph, vertices, &list);
    free(list.ends);
    return good;
}

/* ---------------------------------------------------------------- power law */

/* An edge's two ends: at each level one of four quadrants, of which a draw of 16 bits decides. */
static void draw_edge(lw_rng *rng, uint32_t levels, uint32_t *from, uint32_t *to) {
    enum { A = 37356, A_B = 49808, A_B_C = 62259 }; /* 0.57, 0.76 and 0.95 of 65536 */
    uint64_t bits = 0;
    *from = *to = 0;
    for (uint32_t level = 0; level < levels; level++) {
        bits = level % 4 == 0 ? lw_rng_next(rng) : bits >> 16;
        const uint32_t draw = bits & 0xffff;
        *from = *from << 1 | (draw >= A_B);
        *to = *to << 1 | ((draw >= A && draw < A_B) || draw >= A_B_C);
    }
}

/* Every id becomes another one's (Fisher-Yates). */
static bool permute_ids(edge_list *list, uint32_t vertices, lw_rng *rng) {
    uint32_t *ids = malloc((size_t)vertices * sizeof *ids);
    if (ids == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < vertices; t++) {
        const uint32_t other = (uint32_t)lw_rng_below(rng, (uint64_t)t + 1);
        ids[t] = ids[other];
        ids[other] = t;
    }
    for (uint32_t a = 0; a < list->arcs; a++) {
        list->ends[a] = ids[list->ends[a]];
    }
    free(ids);
    return true;
}

bool lw_graph_power_law(lw_graph *graph, uint32_t vertices, uint32_t arcs, uint64_t seed) {
    edge_list list;
    lw_rng rng;
    uint32_t levels = 0;
    *graph = (lw_graph){0};
    if (!allocate_edges(&list, arcs / 2)) {
        return false;
    }
    while (UINT64_C(1) << levels < vertices) {
        levels++;
    }
    lw_rng_seed(&rng, seed);
    while (list.arcs < arcs) {
        uint32_t from = 0;
        uint32_t to = 0;
        draw_edge(&rng, levels, &from, &to);
        if (from < vertices && to < vertices) {
            append(&list, from, to);
        }
    }
    const bool good = permute_ids(&list, vertices, &rng) && from_edges(graph, vertices, &list);
    free(list.ends);
    return good;
}
