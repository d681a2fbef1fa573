// Whether an operation of the CAM is close to an entry with this key: it may still change it (R5.21).
//
// It may if the key lies in the neighbourhood at the wider of the operation's two levels: that of the
// release (the claim's is one level below), or that of the claim for a commit and for an advance of a
// walker that had its own line only. Combinational; levels are 1..5, and 0 for the release of a commit, and in a hashed
// table for that of a scan that releases nobody (R21.12): then too its claim counts alone.
`include "lockwalk_types.svh"

module cam_close
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4,
  parameter bit          Hashes = 1'b0,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type cam_op_t = `LW_CAM_OP_T(VpnW, PasidW)
) (
  input  cam_op_t op_i,
  input  key_t    key_i,
  output logic    close_o
);

  logic      claims_only, wide_claim, there;
  segments_t segments;

  assign claims_only = op_i.op == CamCommit || (Hashes && op_i.level == '0);
  assign there       = op_i.op != CamNone && (!claims_only || op_i.claim.valid);
  assign wide_claim  = claims_only || (op_i.op == CamAdvance && op_i.level == 3'd1);
  assign segments    = wide_claim ? segments_of(op_i.claim.level, op_i.claim.reach) :
                                    segments_of(op_i.level, op_i.reach);
  assign close_o     = there && op_i.key.pasid == key_i.pasid &&
                       is_near(differing_t'({op_i.key.vpn ^ key_i.vpn}), segments);

  // Only where the operation works is asked, not what it writes.
  logic unused;
  assign unused = ^{op_i.position, op_i.error, op_i.perm};

endmodule
