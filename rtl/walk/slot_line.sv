// Whether a line of a slot carries the tag of a page's region (R20.2, R20.3), and so is of its address space and
// region (R20.26). Combinational; PASIDs and VPNs that are shorter than those of the tag have zeros above.
`include "lockwalk_types.svh"

module slot_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4,
  localparam type key_t = `LW_KEY_T(VpnW, PasidW)
) (
  input  logic [7:0][63:0] line_i,
  input  key_t             key_i,
  output logic             tagged_o
);

  logic [47:0] tag, carried;

  assign tag = {1'b1, 11'(key_i.pasid), 36'(key_i.vpn[VpnW-1:9])};

  for (genvar j = 0; j < 8; j++) begin : gen_tag
    assign carried[6*j+:6] = line_i[j][62:57];
  end

  assign tagged_o = carried == tag;

  // All 64 lines of a slot carry one tag; the rest of a PTE is for who judges it.
  logic unused;
  assign unused = ^{key_i.vpn[8:0], line_i};

endmodule
