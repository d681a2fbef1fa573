// Serves requests in turn: the lowest one at or above the pointer, else the lowest of all (R0.4, R8.1).
//
// Combinational; whoever grants moves the pointer. Without a request the index is zero.
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

  lowest_index #(
    .Width(Width)
  ) u_lowest (
    .vector_i(first),
    .index_o
  );

endmodule
