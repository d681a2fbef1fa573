/* Hashed tables under random streams: every answer against the tables, while a driver moves,
 * evicts and recalls regions and adds pages one word at a time (R20.21 to R20.23, R20.33), and a
 * sibling that skips whatever it may. */
#include "tests/unit/c_model/hashed_driver.h"
#include "tests/unit/c_model/told_net.h"

/* ---------------------------------------------------------------- the sibling */

static void assert_equal_units(const stream *s) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const uint32_t entries = lw_structure_entries(&s->h.b.hw, lw_field_structure(f));
        for (uint32_t i = 0; i < entries; i++) {
            if (lw_iommu_peek(s->h.b.u, f, i) != lw_iommu_peek(s->sibling, f, i)) {
                fail_msg("%s.%s[%u]", lw_structure_name(lw_field_structure(f)), lw_field_name(f),
                         i);
            }
        }
    }
}

static void follow(stream *s) {
    const lw_inputs *in = &s->h.b.stepped;
    if (!in->req_valid && !in->mem_rsp_valid && !in->inv_valid && !in->ctl_write &&
        lw_iommu_idle_cycles(s->sibling) > s->skip) {
        s->skip++;
        return;
    }
    lw_iommu_skip(s->sibling, s->skip, false);
    s->skipped += s->skip;
    s->skip = 0;
    lw_iommu_step(s->sibling, in);
}

/* ---------------------------------------------------------------- the stream */

static void begin(stream *s, const lw_params *hw, uint64_t seed) {
    memset(s, 0, sizeof *s);
    hashed_init(&s->h, hw, seed);
    hashed *h = &s->h;
    lw_error err = {0};
    s->sibling = lw_iommu_new(hw, &err);
    assert_non_null(s->sibling);
    h->stride = 1 + 2 * lw_rng_below(&h->b.rng, 1 << 17);
    for (uint32_t p = 0; p < HASHED_PASIDS; p++) {
        const uint32_t tree = p == 2 ? 0 : FIRST_TREE + p; /* one has no victim buffer */
        h->of[p] = (hashed_table){.table_log = SHARED_LOG,
                                  .step_log = 7,
                                  .table_frame = SLOTS,
                                  .step_frame = 2,
                                  .victim = tree};
    }
    uint64_t base[3];
    for (uint32_t i = 0; i < 3; i++) {
        base[i] = lw_rng_next(&h->b.rng) & ((UINT64_C(1) << (9 * hw->levels)) - 1);
    }
    for (uint32_t i = 0; i < REGIONS; i++) {
        region *r = &s->regions[i];
        bool again = true;
        while (again) {
            r->pasid = (uint32_t)lw_rng_below(&h->b.rng, 2);
            r->vpn =
                (base[lw_rng_below(&h->b.rng, 3)] / hw->slot_pages ^ lw_rng_below(&h->b.rng, 40)) *
                hw->slot_pages;
            again = false;
            for (uint32_t j = 0; j < i; j++) {
                again |= r->pasid == s->regions[j].pasid && r->vpn == s->regions[j].vpn;
            }
        }
        put_new_region(s, r);
    }
}

/* Every write goes to the sibling too. */
static void tell(stream *s, uint32_t addr, uint64_t data) {
    bench *b = &s->h.b;
    b->in.ctl_write = true;
    b->in.ctl_addr = addr;
    b->in.ctl_wdata = data;
    bench_step(b);
    b->in.ctl_addr = 0;
    follow(s);
}

static void tell_tables(stream *s) {
    hashed *h = &s->h;
    tell(s, LW_CTL_STRIDE, h->stride);
    for (uint32_t p = 0; p < HASHED_PASIDS; p++) {
        const hashed_table *t = &h->of[p];
        const uint64_t valid = UINT64_C(1) << 63;
        tell(s, LW_CTL_STEP + p, (uint64_t)t->step_log << 57 | t->step_frame);
        tell(s, LW_CTL_VICTIM + p, t->victim != 0 ? valid | bench_root(&h->b, t->victim) : 0);
        tell(s, LW_CTL_ROOT + p,
             valid | valid >> 1 | (uint64_t)t->table_log << 57 | t->table_frame);
    }
}

/* A page of a region, or one beside it: most are asked for together. */
static void offer(stream *s) {
    bench *b = &s->h.b;
    const region *r = &s->regions[lw_rng_below(&b->rng, REGIONS)];
    const uint64_t few = b->hw.slot_pages == 512 ? 4 : 1; /* all that a slot has, if it is a line */
    const uint64_t lines = b->hw.subregions != 0 ? 64 : few;
    const uint64_t line = lw_rng_below(&b->rng, lines) << 3, place = lw_rng_below(&b->rng, 8);
    const bool astray = lw_rng_percent(&b->rng, 10);
    const uint64_t page =
        (r->vpn | line | place) ^ (astray ? lw_rng_below(&b->rng, 64) * b->hw.slot_pages : 0);
    const uint32_t pasid = astray ? (uint32_t)lw_rng_below(&b->rng, HASHED_PASIDS) : r->pasid;
    const uint32_t access = (uint32_t)lw_rng_below(&b->rng, 4);
    bench_offer(b, &(bench_page){pasid, access, bench_sign_extend(b, page)});
}

static void invalidate_sometimes(stream *s) {
    bench *b = &s->h.b;
    if (lw_rng_below(&b->rng, 700) != 0 || b->in.inv_valid) {
        return;
    }
    b->in.inv_valid = true;
    b->in.inv_type = (uint32_t)lw_rng_below(&b->rng, 4);
    b->in.inv_pasid = (uint32_t)lw_rng_below(&b->rng, HASHED_PASIDS);
    b->in.inv_first = b->in.inv_last = lw_rng_next(&b->rng);
}

enum { MEM = 6, NO_PTE = 6, VICTIM = 1, HOME = 3, CACHED = 4, STEPS = 5, KNOWN = 6 };

/* What is scanned in a cycle, and what has been counted before it. */
typedef struct scan {
    bool valid, stale, error, retried;
    uint32_t walker;
    uint64_t where, count[LW_COUNTERS];
} scan;

static scan scan_of(const bench *b) {
    const uint32_t w = (uint32_t)bench_peek(b, LW_F_WALK_MEMORY_LINE_TAG, 0);
    scan c = {.walker = w};
    for (uint32_t n = LW_C_STEP_READS; n < LW_C_EVENTS; n++) {
        c.count[n] = lw_iommu_counter(b->u, n);
    }
    if (bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0 && w < b->hw.walkers &&
        bench_peek(b, LW_F_PWST_STATE, w) == MEM) {
        c.valid = true;
        c.stale = bench_peek(b, LW_F_PWST_STALE, w) != 0;
        c.error = bench_peek(b, LW_F_WALK_MEMORY_LINE_ERROR, 0) != 0;
        c.retried = bench_peek(b, LW_F_PWST_RETRIED, w) != 0;
        c.where = bench_peek(b, LW_F_PWST_WHERE, w);
    }
    return c;
}

/* R21.17, of STALE walkers too; `of_stale`: what those have counted. */
static void assert_scan(const bench *b, scan *c, uint64_t of_stale[LW_COUNTERS]) {
    const uint64_t where = c->where, after = bench_peek(b, LW_F_PWST_WHERE, c->walker);
    const bool idle = bench_peek(b, LW_F_PWST_STATE, c->walker) == 0; /* R10.13 */
    const uint64_t kind =
        idle ? bench_peek(b, LW_F_ANSWER_ANSWER_KIND, 0) : bench_peek(b, LW_F_PWST_KIND, c->walker);
    const uint64_t level = idle ? bench_peek(b, LW_F_ANSWER_ANSWER_LEVEL, 0)
                                : bench_peek(b, LW_F_PWST_FLEVEL, c->walker);
    const bool slot = where == HOME || where == CACHED || where == KNOWN;
    const bool to_victim = where != VICTIM && after == VICTIM;
    const bool absent = kind == LW_NOT_PRESENT && level == NO_PTE;
    const bool more[LW_COUNTERS] = {
        [LW_C_STEP_READS] = where == STEPS,
        [LW_C_TABLE_READS] = slot,
        [LW_C_VICTIM_WALKS] = to_victim,
        [LW_C_VICTIM_READS] = where == VICTIM,
        [LW_C_TAG_MISSES] = slot && !c->error && (after == STEPS || to_victim || absent),
        [LW_C_STEP_RETRIES] = !c->retried && bench_peek(b, LW_F_PWST_RETRIED, c->walker) != 0};
    for (uint32_t n = LW_C_STEP_READS; n < LW_C_EVENTS; n++) {
        assert_int_equal(lw_iommu_counter(b->u, n), c->count[n] + (c->valid && more[n]));
        of_stale[n] += c->valid && c->stale && more[n];
    }
}

/* One cycle; an invalidation that is completed lets regions move again, of which the last move has
 * been made before its transfer. */
static void cycle(stream *s, bool offering, uint32_t *inv_pasid) {
    hashed *h = &s->h;
    bench *b = &h->b;
    if (offering && !lw_rng_percent(&b->rng, b->request_gap)) {
        offer(s);
    }
    b->in.rsp_ready = !lw_rng_percent(&b->rng, b->response_not_ready);
    lw_iommu_outputs(b->u, &b->out);
    if (b->out.inv_ready && s->work.done == s->work.count && offering) {
        invalidate_sometimes(s);
        *inv_pasid = b->in.inv_valid ? (b->in.inv_type == 3 ? UINT32_MAX : b->in.inv_pasid) : 0;
    }
    const uint64_t answered = b->answered, sent = b->sent;
    scan scanned = scan_of(b);
    bench_step(b);
    assert_scan(b, &scanned, s->of_stale);
    if (b->sent != sent) {
        s->asked_at[b->stepped.req_id] = b->cycle;
    }
    if (b->out.inv_done) {
        for (uint32_t i = 0; i < REGIONS; i++) {
            region *r = &s->regions[i];
            r->moved = r->moved && *inv_pasid != UINT32_MAX && *inv_pasid != r->pasid;
        }
    }
    if (b->answered != answered && b->last.kind != LW_MEMORY_ERROR) {
        bench_page *q = &b->open[b->last_id].page;
        q->page &= (UINT64_C(1) << (9 * b->hw.levels)) - 1;
        if (b->last.kind != LW_NOT_PRESENT || !has_come_since(s)) {
            hashed_judge(h);
        }
    }
    follow(s);
    if (bench_peek(b, LW_F_INVALIDATION_STATE, 0) == 0) {
        drive(s);
    }
}

static void run_stream(const lw_params *hw, uint64_t seed, uint64_t requests,
                       uint64_t sum[LW_COUNTERS], uint64_t of_stale[LW_COUNTERS],
                       uint64_t *pages_come) {
    stream *s = malloc(sizeof *s);
    assert_non_null(s);
    begin(s, hw, seed);
    bench *b = &s->h.b;
    b->latency = 1 + (uint32_t)lw_rng_below(&b->rng, 60);
    b->jitter = (uint32_t)lw_rng_below(&b->rng, 50);
    b->not_ready = (uint32_t)lw_rng_below(&b->rng, 60);
    b->response_not_ready = (uint32_t)lw_rng_below(&b->rng, 40);
    b->request_gap = seed % 3 == 0 ? 97 : (uint32_t)lw_rng_below(&b->rng, 60);
    b->errors = seed % 4 == 0 ? 2 : 0;
    tell_tables(s);
    tell(s, LW_CTL_FEATURES,
         seed % 3 | (seed % 5 != 0 ? 4u : 0u) | (hw->subregions != 0 ? 16u : 0u) |
             (seed % 2 == 0 ? HOME_FIRST_BIT : 0u));
    uint32_t inv_pasid = 0;
    for (uint64_t n = 0; b->sent < requests; n++) {
        assert_true(n < requests * 2000);
        cycle(s, true, &inv_pasid);
        if (n % 997 == 0) {
            lw_iommu_skip(s->sibling, s->skip, false);
            s->skip = 0;
            assert_equal_units(s);
        }
    }
    for (uint32_t n = 0;
         b->answered < b->sent || n < 200 || bench_peek(b, LW_F_INVALIDATION_STATE, 0) != 0; n++) {
        assert_true(n < 200000);
        b->in.req_valid = false;
        cycle(s, false, &inv_pasid);
    }
    lw_iommu_skip(s->sibling, s->skip, false);
    assert_equal_units(s);
    assert_counters(b);
    assert_empty(b);
    const uint64_t walks = lw_iommu_counter(b->u, LW_C_WALKS);
    assert_true(b->accesses - b->heads <= walks * (5 + hw->levels)); /* R21.18 */
    const uint64_t reads = lw_iommu_counter(b->u, LW_C_STEP_READS) +
                           lw_iommu_counter(b->u, LW_C_TABLE_READS) +
                           lw_iommu_counter(b->u, LW_C_VICTIM_READS);
    assert_int_equal(b->accesses - b->heads, reads);
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        sum[n] += lw_iommu_counter(b->u, n);
        of_stale[n] += s->of_stale[n];
    }
    assert_true(s->moves > 2);
    *pages_come += s->pages_come;
    assert_true(b->request_gap < 90 || s->skipped > 1000);
    lw_iommu_free(s->sibling);
    bench_done(b);
    free(s);
}

static void contiguous(lw_params *hw, uint32_t subregions, uint64_t seed) {
    hw->subregions = subregions;
    hw->par_lookup = seed % 3 == 0;
    hw->tlb_partition = 2 * subregions;
    hw->check_queue = 1 + seed % 3;
}

/* Slots that are lines (R20.31), where there may be some. */
static void lines(lw_params *hw, uint64_t seed) {
    if (hw->levels == 4 && hw->subregions == 0 && seed % 8 == 4) {
        hw->slot_pages = 8;
    }
}

static void test_streams(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0}, of_stale[LW_COUNTERS] = {0}, pages_come = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        lw_params hw = hashed_hw;
        hw.levels = 4 + (seed & 1);
        hw.walkers = 1 + seed % 6;
        hw.pwc_latency = 4 + seed % 5;
        hw.pwc_entries = 2u << seed % 6;
        hw.coalesce = seed % 7 != 0;
        hw.tlb_entries = seed % 2 == 0 ? 4 : 64;
        hw.buffer_entries = seed % 3 == 0 ? 4 : 32;
        hw.lines = seed % 3 == 0 ? 4 : 16;
        contiguous(&hw, seed / 2 % 2, seed);
        lines(&hw, seed);
        run_stream(&hw, seed, 800, sum, of_stale, &pages_come);
    }
    for (uint32_t n = LW_C_STEP_READS; n < LW_C_EVENTS; n++) {
        assert_true(sum[n] > 100 && of_stale[n] > 0);
    }
    assert_true(pages_come > 100);
    assert_true(sum[LW_C_COALESCED_ANSWERS] > 100);
    assert_true(sum[LW_C_PWC_HITS] > 100);
    assert_true(sum[LW_C_JOINED] > 100);
    assert_true(sum[LW_C_HEAD_READS] > 100);
}

/* Whatever is written is told to the state net. */
static void test_told(void **state) {
    (void)state;
    static net n;
    uint64_t retries = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        lw_params hw = hashed_hw;
        hw.levels = 4 + (seed & 1);
        hw.pwc_latency = 4 + seed % 3;
        hw.tlb_entries = 4;
        hw.buffer_entries = 8;
        hw.lines = 4;
        contiguous(&hw, seed / 2 % 2, seed);
        lines(&hw, seed);
        stream *s = malloc(sizeof *s);
        assert_non_null(s);
        begin(s, &hw, seed);
        n = (net){.hw = &hw};
        lw_iommu_watch(s->h.b.u, written, &n);
        memset(n.written, 1, sizeof n.written); /* the first look only takes the values */
        assert_told(&n, s->h.b.u);
        tell_tables(s);
        tell(s, LW_CTL_FEATURES, seed % 3 | 16u | 4u | (seed % 2 == 0 ? HOME_FIRST_BIT : 0u));
        uint32_t inv_pasid = 0;
        for (uint32_t c = 0; c < 4000; c++) {
            assert_told(&n, s->h.b.u);
            cycle(s, true, &inv_pasid);
        }
        retries += hashed_count(&s->h, LW_C_STEP_RETRIES);
        lw_iommu_free(s->sibling);
        bench_done(&s->h.b);
        free(s);
    }
    assert_true(retries > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
