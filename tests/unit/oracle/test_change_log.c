/* The change log against a list that keeps everything and is looked through from end to end: old
 * values are those of their own entry or root, each once, until the log is told that nobody can
 * know them any more. What it told too much of, the oracle would excuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "oracle/change_log.h"

#include <string.h>

/* Enough addresses that many share a chain of the log's. */
enum { ADDRESSES = 4000, PASIDS = 5, VALUES = 6, STEPS = 60000 };

/* Until when, by the value; 0: it has not been that, or nobody can know of it. */
typedef struct naive {
    uint64_t entry[ADDRESSES][VALUES];
    uint64_t root[PASIDS][2][VALUES]; /* by whether it was valid, and by its frame */
} naive;

static uint64_t address(uint64_t i) {
    return 8 * (i * i + 3 * i);
}

static void forget(uint64_t *untils, size_t count, uint64_t time) {
    for (size_t i = 0; i < count; i++) {
        untils[i] = untils[i] < time ? 0 : untils[i];
    }
}

static void compare_entry(const lw_change_log *l, const naive *n, uint64_t i) {
    uint64_t told[VALUES] = {0};
    lw_flat_old old;
    for (size_t k = 0; lw_change_log_old_entry(l, address(i), k, &old); k++) {
        assert_true(old.value < VALUES && told[old.value] == 0);
        told[old.value] = old.until;
    }
    assert_memory_equal(told, n->entry[i], sizeof told);
}

static void compare_root(const lw_change_log *l, const naive *n, uint32_t pasid) {
    uint64_t told[2][VALUES] = {{0}}, until = 0;
    lw_root old;
    for (size_t k = 0; lw_change_log_old_root(l, pasid, k, &old, &until); k++) {
        assert_true(old.frame < VALUES && told[old.valid][old.frame] == 0);
        told[old.valid][old.frame] = until;
    }
    assert_memory_equal(told, n->root[pasid], sizeof told);
}

/* Of the values with this bit. */
static void forget_bit(naive *n, uint64_t i, uint64_t bit, uint64_t time) {
    for (uint64_t value = 0; value < VALUES; value++) {
        if ((value & bit) != 0) {
            forget(&n->entry[i][value], 1, time);
        }
    }
}

static void test_against_a_list(void **state) {
    (void)state;
    static naive n;
    lw_change_log *l = lw_change_log_new();
    lw_rng rng;
    assert_non_null(l);
    lw_rng_seed(&rng, 1);
    for (uint64_t now = 1; now < STEPS; now++) {
        const uint64_t i = lw_rng_below(&rng, ADDRESSES), value = lw_rng_below(&rng, VALUES);
        const uint32_t pasid = (uint32_t)lw_rng_below(&rng, PASIDS);
        const lw_root root = {lw_rng_percent(&rng, 50), value};
        const uint64_t before = now - lw_rng_below(&rng, now < 3000 ? now : 3000);
        switch (lw_rng_below(&rng, 1000)) {
        case 0:
            lw_change_log_forget(l, before);
            forget(n.entry[0], sizeof n.entry / sizeof(uint64_t), before);
            forget(n.root[0][0], sizeof n.root / sizeof(uint64_t), before);
            break;
        case 1:
        case 2:
            lw_change_log_forget_bits(l, address(i), 6, 2, before);
            forget_bit(&n, i, 4, before);
            break;
        case 3:
        case 4:
        case 5:
            assert_true(lw_change_log_root(l, pasid, root, now));
            n.root[pasid][root.valid][value] = now;
            break;
        default:
            assert_true(lw_change_log_entry(l, address(i), value, now));
            n.entry[i][value] = now;
            break;
        }
        compare_entry(l, &n, i);
        compare_root(l, &n, pasid);
    }
    for (uint64_t i = 0; i < ADDRESSES; i++) {
        compare_entry(l, &n, i);
    }
    lw_change_log_free(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_a_list),
    };
    return cmocka_run_group_tests_name("change_log", tests, NULL, NULL);
}
