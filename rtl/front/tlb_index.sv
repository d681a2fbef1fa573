// The set in which an entry of the unified TLB belongs, and what its tag says (chapter 3).
//
// Combinational. A regular entry's are those of its page. A range, a subregion entry or with Runs a run,
// lies in the set of its frame or group; the tag of a subregion entry is the number of its first
// subregion, that of a run its first page without the set.
module tlb_index #(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned SetBits    = 4,
  parameter int unsigned TagW       = 32,
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,
  localparam int unsigned SetW     = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned PageBits = Runs ? 0 : 6,
  localparam int unsigned PlaceW   = Runs ? 2 : 3
) (
  input  logic            range_i,
  input  logic [VpnW-1:0] vpn_i,   // of the entry's first page
  output logic [SetW-1:0] set_o,
  output logic [TagW-1:0] tag_o
);

  logic [SetW-1:0] page_set, range_set;
  logic [TagW-1:0] page_tag, range_tag;

  assign page_set  = (SetBits == 0) ? '0 : SetW'(vpn_i);
  assign page_tag  = TagW'(vpn_i >> SetBits);
  assign range_set = (SetBits == 0) ? '0 : SetW'(vpn_i >> (PageBits + PlaceW));
  assign range_tag = Runs ? TagW'({vpn_i[VpnW-1:2+SetBits], vpn_i[1:0]}) : TagW'(vpn_i >> 6);

  assign set_o = ((Subregions || Runs) && range_i) ? range_set : page_set;
  assign tag_o = ((Subregions || Runs) && range_i) ? range_tag : page_tag;

endmodule
