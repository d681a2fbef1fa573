/* What the oracle lets a walk of a hashed page table say while software changes the table and lines
 * of memory fail (R20.14, R20.21 to R20.26), over an image made by hand. */
#include "tests/unit/oracle/region_image.h"

/* Whether a walk may say so of PAGE; a page is PFN. */
static bool says(image *m, uint32_t kind, uint32_t level) {
    const lw_hashed_walk_query q = query(0);
    const bool ok = kind == LW_ORACLE_OK;
    return may(
        m, &q,
        (lw_oracle_answer){.kind = kind, .level = level, .pfn = ok ? PFN : 0, .w = ok, .x = ok});
}

/* A word was something else until time 10. */
static void was(image *m, uint64_t pa, uint64_t value) {
    m->old_pa = pa;
    m->old_value[0] = m->old_value[1] = value;
    m->old_until = 10;
}

/* A page is absent where its PTE says so, or said so in the query's times: in a slot that carries
 * the tag, or in the victim buffer at the level of any time. */
static void absence_is_said_by_an_entry(void **state) {
    (void)state;
    static image m;
    uint64_t *pte = place(&m, 3, 1);
    assert_true(says(&m, LW_ORACLE_OK, 0));
    assert_false(says(&m, LW_ORACLE_NOT_PRESENT, 1));
    const uint64_t at = (TABLE + (HOME + 3) % 8) << 12 | INDEX << 3;
    was(&m, at, *pte & ~(uint64_t)P);
    assert_true(says(&m, LW_ORACLE_NOT_PRESENT, 1));
    was(&m, at, *pte & ~(UINT64_C(1) << 58 | P)); /* another region's, then */
    assert_false(says(&m, LW_ORACLE_NOT_PRESENT, 1));
    was(&m, at, *pte);
    *pte = *pte & ~(uint64_t)RW; /* it was as the answer says */
    assert_true(says(&m, LW_ORACLE_OK, 0));
    was(&m, 0, 0);
    assert_false(says(&m, LW_ORACLE_OK, 0));
    (void)place(&m, 3, 1);
    add_victim(&m, 0);
    *tag_line(&m, (HOME + 3) % 8) &= ~(uint64_t)P;
    assert_true(says(&m, LW_ORACLE_NOT_PRESENT, 1)); /* in the slot */
    assert_false(says(&m, LW_ORACLE_NOT_PRESENT, 2));
    assert_false(says(&m, LW_ORACLE_PERMISSION, 1));
    /* the root's entry was not there before: a walk from then has ended at it */
    was(&m, ROOT << 12 | (PAGE >> 27 & 511) << 3, 0);
    assert_true(says(&m, LW_ORACLE_NOT_PRESENT, 4));
    assert_false(says(&m, LW_ORACLE_NOT_PRESENT, 3));
}

/* A memory error is one of a line that such a walk reads: the bucket, a slot of the chain, a node
 * of the victim buffer, and at the level of each. */
static void errors_are_of_lines_read(void **state) {
    (void)state;
    static image m;
    (void)place(&m, 3, 1);
    add_victim(&m, 0);
    assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 6));
    assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 1));
    m.failing_line = STEPS << 6 | BUCKET;
    assert_true(says(&m, LW_ORACLE_MEMORY_ERROR, 6));
    assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 1));
    for (uint64_t slot = 0; slot < 8; slot++) {
        m.failing_line = (TABLE + slot) << 6 | INDEX / 8;
        assert_true(says(&m, LW_ORACLE_MEMORY_ERROR, 1));
        assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 6));
        m.failing_line ^= 1;
        assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 1));
    }
    m.failing_line = (ROOT << 12 | (PAGE >> 27 & 511) << 3) >> 6;
    assert_true(says(&m, LW_ORACLE_MEMORY_ERROR, 4));
    assert_false(says(&m, LW_ORACLE_MEMORY_ERROR, 3));
}

/* The lines that were asked for, of all of which it is said that they may have failed. */
typedef struct asked_lines {
    image m;
    uint64_t lines[64];
    size_t count;
} asked_lines;

static bool note_line(void *ctx, uint64_t line) {
    asked_lines *a = ctx;
    assert_true(a->count < 64);
    a->lines[a->count++] = line;
    return true;
}

static bool was_asked(const asked_lines *a, uint64_t line) {
    size_t i = 0;
    while (i < a->count && a->lines[i] != line) {
        i++;
    }
    return i < a->count;
}

/* oracle/flat_walk.h: of a memory error every line that may have been read is asked for, so that
 * one that has failed for this answer is no other's excuse: each slot of the chain, and the leaf of
 * the victim buffer. */
static void every_line_is_asked_for(void **state) {
    (void)state;
    static asked_lines a;
    const lw_hashed_walk_query q = query(0);
    const lw_flat_image flat = {read64, old64, note_line, &a};
    const lw_oracle_answer error = {.kind = LW_ORACLE_MEMORY_ERROR, .level = 1};
    (void)place(&a.m, 3, 1);
    add_victim(&a.m, 0);
    assert_true(lw_hashed_walk_may(&flat, &q, &error));
    for (uint64_t slot = 0; slot < 8; slot++) {
        assert_true(was_asked(&a, (TABLE + slot) << 6 | INDEX / 8));
    }
    assert_true(was_asked(&a, LEAF << 6 | INDEX / 8));
    assert_false(was_asked(&a, STEPS << 6 | BUCKET));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absence_is_said_by_an_entry),
        cmocka_unit_test(errors_are_of_lines_read),
        cmocka_unit_test(every_line_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
