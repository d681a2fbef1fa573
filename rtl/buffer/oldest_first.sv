// The oldest of the eligible buffer entries (R5.2): the first one rotating from TAIL, for the slots are given in
// turn and so the age of an entry is its slot (R4.11).
//
// Combinational, in one cycle: the lowest of those at or above TAIL and the lowest of all are sought side by side,
// and whether there are any of the first says which is it. Without an eligible entry all outputs are zero.
module oldest_first #(
  parameter int unsigned Entries = 256,  // a power of two, 4..512
  localparam int unsigned SlotW = $clog2(Entries)
) (
  input  logic [Entries-1:0] eligible_i,
  input  logic [Entries-1:0] from_tail_i,  // the slots that are not below TAIL
  output logic               any_o,
  output logic [Entries-1:0] one_hot_o,
  output logic [SlotW-1:0]   slot_o
);

  logic [1:0]              any;
  logic [1:0][Entries-1:0] first;
  logic [1:0][SlotW-1:0]   slot;

  for (genvar i = 0; i < 2; i++) begin : gen_first
    lowest_bit #(
      .Width(Entries)
    ) u_lowest (
      .vector_i ((i == 0) ? eligible_i : eligible_i & from_tail_i),
      .any_o    (any[i]),
      .one_hot_o(first[i]),
      .index_o  (slot[i])
    );
  end

  assign any_o     = any[0];
  assign one_hot_o = first[any[1]];
  assign slot_o    = slot[any[1]];

endmodule
