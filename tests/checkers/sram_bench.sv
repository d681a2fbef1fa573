// The checker of an array of six words.
module sram_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic [1:0] lanes;
  logic [2:0] word;

  always_comb begin
    lanes = '0;
    word  = 3'd6;
    case (what_i)
      "in_array": begin
        lanes = 2'b10;
        word  = bad_i ? 3'd6 : 3'd5;
      end
      "in_array, what is written": lanes = {bad_i, 1'b0};
      default: ;
    endcase
  end

  sram_checker #(.Words(6), .Lanes(2)) u_checker (
    .clk_i,
    .write_lanes_i(lanes),
    .write_word_i (word)
  );

  logic unused;
  assign unused = rst_ni ^ cycle_i[0];

endmodule
