/* What a run tells the unit before all else, and what it writes while it goes on: features, a
 * hashed table's registers, roots (R12.2, R21.16). */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/tables/hashed_query.h"

static const lw_run stress = {.workload = "random", .seed = 1, .max_requests = 2000};

static const lw_run page = {.workload = "repeat", .seed = 1, .size = 1};

#define VALID (UINT64_C(1) << 63)

typedef struct written {
    uint32_t addr;
    uint64_t data;
} written;

/* The control writes until the first request can be offered; their number. */
static uint32_t boot(environment_run *r, written *writes, uint32_t room) {
    uint32_t count = 0;
    while (true) {
        lw_environment_drive(r->env, r->now, &r->in);
        if (!r->in.ctl_write) {
            return count;
        }
        assert_true(count < room && !r->in.req_valid && !r->in.inv_valid);
        writes[count++] = (written){r->in.ctl_addr, r->in.ctl_wdata};
        lw_iommu_outputs(r->twin, &r->out);
        assert_int_equal(lw_environment_next_event(r->env, r->now, false), r->now + 1);
        lw_iommu_step(r->twin, &r->in);
        assert_true(lw_environment_observe(r->env, r->now++, &r->in, &r->out, &r->err));
    }
}

/* Each bit of FEATURES is one key's: two rows are of one, with two values. */
static void test_features(void **state) {
    (void)state;
    static const struct {
        const char *system, *key, *value;
        uint64_t mask, bits;
    } rows[] = {
        {"stress_small", "mode", "0", 0x3, 0},
        {"stress_small", "mode", "1", 0x3, 1},
        {"stress_small", "mode", "0", 0x3, 0},
        {"stress_small", "mode", "2", 0x3, 2},
        {"stress_small", "pwc_enable", "0", 0x4, 0},
        {"stress_small", "pwc_enable", "1", 0x4, 4},
        {"stress_small", "pl_skips_pwc", "0", 0x8, 0},
        {"stress_small", "pl_skips_pwc", "1", 0x8, 8},
        {"stress_mesc", "subregion_enable", "0", 0x10, 0},
        {"stress_mesc", "subregion_enable", "1", 0x10, 0x10},
        {"stress_colt", "colt_enable", "0", 0x20, 0},
        {"stress_colt", "colt_enable", "1", 0x20, 0x20},
        {"stress_hashed", "home_first", "0", 0x40, 0},
        {"stress_hashed", "home_first", "1", 0x40, 0x40},
    };
    environment_run r;
    uint64_t before = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (i == 0 || strcmp(rows[i].system, rows[i - 1].system) != 0) {
            environment_open(&r, rows[i].system, &page, NULL, NULL);
        }
        assert_true(lw_system_set(&r.system, rows[i].key, rows[i].value, "", &r.err));
        lw_environment_drive(r.env, 0, &r.in);
        assert_true(r.in.ctl_write);
        assert_int_equal(r.in.ctl_addr, LW_CTL_FEATURES);
        assert_int_equal(r.in.ctl_wdata & rows[i].mask, rows[i].bits);
        assert_true(i % 2 == 0 || ((r.in.ctl_wdata ^ before) & ~rows[i].mask) == 0);
        before = r.in.ctl_wdata;
        if (i + 1 == sizeof rows / sizeof rows[0] ||
            strcmp(rows[i].system, rows[i + 1].system) != 0) {
            environment_close(&r);
        }
    }
}

/* A radix table is told in one word, its root. */
static void test_roots(void **state) {
    (void)state;
    environment_run r;
    written writes[16];
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    const uint32_t processes = lw_address_spaces_processes(r.env->spaces);
    assert_int_equal(boot(&r, writes, 16), 1 + processes);
    assert_true(processes > 1);
    for (uint32_t p = 0; p < processes; p++) {
        assert_int_equal(writes[1 + p].addr, 0x800 + p);
        assert_int_equal(writes[1 + p].data,
                         VALID | lw_page_table_root(lw_address_spaces_table(r.env->spaces, p)));
    }
    environment_close(&r);
}

/* A hashed one in three, the root last, so that nobody walks before all is there; a process without
 * one has its root written as often. */
static void test_hashed_tables(void **state) {
    (void)state;
    environment_run r;
    written writes[64];
    uint32_t hashed = 0;
    uint32_t without = 0;
    environment_open(&r, "stress_hashed", &stress, NULL, NULL);
    const uint32_t processes = lw_address_spaces_processes(r.env->spaces);
    assert_int_equal(boot(&r, writes, 64), 2 + 3 * processes);
    assert_int_equal(writes[1].addr, 0x004);
    assert_int_equal(writes[1].data,
                     lw_hashed_table_config(lw_address_spaces_hashed(r.env->spaces))->stride);
    for (uint32_t p = 0; p < processes; p++) {
        const written *of = &writes[2 + 3 * p];
        if (!lw_address_spaces_is_hashed(r.env->spaces, p)) {
            assert_int_equal(of[2].addr, 0x800 + p);
            assert_int_equal(of[2].data,
                             VALID | lw_page_table_root(lw_address_spaces_table(r.env->spaces, p)));
            continue;
        }
        const lw_hashed_walk_query q = lw_address_spaces_told(r.env->spaces, p);
        hashed++;
        without += !q.has_victim_buffer;
        assert_int_equal(of[0].addr, 0x900 + p);
        assert_int_equal(of[0].data, (uint64_t)q.step_log << 57 | q.step_frame);
        assert_int_equal(of[1].addr, 0xa00 + p);
        assert_int_equal(of[1].data, (q.has_victim_buffer ? VALID : 0) | q.page.root);
        assert_int_equal(of[2].addr, 0x800 + p);
        assert_int_equal(of[2].data,
                         VALID | UINT64_C(1) << 62 | (uint64_t)q.table_log << 57 | q.table_frame);
    }
    assert_true(hashed > 1 && without == 1);
    environment_close(&r);
}

/* With `feature_changes` features are written now and then; never one that decides where a page is,
 * or that the unit does not have. */
static void test_feature_changes(void **state) {
    (void)state;
    static const struct {
        const char *system;
        uint64_t may; /* change */
    } rows[] = {{"stress_small", 0xf},
                {"stress_mesc", 0xf},
                {"stress_colt", 0x2f},
                {"stress_hashed", 0x4f}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        written writes[64];
        uint64_t seen[2] = {0, 0}; /* bits that were 0, and 1 */
        uint32_t count = 0;
        environment_open(&r, rows[i].system, &stress, "feature_changes", "2000");
        (void)boot(&r, writes, 64);
        for (uint32_t n = 0; n < 1000; n++) {
            if (!environment_cycle(&r, NULL, NULL)) {
                fail_msg("%s", r.err.text);
            }
            if (r.in.ctl_write && r.in.ctl_addr == LW_CTL_FEATURES) {
                seen[0] |= ~r.in.ctl_wdata;
                seen[1] |= r.in.ctl_wdata;
                assert_int_equal((r.in.ctl_wdata ^ writes[0].data) & ~rows[i].may, 0);
                count++;
            }
        }
        assert_in_range(count, 150, 250); /* 2000 in 10000 */
        assert_int_equal(seen[0] & seen[1], rows[i].may);
        environment_close(&r);
    }
}

/* A register is read in each cycle in which none is written, all counters among them (R12.1). */
static void test_registers_are_read(void **state) {
    (void)state;
    environment_run r;
    written writes[16];
    bool read[0x900] = {false};
    environment_open(&r, "stress_small", &stress, "feature_changes", "0");
    (void)boot(&r, writes, 16);
    for (uint32_t n = 0; n < 4 * LW_COUNTERS; n++) {
        assert_true(environment_cycle(&r, NULL, NULL));
        read[r.in.ctl_addr] = read[r.in.ctl_addr] || !r.in.ctl_write;
    }
    for (uint32_t c = 0; c < LW_COUNTERS; c++) {
        assert_true(read[LW_CTL_COUNTER + c]);
    }
    assert_true(read[LW_CTL_FEATURES] && read[LW_CTL_FAULT_INFO] && read[LW_CTL_FAULT_PAGE]);
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),           cmocka_unit_test(test_roots),
        cmocka_unit_test(test_hashed_tables),      cmocka_unit_test(test_feature_changes),
        cmocka_unit_test(test_registers_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
