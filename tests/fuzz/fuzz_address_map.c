/* Address maps, for a system with room for every range: what is read is mapped, or refused for want
 * of memory. */
#include "sim/os/address_map.h"
#include "sim/os/address_space.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

enum { PAGES = 1 << 14, SPACES = 4 }; /* that a run of the fuzzer maps: it takes no second */

static void map(const lw_system *system, const lw_address_map *map, uint64_t pages) {
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new_beside(system, pages, 1, map, &err);
    bool good = s != NULL;
    for (uint32_t p = 0; good && p < lw_address_map_spaces(map) && p < SPACES; p++) {
        good = lw_address_spaces_add_map(s, map, &err);
    }
    fuzz_must(good || err.text[0] != '\0', "a refusal is a sentence");
    lw_address_spaces_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lw_system system;
    lw_error err = {0};
    if (system.hw.levels == 0 && !lw_system_load(&system, "systems", "mesc", &err)) {
        fuzz_must(false, err.text);
    }
    const char *path = fuzz_file("input.map", data, size);
    lw_address_map *ranges = lw_address_map_read(path, &system, &err);
    if (ranges == NULL) {
        fuzz_must_refuse(&err, path);
        return 0;
    }
    fuzz_must(lw_address_map_spaces(ranges) <= system.hw.pasids,
              "no PASID that the system does not have");
    fuzz_must(lw_address_map_regions(ranges) > 0, "a map has a range");
    if (size < 256 && lw_address_map_pages(ranges) < PAGES && lw_address_map_regions(ranges) < 64) {
        map(&system, ranges, lw_address_map_pages(ranges));
    }
    lw_address_map_free(ranges);
    return 0;
}
