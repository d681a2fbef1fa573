/* Lists of an Accel-Sim trace, beside two kernel files that are good: what is read has a row for
 * each kernel that the list names. */
#include "sim/traces/trace.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

enum { KERNEL_MAX = 1 << 16 };

static void copy_kernel(const char *name) {
    static uint8_t bytes[KERNEL_MAX];
    char from[64];
    (void)snprintf(from, sizeof from, "tests/data/trace/%s", name);
    FILE *file = fopen(from, "rb");
    fuzz_must(file != NULL, "the fuzzer runs where the project is");
    (void)fuzz_file(name, bytes, fread(bytes, 1, sizeof bytes, file));
    (void)fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_begun;
    if (!is_begun) {
        copy_kernel("kernel-1.traceg");
        copy_kernel("kernel-2.traceg");
        is_begun = true;
    }
    const char *path = fuzz_file("kernelslist.g", data, size);
    for (int partial = 0; partial < 2; partial++) {
        lw_partial cut = {0};
        lw_trace_summary *rows = NULL;
        size_t count = 0;
        lw_error err = {0};
        if (lw_trace_info(path, partial != 0 ? &cut : NULL, &rows, &count, &err)) {
            fuzz_must(count > 0 || partial != 0, "a trace has a kernel");
            for (size_t i = 0; i < count; i++) {
                fuzz_must(rows[i].lane_accesses >= rows[i].wave_accesses &&
                              rows[i].distinct_pages <= rows[i].lane_accesses,
                          "an access has a lane, a page an access");
            }
        } else {
            fuzz_must(rows == NULL && err.text[0] != '\0', "a refusal is a sentence, without rows");
        }
        free(rows);
    }
    return 0;
}
