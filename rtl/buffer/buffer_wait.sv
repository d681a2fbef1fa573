// The level of the access in flight on which a new entry waits (R4.3), or 0: the lowest of the walkers'
// levels that take part, in whose neighbourhood the entry lies and whose PERM grants its access.
//
// Combinational. Levels are 0..5; a walker's REACH is a reach_e.
module buffer_wait
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter bit          Coalesce   = 1'b1,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9
) (
  input  logic [1:0]                     mode_i,
  input  logic                           new_valid_i,
  input  logic [PasidW-1:0]              new_pasid_i,
  input  logic [VpnW-1:0]                new_vpn_i,
  input  logic [1:0]                     new_access_i,
  input  logic [Walkers-1:0]             flight_valid_i,
  input  logic [Walkers-1:0][VpnW-1:0]   flight_vpn_i,
  input  logic [Walkers-1:0][PasidW-1:0] flight_pasid_i,
  input  logic [Walkers-1:0][2:0]        flight_level_i,
  input  logic [Walkers-1:0][1:0]        flight_perm_i,
  input  logic [Walkers-1:0][1:0]        flight_reach_i,
  output logic [2:0]                     new_cl_o
);

  logic [Levels:1] near;  // the levels of the accesses in flight that it has to wait for

  always_comb begin
    near = '0;
    if (new_valid_i) begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        if (flight_valid_i[w] && flight_pasid_i[w] == new_pasid_i &&
            grants(flight_perm_i[w], new_access_i) &&
            is_near(differing_t'({flight_vpn_i[w] ^ new_vpn_i}),
                    segments_of(flight_level_i[w],
                                Subregions ? reach_e'(flight_reach_i[w]) : ReachLine))) begin
          for (int unsigned k = 1; k <= Levels; k++) near[k] |= flight_level_i[w] == 3'(k);
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
