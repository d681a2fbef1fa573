// The IOMMU buffer: the misses that wait for a page walk, with a content-addressable memory (CAM) that
// lets one walk answer many of them (sections 4, 5, 9, 10; NHA section IV).
//
// In this folder CL is an entry's coalesced level: that of the access in flight on whose line it waits,
// 0 if it waits on none. PL is its prefetched level: that of the last PTE that others' walks have read for
// it (R4.1). An operation of the CAM is a scan, an advance or a commit of a walker (R4.4); it is taken in
// one cycle, compared with every entry in the next (search) and carried out in the third (update).
//
// The index of an entry is its slot; its age is SEQ, not its slot. In one cycle there may come together
// an insertion, an operation in search and one in update, a read of an entry for a walker, a round of
// the pick, the choice of an answer and the reading of one; all work on the state at the beginning of the
// cycle. The admission guarantees a free slot for every insertion.
//
// cam_operation holds the operation on its way, buffer_search compares it, buffer_update (with
// buffer_line) says what it does; buffer_wait compares a new entry with the accesses in flight, oldest_first
// picks the entry that is walked for next.
`include "lockwalk_types.svh"

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
  localparam int unsigned SlotW = $clog2(BufferEntries),
  localparam int unsigned SeqW  = SlotW + 2,
  localparam type mark_t      = `LW_MARK_T(PasidW),
  localparam type miss_t      = `LW_MISS_T(VpnW, PasidW, IdW, SrcW),
  localparam type flight_t    = `LW_FLIGHT_T(VpnW, PasidW),
  localparam type cam_op_t    = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t      = `LW_LINE_T(PfnW),
  localparam type candidate_t = `LW_CANDIDATE_T(SlotW),
  localparam type entry_t     = `LW_ENTRY_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type decision_t  = `LW_DECISION_T(SlotW),
  localparam type result_t    = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [1:0]            mode_i,
  input  logic                  epoch_i,
  input  mark_t                 mark_i,       // R11.2
  // A miss, into the insertion register (R4.2), and what the admission knows of the slots (R2.4).
  input  miss_t                 miss_i,
  output logic [SeqW-1:0]       next_seq_o,
  output logic [3:0]            block_live_o,
  input  flight_t [Walkers-1:0] flight_i,     // R4.3, R7.3
  // The operation that the CAM takes, a scan with its line (R4.7), and those in search and update.
  input  cam_op_t               cam_i,
  input  line_t                 line_i,
  output cam_op_t               search_o,
  output cam_op_t               update_o,
  // Pick and candidate (R5.2, R5.3, R5.10), the read port that take and commit share (R5.3), and what
  // a walker does with what it has read (R5.7, R5.8).
  output candidate_t            candidate_o,
  input  logic                  take_i,
  output logic                  picking_o,    // a pick, or its candidate, is there
  input  logic [SlotW-1:0]      read_slot_i,
  output entry_t                read_o,
  input  decision_t             decision_i,
  // An entry has its answer and can be chosen (R10.1); the chosen one as it is read (R10.2); the answer
  // of an entry of this block is in the answer register (R2.4).
  output logic                  ready_o,
  input  logic                  choose_i,
  output result_t               reading_o,
  output logic                  reading_epoch_o,
  output logic [1:0]            reading_block_o,
  input  logic                  freed_i,
  input  logic [1:0]            freed_block_i,
  // For the counters and the invalidation.
  output logic                  any_valid_o,
  output logic                  inserting_o,  // the insertion register holds a miss
  output logic                  any_eligible_o,
  output logic                  any_stale_o,
  output logic                  same_neighbourhood_o
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

  logic [2:0] new_cl;
  logic       new_met;

  buffer_wait #(
    .VpnW(VpnW), .PasidW(PasidW), .Walkers(Walkers), .Coalesce(Coalesce), .Subregions(Subregions)
  ) u_wait (
    .mode_i,
    .new_valid_i (new_valid_q),
    .new_key_i   ('{pasid: new_pasid_q, vpn: new_vpn_q}),
    .new_access_i(new_access_q),
    .flight_i,
    .new_cl_o    (new_cl)
  );

  assign new_met = mark_i.valid && (mark_i.all || (mark_i.one && new_pasid_q == mark_i.pasid));

  // ---------------------------------------------------------------- search (R4.4)

  cam_op_t search, update;
  line_t   update_line;

  cam_operation #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Subregions(Subregions), .Colt(Colt)
  ) u_operation (
    .clk_i,
    .rst_ni,
    .cam_i,
    .line_i,
    .search_o     (search),
    .update_o     (update),
    .update_line_o(update_line)
  );

  assign search_o = search;
  assign update_o = update;

  logic [BufferEntries-1:0]      near_level_d, near_claim_d;
  logic [2:0][BufferEntries-1:0] near_position_d;  // of each entry's own PTE in the line, as planes

  buffer_search #(
    .VpnW(VpnW), .PasidW(PasidW), .Entries(BufferEntries), .Coalesce(Coalesce),
    .Subregions(Subregions)
  ) u_search (
    .valid_i        (valid_q),
    .pasid_i        (pasid_q),
    .vpn_i          (vpn_q),
    .op_i           (search),
    .near_level_o   (near_level_d),
    .near_claim_o   (near_claim_d),
    .near_position_o(near_position_d)
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

  // ---------------------------------------------------------------- who is inserted, met, checked

  logic [BufferEntries-1:0] slot_mask, ins_mask, checked_mask, met;

  assign slot_mask    = BufferEntries'(1) << free_slot_q;
  assign ins_mask     = miss_valid_q ? slot_mask : '0;
  assign checked_mask = checked_q ? BufferEntries'(1) << checked_slot_q : '0;

  always_comb begin  // R11.2
    met = '0;
    if (mark_i.valid) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        met[e] = valid_q[e] && (mark_i.all || (mark_i.one && pasid_q[e] == mark_i.pasid));
      end
    end
  end

  // ---------------------------------------------------------------- update (R4.5, R4.6, R9.3 to R9.8)

  logic [BufferEntries-1:0]      match, refused;
  logic [3:0]                    own_kind   [BufferEntries];
  logic [PfnW-1:0]               own_pa     [BufferEntries];
  logic [ContigW-1:0]            own_contig [BufferEntries];

  buffer_update #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Entries(BufferEntries), .Coalesce(Coalesce),
    .Subregions(Subregions)
  ) u_update (
    .mode_i,
    .op_i           (update),
    .line_i         (update_line),
    .valid_i        (valid_q),
    .done_i         (done_q),
    .cl_i           (cl_q),
    .pl_i           (pl_q),
    .access_i       (access_q),
    .near_level_i   (near_level_q),
    .near_claim_i   (near_claim_q),
    .near_position_i(near_position_q),
    .perm_i         (perm_q),
    .met_i          (met),
    .inserted_i     (ins_mask),
    .checked_i      (checked_mask),
    .checked_cl_i   (checked_cl_q),
    .cl_o           (cl_d),
    .pl_o           (pl_d),
    .done_o         (done_d),
    .perm_o         (perm_d),
    .match_o        (match),
    .refused_o      (refused),
    .own_kind_o     (own_kind),
    .own_pa_o       (own_pa),
    .own_contig_o   (own_contig),
    .same_neighbourhood_o
  );

  // ---------------------------------------------------------------- who may be walked for (R5.1)

  logic [BufferEntries-1:0] waiting, eligible;

  assign waiting  = cl_q[2] | cl_q[1] | cl_q[0];
  assign eligible = valid_q & ~picked_q & ~done_q & ~waiting;

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
                             |(candidate_mask & (done_q | waiting));

  // The register is empty, or will be if no other candidate comes.
  assign candidate_leaves  = candidate_held_q ?
                             take_i || release_candidate || |(candidate_mask & met) : !hold;

  // ---------------------------------------------------------------- answer (R10.1, R10.3)

  logic [BufferEntries-1:0] ready_mask, ans_mask, batch_first;
  logic                     ready_load;

  assign ready_o = ready_q;
  assign ready_mask  = ready_q ? BufferEntries'(1) << ready_slot_q : '0;
  assign ans_mask    = ready_mask & {BufferEntries{choose_i}};
  assign ready_load  = !ready_q || choose_i;

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

  assign reading_epoch_o = reading_epoch_q;
  assign reading_block_o = seq_q[reading_slot_q][SeqW-1:SlotW];
  assign reading_o = '{
    valid:  reading_q,
    stale:  stale_q[reading_slot_q],
    id:     id_q[reading_slot_q],
    src:    src_q[reading_slot_q],
    key:    '{pasid: pasid_q[reading_slot_q], vpn: vpn_q[reading_slot_q]},
    access: {access_q[1][reading_slot_q], access_q[0][reading_slot_q]},
    kind:   kind_q[reading_slot_q],
    level:  level_q[reading_slot_q],
    base:   pa_q[reading_slot_q],
    size:   size_q[reading_slot_q],
    perm:   {perm_q[1][reading_slot_q], perm_q[0][reading_slot_q]},
    contig: contig_q[reading_slot_q]
  };

  // ---------------------------------------------------------------- read port (R5.3)

  assign read_o = '{
    id:     id_q[read_slot_i],
    src:    src_q[read_slot_i],
    key:    '{pasid: pasid_q[read_slot_i], vpn: vpn_q[read_slot_i]},
    access: {access_q[1][read_slot_i], access_q[0][read_slot_i]},
    done:   done_q[read_slot_i],
    cl:     {cl_q[2][read_slot_i], cl_q[1][read_slot_i], cl_q[0][read_slot_i]},
    pl:     {pl_q[2][read_slot_i], pl_q[1][read_slot_i], pl_q[0][read_slot_i]},
    pa:     pa_q[read_slot_i],
    perm:   {perm_q[1][read_slot_i], perm_q[0][read_slot_i]},
    contig: contig_q[read_slot_i],
    block:  seq_q[read_slot_i][SeqW-1:SlotW]
  };

  // ---------------------------------------------------------------- insertion (R4.2)

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

  // ---------------------------------------------------------------- next state of the planes

  logic [BufferEntries-1:0] commit_mask, give_mask, hold_mask;

  assign commit_mask = decision_i.commit ? BufferEntries'(1) << decision_i.slot : '0;
  assign give_mask   = (decision_i.give_back ? BufferEntries'(1) << decision_i.slot : '0) |
                       (candidate_mask & {BufferEntries{release_candidate}});
  assign hold_mask   = candidate_mask & {BufferEntries{hold}};

  always_comb begin
    stale_d  = (stale_q | (met & done_q)) & ~ins_mask;
    picked_d = ((picked_q & ~give_mask) | hold_mask) & ~met & ~ins_mask;
    valid_d  = (valid_q & ~commit_mask & ~ans_mask) | ins_mask;
    batch_d  = batch_any ? (ready_load ? batch_q & ~batch_first : batch_q) :
                            valid_q & done_q & ~picked_q & ~ready_mask;  // R10.3
    if (!Coalesce) begin  // R4.1: nobody is told anything
      stale_d = '0;
      batch_d = '0;
    end
  end

  // ---------------------------------------------------------------- registers

  logic [1:0] ins_block;

  assign ins_block = next_seq_q[SeqW-1:SlotW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, picked_q, done_q, stale_q, batch_q, cl_q, pl_q} <= '0;
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
    if (Coalesce && update.op == CamScan) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (match[e]) begin  // R9.4
          pa_q[e]     <= own_pa[e];
          contig_q[e] <= own_contig[e];
          kind_q[e]   <= own_kind[e];
          level_q[e]  <= refused[e] ? update.level : update_line.links[vpn_q[e][2]];
          size_q[e]   <= 2'(update.level - 3'd1);
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
      {next_seq_q, free_slot_q, miss_valid_q, miss_id_q, miss_src_q, miss_pasid_q, miss_vpn_q,
       miss_access_q, candidate_valid_q, candidate_held_q, candidate_slot_q, ready_q, ready_slot_q,
       reading_q, reading_slot_q, reading_epoch_q, new_valid_q, new_slot_q, new_vpn_q, new_pasid_q,
       new_access_q, checked_q, checked_slot_q, checked_cl_q} <= '0;
      newest_block_q    <= '1;
      for (int unsigned b = 0; b < 4; b++) block_live_q[b] <= '0;
    end else begin
      miss_valid_q <= miss_i.valid;
      if (miss_i.valid) begin
        miss_id_q     <= miss_i.id;
        miss_src_q    <= miss_i.src;
        miss_pasid_q  <= miss_i.key.pasid;
        miss_vpn_q    <= miss_i.key.vpn;
        miss_access_q <= miss_i.access;
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
      reading_q <= choose_i;  // R10.2
      if (choose_i) begin
        reading_slot_q  <= ready_slot_q;
        reading_epoch_q <= epoch_i;
      end
      for (int unsigned b = 0; b < 4; b++) begin
        block_live_q[b] <= block_live_q[b] + (SlotW + 1)'(miss_valid_q && ins_block == 2'(b)) -
                           (SlotW + 1)'(decision_i.commit && decision_i.block == 2'(b)) -
                           (SlotW + 1)'(freed_i && freed_block_i == 2'(b));
      end
    end
  end

  for (genvar b = 0; b < 4; b++) begin : gen_block_live
    assign block_live_o[b] = |block_live_q[b];
  end

  assign next_seq_o        = next_seq_q;
  assign picking_o         = candidate_valid_q || pick_busy;
  assign candidate_o       = '{held: candidate_held_q, slot: candidate_slot_q};
  assign any_valid_o       = |valid_q;
  assign inserting_o       = miss_valid_q;
  assign any_eligible_o    = |eligible;
  assign any_stale_o       = |(valid_q & stale_q);

endmodule
