/* Frames that are handed out by a list: of a file, of this process, or all in a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/frames/frame_allocator.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BASE UINT64_C(0x40000)
#define LIST_FILE "lw_test_frames.txt"

static lw_frame_allocator *new_allocator(const char *policy, uint64_t frames, uint64_t seed,
                                         lw_error *err) {
    lw_frame_allocator_config config = {
        .first_frame = BASE, .frames = frames, .pa_width = 48, .seed = seed};
    assert_true(lw_frame_policy_parse(policy, &config.policy, err));
    return lw_frame_allocator_new(&config, err);
}

static void write_list(const char *text) {
    FILE *file = fopen(LIST_FILE, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_list_is_taken_in_its_order(void **state) {
    (void)state;
    write_list("# a process\n0x900\n7 # comment\n\n  8\n9\n4\n5\n6\n");
    lw_error err = {0};
    lw_frame_allocator *a = new_allocator("pagemap:" LIST_FILE, 1, 0, &err);
    assert_non_null(a);
    uint64_t first = 0, got = 0;
    assert_int_equal(lw_frame_allocator_available(a), 7);
    assert_true(lw_frame_alloc(a, &first, &err));
    assert_int_equal(first, 0x900);
    /* 4..7 is a run, although not in the list's order */
    assert_true(lw_frame_alloc_aligned(a, 2, &first, &err));
    assert_int_equal(first, 4);
    assert_true(lw_frame_alloc_extent(a, 9, &first, &got, &err));
    assert_true(first == 8 && got == 2);
    assert_false(lw_frame_alloc(a, &first, &err));
    assert_true(lw_frame_release(a, 0x900, 1, &err));
    assert_false(lw_frame_release(a, 0x900, 1, &err));
    assert_string_equal(err.text, "frame allocator: frame 0x900 was not given out");
    lw_frame_allocator_free(a);
    (void)remove(LIST_FILE);
}

/* A run has all its frames in the list, and nobody gives back what is not in it. */
static void gaps_of_a_list(void **state) {
    (void)state;
    lw_error err = {0};
    uint64_t first = 0;
    write_list("16\n17\n18\n21\n40\n41\n42\n43\n");
    lw_frame_allocator *a = new_allocator("pagemap:" LIST_FILE, 1, 0, &err);
    assert_true(lw_frame_alloc_aligned(a, 2, &first, &err));
    assert_int_equal(first, 40); /* 19 is missing of the run before */
    assert_false(lw_frame_alloc_aligned(a, 2, &first, &err));
    for (uint64_t i = 0; i < 4; i++) {
        static const uint64_t frames[] = {16, 17, 18, 21};
        assert_true(lw_frame_alloc(a, &first, &err));
        assert_int_equal(first, frames[i]);
    }
    static const uint64_t missing[] = {15, 19, 20, 22, 44};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        assert_false(lw_frame_release(a, missing[i], 1, &err));
    }
    assert_int_equal(lw_frame_allocator_in_use(a), 8);
    lw_frame_allocator_free(a);
    (void)remove(LIST_FILE);
}

/* Contiguous takes the lowest run, wherever single frames lie. */
static void contiguous_runs_are_the_lowest(void **state) {
    (void)state;
    lw_error err = {0};
    uint64_t first = 0;
    lw_frame_allocator *a = new_allocator("contiguous", 64, 0, &err);
    for (uint64_t i = 0; i < 5; i++) {
        assert_true(lw_frame_alloc(a, &first, &err));
    }
    static const uint64_t lowest[] = {8, 12, 16};
    for (size_t i = 0; i < 3; i++) {
        assert_true(lw_frame_alloc_aligned(a, 2, &first, &err));
        assert_int_equal(first, BASE + lowest[i]);
    }
    assert_true(lw_frame_release(a, BASE + 12, 4, &err));
    assert_true(lw_frame_alloc_aligned(a, 2, &first, &err));
    assert_int_equal(first, BASE + 12);
    assert_true(lw_frame_release(a, BASE, 5, &err));
    assert_true(lw_frame_alloc_aligned(a, 3, &first, &err));
    assert_int_equal(first, BASE);
    lw_frame_allocator_free(a);
}

static void bad_lists(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", LIST_FILE ": is empty"},
        {"# none\n", LIST_FILE ": holds no frame number"},
        {"1\nx\n", LIST_FILE ":2: not a frame number, decimal or 0x..., of at most 0xfffffffff"},
        {"1 2\n", LIST_FILE ":1: not a frame number"},
        {"-1\n", LIST_FILE ":1: not a frame number"},
        {"0x1000000000\n", LIST_FILE ":1: not a frame number"},
        {"5\n6\n5\n", LIST_FILE ": frame 0x5 stands there twice; allowed: once"},
    };
    lw_error err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_list(cases[i].text);
        assert_null(new_allocator("pagemap:" LIST_FILE, 1, 0, &err));
        assert_non_null(strstr(err.text, cases[i].sentence));
    }
    static const char nul[] = "4\n5\0junk\n6\n";
    FILE *file = fopen(LIST_FILE, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(nul, 1, sizeof nul - 1, file), sizeof nul - 1);
    assert_int_equal(fclose(file), 0);
    assert_null(new_allocator("pagemap:" LIST_FILE, 1, 0, &err));
    assert_string_equal(err.text, LIST_FILE ":2: holds a NUL byte: a text file is needed");
    (void)remove(LIST_FILE);
    assert_null(new_allocator("pagemap:no/such/file", 1, 0, &err));
    assert_string_equal(err.text, "no/such/file: cannot open it: No such file or directory");
}

/* Whether the kernel tells this process where its own pages are: those of 4 KiB, by eight bytes
 * each whose low 55 bits are the frame. */
static bool frames_are_seen(void) {
    static volatile char page[8192];
    uint64_t word = 0;
    page[4096] = 1;
    FILE *file = fopen("/proc/self/pagemap", "rb");
    const bool read =
        file != NULL && sysconf(_SC_PAGESIZE) == 4096 &&
        fseek(file, (long)((uintptr_t)&page[4096] / 4096 * sizeof word), SEEK_SET) == 0 &&
        fread(&word, sizeof word, 1, file) == 1;
    if (file != NULL) {
        (void)fclose(file);
    }
    return read && (word << 9) != 0;
}

/* Those of this process where it may see them, one sentence else. */
static void frames_of_this_process(void **state) {
    (void)state;
    lw_error err = {0};
    lw_frame_allocator_config config = {
        .policy = {.kind = LW_FRAMES_PAGEMAP}, .frames = 64, .pa_width = 52};
    lw_frame_allocator *a = lw_frame_allocator_new(&config, &err);
    if (!frames_are_seen()) {
        assert_null(a);
        assert_true(strncmp(err.text, "pagemap: ", 9) == 0 ||
                    strncmp(err.text, "/proc/self/pagemap: ", 20) == 0);
        return;
    }
    assert_non_null(a);
    assert_int_equal(lw_frame_allocator_available(a), 64);
    lw_frame_allocator_free(a);
}

/* Of fewer frames than a run has none is to be had, in whatever order they are handed out. */
static void a_run_longer_than_memory(void **state) {
    (void)state;
    static const char *const policies[] = {"contiguous", "random"};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        lw_error err = {0};
        uint64_t first = 0;
        lw_frame_allocator *a = new_allocator(policies[i], 3, 1, &err);
        assert_non_null(a);
        assert_false(lw_frame_alloc_aligned(a, 2, &first, &err));
        assert_true(lw_frame_alloc_aligned(a, 1, &first, &err));
        assert_int_equal(first, BASE);
        lw_frame_allocator_free(a);
    }
}

/* The end of its memory is past the highest frame, whether that is pinned, given out or first in a
 * list. */
static void the_end_is_past_the_highest(void **state) {
    (void)state;
    static const char *const policies[] = {"contiguous", "random", "buddy:0", "buddy:50",
                                           "memhog:75"};
    lw_error err = {0};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        uint64_t frame = 0;
        lw_frame_allocator *a = new_allocator(policies[i], 5000, 1, &err);
        assert_non_null(a);
        assert_int_equal(lw_frame_allocator_end(a), BASE + 5000);
        while (lw_frame_allocator_available(a) != 0) {
            assert_true(lw_frame_alloc(a, &frame, &err));
        }
        assert_int_equal(lw_frame_allocator_end(a), BASE + 5000);
        lw_frame_allocator_free(a);
    }
    write_list("0x900\n7\n8\n");
    lw_frame_allocator *a = new_allocator("pagemap:" LIST_FILE, 1, 0, &err);
    assert_non_null(a);
    assert_int_equal(lw_frame_allocator_end(a), 0x901);
    lw_frame_allocator_free(a);
    (void)remove(LIST_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_taken_in_its_order),
        cmocka_unit_test(gaps_of_a_list),
        cmocka_unit_test(contiguous_runs_are_the_lowest),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(frames_of_this_process),
        cmocka_unit_test(a_run_longer_than_memory),
        cmocka_unit_test(the_end_is_past_the_highest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
