// The walk side of the unit: IOMMU buffer, page walkers, page walk cache, what joins subregions, and
// the port at which walks are answered.
//
// Contract: every miss is answered exactly once, from the walker that walked for it or from its buffer
// entry, as the walk queue has room. The admission keeps a slot of the buffer for every miss (R2.4) and
// learns here what frees one. An answer fills the TLB a cycle after it has entered the walk queue, or a
// joined entry does where no answer fills (R3.13). A mark (R11.2) waits for a cycle in which no scan uses
// the CAM.
module walk_engine
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned TlbPartition  = 8,
  parameter int unsigned BufferEntries = 256,
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
  parameter int unsigned SweepW        = 6,
  parameter int unsigned IncrementW    = 9,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned SeqW    = SlotW + 2,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  features_t                           features_i,
  input  logic                                epoch_i,
  input  logic [Pasids-1:0]                   root_valid_i,
  input  logic [Pasids-1:0][PfnW-1:0]         root_frame_i,
  // A miss (R4.2), and what the admission knows of the slots (R2.4).
  input  logic                                miss_valid_i,
  input  logic [IdW-1:0]                      miss_id_i,
  input  logic [SrcW-1:0]                     miss_src_i,
  input  logic [PasidW-1:0]                   miss_pasid_i,
  input  logic [VpnW-1:0]                     miss_vpn_i,
  input  logic [1:0]                          miss_access_i,
  output logic                                freed_commit_o,
  output logic                                freed_answer_o,
  output logic [SeqW-1:0]                     next_seq_o,
  output logic [3:0]                          block_live_o,
  // Walk memory (section 8).
  output logic                                mem_req_valid_o,
  input  logic                                mem_req_ready_i,
  output logic [MemTagW-1:0]                  mem_req_tag_o,
  output logic [LineW-1:0]                    mem_req_line_o,
  input  logic                                mem_rsp_valid_i,
  input  logic [MemTagW-1:0]                  mem_rsp_tag_i,
  input  logic                                mem_rsp_error_i,
  input  logic [511:0]                        mem_rsp_data_i,
  // The answer (R10.1), and the fill of the TLB (R3.13).
  input  logic                                room_i,  // in the walk queue, for a promise
  output logic                                chosen_o,
  output logic                                ans_valid_o,
  output logic [IdW-1:0]                      ans_id_o,
  output logic [SrcW-1:0]                     ans_src_o,
  output logic [PasidW-1:0]                   ans_pasid_o,
  output logic [VpnW-1:0]                     ans_vpn_o,
  output logic [1:0]                          ans_access_o,
  output logic [3:0]                          ans_kind_o,
  output logic [2:0]                          ans_level_o,
  output logic [PfnW-1:0]                     ans_pfn_o,
  output logic [1:0]                          ans_size_o,
  output logic [1:0]                          ans_perm_o,
  output logic                                ans_epoch_o,
  output logic                                fill_valid_o,
  output logic                                fill_class_o,
  output logic [PasidW-1:0]                   fill_pasid_o,
  output logic [VpnW-1:0]                     fill_vpn_o,
  output logic [2:0]                          fill_length_o,
  output logic [PfnW-1:0]                     fill_pfn_o,
  output logic [1:0]                          fill_perm_o,
  output logic [1:0]                          fill_size_o,
  // Invalidation: the mark, asked for, done and whom it meets (R11.2); the sweep (R11.4).
  input  logic                                mark_req_i,
  output logic                                mark_o,
  input  logic                                mark_all_i,
  input  logic                                mark_pasid_i,
  input  logic                                sweep_valid_i,
  input  logic [SweepW-1:0]                   sweep_set_i,
  input  logic [1:0]                          inv_type_i,
  input  logic [PasidPortW-1:0]               inv_pasid_i,
  input  logic [VpnW-1:0]                     inv_first_i,
  input  logic [VpnW-1:0]                     inv_last_i,
  output logic                                any_stale_o,
  output logic                                old_epoch_o,  // of an answer before the walk queue
  output logic                                inserting_o,  // a miss is not yet in the buffer
  // What this side adds to each counter (R12.5); of WAITING, the walkers with STARTED=1.
  output logic [Counters-1:0][IncrementW-1:0] increment_o
);

  localparam int unsigned VsnW   = VpnW - 6;
  localparam int unsigned CountW = $clog2(Walkers + 1);

  // The wires, by what travels together. From the buffer to a walker:
  logic               picking, candidate_held, take, give_back, read_done;
  logic               taking;
  logic [SlotW-1:0]   candidate_slot, read_slot, commit_slot;
  logic [IdW-1:0]     read_id;
  logic [SrcW-1:0]    read_src;
  logic [PasidW-1:0]  read_pasid;
  logic [VpnW-1:0]    read_vpn;
  logic [1:0]         read_access, read_perm;
  logic [2:0]         read_cl, read_pl;
  logic [PfnW-1:0]    read_pa;
  logic [ContigW-1:0] read_contig;
  logic [1:0]         read_block, commit_block;

  // The accesses in flight, the CAM port and the decoded line.
  logic [Walkers-1:0]             flight_valid;
  logic [Walkers-1:0][VpnW-1:0]   flight_vpn;
  logic [Walkers-1:0][PasidW-1:0] flight_pasid;
  logic [Walkers-1:0][2:0]        flight_level;
  logic [Walkers-1:0][1:0]        flight_perm, flight_reach;
  cam_op_e                        cam_op;
  logic                           cam_busy;
  cam_op_e                        search_op, update_op;
  logic [PasidW-1:0]              search_pasid, update_pasid;
  logic [VpnW-1:0]                search_vpn, update_vpn;
  logic [2:0]                     search_level, search_claim_level;
  logic [2:0]                     update_level, update_claim_level;
  reach_e                         search_reach, search_claim_reach;
  reach_e                         update_reach, update_claim_reach;
  logic                           search_claim, update_claim;
  logic [PasidW-1:0]              cam_pasid;
  logic [VpnW-1:0]                cam_vpn;
  logic [2:0]                     cam_level, cam_position, claim_level;
  reach_e                         cam_reach, claim_reach;
  logic                           cam_error, claim_valid;
  logic [1:0]                     cam_perm, claim_perm;
  verdict_t [7:0]                 cam_verdict;
  logic [7:0][PfnW-1:0]           cam_frame;
  logic [7:0][ContigW-1:0]        cam_contig;
  logic [1:0][2:0]                cam_links;

  // Lookups and fills of the page walk cache.
  logic               pwc_enter, pwc_res_valid, pwc_res_hit, pwc_fill_valid;
  logic [WalkerW-1:0] pwc_enter_walker, pwc_key_walker, pwc_res_walker;
  logic [Walkers-1:0] pwc_drop;
  logic [VpnW-1:0]    pwc_key_vpn, pwc_fill_vpn;
  logic [PasidW-1:0]  pwc_key_pasid, pwc_fill_pasid;
  logic [1:0]         pwc_key_access, pwc_key_perm, pwc_res_perm, pwc_fill_perm, pwc_fill_pte_perm;
  logic [2:0]         pwc_key_level, pwc_res_level, pwc_fill_level;
  logic [PfnW-1:0]    pwc_key_node, pwc_res_node, pwc_fill_node, pwc_fill_parent;
  logic [ContigW-1:0] pwc_res_contig, pwc_fill_contig;

  // A check that is asked for, its reads of heads and their lines, and the entry that it joins.
  logic              check_valid, head_req, head_taken, line_head, line_error, line_taken;
  logic              join_valid, join_taken, join_loads, fill_load_subregion;
  logic [PasidW-1:0] check_pasid, join_pasid;
  logic [VsnW-1:0]   check_vsn, join_vsn;
  logic [7:0]        check_bits;
  logic [PfnW-1:0]   check_node, check_pfn, head_node, join_pfn;
  logic [1:0]        check_perm, check_pte_perm, join_perm;
  logic [2:0]        head_place, line_place, join_length;

  // The two that may answer: the lowest walker in RESP, and the next buffer entry that is done.
  logic               walker_valid, walker_stale, walker_take, entry_valid, entry_stale;
  logic               reading, reading_epoch;
  logic [IdW-1:0]     walker_id, entry_id;
  logic [SrcW-1:0]    walker_src, entry_src;
  logic [PasidW-1:0]  walker_pasid, entry_pasid;
  logic [VpnW-1:0]    walker_vpn, entry_vpn;
  logic [1:0]         walker_access, walker_size, walker_perm, entry_access, entry_size, entry_perm;
  logic [3:0]         walker_kind, entry_kind;
  logic [2:0]         walker_level, entry_level;
  logic [PfnW-1:0]    walker_base, entry_base;
  logic [ContigW-1:0] walker_contig, entry_contig;
  logic [1:0]         entry_block, answer_block;
  logic               answer_freed;

  // For the counters and the invalidation.
  logic                   any_valid, any_eligible, entries_stale, walkers_stale;
  logic                   same_neighbourhood, stray, head_transfer;
  logic                   msc_look, msc_hit, check_merged, check_dropped;
  logic [2:0]             coalesced_levels;
  logic [CountW-1:0]      started_count, idle_count;
  logic [4:0][CountW-1:0] cause_count;

  iommu_buffer #(
    .VpnW         (VpnW),
    .PfnW         (PfnW),
    .PasidW       (PasidW),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .Coalesce     (Coalesce),
    .Subregions   (Subregions),
    .Colt         (Colt)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .mode_i              (features_i.mode),
    .epoch_i,
    .miss_valid_i,
    .miss_id_i,
    .miss_src_i,
    .miss_pasid_i,
    .miss_vpn_i,
    .miss_access_i,
    .next_seq_o,
    .block_live_o,
    .flight_valid_i      (flight_valid),
    .flight_vpn_i        (flight_vpn),
    .flight_pasid_i      (flight_pasid),
    .flight_level_i      (flight_level),
    .flight_perm_i       (flight_perm),
    .flight_reach_i      (flight_reach),
    .cam_op_i            (cam_op),
    .cam_busy_o          (cam_busy),
    .search_op_o         (search_op),
    .search_pasid_o      (search_pasid),
    .search_vpn_o        (search_vpn),
    .search_level_o      (search_level),
    .search_reach_o      (search_reach),
    .search_claim_o      (search_claim),
    .search_claim_level_o(search_claim_level),
    .search_claim_reach_o(search_claim_reach),
    .update_op_o         (update_op),
    .update_pasid_o      (update_pasid),
    .update_vpn_o        (update_vpn),
    .update_level_o      (update_level),
    .update_reach_o      (update_reach),
    .update_claim_o      (update_claim),
    .update_claim_level_o(update_claim_level),
    .update_claim_reach_o(update_claim_reach),
    .cam_pasid_i         (cam_pasid),
    .cam_vpn_i           (cam_vpn),
    .cam_level_i         (cam_level),
    .cam_reach_i         (cam_reach),
    .cam_position_i      (cam_position),
    .cam_error_i         (cam_error),
    .cam_perm_i          (cam_perm),
    .cam_verdict_i       (cam_verdict),
    .cam_frame_i         (cam_frame),
    .cam_contig_i        (cam_contig),
    .cam_links_i         (cam_links),
    .claim_valid_i       (claim_valid),
    .claim_level_i       (claim_level),
    .claim_reach_i       (claim_reach),
    .claim_perm_i        (claim_perm),
    .mark_i              (mark_o),
    .mark_all_i,
    .mark_pasid_i,
    .mark_pasid_value_i  (inv_pasid_i[PasidW-1:0]),
    .take_i              (take),
    .picking_o           (picking),
    .candidate_held_o    (candidate_held),
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
    .read_contig_o       (read_contig),
    .read_block_o        (read_block),
    .commit_slot_i       (commit_slot),
    .commit_block_i      (commit_block),
    .give_back_i         (give_back),
    .commit_i            (freed_commit_o),
    .ans_valid_o         (entry_valid),
    .ans_choose_i        (freed_answer_o),
    .reading_o           (reading),
    .reading_epoch_o     (reading_epoch),
    .ans_id_o            (entry_id),
    .ans_src_o           (entry_src),
    .ans_pasid_o         (entry_pasid),
    .ans_vpn_o           (entry_vpn),
    .ans_access_o        (entry_access),
    .ans_kind_o          (entry_kind),
    .ans_level_o         (entry_level),
    .ans_pfn_o           (entry_base),
    .ans_size_o          (entry_size),
    .ans_perm_o          (entry_perm),
    .ans_contig_o        (entry_contig),
    .ans_stale_o         (entry_stale),
    .ans_block_o         (entry_block),
    .freed_i             (answer_freed),
    .freed_block_i       (answer_block),
    .any_valid_o         (any_valid),
    .inserting_o,
    .any_eligible_o      (any_eligible),
    .any_stale_o         (entries_stale),
    .same_neighbourhood_o(same_neighbourhood)
  );

  page_walkers #(
    .VpnW         (VpnW),
    .PaWidth      (PaWidth),
    .PasidW       (PasidW),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .BufferEntries(BufferEntries),
    .Walkers      (Walkers),
    .PwcOrg       (PwcOrg),
    .Coalesce     (Coalesce),
    .Subregions   (Subregions),
    .HeadFirst    (HeadFirst),
    .Colt         (Colt)
  ) u_walkers (
    .clk_i,
    .rst_ni,
    .mode_i             (features_i.mode),
    .pwc_enable_i       (features_i.pwc_enable),
    .pl_skips_pwc_i     (features_i.pl_skips_pwc),
    .subregion_enable_i (features_i.subregion_enable),
    .colt_enable_i      (features_i.colt_enable),
    .root_valid_i,
    .root_frame_i,
    .candidate_held_i   (candidate_held),
    .candidate_slot_i   (candidate_slot),
    .take_o             (take),
    .taking_o           (taking),
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
    .read_contig_i      (read_contig),
    .read_block_i       (read_block),
    .commit_slot_o      (commit_slot),
    .commit_block_o     (commit_block),
    .give_back_o        (give_back),
    .commit_o           (freed_commit_o),
    .flight_valid_o     (flight_valid),
    .flight_vpn_o       (flight_vpn),
    .flight_pasid_o     (flight_pasid),
    .flight_level_o     (flight_level),
    .flight_perm_o      (flight_perm),
    .flight_reach_o     (flight_reach),
    .cam_busy_i         (cam_busy),
    .search_op_i         (search_op),
    .search_pasid_i      (search_pasid),
    .search_vpn_i        (search_vpn),
    .search_level_i      (search_level),
    .search_reach_i      (search_reach),
    .search_claim_i      (search_claim),
    .search_claim_level_i(search_claim_level),
    .search_claim_reach_i(search_claim_reach),
    .update_op_i         (update_op),
    .update_pasid_i      (update_pasid),
    .update_vpn_i        (update_vpn),
    .update_level_i      (update_level),
    .update_reach_i      (update_reach),
    .update_claim_i      (update_claim),
    .update_claim_level_i(update_claim_level),
    .update_claim_reach_i(update_claim_reach),
    .cam_op_o           (cam_op),
    .cam_pasid_o        (cam_pasid),
    .cam_vpn_o          (cam_vpn),
    .cam_level_o        (cam_level),
    .cam_reach_o        (cam_reach),
    .cam_position_o     (cam_position),
    .cam_error_o        (cam_error),
    .cam_perm_o         (cam_perm),
    .cam_verdict_o      (cam_verdict),
    .cam_frame_o        (cam_frame),
    .cam_contig_o       (cam_contig),
    .cam_links_o        (cam_links),
    .claim_valid_o      (claim_valid),
    .claim_level_o      (claim_level),
    .claim_reach_o      (claim_reach),
    .claim_perm_o       (claim_perm),
    .pwc_enter_o        (pwc_enter),
    .pwc_enter_walker_o (pwc_enter_walker),
    .pwc_drop_o         (pwc_drop),
    .pwc_key_walker_i   (pwc_key_walker),
    .pwc_res_valid_i    (pwc_res_valid),
    .pwc_res_walker_i   (pwc_res_walker),
    .pwc_key_vpn_o      (pwc_key_vpn),
    .pwc_key_pasid_o    (pwc_key_pasid),
    .pwc_key_access_o   (pwc_key_access),
    .pwc_key_level_o    (pwc_key_level),
    .pwc_key_node_o     (pwc_key_node),
    .pwc_key_perm_o     (pwc_key_perm),
    .pwc_res_hit_i      (pwc_res_hit),
    .pwc_res_level_i    (pwc_res_level),
    .pwc_res_node_i     (pwc_res_node),
    .pwc_res_perm_i     (pwc_res_perm),
    .pwc_res_contig_i   (pwc_res_contig),
    .pwc_fill_valid_o   (pwc_fill_valid),
    .pwc_fill_level_o   (pwc_fill_level),
    .pwc_fill_vpn_o     (pwc_fill_vpn),
    .pwc_fill_pasid_o   (pwc_fill_pasid),
    .pwc_fill_parent_o  (pwc_fill_parent),
    .pwc_fill_node_o    (pwc_fill_node),
    .pwc_fill_perm_o    (pwc_fill_perm),
    .pwc_fill_pte_perm_o(pwc_fill_pte_perm),
    .pwc_fill_contig_o  (pwc_fill_contig),
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_tag_o,
    .mem_req_line_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_error_i,
    .mem_rsp_data_i,
    .check_valid_o      (check_valid),
    .check_pasid_o      (check_pasid),
    .check_vsn_o        (check_vsn),
    .check_bits_o       (check_bits),
    .check_node_o       (check_node),
    .check_pfn_o        (check_pfn),
    .check_perm_o       (check_perm),
    .check_pte_perm_o   (check_pte_perm),
    .head_req_i         (head_req),
    .head_place_i       (head_place),
    .head_node_i        (head_node),
    .head_taken_o       (head_taken),
    .head_transfer_o    (head_transfer),
    .line_head_o        (line_head),
    .line_place_o       (line_place),
    .line_error_o       (line_error),
    .mark_req_i,
    .mark_o,
    .mark_all_i,
    .mark_pasid_i,
    .mark_pasid_value_i (inv_pasid_i[PasidW-1:0]),
    .ans_valid_o        (walker_valid),
    .ans_take_i         (walker_take),
    .ans_id_o           (walker_id),
    .ans_src_o          (walker_src),
    .ans_pasid_o        (walker_pasid),
    .ans_vpn_o          (walker_vpn),
    .ans_access_o       (walker_access),
    .ans_kind_o         (walker_kind),
    .ans_level_o        (walker_level),
    .ans_pfn_o          (walker_base),
    .ans_size_o         (walker_size),
    .ans_perm_o         (walker_perm),
    .ans_contig_o       (walker_contig),
    .ans_stale_o        (walker_stale),
    .any_stale_o        (walkers_stale),
    .stray_o            (stray),
    .started_count_o    (started_count),
    .coalesced_levels_o (coalesced_levels),
    .cause_count_o      (cause_count),
    .idle_count_o       (idle_count)
  );

  page_walk_cache #(
    .VpnW      (VpnW),
    .PaWidth   (PaWidth),
    .PasidW    (PasidW),
    .Walkers   (Walkers),
    .PwcOrg    (PwcOrg),
    .PwcEntries(PwcEntries),
    .PwcWays   (PwcWays),
    .PwcLatency(PwcLatency),
    .Subregions(Subregions)
  ) u_pwc (
    .clk_i,
    .rst_ni,
    .enter_i           (pwc_enter),
    .enter_walker_i    (pwc_enter_walker),
    .drop_i            (pwc_drop),
    .key_walker_o      (pwc_key_walker),
    .res_valid_o       (pwc_res_valid),
    .res_walker_o      (pwc_res_walker),
    .key_vpn_i         (pwc_key_vpn),
    .key_pasid_i       (pwc_key_pasid),
    .key_access_i      (pwc_key_access),
    .key_level_i       (pwc_key_level),
    .key_node_i        (pwc_key_node),
    .key_perm_i        (pwc_key_perm),
    .res_hit_o         (pwc_res_hit),
    .res_level_o       (pwc_res_level),
    .res_node_o        (pwc_res_node),
    .res_perm_o        (pwc_res_perm),
    .res_contig_o      (pwc_res_contig),
    .fill_valid_i      (pwc_fill_valid),
    .fill_level_i      (pwc_fill_level),
    .fill_vpn_i        (pwc_fill_vpn),
    .fill_pasid_i      (pwc_fill_pasid),
    .fill_parent_i     (pwc_fill_parent),
    .fill_node_i       (pwc_fill_node),
    .fill_perm_i       (pwc_fill_perm),
    .fill_pte_perm_i   (pwc_fill_pte_perm),
    .fill_contig_i     (pwc_fill_contig),
    .mark_i            (mark_o),
    .mark_all_i,
    .mark_pasid_i,
    .mark_pasid_value_i(inv_pasid_i[PasidW-1:0])
  );

  subregion_joiner #(
    .VpnW      (VpnW),
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .Subregions(Subregions),
    .MscEntries(MscEntries),
    .MscWays   (MscWays),
    .CheckQueue(CheckQueue),
    .HeadFirst (HeadFirst),
    .SweepW    (SweepW)
  ) u_joiner (
    .clk_i,
    .rst_ni,
    .check_valid_i   (check_valid),
    .check_pasid_i   (check_pasid),
    .check_vsn_i     (check_vsn),
    .check_bits_i    (check_bits),
    .check_node_i    (check_node),
    .check_pfn_i     (check_pfn),
    .check_perm_i    (check_perm),
    .check_pte_perm_i(check_pte_perm),
    .line_verdict_i  (cam_verdict),
    .line_frame_i    (cam_frame),
    .line_head_i     (line_head),
    .line_place_i    (line_place),
    .line_error_i    (line_error),
    .line_taken_o    (line_taken),
    .head_req_o      (head_req),
    .head_place_o    (head_place),
    .head_node_o     (head_node),
    .head_taken_i    (head_taken),
    .join_valid_o    (join_valid),
    .join_taken_i    (join_taken),
    .join_pasid_o    (join_pasid),
    .join_vsn_o      (join_vsn),
    .join_length_o   (join_length),
    .join_pfn_o      (join_pfn),
    .join_perm_o     (join_perm),
    .mark_i          (mark_o),
    .mark_all_i,
    .mark_pasid_i,
    .sweep_valid_i,
    .sweep_set_i,
    .inv_type_i,
    .inv_pasid_i,
    .inv_first_i,
    .inv_last_i,
    .msc_look_o      (msc_look),
    .msc_hit_o       (msc_hit),
    .merged_o        (check_merged),
    .dropped_o       (check_dropped)
  );

  answer_port #(
    .VpnW        (VpnW),
    .PfnW        (PfnW),
    .PasidW      (PasidW),
    .IdW         (IdW),
    .SrcW        (SrcW),
    .TlbPartition(TlbPartition),
    .Subregions  (Subregions),
    .Colt        (Colt)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .subregion_enable_i(features_i.subregion_enable),
    .epoch_i,
    .mark_i            (mark_o),
    .mark_all_i,
    .mark_pasid_i,
    .mark_pasid_value_i(inv_pasid_i[PasidW-1:0]),
    .room_i,
    .walker_valid_i    (walker_valid),
    .walker_stale_i    (walker_stale),
    .walker_id_i       (walker_id),
    .walker_src_i      (walker_src),
    .walker_pasid_i    (walker_pasid),
    .walker_vpn_i      (walker_vpn),
    .walker_access_i   (walker_access),
    .walker_kind_i     (walker_kind),
    .walker_level_i    (walker_level),
    .walker_base_i     (walker_base),
    .walker_size_i     (walker_size),
    .walker_perm_i     (walker_perm),
    .walker_contig_i   (walker_contig),
    .walker_take_o     (walker_take),
    .entry_valid_i     (entry_valid),
    .entry_choose_o    (freed_answer_o),
    .reading_i         (reading),
    .reading_epoch_i   (reading_epoch),
    .entry_stale_i     (entry_stale),
    .entry_id_i        (entry_id),
    .entry_src_i       (entry_src),
    .entry_pasid_i     (entry_pasid),
    .entry_vpn_i       (entry_vpn),
    .entry_access_i    (entry_access),
    .entry_kind_i      (entry_kind),
    .entry_level_i     (entry_level),
    .entry_base_i      (entry_base),
    .entry_size_i      (entry_size),
    .entry_perm_i      (entry_perm),
    .entry_contig_i    (entry_contig),
    .entry_block_i     (entry_block),
    .freed_o           (answer_freed),
    .freed_block_o     (answer_block),
    .chosen_o,
    .ans_valid_o,
    .ans_id_o,
    .ans_src_o,
    .ans_pasid_o,
    .ans_vpn_o,
    .ans_access_o,
    .ans_kind_o,
    .ans_level_o,
    .ans_pfn_o,
    .ans_size_o,
    .ans_perm_o,
    .ans_epoch_o,
    .old_epoch_o,
    .join_valid_i      (join_valid),
    .join_pasid_i      (join_pasid),
    .join_vsn_i        (join_vsn),
    .join_length_i     (join_length),
    .join_pfn_i        (join_pfn),
    .join_perm_i       (join_perm),
    .join_taken_o      (join_taken),
    .join_loads_o      (join_loads),
    .fill_load_subregion_o(fill_load_subregion),
    .fill_valid_o,
    .fill_class_o,
    .fill_pasid_o,
    .fill_vpn_o,
    .fill_length_o,
    .fill_pfn_o,
    .fill_perm_o,
    .fill_size_o
  );

  assign any_stale_o = walkers_stale || entries_stale;

  // ---------------------------------------------------------------- what is counted (R12.5, R12.6)

  logic idle_held;

  assign idle_held = any_valid && !any_eligible && !picking && !taking;

  always_comb begin
    increment_o = '0;
    increment_o[CntWalks]             = IncrementW'(freed_commit_o);
    increment_o[CntPageTableAccesses] = IncrementW'(mem_req_valid_o && mem_req_ready_i);
    increment_o[CntPwcLookups]        = IncrementW'(pwc_enter);
    increment_o[CntPwcHits]           = IncrementW'(pwc_res_valid && pwc_res_hit);
    increment_o[CntCoalescedAnswers]  = IncrementW'(freed_answer_o);
    increment_o[CntCoalescedLevels]   = IncrementW'(coalesced_levels);
    increment_o[CntGivenBack]         = IncrementW'(give_back);
    increment_o[CntStrayLines]        = IncrementW'(stray && !line_taken);  // R8.4
    increment_o[CntWaiting]           = IncrementW'(started_count);
    increment_o[CntSameNeighbourhood] = IncrementW'(same_neighbourhood);
    increment_o[CntMscLookups]        = IncrementW'(msc_look);
    increment_o[CntMscHits]           = IncrementW'(msc_hit);
    increment_o[CntHeadReads]         = IncrementW'(head_transfer);
    increment_o[CntSubregionFills]    = IncrementW'(fill_load_subregion);
    increment_o[CntJoined]            = IncrementW'(join_loads);
    increment_o[CntChecksMerged]      = IncrementW'(check_merged);
    increment_o[CntChecksDropped]     = IncrementW'(check_dropped);
    increment_o[CntIdleEmpty]         = any_valid ? '0 : IncrementW'(idle_count);
    increment_o[CntIdleHeld]          = idle_held ? IncrementW'(idle_count) : '0;
    increment_o[CntIdlePick]          = (any_valid && !idle_held) ? IncrementW'(idle_count) : '0;
    for (int unsigned c = 0; c < 5; c++) increment_o[CntPwc+c] = IncrementW'(cause_count[c]);
  end

endmodule
