// The pointers of a queue in a ring of places (R14.1): where the next push goes, the pointers after this
// cycle's push and pop, and which places are in use.
//
// Combinational: the queue's owner holds head, count and contents in registers. Contract: a pop needs an
// entry, and a push a place that is free at the beginning of the cycle, or else a pop in the same cycle.
module ring #(
  parameter int unsigned Places = 8,
  localparam int unsigned HeadW  = (Places == 1) ? 1 : $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1)
) (
  input  logic [HeadW-1:0]  head_i,   // of the oldest entry
  input  logic [CountW-1:0] count_i,
  input  logic              push_i,
  input  logic              pop_i,
  output logic [HeadW-1:0]  tail_o,   // where a push goes
  output logic [Places-1:0] used_o,
  output logic [HeadW-1:0]  head_o,   // after this cycle
  output logic [CountW-1:0] count_o
);

  assign tail_o  = HeadW'((32'(head_i) + 32'(count_i)) % Places);
  assign count_o = count_i + CountW'(push_i) - CountW'(pop_i);
  assign head_o  = !pop_i ? head_i :
                   ((32'(head_i) == Places - 1) ? '0 : head_i + HeadW'(1));

  always_comb begin
    for (int unsigned p = 0; p < Places; p++) begin
      used_o[p] = 32'((32'(p) + Places - 32'(head_i)) % Places) < 32'(count_i);
    end
  end

endmodule
