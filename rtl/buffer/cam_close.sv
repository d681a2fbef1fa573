// Whether an operation of the CAM may still change an entry with this PASID and VPN (R5.6): it lies in
// the neighbourhood at the wider of the operation's two levels, that of the release (a claim's is one
// below), or for a commit that of its claim.
//
// Combinational. Levels are 1..5, of a commit's release 0.
module cam_close
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4
) (
  input  cam_op_e           op_i,
  input  logic [PasidW-1:0] pasid_i,
  input  logic [VpnW-1:0]   vpn_i,
  input  logic [2:0]        level_i,
  input  reach_e            reach_i,
  input  logic              claim_i,
  input  logic [2:0]        claim_level_i,
  input  reach_e            claim_reach_i,
  input  logic [PasidW-1:0] key_pasid_i,
  input  logic [VpnW-1:0]   key_vpn_i,
  output logic              close_o
);

  logic      commits, there;
  segments_t segments;

  assign commits  = op_i == CamCommit;
  assign there    = op_i != CamNone && (!commits || claim_i);
  assign segments = commits ? segments_of(claim_level_i, claim_reach_i) :
                              segments_of(level_i, reach_i);
  assign close_o  = there && pasid_i == key_pasid_i &&
                    is_near(differing_t'({vpn_i ^ key_vpn_i}), segments);

endmodule
