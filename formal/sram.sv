// The array of one field of a table (R14.4): a read gives, Ahead cycles later, what was last written into that word
// and lane, a write of the edge before included. A followed word and lane stand for all; the only word of an array is
// read whichever is named.
module sram_formal #(
  parameter int unsigned Words = 4,
  parameter int unsigned Lanes = 2,
  parameter int unsigned Width = 2,
  parameter int unsigned Ahead = 1,
  localparam int unsigned WordW = (Words == 1) ? 1 : $clog2(Words),
  localparam int unsigned LaneW = (Lanes == 1) ? 1 : $clog2(Lanes)
) (
  input logic             clk_i,
  input logic [WordW-1:0] read_word_i,
  input logic [Lanes-1:0] write_lanes_i,
  input logic [WordW-1:0] write_word_i,
  input logic [Width-1:0] write_data_i,
  input logic [WordW-1:0] word_i,        // followed
  input logic [LaneW-1:0] lane_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Lanes-1:0][Width-1:0] data;

  sram #(
    .Words(Words),
    .Lanes(Lanes),
    .Width(Width),
    .Ahead(Ahead)
  ) dut (
    .clk_i,
    .read_word_i,
    .read_data_o(data),
    .write_lanes_i,
    .write_word_i,
    .write_data_i
  );

  logic [WordW-1:0] word_q;
  logic [LaneW-1:0] lane_q;
  logic             known_q;
  logic [Ahead:0]   asked;  // [n]: the word was asked for n cycles ago
  logic [Ahead-1:0] asked_q;
  logic [Width-1:0] held_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {word_q, lane_q} <= {word_i, lane_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {known_q, asked_q, held_q} <= '0;
    end else begin
      asked_q <= asked[Ahead-1:0];
      if (write_lanes_i[lane_q] && write_word_i == word_q) begin
        known_q <= 1'b1;
        held_q  <= write_data_i;
      end
    end
  end

  assign asked = {asked_q, Words == 1 || read_word_i == word_q};

  watched_word : assume property (@(posedge clk_i) disable iff (!rst_ni) 32'(lane_q) < Lanes && 32'(word_q) < Words);
  in_array : assume property (@(posedge clk_i) disable iff (!rst_ni) 32'(write_word_i) < Words);

  what_was_written : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                      !asked[Ahead] || !known_q || data[lane_q] == held_q);

endmodule
