// One memory macro, as it behaves: one read and one write port, a write enable for each lane. Synthesis
// takes it for a black box with the area and timing of synth/netlist/sram.py.
//
// Contract: a read gives the word as it stood before a write at the same edge; nothing is reset.
module sram_macro #(
  parameter int unsigned Words = 64,
  parameter int unsigned Lanes = 8,
  parameter int unsigned Width = 8,
  localparam int unsigned WordW = $clog2(Words)
) (
  input  logic                        clk_i,
  input  logic [WordW-1:0]            read_word_i,
  output logic [Lanes-1:0][Width-1:0] read_data_o,
  input  logic [Lanes-1:0]            write_lanes_i,
  input  logic [WordW-1:0]            write_word_i,
  input  logic [Width-1:0]            write_data_i
);

  logic [Width-1:0]            mem_q [Words*Lanes];  // index = word x Lanes + lane
  logic [Lanes-1:0][Width-1:0] read_data_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      read_data_q[l] <= mem_q[32'(read_word_i)*Lanes+l];
      if (write_lanes_i[l]) mem_q[32'(write_word_i)*Lanes+l] <= write_data_i;
    end
  end

  assign read_data_o = read_data_q;

endmodule
