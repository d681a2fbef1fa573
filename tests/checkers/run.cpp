// Runs one case of tests/checkers/checkers_top.sv for as many cycles as the longest needs; what the checkers say goes
// to standard output.
#include "Vcheckers_top.h"
#include "verilated.h"

int main(int argc, char **argv) {
    const int cycles = 16;
    VerilatedContext context;
    context.commandArgs(argc, argv);
    context.fatalOnError(false);
    Vcheckers_top top{&context};
    for (int n = 0; n < cycles; n++) {
        top.rst_ni = n >= 2;
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
        context.timeInc(1);
    }
    top.final();
    return 0;
}
