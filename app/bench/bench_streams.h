/* The three streams by whose speeds translation simulators are compared (Akita's TLB-TLB-MMU
 * chain), made for the TLBs of systems/bench_chain.ini: 64 and 4096 entries.
 *
 *   random      every access to any page of 1 GiB, so that nearly none hits
 *   L2-hit      2048 pages in order, over and over: too many for the L1 TLB, not for the L2 TLB
 *   page-local  all 1024 words of a page, then those of another of 1 GiB: hits in the L1 TLB
 *
 * What exactly was published are the speeds, not the streams; these are ours of the same names. */
#ifndef LW_APP_BENCH_BENCH_STREAMS_H
#define LW_APP_BENCH_BENCH_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct lw_bench_stream {
    const char *name;
    uint64_t pages;     /* from the first on */
    uint64_t run;       /* accesses to a page before the next */
    bool in_order;      /* the next page, or any */
    uint64_t accesses;  /* that the bench runs */
    double least, most; /* published translations a second, on another machine */
} lw_bench_stream;

/* The i-th, NULL past the last. */
const lw_bench_stream *lw_bench_stream_at(size_t i);

/* Writes so many of its accesses, a multiple of four, as ChampSim's records, which take the reader
 * the least time. False where the file cannot be written. */
bool lw_bench_stream_write(const lw_bench_stream *s, uint64_t accesses, FILE *to);

#endif
