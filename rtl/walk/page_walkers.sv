// The page walkers (chapters 5, 7, 8, 9): each holds one walk, and together they share one read of the buffer, one line
// of memory, one lookup of the page walk cache, one operation of the CAM and one answer a cycle; each of these concerns
// another walker, but a mark may concern all (R11.2).
//
// In this folder PWST is the page walk service table, a row for each walker: where its walk stands, for whom, and how
// it has ended (R7.1). CL is the coalesced level of a buffer entry, above 0 while it waits on another's access in
// flight; PL the page-table level from which its walk can start instead of from the root (R4.1).
//
// The registers of the PWST are here. What is decided on them is combinational: entry_reader says who is read a buffer
// entry and what comes of it, walk_memory_port whose line is read, line_scan what a line says, cam_request what the CAM
// is told of it, and walker_next what becomes of each walker.
`include "lockwalk_types.svh"

module page_walkers
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Walkers       = 8,
  parameter int unsigned PwcOrg        = 0,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 512,
  parameter bit          Pages64K      = 1'b0,
  parameter bit          SecondLookup  = 1'b0,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW,
  localparam bit          Hashes  = PwcOrg == 2,
  localparam type roots_t     = `LW_ROOTS_T(Pasids, PfnW),
  localparam type tables_t    = `LW_TABLES_T(Pasids, PfnW),
  localparam type mark_t      = `LW_MARK_T(PasidW),
  localparam type pick_t      = `LW_PICK_T(SlotW),
  localparam type entry_t     = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW),
  localparam type learnt_t    = `LW_LEARNT_NODE_T(PfnW),
  localparam type decision_t  = `LW_DECISION_T(SlotW),
  localparam type flight_t    = `LW_FLIGHT_T(VpnW, PasidW),
  localparam type cam_op_t    = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t      = `LW_LINE_T(PfnW),
  localparam type walk_t      = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type look_t      = `LW_LOOK_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type second_t    = `LW_SECOND_T(IdW, SrcW, WalkerW),
  localparam type end_t       = `LW_SECOND_END_T(WalkerW),
  localparam type pwst_t      = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW),
  localparam type scan_t      = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type line_of_t   = `LW_LINE_OF_T(Walkers),
  localparam type step_t      = `LW_STEP_T(PfnW),
  localparam type enter_t     = `LW_PWC_ENTER_T(Walkers),
  localparam type in_states_t = `LW_IN_STATES_T(Walkers),
  localparam type found_t     = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type pwc_fill_t  = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type step_fill_t = `LW_STEP_FILL_T(VpnW, PasidW),
  localparam type mem_req_t   = `LW_MEM_REQ_T(MemTagW, PaWidth - 6),
  localparam type mem_rsp_t   = `LW_MEM_RSP_T(MemTagW),
  localparam type check_t     = `LW_CHECK_T(VpnW, PasidW, PfnW),
  localparam type head_t      = `LW_HEAD_T(PfnW),
  localparam type result_t    = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type counts_t    = `LW_WALKERS_COUNT_T($clog2(Walkers + 1))
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  features_t             features_i,
  input  roots_t                roots_i,
  input  tables_t               tables_i,  // R21.16
  input  mark_t                 mark_i,  // R11.2
  // The buffer: an entry is wanted, and which is picked (R5.2); the entry that is read, what is done with it (R5.20).
  output logic                  wanted_o,
  input  pick_t                 pick_i,
  output logic [SlotW-1:0]      read_slot_o,
  input  entry_t                read_i,
  input  learnt_t               learnt_i,  // of the entry that was read (R5.25)
  output decision_t             decision_o,
  // The unified TLB: the hit queue has room for a second lookup, one is made (R5.26), one ends (R5.28).
  input  logic                  hit_room_i,
  output second_t               second_o,
  input  end_t                  second_end_i,
  // Its CAM: accesses in flight (R4.3), the operation that it takes with its line (R4.7), those in search and update.
  output flight_t [Walkers-1:0] flight_o,
  output cam_op_t               cam_o,
  output line_t                 line_o,
  input  cam_op_t               search_i,
  input  cam_op_t               update_i,
  // The page walk cache (chapter 6): a lookup that enters, the walk of one that is compared next, the result, a fill.
  output enter_t                pwc_enter_o,
  input  logic [WalkerW-1:0]    pwc_walker_i,
  output walk_t                 pwc_walk_o,
  input  logic [Walkers-1:0]    told_walker_i,  // one-hot
  output logic [8:0]            told_look_o,    // R6.7: the index of that walker's PTE
  output logic [8:0]            told_fill_o,    // of that of the walker whose line comes
  input  found_t                pwc_result_i,
  output pwc_fill_t             pwc_fill_o,
  output step_fill_t            step_fill_o,  // R21.14
  output logic                  step_look_o,  // the lookup that enters is one of WHERE LOOKUP
  // Walk memory (chapter 8).
  output mem_req_t              mem_req_o,
  input  logic                  mem_req_ready_i,
  input  mem_rsp_t              mem_rsp_i,
  // The contiguity check: what a scan asks of it (R16.1), its reads of heads (R8.1), a head's line (R16.7, line_o).
  output check_t                check_o,
  input  head_t                 head_i,
  output logic                  head_taken_o,
  output logic                  head_transfer_o,
  output head_line_t            head_line_o,
  // The answer of the oldest walker in RESP (R10.1), and that of the scan of this cycle (R10.13).
  output result_t               result_o,
  input  logic                  result_taken_i,
  output result_t               scan_result_o,
  input  logic                  scan_taken_i,
  // For the invalidation and the counters.
  output logic                  any_stale_o,
  output counts_t               counts_o,
  output hashed_counts_t        hashed_counts_o
);

  walker_state_e      state_q  [Walkers];
  logic [Walkers-1:0] started_q, stale_q, tried_q, own_line_q, no_fill_q, retried_q;
  logic [VpnW-1:0]    vpn_q    [Walkers];
  logic [PasidW-1:0]  pasid_q  [Walkers];
  logic [1:0]         access_q [Walkers], perm_q [Walkers], size_q [Walkers];
  logic [IdW-1:0]     id_q     [Walkers];
  logic [SrcW-1:0]    src_q    [Walkers];
  logic [SlotW-1:0]   slot_q   [Walkers];
  logic [2:0]         level_q  [Walkers], flevel_q [Walkers];
  logic [PfnW-1:0]    node_q   [Walkers];
  logic [3:0]         kind_q   [Walkers];
  logic [ContigW-1:0] contig_q [Walkers];
  where_e             where_q  [Walkers];
  logic [5:0]         bucket_q [Walkers];

  // ---------------------------------------------------------------- the walkers as they are

  // STATE decoded a cycle early: who may do what is asked of all walkers in every cycle.
  in_states_t         in_q;
  logic [Walkers-1:0] met, looks_up;
  walk_t              walk [Walkers];
  pwst_t              pwst [Walkers];
  pwst_t [Walkers-1:0] pwst_d;

  for (genvar w = 0; w < Walkers; w++) begin : gen_walk
    assign walk[w] = '{key: '{pasid: pasid_q[w], vpn: vpn_q[w]}, access: access_q[w],
                       level: level_q[w], node: node_q[w], perm: perm_q[w], contig: contig_q[w],
                       hashed: '{where: where_q[w], retried: retried_q[w], bucket: bucket_q[w]}};
    assign pwst[w] = '{state: state_q[w], started: started_q[w], stale: stale_q[w],
                       tried: tried_q[w], own_line: own_line_q[w], no_fill: no_fill_q[w],
                       id: id_q[w], src: src_q[w], slot: slot_q[w], walk: walk[w],
                       kind: kind_q[w], flevel: flevel_q[w], size: size_q[w]};

    assign looks_up[w] = where_q[w] == WhereLookup;
    assign met[w] = !in_q.idle[w] && `LW_MEETS(mark_i, pasid_q[w]);  // R11.2

    assign flight_o[w] = '{  // R7.3, R21.13
      valid: started_q[w] && !stale_q[w] && !in_q.resp[w] &&
             !(Hashes && where_q[w] == WhereVictim && level_q[w] >= 3'd2),
      key:   walk[w].key,
      level: own_line_q[w] ? 3'd1 : level_q[w],
      perm:  perm_q[w],
      reach: own_line_q[w] ? ReachLine : reach_of(level_q[w], contig_q[w], vpn_q[w][8:6])
    };
  end

  // ---------------------------------------------------------------- memory, and a scan (chapters 8, 9)

  logic [Walkers-1:0] next_in_req, scanned;  // one-hot or none
  logic               loaded, scan_on_cam;
  mem_rsp_t           line;
  line_of_t           line_of;
  scan_t              scan;
  step_t              step;

  walk_memory_port #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Walkers(Walkers), .Subregions(Subregions),
    .HeadFirst(HeadFirst), .Hashes(Hashes), .SlotPages(SlotPages)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .in_req_i     (in_q.req),
    .next_i       (next_in_req),
    .walk_i       (walk),
    .load_o       (loaded),
    .head_i,
    .head_taken_o,
    .head_transfer_o,
    .mem_req_o,
    .mem_req_ready_i,
    .mem_rsp_i,
    .line_o       (line),
    .line_of_o    (line_of),
    .scan_o       (scan),
    .told_walker_i,
    .told_look_o,
    .told_fill_o
  );

  line_scan #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .SlotW(SlotW),
    .Walkers(Walkers), .MemTagW(MemTagW), .PwcOrg(PwcOrg), .Subregions(Subregions), .Colt(Colt),
    .SlotPages(SlotPages), .Pages64K(Pages64K)
  ) u_scan (
    .features_i,
    .tables_i,
    .mark_i      (mark_i.valid),
    .pwst_i      (pwst),
    .met_i       (met),
    .in_mem_i    (in_q.mem),
    .line_i      (line),
    .line_of_i   (line_of),
    .scan_i      (scan),
    .scanned_o   (scanned),
    .on_cam_o    (scan_on_cam),
    .line_o,
    .step_o      (step),
    .pwc_fill_o,
    .step_fill_o,
    .hashed_counts_o,
    .check_o,
    .head_line_o,
    .result_o    (scan_result_o)
  );

  // ---------------------------------------------------------------- entries of the buffer (chapter 5)

  look_t              look;
  logic [WalkerW-1:0] entry_walker, cam_walker, idle_walker;
  logic               asked, held_up, advanced;

  entry_reader #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .Hashes(Hashes),
    .BufferEntries(BufferEntries), .Walkers(Walkers), .Coalesce(Coalesce),
    .Subregions(Subregions), .SecondLookup(SecondLookup)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .features_i,
    .roots_i,
    .hashed_i          (tables_i.hashed),
    .in_i              (in_q),
    .cam_walker_i      (cam_walker),
    .started_i         (started_q),
    .tried_i           (tried_q),
    .held_up_i         (held_up),
    .slot_i            (slot_q),
    .mark_i,
    .scan_i            (scan_on_cam),
    .search_i,
    .update_i,
    .wanted_o,
    .pick_i,
    .read_slot_o,
    .read_i,
    .learnt_i,
    .idle_walker_o     (idle_walker),
    .ask_o             (asked),
    .advance_o         (advanced),
    .walker_o          (entry_walker),
    .look_o            (look),
    .decision_o,
    .hit_room_i,
    .second_o,
    .second_end_i
  );

  cam_request #(.VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Hashes(Hashes)) u_cam_request (
    .scanned_i   (scan_on_cam),
    .scan_i      (scan),
    .error_i     (line.error),
    .step_i      (step),
    .committed_i (decision_o.commit),
    .commit_met_i(look.met),
    .started_i   (look.walk),
    .root_known_i(look.root_known),
    .due_i       (look.due),
    .advanced_i  (advanced && !stale_q[cam_walker] && !met[cam_walker]),
    .advancing_i (walk[cam_walker]),
    .own_line_i  (own_line_q[cam_walker]),
    .cam_o
  );

  // ---------------------------------------------------------------- page walk cache, and answers

  logic [Walkers-1:0] entering_walker;  // one-hot
  logic [WalkerW-1:0] answering_walker;

  walker_order #(.Walkers(Walkers)) u_order (
    .clk_i,
    .rst_ni,
    .in_i     (in_q),
    .holding_i(tried_q | (SecondLookup ? ~started_q & ~in_q.idle : '0)),
    .looking_i(entry_walker),
    .held_up_o(held_up),
    .cam_o    (cam_walker),
    .pwc_o    (entering_walker),
    .req_o    (next_in_req),
    .resp_o   (answering_walker)
  );

  assign pwc_enter_o = '{valid: |in_q.pwc_req, walker: entering_walker};
  assign pwc_walk_o  = walk[pwc_walker_i];
  assign step_look_o = Hashes && |(entering_walker & looks_up);

  walkers_report #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .SlotW(SlotW),
    .Walkers(Walkers)
  ) u_report (
    .pwst_i            (pwst),
    .in_resp_i         (in_q.resp),
    .answering_i       (answering_walker),
    .stray_i           (line.valid && scanned == '0),  // R8.4
    .coalesced_levels_i(look.coalesced_levels),
    .result_o,
    .counts_o
  );

  assign any_stale_o = |(stale_q & ~in_q.idle);

  // ---------------------------------------------------------------- what becomes of the walkers (R7.1)

  for (genvar w = 0; w < Walkers; w++) begin : gen_next
    walker_event_t happens;

    assign happens = '{
      picked:    pick_i.valid && idle_walker == WalkerW'(w),
      asked:     asked && cam_walker == WalkerW'(w),
      taken:     look.valid && !decision_o.give_back && entry_walker == WalkerW'(w),
      in_vain:   look.in_vain && entry_walker == WalkerW'(w),
      gave_back: decision_o.give_back && entry_walker == WalkerW'(w),
      committed: decision_o.commit && entry_walker == WalkerW'(w),
      second_hit:  second_end_i.hit && second_end_i.walker == WalkerW'(w),
      second_miss: second_end_i.miss && second_end_i.walker == WalkerW'(w),
      entered:   entering_walker[w],
      found:     pwc_result_i.valid && pwc_result_i.walker == WalkerW'(w),
      advanced:  advanced && cam_walker == WalkerW'(w),
      loaded:    loaded && next_in_req[w],
      scanned:   scanned[w],
      answered:  (result_taken_i && answering_walker == WalkerW'(w)) ||
                 (scan_taken_i && line_of.walker[w]),
      marked:    mark_i.valid,
      met:       (look.valid && entry_walker == WalkerW'(w)) ? look.met : met[w]  // R11.3
    };

    walker_next #(
      .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .SlotW(SlotW),
      .WalkerW(WalkerW), .PwcOrg(PwcOrg), .Coalesce(Coalesce), .Subregions(Subregions)
    ) u_next (
      .pwst_i      (pwst[w]),
      .happens_i   (happens),
      .features_i,
      .look_i      (look),
      .slot_i      (decision_o.slot),
      .result_i    (pwc_result_i),
      .scan_level_i(scan.level),
      .step_i      (step),
      .pwst_o      (pwst_d[w])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '{idle: '1, default: '0};
      for (int unsigned w = 0; w < Walkers; w++) begin
        state_q[w] <= WalkerIdle;
        where_q[w] <= WhereRadix;
        {started_q[w], stale_q[w], tried_q[w], own_line_q[w], no_fill_q[w], vpn_q[w], pasid_q[w],
         access_q[w], id_q[w], src_q[w], slot_q[w], level_q[w], node_q[w], perm_q[w], kind_q[w],
         flevel_q[w], size_q[w], contig_q[w], retried_q[w], bucket_q[w]} <= '0;
      end
    end else begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        in_q.idle[w]    <= pwst_d[w].state == WalkerIdle;
        in_q.pwc_req[w] <= pwst_d[w].state == WalkerPwcReq;
        in_q.cam[w]     <= pwst_d[w].state == WalkerCam;
        in_q.req[w]     <= pwst_d[w].state == WalkerReq;
        in_q.mem[w]     <= pwst_d[w].state == WalkerMem;
        in_q.resp[w]    <= pwst_d[w].state == WalkerResp;

        state_q[w] <= pwst_d[w].state;
        {started_q[w], stale_q[w], tried_q[w], own_line_q[w], no_fill_q[w]} <=
            {pwst_d[w].started, pwst_d[w].stale, pwst_d[w].tried, pwst_d[w].own_line,
             pwst_d[w].no_fill};
        {id_q[w], src_q[w], slot_q[w]} <= {pwst_d[w].id, pwst_d[w].src, pwst_d[w].slot};
        {pasid_q[w], vpn_q[w], access_q[w]} <= {pwst_d[w].walk.key, pwst_d[w].walk.access};
        {level_q[w], node_q[w]} <= {pwst_d[w].walk.level, pwst_d[w].walk.node};
        {perm_q[w], contig_q[w]} <= {pwst_d[w].walk.perm, pwst_d[w].walk.contig};
        {kind_q[w], flevel_q[w], size_q[w]} <= {pwst_d[w].kind, pwst_d[w].flevel, pwst_d[w].size};
        where_q[w] <= Hashes ? pwst_d[w].walk.hashed.where : WhereRadix;
        {retried_q[w], bucket_q[w]} <=
            Hashes ? {pwst_d[w].walk.hashed.retried, pwst_d[w].walk.hashed.bucket} : '0;
      end
    end
  end

endmodule
