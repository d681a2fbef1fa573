// Looks a page up among the regular entries of its set (R3.2, R3.16).
//
// Combinational, on all entries of the TLB, index = set x Ways + way. At most one way matches (R3.6), so
// the data is an AND-OR without priority; it means nothing where nothing is looked up. The tag is what the set leaves
// of the page number.
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
  localparam int unsigned Sets = Entries / Ways,
  localparam int unsigned WayW = $clog2(Ways),
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
  input  logic [Sets-1:0]    look_at_i,  // the set, one-hot
  input  logic [TagW-1:0]    look_tag_i,
  input  logic [1:0]         look_access_i,
  output logic [Ways-1:0]    match_o,
  output found_t             found_o
);

  // The set, by way.
  logic [Ways-1:0]             candidate;  // valid entries of class 0
  logic [Ways-1:0][PasidW-1:0] pasid;
  logic [Ways-1:0][TagW-1:0]   tag;
  logic [Ways-1:0][PfnW-1:0]   pfn;
  logic [Ways-1:0][1:0]        perm, size;

  always_comb begin
    {candidate, pasid, tag, pfn, perm, size} = '0;
    for (int unsigned s = 0; s < Sets; s++) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (look_at_i[s]) begin
          candidate[w] |= valid_i[s*Ways+w] && !class_i[s*Ways+w];
          pasid[w]     |= pasid_i[s*Ways+w];
          tag[w]       |= tag_i[s*Ways+w];
          pfn[w]       |= pfn_i[s*Ways+w];
          perm[w]      |= perm_i[s*Ways+w];
          size[w]      |= size_i[s*Ways+w];
        end
      end
    end
  end

  always_comb begin
    match_o = '0;
    found_o = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      match_o[w] = candidate[w] && pasid[w] == look_pasid_i && tag[w] == look_tag_i &&
                   grants(perm[w], look_access_i);
      if (match_o[w]) begin
        found_o.way  |= WayW'(w);
        found_o.pfn  |= pfn[w];
        found_o.size |= size[w];
        found_o.perm |= perm[w];
      end
    end
    found_o.valid = look_valid_i && |match_o;
  end

endmodule
