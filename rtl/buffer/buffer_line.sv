// What a scanned line says to every entry of the IOMMU buffer that lies near (R9.4): its own PTE of the
// eight, judged with its own access. Who of them the line is for (PL, DONE, the grant) is not asked here:
// that decides only what is written.
//
// Combinational. Index of an entry = its slot; positions, permissions and accesses are planes; levels are
// 1..5. PERM is {execute, write}; of an entry that is not near all is zero.
module buffer_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW       = 36,
  parameter int unsigned Entries    = 256,
  parameter bit          Subregions = 1'b0
) (
  input  cam_op_e                 op_i,
  input  logic [2:0]              level_i,
  input  reach_e                  reach_i,
  input  logic [1:0]              perm_i,          // p of the scan
  input  verdict_t [7:0]          verdict_i,
  input  logic [7:0][PfnW-1:0]    frame_i,
  input  logic [7:0][ContigW-1:0] contig_i,
  input  logic [Entries-1:0]      near_i,
  input  logic [2:0][Entries-1:0] near_position_i,
  input  logic [1:0][Entries-1:0] access_i,
  output logic [Entries-1:0]      refused_o,       // a fault, in kind_o
  output logic [Entries-1:0]      leaf_o,
  output logic [3:0]              kind_o   [Entries],
  output logic [PfnW-1:0]         pa_o     [Entries],
  output logic [ContigW-1:0]      contig_o [Entries],
  output logic [1:0][Entries-1:0] perm_o
);

  logic               beyond_line;  // every match takes the PTE of the walker's access
  logic [ContigW-1:0] reached;      // R9.4: what says the reach of an answer

  assign beyond_line = Subregions && level_i == 3'd1 && reach_i != ReachLine;
  assign reached     = !beyond_line ? '0 :
                       (reach_i == ReachFrame ? {1'b1, 8'h00} : {1'b0, 8'hff});

  // Each PTE is judged once (R1.6) but for the access, of which PERM says enough: who matches has an
  // access that the p of the scan grants.
  logic [7:0]              line_refuses, line_leaf;
  logic [7:0][3:0]         line_kind;  // of who is refused
  logic [7:0][1:0]         line_perm;  // R1.8
  logic [7:0][ContigW-1:0] line_contig;

  for (genvar j = 0; j < 8; j++) begin : gen_judge
    assign line_refuses[j] = verdict_i[j].kind != KindOk || !verdict_i[j].user;
    assign line_leaf[j]    = verdict_i[j].leaf;
    assign line_kind[j]    = verdict_i[j].kind != KindOk ? verdict_i[j].kind : KindPermission;
    assign line_perm[j]    = perm_i & verdict_i[j].perm;
    assign line_contig[j]  = !Subregions ? '0 : (verdict_i[j].leaf ? reached : contig_i[j]);
  end

  logic [7:0] own;  // an entry's PTE in the line, one-hot
  logic       own_refuses;

  always_comb begin
    refused_o   = '0;
    leaf_o      = '0;
    perm_o      = '0;
    own         = '0;
    own_refuses = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      kind_o[e]   = '0;
      pa_o[e]     = '0;
      contig_o[e] = '0;
    end
    if (op_i == CamScan) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (near_i[e]) begin
          own = 8'd1 << {near_position_i[2][e], near_position_i[1][e], near_position_i[0][e]};
          for (int unsigned j = 0; j < 8; j++) begin
            kind_o[e]    |= line_kind[j] & {4{own[j]}};
            pa_o[e]      |= frame_i[j] & {PfnW{own[j]}};
            contig_o[e]  |= line_contig[j] & {ContigW{own[j]}};
            perm_o[0][e] |= line_perm[j][0] & own[j];
            perm_o[1][e] |= line_perm[j][1] & own[j];
          end
          own_refuses = |(line_refuses & own) ||
                        (access_i[1][e] ? !perm_o[1][e] : access_i[0][e] && !perm_o[0][e]);
          refused_o[e] = own_refuses;
          leaf_o[e]    = |(line_leaf & own);
          kind_o[e]   &= {4{own_refuses}};
        end
      end
    end
  end

endmodule
