// Which way of a set holds the page that is looked up, among the subregion entries (R3.9).
//
// Combinational. Contract: the entries of a frame do not overlap (R3.12), so at most one is found;
// LENGTH leads no entry out of its frame, so a distance modulo 8 tells whether a place is held.
module subregion_lookup
  import lockwalk_pkg::*;
#(
  parameter int unsigned Ways   = 16,
  parameter int unsigned VsnW   = 30,
  parameter int unsigned PasidW = 4
) (
  input  logic [Ways-1:0]             candidate_i,  // valid subregion entries of the set
  input  logic [Ways-1:0][PasidW-1:0] pasid_i,
  input  logic [Ways-1:0][VsnW-1:0]   first_i,      // VSN of the entry's first subregion
  input  logic [Ways-1:0][2:0]        length_i,
  input  logic [Ways-1:0][1:0]        perm_i,
  input  logic                        look_valid_i,
  input  logic [PasidW-1:0]           look_pasid_i,
  input  logic [VsnW-1:0]             look_vsn_i,
  input  logic [1:0]                  look_access_i,
  output logic [Ways-1:0]             match_o
);

  logic [2:0] distance;

  always_comb begin
    match_o  = '0;
    distance = '0;
    if (look_valid_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        distance   = look_vsn_i[2:0] - first_i[w][2:0];
        match_o[w] = candidate_i[w] && pasid_i[w] == look_pasid_i &&
                     first_i[w][VsnW-1:3] == look_vsn_i[VsnW-1:3] && distance <= length_i[w] &&
                     grants(perm_i[w], look_access_i);
      end
    end
  end

endmodule
