/* Frame policies: no frame twice, alignment, shares, reproducibility, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/frames/frame_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x40000)

static const char *const policies[] = {"contiguous", "buddy:0", "buddy:40", "buddy:75", "random"};
#define POLICIES (sizeof policies / sizeof policies[0])

static lw_frame_allocator *new_allocator(const char *policy, uint64_t frames, uint64_t seed,
                                         lw_error *err) {
    lw_frame_allocator_config config = {
        .first_frame = BASE, .frames = frames, .pa_width = 48, .seed = seed};
    assert_true(lw_frame_policy_parse(policy, &config.policy, err));
    return lw_frame_allocator_new(&config, err);
}

static void policies_are_parsed(void **state) {
    (void)state;
    lw_frame_policy p;
    lw_error err = {0};
    assert_true(lw_frame_policy_parse("buddy:75", &p, &err));
    assert_true(p.kind == LW_FRAMES_BUDDY && p.fragmentation == 75);
    assert_true(lw_frame_policy_parse("pagemap", &p, &err));
    assert_true(p.kind == LW_FRAMES_PAGEMAP && p.path[0] == '\0');
    assert_true(lw_frame_policy_parse("pagemap:a:b", &p, &err));
    assert_string_equal(p.path, "a:b");
    static const char *const bad[] = {"",         "buddy",   "buddy:",   "buddy:76", "buddy:-1",
                                      "buddy:5x", "randomm", "random:1", "pagemap:", "contig"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char sentence[200];
        (void)snprintf(sentence, sizeof sentence,
                       "mapping is \"%s\"; allowed: contiguous, buddy:FRAG or memhog:FRAG "
                       "(percent, 0..75), random, pagemap or pagemap:FILE",
                       bad[i]);
        assert_false(lw_frame_policy_parse(bad[i], &p, &err));
        assert_string_equal(err.text, sentence);
    }
}

/* Marks the frames in `owned`; each must be unowned and in the memory. */
static void own(bool *owned, uint64_t frames, uint64_t first, uint64_t count) {
    assert_true(first >= BASE && first - BASE + count <= frames);
    for (uint64_t i = 0; i < count; i++) {
        assert_false(owned[first - BASE + i]);
        owned[first - BASE + i] = true;
    }
}

static void no_frame_is_given_twice(void **state) {
    (void)state;
    enum { FRAMES = 5000, HELD = 400 };
    for (size_t p = 0; p < POLICIES; p++) {
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(policies[p], FRAMES, p, &err);
        uint64_t all = lw_frame_allocator_available(a);
        bool owned[FRAMES] = {false};
        struct {
            uint64_t first, count;
        } held[HELD] = {{0, 0}};
        lw_rng rng;
        lw_rng_seed(&rng, p);
        for (unsigned i = 0; i < 20000; i++) {
            size_t h = lw_rng_below(&rng, HELD);
            if (held[h].count > 0) {
                for (uint64_t j = 0; j < held[h].count; j++) {
                    owned[held[h].first - BASE + j] = false;
                }
                assert_true(lw_frame_release(a, held[h].first, held[h].count, &err));
                held[h].count = 0;
                continue;
            }
            uint64_t first = 0, count = 1;
            uint32_t order = (uint32_t)lw_rng_below(&rng, 6);
            bool extent = lw_rng_percent(&rng, 30);
            if (extent ? lw_frame_alloc_extent(a, 20, &first, &count, &err)
                       : lw_frame_alloc_aligned(a, order, &first, &err)) {
                count = extent ? count : UINT64_C(1) << order;
                assert_true(count >= 1 && (!extent || count <= 20));
                assert_true(extent || first >> order << order == first);
                own(owned, FRAMES, first, count);
                held[h].first = first;
                held[h].count = count;
            }
            assert_int_equal(lw_frame_allocator_available(a) + lw_frame_allocator_in_use(a), all);
        }
        /* all that is available can be had, one by one, and no more */
        while (lw_frame_allocator_available(a) > 0) {
            uint64_t frame = 0;
            assert_true(lw_frame_alloc(a, &frame, &err));
            own(owned, FRAMES, frame, 1);
        }
        uint64_t frame = 0;
        assert_false(lw_frame_alloc(a, &frame, &err));
        assert_non_null(strstr(err.text, "no aligned run of 1 frames is free"));
        lw_frame_allocator_free(a);
    }
}

static void large_runs(void **state) {
    (void)state;
    const uint64_t frames = (UINT64_C(3) << 18) + 100;
    static const char *const large[] = {"contiguous", "buddy:0", "random"};
    for (size_t p = 0; p < 3; p++) {
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(large[p], frames, 3, &err);
        bool *owned = calloc(frames, sizeof *owned);
        uint64_t first = 0;
        /* the large ones first: a random 2 MiB run may lie anywhere */
        static const uint32_t orders[] = {LW_ORDER_1G, LW_ORDER_1G, LW_ORDER_2M, LW_ORDER_2M};
        for (size_t i = 0; i < 4; i++) {
            assert_true(lw_frame_alloc_aligned(a, orders[i], &first, &err));
            assert_int_equal(first % (UINT64_C(1) << orders[i]), 0);
            own(owned, frames, first, UINT64_C(1) << orders[i]);
        }
        assert_false(lw_frame_alloc_aligned(a, 19, &first, &err));
        assert_string_equal(err.text, "frame allocator: order 19 is not in 0..18");
        free(owned);
        lw_frame_allocator_free(a);
    }
}

static void what_comes_back_is_found_again(void **state) {
    (void)state;
    enum { FRAMES = 1024, ORDER = 5 };
    static const char *const whole[] = {"contiguous", "buddy:0", "random"};
    for (size_t p = 0; p < 3; p++) {
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(whole[p], FRAMES, 3, &err);
        uint64_t first = 0, again = 0;
        for (uint64_t left = FRAMES >> ORDER; left > 0; left--) {
            assert_true(lw_frame_alloc_aligned(a, ORDER, &first, &err));
        }
        assert_false(lw_frame_alloc_aligned(a, ORDER, &again, &err));
        assert_true(lw_frame_release(a, first, 1u << ORDER, &err));
        assert_false(lw_frame_alloc_aligned(a, ORDER + 1, &again, &err));
        assert_true(lw_frame_alloc_aligned(a, ORDER, &again, &err));
        assert_int_equal(again, first);
        lw_frame_allocator_free(a);
    }
}

static void contiguous_ascends(void **state) {
    (void)state;
    lw_error err = {0};
    lw_frame_allocator *a = new_allocator("contiguous", 100, 0, &err);
    uint64_t first = 0, got = 0;
    for (uint64_t i = 0; i < 10; i++) {
        assert_true(lw_frame_alloc(a, &first, &err));
        assert_int_equal(first, BASE + i);
    }
    assert_true(lw_frame_release(a, BASE + 4, 2, &err));
    assert_true(lw_frame_alloc_extent(a, 50, &first, &got, &err));
    assert_true(first == BASE + 4 && got == 2);
    assert_true(lw_frame_alloc_extent(a, 500, &first, &got, &err));
    assert_true(first == BASE + 10 && got == 90);
    assert_false(lw_frame_alloc_extent(a, 1, &first, &got, &err));
    lw_frame_allocator_free(a);
}

static void buddy_pins_its_share_and_joins(void **state) {
    (void)state;
    enum { FRAMES = 1 << 14 };
    for (uint32_t percent = 0; percent <= 75; percent += 25) {
        char policy[16];
        (void)snprintf(policy, sizeof policy, "buddy:%u", (unsigned)percent);
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(policy, FRAMES, 5, &err);
        assert_int_equal(lw_frame_allocator_available(a), FRAMES - FRAMES * percent / 100);
        uint64_t first = 0, got = 0, extents = 0, last_got = FRAMES, frames = 0;
        while (lw_frame_alloc_extent(a, FRAMES, &first, &got, &err)) {
            assert_true(got <= last_got && (got & (got - 1)) == 0 && first % got == 0);
            last_got = got;
            frames += got;
            extents++;
        }
        assert_int_equal(frames, FRAMES - FRAMES * percent / 100);
        /* unfragmented one block; with a share p pinned at random, free runs are 1/p
         * frames long on average and blocks shorter still */
        if (percent == 0) {
            assert_int_equal(extents, 1);
        } else {
            assert_true(frames < extents * (100 / percent + 1));
        }
        lw_frame_allocator_free(a);
    }
    /* what was split joins again */
    lw_error err = {0};
    lw_frame_allocator *a = new_allocator("buddy:0", FRAMES, 5, &err);
    uint64_t first = 0;
    for (unsigned i = 0; i < FRAMES; i++) {
        assert_true(lw_frame_alloc(a, &first, &err));
    }
    for (uint64_t i = 0; i < FRAMES; i++) {
        assert_true(lw_frame_release(a, BASE + (i * 5) % FRAMES, 1, &err));
    }
    assert_true(lw_frame_alloc_aligned(a, 14, &first, &err));
    lw_frame_allocator_free(a);
}

static void random_is_spread_and_reproducible(void **state) {
    (void)state;
    enum { FRAMES = 4096 };
    lw_error err = {0};
    lw_frame_allocator *same[2] = {new_allocator("random", FRAMES, 7, &err),
                                   new_allocator("random", FRAMES, 7, &err)};
    lw_frame_allocator *other = new_allocator("random", FRAMES, 8, &err);
    unsigned equal = 0, followed = 0;
    uint64_t sum = 0, last = 0;
    for (unsigned i = 0; i < FRAMES / 2; i++) {
        uint64_t frame[3];
        assert_true(lw_frame_alloc(same[0], &frame[0], &err));
        assert_true(lw_frame_alloc(same[1], &frame[1], &err));
        assert_true(lw_frame_alloc(other, &frame[2], &err));
        assert_int_equal(frame[0], frame[1]);
        equal += frame[0] == frame[2];
        followed += frame[0] == last + 1;
        last = frame[0];
        sum += frame[0] - BASE;
    }
    /* half of a permutation: mean near the middle (100 is over five sigma), hardly two in a row */
    assert_in_range(sum / (FRAMES / 2), FRAMES / 2 - 100, FRAMES / 2 + 100);
    assert_true(equal < 10 && followed < 10);
    lw_frame_allocator_free(same[0]);
    lw_frame_allocator_free(same[1]);
    lw_frame_allocator_free(other);
}

/* A run of 16 of 4096 frames is a random one of 256: the mean of 400 is near the middle (18 is five
 * sigma), and two hardly follow each other. */
static void random_runs_are_spread(void **state) {
    (void)state;
    enum { FRAMES = 4096, RUNS = 400 };
    uint64_t sum = 0, followed = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        lw_error err = {0};
        uint64_t first[2] = {0, 0};
        lw_frame_allocator *a = new_allocator("random", FRAMES, seed, &err);
        assert_true(lw_frame_alloc_aligned(a, 4, &first[0], &err));
        assert_true(lw_frame_alloc_aligned(a, 4, &first[1], &err));
        sum += (first[0] - BASE) / 16;
        followed += first[1] == first[0] + 16;
        lw_frame_allocator_free(a);
    }
    assert_in_range(sum / RUNS, 127 - 18, 128 + 18);
    assert_true(followed < 15);
}

static void bad_configurations(void **state) {
    (void)state;
    static const struct {
        lw_frame_allocator_config config;
        const char *sentence;
    } cases[] = {
        {{.frames = 0, .pa_width = 48}, "0 frames are not in 1..67108864"},
        {{.frames = (1 << 26) + 1, .pa_width = 48}, "67108865 frames are not in 1..67108864"},
        {{.frames = 1, .pa_width = 31}, "pa_width 31 is not in 32..52"},
        {{.frames = 1, .pa_width = 53}, "pa_width 53 is not in 32..52"},
        {{.frames = 1, .pa_width = 48, .first_frame = 512}, "first frame 0x200 is not a multiple"},
        {{.frames = (1 << 20) + 1, .pa_width = 32}, "do not fit a physical address of 32 bits"},
        {{.frames = 1, .pa_width = 32, .first_frame = 1 << 20},
         "1 frames from 0x100000 do not fit"},
        {{.policy = {LW_FRAMES_BUDDY, 76, ""}, .frames = 1, .pa_width = 48},
         "fragmentation 76 is not in 0..75 percent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lw_error err = {0};
        assert_null(lw_frame_allocator_new(&cases[i].config, &err));
        assert_non_null(strstr(err.text, cases[i].sentence));
    }
    /* all of the smallest memory, and as much above its first GiB as is left of it */
    for (uint64_t first = 0; first < 1 << 20; first += 1 << 18) {
        lw_error err = {0};
        const lw_frame_allocator_config whole = {
            .frames = (1 << 20) - first, .pa_width = 32, .first_frame = first};
        lw_frame_allocator *a = lw_frame_allocator_new(&whole, &err);
        assert_non_null(a);
        assert_int_equal(lw_frame_allocator_available(a), whole.frames);
        lw_frame_allocator_free(a);
    }
    for (size_t p = 0; p < POLICIES; p++) {
        lw_error err = {0};
        lw_frame_allocator *a = new_allocator(policies[p], 100, 0, &err);
        uint64_t first = 0, got = 0;
        assert_true(lw_frame_alloc(a, &first, &err));
        assert_false(lw_frame_release(a, BASE + 100, 1, &err)); /* not of this memory */
        assert_false(lw_frame_release(a, BASE - 1, 1, &err));
        assert_false(lw_frame_release(a, first, 100, &err)); /* not all given out */
        assert_int_equal(lw_frame_allocator_in_use(a), 1);
        assert_true(lw_frame_release(a, first, 1, &err));
        assert_false(lw_frame_release(a, first, 1, &err));
        assert_false(lw_frame_alloc_extent(a, 0, &first, &got, &err));
        lw_frame_allocator_free(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_are_parsed),
        cmocka_unit_test(no_frame_is_given_twice),
        cmocka_unit_test(large_runs),
        cmocka_unit_test(what_comes_back_is_found_again),
        cmocka_unit_test(contiguous_ascends),
        cmocka_unit_test(buddy_pins_its_share_and_joins),
        cmocka_unit_test(random_is_spread_and_reproducible),
        cmocka_unit_test(random_runs_are_spread),
        cmocka_unit_test(bad_configurations),
    };
    return cmocka_run_group_tests_name("frame_allocator", tests, NULL, NULL);
}
