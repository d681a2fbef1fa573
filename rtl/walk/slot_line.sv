// Whether the tag that a line of a slot carries (R20.3) is that of a page's region (R20.2), so that the line is of its
// address space and region (R20.26). Combinational; PASIDs and VPNs that are shorter than those of the tag have zeros
// above.
`include "lockwalk_types.svh"

module slot_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW      = 36,
  parameter int unsigned PasidW    = 4,
  parameter int unsigned SlotPages = 512,
  localparam type key_t = `LW_KEY_T(VpnW, PasidW)
) (
  input  logic [47:0] carried_i,
  input  key_t        key_i,
  output logic        tagged_o
);

  localparam int unsigned RegionLsb = region_lsb(SlotPages);

  logic [47:0] tag;

  assign tag      = {1'b1, 11'(key_i.pasid), 36'(key_i.vpn[VpnW-1:RegionLsb])};
  assign tagged_o = carried_i == tag;

  // All lines of a slot carry one tag.
  logic unused;
  assign unused = ^key_i.vpn[RegionLsb-1:0];

endmodule
