// Finds the way for a fill of a range, a subregion entry or a run, and the entries that it replaces (R3.12,
// R3.14).
//
// A range of the same PERM that holds all of the new one is touched and nothing is written (`contained_o`);
// ranges that overlap it otherwise lose VALID before it is written. Numbers, places and lengths are those of
// range_lookup.sv, `ahead_*` is that of tlb_fill.sv. Combinational; `way_o` is the way that is touched.
module range_fill #(
  parameter int unsigned Ways      = 16,
  parameter int unsigned Partition = 8,   // ways that are open to these entries, the last ones
  parameter int unsigned NumberW   = 30,
  parameter int unsigned PlaceW    = 3,   // 2, 3
  parameter int unsigned PasidW    = 4,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic [Ways-1:0]              valid_i,
  // Valid entries of class 1 of the set, without the way ahead if that is written.
  input  logic [Ways-1:0]              candidate_i,
  input  logic [Ways-1:0][PasidW-1:0]  pasid_i,
  input  logic [Ways-1:0][NumberW-1:0] first_i,
  input  logic [Ways-1:0][PlaceW-1:0]  length_i,
  input  logic [Ways-1:0][1:0]         perm_i,
  input  logic [Ways-1:0][WayW-1:0]    rank_i,
  input  logic [Ways-1:0]              ahead_i,      // one bit or none
  // What is written into the way ahead, if it is.
  input  logic                         ahead_write_i,
  input  logic                         ahead_range_i,
  input  logic [PasidW-1:0]            ahead_pasid_i,
  input  logic [NumberW-1:0]           ahead_first_i,
  input  logic [PlaceW-1:0]            ahead_length_i,
  input  logic [1:0]                   ahead_perm_i,
  input  logic [PasidW-1:0]            fill_pasid_i,
  input  logic [NumberW-1:0]           fill_first_i,
  input  logic [PlaceW-1:0]            fill_length_i,
  input  logic [1:0]                   fill_perm_i,
  output logic                         contained_o,  // an entry holds all of it already
  output logic [Ways-1:0]              drop_o,       // these lose VALID, before the fill is written
  output logic [WayW-1:0]              way_o
);

  localparam logic [Ways-1:0] Open = Ways'({Ways{1'b1}} << (Ways - Partition));

  logic [Ways-1:0]           overlaps, holds, free, oldest;
  logic [WayW-1:0]           other;  // where no range overlaps
  logic                      ahead_overlaps, ahead_holds;
  logic [Ways-1:0][Ways-1:0] at_rank;   // one-hot, bit = rank, of the open ways
  logic [Ways-1:0]           ranks;     // of the open ways
  logic [Ways-1:0]           top_rank;  // one-hot, the highest of them

  // {overlaps, holds}: what a range has of the fill.
  function automatic logic [1:0] judged(logic [PasidW-1:0] pasid, logic [NumberW-1:0] first,
                                        logic [PlaceW-1:0] length, logic [1:0] perm);
    logic [PlaceW-1:0] last, fill_last;
    logic              meets;
    last      = first[PlaceW-1:0] + length;
    fill_last = fill_first_i[PlaceW-1:0] + fill_length_i;
    meets     = pasid == fill_pasid_i &&
                first[NumberW-1:PlaceW] == fill_first_i[NumberW-1:PlaceW] &&
                first[PlaceW-1:0] <= fill_last && fill_first_i[PlaceW-1:0] <= last;
    return {meets, meets && first[PlaceW-1:0] <= fill_first_i[PlaceW-1:0] && fill_last <= last &&
                   perm == fill_perm_i};
  endfunction

  // The way ahead is judged by itself: that it is the fill's set is known later than what is written.
  assign {ahead_overlaps, ahead_holds} =
      (ahead_write_i && ahead_range_i) ?
      judged(ahead_pasid_i, ahead_first_i, ahead_length_i, ahead_perm_i) : '0;

  always_comb begin
    overlaps = '0;
    holds    = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (Open[w] && candidate_i[w]) begin
        {overlaps[w], holds[w]} = judged(pasid_i[w], first_i[w], length_i[w], perm_i[w]);
      end
      if (Open[w] && ahead_i[w]) begin
        overlaps[w] |= ahead_overlaps;
        holds[w]    |= ahead_holds;
      end
    end
  end

  assign contained_o = |holds;
  assign drop_o      = contained_o ? '0 : overlaps;

  // ---------------------------------------------------------------- the way

  // The open way of the highest rank: ranks differ, so one-hot ranks need no compare of two ways.
  always_comb begin
    at_rank  = '0;
    ranks    = '0;
    top_rank = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      // The way ahead counts as the most recent one; with a partition of one way there is no other (R3.31).
      if (Open[w] && (!ahead_i[w] || Partition == 1)) at_rank[w][rank_i[w]] = 1'b1;
      ranks |= at_rank[w];
    end
    for (int unsigned r = 0; r < Ways; r++) begin
      if (ranks[r]) top_rank = Ways'(1) << r;
    end
    for (int unsigned w = 0; w < Ways; w++) oldest[w] = |(at_rank[w] & top_rank);
  end

  // The lowest of a set of ways: a prefix OR, so logarithmic in depth.
  function automatic logic [Ways-1:0] lowest(logic [Ways-1:0] ways);
    logic [Ways-1:0] upto;
    upto = ways;
    for (int unsigned s = 0; s < WayW; s++) upto |= upto << (1 << s);
    return upto & ~(upto << 1);
  endfunction

  function automatic logic [WayW-1:0] number(logic [Ways-1:0] way);
    number = '0;
    for (int unsigned w = 0; w < Ways; w++) if (way[w]) number |= WayW'(w);
  endfunction

  // What overlaps is known last, so each choice is made beside the others. One at most holds all of the fill, as
  // entries that hold the same do overlap.
  assign free  = ~valid_i & Open;
  assign other = number((free != '0) ? lowest(free) : oldest);
  assign way_o = contained_o ? number(holds) :
                 ((overlaps != '0) ? number(lowest(overlaps)) : other);

endmodule
