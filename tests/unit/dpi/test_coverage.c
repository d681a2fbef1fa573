/* Which points of coverage a cycle counts, from registers and ports that are set by hand: all that
 * are said here, and no other (dpi/coverage.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/base/signals.h"
#include "c_model/host/invalidation.h"
#include "c_model/iommu_parts.h"
#include "c_model/walk/page_walkers.h"
#include "dpi/coverage.h"

#include <stdio.h>
#include <string.h>

/* No two queues of one length but the checks'; a lookup of several stages. */
enum { WALKERS = 3, HIT_QUEUE = 4, WALK_QUEUE = 3, MISS_QUEUE = 2, CHECK_QUEUE = 4 };
static const lw_params hw = {.levels = 4,
                             .pa_width = 48,
                             .pasids = 4,
                             .id_w = 12,
                             .src_w = 6,
                             .tlb_entries = 16,
                             .tlb_ways = 4,
                             .tlb_latency = 2,
                             .tlb_partition = 2,
                             .hit_queue = HIT_QUEUE,
                             .walk_queue = WALK_QUEUE,
                             .miss_queue = MISS_QUEUE,
                             .buffer_entries = 8,
                             .lines = 4,
                             .walkers = WALKERS,
                             .pwc_entries = 2,
                             .pwc_ways = 2,
                             .pwc_latency = 1,
                             .coalesce = 1,
                             .subregions = 1,
                             .msc_entries = 4,
                             .msc_ways = 2,
                             .check_queue = CHECK_QUEUE,
                             .slot_pages = LW_SLOT_OF_A_FRAME};

typedef struct fixture {
    lw_iommu *unit;
    lw_coverage *coverage;
    lw_inputs in;
    lw_outputs out;
    char counted[2048];
} fixture;

static void begin(fixture *f, const lw_params *params) {
    lw_error err = {0};
    memset(f, 0, sizeof *f);
    f->unit = lw_iommu_new(params, &err);
    f->coverage = lw_coverage_new(params);
    if (f->unit == NULL || f->coverage == NULL) {
        fail_msg("%s", err.text);
    }
    f->out.inv_ready = true;
}

static void end(fixture *f) {
    lw_coverage_free(f->coverage);
    lw_iommu_free(f->unit);
}

/* Gives a register of the twin this value, whatever it was. */
static void put(fixture *f, lw_field field, uint32_t index, uint64_t value) {
    const uint64_t differs = lw_iommu_peek(f->unit, field, index) ^ value;
    for (uint32_t bit = 0; bit < 64; bit++) {
        if ((differs >> bit & 1) != 0) {
            lw_iommu_flip(f->unit, field, index, bit);
        }
    }
    assert_int_equal(lw_iommu_peek(f->unit, field, index), value);
}

static uint64_t count_of(const fixture *f, size_t i, lw_coverage_point *point) {
    return lw_coverage_point_at(f->coverage, i, point) ? point->count : UINT64_MAX;
}

/* What a cycle counts in a group, as "row x column: n, ", in the order of the points. */
static const char *counts(fixture *f, const char *group) {
    enum { POINTS = 512 };
    uint64_t before[POINTS];
    lw_coverage_point point;
    size_t points = 0;
    for (; count_of(f, points, &point) != UINT64_MAX; points++) {
        assert_true(points < POINTS);
        before[points] = point.count;
    }
    lw_coverage_cycle(f->coverage, f->unit, &f->in, &f->out);
    f->counted[0] = '\0';
    for (size_t i = 0; i < points; i++) {
        const uint64_t n = count_of(f, i, &point) - before[i];
        const size_t used = strlen(f->counted);
        if (n != 0 && strncmp(point.name, group, strlen(group)) == 0) {
            (void)snprintf(f->counted + used, sizeof f->counted - used, "%s: %u, ",
                           point.name + strlen(group) + 2, (unsigned)n);
        }
    }
    return f->counted;
}

/* What a cycle counts of queues and stalls. */
static const char *full(fixture *f) {
    return counts(f, "full x stall");
}

/* Each queue is full by its own length, and one short of it is not. */
static void test_full_queues(void **state) {
    static const struct {
        lw_field count;
        uint32_t places;
        const char *name;
    } queues[] = {
        {LW_F_RESPONSE_HIT_COUNT, HIT_QUEUE, "hit queue"},
        {LW_F_RESPONSE_WALK_COUNT, WALK_QUEUE, "walk queue"},
        {LW_F_ADMISSION_HIT_USED, HIT_QUEUE, "hit places"},
        {LW_F_MISS_MISS_COUNT, MISS_QUEUE, "miss queue"},
        {LW_F_CHECK_RING_QUEUE_COUNT, CHECK_QUEUE, "check queue"},
    };
    (void)state;
    for (size_t q = 0; q < sizeof queues / sizeof *queues; q++) {
        fixture f;
        char wanted[64];
        begin(&f, &hw);
        put(&f, queues[q].count, 0, queues[q].places - 1);
        assert_string_equal(full(&f), "");
        put(&f, queues[q].count, 0, queues[q].places);
        (void)snprintf(wanted, sizeof wanted, "%s x none: 1, ", queues[q].name);
        assert_string_equal(full(&f), wanted);
        end(&f);
    }
}

/* Of hits that wait behind a full queue it also counts that an answer of a walk waits with them. */
static void test_full_hit_queue_beside_an_answer(void **state) {
    fixture f;
    (void)state;
    begin(&f, &hw);
    put(&f, LW_F_RESPONSE_WALK_COUNT, 0, 1);
    assert_string_equal(full(&f), "");
    put(&f, LW_F_RESPONSE_HIT_COUNT, 0, HIT_QUEUE);
    assert_string_equal(full(&f), "hit queue x none: 1, hit queue with walk answers x none: 1, ");
    end(&f);
}

/* R4.11: the buffer is full where the slot whose turn it is holds an entry; another's is nothing.
 */
static void test_full_buffer(void **state) {
    fixture f;
    (void)state;
    begin(&f, &hw);
    put(&f, LW_F_BUFFER_RING_TAIL, 0, 2);
    put(&f, LW_F_BUFFER_VALID, 1, 1);
    assert_string_equal(full(&f), "");
    put(&f, LW_F_BUFFER_VALID, 2, 1);
    assert_string_equal(full(&f), "buffer x none: 1, ");
    end(&f);
}

static void test_full_walkers(void **state) {
    fixture f;
    (void)state;
    begin(&f, &hw);
    put(&f, LW_F_PWST_STATE, 0, LW_MEM);
    put(&f, LW_F_PWST_STATE, 2, LW_RESP);
    assert_string_equal(full(&f), "");
    put(&f, LW_F_PWST_STATE, 1, LW_READ);
    assert_string_equal(full(&f), "walkers x none: 1, ");
    end(&f);
}

/* A stall is a valid without its ready, and an invalidation that none can be beside; each counts
 * beside each other, and where there is one, "none" does not. */
static void test_stalls(void **state) {
    fixture f;
    (void)state;
    begin(&f, &hw);
    put(&f, LW_F_MISS_MISS_COUNT, 0, MISS_QUEUE);
    f.in = (lw_inputs){.req_valid = true, .rsp_ready = true, .mem_req_ready = true};
    f.out = (lw_outputs){
        .inv_ready = true, .req_ready = true, .rsp_valid = true, .mem_req_valid = true};
    assert_string_equal(full(&f), "miss queue x none: 1, ");
    f.out.req_ready = false;
    assert_string_equal(full(&f), "miss queue x request: 1, ");
    f.in.req_valid = false;
    assert_string_equal(full(&f), "miss queue x none: 1, ");
    f.in.rsp_ready = false;
    assert_string_equal(full(&f), "miss queue x response: 1, ");
    f.out.rsp_valid = false;
    assert_string_equal(full(&f), "miss queue x none: 1, ");
    f.in.mem_req_ready = false;
    assert_string_equal(full(&f), "miss queue x memory: 1, ");
    f.out.mem_req_valid = false;
    assert_string_equal(full(&f), "miss queue x none: 1, ");
    f.out.inv_ready = false;
    assert_string_equal(full(&f), "miss queue x invalidation: 1, ");
    f.in.req_valid = f.out.rsp_valid = f.out.mem_req_valid = true;
    assert_string_equal(full(&f), "miss queue x request: 1, miss queue x response: 1, "
                                  "miss queue x memory: 1, miss queue x invalidation: 1, ");
    put(&f, LW_F_MISS_MISS_COUNT, 0, MISS_QUEUE - 1);
    assert_string_equal(full(&f), "");
    end(&f);
}

/* A lookup is decided in the last stage of its pipeline (R3.1), beside a fill and a swept set. */
static void test_lookups(void **state) {
    static const char *const group = "lookup x fill, sweep";
    fixture f;
    (void)state;
    begin(&f, &hw);
    const uint32_t last = lw_tlb_stages(&hw) - 1;
    assert_string_equal(counts(&f, group), "none x neither: 1, ");
    put(&f, LW_F_TLB_FOUND_FOUND, 0, 1); /* of no request */
    assert_string_equal(counts(&f, group), "none x neither: 1, ");
    put(&f, LW_F_TLB_PIPE_PIPE_VALID, 0, 1);
    assert_string_equal(counts(&f, group),
                        last == 0 ? "hit x neither: 1, " : "none x neither: 1, ");
    put(&f, LW_F_TLB_PIPE_PIPE_VALID, last, 1);
    put(&f, LW_F_PLACE_PLACE_VALID, 0, 1);
    assert_string_equal(counts(&f, group), "hit x fill: 1, ");
    put(&f, LW_F_INVALIDATION_STATE, 0, LW_INV_SWEEP);
    put(&f, LW_F_TLB_FOUND_FOUND, 0, 0);
    assert_string_equal(counts(&f, group), "miss x fill and sweep: 1, ");
    put(&f, LW_F_PLACE_PLACE_VALID, 0, 0);
    assert_string_equal(counts(&f, group), "miss x sweep: 1, ");
    put(&f, LW_F_INVALIDATION_STATE, 0, LW_INV_MARK);
    assert_string_equal(counts(&f, group), "miss x neither: 1, ");
    end(&f);
}

/* Every walker counts by its own state, beside that of the invalidation. */
static void test_walkers(void **state) {
    static const struct {
        uint32_t state;
        const char *name;
    } walkers[] = {{LW_READ, "READ"}, {LW_PWC_REQ, "PWC_REQ"}, {LW_PWC_WAIT, "PWC_WAIT"},
                   {LW_CAM, "CAM"},   {LW_REQ, "REQ"},         {LW_MEM, "MEM"},
                   {LW_RESP, "RESP"}},
      invalidations[] = {{LW_INV_IDLE, "IDLE"},        {LW_INV_MARK, "MARK"},
                         {LW_INV_SWEEP, "SWEEP"},      {LW_INV_SETTLE, "SETTLE"},
                         {LW_INV_WALKS, "WALKS"},      {LW_INV_QUEUES, "QUEUES"},
                         {LW_INV_COMPLETE, "COMPLETE"}};
    fixture f;
    (void)state;
    begin(&f, &hw);
    for (size_t w = 0; w < sizeof walkers / sizeof *walkers; w++) {
        for (size_t v = 0; v < sizeof invalidations / sizeof *invalidations; v++) {
            char wanted[96];
            put(&f, LW_F_PWST_STATE, 1, walkers[w].state);
            put(&f, LW_F_INVALIDATION_STATE, 0, invalidations[v].state);
            (void)snprintf(wanted, sizeof wanted, "IDLE x %s: 2, %s x %s: 1, ",
                           invalidations[v].name, walkers[w].name, invalidations[v].name);
            assert_string_equal(counts(&f, "walker x invalidation"), wanted);
        }
    }
    end(&f);
}

/* R1.9: an answer that is taken counts by its kind, beside its level or links. */
static void test_answers(void **state) {
    static const char *const group = "answer x level or links";
    static const char *const kinds[] = {
        [LW_OK] = "OK",
        [LW_NONCANONICAL] = "NONCANONICAL",
        [LW_UNKNOWN_PASID] = "UNKNOWN_PASID",
        [LW_NOT_PRESENT] = "NOT_PRESENT",
        [LW_RESERVED] = "RESERVED",
        [LW_MISALIGNED] = "MISALIGNED",
        [LW_PERMISSION] = "PERMISSION",
        [LW_MEMORY_ERROR] = "MEMORY_ERROR",
    };
    fixture f;
    (void)state;
    begin(&f, &hw);
    for (uint32_t kind = LW_OK; kind <= LW_MEMORY_ERROR; kind++) {
        for (uint32_t level = 0; level < 8; level++) {
            char wanted[64];
            f.out.rsp_kind = kind;
            f.out.rsp_level = level;
            f.in.rsp_ready = f.out.rsp_valid = true;
            (void)snprintf(wanted, sizeof wanted, "%s x %u: 1, ", kinds[kind], (unsigned)level);
            assert_string_equal(counts(&f, group), wanted);
            f.in.rsp_ready = false;
            assert_string_equal(counts(&f, group), "");
            f.in.rsp_ready = true;
            f.out.rsp_valid = false;
            assert_string_equal(counts(&f, group), "");
        }
    }
    end(&f);
}

/* The level at which a walk asks the page walk cache for the first time (R5.24), beside the level
 * that it finds; of what it asks later all are one row. */
static void test_known_levels(void **state) {
    static const char *const group = "level x level from the PWC";
    fixture f;
    (void)state;
    begin(&f, &hw);
    put(&f, LW_F_PWC_RESULT_RESULT_WALKER, 0, 2);
    put(&f, LW_F_PWST_STATE, 2, LW_PWC_WAIT);
    put(&f, LW_F_PWST_OWN_LINE, 2, 1);
    assert_string_equal(counts(&f, group), ""); /* no result */
    put(&f, LW_F_PWC_RESULT_RESULT_VALID, 0, 1);
    put(&f, LW_F_PWC_RESULT_RESULT_LEVEL, 0, 2); /* of nothing that was found */
    for (uint32_t level = 2; level <= 5; level++) {
        char wanted[64];
        put(&f, LW_F_PWST_LEVEL, 2, level);
        (void)snprintf(wanted, sizeof wanted, "%u x miss: 1, ", (unsigned)level);
        assert_string_equal(counts(&f, group), wanted);
        put(&f, LW_F_PWC_RESULT_RESULT_HIT, 0, 1);
        (void)snprintf(wanted, sizeof wanted, "%u x 2: 1, ", (unsigned)level);
        assert_string_equal(counts(&f, group), wanted);
        put(&f, LW_F_PWC_RESULT_RESULT_HIT, 0, 0);
    }
    put(&f, LW_F_PWST_OWN_LINE, 2, 0);
    assert_string_equal(counts(&f, group), "again x miss: 1, ");
    put(&f, LW_F_PWC_RESULT_RESULT_HIT, 0, 1);
    put(&f, LW_F_PWC_RESULT_RESULT_LEVEL, 0, 4);
    assert_string_equal(counts(&f, group), "again x 4: 1, ");
    end(&f);
}

/* A scan by its reach, apart where it has no line; a claim by whose operation makes it and by its
 * own reach (R4.4, R4.7). */
static void test_cam_operations(void **state) {
    static const char *const group = "CAM operation x reach";
    static const struct {
        uint32_t op, reach, error, claim, claim_reach;
        const char *counted;
    } rows[] = {
        {LW_OP_NONE, 1, 1, 1, 1, ""},
        {LW_OP_SCAN, 0, 0, 0, 2, "scan x line: 1, "},
        {LW_OP_SCAN, 1, 0, 0, 2, "scan x subregion: 1, "},
        {LW_OP_SCAN, 2, 1, 0, 0, "scan with error x frame: 1, "},
        {LW_OP_SCAN, 2, 0, 1, 1, "scan x frame: 1, claim of scan x subregion: 1, "},
        {LW_OP_ADVANCE, 2, 0, 1, 0, "claim of advance x line: 1, "},
        {LW_OP_ADVANCE, 2, 1, 0, 1, ""},
        {LW_OP_COMMIT, 1, 0, 1, 2, "claim of commit x frame: 1, "},
        {LW_OP_COMMIT, 1, 0, 0, 2, ""},
    };
    fixture f;
    (void)state;
    begin(&f, &hw);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        put(&f, LW_F_UPDATE_UPDATE_OP, 0, rows[r].op);
        put(&f, LW_F_UPDATE_UPDATE_REACH, 0, rows[r].reach);
        put(&f, LW_F_UPDATE_UPDATE_ERROR, 0, rows[r].error);
        put(&f, LW_F_UPDATE_UPDATE_CLAIM, 0, rows[r].claim);
        put(&f, LW_F_UPDATE_UPDATE_CLAIM_REACH, 0, rows[r].claim_reach);
        assert_string_equal(counts(&f, group), rows[r].counted);
    }
    end(&f);
}

/* Has the cycle before have counted so many events. */
static void add(fixture *f, uint32_t counter, uint64_t n) {
    f->unit->events.total[counter] += n;
}

/* What counters have counted belongs to the cycle before, and to whether an invalidation was under
 * way then; a reset, which clears them, is no event. */
static void test_contiguity_checks(void **state) {
    static const char *const group = "contiguity check x invalidation";
    fixture f;
    (void)state;
    begin(&f, &hw);
    assert_string_equal(counts(&f, group), "");
    add(&f, LW_C_MSC_LOOKUPS, 3);
    add(&f, LW_C_MSC_HITS, 1);
    add(&f, LW_C_CHECKS_MERGED, 4);
    put(&f, LW_F_INVALIDATION_STATE, 0, LW_INV_SETTLE);
    assert_string_equal(counts(&f, group),
                        "MSC hit x none: 1, MSC miss x none: 2, merged x none: 4, ");
    add(&f, LW_C_CHECKS_DROPPED, 2);
    add(&f, LW_C_JOINED, 1);
    put(&f, LW_F_INVALIDATION_STATE, 0, LW_INV_IDLE);
    assert_string_equal(counts(&f, group), "dropped x under way: 2, joined x under way: 1, ");
    assert_string_equal(counts(&f, group), "");
    lw_iommu_reset(f.unit);
    assert_string_equal(counts(&f, group), "");
    add(&f, LW_C_MSC_LOOKUPS, 1);
    assert_string_equal(counts(&f, group), "MSC miss x none: 1, ");
    end(&f);
}

/* A unit without subregions has no checks, and no register of them is asked for. */
static void test_unit_without_checks(void **state) {
    lw_params plain = hw;
    fixture f;
    (void)state;
    plain.subregions = 0;
    begin(&f, &plain);
    add(&f, LW_C_MSC_LOOKUPS, 1);
    assert_string_equal(counts(&f, "contiguity check x invalidation"), "");
    assert_string_equal(full(&f), "");
    end(&f);
}

/* A name that two points had would be a corner that nobody can look for. */
static void test_each_point_has_a_name_of_its_own(void **state) {
    fixture f;
    lw_coverage_point point;
    lw_coverage_point other;
    size_t i = 0;
    (void)state;
    begin(&f, &hw);
    for (; lw_coverage_point_at(f.coverage, i, &point); i++) {
        for (size_t k = 0; k < i && lw_coverage_point_at(f.coverage, k, &other); k++) {
            assert_string_not_equal(point.name, other.name);
        }
    }
    assert_true(i > 0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_queues),
        cmocka_unit_test(test_full_hit_queue_beside_an_answer),
        cmocka_unit_test(test_full_buffer),
        cmocka_unit_test(test_full_walkers),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_lookups),
        cmocka_unit_test(test_walkers),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_known_levels),
        cmocka_unit_test(test_cam_operations),
        cmocka_unit_test(test_contiguity_checks),
        cmocka_unit_test(test_unit_without_checks),
        cmocka_unit_test(test_each_point_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
