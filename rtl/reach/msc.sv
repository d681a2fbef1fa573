// The memory subregion cache, MSC (R16.4, R16.9, R16.12): for a frame of 512 pages the seven bits that say
// which of its eight subregions join.
//
// One access a cycle, a lookup or a fill, of the job under way, and none while the MSC is not at rest: one compare
// serves both, and one read of the arrays serves these and the sweep: they are told the set two cycles before its
// access or sweep (R16.14). What an access finds is done a cycle later (R16.19), and so is what a sweep finds (R16.20).
// Contract: `access_i` but for `look` and `fill` stays in the cycle after an access, which is followed by none. A fill
// overwrites the way that holds its key, so no frame is held twice.
`include "lockwalk_tables.svh"
`include "lockwalk_types.svh"

module msc
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned MscEntries = 512,
  parameter int unsigned MscWays    = 8,
  parameter int unsigned SweepW     = 6,
  localparam int unsigned FrameW  = VpnW - 9,
  localparam int unsigned Sets    = MscEntries / MscWays,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW    = $clog2(MscWays),
  localparam int unsigned EntryW  = $clog2(MscEntries),
  localparam int unsigned TagW    = FrameW - SetBits,
  localparam type msc_access_t = `LW_MSC_ACCESS_T(VpnW, PasidW, PfnW),
  localparam type sweep_t      = `LW_SWEEP_T(SweepW, VpnW)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [SetW-1:0] told_set_i,  // of the access or sweep in two cycles
  input  msc_access_t     access_i,
  output logic            hit_o,
  output logic [6:0]      map_o,
  input  sweep_t          sweep_i,     // its set may lie beyond the last one (R11.4)
  output logic            at_rest_o    // R16.20
);

  // Index = set x MscWays + way.
  logic [MscEntries-1:0] valid_q;
  logic [WayW-1:0]       rank_q  [MscEntries];
  logic                  sweep_q;
  logic [SweepW-1:0]     sweep_set_q;
  logic [MscWays-1:0]    swept_q;
  logic [SetW-1:0]       swept_set_q;
  logic                  touch_q, write_q;
  logic [WayW-1:0]       way_q;
  logic [MscWays-1:0][WayW-1:0] found_rank_q;  // of the set in the cycle of the access

  `LW_ENTRY_OF(EntryW, SetW, WayW)

  // ---------------------------------------------------------------- arrays (R16.14)

  logic [SetW-1:0]                set;
  logic [MscWays-1:0]             write_lanes;
  logic [MscWays-1:0][PasidW-1:0] pasid;
  logic [MscWays-1:0][TagW-1:0]   tag;
  logic [MscWays-1:0][PfnW-1:0]   node;
  logic [MscWays-1:0][6:0]        map;

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(PasidW),
    .Ahead(2)
  ) u_pasid (
    .clk_i,
    .read_word_i  (told_set_i),
    .read_data_o  (pasid),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (access_i.pasid)
  );

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(TagW),
    .Ahead(2)
  ) u_tag (
    .clk_i,
    .read_word_i  (told_set_i),
    .read_data_o  (tag),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (access_i.frame[FrameW-1:SetBits])
  );

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(PfnW),
    .Ahead(2)
  ) u_node (
    .clk_i,
    .read_word_i  (told_set_i),
    .read_data_o  (node),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (access_i.node)
  );

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(7),
    .Ahead(2)
  ) u_map (
    .clk_i,
    .read_word_i  (told_set_i),
    .read_data_o  (map),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (access_i.joins)
  );

  // ---------------------------------------------------------------- lookup and fill (R16.4, R16.9)

  logic [MscWays-1:0]           same, hits, taken;
  logic [WayW-1:0]              way;
  logic [MscWays-1:0][WayW-1:0] rank, rank_touched;

  assign set = (SetBits == 0) ? '0 : access_i.frame[SetW-1:0];

  always_comb begin
    same  = '0;
    hits  = '0;
    taken = '0;
    rank  = '0;
    map_o = '0;
    for (int unsigned w = 0; w < MscWays; w++) begin
      taken[w] = valid_q[entry_of(set, WayW'(w))];
      rank[w]  = rank_q[entry_of(set, WayW'(w))];
      same[w]  = taken[w] && pasid[w] == access_i.pasid &&
                 tag[w] == access_i.frame[FrameW-1:SetBits];
      hits[w]  = same[w] && node[w] == access_i.node;
      if (hits[w]) map_o |= map[w];
    end
  end

  fill_way #(
    .Ways(MscWays)
  ) u_way (
    .same_i  (same),
    .valid_i (taken),
    .ahead_i ('0),
    .rank_i  (rank),
    .way_o   (way)
  );

  assign hit_o = access_i.look && |hits;

  // ---------------------------------------------------------------- what it does (R16.19)

  assign write_lanes = (touch_q && write_q) ? MscWays'(1) << way_q : '0;

  lru_touch #(
    .Ways(MscWays)
  ) u_touch (
    .first_i     (touch_q),
    .first_way_i (way_q),
    .second_i    (1'b0),
    .second_way_i('0),
    .rank_i      (found_rank_q),
    .rank_o      (rank_touched)
  );

  // ---------------------------------------------------------------- sweep (R16.12, R16.20)

  logic [SetW-1:0]    sweep_set;
  logic [MscWays-1:0] sweep_match;
  logic [FrameW-1:0]  sweep_frame, first_frame, last_frame;
  logic               sweep_here, nonempty;

  assign at_rest_o   = !sweep_q && swept_q == '0;
  assign sweep_set   = SetW'(sweep_set_q);
  assign sweep_here  = sweep_q && 32'(sweep_set_q) < Sets;
  // Offsets within a frame only tell whether a range is empty.
  assign first_frame = sweep_i.inv.first[VpnW-1:9];
  assign last_frame  = (sweep_i.inv.inv_type == InvPage) ? first_frame : sweep_i.inv.last[VpnW-1:9];
  assign nonempty    = sweep_i.inv.inv_type == InvPage || sweep_i.inv.first <= sweep_i.inv.last;

  always_comb begin
    sweep_match = '0;
    sweep_frame = '0;
    if (sweep_here) begin
      for (int unsigned w = 0; w < MscWays; w++) begin
        sweep_frame = FrameW'(tag[w]) << SetBits;
        if (SetBits != 0) sweep_frame |= FrameW'(sweep_set);
        if (sweep_i.inv.inv_type == InvAll) begin
          sweep_match[w] = valid_q[entry_of(sweep_set, WayW'(w))];
        end else if (sweep_i.inv.pasid[PasidPortW-1:PasidW] == '0 &&
                     pasid[w] == sweep_i.inv.pasid[PasidW-1:0]) begin
          sweep_match[w] = valid_q[entry_of(sweep_set, WayW'(w))] &&
                           (sweep_i.inv.inv_type == InvPasid ||
                            (nonempty && sweep_frame >= first_frame && sweep_frame <= last_frame));
        end
      end
    end
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= '0;
      {sweep_q, sweep_set_q, swept_q, swept_set_q, touch_q, write_q, way_q, found_rank_q} <= '0;
      for (int unsigned e = 0; e < MscEntries; e++) begin
        rank_q[e] <= WayW'(e);
      end
    end else begin
      sweep_q <= sweep_i.valid;  // R16.18
      if (sweep_i.valid) sweep_set_q <= sweep_i.set_index;
      // But for the way that is written now.
      swept_q <= (set == sweep_set) ? sweep_match & ~write_lanes : sweep_match;
      if (sweep_here) swept_set_q <= sweep_set;
      for (int unsigned w = 0; w < MscWays; w++) begin
        if (swept_q[w]) valid_q[entry_of(swept_set_q, WayW'(w))] <= 1'b0;
      end
      touch_q <= hit_o || access_i.fill;
      if (hit_o || access_i.fill) begin
        write_q      <= access_i.fill;
        way_q        <= way;
        found_rank_q <= rank;
      end
      if (touch_q) begin
        for (int unsigned w = 0; w < MscWays; w++) begin
          rank_q[entry_of(set, WayW'(w))] <= rank_touched[w];
        end
      end
      if (touch_q && write_q) valid_q[entry_of(set, way_q)] <= 1'b1;
    end
  end

endmodule
