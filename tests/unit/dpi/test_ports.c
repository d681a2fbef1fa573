/* The ports' net and the table of ports: each bit of each output is compared, and named. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/idle_payloads.h"
#include "dpi/port_table.h"
#include "dpi/ports_equal.h"

/* The valid that an output's value hangs on (R0.3), or NULL. */
static const char *valid_of(const char *name) {
    const bool is_handshake = strstr(name, "_valid") != NULL || strstr(name, "_ready") != NULL;
    if (is_handshake || strcmp(name, "inv_done") == 0 || strcmp(name, "ctl_rdata") == 0) {
        return NULL;
    }
    return strncmp(name, "rsp_", 4) == 0 ? "rsp_valid" : "mem_req_valid";
}

static const lw_port *port_named(const char *name) {
    const lw_port *port = NULL;
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        if (strcmp(port->name, name) == 0) {
            break;
        }
    }
    return port;
}

static void flip(lw_outputs *out, const lw_port *port, uint32_t bit) {
    ((uint8_t *)out)[port->offset + bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* Every bit that differs is seen, on either side; payload only with its valid. */
static void test_each_bit_is_compared(void **state) {
    (void)state;
    lw_system system;
    environment_load(&system, "nha", NULL, NULL);
    const lw_port *port = NULL;
    size_t outputs = 0;
    for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
        const char *valid = port->is_input ? NULL : valid_of(port->name);
        outputs += !port->is_input;
        for (uint32_t bit = 0; !port->is_input && bit < lw_port_bits(port, &system.hw); bit++) {
            for (int is_valid = 0; is_valid < 2; is_valid++) {
                lw_outputs a, b;
                memset(&a, 0, sizeof a);
                if (is_valid) {
                    a.rsp_valid = a.mem_req_valid = true;
                }
                b = a;
                assert_true(lw_outputs_equal(&a, &b));
                flip(&b, port, bit);
                assert_int_equal(lw_outputs_equal(&a, &b), valid != NULL && !is_valid);
                assert_int_equal(lw_outputs_equal(&b, &a), valid != NULL && !is_valid);
                assert_true(is_valid || lw_port_value(port, &a) == 0);
                assert_true(lw_port_value(port, &b) == (lw_port_value(port, &a) ^ 1ull << bit));
            }
        }
    }
    assert_int_equal(outputs, 14);
}

/* The valid that an input's value hangs on, or NULL. */
static const char *valid_of_input(const char *name) {
    static const struct {
        const char *prefix, *valid;
    } ports[] = {{"req_", "req_valid"},
                 {"mem_rsp_", "mem_rsp_valid"},
                 {"inv_", "inv_valid"},
                 {"ctl_wdata", "ctl_write"}};
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        if (strncmp(name, ports[i].prefix, strlen(ports[i].prefix)) == 0) {
            return strcmp(name, ports[i].valid) == 0 ? NULL : ports[i].valid;
        }
    }
    return NULL;
}

/* R0.3: of an idle port each bit of the payload may be anything; what is offered, a ready, a valid
 * and the control address stay. */
static void test_idle_payloads(void **state) {
    (void)state;
    enum { DRAWS = 100, KINDS = 16 };
    lw_system system;
    lw_rng rng;
    environment_load(&system, "nha", NULL, NULL);
    lw_rng_seed(&rng, 1);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        const lw_inputs offered = {.req_valid = (kind & 1) != 0,
                                   .mem_rsp_valid = (kind & 2) != 0,
                                   .inv_valid = (kind & 4) != 0,
                                   .ctl_write = (kind & 8) != 0};
        const lw_port *port = NULL;
        for (size_t i = 0; (port = lw_port_at(i)) != NULL; i++) {
            if (!port->is_input) {
                continue;
            }
            const char *valid = valid_of_input(port->name);
            const uint32_t bits = lw_port_bits(port, &system.hw);
            const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
            const bool idle = valid != NULL && lw_port_value(port_named(valid), &offered) == 0;
            uint64_t ones = 0, zeros = 0;
            for (int n = 0; n < DRAWS; n++) {
                lw_inputs in = offered;
                lw_idle_payloads(&rng, &in);
                ones |= lw_port_value(port, &in) & all;
                zeros |= ~lw_port_value(port, &in) & all;
            }
            const uint64_t value = lw_port_value(port, &offered);
            assert_true(ones == (idle ? all : value));
            assert_true(zeros == (idle ? all : all - value));
        }
    }
}

/* Widths as chapter 1 has them, and the PTEs of a line in their order. */
static void test_widths(void **state) {
    (void)state;
    const lw_params params = {.id_w = 11, .src_w = 5, .pa_width = 47, .levels = 5};
    static const struct {
        const char *name;
        uint32_t bits;
        bool is_input;
    } rows[] = {
        {"req_valid", 1, true},      {"req_ready", 1, false},    {"req_id", 11, true},
        {"req_src", 5, true},        {"req_pasid", 20, true},    {"req_page", 52, true},
        {"req_access", 2, true},     {"rsp_valid", 1, false},    {"rsp_ready", 1, true},
        {"rsp_id", 11, false},       {"rsp_kind", 4, false},     {"rsp_level", 3, false},
        {"rsp_pfn", 35, false},      {"rsp_size", 2, false},     {"rsp_perm", 2, false},
        {"mem_req_valid", 1, false}, {"mem_req_ready", 1, true}, {"mem_req_tag", 8, false},
        {"mem_req_line", 41, false}, {"mem_rsp_valid", 1, true}, {"mem_rsp_tag", 8, true},
        {"mem_rsp_error", 1, true},  {"mem_rsp_pte0", 64, true}, {"mem_rsp_pte7", 64, true},
        {"inv_valid", 1, true},      {"inv_ready", 1, false},    {"inv_type", 2, true},
        {"inv_pasid", 20, true},     {"inv_first", 45, true},    {"inv_last", 45, true},
        {"inv_done", 1, false},      {"ctl_write", 1, true},     {"ctl_addr", 12, true},
        {"ctl_wdata", 64, true},     {"ctl_rdata", 64, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_port *port = port_named(rows[i].name);
        assert_non_null(port);
        assert_int_equal(lw_port_bits(port, &params), rows[i].bits);
        assert_int_equal(port->is_input, rows[i].is_input);
    }
    lw_inputs in = {.req_page = 12};
    for (uint32_t j = 0; j < 8; j++) {
        const char name[] = {'m', 'e', 'm', '_', 'r', 's', 'p', '_', 'p', 't', 'e', (char)('0' + j),
                             '\0'};
        in.mem_rsp_data[j] = UINT64_C(100) + j;
        assert_int_equal(lw_port_value(port_named(name), &in), 100 + j);
    }
    assert_int_equal(lw_port_value(port_named("req_page"), &in), 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_bit_is_compared),
        cmocka_unit_test(test_idle_payloads),
        cmocka_unit_test(test_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
