// The operation that the walkers ask the buffer's CAM for in this cycle, if any (R4.4, R4.7): a scan before a
// commit before an advance.
//
// Each releases the neighbourhood of the level that its walk has done with and claims that of the next
// access: a scan that of the node which its line names; a commit, which releases none, that of the start of
// its walk, or where a lookup of the page walk cache comes first its own line (R5.24); an advance the level
// that the lookup has led to. Combinational.
//
// In a hashed table a scan that only finds the way teaches nobody, and claims where the walk goes on in the table
// (R21.12): what the page's PTE there is for, or the reach of the bucket. On the way through the victim buffer, down to
// its level 1, nobody waits for the walk, so that it releases nobody either.
`include "lockwalk_types.svh"

module cam_request
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PfnW   = 36,
  parameter int unsigned PasidW = 4,
  parameter bit          Hashes = 1'b0,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type walk_t   = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type scan_t   = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type step_t   = `LW_STEP_T(PfnW),
  localparam type cam_op_t = `LW_CAM_OP_T(VpnW, PasidW)
) (
  input  logic    scanned_i,
  input  scan_t   scan_i,
  input  logic    error_i,       // of the scanned line
  input  step_t   step_i,
  input  logic    committed_i,
  input  logic    commit_met_i,  // ... by a mark: then the CAM takes nothing (R11.7)
  input  walk_t   started_i,     // where a commit starts its walk
  input  logic    root_known_i,  // ... if there is a page table (R5.9)
  input  logic    due_i,         // ... after a lookup of the page walk cache
  input  logic    advanced_i,
  input  walk_t   advancing_i,   // the walker that would advance
  input  logic    own_line_i,    // ... and has claimed its own line only
  output cam_op_t cam_o
);

  logic  of_victim;  // the scanned line is of the victim buffer, above its level 1 (R21.13)
  logic  teaches;    // ... may teach others (R21.12)
  walk_t next;       // of a commit or an advance
  logic  own_line;  // R5.24: a commit claims no more until the lookup is made

  assign of_victim = Hashes && scan_i.where == WhereVictim && scan_i.level >= 3'd2;
  assign teaches   = !Hashes || !(of_victim || scan_i.where == WhereSteps || step_i.strays);

  assign next     = committed_i ? started_i : advancing_i;
  assign own_line = committed_i && due_i;

  always_comb begin
    if (scanned_i) begin
      cam_o.op          = CamScan;
      cam_o.reach       = scan_i.reach;
      cam_o.position    = scan_i.position;
      cam_o.error       = error_i || !teaches;
      cam_o.failed      = error_i;
      cam_o.perm        = scan_i.perm;
      cam_o.key         = scan_i.key;
      cam_o.level       = of_victim ? '0 : scan_i.level;
      cam_o.claim.valid = step_i.descends && !(of_victim && scan_i.level != 3'd2);
      cam_o.claim.level = scan_i.level - 3'd1;
      cam_o.claim.reach = reach_of(cam_o.claim.level, step_i.contig, scan_i.key.vpn[8:6]);
      cam_o.claim.perm  = step_i.perm;
      if (Hashes && step_i.turns) begin
        cam_o.claim.valid = step_i.turn.where != WhereVictim;
        cam_o.claim.level = step_i.turn.level;
        cam_o.claim.reach = reach_of(step_i.turn.level, step_i.turn.contig, scan_i.key.vpn[8:6]);
        cam_o.claim.perm  = scan_i.perm;
      end
    end else begin
      cam_o.op          = committed_i ? (commit_met_i ? CamNone : CamCommit) :
                                        (advanced_i ? CamAdvance : CamNone);
      cam_o.reach       = ReachLine;  // R7.7
      cam_o.position    = '0;
      cam_o.error       = 1'b0;
      cam_o.failed      = 1'b0;
      cam_o.perm        = '0;
      cam_o.key         = next.key;
      cam_o.level       = committed_i ? '0 :
                          own_line_i ? 3'd1 : advancing_i.level + 3'd1;
      cam_o.claim.valid = !committed_i || root_known_i;
      cam_o.claim.level = own_line ? 3'd1 : next.level;
      cam_o.claim.reach = own_line ? ReachLine :
                          reach_of(next.level, next.contig, next.key.vpn[8:6]);
      cam_o.claim.perm  = next.perm;
    end
  end

  // An operation says where it works and what the walk permits, not what the walk has read.
  logic unused;
  assign unused = ^{next, scan_i, step_i};

endmodule
