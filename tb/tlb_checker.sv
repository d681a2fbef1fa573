// Watches the unified TLB: never two hits in a class (R3.6, R3.12), ranks stay a permutation (R3.4),
// and after a fill its set holds what the rules allow: no page twice in a class, subregion entries
// in the partition, within their frame and in its set, runs within their group and nothing beside
// them (R3.14). LINKS are those of the run or subregion entry that is hit, of 4 KiB pages (R3.15).
module tlb_checker #(
  parameter int unsigned PasidW       = 4,
  parameter int unsigned TlbEntries   = 256,
  parameter int unsigned TlbWays      = 16,
  parameter int unsigned TlbPartition = 8,
  parameter bit          Subregions   = 1'b0,
  parameter int unsigned TagW         = 32,
  parameter bit          Runs         = 1'b0,
  parameter bit          Colt         = 1'b0,
  parameter int unsigned PlaceW       = 3,
  localparam int unsigned Sets    = TlbEntries / TlbWays,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(TlbWays),
  localparam int unsigned EntryW  = $clog2(TlbEntries)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  found,
  input logic [PlaceW-1:0]     found_first,
  input logic [PlaceW-1:0]     found_length,
  input logic [1:0]            dec_size_o,
  input logic [2:0]            dec_links_o,
  input logic [TlbWays-1:0]    look_match,
  input logic [TlbWays-1:0]    range_match,
  input logic                  fill_valid_i,
  input logic [TlbWays-1:0]    fill_same,
  input logic                  place_valid_q,
  input logic [SetW-1:0]       place_set_q,
  input logic [TlbWays-1:0][WayW-1:0] place_touched,
  input logic [TlbEntries-1:0] valid_q,
  input logic [TlbEntries-1:0] class_q,
  input logic [PasidW-1:0]     pasid_q  [TlbEntries],
  input logic [TagW-1:0]       tag_q    [TlbEntries],
  input logic [2:0]            length_q [TlbEntries]
);

  logic [TlbWays-1:0] ranks;

  always_comb begin
    ranks = '0;
    for (int unsigned w = 0; w < TlbWays; w++) ranks[place_touched[w]] = 1'b1;
  end

  // The set of the fill of the cycle before, as it stands now.
  logic            filled_q;
  logic [SetW-1:0] set_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filled_q <= 1'b0;
      set_q    <= '0;
    end else begin
      filled_q <= place_valid_q;
      set_q    <= place_set_q;
    end
  end

  logic              twice, misplaced;
  logic [EntryW-1:0] a, b;
  logic [SetW-1:0]   place;  // where a subregion entry belongs; a run's tag leaves its set out
  logic [3:0]        a_last, b_last;

  always_comb begin
    twice     = 1'b0;
    misplaced = 1'b0;
    a         = '0;
    b         = '0;
    place     = '0;
    a_last    = '0;
    b_last    = '0;
    if (filled_q) begin
      for (int unsigned i = 0; i < TlbWays; i++) begin
        a      = EntryW'((32'(set_q) << WayW) | i);
        a_last = 4'(tag_q[a][PlaceW-1:0]) + 4'(length_q[a]);
        place  = (SetBits == 0) ? '0 : (Runs ? set_q : SetW'(tag_q[a] >> 3));
        if (valid_q[a] && class_q[a] &&
            ((!Runs && (!Subregions || i + TlbPartition < TlbWays)) ||
             32'(a_last) >= 2 ** PlaceW || place != set_q)) begin
          misplaced = 1'b1;
        end
        if (valid_q[a] && !class_q[a] && (Runs || length_q[a] != '0)) misplaced = 1'b1;
        for (int unsigned j = i + 1; j < TlbWays; j++) begin
          b      = EntryW'((32'(set_q) << WayW) | j);
          b_last = 4'(tag_q[b][PlaceW-1:0]) + 4'(length_q[b]);
          if (valid_q[a] && valid_q[b] && class_q[a] == class_q[b] &&
              pasid_q[a] == pasid_q[b]) begin
            if (!class_q[a]) twice |= tag_q[a] == tag_q[b];
            else begin
              twice |= tag_q[a] >> PlaceW == tag_q[b] >> PlaceW &&
                       4'(tag_q[a][PlaceW-1:0]) <= b_last && 4'(tag_q[b][PlaceW-1:0]) <= a_last;
            end
          end
        end
      end
    end
  end

  // The LINKS of what is hit: of a run those between its pages, of a subregion entry all.
  logic [2:0] held_links;

  always_comb begin
    for (int unsigned i = 0; i < 3; i++) begin
      held_links[i] = !Runs || (i >= 32'(found_first) && i < 32'(found_first) + 32'(found_length));
    end
  end

  single_hit : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(look_match))
  else $error("R3.6: %0d ways hit at once", $countones(look_match));

  single_range : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(range_match))
  else $error("R3.12: %0d subregion entries or runs found at once", $countones(range_match));

  single_entry : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fill_valid_i || $onehot0(fill_same))
  else $error("R3.6: a VPN is held %0d times", $countones(fill_same));

  links : assert property (@(posedge clk_i) disable iff (!rst_ni)
      dec_links_o == '0 || (Colt && found && dec_size_o == '0 && dec_links_o == held_links))
  else $error("R3.15: LINKS %b of size %0d", dec_links_o, dec_size_o);

  permutation : assert property (@(posedge clk_i) disable iff (!rst_ni) !place_valid_q || &ranks)
  else $error("R3.4: ranks are no permutation");

  no_page_twice : assert property (@(posedge clk_i) disable iff (!rst_ni) !twice)
  else $error("R3.6, R3.12: two entries of set %0d hold a page", set_q);

  in_place : assert property (@(posedge clk_i) disable iff (!rst_ni) !misplaced)
  else $error("chapter 3, unified TLB: an entry of set %0d is where or what it cannot be", set_q);

endmodule

bind unified_tlb tlb_checker #(
  .PasidW      (PasidW),
  .TlbEntries  (TlbEntries),
  .TlbWays     (TlbWays),
  .TlbPartition(TlbPartition),
  .Subregions  (Subregions),
  .TagW        (TagW),
  .Runs        (Runs),
  .Colt        (Colt != 0),
  .PlaceW      (PlaceW)
) u_checker (
  .clk_i,
  .rst_ni,
  .found((decided_o.hit || second_o.hit) && found_class_q),
  .found_first (first_q),
  .found_length(found_length_q),
  .dec_size_o (decided_o.size),
  .dec_links_o(decided_o.links),
  .look_match (u_lookup.page_match),
  .range_match(u_lookup.range_match),
  .fill_valid_i(fill_i.valid),
  .fill_same   (u_fill.same),
  .place_valid_q,
  .place_set_q,
  .place_touched(u_ranks.place_touched),
  .valid_q,
  .class_q,
  .pasid_q,
  .tag_q,
  .length_q
);
