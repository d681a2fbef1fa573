// Watches the MSC: no frame is held twice (R16.9), ranks stay a permutation (R3.4), it is used at rest alone (R16.4),
// and not in the cycle in which what an access has found is done (R16.19).
module msc_checker #(
  parameter int unsigned MscWays = 8,
  localparam int unsigned WayW = $clog2(MscWays)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               accessed,
  input logic [MscWays-1:0] same,
  input logic               touch_q,
  input logic               at_rest_o,
  input logic [MscWays-1:0][WayW-1:0] rank_touched
);

  logic [MscWays-1:0] ranks;

  always_comb begin
    ranks = '0;
    for (int unsigned w = 0; w < MscWays; w++) ranks[rank_touched[w]] = 1'b1;
  end

  single_hit : assert property (@(posedge clk_i) disable iff (!rst_ni) !accessed || $onehot0(same))
  else $error("R16.9: a frame is held %0d times", $countones(same));

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) !touch_q || &ranks)
  else $error("R3.4: ranks are no permutation");

  at_rest : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !accessed || (at_rest_o && !touch_q))
  else $error("R16.4: the MSC is used while it is swept or written");

endmodule

bind msc msc_checker #(
  .MscWays(MscWays)
) u_checker (
  .clk_i,
  .rst_ni,
  .accessed(access_i.look || access_i.fill),
  .same,
  .touch_q,
  .at_rest_o,
  .rank_touched
);
