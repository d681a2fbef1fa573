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

/* A root that comes is the process's own again or another's (docs/guide.md), and these are all of
 * them, each about as often. */
static void test_whose_roots_come(void **state) {
    (void)state;
    owners o;
    uint32_t same[2] = {0}, other[2] = {0}; /* in place of one that is there, or has vanished */
    bool seen[OWNERS][OWNERS] = {{false}};
    begin(&o, 0);
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        lw_os_roots_change(o.roots, &o.rng, &plan);
        const bool vanishes = !plan.steps[0].valid;
        for (uint32_t i = 0; i < plan.count; i++) {
            const lw_os_step *step = &plan.steps[i];
            if (step->kind == LW_STEP_ROOT && step->valid) {
                const lw_page_table *table = lw_address_spaces_table(o.spaces, step->table);
                assert_true(step->frame == lw_page_table_root(table));
                (step->table == step->pasid ? same : other)[vanishes]++;
                seen[step->pasid][step->table] = true;
            }
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t all = same[i] + other[i];
        assert_in_range(same[i], all * 40 / 100, all * 70 / 100);
    }
    for (uint32_t p = 0; p < OWNERS; p++) {
        for (uint32_t table = 0; table < OWNERS; table++) {
            assert_true(seen[p][table]);
        }
    }
    end(&o);
}

/* A PASID whose root is another or gone is told of its whole space by an invalidation of its own,
 * or of all PASIDs. While it is gone, a mark meets nobody's root: some are told twice then, the
 * second time of one page, anywhere in the space; some once more when the root is back. */
static void test_what_is_told_of_a_root(void **state) {
    (void)state;
    owners o;
    uint32_t own = 0, all = 0, vanished = 0, pages = 0, far = 0, back = 0;
    begin(&o, 0);
    for (uint32_t n = 0; n < CHANGES; n++) {
        static lw_os_plan plan;
        const uint64_t before = lw_os_roots_counts(o.roots).vanished;
        lw_os_roots_change(o.roots, &o.rng, &plan);
        const bool is_back_late = lw_os_roots_counts(o.roots).vanished != before;
        bool gone = false;
        vanished += is_back_late;
        for (uint32_t i = 0; i < plan.count; i++) {
            const lw_os_step *step = &plan.steps[i];
            gone = step->kind == LW_STEP_ROOT ? !step->valid : gone;
            if (step->kind == LW_STEP_INVALIDATE && step->type == LW_INV_PAGE) {
                assert_true(gone && step->covers_first == step->first &&
                            step->covers_last == step->first);
                pages++;
                far += step->first >> 27 != 0;
            } else if (step->kind == LW_STEP_INVALIDATE) {
                own += step->type == LW_INV_PASID;
                all += step->type == LW_INV_ALL;
                back += is_back_late && !gone;
            }
        }
    }
    assert_in_range(all, (own + all) * 20 / 100, (own + all) * 40 / 100);
    assert_in_range(pages, vanished * 20 / 100, vanished * 40 / 100);
    assert_true(far > pages / 2);
    assert_in_range(back, vanished * 40 / 100, vanished * 60 / 100);
    end(&o);
}

/* A table that no PASID has can be changed as well; then the process is told all the same. */
static void test_nobody_has_the_table(void **state) {
    (void)state;
    enum { PROCESS = 2 };
    owners o;
    begin(&o, 0);
    const uint64_t vpn = list.base >> LW_PAGE_SHIFT;
    const lw_os_debt debt = {
        .process = PROCESS, .vpn = vpn, .level = 1, .first = vpn, .last = vpn, .one_page = true};
    static lw_os_plan plan;
    const lw_os_step gone = {.kind = LW_STEP_ROOT, .pasid = PROCESS};
    lw_os_roots_written(o.roots, &gone);
    lw_os_plan_begin(&plan);
    assert_int_equal(lw_os_roots_owe(o.roots, &debt, &o.rng, &plan), 1);
    assert_int_equal(plan.count, 1);
    assert_int_equal(plan.steps[0].pasid, PROCESS);
    end(&o);
}

/* Whoever shares what has changed is told by an invalidation of its own, in any order, with a pause
 * between two, now exactly, by its range or any page of it (R3.11), now generously; one of all
 * PASIDs is the last. */
static void test_all_who_share_are_told(void **state) {
    (void)state;
    owners o;
    uint32_t first[OWNERS] = {0};
    uint32_t types[LW_INV_ALL + 1] = {0};
    uint32_t whole = 0, ends = 0;
    begin(&o, 100);
    const uint64_t vpn = list.base >> LW_PAGE_SHIFT, last = vpn + 3;
    const lw_os_debt debt = {
        .process = 0, .vpn = vpn, .level = 1, .first = vpn, .last = last, .one_page = true};
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
                assert_true(step->covers_first <= vpn && step->covers_last >= last);
                assert_true(step->type != LW_INV_PAGE ||
                            (step->first >= vpn && step->first <= last));
                assert_true(step->type != LW_INV_RANGE ||
                            (step->first == vpn && step->last == last));
                ends += step->type == LW_INV_PAGE && step->first == last;
                types[step->type]++;
                assert_true(step->type != LW_INV_ALL || i + 1 == plan.count);
                told |= 1u << step->pasid;
            }
        }
        first[plan.steps[0].pasid]++;
        whole += told == (1u << OWNERS) - 1;
        assert_true(told == (1u << OWNERS) - 1 || plan.steps[plan.count - 1].type == LW_INV_ALL);
    }
    assert_true(whole > CHANGES / 4);
    for (uint32_t type = 0; type < COUNT(types); type++) {
        assert_true(types[type] > CHANGES / 4);
    }
    assert_true(ends > types[LW_INV_PAGE] / 8);
    for (uint32_t p = 0; p < OWNERS; p++) {
        assert_true(first[p] > CHANGES / 8);
    }
    end(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_of_cleared_roots),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_whose_roots_come),
        cmocka_unit_test(test_what_is_told_of_a_root),
        cmocka_unit_test(test_nobody_has_the_table),
        cmocka_unit_test(test_all_who_share_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
