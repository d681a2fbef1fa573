// The array of one field of a set-associative table: a word a set, a lane a way (R14.4).
//
// Contract: `read_data_o` is the word that `read_word_i` named in the cycle before, with all that was
// written until the beginning of this cycle. So an array of SramWords or more can be a macro, which reads
// what stood there before a write of the same edge: that lane is kept beside it for a cycle. A smaller one
// is flip-flops behind a register of the index.
module sram
  import lockwalk_pkg::*;
#(
  parameter int unsigned Words = 64,
  parameter int unsigned Lanes = 8,
  parameter int unsigned Width = 8,
  localparam int unsigned WordW = (Words == 1) ? 1 : $clog2(Words)
) (
  input  logic                        clk_i,
  input  logic [WordW-1:0]            read_word_i,
  output logic [Lanes-1:0][Width-1:0] read_data_o,
  input  logic [Lanes-1:0]            write_lanes_i,
  input  logic [WordW-1:0]            write_word_i,
  input  logic [Width-1:0]            write_data_i   // into each of these lanes
);

  if (Words >= SramWords) begin : gen_macro
    logic [Lanes-1:0][Width-1:0] data;
    logic [Lanes-1:0]            late_q;
    logic [Width-1:0]            late_data_q;

    sram_macro #(
      .Words(Words),
      .Lanes(Lanes),
      .Width(Width)
    ) u_array (
      .clk_i,
      .read_word_i,
      .read_data_o(data),
      .write_lanes_i,
      .write_word_i,
      .write_data_i
    );

    always_ff @(posedge clk_i) begin
      late_q      <= (write_word_i == read_word_i) ? write_lanes_i : '0;
      late_data_q <= write_data_i;  // whether written or not, which is known late
    end

    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        read_data_o[l] = late_q[l] ? late_data_q : data[l];
      end
    end
  end else begin : gen_flops
    logic [Width-1:0] mem_q [Words*Lanes];  // index = word x Lanes + lane
    logic [WordW-1:0] read_word_q;

    always_ff @(posedge clk_i) begin
      read_word_q <= read_word_i;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (write_lanes_i[l]) mem_q[32'(write_word_i)*Lanes+l] <= write_data_i;
      end
    end

    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) read_data_o[l] = mem_q[32'(read_word_q)*Lanes+l];
    end
  end

endmodule
