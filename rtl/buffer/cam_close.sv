// Whether an operation of the CAM is close to an entry with this key: it may still change it (R5.21).
//
// It may if the key lies in the neighbourhood at the wider of the operation's two levels: that of the
// release (the claim's is one level below), or that of the claim for a commit, for an advance of a
// walker that had its own line only, and in a hashed table for a scan whose claim is higher (R21.12).
// Combinational; levels are 1..5, and 0 where nobody is released.
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

  logic      claims_only, claims_more, wide_claim, there;
  segments_t segments;

  // A scan's claim is above its release in two cases: nobody is released, or an own line is and a bucket claimed.
  assign claims_only = op_i.op == CamCommit || (Hashes && op_i.level == '0);
  assign claims_more = Hashes && op_i.op == CamScan && op_i.level == 3'd1 && op_i.claim.valid;
  assign there       = op_i.op != CamNone && (!claims_only || op_i.claim.valid);
  assign wide_claim  = claims_only || claims_more || (op_i.op == CamAdvance && op_i.level == 3'd1);
  assign segments    = wide_claim ? segments_of(op_i.claim.level, op_i.claim.reach) :
                                    segments_of(op_i.level, op_i.reach);
  assign close_o     = there && op_i.key.pasid == key_i.pasid &&
                       is_near(differing_t'({op_i.key.vpn ^ key_i.vpn}), segments);

  // Only where the operation works is asked, not what it writes.
  logic unused;
  assign unused = ^{op_i.position, op_i.error, op_i.failed, op_i.perm};

endmodule
