// The lowest of a few that are named one bit each, or 0 if none is (R0.4). Combinational.
//
// For the buffer's long vectors there is lowest_bit.sv.
module lowest_walker #(
  parameter int unsigned Walkers = 8,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers)
) (
  input  logic [Walkers-1:0] walkers_i,
  output logic [WalkerW-1:0] walker_o
);

  always_comb begin
    walker_o = '0;
    for (int w = Walkers - 1; w >= 0; w--) if (walkers_i[w]) walker_o = WalkerW'(w);
  end

endmodule
