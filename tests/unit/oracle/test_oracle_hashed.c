/* The oracle's tracker where a PASID has a hashed table, and a radix table of the same mappings
 * beside it: an answer is the hashed table's, and the radix table must agree (oracle.h). */
#include "tests/unit/oracle/oracle_image.h"

/* Slots are the frames 8..15, the step table is frame 5, the victim buffer's nodes 16..19. With the
 * multiplier 1 the home of PAGE's region is slot 0, the bucket of its group 0; it is region 7 of
 * its group. */
enum { TABLE = 8, STEPS = 5, VICTIM = 16, STEP = 2, PLACE = 7 };
#define REGION (PAGE >> 9)
#define TAG (UINT64_C(1) << 47 | UINT64_C(1) << 36 | REGION)
#define SLICES (UINT64_C(63) << 57)
#define PFN UINT64_C(0xabcde)
#define SIZE(s) ((uint64_t)(s) << 9)

/* The PTE of PAGE in its slot; at each level of the victim buffer. */
static uint64_t *slot_pte(image *m) {
    return &m->words[TABLE + STEP][8];
}

static uint64_t *victim_entry(image *m, uint32_t level) {
    static const uint64_t index[] = {0, 8, 7, 6, 5};
    return &m->words[VICTIM + 4 - level][index[level]];
}

static uint64_t *step_word(image *m) {
    return &m->words[STEPS][1];
}

/* With its part of the tag. */
static uint64_t tagged(uint64_t pte) {
    return (pte & ~SLICES) | (TAG & 63) << 57;
}

/* PAGE is frame PFN in both tables; the victim buffer leads to where it could be. */
static void both_tables(image *m) {
    good_tables(m);
    m->words[STEPS][0] = UINT64_C(1) << 63 | UINT64_C(1) << 32 | REGION >> 4;
    *step_word(m) = (UINT64_C(8) | STEP) << 4 * PLACE;
    for (uint32_t j = 0; j < 8; j++) {
        slot_pte(m)[j] = (TAG >> 6 * j & 63) << 57;
    }
    *slot_pte(m) |= PFN << 12 | NODE;
    for (uint32_t level = 4; level >= 2; level--) {
        *victim_entry(m, level) = (uint64_t)(VICTIM + 5 - level) << 12 | NODE;
    }
}

static lw_oracle *hashed_oracle(image *m, bool has_victim_buffer) {
    lw_oracle *o = new_oracle(m, 4);
    const lw_hashed_walk_query tables = {.page = {.root = VICTIM},
                                         .slot_pages = 512,
                                         .has_victim_buffer = has_victim_buffer,
                                         .table_frame = TABLE,
                                         .step_frame = STEPS,
                                         .table_log = 3,
                                         .step_log = 6,
                                         .stride = 1,
                                         .multiplier = 1};
    lw_oracle_set_hashed(o, 1, &tables);
    return o;
}

static lw_oracle_answer page(uint64_t pfn, uint32_t size) {
    return (lw_oracle_answer){.kind = LW_ORACLE_OK, .pfn = pfn, .size = size, .w = true, .x = true};
}

static lw_oracle_answer fault(uint32_t kind, uint32_t level) {
    return (lw_oracle_answer){.kind = kind, .level = level};
}

static void complete(lw_oracle *o) {
    lw_oracle_invalidation_starts(o, 1, PAGE, PAGE);
    lw_oracle_invalidation_done(o);
}

/* What one of the tables says and the other does not is wrong, whichever it is. */
static void both_must_say_it(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    both_tables(&m);
    lw_oracle *o = hashed_oracle(&m, true);
    assert_true(accepts(o, page(PFN, 0)));
    assert_false(accepts(o, page(PFN + 1, 0)));
    lw_oracle_free(o);
    *slot_pte(&m) = tagged((PFN + 1) << 12 | NODE);
    o = hashed_oracle(&m, true);
    assert_int_equal(lw_oracle_answer_now(o, 1, PAGE, READ).pfn, PFN + 1);
    assert_false(accepts(o, page(PFN, 0)));
    assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
    assert_false(answer_id(o, 0, page(PFN + 1, 0), &err));
    assert_non_null(strstr(err.text, ", as the page table beside it has it"));
    lw_oracle_free(o);
}

/* The tables of other PASIDs are radix tables, whose levels and sizes are their own. */
static void others_have_none(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    both_tables(&m);
    lw_oracle *o = hashed_oracle(&m, true);
    assert_true(lw_oracle_set_root(o, 2, true, 1, &err));
    *entry_of(&m, 2) = 0;
    for (uint32_t level = 1; level <= 6; level++) {
        assert_true(lw_oracle_request(o, 3, 2, PAGE, READ, &err));
        assert_int_equal(answer_id(o, 3, fault(LW_ORACLE_NOT_PRESENT, level), &err), level == 2);
    }
    assert_null(strstr(err.text, "beside it"));
    lw_oracle_free(o);
}

/* A page is changed in the radix table at once, and what was there is told again when the hashed
 * table has followed: until then, and until the invalidation after that, the old answer is right.
 */
static void a_change_comes_to_one_after_the_other(void **state) {
    (void)state;
    for (int again = 0; again < 2; again++) {
        image m;
        both_tables(&m);
        lw_oracle *o = hashed_oracle(&m, true);
        const uint64_t before = *entry_of(&m, 1);
        change(o, entry_of(&m, 1), &m, (PFN + 1) << 12 | NODE);
        assert_true(accepts(o, page(PFN, 0)));
        assert_false(accepts(o, page(PFN + 1, 0))); /* the hashed table has never said so */
        complete(o);
        assert_false(accepts(o, page(PFN, 0)));
        if (again != 0) {
            lw_oracle_entry_changes(o, (uint64_t)((char *)entry_of(&m, 1) - (char *)m.words),
                                    before);
        }
        change(o, slot_pte(&m), &m, tagged((PFN + 1) << 12 | NODE));
        assert_int_equal(accepts(o, page(PFN, 0)), again != 0);
        assert_true(accepts(o, page(PFN + 1, 0)));
        complete(o);
        assert_false(accepts(o, page(PFN, 0)));
        assert_true(accepts(o, page(PFN + 1, 0)));
        lw_oracle_free(o);
    }
}

/* The radix table may say again what the hashed table said once, before the page was invalidated:
 * that does not bring it back. */
static void the_hashed_table_has_a_past_of_its_own(void **state) {
    (void)state;
    image m;
    both_tables(&m);
    lw_oracle *o = hashed_oracle(&m, true);
    const uint64_t old = *entry_of(&m, 1), new = (PFN + 1) << 12 | NODE;
    change(o, entry_of(&m, 1), &m, new);
    change(o, slot_pte(&m), &m, tagged(new));
    assert_true(accepts(o, page(PFN, 0)));
    complete(o);
    change(o, entry_of(&m, 1), &m, old);
    assert_false(accepts(o, page(PFN, 0)));
    assert_true(accepts(o, page(PFN + 1, 0)));
    lw_oracle_free(o);
    /* nor a fault that the hashed table had before it was asked */
    both_tables(&m);
    *victim_entry(&m, 4) = 0;
    *slot_pte(&m) &= ~UINT64_C(1);
    o = hashed_oracle(&m, true);
    lw_error err = {0};
    assert_true(lw_oracle_request(o, 1, 1, PAGE, READ, &err));
    change(o, slot_pte(&m), &m, tagged(old));
    change(o, entry_of(&m, 1), &m, 0);
    assert_true(answer_id(o, 1, fault(LW_ORACLE_NOT_PRESENT, 1), &err));
    assert_false(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 1)));
    lw_oracle_free(o);
}

/* A radix table beside has levels and sizes of its own: the kind is what both must say, the level
 * of a fault and the size of a page are the hashed table's. */
static void levels_and_sizes_are_the_hashed_table_s(void **state) {
    (void)state;
    image m;
    both_tables(&m);
    *entry_of(&m, 2) = 0;
    *slot_pte(&m) &= ~UINT64_C(1);
    lw_oracle *o = hashed_oracle(&m, true);
    for (uint32_t level = 1; level <= 6; level++) {
        assert_int_equal(accepts(o, fault(LW_ORACLE_NOT_PRESENT, level)), level == 1);
        assert_false(accepts(o, fault(LW_ORACLE_PERMISSION, level)));
    }
    lw_oracle_free(o);
    /* PAGE & 15 is 8 */
    both_tables(&m);
    *entry_of(&m, 1) = UINT64_C(0xabcd8) << 12 | NODE;
    *slot_pte(&m) = tagged(UINT64_C(0xabcd8) << 12 | NODE | SIZE(1));
    o = hashed_oracle(&m, true);
    for (uint32_t size = 0; size < 4; size++) {
        assert_int_equal(accepts(o, page(0xabcd8, size)), size == 3);
    }
    lw_oracle_free(o);
}

/* A PTE whose size is bad (R20.5) has no counterpart: in the radix table its page is not present. A
 * fault of another level is none of a size. */
static void bad_sizes_are_absent_beside(void **state) {
    (void)state;
    static const struct {
        uint64_t pte;
        uint32_t kind;
    } rows[] = {{PFN << 12 | NODE | SIZE(3), LW_ORACLE_RESERVED},
                {PFN << 12 | NODE | SIZE(1), LW_ORACLE_MISALIGNED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int beside = 0; beside < 2; beside++) {
            image m;
            both_tables(&m);
            *victim_entry(&m, 4) = 0; /* or a walk might have come to an empty leaf there */
            *slot_pte(&m) = tagged(rows[i].pte);
            *entry_of(&m, 1) = beside != 0 ? PFN << 12 | NODE : 0;
            lw_oracle *o = hashed_oracle(&m, true);
            assert_int_equal(accepts(o, fault(rows[i].kind, 1)), beside == 0);
            assert_false(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 1)));
            lw_oracle_free(o);
        }
    }
    image m;
    both_tables(&m);
    *step_word(&m) = 0;
    *victim_entry(&m, 3) |= UINT64_C(1) << 50; /* RESERVED at level 3 */
    *entry_of(&m, 1) = 0;
    lw_oracle *o = hashed_oracle(&m, true);
    assert_false(accepts(o, fault(LW_ORACLE_RESERVED, 3)));
    *entry_of(&m, 4) |= UINT64_C(1) << 50; /* both refuse it */
    assert_true(accepts(o, fault(LW_ORACLE_RESERVED, 3)));
    assert_false(accepts(o, fault(LW_ORACLE_RESERVED, 4)));
    lw_oracle_free(o);
}

/* R20.14: where the victim buffer is missing a page that is not in the table is absent, whatever
 * the radix table says; where there is one, it must be absent there too. */
static void a_victim_buffer_may_be_missing(void **state) {
    (void)state;
    for (int has = 0; has < 2; has++) {
        image m;
        both_tables(&m);
        lw_oracle *o = hashed_oracle(&m, has != 0);
        assert_true(accepts(o, page(PFN, 0)));
        assert_false(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 6)));
        lw_oracle_free(o);
        *slot_pte(&m) = tagged((PFN + 1) << 12 | NODE); /* what else is there must be beside too */
        o = hashed_oracle(&m, has != 0);
        assert_false(accepts(o, page(PFN + 1, 0)));
        lw_oracle_free(o);
        *slot_pte(&m) = tagged(0);
        o = hashed_oracle(&m, has != 0);
        assert_false(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 1)));
        lw_oracle_free(o);
        *step_word(&m) = 0;
        *slot_pte(&m) = 0;
        o = hashed_oracle(&m, has != 0);
        assert_false(accepts(o, page(PFN, 0)));
        assert_int_equal(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 6)), has == 0);
        assert_false(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 1)));
        assert_false(accepts(o, fault(LW_ORACLE_PERMISSION, 6)));
        *entry_of(&m, 1) = 0;
        assert_int_equal(accepts(o, fault(LW_ORACLE_NOT_PRESENT, 1)), has != 0);
        lw_oracle_free(o);
    }
}

/* Memory that fails is no mapping, and the radix table has no word for it; but a frame goes with no
 * fault (R1.9), and the line must be one of the walk. */
static void errors_need_no_second_opinion(void **state) {
    (void)state;
    image m;
    both_tables(&m);
    lw_oracle *o = hashed_oracle(&m, true);
    static const struct {
        uint64_t line;
        uint32_t level;
    } rows[] = {{STEPS << 6, 6}, {(TABLE + STEP) << 6 | 1, 1}, {(4 << 6) + 1, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        m.failing_line = rows[i].line;
        for (uint32_t level = 1; level <= 6; level++) {
            lw_oracle_answer answer = fault(LW_ORACLE_MEMORY_ERROR, level);
            assert_int_equal(accepts(o, answer), level == rows[i].level);
            answer.pfn = 1;
            assert_false(accepts(o, answer));
        }
    }
    lw_oracle_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_must_say_it),
        cmocka_unit_test(others_have_none),
        cmocka_unit_test(a_change_comes_to_one_after_the_other),
        cmocka_unit_test(the_hashed_table_has_a_past_of_its_own),
        cmocka_unit_test(levels_and_sizes_are_the_hashed_table_s),
        cmocka_unit_test(bad_sizes_are_absent_beside),
        cmocka_unit_test(a_victim_buffer_may_be_missing),
        cmocka_unit_test(errors_need_no_second_opinion),
    };
    return cmocka_run_group_tests_name("oracle_hashed", tests, NULL, NULL);
}
