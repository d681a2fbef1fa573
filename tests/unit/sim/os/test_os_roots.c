/* Roots that change, and who is told of what (os_roots.h, the rare faults of docs/guide.md). */
#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/os_roots.h"

enum { OWNERS = 4, CHANGES = 400 };

static const lw_array list = {"array", UINT64_C(0x10000000), 1 << 12};

typedef struct owners {
    lw_system system;
    lw_address_spaces *spaces;
    lw_os_roots *roots;
    lw_rng rng;
} owners;

static void begin(owners *o, uint32_t shared) {
    lw_error err = {0};
    o->system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    o->system.shared_tables = shared;
    o->spaces = lw_address_spaces_new(&o->system, 1 << 10, 1, &err);
    for (uint32_t p = 0; p < OWNERS; p++) {
        assert_true(lw_address_spaces_add(o->spaces, &list, 1, &err));
    }
    o->roots = lw_os_roots_new(o->spaces);
    lw_rng_seed(&o->rng, 1);
}

static void end(owners *o) {
    lw_os_roots_free(o->roots);
    lw_address_spaces_free(o->spaces);
}

static bool is_root(const owners *o, uint64_t frame) {
    bool is = false;
    for (uint32_t p = 0; p < OWNERS; p++) {
        is = is || frame == lw_page_table_root(lw_address_spaces_table(o->spaces, p));
    }
    return is;
}

/* With a root that is cleared comes a frame, which must not be written (R12.8): mostly one that is
 * no root. A root that is set is one. */
static void test_frames_of_cleared_roots(void **state) {
    (void)state;
    owners o;
    uint32_t cleared = 0, others = 0;
    begin(&o, 0);
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        lw_os_roots_change(o.roots, &o.rng, &plan);
        for (uint32_t i = 0; i < plan.count; i++) {
            const lw_os_step *step = &plan.steps[i];
            if (step->kind == LW_STEP_ROOT) {
                assert_true(!step->valid || is_root(&o, step->frame));
                cleared += !step->valid;
                others += !step->valid && !is_root(&o, step->frame);
            }
        }
    }
    assert_in_range(cleared, CHANGES * 65 / 100, CHANGES * 85 / 100); /* three ways of four */
    assert_in_range(others, cleared * 60 / 100, cleared * 90 / 100);
    end(&o);
}

/* Pauses are short, or long enough for whole walks. */
static void test_pauses(void **state) {
    (void)state;
    owners o;
    uint32_t brief = 0, walks = 0, pauses = 0;
    begin(&o, 0);
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        lw_os_roots_change(o.roots, &o.rng, &plan);
        for (uint32_t i = 0; i < plan.count; i++) {
            if (plan.steps[i].kind == LW_STEP_PAUSE) {
                pauses++;
                brief += plan.steps[i].cycles < 24;
                walks += plan.steps[i].cycles > 300;
            }
        }
    }
    assert_true(brief > pauses / 2 && walks > pauses / 10);
    end(&o);
}

/* Whoever shares what has changed is told by an invalidation of its own, in any order, with a pause
 * between two; one of all PASIDs is the last. */
static void test_all_who_share_are_told(void **state) {
    (void)state;
    owners o;
    uint32_t first[OWNERS] = {0};
    uint32_t whole = 0;
    begin(&o, 100);
    const uint64_t vpn = list.base >> LW_PAGE_SHIFT;
    const lw_os_debt debt = {
        .process = 0, .vpn = vpn, .level = 1, .first = vpn, .last = vpn, .one_page = true};
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        uint32_t told = 0;
        lw_os_plan_begin(&plan);
        assert_int_equal(lw_os_roots_owe(o.roots, &debt, &o.rng, &plan), OWNERS);
        for (uint32_t i = 0; i < plan.count; i++) {
            const lw_os_step *step = &plan.steps[i];
            assert_int_equal(step->kind, i % 2 == 0 ? LW_STEP_INVALIDATE : LW_STEP_PAUSE);
            if (i % 2 == 0) {
                assert_int_equal(told >> step->pasid & 1, 0);
                assert_true(step->covers_first <= vpn && step->covers_last >= vpn);
                assert_true(step->type != LW_INV_ALL || i + 1 == plan.count);
                told |= 1u << step->pasid;
            }
        }
        first[plan.steps[0].pasid]++;
        whole += told == (1u << OWNERS) - 1;
        assert_true(told == (1u << OWNERS) - 1 || plan.steps[plan.count - 1].type == LW_INV_ALL);
    }
    assert_true(whole > CHANGES / 4);
    for (uint32_t p = 0; p < OWNERS; p++) {
        assert_true(first[p] > CHANGES / 8);
    }
    end(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_of_cleared_roots),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_all_who_share_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
