// The insertion of a miss into the IOMMU buffer: where it goes, what it waits for, and whether the slot of the next
// one is free (R4.2, R4.3, R4.9).
//
// Slots are given in turn (R4.11). An entry is compared with the accesses in flight in the cycle in which it is
// inserted (buffer_wait.sv). Combinational, between registers of iommu_buffer and the insertion register. Whether
// there is an insertion is known last, so the slot after TAIL is looked at beside TAIL.
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
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type flight_t = `LW_FLIGHT_T(VpnW, PasidW)
) (
  input  logic [1:0]            mode_i,
  input  mark_t                 mark_i,
  input  flight_t [Walkers-1:0] flight_i,
  input  logic [Entries-1:0]    valid_i,
  // TAIL, and a miss with this page and access that is written there.
  input  logic [SlotW-1:0]      tail_i,
  input  logic                  insert_i,
  input  key_t                  key_i,
  input  logic [1:0]            access_i,
  // The new entry, one-hot, and its coalesced level; TAIL and OPEN of the next cycle.
  output logic [Entries-1:0]    inserted_o,
  output logic [2:0]            cl_o,
  output logic [SlotW-1:0]      tail_o,
  output logic                  open_o
);

  // ---------------------------------------------------------------- the slots (R4.2, R4.9)

  logic [SlotW-1:0] after_tail;

  assign after_tail = tail_i + SlotW'(1);  // comes round by itself
  assign inserted_o = insert_i ? Entries'(1) << tail_i : '0;
  assign tail_o     = insert_i ? after_tail : tail_i;
  assign open_o     = insert_i ? !valid_i[after_tail] : !valid_i[tail_i];

  // ---------------------------------------------------------------- the new entry (R4.3)

  logic [2:0] wait_cl;
  logic       met;  // R11.2: then it waits on nobody

  buffer_wait #(
    .VpnW(VpnW), .PasidW(PasidW), .Walkers(Walkers), .Coalesce(Coalesce), .Subregions(Subregions)
  ) u_wait (
    .mode_i,
    .new_valid_i (insert_i),
    .new_key_i   (key_i),
    .new_access_i(access_i),
    .flight_i,
    .new_cl_o    (wait_cl)
  );

  assign met  = `LW_MEETS(mark_i, key_i.pasid);
  assign cl_o = met ? '0 : wait_cl;

endmodule
