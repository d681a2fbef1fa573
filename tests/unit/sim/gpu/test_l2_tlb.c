/* The L2 TLB alone: what waits behind a lookup that finds no free MSHR, and how fast it goes on;
 * how long it takes without entries; and which of several entries answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/base/ports.h"
#include "sim/gpu/l2_tlb.h"

enum { LATENCY = 3, MISSES = 16, HITS = 8, ANSWERED = 40 };

static void count_answer(void *ctx, uint32_t l1_miss, const lw_gpu_reach *reach) {
    uint32_t *answers = ctx;
    (void)l1_miss;
    assert_non_null(reach);
    (*answers)++;
}

static void ignore_hit(void *ctx, const lw_front_hit *hit) {
    (void)ctx;
    (void)hit;
}

/* Page 1 has the only MSHR, page 2 waits for it, and eight lookups of page 1 wait behind page 2.
 * The unit answers page 1 in cycle 40: page 2 gets the MSHR in that cycle, and with it and after it
 * no more than `lookups` a cycle are decided, all of them hits. */
static void test_no_catching_up(void **state) {
    (void)state;
    for (uint32_t lookups = 1; lookups <= 3; lookups++) {
        uint32_t answers = 0;
        uint32_t decided = 0;
        uint32_t l1_miss = 0;
        lw_front_request offered;
        const lw_front_judge judge = {ignore_hit, NULL};
        const lw_l2_params params = {.entries = 8,
                                     .ways = 4,
                                     .latency = LATENCY,
                                     .lookups = lookups,
                                     .mshrs = 1,
                                     .misses = MISSES,
                                     .answer = count_answer,
                                     .ctx = &answers,
                                     .judge = &judge};
        lw_l2_tlb *t = lw_l2_tlb_new(&params);
        assert_non_null(t);
        lw_l2_tlb_ask(t, l1_miss++, &(lw_l2_request){.page = 1});
        lw_l2_tlb_ask(t, l1_miss++, &(lw_l2_request){.page = 2});
        for (uint32_t n = 0; n < HITS; n++) {
            lw_l2_tlb_ask(t, l1_miss++, &(lw_l2_request){.page = 1});
        }
        for (uint64_t now = 0; now < ANSWERED; now++) {
            lw_l2_tlb_tick(t, now);
        }
        assert_true(lw_l2_tlb_offer(t, &offered));
        assert_int_equal(offered.page, 1);
        lw_l2_tlb_accepted(t);
        assert_false(lw_l2_tlb_offer(t, &offered));
        assert_true(lw_l2_tlb_next_event(t, ANSWERED - 1, false) == UINT64_MAX);
        lw_l2_tlb_response(t, &(lw_front_response){.kind = LW_OK, .perm = 3, .pfn = 7});
        assert_int_equal(answers, 1);
        for (uint64_t now = ANSWERED; decided < 1 + HITS; now++) {
            lw_l2_tlb_tick(t, now);
            decided = decided + lookups < 1 + HITS ? decided + lookups : 1 + HITS;
            assert_int_equal(answers, 1 + decided - 1); /* the first was page 2's miss */
            assert_true(lw_l2_tlb_next_event(t, now, true) ==
                        (decided < 1 + HITS ? now + 1 : UINT64_MAX));
        }
        assert_true(lw_l2_tlb_offer(t, &offered));
        assert_int_equal(offered.page, 2);
        lw_l2_tlb_free(t);
    }
}

/* Without entries its lookups take as long, and no more of them begin in a cycle. */
static void test_without_entries(void **state) {
    (void)state;
    for (uint32_t lookups = 1; lookups <= 3; lookups++) {
        uint32_t answers = 0;
        uint32_t count = 0;
        lw_front_request offered;
        const lw_l2_params params = {.latency = LATENCY,
                                     .lookups = lookups,
                                     .mshrs = MISSES,
                                     .misses = MISSES,
                                     .answer = count_answer,
                                     .ctx = &answers};
        lw_l2_tlb *t = lw_l2_tlb_new(&params);
        assert_non_null(t);
        for (uint32_t miss = 0; miss < MISSES; miss++) {
            lw_l2_tlb_ask(t, miss, &(lw_l2_request){.page = miss});
        }
        for (uint32_t now = 0; now < LATENCY + MISSES; now++) {
            lw_l2_tlb_tick(t, now);
            for (; lw_l2_tlb_offer(t, &offered); count++) {
                assert_int_equal(offered.page, count);
                lw_l2_tlb_accepted(t);
            }
            const uint32_t decided = now < LATENCY ? 0 : (now - LATENCY + 1) * lookups;
            assert_int_equal(count, decided < MISSES ? decided : MISSES);
        }
        lw_l2_tlb_free(t);
    }
}

/* Of a page and a large page that hold it the smaller one answers, if it grants the access. */
static void test_the_smaller_answers(void **state) {
    (void)state;
    lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, 4);
    lw_gpu_reach reach;
    assert_non_null(tlb);
    lw_gpu_tlb_fill(tlb, 1, 0x205, &(lw_gpu_reach){.perm = 1, .pfn = 0x77});
    lw_gpu_tlb_fill(tlb, 1, 0x200, &(lw_gpu_reach){.span = 9, .perm = 3, .pfn = 0x4000});
    assert_true(lw_gpu_tlb_lookup(tlb, 1, 0x205, 1, &reach));
    assert_true(reach.pfn == 0x77 && reach.span == 0);
    assert_true(lw_gpu_tlb_lookup(tlb, 1, 0x205, 2, &reach));
    assert_true(reach.pfn == 0x4005 && reach.span == 9);
    lw_gpu_tlb_free(tlb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_catching_up),
        cmocka_unit_test(test_without_entries),
        cmocka_unit_test(test_the_smaller_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
