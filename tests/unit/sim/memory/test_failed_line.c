/* Lines with the error bit: data that nobody may use, of which a part leads elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/memory/failed_line.h"
#include "sim/memory/line_port.h"

#include <string.h>

enum { LEAF, LARGE, ABSENT };

static const uint64_t held[LW_LINE_WORDS] = {
    [LEAF] = UINT64_C(0x8000000012345001), [LARGE] = UINT64_C(0x40000085), [ABSENT] = 0x6660};

/* Each word is as memory has it, or it is present and leads elsewhere, to where a page as large may
 * be, and all of a line by as far. */
static void each_word_misleads(void **state) {
    (void)state;
    uint32_t same = 0, leaves = 0, larges = 0;
    for (uint64_t draw = 0; draw < 200; draw++) {
        uint64_t data[LW_LINE_WORDS];
        memcpy(data, held, sizeof held);
        lw_failed_line(draw, data);
        if (data[LEAF] == held[LEAF]) {
            assert_memory_equal(data, held, sizeof held);
            same++;
            continue;
        }
        const uint64_t near = data[LEAF] ^ held[LEAF], far = data[LARGE] ^ held[LARGE];
        assert_true(near >> 16 != 0 && (near & ~UINT64_C(0xf0000)) == 0);
        assert_true(far >> 30 != 0 && (far & ~(UINT64_C(3) << 30)) == 0);
        for (uint32_t i = ABSENT; i < LW_LINE_WORDS; i++) {
            assert_int_equal(data[i], 7 ^ near);
        }
        leaves |= UINT32_C(1) << (near >> 16);
        larges |= UINT32_C(1) << (far >> 30);
    }
    assert_in_range(same, 70, 130);
    assert_int_equal(leaves, 0xfffe);
    assert_int_equal(larges, 0xe);
}

enum { READS = 200, APART = 30 };

/* How many of READS give something else than memory has. */
static uint32_t misleading(uint32_t error_percent, uint32_t early_percent) {
    lw_error err = {0};
    lw_phys_mem *m = lw_phys_mem_new(48, &err);
    for (uint64_t i = 0; i < LW_LINE_WORDS; i++) {
        assert_true(lw_phys_mem_write64(m, 8 * i, held[i], &err));
    }
    lw_line_port_config config;
    lw_line_port_config_default(&config);
    config.error_percent = error_percent;
    config.early_percent = early_percent;
    lw_line_port *p = lw_line_port_new(&config, m, &err);
    assert_non_null(p);
    uint32_t others = 0;
    for (uint64_t read = 0; read < READS; read++) {
        const uint64_t now = read * APART;
        lw_line_response rsp, again;
        lw_line_port_step(p, now, &(lw_line_request){0, 0});
        assert_true(lw_line_port_response(p, now + 20, &rsp));
        assert_true(lw_line_port_response(p, now + 20, &again));
        assert_memory_equal(rsp.data, again.data, sizeof rsp.data);
        assert_int_equal(rsp.error, error_percent == 100);
        others += memcmp(rsp.data, held, sizeof held) != 0;
        lw_line_port_step(p, now + 20, NULL);
    }
    lw_line_port_free(p);
    lw_phys_mem_free(m);
    return others;
}

static void the_port_gives_such_lines(void **state) {
    (void)state;
    assert_int_equal(misleading(0, 0), 0);
    assert_int_equal(misleading(0, 100), 0);
    assert_in_range(misleading(100, 0), 70, 130);
    assert_in_range(misleading(100, 100), 70, 130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_misleads),
        cmocka_unit_test(the_port_gives_such_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
