// The lowest bit set of a long vector, as one bit and as its index.
//
// Combinational, in two levels: the lowest in each group of up to 16, and the lowest group; so neither a
// priority nor an index passes through the whole width. Without a bit set both are zero.
module lowest_bit #(
  parameter int unsigned Width = 256,  // a power of two, 2..512
  localparam int unsigned IndexW = $clog2(Width)
) (
  input  logic [Width-1:0]  vector_i,
  output logic              any_o,
  output logic [Width-1:0]  one_hot_o,
  output logic [IndexW-1:0] index_o
);

  localparam int unsigned Size   = (Width < 16) ? Width : 16;
  localparam int unsigned Groups = Width / Size;
  localparam int unsigned PlaceW = $clog2(Size);

  logic [Groups-1:0]             any, first;
  logic [Groups-1:0][Size-1:0]   lowest, upto;
  logic [Groups-1:0][PlaceW-1:0] place;
  logic [Groups-1:0]             groups_upto;

  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      any[g]  = |vector_i[g*Size+:Size];
      upto[g] = vector_i[g*Size+:Size];
      for (int unsigned s = 0; s < PlaceW; s++) upto[g] |= upto[g] << (1 << s);
      lowest[g] = upto[g] & ~(upto[g] << 1);
      place[g]  = '0;
      for (int unsigned i = 0; i < Size; i++) if (lowest[g][i]) place[g] |= PlaceW'(i);
    end
    groups_upto = any;
    for (int unsigned s = 0; (1 << s) < Groups; s++) groups_upto |= groups_upto << (1 << s);
    first = groups_upto & ~(groups_upto << 1);
  end

  always_comb begin
    index_o = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      one_hot_o[g*Size+:Size] = first[g] ? lowest[g] : '0;
      if (first[g]) index_o |= IndexW'(g * Size) | IndexW'(place[g]);
    end
  end

  assign any_o = |any;

endmodule
