/* A state net for the tests: whether the unit tells of every register that it writes. */
#ifndef LW_TESTS_UNIT_C_MODEL_TOLD_NET_H
#define LW_TESTS_UNIT_C_MODEL_TOLD_NET_H

#include "tests/unit/c_model/bench_state.h"

enum { FIELDS_MAX = 5000 };

/* ---------------------------------------------------------------- the state net */

typedef struct net {
    const lw_params *hw;
    bool written[LW_STRUCTURE_COUNT][1024];
    uint64_t value[FIELDS_MAX];
} net;

static inline void written(void *ctx, lw_structure s, uint32_t index) {
    net *n = ctx;
    assert_true(index < lw_structure_entries(n->hw, s));
    n->written[s][index] = true;
}

/* Every register that has another value than before lies in an entry that was told. */
static inline void assert_told(net *n, const lw_iommu *u) {
    uint32_t at = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const lw_structure s = lw_field_structure(f);
        for (uint32_t i = 0; i < lw_structure_entries(n->hw, s); i++, at++) {
            assert_true(at < FIELDS_MAX);
            const uint64_t value = lw_iommu_peek(u, f, i);
            if (value != n->value[at] && !n->written[s][i]) {
                print_error("%s.%s[%u] was not told\n", lw_structure_name(s), lw_field_name(f), i);
                fail();
            }
            n->value[at] = value;
        }
    }
    memset(n->written, 0, sizeof n->written);
}

#endif
