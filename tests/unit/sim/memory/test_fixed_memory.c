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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
