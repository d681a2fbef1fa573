// Watches what the page walk cache takes for granted of its fills: each is of a level above 1 that the unit has (R6.5),
// and the index of its PTE is told a cycle before (R6.7).
module pwc_checker #(
  parameter int unsigned VpnW = 36
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [8:0]      told_fill_i,
  input logic            fill_valid,
  input logic [2:0]      fill_level,
  input logic [VpnW-1:0] fill_vpn
);

  logic [8:0] told_q;

  always_ff @(posedge clk_i) told_q <= told_fill_i;

  level : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid || (fill_level >= 3'd2 && 32'(fill_level) <= VpnW / 9))
  else $error("R6.5: a fill of level %0d", fill_level);

  told : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid || 9'(fill_vpn >> (9 * (32'(fill_level) - 1))) == told_q)
  else $error("R6.7: a fill of %h at level %0d, where %h was told", fill_vpn, fill_level, told_q);

endmodule

bind page_walk_cache pwc_checker #(
  .VpnW(VpnW)
) u_checker (
  .clk_i,
  .rst_ni,
  .told_fill_i,
  .fill_valid(fill_i.valid),
  .fill_level(fill_i.level),
  .fill_vpn  (fill_i.key.vpn)
);
