// Who is next of those that ask, in turn: the lowest from the pointer on, else the lowest (R0.4, R8.1).
//
// Combinational; whoever grants moves the pointer. With nobody asking the index is zero.
module rotating_arbiter #(
  parameter int unsigned Width = 8,
  localparam int unsigned IndexW = (Width == 1) ? 1 : $clog2(Width)
) (
  input  logic [Width-1:0]  request_i,
  input  logic [IndexW-1:0] pointer_i,
  output logic [IndexW-1:0] index_o
);

  logic [Width-1:0] from_pointer, first;

  assign from_pointer = request_i & ({Width{1'b1}} << pointer_i);
  assign first        = (|from_pointer) ? from_pointer : request_i;

  always_comb begin
    index_o = '0;
    for (int i = Width - 1; i >= 0; i--) if (first[i]) index_o = IndexW'(i);
  end

endmodule
