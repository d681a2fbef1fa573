// Watches what the unified TLB takes for granted of its fills: each is told a cycle before, as it enters the fill
// register (R3.13), and a range begins with a subregion, or is a run, and ends within its frame or group (R3.8,
// R3.14).
module tlb_fill_checker #(
  parameter int unsigned VpnW       = 36,
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,
  localparam int unsigned PlaceW = Runs ? 2 : 3
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            told_span,
  input logic [VpnW-1:0] told_vpn,
  input logic            fill_valid,
  input logic            fill_span,
  input logic [VpnW-1:0] fill_vpn,
  input logic [2:0]      fill_length
);

  logic            told_span_q;
  logic [VpnW-1:0] told_vpn_q;

  always_ff @(posedge clk_i) begin
    told_span_q <= told_span;
    told_vpn_q  <= told_vpn;
  end

  told : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid || (fill_span == told_span_q && fill_vpn == told_vpn_q))
  else $error("R3.13: a fill of %h, where %h was told", fill_vpn, told_vpn_q);

  // Where a unit has no ranges, or nothing but runs, and where a subregion begins.
  kind : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid || (Subregions ? !fill_span || fill_vpn[5:0] == '0 : fill_span == Runs))
  else $error("R3.12, R3.14: a fill of %h is of a kind that the unit has not", fill_vpn);

  logic [PlaceW-1:0] first;  // its subregion in its frame, or its page in its group

  assign first = Runs ? PlaceW'(fill_vpn) : PlaceW'(fill_vpn >> 6);

  in_frame : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid || !fill_span || 32'(first) + 32'(fill_length) < 2 ** PlaceW)
  else $error("R3.8, R3.14: a fill of %h leaves its frame or group", fill_vpn);

endmodule

bind unified_tlb tlb_fill_checker #(
  .VpnW      (VpnW),
  .Subregions(Subregions),
  .Runs      (Runs)
) u_fill_checker (
  .clk_i,
  .rst_ni,
  .told_span  (told_fill_i.span),
  .told_vpn   (told_fill_i.vpn),
  .fill_valid (fill_i.valid),
  .fill_span  (fill_i.span),
  .fill_vpn   (fill_i.key.vpn),
  .fill_length(fill_i.length)
);
