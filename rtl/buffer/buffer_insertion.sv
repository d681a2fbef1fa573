// The insertion of a miss into the IOMMU buffer: where the next one goes, what a new entry waits for, and how
// many live entries have their age in each block (R2.4, R4.2, R4.3).
//
// An insertion takes three cycles: the miss waits in the insertion register, is written into its slot, and is
// then compared with the accesses in flight (buffer_wait.sv). Combinational, between registers of iommu_buffer.
// The next slot is sought a cycle ahead, so twice: the lowest free slot, and the lowest other than the one that
// an insertion of this cycle takes, for which of them is wanted is known last.
`include "lockwalk_types.svh"

module buffer_insertion
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter int unsigned Walkers    = 8,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned SlotW = $clog2(Entries),
  localparam type key_t      = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type flight_t   = `LW_FLIGHT_T(VpnW, PasidW),
  localparam type decision_t = `LW_DECISION_T(SlotW)
) (
  input  logic [1:0]            mode_i,
  input  mark_t                 mark_i,
  input  flight_t [Walkers-1:0] flight_i,
  // A miss that is written into this slot, with an age in this block; the slot for the next one.
  input  logic [Entries-1:0]    valid_i,
  input  logic                  insert_i,
  input  logic [SlotW-1:0]      slot_i,
  input  logic [1:0]            block_i,
  output logic [Entries-1:0]    inserted_o,
  output logic [SlotW-1:0]      next_slot_o,
  // The entry of the cycle before, and its coalesced level.
  input  logic                  new_valid_i,
  input  key_t                  new_key_i,
  input  logic [1:0]            new_access_i,
  output logic [2:0]            new_cl_o,
  // Live entries by block (R2.4), now and after this cycle: some leave by a commit or by an answer.
  input  logic [SlotW:0]        live_i [4],
  input  decision_t             decision_i,
  input  logic                  freed_i,
  input  logic [1:0]            freed_block_i,
  output logic [SlotW:0]        live_o [4],
  output logic [3:0]            block_live_o  // there are any
);

  // ---------------------------------------------------------------- the slots (R4.2)

  logic [Entries-1:0]      slot_mask;
  logic [1:0][Entries-1:0] free_first;
  logic [1:0]              free_any;
  logic [1:0][SlotW-1:0]   free_slot;

  assign slot_mask  = Entries'(1) << slot_i;
  assign inserted_o = insert_i ? slot_mask : '0;

  for (genvar i = 0; i < 2; i++) begin : gen_free
    lowest_bit #(
      .Width(Entries)
    ) u_lowest (
      .vector_i ((i == 0) ? ~valid_i : ~valid_i & ~slot_mask),
      .any_o    (free_any[i]),
      .one_hot_o(free_first[i]),
      .index_o  (free_slot[i])
    );
  end

  assign next_slot_o = free_any[insert_i] ? free_slot[insert_i] : slot_i;

  // ---------------------------------------------------------------- the new entry (R4.3)

  logic [2:0] wait_cl;
  logic       met;  // R11.2: then it waits on nobody

  buffer_wait #(
    .VpnW(VpnW), .PasidW(PasidW), .Walkers(Walkers), .Coalesce(Coalesce), .Subregions(Subregions)
  ) u_wait (
    .mode_i,
    .new_valid_i,
    .new_key_i,
    .new_access_i,
    .flight_i,
    .new_cl_o(wait_cl)
  );

  assign met      = `LW_MEETS(mark_i, new_key_i.pasid);
  assign new_cl_o = met ? '0 : wait_cl;

  // ---------------------------------------------------------------- ages (R2.4)

  for (genvar b = 0; b < 4; b++) begin : gen_block
    assign block_live_o[b] = |live_i[b];
    assign live_o[b]       = live_i[b] + (SlotW + 1)'(insert_i && block_i == 2'(b)) -
                             (SlotW + 1)'(decision_i.commit && decision_i.block == 2'(b)) -
                             (SlotW + 1)'(freed_i && freed_block_i == 2'(b));
  end

  // Slots are wanted as numbers, and of a decision only whether it commits and to which block.
  logic unused;
  assign unused = ^{free_first, decision_i.give_back, decision_i.slot};

endmodule
