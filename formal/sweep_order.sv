// The order of a sweep (R11.4): it is of set 0 in the cycle after a mark, and of each set once, upward, in the cycles
// that follow, and there is none at any other time. tlb.sv takes its sweeps in this order.
//
// Invalidations, and what they wait for, come as they like.
`include "lockwalk_types.svh"

module sweep_order_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned Sets = 4,
  localparam int unsigned VpnW   = 2,
  localparam int unsigned PasidW = 1,
  localparam int unsigned SetW   = (Sets == 1) ? 1 : $clog2(Sets),
  localparam type invalidate_t = `LW_INVALIDATE_T(VpnW),
  localparam type mark_t       = `LW_MARK_T(PasidW),
  localparam type sweep_t      = `LW_SWEEP_T(SetW, VpnW)
) (
  input logic        clk_i,
  input logic        inv_valid_i,
  input invalidate_t inv_i,
  input logic        under_way_i,
  input logic        old_epoch_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  mark_t  mark;
  sweep_t sweep;

  invalidation #(
    .VpnW(VpnW), .PasidW(PasidW), .Sets(Sets), .TlbStages(2)
  ) dut (
    .clk_i,
    .rst_ni,
    .inv_valid_i,
    .inv_ready_o(),
    .inv_i,
    .inv_done_o (),
    .mark_o     (mark),
    .sweep_o    (sweep),
    .under_way_i,
    .old_epoch_i,
    .epoch_o    ()
  );

  // How many sets are still to be swept, from the cycle after the mark on.
  logic [SetW:0] left = '0;
  always_ff @(posedge clk_i) begin
    if (mark.valid) left <= (SetW + 1)'(Sets);
    else if (left != '0) left <= left - (SetW + 1)'(1);
  end

  sweeps_after_a_mark : assert property (@(posedge clk_i) disable iff (!rst_ni) sweep.valid == (left != '0));
  sets_in_order : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                   !sweep.valid || 32'(sweep.set_index) == Sets - 32'(left));

endmodule
