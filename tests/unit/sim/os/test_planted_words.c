/* What is planted into hashed tables stands in memory as its name says, and the chapter's rules
 * (R20.3, R20.5, R20.8, R20.9): read word by word. */
#include "tests/unit/sim/os/planted_spaces.h"

/* The first page of the range of this name. */
static uint64_t page_of(const planted *t, const char *name) {
    size_t a = 0;
    while (strcmp(t->bad[0][a].name, name) != 0) {
        assert_true(++a < t->count);
    }
    return t->bad[0][a].base >> LW_PAGE_SHIFT;
}

static uint64_t tag_of(uint64_t page) {
    return UINT64_C(1) << 47 | page >> 9;
}

/* PRESENT and STEP of the page's region in the n-th entry of its group in its bucket (R20.8). */
static uint64_t step_of(const planted *t, uint64_t page, uint32_t n) {
    uint64_t pa = 0;
    assert_true(lw_hashed_table_step_entry(lw_address_spaces_hashed(t->spaces), 0, page, &pa));
    const uint64_t group = read_memory(t->spaces, pa);
    for (pa &= ~UINT64_C(63);; pa += 16) {
        if (read_memory(t->spaces, pa) == group && n-- == 0) {
            return read_memory(t->spaces, pa + 8) >> 4 * (page >> 9 & 15) & 15;
        }
    }
}

/* The tag that the line of a mapped page carries (R20.3). */
static uint64_t tag_in_memory(const planted *t, uint64_t page) {
    lw_hashed_page there;
    uint64_t tag = 0;
    assert_true(lw_hashed_table_find(lw_address_spaces_hashed(t->spaces), 0, page, &there));
    for (uint64_t i = 0; i < 8; i++) {
        tag |= (read_memory(t->spaces, (there.pa & ~UINT64_C(63)) + 8 * i) >> 57 & 63) << 6 * i;
    }
    return tag;
}

/* Faults and absent pages look alike however they have come about: what is planted is what its name
 * says. */
static void test_what_stands_in_memory(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t flipped;
    } tags[] = {{"lowest bit of a tag", 1},
                {"bit of a tag", UINT64_C(1) << 20},
                {"valid bit of a tag", UINT64_C(1) << 47},
                {"tag of another PASID", UINT64_C(1) << 36}};
    planted t;
    plant(&t, &shapes[0]);
    const lw_hpt_map *map = lw_hashed_table_map_of(lw_address_spaces_hashed(t.spaces));
    for (size_t i = 0; i < COUNT(tags); i++) {
        const uint64_t page = page_of(&t, tags[i].name);
        assert_int_equal(tag_in_memory(&t, page) ^ tag_of(page), 0);
        assert_int_equal(tag_in_memory(&t, page + 8) ^ tag_of(page), tags[i].flipped);
        assert_int_equal(tag_in_memory(&t, page + 16) ^ tag_of(page), 0);
    }
    for (uint32_t taken = 0; taken < 2; taken++) {
        const uint64_t page =
            page_of(&t, taken == 0 ? "step to an empty slot" : "step to another's slot");
        const uint64_t step = step_of(&t, page, 0);
        const lw_hpt_slot *slot =
            lw_hpt_map_slot(map, lw_hpt_map_at(map, tag_of(page), (uint32_t)step & 7));
        assert_true((step & 8) != 0 && slot->valid == (taken != 0));
        assert_true(taken == 0 || slot->tag != tag_of(page));
    }
    /* the last line of a region, and the first of the next, which has no entry */
    const uint64_t next = page_of(&t, "step to no slot") + 8;
    assert_true(next % 512 == 0 && (step_of(&t, next, 0) & 8) != 0);
    assert_int_not_equal(lw_hpt_map_probe(map, tag_of(next)).found, LW_HPT_HELD);
    for (uint32_t wrong = 0; wrong < 2; wrong++) {
        const uint64_t page = page_of(&t, wrong == 0 ? "first entry wrong" : "second entry wrong");
        const uint64_t own = 8 | lw_hpt_map_probe(map, tag_of(page)).step;
        assert_int_equal(step_of(&t, page, 1 - wrong), own);
        assert_true(step_of(&t, page, wrong) != own && (step_of(&t, page, wrong) & 8) != 0);
    }
    for (uint32_t size = 1; size <= 2; size++) {
        const uint64_t page = page_of(&t, size == 1 ? "bad 64 KiB frame" : "bad 2 MiB frame") + 1;
        lw_hashed_page there;
        assert_true(lw_hashed_table_find(lw_address_spaces_hashed(t.spaces), 0, page, &there));
        assert_int_equal(there.pte >> 9 & 3, size);
        /* of the low four, or nine, bits the last */
        assert_int_equal((there.pte >> 12 ^ page) & (size == 1 ? 15 : 511), size == 1 ? 8 : 256);
    }
    lw_address_spaces_free(t.spaces);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_stands_in_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
