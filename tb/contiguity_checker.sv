// Watches the contiguity check: only heads that can join are read, none twice and none unasked (R16.5 to R16.7), none
// of a slot counts without its region's tag (R16.15), the joined entry holds the subregion that asked and stays in its
// frame (R16.10), the MSC is not used while it is swept (R16.4, R16.9), and no mark finds heads still asked for
// (R11.5).
module contiguity_checker
  import lockwalk_pkg::*;
#(
  parameter int unsigned VsnW      = 30,
  parameter int unsigned PasidW    = 4,
  parameter bit          HeadFirst = 1'b0
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              mark_valid_i,
  input check_state_e      state_q,
  input logic [VsnW-1:0]   vsn_q,
  input logic [7:0]        bits_q,
  input logic [7:0]        asked_q,
  input logic [7:0]        got_q,
  input logic [7:0]        need,
  input logic [PasidW-1:0] pasid_q,
  input logic              tagged_q,
  input logic              head_line_taken_o,
  input logic [2:0]        head_line_place_i,
  input logic              head_line_sized_i,
  input logic [47:0]       head_line_tag_i,
  input logic [7:0]        head_ok_d,
  input logic              join_valid_o,
  input logic [VsnW-1:0]   join_vsn_o,
  input logic [2:0]        join_length_o
);

  logic [3:0] join_last;
  logic       busy;

  assign join_last = 4'(join_vsn_o[2:0]) + 4'(join_length_o);
  assign busy      = state_q != CheckIdle && state_q != CheckDrain;

  heads : assert property (@(posedge clk_i) disable iff (!rst_ni)
      HeadFirst || state_q != CheckRead || ((got_q & ~asked_q) == '0 && (asked_q & ~need) == '0))
  else $error("R16.6: asked %b got %b of %b", asked_q, got_q, need);

  of_region : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(state_q == CheckRead && tagged_q && head_line_taken_o && head_ok_d[head_line_place_i]) ||
      (head_line_tag_i == {1'b1, 11'(pasid_q), 36'(vsn_q[VsnW-1:3])} && !head_line_sized_i))
  else $error("R16.15: a head from a line of another region");

  worth_it : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !busy || (bits_q[vsn_q[2:0]] && need != '0))
  else $error("R16.1: a check with nothing to join");

  joined : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !join_valid_o || (join_vsn_o[VsnW-1:3] == vsn_q[VsnW-1:3] && join_last <= 4'd7 &&
                        join_vsn_o[2:0] <= vsn_q[2:0] && 4'(vsn_q[2:0]) <= join_last))
  else $error("R16.10: the joined entry does not hold its subregion");

  no_reads : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !HeadFirst || (busy ? state_q == CheckJoin || state_q == CheckInsert : state_q == CheckIdle))
  else $error("R16.13: state %0d", state_q);

  drain_unmarked : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !mark_valid_i || state_q != CheckDrain)
  else $error("R11.5: a mark while heads of the one before are asked for");

endmodule

bind contiguity contiguity_checker #(
  .VsnW     (VsnW),
  .PasidW   (PasidW),
  .HeadFirst(HeadFirst)
) u_checker (
  .clk_i,
  .rst_ni,
  .mark_valid_i (mark_i.valid),
  .state_q,
  .vsn_q,
  .bits_q,
  .asked_q,
  .got_q,
  .need,
  .pasid_q,
  .tagged_q,
  .head_line_taken_o,
  .head_line_place_i(head_line_i.place),
  .head_line_sized_i(head_line_i.sized),
  .head_line_tag_i  (head_line_i.tag),
  .head_ok_d,
  .join_valid_o (join_o.valid),
  .join_vsn_o   (join_o.vsn),
  .join_length_o(join_o.length)
);
