// The IOMMU buffer: the misses that wait for a page walk, with a content-addressable memory (CAM) that
// lets one walk answer many of them (chapters 4, 5, 9, 10; NHA section IV).
//
// In this folder CL is an entry's coalesced level: that of the access in flight on whose line it waits,
// 0 if it waits on none. PL is a page-table level: that of the last PTE that others' walks have read for
// it, 0 for none (R4.1). An operation of the CAM is a scan, an advance or a commit of a walker (R4.4); it is taken in
// one cycle, compared with every entry in the next (search) and carried out in the third (update).
//
// The index of an entry is its slot. Slots are given in turn, so from TAIL on the entries stand by age (R4.11), and
// a miss waits in front of the buffer until its slot is free (miss_queue.sv). In one cycle there may come together
// an insertion, an operation in search and one in update, a pick, a read of an entry for a walker, the choice of an
// answer and the reading of one; all work on the state at the beginning of the cycle.
//
// The registers of the entries are here; buffer_ring says where a miss goes. What is decided on them is
// combinational: buffer_insertion says on whom a miss waits, buffer_search compares the operation that cam_operation
// holds on its way, buffer_next says what becomes of the entries and which is walked for next, buffer_read how they are
// read.
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
  parameter int unsigned Lines         = 16,
  parameter int unsigned Walkers       = 8,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter bit          Sizes         = 1'b0,  // there are sized PTEs (R21.19)
  localparam int unsigned SlotW  = $clog2(BufferEntries),
  localparam int unsigned LineW  = $clog2(Lines),
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type miss_t     = `LW_MISS_T(VpnW, PasidW, IdW, SrcW),
  localparam type flight_t   = `LW_FLIGHT_T(VpnW, PasidW),
  localparam type cam_op_t   = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t     = `LW_LINE_T(PfnW),
  localparam type pick_t     = `LW_PICK_T(SlotW),
  localparam type entry_t    = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW),
  localparam type learnt_t   = `LW_LEARNT_T(PfnW),
  localparam type node_t     = `LW_LEARNT_NODE_T(PfnW),
  localparam type decision_t = `LW_DECISION_T(SlotW),
  localparam type result_t   = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [1:0]            mode_i,
  input  logic                  epoch_i,
  input  mark_t                 mark_i,       // R11.2
  input  logic [Pasids-1:0]     roots_valid_i,
  // The miss in the insertion register; it is inserted in this cycle (R4.2).
  input  miss_t                 miss_i,
  output logic                  insert_o,
  input  flight_t [Walkers-1:0] flight_i,     // R4.3, R7.3
  // The operation that the CAM takes, a scan with its line (R4.7), and those in search and update.
  input  cam_op_t               cam_i,
  input  line_t                 line_i,
  output cam_op_t               search_o,
  output cam_op_t               update_o,
  // A walker wants an entry, and it is given this one (R5.2); the read port (R5.18), and what a walker does with
  // what it has read, or who leaves by a second lookup (R5.7, R5.8, R5.28).
  input  logic                  wanted_i,
  output pick_t                 pick_o,
  input  logic [SlotW-1:0]      read_slot_i,
  output entry_t                read_o,
  output node_t                 learnt_o,     // of the entry that was read last (R5.25)
  input  decision_t             decision_i,
  // An entry has its answer and can be chosen (R10.1); the chosen one as it is read (R10.2).
  output logic                  ready_o,
  input  logic                  choose_i,
  output result_t               reading_o,
  output logic                  reading_epoch_o,
  // For the counters and the invalidation.
  output logic                  any_valid_o,
  output logic                  any_eligible_o,
  output logic                  any_stale_o,
  output logic                  same_neighbourhood_o
);

  localparam type flags_t = `LW_FLAGS_T(BufferEntries);
  localparam type near_t  = `LW_NEAR_T(BufferEntries);

  logic [BufferEntries-1:0]      valid_q, picked_q, done_q, stale_q, batch_q, alone_q;
  logic [2:0][BufferEntries-1:0] cl_q, pl_q, near_position_q;
  logic [1:0][BufferEntries-1:0] access_q;
  logic [BufferEntries-1:0]      near_level_q, near_claim_q;
  flags_t                        flags, flags_d;
  near_t                         near, near_d;
  logic [IdW-1:0]     id_q     [BufferEntries];
  logic [SrcW-1:0]    src_q    [BufferEntries];
  logic [PasidW-1:0]  pasid_q  [BufferEntries];
  logic [VpnW-1:0]    vpn_q    [BufferEntries];
  logic [LineW-1:0]   line_q     [BufferEntries];
  logic [2:0]         position_q [BufferEntries];

  logic             ready_q, reading_q, reading_epoch_q;
  logic [SlotW-1:0] ready_slot_q, reading_slot_q;
  logic [LineW-1:0] look_line_q, reading_line_q;
  logic [2:0]       look_position_q, reading_position_q;

  // ---------------------------------------------------------------- insertion (R4.2, R4.3)

  logic [BufferEntries-1:0] inserted, from_tail;
  logic [SlotW-1:0]         tail;
  logic                     open;
  logic [2:0]               inserted_cl;

  assign insert_o = miss_i.valid && open;

  buffer_ring #(
    .Entries(BufferEntries)
  ) u_ring (
    .clk_i,
    .rst_ni,
    .insert_i   (insert_o),
    .valid_i    (valid_q),
    .tail_o     (tail),
    .open_o     (open),
    .inserted_o (inserted),
    .from_tail_o(from_tail)
  );

  buffer_insertion #(
    .VpnW(VpnW), .PasidW(PasidW), .Walkers(Walkers), .Coalesce(Coalesce), .Subregions(Subregions)
  ) u_insertion (
    .mode_i,
    .mark_i,
    .flight_i,
    .insert_i(insert_o),
    .key_i   (miss_i.key),
    .access_i(miss_i.access),
    .cl_o    (inserted_cl)
  );

  // ---------------------------------------------------------------- search (R4.4)

  cam_op_t search, searched, update;
  logic    search_met;
  line_t   update_line;

  cam_operation #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Subregions(Subregions), .Colt(Colt),
    .Sizes(Sizes)
  ) u_operation (
    .clk_i,
    .rst_ni,
    .mark_i,
    .cam_i,
    .line_i,
    .search_o     (search),
    .search_met_o (search_met),
    .update_o     (update),
    .update_line_o(update_line)
  );

  always_comb begin
    searched = search;
    if (search_met) searched.op = CamNone;  // R4.13
  end

  assign search_o = search;
  assign update_o = update;

  buffer_search #(
    .VpnW(VpnW), .PasidW(PasidW), .Entries(BufferEntries), .Coalesce(Coalesce),
    .Subregions(Subregions)
  ) u_search (
    .valid_i(valid_q),
    .pasid_i(pasid_q),
    .vpn_i  (vpn_q),
    .op_i   (searched),
    .near_o (near_d)
  );

  assign flags = '{valid: valid_q, picked: picked_q, done: done_q, stale: stale_q, batch: batch_q,
                   alone: alone_q, cl: cl_q, pl: pl_q};
  assign near  = '{level: near_level_q, claim: near_claim_q, position: near_position_q};

  // ---------------------------------------------------------------- next state (R4.5, R5.2, R9.3, R10.3, R11.2)

  logic [BufferEntries-1:0] match, losing;
  logic                     store_open;
  logic                     ready_load, batch_any;
  logic [SlotW-1:0]         batch_slot;

  buffer_next #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Entries(BufferEntries), .Coalesce(Coalesce)
  ) u_next (
    .mode_i,
    .flags_i         (flags),
    .access_i        (access_q),
    .pasid_i         (pasid_q),
    .near_i          (near),
    .mark_i,
    .roots_valid_i,
    .update_i        (update),
    .line_i          (update_line),
    .open_i          (store_open),
    .losing_i        (losing),
    .inserted_i      (inserted),
    .inserted_cl_i   (inserted_cl),
    .inserted_stale_i(miss_i.stale),
    .from_tail_i     (from_tail),
    .wanted_i,
    .decision_i,
    .ready_i         (ready_q),
    .ready_slot_i    (ready_slot_q),
    .choose_i,
    .flags_o         (flags_d),
    .match_o         (match),
    .same_neighbourhood_o,
    .any_eligible_o,
    .pick_o,
    .ready_load_o    (ready_load),
    .batch_any_o     (batch_any),
    .batch_slot_o    (batch_slot)
  );

  // ---------------------------------------------------------------- the line store (R9.10 to R9.14)

  logic [LineW-1:0] store_tail, read_line;
  logic [2:0]       read_position;
  learnt_t          reading_learnt;

  if (Coalesce) begin : gen_store
    logic learns, awaited, awaited_next;

    assign learns = |match;

    line_users #(
      .Entries(BufferEntries),
      .Lines  (Lines)
    ) u_users (
      .valid_i       (valid_q),
      .done_i        (done_q),
      .pl_i          (pl_q),
      .line_i        (line_q),
      .tail_i        (store_tail),
      .losing_o      (losing),
      .awaited_o     (awaited),
      .awaited_next_o(awaited_next)
    );

    line_store #(
      .PfnW(PfnW), .Lines(Lines), .Subregions(Subregions), .Colt(Colt), .Sizes(Sizes)
    ) u_store (
      .clk_i,
      .rst_ni,
      .scan_i           (update.op == CamScan),
      .level_i          (update.level),
      .perm_i           (update.perm),
      .reach_i          (update.reach),
      .line_i           (update_line),
      .learns_i         (learns),
      .free_i           (learns ? !awaited_next : !awaited),
      .tail_o           (store_tail),
      .open_o           (store_open),
      .look_line_i      (look_line_q),
      .look_position_i  (look_position_q),
      .look_o           (learnt_o),
      .answer_line_i    (reading_line_q),
      .answer_position_i(reading_position_q),
      .answer_o         (reading_learnt)
    );
  end else begin : gen_no_store
    assign {losing, store_tail, store_open, learnt_o, reading_learnt} = '0;

    // Without Coalesce nobody learns anything (R4.17).
    logic unused;
    assign unused = ^{match, update_line, look_line_q, look_position_q, reading_line_q,
                      reading_position_q};
  end

  // ---------------------------------------------------------------- what is read (R5.18, R10.2)

  buffer_read #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .Entries(BufferEntries),
    .Lines(Lines)
  ) u_read (
    .id_i          (id_q),
    .src_i         (src_q),
    .pasid_i       (pasid_q),
    .vpn_i         (vpn_q),
    .access_i      (access_q),
    .done_i        (done_q),
    .stale_i       (stale_q),
    .cl_i          (cl_q),
    .pl_i          (pl_q),
    .line_i            (line_q),
    .position_i        (position_q),
    .near_i            (near_level_q | near_claim_q),
    .read_slot_i,
    .read_line_o       (read_line),
    .read_position_o   (read_position),
    .read_o,
    .reading_i         (reading_q),
    .reading_slot_i    (reading_slot_q),
    .reading_learnt_i  (reading_learnt),
    .reading_o
  );

  // ---------------------------------------------------------------- registers

  // What says nothing before it is written has no reset (R0.2).
  always_ff @(posedge clk_i) begin
    if (update.op == CamScan) begin  // without Coalesce nobody matches
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (match[e]) begin  // R9.10
          line_q[e]     <= store_tail;
          position_q[e] <= {near_position_q[2][e], near_position_q[1][e], near_position_q[0][e]};
        end
      end
    end
    if (insert_o) begin  // R4.2
      id_q[tail]    <= miss_i.id;
      src_q[tail]   <= miss_i.src;
      pasid_q[tail] <= miss_i.key.pasid;
      vpn_q[tail]   <= miss_i.key.vpn;
      for (int unsigned b = 0; b < 2; b++) access_q[b][tail] <= miss_i.access[b];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, picked_q, done_q, stale_q, batch_q, alone_q, cl_q, pl_q} <= '0;
      {near_level_q, near_claim_q, near_position_q} <= '0;
      {ready_q, ready_slot_q, look_line_q, look_position_q} <= '0;
      {reading_q, reading_slot_q, reading_line_q, reading_position_q, reading_epoch_q} <= '0;
    end else begin
      valid_q         <= flags_d.valid;
      picked_q        <= flags_d.picked;
      done_q          <= flags_d.done;
      stale_q         <= flags_d.stale;
      batch_q         <= flags_d.batch;
      alone_q         <= flags_d.alone;
      cl_q            <= flags_d.cl;
      pl_q            <= flags_d.pl;
      near_level_q    <= near_d.level;
      near_claim_q    <= near_d.claim;
      near_position_q <= near_d.position;
      if (ready_load) begin  // R10.3
        ready_q <= Coalesce && batch_any;
        if (batch_any) ready_slot_q <= Coalesce ? batch_slot : '0;
      end
      look_line_q     <= Coalesce ? read_line : '0;  // R5.25
      look_position_q <= Coalesce ? read_position : '0;
      reading_q       <= choose_i;  // R10.2
      if (choose_i) begin
        reading_slot_q     <= ready_slot_q;
        reading_line_q     <= Coalesce ? line_q[ready_slot_q] : '0;
        reading_position_q <= Coalesce ? position_q[ready_slot_q] : '0;
        reading_epoch_q    <= epoch_i;
      end
    end
  end

  assign ready_o         = ready_q;
  assign reading_epoch_o = reading_epoch_q;
  assign any_valid_o     = |valid_q;
  assign any_stale_o     = |(valid_q & stale_q);

endmodule
