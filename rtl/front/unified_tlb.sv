// The unified TLB (chapter 3): a lookup pipeline that never stalls, true LRU (but for bimodal insertion, R3.34), one
// fill and one swept set a cycle. In this folder is all that a request meets before it misses, and what answers leave
// by.
//
// What a lookup finds stands in registers before it is decided (R3.16), so that neither the addition of
// R3.9 nor the touch of a rank waits for a compare. With Subregions the ways of the partition hold
// subregion entries too (R3.9, R3.12); in the serial lookup they are compared one stage before the
// regular ones. With Colt=2 every way holds runs and nothing else (R3.14): what is written for
// subregions of a frame serves pages of a group. Either are *ranges* here, the entries of class 1.
//
// A fill gets its place in its set in one cycle and is written in the next (R3.17); the second sees the
// first go by.
//
// Contract: filling what is already held overwrites or touches its way (R3.6, R3.12), so no lookup
// can ever hit twice in a class. A lookup compared in a cycle sees the entries as they stood at its
// beginning.
`include "lockwalk_tables.svh"
`include "lockwalk_types.svh"

module unified_tlb
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter int unsigned TlbEntries = 256,
  parameter int unsigned TlbWays    = 16,
  parameter int unsigned TlbLatency = 1,
  parameter int unsigned TlbPartition = 8,
  parameter int unsigned TlbBimodal   = 0,
  parameter bit          Subregions   = 1'b0,
  parameter bit          ParLookup    = 1'b0,
  parameter int unsigned Colt         = 0,  // 0..2
  parameter int unsigned WalkerW      = 3,
  parameter bit          SecondLookup = 1'b0,
  localparam bit          Runs     = Colt == 2,
  localparam bit          Serial   = Subregions && !ParLookup,
  localparam int unsigned TlbStages = TlbLatency + 1 + 32'(Serial),
  localparam int unsigned Sets     = TlbEntries / TlbWays,
  localparam int unsigned SetBits  = $clog2(Sets),
  localparam int unsigned SetW     = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW     = $clog2(TlbWays),
  localparam int unsigned EntryW   = $clog2(TlbEntries),
  localparam int unsigned TagW     = (Subregions && SetBits > 6) ? VpnW - 6 : VpnW - SetBits,
  localparam int unsigned Pasids   = 2 ** PasidW,
  localparam type request_t = `LW_REQUEST_T(IdW, SrcW),
  localparam type decided_t = `LW_DECIDED_T(IdW, SrcW, PfnW),
  localparam type told_t    = `LW_TOLD_FILL_T(VpnW),
  localparam type fill_t    = `LW_FILL_T(VpnW, PasidW, PfnW),
  localparam type sweep_t   = `LW_SWEEP_T(SetW, VpnW),
  localparam type mark_t    = `LW_MARK_T(PasidW),
  localparam type second_t  = `LW_SECOND_T(IdW, SrcW, WalkerW),
  localparam type end_t     = `LW_SECOND_END_T(WalkerW)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           req_fire_i,     // a request is transferred
  input  request_t                       req_i,
  input  logic [Pasids-1:0]              root_valid_i,
  input  logic                           colt_enable_i,
  input  second_t                        second_i,       // a second lookup is made (R5.26)
  output decided_t                       decided_o,      // on the request in the last stage (R3.2)
  output end_t                           second_o,       // on the second lookup there (R5.28)
  input  told_t                          told_fill_i,    // of the next cycle
  input  fill_t                          fill_i,
  input  sweep_t                         sweep_i,        // R3.10
  input  mark_t                          mark_i          // R11.2
);

  // Entries, index = set x TlbWays + way.
  logic [TlbEntries-1:0] valid_q, class_q;
  logic [PasidW-1:0]     pasid_q [TlbEntries];
  logic [TagW-1:0]       tag_q   [TlbEntries];
  logic [PfnW-1:0]       pfn_q   [TlbEntries];
  logic [1:0]            perm_q  [TlbEntries];
  logic [1:0]            size_q  [TlbEntries];
  logic [2:0]            length_q [TlbEntries];
  logic [WayW-1:0]       rank    [TlbEntries];

  `LW_ENTRY_OF(EntryW, SetW, WayW)

  // A place of a range is a subregion of 64 pages, or with Colt=2 a page; 2**PlaceW are a frame or group.
  localparam int unsigned PlaceW  = Runs ? 2 : 3;
  localparam int unsigned NumberW = Runs ? VpnW - SetBits : VpnW - 6;

  // The ways that hold ranges, the last ones.
  localparam int unsigned Partition = Runs ? TlbWays : TlbPartition;

  // What the serial lookup of subregions has found for the next stage (R3.9).
  logic              range_found_q;
  logic [WayW-1:0]   range_way_q;
  logic [PlaceW-1:0] range_first_q;
  logic [PfnW-1:0]   range_pfn_q;
  logic [1:0]        range_perm_q;
  logic [1:0]        range_size_q;

  // What the lookup has found for the decision in the next cycle (R3.16).
  logic              found_q;
  logic              found_class_q;
  logic [WayW-1:0]   way_q;
  logic [PlaceW-1:0] first_q;
  logic [PlaceW-1:0] found_length_q;  // of a run
  logic [PfnW-1:0]   found_pfn_q;
  logic [1:0]        found_perm_q;
  logic [1:0]        found_size_q;

  // ---------------------------------------------------------------- the pipeline (R3.1)

  // The stages in which ranges and regular entries are compared, and the last one.
  localparam int unsigned RangeStage = TlbLatency - 1;
  localparam int unsigned Last       = TlbStages - 1;
  localparam int unsigned PageStage  = Last - 1;

  logic [TlbStages-1:0] stage_valid;
  request_t             stage [TlbStages];  // place 0 is stage 1
  logic [Sets-1:0]      range_at, page_at, page_range_at;  // one-hot
  logic                 bad_page, bad_pasid, second;
  logic [WalkerW-1:0]   walker;  // of a second lookup in the last stage

  tlb_pipe #(
    .VpnW(VpnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .Stages(TlbStages),
    .RangeStage(RangeStage), .PageStage(PageStage), .SetBits(SetBits), .RangeShift(Runs ? 2 : 9),
    .WalkerW(WalkerW), .SecondLookup(SecondLookup)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .req_fire_i,
    .req_i,
    .second_i,
    .root_valid_i,
    .valid_o        (stage_valid),
    .request_o      (stage),
    .range_at_o     (range_at),
    .page_at_o      (page_at),
    .page_range_at_o(page_range_at),
    .bad_page_o     (bad_page),
    .bad_pasid_o    (bad_pasid),
    .second_o       (second),
    .walker_o       (walker)
  );

  // ---------------------------------------------------------------- lookup (R3.9, R3.14, R3.16)

  localparam type key_t   = `LW_KEY_T(VpnW, PasidW);
  localparam type found_t = `LW_TLB_FOUND_T(WayW, PlaceW, PfnW);

  key_t   range_key, page_key;
  found_t range_d, earlier, found_d, found;
  logic   load_range, found_range;

  assign range_key = '{pasid: stage[RangeStage].pasid[PasidW-1:0],
                       vpn: stage[RangeStage].page[VpnW-1:0]};
  assign page_key  = '{pasid: stage[PageStage].pasid[PasidW-1:0],
                       vpn: stage[PageStage].page[VpnW-1:0]};

  tlb_lookup #(
    .Entries(TlbEntries), .Ways(TlbWays), .Partition(Partition), .VpnW(VpnW), .PasidW(PasidW),
    .PfnW(PfnW), .TagW(TagW), .NumberW(NumberW), .PlaceW(PlaceW), .Subregions(Subregions),
    .Runs(Runs), .Serial(Serial)
  ) u_lookup (
    .valid_i       (valid_q),
    .class_i       (class_q),
    .pasid_i       (pasid_q),
    .tag_i         (tag_q),
    .pfn_i         (pfn_q),
    .perm_i        (perm_q),
    .size_i        (size_q),
    .length_i      (length_q),
    .range_valid_i (stage_valid[RangeStage]),
    .range_key_i   (range_key),
    .range_at_i    (range_at),
    .range_access_i(stage[RangeStage].access),
    .range_o       (range_d),
    .earlier_i     (earlier),
    .page_valid_i  (stage_valid[PageStage]),
    .page_key_i    (page_key),
    .page_at_i     (page_at),
    .page_access_i (stage[PageStage].access),
    .found_o       (found_d),
    .found_range_o (found_range)
  );

  // In the serial lookup a range waits for the regular entries.
  assign load_range = Serial && range_d.valid;
  assign earlier    = '{valid: range_found_q, way: range_way_q, first: range_first_q, length: '0,
                        pfn: range_pfn_q, perm: range_perm_q, size: range_size_q};
  assign found      = '{valid: found_q, way: way_q, first: first_q, length: found_length_q,
                        pfn: found_pfn_q, perm: found_perm_q, size: found_size_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {range_found_q, range_way_q, range_first_q, range_pfn_q, range_perm_q, range_size_q} <= '0;
    end else begin
      range_found_q <= load_range;
      if (load_range) begin
        {range_way_q, range_first_q} <= {range_d.way, range_d.first};
        {range_pfn_q, range_perm_q, range_size_q} <= {range_d.pfn, range_d.perm, range_d.size};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {found_q, found_class_q, way_q, first_q, found_length_q, found_pfn_q, found_perm_q,
       found_size_q} <= '0;
    end else begin
      found_q <= found_d.valid;
      if (found_d.valid) begin
        {found_class_q, way_q} <= {found_range, found_d.way};
        {first_q, found_length_q} <= {found_d.first, found_d.length};
        {found_pfn_q, found_perm_q, found_size_q} <= {found_d.pfn, found_d.perm, found_d.size};
      end
    end
  end

  // ---------------------------------------------------------------- the decision (R3.2)

  tlb_decide #(
    .PfnW(PfnW), .IdW(IdW), .SrcW(SrcW), .WayW(WayW), .PlaceW(PlaceW),
    .Subregions(Subregions), .Colt(Colt), .WalkerW(WalkerW)
  ) u_decide (
    .colt_enable_i,
    .valid_i    (stage_valid[Last]),
    .second_i   (second),
    .walker_i   (walker),
    .request_i  (stage[Last]),
    .bad_page_i (bad_page),
    .bad_pasid_i(bad_pasid),
    .found_i    (found),
    .range_i    (found_class_q),
    .decided_o,
    .second_o
  );

  // ---------------------------------------------------------------- the place of a fill (R3.6, R3.12)

  // The place register (R3.17).
  logic               place_valid_q, place_write_q, place_class_q;
  logic [PasidW-1:0]  place_pasid_q;
  logic [VpnW-1:0]    place_vpn_q;
  logic [2:0]         place_length_q;
  logic [PfnW-1:0]    place_pfn_q;
  logic [1:0]         place_perm_q, place_size_q;
  logic [WayW-1:0]    place_way_q;
  logic [TlbWays-1:0] place_drop_q;
  logic [SetW-1:0]    place_set_q;  // that of PLACE_VPN, known as the place is

  logic               fill_write, fill_met;
  logic [SetW-1:0]    fill_set;
  logic [Sets-1:0]    fill_at;  // one-hot
  logic [TlbWays-1:0] fill_drop;
  logic [WayW-1:0]    fill_way;
  logic               place_range;
  logic [TagW-1:0]    place_tag;

  assign fill_met    = `LW_MEETS(mark_i, fill_i.key.pasid);
  assign place_range = Runs || (Subregions && place_class_q);

  tlb_fill #(
    .Entries(TlbEntries), .Ways(TlbWays), .Partition(Partition), .VpnW(VpnW), .PasidW(PasidW),
    .PfnW(PfnW), .TagW(TagW), .NumberW(NumberW), .PlaceW(PlaceW), .Subregions(Subregions),
    .Runs(Runs)
  ) u_fill (
    .clk_i,
    .rst_ni,
    .valid_i       (valid_q),
    .class_i       (class_q),
    .pasid_i       (pasid_q),
    .tag_i         (tag_q),
    .length_i      (length_q),
    .perm_i        (perm_q),
    .rank_i        (rank),
    .ahead_valid_i (place_valid_q),
    .ahead_set_i   (place_set_q),
    .ahead_way_i   (place_way_q),
    .ahead_drop_i  (place_drop_q),
    .ahead_write_i (place_write_q),
    .ahead_range_i (place_range),
    .ahead_pasid_i (place_pasid_q),
    .ahead_vpn_i   (place_vpn_q),
    .ahead_length_i(PlaceW'(place_length_q)),
    .ahead_perm_i  (place_perm_q),
    .ahead_tag_o   (place_tag),
    .told_fill_i,
    .fill_i,
    .set_o         (fill_set),
    .at_o          (fill_at),
    .write_o       (fill_write),
    .drop_o        (fill_drop),
    .way_o         (fill_way)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {place_valid_q, place_write_q, place_class_q, place_pasid_q, place_vpn_q, place_length_q,
       place_pfn_q, place_perm_q, place_size_q, place_way_q, place_drop_q, place_set_q} <= '0;
    end else begin
      place_valid_q <= fill_i.valid && !fill_met;
      if (fill_i.valid) begin
        place_write_q  <= fill_write;
        {place_class_q, place_pasid_q, place_vpn_q} <= {fill_i.span, fill_i.key};
        {place_length_q, place_pfn_q} <= {fill_i.length, fill_i.pfn};
        {place_perm_q, place_size_q}  <= {fill_i.perm, fill_i.size};
        place_way_q    <= fill_way;
        place_drop_q   <= fill_drop;
        place_set_q    <= fill_set;
      end
    end
  end

  logic unused;
  assign unused = ^range_d.length;  // a serial lookup finds subregions: LINKS ask for no length

  // ---------------------------------------------------------------- LRU (R3.4, R3.5, R3.7, R3.34)

  tlb_ranks #(
    .Entries(TlbEntries), .Ways(TlbWays), .Bimodal(TlbBimodal)
  ) u_ranks (
    .clk_i,
    .rst_ni,
    .found_i    (found_d.valid),
    .found_at_i (found_range ? page_range_at : page_at),
    .hit_i      (decided_o.hit || second_o.hit),
    .hit_way_i  (way_q),
    .fill_i     (fill_i.valid),
    .fill_at_i  (fill_at),
    .place_i    (place_valid_q),
    .place_write_i(place_write_q),
    .place_way_i(place_way_q),
    .rank_o     (rank)
  );

  // ---------------------------------------------------------------- sweep (R3.10, R3.11, R3.33)

  logic [TlbWays-1:0] sweep_match, written, swept_q;
  logic [SetW-1:0]    swept_set_q;

  assign written = (place_valid_q && place_write_q && place_set_q == sweep_i.set_index) ?
                   TlbWays'(1) << place_way_q : '0;

  tlb_sweep #(
    .VpnW(VpnW), .PasidW(PasidW), .Entries(TlbEntries), .Ways(TlbWays), .TagW(TagW),
    .Subregions(Subregions), .Runs(Runs)
  ) u_sweep (
    .clk_i,
    .rst_ni,
    .mark_i  (mark_i.valid),
    .sweep_i,
    .valid_i (valid_q),
    .class_i (class_q),
    .pasid_i (pasid_q),
    .tag_i   (tag_q),
    .length_i(length_q),
    .size_i  (size_q),
    .match_o (sweep_match)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {swept_q, swept_set_q} <= '0;
    end else begin
      swept_q <= sweep_match & ~written;
      if (sweep_i.valid) swept_set_q <= sweep_i.set_index;
    end
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        if (swept_q[w]) valid_q[entry_of(swept_set_q, WayW'(w))] <= 1'b0;
      end
      if (place_valid_q) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (place_drop_q[w]) valid_q[entry_of(place_set_q, WayW'(w))] <= 1'b0;
        end
        if (place_write_q) valid_q[entry_of(place_set_q, place_way_q)] <= 1'b1;
      end
    end
  end

  // What VALID=0 makes meaningless has no reset (R0.2).
  always_ff @(posedge clk_i) begin
    if (place_valid_q && place_write_q) begin
      pasid_q[entry_of(place_set_q, place_way_q)]  <= place_pasid_q;
      tag_q[entry_of(place_set_q, place_way_q)]    <= place_tag;
      pfn_q[entry_of(place_set_q, place_way_q)]    <= place_pfn_q;
      perm_q[entry_of(place_set_q, place_way_q)]   <= place_perm_q;
      size_q[entry_of(place_set_q, place_way_q)]   <= place_size_q;
      class_q[entry_of(place_set_q, place_way_q)]  <= place_range;
      length_q[entry_of(place_set_q, place_way_q)] <= place_range ? place_length_q : '0;
    end
  end

endmodule
