// The step cache (R21.3, R21.14, R21.15): of any one group of any one address space it says, whenever that is looked
// for, what was filled last, steps and contiguity bits (R20.27), and nothing once another group has taken the place or
// a mark has met it; so nobody is ever led by the steps of another.
//
// Beside it stands a model that knows of this one group. VPNs are short, with five bits of a group's number: the cache
// only compares them.
`include "lockwalk_types.svh"

module step_cache_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned PwcEntries = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam int unsigned RegionLsb = $clog2(SlotPages),
  localparam int unsigned GroupLsb  = RegionLsb + 4,
  localparam int unsigned VpnW      = GroupLsb + 5,
  localparam int unsigned PasidW    = 1,
  localparam int unsigned IndexW    = $clog2(PwcEntries),
  localparam type key_t  = `LW_KEY_T(VpnW, PasidW),
  localparam type fill_t = `LW_STEP_FILL_T(VpnW, PasidW),
  localparam type mark_t = `LW_MARK_T(PasidW)
) (
  input logic  clk_i,
  input key_t  group_i,  // any one
  input key_t  look_i,
  input fill_t fill_i,
  input mark_t mark_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic               present;
  logic [2:0]         step;
  logic [ContigW-1:0] contig;

  step_cache #(
    .VpnW(VpnW), .PasidW(PasidW), .PwcEntries(PwcEntries), .Subregions(Subregions),
    .SlotPages(SlotPages)
  ) dut (
    .clk_i,
    .rst_ni,
    .look_i,
    .present_o(present),
    .step_o   (step),
    .contig_o (contig),
    .fill_i,
    .mark_i
  );

  key_t          group_q;
  logic          known_q;
  logic [63:0]   steps_q;
  step_contigs_t contigs_q;
  logic          same_place, same_group;

  assign same_place = fill_i.key.vpn[GroupLsb+:IndexW] == group_q.vpn[GroupLsb+:IndexW];
  assign same_group = fill_i.key.vpn[VpnW-1:GroupLsb] == group_q.vpn[VpnW-1:GroupLsb] &&
                      fill_i.key.pasid == group_q.pasid;

  always_ff @(posedge clk_i) if (!rst_ni) group_q <= group_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q   <= 1'b0;
      steps_q   <= '0;
      contigs_q <= '0;
    end else begin
      if (fill_i.valid && same_place) known_q <= same_group;
      if (fill_i.valid && same_group) begin
        steps_q   <= fill_i.steps;
        contigs_q <= Subregions ? fill_i.contigs : '0;
      end
      if (`LW_MEETS(mark_i, group_q.pasid)) known_q <= 1'b0;
    end
  end

  // Present and step of the region that is looked for, and its CONTIG.
  logic               asked;
  logic [3:0]         place, region;
  logic [ContigW-1:0] region_contig;

  assign place         = look_i.vpn[RegionLsb+:4];
  assign region        = steps_q[4*place+:4];
  assign region_contig = {contigs_q.ac[place], contigs_q.c[place]};

  assign asked = look_i.vpn[VpnW-1:GroupLsb] == group_q.vpn[VpnW-1:GroupLsb] &&
                 look_i.pasid == group_q.pasid;

  finds_what_was_filled : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                           !asked || present == (known_q && region[3]));
  gives_what_was_filled : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                           !(asked && present) || (step == region[2:0] && contig == region_contig));

endmodule
