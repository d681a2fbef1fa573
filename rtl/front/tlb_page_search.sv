// Looks a page up among the regular entries of its set (R3.2, R3.16).
//
// Combinational, on all entries of the TLB, index = set x Ways + way. At most one way matches (R3.6), so
// the data is an AND-OR without priority. The tag is what the set leaves of the page number.
`include "lockwalk_tables.svh"
`include "lockwalk_types.svh"

module tlb_page_search
  import lockwalk_pkg::*;
#(
  parameter int unsigned Entries = 256,
  parameter int unsigned Ways    = 16,
  parameter int unsigned PasidW  = 4,
  parameter int unsigned PfnW    = 36,
  parameter int unsigned TagW    = 32,
  parameter int unsigned PlaceW  = 3,
  localparam int unsigned EntryW  = $clog2(Entries),
  localparam int unsigned SetBits = $clog2(Entries / Ways),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(Ways),
  localparam type found_t = `LW_TLB_FOUND_T(WayW, PlaceW, PfnW)
) (
  input  logic [Entries-1:0] valid_i,
  input  logic [Entries-1:0] class_i,
  input  logic [PasidW-1:0]  pasid_i [Entries],
  input  logic [TagW-1:0]    tag_i   [Entries],
  input  logic [PfnW-1:0]    pfn_i   [Entries],
  input  logic [1:0]         perm_i  [Entries],
  input  logic [1:0]         size_i  [Entries],
  input  logic               look_valid_i,
  input  logic [PasidW-1:0]  look_pasid_i,
  input  logic [SetW-1:0]    look_set_i,
  input  logic [TagW-1:0]    look_tag_i,
  input  logic [1:0]         look_access_i,
  output logic [Ways-1:0]    match_o,
  output found_t             found_o
);

  `LW_ENTRY_OF(EntryW, SetW, WayW)

  always_comb begin
    match_o = '0;
    found_o = '0;
    if (look_valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        match_o[w] = valid_i[entry_of(look_set_i, WayW'(w))] &&
                     !class_i[entry_of(look_set_i, WayW'(w))] &&
                     pasid_i[entry_of(look_set_i, WayW'(w))] == look_pasid_i &&
                     tag_i[entry_of(look_set_i, WayW'(w))] == look_tag_i &&
                     grants(perm_i[entry_of(look_set_i, WayW'(w))], look_access_i);
        if (match_o[w]) begin
          found_o.way  |= WayW'(w);
          found_o.pfn  |= pfn_i[entry_of(look_set_i, WayW'(w))];
          found_o.size |= size_i[entry_of(look_set_i, WayW'(w))];
          found_o.perm |= perm_i[entry_of(look_set_i, WayW'(w))];
        end
      end
    end
    found_o.valid = |match_o;
  end

endmodule
