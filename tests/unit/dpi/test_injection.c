/* The name of a bit that is to flip (dpi/injection.h), and the sentences for what names none. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/injection.h"

#include <stdio.h>

typedef struct fixture {
    lw_system system;
    lw_injection injection;
    lw_error err;
} fixture;

/* stress_small: 8 entries in the TLB of 36 bits of PFN, 2 walkers, no MSC. */
static bool parse(fixture *f, const char *text) {
    memset(f, 0, sizeof *f);
    environment_load(&f->system, "stress_small", NULL, NULL);
    return lw_injection_parse(text, "--inject", &f->system.hw, &f->injection, &f->err);
}

static void assert_bit(const char *text, lw_field field, uint32_t index, uint32_t bit,
                       uint64_t cycle) {
    fixture f;
    if (!parse(&f, text)) {
        fail_msg("%s", f.err.text);
    }
    assert_true(f.injection.on);
    assert_int_equal(f.injection.field, field);
    assert_int_equal(f.injection.index, index);
    assert_int_equal(f.injection.bit, bit);
    assert_int_equal(f.injection.cycle, cycle);
}

/* Each part, up to the last that there is; names that begin alike are told apart. */
static void test_bits(void **state) {
    (void)state;
    assert_bit("TLB[0].PFN.0@0", LW_F_TLB_PFN, 0, 0, 0);
    assert_bit("TLB[7].PFN.35@5000", LW_F_TLB_PFN, 7, 35, 5000);
    assert_bit("PWST[1].LEVEL.2@18446744073709551615", LW_F_PWST_LEVEL, 1, 2, UINT64_MAX);
    assert_bit("TLB_RANK[3].RANK.1@0x10", LW_F_TLB_RANK_RANK, 3, 1, 16);
    assert_bit("TLB_FOUND[0].FOUND.0@9", LW_F_TLB_FOUND_FOUND, 0, 0, 9);
    assert_bit("TLB_FOUND[0].FOUND_PFN.3@9", LW_F_TLB_FOUND_FOUND_PFN, 0, 3, 9);
    assert_bit("MISS[0].MISS_VALID.0@1", LW_F_MISS_MISS_VALID, 0, 0, 1);
}

static void assert_refused(const char *text, const char *sentence) {
    fixture f;
    assert_false(parse(&f, text));
    assert_string_equal(f.err.text, sentence);
    assert_false(f.injection.on);
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const none[] = {"",
                                       "TLB",
                                       "TLB[0]",
                                       "TLB[0].PFN",
                                       "TLB[0].PFN.0",
                                       "TLB[0]PFN.0@1",
                                       "TLB[0.PFN.0@1",
                                       "TLB(0).PFN.0@1",
                                       "TLB[].PFN.0@1",
                                       "TLB[-1].PFN.0@1",
                                       "TLB[0].PFN@1",
                                       "TLB[0].PFN.0@",
                                       "TLB[0].PFN.0@x",
                                       "TLB[0].PFN.0@1 ",
                                       "TLB[0].PFN.0@1,",
                                       " TLB[0].PFN.0@1",
                                       "tlb[0].pfn.0@1",
                                       "TLB[0].STATE.0@1",
                                       "NOPE[0].PFN.0@1",
                                       "TLX[0].PFN.0@1",
                                       "TLB[0].PFX.0@1",
                                       "TLB[0].PFN.0@18446744073709551616"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char sentence[256];
        (void)snprintf(sentence, sizeof sentence,
                       "--inject: \"%s\" is not STRUCTURE[index].FIELD.bit@cycle with names of "
                       "state/registers.yaml, as in BUFFER[3].PL.1@5000",
                       none[i]);
        assert_refused(none[i], sentence);
    }
    assert_refused("MSC[0].TAG.0@1",
                   "--inject: this system has no MSC.TAG (its hardware lacks what needs it)");
    static const char *const outside = "--inject: TLB has entries 0..7 here, and PFN bits 0..35";
    assert_refused("TLB[8].PFN.0@1", outside);
    assert_refused("TLB[0].PFN.36@1", outside);
    assert_refused("TLB[4294967296].PFN.0@1", outside); /* not cut to 32 bits */
    assert_refused("TLB[0].PFN.4294967296@1", outside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
