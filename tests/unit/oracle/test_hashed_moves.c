/* What the oracle lets a walk of a hashed page table say while software changes the table and lines
 * of memory fail (R20.14, R20.21 to R20.26), over an image made by hand. */
#include "tests/unit/oracle/region_image.h"

typedef struct failing {
    image m;
    uint64_t line; /* that may fail */
    uint64_t old_pa, old_value;
} failing;

static uint64_t read_failing(void *ctx, uint64_t pa) {
    return read64(&((failing *)ctx)->m, pa);
}

static bool line_may_fail(void *ctx, uint64_t line) {
    return ((failing *)ctx)->line == line;
}

static bool old64(void *ctx, uint64_t pa, size_t n, lw_flat_old *old) {
    const failing *f = ctx;
    *old = (lw_flat_old){f->old_value, 10};
    return n == 0 && pa == f->old_pa;
}

static bool may(failing *f, uint32_t kind, uint32_t level) {
    const lw_flat_image flat = {read_failing, old64, line_may_fail, f};
    const lw_hashed_walk_query q = query(0);
    const lw_oracle_answer answer = {.kind = kind,
                                     .level = level,
                                     .pfn = kind == LW_ORACLE_OK ? PFN : 0,
                                     .w = kind == LW_ORACLE_OK,
                                     .x = kind == LW_ORACLE_OK};
    return lw_hashed_walk_may(&flat, &q, &answer);
}

/* A page is absent where its PTE says so, or said so in the query's times: in a slot that carries
 * the tag, or in the victim buffer at the level of any time. */
static void absence_is_said_by_an_entry(void **state) {
    (void)state;
    failing f = {.line = UINT64_MAX};
    uint64_t *pte = place(&f.m, 3, 1);
    assert_true(may(&f, LW_ORACLE_OK, 0));
    assert_false(may(&f, LW_ORACLE_NOT_PRESENT, 1));
    f.old_pa = (TABLE + (HOME + 3) % 8) << 12 | INDEX << 3;
    f.old_value = *pte & ~(uint64_t)P;
    assert_true(may(&f, LW_ORACLE_NOT_PRESENT, 1));
    f.old_value = *pte & ~(UINT64_C(1) << 58 | P); /* another region's, then */
    assert_false(may(&f, LW_ORACLE_NOT_PRESENT, 1));
    f.old_value = *pte;
    *pte = *pte & ~(uint64_t)RW; /* it was as the answer says */
    assert_true(may(&f, LW_ORACLE_OK, 0));
    f.old_pa = f.old_value = 0;
    assert_false(may(&f, LW_ORACLE_OK, 0));
    (void)place(&f.m, 3, 1);
    add_victim(&f.m, 0);
    *tag_line(&f.m, (HOME + 3) % 8) &= ~(uint64_t)P;
    assert_true(may(&f, LW_ORACLE_NOT_PRESENT, 1)); /* in the slot */
    assert_false(may(&f, LW_ORACLE_NOT_PRESENT, 2));
    assert_false(may(&f, LW_ORACLE_PERMISSION, 1));
    /* the root's entry was not there before: a walk from then has ended at it */
    f.old_pa = ROOT << 12 | (PAGE >> 27 & 511) << 3;
    assert_true(may(&f, LW_ORACLE_NOT_PRESENT, 4));
    assert_false(may(&f, LW_ORACLE_NOT_PRESENT, 3));
}

/* A memory error is one of a line that such a walk reads: the bucket, a slot of the chain, a node
 * of the victim buffer, and at the level of each. */
static void errors_are_of_lines_read(void **state) {
    (void)state;
    failing f = {.line = UINT64_MAX};
    (void)place(&f.m, 3, 1);
    add_victim(&f.m, 0);
    assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 6));
    assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 1));
    f.line = STEPS << 6 | BUCKET;
    assert_true(may(&f, LW_ORACLE_MEMORY_ERROR, 6));
    assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 1));
    for (uint64_t slot = 0; slot < 8; slot++) {
        f.line = (TABLE + slot) << 6 | INDEX / 8;
        assert_true(may(&f, LW_ORACLE_MEMORY_ERROR, 1));
        assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 6));
        f.line ^= 1;
        assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 1));
    }
    f.line = (ROOT << 12 | (PAGE >> 27 & 511) << 3) >> 6;
    assert_true(may(&f, LW_ORACLE_MEMORY_ERROR, 4));
    assert_false(may(&f, LW_ORACLE_MEMORY_ERROR, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absence_is_said_by_an_entry),
        cmocka_unit_test(errors_are_of_lines_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
