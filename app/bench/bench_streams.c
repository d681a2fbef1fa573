#include "app/bench/bench_streams.h"

#include "common/rng.h"

#include <string.h>

static const lw_bench_stream streams[] = {
    {"random", 262144, 1, false, 1000000, 74e3, 94e3},
    {"L2-hit", 2048, 1, true, 8000000, 176e3, 215e3},
    {"page-local", 262144, 1024, false, 16000000, 409e3, 560e3},
};

const lw_bench_stream *lw_bench_stream_at(size_t i) {
    return i < sizeof streams / sizeof streams[0] ? &streams[i] : NULL;
}

bool lw_bench_stream_write(const lw_bench_stream *s, uint64_t accesses, FILE *to) {
    /* of a record: its size, where its addresses are that are read, and how many (champsim.h) */
    enum { BYTES = 64, SOURCES_AT = 32, SOURCES = 4 };
    const uint64_t first = UINT64_C(0x7f0000000);
    uint8_t record[BYTES] = {0};
    uint64_t page = 0;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (uint64_t i = 0; i < accesses; i++) {
        if (i % s->run == 0) {
            page = s->in_order ? i / s->run % s->pages : lw_rng_below(&rng, s->pages);
        }
        const uint64_t address = (first + page) << 12 | i % s->run * 4;
        memcpy(record + SOURCES_AT + i % SOURCES * sizeof address, &address, sizeof address);
        if (i % SOURCES == SOURCES - 1 && fwrite(record, BYTES, 1, to) != 1) {
            return false;
        }
    }
    return true;
}
