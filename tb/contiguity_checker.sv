// Watches the contiguity check: there is a neighbour that may join (R16.1), only heads that can join are read, none
// twice and none unasked (R16.5 to R16.7), none counts that comes with an error, nor one of a slot without its region's
// tag (R16.15), the joined entry is all that MAP joins to the subregion that asked (R16.10), and no mark finds heads
// still asked for (R11.5).
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
  input logic [6:0]        map_q,
  input logic [PasidW-1:0] pasid_q,
  input logic              tagged_q,
  input logic              head_line_taken_o,
  input logic [2:0]        head_line_place_i,
  input logic              head_line_error_i,
  input logic              head_line_sized_i,
  input logic [47:0]       head_line_tag_i,
  input logic [7:0]        head_ok_d,
  input logic              join_valid_o,
  input logic [VsnW-1:0]   join_vsn_o,
  input logic [2:0]        join_length_o
);

  logic [2:0] first, own;
  logic [3:0] last;
  logic       busy, counts;
  logic [7:0] beside;      // places with a contiguous neighbour
  logic [8:0] link, held;  // bit i: MAP joins the places i-1 and i; the entry holds both

  assign own    = vsn_q[2:0];
  assign first  = join_vsn_o[2:0];
  assign last   = 4'(first) + 4'(join_length_o);
  assign busy   = state_q != CheckIdle && state_q != CheckDrain;
  assign counts = state_q == CheckRead && head_line_taken_o && head_ok_d[head_line_place_i];
  assign beside = {bits_q[6:0], 1'b0} | {1'b0, bits_q[7:1]};
  assign link   = {1'b0, map_q & bits_q[6:0] & bits_q[7:1], 1'b0};

  always_comb begin
    for (int unsigned i = 0; i < 9; i++) held[i] = i > 32'(first) && i <= 32'(last);
  end

  heads : assert property (@(posedge clk_i) disable iff (!rst_ni)
      HeadFirst || !(state_q inside {CheckRead, CheckDrain}) ||
      ((got_q & ~asked_q) == '0 && (asked_q & ~need) == '0))
  else $error("R16.6: asked %b got %b of %b", asked_q, got_q, need);

  all_heads : assert property (@(posedge clk_i) disable iff (!rst_ni)
      HeadFirst || !(state_q inside {CheckJoin, CheckFill}) || got_q == need)
  else $error("R16.7: joins with %b of %b", got_q, need);

  whole_head : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !counts || !head_line_error_i)
  else $error("R16.15: a head from a line with an error");

  of_region : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(counts && tagged_q) ||
      (head_line_tag_i == {1'b1, 11'(pasid_q), 36'(vsn_q[VsnW-1:3])} && !head_line_sized_i))
  else $error("R16.15: a head from a line of another region");

  worth_it : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !busy || (bits_q[own] && beside[own]))
  else $error("R16.1: a check with nothing to join");

  joined : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !join_valid_o || (join_vsn_o[VsnW-1:3] == vsn_q[VsnW-1:3] && last <= 4'd7 &&
                        first <= own && 4'(own) <= last))
  else $error("R16.10: the joined entry does not hold its subregion");

  all_that_joins : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !join_valid_o || last > 4'd7 ||
      (state_q == CheckInsert && join_length_o != '0 && (held & ~link) == '0 &&
       !link[4'(first)] && !link[last+4'd1]))
  else $error("R16.10: places %0d to %0d are not those that MAP joins", first, last);

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
  .map_q,
  .pasid_q,
  .tagged_q,
  .head_line_taken_o,
  .head_line_place_i(head_line_i.place),
  .head_line_error_i(head_line_i.error),
  .head_line_sized_i(head_line_i.sized),
  .head_line_tag_i  (head_line_i.tag),
  .head_ok_d,
  .join_valid_o (join_o.valid),
  .join_vsn_o   (join_o.vsn),
  .join_length_o(join_o.length)
);
