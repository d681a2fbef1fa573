/* The ring of port events: what is recorded of a cycle, and which events a report prints
 * (dpi/events.h). */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/events.h"

#include <stdio.h>

static lw_event_ring events;

static void request(uint64_t cycle, uint32_t id) {
    const lw_inputs in = {.req_valid = true, .req_id = id};
    const lw_outputs out = {.req_ready = true};
    lw_event_ring_record(&events, cycle, &in, &out, NULL, 4);
}

/* The cycles of the events that are printed, and how many they are. */
static size_t printed(uint32_t most, uint32_t id, uint64_t *cycles, size_t room) {
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    lw_event_ring_print(&events, file, most, id);
    assert_int_equal(fclose(file), 0);
    for (const char *at = text; (at = strstr(at, "cycle ")) != NULL; at++) {
        if (n < room) {
            cycles[n] = strtoull(at + 6, NULL, 10);
        }
        n++;
    }
    free(text);
    return n;
}

/* Only what is transferred happens: valid and ready, on whichever side each is. */
static void test_transfers_only(void **state) {
    const lw_inputs valid = {.req_valid = true, .inv_valid = true};
    const lw_inputs ready = {.mem_req_ready = true, .rsp_ready = true};
    const lw_outputs of_ready = {.req_ready = true, .inv_ready = true};
    const lw_outputs of_valid = {.mem_req_valid = true, .rsp_valid = true};
    (void)state;
    memset(&events, 0, sizeof events);
    lw_event_ring_record(&events, 1, &valid, &of_valid, NULL, 4);
    lw_event_ring_record(&events, 2, &ready, &of_ready, NULL, 4);
    assert_int_equal(events.count, 0);
    lw_event_ring_record(&events, 3, &valid, &of_ready, NULL, 4);
    lw_event_ring_record(&events, 4, &ready, &of_valid, NULL, 4);
    assert_int_equal(events.count, 4);
}

/* Each event of a cycle that has them all, with what its struct says of it. */
static void test_what_is_recorded(void **state) {
    const lw_inputs in = {.req_valid = true,
                          .req_page = 0x10,
                          .req_id = 1,
                          .req_access = 2,
                          .req_pasid = 3,
                          .mem_req_ready = true,
                          .mem_rsp_valid = true,
                          .mem_rsp_tag = 5,
                          .mem_rsp_error = true,
                          .rsp_ready = true,
                          .inv_valid = true,
                          .inv_first = 0x20,
                          .inv_type = 1,
                          .inv_pasid = 6,
                          .ctl_write = true,
                          .ctl_wdata = 0x30,
                          .ctl_addr = 0x800};
    const lw_outputs out = {.req_ready = true,
                            .mem_req_valid = true,
                            .mem_req_line = 0x40,
                            .mem_req_tag = 7,
                            .rsp_valid = true,
                            .rsp_id = 8,
                            .rsp_pfn = 0x50,
                            .rsp_kind = 6,
                            .rsp_level = 4,
                            .inv_ready = true,
                            .inv_done = true};
    static const lw_event wanted[] = {
        {9, 0x10, 1, LW_EVENT_REQUEST, 2, 3},
        {9, 0x40, LW_NO_REQUEST, LW_EVENT_READ, 7, 0},
        {9, 0, LW_NO_REQUEST, LW_EVENT_LINE, 5, 1},
        {9, 0x50, 8, LW_EVENT_RESPONSE, 6, 4},
        {9, 0x20, LW_NO_REQUEST, LW_EVENT_INVALIDATE, 1, 6},
        {9, 0, LW_NO_REQUEST, LW_EVENT_DONE, 0, 0},
        {9, 0x30, LW_NO_REQUEST, LW_EVENT_CONTROL, 0x800, 0},
    };
    (void)state;
    memset(&events, 0, sizeof events);
    lw_event_ring_record(&events, 9, &in, &out, NULL, 4);
    assert_int_equal(events.count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < events.count; i++) {
        const lw_event *e = &events.ring[i];
        size_t like = 0;
        while (like < events.count && wanted[like].kind != e->kind) {
            like++;
        }
        assert_true(like < events.count);
        assert_int_equal(e->cycle, wanted[like].cycle);
        assert_int_equal(e->address, wanted[like].address);
        assert_int_equal(e->id, wanted[like].id);
        assert_int_equal(e->what, wanted[like].what);
        assert_int_equal(e->pasid, wanted[like].pasid);
    }
}

/* The last `most`, oldest first; of one request only its own are counted among them. */
static void test_last_events(void **state) {
    uint64_t at[8] = {0};
    (void)state;
    memset(&events, 0, sizeof events);
    for (uint64_t cycle = 1; cycle <= 9; cycle++) {
        request(cycle, cycle % 3);
    }
    assert_int_equal(printed(2, LW_NO_REQUEST, at, 8), 2);
    assert_int_equal(at[0], 8);
    assert_int_equal(at[1], 9);
    assert_int_equal(printed(2, 1, at, 8), 2);
    assert_int_equal(at[0], 4);
    assert_int_equal(at[1], 7);
    assert_int_equal(printed(100, 2, at, 8), 3);
    assert_int_equal(at[0], 2);
    assert_int_equal(printed(100, 5, at, 8), 0);
}

/* So many are kept as the header says, and the oldest goes first. */
static void test_full_ring(void **state) {
    uint64_t at[1] = {0};
    (void)state;
    memset(&events, 0, sizeof events);
    for (uint64_t cycle = 0; cycle < LW_EVENTS + 3; cycle++) {
        request(cycle, 1);
    }
    assert_int_equal(printed(UINT32_MAX, LW_NO_REQUEST, at, 1), LW_EVENTS);
    assert_int_equal(at[0], 3);
    assert_int_equal(printed(UINT32_MAX, 1, at, 1), LW_EVENTS);
    assert_int_equal(at[0], 3);
}

/* A read and a line are of the request that their walker works for, by its register; tags from the
 * walkers' number on name none. */
static void test_request_of_a_walker(void **state) {
    lw_error err = {0};
    lw_system system;
    (void)state;
    memset(&events, 0, sizeof events);
    environment_load(&system, "nha", NULL, NULL);
    lw_iommu *unit = lw_iommu_new(&system.hw, &err);
    assert_non_null(unit);
    lw_iommu_flip(unit, LW_F_PWST_STATE, 1, 0); /* an idle walker works for nobody (R0.5) */
    lw_iommu_flip(unit, LW_F_PWST_ID, 1, 0);
    for (uint32_t tag = 0; tag < 3; tag++) { /* of the read; the line is another's but for 1 */
        const lw_inputs in = {.mem_req_ready = true, .mem_rsp_valid = true, .mem_rsp_tag = 2 - tag};
        const lw_outputs out = {.mem_req_valid = true, .mem_req_tag = tag};
        lw_event_ring_record(&events, tag, &in, &out, unit, 2);
    }
    for (uint64_t n = 0; n < events.count; n++) {
        const lw_event *e = &events.ring[n];
        assert_int_equal(e->kind, n % 2 == 0 ? LW_EVENT_READ : LW_EVENT_LINE);
        assert_int_equal(e->what, n % 2 == 0 ? n / 2 : 2 - n / 2);
        assert_int_equal(e->id, e->what < 2 ? e->what : LW_NO_REQUEST);
    }
    assert_int_equal(events.count, 6);
    lw_iommu_free(unit);
}

static void assert_line(const char *wanted) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    lw_event_ring_print(&events, file, 1, LW_NO_REQUEST);
    assert_int_equal(fclose(file), 0);
    if (strstr(text, wanted) == NULL) {
        fail_msg("\"%s\" is not in: %s", wanted, text);
    }
    free(text);
}

/* Accesses and types of invalidations by their names (R1.4, chapter 1), and the line as
 * docs/guide/why_slow.md shows it. */
static void test_words(void **state) {
    static const char *const accesses[] = {"read", "write", "execute", "execute"};
    static const char *const types[] = {"page", "range", "PASID", "all"};
    const lw_outputs out = {.req_ready = true, .inv_ready = true};
    char wanted[80];
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const lw_inputs asks = {.req_valid = true,
                                .req_id = 7,
                                .req_pasid = 2,
                                .req_page = 0x20000802,
                                .req_access = i};
        const lw_inputs invalidates = {
            .inv_valid = true, .inv_type = i, .inv_pasid = 2, .inv_first = 0x20000802};
        lw_event_ring_record(&events, 1, &asks, &out, NULL, 4);
        (void)snprintf(wanted, sizeof wanted, "id 7 pasid 2 page 0x20000802 %s\n", accesses[i]);
        assert_line(wanted);
        lw_event_ring_record(&events, 1, &invalidates, &out, NULL, 4);
        (void)snprintf(wanted, sizeof wanted, "invalidate %s pasid 2 from 0x20000802\n", types[i]);
        assert_line(wanted);
    }
    const lw_outputs nothing = {0};
    lw_inputs line = {.mem_rsp_valid = true, .mem_rsp_tag = 1};
    lw_event_ring_record(&events, 1, &line, &nothing, NULL, 4);
    assert_line("walk line  walker 1 (id -1)\n");
    line.mem_rsp_error = true;
    lw_event_ring_record(&events, 1, &line, &nothing, NULL, 4);
    assert_line("walk line  walker 1 with an error (id -1)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfers_only),      cmocka_unit_test(test_what_is_recorded),
        cmocka_unit_test(test_last_events),         cmocka_unit_test(test_full_ring),
        cmocka_unit_test(test_request_of_a_walker), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
