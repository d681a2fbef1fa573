// The page walk cache by level (section 6; NHA, FS-HPT): a fully associative table for each of the
// levels 2..Levels, tagged with the virtual address.
//
// Contract: a fill of a key that is held overwrites its entry, so a table never hits twice. A lookup is
// compared in one cycle; whoever registers the hit gives its entry back for the touch in the next.
module page_walk_cache_by_level
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned PwcEntries = 32,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels  = VpnW / 9,
  localparam int unsigned Tables  = Levels - 1,
  localparam int unsigned Total   = Tables * PwcEntries,
  localparam int unsigned TagW    = VpnW - 9,  // of the table of level 2; the others use fewer bits
  localparam int unsigned IndexW  = $clog2(PwcEntries),
  localparam int unsigned EntryW  = $clog2(Total)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic               look_valid_i,
  input  logic [VpnW-1:0]    look_vpn_i,
  input  logic [PasidW-1:0]  look_pasid_i,
  input  logic [1:0]         look_access_i,
  input  logic [2:0]         look_level_i,
  output logic               hit_o,
  output logic [EntryW-1:0]  hit_entry_o,
  output logic [2:0]         hit_level_o,  // the table that won
  output logic [PfnW-1:0]    hit_node_o,
  output logic [1:0]         hit_perm_o,
  output logic [ContigW-1:0] hit_contig_o,
  input  logic               touch_i,      // R6.4
  input  logic [EntryW-1:0]  touch_entry_i,
  input  logic               fill_valid_i,
  input  logic [2:0]         fill_level_i,
  input  logic [VpnW-1:0]    fill_vpn_i,
  input  logic [PasidW-1:0]  fill_pasid_i,
  input  logic [PfnW-1:0]    fill_node_i,
  input  logic [1:0]         fill_perm_i,
  input  logic [ContigW-1:0] fill_contig_i,
  input  logic               mark_i,
  input  logic               mark_all_i,
  input  logic               mark_pasid_i,
  input  logic [PasidW-1:0]  mark_pasid_value_i
);

  // Index = table x PwcEntries + entry; table t is that of level t+2.
  logic [Total-1:0]   valid_q;
  logic [PasidW-1:0]  pasid_q [Total];
  logic [TagW-1:0]    tag_q   [Total];
  logic [PfnW-1:0]    node_q  [Total];
  logic [1:0]         perm_q  [Total];
  logic [ContigW-1:0] contig_q [Total];
  logic [IndexW-1:0]  rank_q  [Total];

  function automatic logic [TagW-1:0] tag_of(logic [VpnW-1:0] vpn, int unsigned t);
    return TagW'(vpn >> (9 * (t + 1)));
  endfunction

  // ---------------------------------------------------------------- lookup (R6.2)

  logic [Total-1:0]  match;
  logic [Tables-1:0] table_hit, winner;

  // Within a table at most one entry matches, so the data is an AND-OR of the winning table.
  always_comb begin
    match        = '0;
    table_hit    = '0;
    winner       = '0;
    hit_entry_o  = '0;
    hit_level_o  = '0;
    hit_node_o   = '0;
    hit_perm_o   = '0;
    hit_contig_o = '0;
    if (look_valid_i) begin
      for (int unsigned t = 0; t < Tables; t++) begin
        for (int unsigned e = 0; e < PwcEntries; e++) begin
          match[t*PwcEntries+e] = valid_q[t*PwcEntries+e] && 3'(t + 2) <= look_level_i &&
                                  pasid_q[t*PwcEntries+e] == look_pasid_i &&
                                  tag_q[t*PwcEntries+e] == tag_of(look_vpn_i, t) &&
                                  grants(perm_q[t*PwcEntries+e], look_access_i);
        end
        table_hit[t] = |match[t*PwcEntries+:PwcEntries];
      end
      winner = table_hit & (~table_hit + Tables'(1));
      for (int unsigned t = 0; t < Tables; t++) begin
        if (winner[t]) begin
          hit_level_o |= 3'(t + 2);
          for (int unsigned e = 0; e < PwcEntries; e++) begin
            if (match[t*PwcEntries+e]) begin
              hit_entry_o  |= EntryW'(t * PwcEntries + e);
              hit_node_o   |= node_q[t*PwcEntries+e];
              hit_perm_o   |= perm_q[t*PwcEntries+e];
              hit_contig_o |= contig_q[t*PwcEntries+e];
            end
          end
        end
      end
    end
  end

  assign hit_o = |table_hit;

  // ---------------------------------------------------------------- fill and LRU (R6.4, R6.5)

  logic [Total-1:0] met;
  logic             fill_met;

  assign fill_met = mark_i && (mark_all_i || (mark_pasid_i && fill_pasid_i == mark_pasid_value_i));

  always_comb begin
    met = '0;
    if (mark_i) begin
      for (int unsigned i = 0; i < Total; i++) begin
        met[i] = mark_all_i || (mark_pasid_i && pasid_q[i] == mark_pasid_value_i);
      end
    end
  end

  logic [Tables-1:0]                              touch, fill;
  logic [Tables-1:0][IndexW-1:0]                  touched, filled;
  logic [Tables-1:0][PwcEntries-1:0][IndexW-1:0]  rank, rank_hit, rank_fill;

  for (genvar t = 0; t < Tables; t++) begin : gen_table
    logic [PwcEntries-1:0] same, free;

    assign touch[t]   = touch_i && 32'(touch_entry_i) / PwcEntries == t;
    assign touched[t] = touch_entry_i[IndexW-1:0];
    assign fill[t]    = fill_valid_i && fill_level_i == 3'(t + 2);

    always_comb begin
      filled[t]  = '0;
      same       = '0;
      free       = ~valid_q[t*PwcEntries+:PwcEntries];
      for (int unsigned e = 0; e < PwcEntries; e++) begin
        rank[t][e] = rank_q[t*PwcEntries+e];
      end
      if (fill[t]) begin
        for (int unsigned e = 0; e < PwcEntries; e++) begin
          same[e] = valid_q[t*PwcEntries+e] && pasid_q[t*PwcEntries+e] == fill_pasid_i &&
                    tag_q[t*PwcEntries+e] == tag_of(fill_vpn_i, t);
        end
        for (int e = PwcEntries - 1; e >= 0; e--) begin
          if (|same ? same[e] : (|free ? free[e] : rank[t][e] == IndexW'(PwcEntries - 1))) begin
            filled[t] = IndexW'(e);
          end
        end
      end
    end

    lru_touch #(
      .Ways(PwcEntries)
    ) u_hit_touch (
      .touch_i(touch[t]),
      .way_i  (touched[t]),
      .rank_i (rank[t]),
      .rank_o (rank_hit[t])
    );

    lru_touch #(
      .Ways(PwcEntries)
    ) u_fill_touch (
      .touch_i(fill[t]),
      .way_i  (filled[t]),
      .rank_i (rank_hit[t]),
      .rank_o (rank_fill[t])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned i = 0; i < Total; i++) begin
        pasid_q[i]  <= '0;
        tag_q[i]    <= '0;
        node_q[i]   <= '0;
        perm_q[i]   <= '0;
        contig_q[i] <= '0;
        rank_q[i]   <= IndexW'(i);
      end
    end else begin
      for (int unsigned t = 0; t < Tables; t++) begin
        if (touch[t] || fill[t]) begin
          for (int unsigned e = 0; e < PwcEntries; e++) rank_q[t*PwcEntries+e] <= rank_fill[t][e];
        end
        if (fill[t]) begin
          valid_q[t*PwcEntries+32'(filled[t])] <= 1'b1;
          pasid_q[t*PwcEntries+32'(filled[t])] <= fill_pasid_i;
          tag_q[t*PwcEntries+32'(filled[t])]   <= tag_of(fill_vpn_i, t);
          node_q[t*PwcEntries+32'(filled[t])]  <= fill_node_i;
          perm_q[t*PwcEntries+32'(filled[t])]  <= fill_perm_i;
          // R1.10: that of a PTE of another level than 2 is zero, so its table keeps none.
          contig_q[t*PwcEntries+32'(filled[t])] <= (Subregions && t == 0) ? fill_contig_i : '0;
        end
        for (int unsigned e = 0; e < PwcEntries; e++) begin  // R6.6: also what is filled now
          if ((fill[t] && filled[t] == IndexW'(e)) ? fill_met : met[t*PwcEntries+e]) begin
            valid_q[t*PwcEntries+e] <= 1'b0;
          end
        end
      end
    end
  end

endmodule
