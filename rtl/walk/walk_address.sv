// Where in memory a walk's next access finds its page-table entry (R1.1, R1.12, R1.13; R20.28 and R20.31 in a slot), or
// its bucket (R21.8).
//
// Combinational: from where the walk stands, how far the access reaches, the line that holds the PTE and its
// position there. Together with walk_step this is all that the walkers know of the table's format.
`include "lockwalk_types.svh"

module walk_address
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter bit          HeadFirst  = 1'b0,
  parameter bit          Hashes     = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam int unsigned Levels = VpnW / 9,
  localparam type key_t  = `LW_KEY_T(VpnW, PasidW),
  localparam type walk_t = `LW_WALK_T(VpnW, PasidW, PfnW)
) (
  input  walk_t           walk_i,
  output reach_e          reach_o,
  output logic [PfnW+5:0] line_o,
  output logic [2:0]      position_o
);

  logic [8:0] index;

  assign reach_o = reach_of(walk_i.level, walk_i.contig, walk_i.key.vpn[8:6]);

  always_comb begin
    index = '0;
    for (int unsigned k = 1; k <= Levels; k++) begin
      if (walk_i.level == 3'(k)) index = walk_i.key.vpn[9*(k-1)+:9];
    end
    if (Subregions) begin
      unique case (reach_o)
        ReachFrame:     index = '0;
        ReachSubregion: index = {walk_i.key.vpn[8:6], 6'b0};
        default:        ;
      endcase
    end
    if (HeadFirst && walk_i.level == 3'd1 && index[5:3] == '0) begin
      index = {index[2:0], 3'b0, index[8:6]};
    end
  end

  // R21.8: a bucket is a line of its own number, and a slot may be.
  logic own_number;

  assign own_number = Hashes && (walk_i.hashed.where == WhereSteps ||
                                 (slot_is_line(SlotPages) && is_slot(walk_i.hashed.where)));
  assign line_o     = own_number ? {walk_i.node, walk_i.hashed.bucket} :
                                   {walk_i.node, index[8:3]};
  assign position_o = index[2:0];

  // Where a PTE lies does not depend on who may use it.
  logic unused;
  assign unused = ^{walk_i.access, walk_i.perm, walk_i.hashed};

endmodule
