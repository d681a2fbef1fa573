// Finds the way for a fill of the unified TLB: for a regular entry by R3.6, for a range by range_fill.sv.
//
// On all entries, index = set x Ways + way. `way_o` is the way that is touched; with `write_o` it is written too, after
// the ways in `drop_o` have lost VALID; whether there is a fill is not asked here. `ahead_*` is the fill before, which
// is written in this cycle (R3.17): if it is of the same set, this fill sees the set as that one leaves it. The set is
// told a cycle ahead, and so decoded in time. Tags and lengths are those of chapter 3; the lowest NumberW bits of a
// range's tag are its number.
`include "lockwalk_types.svh"

module tlb_fill #(
  parameter int unsigned Entries    = 256,
  parameter int unsigned Ways       = 16,
  parameter int unsigned Partition  = 8,     // ways that are open to ranges, the last ones
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned TagW       = 32,
  parameter int unsigned NumberW    = 30,
  parameter int unsigned PlaceW     = 3,     // 2, 3
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,  // there are no regular entries
  localparam bit          Regular = !Runs,
  localparam bit          Ranges  = Subregions || Runs,
  localparam int unsigned Sets    = Entries / Ways,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(Ways),
  localparam type key_t  = `LW_KEY_T(VpnW, PasidW),
  localparam type told_t = `LW_TOLD_FILL_T(VpnW),
  localparam type fill_t = `LW_FILL_T(VpnW, PasidW, PfnW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Entries-1:0] valid_i,
  input  logic [Entries-1:0] class_i,
  input  logic [PasidW-1:0]  pasid_i  [Entries],
  input  logic [TagW-1:0]    tag_i    [Entries],
  input  logic [2:0]         length_i [Entries],
  input  logic [1:0]         perm_i   [Entries],
  input  logic [WayW-1:0]    rank_i   [Entries],
  // The fill that is written in this cycle, and what it takes out.
  input  logic               ahead_valid_i,
  input  logic [SetW-1:0]    ahead_set_i,
  input  logic [WayW-1:0]    ahead_way_i,
  input  logic [Ways-1:0]    ahead_drop_i,
  input  logic               ahead_write_i,
  input  logic               ahead_range_i,
  input  logic [PasidW-1:0]  ahead_pasid_i,
  input  logic [VpnW-1:0]    ahead_vpn_i,
  input  logic [PlaceW-1:0]  ahead_length_i,
  input  logic [1:0]         ahead_perm_i,
  output logic [TagW-1:0]    ahead_tag_o,
  input  told_t              told_fill_i,
  input  fill_t              fill_i,
  output logic [SetW-1:0]    set_o,
  output logic [Sets-1:0]    at_o,    // the same, one-hot
  output logic               write_o,
  output logic [Ways-1:0]    drop_o,
  output logic [WayW-1:0]    way_o
);

  // ---------------------------------------------------------------- the set

  logic            fill_range;
  logic [SetW-1:0] fill_set, told_set;
  logic [Sets-1:0] at_q;  // one-hot
  logic [TagW-1:0] tag, told_tag;

  assign fill_range = Runs || (Subregions && fill_i.span);

  tlb_index #(
    .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
  ) u_index (
    .range_i(fill_range),
    .vpn_i  (fill_i.key.vpn),
    .set_o  (fill_set),
    .tag_o  (tag)
  );

  tlb_index #(
    .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
  ) u_told_index (
    .range_i(Runs || (Subregions && told_fill_i.span)),
    .vpn_i  (told_fill_i.vpn),
    .set_o  (told_set),
    .tag_o  (told_tag)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= '0;
    else at_q <= Sets'(1) << told_set;
  end

  assign set_o = fill_set;
  assign at_o  = at_q;

  // The set of the fill, by way, without what is taken out of it now.
  logic [Ways-1:0]             ahead, valid, of_class, held_valid, held_range;
  logic [Ways-1:0][PasidW-1:0] held_pasid;
  logic [Ways-1:0][TagW-1:0]   held_tag;
  logic [Ways-1:0][PlaceW-1:0] held_length;
  logic [Ways-1:0][1:0]        held_perm;
  logic [Ways-1:0][WayW-1:0]   held_rank;
  logic                        same_set;

  assign same_set = ahead_valid_i && ahead_set_i == fill_set;
  assign ahead    = same_set ? Ways'(1) << ahead_way_i : '0;

  always_comb begin
    {valid, of_class, held_pasid, held_tag, held_length, held_perm, held_rank} = '0;
    for (int unsigned s = 0; s < Sets; s++) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (at_q[s]) begin
          valid[w]       |= valid_i[s*Ways+w];
          of_class[w]    |= class_i[s*Ways+w];
          held_pasid[w]  |= pasid_i[s*Ways+w];
          held_tag[w]    |= tag_i[s*Ways+w];
          held_length[w] |= PlaceW'(length_i[s*Ways+w]);
          held_perm[w]   |= perm_i[s*Ways+w];
          held_rank[w]   |= rank_i[s*Ways+w];
        end
      end
    end
  end

  assign held_valid = valid & ~(same_set ? ahead_drop_i : '0);
  assign held_range = held_valid & (Regular ? of_class : '1);

  // ---------------------------------------------------------------- a regular entry (R3.6)

  // As a regular entry, and as a range: which it is is known, but no tag waits for it.
  function automatic logic [TagW-1:0] page_tag(logic [VpnW-1:0] vpn);
    return TagW'(vpn >> SetBits);
  endfunction

  function automatic logic [NumberW-1:0] number(logic [VpnW-1:0] vpn);
    return Runs ? NumberW'({vpn[VpnW-1:2+SetBits], vpn[1:0]}) : NumberW'(vpn >> 6);
  endfunction

  assign ahead_tag_o = ahead_range_i ? TagW'(number(ahead_vpn_i)) : page_tag(ahead_vpn_i);

  logic [Ways-1:0] same, written;
  logic            ahead_same;
  logic [WayW-1:0] regular_way;

  assign written    = ahead & {Ways{ahead_write_i}};
  assign ahead_same = !ahead_range_i && ahead_pasid_i == fill_i.key.pasid &&
                      page_tag(ahead_vpn_i) == page_tag(fill_i.key.vpn);

  always_comb begin
    same = '0;
    if (Regular && !fill_range) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        same[w] = written[w] ? ahead_same :
                  held_valid[w] && !held_range[w] && held_pasid[w] == fill_i.key.pasid &&
                  held_tag[w] == page_tag(fill_i.key.vpn);
      end
    end
  end

  fill_way #(
    .Ways(Ways)
  ) u_way (
    .same_i  (same),
    .valid_i (held_valid | written),
    .ahead_i (ahead),
    .rank_i  (held_rank),
    .way_o   (regular_way)
  );

  // ---------------------------------------------------------------- a range (R3.12)

  if (Ranges) begin : gen_ranges
    logic [Ways-1:0][NumberW-1:0] first;
    logic                         contained;
    logic [Ways-1:0]              drop;
    logic [WayW-1:0]              way;

    for (genvar w = 0; w < Ways; w++) begin : gen_ways
      assign first[w] = NumberW'(held_tag[w]);
    end

    range_fill #(
      .Ways     (Ways),
      .Partition(Partition),
      .NumberW  (NumberW),
      .PlaceW   (PlaceW),
      .PasidW   (PasidW)
    ) u_range_fill (
      .valid_i       (held_valid | written),
      .candidate_i   (held_range & ~written),
      .pasid_i       (held_pasid),
      .first_i       (first),
      .length_i      (held_length),
      .perm_i        (held_perm),
      .rank_i        (held_rank),
      .ahead_i       (ahead),
      .ahead_write_i (ahead_write_i),
      .ahead_range_i (ahead_range_i),
      .ahead_pasid_i (ahead_pasid_i),
      .ahead_first_i (number(ahead_vpn_i)),
      .ahead_length_i(ahead_length_i),
      .ahead_perm_i  (ahead_perm_i),
      .fill_pasid_i  (fill_i.key.pasid),
      .fill_first_i  (number(fill_i.key.vpn)),
      .fill_length_i (PlaceW'(fill_i.length)),
      .fill_perm_i   (fill_i.perm),
      .contained_o   (contained),
      .drop_o        (drop),
      .way_o         (way)
    );

    assign write_o = !fill_range || !contained;
    assign drop_o  = fill_range ? drop : '0;
    assign way_o   = fill_range ? way : regular_way;
  end else begin : gen_no_ranges
    assign drop_o  = '0;
    assign write_o = 1'b1;
    assign way_o   = regular_way;

    // Regular entries have no length and no range to overlap.
    logic unused;
    assign unused = ^{held_length, held_perm, ahead_length_i, ahead_perm_i};
  end

  logic unused_fill;
  assign unused_fill = ^{fill_i, tag, told_tag};  // what is written is not asked here

endmodule
