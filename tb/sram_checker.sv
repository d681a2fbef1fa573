// Watches what an array takes for granted (R14.4): what is written lies within it.
module sram_checker #(
  parameter int unsigned Words = 64,
  parameter int unsigned Lanes = 8,
  localparam int unsigned WordW = (Words == 1) ? 1 : $clog2(Words)
) (
  input logic             clk_i,
  input logic [Lanes-1:0] write_lanes_i,
  input logic [WordW-1:0] write_word_i
);

  in_array : assert property (@(posedge clk_i) write_lanes_i == '0 || 32'(write_word_i) < Words)
  else $error("R14.4: the word %0d of an array of %0d is written", write_word_i, Words);

endmodule

bind sram sram_checker #(
  .Words(Words),
  .Lanes(Lanes)
) u_checker (
  .clk_i,
  .write_lanes_i,
  .write_word_i
);
