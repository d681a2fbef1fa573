#include "dpi/session_parts.h"

#include <inttypes.h>

static bool cut(lw_session *s, const char *path) {
    return lw_fail(s->err,
                   "--waves: %s could not be written to its end, in cycle %" PRIu64
                   "; is the disk full?",
                   path, s->now);
}

static bool open_waves(lw_session *s) {
    const lw_session_options *o = s->options;
    if (o->lockstep_waves != NULL) {
        s->lockstep_waves =
            lw_lockstep_waves_open(o->lockstep_waves, &o->system->hw, s->twin, s->net, s->err);
        if (s->lockstep_waves == NULL) {
            return false;
        }
    }
    return o->waves == NULL || s->rtl == NULL ||
           s->library.functions->wave_open(s->rtl, o->waves) ||
           lw_fail(s->err, "--waves: %s cannot be written", o->waves);
}

bool lw_session_waves_begin(lw_session *s) {
    const lw_session_options *o = s->options;
    if (o->waves == NULL && o->lockstep_waves == NULL) {
        return true;
    }
    if (s->now >= o->waves_from && !s->waves_begun) {
        s->waves_begun = true;
        if (!open_waves(s)) {
            return false;
        }
    }
    if (o->waves_to != 0 && s->now > o->waves_to && !s->waves_ended) {
        s->waves_ended = true;
        return lw_session_waves_end(s, true);
    }
    if (s->lockstep_waves != NULL) {
        lw_lockstep_waves_registers(s->lockstep_waves, s->now);
        if (!lw_lockstep_waves_are_good(s->lockstep_waves)) {
            return cut(s, o->lockstep_waves);
        }
    }
    return o->waves == NULL || s->rtl == NULL || s->library.functions->waves_are_good(s->rtl) ||
           cut(s, o->waves);
}

bool lw_session_waves_end(lw_session *s, bool good) {
    if (s->lockstep_waves != NULL) {
        lw_lockstep_waves_registers(s->lockstep_waves, s->now);
    }
    const bool whole = lw_lockstep_waves_close(s->lockstep_waves);
    s->lockstep_waves = NULL;
    if (!whole && good) {
        good = cut(s, s->options->lockstep_waves);
    }
    if (s->rtl != NULL && !s->library.functions->wave_close(s->rtl) && good) {
        good = cut(s, s->options->waves);
    }
    return good;
}
