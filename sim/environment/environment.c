#include "sim/environment/environment_state.h"

#include <stdlib.h>
#include <string.h>

lw_environment *lw_environment_new(const lw_system *system, const lw_run *run, lw_error *err) {
    lw_environment *env = calloc(1, sizeof *env);
    lw_error none = {0};
    *err = none;
    if (env == NULL) {
        (void)lw_fail(err, "no memory for the environment");
        return NULL;
    }
    env->system = system;
    env->size = run->size;
    env->at = &env->nobody;
    if (!lw_environment_make(env, run, err)) {
        lw_system_name_place(system, err);
        lw_environment_free(env);
        return NULL;
    }
    return env;
}

void lw_environment_tell(lw_environment *env, volatile sig_atomic_t *at, int asking) {
    env->at = at;
    env->asking = asking;
}

void lw_environment_free(lw_environment *env) {
    if (env == NULL) {
        return;
    }
    if (env->front.self != NULL) {
        env->front.free(env->front.self);
    }
    for (uint32_t p = 0; p < env->processes; p++) {
        lw_workload_close(env->workloads[p]);
    }
    lw_os_agent_free(env->agent);
    lw_oracle_free(env->oracle);
    lw_line_port_free(env->port);
    lw_pte_cache_free(env->pte_cache);
    lw_dram_free(env->dram);
    lw_address_spaces_free(env->spaces);
    lw_neighbourhoods_free(env->neighbourhoods);
    lw_upper_neighbours_free(env->upper);
    lw_waiting_free(env->waiting);
    lw_failed_reads_free(env->failed_reads);
    lw_old_owners_free(env->owners);
    lw_walk_order_free(env->order);
    free(env->held_then);
    free(env->requests);
    free(env);
}

/* ---------------------------------------------------------------- a cycle */

static uint64_t features_of(const lw_system *s) {
    return s->mode | (uint64_t)s->pwc_enable << 2 | (uint64_t)s->pl_skips_pwc << 3 |
           (uint64_t)s->subregion_enable << 4 | (uint64_t)s->colt_enable << 5 |
           (uint64_t)s->home_first << 6;
}

/* Software changes its mind about coalescing, the page walk cache and what a walk of a hashed table
 * reads first, which no answer may depend on, and about CoLT, which an answer need not say anything
 * of. Not about subregions, whose bits decide where a page is. */
static bool feature_write(lw_environment *env, lw_inputs *in) {
    enum { MODE_TO_PL_SKIPS_PWC = 0xf, COLT_ENABLE = 0x20, HOME_FIRST = 0x40 };
    const uint32_t rate = env->system->feature_changes;
    if (rate == 0 || lw_rng_below(&env->rng, 10000) >= rate) {
        return false;
    }
    in->ctl_write = true;
    in->ctl_addr = LW_CTL_FEATURES;
    in->ctl_wdata = (features_of(env->system) & ~(uint64_t)MODE_TO_PL_SKIPS_PWC) |
                    lw_rng_below(&env->rng, MODE_TO_PL_SKIPS_PWC + 1);
    if (env->system->colt_enable != 0 && lw_rng_below(&env->rng, 2) == 0) {
        in->ctl_wdata &= ~(uint64_t)COLT_ENABLE;
    }
    if (env->system->hashed_tables != 0 && lw_rng_below(&env->rng, 2) == 0) {
        in->ctl_wdata ^= HOME_FIRST;
    }
    return true;
}

/* What the unit is told of a process: of a hashed table in three words, the root last (R21.16). */
static void tell_process(const lw_environment *env, uint32_t p, uint32_t word, lw_inputs *in) {
    enum { LOG = 57 };
    const uint64_t valid = UINT64_C(1) << 63;
    if (!lw_address_spaces_is_hashed(env->spaces, p)) {
        in->ctl_addr = LW_CTL_ROOT + p;
        in->ctl_wdata = valid | lw_page_table_root(lw_address_spaces_table(env->spaces, p));
        return;
    }
    const lw_hashed_walk_query told = lw_address_spaces_told(env->spaces, p);
    const struct {
        uint32_t addr;
        uint64_t data;
    } words[LW_BOOT_WORDS] = {
        {LW_CTL_STEP, (uint64_t)told.step_log << LOG | told.step_frame},
        {LW_CTL_VICTIM, (told.has_victim_buffer ? valid : 0) | told.page.root},
        {LW_CTL_ROOT,
         valid | UINT64_C(1) << 62 | (uint64_t)told.table_log << LOG | told.table_frame},
    };
    in->ctl_addr = words[word].addr + p;
    in->ctl_wdata = words[word].data;
}

/* Control writes of a run before all else: of a hashed table's stride, and for each process. */
static uint32_t boot_writes(const lw_environment *env) {
    const uint32_t processes = lw_address_spaces_processes(env->spaces);
    return lw_address_spaces_hashed(env->spaces) == NULL ? 1 + processes
                                                         : 2 + LW_BOOT_WORDS * processes;
}

/* The next of them: features, then what each process has. */
static bool boot_write(const lw_environment *env, lw_inputs *in) {
    const lw_hashed_table *hashed = lw_address_spaces_hashed(env->spaces);
    if (env->boot >= boot_writes(env)) {
        return false;
    }
    in->ctl_write = true;
    if (env->boot == 0) {
        in->ctl_addr = LW_CTL_FEATURES;
        in->ctl_wdata = features_of(env->system);
    } else if (hashed == NULL) {
        tell_process(env, env->boot - 1, 0, in);
    } else if (env->boot == 1) {
        in->ctl_addr = LW_CTL_STRIDE;
        in->ctl_wdata = lw_hashed_table_config(hashed)->stride;
    } else {
        tell_process(env, (env->boot - 2) / LW_BOOT_WORDS, (env->boot - 2) % LW_BOOT_WORDS, in);
    }
    return true;
}

void lw_environment_drive(lw_environment *env, uint64_t now, lw_inputs *in) {
    memset(in, 0, sizeof *in);
    if (boot_write(env, in)) {
        return;
    }
    /* Read a register in each cycle, another one each time, so that the read port is compared too.
     */
    if (!feature_write(env, in)) {
        in->ctl_addr = (now & 1) == 0 ? LW_CTL_COUNTER + (uint32_t)(now >> 1) % LW_COUNTERS
                                      : (uint32_t)(now >> 1) % 3;
    }
    in->req_valid = env->front.offer(env->front.self, now, &env->offered);
    if (in->req_valid) {
        in->req_id = env->offered.id;
        in->req_src = env->offered.src;
        in->req_pasid = env->offered.pasid;
        in->req_page = env->offered.page;
        in->req_access = env->offered.access;
    }
    in->rsp_ready = env->front.ready(env->front.self, now) && !env->slow.sink.held;
    in->mem_req_ready = lw_line_port_ready(env->port, now) && !env->slow.memory.held;
    lw_line_response line;
    in->mem_rsp_valid = lw_line_port_response(env->port, now, &line);
    if (in->mem_rsp_valid) {
        in->mem_rsp_tag = line.tag;
        in->mem_rsp_error = line.error;
        env->line_offered = line.line;
        memcpy(in->mem_rsp_data, line.data, sizeof in->mem_rsp_data);
    }
    lw_os_agent_drive(env->agent, in);
}

/* The sentence is in the error already. */
static bool convict(lw_environment *env, lw_judgement verdict) {
    env->verdict = verdict;
    return false;
}

/* The oracle has refused: for want of the host's memory, or the unit is wrong. */
static bool convict_unless_short(lw_environment *env) {
    return convict(env, lw_oracle_is_whole(env->oracle) ? LW_VERDICT_WRONG : LW_VERDICT_GOOD);
}

static bool take_request(lw_environment *env, uint64_t now, const lw_inputs *in, lw_error *err) {
    const int before = lw_environment_asks(env);
    const bool good = lw_oracle_request(env->oracle, in->req_id, in->req_pasid, in->req_page,
                                        in->req_access, err);
    *env->at = before;
    if (!good) {
        return convict(env, LW_VERDICT_WRONG);
    }
    env->requests[in->req_id] = env->offered;
    if (env->upper != NULL) {
        env->neighbours +=
            lw_neighbourhoods_enter(env->neighbourhoods, in->req_pasid, in->req_page);
        lw_upper_neighbours_enter(env->upper, in->req_pasid, in->req_page);
    }
    lw_waiting_enter(env->waiting, in->req_id, now);
    lw_old_owners_enter(env->owners, in->req_pasid);
    lw_environment_expect_walk(env, in);
    lw_os_agent_asked(env->agent, in->req_pasid, in->req_page, now);
    env->held_then[in->req_id] = env->waits.worst.held;
    env->front.accepted(env->front.self, now);
    return true;
}

static bool take_response(lw_environment *env, uint64_t now, const lw_outputs *out, lw_error *err) {
    const lw_front_response response = {.id = out->rsp_id,
                                        .kind = out->rsp_kind,
                                        .level = out->rsp_level,
                                        .size = out->rsp_size,
                                        .perm = out->rsp_perm,
                                        .pfn = out->rsp_pfn};
    const bool good = out->rsp_kind == LW_OK;
    const lw_oracle_answer answer = {.kind = out->rsp_kind,
                                     .level = good ? 0 : out->rsp_level,
                                     .links = good ? out->rsp_level : 0, /* R1.9 */
                                     .pfn = out->rsp_pfn,
                                     .size = out->rsp_size,
                                     .w = (out->rsp_perm & 1) != 0,
                                     .x = (out->rsp_perm & 2) != 0};
    env->answering_since = lw_waiting_since(env->waiting, out->rsp_id);
    lw_failed_reads_ask(env->failed_reads, env->answering_since);
    const int before = lw_environment_asks(env);
    const bool right = lw_oracle_response(env->oracle, out->rsp_id, &answer, err);
    *env->at = before;
    if (!right) {
        return convict_unless_short(env);
    }
    lw_failed_reads_use(env->failed_reads);
    const uint64_t waited = now - env->answering_since;
    env->longest_wait = waited > env->longest_wait ? waited : env->longest_wait;
    lw_wait_counts_answer(&env->waits, now, env->answering_since, env->held_then[out->rsp_id]);
    lw_waiting_leave(env->waiting, out->rsp_id);
    if (env->order != NULL) {
        lw_walk_order_answer(env->order, out->rsp_id);
    }
    const lw_front_request *request = &env->requests[out->rsp_id];
    lw_environment_note_answer(env, request, out->rsp_kind, out->rsp_level);
    lw_old_owners_leave(env->owners, request->pasid, env->answering_since);
    if (env->upper != NULL) {
        (void)lw_neighbourhoods_leave(env->neighbourhoods, request->pasid, request->page);
        lw_upper_neighbours_leave(env->upper, request->pasid, request->page);
    }
    env->front.response(env->front.self, now, &response);
    return true;
}

/* What memory gave a walker with an error (R9.9); of a head's nobody is told (R16.7). */
static bool note_failed_read(lw_environment *env, uint64_t now, lw_error *err) {
    uint32_t id = 0;
    uint64_t oldest = now;
    (void)lw_waiting_oldest(env->waiting, &id, &oldest);
    return lw_failed_reads_add(env->failed_reads, env->line_offered, now, oldest) ||
           lw_fail(err, "no memory for a failed read");
}

/* Nobody waits longer than the system allows, neither for an answer nor to be taken. */
static bool nobody_forgotten(lw_environment *env, uint64_t now, lw_error *err) {
    const uint64_t most = env->system->longest_wait;
    uint32_t id = 0;
    uint64_t since = now;
    const bool waits = lw_waiting_oldest(env->waiting, &id, &since);
    if (waits && now - since > most) {
        const lw_front_request *r = &env->requests[id];
        (void)lw_fail(err,
                      "request %u (PASID %u, page 0x%llx) hangs: it waits for its answer since "
                      "cycle %llu, longer than longest_wait = %llu cycles",
                      id, r->pasid, (unsigned long long)r->page, (unsigned long long)since,
                      (unsigned long long)most);
        return convict(env, LW_VERDICT_HANGS);
    }
    if (env->refused > most) {
        (void)lw_fail(err,
                      "request %u (PASID %u, page 0x%llx) hangs: it is offered and not taken for "
                      "longer than longest_wait = %llu cycles",
                      env->offered.id, env->offered.pasid, (unsigned long long)env->offered.page,
                      (unsigned long long)most);
        return convict(env, LW_VERDICT_HANGS);
    }
    return true;
}

/* Who was refused, who is an old owner: before the transfers of the cycle are told. */
static void note_cycle(lw_environment *env, uint64_t now, const lw_inputs *in,
                       const lw_outputs *out) {
    lw_port_counts_cycle(&env->counts, env->system->hw.walkers, in, out);
    lw_wait_counts_cycle(&env->waits, now, in, out);
    lw_old_owners_cycle(env->owners, now, in, in->inv_valid && out->inv_ready);
    env->refused = in->req_valid && !out->req_ready ? env->refused + 1 : 0;
}

static bool take_completion(lw_environment *env, lw_error *err) {
    if (!lw_os_agent_waits(env->agent)) {
        (void)lw_fail(err, "inv_done is high, and no invalidation is under way");
        return convict(env, LW_VERDICT_WRONG);
    }
    if (!lw_old_owners_done(env->owners, err)) {
        return convict(env, LW_VERDICT_WRONG);
    }
    lw_inputs port;
    lw_os_agent_drive(env->agent, &port);
    env->front.shootdown(env->front.self, port.inv_type, port.inv_pasid, port.inv_first,
                         port.inv_last);
    return true;
}

/* Memory's part of a cycle. */
static bool step_memory(lw_environment *env, uint64_t now, const lw_inputs *in,
                        const lw_outputs *out, lw_error *err) {
    const lw_line_request read = {.tag = out->mem_req_tag, .line = out->mem_req_line};
    const bool failed =
        in->mem_rsp_valid && in->mem_rsp_error && in->mem_rsp_tag < env->system->hw.walkers;
    if (failed && !note_failed_read(env, now, err)) {
        return false;
    }
    const bool reads = out->mem_req_valid && in->mem_req_ready;
    if (reads && !lw_environment_judge_read(env, read.line, err)) {
        return convict(env, LW_VERDICT_WRONG);
    }
    lw_line_port_slow(env->port, env->slow.memory.left != 0 ? env->slow.memory.latency : 0);
    lw_line_port_step(env->port, now, reads ? &read : NULL);
    return true;
}

bool lw_environment_observe(lw_environment *env, uint64_t now, const lw_inputs *in,
                            const lw_outputs *out, lw_error *err) {
    note_cycle(env, now, in, out);
    if (in->ctl_write && env->boot < boot_writes(env)) {
        env->boot++;
        return true;
    }
    if (in->req_valid && out->req_ready && !take_request(env, now, in, err)) {
        return false;
    }
    if (!step_memory(env, now, in, out, err)) {
        return false;
    }
    if (out->rsp_valid && in->rsp_ready && !take_response(env, now, out, err)) {
        return false;
    }
    if (out->inv_done && !take_completion(env, err)) {
        return false;
    }
    if (!lw_os_agent_tick(env->agent, in->inv_valid && out->inv_ready, out->inv_done, err)) {
        return false;
    }
    env->front.tick(env->front.self, now);
    lw_slow_phases_tick(&env->slow, env->system->slow_sinks, env->system->slow_memories,
                        env->system->slow_phase);
    if (env->wrong_hit.text[0] != '\0') {
        (void)lw_fail(err, "%s", env->wrong_hit.text);
        return convict_unless_short(env);
    }
    return !env->front.failed(env->front.self, err) && nobody_forgotten(env, now, err);
}

void lw_environment_skip(lw_environment *env, uint64_t n, bool waits) {
    lw_port_counts_idle(&env->counts, n, waits);
    lw_wait_counts_skip(&env->waits, n, waits);
    env->refused += waits ? n : 0;
}

lw_judgement lw_environment_verdict(const lw_environment *env) {
    return env->verdict;
}

uint64_t lw_environment_next_event(const lw_environment *env, uint64_t now, bool waits) {
    const lw_system *s = env->system;
    if (env->boot < boot_writes(env) ||
        s->feature_changes + s->slow_sinks + s->slow_memories != 0) {
        return now + 1;
    }
    const uint64_t front = env->front.next_event(env->front.self, now, waits);
    if (front <= now + 1) {
        return front; /* nothing comes before it */
    }
    const uint64_t port = lw_line_port_next_event(env->port, now + 1);
    const uint64_t agent = lw_os_agent_next_event(env->agent, now);
    const uint64_t first = front < port ? front : port;
    return agent < first ? agent : first;
}

bool lw_environment_finished(const lw_environment *env) {
    return env->front.finished(env->front.self) && !lw_os_agent_busy(env->agent) &&
           lw_line_port_in_flight(env->port) == 0;
}

bool lw_environment_finish(const lw_environment *env, lw_error *err) {
    const lw_waits waits = lw_environment_waits(env);
    return lw_oracle_finish(env->oracle, err) &&
           lw_waits_are_bounded(&env->system->hw, &waits, env->counts.invalidations != 0, err);
}

bool lw_environment_counters_agree(const lw_environment *env, const uint64_t counters[LW_COUNTERS],
                                   lw_error *err) {
    return lw_port_counts_agree(&env->counts, &env->system->hw, lw_environment_finished(env),
                                counters, err);
}
