// The array of one field of a set-associative table: a word a set, a lane a way (R14.4).
//
// Contract: `read_data_o` is the word that `read_word_i` named Ahead cycles before, with all that was
// written until the beginning of this cycle. So an array of SramWords or more can be a macro, which reads
// what stood there before a write of the same edge: what is written while a word is on its way is kept beside
// it. With Ahead=2 the word of a macro, which comes late in a cycle, is used from a register. A smaller array
// is flip-flops behind a register of the index.
module sram
  import lockwalk_pkg::*;
#(
  parameter int unsigned Words = 64,
  parameter int unsigned Lanes = 8,
  parameter int unsigned Width = 8,
  parameter int unsigned Ahead = 1,  // 1 or 2
  localparam int unsigned WordW = (Words == 1) ? 1 : $clog2(Words)
) (
  input  logic                        clk_i,
  input  logic [WordW-1:0]            read_word_i,
  output logic [Lanes-1:0][Width-1:0] read_data_o,
  input  logic [Lanes-1:0]            write_lanes_i,
  input  logic [WordW-1:0]            write_word_i,
  input  logic [Width-1:0]            write_data_i   // into each of these lanes
);

  if (Ahead < 1 || Ahead > 2) begin : gen_refuse
    $error("Ahead is %0d; allowed: 1, 2", Ahead);
  end

  // The only word is read whichever is named: a table of one set has no bits that name it, and what
  // lies beyond an array is undefined.
  logic [WordW-1:0] told_word;

  assign told_word = (Words == 1) ? '0 : read_word_i;

  // The word that is used in the next cycle.
  logic [WordW-1:0] next_word;

  if (Ahead == 1) begin : gen_told_late
    assign next_word = told_word;
  end else begin : gen_told_early
    logic [WordW-1:0] told_word_q;

    always_ff @(posedge clk_i) told_word_q <= told_word;

    assign next_word = told_word_q;
  end

  if (Words >= SramWords) begin : gen_macro
    logic [Lanes-1:0][Width-1:0] data, word;
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

    if (Ahead == 1) begin : gen_direct
      assign word = data;
    end else begin : gen_registered
      logic [Lanes-1:0][Width-1:0] word_q;
      // Written as the macro read: whether into its word is asked a cycle later, as a word is told late.
      logic [WordW-1:0]            early_word_q;
      logic [Lanes-1:0]            early_lanes_q, earlier_q;
      logic [Width-1:0]            early_data_q, earlier_data_q;

      always_ff @(posedge clk_i) begin
        word_q         <= data;
        early_word_q   <= write_word_i;
        early_lanes_q  <= write_lanes_i;
        early_data_q   <= write_data_i;
        earlier_q      <= (early_word_q == next_word) ? early_lanes_q : '0;
        earlier_data_q <= early_data_q;
      end

      always_comb begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          word[l] = earlier_q[l] ? earlier_data_q : word_q[l];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      late_q      <= (write_word_i == next_word) ? write_lanes_i : '0;
      late_data_q <= write_data_i;  // whether written or not, which is known late
    end

    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        read_data_o[l] = late_q[l] ? late_data_q : word[l];
      end
    end
  end else begin : gen_flops
    logic [Width-1:0] mem_q [Words*Lanes];  // index = word x Lanes + lane
    logic [WordW-1:0] read_word_q;

    always_ff @(posedge clk_i) begin
      read_word_q <= next_word;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (write_lanes_i[l]) mem_q[32'(write_word_i)*Lanes+l] <= write_data_i;
      end
    end

    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) read_data_o[l] = mem_q[32'(read_word_q)*Lanes+l];
    end
  end

endmodule
