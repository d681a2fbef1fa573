// The operation in search against every entry of the IOMMU buffer (R4.4): who lies in the neighbourhood
// of its release and of its claim, and of a scan the position in the line of each entry's PTE (R9.4).
//
// Combinational. Index of an entry = its slot; levels are 1..5, of a commit's release 0; positions are
// planes, zero where near_level_o is.
module buffer_search
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9
) (
  input  logic [Entries-1:0]      valid_i,
  input  logic [PasidW-1:0]       pasid_i [Entries],
  input  logic [VpnW-1:0]         vpn_i   [Entries],
  input  cam_op_e                 op_i,
  input  logic [PasidW-1:0]       op_pasid_i,
  input  logic [VpnW-1:0]         op_vpn_i,
  input  logic [2:0]              op_level_i,
  input  reach_e                  op_reach_i,
  input  logic [2:0]              op_position_i,
  input  logic                    op_claim_i,
  input  logic [2:0]              op_claim_level_i,
  input  reach_e                  op_claim_reach_i,
  output logic [Entries-1:0]      near_level_o,
  output logic [Entries-1:0]      near_claim_o,
  output logic [2:0][Entries-1:0] near_position_o
);

  logic       release_search, claim_search, place_search, wide;
  segments_t  release_segments, claim_segments;
  logic [2:0] own_position;

  assign release_segments = segments_of(op_level_i, Subregions ? op_reach_i : ReachLine);
  assign claim_segments   = segments_of(op_claim_level_i,
                                        Subregions ? op_claim_reach_i : ReachLine);
  assign release_search   = Coalesce && op_i != CamNone && op_level_i != '0;
  assign claim_search     = Coalesce && op_i != CamNone && op_claim_i;
  assign place_search     = release_search && op_i == CamScan;
  assign wide             = Subregions && op_reach_i != ReachLine;

  always_comb begin
    near_level_o    = '0;
    near_claim_o    = '0;
    near_position_o = '0;
    own_position    = '0;
    if (release_search || claim_search) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (valid_i[e] && pasid_i[e] == op_pasid_i) begin
          near_level_o[e] = release_search &&
                            is_near(differing_t'({vpn_i[e] ^ op_vpn_i}), release_segments);
          near_claim_o[e] = claim_search &&
                            is_near(differing_t'({vpn_i[e] ^ op_vpn_i}), claim_segments);
          own_position = '0;
          for (int unsigned k = 1; k <= Levels; k++) begin
            if (op_level_i == 3'(k)) own_position |= vpn_i[e][9*(k-1)+:3];
          end
          if (wide) own_position = op_position_i;
          for (int unsigned b = 0; b < 3; b++) begin
            near_position_o[b][e] = place_search && near_level_o[e] && own_position[b];
          end
        end
      end
    end
  end

endmodule
