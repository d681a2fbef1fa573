// Lockwalk: a GPU's IOMMU. The structures of docs/microarchitecture.md, joined in the order in which
// a request meets them: admission, unified TLB, the walk engine (buffer, walkers, page walk cache) and
// the response queue; beside them invalidation, control and counters.
//
// Time, reset and what is not architectural: R0.1, R0.2, R0.5.
//
// Contract: every output is a function of registers (R0.3); every accepted request is answered exactly
// once; ports and parameters are those of sections 1 and 13.
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
  parameter int unsigned HitQueue      = 8,
  parameter int unsigned WalkQueue     = 4,
  parameter int unsigned BufferEntries = 256,
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
  localparam int unsigned SlotW      = $clog2(BufferEntries);
  localparam int unsigned SeqW       = SlotW + 2;
  localparam int unsigned UsedW      = $clog2(BufferEntries + 1);
  localparam int unsigned LookupsW   = $clog2(TlbStages + 1);
  localparam int unsigned IncrementW = $clog2(BufferEntries + Walkers + 1);

  parameter_check #(
    .Levels       (Levels),
    .PaWidth      (PaWidth),
    .Pasids       (Pasids),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .TlbEntries   (TlbEntries),
    .TlbWays      (TlbWays),
    .TlbLatency   (TlbLatency),
    .TlbPartition (TlbPartition),
    .HitQueue     (HitQueue),
    .WalkQueue    (WalkQueue),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .PwcOrg       (PwcOrg),
    .PwcEntries   (PwcEntries),
    .PwcWays      (PwcWays),
    .PwcLatency   (PwcLatency),
    .Coalesce     (Coalesce),
    .Subregions   (Subregions),
    .ParLookup    (ParLookup),
    .MscEntries   (MscEntries),
    .MscWays      (MscWays),
    .CheckQueue   (CheckQueue),
    .HeadFirst    (HeadFirst),
    .Colt         (Colt)
  ) u_parameter_check ();

  // ---------------------------------------------------------------- control

  features_t                   features;
  logic [Pasids-1:0]           root_valid;
  logic [Pasids-1:0][PfnW-1:0] root_frame;

  // ---------------------------------------------------------------- admission and TLB

  logic                  req_fire;
  logic                  dec_valid, dec_hit, dec_subregion, dec_miss, dec_other;
  logic [3:0]            dec_kind;
  logic [IdW-1:0]        dec_id;
  logic [SrcW-1:0]       dec_src;
  logic [PasidPortW-1:0] dec_pasid;
  logic [PageW-1:0]      dec_page;
  logic [1:0]            dec_access, dec_size, dec_perm;
  logic [2:0]            dec_links;
  logic [PfnW-1:0]       dec_pfn;
  logic [LookupsW-1:0]   lookups;
  logic [1:0]            freed;
  logic [UsedW-1:0]      buffer_used;
  logic [SeqW-1:0]       next_seq;
  logic [3:0]            block_live;
  logic                  freed_commit, freed_answer, hit_pop;

  assign req_fire  = req_valid_i && req_ready_o;
  assign dec_other = dec_valid && !dec_miss;  // R3.3

  admission #(
    .BufferEntries(BufferEntries),
    .HitQueue     (HitQueue),
    .TlbStages    (TlbStages)
  ) u_admission (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .decided_miss_i (dec_miss),
    .decided_other_i(dec_other),
    .freed_commit_i (freed_commit),
    .freed_answer_i (freed_answer),
    .hit_pop_i      (hit_pop),
    .next_seq_i     (next_seq),
    .block_live_i   (block_live),
    .buffer_used_o  (buffer_used),
    .freed_o        (freed)
  );

  logic                  mark_req, mark, meets_all, meets_pasid, any_stale;
  logic                  sweep_valid;
  logic [SweepW-1:0]     sweep_set;
  logic [1:0]            inv_type;
  logic [PasidPortW-1:0] inv_pasid;
  logic [VpnW-1:0]       inv_first, inv_last;

  // The fill of the TLB (R3.13).
  logic              fill_valid, fill_class;
  logic [PasidW-1:0] fill_pasid;
  logic [VpnW-1:0]   fill_vpn;
  logic [2:0]        fill_length;
  logic [PfnW-1:0]   fill_pfn;
  logic [1:0]        fill_perm, fill_size;

  unified_tlb #(
    .VpnW        (VpnW),
    .PfnW        (PfnW),
    .PasidW      (PasidW),
    .IdW         (IdW),
    .SrcW        (SrcW),
    .TlbEntries  (TlbEntries),
    .TlbWays     (TlbWays),
    .TlbLatency  (TlbLatency),
    .TlbPartition(TlbPartition),
    .Subregions  (Subregions),
    .ParLookup   (ParLookup),
    .Colt        (Colt)
  ) u_tlb (
    .clk_i,
    .rst_ni,
    .req_fire_i     (req_fire),
    .req_id_i,
    .req_src_i,
    .req_pasid_i,
    .req_page_i,
    .req_access_i,
    .root_valid_i   (root_valid),
    .colt_enable_i  (features.colt_enable),
    .dec_valid_o    (dec_valid),
    .dec_hit_o      (dec_hit),
    .dec_subregion_o(dec_subregion),
    .dec_miss_o     (dec_miss),
    .dec_kind_o     (dec_kind),
    .dec_id_o       (dec_id),
    .dec_src_o      (dec_src),
    .dec_pasid_o    (dec_pasid),
    .dec_page_o     (dec_page),
    .dec_access_o   (dec_access),
    .dec_pfn_o      (dec_pfn),
    .dec_size_o     (dec_size),
    .dec_perm_o     (dec_perm),
    .dec_links_o    (dec_links),
    .lookups_o      (lookups),
    .fill_valid_i   (fill_valid),
    .fill_class_i   (fill_class),
    .fill_pasid_i   (fill_pasid),
    .fill_vpn_i     (fill_vpn),
    .fill_length_i  (fill_length),
    .fill_pfn_i     (fill_pfn),
    .fill_perm_i    (fill_perm),
    .fill_size_i    (fill_size),
    // R11.4: the sweep may go on in the MSC.
    .sweep_valid_i  (sweep_valid && 32'(sweep_set) < Sets),
    .sweep_set_i    (SetW'(sweep_set)),
    .inv_type_i     (inv_type),
    .inv_pasid_i    (inv_pasid),
    .inv_first_i    (inv_first),
    .inv_last_i     (inv_last),
    .mark_i         (mark),
    .mark_all_i     (meets_all),
    .mark_pasid_i   (meets_pasid),
    .mark_pasid_value_i(inv_pasid[PasidW-1:0])
  );

  // ---------------------------------------------------------------- walks

  logic                                ans_valid;
  logic [IdW-1:0]                      ans_id;
  logic [SrcW-1:0]                     ans_src;
  logic [PasidW-1:0]                   ans_pasid;
  logic [VpnW-1:0]                     ans_vpn;
  logic [1:0]                          ans_access, ans_size, ans_perm;
  logic [3:0]                          ans_kind;
  logic [2:0]                          ans_level;
  logic [PfnW-1:0]                     ans_pfn;
  logic                                walk_room, ans_chosen, ans_epoch, inserting;
  logic                                epoch, answers_old;
  logic [Counters-1:0][IncrementW-1:0] walk_increment;

  walk_engine #(
    .VpnW         (VpnW),
    .PaWidth      (PaWidth),
    .PasidW       (PasidW),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .TlbPartition (TlbPartition),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .PwcOrg       (PwcOrg),
    .PwcEntries   (PwcEntries),
    .PwcWays      (PwcWays),
    .PwcLatency   (PwcLatency),
    .Coalesce     (Coalesce),
    .Subregions   (Subregions),
    .MscEntries   (MscEntries),
    .MscWays      (MscWays),
    .CheckQueue   (CheckQueue),
    .HeadFirst    (HeadFirst),
    .Colt         (Colt),
    .SweepW       (SweepW),
    .IncrementW   (IncrementW)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .features_i    (features),
    .epoch_i       (epoch),
    .root_valid_i  (root_valid),
    .root_frame_i  (root_frame),
    .miss_valid_i  (dec_miss),
    .miss_id_i     (dec_id),
    .miss_src_i    (dec_src),
    .miss_pasid_i  (dec_pasid[PasidW-1:0]),
    .miss_vpn_i    (dec_page[VpnW-1:0]),
    .miss_access_i (dec_access),
    .freed_commit_o(freed_commit),
    .freed_answer_o(freed_answer),
    .next_seq_o    (next_seq),
    .block_live_o  (block_live),
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_tag_o,
    .mem_req_line_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_error_i,
    .mem_rsp_data_i,
    .room_i        (walk_room),
    .chosen_o      (ans_chosen),
    .ans_valid_o   (ans_valid),
    .ans_id_o      (ans_id),
    .ans_src_o     (ans_src),
    .ans_pasid_o   (ans_pasid),
    .ans_vpn_o     (ans_vpn),
    .ans_access_o  (ans_access),
    .ans_kind_o    (ans_kind),
    .ans_level_o   (ans_level),
    .ans_pfn_o     (ans_pfn),
    .ans_size_o    (ans_size),
    .ans_perm_o    (ans_perm),
    .ans_epoch_o   (ans_epoch),
    .fill_valid_o  (fill_valid),
    .fill_class_o  (fill_class),
    .fill_pasid_o  (fill_pasid),
    .fill_vpn_o    (fill_vpn),
    .fill_length_o (fill_length),
    .fill_pfn_o    (fill_pfn),
    .fill_perm_o   (fill_perm),
    .fill_size_o   (fill_size),
    .mark_req_i    (mark_req),
    .mark_o        (mark),
    .mark_all_i    (meets_all),
    .mark_pasid_i  (meets_pasid),
    .sweep_valid_i (sweep_valid),
    .sweep_set_i   (sweep_set),
    .inv_type_i    (inv_type),
    .inv_pasid_i   (inv_pasid),
    .inv_first_i   (inv_first),
    .inv_last_i    (inv_last),
    .any_stale_o   (any_stale),
    .old_epoch_o   (answers_old),
    .inserting_o   (inserting),
    .increment_o   (walk_increment)
  );

  // ---------------------------------------------------------------- responses

  logic responses_old;

  response_queue #(
    .IdW      (IdW),
    .PfnW     (PfnW),
    .HitQueue (HitQueue),
    .WalkQueue(WalkQueue)
  ) u_responses (
    .clk_i,
    .rst_ni,
    .epoch_i       (epoch),
    .hit_push_i    (dec_other),
    .hit_id_i      (dec_id),
    .hit_kind_i    (dec_kind),
    .hit_level_i   (dec_links),  // zero with a fault (R3.3)
    .hit_pfn_i     (dec_pfn),
    .hit_size_i    (dec_size),
    .hit_perm_i    (dec_perm),
    .hit_pop_o     (hit_pop),
    .walk_promise_i(ans_chosen),
    .walk_push_i   (ans_valid),
    .walk_id_i     (ans_id),
    .walk_kind_i   (ans_kind),
    .walk_level_i  (ans_level),
    .walk_pfn_i    (ans_pfn),
    .walk_size_i   (ans_size),
    .walk_perm_i   (ans_perm),
    .walk_epoch_i  (ans_epoch),
    .walk_room_o   (walk_room),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_id_o,
    .rsp_kind_o,
    .rsp_level_o,
    .rsp_pfn_o,
    .rsp_size_o,
    .rsp_perm_o,
    .old_epoch_o   (responses_old)
  );

  // ---------------------------------------------------------------- invalidation

  invalidation #(
    .VpnW  (VpnW),
    .PasidW(PasidW),
    .Sets  (SweepSets)
  ) u_invalidation (
    .clk_i,
    .rst_ni,
    .inv_valid_i,
    .inv_ready_o,
    .inv_type_i,
    .inv_pasid_i,
    .inv_first_i,
    .inv_last_i,
    .inv_done_o,
    .mark_req_o   (mark_req),
    .mark_i       (mark),
    .meets_all_o  (meets_all),
    .meets_pasid_o(meets_pasid),
    .sweep_valid_o(sweep_valid),
    .sweep_set_o  (sweep_set),
    .type_o       (inv_type),
    .pasid_o      (inv_pasid),
    .first_o      (inv_first),
    .last_o       (inv_last),
    .any_stale_i  (any_stale),
    .old_epoch_i  (responses_old || answers_old),
    .epoch_o      (epoch)
  );

  // ---------------------------------------------------------------- control and counters

  logic [5:0]          counter_number;
  logic [CounterW-1:0] counter;
  logic                hit_fault, walk_fault;

  assign hit_fault  = dec_other && dec_kind != KindOk;
  assign walk_fault = ans_valid && ans_kind != KindOk;

  control #(
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .SrcW      (SrcW),
    .Subregions(Subregions),
    .Colt      (Colt)
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
    .root_valid_o    (root_valid),
    .root_frame_o    (root_frame),
    .hit_fault_i     (hit_fault),
    .hit_kind_i      (dec_kind),
    .hit_access_i    (dec_access),
    .hit_pasid_i     (dec_pasid),
    .hit_src_i       (dec_src),
    .hit_page_i      (dec_page),
    .walk_fault_i    (walk_fault),
    .walk_kind_i     (ans_kind),
    .walk_level_i    (ans_level),
    .walk_access_i   (ans_access),
    .walk_pasid_i    (ans_pasid),
    .walk_src_i      (ans_src),
    .walk_page_i     ({{(PageW - VpnW) {ans_vpn[VpnW-1]}}, ans_vpn})
  );

  logic [Counters-1:0][IncrementW-1:0] increment;

  always_comb begin
    increment = walk_increment;
    increment[CntCycles]        = IncrementW'(1);
    increment[CntRequests]      = IncrementW'(req_fire);
    increment[CntResponses]     = IncrementW'(rsp_valid_o && rsp_ready_i);
    increment[CntTlbHits]       = IncrementW'(dec_hit);
    increment[CntTlbMisses]     = IncrementW'(inserting);
    increment[CntFaults]        = IncrementW'(hit_fault) + IncrementW'(walk_fault);
    increment[CntInvalidations] = IncrementW'(inv_done_o);
    increment[CntRequestStalls] = IncrementW'(req_valid_i && !req_ready_o);
    increment[CntWaiting]       = walk_increment[CntWaiting] + IncrementW'(buffer_used) -
                                  (IncrementW'(lookups) + IncrementW'(inserting) +
                                   IncrementW'(freed));
    increment[CntSubregionHits] = IncrementW'(dec_subregion);
  end

  perf_counters #(
    .IncrementW(IncrementW)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .increment_i(increment),
    .number_i   (counter_number),
    .count_o    (counter)
  );

endmodule
