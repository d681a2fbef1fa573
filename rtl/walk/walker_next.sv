// The next state of one page walker, from its state and from what happens to it (chapter 7).
//
// Combinational. Up to two things happen to a walker in one cycle, and then a mark is the second (R11.2); what
// is written later here wins.
`include "lockwalk_types.svh"

module walker_next
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter int unsigned SlotW      = 8,
  parameter int unsigned WalkerW    = 3,
  parameter int unsigned PwcOrg     = 0,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type pwst_t   = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW),
  localparam type walk_t   = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type result_t = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type step_t   = `LW_STEP_T(PfnW)
) (
  input  pwst_t         pwst_i,
  input  walker_event_t happens_i,
  input  features_t     features_i,
  input  pwst_t         taken_i,       // the walker that takes the entry which was read
  input  walk_t         started_i,     // where a commit starts the walk
  input  logic          root_known_i,  // ... if there is a page table
  input  logic          entry_stale_i, // of the entry that it commits to (R5.9)
  input  result_t       result_i,      // of the page walk cache
  input  logic [2:0]    scan_level_i,  // of the line
  input  step_t         step_i,        // what the line says
  output pwst_t         pwst_o
);

  logic by_address, hits_again;

  assign by_address = PwcOrg == 1;

  // R6.3: by address, a lookup finds one level at a time, and a hit may go on with the next.
  assign hits_again = by_address && !pwst_i.started && result_i.hit && result_i.level >= 3'd2;

  always_comb begin
    pwst_o = pwst_i;
    if (happens_i.taken) pwst_o = taken_i;  // R5.4
    if (happens_i.entered) pwst_o.state = WalkerPwcWait;  // R6.1
    if (happens_i.found && !(happens_i.met && !pwst_i.started)) begin  // R6.2, R6.3, R11.11
      if (result_i.hit) begin
        pwst_o.walk.level = result_i.level;
        pwst_o.walk.node  = result_i.node;
        pwst_o.walk.perm  = result_i.perm;
        if (Subregions) pwst_o.walk.contig = result_i.contig;
      end
      if (by_address && pwst_i.started && !result_i.hit) pwst_o.state = WalkerReq;
      else pwst_o.state = hits_again ? WalkerPwcReq : WalkerCam;
    end
    if (happens_i.gave_back) pwst_o.state = WalkerIdle;  // R5.7
    if (happens_i.advanced) begin  // R7.7
      pwst_o.state = (pwst_i.walk.level >= 3'd2 && features_i.pwc_enable) ? WalkerPwcReq :
                                                                            WalkerReq;
    end
    if (happens_i.loaded) begin  // R7.2; R7.8: for as long as memory takes
      pwst_o.state   = WalkerMem;
      pwst_o.no_fill = 1'b0;
    end
    if (happens_i.scanned) begin
      if (step_i.descends) begin  // R7.4
        pwst_o.walk.level = scan_level_i - 3'd1;
        pwst_o.walk.node  = step_i.frame;
        pwst_o.walk.perm  = step_i.perm;
        if (Subregions) pwst_o.walk.contig = step_i.contig;
        pwst_o.state = (by_address && features_i.pwc_enable && scan_level_i >= 3'd3) ?
                       WalkerPwcReq : WalkerReq;
      end else begin  // R7.5
        pwst_o.kind      = step_i.kind;
        pwst_o.flevel    = step_i.level;
        pwst_o.walk.node = step_i.pfn;
        pwst_o.size      = step_i.size;
        pwst_o.walk.perm = (step_i.kind == KindOk) ? step_i.perm : 2'd0;
        if (step_i.kind != KindOk || scan_level_i != 3'd1) pwst_o.walk.contig = '0;
        pwst_o.state     = WalkerResp;
      end
    end
    if (happens_i.answered) begin  // R7.6
      pwst_o.state   = WalkerIdle;
      pwst_o.started = 1'b0;
    end
    if (happens_i.committed) begin  // R5.8, R5.9; where it starts is known last
      pwst_o.walk.level  = started_i.level;
      pwst_o.walk.node   = root_known_i ? started_i.node : '0;
      pwst_o.walk.perm   = root_known_i ? started_i.perm : '0;
      pwst_o.walk.contig = root_known_i ? started_i.contig : '0;
      pwst_o.started     = 1'b1;
      pwst_o.stale       = entry_stale_i;
      pwst_o.state       = root_known_i ? WalkerReq : WalkerResp;
      pwst_o.kind        = root_known_i ? KindOk : KindUnknownPasid;
    end
    if (happens_i.marked && pwst_i.state == WalkerMem) pwst_o.no_fill = by_address;  // R6.15
    if (happens_i.met) begin  // R11.2, R11.12
      if (pwst_o.started) begin
        pwst_o.stale = 1'b1;
      end else if (pwst_o.state != WalkerIdle) begin
        pwst_o.state      = WalkerCam;
        pwst_o.walk.level = 3'(Levels);
        pwst_o.walk.perm  = 2'b11;
        if (Subregions) pwst_o.walk.contig = '0;
      end
    end
  end

  // The start keeps the page and access that the walker has taken over; whose result it is has been asked outside.
  logic unused;
  assign unused = ^{features_i.colt_enable, features_i.subregion_enable, features_i.pl_skips_pwc,
                    features_i.mode, started_i.key, started_i.access, result_i.valid,
                    result_i.walker, step_i.pte_perm};

endmodule
