/* The state of the unit tests' bench (iommu_bench.h). */
#ifndef LW_TESTS_UNIT_C_MODEL_BENCH_STATE_H
#define LW_TESTS_UNIT_C_MODEL_BENCH_STATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/iommu.h"
#include "common/rng.h"

#include <stdlib.h>
#include <string.h>

enum { BENCH_NODES = 8192, BENCH_IDS = 4096, BENCH_POOL = 4096, BENCH_TAGS = 40 };

/* PTE bits. */
#define P_ UINT64_C(1)
#define RW_ UINT64_C(2)
#define US_ UINT64_C(4)
#define PS_ UINT64_C(0x80)
#define NX_ (UINT64_C(1) << 63)
/* Contiguity bits of a level-2 PTE. */
#define AC_ (UINT64_C(1) << 60)
#define C_(i) (UINT64_C(1) << (52 + (i)))
#define CONTIG_ (AC_ | 255 * C_(0))

static const lw_params bench_nha = {.levels = 4,
                                    .pa_width = 48,
                                    .pasids = 16,
                                    .id_w = 12,
                                    .src_w = 6,
                                    .tlb_entries = 256,
                                    .tlb_ways = 16,
                                    .tlb_latency = 1,
                                    .tlb_partition = 8,
                                    .hit_queue = 8,
                                    .walk_queue = 4,
                                    .miss_queue = 16,
                                    .buffer_entries = 256,
                                    .lines = 16,
                                    .walkers = 8,
                                    .pwc_org = 0,
                                    .pwc_entries = 32,
                                    .pwc_ways = 8,
                                    .pwc_latency = 2,
                                    .coalesce = 1,
                                    .msc_entries = 512,
                                    .msc_ways = 8,
                                    .check_queue = 8,
                                    .slot_pages = 512};

typedef struct bench_page {
    uint32_t pasid, access;
    uint64_t page;
} bench_page;

typedef struct bench_answer {
    uint32_t kind, level, size, perm;
    uint64_t pfn;
} bench_answer;

typedef struct bench {
    lw_params hw;
    lw_iommu *u;
    lw_rng rng;
    lw_inputs in;      /* of the next step; the bench fills request, response and memory */
    lw_inputs stepped; /* of the last step */
    /* called after each step, for a test that runs the RTL beside the twin; NULL: nobody */
    void (*beside)(void *ctx, const lw_inputs *stepped, const lw_outputs *out);
    void *beside_ctx;
    lw_outputs out;
    uint64_t cycle;
    /* page tables: node n is frame n; root[p] is a node */
    uint64_t *table;
    uint32_t nodes, root[256];
    bench_page pool[BENCH_POOL];
    uint32_t pool_size;
    /* walk memory */
    uint32_t latency, jitter, not_ready, errors;
    struct {
        bool busy, early; /* early: the data are those of the request's cycle */
        uint64_t due, line, data[8];
    } flight[BENCH_TAGS];
    uint64_t accesses, heads; /* heads: those of them by the contiguity check */
    /* requests in flight by id; the driver of bench_run */
    struct {
        bool busy;
        bench_page page;
    } open[BENCH_IDS];
    uint32_t request_gap, response_not_ready, ids;
    bool pending; /* a request is offered */
    uint64_t sent, answered;
    bench_answer last; /* the last answer that left */
    uint32_t last_id;
    bool any_kind; /* do not compare with the reference */
    /* a PTE that has been changed and not yet invalidated: answers may follow either value */
    uint64_t *changed, old_pte;
    uint64_t old_answers, linked; /* linked: answers of kind OK with LINKS */
} bench;

static inline void bench_init(bench *b, const lw_params *hw, uint64_t seed) {
    lw_error err = {0};
    memset(b, 0, sizeof *b);
    b->hw = *hw;
    b->u = lw_iommu_new(hw, &err);
    assert_non_null(b->u);
    assert_string_equal(err.text, "");
    lw_rng_seed(&b->rng, seed);
    b->table = calloc((size_t)BENCH_NODES * 512, sizeof *b->table);
    assert_non_null(b->table);
    b->nodes = 1;
    b->latency = 10;
    b->ids = hw->id_w < 12 ? 1u << hw->id_w : BENCH_IDS;
    b->in.rsp_ready = true;
}

static inline void bench_done(bench *b) {
    lw_iommu_free(b->u);
    free(b->table);
}

static inline uint64_t bench_peek(const bench *b, lw_field f, uint32_t i) {
    return lw_iommu_peek(b->u, f, i);
}

/* R9.10: the PTE of the line store that a buffer entry has learnt. */
static inline uint32_t bench_learnt(const bench *b, uint32_t slot) {
    return (uint32_t)(8 * bench_peek(b, LW_F_BUFFER_LINE, slot) +
                      bench_peek(b, LW_F_BUFFER_POSITION, slot));
}

#endif
