// What a bucket of the step table says of a page's region (R20.8, R20.9): whether it knows the region's group, of which
// `steps_o` is then the second word, whether the region is present, and at which step of its chain. With Subregions an
// entry is twice as long, and says of the group's regions how far they are contiguous too (R20.27).
//
// Combinational. The entries are compared side by side, and beside that each one's part of the region is chosen; of two
// entries with one group the first counts.
`include "lockwalk_types.svh"

module step_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam type key_t = `LW_KEY_T(VpnW, PasidW)
) (
  input  logic [7:0][63:0]   line_i,
  input  key_t               key_i,
  output logic               known_o,
  output logic [63:0]        steps_o,
  output step_contigs_t      contigs_o,
  output logic               present_o,
  output logic [2:0]         step_o,
  output logic [ContigW-1:0] contig_o    // of the region
);

  localparam int unsigned Words     = Subregions ? 4 : 2;  // of an entry
  localparam int unsigned Entries   = 8 / Words;
  localparam int unsigned RegionLsb = region_lsb(SlotPages);
  localparam int unsigned GroupLsb  = group_lsb(SlotPages);

  logic [63:0]                     group;   // the first word of the group's entry, AC as zero
  logic [3:0]                      region;
  logic [Entries-1:0]              equal, first;
  logic [Entries-1:0][63:0]        steps;
  step_contigs_t [Entries-1:0]     contigs;
  logic [Entries-1:0][3:0]         place;   // the region's present and step
  logic [Entries-1:0][ContigW-1:0] contig;

  assign group  = {1'b1, 20'b0, 11'(key_i.pasid), 32'(key_i.vpn[VpnW-1:GroupLsb])};
  assign region = key_i.vpn[RegionLsb+:4];

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    logic [63:0] word;

    assign steps[e] = line_i[Words*e+1];
    assign place[e] = steps[e][4*region+:4];

    if (Subregions) begin : gen_contigs
      assign word       = {line_i[Words*e][63:59], 16'b0, line_i[Words*e][42:0]};
      assign contigs[e] = '{ac: line_i[Words*e][58:43],
                            c:  {line_i[Words*e+3], line_i[Words*e+2]}};
      assign contig[e]  = {contigs[e].ac[region], contigs[e].c[region]};
    end else begin : gen_no_contigs
      assign word       = line_i[Words*e];
      assign contigs[e] = '0;
      assign contig[e]  = '0;
    end

    assign equal[e] = word == group;
  end

  always_comb begin
    first = equal;
    for (int unsigned e = 1; e < Entries; e++) begin
      for (int unsigned f = 0; f < e; f++) if (equal[f]) first[e] = 1'b0;
    end
  end

  assign known_o = |equal;

  always_comb begin
    steps_o             = '0;
    contigs_o           = '0;
    {present_o, step_o} = '0;
    contig_o            = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      steps_o             |= steps[e] & {64{first[e]}};
      contigs_o           |= contigs[e] & {$bits(step_contigs_t) {first[e]}};
      {present_o, step_o} |= place[e] & {4{first[e]}};
      contig_o            |= contig[e] & {ContigW{first[e]}};
    end
  end

  // A group is asked for, and a region in it.
  logic unused;
  assign unused = ^key_i.vpn[RegionLsb-1:0];

endmodule
