// Watches the MSC: no frame is held twice (R16.9), ranks stay a permutation (R3.4), it is used at rest alone (R16.4),
// and not in the cycle in which what an access has found is done (R16.19).
//
// It compares the keys of a set with each other, not with the access: what the MSC takes for equal is what it checks.
module msc_checker #(
  parameter int unsigned MscWays = 8,
  parameter int unsigned PasidW  = 4,
  parameter int unsigned TagW    = 21,
  localparam int unsigned WayW = $clog2(MscWays)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               accessed,
  input logic [MscWays-1:0] taken,
  input logic [MscWays-1:0][PasidW-1:0] pasid,
  input logic [MscWays-1:0][TagW-1:0]   tag,
  input logic               touch_q,
  input logic               at_rest_o,
  input logic [MscWays-1:0][WayW-1:0] rank_touched
);

  logic [MscWays-1:0] ranks;

  always_comb begin
    ranks = '0;
    for (int unsigned w = 0; w < MscWays; w++) ranks[rank_touched[w]] = 1'b1;
  end

  logic [MscWays-1:0] again;  // holds the frame of a way before it

  always_comb begin
    again = '0;
    for (int unsigned a = 0; a < MscWays; a++) begin
      for (int unsigned b = a + 1; b < MscWays; b++) begin
        if (taken[a] && taken[b] && pasid[a] == pasid[b] && tag[a] == tag[b]) again[b] = 1'b1;
      end
    end
  end

  held_once : assert property (@(posedge clk_i) disable iff (!rst_ni) !accessed || again == '0)
  else $error("R16.9: the ways %b hold the frame of another way", again);

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) !touch_q || &ranks)
  else $error("R3.4: ranks are no permutation");

  at_rest : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !accessed || (at_rest_o && !touch_q))
  else $error("R16.4: the MSC is used while it is swept or written");

endmodule

bind msc msc_checker #(
  .MscWays(MscWays),
  .PasidW (PasidW),
  .TagW   (TagW)
) u_checker (
  .clk_i,
  .rst_ni,
  .accessed(access_i.look || access_i.fill),
  .taken,
  .pasid,
  .tag,
  .touch_q,
  .at_rest_o,
  .rank_touched
);
