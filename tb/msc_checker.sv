// Watches the MSC: no frame is held twice (R16.9), ranks stay a permutation (R3.4).
module msc_checker #(
  parameter int unsigned MscWays = 8,
  localparam int unsigned WayW = $clog2(MscWays)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [MscWays-1:0] same,
  input logic               touch,
  input logic [MscWays-1:0][WayW-1:0] rank_touched
);

  logic [MscWays-1:0] ranks;

  always_comb begin
    ranks = '0;
    for (int unsigned w = 0; w < MscWays; w++) ranks[rank_touched[w]] = 1'b1;
  end

  single_hit : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(same))
  else $error("R16.9: a frame is held %0d times", $countones(same));

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) !touch || &ranks)
  else $error("R3.4: ranks are no permutation");

endmodule

bind msc msc_checker #(
  .MscWays(MscWays)
) u_checker (
  .clk_i,
  .rst_ni,
  .same,
  .touch,
  .rank_touched
);
