// Finds the way for a fill of a range, a subregion entry or a run, and the entries that it replaces (R3.12,
// R3.14).
//
// A range that holds all of the new one is touched and nothing is written (`contained_o`); ranges that
// overlap it otherwise lose VALID before it is written. Numbers, places and lengths are those of
// range_lookup.sv, `ahead_i` is that of tlb_fill.sv. Combinational; `way_o` is the way that is touched.
module range_fill #(
  parameter int unsigned Ways      = 16,
  parameter int unsigned Partition = 8,   // ways that are open to these entries, the last ones
  parameter int unsigned NumberW   = 30,
  parameter int unsigned PlaceW    = 3,   // 2, 3
  parameter int unsigned PasidW    = 4,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic [Ways-1:0]              valid_i,
  input  logic [Ways-1:0]              candidate_i,  // valid entries of class 1 of the set
  input  logic [Ways-1:0][PasidW-1:0]  pasid_i,
  input  logic [Ways-1:0][NumberW-1:0] first_i,
  input  logic [Ways-1:0][PlaceW-1:0]  length_i,
  input  logic [Ways-1:0][1:0]         perm_i,
  input  logic [Ways-1:0][WayW-1:0]    rank_i,
  input  logic [Ways-1:0]              ahead_i,      // one bit or none
  input  logic                         fill_valid_i,
  input  logic [PasidW-1:0]            fill_pasid_i,
  input  logic [NumberW-1:0]           fill_first_i,
  input  logic [PlaceW-1:0]            fill_length_i,
  input  logic [1:0]                   fill_perm_i,
  output logic                         contained_o,  // an entry holds all of it already
  output logic [Ways-1:0]              drop_o,       // these lose VALID, before the fill is written
  output logic [WayW-1:0]              way_o
);

  localparam logic [Ways-1:0] Open = Ways'({Ways{1'b1}} << (Ways - Partition));

  logic [Ways-1:0]           overlaps, holds, free, choice;
  logic [PlaceW-1:0]         fill_last, last;
  logic [Ways-1:0][Ways-1:0] at_rank;   // one-hot, bit = rank, of the open ways
  logic [Ways-1:0]           ranks;     // of the open ways
  logic [Ways-1:0]           top_rank;  // one-hot, the highest of them

  assign fill_last = fill_first_i[PlaceW-1:0] + fill_length_i;

  always_comb begin
    overlaps = '0;
    holds    = '0;
    last     = '0;
    if (fill_valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        last        = first_i[w][PlaceW-1:0] + length_i[w];
        overlaps[w] = Open[w] && candidate_i[w] && pasid_i[w] == fill_pasid_i &&
                      first_i[w][NumberW-1:PlaceW] == fill_first_i[NumberW-1:PlaceW] &&
                      first_i[w][PlaceW-1:0] <= fill_last && fill_first_i[PlaceW-1:0] <= last;
        holds[w]    = overlaps[w] && first_i[w][PlaceW-1:0] <= fill_first_i[PlaceW-1:0] &&
                      fill_last <= last && perm_i[w] == fill_perm_i;
      end
    end
  end

  // The open way of the highest rank: ranks differ, so one-hot ranks need no compare of two ways.
  always_comb begin
    at_rank  = '0;
    ranks    = '0;
    top_rank = '0;
    if (fill_valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        // The way ahead is the most recent one; with a partition of one way there is no other.
        if (Open[w] && (!ahead_i[w] || Partition == 1)) at_rank[w][rank_i[w]] = 1'b1;
        ranks |= at_rank[w];
      end
      for (int unsigned r = 0; r < Ways; r++) begin
        if (ranks[r]) top_rank = Ways'(1) << r;
      end
    end
  end

  assign contained_o = |holds;
  assign drop_o      = contained_o ? '0 : overlaps;
  assign free        = ~valid_i & Open;

  always_comb begin
    choice = '0;
    way_o  = '0;
    if (fill_valid_i) begin
      if (contained_o) choice = holds;  // one at most, as entries that hold the same do overlap
      else if (|overlaps) choice = overlaps;
      else if (|free) choice = free;
      else for (int unsigned w = 0; w < Ways; w++) choice[w] = |(at_rank[w] & top_rank);
      for (int w = Ways - 1; w >= 0; w--) if (choice[w]) way_o = WayW'(w);
    end
  end

endmodule
