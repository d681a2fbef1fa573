/* common/fifo.h and common/heap.h against plain lists: what goes in comes out once, in the order
 * that each promises, up to the room that it was given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/fifo.h"
#include "common/heap.h"
#include "common/rng.h"

enum { ROOM = 7, STEPS = 20000 };

static void test_first_in_first_out(void **state) {
    (void)state;
    lw_fifo f;
    lw_rng rng;
    uint32_t in = 0;
    uint32_t out = 0;
    lw_rng_seed(&rng, 1);
    assert_true(lw_fifo_init(&f, ROOM));
    assert_int_equal(f.room, ROOM);
    for (uint32_t i = 0; i < STEPS; i++) {
        if (f.count == 0 || (f.count < ROOM && lw_rng_percent(&rng, 60))) {
            lw_fifo_push(&f, in++);
        } else {
            assert_int_equal(lw_fifo_first(&f), out);
            assert_int_equal(lw_fifo_pop(&f), out++);
        }
        assert_int_equal(f.count, in - out);
    }
    lw_fifo_free(&f);
}

/* The place of the smallest of a plain list, by key and then by value. */
static size_t smallest(const lw_heap_item *list, size_t count) {
    size_t least = 0;
    for (size_t i = 1; i < count; i++) {
        if (list[i].key < list[least].key ||
            (list[i].key == list[least].key && list[i].value < list[least].value)) {
            least = i;
        }
    }
    return least;
}

static void test_smallest_first(void **state) {
    (void)state;
    static const uint64_t ranges[] = {1, 4, UINT64_C(1) << 32}; /* of keys: many equal, or few */
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        lw_heap_item list[4 * ROOM];
        size_t count = 0;
        lw_heap h;
        lw_rng rng;
        lw_rng_seed(&rng, 1);
        assert_true(lw_heap_init(&h, sizeof list / sizeof list[0]));
        assert_true(lw_heap_first(&h) == UINT64_MAX);
        for (uint32_t i = 0; i < STEPS; i++) {
            if (count == 0 || (count < h.room && lw_rng_percent(&rng, 55))) {
                const uint64_t key = lw_rng_below(&rng, ranges[r]) << 31;
                list[count++] = (lw_heap_item){key, (uint32_t)lw_rng_below(&rng, 50)};
                lw_heap_push(&h, key, list[count - 1].value);
            } else {
                const size_t least = smallest(list, count);
                assert_int_equal(lw_heap_pop(&h), list[least].value);
                list[least] = list[--count];
            }
            assert_int_equal(h.count, count);
            assert_true(lw_heap_first(&h) ==
                        (count == 0 ? UINT64_MAX : list[smallest(list, count)].key));
        }
        lw_heap_free(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_smallest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
