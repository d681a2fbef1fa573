// Lockwalk: a GPU's IOMMU. The structures of docs/architecture/, a chapter each, joined in the order in
// which a request meets them: admission, unified TLB, the walk engine (buffer, walkers, page walk cache)
// and the response queue; beside them invalidation, control and counters.
//
// Time, reset and what is not architectural: R0.1, R0.2, R0.5.
//
// Contract: every output is a function of registers (R0.3); every accepted request is answered exactly
// once; ports are those of docs/architecture/01-addresses-and-ports.md, parameters those of
// docs/architecture/13-parameters.md.
`include "lockwalk_types.svh"

module iommu
  import lockwalk_pkg::*;
#(
  parameter int unsigned Levels        = 4,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned Pasids        = 16,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned TlbEntries    = 256,
  parameter int unsigned TlbWays       = 16,
  parameter int unsigned TlbLatency    = 1,
  parameter int unsigned TlbPartition  = 8,
  parameter int unsigned TlbBimodal    = 0,
  parameter int unsigned HitQueue      = 8,
  parameter int unsigned MissQueue     = 16,
  parameter int unsigned WalkQueue     = 4,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Lines         = 16,
  parameter int unsigned Walkers       = 8,
  parameter int unsigned PwcOrg        = 0,
  parameter int unsigned PwcEntries    = 32,
  parameter int unsigned PwcWays       = 8,
  parameter int unsigned PwcLatency    = 2,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter bit          ParLookup     = 1'b0,
  parameter int unsigned MscEntries    = 512,
  parameter int unsigned MscWays       = 8,
  parameter int unsigned CheckQueue    = 8,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 512,
  parameter bit          Pages64K      = 1'b0,
  parameter bit          SecondLookup  = 1'b0,
  localparam int unsigned VpnW    = 9 * Levels,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Request
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  logic [IdW-1:0]        req_id_i,
  input  logic [SrcW-1:0]       req_src_i,
  input  logic [PasidPortW-1:0] req_pasid_i,
  input  logic [PageW-1:0]      req_page_i,
  input  logic [1:0]            req_access_i,
  // Response
  output logic                  rsp_valid_o,
  input  logic                  rsp_ready_i,
  output logic [IdW-1:0]        rsp_id_o,
  output logic [3:0]            rsp_kind_o,
  output logic [2:0]            rsp_level_o,
  output logic [PfnW-1:0]       rsp_pfn_o,
  output logic [1:0]            rsp_size_o,
  output logic [1:0]            rsp_perm_o,
  // Walk memory
  output logic                  mem_req_valid_o,
  input  logic                  mem_req_ready_i,
  output logic [MemTagW-1:0]    mem_req_tag_o,
  output logic [LineW-1:0]      mem_req_line_o,
  input  logic                  mem_rsp_valid_i,
  input  logic [MemTagW-1:0]    mem_rsp_tag_i,
  input  logic                  mem_rsp_error_i,
  input  logic [511:0]          mem_rsp_data_i,
  // Invalidate
  input  logic                  inv_valid_i,
  output logic                  inv_ready_o,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i,
  output logic                  inv_done_o,
  // Control
  input  logic                  ctl_write_i,
  input  logic [11:0]           ctl_addr_i,
  input  logic [63:0]           ctl_wdata_i,
  output logic [63:0]           ctl_rdata_o
);

  localparam int unsigned PasidW     = $clog2(Pasids);
  localparam int unsigned Sets       = TlbEntries / TlbWays;
  localparam int unsigned SetW       = (Sets == 1) ? 1 : $clog2(Sets);
  localparam int unsigned MscSets    = MscEntries / MscWays;
  localparam int unsigned SweepSets  = (Subregions && MscSets > Sets) ? MscSets : Sets;  // R11.4
  localparam int unsigned SweepW     = (SweepSets == 1) ? 1 : $clog2(SweepSets);
  localparam int unsigned TlbStages  = TlbLatency + 1 + 32'(Subregions && !ParLookup);  // R3.1
  localparam int unsigned IncrementW = $clog2(BufferEntries + Walkers + 1);
  localparam bit          Hashes     = PwcOrg == 2;

  parameter_check #(
    .Levels(Levels), .PaWidth(PaWidth), .Pasids(Pasids), .IdW(IdW), .SrcW(SrcW),
    .TlbEntries(TlbEntries), .TlbWays(TlbWays), .TlbLatency(TlbLatency),
    .TlbPartition(TlbPartition), .TlbBimodal(TlbBimodal), .HitQueue(HitQueue),
    .MissQueue(MissQueue), .WalkQueue(WalkQueue), .BufferEntries(BufferEntries), .Lines(Lines),
    .Walkers(Walkers), .PwcOrg(PwcOrg), .PwcEntries(PwcEntries), .PwcWays(PwcWays),
    .PwcLatency(PwcLatency), .Coalesce(Coalesce),
    .Subregions(Subregions), .ParLookup(ParLookup), .MscEntries(MscEntries), .MscWays(MscWays),
    .CheckQueue(CheckQueue), .HeadFirst(HeadFirst), .Colt(Colt),
    .SlotPages(SlotPages), .Pages64K(Pages64K), .SecondLookup(SecondLookup)
  ) u_parameter_check ();

  // ---------------------------------------------------------------- what travels

  localparam type request_t   = `LW_REQUEST_T(IdW, SrcW);
  localparam type response_t  = `LW_RESPONSE_T(IdW, PfnW);
  localparam type mem_req_t   = `LW_MEM_REQ_T(MemTagW, LineW);
  localparam type mem_rsp_t   = `LW_MEM_RSP_T(MemTagW);
  localparam type roots_t     = `LW_ROOTS_T(Pasids, PfnW);
  localparam type tables_t    = `LW_TABLES_T(Pasids, PfnW);
  localparam type decided_t   = `LW_DECIDED_T(IdW, SrcW, PfnW);
  localparam type second_t    = `LW_SECOND_T(IdW, SrcW, WalkerW);
  localparam type end_t       = `LW_SECOND_END_T(WalkerW);
  localparam type miss_t      = `LW_MISS_T(VpnW, PasidW, IdW, SrcW);
  localparam type answer_t    = `LW_ANSWER_T(VpnW, PasidW, PfnW, IdW, SrcW);
  localparam type told_fill_t = `LW_TOLD_FILL_T(VpnW);
  localparam type fill_t      = `LW_FILL_T(VpnW, PasidW, PfnW);
  localparam type fault_t     = `LW_FAULT_T(SrcW);
  localparam type inv_t       = `LW_INVALIDATE_T(VpnW);
  localparam type mark_t      = `LW_MARK_T(PasidW);
  localparam type sweep_t     = `LW_SWEEP_T(SweepW, VpnW);
  localparam type tlb_sweep_t = `LW_SWEEP_T(SetW, VpnW);

  features_t  features;
  roots_t     roots;
  tables_t    tables;
  request_t   request;
  decided_t   decided;
  second_t    second;      // lookup (R5.26)
  end_t       second_end;
  miss_t      miss;
  answer_t    answer;
  told_fill_t told_fill;
  fill_t      fill;
  response_t  hit_response, response;
  mem_req_t   mem_req;
  mem_rsp_t   mem_rsp;
  inv_t       inv;
  mark_t      mark;
  sweep_t     sweep;
  tlb_sweep_t tlb_sweep;
  fault_t     hit_fault, walk_fault;

  // ---------------------------------------------------------------- the plain ports

  assign request = '{id: req_id_i, src: req_src_i, pasid: req_pasid_i, page: req_page_i,
                     access: req_access_i};
  assign mem_rsp = '{valid: mem_rsp_valid_i, tag: mem_rsp_tag_i, error: mem_rsp_error_i,
                     data: mem_rsp_data_i};

  assign inv     = '{inv_type: inv_type_i, pasid: inv_pasid_i, first: inv_first_i,
                     last: inv_last_i};

  assign {rsp_id_o, rsp_kind_o, rsp_level_o, rsp_pfn_o, rsp_size_o, rsp_perm_o} = response;
  assign {mem_req_valid_o, mem_req_tag_o, mem_req_line_o}                       = mem_req;

  // ---------------------------------------------------------------- admission and TLB

  logic req_fire, other, miss_leaves, hit_pop, hit_room;

  assign req_fire = req_valid_i && req_ready_o;
  assign other    = decided.valid && !decided.miss;  // R3.3

  admission #(
    .HitQueue(HitQueue), .MissQueue(MissQueue)
  ) u_admission (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .decided_miss_i (decided.miss),
    .decided_other_i(other),
    .miss_leaves_i  (miss_leaves),
    .hit_pop_i      (hit_pop),
    .second_turn_i  (second.turn),
    .hit_room_o     (hit_room),
    .second_i       (second.valid),
    .second_miss_i  (second_end.miss)
  );

  // R11.4: the sweep may go on in the MSC.
  assign tlb_sweep = '{valid: sweep.valid && 32'(sweep.set_index) < Sets,
                       set_index: SetW'(sweep.set_index), inv: sweep.inv};

  unified_tlb #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .TlbEntries(TlbEntries),
    .TlbWays(TlbWays), .TlbLatency(TlbLatency), .TlbPartition(TlbPartition),
    .TlbBimodal(TlbBimodal), .Subregions(Subregions), .ParLookup(ParLookup), .Colt(Colt),
    .WalkerW(WalkerW), .SecondLookup(SecondLookup)
  ) u_tlb (
    .clk_i,
    .rst_ni,
    .req_fire_i   (req_fire),
    .req_i        (request),
    .root_valid_i (roots.valid),
    .colt_enable_i(features.colt_enable),
    .second_i     (second),
    .decided_o    (decided),
    .second_o     (second_end),
    .told_fill_i  (told_fill),
    .fill_i       (fill),
    .sweep_i      (tlb_sweep),
    .mark_i       (mark)
  );

  // ---------------------------------------------------------------- walks

  logic                                walk_room, chosen, left, under_way, epoch, answers_old;
  logic [Counters-1:0][IncrementW-1:0] walk_increment;

  assign miss = '{
    valid:  decided.miss,
    id:     decided.request.id,
    src:    decided.request.src,
    key:    '{pasid: decided.request.pasid[PasidW-1:0], vpn: decided.request.page[VpnW-1:0]},
    access: decided.request.access,
    stale:  1'b0  // R4.8
  };

  walk_engine #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW),
    .TlbPartition(TlbPartition), .MissQueue(MissQueue), .BufferEntries(BufferEntries),
    .Lines(Lines),
    .Walkers(Walkers), .PwcOrg(PwcOrg), .PwcEntries(PwcEntries), .PwcWays(PwcWays),
    .PwcLatency(PwcLatency), .Coalesce(Coalesce), .Subregions(Subregions), .MscEntries(MscEntries),
    .MscWays(MscWays), .CheckQueue(CheckQueue), .HeadFirst(HeadFirst), .Colt(Colt),
    .SlotPages(SlotPages), .Pages64K(Pages64K), .SecondLookup(SecondLookup), .SweepW(SweepW),
    .IncrementW(IncrementW)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .features_i    (features),
    .epoch_i       (epoch),
    .roots_i       (roots),
    .tables_i      (tables),
    .miss_i        (miss),
    .miss_leaves_o (miss_leaves),
    .hit_room_i    (hit_room),
    .second_o      (second),
    .second_end_i  (second_end),
    .mem_req_o     (mem_req),
    .mem_req_ready_i,
    .mem_rsp_i     (mem_rsp),
    .room_i        (walk_room),
    .chosen_o      (chosen),
    .answer_o      (answer),
    .told_fill_o   (told_fill),
    .fill_o        (fill),
    .mark_i        (mark),
    .sweep_i       (sweep),
    .under_way_o   (under_way),
    .old_epoch_o   (answers_old),
    .left_o        (left),
    .increment_o   (walk_increment)
  );

  // ---------------------------------------------------------------- responses

  logic responses_old;

  // R3.3: LINKS are zero with a fault.
  assign hit_response = '{id: decided.request.id, kind: decided.kind, level: decided.links,
                          pfn: decided.pfn, size: decided.size, perm: decided.perm};

  response_queue #(
    .IdW(IdW), .PfnW(PfnW), .HitQueue(HitQueue), .WalkQueue(WalkQueue)
  ) u_responses (
    .clk_i,
    .rst_ni,
    .epoch_i       (epoch),
    .hit_push_i    (other || second_end.hit),
    .hit_i         (hit_response),
    .hit_pop_o     (hit_pop),
    .walk_promise_i(chosen),
    .walk_push_i   (answer.valid),
    .walk_i        (answer.response),
    .walk_epoch_i  (answer.epoch),
    .walk_room_o   (walk_room),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_o         (response),
    .old_epoch_o   (responses_old)
  );

  // ---------------------------------------------------------------- invalidation

  invalidation #(
    .VpnW(VpnW), .PasidW(PasidW), .Sets(SweepSets), .TlbStages(TlbStages)
  ) u_invalidation (
    .clk_i,
    .rst_ni,
    .inv_valid_i,
    .inv_ready_o,
    .inv_i      (inv),
    .inv_done_o,
    .mark_o     (mark),
    .sweep_o    (sweep),
    .under_way_i(under_way),
    .old_epoch_i(responses_old || answers_old),
    .epoch_o    (epoch)
  );

  // ---------------------------------------------------------------- control and counters

  logic [5:0]          counter_number;
  logic [CounterW-1:0] counter;

  assign hit_fault = '{
    valid:  other && decided.kind != KindOk,
    kind:   decided.kind,
    level:  3'd0,
    access: decided.request.access,
    pasid:  decided.request.pasid,
    src:    decided.request.src,
    page:   decided.request.page
  };

  assign walk_fault = '{
    valid:  answer.valid && answer.response.kind != KindOk,
    kind:   answer.response.kind,
    level:  answer.response.level,
    access: answer.access,
    pasid:  PasidPortW'(answer.key.pasid),
    src:    answer.src,
    page:   {{(PageW - VpnW) {answer.key.vpn[VpnW-1]}}, answer.key.vpn}
  };

  control #(
    .PfnW(PfnW), .PasidW(PasidW), .SrcW(SrcW), .Subregions(Subregions), .Colt(Colt),
    .Hashes(Hashes)
  ) u_control (
    .clk_i,
    .rst_ni,
    .ctl_write_i,
    .ctl_addr_i,
    .ctl_wdata_i,
    .ctl_rdata_o,
    .counter_number_o(counter_number),
    .counter_i       (counter),
    .features_o      (features),
    .roots_o         (roots),
    .tables_o        (tables),
    .hit_fault_i     (hit_fault),
    .walk_fault_i    (walk_fault)
  );

  logic [Counters-1:0][IncrementW-1:0] increment;
  logic [IncrementW-1:0]               waited;

  always_comb begin
    increment = walk_increment;
    increment[CntCycles]        = IncrementW'(1);
    increment[CntRequests]      = IncrementW'(req_fire);
    increment[CntResponses]     = IncrementW'(rsp_valid_o && rsp_ready_i);
    increment[CntTlbHits]       = IncrementW'(decided.hit);
    increment[CntFaults]        = IncrementW'(hit_fault.valid) + IncrementW'(walk_fault.valid);
    increment[CntInvalidations] = IncrementW'(inv_done_o);
    increment[CntRequestStalls] = IncrementW'(req_valid_i && !req_ready_o);
    // From its insertion until it is chosen to answer a miss is in a valid entry or with a walker that has started:
    // counted on from the cycle before, for counting all entries would be the longest path.
    increment[CntWaiting]       = waited - IncrementW'(left);
    increment[CntSubregionHits] = IncrementW'(decided.subregion);
    increment[CntSecondLookups] = IncrementW'(second.valid);
    increment[CntSecondHits]    = IncrementW'(second_end.hit);
  end

  perf_counters #(
    .IncrementW(IncrementW),
    .Subregions(Subregions),
    .Hashes    (PwcOrg == 2),
    .SecondLookup(SecondLookup)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .increment_i(increment),
    .waited_o   (waited),
    .number_i   (counter_number),
    .count_o    (counter)
  );

endmodule
