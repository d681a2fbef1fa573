// Who of the IOMMU buffer's entries names which line of the line store (R9.13, R9.14): those that lose what they have
// learnt, since their line is the next to be written over, and whether somebody is still to be answered from the line
// at TAIL or from the one after it.
//
// Combinational. The index of an entry is its slot; PL is in bit planes.
module line_users #(
  parameter int unsigned Entries = 256,
  parameter int unsigned Lines   = 16,
  localparam int unsigned LineW = $clog2(Lines)
) (
  input  logic [Entries-1:0]      valid_i,
  input  logic [Entries-1:0]      done_i,
  input  logic [2:0][Entries-1:0] pl_i,
  input  logic [LineW-1:0]        line_i [Entries],
  input  logic [LineW-1:0]        tail_i,
  output logic [Entries-1:0]      losing_o,
  output logic                    awaited_o,       // at TAIL
  output logic                    awaited_next_o   // at the place after it
);

  logic [LineW-1:0]   next;
  logic [Entries-1:0] at_tail, at_next;

  assign next = tail_i + LineW'(1);

  always_comb begin
    for (int unsigned e = 0; e < Entries; e++) begin
      at_tail[e] = line_i[e] == tail_i;
      at_next[e] = line_i[e] == next;
    end
  end

  assign losing_o       = valid_i & ~done_i & (pl_i[2] | pl_i[1] | pl_i[0]) & at_next;
  assign awaited_o      = |(valid_i & done_i & at_tail);
  assign awaited_next_o = |(valid_i & done_i & at_next);

endmodule
