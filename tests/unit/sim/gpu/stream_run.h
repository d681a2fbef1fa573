/* A stream driver in front of a fake unit (fake_unit.h): two address spaces, and a run of one
 * stream.
 */
#ifndef LW_TESTS_UNIT_SIM_GPU_STREAM_RUN_H
#define LW_TESTS_UNIT_SIM_GPU_STREAM_RUN_H

#include "tests/unit/sim/gpu/fake_unit.h"

#include "sim/gpu/stream_driver.h"

#include <stdio.h>

/* 16 MiB each and aligned so, that the neighbours which a random stream draws lie inside too. */
static const lw_array lower[] = {{"low", UINT64_C(0x10000000), UINT64_C(1) << 24},
                                 {"high", UINT64_C(0x7f0000000000), UINT64_C(2) << 24}};
static const lw_array upper[] = {{"upper", UINT64_C(0xffff800000000000), UINT64_C(1) << 24}};
static const lw_stream_process processes[] = {{lower, 2, 2}, {upper, 1, 1}};

static const lw_stream_params plain = {.kind = LW_STREAM_RANDOM,
                                       .requests = 20000,
                                       .outstanding = 64,
                                       .src_w = 6,
                                       .levels = 4,
                                       .seed = 1,
                                       .processes = processes,
                                       .process_count = 2};

static inline const char *stream_path(char path[512]) {
    const char *data = getenv("LW_TEST_DATA");
    (void)snprintf(path, 512, "%s/requests.stream", data == NULL ? "tests/data" : data);
    return path;
}

static inline lw_stream *open_stream(const char *path) {
    lw_error err = {0};
    lw_stream *s = lw_stream_open(path, &err);
    assert_string_equal(err.text, "");
    return s;
}

static inline fake_unit *run(lw_stream_params params, fake_config config) {
    lw_front_end front;
    lw_error err = {0};
    char path[512];
    if (params.kind == LW_STREAM_FILE) {
        params.file = open_stream(stream_path(path));
    }
    assert_true(lw_stream_driver_new(&params, &front, &err));
    fake_unit *u = fake_run(&front, config);
    assert_false(front.failed(front.self, &err));
    assert_true(front.finished(front.self));
    front.free(front.self);
    return u;
}

#endif
