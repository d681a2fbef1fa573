// The step cache (chapter 21): of groups of 16 regions at which step of its chain in a hashed table each lies (R20.8),
// and with Subregions how far it is contiguous (R20.27).
//
// Direct mapped: a group has one place, by its lowest bits. The look is combinational; `present_o` says that the
// entry is of this group and address space and has the region, and that its step is on `step_o`, its CONTIG on
// `contig_o`. A fill is written in its cycle, and a mark clears what it meets, also what is written then (R21.15).
`include "lockwalk_types.svh"

module step_cache
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned PwcEntries = 32,  // a power of two, 2..64
  parameter bit          Subregions = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam type key_t  = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t = `LW_MARK_T(PasidW),
  localparam type fill_t = `LW_STEP_FILL_T(VpnW, PasidW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  key_t               look_i,
  output logic               present_o,
  output logic [2:0]         step_o,
  output logic [ContigW-1:0] contig_o,
  input  fill_t              fill_i,  // R21.14
  input  mark_t              mark_i
);

  localparam int unsigned RegionLsb = region_lsb(SlotPages);
  localparam int unsigned GroupLsb  = group_lsb(SlotPages);
  localparam int unsigned IndexW    = $clog2(PwcEntries);
  localparam int unsigned TagLsb    = GroupLsb + IndexW;
  localparam int unsigned TagW      = VpnW - TagLsb;

  logic [PwcEntries-1:0] valid_q, valid_d;
  logic [PasidW-1:0]     pasid_q [PwcEntries];
  logic [TagW-1:0]       tag_q   [PwcEntries];
  logic [63:0]           steps_q [PwcEntries];
  logic [15:0]           ac_q     [PwcEntries];
  logic [63:0]           low_c_q  [PwcEntries];
  logic [63:0]           high_c_q [PwcEntries];

  // ---------------------------------------------------------------- the look (R21.3)

  logic [IndexW-1:0] look_index;
  logic [63:0]       look_steps;
  step_contigs_t     look_contigs;
  logic [3:0]        place;   // of the region in its group
  logic [3:0]        region;  // its present and step, if the entry is of its group

  assign look_index = look_i.vpn[GroupLsb+:IndexW];
  assign look_steps = steps_q[look_index];
  assign place      = look_i.vpn[RegionLsb+:4];
  assign region     = look_steps[4*place+:4];
  assign present_o  = valid_q[look_index] && pasid_q[look_index] == look_i.pasid &&
                      tag_q[look_index] == look_i.vpn[VpnW-1:TagLsb] && region[3];
  assign step_o     = region[2:0];

  assign look_contigs = '{ac: ac_q[look_index], c: {high_c_q[look_index], low_c_q[look_index]}};
  assign contig_o     = {look_contigs.ac[place], look_contigs.c[place]};

  // ---------------------------------------------------------------- fills and marks (R21.14, R21.15)

  logic [IndexW-1:0] fill_index;

  assign fill_index = fill_i.key.vpn[GroupLsb+:IndexW];

  always_comb begin
    for (int unsigned e = 0; e < PwcEntries; e++) begin
      valid_d[e] = valid_q[e] && !`LW_MEETS(mark_i, pasid_q[e]);
    end
    if (fill_i.valid) valid_d[fill_index] = !`LW_MEETS(mark_i, fill_i.key.pasid);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned e = 0; e < PwcEntries; e++) begin
        pasid_q[e]  <= '0;
        tag_q[e]    <= '0;
        steps_q[e]  <= '0;
        ac_q[e]     <= '0;
        low_c_q[e]  <= '0;
        high_c_q[e] <= '0;
      end
    end else begin
      valid_q <= valid_d;
      if (fill_i.valid) begin
        pasid_q[fill_index]  <= fill_i.key.pasid;
        tag_q[fill_index]    <= fill_i.key.vpn[VpnW-1:TagLsb];
        steps_q[fill_index]  <= fill_i.steps;
        ac_q[fill_index]     <= Subregions ? fill_i.contigs.ac : '0;
        low_c_q[fill_index]  <= Subregions ? fill_i.contigs.c[7:0] : '0;
        high_c_q[fill_index] <= Subregions ? fill_i.contigs.c[15:8] : '0;
      end
    end
  end

  // Of a page only its region is asked.
  logic unused;
  assign unused = ^{look_i.vpn[RegionLsb-1:0], fill_i.key.vpn[GroupLsb-1:0], fill_i.contigs};

endmodule
