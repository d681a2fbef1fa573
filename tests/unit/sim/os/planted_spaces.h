/* Address spaces into whose hashed tables is planted what no driver should have written. */
#ifndef LW_TESTS_UNIT_SIM_OS_PLANTED_SPACES_H
#define LW_TESTS_UNIT_SIM_OS_PLANTED_SPACES_H

#include "tests/unit/sim/os/hashed_spaces.h"

#include "sim/os/planted_hashed.h"

enum { PROCESSES = 2 };

static const lw_array arrays[] = {
    {"small", UINT64_C(0x10000000), 40 << 12},
    {"large", UINT64_C(0x20000000000), UINT64_C(6) << 21},
};

static const struct shape {
    uint32_t levels, pa_width, subregions, slot_pages;
    size_t ranges;
} shapes[] = {{4, 48, 0, 512, 43},
              {5, 51, 0, 512, 49},
              {5, 52, 0, 512, 43},
              {4, 48, 1, 512, 51},
              {4, 48, 0, 8, 43}};

typedef struct planted {
    lw_system system;
    lw_address_spaces *spaces;
    lw_array bad[PROCESSES][LW_BAD_ARRAYS];
    size_t count;
} planted;

static inline void plant(planted *t, const struct shape *shape) {
    lw_error err = {0};
    *t = (planted){.system = hashed_system("buddy:25", LW_SIZE_4K, shape->levels, shape->pa_width)};
    t->system.hw.subregions = shape->subregions;
    t->system.hw.slot_pages = shape->slot_pages;
    t->spaces = lw_address_spaces_new(&t->system, 1 << 15, 1, &err);
    assert_true(
        lw_address_spaces_hash(t->spaces, PROCESSES * (8 + (uint64_t)LW_PLANTED_REGIONS), &err));
    for (uint32_t p = 0; p < PROCESSES; p++) {
        t->count = 0;
        assert_true(lw_address_spaces_add(t->spaces, arrays, COUNT(arrays), &err));
        if (!lw_address_spaces_plant_hashed(t->spaces, p, t->bad[p], &t->count, &err)) {
            fail_msg("%s", err.text);
        }
        assert_int_equal(t->count, shape->ranges);
        assert_true(lw_address_spaces_append(t->spaces, p, t->bad[p], t->count, &err));
        assert_int_equal(lw_address_spaces_mapped(t->spaces, p), COUNT(arrays));
    }
}

#endif
