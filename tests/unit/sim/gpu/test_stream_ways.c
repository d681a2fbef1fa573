/* A stream with cycles and sources, straight to the unit and through the GPU's TLBs: when each
 * access is issued and by whom, what the TLBs keep, and that idle cycles may be skipped. The unit
 * is a fake one (fake_unit.h). */
#include "tests/unit/sim/gpu/fake_unit.h"

#include "c_model/base/ports.h"
#include "sim/gpu/stream_driver.h"
#include "sim/gpu/stream_tlbs.h"

#include <stdio.h>
#include <unistd.h>

static char path[] = "/tmp/lockwalk_ways_XXXXXX";

static int make_file(void **state) {
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return remove(path);
}

static lw_stream *open_text(const char *text) {
    FILE *file = fopen(path, "w");
    lw_error err = {0};
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    lw_stream *s = lw_stream_open(path, &err);
    assert_string_equal(err.text, "");
    return s;
}

enum { LATENCY = 5 };
static const lw_gpu_params gpu = {.cus = 3,
                                  .simds = 1,
                                  .waves = 1,
                                  .issue_period = 1,
                                  .l1_entries = 2,
                                  .l1_probes = 1,
                                  .l2_entries = 8,
                                  .l2_ways = 8,
                                  .l2_latency = LATENCY,
                                  .l2_lookups = 2,
                                  .l2_mshrs = 4};

/* Runs the text; *statistics of the TLBs where it goes through them. */
static fake_unit *run(const char *text, const lw_gpu_params *tlbs, uint32_t outstanding,
                      fake_config config, lw_front_statistics *statistics) {
    lw_front_end front;
    lw_error err = {0};
    const lw_stream_tlbs_params through = {
        .gpu = tlbs, .file = open_text(text), .outstanding = outstanding};
    const lw_stream_params straight = {.kind = LW_STREAM_FILE,
                                       .file = through.file,
                                       .requests = UINT64_MAX,
                                       .outstanding = outstanding,
                                       .src_w = 2,
                                       .levels = 4};
    assert_true(tlbs != NULL ? lw_stream_tlbs_new(&through, &front, &err)
                             : lw_stream_driver_new(&straight, &front, &err));
    fake_unit *u = fake_run(&front, config);
    assert_true(front.finished(front.self));
    assert_false(front.failed(front.self, &err));
    if (tlbs != NULL) {
        lw_stream_tlbs_statistics(&front, statistics);
    }
    front.free(front.self);
    return u;
}

static void test_cycles_and_sources(void **state) {
    (void)state;
    static const char text[] = "0 1 r\n"
                               "0 2 r 40\n"
                               "0 3 r 10 2\n" /* the order of the file counts */
                               "0 4 w - 1\n"
                               "0 5 r 100000\n";
    static const uint64_t cycles[] = {0, 40, 41, 42, 100000};
    static const uint32_t sources[2][5] = {{0, 1, 2, 1, 0}, {0, 1, 2, 1, 2}};
    for (int through = 0; through < 2; through++) {
        for (int skip = 0; skip < 2; skip++) {
            lw_front_statistics counts;
            fake_config config = FAKE_UNIT;
            config.skip = skip == 1;
            fake_unit *u = run(text, through == 1 ? &gpu : NULL, 8, config, &counts);
            assert_int_equal(u->count, COUNT(cycles));
            for (size_t i = 0; i < u->count; i++) {
                const lw_front_request *r = &u->log[i].request;
                /* A probe, its lookup, and the port, which takes one in a cycle. */
                const uint64_t earliest = cycles[i] + (through == 1 ? LATENCY + 1 : 0);
                const uint64_t after = i > 0 ? u->log[i - 1].cycle + 1 : 0;
                assert_int_equal(r->page, i + 1);
                assert_int_equal(r->src, sources[through][i]);
                assert_true(u->log[i].cycle >= earliest && u->log[i].cycle >= after);
                assert_true(u->log[i].cycle <= earliest + 3 || u->log[i].cycle == after);
            }
            assert_true(skip == 0 || u->executed < 1000);
            fake_free(u);
        }
    }
}

/* Which accesses the unit is asked, and what the TLBs count. */
static void test_what_the_tlbs_keep(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t requests, l1_hits, l1_misses, l2_hits, l2_misses, l1_fills;
    } rows[] = {
        /* the same page by one CU: again while it waits, and again when it is there */
        {"0 1 r 0 0\n0 1 r 0 0\n0 1 r 500 0\n", 1, 1, 2, 0, 1, 1},
        /* by another CU: its L1 TLB has nothing, the L2 TLB has it */
        {"0 1 r 0 0\n0 1 r 500 1\n0 1 r 1000 1\n", 1, 1, 2, 1, 1, 2},
        /* two CUs at once meet in the MSHRs */
        {"0 1 r 0 0\n0 1 r 0 1\n", 1, 0, 2, 0, 2, 2},
        /* another address space, another kind of access while the first waits */
        {"0 1 r 0 0\n1 1 r 0 0\n0 1 w 0 0\n", 3, 0, 3, 0, 3, 3},
        {"0 1 r 0 0\n1 1 r 500 0\n0 1 w 1000 0\n", 2, 1, 2, 0, 2, 2},
        /* the L1 TLB has two entries */
        {"0 1 r 0 0\n0 2 r 500 0\n0 3 r 1000 0\n0 2 r 1500 0\n0 1 r 2000 0\n", 3, 1, 4, 1, 3, 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_front_statistics counts;
        fake_unit *u = run(rows[i].text, &gpu, 8, FAKE_UNIT, &counts);
        assert_int_equal(u->count, rows[i].requests);
        assert_int_equal(counts.l1_hits, rows[i].l1_hits);
        assert_int_equal(counts.l1_misses, rows[i].l1_misses);
        assert_int_equal(counts.l2_hits, rows[i].l2_hits);
        assert_int_equal(counts.l2_misses, rows[i].l2_misses);
        assert_int_equal(counts.l1_fills, rows[i].l1_fills);
        assert_int_equal(counts.l2_fills, rows[i].requests);
        assert_int_equal(counts.translations, counts.l1_hits + counts.l1_misses);
        assert_true(counts.has_l1 && counts.has_l2 && !counts.has_waves);
        fake_free(u);
    }
}

static void count_hit(void *ctx, const lw_front_hit *hit) {
    uint64_t *hits = ctx;
    hits[hit->tlb]++;
    assert_true(hit->cu < 3 && hit->pfn == hit->page && hit->perm == 3 && hit->size == 0);
}

/* Each hit of either is told. */
static void test_who_is_told_of_hits(void **state) {
    (void)state;
    static const char text[] = "0 1 r 0 0\n0 1 r 500 1\n0 1 r 1000 2\n0 1 r 1500 2\n0 1 r 2000 2\n"
                               "0 1 r 2500 0\n";
    uint64_t hits[2] = {0};
    const lw_front_judge judge = {count_hit, hits};
    lw_gpu_params tlbs = gpu;
    lw_front_statistics counts;
    tlbs.judge = &judge;
    fake_free(run(text, &tlbs, 8, FAKE_UNIT, &counts));
    assert_true(hits[LW_FRONT_L1] == 3 && hits[LW_FRONT_L2] == 2);
    assert_true(counts.l1_hits == 3 && counts.l2_hits == 2);
}

/* Hits of one CU take their turns: the miss behind them waits for its probe. */
static void test_probes(void **state) {
    (void)state;
    enum { HITS = 60 };
    static const uint32_t probes[] = {1, 2, 3, 60};
    char text[32 * (HITS + 2)];
    size_t at = (size_t)snprintf(text, sizeof text, "0 1 r 0 0\n");
    for (unsigned i = 0; i < HITS; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "0 1 r 500 0\n");
    }
    (void)snprintf(text + at, sizeof text - at, "0 2 r 500 0\n");
    for (size_t i = 0; i < COUNT(probes); i++) {
        lw_gpu_params tlbs = gpu;
        lw_front_statistics counts;
        tlbs.l1_probes = probes[i];
        fake_unit *u = run(text, &tlbs, 8, FAKE_UNIT, &counts);
        assert_int_equal(counts.l1_hits, HITS);
        assert_int_equal(u->count, 2);
        assert_int_equal(u->log[1].cycle, 500 + HITS / probes[i] + LATENCY + 1);
        fake_free(u);
    }
}

/* What cannot be issued holds up those behind it, of other CUs too: page 2 waits for CU 0's probe,
 * and page 3 of CU 1 for page 2. */
static void test_order_of_the_file(void **state) {
    (void)state;
    lw_front_statistics counts;
    fake_unit *u = run("0 1 r 0 0\n0 2 r 0 0\n0 3 r 0 1\n", &gpu, 8, FAKE_UNIT, &counts);
    assert_int_equal(u->count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(u->log[i].request.page, i + 1);
        assert_int_equal(u->log[i].cycle, LATENCY + 1 + i);
    }
    fake_free(u);
}

/* An L1 TLB of three cycles: the miss is three later, and a hit keeps its place of one under way
 * as long. With one MSHR the second page waits for the first. */
static void test_time_and_mshrs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t outstanding, l1_mshrs;
        uint64_t after_answer; /* the second request; 0: it does not wait for the answer */
    } rows[] = {{"0 1 r 0 0\n0 1 r 500 0\n0 2 r 500 0\n", 8, 0, 0},
                {"0 1 r 0 0\n0 1 r 500 0\n0 2 r 500 0\n", 1, 0, 0},
                {"0 1 r 0 0\n0 2 r 0 0\n", 8, 0, 0},
                {"0 1 r 0 0\n0 2 r 0 0\n", 8, 1, LATENCY + 1}};
    static const uint64_t second[] = {501 + 3 + LATENCY + 1, 503 + 3 + LATENCY + 1,
                                      1 + 3 + LATENCY + 1};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_gpu_params tlbs = gpu;
        lw_front_statistics counts;
        tlbs.l1_latency = 3;
        tlbs.l1_mshrs = rows[i].l1_mshrs;
        fake_unit *u = run(rows[i].text, &tlbs, rows[i].outstanding, FAKE_UNIT, &counts);
        assert_int_equal(u->count, 2);
        assert_int_equal(u->log[0].cycle, 3 + LATENCY + 1);
        assert_int_equal(u->log[1].cycle, rows[i].after_answer != 0
                                              ? u->log[0].answered + rows[i].after_answer
                                              : second[i]);
        fake_free(u);
    }
}

static void test_a_fault_is_kept_by_nobody(void **state) {
    (void)state;
    lw_front_statistics counts;
    fake_config config = FAKE_UNIT;
    config.kind = LW_NOT_PRESENT;
    fake_unit *u = run("0 1 r 0 0\n0 1 r 0 0\n0 1 r 500 0\n", &gpu, 8, config, &counts);
    assert_int_equal(u->count, 2);
    assert_int_equal(counts.l1_hits, 0);
    fake_free(u);
}

static void test_a_shootdown_empties_both(void **state) {
    (void)state;
    static const struct {
        uint32_t type, pasid;
        uint64_t first, last, requests;
    } rows[] = {
        {LW_INV_PASID, 0, 0, 0, 2}, {LW_INV_PASID, 1, 0, 0, 1}, {LW_INV_RANGE, 0, 3, 5, 2},
        {LW_INV_RANGE, 0, 5, 7, 2}, {LW_INV_RANGE, 0, 6, 7, 1}, {LW_INV_RANGE, 0, 3, 4, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_front_statistics counts;
        fake_config config = FAKE_UNIT;
        config.shootdown_after = 1;
        config.shootdown_type = rows[i].type;
        config.shootdown_pasid = rows[i].pasid;
        config.shootdown_first = rows[i].first;
        config.shootdown_last = rows[i].last;
        fake_unit *u = run("0 5 r 0 0\n0 5 r 500 0\n", &gpu, 8, config, &counts);
        assert_int_equal(u->count, rows[i].requests);
        fake_free(u);
    }
}

/* Never more under way than `outstanding`, not more probes than the system has, and the same with
 * and without idle cycles. */
static void test_flow(void **state) {
    (void)state;
    static char text[64 * 400];
    size_t at = 0;
    for (unsigned i = 0; i < 400; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%u %u r %u %u\n", i % 2, i * i % 61,
                               i * i * i % 900, i % 3);
    }
    for (uint32_t i = 0; i < 6; i++) {
        static const uint32_t in_flight[] = {1, 4, 16};
        const uint32_t outstanding = in_flight[i % 3];
        lw_gpu_params tlbs = gpu;
        tlbs.l1_probes = outstanding;
        tlbs.l1_latency = i < 3 ? 0 : 7;
        tlbs.l1_mshrs = i < 3 ? 0 : 2;
        lw_front_statistics counts[2];
        fake_unit *runs[2];
        for (int skip = 0; skip < 2; skip++) {
            fake_config config = FAKE_UNIT;
            config.spread = 30;
            config.stall = 3;
            config.skip = skip == 1;
            runs[skip] = run(text, &tlbs, outstanding, config, &counts[skip]);
        }
        assert_int_equal(counts[0].translations, 400);
        assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
        assert_int_equal(runs[0]->count, runs[1]->count);
        assert_int_equal(runs[0]->end, runs[1]->end);
        for (size_t n = 0; n < runs[0]->count; n++) {
            size_t under_way = 1;
            assert_int_equal(runs[0]->log[n].cycle, runs[1]->log[n].cycle);
            assert_true(fake_same(&runs[0]->log[n].request, &runs[1]->log[n].request));
            for (size_t e = 0; e < n; e++) {
                under_way += runs[0]->log[e].answered >= runs[0]->log[n].cycle ? 1 : 0;
            }
            assert_true(under_way <= outstanding);
        }
        fake_free(runs[0]);
        fake_free(runs[1]);
    }
}

static void test_max_requests(void **state) {
    (void)state;
    lw_gpu_params tlbs = gpu;
    lw_front_statistics counts;
    tlbs.max_requests = 2;
    tlbs.l2_entries = 0; /* of which it then tells nothing */
    fake_unit *u = run("0 1 r\n0 2 r\n0 3 r\n0 4 r\n", &tlbs, 8, FAKE_UNIT, &counts);
    assert_int_equal(u->count, 2);
    assert_true(counts.has_l1 && !counts.has_l2);
    fake_free(u);
}

/* While nothing is under way a stream says which cycle it waits for, counted from the first in
 * which it could ask; else, and when all is done, it waits for none. */
static void test_which_cycle_it_waits_for(void **state) {
    (void)state;
    enum { START = 70, NEXT = 1000, ANSWER = 200 };
    for (int through = 0; through < 2; through++) {
        lw_front_end front;
        lw_error err = {0};
        lw_front_request request;
        const lw_stream_tlbs_params tlbs = {
            .gpu = &gpu, .file = open_text("0 1 r 0 0\n0 2 r 1000 0\n"), .outstanding = 8};
        const lw_stream_params straight = {.kind = LW_STREAM_FILE,
                                           .file = tlbs.file,
                                           .requests = UINT64_MAX,
                                           .outstanding = 8,
                                           .src_w = 2,
                                           .levels = 4};
        assert_true(through == 1 ? lw_stream_tlbs_new(&tlbs, &front, &err)
                                 : lw_stream_driver_new(&straight, &front, &err));
        assert_int_equal(front.waits_for(front.self), 0);
        uint64_t due = 0;
        for (uint64_t now = START; !front.finished(front.self); now++) {
            if (front.offer(front.self, now, &request)) {
                front.accepted(front.self, now);
                due = now + ANSWER;
            }
            const uint64_t before = front.done(front.self);
            if (now == due) {
                const lw_front_response response = {
                    .id = request.id, .kind = LW_OK, .perm = 3, .pfn = 1};
                front.response(front.self, now, &response);
            }
            front.tick(front.self, now);
            assert_true(now != due || front.done(front.self) > before);
            const bool first = now < START + ANSWER;
            const bool waits = now > START + LATENCY + 2 + ANSWER && now < START + NEXT;
            if (waits) {
                assert_int_equal(front.waits_for(front.self), START + NEXT);
            }
            if (first || now >= START + NEXT) {
                assert_int_equal(front.waits_for(front.self), 0);
            }
        }
        front.free(front.self);
    }
}

static void test_refusals(void **state) {
    (void)state;
    lw_gpu_params tlbs = gpu;
    lw_front_end front;
    lw_error err = {0};
    const lw_stream_tlbs_params through = {.gpu = &tlbs, .outstanding = 1};
    tlbs.l2_ways = 3;
    assert_false(lw_stream_tlbs_new(&through, &front, &err));
    assert_non_null(strstr(err.text, "l2_entries is 8; allowed: l2_ways (3) times a power of two"));
    tlbs = gpu;
    tlbs.ideal = true;
    assert_false(lw_stream_tlbs_new(&through, &front, &err));
    assert_string_equal(err.key, "ideal_translation");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles_and_sources),
        cmocka_unit_test(test_what_the_tlbs_keep),
        cmocka_unit_test(test_who_is_told_of_hits),
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_order_of_the_file),
        cmocka_unit_test(test_time_and_mshrs),
        cmocka_unit_test(test_a_fault_is_kept_by_nobody),
        cmocka_unit_test(test_a_shootdown_empties_both),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_max_requests),
        cmocka_unit_test(test_which_cycle_it_waits_for),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
