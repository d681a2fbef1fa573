// The unified TLB (section 3): a lookup pipeline that never stalls, true LRU, one fill and one swept
// set a cycle.
//
// With Subregions the ways of the partition hold subregion entries too (R3.9, R3.12); in the serial
// lookup they are compared one stage before the regular ones, so that the addition of R3.9 starts
// from registers.
//
// Contract: filling what is already held overwrites or touches its way (R3.6, R3.12), so no lookup
// can ever hit twice in a class. A lookup compared in a cycle sees the entries as they stood at its
// beginning.
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
  localparam bit          Serial   = Subregions && !ParLookup,
  localparam int unsigned TlbStages = TlbLatency + 32'(Serial),
  localparam int unsigned Sets     = TlbEntries / TlbWays,
  localparam int unsigned SetBits  = $clog2(Sets),
  localparam int unsigned SetW     = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW     = $clog2(TlbWays),
  localparam int unsigned EntryW   = $clog2(TlbEntries),
  localparam int unsigned VsnW     = VpnW - 6,
  localparam int unsigned TagW     = (Subregions && SetBits > 6) ? VsnW : VpnW - SetBits,
  localparam int unsigned Pasids   = 2 ** PasidW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // A transferred request.
  input  logic                           req_fire_i,
  input  logic [IdW-1:0]                 req_id_i,
  input  logic [SrcW-1:0]                req_src_i,
  input  logic [PasidPortW-1:0]          req_pasid_i,
  input  logic [PageW-1:0]               req_page_i,
  input  logic [1:0]                     req_access_i,
  input  logic [Pasids-1:0]              root_valid_i,
  // The decision (R3.2) on the request in the last stage.
  output logic                           dec_valid_o,
  output logic                           dec_hit_o,
  output logic                           dec_miss_o,
  output logic [3:0]                     dec_kind_o,
  output logic [IdW-1:0]                 dec_id_o,
  output logic [SrcW-1:0]                dec_src_o,
  output logic [PasidPortW-1:0]          dec_pasid_o,
  output logic [PageW-1:0]               dec_page_o,
  output logic [1:0]                     dec_access_o,
  output logic [PfnW-1:0]                dec_pfn_o,
  output logic [1:0]                     dec_size_o,
  output logic [1:0]                     dec_perm_o,
  output logic                           dec_subregion_o,  // the hit is that of a subregion entry
  output logic [$clog2(TlbStages+1)-1:0] lookups_o,  // in the pipeline
  // Fill (R3.6, R3.12). Class 0 is regular; class 1 is subregion, its VPN that of the first head.
  input  logic                           fill_valid_i,
  input  logic                           fill_class_i,
  input  logic [PasidW-1:0]              fill_pasid_i,
  input  logic [VpnW-1:0]                fill_vpn_i,
  input  logic [2:0]                     fill_length_i,
  input  logic [PfnW-1:0]                fill_pfn_i,
  input  logic [1:0]                     fill_perm_i,
  input  logic [1:0]                     fill_size_i,
  // Sweep (R3.10).
  input  logic                           sweep_valid_i,
  input  logic [SetW-1:0]                sweep_set_i,
  input  logic [1:0]                     inv_type_i,
  input  logic [PasidPortW-1:0]          inv_pasid_i,
  input  logic [VpnW-1:0]                inv_first_i,
  input  logic [VpnW-1:0]                inv_last_i
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

  // What the subregion lookup has found for the decision in the next cycle (R3.9); serial only.
  logic            found_q;
  logic [WayW-1:0] way_q;
  logic [2:0]      first_q;
  logic [PfnW-1:0] found_pfn_q;
  logic [1:0]      found_perm_q;
  logic [1:0]      found_size_q;

  // Of the frame of a VPN.
  function automatic logic [SetW-1:0] subregion_set(logic [VpnW-1:0] vpn);
    return (SetBits == 0) ? '0 : SetW'(vpn >> 9);
  endfunction

  // ---------------------------------------------------------------- subregion lookup (R3.9)

  // The ways that hold subregion entries.
  localparam logic [TlbWays-1:0] Open =
      Subregions ? TlbWays'({TlbWays{1'b1}} << (TlbWays - TlbPartition)) : '0;

  logic [TlbWays-1:0] sub_match;
  logic [SetW-1:0]    sub_set;
  logic               sub_found;
  logic [WayW-1:0]    sub_way;
  logic [2:0]         sub_first;
  logic [PfnW-1:0]    sub_pfn;
  logic [1:0]         sub_perm, sub_size;

  if (Subregions) begin : gen_subregion_lookup
    localparam int unsigned Stage = TlbLatency - 1;

    logic [VpnW-1:0]                sub_vpn;
    logic [TlbWays-1:0]             candidate;
    logic [TlbWays-1:0][PasidW-1:0] pasid;
    logic [TlbWays-1:0][VsnW-1:0]   first;
    logic [TlbWays-1:0][2:0]        length;
    logic [TlbWays-1:0][1:0]        perm;

    assign sub_vpn = pipe_page_q[Stage][VpnW-1:0];
    assign sub_set = subregion_set(sub_vpn);

    always_comb begin
      candidate = '0;
      pasid     = '0;
      first     = '0;
      length    = '0;
      perm      = '0;
      if (pipe_valid_q[Stage]) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (Open[w]) begin
            candidate[w] = valid_q[entry_of(sub_set, WayW'(w))] &&
                           class_q[entry_of(sub_set, WayW'(w))];
            pasid[w]     = pasid_q[entry_of(sub_set, WayW'(w))];
            first[w]     = VsnW'(tag_q[entry_of(sub_set, WayW'(w))]);
            length[w]    = length_q[entry_of(sub_set, WayW'(w))];
            perm[w]      = perm_q[entry_of(sub_set, WayW'(w))];
          end
        end
      end
    end

    subregion_lookup #(
      .Ways  (TlbWays),
      .VsnW  (VsnW),
      .PasidW(PasidW)
    ) u_match (
      .candidate_i  (candidate),
      .pasid_i      (pasid),
      .first_i      (first),
      .length_i     (length),
      .perm_i       (perm),
      .look_valid_i (pipe_valid_q[Stage]),
      .look_pasid_i (pipe_pasid_q[Stage][PasidW-1:0]),
      .look_vsn_i   (sub_vpn[VpnW-1:6]),
      .look_access_i(pipe_access_q[Stage]),
      .match_o      (sub_match)
    );

    // At most one way matches (R3.12), so the data is an AND-OR without priority.
    always_comb begin
      sub_way   = '0;
      sub_first = '0;
      sub_pfn   = '0;
      sub_perm  = '0;
      sub_size  = '0;
      for (int unsigned w = 0; w < TlbWays; w++) begin
        if (sub_match[w]) begin
          sub_way   |= WayW'(w);
          sub_first |= first[w][2:0];
          sub_pfn   |= pfn_q[entry_of(sub_set, WayW'(w))];
          sub_perm  |= perm[w];
          sub_size  |= size_q[entry_of(sub_set, WayW'(w))];
        end
      end
    end
  end else begin : gen_no_subregion_lookup
    assign sub_match = '0;
    assign sub_set   = '0;
    assign sub_way   = '0;
    assign sub_first = '0;
    assign sub_pfn   = '0;
    assign sub_perm  = '0;
    assign sub_size  = '0;
  end

  logic load_found;

  assign sub_found  = |sub_match;
  assign load_found = Serial && sub_found;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      found_q      <= 1'b0;
      way_q        <= '0;
      first_q      <= '0;
      found_pfn_q  <= '0;
      found_perm_q <= '0;
      found_size_q <= '0;
    end else begin
      found_q <= load_found;
      if (load_found) begin
        way_q        <= sub_way;
        first_q      <= sub_first;
        found_pfn_q  <= sub_pfn;
        found_perm_q <= sub_perm;
        found_size_q <= sub_size;
      end
    end
  end

  // ---------------------------------------------------------------- the decision (R3.2)

  localparam int unsigned Last = TlbStages - 1;

  logic [VpnW-1:0]    look_vpn;
  logic [PasidW-1:0]  look_pasid;
  logic               canonical, known;
  logic [SetW-1:0]    look_set;
  logic [TlbWays-1:0] look_match;
  logic [WayW-1:0]    look_way;
  logic [PfnW-1:0]    look_pfn;
  logic [1:0]         look_size, look_perm;
  logic               decidable;  // by the entries: no fault comes before them

  assign look_vpn   = pipe_page_q[Last][VpnW-1:0];
  assign look_pasid = pipe_pasid_q[Last][PasidW-1:0];
  assign look_set   = (SetBits == 0) ? '0 : look_vpn[SetW-1:0];
  assign canonical  = (&pipe_page_q[Last][PageW-1:VpnW-1]) || !(|pipe_page_q[Last][PageW-1:VpnW-1]);
  assign known      = pipe_pasid_q[Last][PasidPortW-1:PasidW] == '0 && root_valid_i[look_pasid];
  assign decidable  = pipe_valid_q[Last] && canonical && known;

  // At most one way matches (R3.6), so the data is an AND-OR without priority.
  always_comb begin
    look_match = '0;
    look_way   = '0;
    look_pfn   = '0;
    look_size  = '0;
    look_perm  = '0;
    if (decidable) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        look_match[w] = valid_q[entry_of(look_set, WayW'(w))] &&
                        !class_q[entry_of(look_set, WayW'(w))] &&
                        pasid_q[entry_of(look_set, WayW'(w))] == look_pasid &&
                        tag_q[entry_of(look_set, WayW'(w))] == TagW'(look_vpn[VpnW-1:SetBits]) &&
                        grants(perm_q[entry_of(look_set, WayW'(w))], pipe_access_q[Last]);
        if (look_match[w]) begin
          look_way  |= WayW'(w);
          look_pfn  |= pfn_q[entry_of(look_set, WayW'(w))];
          look_size |= size_q[entry_of(look_set, WayW'(w))];
          look_perm |= perm_q[entry_of(look_set, WayW'(w))];
        end
      end
    end
  end

  logic            found;
  logic [WayW-1:0] hit_way;
  logic [SetW-1:0] hit_set;

  assign found   = decidable && (Serial ? found_q : sub_found);
  assign hit_way = !found ? look_way : (Serial ? way_q : sub_way);
  assign hit_set = !found ? look_set : (Serial ? subregion_set(look_vpn) : sub_set);

  if (Subregions) begin : gen_found_data
    logic [2:0]      first, distance;
    logic [PfnW-1:0] pfn;

    assign first      = Serial ? first_q : sub_first;
    assign distance   = look_vpn[8:6] - first;
    assign pfn        = (Serial ? found_pfn_q : sub_pfn) + PfnW'({distance, look_vpn[5:0]});
    assign dec_pfn_o  = found ? pfn : look_pfn;
    assign dec_size_o = !found ? look_size : (Serial ? found_size_q : sub_size);
    assign dec_perm_o = !found ? look_perm : (Serial ? found_perm_q : sub_perm);
  end else begin : gen_no_found_data
    logic unused;
    assign unused     = ^{first_q, found_pfn_q, found_perm_q, found_size_q, sub_first, sub_pfn,
                          sub_perm, sub_size};
    assign dec_pfn_o  = look_pfn;
    assign dec_size_o = look_size;
    assign dec_perm_o = look_perm;
  end

  assign dec_valid_o     = pipe_valid_q[Last];
  assign dec_hit_o       = found || |look_match;
  assign dec_subregion_o = found;
  assign dec_miss_o      = decidable && !dec_hit_o;
  assign dec_kind_o      = !canonical ? KindNonCanonical : (!known ? KindUnknownPasid : KindOk);
  assign dec_id_o        = pipe_id_q[Last];
  assign dec_src_o       = pipe_src_q[Last];
  assign dec_pasid_o     = pipe_pasid_q[Last];
  assign dec_page_o      = pipe_page_q[Last];
  assign dec_access_o    = pipe_access_q[Last];
  assign lookups_o       = $bits(lookups_o)'($countones(pipe_valid_q));

  // ---------------------------------------------------------------- fill (R3.6, R3.12)

  logic               fill_regular, fill_subregion, fill_write;
  logic [SetW-1:0]    fill_set;
  logic [TagW-1:0]    fill_tag;
  logic [TlbWays-1:0] fill_same, fill_free, fill_oldest, fill_drop;
  logic [WayW-1:0]    regular_way, fill_way;

  assign fill_regular   = fill_valid_i && !fill_subregion;
  assign fill_subregion = Subregions && fill_valid_i && fill_class_i;
  assign fill_set       = fill_subregion ? subregion_set(fill_vpn_i) :
                                     ((SetBits == 0) ? '0 : fill_vpn_i[SetW-1:0]);
  assign fill_tag       = fill_subregion ? TagW'(fill_vpn_i[VpnW-1:6]) :
                                     TagW'(fill_vpn_i[VpnW-1:SetBits]);

  always_comb begin
    fill_same   = '0;
    fill_free   = '0;
    fill_oldest = '0;
    regular_way = '0;
    if (fill_regular) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        fill_same[w] = valid_q[entry_of(fill_set, WayW'(w))] &&
                       !class_q[entry_of(fill_set, WayW'(w))] &&
                       pasid_q[entry_of(fill_set, WayW'(w))] == fill_pasid_i &&
                       tag_q[entry_of(fill_set, WayW'(w))] == fill_tag;
        fill_free[w]   = !valid_q[entry_of(fill_set, WayW'(w))];
        fill_oldest[w] = rank_q[entry_of(fill_set, WayW'(w))] == WayW'(TlbWays - 1);
      end
      if (|fill_same) begin
        for (int unsigned w = 0; w < TlbWays; w++) if (fill_same[w]) regular_way |= WayW'(w);
      end else if (|fill_free) begin
        for (int w = TlbWays - 1; w >= 0; w--) if (fill_free[w]) regular_way = WayW'(w);
      end else begin
        for (int unsigned w = 0; w < TlbWays; w++) if (fill_oldest[w]) regular_way |= WayW'(w);
      end
    end
  end

  if (Subregions) begin : gen_subregion_fill
    logic [TlbWays-1:0]             valid, candidate;
    logic [TlbWays-1:0][PasidW-1:0] pasid;
    logic [TlbWays-1:0][VsnW-1:0]   first;
    logic [TlbWays-1:0][2:0]        length;
    logic [TlbWays-1:0][1:0]        perm;
    logic [TlbWays-1:0][WayW-1:0]   rank;
    logic                           contained;
    logic [WayW-1:0]                way;

    always_comb begin
      valid     = '0;
      candidate = '0;
      pasid     = '0;
      first     = '0;
      length    = '0;
      perm      = '0;
      rank      = '0;
      if (fill_subregion) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (Open[w]) begin
            valid[w]     = valid_q[entry_of(fill_set, WayW'(w))];
            candidate[w] = valid[w] && class_q[entry_of(fill_set, WayW'(w))];
            pasid[w]     = pasid_q[entry_of(fill_set, WayW'(w))];
            first[w]     = VsnW'(tag_q[entry_of(fill_set, WayW'(w))]);
            length[w]    = length_q[entry_of(fill_set, WayW'(w))];
            perm[w]      = perm_q[entry_of(fill_set, WayW'(w))];
            rank[w]      = rank_q[entry_of(fill_set, WayW'(w))];
          end
        end
      end
    end

    subregion_fill #(
      .Ways     (TlbWays),
      .Partition(TlbPartition),
      .VsnW     (VsnW),
      .PasidW   (PasidW)
    ) u_place (
      .valid_i     (valid),
      .candidate_i (candidate),
      .pasid_i     (pasid),
      .first_i     (first),
      .length_i    (length),
      .perm_i      (perm),
      .rank_i      (rank),
      .fill_valid_i(fill_subregion),
      .fill_pasid_i,
      .fill_first_i (fill_vpn_i[VpnW-1:6]),
      .fill_length_i,
      .fill_perm_i,
      .contained_o(contained),
      .drop_o     (fill_drop),
      .way_o      (way)
    );

    assign fill_write = fill_valid_i && !contained;
    assign fill_way   = fill_subregion ? way : regular_way;
  end else begin : gen_no_subregion_fill
    assign fill_drop  = '0;
    assign fill_write = fill_valid_i;
    assign fill_way   = regular_way;

    logic unused;
    assign unused = ^{fill_class_i, fill_length_i, TlbPartition};
  end

  // ---------------------------------------------------------------- LRU (R3.4, R3.5, R3.7)

  logic [TlbWays-1:0][WayW-1:0] hit_rank, hit_rank_touched, fill_rank, fill_rank_touched;

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) hit_rank[w] = rank_q[entry_of(hit_set, WayW'(w))];
  end

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) fill_rank[w] = rank_q[entry_of(fill_set, WayW'(w))];
    if (dec_hit_o && hit_set == fill_set) fill_rank = hit_rank_touched;
  end

  lru_touch #(
    .Ways(TlbWays)
  ) u_hit_touch (
    .touch_i(dec_hit_o),
    .way_i  (hit_way),
    .rank_i (hit_rank),
    .rank_o (hit_rank_touched)
  );

  lru_touch #(
    .Ways(TlbWays)
  ) u_fill_touch (
    .touch_i(fill_valid_i),
    .way_i  (fill_way),
    .rank_i (fill_rank),
    .rank_o (fill_rank_touched)
  );

  // ---------------------------------------------------------------- sweep (R3.10, R3.11)

  logic [TlbWays-1:0] sweep_match;
  logic [VpnW-1:0]    sweep_span, sweep_base;
  logic               sweep_pasid_known;
  logic [VpnW-1:0]    sweep_vpn, sweep_last;  // first and last page that the entry covers
  logic [2:0]         sweep_place;

  assign sweep_pasid_known = inv_pasid_i[PasidPortW-1:PasidW] == '0;

  always_comb begin
    sweep_match = '0;
    sweep_span  = '0;
    sweep_base  = '0;
    sweep_vpn   = '0;
    sweep_last  = '0;
    sweep_place = '0;
    if (sweep_valid_i) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        sweep_vpn = VpnW'(tag_q[entry_of(sweep_set_i, WayW'(w))]) << SetBits;
        if (SetBits != 0) sweep_vpn |= VpnW'(sweep_set_i);
        sweep_last = sweep_vpn;
        if (Subregions && class_q[entry_of(sweep_set_i, WayW'(w))]) begin
          sweep_vpn   = {VsnW'(tag_q[entry_of(sweep_set_i, WayW'(w))]), 6'b0};
          sweep_place = sweep_vpn[8:6] + length_q[entry_of(sweep_set_i, WayW'(w))];
          sweep_last  = {sweep_vpn[VpnW-1:9], sweep_place, 6'h3f};
        end
        unique case (size_q[entry_of(sweep_set_i, WayW'(w))])
          2'd1:    sweep_span = VpnW'(9'h1ff);
          2'd2:    sweep_span = VpnW'(18'h3ffff);
          default: sweep_span = '0;
        endcase
        sweep_base = sweep_vpn & ~sweep_span;
        sweep_last |= sweep_span;
        if (inv_type_i == InvAll) begin
          sweep_match[w] = 1'b1;
        end else if (sweep_pasid_known &&
                     pasid_q[entry_of(sweep_set_i, WayW'(w))] == inv_pasid_i[PasidW-1:0]) begin
          unique case (inv_type_i)
            InvPage:
            sweep_match[w] = sweep_last >= inv_first_i && sweep_base <= inv_first_i;
            InvRange:
            sweep_match[w]          = inv_first_i <= inv_last_i && sweep_last >= inv_first_i &&
                             sweep_base <= inv_last_i;
            default: sweep_match[w] = 1'b1;
          endcase
        end
      end
    end
  end

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
          pipe_id_q[s]     <= (s == 0) ? req_id_i : pipe_id_q[(s == 0) ? 0 : s-1];
          pipe_src_q[s]    <= (s == 0) ? req_src_i : pipe_src_q[(s == 0) ? 0 : s-1];
          pipe_pasid_q[s]  <= (s == 0) ? req_pasid_i : pipe_pasid_q[(s == 0) ? 0 : s-1];
          pipe_page_q[s]   <= (s == 0) ? req_page_i : pipe_page_q[(s == 0) ? 0 : s-1];
          pipe_access_q[s] <= (s == 0) ? req_access_i : pipe_access_q[(s == 0) ? 0 : s-1];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      class_q <= '0;
      for (int unsigned e = 0; e < TlbEntries; e++) begin
        pasid_q[e]  <= '0;
        tag_q[e]    <= '0;
        pfn_q[e]    <= '0;
        perm_q[e]   <= '0;
        size_q[e]   <= '0;
        length_q[e] <= '0;
        rank_q[e]   <= WayW'(e);
      end
    end else begin
      if (sweep_valid_i) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (sweep_match[w]) valid_q[entry_of(sweep_set_i, WayW'(w))] <= 1'b0;
        end
      end
      if (dec_hit_o) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          rank_q[entry_of(hit_set, WayW'(w))] <= hit_rank_touched[w];
        end
      end
      for (int unsigned w = 0; w < TlbWays; w++) begin
        if (fill_drop[w]) valid_q[entry_of(fill_set, WayW'(w))] <= 1'b0;
      end
      if (fill_write) begin
        valid_q[entry_of(fill_set, fill_way)]  <= 1'b1;
        pasid_q[entry_of(fill_set, fill_way)]  <= fill_pasid_i;
        tag_q[entry_of(fill_set, fill_way)]    <= fill_tag;
        pfn_q[entry_of(fill_set, fill_way)]    <= fill_pfn_i;
        perm_q[entry_of(fill_set, fill_way)]   <= fill_perm_i;
        size_q[entry_of(fill_set, fill_way)]   <= fill_size_i;
        class_q[entry_of(fill_set, fill_way)]  <= fill_subregion;
        length_q[entry_of(fill_set, fill_way)] <= fill_subregion ? fill_length_i : '0;
      end
      if (fill_valid_i) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          rank_q[entry_of(fill_set, WayW'(w))] <= fill_rank_touched[w];
        end
      end
    end
  end

endmodule
