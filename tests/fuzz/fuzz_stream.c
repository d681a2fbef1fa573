/* Request streams, as text and as ChampSim's records, plain and compressed, whole and cut. */
#include "sim/traces/stream.h"
#include "tests/fuzz/fuzz.h"

enum { PASIDS = 1 << 20, SOURCES = 1 << 16, VPN_BITS = 52 };

static void read_all(lw_stream *s, const char *path) {
    lw_stream_access a;
    lw_error err = {0};
    int more = 0;
    while ((more = lw_stream_next(s, &a, &err)) > 0) {
        fuzz_must(a.pasid < PASIDS && a.vpn >> VPN_BITS == 0, "a PASID of 20 bits, a VPN of 52");
        fuzz_must(a.source < SOURCES || a.source == LW_STREAM_NO_SOURCE, "a source of 16 bits");
        fuzz_must(a.access <= LW_EXECUTE, "an access that there is");
    }
    if (more < 0) {
        fuzz_must_refuse(&err, path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("input", data, size);
    for (int partial = 0; partial < 2; partial++) {
        lw_error err = {0};
        lw_stream *s =
            partial != 0 ? lw_stream_open_partial(path, &err) : lw_stream_open(path, &err);
        if (s == NULL) {
            fuzz_must_refuse(&err, path);
            continue;
        }
        read_all(s, path);
        lw_stream_close(s);
    }
    return 0;
}
