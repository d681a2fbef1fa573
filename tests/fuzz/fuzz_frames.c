/* Lists of frames (--mapping pagemap:FILE): each is given out once, below the end. */
#include "sim/frames/frame_allocator.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

enum { PA_WIDTH = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lw_frame_allocator_config config = {.frames = 1, .pa_width = PA_WIDTH};
    lw_error err = {0};
    char text[300];
    const char *path = fuzz_file("input", data, size);
    (void)snprintf(text, sizeof text, "pagemap:%s", path);
    fuzz_must(lw_frame_policy_parse(text, &config.policy, &err), "a path is a policy");
    lw_frame_allocator *a = lw_frame_allocator_new(&config, &err);
    if (a == NULL) {
        fuzz_must_refuse(&err, path);
        return 0;
    }
    const uint64_t count = lw_frame_allocator_available(a), end = lw_frame_allocator_end(a);
    uint64_t frame = 0;
    for (uint64_t i = 0; i < count; i++) {
        fuzz_must(lw_frame_alloc(a, &frame, &err) && frame < end, "a frame of the list");
        fuzz_must(frame >> (PA_WIDTH - 12) == 0, "a frame below pa_width");
    }
    fuzz_must(!lw_frame_alloc(a, &frame, &err), "no frame twice");
    lw_frame_allocator_free(a);
    return 0;
}
