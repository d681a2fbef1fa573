/* The waves of both sides beside each other (dpi/lockstep_waves.h): each register and port of each
 * side in each cycle, and whether a register differs. */
#include "tests/unit/dpi/file_limit.h"
#include "tests/unit/dpi/paper_rtl.h"
#include "tests/unit/dpi/vcd.h"

#include "dpi/lockstep_waves.h"
#include "dpi/port_table.h"

#include <sys/stat.h>
#include <unistd.h>

enum { CYCLES = 5, FIRST = 17, MOST = 8192 };
static const char *const sides[] = {"rtl", "twin"};

typedef struct fixture {
    lw_system system;
    lw_iommu *twin;
    lw_rtl rtl;
    lw_state_net *net;
    char path[64];
    lw_error err;
    bool has[2];              /* the sides that the run has */
    uint64_t *values[CYCLES]; /* of the registers and ports, in one order */
    bool differs[CYCLES];
} fixture;

static void open_fixture(fixture *f, const char *system, bool has_rtl, bool has_twin) {
    *f = (fixture){.has = {has_rtl, has_twin}};
    environment_load(&f->system, system, NULL, NULL);
    f->twin = lw_iommu_new(&f->system.hw, &f->err);
    assert_non_null(f->twin);
    paper_open(&f->rtl, &f->system.hw, false);
    paper_copy(&f->rtl, f->twin);
    f->net = lw_state_net_new(&f->system.hw, &paper_functions, &f->rtl, NULL,
                              has_twin ? f->twin : NULL, &f->err);
    assert_non_null(f->net);
    (void)snprintf(f->path, sizeof f->path, "/tmp/lockstep_waves_XXXXXX");
    (void)close(mkstemp(f->path));
}

static void close_fixture(fixture *f) {
    for (size_t i = 0; i < CYCLES; i++) {
        free(f->values[i]);
    }
    (void)unlink(f->path);
    lw_state_net_free(f->net);
    paper_close(&f->rtl);
    lw_iommu_free(f->twin);
}

static lw_lockstep_waves *open_waves(fixture *f, const char *path) {
    return lw_lockstep_waves_open(path, &f->system.hw, f->has[1] ? f->twin : NULL,
                                  f->has[0] ? f->net : NULL, &f->err);
}

/* Calls `see` for each register and port that the waves show, with its name and its value now. */
typedef void see_fn(void *ctx, const char *name, uint64_t value);

static void each_register(const fixture *f, see_fn *see, void *ctx) {
    const lw_params *hw = &f->system.hw;
    char name[128];
    for (lw_field i = 0; i < LW_FIELD_COUNT; i++) {
        for (uint32_t n = 0; lw_field_exists(hw, i) && n < paper_entries(&f->rtl, i); n++) {
            for (size_t side = 0; side < 2; side++) {
                lw_lockstep_waves_name(hw, i, n, sides[side], name, sizeof name);
                if (f->has[side]) {
                    see(ctx, name,
                        side == 0 ? lw_state_net_rtl(f->net, i, n) : lw_iommu_peek(f->twin, i, n));
                }
            }
        }
    }
}

static void each_port(const fixture *f, const lw_inputs *in, const lw_outputs *out, see_fn *see,
                      void *ctx) {
    const lw_port *port = NULL;
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        const uint32_t bits = lw_port_bits(port, &f->system.hw);
        char range[16] = "", name[128];
        if (bits > 1) {
            (void)snprintf(range, sizeof range, "[%u:0]", bits - 1);
        }
        for (size_t side = 0; side < 2; side++) {
            (void)snprintf(name, sizeof name, "lockstep.ports.%s_%s%s", port->name, sides[side],
                           range);
            if (!port->is_input && f->has[side]) {
                see(ctx, name, lw_port_value(port, &out[side]));
            }
        }
        (void)snprintf(name, sizeof name, "lockstep.ports.%s%s", port->name, range);
        if (port->is_input) {
            see(ctx, name, lw_port_value(port, in));
        }
    }
}

typedef struct seen {
    uint64_t *values;
    size_t count;
    const vcd *waves;
} seen;

static void keep(void *ctx, const char *name, uint64_t value) {
    seen *s = ctx;
    (void)name;
    assert_true(s->count < MOST);
    s->values[s->count++] = value;
}

static void find(void *ctx, const char *name, uint64_t value) {
    seen *s = ctx;
    (void)value;
    if (vcd_value(s->waves, name) != s->values[s->count]) {
        fail_msg("%s is 0x%llx in cycle %llu", name, (unsigned long long)vcd_value(s->waves, name),
                 (unsigned long long)s->waves->time);
    }
    s->count++;
}

/* Ports with each bit set now and then. */
static void draw(lw_rng *rng, const lw_params *hw, lw_inputs *in, lw_outputs out[2]) {
    const lw_port *port = NULL;
    memset(in, 0, sizeof *in);
    memset(out, 0, 2 * sizeof *out);
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        for (size_t side = 0; side < 2; side++) {
            void *ports = port->is_input ? (void *)in : (void *)&out[side];
            const uint64_t value = lw_rng_next(rng) >> (64 - lw_port_bits(port, hw));
            memcpy((char *)ports + port->offset, &value, port->bytes);
        }
    }
}

/* Runs it, and keeps what each side has been. In some cycles the last entry of a register of the
 * RTL is not what the twin's is. */
static void run(fixture *f) {
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    lw_lockstep_waves *w = open_waves(f, f->path);
    assert_non_null(w);
    for (size_t n = 0; n < CYCLES; n++) {
        lw_inputs in;
        lw_outputs out[2];
        draw(&rng, &f->system.hw, &in, out);
        in.req_pasid &= 1;
        in.mem_rsp_valid = in.inv_valid = false; /* which nobody asked for */
        in.ctl_addr = LW_CTL_ROOT + (n & 1);
        paper_copy(&f->rtl, f->twin);
        if (n == 2 || n == 3) {
            f->differs[n] = f->has[0] && f->has[1];
            paper_flip(&f->rtl, LW_F_COUNTER_COUNT, LW_C_CYCLES, 0); /* even, then odd */
        }
        seen s = {.values = calloc(MOST, sizeof *s.values)};
        f->values[n] = s.values;
        assert_non_null(s.values);
        each_register(f, keep, &s);
        each_port(f, &in, out, keep, &s);
        lw_lockstep_waves_registers(w, FIRST + n);
        lw_lockstep_waves_ports(w, &in, f->has[0] ? &out[0] : NULL, f->has[1] ? &out[1] : NULL);
        assert_true(lw_lockstep_waves_are_good(w));
        lw_iommu_step(f->twin, &in);
    }
    assert_true(lw_lockstep_waves_close(w));
}

static void check(fixture *f) {
    vcd waves;
    vcd_open(&waves, f->path);
    for (size_t n = 0; n < CYCLES; n++) {
        seen s = {.values = f->values[n], .waves = &waves};
        const lw_inputs in = {0};
        const lw_outputs out[2] = {{0}, {0}};
        assert_true(vcd_go_on(&waves));
        assert_int_equal(waves.time, FIRST + n);
        assert_int_equal(vcd_value(&waves, "lockstep.cycle[63:0]"), waves.time);
        assert_int_equal(vcd_value(&waves, "lockstep.differs"), f->differs[n]);
        each_register(f, find, &s);
        each_port(f, &in, out, find, &s);
        assert_int_equal(waves.count, s.count + 2); /* and nothing else */
    }
    assert_false(vcd_go_on(&waves));
    vcd_close(&waves);
}

static void test_each_value(void **state) {
    (void)state;
    static const struct {
        const char *system;
        bool rtl, twin;
    } rows[] = {{"stress_small", true, true},
                {"stress_small", false, true},
                {"stress_small", true, false},
                {"stress_hashed", true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        open_fixture(&f, rows[i].system, rows[i].rtl, rows[i].twin);
        run(&f);
        check(&f);
        close_fixture(&f);
    }
}

/* A register that only one side has differs from nothing. */
static void test_a_register_of_the_twin_alone(void **state) {
    (void)state;
    fixture f;
    lw_register_map map = {.path = "my.map"};
    open_fixture(&f, "stress_small", true, true);
    lw_state_net_free(f.net);
    map.line[LW_F_COUNTER_COUNT] = (lw_register_line){.number = 1, .nowhere = true};
    f.net = lw_state_net_new(&f.system.hw, &paper_functions, &f.rtl, &map, f.twin, &f.err);
    assert_non_null(f.net);
    lw_iommu_flip(f.twin, LW_F_COUNTER_COUNT, 1, 7);
    paper_copy(&f.rtl, f.twin);
    paper_flip(&f.rtl, LW_F_COUNTER_COUNT, 0, 0);
    lw_lockstep_waves *w = open_waves(&f, f.path);
    assert_non_null(w);
    lw_lockstep_waves_registers(w, 3);
    assert_true(lw_lockstep_waves_close(w));
    vcd waves;
    vcd_open(&waves, f.path);
    vcd_assert_distinct(&waves);
    assert_true(vcd_go_on(&waves));
    assert_null(vcd_signal_named(&waves, "lockstep.COUNTER_1.COUNT_rtl[47:0]"));
    assert_int_equal(vcd_value(&waves, "lockstep.COUNTER_1.COUNT_twin[47:0]"), 1 << 7);
    assert_int_equal(vcd_value(&waves, "lockstep.differs"), 0);
    vcd_close(&waves);
    close_fixture(&f);
}

static void assert_name(const lw_params *hw, lw_field field, uint32_t index, size_t room,
                        const char *wanted) {
    char name[64];
    memset(name, 'x', sizeof name);
    lw_lockstep_waves_name(hw, field, index, "rtl", name, room);
    assert_string_equal(name, wanted);
    for (size_t i = room; i < sizeof name; i++) {
        assert_int_equal(name[i], 'x');
    }
}

/* The entry's index where there are more than one, the range where it has more than a bit. */
static void test_names(void **state) {
    (void)state;
    lw_system system;
    environment_load(&system, "stress_small", NULL, NULL);
    assert_name(&system.hw, LW_F_BUFFER_PL, 1, 64, "lockstep.BUFFER_1.PL_rtl[2:0]");
    assert_name(&system.hw, LW_F_BUFFER_VALID, 0, 64, "lockstep.BUFFER_0.VALID_rtl");
    assert_name(&system.hw, LW_F_ANSWER_ANSWER_BASE, 0, 64,
                "lockstep.ANSWER.ANSWER_BASE_rtl[35:0]");
    assert_name(&system.hw, LW_F_BUFFER_PL, 1, 25, "lockstep.BUFFER_1.PL_rtl");
    assert_name(&system.hw, LW_F_BUFFER_PL, 1, 27, "lockstep.BUFFER_1.PL_rtl[2");
    assert_name(&system.hw, LW_F_BUFFER_PL, 1, 12, "lockstep.BU");
}

/* A file that cannot be opened, and one that cannot be written to its end. */
static void test_full_disk(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, "stress_small", true, true);
    assert_null(open_waves(&f, "/nowhere/f.vcd"));
    assert_string_equal(f.err.text, "--waves: /nowhere/f.vcd cannot be written");
    lw_lockstep_waves *w = open_waves(&f, "/dev/full");
    assert_non_null(w);
    lw_lockstep_waves_registers(w, 0);
    assert_false(lw_lockstep_waves_are_good(w));
    assert_false(lw_lockstep_waves_close(w));
    assert_true(lw_lockstep_waves_close(NULL));
    close_fixture(&f);
}

/* What is cut at its end alone, or in its midst, is not whole. */
static void test_cut(void **state) {
    (void)state;
    for (int in_the_midst = 0; in_the_midst < 2; in_the_midst++) {
        fixture f;
        struct stat s;
        open_fixture(&f, "stress_small", true, true);
        lw_lockstep_waves *w = open_waves(&f, f.path);
        assert_non_null(w);
        lw_lockstep_waves_registers(w, 0);
        assert_int_equal(stat(f.path, &s), 0);
        limit_files((rlim_t)s.st_size);
        for (uint64_t cycle = 1; in_the_midst != 0 && cycle < 500; cycle++) {
            lw_lockstep_waves_registers(w, cycle);
        }
        assert_int_equal(lw_lockstep_waves_are_good(w), !in_the_midst);
        if (in_the_midst != 0) {
            limit_files(RLIM_INFINITY);
        }
        assert_false(lw_lockstep_waves_close(w));
        limit_files(RLIM_INFINITY);
        close_fixture(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_value), cmocka_unit_test(test_a_register_of_the_twin_alone),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
