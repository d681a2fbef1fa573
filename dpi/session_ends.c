#include "dpi/session_parts.h"

#include <inttypes.h>
#include <stdio.h>

bool lw_session_compares_state(const lw_session_options *o) {
    return o->netlist == NULL && o->random_start == 0 && (o->nets_off & LW_NET_STATE) == 0;
}

/* Which registers of the unit a design of one's own has. */
static void count_fields(lw_session *s) {
    lw_session_result *r = s->result;
    const lw_params *hw = &s->options->system->hw;
    size_t used = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const bool has = lw_state_net_has(s->net, f);
        r->fields += lw_field_exists(hw, f);
        r->fields_compared += has;
        if (lw_field_exists(hw, f) && !has && used < sizeof r->left_out) {
            used += (size_t)snprintf(r->left_out + used, sizeof r->left_out - used, "%s%s.%s",
                                     used == 0 ? "" : ", ",
                                     lw_structure_name(lw_field_structure(f)), lw_field_name(f));
        }
    }
}

void lw_session_collect(lw_session *s) {
    lw_session_result *r = s->result;
    r->cycles = s->now;
    r->counted_cycles = s->now - s->started;
    r->requests = lw_environment_requests(s->env);
    lw_environment_in_flight(s->env, &r->in_flight_sum, &r->in_flight_max);
    r->neighbours = lw_environment_neighbours(s->env);
    r->upper_neighbours = lw_environment_upper_neighbours(s->env);
    r->size = lw_environment_size(s->env);
    lw_environment_statistics(s->env, &r->front);
    lw_environment_faults(s->env, r->faults, r->unasked);
    for (uint32_t c = 0; c < LW_COUNTERS && s->twin != NULL; c++) {
        r->counters[c] = lw_iommu_counter(s->twin, c);
    }
    if (s->options->side == LW_SIDE_BOTH) {
        r->compared_state_writes = s->net == NULL ? 0 : lw_state_net_compared(s->net);
    }
    if (s->net != NULL) {
        count_fields(s);
    }
    r->checked = lw_environment_checked(s->env);
    r->ordered_walks = lw_environment_ordered_walks(s->env);
    r->longest_wait = lw_environment_longest_wait(s->env);
    r->waits = lw_environment_waits(s->env);
    r->provocations = lw_environment_provocations(s->env);
    r->hashed = lw_environment_hashed(s->env);
    lw_environment_lacks(s->env, r->lacks);
    r->partial = lw_environment_partial(s->env);
    lw_environment_banks(s->env, &r->banks);
    if (s->options->stages != NULL) {
        lw_stages_end(s->options->stages);
    }
}

/* A reset value, or a register that is never used, differs only here. */
static void compare_all_registers(lw_session *s) {
    lw_mismatch *m = &s->result->mismatch;
    if (s->options->side == LW_SIDE_BOTH && lw_session_compares_state(s->options)) {
        m->differences = lw_state_net_compare_all(s->net, m->list, LW_DIFFERENCES_MAX);
        m->found = m->differences != 0;
        m->cycle = s->now;
    }
}

static bool took_place(const lw_session *s, const char *option, const lw_injection *injection,
                       bool has_side) {
    return !injection->on || !has_side || injection->cycle < s->now ||
           lw_fail(s->err,
                   "--%s: the run has %" PRIu64 " cycles, so the flip in cycle %" PRIu64
                   " never took place; allowed: a cycle below",
                   option, s->now, injection->cycle);
}

/* Whether the run reaches the first cycle that an option asks to be shown. */
static bool is_reached(const lw_session *s, const char *option, uint64_t cycle) {
    return cycle == 0 || cycle < s->now ||
           lw_fail(s->err,
                   "--%s: the run has %" PRIu64 " cycles, so nothing is there from cycle %" PRIu64
                   " on; allowed: a cycle below",
                   option, s->now, cycle);
}

static bool resets_took_place(const lw_session *s) {
    return s->result->resets >= s->options->resets ||
           lw_fail(s->err,
                   "--resets: the run has %" PRIu64 " cycles, so only %" PRIu32 " of %" PRIu32
                   " resets took place; allowed: so many, or a longer run",
                   s->now, s->result->resets, s->options->resets);
}

bool lw_session_check_end(lw_session *s) {
    const lw_session_options *o = s->options;
    lw_mismatch *m = &s->result->mismatch;
    if (m->found) {
        return true;
    }
    compare_all_registers(s);
    if (m->found || s->result->stopped) {
        return true;
    }
    uint64_t counters[LW_COUNTERS];
    for (uint32_t c = 0; c < LW_COUNTERS && s->twin != NULL; c++) {
        counters[c] = lw_iommu_counter(s->twin, c);
    }
    if ((o->max_cycles == 0 && !lw_environment_finish(s->env, &m->sentence)) ||
        (s->twin != NULL && !lw_environment_counters_agree(s->env, counters, &m->sentence))) {
        m->found = m->oracle = true;
        m->cycle = s->now;
        return true;
    }
    /* A failure's run is replayed up to its cycle, with all resets that it was asked for. */
    return (o->max_cycles != 0 || resets_took_place(s)) &&
           took_place(s, "inject", &o->rtl_injection, s->net != NULL) &&
           took_place(s, "inject-twin", &o->twin_injection, s->twin != NULL) &&
           is_reached(s, "waves-from", o->waves_from) && is_reached(s, "trace-from", o->trace_from);
}

static bool open_library(lw_session *s) {
    const lw_session_options *o = s->options;
    const bool probes = o->rtl_injection.on || o->waves != NULL;
    s->library.is_built = o->is_built;
    if (o->netlist != NULL) {
        return lw_rtl_library_open_netlist(&s->library, o->root, o->system, o->netlist, s->err);
    }
    return o->rtl != NULL
               ? lw_rtl_library_open_own(&s->library, o->root, o->system, o->rtl, probes, s->err)
               : lw_rtl_library_open(&s->library, o->root, o->system, probes, s->err);
}

/* A design of one's own may lack the register. */
static bool can_flip(const lw_session *s) {
    const lw_injection *r = &s->options->rtl_injection;
    return !r->on || lw_state_net_has(s->net, r->field) ||
           lw_fail(s->err, "--inject: the design of --rtl has no %s.%s to flip a bit of",
                   lw_structure_name(lw_field_structure(r->field)), lw_field_name(r->field));
}

bool lw_session_make_environment(lw_session *s) {
    s->env = lw_environment_new(s->options->system, s->options->run, s->err);
    if (s->env == NULL) {
        return false;
    }
    lw_environment_tell(s->env, s->part, LW_PART_ORACLE);
    return true;
}

bool lw_session_open(lw_session *s, lw_rtl_cycle_fn *cycle) {
    const lw_session_options *o = s->options;
    if (!lw_session_make_environment(s)) {
        return false;
    }
    if (o->side != LW_SIDE_RTL) {
        s->twin = lw_iommu_new(&o->system->hw, s->err);
        if (s->twin == NULL) {
            return false;
        }
        if (o->stages != NULL) {
            lw_stages_begin(o->stages, s->twin);
        }
    }
    if (o->side == LW_SIDE_TWIN) {
        return true;
    }
    if (!open_library(s)) {
        return false;
    }
    s->rtl = s->library.functions->create(cycle, s, o->random_start);
    if (s->rtl == NULL) {
        return lw_fail(s->err, "no memory for the RTL");
    }
    (void)snprintf(s->result->rtl_version, sizeof s->result->rtl_version, "%s",
                   s->library.functions->version());
    s->library.functions->reset(s->rtl);
    if (o->netlist == NULL &&
        (s->twin != NULL || o->rtl_injection.on || o->lockstep_waves != NULL)) {
        s->net = lw_state_net_new(&o->system->hw, s->library.functions, s->rtl, o->registers,
                                  s->twin, s->err);
        return s->net != NULL && can_flip(s);
    }
    return true;
}

bool lw_session_close(lw_session *s, bool good) {
    good = lw_session_waves_end(s, good);
    lw_state_net_free(s->net);
    if (s->rtl != NULL) {
        s->library.functions->destroy(s->rtl);
    }
    lw_rtl_library_close(&s->library);
    lw_iommu_free(s->twin);
    lw_environment_free(s->env);
    return good;
}
