/* A session on both sides, and on the RTL alone (dpi/session.h): what is compared, and what a
 * mismatch says. */
#include "tests/unit/dpi/session_bench.h"

#include "dpi/places.h"
#include "dpi/rtl_library.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* On the RTL that the gate has anyway; it is looked for once in a test. */
static void begin(session_bench *b, lw_side side) {
    session_begin(b, side, "stress_small", NULL);
    b->run.max_requests = 40;
}

static const lw_session_result *go(session_bench *b) {
    const lw_session_result *r = session_go(b);
    b->options.is_built = true;
    return r;
}

/* "The same run gives the same figures on each", and both compare each cycle. */
static void test_sides(void **state) {
    (void)state;
    session_bench twin, rtl, both;
    begin(&twin, LW_SIDE_TWIN);
    begin(&rtl, LW_SIDE_RTL);
    begin(&both, LW_SIDE_BOTH);
    const lw_session_result *t = go(&twin), *r = go(&rtl), *b = go(&both);
    assert_false(t->mismatch.found || r->mismatch.found || b->mismatch.found);
    assert_same_figures(t, r);
    assert_same_figures(t, b);
    assert_int_equal(t->cycles, r->cycles);
    assert_int_equal(t->cycles, b->cycles);
    assert_memory_equal(t->counters, b->counters, sizeof t->counters);
    for (size_t i = 0; i < LW_COUNTERS; i++) {
        assert_int_equal(r->counters[i], 0); /* which are the twin's */
    }
    assert_int_equal(t->compared_cycles, 0);
    assert_int_equal(r->compared_cycles, 0);
    assert_int_equal(b->compared_cycles, b->cycles);
    assert_int_equal(t->compared_state_writes, 0);
    assert_int_equal(r->compared_state_writes, 0);
    assert_true(b->compared_state_writes > b->cycles);
    uint32_t fields = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        fields += lw_field_exists(&both.system.hw, f);
    }
    assert_int_equal(b->fields, fields);
    assert_int_equal(b->fields_compared, fields);
    assert_string_equal(b->left_out, "");
    assert_true(b->rtl_version[0] == '5' && b->rtl_version[1] == '.'); /* Verilator's */
    assert_string_equal(b->rtl_version, r->rtl_version);
    assert_string_equal(t->rtl_version, "");
}

/* Cycles and registers count as compared by the nets that are on. */
static void test_nets(void **state) {
    (void)state;
    session_bench b;
    begin(&b, LW_SIDE_BOTH);
    const uint64_t cycles = go(&b)->cycles;
    for (uint32_t off = 1; off <= LW_NETS; off++) {
        const bool ports = (off & LW_NET_PORTS) == 0, registers = (off & LW_NET_STATE) == 0;
        b.options.nets_off = off;
        assert_int_equal(go(&b)->cycles, cycles);
        assert_int_equal(b.result.compared_cycles, ports || registers ? cycles : 0);
        assert_int_equal(b.result.compared_state_writes != 0, registers);
    }
    b.options.nets_off = 0;
    b.options.random_start = 7; /* without the state net */
    assert_int_equal(go(&b)->compared_cycles, cycles);
    assert_int_equal(b.result.compared_state_writes, 0);
}

/* In a full compare each register counts; they are as many as are asked for, and one more at the
 * end. */
static void test_full_compares(void **state) {
    (void)state;
    session_bench b;
    uint64_t written[4];
    const uint64_t every[] = {0, 1, 10, 1000000};
    begin(&b, LW_SIDE_BOTH);
    b.options.max_cycles = 500;
    for (size_t i = 0; i < 4; i++) {
        b.options.full_compare_every = every[i];
        written[i] = go(&b)->compared_state_writes;
        assert_false(b.result.mismatch.found);
    }
    assert_int_equal(written[3], written[0]);
    assert_true(written[1] - written[0] > 9 * (written[2] - written[0]));
    assert_true(written[1] - written[0] < 11 * (written[2] - written[0]));
    assert_true(written[2] > written[0] + UINT64_C(50) * LW_COUNTERS);
}

/* A register that is flipped after a cycle differs in it, and is named with both values. */
static void test_a_flip_on_each_side(void **state) {
    (void)state;
    session_bench b;
    for (int of_twin = 0; of_twin < 2; of_twin++) {
        begin(&b, LW_SIDE_BOTH);
        const lw_injection flip = session_flip(LW_F_COUNTER_COUNT, 9, 40, 300);
        *(of_twin != 0 ? &b.options.twin_injection : &b.options.rtl_injection) = flip;
        const lw_mismatch *m = &go(&b)->mismatch;
        assert_true(m->found);
        assert_int_equal(m->cycle, 300);
        assert_int_equal(b.result.cycles, 301);
        assert_int_equal(b.result.compared_cycles, 301);
        assert_int_equal(m->differences, 1);
        assert_int_equal(m->list[0].field, LW_F_COUNTER_COUNT);
        assert_int_equal(m->list[0].index, 9);
        assert_int_equal((of_twin != 0 ? m->list[0].twin : m->list[0].rtl) >> 40, 1);
        assert_int_equal((of_twin != 0 ? m->list[0].rtl : m->list[0].twin) >> 40, 0);
        assert_false(m->ports || m->oracle || m->hang || m->assertion || m->after_reset);
        assert_int_equal(m->request_id, LW_NO_REQUEST);
    }
    /* Both at once are both named. */
    b.options.rtl_injection = session_flip(LW_F_COUNTER_COUNT, 3, 40, 300);
    assert_int_equal(go(&b)->mismatch.differences, 2);
    /* On both sides alike they are equal. */
    b.options.rtl_injection = b.options.twin_injection =
        session_flip(LW_F_ROOT_ROOT_FRAME, 3, 0, 300);
    b.options.max_cycles = 320;
    assert_false(go(&b)->mismatch.found);
}

/* Of an entry that differs the request is told that it holds, as the twin has it. */
static void test_the_request_concerned(void **state) {
    (void)state;
    static const lw_field fields[] = {LW_F_BUFFER_ID, LW_F_PWST_ID};
    session_bench b;
    begin(&b, LW_SIDE_BOTH);
    b.options.max_cycles = 600;
    for (size_t i = 0; i < 2; i++) {
        const lw_mismatch *m = &b.result.mismatch;
        b.result.mismatch.found = false;
        for (uint64_t at = 300; at < 600 && !m->found; at++) {
            b.options.rtl_injection = session_flip(fields[i], 1, 0, at);
            (void)go(&b);
        }
        assert_true(m->found);
        assert_int_equal(m->cycle, b.options.rtl_injection.cycle);
        assert_int_equal(m->differences, 1);
        assert_int_equal(m->list[0].field, fields[i]);
        assert_int_equal(m->list[0].twin ^ m->list[0].rtl, 1);
        assert_int_equal(m->request_id, m->list[0].twin);
    }
}

/* The outputs of both sides, as they first differ. */
static void test_ports(void **state) {
    (void)state;
    session_bench b;
    begin(&b, LW_SIDE_BOTH);
    b.options.nets_off = LW_NET_STATE | LW_NET_ORACLE;
    const lw_mismatch *m = &b.result.mismatch;
    for (uint64_t at = 340; at < 600 && !m->found; at++) {
        b.options.max_cycles = at + 20;
        b.options.rtl_injection = session_flip(LW_F_RESPONSE_OUT_PFN, 0, 1, at);
        (void)go(&b);
    }
    assert_true(m->found && m->ports);
    assert_false(m->oracle || m->hang || m->assertion);
    assert_int_equal(m->differences, 0);
    assert_true(m->cycle > b.options.rtl_injection.cycle);
    assert_true(m->rtl_out.rsp_valid && m->twin_out.rsp_valid);
    assert_int_equal(m->rtl_out.rsp_pfn ^ m->twin_out.rsp_pfn, 2);
    assert_int_equal(b.result.cycles, m->cycle + 1);
    assert_int_equal(b.result.compared_cycles, b.result.cycles);
    b.options.nets_off = LW_NETS; /* nobody looks */
    assert_false(go(&b)->mismatch.found);
}

/* Who answers wrongly is seen on each side alone, but where nobody looks. */
static void test_oracle(void **state) {
    (void)state;
    session_bench b;
    begin(&b, LW_SIDE_RTL);
    const uint64_t whole = go(&b)->cycles;
    b.options.is_built = false; /* the RTL that can be flipped is another one */
    b.options.rtl_injection = session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, 300);
    const lw_mismatch *m = &go(&b)->mismatch;
    assert_true(m->found && m->oracle);
    assert_true(m->cycle > 300 && b.result.cycles == m->cycle + 1);
    const uint64_t wrong = m->cycle;
    b.options.nets_off = LW_NET_ORACLE;
    b.options.max_cycles = wrong + 10;
    assert_false(go(&b)->mismatch.found);
    /* What the other side was to flip is no matter of this one. */
    begin(&b, LW_SIDE_RTL);
    b.options.twin_injection = session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, whole);
    assert_false(go(&b)->mismatch.found);
}

static void test_flips_at_the_end(void **state) {
    (void)state;
    session_bench b;
    char said[256];
    begin(&b, LW_SIDE_BOTH);
    const uint64_t whole = go(&b)->cycles;
    for (int of_twin = 0; of_twin < 2; of_twin++) {
        begin(&b, LW_SIDE_BOTH);
        lw_injection *flip = of_twin != 0 ? &b.options.twin_injection : &b.options.rtl_injection;
        *flip = session_flip(LW_F_COUNTER_COUNT, 9, 40, whole - 1);
        assert_true(go(&b)->mismatch.found);
        assert_int_equal(b.result.mismatch.cycle, whole - 1);
        flip->cycle = whole;
        assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
        (void)snprintf(said, sizeof said,
                       "--inject%s: the run has %" PRIu64 " cycles, so the flip in cycle %" PRIu64
                       " never took place; allowed: a cycle below",
                       of_twin != 0 ? "-twin" : "", whole, whole);
        assert_string_equal(b.err.text, said);
    }
}

/* Both sides are reset alike, and begin anew. */
static void test_resets(void **state) {
    (void)state;
    session_bench b, plain;
    for (lw_side side = LW_SIDE_RTL; side <= LW_SIDE_BOTH; side++) {
        begin(&plain, side);
        plain.run.max_requests = 200;
        (void)go(&plain);
        begin(&b, side);
        b.run.max_requests = 200;
        b.options.resets = 2;
        assert_false(go(&b)->mismatch.found);
        assert_int_equal(b.result.resets, 2);
        assert_true(b.result.cycles > plain.result.cycles);
        assert_int_equal(b.result.compared_cycles, side == LW_SIDE_BOTH ? b.result.cycles : 0);
        assert_same_figures(&b.result, &plain.result);
    }
}

/* What the caller says is built is not looked for: here no make could. */
static void test_what_is_built(void **state) {
    (void)state;
    session_bench b;
    char here[512], root[] = "/tmp/session_XXXXXX", link[64], build[600];
    begin(&b, LW_SIDE_BOTH);
    b.options.max_cycles = 10;
    (void)go(&b);
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(mkdtemp(root));
    (void)snprintf(build, sizeof build, "%s/build", here);
    (void)snprintf(link, sizeof link, "%s/build", root);
    assert_int_equal(symlink(build, link), 0);
    b.options.root = root;
    assert_int_equal(go(&b)->compared_cycles, 10);
    b.options.is_built = false;
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    assert_int_equal(unlink(link) | rmdir(root), 0);
}

/* Progress is told in the same cycles by the twin alone, whatever it leaves out. */
typedef struct shown {
    uint64_t count;
    uint64_t cycle[8];
} shown;

static void show(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total) {
    shown *s = ctx;
    assert_true(s->count < 8 && requests <= total);
    s->cycle[s->count++] = cycle;
}

static void test_progress(void **state) {
    (void)state;
    session_bench b;
    shown s[2] = {{0}};
    /* what draws in each cycle, so that none is left out */
    static const char *const keys[] = {"remaps",      "invalidations",      "feature_changes",
                                       "request_gap", "response_not_ready", "memory_not_ready"};
    for (int both = 0; both < 2; both++) {
        session_begin(&b, both != 0 ? LW_SIDE_BOTH : LW_SIDE_TWIN, "stress_small", "fixed:20000");
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            assert_true(lw_system_set(&b.system, keys[i], "0", "", &b.err));
        }
        b.options.max_cycles = 70000;
        b.options.progress = show;
        b.options.progress_ctx = &s[both];
        (void)go(&b);
    }
    assert_int_equal(s[0].count, 2);
    assert_memory_equal(&s[0], &s[1], sizeof s[0]);
}

/* What registers of the buffer hold after a reset, those without one (R0.6) first. */
typedef struct start {
    uint8_t vpn[64], position[64], valid[64];
} start;

static void no_cycle(void *ctx, const lw_outputs *out, lw_inputs *in) {
    (void)ctx;
    (void)out;
    (void)in;
}

static void read_start(const lw_rtl_library_handle *library, const lw_params *hw, lw_rtl *rtl,
                       lw_field f, uint8_t to[64]) {
    char place[LW_PLACE_MAX], name[LW_PLACE_MAX];
    lw_rtl_register reg;
    lw_rtl_place(hw, f, lw_rtl_instance(hw, lw_field_structure(f)), place, name);
    assert_true(library->functions->find(rtl, place, name, &reg));
    assert_true(reg.bytes > 0 && reg.bytes <= 64);
    memcpy(to, reg.data, reg.bytes);
}

static start start_of(const lw_rtl_library_handle *library, const lw_params *hw, int seed) {
    start s = {.vpn = {0}};
    lw_rtl *rtl = library->functions->create(no_cycle, NULL, seed);
    assert_non_null(rtl);
    library->functions->reset(rtl);
    read_start(library, hw, rtl, LW_F_BUFFER_VPN, s.vpn);
    read_start(library, hw, rtl, LW_F_BUFFER_POSITION, s.position);
    read_start(library, hw, rtl, LW_F_BUFFER_VALID, s.valid);
    library->functions->destroy(rtl);
    return s;
}

/* R0.6: what has no reset begins as zero, or as random bits that the seed alone decides. */
static void test_random_start(void **state) {
    (void)state;
    session_bench b;
    lw_rtl_library_handle library = {0};
    session_begin(&b, LW_SIDE_RTL, "stress_small", NULL);
    assert_true(lw_rtl_library_open(&library, ".", &b.system, false, &b.err));
    const start plain = start_of(&library, &b.system.hw, 0), none = {.vpn = {0}};
    const start one = start_of(&library, &b.system.hw, 7);
    const start again = start_of(&library, &b.system.hw, 7);
    const start other = start_of(&library, &b.system.hw, 8);
    assert_memory_equal(&plain, &none, sizeof plain);
    assert_memory_equal(&again, &one, sizeof again);
    assert_memory_not_equal(one.vpn, none.vpn, sizeof one.vpn);
    assert_memory_not_equal(one.position, none.position, sizeof one.position);
    assert_memory_not_equal(one.vpn, other.vpn, sizeof one.vpn);
    assert_memory_equal(one.valid, none.valid, sizeof one.valid); /* R0.2 */
    lw_rtl_library_close(&library);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_nets),
        cmocka_unit_test(test_full_compares),
        cmocka_unit_test(test_a_flip_on_each_side),
        cmocka_unit_test(test_the_request_concerned),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_flips_at_the_end),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_what_is_built),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_random_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
