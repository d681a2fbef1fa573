// The page walk cache (R6.2, R6.3, R6.5): a table by level, or a set by address, never holds a key twice, so that a
// lookup never hits twice; and ranks stay a permutation (R6.4). By level a hit brings only what was filled for the
// PASID that looks up (R6.2): a node's top bit tells whose it is. The whole cache with its fill and place registers.
//
// Lookups, fills and marks come as they like; a fill is of a level that the cache has. VPNs and frames are short: the
// cache only compares them.
`include "lockwalk_types.svh"

module pwc_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned PwcOrg     = 0,
  parameter int unsigned PwcEntries = 4,
  parameter int unsigned PwcWays    = 2,
  parameter int unsigned PwcLatency = 1,
  localparam int unsigned VpnW    = 18,
  localparam int unsigned Levels  = VpnW / 9,
  localparam int unsigned PaWidth = 14,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned PasidW  = 1,
  localparam type walk_t     = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type enter_t    = `LW_PWC_ENTER_T(2),
  localparam type found_t    = `LW_PWC_RESULT_T(PfnW, 1),
  localparam type pwc_fill_t = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type mark_t     = `LW_MARK_T(PasidW)
) (
  input logic       clk_i,
  input enter_t     enter_i,
  input walk_t      walk_i,
  input logic [8:0] told_fill_i,
  input pwc_fill_t  fill_i,
  input mark_t      mark_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  found_t result;

  page_walk_cache #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Walkers(2), .PwcOrg(PwcOrg), .PwcEntries(PwcEntries),
    .PwcWays(PwcWays), .PwcLatency(PwcLatency), .Subregions(1'b0)
  ) dut (
    .clk_i,
    .rst_ni,
    .enter_i,
    .walker_o(),
    .walk_i,
    .told_walker_o(),
    .told_look_i  ('0),
    .told_fill_i,
    .result_o(result),
    .fill_i,
    .mark_i
  );

  level : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !fill_i.valid || (fill_i.level >= 3'd2 && 32'(fill_i.level) <= Levels));

  // The index of a fill's PTE is told a cycle before (R6.7); a lookup's is not, with a latency of 1.
  logic [8:0] told_q;

  always_ff @(posedge clk_i) told_q <= told_fill_i;

  told : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !fill_i.valid || 9'(fill_i.key.vpn >> (9 * (32'(fill_i.level) - 1))) == told_q);

  logic twice, misranked;

  if (PwcOrg == 0) begin : gen_by_level
    logic [PwcEntries-1:0] present;

    always_comb begin
      twice   = 1'b0;
      present = '0;
      for (int unsigned a = 0; a < PwcEntries; a++) begin
        present[dut.gen_by_level.u_table.rank_q[a]] = 1'b1;
        for (int unsigned b = a + 1; b < PwcEntries; b++) begin
          twice |= dut.gen_by_level.u_table.valid_q[a] && dut.gen_by_level.u_table.valid_q[b] &&
                   dut.gen_by_level.u_table.pasid_q[a] == dut.gen_by_level.u_table.pasid_q[b] &&
                   dut.gen_by_level.u_table.tag_q[a] == dut.gen_by_level.u_table.tag_q[b];
        end
      end
      misranked = !(&present);
    end

    logic [PasidW-1:0] looked_q;  // of the lookup that the result is of

    always_ff @(posedge clk_i) looked_q <= dut.key_pasid_q;

    node_tells : assume property (@(posedge clk_i) disable iff (!rst_ni)
                     !fill_i.valid || fill_i.node[PfnW-1] == fill_i.key.pasid);

    one_way_of_a_level : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                          $onehot0(dut.gen_by_level.u_table.match));
    node_of_its_pasid : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                         !(result.valid && result.hit) || result.node[PfnW-1] == looked_q);
  end else begin : gen_by_address
    localparam int unsigned Sets = PwcEntries / PwcWays;
    logic [PwcWays-1:0] present;

    always_comb begin
      twice     = 1'b0;
      misranked = 1'b0;
      for (int unsigned s = 0; s < Sets; s++) begin
        present = '0;
        for (int unsigned a = 0; a < PwcWays; a++) begin
          present[dut.gen_by_address.u_table.rank_q[s*PwcWays+a]] = 1'b1;
          for (int unsigned b = a + 1; b < PwcWays; b++) begin
            twice |= dut.gen_by_address.u_table.valid_q[s*PwcWays+a] &&
                     dut.gen_by_address.u_table.valid_q[s*PwcWays+b] &&
                     dut.gen_by_address.u_table.u_tag.gen_flops.mem_q[s*PwcWays+a] ==
                     dut.gen_by_address.u_table.u_tag.gen_flops.mem_q[s*PwcWays+b];
          end
        end
        misranked |= !(&present);
      end
    end

    one_way_by_address : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                          $onehot0(dut.gen_by_address.u_table.match));
    // The tags are in two arrays, which hold the same.
    for (genvar e = 0; e < PwcEntries; e++) begin : gen_copies
      tags_agree : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                    !dut.gen_by_address.u_table.valid_q[e] ||
                                    dut.gen_by_address.u_table.u_tag.gen_flops.mem_q[e] ==
                                    dut.gen_by_address.u_table.u_fill_tag.gen_flops.mem_q[e]);
    end
  end

  none_twice : assert property (@(posedge clk_i) disable iff (!rst_ni) !twice);
  ranks_in_order : assert property (@(posedge clk_i) disable iff (!rst_ni) !misranked);

endmodule
