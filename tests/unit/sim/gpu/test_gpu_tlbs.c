/* The L1 TLBs and the L2 TLB behind one another, without waves: whose translation is kept where and
 * for whom, how far an answer of the unit reaches in each, who is told of a hit, and what a
 * shootdown takes away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/base/ports.h"
#include "sim/gpu/l1_tlb.h"
#include "sim/memory/misses.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { CUS = 64, PAGES = 16, L2_LATENCY = 3, PASID_BITS = 12 };

/* Who has answered a page. */
typedef enum answerer { BY_L1, BY_L2, BY_UNIT } answerer;

typedef struct tlbs {
    lw_l1_tlbs *l1;
    lw_l2_tlb *l2;
    lw_front_judge judge;
    uint64_t now;
    uint32_t answers, hits;
    lw_gpu_reach reach; /* of the last answer */
    bool fault;         /* likewise */
    lw_front_hit hit;   /* the last one */
} tlbs;

static void answered(void *ctx, uint32_t page, const lw_gpu_reach *reach, bool asked) {
    tlbs *t = ctx;
    (void)page;
    (void)asked;
    t->answers++;
    t->fault = reach == NULL;
    t->reach = reach == NULL ? (lw_gpu_reach){.span = 0} : *reach;
}

static void asks(void *ctx, uint32_t page) {
    (void)ctx;
    (void)page;
}

static void is_hit(void *ctx, const lw_front_hit *hit) {
    tlbs *t = ctx;
    t->hits++;
    t->hit = *hit;
}

static void open_tlbs(tlbs *t, uint32_t l2_entries) {
    *t = (tlbs){.now = 1};
    t->judge = (lw_front_judge){is_hit, t};
    const lw_l1_params l1 = {.cus = CUS,
                             .entries = 4,
                             .probes = 1,
                             .pages = PAGES,
                             .answer = answered,
                             .asks = asks,
                             .ctx = t,
                             .judge = &t->judge};
    t->l1 = lw_l1_tlbs_new(&l1);
    assert_non_null(t->l1);
    const lw_l2_params l2 = {.entries = l2_entries,
                             .ways = 4,
                             .latency = L2_LATENCY,
                             .lookups = 1,
                             .mshrs = PAGES,
                             .misses = PAGES,
                             .answer = lw_l1_tlbs_answer,
                             .asks = lw_l1_tlbs_asks,
                             .ctx = t->l1,
                             .judge = &t->judge};
    t->l2 = lw_l2_tlb_new(&l2);
    assert_non_null(t->l2);
    lw_l1_tlbs_connect(t->l1, t->l2);
}

static void close_tlbs(tlbs *t) {
    lw_l2_tlb_free(t->l2);
    lw_l1_tlbs_free(t->l1);
}

/* Asks for a page until it is answered; the unit says `response`. */
static answerer ask(tlbs *t, const lw_l2_request *request, lw_front_response response) {
    const uint32_t hits = t->hits;
    const uint32_t answers = t->answers;
    lw_front_request offered;
    answerer by = BY_L1;
    lw_l1_tlbs_tick(t->l1, t->now);
    assert_true(lw_l1_tlbs_takes(t->l1, request->cu, t->now));
    lw_l1_tlbs_probe(t->l1, t->now, 0, request);
    for (; t->answers == answers; t->now++) {
        lw_l2_tlb_tick(t->l2, t->now);
        by = BY_L2;
        if (lw_l2_tlb_offer(t->l2, &offered)) {
            assert_true(offered.pasid == request->pasid && offered.page == request->page &&
                        offered.access == request->access && offered.src == request->cu);
            lw_l2_tlb_accepted(t->l2);
            response.id = offered.id;
            lw_l2_tlb_response(t->l2, &response);
            by = BY_UNIT;
        }
    }
    t->now++;
    assert_int_equal(t->answers, answers + 1);
    /* Each hit is told, and nothing else. */
    assert_int_equal(t->hits - hits, by != BY_UNIT);
    if (by != BY_UNIT) {
        assert_int_equal(t->hit.tlb, by == BY_L1 ? LW_FRONT_L1 : LW_FRONT_L2);
        assert_true(t->hit.cu == request->cu && t->hit.pasid == request->pasid &&
                    t->hit.access == request->access && t->hit.page == request->page);
        assert_true(t->hit.pfn == t->reach.pfn && t->hit.perm == t->reach.perm);
        assert_int_equal(t->hit.size, lw_gpu_size_of(t->reach.span));
    }
    return by;
}

static lw_front_response frame(uint64_t pfn) {
    return (lw_front_response){.kind = LW_OK, .perm = 3, .pfn = pfn};
}

/* A translation is its address space's alone, whatever bits tell the two apart, and its CU's alone
 * in the L1s. */
static void test_whose_it_is(void **state) {
    (void)state;
    for (uint32_t bit = 0; bit < PASID_BITS; bit++) {
        tlbs t;
        const uint32_t cu = 3 * bit % CUS;
        const uint32_t pasid = 0xaaa;
        const lw_l2_request mine = {0x7000 + bit, pasid, 0, cu};
        const lw_l2_request others = {0x7000 + bit, pasid ^ 1u << bit, 0, cu};
        const lw_l2_request of_next_cu = {0x7000 + bit, pasid, 0, (cu + 1) % CUS};
        open_tlbs(&t, 8);
        assert_int_equal(ask(&t, &mine, frame(0x100)), BY_UNIT);
        assert_int_equal(ask(&t, &mine, frame(1)), BY_L1);
        assert_int_equal(t.reach.pfn, 0x100);
        assert_int_equal(ask(&t, &others, frame(0x200)), BY_UNIT);
        assert_int_equal(ask(&t, &of_next_cu, frame(1)), BY_L2);
        assert_int_equal(t.reach.pfn, 0x100);
        assert_int_equal(ask(&t, &of_next_cu, frame(1)), BY_L1);
        assert_int_equal(ask(&t, &others, frame(1)), BY_L1);
        assert_int_equal(t.reach.pfn, 0x200);
        close_tlbs(&t);
    }
}

/* The size of a page reaches to both; a run of neighbours to the L1 of the CU that has asked, and
 * the L2 keeps the page alone (MESC section V-A). */
static void test_how_far_an_answer_reaches(void **state) {
    (void)state;
    static const struct {
        uint32_t size, links;
        uint64_t page, near, far, first, pages; /* what is covered, of which `near` is; not `far` */
        bool in_l2;                             /* `near` is covered there */
    } rows[] = {
        {0, 0, 0x1001, 0x1001, 0x1002, 0x1001, 1, true},
        {1, 0, 0x5678, 0x5601, 0x5800, 0x5600, 0x200, true},
        {2, 0, 0x45678, 0x7ffff, 0x80000, 0x40000, 0x40000, true},
        {3, 0, 0x1234, 0x123f, 0x1240, 0x1230, 16, true},
        {0, 3, 0x1001, 0x1002, 0x1003, 0x1000, 3, false},
        {0, 4, 0x1003, 0x1002, 0x1001, 0x1002, 2, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        tlbs t;
        const uint64_t base = 0x900000;
        lw_front_response response = frame(base + rows[i].page - rows[i].first);
        const lw_l2_request first = {rows[i].page, 5, 0, 7};
        const lw_l2_request near = {rows[i].near, 5, 0, 7};
        const lw_l2_request far = {rows[i].far, 5, 0, 7};
        const lw_l2_request elsewhere = {rows[i].near, 5, 0, 8};
        response.size = rows[i].size;
        response.level = rows[i].links; /* of an answer with kind OK its LINKS */
        open_tlbs(&t, 8);
        assert_int_equal(ask(&t, &first, response), BY_UNIT);
        assert_int_equal(ask(&t, &near, frame(1)), BY_L1);
        assert_int_equal(t.reach.pfn, base + rows[i].near - rows[i].first);
        assert_int_equal(t.hit.size, rows[i].size);
        assert_int_equal(ask(&t, &far, frame(1)), BY_UNIT);
        assert_int_equal(ask(&t, &elsewhere, response), rows[i].in_l2 ? BY_L2 : BY_UNIT);
        /* A large page of the L2 is one in the L1 too. */
        const lw_l2_request again = {rows[i].page, 5, 0, 8};
        if (rows[i].in_l2) {
            assert_int_equal(t.hit.size, rows[i].size);
            assert_int_equal(ask(&t, &again, frame(1)), BY_L1);
            assert_int_equal(t.reach.pfn, base + rows[i].page - rows[i].first);
        }
        close_tlbs(&t);
    }
}

/* An answer that grants too little for an access is a miss in both, and a fault is kept in none. */
static void test_what_is_granted(void **state) {
    (void)state;
    tlbs t;
    const lw_l2_request read = {0x1000, 5, 0, 7};
    const lw_l2_request write = {0x1000, 5, 1, 7};
    lw_front_response response = frame(0x100);
    open_tlbs(&t, 8);
    response.perm = 0;
    assert_int_equal(ask(&t, &read, response), BY_UNIT);
    assert_int_equal(ask(&t, &read, frame(1)), BY_L1);
    assert_int_equal(ask(&t, &write, frame(0x100)), BY_UNIT);
    assert_int_equal(ask(&t, &write, frame(1)), BY_L1);
    assert_int_equal(t.reach.pfn, 0x100);
    const lw_l2_request missing = {0x2000, 5, 0, 7};
    response.kind = LW_NOT_PRESENT;
    for (uint32_t n = 0; n < 2; n++) {
        assert_int_equal(ask(&t, &missing, response), BY_UNIT);
        assert_true(t.fault);
    }
    close_tlbs(&t);
}

/* A shootdown reaches the L1 of every CU, and the L2 where there is one. */
static void test_shootdown_reaches_all(void **state) {
    (void)state;
    for (uint32_t l2_entries = 0; l2_entries <= 8; l2_entries += 8) {
        tlbs t;
        open_tlbs(&t, l2_entries);
        for (uint32_t cu = 0; cu < CUS; cu++) {
            const lw_l2_request r = {0x1000, 5, 0, cu};
            const answerer by = ask(&t, &r, frame(0x100));
            assert_int_equal(by, cu == 0 || l2_entries == 0 ? BY_UNIT : BY_L2);
            assert_int_equal(ask(&t, &r, frame(1)), BY_L1);
        }
        const lw_gpu_shootdown shootdown = {LW_INV_PAGE, 5, 0x1000, 0};
        lw_l1_tlbs_shootdown(t.l1, &shootdown);
        lw_l2_tlb_shootdown(t.l2, &shootdown);
        for (uint32_t cu = 0; cu < CUS; cu++) {
            const lw_l2_request r = {0x1000, 5, 0, cu};
            const answerer by = ask(&t, &r, frame(0x200));
            assert_int_equal(by, cu == 0 || l2_entries == 0 ? BY_UNIT : BY_L2);
            assert_int_equal(t.reach.pfn, 0x200);
        }
        close_tlbs(&t);
    }
}

/* Without an L2 TLB nothing is kept behind the L1s, but CUs that ask at once meet in an MSHR. */
static void test_no_l2(void **state) {
    (void)state;
    tlbs t;
    lw_front_request offered;
    lw_front_statistics statistics = {.has_l2 = false};
    open_tlbs(&t, 0);
    for (uint32_t cu = 0; cu < 3; cu++) {
        const lw_l2_request r = {0x1000, 5, 0, cu};
        lw_l1_tlbs_probe(t.l1, t.now, cu, &r);
    }
    for (uint32_t n = 0; n < 3 + L2_LATENCY; n++) {
        lw_l2_tlb_tick(t.l2, t.now++);
    }
    assert_true(lw_l2_tlb_offer(t.l2, &offered));
    assert_int_equal(offered.src, 0);
    lw_l2_tlb_accepted(t.l2);
    lw_front_response response = frame(0x100);
    response.id = offered.id;
    lw_l2_tlb_response(t.l2, &response);
    assert_int_equal(t.answers, 3);
    assert_false(lw_l2_tlb_offer(t.l2, &offered));
    const lw_l2_request fourth = {0x1000, 5, 0, 3};
    assert_int_equal(ask(&t, &fourth, frame(0x100)), BY_UNIT);
    lw_l2_tlb_statistics(t.l2, &statistics);
    assert_true(statistics.l2_hits == 0 && statistics.l2_fills == 0);
    close_tlbs(&t);
}

/* Who misses a page that is waited for joins only by the same kind of access, whichever two they
 * are: in the L1 of the CU, and behind two of them in the L2. */
static void test_who_joins(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4 * 4 * 2; i++) {
        tlbs t;
        const uint32_t access[] = {i % 4, i / 4 % 4};
        lw_front_request offered;
        uint32_t count = 0;
        open_tlbs(&t, 8);
        for (uint32_t n = 0; n < 2; n++) {
            const lw_l2_request r = {0x1000, 5, access[n], n * (i / 16)};
            lw_l1_tlbs_tick(t.l1, t.now);
            lw_l1_tlbs_probe(t.l1, t.now++, n, &r);
        }
        for (uint32_t n = 0; n < 2 + L2_LATENCY; n++) {
            lw_l2_tlb_tick(t.l2, t.now++);
        }
        for (; lw_l2_tlb_offer(t.l2, &offered); count++) {
            assert_true(count < 2 && offered.access == access[count]);
            lw_l2_tlb_accepted(t.l2);
        }
        assert_int_equal(count, access[0] == access[1] ? 1 : 2);
        close_tlbs(&t);
    }
}

/* A run takes the place of each page and run that it covers: of three entries one is free then,
 * and a page of elsewhere stays though another comes. */
static void test_runs_take_places(void **state) {
    (void)state;
    for (uint32_t place = 0; place < 4; place++) {
        for (uint32_t links = 0; links < 8; links += 4) { /* a page; places 2 and 3 */
            lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, 3);
            const lw_gpu_reach page = {.perm = 3};
            const lw_gpu_reach before = {.links = links, .perm = 1};
            const lw_gpu_reach run = {.links = 7, .perm = 3};
            lw_gpu_reach reach;
            assert_non_null(tlb);
            lw_gpu_tlb_fill(tlb, 1, 0x5000, &page);
            lw_gpu_tlb_fill(tlb, 1, 0x1000 + place, &before);
            lw_gpu_tlb_fill(tlb, 1, 0x1000, &run);
            lw_gpu_tlb_fill(tlb, 1, 0x6000, &page);
            assert_true(lw_gpu_tlb_lookup(tlb, 1, 0x5000, 2, &reach));
            assert_true(lw_gpu_tlb_lookup(tlb, 1, 0x6000, 2, &reach));
            for (uint64_t at = 0x1000; at < 0x1004; at++) {
                assert_true(lw_gpu_tlb_lookup(tlb, 1, at, 2, &reach));
                assert_int_equal(reach.perm, 3);
            }
            lw_gpu_tlb_free(tlb);
        }
    }
}

/* Whatever the pool's size, a miss is found by all of its key: owner, page and access. */
static void test_keys_of_misses(void **state) {
    (void)state;
    for (uint32_t room = 1; room <= 64; room *= 2) {
        for (uint64_t page = 0; page < 64; page++) {
            lw_misses m;
            assert_true(lw_misses_init(&m, room, room));
            const uint32_t miss = lw_misses_add(&m, 3, page, 1);
            assert_int_equal(lw_misses_find(&m, 3, page, 1), miss);
            for (uint32_t other = 0; other < 4; other++) {
                const uint32_t same = other == 1 ? miss : LW_NO_MISS;
                assert_int_equal(lw_misses_find(&m, 3, page, other), same);
                assert_int_equal(lw_misses_find(&m, 2 + other, page, 1), same);
                assert_int_equal(lw_misses_find(&m, 3, page + other, 1),
                                 other == 0 ? miss : LW_NO_MISS);
            }
            lw_misses_free(&m);
        }
    }
}

/* Whatever is there of a group, a page or a run, a run that comes leaves all its own pages; what
 * was there stays as a whole where it covers the run with the same perm, or has no page of it, and
 * else is gone. */
static void test_runs_meet(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4 * 8 * 4 * 8 * 2; i++) {
        const uint32_t place[] = {i % 4, i / 32 % 4};
        const uint32_t links[] = {i / 4 % 8, i / 128 % 8};
        const uint32_t perm = i / 1024 == 0 ? 3 : 1; /* of what is there */
        const lw_gpu_run old = lw_gpu_run_of(place[0], links[0]);
        const lw_gpu_run run = lw_gpu_run_of(place[1], links[1]);
        const bool was_run = old.first != old.last;
        const bool covers = was_run && old.first <= run.first && old.last >= run.last && perm == 3;
        const bool apart = old.last < run.first || old.first > run.last;
        if (run.first == run.last) {
            continue; /* a page alone */
        }
        lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, 4);
        assert_non_null(tlb);
        lw_gpu_tlb_fill(tlb, 1, place[0], &(lw_gpu_reach){.links = links[0], .perm = perm});
        lw_gpu_tlb_fill(tlb, 1, place[1], &(lw_gpu_reach){.links = links[1], .perm = 3});
        for (uint32_t at = 0; at < 4; at++) {
            lw_gpu_reach reach;
            const bool in_old = at >= old.first && at <= old.last;
            const bool in_run = at >= run.first && at <= run.last;
            const bool hits = in_run || (in_old && (covers || apart));
            assert_int_equal(lw_gpu_tlb_lookup(tlb, 1, at, 0, &reach), hits);
            assert_true(!in_run || reach.perm == 3);
        }
        lw_gpu_tlb_free(tlb);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whose_it_is),     cmocka_unit_test(test_how_far_an_answer_reaches),
        cmocka_unit_test(test_what_is_granted), cmocka_unit_test(test_shootdown_reaches_all),
        cmocka_unit_test(test_no_l2),           cmocka_unit_test(test_runs_take_places),
        cmocka_unit_test(test_runs_meet),       cmocka_unit_test(test_keys_of_misses),
        cmocka_unit_test(test_who_joins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
