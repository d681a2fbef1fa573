/* What the GPU's data path is told of a page (lw_gpu_frames): the frame of each of its 4 KiB, as
 * the flat walk finds it, in pages of every size. */
#include "tests/unit/sim/environment/environment_run.h"
#include "tests/unit/sim/os/space_walk.h"

static const lw_run run = {.workload = "sequential", .seed = 1, .size = 1 << 19};

static const lw_run small = {.workload = "repeat", .seed = 1};

static void test_frames(void **state) {
    (void)state;
    static const struct {
        const char *page_size;
        uint32_t size; /* what the flat walk says of a page in the middle */
    } rows[] = {{"0", LW_SIZE_4K}, {"1", LW_SIZE_2M}, {"2", LW_SIZE_1G}, {"4", LW_SIZE_64K}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        lw_gpu_params gpu;
        size_t count = 0;
        environment_open(&r, "baseline", &small, "mapping", "buddy:0");
        lw_environment_free(r.env);
        assert_true(lw_system_set(&r.system, "page_size", rows[i].page_size, "", &r.err) &&
                    lw_system_set(&r.system, "pages_64k", "1", "", &r.err));
        r.env = lw_environment_new(&r.system, &run, &r.err);
        assert_non_null(r.env);
        assert_true(lw_environment_gpu(r.env, &run, &gpu, &r.err));
        const lw_array *array = lw_address_spaces_arrays(r.env->spaces, 0, &count);
        const uint64_t first = array->base >> 12;
        const uint64_t pages = array->bytes >> 12;
        for (uint64_t n = 0; n < pages; n += 509) {
            uint64_t frame = 0;
            const lw_oracle_answer flat = walk(&r.system, r.env->spaces, 0, first + n, LW_READ);
            assert_true(gpu.frames.of(gpu.frames.ctx, 0, first + n, &frame));
            assert_int_equal(flat.kind, LW_ORACLE_OK);
            assert_int_equal(flat.size, rows[i].size);
            assert_int_equal(frame, flat.pfn);
        }
        uint64_t frame = 7;
        assert_false(gpu.frames.of(gpu.frames.ctx, 0, first + pages, &frame));
        assert_false(gpu.frames.of(gpu.frames.ctx, 0, first - 1, &frame));
        environment_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
