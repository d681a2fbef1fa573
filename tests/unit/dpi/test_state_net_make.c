/* What the state net says of an RTL whose registers are not those of state/registers.yaml, and
 * what it looks at of one that has others. */
#include "tests/unit/dpi/paper_rtl.h"

typedef struct fixture {
    lw_system system;
    lw_iommu *twin;
    lw_rtl rtl;
    lw_register_map map;
    lw_error err;
} fixture;

static void open_fixture(fixture *f) {
    *f = (fixture){.map = {.path = "my.map"}};
    environment_load(&f->system, "stress_small", NULL, NULL);
    f->twin = lw_iommu_new(&f->system.hw, &f->err);
    assert_non_null(f->twin);
    paper_open(&f->rtl, &f->system.hw, false);
    paper_copy(&f->rtl, f->twin);
}

static void close_fixture(fixture *f) {
    paper_close(&f->rtl);
    lw_iommu_free(f->twin);
}

static lw_state_net *make(fixture *f, bool own) {
    return lw_state_net_new(&f->system.hw, &paper_functions, &f->rtl, own ? &f->map : NULL, f->twin,
                            &f->err);
}

static void assert_refused(fixture *f, bool own, const char *sentence) {
    assert_null(make(f, own));
    if (strstr(f->err.text, sentence) == NULL) {
        fail_msg("\"%s\" has no \"%s\"", f->err.text, sentence);
    }
}

/* The RTL has to have each register, with as many elements of as many bits. */
static void test_another_layout(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    lw_rtl_register *reg = &f.rtl.reg[LW_F_TLB_PFN];
    const lw_rtl_register was = *reg;
    reg->bits--;
    assert_refused(&f, false,
                   "tlb.pfn_q has 8 elements of 35 bits; state/registers.yaml says 8 of 36");
    *reg = was;
    reg->entries++;
    assert_refused(&f, false, "has 9 elements of 36 bits; state/registers.yaml says 8 of 36");
    *reg = was;
    reg->entries = 1; /* neither elements nor planes */
    assert_refused(&f, false, "has 1 elements of 36 bits; state/registers.yaml says 8 of 36");
    reg->bits = 8 * 36 - 1;
    assert_refused(&f, false, "has 1 elements of 287 bits; state/registers.yaml says 8 of 36");
    *reg = was;
    reg->data = NULL;
    assert_refused(&f, false, "pfn_q for TLB.PFN of state/registers.yaml");
    close_fixture(&f);
}

/* A register that nothing compares, and that no exception names, is refused by its name. */
static void test_a_stranger(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    f.rtl.stranger = "surprise_q";
    f.rtl.stranger_instance = "u_tlb.u_new";
    assert_refused(&f, false, "the RTL has 1 registers without a twin (u_tlb.u_new.surprise_q);");
    lw_state_net *net = make(&f, true); /* a design of one's own may have it */
    assert_non_null(net);
    lw_state_net_free(net);
    /* one that is known by its name in another instance, or by its instance alone, is a stranger */
    f.rtl.stranger = "hit_set_q";
    assert_refused(&f, false, "the RTL has 1 registers without a twin (u_tlb.u_new.hit_set_q);");
    f.rtl.stranger = "surprise_q";
    f.rtl.stranger_instance = "u_tlb.u_ranks";
    assert_refused(&f, false, "the RTL has 1 registers without a twin (u_tlb.u_ranks.surprise_q);");
    /* the first and the last of those that are known to have none */
    for (size_t i = 0; i < lw_rtl_known_count; i += lw_rtl_known_count - 1) {
        f.rtl.stranger = lw_rtl_known[i].name;
        f.rtl.stranger_instance = lw_rtl_known[i].instance;
        net = make(&f, false);
        assert_non_null(net);
        lw_state_net_free(net);
    }
    close_fixture(&f);
}

/* What the unit does not have, the RTL may have declared: it has to stay zero. */
static void test_absent(void **state) {
    (void)state;
    fixture f;
    lw_state_difference found[2];
    open_fixture(&f);
    assert_false(lw_field_exists(&f.system.hw, LW_F_TLB_LENGTH));
    paper_add(&f.rtl, LW_F_TLB_LENGTH, 8, 9);
    lw_state_net *net = make(&f, false);
    assert_non_null(net);
    assert_false(lw_state_net_has(net, LW_F_TLB_LENGTH));
    assert_int_equal(lw_state_net_bits(net, LW_F_TLB_LENGTH), 0);
    assert_int_equal(lw_state_net_rtl(net, LW_F_TLB_LENGTH, 0), 0);
    assert_int_equal(lw_state_net_compare_all(net, found, 2), 0);
    lw_rtl_register *reg = &f.rtl.reg[LW_F_TLB_LENGTH];
    reg->data[reg->bytes - 1] = 1;
    assert_int_equal(lw_state_net_compare_all(net, found, 2), 1);
    assert_int_equal(found[0].field, LW_F_TLB_LENGTH);
    assert_true(found[0].rtl != 0 && found[0].twin == 0);
    assert_int_equal(lw_state_net_compare_all(net, found, 0), 1);
    lw_state_net_free(net);
    close_fixture(&f);
}

/* In a design of one's own what is missing is left out, what does not fit is, and with the register
 * that says what an entry holds all of the entry; what the map says must be there. */
static void test_ones_own(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    f.rtl.reg[LW_F_COUNTER_COUNT].data = NULL;
    f.rtl.reg[LW_F_TLB_PFN].bits--;
    f.rtl.reg[LW_F_BUFFER_VALID].data = NULL;
    f.map.line[LW_F_ROOT_ROOT_FRAME] = (lw_register_line){.number = 1, .nowhere = true};
    char place[LW_PLACE_MAX], name[LW_PLACE_MAX]; /* one that is where the map says */
    lw_rtl_place(&f.system.hw, LW_F_TLB_TAG, lw_rtl_instance(&f.system.hw, LW_S_TLB), place, name);
    lw_register_line *line = &f.map.line[LW_F_TLB_TAG];
    line->number = 2;
    (void)snprintf(line->instance, sizeof line->instance, "%s", place);
    (void)snprintf(line->name, sizeof line->name, "%s", name);
    lw_state_net *net = make(&f, true);
    assert_non_null(net);
    for (lw_field field = 0; field < LW_FIELD_COUNT; field++) {
        const bool is_out = field == LW_F_COUNTER_COUNT || field == LW_F_TLB_PFN ||
                            field == LW_F_ROOT_ROOT_FRAME ||
                            lw_field_structure(field) == LW_S_BUFFER;
        assert_int_equal(lw_state_net_has(net, field),
                         lw_field_exists(&f.system.hw, field) && !is_out);
    }
    lw_state_net_free(net);
    f.map.line[LW_F_COUNTER_COUNT] = (lw_register_line){7, false, "u_mine", "count_q"};
    assert_refused(&f, true, "my.map:7: the design has no register u_mine.count_q; its name");
    close_fixture(&f);
}

/* Of many differences those that there is room for, and the number of all; the values that were
 * compared are counted. */
static void test_room(void **state) {
    (void)state;
    fixture f;
    lw_state_difference found[3];
    open_fixture(&f);
    lw_state_net *net = make(&f, false);
    assert_non_null(net);
    const uint32_t counters = lw_structure_entries(&f.system.hw, LW_S_COUNTER);
    for (uint32_t i = 0; i < counters; i++) {
        paper_flip(&f.rtl, LW_F_COUNTER_COUNT, i, 1);
    }
    uint32_t each = 0; /* registers of an entry */
    for (lw_field field = 0; field < LW_FIELD_COUNT; field++) {
        each += lw_field_structure(field) == LW_S_COUNTER && lw_state_net_has(net, field);
    }
    found[2].index = 77;
    assert_int_equal(lw_state_net_compare(net, found, 2), counters);
    assert_int_equal(lw_state_net_compared(net), (uint64_t)counters * each);
    assert_int_equal(found[0].index, 0);
    assert_int_equal(found[1].index, 1);
    assert_int_equal(found[2].index, 77);
    assert_int_equal(lw_state_net_compare(net, found, 2), 0);
    assert_int_equal(lw_state_net_compare_all(net, found, 2), counters);
    assert_int_equal(found[2].index, 77);
    lw_state_net_free(net);
    close_fixture(&f);
}

/* The net's own flip is of the bit that is named, and of no other. */
static void test_flip(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    lw_state_net *net = make(&f, false);
    assert_non_null(net);
    const uint32_t last = lw_structure_entries(&f.system.hw, LW_S_COUNTER) - 1;
    assert_int_equal(lw_state_net_bits(net, LW_F_COUNTER_COUNT), 48);
    lw_state_net_flip(net, LW_F_COUNTER_COUNT, last, 47);
    for (uint32_t i = 0; i <= last; i++) {
        const uint64_t wanted = i == last ? UINT64_C(1) << 47 : 0;
        assert_true(paper_read(&f.rtl, LW_F_COUNTER_COUNT, i) == wanted);
        assert_true(lw_state_net_rtl(net, LW_F_COUNTER_COUNT, i) == wanted);
    }
    lw_state_net_free(net);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_layout), cmocka_unit_test(test_a_stranger),
        cmocka_unit_test(test_absent),         cmocka_unit_test(test_ones_own),
        cmocka_unit_test(test_room),           cmocka_unit_test(test_flip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
