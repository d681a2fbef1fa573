// Chooses the way for a fill in a set or a fully associative table: the way that already holds its key, else
// the lowest free way, else the one with the highest rank (R3.6, R6.5, R16.9).
//
// Combinational. `ahead_i` names the way that another fill touches or writes in this cycle (R3.17), or none:
// it is passed over as if it were the most recently used (R3.31), and is among those of `valid_i` if that
// fill writes it. Ranks differ, so if the way ahead has the highest, the second highest is the oldest of the
// others.
module fill_way #(
  parameter int unsigned Ways = 16,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic [Ways-1:0]            same_i,   // holds the key: one bit or none
  input  logic [Ways-1:0]            valid_i,
  input  logic [Ways-1:0]            ahead_i,
  input  logic [Ways-1:0][WayW-1:0]  rank_i,
  output logic [WayW-1:0]            way_o
);

  logic [Ways-1:0] free, upto, lowest, oldest, second, other;

  assign free = ~valid_i;

  // A prefix OR, so logarithmic in depth.
  always_comb begin
    upto = free;
    for (int unsigned s = 0; s < WayW; s++) upto |= upto << (1 << s);
    lowest = upto & ~(upto << 1);
  end

  always_comb begin
    for (int unsigned w = 0; w < Ways; w++) begin
      oldest[w] = rank_i[w] == WayW'(Ways - 1);
      second[w] = rank_i[w] == WayW'(Ways - 2);
    end
  end

  assign other = |free ? lowest : (|(oldest & ahead_i) ? second : oldest);

  // Whether the key is held, and where, is known last: a bit of the way is that of the other one, unless the way that
  // holds the key says it is not.
  logic [WayW-1:0] other_way, held_one, held_zero;

  always_comb begin
    other_way = '0;
    held_one  = '0;
    held_zero = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (other[w]) other_way |= WayW'(w);
      if (same_i[w]) begin
        held_one  |= WayW'(w);
        held_zero |= ~WayW'(w);
      end
    end
  end

  for (genvar b = 0; b < WayW; b++) begin : gen_way
    assign way_o[b] = other_way[b] ? !held_zero[b] : held_one[b];
  end

endmodule
