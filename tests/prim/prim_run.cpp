// Runs the Verilated top of tests/prim/bench.py: each cycle has one row of input words and one of output words,
// which are taken as the cycle ends.

#include <cstring>

#include "Vprim.h"
#include "verilated.h"

extern "C" void run(const unsigned char *given, unsigned in_words, unsigned char *taken, unsigned out_words,
                    unsigned cycles) {
    VerilatedContext context;
    Vprim top{&context};
    for (unsigned n = 0; n < cycles; n++) {
        std::memcpy(top.in_i.data(), given + 4UL * in_words * n, 4UL * in_words);
        top.clk_i = 0;
        top.eval();
        std::memcpy(taken + 4UL * out_words * n, top.out_o.data(), 4UL * out_words);
        top.clk_i = 1;
        top.eval();
    }
    top.final();
}
