/* In every cycle each request is in the stage that the registers say, by the table of stages in
 * docs/json.md, and nobody else is under way. What the twin tells of stages is held to its
 * registers here, as the lockstep holds those to the RTL's. */
#include "tests/unit/sim/environment/environment_run.h"

#include "c_model/base/moves.h"

enum { IDS = 1 << 16, NOBODY = IDS };
/* R7.1 */
enum { PWC_REQ = 2, PWC_WAIT, CAM, REQ, MEM, RESP };

typedef struct watcher {
    lw_moves moves;
    uint32_t under_way;
    lw_stage told[IDS]; /* by id */
    uint32_t found;     /* requests that the registers show in this cycle */
    uint32_t read;      /* the id that the reading register held in the cycle before */
    uint32_t *held;     /* by slot of the buffer: the id of its last entry */
    uint64_t cycles[LW_STAGES];
    const environment_run *run;
    const char *system;
} watcher;

static void told(void *ctx, uint32_t id, lw_stage stage) {
    watcher *w = ctx;
    w->under_way += stage == LW_STAGE_TLB ? 1u : 0u;
    w->under_way -= stage == LW_STAGE_LEFT ? 1u : 0u;
    w->told[id] = stage;
}

static void read_nothing(void *ctx) {
    watcher *w = ctx;
    for (uint32_t i = 0; i < w->moves.gones; i++) {
        w->moves.free[w->moves.frees++] = w->moves.gone[i];
    }
    w->moves.gones = 0;
}

static void *zeros(size_t count, size_t size) {
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

static watcher *watch(const environment_run *r) {
    watcher *w = zeros(1, sizeof *w);
    const uint32_t lines = IDS + LW_MOVES_GONE;
    w->moves = (lw_moves){.told = told, .read = read_nothing, .ctx = w};
    w->moves.at = zeros(IDS, sizeof(uint32_t));
    w->moves.cycles = zeros((size_t)(lines + 1) * LW_STAGES, sizeof(uint32_t));
    w->moves.whole = zeros(lines + 1, sizeof(lw_request_whole));
    w->moves.free = zeros(lines, sizeof(uint32_t));
    while (w->moves.frees < lines) { /* the first is of who is not under way */
        w->moves.frees++;
        w->moves.free[w->moves.frees - 1] = w->moves.frees * LW_STAGES;
    }
    w->held = zeros(r->system.hw.buffer_entries, sizeof(uint32_t));
    w->run = r;
    w->read = NOBODY;
    lw_iommu_follow(r->twin, &w->moves);
    return w;
}

static void watch_free(watcher *w) {
    free(w->moves.at);
    free(w->moves.cycles);
    free(w->moves.whole);
    free(w->moves.free);
    free(w->held);
    free(w);
}

static uint32_t peek(const watcher *w, lw_field field, uint32_t i) {
    return (uint32_t)lw_iommu_peek(w->run->twin, field, i);
}

static void is_in(watcher *w, uint32_t id, lw_stage stage) {
    if (w->told[id] != stage) {
        fail_msg("%s, cycle %llu: request %u is told to be in stage %d, its registers say %d",
                 w->system, (unsigned long long)w->run->now, id, (int)w->told[id], (int)stage);
    }
    w->found++;
    w->cycles[stage]++;
}

static void look_at_queue(watcher *w, lw_field id, uint32_t places, lw_field head, lw_field count,
                          lw_stage stage) {
    const uint32_t first = peek(w, head, 0), many = peek(w, count, 0);
    for (uint32_t i = 0; i < many; i++) {
        is_in(w, peek(w, id, (first + i) % places), stage);
    }
}

static void look_at_buffer(watcher *w, uint32_t slot) {
    if (peek(w, LW_F_BUFFER_VALID, slot) == 0) {
        return;
    }
    const lw_stage waits = peek(w, LW_F_BUFFER_CL, slot) != 0 ? LW_STAGE_LINE : LW_STAGE_WALKER;
    const lw_stage stage = peek(w, LW_F_BUFFER_PICKED, slot) != 0 ? LW_STAGE_LOOK
                           : peek(w, LW_F_BUFFER_DONE, slot) != 0 ? LW_STAGE_TOLD
                                                                  : waits;
    w->held[slot] = peek(w, LW_F_BUFFER_ID, slot);
    is_in(w, w->held[slot], stage);
}

static void look_at_walker(watcher *w, uint32_t i) {
    if (peek(w, LW_F_PWST_STARTED, i) == 0) {
        return;
    }
    lw_stage stage = LW_STAGE_LEFT;
    switch (peek(w, LW_F_PWST_STATE, i)) {
    case PWC_REQ:
    case PWC_WAIT:
        stage = LW_STAGE_PWC;
        break;
    case CAM:
        stage = LW_STAGE_CAM;
        break;
    case REQ:
        stage = LW_STAGE_PORT;
        break;
    case MEM:
        stage = (lw_stage)(LW_STAGE_LEVEL_1 + peek(w, LW_F_PWST_LEVEL, i) - 1);
        break;
    case RESP:
        stage = LW_STAGE_ANSWER;
        break;
    default:
        break;
    }
    is_in(w, peek(w, LW_F_PWST_ID, i), stage);
}

/* R10.2: an entry that is chosen goes by the reading register, a walker does not. */
static void look_at_answers(watcher *w) {
    const uint32_t before = w->read;
    w->read = NOBODY;
    if (peek(w, LW_F_BUFFER_CONTROL_READING, 0) != 0) {
        w->read = w->held[peek(w, LW_F_BUFFER_CONTROL_READING_SLOT, 0)];
        is_in(w, w->read, LW_STAGE_TOLD);
    }
    if (peek(w, LW_F_ANSWER_ANSWER_VALID, 0) != 0) {
        const uint32_t id = peek(w, LW_F_ANSWER_ANSWER_ID, 0);
        is_in(w, id, id == before ? LW_STAGE_TOLD : LW_STAGE_ANSWER);
    }
}

static void look(watcher *w) {
    const lw_params *hw = &w->run->system.hw;
    w->found = 0;
    for (uint32_t i = 0; i < lw_tlb_stages(hw); i++) {
        if (peek(w, LW_F_TLB_PIPE_PIPE_VALID, i) != 0 &&
            (hw->second_lookup == 0 || peek(w, LW_F_TLB_PIPE_PIPE_SECOND, i) == 0)) {
            is_in(w, peek(w, LW_F_TLB_PIPE_PIPE_ID, i), LW_STAGE_TLB);
        }
    }
    if (peek(w, LW_F_MISS_MISS_VALID, 0) != 0) {
        is_in(w, peek(w, LW_F_MISS_MISS_ID, 0), LW_STAGE_QUEUE);
    }
    look_at_queue(w, LW_F_MISS_QUEUE_QUEUED_ID, hw->miss_queue, LW_F_MISS_MISS_HEAD,
                  LW_F_MISS_MISS_COUNT, LW_STAGE_QUEUE);
    for (uint32_t slot = 0; slot < hw->buffer_entries; slot++) {
        look_at_buffer(w, slot);
    }
    for (uint32_t i = 0; i < hw->walkers; i++) {
        look_at_walker(w, i);
    }
    look_at_answers(w);
    look_at_queue(w, LW_F_HIT_QUEUE_HIT_ID, hw->hit_queue, LW_F_RESPONSE_HIT_HEAD,
                  LW_F_RESPONSE_HIT_COUNT, LW_STAGE_RESPONSE);
    look_at_queue(w, LW_F_WALK_QUEUE_WALK_ID, hw->walk_queue, LW_F_RESPONSE_WALK_HEAD,
                  LW_F_RESPONSE_WALK_COUNT, LW_STAGE_RESPONSE);
    if (peek(w, LW_F_RESPONSE_OUT_VALID, 0) != 0) {
        is_in(w, peek(w, LW_F_RESPONSE_OUT_ID, 0), LW_STAGE_RESPONSE);
    }
    assert_int_equal(w->found, w->under_way);
}

static const char *const systems[] = {
    "baseline",      "nha",
    "stress_small",  "stress_one",
    "stress_wide",   "stress_second",
    "stress_mesc",   "stress_full_colt",
    "stress_shared", "stress_shared_address",
    "stress_hashed", "stress_hashed_mesc",
};

static void test_stages_are_those_of_the_registers(void **state) {
    (void)state;
    uint64_t cycles[LW_STAGES] = {0};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        environment_run r;
        const lw_run what = {.workload = "phases", .seed = 5, .max_requests = 1200};
        environment_open(&r, systems[i], &what, NULL, NULL);
        watcher *w = watch(&r);
        w->system = systems[i];
        while (!lw_environment_finished(r.env)) {
            lw_moves_cycle(&w->moves, r.now);
            if (!environment_cycle(&r, NULL, NULL)) {
                fail_msg("%s", r.err.text);
            }
            look(w);
        }
        for (lw_stage s = 0; s < LW_STAGES; s++) {
            cycles[s] += w->cycles[s];
        }
        watch_free(w);
        environment_close(&r);
    }
    for (lw_stage s = 0; s < LW_STAGES; s++) {
        assert_true(cycles[s] > 0 || s == LW_STAGE_LEVEL_5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages_are_those_of_the_registers),
    };
    return cmocka_run_group_tests_name("stages_registers", tests, NULL, NULL);
}
