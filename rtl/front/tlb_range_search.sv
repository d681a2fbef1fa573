// Looks a page up among the ranges of its set (R3.9, R3.14): subregion entries, or with Runs the runs.
//
// Combinational, on all entries of the TLB, index = set x Ways + way. At most one way matches (R3.12), so
// the data is an AND-OR without priority; it means nothing where nothing is looked up. range_lookup.sv says
// which ways match, and what numbers and places are.
`include "lockwalk_types.svh"

module tlb_range_search
  import lockwalk_pkg::*;
#(
  parameter int unsigned Entries   = 256,
  parameter int unsigned Ways      = 16,
  parameter int unsigned Partition = 8,    // ways that hold ranges, the last ones
  parameter int unsigned PasidW    = 4,
  parameter int unsigned PfnW      = 36,
  parameter int unsigned TagW      = 32,
  parameter int unsigned NumberW   = 30,
  parameter int unsigned PlaceW    = 3,
  parameter bit          Runs      = 1'b0,
  localparam int unsigned Sets = Entries / Ways,
  localparam int unsigned WayW = $clog2(Ways),
  localparam type found_t = `LW_TLB_FOUND_T(WayW, PlaceW, PfnW)
) (
  input  logic [Entries-1:0] valid_i,
  input  logic [Entries-1:0] class_i,
  input  logic [PasidW-1:0]  pasid_i  [Entries],
  input  logic [TagW-1:0]    tag_i    [Entries],
  input  logic [PfnW-1:0]    pfn_i    [Entries],
  input  logic [1:0]         perm_i   [Entries],
  input  logic [1:0]         size_i   [Entries],
  input  logic [2:0]         length_i [Entries],
  input  logic               look_valid_i,
  input  logic [PasidW-1:0]  look_pasid_i,
  input  logic [Sets-1:0]    look_at_i,  // the set, one-hot
  input  logic [NumberW-1:0] look_number_i,
  input  logic [1:0]         look_access_i,
  output logic [Ways-1:0]    match_o,
  output found_t             found_o
);

  localparam logic [Ways-1:0] Open = Ways'({Ways{1'b1}} << (Ways - Partition));

  // The open ways of the set.
  logic [Ways-1:0]              candidate;
  logic [Ways-1:0][PasidW-1:0]  pasid;
  logic [Ways-1:0][NumberW-1:0] first;
  logic [Ways-1:0][PlaceW-1:0]  length;
  logic [Ways-1:0][PfnW-1:0]    pfn;
  logic [Ways-1:0][1:0]         perm, size;

  always_comb begin
    {candidate, pasid, first, length, pfn, perm, size} = '0;
    for (int unsigned s = 0; s < Sets; s++) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (Open[w] && look_at_i[s]) begin
          candidate[w] |= valid_i[s*Ways+w] && (Runs || class_i[s*Ways+w]);
          pasid[w]     |= pasid_i[s*Ways+w];
          first[w]     |= NumberW'(tag_i[s*Ways+w]);
          length[w]    |= PlaceW'(length_i[s*Ways+w]);
          pfn[w]       |= pfn_i[s*Ways+w];
          perm[w]      |= perm_i[s*Ways+w];
          size[w]      |= size_i[s*Ways+w];
        end
      end
    end
  end

  range_lookup #(
    .Ways   (Ways),
    .NumberW(NumberW),
    .PlaceW (PlaceW),
    .PasidW (PasidW)
  ) u_match (
    .candidate_i(candidate),
    .pasid_i    (pasid),
    .first_i    (first),
    .length_i   (length),
    .perm_i     (perm),
    .look_pasid_i,
    .look_number_i,
    .look_access_i,
    .match_o
  );

  always_comb begin
    found_o       = '0;
    found_o.valid = look_valid_i && |match_o;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (match_o[w]) begin
        found_o.way   |= WayW'(w);
        found_o.first |= first[w][PlaceW-1:0];
        if (Runs) found_o.length |= length[w];
        found_o.pfn   |= pfn[w];
        found_o.perm  |= perm[w];
        found_o.size  |= size[w];
      end
    end
  end

endmodule
