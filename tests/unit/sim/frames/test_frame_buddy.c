/* The policies buddy and memhog (frame_allocator.h): what is pinned, which block a process gets
 * next, and that the lowest address goes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/frames/frame_allocator.h"

#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x40000)
#define FRAMES (UINT64_C(1) << 18)

static lw_frame_allocator *new_allocator(const char *policy, uint64_t frames, uint64_t seed) {
    lw_error err = {0};
    lw_frame_allocator_config config = {
        .first_frame = BASE, .frames = frames, .pa_width = 48, .seed = seed};
    assert_true(lw_frame_policy_parse(policy, &config.policy, &err));
    lw_frame_allocator *a = lw_frame_allocator_new(&config, &err);
    assert_non_null(a);
    return a;
}

static uint64_t one(lw_frame_allocator *a) {
    lw_error err = {0};
    uint64_t frame = 0;
    assert_true(lw_frame_alloc(a, &frame, &err));
    return frame;
}

static void give(lw_frame_allocator *a, uint64_t frame) {
    lw_error err = {0};
    assert_true(lw_frame_release(a, frame, 1, &err));
}

/* The frames that nobody gets are pinned: the share that is asked for, in aligned runs of 16 to
 * 4096 frames, which may touch. The last of them may be more than was wanted. */
static void memhog_pins_runs(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        uint64_t percent;
    } rows[] = {{"memhog:0", 0}, {"memhog:25", 25}, {"memhog:75", 75}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_frame_allocator *a = new_allocator(rows[i].policy, FRAMES, i);
        bool *given = calloc(FRAMES + 1, sizeof *given);
        const uint64_t wanted = FRAMES * rows[i].percent / 100;
        const uint64_t available = lw_frame_allocator_available(a);
        uint64_t run = 0, shortest = FRAMES, longest = 0;
        assert_non_null(given);
        assert_in_range(FRAMES - available, wanted, wanted == 0 ? 0 : wanted + 4095);
        for (uint64_t n = 0; n < available; n++) {
            given[one(a) - BASE] = true;
        }
        given[FRAMES] = true;
        for (uint64_t f = 0; f <= FRAMES; f++) {
            if (given[f] && run != 0) {
                assert_true(f % 16 == 0 && run % 16 == 0);
                shortest = run < shortest ? run : shortest;
                longest = run > longest ? run : longest;
            }
            run = given[f] ? 0 : run + 1;
        }
        assert_true(wanted == 0 || (shortest <= 64 && longest >= 4096));
        free(given);
        lw_frame_allocator_free(a);
    }
}

/* Where little is pinned its runs hardly touch: each is of one of the nine powers of two from 16 to
 * 4096, which are drawn alike, but for a few that touch and are longer. */
static void memhog_draws_all_lengths(void **state) {
    (void)state;
    enum { SEEDS = 200, SMALL = 1 << 16, LEAST = 4, MOST = 12 };
    static bool given[SMALL + 1];
    unsigned runs = 0, longer = 0, of_order[MOST + 1] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        lw_frame_allocator *a = new_allocator("memhog:5", SMALL, seed);
        uint64_t run = 0;
        memset(given, 0, sizeof given);
        for (uint64_t left = lw_frame_allocator_available(a); left != 0; left--) {
            given[one(a) - BASE] = true;
        }
        given[SMALL] = true;
        for (uint64_t f = 0; f <= SMALL; f++) {
            for (unsigned order = 0; given[f] && order <= MOST; order++) {
                of_order[order] += run == UINT64_C(1) << order;
            }
            runs += given[f] && run != 0;
            longer += given[f] && run > UINT64_C(1) << MOST;
            run = given[f] ? 0 : run + 1;
        }
        lw_frame_allocator_free(a);
    }
    assert_true(longer < runs / 20);
    for (unsigned order = 0; order <= MOST; order++) {
        assert_in_range(of_order[order], order < LEAST ? 0 : runs / 9 / 2,
                        order < LEAST ? 0 : runs / 9 * 3 / 2);
    }
}

/* Buddy's are drawn one by one from all of memory: of 2^18 frames a quarter is pinned of each
 * eighth, and of the neighbours 2n and 2n + 1 both in one of 16 pairs, neither in nine. Five sigma
 * are 443 of 2^15 frames' quarter, 438 of 2^17 pairs' 16th and 900 of their nine. */
static void buddy_draws_each_frame(void **state) {
    (void)state;
    lw_frame_allocator *a = new_allocator("buddy:25", FRAMES, 3);
    bool *given = calloc(FRAMES, sizeof *given);
    unsigned pinned[8] = {0}, both = 0, neither = 0;
    assert_non_null(given);
    for (uint64_t left = lw_frame_allocator_available(a); left != 0; left--) {
        given[one(a) - BASE] = true;
    }
    for (uint64_t f = 0; f < FRAMES; f++) {
        pinned[f / (FRAMES / 8)] += !given[f];
        both += f % 2 != 0 && !given[f] && !given[f - 1];
        neither += f % 2 != 0 && given[f] && given[f - 1];
    }
    for (unsigned i = 0; i < 8; i++) {
        assert_in_range(pinned[i], FRAMES / 32 - 392, FRAMES / 32 + 392);
    }
    assert_in_range(both, FRAMES / 32 - 438, FRAMES / 32 + 438);
    assert_in_range(neither, FRAMES / 32 * 9 - 900, FRAMES / 32 * 9 + 900);
    free(given);
    lw_frame_allocator_free(a);
}

/* Of the free blocks memhog's process gets the smallest, and buddy's the largest of at most so
 * many; until all is given. */
static void blocks_by_size(void **state) {
    (void)state;
    static const struct {
        const char *policy;
        bool smallest;
    } rows[] = {{"memhog:25", true}, {"memhog:60", true}, {"buddy:25", false}, {"buddy:0", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_frame_allocator *a = new_allocator(rows[i].policy, FRAMES, 7);
        uint64_t before = rows[i].smallest ? 1 : 700;
        uint64_t most = 0;
        while (lw_frame_allocator_available(a) != 0) {
            lw_error err = {0};
            uint64_t first = 0, got = 0;
            assert_true(lw_frame_alloc_extent(a, 700, &first, &got, &err));
            assert_true(got >= 1 && got <= 512 && (got & (got - 1)) == 0);
            assert_true(rows[i].smallest ? got >= before : got <= before);
            before = got;
            most = got > most ? got : most;
        }
        assert_true(most == 512 || !rows[i].smallest);
        lw_frame_allocator_free(a);
    }
}

/* Less than the smallest block is free: the pages come in a row from it, as many as are wanted and
 * make a block. */
static void pages_in_a_row(void **state) {
    (void)state;
    lw_error err = {0};
    lw_frame_allocator *a = new_allocator("memhog:25", FRAMES, 3);
    uint64_t first = 0, next = 0, got = 0;
    assert_true(lw_frame_alloc_extent(a, 4, &first, &got, &err));
    assert_int_equal(got, 4);
    assert_true(lw_frame_alloc_extent(a, 7, &next, &got, &err));
    assert_true(got == 4 && next == first + 4);
    assert_true(lw_frame_alloc_extent(a, 1, &next, &got, &err));
    assert_true(got == 1 && next == first + 8);
    lw_frame_allocator_free(a);
}

/* However they have come back. */
static void the_lowest_goes_first(void **state) {
    (void)state;
    enum { FEW = 1 << 14 };
    lw_frame_allocator *a = new_allocator("buddy:0", FEW, 1);
    for (uint64_t n = 0; n < FEW; n++) {
        assert_int_equal(one(a), BASE + n);
    }
    for (uint64_t low = 2; low + 300 < FEW; low += 997) {
        for (uint64_t gap = 2; gap < 300; gap += 62) {
            for (int order = 0; order < 2; order++) {
                give(a, BASE + low + (order == 0 ? 0 : gap));
                give(a, BASE + low + (order == 0 ? gap : 0));
                assert_int_equal(one(a), BASE + low);
                assert_int_equal(one(a), BASE + low + gap);
            }
        }
    }
    lw_frame_allocator_free(a);
}

/* Only what was given out can be given back: not its neighbours, nor what lies outside. */
static void what_is_not_out_does_not_come_back(void **state) {
    (void)state;
    static const char *const policies[] = {"buddy:0", "contiguous", "random"};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(policies[i], FRAMES, 1);
        uint64_t first = 0;
        assert_true(lw_frame_alloc_aligned(a, 4, &first, &err));
        assert_false(lw_frame_release(a, first + 16, 1, &err));
        assert_false(lw_frame_release(a, first - 1, 1, &err));
        assert_false(lw_frame_release(a, first, 17, &err));
        assert_false(lw_frame_release(a, BASE - 1, 1, &err));
        assert_false(lw_frame_release(a, BASE + FRAMES, 1, &err));
        assert_int_equal(lw_frame_allocator_in_use(a), 16);
        assert_true(lw_frame_release(a, first, 16, &err));
        assert_int_equal(lw_frame_allocator_available(a), FRAMES);
        assert_true(lw_frame_alloc_aligned(a, 18, &first, &err)); /* all has joined again */
        assert_int_equal(first, BASE);
        lw_frame_allocator_free(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memhog_pins_runs),
        cmocka_unit_test(memhog_draws_all_lengths),
        cmocka_unit_test(buddy_draws_each_frame),
        cmocka_unit_test(blocks_by_size),
        cmocka_unit_test(pages_in_a_row),
        cmocka_unit_test(the_lowest_goes_first),
        cmocka_unit_test(what_is_not_out_does_not_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
