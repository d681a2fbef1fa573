// The IOMMU buffer with its coalescing CAM (sections 4, 5, 9, 10; NHA section IV).
//
// Index of an entry = its slot; order is age (SEQ), not position. R4.1 says what CL and PL hold.
//
// One insertion, one CAM operation in search and one in update, one read (for take or commit), one round
// of a pick, one answer chosen and one read a cycle, all at once if they come together, all on the state
// at the beginning of the cycle. The search compares one key with every entry; the update works on what
// it has found, with a line that was decoded before. The admission guarantees a free slot for every
// insertion.
module iommu_buffer
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PfnW          = 36,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Walkers       = 8,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter int unsigned Colt          = 0,
  localparam int unsigned Levels = VpnW / 9,
  localparam int unsigned SlotW  = $clog2(BufferEntries),
  localparam int unsigned SeqW   = SlotW + 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [1:0]                    mode_i,
  input  logic                          epoch_i,
  // A miss, into the insertion register (R4.2).
  input  logic                          miss_valid_i,
  input  logic [IdW-1:0]                miss_id_i,
  input  logic [SrcW-1:0]               miss_src_i,
  input  logic [PasidW-1:0]             miss_pasid_i,
  input  logic [VpnW-1:0]               miss_vpn_i,
  input  logic [1:0]                    miss_access_i,
  output logic [SeqW-1:0]               next_seq_o,
  output logic [3:0]                    block_live_o,
  // Accesses in flight (R4.3, R7.3).
  input  logic [Walkers-1:0]            flight_valid_i,
  input  logic [Walkers-1:0][VpnW-1:0]  flight_vpn_i,
  input  logic [Walkers-1:0][PasidW-1:0] flight_pasid_i,
  input  logic [Walkers-1:0][2:0]       flight_level_i,
  input  logic [Walkers-1:0][1:0]       flight_perm_i,
  input  logic [Walkers-1:0][1:0]       flight_reach_i,   // reach_e
  // The operation that the CAM takes (R4.4, R4.7). Level and perm are those before it, claim_* those after.
  input  cam_op_e                       cam_op_i,
  output logic                          cam_busy_o,       // one is in search or update
  output cam_op_e                       search_op_o,
  output logic [PasidW-1:0]             search_pasid_o,
  output logic [VpnW-1:0]               search_vpn_o,
  output logic [2:0]                    search_level_o,
  output reach_e                        search_reach_o,
  output logic                          search_claim_o,
  output logic [2:0]                    search_claim_level_o,
  output reach_e                        search_claim_reach_o,
  output cam_op_e                       update_op_o,
  output logic [PasidW-1:0]             update_pasid_o,
  output logic [VpnW-1:0]               update_vpn_o,
  output logic [2:0]                    update_level_o,
  output reach_e                        update_reach_o,
  output logic                          update_claim_o,
  output logic [2:0]                    update_claim_level_o,
  output reach_e                        update_claim_reach_o,
  input  logic [PasidW-1:0]             cam_pasid_i,
  input  logic [VpnW-1:0]               cam_vpn_i,
  input  logic [2:0]                    cam_level_i,      // scan, advance: the level released
  input  reach_e                        cam_reach_i,
  input  logic [2:0]                    cam_position_i,   // of the walker's own PTE in the line
  input  logic                          cam_error_i,      // scan: no line is there (R9.4)
  input  logic [1:0]                    cam_perm_i,
  input  verdict_t [7:0]                cam_verdict_i,
  input  logic [7:0][PfnW-1:0]          cam_frame_i,
  input  logic [7:0][ContigW-1:0]       cam_contig_i,
  input  logic [1:0][2:0]               cam_links_i,      // of the line's groups (R1.14)
  input  logic                          claim_valid_i,
  input  logic [2:0]                    claim_level_i,
  input  reach_e                        claim_reach_i,
  input  logic [1:0]                    claim_perm_i,
  // Mark (R11.2): all PASIDs, or the one of mark_pasid_value_i, or none.
  input  logic                          mark_i,
  input  logic                          mark_all_i,
  input  logic                          mark_pasid_i,
  input  logic [PasidW-1:0]             mark_pasid_value_i,
  // Pick and candidate (R5.2, R5.3, R5.10).
  input  logic                          take_i,
  output logic                          picking_o,        // a pick, or its candidate, is there
  output logic                          candidate_held_o,
  output logic [SlotW-1:0]              candidate_slot_o,
  // The read port that take and commit share (R5.3).
  input  logic [SlotW-1:0]              read_slot_i,
  output logic [IdW-1:0]                read_id_o,
  output logic [SrcW-1:0]               read_src_o,
  output logic [PasidW-1:0]             read_pasid_o,
  output logic [VpnW-1:0]               read_vpn_o,
  output logic [1:0]                    read_access_o,
  output logic                          read_done_o,
  output logic [2:0]                    read_cl_o,
  output logic [2:0]                    read_pl_o,
  output logic [PfnW-1:0]               read_pa_o,
  output logic [1:0]                    read_perm_o,
  output logic [ContigW-1:0]            read_contig_o,
  output logic [1:0]                    read_block_o,     // of its SEQ
  input  logic [SlotW-1:0]              commit_slot_i,
  input  logic [1:0]                    commit_block_i,
  input  logic                          give_back_i,      // R5.7, the entry at commit_slot_i
  input  logic                          commit_i,         // R5.8, the entry at commit_slot_i
  // Answers: one is there, it is chosen (R10.1), and the fields of the one being read (R10.2).
  output logic                          ans_valid_o,
  input  logic                          ans_choose_i,
  output logic                          reading_o,
  output logic                          reading_epoch_o,
  output logic [IdW-1:0]                ans_id_o,
  output logic [SrcW-1:0]               ans_src_o,
  output logic [PasidW-1:0]             ans_pasid_o,
  output logic [VpnW-1:0]               ans_vpn_o,
  output logic [1:0]                    ans_access_o,
  output logic [3:0]                    ans_kind_o,
  output logic [2:0]                    ans_level_o,
  output logic [PfnW-1:0]               ans_pfn_o,
  output logic [1:0]                    ans_size_o,
  output logic [1:0]                    ans_perm_o,
  output logic [ContigW-1:0]            ans_contig_o,
  output logic                          ans_stale_o,
  output logic [1:0]                    ans_block_o,
  // The answer of an entry of this block is in the answer register (R2.4).
  input  logic                          freed_i,
  input  logic [1:0]                    freed_block_i,
  // For the counters and the invalidation.
  output logic                          any_valid_o,
  output logic                          inserting_o,  // the insertion register holds a miss
  output logic                          any_eligible_o,
  output logic                          any_stale_o,
  output logic                          same_neighbourhood_o
);

  logic [BufferEntries-1:0] valid_q, picked_q, done_q, stale_q, batch_q;
  logic [BufferEntries-1:0] valid_d, picked_d, done_d, stale_d, batch_d;
  logic [2:0][BufferEntries-1:0] cl_q, cl_d, pl_q, pl_d;
  logic [1:0][BufferEntries-1:0] access_q, perm_q, perm_d;
  logic [IdW-1:0]     id_q     [BufferEntries];
  logic [SrcW-1:0]    src_q    [BufferEntries];
  logic [PasidW-1:0]  pasid_q  [BufferEntries];
  logic [VpnW-1:0]    vpn_q    [BufferEntries];
  logic [SeqW-1:0]    seq_q    [BufferEntries];
  logic [PfnW-1:0]    pa_q     [BufferEntries];
  logic [3:0]         kind_q   [BufferEntries];
  logic [2:0]         level_q  [BufferEntries];
  logic [1:0]         size_q   [BufferEntries];
  logic [ContigW-1:0] contig_q [BufferEntries];

  logic [SeqW-1:0]   next_seq_q;
  logic [SlotW-1:0]  free_slot_q;
  logic              miss_valid_q;
  logic [IdW-1:0]    miss_id_q;
  logic [SrcW-1:0]   miss_src_q;
  logic [PasidW-1:0] miss_pasid_q;
  logic [VpnW-1:0]   miss_vpn_q;
  logic [1:0]        miss_access_q;
  logic              candidate_valid_q;
  logic              candidate_held_q;
  logic [SlotW-1:0]  candidate_slot_q;
  logic              ready_q;
  logic [SlotW-1:0]  ready_slot_q;
  logic              reading_q;
  logic [SlotW-1:0]  reading_slot_q;
  logic              reading_epoch_q;
  logic              new_valid_q;
  logic [SlotW-1:0]  new_slot_q;
  logic [VpnW-1:0]   new_vpn_q;
  logic [PasidW-1:0] new_pasid_q;
  logic [1:0]        new_access_q;
  logic              checked_q;
  logic [SlotW-1:0]  checked_slot_q;
  logic [2:0]        checked_cl_q;
  logic [SlotW:0]    block_live_q [4];
  // The block of the last SEQ given: a copy, so that no age waits for a subtraction.
  logic [1:0]        newest_block_q;

  // ---------------------------------------------------------------- the new entry (R4.3)

  // CL of an entry that has not been compared yet: no level (R4.1).
  localparam logic [2:0] ClUnknown = 3'd7;

  logic [2:0] new_cl;
  logic       new_met;

  buffer_wait #(
    .VpnW      (VpnW),
    .PasidW    (PasidW),
    .Walkers   (Walkers),
    .Coalesce  (Coalesce),
    .Subregions(Subregions)
  ) u_wait (
    .mode_i,
    .new_valid_i (new_valid_q),
    .new_pasid_i (new_pasid_q),
    .new_vpn_i   (new_vpn_q),
    .new_access_i(new_access_q),
    .flight_valid_i,
    .flight_vpn_i,
    .flight_pasid_i,
    .flight_level_i,
    .flight_perm_i,
    .flight_reach_i,
    .new_cl_o    (new_cl)
  );

  assign new_met = mark_i && (mark_all_i || (mark_pasid_i && new_pasid_q == mark_pasid_value_i));

  // ---------------------------------------------------------------- search (R4.4)

  cam_op_e                    search_op, update_op;
  logic [PasidW-1:0]          search_pasid;
  logic [VpnW-1:0]            search_vpn;
  logic [2:0]                 search_level, search_position, search_claim_level;
  reach_e                     search_reach, search_claim_reach;
  logic                       search_claim;
  logic [2:0]                 update_level, update_claim_level;
  reach_e                     update_reach;
  logic                       update_error, update_claim;
  logic [1:0]                 update_perm, update_claim_perm;
  logic [1:0][2:0]            update_links;
  verdict_t [7:0]             update_verdict;
  logic [7:0][PfnW-1:0]       update_frame;
  logic [7:0][ContigW-1:0]    update_contig;

  cam_operation #(
    .VpnW      (VpnW),
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .Subregions(Subregions),
    .Colt      (Colt)
  ) u_operation (
    .clk_i,
    .rst_ni,
    .cam_op_i,
    .cam_pasid_i,
    .cam_vpn_i,
    .cam_level_i,
    .cam_reach_i,
    .cam_position_i,
    .cam_error_i,
    .cam_perm_i,
    .cam_verdict_i,
    .cam_frame_i,
    .cam_contig_i,
    .cam_links_i,
    .claim_valid_i,
    .claim_level_i,
    .claim_reach_i,
    .claim_perm_i,
    .search_op_o         (search_op),
    .search_pasid_o      (search_pasid),
    .search_vpn_o        (search_vpn),
    .search_level_o      (search_level),
    .search_reach_o      (search_reach),
    .search_position_o   (search_position),
    .search_claim_o      (search_claim),
    .search_claim_level_o(search_claim_level),
    .search_claim_reach_o(search_claim_reach),
    .update_op_o         (update_op),
    .update_pasid_o,
    .update_vpn_o,
    .update_level_o      (update_level),
    .update_reach_o      (update_reach),
    .update_error_o      (update_error),
    .update_perm_o       (update_perm),
    .update_claim_o      (update_claim),
    .update_claim_level_o(update_claim_level),
    .update_claim_reach_o,
    .update_claim_perm_o (update_claim_perm),
    .update_links_o      (update_links),
    .update_verdict_o    (update_verdict),
    .update_frame_o      (update_frame),
    .update_contig_o     (update_contig)
  );

  assign cam_busy_o = search_op != CamNone || update_op != CamNone;

  assign search_op_o          = search_op;
  assign search_pasid_o       = search_pasid;
  assign search_vpn_o         = search_vpn;
  assign search_level_o       = search_level;
  assign search_reach_o       = search_reach;
  assign search_claim_o       = search_claim;
  assign search_claim_level_o = search_claim_level;
  assign search_claim_reach_o = search_claim_reach;
  assign update_op_o          = update_op;
  assign update_level_o       = update_level;
  assign update_reach_o       = update_reach;
  assign update_claim_o       = update_claim;
  assign update_claim_level_o = update_claim_level;

  logic [BufferEntries-1:0]      near_level_d, near_claim_d;
  logic [2:0][BufferEntries-1:0] near_position_d;  // of each entry's own PTE in the line, as planes

  buffer_search #(
    .VpnW      (VpnW),
    .PasidW    (PasidW),
    .Entries   (BufferEntries),
    .Coalesce  (Coalesce),
    .Subregions(Subregions)
  ) u_search (
    .valid_i         (valid_q),
    .pasid_i         (pasid_q),
    .vpn_i           (vpn_q),
    .op_i            (search_op),
    .op_pasid_i      (search_pasid),
    .op_vpn_i        (search_vpn),
    .op_level_i      (search_level),
    .op_reach_i      (search_reach),
    .op_position_i   (search_position),
    .op_claim_i      (search_claim),
    .op_claim_level_i(search_claim_level),
    .op_claim_reach_i(search_claim_reach),
    .near_level_o    (near_level_d),
    .near_claim_o    (near_claim_d),
    .near_position_o (near_position_d)
  );

  logic [BufferEntries-1:0]      near_level_q, near_claim_q;
  logic [2:0][BufferEntries-1:0] near_position_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      near_level_q    <= '0;
      near_claim_q    <= '0;
      near_position_q <= '0;
    end else begin
      near_level_q    <= near_level_d;
      near_claim_q    <= near_claim_d;
      near_position_q <= near_position_d;
    end
  end

  // ---------------------------------------------------------------- vectors of one operation

  function automatic logic [BufferEntries-1:0] equal(logic [2:0][BufferEntries-1:0] planes,
                                                     logic [2:0] value);
    return ~((planes[2] ^ {BufferEntries{value[2]}}) | (planes[1] ^ {BufferEntries{value[1]}}) |
             (planes[0] ^ {BufferEntries{value[0]}}));
  endfunction

  // Entries whose three-bit value is zero, or above (else below) the level given.
  function automatic logic [BufferEntries-1:0] none_or(logic [2:0][BufferEntries-1:0] planes,
                                                       logic above, logic [2:0] level);
    logic [BufferEntries-1:0] mask;
    mask = equal(planes, 3'd0);
    for (int unsigned k = 1; k <= Levels; k++) begin
      if (above ? 3'(k) > level : 3'(k) < level) mask |= equal(planes, 3'(k));
    end
    return mask;
  endfunction

  function automatic logic [BufferEntries-1:0] granted(logic [1:0] perm);
    return (access_q[1] & {BufferEntries{perm[1]}}) |
           (~access_q[1] & (~access_q[0] | {BufferEntries{perm[0]}}));
  endfunction

  logic [BufferEntries-1:0] near, match, claimed, met;
  logic [BufferEntries-1:0] eligible;
  logic                     scanned;  // a line is there

  always_comb begin
    met = '0;
    if (mark_i) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        met[e] = valid_q[e] && (mark_all_i || (mark_pasid_i && pasid_q[e] == mark_pasid_value_i));
      end
    end
  end

  assign near    = valid_q & near_level_q;
  assign scanned = update_op == CamScan && !update_error;
  assign match   = (scanned && takes_part(Coalesce, mode_i, update_level)) ?
                   near & ~done_q & none_or(pl_q, 1'b1, update_level) & granted(update_perm) :
                   '0;
  // R12.7
  assign same_neighbourhood_o = scanned && update_level == 3'd1 && |(near & ~done_q);
  assign eligible = valid_q & ~picked_q & ~done_q & equal(cl_q, 3'd0);

  // ---------------------------------------------------------------- pick (R5.1, R5.2)

  logic                     pick_found, pick_busy, hold, release_candidate, candidate_leaves;
  logic [SlotW-1:0]         pick_slot;
  logic [BufferEntries-1:0] candidate_mask;

  oldest_first #(
    .Entries(BufferEntries)
  ) u_oldest_first (
    .clk_i,
    .rst_ni,
    .wanted_i      (candidate_leaves),
    .eligible_i    (eligible & ~candidate_mask),
    .seq_i         (seq_q),
    // The newest that holds an entry, if two do.
    .newest_block_i(newest_block_q),
    .busy_o        (pick_busy),
    .found_o       (pick_found),
    .slot_o        (pick_slot)
  );

  // R5.10; a mark that meets the candidate empties the register (R11.2, R11.3).
  assign candidate_mask    = candidate_valid_q ? BufferEntries'(1) << candidate_slot_q : '0;
  assign hold              = candidate_valid_q && !candidate_held_q &&
                             |(candidate_mask & eligible & ~met);
  assign release_candidate = candidate_held_q && !take_i &&
                             |(candidate_mask & (done_q | ~equal(cl_q, 3'd0)));

  // The register is empty, or will be if no other candidate comes.
  assign candidate_leaves  = candidate_held_q ?
                             take_i || release_candidate || |(candidate_mask & met) : !hold;

  // ---------------------------------------------------------------- answer (R10.1, R10.3)

  logic [BufferEntries-1:0] ready_mask, ans_mask, batch_first;
  logic                     ready_load;

  assign ans_valid_o = ready_q;
  assign ready_mask  = ready_q ? BufferEntries'(1) << ready_slot_q : '0;
  assign ans_mask    = ready_mask & {BufferEntries{ans_choose_i}};
  assign ready_load  = !ready_q || ans_choose_i;

  logic             batch_any;
  logic [SlotW-1:0] batch_slot;

  lowest_bit #(
    .Width(BufferEntries)
  ) u_next_answer (
    .vector_i (batch_q),
    .any_o    (batch_any),
    .one_hot_o(batch_first),
    .index_o  (batch_slot)
  );

  assign reading_o       = reading_q;
  assign reading_epoch_o = reading_epoch_q;
  assign ans_id_o        = id_q[reading_slot_q];
  assign ans_src_o       = src_q[reading_slot_q];
  assign ans_pasid_o     = pasid_q[reading_slot_q];
  assign ans_vpn_o       = vpn_q[reading_slot_q];
  assign ans_access_o    = {access_q[1][reading_slot_q], access_q[0][reading_slot_q]};
  assign ans_kind_o      = kind_q[reading_slot_q];
  assign ans_level_o     = level_q[reading_slot_q];
  assign ans_pfn_o       = pa_q[reading_slot_q];
  assign ans_size_o      = size_q[reading_slot_q];
  assign ans_perm_o      = {perm_q[1][reading_slot_q], perm_q[0][reading_slot_q]};
  assign ans_contig_o    = contig_q[reading_slot_q];
  assign ans_stale_o     = stale_q[reading_slot_q];
  assign ans_block_o     = seq_q[reading_slot_q][SeqW-1:SlotW];

  // ---------------------------------------------------------------- read port (R5.3)

  assign read_id_o     = id_q[read_slot_i];
  assign read_src_o    = src_q[read_slot_i];
  assign read_pasid_o  = pasid_q[read_slot_i];
  assign read_vpn_o    = vpn_q[read_slot_i];
  assign read_access_o = {access_q[1][read_slot_i], access_q[0][read_slot_i]};
  assign read_done_o   = done_q[read_slot_i];
  assign read_cl_o     = {cl_q[2][read_slot_i], cl_q[1][read_slot_i], cl_q[0][read_slot_i]};
  assign read_pl_o     = {pl_q[2][read_slot_i], pl_q[1][read_slot_i], pl_q[0][read_slot_i]};
  assign read_pa_o     = pa_q[read_slot_i];
  assign read_perm_o   = {perm_q[1][read_slot_i], perm_q[0][read_slot_i]};
  assign read_contig_o = contig_q[read_slot_i];
  assign read_block_o  = seq_q[read_slot_i][SeqW-1:SlotW];

  // ---------------------------------------------------------------- insertion (R4.2)

  logic [BufferEntries-1:0] slot_mask, ins_mask;

  assign slot_mask = BufferEntries'(1) << free_slot_q;
  assign ins_mask  = miss_valid_q ? slot_mask : '0;

  // The lowest free slot, and the lowest other than FREE_SLOT: which of them is wanted is known last.
  logic [1:0][BufferEntries-1:0] free_first;
  logic [1:0]                    free_any;
  logic [1:0][SlotW-1:0]         free_slot;

  for (genvar i = 0; i < 2; i++) begin : gen_free
    lowest_bit #(
      .Width(BufferEntries)
    ) u_lowest (
      .vector_i ((i == 0) ? ~valid_q : ~valid_q & ~slot_mask),
      .any_o    (free_any[i]),
      .one_hot_o(free_first[i]),
      .index_o  (free_slot[i])
    );
  end

  logic unused_free;
  assign unused_free = ^free_first;

  // ---------------------------------------------------------------- what a line says to each match

  logic [BufferEntries-1:0]      answered, leveled;
  logic [BufferEntries-1:0]      refused, is_leaf;
  logic [3:0]                    own_kind   [BufferEntries];
  logic [PfnW-1:0]               own_pa     [BufferEntries];
  logic [ContigW-1:0]            own_contig [BufferEntries];
  logic [1:0][BufferEntries-1:0] own_perms;

  buffer_line #(
    .PfnW      (PfnW),
    .Entries   (BufferEntries),
    .Subregions(Subregions)
  ) u_line (
    .op_i           (update_op),
    .level_i        (update_level),
    .reach_i        (update_reach),
    .perm_i         (update_perm),
    .verdict_i      (update_verdict),
    .frame_i        (update_frame),
    .contig_i       (update_contig),
    .near_i         (near_level_q),
    .near_position_i(near_position_q),
    .access_i       (access_q),
    .refused_o      (refused),
    .leaf_o         (is_leaf),
    .kind_o         (own_kind),
    .pa_o           (own_pa),
    .contig_o       (own_contig),
    .perm_o         (own_perms)
  );

  assign answered = match & (refused | is_leaf);
  assign leveled  = match & ~(refused | is_leaf);

  // ---------------------------------------------------------------- next state of the planes

  logic [BufferEntries-1:0] commit_mask, give_mask, hold_mask, checked_mask, freed_cl;

  assign commit_mask = commit_i ? BufferEntries'(1) << commit_slot_i : '0;
  assign give_mask   = (give_back_i ? BufferEntries'(1) << commit_slot_i : '0) |
                       (candidate_mask & {BufferEntries{release_candidate}});
  assign hold_mask   = candidate_mask & {BufferEntries{hold}};
  assign checked_mask = checked_q ? BufferEntries'(1) << checked_slot_q : '0;

  // R4.5, R9.8: whom the operation claims, from what the entries were before it. What release and
  // answers do before the claim changes nothing of that, but for those who get an answer: a CL that
  // they clear is above the level of the claim, and so is a PL that they set.
  always_comb begin
    claimed = '0;
    if (update_claim && takes_part(Coalesce, mode_i, update_claim_level)) begin
      claimed = valid_q & near_claim_q & ~done_q & none_or(pl_q, 1'b1, update_claim_level) &
                none_or(cl_q, 1'b1, update_claim_level) & granted(update_claim_perm);
    end
  end

  // R4.6, R9.3 (R9.9: also where the line is an error), R9.7.
  assign freed_cl = (update_op == CamNone) ? '0 :
                    (near & equal(cl_q, update_level)) |
                    (match & ~none_or(cl_q, 1'b0, update_level));

  // CL is zero for who gets an answer (R9.5, R9.6), which is known last; else as if nobody did.
  always_comb begin
    for (int unsigned b = 0; b < 3; b++) begin
      cl_d[b] = (cl_q[b] & ~freed_cl & ~claimed) |
                (claimed & {BufferEntries{update_claim_level[b]}});
      cl_d[b] = (cl_d[b] & ~checked_mask) |
                (checked_mask & {BufferEntries{checked_cl_q[b]}});  // R4.3
      cl_d[b] &= ~(met & ~done_q);  // R11.2; no operation is in update then
      cl_d[b] = (cl_d[b] & ~ins_mask) | (ins_mask & {BufferEntries{ClUnknown[b]}});
      cl_d[b] &= ~answered;
      pl_d[b] = (pl_q[b] & ~leveled) | (leveled & {BufferEntries{update_level[b]}});
      pl_d[b] &= ~(met & ~done_q) & ~ins_mask;
    end
    for (int unsigned b = 0; b < 2; b++) begin
      perm_d[b] = (perm_q[b] & ~match) | (own_perms[b] & match);
    end
    done_d   = (done_q | answered) & ~ins_mask;
    stale_d  = (stale_q | (met & done_q)) & ~ins_mask;
    picked_d = ((picked_q & ~give_mask) | hold_mask) & ~met & ~ins_mask;
    valid_d  = (valid_q & ~commit_mask & ~ans_mask) | ins_mask;
    batch_d  = batch_any ? (ready_load ? batch_q & ~batch_first : batch_q) :
                            valid_q & done_q & ~picked_q & ~ready_mask;  // R10.3
    if (!Coalesce) begin  // R4.1: nobody is told anything
      done_d  = '0;
      stale_d = '0;
      batch_d = '0;
      pl_d    = '0;
      perm_d  = '0;
    end
  end

  // ---------------------------------------------------------------- registers

  logic [1:0] ins_block;

  assign ins_block = next_seq_q[SeqW-1:SlotW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      picked_q <= '0;
      done_q   <= '0;
      stale_q  <= '0;
      batch_q  <= '0;
      cl_q     <= '0;
      pl_q     <= '0;
    end else begin
      valid_q  <= valid_d;
      picked_q <= picked_d;
      done_q   <= done_d;
      stale_q  <= stale_d;
      batch_q  <= batch_d;
      cl_q     <= cl_d;
      pl_q     <= pl_d;
    end
  end

  // What says nothing before it is written has no reset (R0.2).
  always_ff @(posedge clk_i) begin
    perm_q <= perm_d;
    if (Coalesce && update_op == CamScan) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (match[e]) begin  // R9.4
          pa_q[e]     <= own_pa[e];
          contig_q[e] <= own_contig[e];
          kind_q[e]   <= own_kind[e];
          level_q[e]  <= refused[e] ? update_level : update_links[vpn_q[e][2]];
          size_q[e]   <= 2'(update_level - 3'd1);
        end
      end
    end
    if (miss_valid_q) begin  // R4.2
      id_q[free_slot_q]    <= miss_id_q;
      src_q[free_slot_q]   <= miss_src_q;
      pasid_q[free_slot_q] <= miss_pasid_q;
      vpn_q[free_slot_q]   <= miss_vpn_q;
      seq_q[free_slot_q]   <= next_seq_q;
      for (int unsigned b = 0; b < 2; b++) access_q[b][free_slot_q] <= miss_access_q[b];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_seq_q        <= '0;
      free_slot_q       <= '0;
      miss_valid_q      <= 1'b0;
      miss_id_q         <= '0;
      miss_src_q        <= '0;
      miss_pasid_q      <= '0;
      miss_vpn_q        <= '0;
      miss_access_q     <= '0;
      candidate_valid_q <= 1'b0;
      candidate_held_q  <= 1'b0;
      candidate_slot_q  <= '0;
      ready_q           <= 1'b0;
      ready_slot_q      <= '0;
      reading_q         <= 1'b0;
      reading_slot_q    <= '0;
      reading_epoch_q   <= 1'b0;
      new_valid_q       <= 1'b0;
      new_slot_q        <= '0;
      new_vpn_q         <= '0;
      new_pasid_q       <= '0;
      new_access_q      <= '0;
      checked_q         <= 1'b0;
      checked_slot_q    <= '0;
      checked_cl_q      <= '0;
      newest_block_q    <= '1;
      for (int unsigned b = 0; b < 4; b++) block_live_q[b] <= '0;
    end else begin
      miss_valid_q <= miss_valid_i;
      if (miss_valid_i) begin
        miss_id_q     <= miss_id_i;
        miss_src_q    <= miss_src_i;
        miss_pasid_q  <= miss_pasid_i;
        miss_vpn_q    <= miss_vpn_i;
        miss_access_q <= miss_access_i;
      end
      if (free_any[miss_valid_q]) free_slot_q <= free_slot[miss_valid_q];
      new_valid_q <= miss_valid_q;
      if (miss_valid_q) begin
        next_seq_q     <= next_seq_q + SeqW'(1);
        newest_block_q <= ins_block;
        new_slot_q   <= free_slot_q;
        new_vpn_q    <= miss_vpn_q;
        new_pasid_q  <= miss_pasid_q;
        new_access_q <= miss_access_q;
      end
      checked_q <= new_valid_q;  // R4.3
      if (new_valid_q) begin
        checked_slot_q <= new_slot_q;
        checked_cl_q   <= new_met ? '0 : new_cl;
      end
      if (candidate_leaves) begin
        candidate_valid_q <= pick_found;
        candidate_held_q  <= 1'b0;
        if (pick_found) candidate_slot_q <= pick_slot;
      end else begin
        candidate_held_q <= 1'b1;
      end
      if (Coalesce && ready_load) begin  // R10.3
        ready_q <= batch_any;
        if (batch_any) ready_slot_q <= batch_slot;
      end
      reading_q <= ans_choose_i;  // R10.2
      if (ans_choose_i) begin
        reading_slot_q  <= ready_slot_q;
        reading_epoch_q <= epoch_i;
      end
      for (int unsigned b = 0; b < 4; b++) begin
        block_live_q[b] <= block_live_q[b] + (SlotW + 1)'(miss_valid_q && ins_block == 2'(b)) -
                           (SlotW + 1)'(commit_i && commit_block_i == 2'(b)) -
                           (SlotW + 1)'(freed_i && freed_block_i == 2'(b));
      end
    end
  end

  for (genvar b = 0; b < 4; b++) begin : gen_block_live
    assign block_live_o[b] = |block_live_q[b];
  end

  assign next_seq_o        = next_seq_q;
  assign picking_o         = candidate_valid_q || pick_busy;
  assign candidate_held_o  = candidate_held_q;
  assign candidate_slot_o  = candidate_slot_q;
  assign any_valid_o       = |valid_q;
  assign inserting_o       = miss_valid_q;
  assign any_eligible_o    = |eligible;
  assign any_stale_o       = |(valid_q & stale_q);

endmodule
