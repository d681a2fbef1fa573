#include "sim/traces/champsim.h"

enum { IS_BRANCH = 8, BRANCH_TAKEN = 9, DESTINATIONS = 16, SOURCES = 32, PAGE_SHIFT = 12 };

bool lw_champsim_is_record(const uint8_t record[LW_CHAMPSIM_BYTES]) {
    return record[IS_BRANCH] <= 1 && record[BRANCH_TAKEN] <= 1;
}

bool lw_champsim_begins(const uint8_t *bytes, size_t count) {
    return count > BRANCH_TAKEN && bytes[IS_BRANCH] <= 1 && bytes[BRANCH_TAKEN] <= 1;
}

static uint64_t address(const uint8_t *bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)bytes[i] << 8 * i;
    }
    return value;
}

unsigned lw_champsim_accesses(const uint8_t record[LW_CHAMPSIM_BYTES],
                              lw_stream_access accesses[LW_CHAMPSIM_ACCESSES]) {
    static const struct {
        unsigned offset, count;
        lw_access_kind access;
    } operands[] = {{SOURCES, 4, LW_READ}, {DESTINATIONS, 2, LW_WRITE}};
    unsigned n = 0;
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < operands[kind].count; i++) {
            const uint64_t va = address(record + operands[kind].offset + (size_t)8 * i);
            if (va != 0) {
                accesses[n++] = (lw_stream_access){.vpn = va >> PAGE_SHIFT,
                                                   .access = operands[kind].access,
                                                   .source = LW_STREAM_NO_SOURCE};
            }
        }
    }
    return n;
}
