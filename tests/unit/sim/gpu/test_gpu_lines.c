/* Which lines of memory a wave's instruction asks for: those of its pages' frames, in the order of
 * the pages' translations and of their addresses. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/gpu_run.h"

enum { ROOM = 256 };

/* A memory that notes what it reads, and has read it in the next cycle. */
typedef struct noted {
    uint64_t lines[ROOM];
    uint32_t ids[ROOM], count, taken;
} noted;

static bool is_ready(void *state, uint64_t now, const lw_memory_request *request) {
    (void)state;
    (void)now;
    (void)request;
    return true;
}

static void note(void *state, uint64_t now, const lw_memory_request *request) {
    noted *n = state;
    (void)now;
    assert_true(n->count < ROOM && !request->write);
    n->lines[n->count] = request->line;
    n->ids[n->count++] = request->id;
}

static bool has_finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    noted *n = state;
    (void)now;
    if (user != LW_MEMORY_DATA || n->taken == n->count) {
        return false;
    }
    *id = n->ids[n->taken++];
    return true;
}

static uint64_t next_cycle(void *state, uint64_t now) {
    const noted *n = state;
    return n->taken == n->count ? UINT64_MAX : now + 1;
}

/* Frames of a DRAM of 2^40 pages, and of no order. */
static uint64_t frame_of(uint64_t page) {
    return (page * UINT64_C(0x9e3779b97f4a7c15)) >> 24;
}

static bool scattered(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    (void)ctx;
    (void)pasid;
    *frame = frame_of(page);
    return true;
}

/* Lane i touches byte 4 i of its page: 64 lanes of one page its lines 0 to 3, of 64 pages one line
 * each, of which lanes 16 to 31 have line 1, and so on. */
static void test_lines_of_frames(void **state) {
    (void)state;
    for (uint32_t line = 64; line <= 128; line += 64) {
        for (uint32_t stride = 0; stride < 2; stride++) {
            const hand_inst table[] = {{.page = 0x1000, .lanes = 64, .stride = stride}};
            const uint32_t pieces = line / 64;
            noted *n = calloc(1, sizeof *n);
            assert_non_null(n);
            const lw_memory memory = {n, is_ready, note, has_finished, next_cycle, NULL};
            lw_gpu_params params = nha;
            params.ideal = true;
            params.frames = (lw_gpu_frames){scattered, NULL};
            params.has_data = true;
            params.data = (lw_data_path_params){PATH, .memory = &memory};
            params.data.l1.line = params.data.l2.line = line;
            params.data.l1.mshrs = params.data.l2.mshrs = 128;
            outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
            const uint32_t count = stride == 0 ? 4 : 64 * pieces;
            assert_int_equal(n->count, count);
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t lane = stride == 0 ? 16 * i : i / pieces;
                const uint64_t first =
                    (uint64_t)lane / 16 / pieces * pieces; /* of the cache's line */
                const uint64_t frame = frame_of(0x1000 + (uint64_t)lane * stride);
                assert_int_equal(n->lines[i], frame << 6 | (first + i % pieces));
            }
            fake_free(o.unit);
            free(n);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_of_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
