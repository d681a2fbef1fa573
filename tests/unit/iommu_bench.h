/* A bench for the twin's unit tests: page tables in a flat array, a walk memory of fixed or random
 * latency, a pool of pages to ask for, and a reference walk that checks every answer. It shares
 * nothing with the unit but the ports. */
#ifndef LW_TEST_IOMMU_BENCH_H
#define LW_TEST_IOMMU_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "iommu.h"

#include <stdlib.h>
#include <string.h>

enum { BENCH_NODES = 8192, BENCH_IDS = 4096, BENCH_POOL = 4096 };

/* PTE bits. */
#define P_ UINT64_C(1)
#define RW_ UINT64_C(2)
#define US_ UINT64_C(4)
#define PS_ UINT64_C(0x80)
#define NX_ (UINT64_C(1) << 63)

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
                                    .buffer_entries = 256,
                                    .walkers = 8,
                                    .pwc_org = 0,
                                    .pwc_entries = 32,
                                    .pwc_ways = 8,
                                    .pwc_latency = 2,
                                    .coalesce = 1};

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
    } flight[32];
    uint64_t accesses;
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
    uint64_t old_answers;
} bench;

static inline void bench_init(bench *b, const lw_params *hw, uint64_t seed) {
    lw_error err = {{0}};
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

/* --- page tables ------------------------------------------------------------------------------ */

static inline uint32_t bench_node(bench *b) {
    assert_true(b->nodes < BENCH_NODES);
    return b->nodes++;
}

static inline uint32_t bench_root(bench *b, uint32_t pasid) {
    if (b->root[pasid] == 0) {
        b->root[pasid] = bench_node(b);
    }
    return b->root[pasid];
}

/* The PTE of a level, with nodes made on the way (P, RW, US). */
static inline uint64_t *bench_pte(bench *b, uint32_t pasid, uint64_t vpn, uint32_t level) {
    uint64_t node = bench_root(b, pasid);
    for (uint32_t k = b->hw.levels; k >= level; k--) {
        uint64_t *pte = &b->table[node * 512 + (vpn >> (9 * (k - 1)) & 511)];
        if (k == level) {
            return pte;
        }
        if (*pte == 0) {
            *pte = (uint64_t)bench_node(b) << 12 | P_ | RW_ | US_;
        }
        node = *pte >> 12 & (BENCH_NODES - 1);
    }
    fail();
    return NULL;
}

/* Maps 4 KiB to a PFN with all rights. */
static inline void bench_map(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn) {
    *bench_pte(b, pasid, vpn, 1) = pfn << 12 | P_ | RW_ | US_;
}

/* What the page tables say: a walk of its own, one level at a time. */
static inline bench_answer bench_reference(const bench *b, const bench_page *q) {
    const uint32_t vpn_w = 9 * b->hw.levels;
    const int64_t sign = (int64_t)(q->page << 12) >> (12 + vpn_w - 1);
    if (sign != 0 && sign != -1) {
        return (bench_answer){.kind = LW_NONCANONICAL};
    }
    if (q->pasid >= b->hw.pasids || b->root[q->pasid] == 0) {
        return (bench_answer){.kind = LW_UNKNOWN_PASID};
    }
    const uint64_t vpn = q->page & ((UINT64_C(1) << vpn_w) - 1);
    const bool execute = (q->access & 2) != 0, write = q->access == 1;
    uint64_t node = b->root[q->pasid];
    uint32_t perm = 3;
    for (uint32_t k = b->hw.levels; k >= 1; k--) {
        const uint64_t pte = b->table[node * 512 + (vpn >> (9 * (k - 1)) & 511)];
        const uint64_t frame = pte & UINT64_C(0x000ffffffffff000);
        const bool large = (pte & PS_) != 0;
        if ((pte & P_) == 0) {
            return (bench_answer){.kind = LW_NOT_PRESENT, .level = k};
        }
        if ((large && k >= 4) || frame >> b->hw.pa_width != 0) {
            return (bench_answer){.kind = LW_RESERVED, .level = k};
        }
        const uint64_t below = k == 3 ? 0x3fffe000 : 0x1fe000;
        if (large && (k == 2 || k == 3) && (pte & below) != 0) {
            return (bench_answer){.kind = LW_MISALIGNED, .level = k};
        }
        if ((pte & US_) == 0 || (write && (pte & RW_) == 0) || (execute && (pte & NX_) != 0)) {
            return (bench_answer){.kind = LW_PERMISSION, .level = k};
        }
        perm &= ((pte & NX_) == 0 ? 2u : 0u) | ((pte & RW_) != 0 ? 1u : 0u);
        if (k == 1 || large) {
            const uint64_t inside = (UINT64_C(1) << (9 * (k - 1))) - 1;
            return (bench_answer){
                .size = k - 1, .perm = perm, .pfn = (frame >> 12 & ~inside) | (vpn & inside)};
        }
        node = frame >> 12;
    }
    fail();
    return (bench_answer){0};
}

/* A random PTE for a level: mostly a usable one, sometimes each kind of fault. */
static inline uint64_t bench_random_pte(bench *b, uint32_t level, uint32_t bad) {
    uint64_t flags = P_ | US_ | RW_;
    const uint64_t frame = lw_rng_next(&b->rng) & ((UINT64_C(1) << b->hw.pa_width) - 4096);
    const bool large = level <= 3 && level >= 2 && lw_rng_percent(&b->rng, 8);
    uint64_t pte = large ? (frame & ~((UINT64_C(1) << (12 + 9 * (level - 1))) - 1)) | PS_ : frame;
    if (level > 1 && !large) {
        pte = (uint64_t)bench_node(b) << 12;
    }
    flags |= lw_rng_percent(&b->rng, 15) ? NX_ : 0;
    flags &= lw_rng_percent(&b->rng, 15) ? ~RW_ : UINT64_MAX;
    if (lw_rng_percent(&b->rng, bad)) {
        switch (lw_rng_below(&b->rng, 4)) {
        case 0:
            return UINT64_C(1) << 55; /* not present, but decided */
        case 1:
            return b->hw.pa_width < 52 ? pte | flags | UINT64_C(1) << 51 : pte | RW_ | P_;
        case 2:
            return level >= 2 ? (level <= 3 ? pte | PS_ | UINT64_C(1) << 13 : pte | PS_) | flags
                              : pte | P_ | RW_;
        default:
            return (pte | flags) & ~US_;
        }
    }
    return pte | flags;
}

/* Decides every PTE on the way to a page, once. */
static inline void bench_decide(bench *b, uint32_t pasid, uint64_t vpn, uint32_t bad) {
    uint64_t node = bench_root(b, pasid);
    for (uint32_t k = b->hw.levels; k >= 1; k--) {
        uint64_t *pte = &b->table[node * 512 + (vpn >> (9 * (k - 1)) & 511)];
        if (*pte == 0) {
            *pte = bench_random_pte(b, k, bad);
        }
        const uint64_t frame = *pte >> 12 & ((UINT64_C(1) << 40) - 1);
        if (k == 1 || (*pte & (P_ | PS_)) != P_ || frame >= BENCH_NODES) {
            return;
        }
        node = frame;
    }
}

static inline uint64_t bench_sign_extend(const bench *b, uint64_t vpn) {
    const uint64_t sign = UINT64_C(1) << (b->hw.levels == 5 ? 44 : 35);
    return ((vpn ^ sign) - sign) & ((UINT64_C(1) << 52) - 1);
}

/* Fills the pool with pages of `pasids` address spaces: clusters that share the lower levels, pages
 * far apart, and `bad` percent of each kind of trouble. */
static inline void bench_pool(bench *b, uint32_t size, uint32_t pasids, uint32_t bad) {
    const uint64_t vpn_mask = (UINT64_C(1) << (9 * b->hw.levels)) - 1;
    uint64_t base = 0;
    b->pool_size = size;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&b->rng, pasids);
        static const uint8_t spread[] = {3, 4, 9, 10, 12, 18, 21, 27, 44};
        if (lw_rng_percent(&b->rng, 4)) {
            base = lw_rng_next(&b->rng);
        }
        const uint64_t reach = UINT64_C(1) << spread[lw_rng_below(&b->rng, sizeof spread - 2)];
        const uint64_t vpn = (base + (lw_rng_next(&b->rng) & (reach - 1))) & vpn_mask;
        bench_decide(b, pasid, vpn, bad);
        b->pool[i] =
            (bench_page){pasid, (uint32_t)lw_rng_below(&b->rng, 4), bench_sign_extend(b, vpn)};
        if (lw_rng_percent(&b->rng, bad)) {
            b->pool[i].page ^= UINT64_C(1) << 51;
        } else if (lw_rng_percent(&b->rng, bad)) {
            b->pool[i].pasid = b->hw.pasids + (uint32_t)lw_rng_below(&b->rng, 1000);
        }
    }
}

/* --- one cycle -------------------------------------------------------------------------------- */

static inline const uint64_t *bench_line(const bench *b, uint64_t line) {
    return &b->table[line * 8 % ((uint64_t)BENCH_NODES * 512)];
}

static inline void bench_memory(bench *b) {
    b->in.mem_req_ready = !lw_rng_percent(&b->rng, b->not_ready);
    b->in.mem_rsp_valid = false;
    for (uint32_t t = 0; t < 32; t++) {
        if (b->flight[t].busy && b->flight[t].due <= b->cycle) {
            b->flight[t].busy = false;
            b->in.mem_rsp_valid = true;
            b->in.mem_rsp_tag = t;
            b->in.mem_rsp_error = lw_rng_percent(&b->rng, b->errors);
            memcpy(b->in.mem_rsp_data,
                   b->flight[t].early ? b->flight[t].data : bench_line(b, b->flight[t].line),
                   sizeof b->in.mem_rsp_data);
            break;
        }
    }
    if (b->out.mem_req_valid && b->in.mem_req_ready) {
        const uint32_t t = b->out.mem_req_tag;
        assert_true(t < b->hw.walkers);
        assert_false(b->flight[t].busy);
        b->flight[t].busy = true;
        b->flight[t].early = lw_rng_percent(&b->rng, 50);
        b->flight[t].line = b->out.mem_req_line;
        memcpy(b->flight[t].data, bench_line(b, b->out.mem_req_line), sizeof b->flight[t].data);
        b->flight[t].due =
            b->cycle + b->latency + (b->jitter != 0 ? lw_rng_below(&b->rng, b->jitter) : 0);
        b->accesses++;
    }
}

static inline void bench_take_response(bench *b) {
    if (!b->out.rsp_valid || !b->in.rsp_ready) {
        return;
    }
    const uint32_t id = b->out.rsp_id;
    assert_true(b->open[id].busy); /* exactly once */
    b->open[id].busy = false;
    b->answered++;
    b->last_id = id;
    b->last = (bench_answer){b->out.rsp_kind, b->out.rsp_level, b->out.rsp_size, b->out.rsp_perm,
                             b->out.rsp_pfn};
    if (b->any_kind || (b->last.kind == LW_MEMORY_ERROR && b->errors != 0)) {
        return;
    }
    bench_answer want = bench_reference(b, &b->open[id].page);
    if (b->changed != NULL && memcmp(&want, &b->last, sizeof want) != 0) {
        const uint64_t now = *b->changed;
        *b->changed = b->old_pte;
        want = bench_reference(b, &b->open[id].page);
        *b->changed = now;
        b->old_answers++;
    }
    assert_int_equal(b->last.kind, want.kind);
    assert_int_equal(b->last.level, want.level);
    assert_int_equal(b->last.size, want.size);
    assert_int_equal(b->last.perm, want.perm);
    assert_true(b->last.pfn == want.pfn);
}

/* Reads the outputs, steps with b->in and lets memory and requester see what was transferred. */
static inline void bench_step(bench *b) {
    lw_iommu_outputs(b->u, &b->out);
    bench_memory(b);
    bench_take_response(b);
    if (b->in.req_valid && b->out.req_ready) {
        const uint32_t id = b->in.req_id;
        b->open[id].busy = true;
        b->open[id].page = (bench_page){b->in.req_pasid, b->in.req_access, b->in.req_page};
        b->sent++;
    }
    const bool taken = b->in.req_valid && b->out.req_ready;
    lw_iommu_step(b->u, &b->in);
    b->stepped = b->in;
    b->cycle++;
    if (b->beside != NULL) {
        b->beside(b->beside_ctx, &b->stepped, &b->out);
    }
    b->in.inv_valid = b->in.ctl_write = false;
    if (taken) {
        b->in.req_valid = false;
    }
}

static inline void bench_steps(bench *b, uint32_t n) {
    while (n-- > 0) {
        bench_step(b);
    }
}

static inline void bench_write(bench *b, uint32_t addr, uint64_t data) {
    b->in.ctl_write = true;
    b->in.ctl_addr = addr;
    b->in.ctl_wdata = data;
    bench_step(b);
    b->in.ctl_addr = 0;
}

/* Roots for every PASID that has one, and the features. */
static inline void bench_enable(bench *b, uint32_t mode, bool pwc, bool pl_skips) {
    for (uint32_t p = 0; p < b->hw.pasids; p++) {
        if (b->root[p] != 0) {
            bench_write(b, LW_CTL_ROOT + p, UINT64_C(1) << 63 | b->root[p]);
        }
    }
    bench_write(b, LW_CTL_FEATURES, mode | (pwc ? 4u : 0u) | (pl_skips ? 8u : 0u));
}

/* Offers a request with the lowest free id, if none is offered yet. */
static inline void bench_offer(bench *b, const bench_page *q) {
    if (b->in.req_valid) {
        return;
    }
    for (uint32_t id = 0; id < b->ids; id++) {
        if (!b->open[id].busy) {
            b->in.req_valid = true;
            b->in.req_id = id;
            b->in.req_src = id & 3;
            b->in.req_pasid = q->pasid;
            b->in.req_access = q->access;
            b->in.req_page = q->page;
            return;
        }
    }
}

static inline void bench_random_cycle(bench *b, bool offering) {
    if (offering && b->pool_size != 0 && !lw_rng_percent(&b->rng, b->request_gap)) {
        bench_offer(b, &b->pool[lw_rng_below(&b->rng, b->pool_size)]);
    }
    b->in.rsp_ready = !lw_rng_percent(&b->rng, b->response_not_ready);
    bench_step(b);
}

/* Runs until everything is answered, or fails. */
static inline void bench_drain(bench *b) {
    for (uint32_t n = 0; b->answered < b->sent || b->in.req_valid; n++) {
        assert_true(n < 200000);
        b->in.rsp_ready = true;
        bench_step(b);
    }
}

/* A stream of random requests from the pool, all of them answered at the end. */
static inline void bench_run(bench *b, uint64_t requests) {
    const uint64_t until = b->sent + requests;
    for (uint64_t n = 0; b->sent < until; n++) {
        assert_true(n < requests * 2000);
        bench_random_cycle(b, true);
    }
    bench_drain(b);
}

#endif
