/* The state net against registers that a test holds in its hand (paper_rtl.h): every bit of every
 * register is seen in the cycle in which it differs, on whichever side, and nothing else is. */
#include "tests/unit/dpi/paper_rtl.h"

typedef struct fixture {
    lw_system system;
    lw_iommu *twin;
    lw_rtl rtl;
    lw_state_net *net;
} fixture;

enum { ROOM = 64 };

static void open_fixture(fixture *f, const char *system, bool planes) {
    lw_error err = {0};
    environment_load(&f->system, system, NULL, NULL);
    f->twin = lw_iommu_new(&f->system.hw, &err);
    assert_non_null(f->twin);
    paper_open(&f->rtl, &f->system.hw, planes);
    paper_copy(&f->rtl, f->twin);
    f->net = lw_state_net_new(&f->system.hw, &paper_functions, &f->rtl, NULL, f->twin, &err);
    if (f->net == NULL) {
        fail_msg("%s", err.text);
    }
}

static void close_fixture(fixture *f) {
    lw_state_net_free(f->net);
    paper_close(&f->rtl);
    lw_iommu_free(f->twin);
}

static void assert_found(const lw_state_difference *found, const lw_state_difference *wanted,
                         size_t n) {
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(lw_field_name(found[i].field), lw_field_name(wanted[i].field));
        assert_int_equal(found[i].field, wanted[i].field);
        assert_int_equal(found[i].index, wanted[i].index);
        assert_int_equal(found[i].rtl, wanted[i].rtl);
        assert_int_equal(found[i].twin, wanted[i].twin);
    }
}

/* The next compare finds what differs in an entry, all of it and nothing else. */
static size_t assert_seen(fixture *f, lw_structure s, uint32_t index) {
    lw_state_difference wanted[ROOM], found[ROOM];
    const size_t n = paper_differences(&f->rtl, f->twin, s, index, wanted);
    assert_int_equal(lw_state_net_compare(f->net, found, ROOM), n);
    assert_found(found, wanted, n);
    return n;
}

/* Has each entry hold something. */
static void fill(fixture *f) {
    for (lw_structure s = 0; s < LW_STRUCTURE_COUNT; s++) {
        const lw_field valid = lw_structure_valid(s);
        const uint32_t entries = lw_structure_entries(&f->system.hw, s);
        for (uint32_t i = 0; valid != LW_FIELD_COUNT && i < entries; i++) {
            if (lw_iommu_peek(f->twin, valid, i) == 0) {
                lw_iommu_flip(f->twin, valid, i, 0);
            }
        }
    }
}

/* Flips each bit of an entry's register, and back, the RTL's by the net's own flip: the net sees
 * both, and says so once. */
static void flip_register(fixture *f, bool of_twin, lw_field field, uint32_t index) {
    const lw_structure s = lw_field_structure(field);
    const lw_field valid = lw_structure_valid(s);
    const bool holds =
        valid == LW_FIELD_COUNT || field == valid || lw_iommu_peek(f->twin, valid, index) != 0;
    lw_state_difference found[ROOM];
    for (uint32_t bit = 0; bit < lw_field_bits(&f->system.hw, field); bit++) {
        if (of_twin) {
            lw_iommu_flip(f->twin, field, index, bit);
        } else {
            paper_flip(&f->rtl, field, index, bit);
        }
        const bool shown = valid == LW_FIELD_COUNT || paper_read(&f->rtl, valid, index) != 0;
        const uint64_t value = shown ? paper_read(&f->rtl, field, index) : 0;
        assert_true(lw_state_net_rtl(f->net, field, index) == value);
        assert_int_equal(assert_seen(f, s, index) != 0, holds);
        assert_int_equal(lw_state_net_compare(f->net, found, ROOM), 0);
        if (of_twin) {
            lw_iommu_flip(f->twin, field, index, bit);
        } else {
            lw_state_net_flip(f->net, field, index, bit);
        }
        if (of_twin && field == valid) {
            paper_copy(&f->rtl, f->twin); /* what an entry holds no more it has forgotten */
        }
        assert_int_equal(assert_seen(f, s, index), 0);
    }
}

static void flip_all(fixture *f, bool of_twin) {
    const lw_params *hw = &f->system.hw;
    for (lw_field field = 0; field < LW_FIELD_COUNT; field++) {
        for (uint32_t i = 0; lw_field_exists(hw, field) && i < paper_entries(&f->rtl, field); i++) {
            flip_register(f, of_twin, field, i);
        }
    }
}

/* The twin works at whatever comes, and then both sides are alike. */
static void go_on(fixture *f, uint64_t cycles) {
    enum { PRESENT_USER_WRITE = 7, PROCESSES = 2 };
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (uint64_t n = 0; n < cycles; n++) {
        const uint64_t root = UINT64_C(3) << 62 | lw_rng_next(&rng) >> 30;
        lw_inputs in = {.req_valid = true,
                        .req_id = (uint32_t)n & 0x3f,
                        .req_pasid = (uint32_t)lw_rng_below(&rng, 2),
                        .req_page = lw_rng_next(&rng) & 0x3ff,
                        .rsp_ready = lw_rng_percent(&rng, 90),
                        .mem_req_ready = lw_rng_percent(&rng, 90),
                        .mem_rsp_valid = lw_rng_percent(&rng, 70),
                        .mem_rsp_tag = (uint32_t)lw_rng_below(&rng, 12),
                        .ctl_write = n <= PROCESSES,
                        .ctl_addr = n < PROCESSES ? LW_CTL_ROOT + (uint32_t)n : LW_CTL_FEATURES,
                        .ctl_wdata = n < PROCESSES ? root : UINT64_MAX};
        for (uint32_t j = 0; j < 8; j++) {
            in.mem_rsp_data[j] = PRESENT_USER_WRITE | lw_rng_next(&rng) % 64 << 12;
        }
        lw_iommu_step(f->twin, &in);
    }
    paper_copy(&f->rtl, f->twin);
}

/* Both sides stand in the midst of a run, or with each entry full. */
static void flip_in(const char *system, bool planes, bool full, bool of_twin) {
    fixture f;
    lw_state_difference found[ROOM];
    open_fixture(&f, system, planes);
    go_on(&f, 1500);
    if (full) {
        fill(&f);
        paper_copy(&f.rtl, f.twin);
    }
    assert_int_equal(lw_state_net_compare(f.net, found, ROOM), 0);
    assert_int_equal(lw_state_net_compare_all(f.net, found, ROOM), 0);
    flip_all(&f, of_twin);
    close_fixture(&f);
}

/* Together they have every register that a unit can have. */
static void test_each_bit_of_the_rtl(void **state) {
    (void)state;
    static const char *const systems[] = {
        "stress_small",   "stress_mesc",        "stress_hashed",
        "stress_second",  "stress_headfirst",   "stress_colt",
        "stress_address", "stress_hashed_mesc", "stress_full_colt"};
    bool has[LW_FIELD_COUNT] = {false};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        lw_system system;
        environment_load(&system, systems[i], NULL, NULL);
        for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
            has[f] |= lw_field_exists(&system.hw, f);
        }
        flip_in(systems[i], i % 2 == 1, true, false);
    }
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (!has[f]) {
            fail_msg("no system has %s", lw_field_name(f));
        }
    }
}

/* Of an entry that holds nothing on either side only that is compared (R0.5). */
static void test_empty_entries(void **state) {
    (void)state;
    flip_in("stress_small", false, false, false);
    flip_in("stress_small", true, false, false);
}

/* ... and is one value of those that are counted as compared. */
static void test_count_of_empty_entries(void **state) {
    (void)state;
    fixture f;
    lw_state_difference found[1];
    uint64_t values = 0;
    open_fixture(&f, "stress_small", false);
    for (lw_field i = 0; i < LW_FIELD_COUNT; i++) {
        const lw_field valid = lw_structure_valid(lw_field_structure(i));
        for (uint32_t n = 0; f.rtl.reg[i].data != NULL && n < paper_entries(&f.rtl, i); n++) {
            const bool whole = valid == LW_FIELD_COUNT || lw_iommu_peek(f.twin, valid, n) != 0;
            values += whole || i == valid;
        }
    }
    assert_int_equal(lw_state_net_compare_all(f.net, found, 1), 0);
    assert_int_equal(lw_state_net_compared(f.net), values);
    close_fixture(&f);
}

static void test_each_bit_of_the_twin(void **state) {
    (void)state;
    flip_in("stress_mesc", false, true, true);
    flip_in("stress_small", true, false, true);
}

/* Flips each bit of a register, and back, while another entry is compared as written. */
static void flip_beside(fixture *f, lw_field field, uint32_t index, lw_field other, uint32_t at) {
    for (uint32_t bit = 0; bit < lw_field_bits(&f->system.hw, field); bit++) {
        for (int times = 0; times < 2; times++) {
            paper_flip(&f->rtl, field, index, bit);
            lw_state_net_touch(f->net, other, at);
            assert_int_equal(assert_seen(f, lw_field_structure(field), index) != 0, times == 0);
        }
    }
}

/* What is compared as written hides nothing of what lies beside it in the RTL's memory: the next
 * entry, and the first one of the next register. */
static void test_a_flip_beside_what_was_written(void **state) {
    (void)state;
    static const char *const systems[] = {"stress_small", "stress_mesc"};
    for (size_t n = 0; n < 2 * sizeof systems / sizeof systems[0]; n++) {
        fixture f;
        open_fixture(&f, systems[n / 2], n % 2 == 1);
        fill(&f);
        paper_copy(&f.rtl, f.twin);
        lw_field last = LW_FIELD_COUNT;
        for (lw_field i = 0; i < LW_FIELD_COUNT; i++) {
            if (f.rtl.reg[i].data == NULL) {
                continue;
            }
            for (uint32_t at = 1; at < paper_entries(&f.rtl, i); at++) {
                flip_beside(&f, i, at, i, at - 1);
                flip_beside(&f, i, at - 1, i, at);
            }
            if (last != LW_FIELD_COUNT) {
                const uint32_t end = paper_entries(&f.rtl, last) - 1;
                flip_beside(&f, i, 0, last, end);
                flip_beside(&f, last, end, i, 0);
            }
            last = i;
        }
        close_fixture(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_bit_of_the_rtl),
        cmocka_unit_test(test_each_bit_of_the_twin),
        cmocka_unit_test(test_a_flip_beside_what_was_written),
        cmocka_unit_test(test_empty_entries),
        cmocka_unit_test(test_count_of_empty_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
