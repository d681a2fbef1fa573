#include "c_model/walk/hashed_scan.h"

#include "c_model/base/slot_line.h"
#include "c_model/walk/step_line.h"
#include "c_model/walk/walker_parts.h"

/* R20.14: LEVEL of a fault that no PTE has. */
enum { NO_PTE = 6, GROUP_LEVEL = 2 };

/* What a WHERE counts with each of its scans (R21.17). */
static const uint8_t reads_of[] = {[LW_WHERE_VICTIM] = LW_C_VICTIM_READS,
                                   [LW_WHERE_HOME] = LW_C_TABLE_READS,
                                   [LW_WHERE_CACHED] = LW_C_TABLE_READS,
                                   [LW_WHERE_STEPS] = LW_C_STEP_READS,
                                   [LW_WHERE_KNOWN] = LW_C_TABLE_READS};

static bool is_slot(uint32_t where) {
    return where == LW_WHERE_HOME || where == LW_WHERE_CACHED || where == LW_WHERE_KNOWN;
}

/* R21.10, the end of R20.12: what the table does not answer is the victim buffer's. */
static void go_to_victim(lw_walkers *w, uint32_t i, const lw_roots *roots, lw_events *events) {
    lw_pwst *p = &w->walker[i];
    const uint64_t victim = roots->victim[lw_key_pasid(p->key) % LW_PASIDS_MAX];
    if (victim >> 63 == 0) {
        lw_walker_fails(w, i, LW_NOT_PRESENT, NO_PTE);
        return;
    }
    p->where = LW_WHERE_VICTIM;
    p->level = (uint8_t)w->cfg->hw.levels; /* R20.10 */
    p->contig = 0;                         /* R20.28: a page there has its own PTE */
    p->node = lw_root_frame(victim);
    lw_count(events, LW_C_VICTIM_WALKS, 1);
    lw_walker_goes(w, i, LW_REQ);
}

/* The bucket of the page's group (R20.9): the step stands in NODE until the slot does. */
static void scan_bucket(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                        lw_scan *s) {
    lw_pwst *p = &w->walker[i];
    lw_step_entry entry;
    s->op.error = true; /* it answers nobody */
    if (w->line_error) {
        lw_walker_fails(w, i, LW_MEMORY_ERROR, NO_PTE);
        return;
    }
    const bool found = lw_step_line_find(w->cfg, w->line, p->key, &entry);
    if (!view->features->subregion_enable) { /* R20.27, R21.14 */
        entry.contigs = (lw_step_contigs){0};
    }
    s->fill = (lw_step_fill){.key = p->key,
                             .steps = entry.steps,
                             .contigs = entry.contigs,
                             .valid = found && view->features->pwc_enable};
    if (!found || !lw_group_present(w->cfg, entry.steps, p->key)) {
        go_to_victim(w, i, view->roots, events);
        return;
    }
    p->where = LW_WHERE_KNOWN;
    p->level = 1;
    p->node = lw_group_step(w->cfg, entry.steps, p->key);
    p->contig = lw_group_contig(w->cfg, &entry.contigs, p->key);
    lw_walker_goes(w, i, LW_PWC_REQ);
    lw_claim_for(&s->op, lw_walkers_access(p));
}

/* R20.26: a line without the region's tag says nothing of the page. A step may have become wrong,
 * and with it CONTIG, so the bucket is read once more; a home that is another's was no step
 * (R20.13). So a walk makes no more reads than R21.18 says. */
static void scan_slot(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                      lw_scan *s) {
    lw_pwst *p = &w->walker[i];
    if (w->line_error || lw_slot_line_carries(w->cfg, w->line, p->key)) {
        lw_scan_judge(w, i, view->features, s);
        return;
    }
    s->op.error = true;
    lw_count(events, LW_C_TAG_MISSES, 1);
    if (p->where == LW_WHERE_KNOWN && p->retried) {
        go_to_victim(w, i, view->roots, events);
        return;
    }
    if (p->where != LW_WHERE_HOME) {
        p->retried = true;
        lw_count(events, LW_C_STEP_RETRIES, 1);
    }
    p->where = LW_WHERE_STEPS;
    p->level = GROUP_LEVEL;
    p->contig = 0;
    lw_walker_goes(w, i, LW_PWC_REQ);
    lw_claim_for(&s->op, lw_walkers_access(p));
}

/* R21.12: an upper level of the victim buffer releases nobody and teaches nobody. */
static void scan_victim(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_scan *s) {
    const lw_pwst *p = &w->walker[i];
    const bool upper = p->level >= 2;
    lw_scan_judge(w, i, view->features, s);
    if (!upper) {
        return;
    }
    s->op.level = 0;
    s->op.error = true;
    if (p->level == 1) {
        lw_claim_for(&s->op, lw_walkers_access(p));
    }
}

/* R21.9: the first row of the table of scans that applies. */
void lw_hashed_scan(lw_walkers *w, uint32_t i, const lw_scan_view *view, lw_events *events,
                    lw_scan *s) {
    const uint32_t where = w->walker[i].where;
    s->own = (lw_verdict){.kind = LW_OK}; /* neither node nor leaf, unless R7.4 finds one */
    if (where < sizeof reads_of && reads_of[where] != 0) {
        lw_count(events, reads_of[where], 1);
    }
    if (where == LW_WHERE_STEPS) {
        scan_bucket(w, i, view, events, s);
    } else if (is_slot(where)) {
        scan_slot(w, i, view, events, s);
    } else { /* a WHERE that reads nothing only after a flip */
        scan_victim(w, i, view, s);
    }
}
