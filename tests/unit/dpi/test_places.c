/* Where the RTL keeps a register (dpi/places.h): by its name, or in an array (R14.4). */
#include "dpi/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_place(const lw_params *p, lw_field f, const char *instance, const char *wanted,
                         const char *wanted_name) {
    char place[LW_PLACE_MAX], name[LW_PLACE_MAX];
    lw_rtl_place(p, f, instance, place, name);
    assert_string_equal(place, wanted);
    assert_string_equal(name, wanted_name);
}

static void test_registers(void **state) {
    (void)state;
    const lw_params p = {.levels = 4};
    assert_place(&p, LW_F_BUFFER_NEAR_LEVEL, "u_buffer", "u_buffer", "near_level_q");
    assert_place(&p, LW_F_BUFFER_VPN, "", "", "vpn_q");
    assert_place(&p, LW_F_PWC_NODE, "u_pwc", "u_pwc", "node_q");
}

/* R14.4: in gen_flops with fewer than 64 sets, else in a memory macro; of the unit itself without
 * an instance before it. */
static void test_arrays(void **state) {
    (void)state;
    static const struct {
        uint32_t sets;
        const char *kind;
    } rows[] = {{1, "gen_flops"},
                {63, "gen_flops"},
                {64, "gen_macro.u_array"},
                {65, "gen_macro.u_array"},
                {128, "gen_macro.u_array"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_params p = {.levels = 4,
                             .subregions = 1,
                             .pwc_org = 1,
                             .pwc_entries = 4 * rows[i].sets,
                             .pwc_ways = 4};
        char wanted[LW_PLACE_MAX] = "u_pwc.u_node.";
        assert_place(&p, LW_F_PWC_NODE, "u_pwc", strcat(wanted, rows[i].kind), "mem_q");
        assert_place(&p, LW_F_PWC_NODE, "", wanted + strlen("u_pwc."), "mem_q");
        char contig[LW_PLACE_MAX] = "u_pwc.gen_contig.u_contig.";
        assert_place(&p, LW_F_PWC_CONTIG, "u_pwc", strcat(contig, rows[i].kind), "mem_q");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
