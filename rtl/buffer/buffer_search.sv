// Compares the operation in the CAM's search stage with every entry of the IOMMU buffer (R4.4).
//
// It finds who lies in the neighbourhood of the operation's release and who in that of its claim, and
// for a scan also where in the line each entry's own PTE is (R9.4). Combinational. The index of an entry
// is its slot; levels are 1..5, and 0 where the operation releases none (a commit, and a scan of a victim
// buffer above level 1, R21.12); positions are bit planes, zero where near_o.level is.
`include "lockwalk_types.svh"

module buffer_search
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type cam_op_t = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type near_t   = `LW_NEAR_T(Entries)
) (
  input  logic [Entries-1:0] valid_i,
  input  logic [PasidW-1:0]  pasid_i [Entries],
  input  logic [VpnW-1:0]    vpn_i   [Entries],
  input  cam_op_t            op_i,
  output near_t              near_o
);

  near_t      near;
  logic       release_search, claim_search, place_search, wide;
  segments_t  release_segments, claim_segments;
  logic [2:0] own_position;

  assign release_segments = segments_of(op_i.level, Subregions ? op_i.reach : ReachLine);
  assign claim_segments   = segments_of(op_i.claim.level,
                                        Subregions ? op_i.claim.reach : ReachLine);
  assign release_search   = Coalesce && op_i.op != CamNone && op_i.level != '0;
  assign claim_search     = Coalesce && op_i.op != CamNone && op_i.claim.valid;
  assign place_search     = release_search && op_i.op == CamScan;
  assign wide             = Subregions && op_i.reach != ReachLine;

  always_comb begin
    near         = '0;
    own_position = '0;
    if (release_search || claim_search) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (valid_i[e] && pasid_i[e] == op_i.key.pasid) begin
          near.level[e] = release_search &&
                          is_near(differing_t'({vpn_i[e] ^ op_i.key.vpn}), release_segments);
          near.claim[e] = claim_search &&
                          is_near(differing_t'({vpn_i[e] ^ op_i.key.vpn}), claim_segments);
          own_position = '0;
          for (int unsigned k = 1; k <= Levels; k++) begin
            if (op_i.level == 3'(k)) own_position |= vpn_i[e][9*(k-1)+:3];
          end
          if (wide) own_position = op_i.position;
          for (int unsigned b = 0; b < 3; b++) begin
            near.position[b][e] = place_search && near.level[e] && own_position[b];
          end
        end
      end
    end
  end

  assign near_o = near;

  // What the line was worth and what the walk permits is for the update.
  logic unused;
  assign unused = ^{op_i.error, op_i.failed, op_i.perm};

endmodule
