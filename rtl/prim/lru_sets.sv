// The new ranks of the two sets that a table touches in a cycle (R3.4, R3.7): the set of a hit, and the set
// into which a fill is written.
//
// Combinational, on all ranks of the table, index = set x Ways + way. If both are in one set, the hit touches
// first; `fill_rank_o` then holds the result of both touches, and is the one to write. Both sets come decoded,
// as a table may know them early.
module lru_sets #(
  parameter int unsigned Entries = 256,
  parameter int unsigned Ways    = 16,
  localparam int unsigned Sets = Entries / Ways,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic [WayW-1:0]           rank_i [Entries],
  input  logic                      hit_i,
  input  logic [Sets-1:0]           hit_set_i,    // one-hot
  input  logic [WayW-1:0]           hit_way_i,
  input  logic                      fill_i,
  input  logic [Sets-1:0]           fill_set_i,   // one-hot
  input  logic [WayW-1:0]           fill_way_i,
  output logic [Ways-1:0][WayW-1:0] hit_rank_o,
  output logic [Ways-1:0][WayW-1:0] fill_rank_o
);

  logic [Ways-1:0][WayW-1:0] hit_rank, fill_rank;

  // A bit of a way's rank in all sets, so that a tree of gates joins them, however many there are.
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    for (genvar b = 0; b < WayW; b++) begin : gen_bit
      logic [Sets-1:0] plane;

      for (genvar s = 0; s < Sets; s++) begin : gen_set
        assign plane[s] = rank_i[s*Ways+w][b];
      end

      assign hit_rank[w][b]  = |(plane & hit_set_i);
      assign fill_rank[w][b] = |(plane & fill_set_i);
    end
  end

  lru_touch #(
    .Ways(Ways)
  ) u_hit_touch (
    .first_i     (hit_i),
    .first_way_i (hit_way_i),
    .second_i    (1'b0),
    .second_way_i(fill_way_i),
    .rank_i      (hit_rank),
    .rank_o      (hit_rank_o)
  );

  lru_touch #(
    .Ways(Ways)
  ) u_fill_touch (
    .first_i     (hit_i && fill_i && |(hit_set_i & fill_set_i)),
    .first_way_i (hit_way_i),
    .second_i    (fill_i),
    .second_way_i(fill_way_i),
    .rank_i      (fill_rank),
    .rank_o      (fill_rank_o)
  );

endmodule
