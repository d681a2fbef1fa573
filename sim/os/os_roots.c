#include "sim/os/os_roots.h"

#include <stdlib.h>

typedef struct root {
    bool valid;
    uint32_t table; /* the process's; of a root that is gone, the last */
} root;

struct lw_os_roots {
    lw_address_spaces *spaces;
    uint64_t last_page;
    lw_os_root_counts counts;
    uint32_t count;
    root roots[]; /* by PASID */
};

lw_os_roots *lw_os_roots_new(lw_address_spaces *spaces) {
    const uint32_t count = lw_address_spaces_processes(spaces);
    lw_os_roots *r = calloc(1, sizeof *r + count * sizeof r->roots[0]);
    if (r == NULL) {
        return NULL;
    }
    r->spaces = spaces;
    r->count = count;
    for (uint32_t p = 0; p < count; p++) {
        r->roots[p] = (root){true, p};
    }
    if (count != 0) {
        const uint32_t levels = lw_page_table_levels(lw_address_spaces_table(spaces, 0));
        r->last_page = (UINT64_C(1) << (9 * levels)) - 1;
    }
    return r;
}

void lw_os_roots_free(lw_os_roots *r) {
    free(r);
}

lw_os_root_counts lw_os_roots_counts(const lw_os_roots *r) {
    return r->counts;
}

void lw_os_roots_written(lw_os_roots *r, const lw_os_step *step) {
    root *changed = &r->roots[step->pasid];
    changed->valid = step->valid;
    changed->table = step->valid ? step->table : changed->table;
}

bool lw_os_roots_table(const lw_os_roots *r, uint32_t pasid, uint32_t *process) {
    if (pasid >= r->count || !r->roots[pasid].valid) {
        return false;
    }
    *process = r->roots[pasid].table;
    return true;
}

/* ---------------------------------------------------------------- changes of roots */

static uint64_t frame_of(const lw_os_roots *r, uint32_t table) {
    return lw_page_table_root(lw_address_spaces_table(r->spaces, table));
}

/* Without bit 63 no other bit is written (R12.8): a walk from what stands there would be one from a
 * frame that was never a root. */
static lw_os_step clear_root(const lw_os_roots *r, lw_rng *rng, uint32_t pasid) {
    const uint64_t frames[] = {0, 1, frame_of(r, (uint32_t)lw_rng_below(rng, r->count)) + 1,
                               frame_of(r, r->roots[pasid].table)};
    return (lw_os_step){.kind = LW_STEP_ROOT,
                        .pasid = pasid,
                        .frame = frames[lw_rng_below(rng, sizeof frames / sizeof frames[0])]};
}

static lw_os_step set_root(const lw_os_roots *r, uint32_t pasid, uint32_t table) {
    return (lw_os_step){.kind = LW_STEP_ROOT,
                        .pasid = pasid,
                        .valid = true,
                        .frame = frame_of(r, table),
                        .table = table};
}

/* Short, so that what is under way is met in all its states, or long enough for whole walks. */
static lw_os_step pause(lw_rng *rng) {
    const uint64_t most = lw_rng_percent(rng, 60) ? 24 : 600;
    return (lw_os_step){.kind = LW_STEP_PAUSE, .cycles = (uint32_t)lw_rng_below(rng, most)};
}

/* Of the PASID's whole space; `one_page`: of a page of it, which is met by the mark as well. */
static lw_os_step invalidate_pasid(const lw_os_roots *r, lw_rng *rng, uint32_t pasid,
                                   bool one_page) {
    lw_os_step step = {.kind = LW_STEP_INVALIDATE,
                       .pasid = pasid,
                       .type = lw_rng_percent(rng, 70) ? LW_INV_PASID : LW_INV_ALL,
                       .covers_last = r->last_page};
    if (one_page) {
        const uint64_t page = lw_rng_next(rng) & r->last_page;
        step.type = LW_INV_PAGE;
        step.first = step.last = step.covers_first = step.covers_last = page;
    }
    return step;
}

void lw_os_roots_change(lw_os_roots *r, lw_rng *rng, lw_os_plan *plan) {
    const uint32_t pasid = (uint32_t)lw_rng_below(rng, r->count);
    const uint32_t any = (uint32_t)lw_rng_below(rng, r->count);
    const uint32_t table = lw_rng_percent(rng, 40) ? pasid : any;
    lw_os_plan_begin(plan);
    switch (lw_rng_below(rng, 4)) {
    case 0: /* replaced */
        r->counts.replaced++;
        lw_os_plan_add(plan, set_root(r, pasid, table));
        lw_os_plan_add(plan, pause(rng));
        lw_os_plan_add(plan, invalidate_pasid(r, rng, pasid, false));
        break;
    case 1: /* gone and back before the invalidation */
        r->counts.blinked++;
        lw_os_plan_add(plan, clear_root(r, rng, pasid));
        lw_os_plan_add(plan, pause(rng));
        lw_os_plan_add(plan, set_root(r, pasid, table));
        lw_os_plan_add(plan, invalidate_pasid(r, rng, pasid, false));
        break;
    default: /* gone; back, perhaps as another's, once nobody knows the old one */
        r->counts.vanished++;
        lw_os_plan_add(plan, clear_root(r, rng, pasid));
        lw_os_plan_add(plan, pause(rng));
        lw_os_plan_add(plan, invalidate_pasid(r, rng, pasid, false));
        if (lw_rng_percent(rng, 30)) {
            lw_os_plan_add(plan, pause(rng));
            lw_os_plan_add(plan, invalidate_pasid(r, rng, pasid, true));
        }
        lw_os_plan_add(plan, pause(rng));
        lw_os_plan_add(plan, set_root(r, pasid, table));
        if (lw_rng_percent(rng, 50)) {
            lw_os_plan_add(plan, invalidate_pasid(r, rng, pasid, false));
        }
        break;
    }
}

/* ---------------------------------------------------------------- who must be told */

static bool reads(const lw_os_roots *r, uint32_t pasid, const lw_os_debt *debt, uint64_t pa) {
    uint64_t at = 0;
    return r->roots[pasid].valid &&
           lw_page_table_entry_address(lw_address_spaces_table(r->spaces, r->roots[pasid].table),
                                       debt->vpn, debt->level, &at, NULL) &&
           at == pa;
}

/* The PASIDs that owe an invalidation, in a drawn order; where nobody does, the process's own. */
static uint32_t debtors(const lw_os_roots *r, const lw_os_debt *debt, lw_rng *rng, uint32_t *list) {
    uint64_t pa = 0;
    uint32_t count = 0;
    const lw_page_table *table = lw_address_spaces_table(r->spaces, debt->process);
    if (lw_page_table_entry_address(table, debt->vpn, debt->level, &pa, NULL)) {
        for (uint32_t p = 0; p < r->count; p++) {
            if (reads(r, p, debt, pa)) {
                list[count++] = p;
            }
        }
    }
    for (uint32_t i = count; i > 1; i--) {
        const uint64_t other = lw_rng_below(rng, i);
        const uint32_t moved = list[i - 1];
        list[i - 1] = list[other];
        list[other] = moved;
    }
    if (count == 0) {
        list[count++] = debt->process;
    }
    return count;
}

uint32_t lw_os_roots_owe(const lw_os_roots *r, const lw_os_debt *debt, lw_rng *rng,
                         lw_os_plan *plan) {
    static const uint32_t types[] = {LW_INV_PAGE,  LW_INV_PAGE,  LW_INV_RANGE,
                                     LW_INV_RANGE, LW_INV_PASID, LW_INV_ALL};
    uint32_t list[LW_OS_PASIDS];
    const uint32_t count = debtors(r, debt, rng, list);
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 || debt->dawdles) {
            lw_os_plan_add(plan, pause(rng));
        }
        uint32_t type = types[lw_rng_below(rng, sizeof types / sizeof types[0])];
        const uint64_t inside = debt->first + lw_rng_below(rng, debt->last - debt->first + 1);
        if (type == LW_INV_PAGE && !debt->one_page) {
            type = LW_INV_RANGE;
        }
        const bool whole = type == LW_INV_PASID || type == LW_INV_ALL;
        lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_INVALIDATE,
                                          .pasid = list[i],
                                          .type = type,
                                          .first = type == LW_INV_PAGE ? inside : debt->first,
                                          .last = debt->last,
                                          .covers_first = whole ? 0 : debt->first,
                                          .covers_last = whole ? r->last_page : debt->last});
        if (type == LW_INV_ALL) {
            break; /* of every PASID */
        }
    }
    return count;
}
