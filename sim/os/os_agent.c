#include "sim/os/os_agent.h"

#include "common/rng.h"
#include "sim/os/migrations.h"
#include "sim/os/os_plan.h"
#include "sim/os/os_roots.h"
#include "sim/os/page_changes.h"
#include "sim/os/table_moves.h"

#include <stdlib.h>

/* What the step under way is at: it begins in the cycle after the one before has ended. */
typedef enum agent_state {
    AGENT_IDLE,
    AGENT_ASKING,
    AGENT_WAITING,
    AGENT_WRITING,
    AGENT_PAUSING,
    AGENT_STORING,  /* the words of a change of the hashed table */
    AGENT_BEGINNING /* such a change */
} agent_state;

enum { GONE = 64 };

struct lw_os_agent {
    const lw_system *system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_roots *roots;
    lw_page_changes *pages;
    lw_rng rng, silent; /* silent changes are no step, and have draws of their own */
    agent_state state;
    lw_os_plan plan;
    uint32_t pause;
    /* invalidations that still follow each other, and their type; 4: of any */
    uint32_t burst_left, burst_type;
    lw_os_agent_counts counts;
    lw_region_moves regions;
    lw_migrations migrations;
    uint64_t gone[GONE]; /* a ring of the frames that were nodes and are free */
    uint64_t gone_count;
};

enum { ANY_TYPE = 4 };

static bool is_node(const lw_os_agent *a, uint64_t frame) {
    for (uint32_t p = 0; p < lw_address_spaces_processes(a->spaces); p++) {
        if (lw_page_table_has_node(lw_address_spaces_table(a->spaces, p), frame)) {
            return true;
        }
    }
    return false;
}

bool lw_os_agent_gone(const lw_os_agent *a, uint64_t frame) {
    for (uint64_t i = 0; i < GONE && i < a->gone_count; i++) {
        if (a->gone[i] == frame) {
            return !is_node(a, frame);
        }
    }
    return false;
}

/* It was used again, and is a node until what is owed for its new end is done. */
static void not_gone(lw_os_agent *a, uint64_t frame) {
    for (uint64_t i = 0; i < GONE; i++) {
        a->gone[i] = a->gone[i] == frame ? UINT64_MAX : a->gone[i];
    }
}

lw_os_agent *lw_os_agent_new(const lw_system *system, lw_address_spaces *spaces, lw_oracle *oracle,
                             uint64_t seed, lw_error *err) {
    lw_os_agent *a = calloc(1, sizeof *a);
    if (a != NULL) {
        a->system = system;
        a->spaces = spaces;
        a->oracle = oracle;
        a->roots = lw_os_roots_new(spaces);
        a->pages = a->roots == NULL ? NULL : lw_page_changes_new(system, spaces, a->roots);
    }
    if (a == NULL || a->pages == NULL) {
        lw_os_agent_free(a);
        (void)lw_fail(err, "no memory for the OS agent");
        return NULL;
    }
    lw_rng_seed(&a->rng, seed ^ UINT64_C(0x05));
    lw_rng_seed(&a->silent, seed ^ UINT64_C(0x51));
    return a;
}

void lw_os_agent_free(lw_os_agent *a) {
    if (a != NULL) {
        lw_page_changes_free(a->pages);
        lw_os_roots_free(a->roots);
    }
    free(a);
}

static uint64_t vpn_mask(const lw_os_agent *a) {
    return (UINT64_C(1) << (9 * a->system->hw.levels)) - 1;
}

void lw_os_agent_asked(lw_os_agent *a, uint32_t pasid, uint64_t page, uint64_t now) {
    uint32_t process = 0;
    if (a->system->near_changes != 0) {
        lw_page_changes_asked(a->pages, pasid, page);
    }
    if (a->system->local_share != LW_ALL_LOCAL && lw_os_roots_table(a->roots, pasid, &process)) {
        lw_migrations_asked(&a->migrations, a->spaces, process, page & vpn_mask(a),
                            a->system->migrate_after, now);
    }
}

static const lw_os_step *step_of(const lw_os_agent *a) {
    return &a->plan.steps[a->plan.next];
}

void lw_os_agent_drive(const lw_os_agent *a, lw_inputs *in) {
    const bool invalidates = a->state == AGENT_ASKING || a->state == AGENT_WAITING;
    const lw_os_step *step = step_of(a);
    in->inv_valid = a->state == AGENT_ASKING;
    in->inv_type = invalidates ? step->type : 0;
    in->inv_pasid = invalidates ? step->pasid : 0;
    in->inv_first = invalidates ? step->first : 0;
    in->inv_last = invalidates ? step->last : 0;
    if (a->state == AGENT_WRITING) {
        in->ctl_write = true;
        in->ctl_addr = LW_CTL_ROOT + step->pasid;
        in->ctl_wdata = (uint64_t)step->valid << 63 | step->frame;
    }
}

/* ---------------------------------------------------------------- what it does next */

/* An invalidation of its own accord: every type, known and unknown PASIDs, empty ranges too. */
static void invalidate_something(lw_os_agent *a, uint32_t wanted) {
    uint32_t process = 0;
    const uint64_t page = lw_page_changes_draw_page(a->pages, &a->rng, &process);
    const uint32_t drawn = (uint32_t)lw_rng_below(&a->rng, 4);
    const uint32_t type = wanted == ANY_TYPE ? drawn : wanted;
    const bool whole = type == LW_INV_PASID || type == LW_INV_ALL;
    const uint64_t span = lw_rng_below(&a->rng, 1024);
    const bool backwards = lw_rng_percent(&a->rng, 5);
    const uint32_t pasid = lw_rng_percent(&a->rng, 5) ? a->system->hw.pasids + process : process;
    const uint64_t end = page + span > vpn_mask(a) ? vpn_mask(a) : page + span;
    const uint64_t first = backwards ? end : page;
    const uint64_t last = backwards ? page : end;
    lw_os_plan_begin(&a->plan);
    lw_os_plan_add(&a->plan, (lw_os_step){.kind = LW_STEP_INVALIDATE,
                                          .pasid = pasid,
                                          .type = type,
                                          .first = first,
                                          .last = last,
                                          .covers_first = whole ? 0 : first,
                                          .covers_last = whole                 ? vpn_mask(a)
                                                         : type == LW_INV_PAGE ? first
                                                                               : last});
}

static void begin_burst(lw_os_agent *a) {
    a->counts.bursts++;
    a->burst_left = 2 + (uint32_t)lw_rng_below(&a->rng, a->system->burst_length);
    a->burst_type = (uint32_t)lw_rng_below(&a->rng, ANY_TYPE + 1);
}

static void go_on_with_burst(lw_os_agent *a) {
    a->burst_left--;
    a->counts.burst_invalidations++;
    invalidate_something(a, a->burst_type);
}

static bool move_table(lw_os_agent *a, lw_error *err) {
    uint32_t process = 0;
    const uint64_t vpn = lw_page_changes_draw_page(a->pages, &a->rng, &process);
    const lw_table_move_of what = {process, vpn, a->system->hw.subregions != 0, a->pages};
    bool replaced = false;
    const bool good = lw_table_move(a->spaces, a->roots, &what, &a->rng, &a->plan, &replaced, err);
    a->counts.table_moves += a->plan.count != 0 ? 1 : 0;
    not_gone(a, a->plan.clears ? a->plan.free_frame : UINT64_MAX);
    a->counts.tables_replaced += replaced ? 1 : 0;
    return good;
}

static uint64_t rates(const lw_system *s) {
    return (uint64_t)s->remaps + s->invalidations + s->root_changes + s->table_moves +
           s->invalidation_bursts + s->region_moves;
}

static bool move_region(lw_os_agent *a, lw_error *err) {
    uint32_t process = 0;
    const uint64_t vpn = lw_page_changes_draw_page(a->pages, &a->rng, &process);
    return lw_region_move(a->spaces, process, vpn, &a->rng, &a->plan, &a->regions, err);
}

/* One draw a cycle. The plan is empty where nothing is to be done. */
static bool draw_plan(lw_os_agent *a, lw_error *err) {
    const lw_system *s = a->system;
    uint64_t draw = lw_rng_below(&a->rng, 10000);
    const uint32_t parts[] = {s->remaps,      s->invalidations,       s->root_changes,
                              s->table_moves, s->invalidation_bursts, s->region_moves};
    size_t part = 0;
    while (part < sizeof parts / sizeof parts[0] && draw >= parts[part]) {
        draw -= parts[part++];
    }
    switch (part) {
    case 0:
        return lw_page_changes_make(a->pages, &a->rng, &a->plan, err);
    case 1:
        invalidate_something(a, ANY_TYPE);
        return true;
    case 2:
        lw_os_roots_change(a->roots, &a->rng, &a->plan);
        return true;
    case 3:
        return move_table(a, err);
    case 4:
        begin_burst(a);
        go_on_with_burst(a);
        return true;
    case 5:
        return move_region(a, err);
    default:
        return true;
    }
}

/* ---------------------------------------------------------------- a cycle */

static void begin_step(lw_os_agent *a) {
    static const agent_state states[] = {
        [LW_STEP_INVALIDATE] = AGENT_ASKING, [LW_STEP_ROOT] = AGENT_WRITING,
        [LW_STEP_PAUSE] = AGENT_PAUSING,     [LW_STEP_WORDS] = AGENT_STORING,
        [LW_STEP_SETTLE] = AGENT_BEGINNING,  [LW_STEP_CONTIGUITY] = AGENT_BEGINNING};
    if (lw_os_plan_over(&a->plan)) {
        a->state = AGENT_IDLE;
        return;
    }
    a->state = states[step_of(a)->kind];
    a->pause = step_of(a)->cycles;
}

/* Nobody knows what was before: it may go. */
static bool end_plan(lw_os_agent *a, lw_error *err) {
    lw_os_plan *plan = &a->plan;
    const uint64_t count = plan->free_count;
    bool more = false;
    if (plan->bits_lost != 0) {
        lw_oracle_contiguity_gone(a->oracle, plan->bits_lost);
    }
    if (plan->clears) {
        lw_phys_mem_clear_frame(lw_address_spaces_memory(a->spaces), plan->free_frame);
        a->gone[a->gone_count++ % GONE] = plan->free_frame;
    }
    plan->free_count = 0;
    if (count != 0 &&
        !lw_frame_release(lw_address_spaces_frames(a->spaces), plan->free_frame, count, err)) {
        return false;
    }
    if (!lw_page_changes_go_on(a->pages, &a->rng, plan, &more, err)) {
        return false;
    }
    if (!more && a->burst_left != 0) {
        go_on_with_burst(a);
    }
    begin_step(a);
    return true;
}

static bool end_step(lw_os_agent *a, lw_error *err) {
    a->plan.next++;
    if (lw_os_plan_over(&a->plan)) {
        return end_plan(a, err);
    }
    begin_step(a);
    return true;
}

static bool change_silently(lw_os_agent *a, lw_error *err) {
    const uint32_t rate = a->system->silent_changes;
    return rate == 0 || lw_rng_below(&a->silent, 10000) >= rate ||
           lw_page_changes_make_silent(a->pages, &a->silent, err);
}

static void take_invalidation(lw_os_agent *a) {
    const lw_os_step *step = step_of(a);
    a->state = AGENT_WAITING;
    lw_oracle_invalidation_starts(a->oracle,
                                  step->type == LW_INV_ALL ? LW_ORACLE_EVERY_PASID : step->pasid,
                                  step->covers_first, step->covers_last);
}

static bool write_root(lw_os_agent *a, lw_error *err) {
    const lw_os_step *step = step_of(a);
    lw_os_roots_written(a->roots, step);
    return lw_oracle_set_root(a->oracle, step->pasid, step->valid, step->frame, err) &&
           end_step(a, err);
}

/* Until now, and while words are being written, a walk of the hashed table may have found what the
 * page table held before. */
static void tell_again(const lw_os_agent *a) {
    for (uint32_t i = 0; i < a->plan.before_count; i++) {
        const uint64_t pa = a->plan.before[i].pa;
        const uint64_t old = a->plan.before[i].value;
        if (lw_phys_mem_read64(lw_address_spaces_memory(a->spaces), pa) != old) {
            lw_oracle_entry_changes(a->oracle, pa, old);
        }
    }
}

static bool store_word(lw_os_agent *a, lw_error *err) {
    bool written = false;
    tell_again(a);
    return lw_hashed_table_step(lw_address_spaces_hashed(a->spaces), &written, err) &&
           (written || end_step(a, err));
}

static bool begin_change(lw_os_agent *a, lw_error *err) {
    lw_hashed_table *t = lw_address_spaces_hashed(a->spaces);
    const lw_os_step *step = step_of(a);
    a->state = AGENT_STORING;
    return step->kind == LW_STEP_SETTLE
               ? lw_hashed_table_settle(t, err)
               : lw_hashed_table_find_contiguity(t, step->pasid, step->first, err);
}

static bool go_on(lw_os_agent *a, bool taken, bool done, lw_error *err) {
    switch (a->state) {
    case AGENT_ASKING:
        if (taken) {
            take_invalidation(a);
        }
        return true;
    case AGENT_WAITING:
        if (!done) {
            return true;
        }
        lw_oracle_invalidation_done(a->oracle);
        return end_step(a, err);
    case AGENT_WRITING:
        return write_root(a, err);
    case AGENT_PAUSING:
        return a->pause-- != 0 || end_step(a, err);
    case AGENT_STORING:
        return store_word(a, err);
    case AGENT_BEGINNING:
        return begin_change(a, err);
    case AGENT_IDLE:
        break;
    }
    lw_os_plan_begin(&a->plan);
    if (rates(a->system) == 0 && !a->migrations.due) {
        return true;
    }
    const bool good = a->migrations.due
                          ? lw_migrations_make(&a->migrations, a->spaces, &a->plan, err)
                          : draw_plan(a, err);
    begin_step(a);
    return good;
}

bool lw_os_agent_tick(lw_os_agent *a, bool taken, bool done, lw_error *err) {
    return go_on(a, taken, done, err) && change_silently(a, err);
}

uint64_t lw_os_agent_next_event(const lw_os_agent *a, uint64_t now) {
    const bool acts = rates(a->system) + a->system->silent_changes != 0 || a->migrations.due;
    const bool waits = a->state == AGENT_IDLE || a->state == AGENT_WAITING;
    return acts || !waits ? now + 1 : UINT64_MAX;
}

bool lw_os_agent_waits(const lw_os_agent *a) {
    return a->state == AGENT_WAITING;
}

bool lw_os_agent_busy(const lw_os_agent *a) {
    return a->state != AGENT_IDLE;
}

lw_os_agent_counts lw_os_agent_provoked(const lw_os_agent *a) {
    lw_os_agent_counts counts = a->counts;
    const lw_page_change_counts pages = lw_page_changes_counts(a->pages);
    const lw_os_root_counts roots = lw_os_roots_counts(a->roots);
    counts.page_changes = pages.changes;
    counts.shared_changes = pages.shared;
    counts.appeared = pages.appeared;
    counts.permitted = pages.permitted;
    counts.roots_replaced = roots.replaced;
    counts.roots_vanished = roots.vanished;
    counts.roots_blinked = roots.blinked;
    counts.regions = a->regions;
    counts.migrations = a->migrations.made;
    counts.remote_accesses = a->migrations.accesses;
    return counts;
}

uint32_t lw_os_agent_frames_kept(const lw_os_agent *a) {
    return lw_page_changes_frames_kept(a->pages);
}
