/* A bench for the twin's unit tests: page tables in a flat array, a walk memory of fixed or random
 * latency, a pool of pages to ask for, and a reference walk that checks every answer. It shares
 * nothing with the unit but the ports. */
#ifndef LW_TESTS_UNIT_C_MODEL_IOMMU_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_IOMMU_BENCH_H

#include "tests/unit/c_model/bench_tables.h"

static inline const uint64_t *bench_line(const bench *b, uint64_t line) {
    return &b->table[line * 8 % ((uint64_t)BENCH_NODES * 512)];
}

static inline void bench_memory(bench *b) {
    b->in.mem_req_ready = !lw_rng_percent(&b->rng, b->not_ready);
    b->in.mem_rsp_valid = false;
    for (uint32_t t = 0; t < BENCH_TAGS; t++) {
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
        assert_true(t < b->hw.walkers + 8 * b->hw.subregions);
        assert_false(b->flight[t].busy);
        b->flight[t].busy = true;
        b->flight[t].early = lw_rng_percent(&b->rng, 50);
        b->flight[t].line = b->out.mem_req_line;
        memcpy(b->flight[t].data, bench_line(b, b->out.mem_req_line), sizeof b->flight[t].data);
        b->flight[t].due =
            b->cycle + b->latency + (b->jitter != 0 ? lw_rng_below(&b->rng, b->jitter) : 0);
        b->accesses++;
        b->heads += t >= b->hw.walkers;
    }
}

/* Of an answer's LINKS all must be true; not all that are true need be there. */
static inline bool bench_is_right(const bench_answer *got, const bench_answer *want) {
    const uint32_t level = want->kind == LW_OK ? got->level & ~want->level : got->level;
    return got->kind == want->kind && level == (want->kind == LW_OK ? 0 : want->level) &&
           got->size == want->size && got->perm == want->perm && got->pfn == want->pfn;
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
    b->linked += b->last.kind == LW_OK && b->last.level != 0;
    if (b->changed != NULL && !bench_is_right(&b->last, &want)) {
        const uint64_t now = *b->changed;
        *b->changed = b->old_pte;
        want = bench_reference(b, &b->open[id].page);
        *b->changed = now;
        b->old_answers++;
    }
    if (!bench_is_right(&b->last, &want)) {
        fail_msg("page %llx: kind %u level %u size %u perm %u pfn %llx, not %u %u %u %u %llx",
                 (unsigned long long)b->open[id].page.page, b->last.kind, b->last.level,
                 b->last.size, b->last.perm, (unsigned long long)b->last.pfn, want.kind, want.level,
                 want.size, want.perm, (unsigned long long)want.pfn);
    }
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

/* Roots for every PASID that has one, and the features; subregions and CoLT where they are there.
 */
static inline void bench_enable(bench *b, uint32_t mode, bool pwc, bool pl_skips) {
    for (uint32_t p = 0; p < b->hw.pasids; p++) {
        if (b->root[p] != 0) {
            bench_write(b, LW_CTL_ROOT + p, UINT64_C(1) << 63 | b->root[p]);
        }
    }
    bench_write(b, LW_CTL_FEATURES,
                mode | (pwc ? 4u : 0u) | (pl_skips ? 8u : 0u) | (b->hw.subregions != 0 ? 16u : 0u) |
                    (b->hw.colt != 0 ? 32u : 0u));
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

/* One request, and all that are under way with it, to the end. */
static inline void bench_ask(bench *b, uint32_t pasid, uint64_t page, uint32_t access) {
    bench_offer(b, &(bench_page){pasid, access, page});
    bench_drain(b);
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

/* A unit in which everything has been answered is empty. */
static inline void assert_empty(const bench *b) {
    assert_int_equal(bench_peek(b, LW_F_ADMISSION_MISS_USED, 0), 0);
    assert_int_equal(bench_peek(b, LW_F_ADMISSION_HIT_USED, 0), 0);
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        assert_int_equal(bench_peek(b, LW_F_BUFFER_VALID, i), 0);
    }
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        assert_int_equal(bench_peek(b, LW_F_PWST_STATE, i), 0);
    }
}

static inline void bench_nobody_looks(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

/* The twin has NEAR_LEVEL, NEAR_CLAIM and NEAR_POSITION only while it tells what it writes. */
static inline void bench_keep_near(bench *b) {
    lw_iommu_watch(b->u, bench_nobody_looks, NULL);
}

#endif
