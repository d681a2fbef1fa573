/* A small data path and what a line costs in it by where it is found, for the tests of the path
 * alone and of the GPU with it. */
#ifndef LW_TESTS_UNIT_SIM_GPU_DATA_PATH_COSTS_H
#define LW_TESTS_UNIT_SIM_GPU_DATA_PATH_COSTS_H

#include "sim/gpu/data_path.h"

/* Times of PATH below: a load that the L1 has, that the L2 has, that nobody has. */
enum { L1 = 4, CROSSBAR = 3, L2 = 5, MEMORY = 20 };
enum { L1_HIT = L1, L2_HIT = L1 + CROSSBAR + L2 + CROSSBAR, MISS = L2_HIT + MEMORY };

/* L1s of 16 lines in 8 sets, an L2 of 64 lines in 16 sets. */
#define PATH                                                                                       \
    .cus = 2, .l1 = {.kib = 1, .ways = 2, .line = 64, .latency = L1, .lookups = 1, .mshrs = 8},    \
    .l2 = {.kib = 4,                                                                               \
           .ways = 4,                                                                              \
           .line = 64,                                                                             \
           .latency = L2,                                                                          \
           .lookups = 1,                                                                           \
           .mshrs = 8,                                                                             \
           .write_back = true,                                                                     \
           .store_fetch = true},                                                                   \
    .crossbar = CROSSBAR, .memory_latency = MEMORY

#endif
