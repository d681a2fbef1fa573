// The index of the lowest bit that is set in a short vector, or 0 if none is (R0.4). Combinational.
//
// For the buffer's long vectors there is lowest_bit.sv.
module lowest_index #(
  parameter int unsigned Width = 8,
  localparam int unsigned IndexW = (Width == 1) ? 1 : $clog2(Width)
) (
  input  logic [Width-1:0]  vector_i,
  output logic [IndexW-1:0] index_o
);

  always_comb begin
    index_o = '0;
    for (int i = Width - 1; i >= 0; i--) if (vector_i[i]) index_o = IndexW'(i);
  end

endmodule
