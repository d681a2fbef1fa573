// Finds the way of a set whose range holds the page that is looked up (R3.9, R3.14).
//
// A range holds `length + 1` neighbouring places: with PlaceW = 3 subregions of a frame, with PlaceW = 2
// pages of a group. It cannot reach beyond its frame or group. A *number* is NumberW bits: the place in the
// lowest PlaceW, above it which frame or group it is among those of the set.
//
// Combinational. Contract: the ranges of a frame or group do not overlap (R3.12), so at most one is found;
// no range ends beyond its frame or group, so a distance modulo 2^PlaceW tells whether it holds a place.
module range_lookup
  import lockwalk_pkg::*;
#(
  parameter int unsigned Ways    = 16,
  parameter int unsigned NumberW = 30,
  parameter int unsigned PlaceW  = 3,   // 2, 3
  parameter int unsigned PasidW  = 4
) (
  input  logic [Ways-1:0]              candidate_i,  // valid entries of class 1 of the set
  input  logic [Ways-1:0][PasidW-1:0]  pasid_i,
  input  logic [Ways-1:0][NumberW-1:0] first_i,      // number of the entry's first place
  input  logic [Ways-1:0][PlaceW-1:0]  length_i,
  input  logic [Ways-1:0][1:0]         perm_i,
  input  logic [PasidW-1:0]            look_pasid_i,
  input  logic [NumberW-1:0]           look_number_i,
  input  logic [1:0]                   look_access_i,
  output logic [Ways-1:0]              match_o
);

  logic [PlaceW-1:0] distance;

  always_comb begin
    match_o  = '0;
    distance = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      distance   = look_number_i[PlaceW-1:0] - first_i[w][PlaceW-1:0];
      match_o[w] = candidate_i[w] && pasid_i[w] == look_pasid_i &&
                   first_i[w][NumberW-1:PlaceW] == look_number_i[NumberW-1:PlaceW] &&
                   distance <= length_i[w] && grants(perm_i[w], look_access_i);
    end
  end

endmodule
