// Watches the unified TLB: never two hits (R3.6), ranks stay a permutation (R3.4).
module tlb_checker #(
  parameter int unsigned TlbWays = 16,
  localparam int unsigned WayW = $clog2(TlbWays)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               dec_hit_o,
  input logic [TlbWays-1:0] look_match,
  input logic               fill_valid_i,
  input logic [TlbWays-1:0] fill_same,
  input logic [TlbWays-1:0][WayW-1:0] fill_rank_touched
);

  logic [TlbWays-1:0] ranks;

  always_comb begin
    ranks = '0;
    for (int unsigned w = 0; w < TlbWays; w++) ranks[fill_rank_touched[w]] = 1'b1;
  end

  single_hit : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !dec_hit_o || $onehot(look_match))
  else $error("R3.6: %0d ways hit at once", $countones(look_match));

  single_entry : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid_i || $onehot0(fill_same))
  else $error("R3.6: a VPN is held %0d times", $countones(fill_same));

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) !fill_valid_i || &ranks)
  else $error("R3.4: ranks are no permutation");

endmodule

bind unified_tlb tlb_checker #(
  .TlbWays(TlbWays)
) u_checker (
  .clk_i,
  .rst_ni,
  .dec_hit_o,
  .look_match,
  .fill_valid_i,
  .fill_same,
  .fill_rank_touched
);
