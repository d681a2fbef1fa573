// Where a fill of the unified TLB goes in its set: a regular one by R3.6, one of class 1 by range_fill.
//
// Combinational. `way_o` is the way that is touched; with `write_o` it is written too, after the ways
// of `drop_o` have lost VALID. `ahead_*` is the fill that is written into the set in this cycle (R3.17):
// its way, one bit or none, and what it holds then if `ahead_write_i`. Tags and lengths are those of
// section 3; a range's lowest NumberW bits of the tag are its number (range_lookup.sv).
module tlb_fill #(
  parameter int unsigned Ways      = 16,
  parameter int unsigned Partition = 8,    // ways that are open to ranges, the last ones
  parameter int unsigned PasidW    = 4,
  parameter int unsigned TagW      = 32,
  parameter int unsigned NumberW   = 30,
  parameter int unsigned PlaceW    = 3,    // 2, 3
  parameter bit          Regular   = 1'b1, // there are regular entries
  parameter bit          Ranges    = 1'b0, // there are entries of class 1
  localparam int unsigned WayW = $clog2(Ways)
) (
  // The set, by way.
  input  logic [Ways-1:0]             valid_i,
  input  logic [Ways-1:0]             range_i,  // valid and of class 1
  input  logic [Ways-1:0][PasidW-1:0] pasid_i,
  input  logic [Ways-1:0][TagW-1:0]   tag_i,
  input  logic [Ways-1:0][PlaceW-1:0] length_i,
  input  logic [Ways-1:0][1:0]        perm_i,
  input  logic [Ways-1:0][WayW-1:0]   rank_i,
  input  logic [Ways-1:0]             ahead_i,
  input  logic                        ahead_write_i,
  input  logic                        ahead_range_i,
  input  logic [PasidW-1:0]           ahead_pasid_i,
  input  logic [TagW-1:0]             ahead_tag_i,
  input  logic [PlaceW-1:0]           ahead_length_i,
  input  logic [1:0]                  ahead_perm_i,
  // The fill.
  input  logic                        fill_valid_i,
  input  logic                        fill_range_i,
  input  logic [PasidW-1:0]           fill_pasid_i,
  input  logic [TagW-1:0]             fill_tag_i,
  input  logic [PlaceW-1:0]           fill_length_i,
  input  logic [1:0]                  fill_perm_i,
  output logic                        write_o,
  output logic [Ways-1:0]             drop_o,
  output logic [WayW-1:0]             way_o
);

  logic [Ways-1:0] same, written;
  logic            ahead_same;
  logic [WayW-1:0] regular_way;

  assign written    = ahead_i & {Ways{ahead_write_i}};
  assign ahead_same = !ahead_range_i && ahead_pasid_i == fill_pasid_i && ahead_tag_i == fill_tag_i;

  always_comb begin
    same = '0;
    if (Regular && fill_valid_i && !fill_range_i) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        same[w] = written[w] ? ahead_same :
                  valid_i[w] && !range_i[w] && pasid_i[w] == fill_pasid_i && tag_i[w] == fill_tag_i;
      end
    end
  end

  fill_way #(
    .Ways(Ways)
  ) u_way (
    .same_i  (same),
    .valid_i (valid_i | written),
    .ahead_i,
    .rank_i,
    .way_o   (regular_way)
  );

  if (Ranges) begin : gen_ranges
    logic [Ways-1:0]              valid, candidate;
    logic [Ways-1:0][PasidW-1:0]  pasid;
    logic [Ways-1:0][NumberW-1:0] first;
    logic [Ways-1:0][PlaceW-1:0]  length;
    logic [Ways-1:0][1:0]         perm;
    logic                         contained;
    logic [WayW-1:0]              way;

    for (genvar w = 0; w < Ways; w++) begin : gen_ways
      assign valid[w]     = written[w] || valid_i[w];
      assign candidate[w] = written[w] ? ahead_range_i : range_i[w];
      assign pasid[w]     = written[w] ? ahead_pasid_i : pasid_i[w];
      assign first[w]     = NumberW'(written[w] ? ahead_tag_i : tag_i[w]);
      assign length[w]    = written[w] ? ahead_length_i : length_i[w];
      assign perm[w]      = written[w] ? ahead_perm_i : perm_i[w];
    end

    range_fill #(
      .Ways     (Ways),
      .Partition(Partition),
      .NumberW  (NumberW),
      .PlaceW   (PlaceW),
      .PasidW   (PasidW)
    ) u_range_fill (
      .valid_i      (valid),
      .candidate_i  (candidate),
      .pasid_i      (pasid),
      .first_i      (first),
      .length_i     (length),
      .perm_i       (perm),
      .rank_i,
      .ahead_i,
      .fill_valid_i (fill_valid_i && fill_range_i),
      .fill_pasid_i,
      .fill_first_i (NumberW'(fill_tag_i)),
      .fill_length_i,
      .fill_perm_i,
      .contained_o  (contained),
      .drop_o,
      .way_o        (way)
    );

    assign write_o = fill_valid_i && !contained;
    assign way_o   = fill_range_i ? way : regular_way;
  end else begin : gen_no_ranges
    assign drop_o  = '0;
    assign write_o = fill_valid_i;
    assign way_o   = regular_way;

    logic unused;
    assign unused = ^{length_i, perm_i, ahead_length_i, ahead_perm_i, fill_length_i, fill_perm_i,
                      Partition, NumberW, PlaceW};
  end

endmodule
