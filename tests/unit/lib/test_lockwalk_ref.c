/* The C side of lockwalk_ref (lib/lockwalk_ref.c), as a simulator calls it by the imports of
 * lib/lockwalk_ref.sv: it has the outputs of a twin of the same inputs, in every cycle. */
#include "tests/unit/c_model/stream_bench.h"

/* The imports, in the types of svdpi.h. */
void *lw_ref_new(const uint32_t *parameters);
void lw_ref_free(void *u);
void lw_ref_reset(void *u);
void lw_ref_step(void *u, uint8_t req_valid, uint32_t req_id, uint32_t req_src, uint32_t req_pasid,
                 uint64_t req_page, uint32_t req_access, uint8_t rsp_ready, uint8_t mem_req_ready,
                 uint8_t mem_rsp_valid, uint32_t mem_rsp_tag, uint8_t mem_rsp_error,
                 const uint32_t *mem_rsp_data, uint8_t inv_valid, uint32_t inv_type,
                 uint32_t inv_pasid, uint64_t inv_first, uint64_t inv_last, uint8_t ctl_write,
                 uint32_t ctl_addr, uint64_t ctl_wdata);
void lw_ref_outputs(void *u, uint8_t *req_ready, uint8_t *rsp_valid, uint32_t *rsp_id,
                    uint32_t *rsp_kind, uint32_t *rsp_level, uint64_t *rsp_pfn, uint32_t *rsp_size,
                    uint32_t *rsp_perm, uint8_t *mem_req_valid, uint32_t *mem_req_tag,
                    uint64_t *mem_req_line, uint8_t *inv_ready, uint8_t *inv_done,
                    uint64_t *ctl_rdata);

/* The reference; the bits of each port that were ever one, and whether it was ever zero. */
typedef struct reference {
    void *unit;
    lw_inputs told, told_zero;
    lw_outputs said, said_zero;
    uint32_t invalidations, accesses; /* a bit for each type that was taken */
} reference;

static void compare_outputs(reference *r, const lw_outputs *out) {
    uint8_t req_ready, rsp_valid, mem_req_valid, inv_ready, inv_done;
    uint32_t rsp_id, rsp_kind, rsp_level, rsp_size, rsp_perm, mem_req_tag;
    uint64_t rsp_pfn, mem_req_line, ctl_rdata;
    lw_ref_outputs(r->unit, &req_ready, &rsp_valid, &rsp_id, &rsp_kind, &rsp_level, &rsp_pfn,
                   &rsp_size, &rsp_perm, &mem_req_valid, &mem_req_tag, &mem_req_line, &inv_ready,
                   &inv_done, &ctl_rdata);
#define COMPARE(port)                                                                              \
    assert_int_equal(port, out->port);                                                             \
    r->said.port |= out->port;                                                                     \
    r->said_zero.port |= !out->port
    COMPARE(req_ready);
    COMPARE(rsp_valid);
    COMPARE(rsp_id);
    COMPARE(rsp_kind);
    COMPARE(rsp_level);
    COMPARE(rsp_pfn);
    COMPARE(rsp_size);
    COMPARE(rsp_perm);
    COMPARE(mem_req_valid);
    COMPARE(mem_req_tag);
    COMPARE(mem_req_line);
    COMPARE(inv_ready);
    COMPARE(inv_done);
    COMPARE(ctl_rdata);
#undef COMPARE
}

static void note_inputs(reference *r, const lw_inputs *in) {
#define NOTE(port)                                                                                 \
    r->told.port |= in->port;                                                                      \
    r->told_zero.port |= !in->port
    NOTE(req_valid);
    NOTE(req_id);
    NOTE(req_src);
    NOTE(req_pasid);
    NOTE(req_page);
    NOTE(req_access);
    NOTE(rsp_ready);
    NOTE(mem_req_ready);
    NOTE(mem_rsp_valid);
    NOTE(mem_rsp_tag);
    NOTE(mem_rsp_error);
    NOTE(inv_valid);
    NOTE(inv_type);
    NOTE(inv_pasid);
    NOTE(inv_first);
    NOTE(inv_last);
    NOTE(ctl_write);
    NOTE(ctl_addr);
    NOTE(ctl_wdata);
    for (uint32_t j = 0; j < 8; j++) {
        NOTE(mem_rsp_data[j]);
    }
#undef NOTE
}

static void step_reference(void *ctx, const lw_inputs *in, const lw_outputs *out) {
    reference *r = ctx;
    uint32_t line[16];
    compare_outputs(r, out);
    note_inputs(r, in);
    r->invalidations |= (uint32_t)(in->inv_valid && out->inv_ready) << in->inv_type;
    r->accesses |= (uint32_t)(in->req_valid && out->req_ready) << in->req_access;
    for (uint32_t j = 0; j < 16; j++) {
        line[j] = (uint32_t)(in->mem_rsp_data[j / 2] >> j % 2 * 32);
    }
    lw_ref_step(r->unit, in->req_valid, in->req_id, in->req_src, in->req_pasid, in->req_page,
                in->req_access, in->rsp_ready, in->mem_req_ready, in->mem_rsp_valid,
                in->mem_rsp_tag, in->mem_rsp_error, line, in->inv_valid, in->inv_type,
                in->inv_pasid, in->inv_first, in->inv_last, in->ctl_write, in->ctl_addr,
                in->ctl_wdata);
}

/* A port that never changes could be left out, and nobody would miss it. */
static void assert_all_was_there(const reference *r) {
#define WAS_THERE(port) assert_true(r->told.port != 0 && r->told_zero.port != 0)
    WAS_THERE(req_valid);
    WAS_THERE(req_id);
    WAS_THERE(req_src);
    WAS_THERE(req_pasid);
    WAS_THERE(req_page);
    WAS_THERE(req_access);
    WAS_THERE(rsp_ready);
    WAS_THERE(mem_req_ready);
    WAS_THERE(mem_rsp_valid);
    WAS_THERE(mem_rsp_tag);
    WAS_THERE(mem_rsp_error);
    WAS_THERE(inv_valid);
    WAS_THERE(inv_type);
    WAS_THERE(inv_pasid);
    WAS_THERE(inv_first);
    WAS_THERE(inv_last);
    WAS_THERE(ctl_write);
    WAS_THERE(ctl_addr);
    WAS_THERE(ctl_wdata);
    for (uint32_t j = 0; j < 8; j++) {
        WAS_THERE(mem_rsp_data[j]);
    }
#undef WAS_THERE
#define WAS_SAID(port) assert_true(r->said.port != 0 && r->said_zero.port != 0)
    WAS_SAID(req_ready);
    WAS_SAID(rsp_valid);
    WAS_SAID(rsp_id);
    WAS_SAID(rsp_kind);
    WAS_SAID(rsp_level);
    WAS_SAID(rsp_pfn);
    WAS_SAID(rsp_size);
    WAS_SAID(rsp_perm);
    WAS_SAID(mem_req_valid);
    WAS_SAID(mem_req_tag);
    WAS_SAID(mem_req_line);
    WAS_SAID(inv_ready);
    WAS_SAID(inv_done);
    WAS_SAID(ctl_rdata);
#undef WAS_SAID
    assert_int_equal(r->invalidations, 15);
    assert_int_equal(r->accesses, 15);
}

/* An invalidation of any type, around a page that is asked for; it stays until it is taken. */
static void draw_invalidation(bench *b) {
    if (b->stepped.inv_valid && !b->out.inv_ready) {
        b->in.inv_valid = true;
        return;
    }
    const bench_page *q = &b->pool[lw_rng_below(&b->rng, b->pool_size)];
    const uint64_t vpns = UINT64_C(1) << 9 * b->hw.levels;
    b->in.inv_valid = lw_rng_percent(&b->rng, 2);
    b->in.inv_type = (uint32_t)lw_rng_below(&b->rng, 4);
    b->in.inv_pasid = q->pasid;
    b->in.inv_first = q->page & (vpns - 1);
    b->in.inv_last = (b->in.inv_first + lw_rng_below(&b->rng, 4096)) & (vpns - 1);
}

/* A register to read: only the record of the first fault tells of a request's source. It is cleared
 * now and then, or the root of a PASID is written as it is. */
static void draw_control(bench *b) {
    static const uint32_t one_of[] = {LW_CTL_FEATURES, LW_CTL_FAULT_INFO, LW_CTL_FAULT_PAGE,
                                      LW_CTL_COUNTER, LW_CTL_ROOT};
    b->in.ctl_addr = one_of[lw_rng_below(&b->rng, sizeof one_of / sizeof one_of[0])];
    b->in.ctl_write = b->in.ctl_addr == LW_CTL_FAULT_INFO && lw_rng_percent(&b->rng, 5);
    b->in.ctl_wdata = 0;
    if (b->in.ctl_addr == LW_CTL_COUNTER) {
        b->in.ctl_addr += (uint32_t)lw_rng_below(&b->rng, LW_C_EVENTS);
    } else if (b->in.ctl_addr == LW_CTL_ROOT) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&b->rng, b->hw.pasids);
        b->in.ctl_addr += pasid;
        b->in.ctl_write = b->root[pasid] != 0 && lw_rng_percent(&b->rng, 5);
        b->in.ctl_wdata = UINT64_C(1) << 63 | b->root[pasid];
    }
}

static void assert_same_registers(const bench *b, void *unit) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const uint32_t entries = lw_structure_entries(&b->hw, lw_field_structure(f));
        for (uint32_t i = 0; i < entries; i++) {
            assert_int_equal(lw_iommu_peek(unit, f, i), bench_peek(b, f, i));
        }
    }
}

static void test_equal_to_a_twin(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        lw_params params = seed % 2 == 0 ? bench_nha : tiny;
        bench b;
        params.pasids = 4;
        params.walkers = 4;
        add_subregions(&params, seed);
        params.colt = LW_COLT_LINKS;
        params.head_first = 0;
        bench_init(&b, &params, seed);
        bench_pool(&b, 300, params.pasids, 2);
        b.not_ready = b.response_not_ready = b.request_gap = 30;
        b.errors = 3;
        b.jitter = 20;
        reference r = {.unit = lw_ref_new((const uint32_t *)&params)};
        assert_non_null(r.unit);
        b.beside = step_reference;
        b.beside_ctx = &r;
        bench_enable(&b, 2, true, false);
        for (uint32_t n = 0; n < 8000; n++) {
            if (!b.in.req_valid && !lw_rng_percent(&b.rng, b.request_gap)) {
                bench_offer(&b, &b.pool[lw_rng_below(&b.rng, b.pool_size)]);
                b.in.req_src = (uint32_t)lw_rng_below(&b.rng, 1u << params.src_w);
            }
            draw_invalidation(&b);
            draw_control(&b);
            bench_random_cycle(&b, false);
        }
        assert_all_was_there(&r);
        assert_same_registers(&b, r.unit);
        lw_ref_reset(r.unit);
        lw_iommu_reset(b.u);
        assert_same_registers(&b, r.unit);
        lw_ref_free(r.unit);
        bench_done(&b);
    }
}

static void test_illegal_parameters(void **state) {
    (void)state;
    lw_params params = bench_nha;
    params.levels = 3;
    assert_null(lw_ref_new((const uint32_t *)&params));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_a_twin),
        cmocka_unit_test(test_illegal_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
