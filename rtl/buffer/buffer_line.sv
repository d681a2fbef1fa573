// What a scanned line says to the entries of the IOMMU buffer in its neighbourhood (R9.4).
//
// Selects each entry's own PTE from the eight in the line and judges it with that entry's access: a fault,
// a leaf, or a node. Whether the entry takes the result (PL, DONE, permissions) is decided where it is
// written. Combinational. The index of an entry is its slot; positions, permissions and accesses are bit
// planes; levels are 1..5. PERM is {execute, write}; of an entry that is not near everything is zero.
`include "lockwalk_types.svh"

module buffer_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW       = 36,
  parameter int unsigned Entries    = 256,
  parameter bit          Subregions = 1'b0,
  localparam type line_t = `LW_LINE_T(PfnW)
) (
  input  logic                    scan_i,          // there is a line
  input  logic [2:0]              level_i,
  input  reach_e                  reach_i,
  input  logic [1:0]              perm_i,          // what the walk permits above the line
  input  line_t                   line_i,
  input  logic [Entries-1:0]      near_i,
  input  logic [2:0][Entries-1:0] near_position_i,
  input  logic [1:0][Entries-1:0] access_i,
  output logic [Entries-1:0]      refused_o,       // a fault
  output logic [Entries-1:0]      leaf_o,
  output logic [PfnW-1:0]         pa_o     [Entries],
  output logic [ContigW-1:0]      contig_o [Entries],
  output logic [1:0][Entries-1:0] perm_o
);

  // An entry's LINKS are taken where it is written (buffer_update).
  logic unused;
  assign unused = ^line_i.links;

  logic               beyond_line;  // every match takes the PTE of the walker's access
  logic [ContigW-1:0] reached;      // R9.4: what says the reach of an answer

  assign beyond_line = Subregions && level_i == 3'd1 && reach_i != ReachLine;
  assign reached     = !beyond_line ? '0 :
                       (reach_i == ReachFrame ? {1'b1, 8'h00} : {1'b0, 8'hff});

  // Each PTE is judged once (R1.6) but for the access, of which PERM says enough: who matches has an
  // access that the p of the scan grants.
  logic [7:0]              line_refuses, line_leaf;
  logic [7:0][1:0]         line_perm;  // R1.8
  logic [7:0][ContigW-1:0] line_contig;

  for (genvar j = 0; j < 8; j++) begin : gen_judge
    assign line_refuses[j] = line_i.verdict[j].kind != KindOk || !line_i.verdict[j].user;
    assign line_leaf[j]    = line_i.verdict[j].leaf;
    assign line_perm[j]    = perm_i & line_i.verdict[j].perm;
    assign line_contig[j]  = !Subregions ? '0 :
                             (line_i.verdict[j].leaf ? reached : line_i.contig[j]);
  end

  logic [7:0] own;  // an entry's PTE in the line, one-hot

  always_comb begin
    refused_o   = '0;
    leaf_o      = '0;
    perm_o      = '0;
    own         = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      pa_o[e]     = '0;
      contig_o[e] = '0;
    end
    if (scan_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (near_i[e]) begin
          own = 8'd1 << {near_position_i[2][e], near_position_i[1][e], near_position_i[0][e]};
          for (int unsigned j = 0; j < 8; j++) begin
            pa_o[e]      |= line_i.frame[j] & {PfnW{own[j]}};
            contig_o[e]  |= line_contig[j] & {ContigW{own[j]}};
            perm_o[0][e] |= line_perm[j][0] & own[j];
            perm_o[1][e] |= line_perm[j][1] & own[j];
          end
          refused_o[e] = |(line_refuses & own) ||
                         (access_i[1][e] ? !perm_o[1][e] : access_i[0][e] && !perm_o[0][e]);
          leaf_o[e]    = |(line_leaf & own);
        end
      end
    end
  end

endmodule
