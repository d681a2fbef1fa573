// The two searches of a lookup in the unified TLB: among the ranges of a set, and among its regular entries
// (R3.2, R3.9, R3.14, R3.16).
//
// Combinational, on all entries of the TLB, index = set x Ways + way. In the serial lookup the request in
// the stage before is searched for among the ranges, and what that has found comes back a cycle later in
// earlier_i; else both searches are for one request. A range comes before a regular entry.
`include "lockwalk_types.svh"

module tlb_lookup
  import lockwalk_pkg::*;
#(
  parameter int unsigned Entries    = 256,
  parameter int unsigned Ways       = 16,
  parameter int unsigned Partition  = 8,
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned TagW       = 32,
  parameter int unsigned NumberW    = 30,
  parameter int unsigned PlaceW     = 3,
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,
  parameter bit          Serial     = 1'b0,
  localparam int unsigned Sets    = Entries / Ways,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(Ways),
  localparam type key_t   = `LW_KEY_T(VpnW, PasidW),
  localparam type found_t = `LW_TLB_FOUND_T(WayW, PlaceW, PfnW)
) (
  input  logic [Entries-1:0] valid_i,
  input  logic [Entries-1:0] class_i,
  input  logic [PasidW-1:0]  pasid_i  [Entries],
  input  logic [TagW-1:0]    tag_i    [Entries],
  input  logic [PfnW-1:0]    pfn_i    [Entries],
  input  logic [1:0]         perm_i   [Entries],
  input  logic [1:0]         size_i   [Entries],
  // Of ranges alone: a unit that has none asks for no length, and one of runs for two bits of it.
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic [2:0]         length_i [Entries],
  /* verilator lint_on UNUSEDSIGNAL */
  // The request that is searched for among the ranges.
  input  logic               range_valid_i,
  input  key_t               range_key_i,
  input  logic [Sets-1:0]    range_at_i,      // its set, one-hot
  input  logic [1:0]         range_access_i,
  output found_t             range_o,
  input  found_t             earlier_i,       // of the request below, if the lookup is serial
  // The request that is searched for among the regular entries.
  input  logic               page_valid_i,
  input  key_t               page_key_i,
  input  logic [Sets-1:0]    page_at_i,       // its set, one-hot
  input  logic [1:0]         page_access_i,
  output found_t             found_o,         // of both
  output logic               found_range_o    // it is a range
);

  // The ways that match, one at most (R3.6, R3.12).
  logic [Ways-1:0] range_match, page_match;

  if (Subregions || Runs) begin : gen_ranges
    logic [SetW-1:0] set_index;
    logic [TagW-1:0] tag;

    logic unused;
    assign unused = ^{tag, set_index};  // a number may be shorter, the set is there decoded

    tlb_index #(
      .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
    ) u_index (
      .range_i(1'b1),
      .vpn_i  (range_key_i.vpn),
      .set_o  (set_index),
      .tag_o  (tag)
    );

    tlb_range_search #(
      .Entries(Entries), .Ways(Ways), .Partition(Partition), .PasidW(PasidW), .PfnW(PfnW),
      .TagW(TagW), .NumberW(NumberW), .PlaceW(PlaceW), .Runs(Runs)
    ) u_search (
      .valid_i,
      .class_i,
      .pasid_i,
      .tag_i,
      .pfn_i,
      .perm_i,
      .size_i,
      .length_i,
      .look_valid_i (range_valid_i),
      .look_pasid_i (range_key_i.pasid),
      .look_at_i    (range_at_i),
      .look_number_i(NumberW'(tag)),
      .look_access_i(range_access_i),
      .match_o      (range_match),
      .found_o      (range_o)
    );
  end else begin : gen_no_ranges
    assign range_match = '0;
    assign range_o     = '0;

    // Where there are no ranges nobody searches for one.
    logic unused;
    assign unused = ^{range_valid_i, range_key_i, range_at_i, range_access_i};
  end

  logic [SetW-1:0] page_set;
  logic [TagW-1:0] page_tag;
  found_t          page, range;

  tlb_index #(
    .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
  ) u_page_index (
    .range_i(1'b0),
    .vpn_i  (page_key_i.vpn),
    .set_o  (page_set),
    .tag_o  (page_tag)
  );

  tlb_page_search #(
    .Entries(Entries), .Ways(Ways), .PasidW(PasidW), .PfnW(PfnW), .TagW(TagW), .PlaceW(PlaceW)
  ) u_page_search (
    .valid_i,
    .class_i,
    .pasid_i,
    .tag_i,
    .pfn_i,
    .perm_i,
    .size_i,
    .look_valid_i (!Runs && page_valid_i),
    .look_pasid_i (page_key_i.pasid),
    .look_at_i    (page_at_i),
    .look_tag_i   (page_tag),
    .look_access_i(page_access_i),
    .match_o      (page_match),
    .found_o      (page)
  );

  assign range         = Serial ? earlier_i : range_o;
  assign found_o       = range.valid ? range : page;
  assign found_range_o = range.valid;

  // The checkers watch the matches (tb/tlb_checker.sv).
  logic unused_match;
  assign unused_match = ^{range_match, page_match, page_set};

endmodule
