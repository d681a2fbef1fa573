/* The unit on its buses: walks through an AXI4 memory that answers out of order and mixes beats,
 * how much longer they take than at the line port (R19.16), control over AXI4-Lite (R19.8, R19.9,
 * R19.18 to R19.20), errors of the memory (R19.3, R19.10, R19.23), resets of the unit alone
 * (R19.22). */
#include "c_model/iommu_axi.h"
#include "tests/unit/c_model/iommu_bench.h"

enum { PASID = 1, WIDTHS = 4, BYTES = 8, WHOLE = 0xff, LATENCY = 20 };

static const uint32_t widths[WIDTHS] = {64, 128, 256, 512};

/* A burst that memory answers. */
typedef struct burst {
    bool busy;
    uint64_t line, due;
    uint32_t beat;
} burst;

typedef struct axi_bench {
    bench b; /* the unit, the page tables, the requester */
    lw_iommu_axi axi;
    lw_iommu_axi_inputs in;
    lw_iommu_axi_outputs out;
    burst burst[BENCH_TAGS];
    uint32_t turn, resp; /* resp: RRESP of all beats */
} axi_bench;

static void init(axi_bench *a, const lw_params *hw, uint32_t width) {
    lw_error err;
    memset(a, 0, sizeof *a);
    bench_init(&a->b, hw, width);
    assert_true(lw_iommu_axi_init(&a->axi, a->b.u, hw, width, &err));
    a->b.in.rsp_ready = true;
}

/* Each ID's beats in order, the IDs in turns. */
static void memory(axi_bench *a) {
    lw_axi_reader_inputs *r = &a->in.reader;
    *r = (lw_axi_reader_inputs){.ar_ready = !lw_rng_percent(&a->b.rng, a->b.not_ready)};
    for (uint32_t n = 0; n < BENCH_TAGS && !r->r_valid; n++) {
        const uint32_t id = (a->turn + n) % BENCH_TAGS;
        burst *burst = &a->burst[id];
        if (burst->busy && burst->due <= a->b.cycle) {
            const uint32_t words = a->axi.reader.data_width / 64;
            r->r_valid = true;
            r->r_id = id;
            r->r_resp = a->resp;
            r->r_last = burst->beat == a->axi.reader.beats - 1;
            memcpy(r->r_data, bench_line(&a->b, burst->line) + (size_t)burst->beat * words,
                   words * sizeof(uint64_t));
            burst->beat++;
            burst->busy = !r->r_last;
            a->turn = id + 1;
        }
    }
    if (a->out.reader.ar_valid && r->ar_ready) {
        const uint64_t jitter = a->b.jitter != 0 ? lw_rng_below(&a->b.rng, a->b.jitter) : 0;
        assert_false(a->burst[a->out.reader.ar_id].busy);
        a->burst[a->out.reader.ar_id] = (burst){
            .busy = true, .line = a->out.reader.ar_addr / 64, .due = a->b.cycle + LATENCY + jitter};
        a->b.accesses++;
    }
}

static void step(axi_bench *a) {
    bench *b = &a->b;
    lw_iommu_axi_show(&a->axi, &a->out);
    b->out = a->out.unit;
    memory(a);
    bench_take_response(b);
    const bool taken = b->in.req_valid && b->out.req_ready;
    if (taken) {
        b->open[b->in.req_id].busy = true;
        b->open[b->in.req_id].page =
            (bench_page){b->in.req_pasid, b->in.req_access, b->in.req_page};
        b->sent++;
    }
    a->in.unit = b->in;
    lw_iommu_axi_step(&a->axi, &a->in);
    b->cycle++;
    if (taken) {
        b->in.req_valid = false;
    }
}

/* A write over AXI4-Lite; its BRESP. */
static uint32_t write(axi_bench *a, uint32_t addr, uint64_t data) {
    a->in.lite = (lw_axi_lite_inputs){.aw_valid = true,
                                      .aw_addr = addr * BYTES,
                                      .w_valid = true,
                                      .w_data = data,
                                      .w_strb = WHOLE,
                                      .b_ready = true};
    step(a);
    a->in.lite.aw_valid = a->in.lite.w_valid = false;
    do {
        step(a);
    } while (!a->out.lite.b_valid);
    return a->out.lite.b_resp;
}

/* A read over AXI4-Lite, that has to be answered OKAY; `cycles` from the transfer of AR to R. */
static uint64_t read(axi_bench *a, uint32_t addr, uint64_t *cycles) {
    a->in.lite = (lw_axi_lite_inputs){.ar_valid = true, .ar_addr = addr * BYTES, .r_ready = true};
    const uint64_t began = a->b.cycle;
    step(a);
    a->in.lite.ar_valid = false;
    do {
        step(a);
    } while (!a->out.lite.r_valid);
    assert_int_equal(a->out.lite.r_resp, LW_AXI_OKAY);
    *cycles = a->b.cycle - 1 - began;
    return a->out.lite.r_data;
}

static void start(axi_bench *a, uint64_t features) {
    step(a); /* the unit leaves its reset */
    for (uint32_t p = 0; p < a->b.hw.pasids; p++) {
        if (a->b.root[p] != 0) {
            assert_int_equal(write(a, LW_CTL_ROOT + p, UINT64_C(1) << 63 | a->b.root[p]),
                             LW_AXI_OKAY);
        }
    }
    assert_int_equal(write(a, LW_CTL_FEATURES, features), LW_AXI_OKAY);
}

/* The cycles of one walk over all levels, at the unit's own port. */
static uint64_t plain_walk(const bench_page *page) {
    bench b;
    bench_init(&b, &bench_nha, 1);
    b.latency = LATENCY;
    bench_map(&b, page->pasid, page->page, 0x77);
    bench_enable(&b, 0, false, false);
    const uint64_t began = b.cycle;
    bench_offer(&b, page);
    bench_step(&b);
    bench_drain(&b);
    assert_int_equal(b.accesses, 4);
    const uint64_t cycles = b.cycle - began;
    bench_done(&b);
    return cycles;
}

/* R19.16: two cycles more a walk access at 512 bits, and one for each further beat. */
static void test_latency(void **state) {
    (void)state;
    const bench_page page = {PASID, 0, 0x12345};
    const uint64_t plain = plain_walk(&page);
    for (uint32_t i = 0; i < WIDTHS; i++) {
        axi_bench a;
        init(&a, &bench_nha, widths[i]);
        bench_map(&a.b, PASID, page.page, 0x77);
        start(&a, 0);
        const uint64_t began = a.b.cycle;
        bench_offer(&a.b, &page);
        do {
            step(&a);
        } while (a.b.answered == 0);
        assert_int_equal(a.b.last.pfn, 0x77);
        assert_int_equal(a.b.accesses, 4);
        const uint64_t more = a.b.cycle - began - plain;
        print_message("%u bits: %u cycles more a walk access\n", widths[i], (uint32_t)more / 4);
        assert_int_equal(more, 4 * (2 + 512 / widths[i] - 1));
        bench_done(&a.b);
    }
}

/* Every answer is that of the reference walk; each request is answered once. */
static void test_streams(void **state) {
    (void)state;
    for (uint32_t i = 0; i < WIDTHS; i++) {
        axi_bench a;
        init(&a, &bench_nha, widths[i]);
        a.b.jitter = 60;
        a.b.not_ready = 30;
        bench_pool(&a.b, 400, 4, 20);
        start(&a, 2 | 4);
        while (a.b.answered < 4000) {
            if (a.b.sent < 4000) {
                bench_offer(&a.b, &a.b.pool[lw_rng_below(&a.b.rng, a.b.pool_size)]);
            }
            a.b.in.rsp_ready = !lw_rng_percent(&a.b.rng, 20);
            step(&a);
            assert_true(a.b.cycle < 1000000);
        }
        uint64_t cycles;
        assert_int_equal(read(&a, LW_CTL_COUNTER + LW_C_RESPONSES, &cycles), 4000);
        assert_int_equal(read(&a, LW_CTL_COUNTER + LW_C_PAGE_TABLE_ACCESSES, &cycles),
                         a.b.accesses);
        assert_int_equal(read(&a, LW_CTL_BUS_STATUS, &cycles), 0);
        bench_done(&a.b);
    }
}

/* R19.20: R is there four cycles after the transfer of AR; R19.19: B two after that of W. */
static void test_control_times(void **state) {
    (void)state;
    axi_bench a;
    init(&a, &bench_nha, 512);
    uint64_t cycles;
    start(&a, 0);
    assert_int_equal(read(&a, LW_CTL_FEATURES, &cycles), 0);
    assert_int_equal(cycles, 4);
    const uint64_t began = a.b.cycle;
    assert_int_equal(write(&a, LW_CTL_FEATURES, 5), LW_AXI_OKAY);
    assert_int_equal(a.b.cycle - 1 - began, 2);
    assert_int_equal(read(&a, LW_CTL_FEATURES, &cycles), 5);
    assert_int_equal(write(&a, LW_CTL_FAULT_PAGE, 5), LW_AXI_SLVERR);
    bench_done(&a.b);
}

/* R19.3, R19.10, R19.11, R19.23: an error on the bus is the walk's, and stays in BUS_STATUS until
 * it is cleared; READING is there as long as a burst is under way. */
static void test_errors(void **state) {
    (void)state;
    static const struct {
        uint32_t resp, status;
    } cases[] = {{LW_AXI_OKAY, 0},
                 {LW_AXI_SLVERR, LW_BUS_SLAVE_ERROR},
                 {LW_AXI_DECERR, LW_BUS_DECODE_ERROR}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        axi_bench a;
        uint64_t cycles;
        init(&a, &bench_nha, 512);
        a.b.any_kind = true;
        a.resp = cases[i].resp;
        bench_map(&a.b, PASID, 0x12345, 0x77);
        start(&a, 0);
        assert_int_equal(read(&a, LW_CTL_BUS_STATUS, &cycles), 0);
        bench_offer(&a.b, &(bench_page){PASID, 0, 0x12345});
        while (a.b.accesses == 0) {
            step(&a);
        }
        assert_int_equal(read(&a, LW_CTL_BUS_STATUS, &cycles), LW_BUS_READING);
        while (a.b.answered == 0) {
            step(&a);
        }
        assert_int_equal(a.b.last.kind, cases[i].status != 0 ? LW_MEMORY_ERROR : LW_OK);
        assert_int_equal(a.b.last.level, cases[i].status != 0 ? 4 : 0);
        assert_int_equal(a.out.bus_error, cases[i].status != 0);
        assert_int_equal(read(&a, LW_CTL_BUS_STATUS, &cycles), cases[i].status);
        assert_int_equal(write(&a, LW_CTL_BUS_STATUS, cases[i].status), LW_AXI_OKAY);
        step(&a);
        assert_false(a.out.bus_error);
        bench_done(&a.b);
    }
}

/* R19.1, R19.8: the IDs and the registers that there are with the unit's parameters. */
static void test_parameters(void **state) {
    (void)state;
    for (uint32_t subregions = 0; subregions < 2; subregions++) {
        for (uint32_t org = 0; org <= LW_PWC_OF_STEPS; org += LW_PWC_OF_STEPS) {
            axi_bench a;
            uint64_t cycles;
            lw_params hw = bench_nha;
            hw.subregions = subregions;
            hw.pwc_org = org;
            hw.pwc_latency = 4;
            init(&a, &hw, 512);
            start(&a, 0);
            assert_int_equal(a.axi.reader.ids, hw.walkers + (subregions != 0 ? 8 : 0));
            assert_int_equal(write(&a, LW_CTL_STRIDE, 5), org != 0 ? LW_AXI_OKAY : LW_AXI_SLVERR);
            assert_int_equal(write(&a, LW_CTL_ROOT + hw.pasids - 1, 5), LW_AXI_OKAY);
            assert_int_equal(write(&a, LW_CTL_ROOT + hw.pasids, 5), LW_AXI_SLVERR);
            if (org != 0) {
                assert_int_equal(read(&a, LW_CTL_STRIDE, &cycles), 5);
            }
            bench_done(&a.b);
        }
    }
}

/* R19.22: as long as the unit is held, and in the cycle after its reset, neither a request nor an
 * invalidation nor a control access takes place; each does as soon as it is held no more. */
static void test_held(void **state) {
    (void)state;
    for (uint32_t cycles = 1; cycles < 4; cycles++) {
        axi_bench a;
        init(&a, &bench_nha, 512);
        step(&a);
        assert_false(a.out.unit.req_ready || a.out.unit.inv_ready); /* of a reset of both */
        start(&a, 0);
        assert_true(a.out.unit.req_ready && a.out.unit.inv_ready);
        a.in.lite = (lw_axi_lite_inputs){.aw_valid = true,
                                         .aw_addr = LW_CTL_FEATURES * BYTES,
                                         .w_valid = true,
                                         .w_data = 5,
                                         .w_strb = WHOLE};
        a.in.unit_reset = true;
        step(&a);
        a.in.lite.aw_valid = a.in.lite.w_valid = false;
        bench_offer(&a.b, &(bench_page){PASID, 0, 0x12345});
        a.b.in.inv_valid = true;
        a.b.in.inv_type = 3; /* all */
        for (uint32_t n = 1; n <= cycles; n++) {
            a.in.unit_reset = n < cycles;
            step(&a);
            assert_false(a.out.unit.req_ready || a.out.unit.inv_ready || a.out.lite.ctl_write);
            assert_int_equal(bench_peek(&a.b, LW_F_INVALIDATION_STATE, 0), 0);
            assert_int_equal(lw_iommu_counter(a.b.u, LW_C_REQUESTS), 0);
        }
        step(&a);
        assert_true(a.out.unit.req_ready && a.out.unit.inv_ready && a.out.lite.ctl_write);
        assert_int_equal(bench_peek(&a.b, LW_F_INVALIDATION_STATE, 0), 1);
        step(&a);
        assert_true(a.out.lite.b_valid);
        assert_int_equal(a.b.sent, 1);
        bench_done(&a.b);
    }
}

/* R19.22: a read of the unit's registers gives what it read, unless the unit is in reset when its
 * answer comes: one that took place in the cycle of unit_reset or the one before gives zero. */
static void test_read_across_reset(void **state) {
    (void)state;
    enum { FEATURES = 5, RESET = 6 };
    uint32_t seen = 0; /* bit n: a read has taken place n cycles before unit_reset */
    for (uint32_t offered = 0; offered <= RESET; offered++) {
        axi_bench a;
        uint32_t took_place = 0;
        init(&a, &bench_nha, 512);
        start(&a, FEATURES);
        for (uint32_t cycle = 0; cycle == 0 || !a.out.lite.r_valid; cycle++) {
            assert_true(cycle < 20);
            a.in.lite = (lw_axi_lite_inputs){
                .ar_valid = cycle == offered, .ar_addr = LW_CTL_FEATURES * BYTES, .r_ready = true};
            a.in.unit_reset = cycle == RESET;
            step(&a);
            took_place = a.axi.lite.read_cycle == 1 ? cycle : took_place;
        }
        assert_int_equal(a.out.lite.r_resp, LW_AXI_OKAY);
        assert_int_equal(a.out.lite.r_data, took_place + 1 < RESET ? FEATURES : 0);
        seen |= took_place <= RESET ? 1u << (RESET - took_place) : 0;
        bench_done(&a.b);
    }
    assert_int_equal(seen & 7, 7);
}

/* R19.7, R19.22: the unit alone is reset in mid-walk. It has forgotten its roots, takes nothing
 * while it is held, and the lines of before are given to nobody. */
static void test_unit_reset(void **state) {
    (void)state;
    const bench_page page = {PASID, 0, 0x12345};
    for (uint32_t at = 1; at < 4 * (LATENCY + 9); at++) {
        axi_bench a;
        init(&a, &bench_nha, 128);
        bench_map(&a.b, PASID, page.page, 0x77);
        start(&a, 0);
        bench_offer(&a.b, &page);
        for (uint32_t n = 0; n < at; n++) {
            step(&a);
        }
        a.in.unit_reset = true;
        step(&a);
        step(&a);
        assert_false(a.out.unit.req_ready || a.out.unit.inv_ready || a.out.unit.rsp_valid);
        a.in.unit_reset = false;
        step(&a);
        a.b.open[0].busy = false;
        a.b.answered = a.b.sent = 0;
        start(&a, 0);
        bench_offer(&a.b, &page);
        for (uint32_t n = 0; a.b.answered == 0; n++) {
            assert_true(n < 400);
            step(&a);
        }
        assert_int_equal(a.b.last.kind, LW_OK);
        assert_int_equal(lw_iommu_counter(a.b.u, LW_C_STRAY_LINES), 0);
        bench_done(&a.b);
    }
}

/* R19.21, R19.23: each of the four errors is told, two cycles after its beat. */
static void test_bus_error(void **state) {
    (void)state;
    for (uint32_t bit = LW_BUS_BAD_LAST; bit <= LW_BUS_DECODE_ERROR; bit <<= 1) {
        axi_bench a;
        init(&a, &bench_nha, 512);
        a.axi.reader.events = bit; /* in the cycle after the beat */
        lw_iommu_axi_show(&a.axi, &a.out);
        assert_false(a.out.bus_error);
        step(&a);
        lw_iommu_axi_show(&a.axi, &a.out);
        assert_true(a.out.bus_error);
        bench_done(&a.b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),       cmocka_unit_test(test_streams),
        cmocka_unit_test(test_control_times), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_parameters),    cmocka_unit_test(test_held),
        cmocka_unit_test(test_unit_reset),    cmocka_unit_test(test_read_across_reset),
        cmocka_unit_test(test_bus_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
