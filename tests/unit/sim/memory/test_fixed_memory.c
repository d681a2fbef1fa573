/* Memory of one latency: how many reads are under way, when each has finished, and that writes need
 * no room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/memory/fixed_memory.h"

static void test_fixed_memory(void **state) {
    (void)state;
    lw_memory m;
    uint32_t id = 0;
    const lw_memory_request read = {.user = LW_MEMORY_DATA, .id = 7};
    const lw_memory_request write = {.user = LW_MEMORY_DATA, .write = true};
    assert_true(lw_fixed_memory_new(30, 2, &m));
    for (uint64_t now = 5; now < 7; now++) {
        assert_true(m.ready(m.state, now, &read));
        m.ask(m.state, now, &read);
    }
    assert_false(m.ready(m.state, 6, &read));
    assert_true(m.ready(m.state, 6, &write));
    m.ask(m.state, 6, &write);
    assert_int_equal(m.next_event(m.state, 6), 35);
    assert_false(m.finished(m.state, 34, LW_MEMORY_DATA, &id));
    assert_true(m.finished(m.state, 35, LW_MEMORY_DATA, &id));
    assert_int_equal(id, 7);
    assert_false(m.finished(m.state, 35, LW_MEMORY_DATA, &id));
    assert_true(m.ready(m.state, 35, &read));
    assert_int_equal(m.next_event(m.state, 35), 36);
    assert_true(m.finished(m.state, 90, LW_MEMORY_DATA, &id));
    assert_true(m.next_event(m.state, 90) == UINT64_MAX);
    m.destroy(m.state);
}

/* Reads finish in the order in which they were asked for, however many there were before; one that
 * has finished and is not taken may be in each cycle that comes. */
static void test_one_after_another(void **state) {
    (void)state;
    enum { ROOM = 3, ROUNDS = 10 };
    lw_memory m;
    assert_true(lw_fixed_memory_new(30, ROOM, &m));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint64_t start = UINT64_C(100) * round;
        uint32_t id = 0;
        for (uint32_t i = 0; i < ROOM - round % 2; i++) { /* so that the first place is another */
            m.ask(m.state, start, &(lw_memory_request){.id = 10 * round + i});
        }
        assert_int_equal(m.next_event(m.state, start), start + 30);
        assert_int_equal(m.next_event(m.state, start + 30), start + 31);
        assert_int_equal(m.next_event(m.state, start + 40), start + 41);
        for (uint32_t i = 0; i < ROOM - round % 2; i++) {
            assert_true(m.finished(m.state, start + 40, LW_MEMORY_DATA, &id));
            assert_int_equal(id, 10 * round + i);
        }
        assert_false(m.finished(m.state, start + 40, LW_MEMORY_DATA, &id));
    }
    m.destroy(m.state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_memory),
        cmocka_unit_test(test_one_after_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
