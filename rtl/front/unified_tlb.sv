// The unified TLB (section 3): a lookup pipeline that never stalls, true LRU, one fill and one swept
// set a cycle.
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
  parameter bit          Subregions   = 1'b0,
  parameter bit          ParLookup    = 1'b0,
  parameter int unsigned Colt         = 0,  // 0..2
  localparam bit          Runs     = Colt == 2,
  localparam bit          Ranges   = Subregions || Runs,
  localparam bit          Serial   = Subregions && !ParLookup,
  localparam int unsigned TlbStages = TlbLatency + 1 + 32'(Serial),
  localparam int unsigned Sets     = TlbEntries / TlbWays,
  localparam int unsigned SetBits  = $clog2(Sets),
  localparam int unsigned SetW     = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW     = $clog2(TlbWays),
  localparam int unsigned EntryW   = $clog2(TlbEntries),
  localparam int unsigned VsnW     = VpnW - 6,
  localparam int unsigned TagW     = (Subregions && SetBits > 6) ? VsnW : VpnW - SetBits,
  localparam int unsigned Pasids   = 2 ** PasidW,
  localparam type request_t = `LW_REQUEST_T(IdW, SrcW),
  localparam type decided_t = `LW_DECIDED_T(IdW, SrcW, PfnW),
  localparam type fill_t    = `LW_FILL_T(VpnW, PasidW, PfnW),
  localparam type sweep_t   = `LW_SWEEP_T(SetW, VpnW),
  localparam type mark_t    = `LW_MARK_T(PasidW)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           req_fire_i,     // a request is transferred
  input  request_t                       req_i,
  input  logic [Pasids-1:0]              root_valid_i,
  input  logic                           colt_enable_i,
  output decided_t                       decided_o,      // on the request in the last stage (R3.2)
  output logic [$clog2(TlbStages+1)-1:0] lookups_o,      // in the pipeline
  input  fill_t                          fill_i,
  input  sweep_t                         sweep_i,        // R3.10
  input  mark_t                          mark_i          // R11.2
);

  // Pipeline (R3.1); place 0 is stage 1.
  logic [TlbStages-1:0]  pipe_valid_q;
  logic [IdW-1:0]        pipe_id_q     [TlbStages];
  logic [SrcW-1:0]       pipe_src_q    [TlbStages];
  logic [PasidPortW-1:0] pipe_pasid_q  [TlbStages];
  logic [PageW-1:0]      pipe_page_q   [TlbStages];
  logic [1:0]            pipe_access_q [TlbStages];

  // Entries, index = set x TlbWays + way.
  logic [TlbEntries-1:0] valid_q;
  logic [TlbEntries-1:0] class_q;
  logic [PasidW-1:0]     pasid_q [TlbEntries];
  logic [TagW-1:0]       tag_q   [TlbEntries];
  logic [PfnW-1:0]       pfn_q   [TlbEntries];
  logic [1:0]            perm_q  [TlbEntries];
  logic [1:0]            size_q  [TlbEntries];
  logic [2:0]            length_q [TlbEntries];
  logic [WayW-1:0]       rank_q  [TlbEntries];

  function automatic logic [EntryW-1:0] entry_of(logic [SetW-1:0] set, logic [WayW-1:0] way);
    return EntryW'((32'(set) << WayW) | 32'(way));
  endfunction

  // A place of a range is a subregion of 64 pages, or with Colt=2 a page; 2**PlaceW are a frame or group.
  localparam int unsigned PageBits = Runs ? 0 : 6;
  localparam int unsigned PlaceW   = Runs ? 2 : 3;
  localparam int unsigned NumberW  = Runs ? VpnW - SetBits : VsnW;

  // The ways that hold ranges.
  localparam int unsigned Partition = Runs ? TlbWays : TlbPartition;
  localparam logic [TlbWays-1:0] Open =
      Ranges ? TlbWays'({TlbWays{1'b1}} << (TlbWays - Partition)) : '0;

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

  // The set of a range, by its frame or group.
  function automatic logic [SetW-1:0] range_set(logic [VpnW-1:0] vpn);
    return (SetBits == 0) ? '0 : SetW'(vpn >> (PageBits + PlaceW));
  endfunction

  // What the tag of a range that begins with this page says: a VSN, or a page without its set.
  function automatic logic [NumberW-1:0] number_of(logic [VpnW-1:0] vpn);
    return Runs ? NumberW'({vpn[VpnW-1:2+SetBits], vpn[1:0]}) : NumberW'(vpn >> 6);
  endfunction

  // ---------------------------------------------------------------- lookup of ranges (R3.9, R3.14)

  logic [TlbWays-1:0] range_match;
  logic               match_found;
  logic [WayW-1:0]    match_way;
  logic [PlaceW-1:0]  match_first, match_length;
  logic [PfnW-1:0]    match_pfn;
  logic [1:0]         match_perm, match_size;

  if (Ranges) begin : gen_range_lookup
    localparam int unsigned Stage = TlbLatency - 1;

    logic [VpnW-1:0]                 vpn;
    logic [SetW-1:0]                 match_set;
    logic [TlbWays-1:0]              candidate;
    logic [TlbWays-1:0][PasidW-1:0]  pasid;
    logic [TlbWays-1:0][NumberW-1:0] first;
    logic [TlbWays-1:0][PlaceW-1:0]  length;
    logic [TlbWays-1:0][1:0]         perm;

    assign vpn       = pipe_page_q[Stage][VpnW-1:0];
    assign match_set = range_set(vpn);

    always_comb begin
      candidate = '0;
      pasid     = '0;
      first     = '0;
      length    = '0;
      perm      = '0;
      if (pipe_valid_q[Stage]) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (Open[w]) begin
            candidate[w] = valid_q[entry_of(match_set, WayW'(w))] &&
                           (Runs || class_q[entry_of(match_set, WayW'(w))]);
            pasid[w]     = pasid_q[entry_of(match_set, WayW'(w))];
            first[w]     = NumberW'(tag_q[entry_of(match_set, WayW'(w))]);
            length[w]    = PlaceW'(length_q[entry_of(match_set, WayW'(w))]);
            perm[w]      = perm_q[entry_of(match_set, WayW'(w))];
          end
        end
      end
    end

    range_lookup #(
      .Ways   (TlbWays),
      .NumberW(NumberW),
      .PlaceW (PlaceW),
      .PasidW (PasidW)
    ) u_match (
      .candidate_i  (candidate),
      .pasid_i      (pasid),
      .first_i      (first),
      .length_i     (length),
      .perm_i       (perm),
      .look_valid_i (pipe_valid_q[Stage]),
      .look_pasid_i (pipe_pasid_q[Stage][PasidW-1:0]),
      .look_number_i(number_of(vpn)),
      .look_access_i(pipe_access_q[Stage]),
      .match_o      (range_match)
    );

    // At most one way matches (R3.12), so the data is an AND-OR without priority.
    always_comb begin
      match_way    = '0;
      match_first  = '0;
      match_length = '0;
      match_pfn    = '0;
      match_perm   = '0;
      match_size   = '0;
      for (int unsigned w = 0; w < TlbWays; w++) begin
        if (range_match[w]) begin
          match_way   |= WayW'(w);
          match_first |= first[w][PlaceW-1:0];
          if (Runs) match_length |= length[w];
          match_pfn   |= pfn_q[entry_of(match_set, WayW'(w))];
          match_perm  |= perm[w];
          match_size  |= size_q[entry_of(match_set, WayW'(w))];
        end
      end
    end
  end else begin : gen_no_range_lookup
    assign range_match  = '0;
    assign match_way    = '0;
    assign match_first  = '0;
    assign match_length = '0;
    assign match_pfn    = '0;
    assign match_perm   = '0;
    assign match_size   = '0;
  end

  logic load_range, range_found;

  assign match_found = |range_match;

  assign load_range  = Serial && match_found;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      range_found_q <= 1'b0;
      range_way_q   <= '0;
      range_first_q <= '0;
      range_pfn_q   <= '0;
      range_perm_q  <= '0;
      range_size_q  <= '0;
    end else begin
      range_found_q <= load_range;
      if (load_range) begin
        range_way_q   <= match_way;
        range_first_q <= match_first;
        range_pfn_q   <= match_pfn;
        range_perm_q  <= match_perm;
        range_size_q  <= match_size;
      end
    end
  end

  assign range_found = Serial ? range_found_q : match_found;

  // ---------------------------------------------------------------- lookup of regular entries (R3.16)

  localparam int unsigned Last = TlbStages - 1;

  logic [VpnW-1:0]    look_vpn;
  logic [PasidW-1:0]  look_pasid;
  logic [SetW-1:0]    look_set;
  logic [TlbWays-1:0] look_match;
  logic [WayW-1:0]    look_way;
  logic [PfnW-1:0]    look_pfn;
  logic [1:0]         look_size, look_perm;
  logic               look_found;

  assign look_vpn   = pipe_page_q[Last-1][VpnW-1:0];
  assign look_pasid = pipe_pasid_q[Last-1][PasidW-1:0];
  assign look_set   = (SetBits == 0) ? '0 : look_vpn[SetW-1:0];

  // At most one way matches (R3.6), so the data is an AND-OR without priority.
  always_comb begin
    look_match = '0;
    look_way   = '0;
    look_pfn   = '0;
    look_size  = '0;
    look_perm  = '0;
    if (!Runs && pipe_valid_q[Last-1]) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        look_match[w] = valid_q[entry_of(look_set, WayW'(w))] &&
                        !class_q[entry_of(look_set, WayW'(w))] &&
                        pasid_q[entry_of(look_set, WayW'(w))] == look_pasid &&
                        tag_q[entry_of(look_set, WayW'(w))] == TagW'(look_vpn[VpnW-1:SetBits]) &&
                        grants(perm_q[entry_of(look_set, WayW'(w))], pipe_access_q[Last-1]);
        if (look_match[w]) begin
          look_way  |= WayW'(w);
          look_pfn  |= pfn_q[entry_of(look_set, WayW'(w))];
          look_size |= size_q[entry_of(look_set, WayW'(w))];
          look_perm |= perm_q[entry_of(look_set, WayW'(w))];
        end
      end
    end
  end

  assign look_found = range_found || |look_match;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      found_q        <= 1'b0;
      found_class_q  <= 1'b0;
      way_q          <= '0;
      first_q        <= '0;
      found_length_q <= '0;
      found_pfn_q    <= '0;
      found_perm_q   <= '0;
      found_size_q   <= '0;
    end else begin
      found_q <= look_found;
      if (look_found) begin
        found_class_q  <= range_found;
        way_q          <= !range_found ? look_way : (Serial ? range_way_q : match_way);
        first_q        <= !range_found ? '0 : (Serial ? range_first_q : match_first);
        found_length_q <= (Runs && range_found) ? match_length : '0;
        found_pfn_q    <= !range_found ? look_pfn : (Serial ? range_pfn_q : match_pfn);
        found_perm_q   <= !range_found ? look_perm : (Serial ? range_perm_q : match_perm);
        found_size_q   <= !range_found ? look_size : (Serial ? range_size_q : match_size);
      end
    end
  end

  // ---------------------------------------------------------------- the decision (R3.2)

  logic [VpnW-1:0]   dec_vpn;
  logic [PasidW-1:0] dec_pasid;
  logic              canonical, known, decidable;  // no fault comes before the entries
  logic [SetW-1:0]   hit_set;
  logic              found;                        // a range
  logic [PfnW-1:0]   dec_pfn;
  logic [2:0]        links;
  logic              hit;

  assign dec_vpn   = pipe_page_q[Last][VpnW-1:0];
  assign dec_pasid = pipe_pasid_q[Last][PasidW-1:0];
  assign canonical = (&pipe_page_q[Last][PageW-1:VpnW-1]) || !(|pipe_page_q[Last][PageW-1:VpnW-1]);
  assign known     = pipe_pasid_q[Last][PasidPortW-1:PasidW] == '0 && root_valid_i[dec_pasid];
  assign decidable = pipe_valid_q[Last] && canonical && known;
  assign hit       = decidable && found_q;
  assign found     = hit && found_class_q;
  assign hit_set   = found_class_q ? range_set(dec_vpn) : ((SetBits == 0) ? '0 : dec_vpn[SetW-1:0]);

  if (Ranges) begin : gen_found_data
    localparam logic [PfnW-1:0] PageMask = PfnW'((1 << PageBits) - 1);

    logic [PlaceW-1:0] distance;
    logic [PfnW-1:0]   offset;

    assign distance  = dec_vpn[PageBits+:PlaceW] - first_q;
    assign offset    = (PfnW'(distance) << PageBits) | (PfnW'(dec_vpn) & PageMask);
    assign dec_pfn   = found_pfn_q + (found_class_q ? offset : '0);
  end else begin : gen_no_found_data
    logic unused;
    assign unused    = ^first_q;
    assign dec_pfn   = found_pfn_q;
  end

  // R3.15: a subregion goes on throughout its groups; a run says how far. No regular entry does.
  logic linked;

  assign linked = Colt != 0 && found && colt_enable_i && found_size_q == 2'd0;

  if (Runs) begin : gen_run_links
    logic [1:0] last;

    assign last = first_q + found_length_q;
    for (genvar i = 0; i < 3; i++) begin : gen_link
      assign links[i] = linked && first_q <= 2'(i) && 2'(i) < last;
    end
  end else begin : gen_subregion_links
    assign links = {3{linked}};

    logic unused;
    assign unused = ^{found_length_q, match_length};
  end

  // Of a fault all that a hit says is zero (R3.3).
  assign decided_o = '{
    valid:     pipe_valid_q[Last],
    hit:       hit,
    miss:      decidable && !found_q,
    subregion: Subregions && found,
    kind:      !canonical ? KindNonCanonical : (!known ? KindUnknownPasid : KindOk),
    request: '{
      id:     pipe_id_q[Last],
      src:    pipe_src_q[Last],
      pasid:  pipe_pasid_q[Last],
      page:   pipe_page_q[Last],
      access: pipe_access_q[Last]
    },
    pfn:   hit ? dec_pfn : '0,
    size:  hit ? found_size_q : '0,
    perm:  hit ? found_perm_q : '0,
    links: links
  };

  assign lookups_o = $bits(lookups_o)'($countones(pipe_valid_q));

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

  function automatic logic is_range(logic of_class);
    return Runs || (Subregions && of_class);
  endfunction

  function automatic logic [SetW-1:0] set_of(logic range, logic [VpnW-1:0] vpn);
    return range ? range_set(vpn) : ((SetBits == 0) ? '0 : vpn[SetW-1:0]);
  endfunction

  function automatic logic [TagW-1:0] tag_of(logic range, logic [VpnW-1:0] vpn);
    return range ? TagW'(number_of(vpn)) : TagW'(vpn[VpnW-1:SetBits]);
  endfunction

  logic               fill_range, fill_write, fill_met;
  logic [SetW-1:0]    fill_set;
  logic [TagW-1:0]    fill_tag;
  logic [TlbWays-1:0] fill_drop;
  logic [WayW-1:0]    fill_way;
  logic               place_range;
  logic [SetW-1:0]    place_set;
  logic [TagW-1:0]    place_tag;

  assign fill_range  = fill_i.valid && is_range(fill_i.span);
  assign fill_set    = set_of(fill_range, fill_i.key.vpn);
  assign fill_tag    = tag_of(fill_range, fill_i.key.vpn);
  assign fill_met    = mark_i.valid &&
                       (mark_i.all || (mark_i.one && fill_i.key.pasid == mark_i.pasid));
  assign place_range = is_range(place_class_q);
  assign place_set   = set_of(place_range, place_vpn_q);
  assign place_tag   = tag_of(place_range, place_vpn_q);

  // The set, by way, and the fill that is written into it now.
  logic [TlbWays-1:0]             ahead, held_valid, held_range;
  logic [TlbWays-1:0][PasidW-1:0] held_pasid;
  logic [TlbWays-1:0][TagW-1:0]   held_tag;
  logic [TlbWays-1:0][PlaceW-1:0] held_length;
  logic [TlbWays-1:0][1:0]        held_perm;
  logic [TlbWays-1:0][WayW-1:0]   held_rank;
  logic                           same_set;

  assign same_set = place_valid_q && place_set == fill_set;
  assign ahead    = same_set ? TlbWays'(1) << place_way_q : '0;

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) begin
      held_valid[w]  = valid_q[entry_of(fill_set, WayW'(w))] && !(same_set && place_drop_q[w]);
      held_range[w]  = held_valid[w] && (Runs || class_q[entry_of(fill_set, WayW'(w))]);
      held_pasid[w]  = pasid_q[entry_of(fill_set, WayW'(w))];
      held_tag[w]    = tag_q[entry_of(fill_set, WayW'(w))];
      held_length[w] = PlaceW'(length_q[entry_of(fill_set, WayW'(w))]);
      held_perm[w]   = perm_q[entry_of(fill_set, WayW'(w))];
      held_rank[w]   = rank_q[entry_of(fill_set, WayW'(w))];
    end
  end

  tlb_fill #(
    .Ways     (TlbWays),
    .Partition(Partition),
    .PasidW   (PasidW),
    .TagW     (TagW),
    .NumberW  (NumberW),
    .PlaceW   (PlaceW),
    .Regular  (!Runs),
    .Ranges   (Ranges)
  ) u_fill (
    .valid_i      (held_valid),
    .range_i      (held_range),
    .pasid_i      (held_pasid),
    .tag_i        (held_tag),
    .length_i     (held_length),
    .perm_i       (held_perm),
    .rank_i       (held_rank),
    .ahead_i       (ahead),
    .ahead_write_i (place_write_q),
    .ahead_range_i (place_range),
    .ahead_pasid_i (place_pasid_q),
    .ahead_tag_i   (place_tag),
    .ahead_length_i(PlaceW'(place_length_q)),
    .ahead_perm_i  (place_perm_q),
    .fill_valid_i (fill_i.valid),
    .fill_range_i (fill_range),
    .fill_pasid_i (fill_i.key.pasid),
    .fill_tag_i   (fill_tag),
    .fill_length_i(PlaceW'(fill_i.length)),
    .fill_perm_i  (fill_i.perm),
    .write_o      (fill_write),
    .drop_o       (fill_drop),
    .way_o        (fill_way)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_valid_q  <= 1'b0;
      place_write_q  <= 1'b0;
      place_class_q  <= 1'b0;
      place_pasid_q  <= '0;
      place_vpn_q    <= '0;
      place_length_q <= '0;
      place_pfn_q    <= '0;
      place_perm_q   <= '0;
      place_size_q   <= '0;
      place_way_q    <= '0;
      place_drop_q   <= '0;
    end else begin
      place_valid_q <= fill_i.valid && !fill_met;
      if (fill_i.valid) begin
        place_write_q  <= fill_write;
        place_class_q  <= fill_i.span;
        place_pasid_q  <= fill_i.key.pasid;
        place_vpn_q    <= fill_i.key.vpn;
        place_length_q <= fill_i.length;
        place_pfn_q    <= fill_i.pfn;
        place_perm_q   <= fill_i.perm;
        place_size_q   <= fill_i.size;
        place_way_q    <= fill_way;
        place_drop_q   <= fill_drop;
      end
    end
  end

  // ---------------------------------------------------------------- LRU (R3.4, R3.5, R3.7)

  logic [TlbWays-1:0][WayW-1:0] hit_rank, hit_touched, place_rank, place_touched;
  logic                         touch_same;  // hit and fill touch one set

  assign touch_same = place_valid_q && hit && hit_set == place_set;

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) begin
      hit_rank[w]   = rank_q[entry_of(hit_set, WayW'(w))];
      place_rank[w] = rank_q[entry_of(place_set, WayW'(w))];
    end
  end

  lru_touch #(
    .Ways(TlbWays)
  ) u_hit_touch (
    .first_i     (hit),
    .first_way_i (way_q),
    .second_i    (1'b0),
    .second_way_i(place_way_q),
    .rank_i      (hit_rank),
    .rank_o      (hit_touched)
  );

  lru_touch #(
    .Ways(TlbWays)
  ) u_place_touch (
    .first_i     (touch_same),
    .first_way_i (way_q),
    .second_i    (place_valid_q),
    .second_way_i(place_way_q),
    .rank_i      (place_rank),
    .rank_o      (place_touched)
  );

  // ---------------------------------------------------------------- sweep (R3.10, R3.11)

  logic [TlbWays-1:0]             sweep_class, sweep_match;
  logic [TlbWays-1:0][PasidW-1:0] sweep_pasid;
  logic [TlbWays-1:0][TagW-1:0]   sweep_tag;
  logic [TlbWays-1:0][2:0]        sweep_length;
  logic [TlbWays-1:0][1:0]        sweep_size;

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) begin
      sweep_class[w]  = class_q[entry_of(sweep_i.set_index, WayW'(w))];
      sweep_pasid[w]  = pasid_q[entry_of(sweep_i.set_index, WayW'(w))];
      sweep_tag[w]    = tag_q[entry_of(sweep_i.set_index, WayW'(w))];
      sweep_length[w] = length_q[entry_of(sweep_i.set_index, WayW'(w))];
      sweep_size[w]   = size_q[entry_of(sweep_i.set_index, WayW'(w))];
    end
  end

  tlb_sweep #(
    .VpnW      (VpnW),
    .PasidW    (PasidW),
    .Ways      (TlbWays),
    .SetBits   (SetBits),
    .TagW      (TagW),
    .Subregions(Subregions),
    .Runs      (Runs)
  ) u_sweep (
    .sweep_i,
    .class_i (sweep_class),
    .pasid_i (sweep_pasid),
    .tag_i   (sweep_tag),
    .length_i(sweep_length),
    .size_i  (sweep_size),
    .match_o (sweep_match)
  );

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pipe_valid_q <= '0;
      for (int unsigned s = 0; s < TlbStages; s++) begin
        pipe_id_q[s]     <= '0;
        pipe_src_q[s]    <= '0;
        pipe_pasid_q[s]  <= '0;
        pipe_page_q[s]   <= '0;
        pipe_access_q[s] <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < TlbStages; s++) begin
        pipe_valid_q[s] <= (s == 0) ? req_fire_i : pipe_valid_q[(s == 0) ? 0 : s-1];
        if ((s == 0) ? req_fire_i : pipe_valid_q[(s == 0) ? 0 : s-1]) begin
          pipe_id_q[s]     <= (s == 0) ? req_i.id : pipe_id_q[(s == 0) ? 0 : s-1];
          pipe_src_q[s]    <= (s == 0) ? req_i.src : pipe_src_q[(s == 0) ? 0 : s-1];
          pipe_pasid_q[s]  <= (s == 0) ? req_i.pasid : pipe_pasid_q[(s == 0) ? 0 : s-1];
          pipe_page_q[s]   <= (s == 0) ? req_i.page : pipe_page_q[(s == 0) ? 0 : s-1];
          pipe_access_q[s] <= (s == 0) ? req_i.access : pipe_access_q[(s == 0) ? 0 : s-1];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned e = 0; e < TlbEntries; e++) rank_q[e] <= WayW'(e);
    end else begin
      if (sweep_i.valid) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (sweep_match[w]) valid_q[entry_of(sweep_i.set_index, WayW'(w))] <= 1'b0;
        end
      end
      if (hit) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          rank_q[entry_of(hit_set, WayW'(w))] <= hit_touched[w];
        end
      end
      if (place_valid_q) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (place_drop_q[w]) valid_q[entry_of(place_set, WayW'(w))] <= 1'b0;
          rank_q[entry_of(place_set, WayW'(w))] <= place_touched[w];
        end
        if (place_write_q) valid_q[entry_of(place_set, place_way_q)] <= 1'b1;
      end
    end
  end

  // What VALID=0 makes meaningless has no reset (R0.2).
  always_ff @(posedge clk_i) begin
    if (place_valid_q && place_write_q) begin
      pasid_q[entry_of(place_set, place_way_q)]  <= place_pasid_q;
      tag_q[entry_of(place_set, place_way_q)]    <= place_tag;
      pfn_q[entry_of(place_set, place_way_q)]    <= place_pfn_q;
      perm_q[entry_of(place_set, place_way_q)]   <= place_perm_q;
      size_q[entry_of(place_set, place_way_q)]   <= place_size_q;
      class_q[entry_of(place_set, place_way_q)]  <= place_range;
      length_q[entry_of(place_set, place_way_q)] <= place_range ? place_length_q : '0;
    end
  end

endmodule
