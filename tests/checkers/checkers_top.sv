// The checkers of tb/ that are not those of a bus, each alone in a bench of its own. The case to
// run is named on the command line, +CHECKER=case, and runs as it should, or with +bad=1 with the
// one difference that its assertion forbids. In reset and in the other benches nothing happens.
module checkers_top (
  input logic clk_i,
  input logic rst_ni
);

  logic        bad;
  int unsigned cycle;

  initial if (!$value$plusargs("bad=%b", bad)) bad = 1'b0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle <= 0;
    else cycle <= cycle + 1;
  end

`define BENCH(name) \
  string what_``name; \
  initial if (!$value$plusargs(`"name=%s`", what_``name)) what_``name = ""; \
  name``_bench u_``name ( \
    .clk_i, .rst_ni, .what_i(rst_ni ? what_``name : ""), .bad_i(bad), .cycle_i(cycle) \
  );

  `BENCH(admission)
  `BENCH(buffer)
  `BENCH(check_queue)
  `BENCH(contiguity)
  `BENCH(hashed)
  `BENCH(line_store)
  `BENCH(miss_queue)
  `BENCH(msc)
  `BENCH(port)
  `BENCH(pwc)
  `BENCH(response)
  `BENCH(sram)
  `BENCH(step_cache)
  `BENCH(tlb)
  `BENCH(tlb_fill)
  `BENCH(walk_order)
  `BENCH(walker)
  `BENCH(walker_events)

endmodule
