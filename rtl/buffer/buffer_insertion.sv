// What a miss that is inserted into the IOMMU buffer waits for (R4.3): it is compared with the accesses in flight in
// that very cycle (buffer_wait.sv). Where it goes says buffer_ring.sv. Combinational.
`include "lockwalk_types.svh"

module buffer_insertion
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type flight_t = `LW_FLIGHT_T(VpnW, PasidW)
) (
  input  logic [1:0]            mode_i,
  input  mark_t                 mark_i,
  input  flight_t [Walkers-1:0] flight_i,
  input  logic                  insert_i,
  input  key_t                  key_i,
  input  logic [1:0]            access_i,
  output logic [2:0]            cl_o
);

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
