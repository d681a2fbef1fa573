// The unified TLB (R3.6, R3.12, R3.14): a set never holds a page twice in a class, nor two ranges that overlap, so
// that a lookup never hits twice in a class; and its ranks stay a permutation (R3.4).
//
// Requests, fills, marks and sweeps come as they like, fills of ranges within their frame or group, as R3.8 and R3.14
// make them, and sweeps of set 0 after a mark, and upward (R11.4). VPNs are short: the TLB only compares them.
`include "lockwalk_types.svh"

module tlb_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW         = 9,
  parameter int unsigned PasidW       = 1,
  parameter int unsigned TlbEntries   = 4,
  parameter int unsigned TlbWays      = 2,
  parameter int unsigned TlbPartition = 1,
  parameter bit          Subregions   = 1'b0,
  parameter int unsigned Colt         = 0,
  localparam int unsigned PfnW    = 2,
  localparam int unsigned Sets    = TlbEntries / TlbWays,
  localparam int unsigned SetW    = (Sets == 1) ? 1 : $clog2(Sets),
  localparam int unsigned PlaceW  = (Colt == 2) ? 2 : 3,
  localparam type request_t = `LW_REQUEST_T(1, 1),
  localparam type decided_t = `LW_DECIDED_T(1, 1, PfnW),
  localparam type told_t    = `LW_TOLD_FILL_T(VpnW),
  localparam type fill_t    = `LW_FILL_T(VpnW, PasidW, PfnW),
  localparam type sweep_t   = `LW_SWEEP_T(SetW, VpnW),
  localparam type mark_t    = `LW_MARK_T(PasidW)
) (
  input logic     clk_i,
  input logic     req_fire_i,
  input request_t req_i,
  input fill_t    next_fill_i,
  input sweep_t   sweep_i,
  input mark_t    mark_i,
  input logic [2**PasidW-1:0] root_valid_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  decided_t decided;
  told_t    told;
  fill_t    fill = '0;

  assign told = '{span: next_fill_i.span, vpn: next_fill_i.key.vpn};
  always_ff @(posedge clk_i) fill <= next_fill_i;

  unified_tlb #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(1), .SrcW(1), .TlbEntries(TlbEntries), .TlbWays(TlbWays),
    .TlbLatency(1), .TlbPartition(TlbPartition), .Subregions(Subregions), .ParLookup(1'b0), .Colt(Colt)
  ) dut (
    .clk_i,
    .rst_ni,
    .req_fire_i,
    .req_i,
    .root_valid_i,
    .colt_enable_i(1'b1),
    .second_i     ('0),
    .decided_o    (decided),
    .second_o     (),
    .told_fill_i  (told),
    .fill_i       (fill),
    .sweep_i,
    .mark_i
  );

  // The last place of a range, from the place of its first.
  function automatic logic [3:0] last_of(logic [PlaceW-1:0] first, logic [2:0] length);
    return 4'(first) + 4'(length);
  endfunction

  logic               twice, misranked;
  logic [TlbWays-1:0] present;

  always_comb begin
    twice     = 1'b0;
    misranked = 1'b0;
    for (int unsigned s = 0; s < Sets; s++) begin
      present = '0;
      for (int unsigned a = 0; a < TlbWays; a++) begin
        present[dut.u_ranks.rank_q[s*TlbWays+a]] = 1'b1;
        for (int unsigned b = a + 1; b < TlbWays; b++) begin
          if (dut.valid_q[s*TlbWays+a] && dut.valid_q[s*TlbWays+b] &&
              dut.class_q[s*TlbWays+a] == dut.class_q[s*TlbWays+b] &&
              dut.pasid_q[s*TlbWays+a] == dut.pasid_q[s*TlbWays+b]) begin
            if (!dut.class_q[s*TlbWays+a]) begin
              twice |= dut.tag_q[s*TlbWays+a] == dut.tag_q[s*TlbWays+b];
            end else begin
              twice |= (dut.tag_q[s*TlbWays+a] >> PlaceW) == (dut.tag_q[s*TlbWays+b] >> PlaceW) &&
                       4'(dut.tag_q[s*TlbWays+a][PlaceW-1:0]) <=
                       last_of(dut.tag_q[s*TlbWays+b][PlaceW-1:0], dut.length_q[s*TlbWays+b]) &&
                       4'(dut.tag_q[s*TlbWays+b][PlaceW-1:0]) <=
                       last_of(dut.tag_q[s*TlbWays+a][PlaceW-1:0], dut.length_q[s*TlbWays+a]);
            end
          end
        end
      end
      misranked |= !(&present);
    end
  end

  // A range starts at a subregion's first page, and with its length ends in its frame or group.
  logic [PlaceW-1:0] fill_first;
  logic              fill_right;

  assign fill_first = (Colt == 2) ? PlaceW'(fill.key.vpn) : PlaceW'(fill.key.vpn >> 6);
  assign fill_right = !fill.valid || (fill.span == (Colt == 2)) && !Subregions ||
                      (Subregions && (!fill.span || fill.key.vpn[5:0] == '0));

  kind : assume property (@(posedge clk_i) disable iff (!rst_ni) fill_right);
  in_frame : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !fill.valid || !fill.span || 32'(last_of(fill_first, fill.length)) < 2 ** PlaceW);
  // R11.4, as sweep_order.sv proves it: a sweep is of set 0 after a mark, else of the set after that before it.
  logic [SetW-1:0] next_set = '0;
  always_ff @(posedge clk_i) next_set <= (Sets == 1 || mark_i.valid) ? '0 : sweep_i.set_index + SetW'(1);

  sweep : assume property (@(posedge clk_i) disable iff (!rst_ni) !sweep_i.valid || sweep_i.set_index == next_set);

  none_twice : assert property (@(posedge clk_i) disable iff (!rst_ni) !twice);
  ranks_in_order : assert property (@(posedge clk_i) disable iff (!rst_ni) !misranked);
  one_way_matches : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                     $onehot0(dut.u_lookup.page_match) && $onehot0(dut.u_lookup.range_match));

endmodule
