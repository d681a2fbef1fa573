/* Whether the machine goes on: the GPU or stream in front, the unit, memory. */
#include "sim/environment/environment_state.h"

/* Not the OS's changes and their invalidations: those go on whatever becomes of the others. */
static uint64_t done(const lw_environment *env) {
    const lw_port_counts *c = &env->counts;
    return env->boot + c->requests + c->responses + c->line_reads + c->lines +
           env->front.done(env->front.self);
}

/* A request of the unit's that has been taken, or that is not. */
static bool asks(const lw_environment *env) {
    uint32_t id = 0;
    uint64_t since = 0;
    return lw_waiting_oldest(env->waiting, &id, &since) || env->refused != 0;
}

/* Who is to blame; an invalidation only where it is as old as the silence. */
static const char *what_hangs(const lw_environment *env, bool old_invalidation) {
    if (asks(env)) {
        return env->refused != 0 ? "the unit hangs, it takes no request"
                                 : "the unit hangs, it owes a response";
    }
    if (old_invalidation) {
        return lw_os_agent_waits(env->agent) ? "the unit hangs, it owes a completion"
                                             : "the unit hangs, it takes no invalidation";
    }
    return env->kernel != NULL ? "the GPU hangs, the unit owes it nothing"
                               : "the stream hangs, the unit owes it nothing";
}

bool lw_environment_goes_on(lw_environment *env, uint64_t now, uint64_t most, lw_error *err) {
    const uint64_t sum = done(env);
    const bool busy = lw_os_agent_busy(env->agent);
    /* A stream with cycles of its own may let any time pass, if nobody owes it anything. */
    const bool pauses = !asks(env) && !busy && env->front.waits_for(env->front.self) > now;
    if (sum != env->done || pauses) {
        env->done = sum;
        env->alive = now;
    }
    if (!busy || env->counts.invalidations != env->completions) {
        env->completions = env->counts.invalidations;
        env->agent_alive = now;
    }
    return now - env->alive <= most ||
           lw_fail(err,
                   "no instruction, translation, line of data, request, response or read for %llu "
                   "cycles: %s",
                   (unsigned long long)most, what_hangs(env, now - env->agent_alive > most));
}
