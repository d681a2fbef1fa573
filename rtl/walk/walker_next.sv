// The next state of one page walker, from its state and from what happens to it (chapter 7).
//
// Combinational. Up to two things happen to a walker in one cycle, and then a mark is the second (R11.2); but a walker
// may take its entry and start in one (R5.20), and be scanned and answered (R10.13). What is written later here wins.
// With hashed tables it says too what a lookup of the step cache (R21.7) and a line make of a walk (R21.9).
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
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type pwst_t   = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW),
  localparam type look_t   = `LW_LOOK_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type result_t = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type step_t   = `LW_STEP_T(PfnW)
) (
  input  pwst_t            pwst_i,
  input  walker_event_t    happens_i,
  input  features_t        features_i,
  input  look_t            look_i,        // at the entry that was read
  input  logic [SlotW-1:0] slot_i,        // ... from here
  input  result_t          result_i,      // of the page walk cache
  input  logic [2:0]       scan_level_i,  // of the line
  input  step_t            step_i,        // what the line says
  output pwst_t            pwst_o
);

  localparam bit Hashes = PwcOrg == 2;

  logic               by_address, hits_again, upper, wide;
  logic [2:0]         level_left;
  logic               contig_found;  // CONTIG becomes that of the result (R6.2, R6.3, R21.7)
  logic [ContigW-1:0] contig_left;

  assign by_address = PwcOrg == 1;
  assign level_left = (result_i.hit || Hashes) ? result_i.level : pwst_i.walk.level;

  assign contig_found = Hashes ? result_i.hashed.where != WhereKnown : result_i.hit;
  assign contig_left  = contig_found ? result_i.contig : pwst_i.walk.contig;

  // After the lookup: more than one level is left, or its line is for more than itself (R1.11).
  assign upper = level_left != 3'd1;
  assign wide  = Subregions &&
                 reach_of(level_left, contig_left, pwst_i.walk.key.vpn[8:6]) != ReachLine;
  // R6.3: by address, a lookup finds one level at a time.
  assign hits_again = by_address && result_i.hit && (!pwst_i.own_line || upper);

  always_comb begin
    pwst_o = pwst_i;
    if (pwst_i.state == WalkerIdle) begin  // R14.2, which so waits for no pick
      pwst_o.started = 1'b0;
      pwst_o.stale   = 1'b0;
      pwst_o.tried   = 1'b0;
      pwst_o.no_fill = 1'b0;
      pwst_o.kind    = KindOk;
      pwst_o.flevel  = '0;
      pwst_o.size    = '0;
    end
    if (happens_i.picked || happens_i.asked) pwst_o.state = WalkerRead;  // R5.2, R5.6
    if (happens_i.taken) begin  // R5.4
      pwst_o.id   = look_i.entry.id;
      pwst_o.src  = look_i.entry.src;
      pwst_o.slot = slot_i;
      pwst_o.walk = look_i.walk;
      pwst_o.walk.hashed.bucket = pwst_i.walk.hashed.bucket;  // R21.2
    end
    if (happens_i.in_vain) begin  // R5.10
      pwst_o.state = WalkerCam;
      pwst_o.tried = 1'b1;
    end
    if (happens_i.gave_back) begin  // R5.7
      pwst_o.state = WalkerIdle;
      pwst_o.tried = 1'b0;
    end
    if (happens_i.second_hit) pwst_o.state = WalkerIdle;  // R5.28
    if (happens_i.second_miss) pwst_o.state = WalkerCam;
    if (happens_i.entered) pwst_o.state = WalkerPwcWait;  // R6.1
    if (happens_i.found) begin  // R6.2, R6.3, R21.7
      if (Hashes) begin
        pwst_o.walk.level         = result_i.level;
        pwst_o.walk.node          = result_i.node;
        pwst_o.walk.hashed.where  = result_i.hashed.where;
        pwst_o.walk.hashed.bucket = result_i.hashed.bucket;
      end else if (result_i.hit) begin
        pwst_o.walk.level = result_i.level;
        pwst_o.walk.node  = result_i.node;
        pwst_o.walk.perm  = result_i.perm;
      end
      if (Subregions) pwst_o.walk.contig = contig_left;
      if (hits_again) begin
        pwst_o.state = pwst_i.own_line ? WalkerPwcReq : WalkerCam;
      end else if (pwst_i.own_line && (upper || wide) && Coalesce) begin  // R6.16
        pwst_o.state = WalkerCam;
      end else begin
        pwst_o.state    = WalkerReq;
        pwst_o.own_line = 1'b0;
      end
    end
    if (happens_i.advanced) begin  // R7.7
      pwst_o.own_line = 1'b0;
      pwst_o.state    = (!pwst_i.own_line && pwst_i.walk.level >= 3'd2 && features_i.pwc_enable) ?
                        WalkerPwcReq : WalkerReq;
    end
    if (happens_i.loaded) begin  // R7.2; R7.8: for as long as memory takes
      pwst_o.state   = WalkerMem;
      pwst_o.no_fill = 1'b0;
    end
    if (happens_i.scanned) begin
      if (Hashes && step_i.turns) begin  // R21.9, R21.10
        pwst_o.walk.hashed.where   = step_i.turn.where;
        pwst_o.walk.hashed.retried = step_i.turn.retried;
        pwst_o.walk.level          = step_i.turn.level;
        pwst_o.walk.node           = step_i.turn.node;
        if (Subregions) pwst_o.walk.contig = step_i.turn.contig;
        pwst_o.state = (step_i.turn.where == WhereVictim) ? WalkerReq : WalkerPwcReq;
      end else if (step_i.descends) begin  // R7.4
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
    if (happens_i.answered) begin  // R7.6; R10.13: in the cycle of its scan
      pwst_o.state   = WalkerIdle;
      pwst_o.started = 1'b0;
    end
    if (happens_i.committed) begin  // R5.8, R5.9
      pwst_o.started  = 1'b1;
      pwst_o.tried    = 1'b0;
      pwst_o.stale    = look_i.entry.stale;
      pwst_o.own_line = look_i.due && look_i.root_known;
      pwst_o.state    = look_i.due ? WalkerPwcReq : WalkerReq;
      if (!look_i.root_known) begin
        pwst_o.walk.node   = '0;
        pwst_o.walk.perm   = '0;
        pwst_o.walk.contig = '0;
        pwst_o.state       = WalkerResp;
        pwst_o.kind        = KindUnknownPasid;
      end
    end
    if (happens_i.marked && pwst_i.state == WalkerMem && !happens_i.answered) begin  // R6.15
      pwst_o.no_fill = by_address;
    end
    if (happens_i.met && pwst_o.started) pwst_o.stale = 1'b1;  // R11.2, R11.12
  end

  // Whose look and whose result it is has been asked outside.
  logic unused;
  assign unused = ^{features_i, look_i, result_i, step_i};

endmodule
