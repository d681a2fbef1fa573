// The memory subregion cache (R16.4, R16.9, R16.12): for a frame the seven bits that say which of its
// subregions join.
//
// One access a cycle, a lookup or a fill, of the job under way, and none in the cycle of a sweep: one
// compare and one touch serve both, and one read of the arrays serves all three: they are told the set of
// the next cycle's access or sweep (R16.14). Contract: a fill comes only after its own lookup has missed or
// hit, and overwrites the way that holds its key, so no frame is held twice.
module msc
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
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
  localparam int unsigned TagW    = FrameW - SetBits
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [SetW-1:0]       next_set_i,     // of the next cycle's access or sweep
  input  logic                  look_i,
  input  logic                  fill_i,
  input  logic [PasidW-1:0]     pasid_i,
  input  logic [FrameW-1:0]     frame_i,
  input  logic [6:0]            map_i,
  output logic                  hit_o,
  output logic [6:0]            map_o,
  input  logic                  sweep_valid_i,
  input  logic [SweepW-1:0]     sweep_set_i,    // may lie beyond the last set (R11.4)
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i
);

  // Index = set x MscWays + way.
  logic [MscEntries-1:0] valid_q;
  logic [WayW-1:0]       rank_q  [MscEntries];

  function automatic logic [EntryW-1:0] entry_of(logic [SetW-1:0] set, logic [WayW-1:0] way);
    return EntryW'((32'(set) << WayW) | 32'(way));
  endfunction

  // ---------------------------------------------------------------- arrays (R16.14)

  logic [SetW-1:0]                set;
  logic [MscWays-1:0]             write_lanes;
  logic [MscWays-1:0][PasidW-1:0] pasid;
  logic [MscWays-1:0][TagW-1:0]   tag;
  logic [MscWays-1:0][6:0]        map;

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(PasidW)
  ) u_pasid (
    .clk_i,
    .read_word_i  (next_set_i),
    .read_data_o  (pasid),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (pasid_i)
  );

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(TagW)
  ) u_tag (
    .clk_i,
    .read_word_i  (next_set_i),
    .read_data_o  (tag),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (frame_i[FrameW-1:SetBits])
  );

  sram #(
    .Words(Sets),
    .Lanes(MscWays),
    .Width(7)
  ) u_map (
    .clk_i,
    .read_word_i  (next_set_i),
    .read_data_o  (map),
    .write_lanes_i(write_lanes),
    .write_word_i (set),
    .write_data_i (map_i)
  );

  // ---------------------------------------------------------------- lookup and fill

  logic [MscWays-1:0]           same, taken;
  logic [WayW-1:0]              way;
  logic                         touch;
  logic [MscWays-1:0][WayW-1:0] rank, rank_touched;

  assign set = (SetBits == 0) ? '0 : frame_i[SetW-1:0];

  always_comb begin
    same  = '0;
    taken = '0;
    rank  = '0;
    map_o = '0;
    if (look_i || fill_i) begin
      for (int unsigned w = 0; w < MscWays; w++) begin
        taken[w] = valid_q[entry_of(set, WayW'(w))];
        rank[w]  = rank_q[entry_of(set, WayW'(w))];
        same[w]  = taken[w] && pasid[w] == pasid_i && tag[w] == frame_i[FrameW-1:SetBits];
        if (same[w]) map_o |= map[w];
      end
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

  assign hit_o       = look_i && |same;
  assign touch       = hit_o || fill_i;
  assign write_lanes = fill_i ? MscWays'(1) << way : '0;

  lru_touch #(
    .Ways(MscWays)
  ) u_touch (
    .first_i     (touch),
    .first_way_i (way),
    .second_i    (1'b0),
    .second_way_i('0),
    .rank_i      (rank),
    .rank_o      (rank_touched)
  );

  // ---------------------------------------------------------------- sweep (R16.12)

  logic [SetW-1:0]    sweep_set;
  logic [MscWays-1:0] sweep_match;
  logic [FrameW-1:0]  sweep_frame, first_frame, last_frame;
  logic               sweep_here, nonempty;

  // Offsets within a frame only tell whether a range is empty.
  assign sweep_set   = SetW'(sweep_set_i);
  assign sweep_here  = sweep_valid_i && 32'(sweep_set_i) < Sets;
  assign first_frame = inv_first_i[VpnW-1:9];
  assign last_frame  = (inv_type_i == InvPage) ? first_frame : inv_last_i[VpnW-1:9];
  assign nonempty    = inv_type_i == InvPage || inv_first_i <= inv_last_i;

  always_comb begin
    sweep_match = '0;
    sweep_frame = '0;
    if (sweep_here) begin
      for (int unsigned w = 0; w < MscWays; w++) begin
        sweep_frame = FrameW'(tag[w]) << SetBits;
        if (SetBits != 0) sweep_frame |= FrameW'(sweep_set);
        if (inv_type_i == InvAll) begin
          sweep_match[w] = 1'b1;
        end else if (inv_pasid_i[PasidPortW-1:PasidW] == '0 &&
                     pasid[w] == inv_pasid_i[PasidW-1:0]) begin
          sweep_match[w] = inv_type_i == InvPasid ||
                           (nonempty && sweep_frame >= first_frame && sweep_frame <= last_frame);
        end
      end
    end
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned e = 0; e < MscEntries; e++) begin
        rank_q[e] <= WayW'(e);
      end
    end else begin
      if (sweep_here) begin
        for (int unsigned w = 0; w < MscWays; w++) begin
          if (sweep_match[w]) valid_q[entry_of(sweep_set, WayW'(w))] <= 1'b0;
        end
      end
      if (touch) begin
        for (int unsigned w = 0; w < MscWays; w++) begin
          rank_q[entry_of(set, WayW'(w))] <= rank_touched[w];
        end
      end
      if (fill_i) valid_q[entry_of(set, way)] <= 1'b1;
    end
  end

endmodule
