// The level of the access in flight that a new entry has to wait for (R4.3), or 0.
//
// It is the lowest level among the walkers' accesses that take part in coalescing, in whose
// neighbourhood the entry lies and whose permissions grant the entry's access. Combinational; levels
// are 0..5.
`include "lockwalk_types.svh"

module buffer_wait
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type flight_t = `LW_FLIGHT_T(VpnW, PasidW)
) (
  input  logic [1:0]            mode_i,
  input  logic                  new_valid_i,
  input  key_t                  new_key_i,
  input  logic [1:0]            new_access_i,
  input  flight_t [Walkers-1:0] flight_i,
  output logic [2:0]            new_cl_o
);

  logic [Levels:1] near;  // the levels of the accesses in flight that it has to wait for

  always_comb begin
    near = '0;
    if (new_valid_i) begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        if (flight_i[w].valid && flight_i[w].key.pasid == new_key_i.pasid &&
            grants(flight_i[w].perm, new_access_i) &&
            is_near(differing_t'({flight_i[w].key.vpn ^ new_key_i.vpn}),
                    segments_of(flight_i[w].level,
                                Subregions ? flight_i[w].reach : ReachLine))) begin
          for (int unsigned k = 1; k <= Levels; k++) near[k] |= flight_i[w].level == 3'(k);
        end
      end
    end
  end

  always_comb begin
    new_cl_o = '0;
    for (int k = Levels; k >= 1; k--) begin
      if (near[k] && takes_part(Coalesce, mode_i, 3'(k))) new_cl_o = 3'(k);
    end
  end

endmodule
