// The page walk cache by level (chapter 6; NHA, FS-HPT): a fully associative table for each of the
// levels 2..Levels, tagged with the virtual address.
//
// Contract: a fill of a key that is held overwrites its entry, so a table never hits twice. A lookup is
// compared in one cycle; whoever registers the hit gives its entry back for the touch in the next.
`include "lockwalk_types.svh"

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
  localparam int unsigned EntryW  = $clog2(Total),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type walk_t     = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type pwc_fill_t = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type hit_t      = `LW_PWC_HIT_T(PfnW, EntryW),
  localparam type place_t    = `LW_PWC_PLACE_T(EntryW)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              look_valid_i,
  input  walk_t             look_i,
  output hit_t              hit_o,
  input  place_t            touch_i,        // R6.4
  input  pwc_fill_t         fill_i,
  output logic [EntryW-1:0] fill_entry_o,   // its place
  input  pwc_fill_t         place_i,        // written now
  input  logic [EntryW-1:0] place_entry_i,
  input  mark_t             mark_i
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

  logic [Total-1:0]                match;
  logic [Tables-1:0]               table_hit;
  logic [Tables-1:0][IndexW-1:0]   table_entry;
  logic [Tables-1:0][PfnW-1:0]     table_node;
  logic [Tables-1:0][1:0]          table_perm;
  logic [Tables-1:0][ContigW-1:0]  table_contig;

  // Within a table at most one entry matches, so its data is an AND-OR; who wins chooses among the tables.
  always_comb begin
    match        = '0;
    table_hit    = '0;
    table_entry  = '0;
    table_node   = '0;
    table_perm   = '0;
    table_contig = '0;
    if (look_valid_i) begin
      for (int unsigned t = 0; t < Tables; t++) begin
        for (int unsigned e = 0; e < PwcEntries; e++) begin
          match[t*PwcEntries+e] = valid_q[t*PwcEntries+e] &&
                                  pasid_q[t*PwcEntries+e] == look_i.key.pasid &&
                                  tag_q[t*PwcEntries+e] == tag_of(look_i.key.vpn, t) &&
                                  grants(perm_q[t*PwcEntries+e], look_i.access);
          if (match[t*PwcEntries+e]) begin
            table_entry[t]  |= IndexW'(e);
            table_node[t]   |= node_q[t*PwcEntries+e];
            table_perm[t]   |= perm_q[t*PwcEntries+e];
            table_contig[t] |= contig_q[t*PwcEntries+e];
          end
        end
        table_hit[t] = 3'(t + 2) <= look_i.level && |match[t*PwcEntries+:PwcEntries];
      end
    end
  end

  always_comb begin
    hit_o       = '0;
    hit_o.valid = |table_hit;
    for (int t = Tables - 1; t >= 0; t--) begin
      if (table_hit[t]) begin
        hit_o.entry  = EntryW'(32'(t) * PwcEntries) + EntryW'(table_entry[t]);
        hit_o.level  = 3'(t + 1);  // after the hit
        hit_o.node   = table_node[t];
        hit_o.perm   = table_perm[t];
        hit_o.contig = table_contig[t];
      end
    end
  end

  // ---------------------------------------------------------------- fill and LRU (R6.4, R6.5)

  logic [Total-1:0] met;
  logic             place_met;

  assign place_met = `LW_MEETS(mark_i, place_i.key.pasid);

  always_comb begin
    met = '0;
    if (mark_i.valid) begin
      for (int unsigned i = 0; i < Total; i++) met[i] = `LW_MEETS(mark_i, pasid_q[i]);
    end
  end

  logic [Tables-1:0]                             touch, fill, place;
  logic [Tables-1:0][IndexW-1:0]                 filled;
  logic [IndexW-1:0]                             touched, placed;
  logic [Tables-1:0][PwcEntries-1:0][IndexW-1:0] rank, rank_touched;

  // Tables have a power of two of entries.
  assign touched = touch_i.entry[IndexW-1:0];
  assign placed  = place_entry_i[IndexW-1:0];

  always_comb begin
    fill_entry_o = '0;
    for (int unsigned t = 0; t < Tables; t++) begin
      if (fill[t]) fill_entry_o |= EntryW'(t * PwcEntries) | EntryW'(filled[t]);
    end
  end

  for (genvar t = 0; t < Tables; t++) begin : gen_table
    logic [PwcEntries-1:0] same, ahead;
    logic                  place_same;

    assign touch[t]   = touch_i.valid && 32'(touch_i.entry) / PwcEntries == t;
    assign fill[t]    = fill_i.valid && fill_i.level == 3'(t + 2);
    assign place[t]   = place_i.valid && 32'(place_entry_i) / PwcEntries == t;
    assign ahead      = place[t] ? PwcEntries'(1) << placed : '0;
    assign place_same = place_i.key.pasid == fill_i.key.pasid &&
                        tag_of(place_i.key.vpn, t) == tag_of(fill_i.key.vpn, t);

    always_comb begin
      same = '0;
      for (int unsigned e = 0; e < PwcEntries; e++) rank[t][e] = rank_q[t*PwcEntries+e];
      if (fill[t]) begin
        for (int unsigned e = 0; e < PwcEntries; e++) begin
          same[e] = ahead[e] ? place_same :
                    valid_q[t*PwcEntries+e] && pasid_q[t*PwcEntries+e] == fill_i.key.pasid &&
                    tag_q[t*PwcEntries+e] == tag_of(fill_i.key.vpn, t);
        end
      end
    end

    fill_way #(
      .Ways(PwcEntries)
    ) u_way (
      .same_i  (same),
      .valid_i (valid_q[t*PwcEntries+:PwcEntries] | ahead),
      .ahead_i (ahead),
      .rank_i  (rank[t]),
      .way_o   (filled[t])
    );

    lru_touch #(
      .Ways(PwcEntries)
    ) u_touch (
      .first_i     (touch[t]),
      .first_way_i (touched),
      .second_i    (place[t]),
      .second_way_i(placed),
      .rank_i      (rank[t]),
      .rank_o      (rank_touched[t])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned i = 0; i < Total; i++) rank_q[i] <= IndexW'(i);
    end else begin
      for (int unsigned t = 0; t < Tables; t++) begin
        if (touch[t] || place[t]) begin
          for (int unsigned e = 0; e < PwcEntries; e++) begin
            rank_q[t*PwcEntries+e] <= rank_touched[t][e];
          end
        end
        if (place[t]) valid_q[t*PwcEntries+32'(placed)] <= 1'b1;
        for (int unsigned e = 0; e < PwcEntries; e++) begin  // R6.6: also what is written now
          if ((place[t] && placed == IndexW'(e)) ? place_met : met[t*PwcEntries+e]) begin
            valid_q[t*PwcEntries+e] <= 1'b0;
          end
        end
      end
    end
  end

  // What VALID=0 makes meaningless has no reset (R0.2).
  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < Tables; t++) begin
      if (place[t]) begin
        pasid_q[t*PwcEntries+32'(placed)] <= place_i.key.pasid;
        tag_q[t*PwcEntries+32'(placed)]   <= tag_of(place_i.key.vpn, t);
        node_q[t*PwcEntries+32'(placed)]  <= place_i.node;
        perm_q[t*PwcEntries+32'(placed)]  <= place_i.perm;
        // R1.10: that of a PTE of another level than 2 is zero, so its table keeps none.
        contig_q[t*PwcEntries+32'(placed)] <= (Subregions && t == 0) ? place_i.contig : '0;
      end
    end
  end

  logic unused;
  assign unused = ^{look_i, fill_i, place_i};  // a part of each is not asked

endmodule
