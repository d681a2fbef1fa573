/* Tables of energies: nanojoules from 0 on, none for an access that there is not. */
#include "sim/energy/energy_table.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lw_energy_table table;
    lw_error err = {0};
    const char *path = fuzz_file("input.ini", data, size);
    if (!lw_energy_table_load(&table, path, &err)) {
        fuzz_must_refuse(&err, path);
        return 0;
    }
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        for (uint32_t access = 0; access < LW_ENERGY_ACCESSES; access++) {
            const double nj = table.nj[part][access];
            fuzz_must(isfinite(nj) && nj >= 0, "a number of nJ from 0 on");
            fuzz_must(lw_energy_has(part, access) || nj == 0, "0 for an access that there is not");
        }
    }
    return 0;
}
