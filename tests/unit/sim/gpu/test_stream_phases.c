/* The phases of a random stream, each alone: how long one is and how hard it presses, and which
 * pages it draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/gpu/stream_phases.h"

#include <string.h>

enum { PHASES = 3000, DRAWS = 400, GAP = 13, NOT_READY = 7, PROCESSES = 3 };

/* Each process has an array of its own, one in the upper half that all have, and one that is not
 * mapped. */
static const lw_array arrays[PROCESSES][3] = {
    {{"a", UINT64_C(0x10000000), UINT64_C(3) << 20},
     {"all", UINT64_C(0xffff800000000000), UINT64_C(1) << 20},
     {"lost", UINT64_C(0x70000000), UINT64_C(1) << 20}},
    {{"b", UINT64_C(0x20000000), UINT64_C(5) << 20},
     {"all", UINT64_C(0xffff800000000000), UINT64_C(1) << 20},
     {"lost", UINT64_C(0x70000000), UINT64_C(1) << 20}},
    {{"c", UINT64_C(0x30000000), UINT64_C(2) << 20},
     {"all", UINT64_C(0xffff800000000000), UINT64_C(1) << 20},
     {"lost", UINT64_C(0x70000000), UINT64_C(1) << 20}},
};
static const lw_stream_process processes[PROCESSES] = {
    {arrays[0], 3, 2}, {arrays[1], 3, 2}, {arrays[2], 3, 2}};
static const lw_stream_params params = {.kind = LW_STREAM_PHASES,
                                        .request_gap = GAP,
                                        .response_not_ready = NOT_READY,
                                        .levels = 4,
                                        .processes = processes,
                                        .process_count = PROCESSES};

/* The array of its process in which a page lies; 3: none. */
static uint32_t array_of(const lw_stream_page *p) {
    uint32_t a = 0;
    while (a < 3) {
        const lw_array *array = &arrays[p->process][a];
        const uint64_t first = (uint64_t)((int64_t)array->base >> 12);
        if (p->page - first < array->bytes >> 12) {
            break;
        }
        a++;
    }
    return a;
}

static bool same(const lw_stream_page *a, const lw_stream_page *b) {
    return a->process == b->process && a->page == b->page;
}

/* How many different pages were drawn; of whatever process, where `all`. */
static uint32_t different(const lw_stream_page *pages, bool all) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint32_t j = 0;
        while (j < i && (all ? pages[j].page != pages[i].page : !same(&pages[j], &pages[i]))) {
            j++;
        }
        count += j == i ? 1 : 0;
    }
    return count;
}

/* A few pages of arrays, over and over. */
static void expect_reuse(const lw_stream_page *pages) {
    assert_true(different(pages, false) <= LW_PHASE_PAGES);
    for (uint32_t i = 0; i < DRAWS; i++) {
        assert_true(array_of(&pages[i]) < 3);
    }
}

/* All in one aligned block of pages, of one process: a frame of 2 MiB at most; of a leaf line at
 * most, all of them. */
static void expect_burst(const lw_stream_page *pages, uint64_t span) {
    assert_true(span >= 1 && span <= 512 && (span & (span - 1)) == 0);
    for (uint32_t i = 0; i < DRAWS; i++) {
        assert_int_equal(pages[i].process, pages[0].process);
        assert_int_equal(pages[i].page / span, pages[0].page / span);
    }
    const uint32_t found = different(pages, false);
    assert_true(span > 8 ? found > span / 3 : found == span);
}

/* From one page on by one stride, and back to it after so many steps, again and again. Which stride
 * it is: a page, fewer than a leaf line has, a leaf line, a node, down. */
enum { BY_ONE, BY_FEW, BY_LINE, BY_NODE, DOWN, STRIDES };

static uint32_t expect_stride(const lw_stream_page *pages, uint32_t steps) {
    const uint64_t stride = pages[1].page - pages[0].page;
    assert_true(array_of(&pages[0]) < 3);
    for (uint32_t i = 1; i < DRAWS; i++) {
        assert_true(i % steps == 0 ? same(&pages[i], &pages[0])
                                   : pages[i].page == pages[i - 1].page + stride);
        assert_int_equal(pages[i].process, pages[0].process);
    }
    assert_true(stride != 0);
    return stride >> 63 != 0 ? DOWN
           : stride >= 512   ? BY_NODE
           : stride >= 8     ? BY_LINE
           : stride > 1      ? BY_FEW
                             : BY_ONE;
}

static bool leaves_arrays(const lw_stream_page *pages) {
    uint32_t i = 0;
    while (i < DRAWS && array_of(&pages[i]) < 3) {
        i++;
    }
    return i < DRAWS;
}

/* Pages that all address spaces have, in all of them. */
static void expect_shared(const lw_stream_page *pages) {
    uint32_t of_process[PROCESSES] = {0};
    assert_true(different(pages, true) <= LW_PHASE_PAGES);
    for (uint32_t i = 0; i < DRAWS; i++) {
        assert_int_equal(array_of(&pages[i]), 1);
        of_process[pages[i].process]++;
    }
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(of_process[p] > DRAWS / 5);
    }
}

static void test_each_kind(void **state) {
    (void)state;
    lw_stream_phases p;
    lw_rng rng;
    uint32_t seen[LW_PHASES] = {0};
    bool frame = false, line = false, one = false; /* bursts */
    uint32_t strides[STRIDES] = {0}, outside = 0;
    uint32_t reused[LW_PHASE_PAGES + 1] = {0}; /* phases, by their pages */
    lw_rng_seed(&rng, 4);
    for (uint32_t n = 0; n < PHASES; n++) {
        lw_stream_page pages[DRAWS];
        lw_phases_next(&p, &params, &rng);
        assert_true(p.kind < LW_PHASES);
        seen[p.kind]++;
        if (p.kind == LW_PHASE_MIXED || p.kind == LW_PHASE_QUIET) {
            continue;
        }
        for (uint32_t i = 0; i < DRAWS; i++) {
            pages[i] = lw_phases_draw(&p, &params, &rng);
        }
        switch (p.kind) {
        case LW_PHASE_REUSE:
            expect_reuse(pages);
            reused[different(pages, false)]++;
            break;
        case LW_PHASE_BURST:
            expect_burst(pages, p.span);
            frame = frame || p.span == 512;
            line = line || p.span == 8;
            one = one || p.span == 1;
            break;
        case LW_PHASE_STRIDE:
            strides[expect_stride(pages, 4 * p.count)]++; /* four times as many as it has pages */
            outside += leaves_arrays(pages);
            break;
        default:
            expect_shared(pages);
            break;
        }
    }
    for (uint32_t kind = 0; kind < LW_PHASES; kind++) {
        assert_true(seen[kind] > PHASES / 50);
    }
    assert_true(frame && line && one);
    for (uint32_t i = 0; i < STRIDES; i++) {
        assert_true(strides[i] > 0);
    }
    assert_in_range(outside, 1, seen[LW_PHASE_STRIDE] - 1);
    for (uint32_t count = 1; count <= LW_PHASE_PAGES; count++) {
        assert_true(reused[count] > seen[LW_PHASE_REUSE] / 20);
    }
}

/* Those that are asked for a tenth of the time are so of the pages that all address spaces have
 * too. */
static void test_seldom_in_shared_phases(void **state) {
    (void)state;
    lw_stream_params seldom = params;
    lw_stream_phases p;
    lw_rng rng;
    uint32_t draws = 0, last = 0;
    seldom.seldom = 1;
    lw_rng_seed(&rng, 7);
    for (uint32_t n = 0; n < PHASES; n++) {
        lw_phases_next(&p, &seldom, &rng);
        for (uint32_t i = 0; i < 20 && p.kind == LW_PHASE_SHARED; i++) {
            draws++;
            last += lw_phases_draw(&p, &seldom, &rng).process == PROCESSES - 1;
        }
    }
    assert_in_range(last, draws * 8 / 100, draws * 12 / 100);
}

/* Some tens to hundreds of requests; no request and no response as often as the system says, never,
 * or for most of the time, each of these now and then. */
static void test_length_and_pressure(void **state) {
    (void)state;
    lw_stream_phases p;
    lw_rng rng;
    uint32_t usual[2] = {0};
    uint32_t never[2] = {0};
    uint32_t most[2] = {0};
    uint32_t tens = 0, hundreds = 0;
    lw_rng_seed(&rng, 5);
    for (uint32_t n = 0; n < PHASES; n++) {
        lw_phases_next(&p, &params, &rng);
        assert_in_range(p.left, 10, 999);
        tens += p.left < 100;
        hundreds += p.left >= 200;
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t percent = i == 0 ? p.gap : p.not_ready;
            const bool is_usual = percent == (i == 0 ? GAP : NOT_READY);
            assert_true(is_usual || percent == 0 || (percent > 50 && percent < 100));
            usual[i] += is_usual ? 1 : 0;
            never[i] += percent == 0 ? 1 : 0;
            most[i] += percent > 50 ? 1 : 0;
        }
    }
    assert_true(tens > PHASES / 10 && hundreds > PHASES / 10);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(usual[i] > PHASES / 10 && never[i] > PHASES / 10 && most[i] > PHASES / 10);
    }
}

/* Any page of any array, most often of one that is mapped; of the processes the seldom ones a tenth
 * of the time. */
static void test_anywhere(void **state) {
    (void)state;
    enum { PAGES = 20000 };
    lw_stream_params seldom = params;
    lw_rng rng;
    uint32_t of_process[PROCESSES] = {0};
    uint32_t lost = 0;
    seldom.seldom = 1;
    lw_rng_seed(&rng, 6);
    for (uint32_t n = 0; n < PAGES; n++) {
        const lw_stream_page page = lw_stream_anywhere(&seldom, &rng);
        const uint32_t a = array_of(&page);
        assert_true(a < 3);
        lost += a == 2 ? 1 : 0;
        of_process[page.process]++;
    }
    assert_true(lost > 0 && lost < PAGES / 4);
    assert_in_range(of_process[2], PAGES * 9 / 100, PAGES * 11 / 100);
    assert_in_range(of_process[0], PAGES * 42 / 100, PAGES * 48 / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind),
        cmocka_unit_test(test_seldom_in_shared_phases),
        cmocka_unit_test(test_length_and_pressure),
        cmocka_unit_test(test_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
