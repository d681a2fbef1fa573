#include "app/reports/mismatch.h"

#include "app/host/output.h"
#include "app/options/arguments.h"
#include "app/reports/wave_view.h"
#include "app/versions.h"
#include "dpi/places.h"
#include "dpi/port_table.h"
#include "oracle/flat_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cycles before and after the mismatch that the RTL's waves show, and those after it in which a
 * wrong answer is looked for: a wrong state may give its first one long after. */
enum { WINDOW_BEFORE = 300, WINDOW_AFTER = 10000, AFTERMATH = 60000, EVENTS_SHOWN = 24 };

static void print_ports(const lw_mismatch *m) {
    const lw_port *port = NULL;
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        const uint64_t rtl = port->is_input ? 0 : lw_port_value(port, &m->rtl_out);
        const uint64_t twin = port->is_input ? 0 : lw_port_value(port, &m->twin_out);
        if (rtl != twin) {
            (void)fprintf(stderr, "  %-34s rtl 0x%-16" PRIx64 " twin 0x%" PRIx64 "\n", port->name,
                          rtl, twin);
        }
    }
}

/* Each with both sides' values, where the RTL writes it, and by which rules. */
static void print_state(const lw_params *params, const lw_mismatch *m) {
    for (size_t i = 0; i < m->differences && i < LW_DIFFERENCES_MAX; i++) {
        const lw_state_difference *d = &m->list[i];
        char name[64];
        (void)snprintf(name, sizeof name, "%s[%u].%s",
                       lw_structure_name(lw_field_structure(d->field)), d->index,
                       lw_field_name(d->field));
        (void)fprintf(stderr, "  %-34s rtl 0x%-16" PRIx64 " twin 0x%-16" PRIx64 " %s, %s\n", name,
                      d->rtl, d->twin, lw_rtl_file(params, lw_field_structure(d->field)),
                      lw_field_rules(d->field));
    }
    if (m->differences > LW_DIFFERENCES_MAX) {
        (void)fprintf(stderr, "  ... and %zu registers more\n",
                      m->differences - LW_DIFFERENCES_MAX);
    }
}

/* The request concerned, or LW_NO_REQUEST. */
static uint32_t request_concerned(const lw_mismatch *m) {
    if (m->request_id != LW_NO_REQUEST) {
        return m->request_id;
    }
    return m->ports && m->rtl_out.rsp_valid ? m->rtl_out.rsp_id : LW_NO_REQUEST;
}

/* One side by itself in the same surroundings, so far past the mismatch; or both, up to it. */
static bool run_again(const lw_options *o, const lw_mismatch *m, lw_side side, uint64_t past,
                      const char *waves, lw_session_result *result, lw_error *err) {
    const bool both = side == LW_SIDE_BOTH;
    char part[700]; /* whole before it has its name: a run beside this one may write it too */
    (void)snprintf(part, sizeof part, "%s.%ld", waves == NULL ? "" : waves, (long)getpid());
    const char *writes = waves == NULL ? NULL : part;
    lw_session_options session = lw_options_session(o, side);
    session.max_cycles = m->cycle + past;
    session.nets_off = both ? o->nets_off : 0;
    session.waves = both ? NULL : writes;
    session.lockstep_waves = both ? writes : NULL;
    session.waves_from = m->cycle > WINDOW_BEFORE ? m->cycle - WINDOW_BEFORE : 0;
    const bool good = lw_session_run(&session, result, NULL, err);
    if (writes != NULL && (good ? rename(part, waves) : unlink(part)) != 0 && good) {
        return lw_fail(err, "%s cannot be written (%s)", waves, strerror(errno));
    }
    return good;
}

/* What the oracle found of one side that was run by itself. */
typedef struct verdict {
    lw_session_result result;
    uint64_t last;    /* the cycle in which the look ends */
    lw_error failure; /* the run could not be made */
} verdict;

/* Has the oracle seen no wrong answer, and would the run go on? */
static bool is_open(const verdict *v) {
    return v->failure.text[0] == '\0' && !v->result.mismatch.found && v->result.cycles >= v->last;
}

/* The RTL with its waves; whether they are there is returned. */
static bool ask_for_waves(const lw_options *o, const lw_mismatch *m, const char *waves,
                          verdict *rtl) {
    rtl->last = m->cycle + WINDOW_AFTER;
    if (run_again(o, m, LW_SIDE_RTL, WINDOW_AFTER, waves, &rtl->result, &rtl->failure)) {
        return true;
    }
    (void)fprintf(stderr, "  %s\n", rtl->failure.text);
    return false;
}

static void ask_oracle(const lw_options *o, const lw_mismatch *m, lw_side side, uint64_t past,
                       verdict *v) {
    v->failure.text[0] = '\0';
    v->last = m->cycle + past;
    (void)run_again(o, m, side, past, NULL, &v->result, &v->failure);
}

static void print_verdict(const char *name, const verdict *v) {
    if (v->failure.text[0] != '\0') {
        (void)fprintf(stderr, "  %s: could not be run again: %s\n", name, v->failure.text);
    } else if (v->result.mismatch.found) {
        (void)fprintf(stderr, "  %s is WRONG: in cycle %" PRIu64 ": %s\n", name,
                      v->result.mismatch.cycle, v->result.mismatch.sentence.text);
    } else {
        (void)fprintf(stderr,
                      "  %s answers all %" PRIu64 " requests %s cycle %" PRIu64 " rightly%s\n",
                      name, v->result.responses, is_open(v) ? "up to" : "to the run's end in",
                      v->result.cycles, is_open(v) ? "; the look ends there" : "");
    }
}

/* Who is wrong, each side by itself: soon after the mismatch, or else long after it. */
static bool find_the_wrong(const lw_options *o, const lw_mismatch *m, const char *waves) {
    static verdict rtl, twin;
    const bool has_waves = ask_for_waves(o, m, waves, &rtl);
    if (!has_waves) {
        ask_oracle(o, m, LW_SIDE_RTL, WINDOW_AFTER, &rtl);
    }
    ask_oracle(o, m, LW_SIDE_TWIN, WINDOW_AFTER, &twin);
    if (is_open(&rtl) && is_open(&twin)) {
        ask_oracle(o, m, LW_SIDE_RTL, AFTERMATH, &rtl);
        ask_oracle(o, m, LW_SIDE_TWIN, AFTERMATH, &twin);
    }
    print_verdict("RTL", &rtl);
    print_verdict("C twin", &twin);
    return has_waves;
}

/* The waves of both sides, and what GTKWave opens them with: what differs, each side's beside the
 * other's, the cycle and the marker. */
static void show_both_sides(const lw_options *o, const lw_mismatch *m, const char *base) {
    static lw_session_result result;
    lw_error err = {0};
    char waves[660], view[660];
    (void)snprintf(waves, sizeof waves, "%s.vcd", base);
    (void)snprintf(view, sizeof view, "%s.gtkw", base);
    if (o->netlist != NULL) { /* its registers have other names */
        return;
    }
    if (!run_again(o, m, LW_SIDE_BOTH, WINDOW_AFTER, waves, &result, &err)) {
        (void)fprintf(stderr, "  no waves of both sides: %s\n", err.text);
        return;
    }
    (void)fprintf(stderr, "waves of both sides: %s; `gtkwave %s` opens what differs\n", waves,
                  view);
    if (!lw_view_write(view, waves, &o->system.hw, m, &err)) {
        (void)fprintf(stderr, "  %s\n", err.text);
    }
}

/* Adds the run to those that are run for ever, if it is not one of them. */
static void keep_regression(const lw_options *o) {
    char path[600];
    char *line = NULL;
    size_t size = 0;
    lw_error err = {0};
    (void)snprintf(path, sizeof path, "%s/tests/regressions.list", o->root);
    FILE *file = lw_output_open("keep", path, "a+", &err);
    FILE *text = open_memstream(&line, &size);
    if (text != NULL) {
        lw_print_arguments(text, o);
        (void)fclose(text);
    }
    char *kept = NULL;
    size_t room = 0;
    bool is_new = file != NULL && line != NULL;
    while (is_new && getline(&kept, &room, file) > 0) {
        kept[strcspn(kept, "\n")] = '\0';
        is_new = strcmp(kept, line + 1) != 0; /* behind its blank */
    }
    struct stat before = {.st_size = 0};
    const bool is_known = file != NULL && fstat(fileno(file), &before) == 0;
    if (is_new) {
        (void)fprintf(file, "%s\n", line + 1);
    }
    if (file == NULL || !lw_output_close(file, "keep", path, &err)) {
        (void)fprintf(stderr, "lockwalk: %s\n", err.text);
        if (is_known) { /* without a part of a line */
            (void)truncate(path, before.st_size);
        }
    } else if (is_new) {
        (void)fprintf(stderr, "kept in %s; `make test` replays it\n", path);
    }
    free(kept);
    free(line);
}

/* How many events there are of the request that has the id now: others had it before. */
static uint32_t events_of(const lw_event_ring *events, uint32_t id) {
    uint32_t count = 0;
    for (uint64_t n = events->count; n > 0 && events->count - n < LW_EVENTS; n--) {
        const lw_event *e = &events->ring[(n - 1) % LW_EVENTS];
        count += e->id == id;
        if (e->id == id && e->kind == LW_EVENT_REQUEST) {
            break;
        }
    }
    return count < EVENTS_SHOWN ? count : EVENTS_SHOWN;
}

void lw_mismatch_report(const lw_options *o, const lw_session_result *result,
                        const lw_event_ring *events) {
    const lw_mismatch *m = &result->mismatch;
    bool as_it_is = !o->rtl_injection.on && !o->twin_injection.on && o->nets_off == 0 &&
                    o->netlist == NULL && o->rtl == NULL;
    char base[640], waves[660];
    (void)snprintf(base, sizeof base, "%s/build/waves", o->root);
    (void)mkdir(base, 0777);
    (void)snprintf(base, sizeof base, "%s/build/waves/%s-seed%" PRIu64 "-cycle%" PRIu64, o->root,
                   o->system.name, o->run.seed, m->cycle);

    (void)fprintf(stderr, "\nMISMATCH in cycle %" PRIu64 "\nreproduce: %s/build/lockwalk cosim",
                  m->cycle, o->root);
    lw_print_arguments(stderr, o);
    lw_print_sides(stderr, o);
    if (m->cycle < result->cycles) { /* what is found at a run's end takes the whole run */
        (void)fprintf(stderr, " --max-cycles %" PRIu64, m->cycle + 1);
    }
    (void)fprintf(stderr, "\nversions: lockwalk %s, %s", LW_VERSION, LW_COMPILER);
    if (result->rtl_version[0] != '\0') {
        (void)fprintf(stderr, ", Verilator %s", result->rtl_version);
    }
    (void)fputc('\n', stderr);
    if (m->assertion) {
        (void)fprintf(stderr, "RTL: %s\n", m->sentence.text);
    }
    if (m->ports) {
        (void)fprintf(stderr, "ports that differ:\n");
        print_ports(m);
    }
    if (m->differences != 0) {
        (void)fprintf(stderr, "registers that differ%s (%zu):\n",
                      m->after_reset ? " right after a reset" : "", m->differences);
        print_state(&o->system.hw, m);
    }
    if (m->oracle) {
        (void)fprintf(stderr, "oracle: %s\n", m->sentence.text);
    }
    if (m->hang) {
        (void)fprintf(stderr, "hang: %s\n", m->sentence.text);
    }
    (void)fprintf(stderr, "who is wrong, each side by itself:\n");
    (void)snprintf(waves, sizeof waves, "%s.fst", base);
    const bool has_waves = find_the_wrong(o, m, waves);
    uint32_t id = request_concerned(m);
    if (id != LW_NO_REQUEST) {
        (void)fprintf(stderr, "last events of request %u:\n", id);
        lw_event_ring_print(events, stderr, events_of(events, id), id);
    }
    (void)fprintf(stderr, "last events:\n");
    lw_event_ring_print(events, stderr, EVENTS_SHOWN, LW_NO_REQUEST);
    if (has_waves) {
        (void)fprintf(stderr, "waves of the RTL: %s\n", waves);
    }
    show_both_sides(o, m, base);
    if (as_it_is && o->keep) {
        keep_regression(o);
    }
}
