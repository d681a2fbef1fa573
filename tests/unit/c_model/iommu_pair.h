/* The bench's twin and, beside it, the RTL: it takes the twin's inputs, and besides what a test
 * asserts all registers are compared in every cycle. */
#ifndef LW_TESTS_UNIT_C_MODEL_IOMMU_PAIR_H
#define LW_TESTS_UNIT_C_MODEL_IOMMU_PAIR_H

#include "tests/unit/c_model/iommu_bench.h"

#include "dpi/rtl_library.h"
#include "dpi/state_net.h"

typedef struct pair {
    bench b;
    lw_rtl_library_handle library;
    lw_rtl *rtl; /* NULL: the twin alone */
    lw_state_net *net;
    lw_inputs in;
} pair;

static inline void pair_rtl_cycle(void *ctx, const lw_outputs *out, lw_inputs *in) {
    const pair *p = ctx;
    assert_int_equal(out->req_ready, p->b.out.req_ready);
    assert_int_equal(out->rsp_valid, p->b.out.rsp_valid);
    assert_int_equal(out->mem_req_valid, p->b.out.mem_req_valid);
    *in = p->in;
}

static inline void pair_step_rtl(void *ctx, const lw_inputs *stepped, const lw_outputs *out) {
    pair *p = ctx;
    lw_state_difference first;
    (void)out;
    p->in = *stepped;
    p->library.functions->step(p->rtl);
    if (lw_state_net_compare(p->net, &first, 1) != 0) {
        fail_msg("cycle %llu: %s[%u] is %llx in the RTL, %llx in the twin",
                 (unsigned long long)p->b.cycle, lw_field_name(first.field), first.index,
                 (unsigned long long)first.rtl, (unsigned long long)first.twin);
    }
}

/* Whether the gate has the RTL of these parameters anyway, as it has nha's. To build another one
 * takes longer than the examples that run on it, so they have it beside them in runs that are
 * recorded. With LW_TWIN_ALONE nothing is: what tests notice of a broken twin without the RTL
 * (tests/mutation/campaign.py). */
static inline bool pair_is_built(const lw_params *hw) {
    const char *seeds = getenv("LOCKSTEP_SEEDS");
    return getenv("LW_TWIN_ALONE") == NULL &&
           ((seeds != NULL && seeds[0] != '\0') || memcmp(hw, &bench_nha, sizeof *hw) == 0);
}

/* Some registers the twin keeps only for those who listen. */
static inline void pair_listen(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

/* `rtl`: whether the RTL runs too, where it is built. */
static inline void pair_init(pair *p, const lw_params *hw, bool rtl) {
    lw_error err = {0};
    lw_system system = {.hw = *hw};
    memset(p, 0, sizeof *p);
    bench_init(&p->b, hw, 1);
    p->b.beside_ctx = p;
    lw_iommu_watch(p->b.u, pair_listen, NULL);
    if (!rtl || !pair_is_built(hw)) {
        return;
    }
    assert_true(lw_rtl_library_open(&p->library, ".", &system, false, &err));
    p->rtl = p->library.functions->create(pair_rtl_cycle, p, 0);
    assert_non_null(p->rtl);
    p->library.functions->reset(p->rtl);
    p->net = lw_state_net_new(hw, p->library.functions, p->rtl, NULL, p->b.u, &err);
    assert_non_null(p->net);
    p->b.beside = pair_step_rtl;
}

static inline void pair_done(pair *p) {
    if (p->rtl != NULL) {
        lw_state_net_free(p->net);
        p->library.functions->destroy(p->rtl);
    }
    bench_done(&p->b);
    if (p->rtl != NULL) {
        lw_rtl_library_close(&p->library);
    }
}

/* A register, on both sides. */
static inline void assert_field(const bench *b, lw_field f, uint32_t i, uint64_t want) {
    const pair *p = b->beside_ctx;
    const uint64_t got = bench_peek(b, f, i);
    if (got != want) {
        print_error("cycle %llu: %s.%s[%u] is %llx, not %llx\n", (unsigned long long)b->cycle,
                    lw_structure_name(lw_field_structure(f)), lw_field_name(f), i,
                    (unsigned long long)got, (unsigned long long)want);
    }
    assert_true(got == want);
    assert_true(p->rtl == NULL || lw_state_net_rtl(p->net, f, i) == want);
}

#endif
