/* GraphBIG's kernels: the results against plain sequential algorithms, the launches that follow
 * from them, and what each launch asks for (docs/workloads.md section 5). */
#include "tests/unit/sim/kernels/graph_bench.h"

#include "sim/kernels/graphbig.h"

#include <math.h>
#include <string.h>

static const uint64_t sizes[] = {1, 2, 63, 300, 3000};

typedef struct search {
    uint32_t *level, *order; /* UINT32_MAX: not reached; as they were reached */
    uint32_t reached, levels;
} search;

static search search_from(const lw_graph *g, uint32_t root) {
    search s = {calloc(g->vertices, sizeof(uint32_t)), calloc(g->vertices, sizeof(uint32_t)), 1, 0};
    assert_true(s.level != NULL && s.order != NULL);
    memset(s.level, 0xff, g->vertices * sizeof *s.level);
    s.level[root] = 0;
    s.order[0] = root;
    for (uint32_t head = 0; head < s.reached; head++) {
        const uint32_t t = s.order[head];
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            if (s.level[g->col[e]] == UINT32_MAX) {
                s.level[g->col[e]] = s.level[t] + 1;
                s.order[s.reached++] = g->col[e];
            }
        }
    }
    s.levels = s.level[s.order[s.reached - 1]] + 1;
    return s;
}

static void end_search(search *s) {
    free(s->level);
    free(s->order);
}

static bench open_sized(const lw_vertex_type *type, size_t i) {
    return open_bench(type, (lw_workload_params){.size = sizes[i / 2], .seed = i, .lanes = 32});
}

static void test_root(void **state) {
    (void)state;
    bench b = open_sized(&lw_graphbig_bfs, 8);
    const lw_graph *g = &b.walk->graph;
    const uint32_t root = lw_graphbig_root(g);
    for (uint32_t t = 0; t < g->vertices; t++) {
        const uint32_t arcs = g->row[t + 1] - g->row[t];
        const uint32_t most = g->row[root + 1] - g->row[root];
        assert_true(t < root ? arcs < most : arcs <= most);
    }
    lw_workload_close(b.w);
}

/* A launch of initial values, then one a level; the last finds nothing. */
static void test_bfs(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        bench b = open_sized(&lw_graphbig_bfs, i);
        search s = search_from(&b.walk->graph, lw_graphbig_root(&b.walk->graph));
        assert_int_equal(run_bare(&b), 1 + s.levels);
        assert_memory_equal(b.walk->data[0], s.level, sizes[i / 2] * sizeof *s.level);
        end_search(&s);
        lw_workload_close(b.w);
    }
}

/* Bellman and Ford, arc by arc until nothing changes. */
static void test_sp(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        bench b = open_sized(&lw_graphbig_sp, i);
        const lw_graph *g = &b.walk->graph;
        uint64_t *distance = calloc(g->vertices, sizeof *distance);
        assert_non_null(distance);
        memset(distance, 0x3f, g->vertices * sizeof *distance);
        distance[lw_graphbig_root(g)] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t t = 0; t < g->vertices; t++) {
                for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                    const uint64_t through = distance[t] + b.walk->weights[e];
                    changed = changed || through < distance[g->col[e]];
                    distance[g->col[e]] =
                        through < distance[g->col[e]] ? through : distance[g->col[e]];
                }
            }
        }
        assert_int_equal(run_bare(&b) % 2, 1); /* initial values, and rounds of two */
        for (uint32_t t = 0; t < g->vertices; t++) {
            const uint32_t found = b.walk->data[0][t];
            assert_true(distance[t] > UINT32_MAX ? found == UINT32_MAX : found == distance[t]);
        }
        free(distance);
        lw_workload_close(b.w);
    }
}

/* Vertices with fewer than three arcs to what is left leave, one at a time: the core is the same in
 * whatever order. */
static void test_kcore(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        bench b = open_sized(&lw_graphbig_kcore, i);
        const lw_graph *g = &b.walk->graph;
        uint8_t *gone = calloc(g->vertices, 1);
        assert_non_null(gone);
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t t = 0; t < g->vertices; t++) {
                unsigned left = 0;
                for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                    left += gone[g->col[e]] ? 0 : 1;
                }
                changed = changed || (!gone[t] && left < 3);
                gone[t] |= left < 3;
            }
        }
        assert_int_equal(run_bare(&b) % 2, 1);
        for (uint32_t t = 0; t < g->vertices; t++) {
            assert_int_equal(b.walk->data[1][t] & 1, gone[t]);
        }
        free(gone);
        lw_workload_close(b.w);
    }
}

/* Brandes' algorithm in the order of a search, in double precision. */
static void test_bc(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        bench b = open_sized(&lw_graphbig_bc, i);
        const lw_graph *g = &b.walk->graph;
        search s = search_from(g, lw_graphbig_root(g));
        double *sigma = calloc(g->vertices, sizeof *sigma);
        double *delta = calloc(g->vertices, sizeof *delta);
        assert_true(sigma != NULL && delta != NULL);
        sigma[s.order[0]] = 1;
        for (uint32_t n = 0; n < s.reached; n++) {
            const uint32_t t = s.order[n];
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                sigma[g->col[e]] += s.level[g->col[e]] == s.level[t] + 1 ? sigma[t] : 0;
            }
        }
        for (uint32_t n = s.reached; n > 0; n--) {
            const uint32_t t = s.order[n - 1];
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                const uint32_t child = g->col[e];
                if (s.level[child] == s.level[t] + 1) {
                    delta[t] += sigma[t] / sigma[child] * (1 + delta[child]);
                }
            }
        }
        /* Initial values, the levels outward, back but for the last, and the sum. */
        assert_int_equal(run_bare(&b), 1 + s.levels + (s.levels - 1) + 1);
        assert_memory_equal(b.walk->data[0], s.level, g->vertices * sizeof *s.level);
        for (uint32_t t = 0; t < g->vertices; t++) {
            float found = 0;
            memcpy(&found, &b.walk->data[2][t], sizeof found);
            assert_int_equal(b.walk->data[1][t], (uint64_t)sigma[t]);
            assert_true(fabs(found - delta[t]) <= 1e-4 * (1 + delta[t]));
        }
        free(sigma);
        free(delta);
        end_search(&s);
        lw_workload_close(b.w);
    }
}

static uint32_t root_of(const uint32_t *parent, uint32_t t) {
    while (parent[t] != t) {
        t = parent[t];
    }
    return t;
}

/* Union and find: each vertex has a label, a vertex of its own set, and a set has one label. */
static void test_cc(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        bench b = open_sized(&lw_graphbig_cc, i);
        const lw_graph *g = &b.walk->graph;
        uint32_t *parent = calloc(g->vertices, sizeof *parent);
        assert_non_null(parent);
        for (uint32_t t = 0; t < g->vertices; t++) {
            parent[t] = t;
        }
        for (uint32_t t = 0; t < g->vertices; t++) {
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                parent[root_of(parent, t)] = root_of(parent, g->col[e]);
            }
        }
        /* Initial values, and rounds of four launches. */
        assert_int_equal(run_bare(&b) % 4, 1);
        for (uint32_t t = 0; t < g->vertices; t++) {
            const uint32_t label = b.walk->data[0][t];
            assert_int_equal(root_of(parent, label), root_of(parent, t));
            assert_int_equal(b.walk->data[0][root_of(parent, t)], label);
        }
        free(parent);
        lw_workload_close(b.w);
    }
}

/* What the hooking or the jumping of one round asks for, of each array: lanes, and the sum of the
 * elements' numbers, by whether they write. */
typedef struct asked {
    const lw_array *arrays;
    unsigned launch;
    uint64_t lanes[8][2], sum[8][2];
} asked;

static void sum_elements(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                         unsigned index) {
    static const unsigned bytes[] = {8, 8, 1, 8, 8, 8, 4};
    (void)index;
    asked *a = context;
    const lw_array *array = array_of(w, inst->va[__builtin_ctzll(inst->mask)]);
    const size_t n = (size_t)(array - a->arrays);
    if (launch != a->launch) {
        return;
    }
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        a->lanes[n][inst->access == LW_WRITE]++;
        a->sum[n][inst->access == LW_WRITE] +=
            (inst->va[__builtin_ctzll(left)] - array->base) / bytes[n];
    }
}

enum { ELIST = 1, MASK, SRC, PARENTS, SHADOW, OVER };

/* The first hooking: every arc, its two ends, and the greater of them where they are two; the
 * second: the arcs that the first has not masked, which are no loops. */
static void test_cc_hooks(void **state) {
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        bench b = open_bench(&lw_graphbig_cc, (lw_workload_params){.size = 901, .seed = 6});
        const lw_graph *g = &b.walk->graph;
        uint64_t loops = 0;
        uint64_t loop_arcs = 0;
        uint64_t ends = 0;
        uint64_t greater = 0;
        for (uint32_t t = 0; t < g->vertices; t++) {
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                const bool loop = g->col[e] == t;
                loops += loop ? 1 : 0;
                loop_arcs += loop ? e : 0;
                ends += round == 0 || !loop ? (uint64_t)t + g->col[e] : 0;
                greater += loop ? 0 : t > g->col[e] ? t : g->col[e];
            }
        }
        const uint64_t open = round == 0 ? g->arcs : g->arcs - loops;
        const uint64_t all = (uint64_t)g->arcs * (g->arcs - 1) / 2; /* the sum of their numbers */
        asked a = {.arrays = b.arrays, .launch = 1 + 4 * round};
        run(b.w, 0, 0, sum_elements, &a);
        assert_true(loops > 0);
        assert_int_equal(a.lanes[MASK][0], g->arcs);
        assert_int_equal(a.sum[MASK][0], all);
        assert_int_equal(a.lanes[SRC][0], open);
        assert_int_equal(a.lanes[ELIST][0], open);
        assert_int_equal(a.sum[ELIST][0], round == 0 ? all : all - loop_arcs);
        assert_int_equal(a.lanes[PARENTS][0], 2 * open);
        assert_int_equal(a.sum[PARENTS][0], ends);
        assert_int_equal(a.lanes[SHADOW][1] + a.lanes[MASK][1], open);
        assert_int_equal(a.lanes[OVER][1], a.lanes[SHADOW][1]);
        if (round == 0) {
            assert_int_equal(a.lanes[SHADOW][1], g->arcs - loops);
            assert_int_equal(a.sum[SHADOW][1], greater);
            assert_int_equal(a.sum[MASK][1], loop_arcs);
        }
        lw_workload_close(b.w);
    }
}

/* The jumping after it: each vertex reads its parents up to the root, which it stores. */
static void test_cc_jumps(void **state) {
    (void)state;
    bench b = open_bench(&lw_graphbig_cc, (lw_workload_params){.size = 901, .seed = 6});
    const uint32_t v = b.walk->graph.vertices;
    lw_launch launch;
    for (unsigned i = 0; i < 4; i++) { /* until it is the launch to walk */
        assert_int_equal(lw_workload_next_launch(b.w, &launch, NULL), 1);
    }
    assert_string_equal(launch.name, "graphbig_cc_jump");
    uint64_t reads = 0;
    uint64_t sum = 0;
    for (uint32_t t = 0; t < v; t++) {
        uint32_t at = t;
        for (bool more = true; more; reads++) {
            sum += at;
            more = b.walk->data[0][at] != at;
            at = b.walk->data[0][at];
        }
    }
    lw_workload_close(b.w);
    b = open_bench(&lw_graphbig_cc, (lw_workload_params){.size = 901, .seed = 6});
    asked a = {.arrays = b.arrays, .launch = 3};
    run(b.w, 4, 0, sum_elements, &a);
    assert_true(reads > UINT64_C(2) * v);
    assert_int_equal(a.lanes[PARENTS][0], reads);
    assert_int_equal(a.sum[PARENTS][0], sum);
    assert_int_equal(a.lanes[SHADOW][1], v);
    assert_int_equal(a.sum[SHADOW][1], (uint64_t)v * (v - 1) / 2);
    lw_workload_close(b.w);
}

/* Accesses to an array of all launches, by whether they write. */
typedef struct tally {
    const char *array;
    uint64_t lanes[2];
} tally;

static void count_lanes(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                        unsigned index) {
    (void)launch, (void)index;
    tally *t = context;
    const lw_array *array = array_of(w, inst->va[__builtin_ctzll(inst->mask)]);
    if (strcmp(array->name, t->array) == 0) {
        t->lanes[inst->access == LW_WRITE] += (uint64_t)__builtin_popcountll(inst->mask);
    }
}

/* Every arc of every vertex that is reached is read once in each direction of a search. */
static void test_arcs_are_read(void **state) {
    (void)state;
    static const struct {
        const lw_vertex_type *type;
        uint64_t times;
    } rows[] = {{&lw_graphbig_bfs, 1}, {&lw_graphbig_bc, 2}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        bench b = open_bench(rows[i].type, (lw_workload_params){.size = 900, .seed = 5});
        const lw_graph *g = &b.walk->graph;
        search s = search_from(g, lw_graphbig_root(g));
        uint64_t arcs = 0;
        uint64_t of_last = 0; /* the last level is nobody's parent */
        for (uint32_t n = 0; n < s.reached; n++) {
            const uint32_t t = s.order[n];
            arcs += g->row[t + 1] - g->row[t];
            of_last += s.level[t] == s.levels - 1 ? g->row[t + 1] - g->row[t] : 0;
        }
        tally t = {"elist", {0, 0}};
        run(b.w, 0, 0, count_lanes, &t);
        assert_int_equal(t.lanes[0], rows[i].times == 1 ? arcs : 2 * arcs - of_last);
        assert_int_equal(t.lanes[1], 0);
        end_search(&s);
        lw_workload_close(b.w);
    }
}

static void mark_pages(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                       unsigned index) {
    (void)w, (void)launch, (void)index;
    uint8_t *touched = context; /* by page, from the first array's */
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        touched[(inst->va[__builtin_ctzll(left)] - UINT64_C(0x7f0000000000)) >> 12] = 1;
    }
}

/* KC reads the arcs of those alone that leave, and else has every page (section 10). */
static void test_kcore_pages(void **state) {
    (void)state;
    enum { V = 20000, PAGES = 16 * V * 8 / 4096 };
    bench b = open_bench(&lw_graphbig_kcore, (lw_workload_params){.size = V});
    const uint64_t elist = (b.arrays[1].base - b.arrays[0].base) >> 12;
    const uint64_t all = ((b.arrays[5].base - b.arrays[0].base) >> 12) + 1;
    uint8_t *touched = calloc(all, 1);
    uint8_t read[PAGES] = {0};
    unsigned unread = 0;
    assert_non_null(touched);
    run(b.w, 0, 0, mark_pages, touched);
    for (uint32_t t = 0; t < V; t++) {
        for (uint32_t e = b.walk->graph.row[t]; e < b.walk->graph.row[t + 1]; e++) {
            read[e / 512] |= b.walk->data[1][t] & 1;
        }
    }
    for (uint64_t p = 0; p < all; p++) {
        const bool of_arcs = p - elist < PAGES;
        assert_int_equal(touched[p], of_arcs ? read[p - elist] : 1);
        unread += touched[p] == 0;
    }
    assert_true(unread > 0);
    free(touched);
    lw_workload_close(b.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root),     cmocka_unit_test(test_bfs),
        cmocka_unit_test(test_sp),       cmocka_unit_test(test_kcore),
        cmocka_unit_test(test_bc),       cmocka_unit_test(test_arcs_are_read),
        cmocka_unit_test(test_cc),       cmocka_unit_test(test_cc_hooks),
        cmocka_unit_test(test_cc_jumps), cmocka_unit_test(test_kcore_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
