// The ranks of a set (R3.4, R3.7): whatever is touched, once or twice in a cycle, they stay a permutation, and who was
// touched last has rank 0. The way for a fill (R3.6): the one that holds the key, else a free one, else the oldest of
// those that are not written in this cycle.
module lru_formal #(
  parameter int unsigned Ways = 4,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input logic            clk_i,
  input logic            first_i,
  input logic [WayW-1:0] first_way_i,
  input logic            second_i,
  input logic [WayW-1:0] second_way_i,
  input logic [Ways-1:0] same_i,
  input logic [Ways-1:0] valid_i,
  input logic            ahead_i       // the second touch is that of a fill ahead
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Ways-1:0][WayW-1:0] rank_q, rank_d;
  logic [Ways-1:0]           ahead, present, older;
  logic [WayW-1:0]           way, last_q;
  logic                      touched_q;

  lru_touch #(
    .Ways(Ways)
  ) dut (
    .first_i,
    .first_way_i,
    .second_i,
    .second_way_i,
    .rank_i(rank_q),
    .rank_o(rank_d)
  );

  assign ahead = (ahead_i && second_i) ? Ways'(1) << second_way_i : '0;

  fill_way #(
    .Ways(Ways)
  ) dut_way (
    .same_i,
    .valid_i(valid_i | ahead),
    .ahead_i(ahead),
    .rank_i (rank_q),
    .way_o  (way)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < Ways; w++) rank_q[w] <= WayW'(w);
      touched_q <= 1'b0;
      last_q    <= '0;
    end else begin
      rank_q <= rank_d;
      if (first_i || second_i) begin
        touched_q <= 1'b1;
        last_q    <= second_i ? second_way_i : first_way_i;
      end
    end
  end

  always_comb begin
    present = '0;
    older   = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      present[rank_q[w]] = 1'b1;
      older[w] = !ahead[w] && rank_q[w] > rank_q[way];
    end
  end

  same_is_held : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   $onehot0(same_i) && (same_i & ~(valid_i | ahead)) == '0);

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) &present);
  latest_is_first : assert property (@(posedge clk_i) disable iff (!rst_ni) !touched_q || rank_q[last_q] == '0);
  held_key : assert property (@(posedge clk_i) disable iff (!rst_ni) same_i == '0 || same_i[way]);
  free_way : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   same_i != '0 || &(valid_i | ahead) || !(valid_i[way] || ahead[way]));
  oldest_way : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   same_i != '0 || !(&(valid_i | ahead)) || (!ahead[way] && older == '0));

endmodule
