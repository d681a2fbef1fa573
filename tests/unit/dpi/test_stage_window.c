/* The window of requests, told by hand: which requests are in it, what is told of each, and in what
 * order (dpi/stage_window.h). */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/stage_window.h"

#include <stdio.h>

typedef struct told {
    char text[1024];
    lw_traced last; /* that began */
} told;

static void note(told *t, const char *what, uint64_t cycle, const lw_traced *r, unsigned stage) {
    const size_t used = strlen(t->text);
    (void)snprintf(t->text + used, sizeof t->text - used, "%llu:%s %llu %u>%u\n",
                   (unsigned long long)cycle, what, (unsigned long long)r->number,
                   (unsigned)r->stage, stage);
}

static void began(void *ctx, uint64_t cycle, const lw_traced *r) {
    told *t = ctx;
    t->last = *r;
    note(t, "began", cycle, r, r->stage);
}

static void moved(void *ctx, uint64_t cycle, const lw_traced *r, lw_stage to) {
    note(ctx, "moved", cycle, r, to);
}

static void ended(void *ctx, uint64_t cycle, const lw_traced *r, bool answered) {
    note(ctx, answered ? "answered" : "cut", cycle, r, r->stage);
}

static lw_stage_window *window_of(told *t, uint64_t from, uint64_t to) {
    lw_stage_window *w = lw_stage_window_new(4, from, to);
    assert_non_null(w);
    memset(t, 0, sizeof *t);
    lw_stage_window_add(w, &(lw_stage_writer){began, moved, ended, t});
    return w;
}

static void begin(lw_stage_window *w, uint64_t cycle, uint32_t id) {
    const lw_inputs in = {.req_page = 0x77};
    lw_stage_window_begin(w, cycle, id, &in, "");
}

/* Both ends of the window belong to it; a request that is not in it is told nothing of, and has no
 * number. */
static void test_ends_of_the_window(void **state) {
    told t;
    lw_stage_window *w = window_of(&t, 10, 12);
    (void)state;
    begin(w, 9, 0);
    begin(w, 10, 1);
    begin(w, 12, 2);
    begin(w, 13, 3);
    lw_stage_window_move(w, 14, 0, LW_STAGE_LEFT);
    lw_stage_window_move(w, 15, 1, LW_STAGE_LEFT);
    lw_stage_window_move(w, 16, 2, LW_STAGE_LEFT); /* to its end, which is behind the window's */
    lw_stage_window_move(w, 17, 3, LW_STAGE_LEFT);
    lw_stage_window_end(w);
    assert_string_equal(t.text, "10:began 0 0>0\n12:began 1 0>0\n15:answered 0 0>0\n"
                                "16:answered 1 0>0\n");
    lw_stage_window_free(w);
}

/* Of several stages in one cycle the last is told, and a cycle that leads back to where the request
 * was tells nothing. */
static void test_stages_of_one_cycle(void **state) {
    told t;
    lw_stage_window *w = window_of(&t, 0, UINT64_MAX);
    char wanted[256];
    (void)state;
    begin(w, 1, 5);
    lw_stage_window_move(w, 3, 5, LW_STAGE_QUEUE);
    lw_stage_window_move(w, 3, 5, LW_STAGE_WALKER);
    lw_stage_window_move(w, 4, 5, LW_STAGE_LINE);
    lw_stage_window_move(w, 4, 5, LW_STAGE_WALKER);
    lw_stage_window_move(w, 6, 5, LW_STAGE_LEFT);
    begin(w, 6, 5); /* its id is free again, and is taken in the same cycle */
    lw_stage_window_end(w);
    (void)snprintf(wanted, sizeof wanted,
                   "1:began 0 %u>%u\n3:moved 0 %u>%u\n6:answered 0 %u>%u\n6:began 1 %u>%u\n"
                   "6:cut 1 %u>%u\n",
                   LW_STAGE_TLB, LW_STAGE_TLB, LW_STAGE_TLB, LW_STAGE_WALKER, LW_STAGE_WALKER,
                   LW_STAGE_WALKER, LW_STAGE_TLB, LW_STAGE_TLB, LW_STAGE_TLB, LW_STAGE_TLB);
    assert_string_equal(t.text, wanted);
    lw_stage_window_free(w);
}

/* What is cut off is not answered, and is cut off once; of it nothing is told any more. */
static void test_cut_off(void **state) {
    told t;
    lw_stage_window *w = window_of(&t, 0, UINT64_MAX);
    (void)state;
    begin(w, 1, 0);
    lw_stage_window_end(w);
    lw_stage_window_move(w, 2, 0, LW_STAGE_QUEUE);
    lw_stage_window_end(w);
    assert_string_equal(t.text, "1:began 0 0>0\n1:cut 0 0>0\n");
    lw_stage_window_free(w);
}

static void test_what_a_request_is(void **state) {
    const lw_inputs in = {.req_page = UINT64_C(0x123456789a),
                          .req_id = 11,
                          .req_pasid = 13,
                          .req_access = 2,
                          .req_src = 3};
    told t;
    lw_stage_window *w = window_of(&t, 0, UINT64_MAX);
    (void)state;
    lw_stage_window_begin(w, 1, 11, &in, "mvt");
    assert_int_equal(t.last.page, in.req_page);
    assert_int_equal(t.last.id, 11);
    assert_int_equal(t.last.pasid, 13);
    assert_int_equal(t.last.access, 2);
    assert_int_equal(t.last.src, 3);
    assert_string_equal(t.last.kernel, "mvt");
    lw_stage_window_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_of_the_window),
        cmocka_unit_test(test_stages_of_one_cycle),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_what_a_request_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
