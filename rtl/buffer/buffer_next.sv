// What a cycle makes of the entries of the IOMMU buffer: the next state of all that is kept as one bit an entry,
// and who of them is walked for or answered next.
//
// A mark, an insertion, the CAM's operation, a walker's decision and the choice of an answer come together in
// one cycle and may concern one entry; each works on the state at the beginning of the cycle, and only here is
// it said which of them wins. What the operation does is in buffer_update.sv. Here are besides: whom a mark meets
// (R11.2), which entry is picked of those that may be walked for (R5.1, R5.2), and who waits in the batch of
// answers (R10.3). Combinational; the index of an entry is its slot.
`include "lockwalk_types.svh"

module buffer_next
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter bit          Coalesce   = 1'b1,
  localparam int unsigned SlotW  = $clog2(Entries),
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type flags_t    = `LW_FLAGS_T(Entries),
  localparam type near_t     = `LW_NEAR_T(Entries),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type cam_op_t   = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t     = `LW_LINE_T(PfnW),
  localparam type pick_t     = `LW_PICK_T(SlotW),
  localparam type decision_t = `LW_DECISION_T(SlotW)
) (
  input  logic [1:0]              mode_i,
  // The entries, and what the search has found of them.
  input  flags_t                  flags_i,
  input  logic [1:0][Entries-1:0] access_i,
  input  logic [PasidW-1:0]       pasid_i [Entries],
  input  near_t                   near_i,
  // What happens: a mark, the operation in update, an insertion with what the new entry waits for (R4.3) and
  // whether it is stale (R4.10), a walker that wants an entry, a walker's decision, the ready register.
  input  mark_t                   mark_i,
  input  logic [Pasids-1:0]       roots_valid_i,
  input  cam_op_t                 update_i,
  input  line_t                   line_i,
  input  logic                    open_i,        // ... can be kept (R9.14)
  input  logic [Entries-1:0]      losing_i,      // these lose what they have learnt (R9.13)
  input  logic [Entries-1:0]      inserted_i,
  input  logic [2:0]              inserted_cl_i,
  input  logic                    inserted_stale_i,
  input  logic [Entries-1:0]      from_tail_i,
  input  logic                    wanted_i,
  input  decision_t               decision_i,
  input  logic                    ready_i,
  input  logic [SlotW-1:0]        ready_slot_i,
  input  logic                    choose_i,
  // What becomes of the entries.
  output flags_t                  flags_o,
  output logic [Entries-1:0]      match_o,  // these learn from the line (R9.4)
  output logic                    same_neighbourhood_o,  // R12.7
  // Somebody may be walked for; who is, if a walker wants one.
  output logic                    any_eligible_o,
  output pick_t                   pick_o,
  // The ready register gets the lowest of the batch, if there is one (R10.3, R10.9).
  output logic                    ready_load_o,
  output logic                    batch_any_o,
  output logic [SlotW-1:0]        batch_slot_o
);

  // ---------------------------------------------------------------- whom a mark meets (R11.2)

  logic [Entries-1:0] met, rootless;  // rootless: met, and its PASID has no page table (R11.13)

  always_comb begin
    met      = '0;
    rootless = '0;
    if (mark_i.valid) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        met[e]      = flags_i.valid[e] && `LW_MEETS(mark_i, pasid_i[e]);
        rootless[e] = met[e] && !roots_valid_i[pasid_i[e]];
      end
    end
  end

  // ---------------------------------------------------------------- update (R4.5, R4.6, R9.3 to R9.8)

  logic [Entries-1:0] done;

  buffer_update #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .Entries(Entries), .Coalesce(Coalesce)
  ) u_update (
    .mode_i,
    .op_i      (update_i),
    .line_i,
    .open_i,
    .losing_i,
    .valid_i   (flags_i.valid),
    .done_i    (flags_i.done),
    .stale_i   (flags_i.stale),
    .alone_i   (flags_i.alone),
    .cl_i      (flags_i.cl),
    .pl_i      (flags_i.pl),
    .access_i,
    .near_i,
    .met_i     (met),
    .inserted_i,
    .inserted_cl_i,
    .cl_o      (flags_o.cl),
    .pl_o      (flags_o.pl),
    .done_o    (done),
    .alone_o   (flags_o.alone),
    .match_o,
    .same_neighbourhood_o
  );

  // ---------------------------------------------------------------- the pick (R5.1, R5.2)

  logic [Entries-1:0] waiting, eligible, oldest;

  assign waiting  = flags_i.cl[2] | flags_i.cl[1] | flags_i.cl[0];
  assign eligible = flags_i.valid & ~flags_i.picked & ~flags_i.done & ~waiting;

  oldest_first #(
    .Entries(Entries)
  ) u_oldest_first (
    .eligible_i (eligible),
    .from_tail_i,
    .any_o      (any_eligible_o),
    .one_hot_o  (oldest),
    .slot_o     (pick_o.slot)
  );

  assign pick_o.valid = wanted_i && any_eligible_o;

  // ---------------------------------------------------------------- answers (R10.1, R10.3)

  logic [Entries-1:0] ready, batch_first;

  assign ready        = ready_i ? Entries'(1) << ready_slot_i : '0;
  assign ready_load_o = !ready_i || choose_i;

  lowest_bit #(
    .Width(Entries)
  ) u_next_answer (
    .vector_i (flags_i.batch),
    .any_o    (batch_any_o),
    .one_hot_o(batch_first),
    .index_o  (batch_slot_o)
  );

  // ---------------------------------------------------------------- the flags

  // What a walker decides (R5.7, R5.8), who leaves by a second hit (R5.28), and who is given to a walker: one-hot from
  // the search, not by its number.
  logic [Entries-1:0] committed, given, hit, valid, picked, stale, batch;

  assign committed = decision_i.commit ? Entries'(1) << decision_i.slot : '0;
  assign given     = decision_i.give_back ? Entries'(1) << decision_i.slot : '0;
  assign hit       = decision_i.hit ? Entries'(1) << decision_i.hit_slot : '0;

  always_comb begin
    stale  = ((flags_i.stale | (met & done) | rootless) & ~inserted_i) |
             (inserted_i & {Entries{inserted_stale_i}});
    picked = ((flags_i.picked & ~given) | (oldest & {Entries{wanted_i}})) & ~inserted_i;
    valid  = (flags_i.valid & ~committed & ~hit & ~(ready & {Entries{choose_i}})) | inserted_i;
    if (batch_any_o) begin  // R10.3
      batch = ready_load_o ? flags_i.batch & ~batch_first : flags_i.batch;
    end else begin
      batch = flags_i.valid & flags_i.done & ~flags_i.picked & ~ready;
    end
    if (!Coalesce) begin  // R4.1: nobody is told anything
      batch = '0;
    end
  end

  assign flags_o.valid  = valid;
  assign flags_o.picked = picked;
  assign flags_o.done   = done;
  assign flags_o.stale  = stale;
  assign flags_o.batch  = batch;

endmodule
