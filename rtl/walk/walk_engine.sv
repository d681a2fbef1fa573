// The walk side of the unit: the misses that wait, the IOMMU buffer, the page walkers, the page walk cache (PWC) or the
// step cache and hash unit of hashed tables in its place, what joins subregions, and the port at which walks are
// answered.
//
// Contract: every miss is answered exactly once, from the walker that walked for it or from its buffer
// entry, as the walk queue has room. The admission keeps a place of the miss queue for every miss (R2.4) and
// learns here when one leaves it. An answer is handed to the TLB in the cycle after it has entered the walk queue,
// or a joined entry is where no answer fills (R3.13, R3.17).
`include "lockwalk_types.svh"

module walk_engine
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned TlbPartition  = 8,
  parameter int unsigned MissQueue     = 16,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Lines         = 16,
  parameter int unsigned Walkers       = 8,
  parameter int unsigned PwcOrg        = 0,
  parameter int unsigned PwcEntries    = 32,
  parameter int unsigned PwcWays       = 8,
  parameter int unsigned PwcLatency    = 2,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter int unsigned MscEntries    = 512,
  parameter int unsigned MscWays       = 8,
  parameter int unsigned CheckQueue    = 8,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 512,
  parameter bit          Pages64K      = 1'b0,
  parameter bit          SecondLookup  = 1'b0,
  parameter int unsigned SweepW        = 6,
  parameter int unsigned IncrementW    = 9,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW,
  localparam type roots_t   = `LW_ROOTS_T(2 ** PasidW, PfnW),
  localparam bit          Hashes  = PwcOrg == 2,
  localparam type tables_t  = `LW_TABLES_T(2 ** PasidW, PfnW),
  localparam type mark_t    = `LW_MARK_T(PasidW),
  localparam type sweep_t   = `LW_SWEEP_T(SweepW, VpnW),
  localparam type miss_t    = `LW_MISS_T(VpnW, PasidW, IdW, SrcW),
  localparam type second_t  = `LW_SECOND_T(IdW, SrcW, WalkerW),
  localparam type end_t     = `LW_SECOND_END_T(WalkerW),
  localparam type mem_req_t = `LW_MEM_REQ_T(MemTagW, PaWidth - 6),
  localparam type mem_rsp_t = `LW_MEM_RSP_T(MemTagW),
  localparam type answer_t  = `LW_ANSWER_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type told_fill_t = `LW_TOLD_FILL_T(VpnW),
  localparam type fill_t    = `LW_FILL_T(VpnW, PasidW, PfnW)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  features_t       features_i,
  input  logic            epoch_i,
  input  roots_t          roots_i,
  input  tables_t         tables_i,  // R21.16
  // A miss that is decided; one leaves the miss queue (R2.1).
  input  miss_t           miss_i,
  output logic            miss_leaves_o,
  // Second lookups: the hit queue has room for one, one is made (R5.26), one ends (R5.28).
  input  logic            hit_room_i,
  output second_t         second_o,
  input  end_t            second_end_i,
  // Walk memory (chapter 8).
  output mem_req_t        mem_req_o,
  input  logic            mem_req_ready_i,
  input  mem_rsp_t        mem_rsp_i,
  // The answer: the walk queue has room for a promise, one is chosen (R10.1), one enters it; and the fill
  // of the TLB (R3.13).
  input  logic            room_i,
  output logic            chosen_o,
  output answer_t         answer_o,
  output told_fill_t      told_fill_o,  // that of the next cycle
  output fill_t           fill_o,
  // Invalidation: the mark (R11.2), the sweep (R11.4), and what it waits for (R11.5).
  input  mark_t           mark_i,
  input  sweep_t          sweep_i,
  output logic            under_way_o,
  output logic            old_epoch_o,  // of an answer before the walk queue
  // What this side adds to each counter (R12.5), but to WAITING; an answer was chosen in the cycle before.
  output logic            left_o,
  output logic [Counters-1:0][IncrementW-1:0] increment_o
);

  // ---------------------------------------------------------------- what travels

  localparam type pick_t      = `LW_PICK_T(SlotW);
  localparam type learnt_t    = `LW_LEARNT_NODE_T(PfnW);
  localparam type entry_t     = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW);
  localparam type decision_t  = `LW_DECISION_T(SlotW);
  localparam type flight_t    = `LW_FLIGHT_T(VpnW, PasidW);
  localparam type cam_op_t    = `LW_CAM_OP_T(VpnW, PasidW);
  localparam type line_t      = `LW_LINE_T(PfnW);
  localparam type pwc_enter_t = `LW_PWC_ENTER_T(Walkers);
  localparam type walk_t      = `LW_WALK_T(VpnW, PasidW, PfnW);
  localparam type found_t     = `LW_PWC_RESULT_T(PfnW, WalkerW);
  localparam type pwc_fill_t  = `LW_PWC_FILL_T(VpnW, PasidW, PfnW);
  localparam type step_fill_t = `LW_STEP_FILL_T(VpnW, PasidW);
  localparam type check_t     = `LW_CHECK_T(VpnW, PasidW, PfnW);
  localparam type head_t      = `LW_HEAD_T(PfnW);
  localparam type join_t      = `LW_JOIN_T(VpnW, PasidW, PfnW);
  localparam type result_t    = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW);
  localparam type counts_t    = `LW_WALKERS_COUNT_T($clog2(Walkers + 1));

  // Between the misses that wait, the buffer and the walkers.
  miss_t                 miss;
  logic                  insert;
  pick_t                 pick;
  entry_t                entry;
  learnt_t               learnt;
  decision_t             decision;
  flight_t [Walkers-1:0] flight;
  cam_op_t               cam, search, update;
  line_t                 line;
  logic [SlotW-1:0]      read_slot;
  logic                  wanted;

  // Between walkers and page walk cache.
  pwc_enter_t            pwc_enter;
  walk_t                 pwc_walk;
  logic [8:0]            told_look, told_pwc_fill;
  found_t                pwc_result;
  pwc_fill_t             pwc_fill;
  step_fill_t            step_fill;
  logic                  step_look;
  logic [WalkerW-1:0]    pwc_walker;
  logic [Walkers-1:0]    told_walker;

  // Between walkers and the contiguity check, and from there to the answers.
  check_t                check;
  head_t                 head;
  join_t                 join_entry;
  head_line_t            head_line;
  logic                  head_taken, head_line_taken, join_taken;

  // Who may answer: the oldest walker in RESP, that of the scan, the next entry that is done.
  result_t               walker_result, scan_result, entry_result;
  logic                  walker_taken, scan_taken, entry_ready, entry_chosen, entry_epoch;

  // For the counters and the invalidation.
  counts_t               counts;
  hashed_counts_t        hashed_counts;
  logic any_valid, any_eligible, same_neighbourhood, head_transfer;
  logic misses_stale, entries_stale, walkers_stale;
  logic msc_look, msc_hit, check_merged, check_dropped, check_drains, join_loads;
  logic fill_load_subregion;

  // ---------------------------------------------------------------- who sends and takes it

  miss_queue #(
    .VpnW(VpnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .MissQueue(MissQueue)
  ) u_misses (
    .clk_i,
    .rst_ni,
    .mark_i,
    .roots_valid_i(roots_i.valid),
    .miss_i,
    .miss_o       (miss),
    .insert_i     (insert),
    .leaves_o     (miss_leaves_o),
    .any_stale_o  (misses_stale)
  );

  iommu_buffer #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW),
    .BufferEntries(BufferEntries), .Lines(Lines), .Walkers(Walkers),
    .Coalesce(Coalesce), .Subregions(Subregions), .Colt(Colt),
    .Sizes(Hashes || Pages64K)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .mode_i         (features_i.mode),
    .epoch_i,
    .mark_i,
    .roots_valid_i  (roots_i.valid),
    .miss_i         (miss),
    .insert_o       (insert),
    .flight_i       (flight),
    .cam_i          (cam),
    .line_i         (line),
    .search_o       (search),
    .update_o       (update),
    .wanted_i       (wanted),
    .pick_o         (pick),
    .read_slot_i    (read_slot),
    .read_o         (entry),
    .learnt_o       (learnt),
    .decision_i     (decision),
    .ready_o        (entry_ready),
    .choose_i       (entry_chosen),
    .reading_o      (entry_result),
    .reading_epoch_o(entry_epoch),
    .any_valid_o    (any_valid),
    .any_eligible_o (any_eligible),
    .any_stale_o    (entries_stale),
    .same_neighbourhood_o(same_neighbourhood)
  );

  page_walkers #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW),
    .BufferEntries(BufferEntries), .Walkers(Walkers), .PwcOrg(PwcOrg),
    .Coalesce(Coalesce), .Subregions(Subregions), .HeadFirst(HeadFirst), .Colt(Colt),
    .SlotPages(SlotPages), .Pages64K(Pages64K), .SecondLookup(SecondLookup)
  ) u_walkers (
    .clk_i,
    .rst_ni,
    .features_i,
    .roots_i,
    .tables_i,
    .mark_i,
    .wanted_o       (wanted),
    .pick_i         (pick),
    .read_slot_o    (read_slot),
    .read_i         (entry),
    .learnt_i       (learnt),
    .decision_o     (decision),
    .hit_room_i,
    .second_o,
    .second_end_i,
    .flight_o       (flight),
    .cam_o          (cam),
    .line_o         (line),
    .search_i       (search),
    .update_i       (update),
    .pwc_enter_o    (pwc_enter),
    .pwc_walker_i   (pwc_walker),
    .pwc_walk_o     (pwc_walk),
    .told_walker_i  (told_walker),
    .told_look_o    (told_look),
    .told_fill_o    (told_pwc_fill),
    .pwc_result_i   (pwc_result),
    .pwc_fill_o     (pwc_fill),
    .step_fill_o    (step_fill),
    .step_look_o    (step_look),
    .mem_req_o,
    .mem_req_ready_i,
    .mem_rsp_i,
    .check_o        (check),
    .head_i         (head),
    .head_taken_o   (head_taken),
    .head_transfer_o(head_transfer),
    .head_line_o    (head_line),
    .result_o       (walker_result),
    .result_taken_i (walker_taken),
    .scan_result_o  (scan_result),
    .scan_taken_i   (scan_taken),
    .any_stale_o    (walkers_stale),
    .counts_o       (counts),
    .hashed_counts_o(hashed_counts)
  );

  if (Hashes) begin : gen_steps
    step_lookup #(
      .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Walkers(Walkers), .PwcEntries(PwcEntries),
      .PwcLatency(PwcLatency), .Subregions(Subregions), .SlotPages(SlotPages)
    ) u_steps (
      .clk_i,
      .rst_ni,
      .features_i,
      .roots_i,
      .tables_i,
      .enter_i (pwc_enter),
      .walker_o(pwc_walker),
      .walk_i  (pwc_walk),
      .result_o(pwc_result),
      .fill_i  (step_fill),
      .mark_i
    );

    assign told_walker = '0;

    // Radix tables have no page walk cache beside (R21.1).
    logic unused;
    assign unused = ^{pwc_fill, told_look, told_pwc_fill};
  end else begin : gen_pwc
    page_walk_cache #(
      .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Walkers(Walkers), .PwcOrg(PwcOrg),
      .PwcEntries(PwcEntries), .PwcWays(PwcWays), .PwcLatency(PwcLatency), .Subregions(Subregions)
    ) u_pwc (
      .clk_i,
      .rst_ni,
      .enter_i      (pwc_enter),
      .walker_o     (pwc_walker),
      .walk_i       (pwc_walk),
      .told_walker_o(told_walker),
      .told_look_i  (told_look),
      .told_fill_i  (told_pwc_fill),
      .result_o     (pwc_result),
      .fill_i       (pwc_fill),
      .mark_i
    );

    // There are no hashed tables.
    logic unused;
    assign unused = ^{step_fill, step_look};
  end

  subregion_joiner #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Subregions(Subregions), .MscEntries(MscEntries),
    .MscWays(MscWays), .CheckQueue(CheckQueue), .HeadFirst(HeadFirst), .SweepW(SweepW),
    .Hashes(Hashes)
  ) u_joiner (
    .clk_i,
    .rst_ni,
    .mark_i,
    .sweep_i,
    .check_i          (check),
    .line_i           (line),
    .head_line_i      (head_line),
    .head_line_taken_o(head_line_taken),
    .head_o           (head),
    .head_taken_i     (head_taken),
    .join_o           (join_entry),
    .join_taken_i     (join_taken),
    .msc_look_o       (msc_look),
    .msc_hit_o        (msc_hit),
    .merged_o         (check_merged),
    .dropped_o        (check_dropped),
    .draining_o       (check_drains)
  );

  answer_port #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW),
    .TlbPartition(TlbPartition), .Subregions(Subregions), .Colt(Colt)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .subregion_enable_i(features_i.subregion_enable),
    .epoch_i,
    .mark_i,
    .room_i,
    .walker_i          (walker_result),
    .walker_take_o     (walker_taken),
    .scan_i            (scan_result),
    .scan_take_o       (scan_taken),
    .entry_ready_i     (entry_ready),
    .entry_choose_o    (entry_chosen),
    .entry_i           (entry_result),
    .entry_epoch_i     (entry_epoch),
    .chosen_o,
    .left_o,
    .answer_o,
    .old_epoch_o,
    .join_i            (join_entry),
    .join_taken_o      (join_taken),
    .join_loads_o      (join_loads),
    .told_fill_o,
    .fill_o,
    .fill_load_subregion_o(fill_load_subregion)
  );

  assign under_way_o = walkers_stale || entries_stale || misses_stale || check_drains;  // R11.5

  // ---------------------------------------------------------------- what is counted (R12.5, R12.6)

  logic idle_held;  // entries there are, but none that a walker may take

  assign idle_held = any_valid && !any_eligible;

  always_comb begin
    increment_o = '0;
    increment_o[CntTlbMisses]         = IncrementW'(insert);
    increment_o[CntWalks]             = IncrementW'(decision.commit);
    increment_o[CntPageTableAccesses] = IncrementW'(mem_req_o.valid && mem_req_ready_i);
    increment_o[CntPwcLookups]        = Hashes ? IncrementW'(step_look) :
                                                 IncrementW'(pwc_enter.valid);
    increment_o[CntPwcHits]           = IncrementW'(pwc_result.valid && pwc_result.hit);
    increment_o[CntCoalescedAnswers]  = IncrementW'(entry_chosen);
    increment_o[CntCoalescedLevels]   = IncrementW'(counts.coalesced_levels);
    increment_o[CntGivenBack]         = IncrementW'(decision.give_back);
    increment_o[CntStrayLines]        = IncrementW'(counts.stray && !head_line_taken);  // R8.4
    increment_o[CntSameNeighbourhood] = IncrementW'(same_neighbourhood);
    increment_o[CntMscLookups]        = IncrementW'(msc_look);
    increment_o[CntMscHits]           = IncrementW'(msc_hit);
    increment_o[CntHeadReads]         = IncrementW'(head_transfer);
    increment_o[CntSubregionFills]    = IncrementW'(fill_load_subregion);
    increment_o[CntJoined]            = IncrementW'(join_loads);
    increment_o[CntChecksMerged]      = IncrementW'(check_merged);
    increment_o[CntChecksDropped]     = IncrementW'(check_dropped);
    increment_o[CntStepReads]         = IncrementW'(hashed_counts.step_read);
    increment_o[CntTableReads]        = IncrementW'(hashed_counts.table_read);
    increment_o[CntVictimWalks]       = IncrementW'(hashed_counts.victim_walk);
    increment_o[CntVictimReads]       = IncrementW'(hashed_counts.victim_read);
    increment_o[CntTagMisses]         = IncrementW'(hashed_counts.tag_miss);
    increment_o[CntStepRetries]       = IncrementW'(hashed_counts.step_retry);
    increment_o[CntIdleEmpty]         = any_valid ? '0 : IncrementW'(counts.idle);
    increment_o[CntIdleHeld]          = idle_held ? IncrementW'(counts.idle) : '0;
    increment_o[CntIdlePick]          = any_eligible ? IncrementW'(counts.idle) : '0;
    for (int unsigned c = 0; c < 5; c++) increment_o[CntPwc+c] = IncrementW'(counts.cause[c]);
  end

endmodule
