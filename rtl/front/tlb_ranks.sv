// The order in which the ways of each set of the unified TLB were used (R3.4, R3.5, R3.7): a hit touches its way
// in the cycle of its decision, a fill its own where it is written.
//
// Either set is decoded a cycle before, when it is known already, so that no rank waits for a decoder.
module tlb_ranks #(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned Entries    = 256,
  parameter int unsigned Ways       = 16,
  parameter int unsigned TagW       = 32,
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,
  localparam int unsigned Sets    = Entries / Ways,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(Ways)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // A lookup has found an entry; it is decided in the next cycle (R3.16).
  input  logic            found_i,
  input  logic [VpnW-1:0] found_vpn_i,
  // That decision: a hit, on a range or on a regular entry.
  input  logic            hit_i,
  input  logic            hit_range_i,
  input  logic [WayW-1:0] hit_way_i,
  // A fill gets its place; it is written in the next cycle (R3.17).
  input  logic            fill_i,
  input  logic [Sets-1:0] fill_at_i,    // its set, one-hot
  input  logic            place_i,
  input  logic [WayW-1:0] place_way_i,
  output logic [WayW-1:0] rank_o [Entries]  // index = set x Ways + way
);

  // ---------------------------------------------------------------- the sets, a bit each

  // Where the page looked up would lie as a regular entry, and as a range.
  logic [Sets-1:0] page_set, range_set, hit_set, place_set_q;

  if (!Runs) begin : gen_pages
    logic [SetW-1:0] set_index;
    logic [TagW-1:0] tag;
    logic [Sets-1:0] set_q;

    tlb_index #(
      .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
    ) u_index (
      .range_i(1'b0),
      .vpn_i  (found_vpn_i),
      .set_o  (set_index),
      .tag_o  (tag)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) set_q <= '0;
      else if (found_i) set_q <= Sets'(1) << set_index;
    end

    assign page_set = set_q;

    logic unused;
    assign unused = ^tag;
  end else begin : gen_no_pages
    assign page_set = '0;
  end

  if (Subregions || Runs) begin : gen_ranges
    logic [SetW-1:0] set_index;
    logic [TagW-1:0] tag;
    logic [Sets-1:0] set_q;

    tlb_index #(
      .VpnW(VpnW), .SetBits(SetBits), .TagW(TagW), .Subregions(Subregions), .Runs(Runs)
    ) u_index (
      .range_i(1'b1),
      .vpn_i  (found_vpn_i),
      .set_o  (set_index),
      .tag_o  (tag)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) set_q <= '0;
      else if (found_i) set_q <= Sets'(1) << set_index;
    end

    assign range_set = set_q;

    logic unused;
    assign unused = ^tag;
  end else begin : gen_no_ranges
    assign range_set = '0;
  end

  assign hit_set = (Runs || (Subregions && hit_range_i)) ? range_set : page_set;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) place_set_q <= '0;
    else if (fill_i) place_set_q <= fill_at_i;
  end

  // ---------------------------------------------------------------- the ranks

  logic [WayW-1:0]           rank_q [Entries];
  logic [Ways-1:0][WayW-1:0] hit_touched, place_touched;

  lru_sets #(
    .Entries(Entries), .Ways(Ways)
  ) u_sets (
    .rank_i     (rank_q),
    .hit_i,
    .hit_set_i  (hit_set),
    .hit_way_i,
    .fill_i     (place_i),
    .fill_set_i (place_set_q),
    .fill_way_i (place_way_i),
    .hit_rank_o (hit_touched),
    .fill_rank_o(place_touched)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned e = 0; e < Entries; e++) rank_q[e] <= WayW'(e);
    end else begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          if (place_i && place_set_q[s]) rank_q[s*Ways+w] <= place_touched[w];
          else if (hit_i && hit_set[s]) rank_q[s*Ways+w] <= hit_touched[w];
        end
      end
    end
  end

  assign rank_o = rank_q;

endmodule
