// The performance counters and the attribution of walker cycles (R12.5, R12.6).
//
// Each counter takes an increment in each cycle, a cycle late, so that the additions
// wait for no event; the read port is combinational. WAITING is counted on from cycle to cycle, so
// what is known of the one before is shown.
module perf_counters
  import lockwalk_pkg::*;
#(
  parameter int unsigned IncrementW = 10,
  parameter bit          Subregions = 1'b0,
  parameter bit          Hashes     = 1'b0,
  parameter bit          SecondLookup = 1'b0
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [Counters-1:0][IncrementW-1:0] increment_i,
  // WAITING of the cycle before, with what was inserted in it, and without what has left by a second hit.
  output logic [IncrementW-1:0]               waited_o,
  input  logic [5:0]                          number_i,
  output logic [CounterW-1:0]                 count_o
);

  logic [CounterW-1:0]   count_q     [Counters];
  logic [IncrementW-1:0] increment_q [Counters];

  // R14.3: those of subregions, of hashed tables and of second lookups are not there without them.
  function automatic logic is_there(int unsigned c);
    return (Subregions || c < CntMscLookups || c > CntChecksDropped) &&
           (Hashes || c < CntStepReads || c > CntStepRetries) &&
           (SecondLookup || c < CntSecondLookups);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned c = 0; c < Counters; c++) begin
        count_q[c]     <= '0;
        increment_q[c] <= '0;
      end
    end else begin
      for (int unsigned c = 0; c < Counters; c++) begin
        increment_q[c] <= is_there(c) ? increment_i[c] : '0;
        if (increment_q[c] != '0) count_q[c] <= count_q[c] + CounterW'(increment_q[c]);
      end
    end
  end

  assign waited_o = increment_q[CntWaiting] + increment_q[CntTlbMisses] -
                    increment_q[CntSecondHits];
  assign count_o  = (32'(number_i) < Counters) ? count_q[number_i] : '0;

endmodule
