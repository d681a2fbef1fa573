#include "app/commands/whole_kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool lw_whole_kernels_load(lw_whole_kernels *whole, const char *root, lw_error *err) {
    char path[600], line[512];
    (void)snprintf(path, sizeof path, "%s/papers/whole_kernels.csv", root);
    whole->count = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return true;
    }
    bool good = true;
    for (int number = 1; good && fgets(line, sizeof line, file) != NULL; number++) {
        lw_whole_run *run = &whole->run[whole->count];
        if (number == 1) { /* the columns */
            continue;
        }
        if (whole->count == LW_WHOLE_RUNS) {
            good = lw_fail(err, "%s:%d: more than %d runs", path, number, LW_WHOLE_RUNS);
        } else if (sscanf(line, "%31[^,],%31[^,],%" SCNu64, run->kernel, run->system,
                          &run->cycles) != 3 ||
                   run->cycles == 0) {
            good = lw_fail(err, "%s:%d: no run of a table; allowed: kernel,system,cycles,...", path,
                           number);
        } else {
            whole->count++;
        }
    }
    (void)fclose(file);
    return good;
}

static uint64_t cycles_of(const lw_whole_kernels *whole, const char *kernel, const char *system) {
    for (size_t i = 0; i < whole->count; i++) {
        const lw_whole_run *run = &whole->run[i];
        if (strcmp(run->kernel, kernel) == 0 && strcmp(run->system, system) == 0) {
            return run->cycles;
        }
    }
    return 0;
}

double lw_whole_kernels_relative(const lw_whole_kernels *whole, const char *kernel,
                                 const char *system, const char *base) {
    const uint64_t cycles = cycles_of(whole, kernel, system);
    const uint64_t base_cycles = cycles_of(whole, kernel, base);
    return base_cycles == 0 ? 0.0 : (double)cycles / (double)base_cycles;
}
