/* The C twin behind the TLBs of a translation simulator that people use. */
#ifndef LW_APP_BENCH_BENCH_CHAIN_H
#define LW_APP_BENCH_BENCH_CHAIN_H

#include "app/options/options.h"

/* Host speed of the twin on the streams of bench_streams.h, beside what is published. */
bool lw_bench_chain(const lw_options *o);

#endif
