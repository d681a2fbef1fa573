// True LRU ranks of one set (R3.4): rank 0 is the most recently used.
//
// Combinational: touching `way_i` moves it to rank 0 and every way that was more recent one down.
module lru_touch #(
  parameter int unsigned Ways = 16,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic                       touch_i,
  input  logic [WayW-1:0]            way_i,
  input  logic [Ways-1:0][WayW-1:0]  rank_i,
  output logic [Ways-1:0][WayW-1:0]  rank_o
);

  logic [WayW-1:0] pivot;

  assign pivot = rank_i[way_i];

  always_comb begin
    rank_o = rank_i;
    if (touch_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (rank_i[w] < pivot) rank_o[w] = rank_i[w] + WayW'(1);
      end
      rank_o[way_i] = '0;
    end
  end

endmodule
