// True LRU ranks of one set (R3.4): rank 0 is the most recently used.
//
// Combinational: touching a way moves it to rank 0 and every way that was more recent one down. Two
// touches, one after the other (R3.7), need no more than two compares side by side: the first leaves the
// order of all the others as it is.
module lru_touch #(
  parameter int unsigned Ways = 16,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic                       first_i,
  input  logic [WayW-1:0]            first_way_i,
  input  logic                       second_i,
  input  logic [WayW-1:0]            second_way_i,
  input  logic [Ways-1:0][WayW-1:0]  rank_i,
  output logic [Ways-1:0][WayW-1:0]  rank_o
);

  logic [WayW-1:0] first_rank, second_rank;
  logic            one_way;  // touched twice

  assign first_rank  = rank_i[first_way_i];
  assign second_rank = rank_i[second_way_i];
  assign one_way     = first_way_i == second_way_i;

  always_comb begin
    rank_o = rank_i;
    if (first_i || second_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        unique case ({first_i && rank_i[w] < first_rank,
                      second_i && !(first_i && one_way) && rank_i[w] < second_rank})
          2'b00:   rank_o[w] = rank_i[w];
          2'b11:   rank_o[w] = rank_i[w] + WayW'(2);
          default: rank_o[w] = rank_i[w] + WayW'(1);
        endcase
      end
      if (first_i) rank_o[first_way_i] = WayW'(second_i && !one_way);
      if (second_i) rank_o[second_way_i] = '0;
    end
  end

endmodule
