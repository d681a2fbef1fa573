// Lockwalk: a GPU's IOMMU. The structures of docs/microarchitecture.md, joined in the order in which
// a request meets them: admission, unified TLB, IOMMU buffer, page walkers, page walk cache, response
// queue; beside them invalidation, control and counters.
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
  localparam int unsigned VpnW    = 9 * Levels,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers)
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
  output logic [WalkerW-1:0]    mem_req_tag_o,
  output logic [LineW-1:0]      mem_req_line_o,
  input  logic                  mem_rsp_valid_i,
  input  logic [WalkerW-1:0]    mem_rsp_tag_i,
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
  localparam int unsigned SlotW      = $clog2(BufferEntries);
  localparam int unsigned SeqW       = SlotW + 2;
  localparam int unsigned AddrW      = PaWidth - 3;
  localparam int unsigned CountW     = $clog2(Walkers + 1);
  localparam int unsigned UsedW      = $clog2(BufferEntries + 1);
  localparam int unsigned LookupsW   = $clog2(TlbLatency + 1);
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
    .PwcLatency   (PwcLatency)
  ) u_parameter_check ();

  // ---------------------------------------------------------------- control

  features_t                   features;
  logic [Pasids-1:0]           root_valid;
  logic [Pasids-1:0][PfnW-1:0] root_frame;

  // ---------------------------------------------------------------- admission and TLB

  logic                  req_fire;
  logic                  dec_valid, dec_hit, dec_miss, dec_other;
  logic [3:0]            dec_kind;
  logic [IdW-1:0]        dec_id;
  logic [SrcW-1:0]       dec_src;
  logic [PasidPortW-1:0] dec_pasid;
  logic [PageW-1:0]      dec_page;
  logic [1:0]            dec_access, dec_size, dec_perm;
  logic [PfnW-1:0]       dec_pfn;
  logic [LookupsW-1:0]   lookups;
  logic [UsedW-1:0]      buffer_used;
  logic [SeqW-1:0]       next_seq;
  logic [3:0]            block_live;
  logic                  commit, give_back, hit_pop;
  logic                  ans_take_walker, ans_take_entry;

  assign req_fire  = req_valid_i && req_ready_o;
  assign dec_other = dec_valid && !dec_miss;  // R3.3

  admission #(
    .BufferEntries(BufferEntries),
    .HitQueue     (HitQueue),
    .TlbLatency   (TlbLatency)
  ) u_admission (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .decided_miss_i (dec_miss),
    .decided_other_i(dec_other),
    .freed_commit_i (commit),
    .freed_answer_i (ans_take_entry),
    .hit_pop_i      (hit_pop),
    .next_seq_i     (next_seq),
    .block_live_i   (block_live),
    .buffer_used_o  (buffer_used)
  );

  logic                  sweep_valid;
  logic [SetW-1:0]       sweep_set;
  logic [1:0]            inv_type;
  logic [PasidPortW-1:0] inv_pasid;
  logic [VpnW-1:0]       inv_first, inv_last;
  logic                  fill_valid;

  // The answer that enters the walk queue (R10.1).
  logic              ans_valid, ans_stale;
  logic [IdW-1:0]    ans_id;
  logic [SrcW-1:0]   ans_src;
  logic [PasidW-1:0] ans_pasid;
  logic [VpnW-1:0]   ans_vpn;
  logic [1:0]        ans_access, ans_size, ans_perm;
  logic [3:0]        ans_kind;
  logic [2:0]        ans_level;
  logic [PfnW-1:0]   ans_pfn;

  // R10.2
  assign fill_valid = ans_valid && ans_kind == KindOk && !ans_stale;  // R3.6

  unified_tlb #(
    .VpnW      (VpnW),
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .IdW       (IdW),
    .SrcW      (SrcW),
    .TlbEntries(TlbEntries),
    .TlbWays   (TlbWays),
    .TlbLatency(TlbLatency)
  ) u_tlb (
    .clk_i,
    .rst_ni,
    .req_fire_i   (req_fire),
    .req_id_i,
    .req_src_i,
    .req_pasid_i,
    .req_page_i,
    .req_access_i,
    .root_valid_i (root_valid),
    .dec_valid_o  (dec_valid),
    .dec_hit_o    (dec_hit),
    .dec_miss_o   (dec_miss),
    .dec_kind_o   (dec_kind),
    .dec_id_o     (dec_id),
    .dec_src_o    (dec_src),
    .dec_pasid_o  (dec_pasid),
    .dec_page_o   (dec_page),
    .dec_access_o (dec_access),
    .dec_pfn_o    (dec_pfn),
    .dec_size_o   (dec_size),
    .dec_perm_o   (dec_perm),
    .lookups_o    (lookups),
    .fill_valid_i (fill_valid),
    .fill_class_i (1'b0),
    .fill_pasid_i (ans_pasid),
    .fill_vpn_i   (ans_vpn),
    .fill_pfn_i   (ans_pfn),
    .fill_perm_i  (ans_perm),
    .fill_size_i  (ans_size),
    .sweep_valid_i(sweep_valid),
    .sweep_set_i  (sweep_set),
    .inv_type_i   (inv_type),
    .inv_pasid_i  (inv_pasid),
    .inv_first_i  (inv_first),
    .inv_last_i   (inv_last)
  );

  // ---------------------------------------------------------------- IOMMU buffer

  logic [Walkers-1:0]             flight_valid;
  logic [Walkers-1:0][VpnW-1:0]   flight_vpn;
  logic [Walkers-1:0][PasidW-1:0] flight_pasid;
  logic [Walkers-1:0][2:0]        flight_level;
  logic [Walkers-1:0][1:0]        flight_perm;
  cam_op_e                        cam_op;
  logic [PasidW-1:0]              cam_pasid;
  logic [VpnW-1:0]                cam_vpn;
  logic [2:0]                     cam_level, claim_level;
  logic                           cam_match, claim_valid;
  logic [1:0]                     cam_perm, claim_perm;
  verdict_t [7:0]                 cam_verdict;
  logic [7:0][PfnW-1:0]           cam_frame;
  logic                           mark_req, mark, meets_all, meets_pasid;
  logic                           walker_idle, take, candidate_valid;
  logic [SlotW-1:0]               candidate_slot, read_slot;
  logic [IdW-1:0]                 read_id;
  logic [SrcW-1:0]                read_src;
  logic [PasidW-1:0]              read_pasid;
  logic [VpnW-1:0]                read_vpn;
  logic [1:0]                     read_access, read_perm;
  logic                           read_done;
  logic [2:0]                     read_cl, read_pl;
  logic [PfnW-1:0]                read_pa;
  logic                           entry_valid, entry_stale;
  logic [IdW-1:0]                 entry_id;
  logic [SrcW-1:0]                entry_src;
  logic [PasidW-1:0]              entry_pasid;
  logic [VpnW-1:0]                entry_vpn;
  logic [1:0]                     entry_access, entry_size, entry_perm;
  logic [3:0]                     entry_kind;
  logic [2:0]                     entry_level;
  logic [PfnW-1:0]                entry_pfn;
  logic                           any_valid, any_eligible, entries_stale, same_neighbourhood;
  logic [SlotW:0]                 coalesced_answers, coalesced_levels;

  iommu_buffer #(
    .VpnW         (VpnW),
    .PfnW         (PfnW),
    .PasidW       (PasidW),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .Coalesce     (Coalesce)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .mode_i              (features.mode),
    .ins_valid_i         (dec_miss),
    .ins_id_i            (dec_id),
    .ins_src_i           (dec_src),
    .ins_pasid_i         (dec_pasid[PasidW-1:0]),
    .ins_vpn_i           (dec_page[VpnW-1:0]),
    .ins_access_i        (dec_access),
    .next_seq_o          (next_seq),
    .block_live_o        (block_live),
    .flight_valid_i      (flight_valid),
    .flight_vpn_i        (flight_vpn),
    .flight_pasid_i      (flight_pasid),
    .flight_level_i      (flight_level),
    .flight_perm_i       (flight_perm),
    .cam_op_i            (cam_op),
    .cam_pasid_i         (cam_pasid),
    .cam_vpn_i           (cam_vpn),
    .cam_level_i         (cam_level),
    .cam_match_i         (cam_match),
    .cam_perm_i          (cam_perm),
    .cam_verdict_i       (cam_verdict),
    .cam_frame_i         (cam_frame),
    .claim_valid_i       (claim_valid),
    .claim_level_i       (claim_level),
    .claim_perm_i        (claim_perm),
    .mark_all_i          (meets_all),
    .mark_pasid_i        (meets_pasid),
    .walker_idle_i       (walker_idle),
    .take_i              (take),
    .candidate_valid_o   (candidate_valid),
    .candidate_slot_o    (candidate_slot),
    .read_slot_i         (read_slot),
    .read_id_o           (read_id),
    .read_src_o          (read_src),
    .read_pasid_o        (read_pasid),
    .read_vpn_o          (read_vpn),
    .read_access_o       (read_access),
    .read_done_o         (read_done),
    .read_cl_o           (read_cl),
    .read_pl_o           (read_pl),
    .read_pa_o           (read_pa),
    .read_perm_o         (read_perm),
    .give_back_i         (give_back),
    .commit_i            (commit),
    .ans_valid_o         (entry_valid),
    .ans_take_i          (ans_take_entry),
    .ans_id_o            (entry_id),
    .ans_src_o           (entry_src),
    .ans_pasid_o         (entry_pasid),
    .ans_vpn_o           (entry_vpn),
    .ans_access_o        (entry_access),
    .ans_kind_o          (entry_kind),
    .ans_level_o         (entry_level),
    .ans_pfn_o           (entry_pfn),
    .ans_size_o          (entry_size),
    .ans_perm_o          (entry_perm),
    .ans_stale_o         (entry_stale),
    .any_valid_o         (any_valid),
    .any_eligible_o      (any_eligible),
    .any_stale_o         (entries_stale),
    .coalesced_answers_o (coalesced_answers),
    .coalesced_levels_o  (coalesced_levels),
    .same_neighbourhood_o(same_neighbourhood)
  );

  // ---------------------------------------------------------------- page walkers

  logic               pwc_enter, pwc_res_valid, pwc_res_hit, pwc_fill_valid;
  logic [WalkerW-1:0] pwc_enter_walker, pwc_res_walker;
  logic [Walkers-1:0] pwc_drop;
  logic [VpnW-1:0]    pwc_key_vpn, pwc_fill_vpn;
  logic [PasidW-1:0]  pwc_key_pasid, pwc_fill_pasid;
  logic [1:0]         pwc_key_access, pwc_key_perm, pwc_res_perm, pwc_fill_perm, pwc_fill_pte_perm;
  logic [2:0]         pwc_key_level, pwc_res_level, pwc_fill_level;
  logic [AddrW-1:0]   pwc_key_addr, pwc_fill_addr;
  logic [PfnW-1:0]    pwc_res_node, pwc_fill_node;
  logic               walker_valid, walker_stale, walkers_stale, stray;
  logic [IdW-1:0]     walker_id;
  logic [SrcW-1:0]    walker_src;
  logic [PasidW-1:0]  walker_pasid;
  logic [VpnW-1:0]    walker_vpn;
  logic [1:0]         walker_access, walker_size, walker_perm;
  logic [3:0]         walker_kind;
  logic [2:0]         walker_level;
  logic [PfnW-1:0]    walker_pfn;
  logic [CountW-1:0]  started_count, idle_count;
  logic [4:0][CountW-1:0] cause_count;

  page_walkers #(
    .VpnW         (VpnW),
    .PaWidth      (PaWidth),
    .PasidW       (PasidW),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .PwcOrg       (PwcOrg)
  ) u_walkers (
    .clk_i,
    .rst_ni,
    .pwc_enable_i       (features.pwc_enable),
    .pl_skips_pwc_i     (features.pl_skips_pwc),
    .root_valid_i       (root_valid),
    .root_frame_i       (root_frame),
    .candidate_valid_i  (candidate_valid),
    .candidate_slot_i   (candidate_slot),
    .idle_o             (walker_idle),
    .take_o             (take),
    .read_slot_o        (read_slot),
    .read_id_i          (read_id),
    .read_src_i         (read_src),
    .read_pasid_i       (read_pasid),
    .read_vpn_i         (read_vpn),
    .read_access_i      (read_access),
    .read_done_i        (read_done),
    .read_cl_i          (read_cl),
    .read_pl_i          (read_pl),
    .read_pa_i          (read_pa),
    .read_perm_i        (read_perm),
    .give_back_o        (give_back),
    .commit_o           (commit),
    .flight_valid_o     (flight_valid),
    .flight_vpn_o       (flight_vpn),
    .flight_pasid_o     (flight_pasid),
    .flight_level_o     (flight_level),
    .flight_perm_o      (flight_perm),
    .cam_op_o           (cam_op),
    .cam_pasid_o        (cam_pasid),
    .cam_vpn_o          (cam_vpn),
    .cam_level_o        (cam_level),
    .cam_match_o        (cam_match),
    .cam_perm_o         (cam_perm),
    .cam_verdict_o      (cam_verdict),
    .cam_frame_o        (cam_frame),
    .claim_valid_o      (claim_valid),
    .claim_level_o      (claim_level),
    .claim_perm_o       (claim_perm),
    .pwc_enter_o        (pwc_enter),
    .pwc_enter_walker_o (pwc_enter_walker),
    .pwc_drop_o         (pwc_drop),
    .pwc_res_valid_i    (pwc_res_valid),
    .pwc_res_walker_i   (pwc_res_walker),
    .pwc_key_vpn_o      (pwc_key_vpn),
    .pwc_key_pasid_o    (pwc_key_pasid),
    .pwc_key_access_o   (pwc_key_access),
    .pwc_key_level_o    (pwc_key_level),
    .pwc_key_addr_o     (pwc_key_addr),
    .pwc_key_perm_o     (pwc_key_perm),
    .pwc_res_hit_i      (pwc_res_hit),
    .pwc_res_level_i    (pwc_res_level),
    .pwc_res_node_i     (pwc_res_node),
    .pwc_res_perm_i     (pwc_res_perm),
    .pwc_fill_valid_o   (pwc_fill_valid),
    .pwc_fill_level_o   (pwc_fill_level),
    .pwc_fill_vpn_o     (pwc_fill_vpn),
    .pwc_fill_pasid_o   (pwc_fill_pasid),
    .pwc_fill_addr_o    (pwc_fill_addr),
    .pwc_fill_node_o    (pwc_fill_node),
    .pwc_fill_perm_o    (pwc_fill_perm),
    .pwc_fill_pte_perm_o(pwc_fill_pte_perm),
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_tag_o,
    .mem_req_line_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_error_i,
    .mem_rsp_data_i,
    .mark_req_i         (mark_req),
    .mark_o             (mark),
    .mark_all_i         (meets_all),
    .mark_pasid_i       (meets_pasid),
    .mark_pasid_value_i (inv_pasid[PasidW-1:0]),
    .ans_valid_o        (walker_valid),
    .ans_take_i         (ans_take_walker),
    .ans_id_o           (walker_id),
    .ans_src_o          (walker_src),
    .ans_pasid_o        (walker_pasid),
    .ans_vpn_o          (walker_vpn),
    .ans_access_o       (walker_access),
    .ans_kind_o         (walker_kind),
    .ans_level_o        (walker_level),
    .ans_pfn_o          (walker_pfn),
    .ans_size_o         (walker_size),
    .ans_perm_o         (walker_perm),
    .ans_stale_o        (walker_stale),
    .any_stale_o        (walkers_stale),
    .stray_o            (stray),
    .started_count_o    (started_count),
    .cause_count_o      (cause_count),
    .idle_count_o       (idle_count)
  );

  // ---------------------------------------------------------------- page walk cache

  page_walk_cache #(
    .VpnW      (VpnW),
    .PaWidth   (PaWidth),
    .PasidW    (PasidW),
    .Walkers   (Walkers),
    .PwcOrg    (PwcOrg),
    .PwcEntries(PwcEntries),
    .PwcWays   (PwcWays),
    .PwcLatency(PwcLatency)
  ) u_pwc (
    .clk_i,
    .rst_ni,
    .enter_i           (pwc_enter),
    .enter_walker_i    (pwc_enter_walker),
    .drop_i            (pwc_drop),
    .res_valid_o       (pwc_res_valid),
    .res_walker_o      (pwc_res_walker),
    .key_vpn_i         (pwc_key_vpn),
    .key_pasid_i       (pwc_key_pasid),
    .key_access_i      (pwc_key_access),
    .key_level_i       (pwc_key_level),
    .key_addr_i        (pwc_key_addr),
    .key_perm_i        (pwc_key_perm),
    .res_hit_o         (pwc_res_hit),
    .res_level_o       (pwc_res_level),
    .res_node_o        (pwc_res_node),
    .res_perm_o        (pwc_res_perm),
    .fill_valid_i      (pwc_fill_valid),
    .fill_level_i      (pwc_fill_level),
    .fill_vpn_i        (pwc_fill_vpn),
    .fill_pasid_i      (pwc_fill_pasid),
    .fill_addr_i       (pwc_fill_addr),
    .fill_node_i       (pwc_fill_node),
    .fill_perm_i       (pwc_fill_perm),
    .fill_pte_perm_i   (pwc_fill_pte_perm),
    .mark_i            (mark),
    .mark_all_i        (meets_all),
    .mark_pasid_i      (meets_pasid),
    .mark_pasid_value_i(inv_pasid[PasidW-1:0])
  );

  // ---------------------------------------------------------------- answers and responses (R10.1)

  logic walk_room, old_epoch, epoch;

  assign ans_take_walker = walk_room && walker_valid;
  assign ans_take_entry  = walk_room && !walker_valid && entry_valid;
  assign ans_valid       = ans_take_walker || ans_take_entry;
  assign ans_stale       = walker_valid ? walker_stale : entry_stale;
  assign ans_id          = walker_valid ? walker_id : entry_id;
  assign ans_src         = walker_valid ? walker_src : entry_src;
  assign ans_pasid       = walker_valid ? walker_pasid : entry_pasid;
  assign ans_vpn         = walker_valid ? walker_vpn : entry_vpn;
  assign ans_access      = walker_valid ? walker_access : entry_access;
  assign ans_kind        = walker_valid ? walker_kind : entry_kind;
  assign ans_level       = walker_valid ? walker_level : entry_level;
  assign ans_pfn         = walker_valid ? walker_pfn : entry_pfn;
  assign ans_size        = walker_valid ? walker_size : entry_size;
  assign ans_perm        = walker_valid ? walker_perm : entry_perm;

  response_queue #(
    .IdW      (IdW),
    .PfnW     (PfnW),
    .HitQueue (HitQueue),
    .WalkQueue(WalkQueue)
  ) u_responses (
    .clk_i,
    .rst_ni,
    .epoch_i     (epoch),
    .hit_push_i  (dec_other),
    .hit_id_i    (dec_id),
    .hit_kind_i  (dec_kind),
    .hit_level_i (3'd0),
    .hit_pfn_i   (dec_pfn),
    .hit_size_i  (dec_size),
    .hit_perm_i  (dec_perm),
    .hit_pop_o   (hit_pop),
    .walk_push_i (ans_valid),
    .walk_id_i   (ans_id),
    .walk_kind_i (ans_kind),
    .walk_level_i(ans_level),
    .walk_pfn_i  (ans_pfn),
    .walk_size_i (ans_size),
    .walk_perm_i (ans_perm),
    .walk_room_o (walk_room),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_id_o,
    .rsp_kind_o,
    .rsp_level_o,
    .rsp_pfn_o,
    .rsp_size_o,
    .rsp_perm_o,
    .old_epoch_o (old_epoch)
  );

  // ---------------------------------------------------------------- invalidation

  invalidation #(
    .VpnW  (VpnW),
    .PasidW(PasidW),
    .Sets  (Sets)
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
    .any_stale_i  (walkers_stale || entries_stale),
    .old_epoch_i  (old_epoch),
    .epoch_o      (epoch)
  );

  // ---------------------------------------------------------------- control and counters

  logic [5:0]          counter_number;
  logic [CounterW-1:0] counter;
  logic                hit_fault, walk_fault;

  assign hit_fault  = dec_other && dec_kind != KindOk;
  assign walk_fault = ans_valid && ans_kind != KindOk;

  control #(
    .PfnW  (PfnW),
    .PasidW(PasidW),
    .SrcW  (SrcW)
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
  logic                                idle_held;

  assign idle_held = any_valid && !any_eligible && !candidate_valid;

  always_comb begin
    increment = '0;
    increment[CntCycles]            = IncrementW'(1);
    increment[CntRequests]          = IncrementW'(req_fire);
    increment[CntResponses]         = IncrementW'(rsp_valid_o && rsp_ready_i);
    increment[CntTlbHits]           = IncrementW'(dec_hit);
    increment[CntTlbMisses]         = IncrementW'(dec_miss);
    increment[CntFaults]            = IncrementW'(hit_fault) + IncrementW'(walk_fault);
    increment[CntWalks]             = IncrementW'(commit);
    increment[CntPageTableAccesses] = IncrementW'(mem_req_valid_o && mem_req_ready_i);
    increment[CntPwcLookups]        = IncrementW'(pwc_enter);
    increment[CntPwcHits]           = IncrementW'(pwc_res_valid && pwc_res_hit);
    increment[CntCoalescedAnswers]  = IncrementW'(coalesced_answers);
    increment[CntCoalescedLevels]   = IncrementW'(coalesced_levels);
    increment[CntGivenBack]         = IncrementW'(give_back);
    increment[CntInvalidations]     = IncrementW'(inv_done_o);
    increment[CntRequestStalls]     = IncrementW'(req_valid_i && !req_ready_o);
    increment[CntStrayLines]        = IncrementW'(stray);
    increment[CntWaiting]           = IncrementW'(buffer_used) - IncrementW'(lookups) +
                                      IncrementW'(started_count);
    increment[CntSameNeighbourhood] = IncrementW'(same_neighbourhood);
    increment[CntIdleEmpty]         = any_valid ? '0 : IncrementW'(idle_count);
    increment[CntIdleHeld]          = idle_held ? IncrementW'(idle_count) : '0;
    increment[CntIdlePick]          = (any_valid && !idle_held) ? IncrementW'(idle_count) : '0;
    increment[CntPwc]               = IncrementW'(cause_count[0]);
    increment[CntCam]               = IncrementW'(cause_count[1]);
    increment[CntMemoryPort]        = IncrementW'(cause_count[2]);
    increment[CntMemory]            = IncrementW'(cause_count[3]);
    increment[CntResponseQueue]     = IncrementW'(cause_count[4]);
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
