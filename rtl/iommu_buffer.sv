// The IOMMU buffer with its coalescing CAM (sections 4, 5, 9, 10; NHA section IV).
//
// Index of an entry = its slot; order is age (SEQ), not position. R4.1 says what CL and PL hold.
//
// One insertion, one CAM operation, one read (take or commit), one round of a pick, one answer chosen
// and one read a cycle, all at once if they come together. The CAM operation works on the entries as
// R4.3 left them; every other choice is made on the state at the beginning of the cycle. The admission
// guarantees a free slot for every insertion.
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
  // Accesses in flight, without that of the walker at the CAM port (R4.3, R7.3).
  input  logic [Walkers-1:0]            flight_valid_i,
  input  logic [Walkers-1:0][VpnW-1:0]  flight_vpn_i,
  input  logic [Walkers-1:0][PasidW-1:0] flight_pasid_i,
  input  logic [Walkers-1:0][2:0]       flight_level_i,
  input  logic [Walkers-1:0][1:0]       flight_perm_i,
  input  logic [Walkers-1:0][1:0]       flight_reach_i,   // reach_e
  // CAM port (R4.4). Level and perm are those before the operation, claim_* those after it.
  input  cam_op_e                       cam_op_i,
  input  logic [PasidW-1:0]             cam_pasid_i,
  input  logic [VpnW-1:0]               cam_vpn_i,
  input  logic [2:0]                    cam_level_i,      // scan, advance: the level released
  input  reach_e                        cam_reach_i,
  input  logic [2:0]                    cam_position_i,   // of the walker's own PTE in the line
  input  logic                          cam_match_i,      // scan: a line is there (R9.4)
  input  logic [1:0]                    cam_perm_i,
  input  verdict_t [7:0]                cam_verdict_i,
  input  logic [7:0][PfnW-1:0]          cam_frame_i,
  input  logic [7:0][ContigW-1:0]       cam_contig_i,
  input  logic [1:0][2:0]               cam_links_i,      // of the line's groups (R1.14)
  input  logic                          claim_valid_i,
  input  logic [2:0]                    claim_level_i,
  input  reach_e                        claim_reach_i,
  input  logic [1:0]                    claim_perm_i,
  // Mark (R11.2): all PASIDs, or the one of cam_pasid_i, or none.
  input  logic                          mark_all_i,
  input  logic                          mark_pasid_i,
  // Pick and candidate (R5.2, R5.3, R5.10).
  input  logic                          take_i,
  output logic                          picking_o,        // a pick is under way, or has its candidate
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
  input  logic                          give_back_i,      // R5.7, the entry at read_slot_i
  input  logic                          commit_i,         // R5.8, the entry at read_slot_i
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
  // For the counters and the invalidation.
  output logic                          any_valid_o,
  output logic                          inserting_o,  // the insertion register holds a miss
  output logic                          any_eligible_o,
  output logic                          any_stale_o,
  output logic [SlotW:0]                coalesced_answers_o,
  output logic [SlotW:0]                coalesced_levels_o,
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
  logic              reading_q;
  logic [SlotW-1:0]  reading_slot_q;
  logic              reading_epoch_q;
  logic              new_valid_q;
  logic [SlotW-1:0]  new_slot_q;
  logic [VpnW-1:0]   new_vpn_q;
  logic [PasidW-1:0] new_pasid_q;
  logic [1:0]        new_access_q;
  logic [SlotW:0]    block_live_q [4];

  logic [BufferEntries-1:0] new_mask;
  assign new_mask = new_valid_q ? BufferEntries'(1) << new_slot_q : '0;

  // ---------------------------------------------------------------- the new entry (R4.3)

  function automatic logic neighbours(logic [VpnW-1:0] a, logic [VpnW-1:0] b, logic [2:0] level,
                                      logic [1:0] reach);
    logic same;
    same = level != 3'd1 ||
           (a[11:9] == b[11:9] && (reach == ReachFrame || a[8:6] == b[8:6]) &&
            (reach != ReachLine || a[5:3] == b[5:3]));
    for (int unsigned k = 2; k <= Levels; k++) begin
      // The segment that level k adds to the neighbourhood of level k+1 (R1.2).
      if (3'(k) >= level) begin
        if (k == Levels) same &= a[VpnW-1:VpnW-6] == b[VpnW-1:VpnW-6];
        else same &= a[9*(k-1)+3+:9] == b[9*(k-1)+3+:9];
      end
    end
    return same;
  endfunction

  logic [2:0] new_cl;

  always_comb begin
    new_cl = '0;
    if (new_valid_q) begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        if (flight_valid_i[w] && flight_pasid_i[w] == new_pasid_q &&
            takes_part(Coalesce, mode_i, flight_level_i[w]) &&
            neighbours(flight_vpn_i[w], new_vpn_q, flight_level_i[w],
                       Subregions ? flight_reach_i[w] : ReachLine) &&
            grants(flight_perm_i[w], new_access_q) &&
            (new_cl == '0 || flight_level_i[w] < new_cl)) begin
          new_cl = flight_level_i[w];
        end
      end
    end
  end

  // ---------------------------------------------------------------- the CAM (R4.4)

  // near[k]: valid entries in the key's neighbourhood at level k; of level 1 two more, on the way
  // from level 2 to the line.
  logic [BufferEntries-1:0] near [Levels+1];
  logic [BufferEntries-1:0] near_frame, near_subregion;
  logic [BufferEntries-1:0] near_level, near_claim, pasid_match;
  logic [VpnW-1:0]          differs;
  logic                     search;

  function automatic logic [BufferEntries-1:0] in_reach(logic [BufferEntries-1:0] near_line,
                                                        reach_e reach);
    if (reach == ReachFrame) return near_frame;
    return (reach == ReachSubregion) ? near_subregion : near_line;
  endfunction

  assign search = cam_op_i == CamScan || cam_op_i == CamCommit || cam_op_i == CamAdvance;

  always_comb begin
    for (int unsigned k = 0; k <= Levels; k++) near[k] = '0;
    near_frame     = '0;
    near_subregion = '0;
    pasid_match    = '0;
    differs        = '0;
    if (cam_op_i != CamNone) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        pasid_match[e] = pasid_q[e] == cam_pasid_i;
        if (search && valid_q[e] && pasid_match[e]) begin
          differs = vpn_q[e] ^ cam_vpn_i;
          near[Levels][e] = differs[VpnW-1:VpnW-6] == '0;
          for (int unsigned k = Levels - 1; k > 1; k--) begin
            near[k][e] = near[k+1][e] && differs[9*(k-1)+3+:9] == '0;
          end
          near_frame[e]     = near[2][e] && differs[11:9] == '0;
          near_subregion[e] = near_frame[e] && differs[8:6] == '0;
          near[1][e]        = near_subregion[e] && differs[5:3] == '0;
        end
      end
    end
    near_level = '0;
    near_claim = '0;
    for (int unsigned k = 1; k <= Levels; k++) begin
      if (cam_level_i == 3'(k)) near_level = near[k];
      if (claim_level_i == 3'(k)) near_claim = near[k];
    end
    if (Subregions && cam_level_i == 3'd1) near_level = in_reach(near_level, cam_reach_i);
    if (Subregions && claim_level_i == 3'd1) near_claim = in_reach(near_claim, claim_reach_i);
  end

  // The lowest bit set, as one bit: a prefix OR, so logarithmic in depth.
  function automatic logic [BufferEntries-1:0] lowest(logic [BufferEntries-1:0] vector);
    logic [BufferEntries-1:0] upto;
    upto = vector;
    for (int unsigned s = 0; s < SlotW; s++) upto |= upto << (1 << s);
    return upto & ~(upto << 1);
  endfunction

  typedef logic [SlotW-1:0][BufferEntries-1:0] index_bits_t;

  // Bit b of the indices of all entries, as a vector.
  function automatic index_bits_t index_bits();
    index_bits_t bits;
    for (int unsigned b = 0; b < SlotW; b++) begin
      for (int unsigned e = 0; e < BufferEntries; e++) bits[b][e] = 1'(e >> b);
    end
    return bits;
  endfunction

  localparam index_bits_t IndexBits = index_bits();

  // The index of the one bit set (0 if none is).
  function automatic logic [SlotW-1:0] index_of(logic [BufferEntries-1:0] one_hot);
    logic [SlotW-1:0] slot;
    for (int unsigned b = 0; b < SlotW; b++) slot[b] = |(one_hot & IndexBits[b]);
    return slot;
  endfunction

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

  logic [BufferEntries-1:0] match, claimed, met;
  logic [BufferEntries-1:0] eligible;

  assign met = {BufferEntries{cam_op_i == CamMark}} & valid_q &
               ({BufferEntries{mark_all_i}} | ({BufferEntries{mark_pasid_i}} & pasid_match));
  assign match = (cam_op_i == CamScan && cam_match_i && takes_part(Coalesce, mode_i, cam_level_i)) ?
                 near_level & ~done_q & none_or(pl_q, 1'b1, cam_level_i) & granted(cam_perm_i) : '0;
  // R12.7
  assign same_neighbourhood_o = cam_op_i == CamScan && cam_match_i && cam_level_i == 3'd1 &&
                                |(near_level & ~done_q);
  assign eligible = valid_q & ~new_mask & ~picked_q & ~done_q & equal(cl_q, 3'd0);

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
    // The block of the last insertion is the newest that holds an entry, if two do.
    .newest_block_i(2'((next_seq_q - SeqW'(1)) >> SlotW)),
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

  logic [BufferEntries-1:0] ans_mask;

  assign ans_valid_o = |batch_q;
  assign ans_mask    = ans_choose_i ? lowest(batch_q) : '0;

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

  // ---------------------------------------------------------------- insertion (R4.2)

  logic [BufferEntries-1:0] ins_mask, free_mask;

  assign ins_mask  = miss_valid_q ? BufferEntries'(1) << free_slot_q : '0;
  assign free_mask = ~valid_q & ~ins_mask;

  // ---------------------------------------------------------------- what a line says to each match

  // The position in the line of each entry's PTE at the scanned level (R1.1), as one-hot planes.
  logic [2:0]               position;
  logic [VpnW-1:0]          entry_vpn;
  logic [3:0]               entry_kind;
  logic [1:0]               entry_access;
  logic [BufferEntries-1:0] answered, leveled;
  logic [3:0]               own_kind   [BufferEntries];
  logic [PfnW-1:0]          own_pa     [BufferEntries];
  logic [ContigW-1:0]       own_contig [BufferEntries];
  logic                     beyond_line;  // every match takes the PTE of the walker's access
  logic [ContigW-1:0]       reached;      // R9.6: what says the reach of an answer
  logic [1:0]               own_perm;
  logic                     own_leaf;
  logic [1:0][BufferEntries-1:0] own_perms;

  assign beyond_line = Subregions && cam_level_i == 3'd1 && cam_reach_i != ReachLine;
  assign reached     = !beyond_line ? '0 :
                       (cam_reach_i == ReachFrame ? {1'b1, 8'h00} : {1'b0, 8'hff});

  always_comb begin
    answered     = '0;
    leveled      = '0;
    own_perms    = '0;
    position     = '0;
    entry_vpn    = '0;
    entry_kind   = '0;
    entry_access = '0;
    own_perm     = '0;
    own_leaf     = 1'b0;
    for (int unsigned e = 0; e < BufferEntries; e++) begin
      own_kind[e]   = '0;
      own_pa[e]     = '0;
      own_contig[e] = '0;
    end
    if (|match) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (match[e]) begin
          entry_vpn = vpn_q[e];
          entry_access = {access_q[1][e], access_q[0][e]};
          position = '0;
          for (int unsigned k = 1; k <= Levels; k++) begin
            if (cam_level_i == 3'(k)) position = entry_vpn[9*(k-1)+:3];
          end
          if (beyond_line) position = cam_position_i;
          entry_kind = judge(cam_verdict_i[position].kind, cam_verdict_i[position].user,
                               cam_verdict_i[position].perm, entry_access);
          own_leaf   = cam_verdict_i[position].leaf;
          own_perm   = cam_perm_i & cam_verdict_i[position].perm;
          if (entry_kind != KindOk) begin
            answered[e] = 1'b1;
            own_kind[e] = entry_kind;
          end else begin
            answered[e]     = own_leaf;
            leveled[e]      = !own_leaf;
            own_perms[1][e] = own_perm[1];
            own_perms[0][e] = own_perm[0];
            own_pa[e]       = cam_frame_i[position];
            own_contig[e]   = own_leaf ? reached : cam_contig_i[position];
            if (cam_level_i == 3'd2 && own_leaf) own_pa[e][8:0] = entry_vpn[8:0];
            if (cam_level_i == 3'd3 && own_leaf) own_pa[e][17:0] = entry_vpn[17:0];
          end
        end
      end
    end
  end

  assign coalesced_answers_o = (SlotW + 1)'($countones(answered));
  assign coalesced_levels_o  = (SlotW + 1)'($countones(leveled));

  // ---------------------------------------------------------------- next state of the planes

  logic [BufferEntries-1:0] commit_mask, give_mask, hold_mask;

  assign commit_mask = commit_i ? BufferEntries'(1) << read_slot_i : '0;
  assign give_mask   = (give_back_i ? BufferEntries'(1) << read_slot_i : '0) |
                       (candidate_mask & {BufferEntries{release_candidate}});
  assign hold_mask   = candidate_mask & {BufferEntries{hold}};

  always_comb begin
    cl_d   = cl_q;
    pl_d   = pl_q;
    perm_d = perm_q;
    done_d = done_q;
    // R4.3, then the CAM port's work on it.
    for (int unsigned b = 0; b < 3; b++) begin
      cl_d[b] = (cl_d[b] & ~new_mask) | (new_mask & {BufferEntries{new_cl[b]}});
    end
    claimed = '0;
    unique case (cam_op_i)
      CamScan, CamCommit, CamAdvance: begin
        if (cam_op_i != CamCommit) begin  // R4.6
          // R9.3; R9.9: also where the line is an error.
          claimed = near_level & equal(cl_d, cam_level_i);
          for (int unsigned b = 0; b < 3; b++) cl_d[b] &= ~claimed;
        end
        done_d |= answered;  // R9.5, R9.6
        claimed = leveled & ~(none_or(cl_d, 1'b0, cam_level_i));
        for (int unsigned b = 0; b < 3; b++) begin
          cl_d[b] &= ~(answered | claimed);  // R9.7
          pl_d[b] = (pl_d[b] & ~leveled) | (leveled & {BufferEntries{cam_level_i[b]}});
        end
        for (int unsigned b = 0; b < 2; b++) begin
          perm_d[b] = (perm_d[b] & ~(answered | leveled)) | own_perms[b];
        end
        claimed = '0;
        if (claim_valid_i && takes_part(Coalesce, mode_i, claim_level_i)) begin  // R4.5, R9.8
          claimed = near_claim & ~done_d & none_or(pl_d, 1'b1, claim_level_i) &
                    none_or(cl_d, 1'b1, claim_level_i) & granted(claim_perm_i) & ~commit_mask;
        end
        for (int unsigned b = 0; b < 3; b++) begin
          cl_d[b] = (cl_d[b] & ~claimed) | (claimed & {BufferEntries{claim_level_i[b]}});
        end
      end
      CamMark: begin  // R11.2
        for (int unsigned b = 0; b < 3; b++) begin
          cl_d[b] &= ~(met & ~done_q);
          pl_d[b] &= ~(met & ~done_q);
        end
        for (int unsigned b = 0; b < 2; b++) perm_d[b] &= ~(met & ~done_q);
      end
      default: ;
    endcase
    for (int unsigned b = 0; b < 3; b++) begin
      cl_d[b] &= ~ins_mask;
      pl_d[b] &= ~ins_mask;
    end
    for (int unsigned b = 0; b < 2; b++) perm_d[b] &= ~ins_mask;
    done_d &= ~ins_mask;
    stale_d  = (stale_q | (met & done_q)) & ~ins_mask;
    picked_d = ((picked_q & ~give_mask) | hold_mask) & ~met & ~ins_mask;
    valid_d  = (valid_q & ~commit_mask & ~ans_mask) | ins_mask;
    batch_d  = ans_valid_o ? batch_q & ~ans_mask : valid_q & done_q & ~picked_q;  // R10.3
  end

  // ---------------------------------------------------------------- registers

  logic [SlotW-1:0] ans_slot;
  logic [1:0]       ins_block, commit_block, ans_block;

  assign ins_block    = next_seq_q[SeqW-1:SlotW];
  assign commit_block = seq_q[read_slot_i][SeqW-1:SlotW];
  assign ans_slot     = index_of(ans_mask);

  // The block of the entry chosen, without waiting for its index.
  always_comb begin
    ans_block = '0;
    if (ans_valid_o) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (ans_mask[e]) ans_block |= seq_q[e][SeqW-1:SlotW];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      picked_q <= '0;
      done_q   <= '0;
      stale_q  <= '0;
      batch_q  <= '0;
      cl_q     <= '0;
      pl_q     <= '0;
      perm_q   <= '0;
      access_q <= '0;
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        id_q[e]     <= '0;
        src_q[e]    <= '0;
        pasid_q[e]  <= '0;
        vpn_q[e]    <= '0;
        seq_q[e]    <= '0;
        pa_q[e]     <= '0;
        kind_q[e]   <= '0;
        level_q[e]  <= '0;
        size_q[e]   <= '0;
        contig_q[e] <= '0;
      end
    end else begin
      valid_q  <= valid_d;
      picked_q <= picked_d;
      done_q   <= done_d;
      stale_q  <= stale_d;
      batch_q  <= batch_d;
      cl_q     <= cl_d;
      pl_q     <= pl_d;
      perm_q   <= perm_d;
      if (|(answered | leveled | met)) begin
        for (int unsigned e = 0; e < BufferEntries; e++) begin
          if (answered[e]) begin
            kind_q[e]  <= own_kind[e];
            level_q[e] <= own_kind[e] != KindOk ? cam_level_i :
                                                  (Colt != 0 ? cam_links_i[vpn_q[e][2]] : '0);
            size_q[e]  <= own_kind[e] == KindOk ? 2'(cam_level_i - 3'd1) : 2'd0;
          end
          if (answered[e] || leveled[e]) pa_q[e] <= own_pa[e];
          else if (met[e] && !done_q[e]) pa_q[e] <= '0;
          if (answered[e] || leveled[e]) contig_q[e] <= Subregions ? own_contig[e] : '0;
          else if (met[e] && !done_q[e]) contig_q[e] <= '0;
        end
      end
      if (miss_valid_q) begin  // R14.2: what the entry does not use is zero
        id_q[free_slot_q]     <= miss_id_q;
        src_q[free_slot_q]    <= miss_src_q;
        pasid_q[free_slot_q]  <= miss_pasid_q;
        vpn_q[free_slot_q]    <= miss_vpn_q;
        seq_q[free_slot_q]    <= next_seq_q;
        pa_q[free_slot_q]     <= '0;
        kind_q[free_slot_q]   <= '0;
        level_q[free_slot_q]  <= '0;
        size_q[free_slot_q]   <= '0;
        contig_q[free_slot_q] <= '0;
        for (int unsigned b = 0; b < 2; b++) access_q[b][free_slot_q] <= miss_access_q[b];
      end
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
      reading_q         <= 1'b0;
      reading_slot_q    <= '0;
      reading_epoch_q   <= 1'b0;
      new_valid_q       <= 1'b0;
      new_slot_q        <= '0;
      new_vpn_q         <= '0;
      new_pasid_q       <= '0;
      new_access_q      <= '0;
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
      if (|free_mask) free_slot_q <= index_of(lowest(free_mask));
      new_valid_q <= miss_valid_q;
      if (miss_valid_q) begin
        next_seq_q   <= next_seq_q + SeqW'(1);
        new_slot_q   <= free_slot_q;
        new_vpn_q    <= miss_vpn_q;
        new_pasid_q  <= miss_pasid_q;
        new_access_q <= miss_access_q;
      end
      if (candidate_leaves) begin
        candidate_valid_q <= pick_found;
        candidate_held_q  <= 1'b0;
        if (pick_found) candidate_slot_q <= pick_slot;
      end else begin
        candidate_held_q <= 1'b1;
      end
      reading_q <= ans_choose_i;  // R10.2
      if (ans_choose_i) begin
        reading_slot_q  <= ans_slot;
        reading_epoch_q <= epoch_i;
      end
      for (int unsigned b = 0; b < 4; b++) begin
        block_live_q[b] <= block_live_q[b] + (SlotW + 1)'(miss_valid_q && ins_block == 2'(b)) -
                           (SlotW + 1)'(commit_i && commit_block == 2'(b)) -
                           (SlotW + 1)'(ans_choose_i && ans_block == 2'(b));
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
