/* Timing files of a DRAM: what is read is within its keys' ranges, and a DRAM of these times
 * finishes every read. */
#include "sim/memory/dram.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { READS = 24, UNIT_MHZ = 1000 };

static void check_ranges(const lw_dram_timing *timing) {
    const lw_dram_key *key = NULL;
    for (size_t i = 0; (key = lw_dram_timing_key_at(i)) != NULL; i++) {
        uint32_t value = 0;
        memcpy(&value, (const char *)timing + key->offset, sizeof value);
        fuzz_must(key->min <= value && value <= key->max, "a value within its key's range");
        fuzz_must(!key->power_of_two || (value & (value - 1)) == 0, "a power of two");
    }
}

/* Reads and writes of lines far from each other and close by; each read finishes, and only once. */
static void use(const lw_dram_timing *timing) {
    lw_error err = {0};
    lw_dram *dram = lw_dram_new(timing, UNIT_MHZ, &err);
    fuzz_must(dram != NULL, "a DRAM of times that were read");
    lw_memory *m = lw_dram_memory(dram);
    uint64_t now = 0;
    uint32_t asked = 0, done = 0, id = 0, calls = 0;
    bool is_done[READS] = {false};
    while (done < READS) {
        const lw_memory_request r = {.line =
                                         asked % 3 == 0 ? asked : (uint64_t)asked * asked * 7919,
                                     .user = LW_MEMORY_DATA,
                                     .id = asked};
        const lw_memory_request w = {.line = r.line + 1, .user = LW_MEMORY_DATA, .write = true};
        if (asked < READS && m->ready(m->state, now, &r)) {
            m->ask(m->state, now, &r);
            asked++;
            if (m->ready(m->state, now, &w)) {
                m->ask(m->state, now, &w);
            }
        }
        while (m->finished(m->state, now, LW_MEMORY_DATA, &id)) {
            fuzz_must(id < READS && !is_done[id], "a read finishes once");
            is_done[id] = true;
            done++;
        }
        fuzz_must(++calls < 1000000, "every read finishes");
        const uint64_t next = m->next_event(m->state, now);
        fuzz_must(next > now && (done == READS || asked < READS || next != UINT64_MAX),
                  "an event to come while a read is under way");
        now = next == UINT64_MAX || asked < READS ? now + 1 : next;
    }
    lw_dram_free(dram);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lw_dram_timing timing;
    lw_error err = {0};
    const char *path = fuzz_file("input.ini", data, size);
    if (!lw_dram_timing_load(&timing, path, &err)) {
        fuzz_must_refuse(&err, path);
        return 0;
    }
    check_ranges(&timing);
    use(&timing);
    return 0;
}
