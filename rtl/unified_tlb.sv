// The unified TLB (section 3): a lookup pipeline that never stalls, true LRU, one fill and one swept
// set a cycle.
//
// A large page is filled as the 4 KiB page that was asked for (R3.8).
//
// Contract: filling a VPN that is already held overwrites its way (R3.6), so no lookup can ever hit
// twice. A lookup decided in a cycle sees the entries as they stood at its beginning.
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
  localparam int unsigned Sets     = TlbEntries / TlbWays,
  localparam int unsigned SetBits  = $clog2(Sets),
  localparam int unsigned SetW     = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned WayW     = $clog2(TlbWays),
  localparam int unsigned EntryW   = $clog2(TlbEntries),
  localparam int unsigned TagW     = VpnW - SetBits,
  localparam int unsigned Pasids   = 2 ** PasidW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // A transferred request.
  input  logic                  req_fire_i,
  input  logic [IdW-1:0]        req_id_i,
  input  logic [SrcW-1:0]       req_src_i,
  input  logic [PasidPortW-1:0] req_pasid_i,
  input  logic [PageW-1:0]      req_page_i,
  input  logic [1:0]            req_access_i,
  input  logic [Pasids-1:0]     root_valid_i,
  // The decision (R3.2) on the request in the last stage.
  output logic                  dec_valid_o,
  output logic                  dec_hit_o,
  output logic                  dec_miss_o,
  output logic [3:0]            dec_kind_o,
  output logic [IdW-1:0]        dec_id_o,
  output logic [SrcW-1:0]       dec_src_o,
  output logic [PasidPortW-1:0] dec_pasid_o,
  output logic [PageW-1:0]      dec_page_o,
  output logic [1:0]            dec_access_o,
  output logic [PfnW-1:0]       dec_pfn_o,
  output logic [1:0]            dec_size_o,
  output logic [1:0]            dec_perm_o,
  output logic [$clog2(TlbLatency+1)-1:0] lookups_o,  // in the pipeline
  // Fill (R3.6). Class 0 is regular; class 1 is reserved for subregions (R3.9).
  input  logic                  fill_valid_i,
  input  logic                  fill_class_i,
  input  logic [PasidW-1:0]     fill_pasid_i,
  input  logic [VpnW-1:0]       fill_vpn_i,
  input  logic [PfnW-1:0]       fill_pfn_i,
  input  logic [1:0]            fill_perm_i,
  input  logic [1:0]            fill_size_i,
  // Sweep (R3.10).
  input  logic                  sweep_valid_i,
  input  logic [SetW-1:0]       sweep_set_i,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i
);

  // Pipeline (R3.1); place 0 is stage 1.
  logic [TlbLatency-1:0] pipe_valid_q;
  logic [IdW-1:0]        pipe_id_q     [TlbLatency];
  logic [SrcW-1:0]       pipe_src_q    [TlbLatency];
  logic [PasidPortW-1:0] pipe_pasid_q  [TlbLatency];
  logic [PageW-1:0]      pipe_page_q   [TlbLatency];
  logic [1:0]            pipe_access_q [TlbLatency];

  // Entries, index = set x TlbWays + way.
  logic [TlbEntries-1:0] valid_q;
  logic [TlbEntries-1:0] class_q;
  logic [PasidW-1:0]     pasid_q [TlbEntries];
  logic [TagW-1:0]       tag_q   [TlbEntries];
  logic [PfnW-1:0]       pfn_q   [TlbEntries];
  logic [1:0]            perm_q  [TlbEntries];
  logic [1:0]            size_q  [TlbEntries];
  logic [WayW-1:0]       rank_q  [TlbEntries];

  function automatic logic [EntryW-1:0] entry_of(logic [SetW-1:0] set, logic [WayW-1:0] way);
    return EntryW'((32'(set) << WayW) | 32'(way));
  endfunction

  // ---------------------------------------------------------------- lookup (R3.2)

  localparam int unsigned Last = TlbLatency - 1;

  logic [VpnW-1:0]    look_vpn;
  logic [PasidW-1:0]  look_pasid;
  logic               canonical, known;
  logic [SetW-1:0]    look_set;
  logic [TlbWays-1:0] look_match;
  logic [WayW-1:0]    look_way;

  assign look_vpn   = pipe_page_q[Last][VpnW-1:0];
  assign look_pasid = pipe_pasid_q[Last][PasidW-1:0];
  assign look_set   = (SetBits == 0) ? '0 : look_vpn[SetW-1:0];
  assign canonical  = (&pipe_page_q[Last][PageW-1:VpnW-1]) || !(|pipe_page_q[Last][PageW-1:VpnW-1]);
  assign known      = pipe_pasid_q[Last][PasidPortW-1:PasidW] == '0 && root_valid_i[look_pasid];

  // At most one way matches (R3.6), so the data is an AND-OR without priority.
  always_comb begin
    look_match = '0;
    look_way   = '0;
    dec_pfn_o  = '0;
    dec_size_o = '0;
    dec_perm_o = '0;
    if (pipe_valid_q[Last] && canonical && known) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        look_match[w] = valid_q[entry_of(look_set, WayW'(w))] &&
                        !class_q[entry_of(look_set, WayW'(w))] &&
                        pasid_q[entry_of(look_set, WayW'(w))] == look_pasid &&
                        tag_q[entry_of(look_set, WayW'(w))] == look_vpn[VpnW-1:SetBits] &&
                        grants(perm_q[entry_of(look_set, WayW'(w))], pipe_access_q[Last]);
        if (look_match[w]) begin
          look_way   |= WayW'(w);
          dec_pfn_o  |= pfn_q[entry_of(look_set, WayW'(w))];
          dec_size_o |= size_q[entry_of(look_set, WayW'(w))];
          dec_perm_o |= perm_q[entry_of(look_set, WayW'(w))];
        end
      end
    end
  end

  assign dec_valid_o  = pipe_valid_q[Last];
  assign dec_hit_o    = |look_match;
  assign dec_miss_o   = pipe_valid_q[Last] && canonical && known && !dec_hit_o;
  assign dec_kind_o   = !canonical ? KindNonCanonical : (!known ? KindUnknownPasid : KindOk);
  assign dec_id_o     = pipe_id_q[Last];
  assign dec_src_o    = pipe_src_q[Last];
  assign dec_pasid_o  = pipe_pasid_q[Last];
  assign dec_page_o   = pipe_page_q[Last];
  assign dec_access_o = pipe_access_q[Last];
  assign lookups_o    = $bits(lookups_o)'($countones(pipe_valid_q));

  // ---------------------------------------------------------------- fill (R3.6)

  logic [SetW-1:0] fill_set;
  logic [TlbWays-1:0] fill_same, fill_free, fill_oldest;
  logic [WayW-1:0] fill_way;

  assign fill_set = (SetBits == 0) ? '0 : fill_vpn_i[SetW-1:0];

  always_comb begin
    fill_same   = '0;
    fill_free   = '0;
    fill_oldest = '0;
    fill_way    = '0;
    if (fill_valid_i) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        fill_same[w] = valid_q[entry_of(fill_set, WayW'(w))] &&
                       class_q[entry_of(fill_set, WayW'(w))] == fill_class_i &&
                       pasid_q[entry_of(fill_set, WayW'(w))] == fill_pasid_i &&
                       tag_q[entry_of(fill_set, WayW'(w))] == fill_vpn_i[VpnW-1:SetBits];
        fill_free[w]   = !valid_q[entry_of(fill_set, WayW'(w))];
        fill_oldest[w] = rank_q[entry_of(fill_set, WayW'(w))] == WayW'(TlbWays - 1);
      end
      if (|fill_same) begin
        for (int unsigned w = 0; w < TlbWays; w++) if (fill_same[w]) fill_way |= WayW'(w);
      end else if (|fill_free) begin
        for (int w = TlbWays - 1; w >= 0; w--) if (fill_free[w]) fill_way = WayW'(w);
      end else begin
        for (int unsigned w = 0; w < TlbWays; w++) if (fill_oldest[w]) fill_way |= WayW'(w);
      end
    end
  end

  // ---------------------------------------------------------------- LRU (R3.4, R3.5, R3.7)

  logic [TlbWays-1:0][WayW-1:0] hit_rank, hit_rank_touched, fill_rank, fill_rank_touched;

  always_comb begin
    for (int unsigned w = 0; w < TlbWays; w++) begin
      hit_rank[w]  = rank_q[entry_of(look_set, WayW'(w))];
      fill_rank[w] = rank_q[entry_of(fill_set, WayW'(w))];
    end
    if (dec_hit_o && look_set == fill_set) fill_rank = hit_rank_touched;
  end

  lru_touch #(
    .Ways(TlbWays)
  ) u_hit_touch (
    .touch_i(dec_hit_o),
    .way_i  (look_way),
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
  logic [VpnW-1:0]    sweep_vpn;

  assign sweep_pasid_known = inv_pasid_i[PasidPortW-1:PasidW] == '0;

  always_comb begin
    sweep_match = '0;
    sweep_span  = '0;
    sweep_base  = '0;
    sweep_vpn   = '0;
    if (sweep_valid_i) begin
      for (int unsigned w = 0; w < TlbWays; w++) begin
        sweep_vpn = VpnW'(tag_q[entry_of(sweep_set_i, WayW'(w))]) << SetBits;
        if (SetBits != 0) sweep_vpn |= VpnW'(sweep_set_i);
        unique case (size_q[entry_of(sweep_set_i, WayW'(w))])
          2'd1:    sweep_span = VpnW'(9'h1ff);
          2'd2:    sweep_span = VpnW'(18'h3ffff);
          default: sweep_span = '0;
        endcase
        sweep_base = sweep_vpn & ~sweep_span;
        if (inv_type_i == InvAll) begin
          sweep_match[w] = 1'b1;
        end else if (sweep_pasid_known &&
                     pasid_q[entry_of(sweep_set_i, WayW'(w))] == inv_pasid_i[PasidW-1:0]) begin
          unique case (inv_type_i)
            InvPage:
            sweep_match[w] = (sweep_base | sweep_span) >= inv_first_i && sweep_base <= inv_first_i;
            InvRange:
            sweep_match[w] = inv_first_i <= inv_last_i &&
                             (sweep_base | sweep_span) >= inv_first_i && sweep_base <= inv_last_i;
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
      for (int unsigned s = 0; s < TlbLatency; s++) begin
        pipe_id_q[s]     <= '0;
        pipe_src_q[s]    <= '0;
        pipe_pasid_q[s]  <= '0;
        pipe_page_q[s]   <= '0;
        pipe_access_q[s] <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < TlbLatency; s++) begin
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
        pasid_q[e] <= '0;
        tag_q[e]   <= '0;
        pfn_q[e]   <= '0;
        perm_q[e]  <= '0;
        size_q[e]  <= '0;
        rank_q[e]  <= WayW'(e);
      end
    end else begin
      if (sweep_valid_i) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          if (sweep_match[w]) valid_q[entry_of(sweep_set_i, WayW'(w))] <= 1'b0;
        end
      end
      if (dec_hit_o) begin
        for (int unsigned w = 0; w < TlbWays; w++) begin
          rank_q[entry_of(look_set, WayW'(w))] <= hit_rank_touched[w];
        end
      end
      if (fill_valid_i) begin
        valid_q[entry_of(fill_set, fill_way)] <= 1'b1;
        class_q[entry_of(fill_set, fill_way)] <= fill_class_i;
        pasid_q[entry_of(fill_set, fill_way)] <= fill_pasid_i;
        tag_q[entry_of(fill_set, fill_way)]   <= fill_vpn_i[VpnW-1:SetBits];
        pfn_q[entry_of(fill_set, fill_way)]   <= fill_pfn_i;
        perm_q[entry_of(fill_set, fill_way)]  <= fill_perm_i;
        size_q[entry_of(fill_set, fill_way)]  <= fill_size_i;
        for (int unsigned w = 0; w < TlbWays; w++) begin
          rank_q[entry_of(fill_set, WayW'(w))] <= fill_rank_touched[w];
        end
      end
    end
  end

endmodule
