#include "sim/kernels/vertex_walk.h"

#include <stdio.h>
#include <stdlib.h>

void lw_vertex_array(lw_vertex_walk *walk, const char *name, uint64_t count, uint32_t element) {
    walk->elements[walk->arrays.count] = element;
    lw_kernel_append(&walk->arrays, walk->params.base_va, name, count * element);
}

bool lw_vertex_data(lw_vertex_walk *walk, unsigned which) {
    walk->data[which] = calloc(walk->graph.vertices, sizeof *walk->data[which]);
    return walk->data[which] != NULL;
}

static void walk_close(void *self) {
    lw_vertex_walk *walk = self;
    lw_graph_free(&walk->graph);
    free(walk->weights);
    for (unsigned i = 0; i < LW_VERTEX_DATA; i++) {
        free(walk->data[i]);
    }
    free(walk);
}

static const lw_array *walk_arrays(void *self, size_t *count, lw_error *err) {
    (void)err;
    const lw_vertex_walk *walk = self;
    *count = walk->arrays.count;
    return walk->arrays.at;
}

static uint32_t items_of(const lw_vertex_walk *walk) {
    return walk->type->items != NULL ? walk->type->items(walk) : walk->graph.vertices;
}

static int walk_next_launch(void *self, lw_launch *launch, lw_error *err) {
    (void)err;
    lw_vertex_walk *walk = self;
    const uint32_t items = walk->type->group_items;
    walk->current = walk->type->next(walk, walk->current);
    if (walk->current < 0) {
        return 0;
    }
    (void)snprintf(launch->name, sizeof launch->name, "%s",
                   walk->type->programs[walk->current].name);
    launch->groups = (items_of(walk) + items - 1) / items;
    launch->waves_in_group = lw_waves_of(&walk->params, items);
    return 1;
}

static void walk_wave_begin(void *self, lw_wave *wave) {
    const lw_vertex_walk *walk = self;
    wave->vertex.guard = lw_lanes_of_items(&walk->params, items_of(walk), walk->type->group_items,
                                           wave->group, wave->wave, &wave->vertex.first);
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    return condition == LW_ALWAYS || walk->type->holds(walk, condition, t, e);
}

/* The vertex and the arc of an item's turn of the arc steps; false where it has had all. */
static bool turn_of(const lw_vertex_walk *walk, uint32_t item, uint32_t number, uint32_t *t,
                    uint32_t *e) {
    if (walk->type->turn != NULL) {
        return walk->type->turn(walk, item, number, t, e);
    }
    *t = item;
    *e = walk->graph.row[item] + number;
    return *e < walk->graph.row[item + 1];
}

/* The lanes whose item has a turn of the wave's current number, and takes it. */
static uint64_t lanes_with_arc(const lw_vertex_walk *walk, const lw_wave *wave) {
    const unsigned condition = walk->type->programs[walk->current].arc_condition;
    uint64_t lanes = 0;
    for (uint64_t left = wave->vertex.guard; left != 0; left &= left - 1) {
        const uint32_t item = (uint32_t)wave->vertex.first + (uint32_t)__builtin_ctzll(left);
        uint32_t t = 0;
        uint32_t e = 0;
        if (turn_of(walk, item, wave->vertex.turn, &t, &e) && holds(walk, condition, t, e)) {
            lanes |= left & -left;
        }
    }
    return lanes;
}

/* The step that the wave stands at, the lanes that may take it, and whether it is one of the arc
 * steps; advances. NULL at the end. */
static const lw_vertex_step *advance(const lw_vertex_walk *walk, lw_wave *wave, uint64_t *lanes,
                                     bool *arcs) {
    const lw_vertex_program *p = &walk->type->programs[walk->current];
    const uint32_t arc_end = p->before + p->arc;
    if (wave->vertex.step == arc_end && p->arc > 0 && !wave->vertex.past_arcs) {
        wave->vertex.turn++;
        wave->vertex.step = p->before;
    }
    if (wave->vertex.step == p->before && p->arc > 0 && !wave->vertex.past_arcs) {
        wave->vertex.arc_lanes = lanes_with_arc(walk, wave);
        if (wave->vertex.arc_lanes == 0) {
            wave->vertex.past_arcs = true;
            wave->vertex.step = arc_end;
        }
    }
    if (wave->vertex.guard == 0 || wave->vertex.step == arc_end + p->after) {
        return NULL;
    }
    *arcs = wave->vertex.step >= p->before && wave->vertex.step < arc_end;
    *lanes = *arcs ? wave->vertex.arc_lanes : wave->vertex.guard;
    return &p->steps[wave->vertex.step++];
}

static uint64_t index_of(const lw_vertex_walk *walk, lw_vertex_place place, uint32_t t,
                         uint32_t e) {
    switch (place) {
    case LW_AT_OWN:
        return t;
    case LW_AT_NEXT:
        return (uint64_t)t + 1;
    case LW_AT_ARC:
        return e;
    case LW_AT_TARGET:
        return walk->graph.col[e];
    case LW_AT_FOUND:
        return walk->type->found(walk, t, e);
    case LW_AT_FLAG:
        break;
    }
    return 0;
}

static int walk_wave_next(void *self, lw_wave *wave, lw_wave_inst *inst) {
    const lw_vertex_walk *walk = self;
    const lw_vertex_step *step = NULL;
    uint64_t lanes = 0;
    bool arcs = false;
    do {
        step = advance(walk, wave, &lanes, &arcs);
        if (step == NULL) {
            return 0;
        }
        inst->mask = 0;
        if (step->only_src && !walk->params.accumulate_in_memory) {
            continue;
        }
        const uint64_t base = walk->arrays.at[step->array].base + step->offset;
        const uint64_t element = walk->elements[step->array];
        for (uint64_t left = lanes; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            const uint32_t item = (uint32_t)wave->vertex.first + lane;
            uint32_t t = item;
            uint32_t e = 0;
            if (arcs) {
                (void)turn_of(walk, item, wave->vertex.turn, &t, &e);
            }
            if (holds(walk, step->condition, t, e)) {
                inst->mask |= UINT64_C(1) << lane;
                inst->va[lane] = base + element * index_of(walk, step->place, t, e);
            }
        }
    } while (inst->mask == 0);
    inst->access = step->access;
    inst->dep = step->dep;
    inst->alu = (uint16_t)step->alu;
    return 1;
}

const lw_source_ops lw_vertex_ops = {
    .close = walk_close,
    .arrays = walk_arrays,
    .next_launch = walk_next_launch,
    .wave_begin = walk_wave_begin,
    .wave_next = walk_wave_next,
};

lw_vertex_walk *lw_vertex_new(const lw_vertex_type *type, const lw_workload_params *params,
                              lw_error *err) {
    lw_workload_params filled = params != NULL ? *params : (lw_workload_params){0};
    if (!lw_kernel_params(&type->info, LW_GRAPH_VERTICES_MAX, &filled, err)) {
        return NULL;
    }
    lw_vertex_walk *walk = calloc(1, sizeof *walk);
    if (walk == NULL) {
        (void)lw_fail(err, "out of memory while opening %s", type->info.name);
        return NULL;
    }
    walk->type = type;
    walk->params = filled;
    walk->current = -1;
    if (!type->setup(walk)) {
        (void)lw_fail(err, "out of memory while making the graph of %s: a smaller size is allowed",
                      type->info.name);
        walk_close(walk);
        return NULL;
    }
    if (!lw_kernel_fits(&type->info, &filled, &walk->arrays, err)) {
        walk_close(walk);
        return NULL;
    }
    return walk;
}

lw_workload *lw_vertex_open(const lw_vertex_type *type, const lw_workload_params *params,
                            lw_error *err) {
    lw_vertex_walk *walk = lw_vertex_new(type, params, err);
    return walk == NULL ? NULL : lw_workload_wrap(&lw_vertex_ops, walk, err);
}
