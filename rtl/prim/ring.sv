// The pointers of a queue in a ring of places (R14.1): where the next push goes, what a push and a pop make of
// them, and which places are in use.
//
// Combinational: head, count and what is in the places are registers of whoever has the queue. Contract: a pop
// needs an entry, a push a free place, which one that is left in the same cycle is not.
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
