// The lowest bit that is set (R0.4), in the two forms the unit has: as one bit and as an index, of a long vector in
// two levels, and as an index of a short one.
module lowest_formal #(
  parameter int unsigned Width = 64,
  localparam int unsigned IndexW = $clog2(Width)
) (
  input logic             clk_i,
  input logic [Width-1:0] vector_i
);

  logic              any;
  logic [Width-1:0]  one_hot, right;
  logic [IndexW-1:0] long, short_index;

  lowest_bit #(
    .Width(Width)
  ) dut_long (
    .vector_i,
    .any_o    (any),
    .one_hot_o(one_hot),
    .index_o  (long)
  );

  lowest_index #(
    .Width(Width)
  ) dut_short (
    .vector_i,
    .index_o(short_index)
  );

  assign right = vector_i & (~vector_i + Width'(1));

  some_bit : assert property (@(posedge clk_i) any == (vector_i != '0));
  lowest_alone : assert property (@(posedge clk_i) one_hot == right);
  index_of_it : assert property (@(posedge clk_i) any ? right == Width'(1) << long : long == '0);
  both_forms : assert property (@(posedge clk_i) short_index == long);

endmodule
