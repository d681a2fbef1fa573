// The page walk cache (PWC): upper-level page-table entries that walks have read, so that others start
// below them (chapter 6). One lookup pipeline (R6.1) stands before the organisation that PwcOrg names.
//
// A lookup is compared in its last stage with the key register, which was loaded with its walker's
// registers the cycle before; its walker is told a cycle later, from the result register. A fill waits a
// cycle in the fill register before it gets its place in the tables, and another in the place register
// before it is written there; a mark ends one that it meets on its way (R6.6, R6.12), and no lookup.
`include "lockwalk_types.svh"

module page_walk_cache
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter int unsigned PwcOrg     = 0,
  parameter int unsigned PwcEntries = 32,
  parameter int unsigned PwcWays    = 8,
  parameter int unsigned PwcLatency = 2,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned AddrW   = PaWidth - 3,
  localparam int unsigned Levels  = VpnW / 9,
  localparam int unsigned Entries = (PwcOrg == 0) ? (Levels - 1) * PwcEntries : PwcEntries,
  localparam int unsigned EntryW  = $clog2(Entries),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type walk_t     = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type enter_t    = `LW_PWC_ENTER_T(Walkers),
  localparam type found_t    = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type pwc_fill_t = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type hit_t      = `LW_PWC_HIT_T(PfnW, EntryW),
  localparam type place_t    = `LW_PWC_PLACE_T(EntryW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  enter_t             enter_i,
  // The walk of the walker that comes into the last stage next.
  output logic [WalkerW-1:0] walker_o,
  input  walk_t              walk_i,
  // R6.7: the walker, one-hot, that comes there a cycle later, and the index of its PTE; that of the next fill.
  output logic [Walkers-1:0] told_walker_o,
  input  logic [8:0]         told_look_i,
  input  logic [8:0]         told_fill_i,
  output found_t             result_o,
  input  pwc_fill_t          fill_i,    // R6.5
  input  mark_t              mark_i     // R6.6
);

  localparam int unsigned Last = PwcLatency - 1;

  logic               pipe_valid  [PwcLatency];  // the stages, the first one lowest
  logic [WalkerW-1:0] pipe_walker [PwcLatency];
  logic               key_load;

  lookup_pipe #(
    .Walkers(Walkers),
    .Stages (PwcLatency),
    .Compare(Last)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .enter_i,
    .valid_o        (pipe_valid),
    .walker_o       (pipe_walker),
    .coming_valid_o (key_load),
    .coming_walker_o(walker_o)
  );

  // ---------------------------------------------------------------- key and result (R6.1)

  logic [VpnW-1:0]    key_vpn_q;
  logic [PasidW-1:0]  key_pasid_q;
  logic [1:0]         key_access_q;
  logic [2:0]         key_level_q;
  logic [PfnW-1:0]    key_node_q;
  logic [1:0]         key_perm_q;
  logic               result_valid_q;
  logic [WalkerW-1:0] result_walker_q;
  logic               result_hit_q;
  logic [EntryW-1:0]  result_entry_q;
  logic [2:0]         result_level_q;
  logic [PfnW-1:0]    result_node_q;
  logic [1:0]         result_perm_q;
  logic [ContigW-1:0] result_contig_q;

  if (PwcLatency <= 2) begin : gen_told_entering
    assign told_walker_o = enter_i.walker;
  end else begin : gen_told_moving
    assign told_walker_o = Walkers'(1) << pipe_walker[Last-2];
  end

  hit_t hit;  // of the lookup in the last stage

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_vpn_q       <= '0;
      key_pasid_q     <= '0;
      key_access_q    <= '0;
      key_level_q     <= '0;
      key_node_q      <= '0;
      key_perm_q      <= '0;
      result_valid_q  <= 1'b0;
      result_walker_q <= '0;
      result_hit_q    <= 1'b0;
      result_entry_q  <= '0;
      result_level_q  <= '0;
      result_node_q   <= '0;
      result_perm_q   <= '0;
      result_contig_q <= '0;
    end else begin
      if (key_load) begin
        key_vpn_q    <= walk_i.key.vpn;
        key_pasid_q  <= walk_i.key.pasid;
        key_access_q <= walk_i.access;
        key_level_q  <= walk_i.level;
        key_node_q   <= walk_i.node;
        key_perm_q   <= walk_i.perm;
      end
      result_valid_q <= pipe_valid[Last];
      if (pipe_valid[Last]) begin
        result_walker_q <= pipe_walker[Last];
        result_hit_q    <= hit.valid;
        if (hit.valid) begin
          result_entry_q  <= hit.entry;
          result_level_q  <= hit.level;
          result_node_q   <= hit.node;
          result_perm_q   <= hit.perm;
          result_contig_q <= hit.contig;
        end
      end
    end
  end

  assign result_o = '{
    valid:  result_valid_q,
    walker: result_walker_q,
    hit:    result_hit_q,
    level:  result_level_q,
    node:   result_node_q,
    perm:   result_perm_q,
    contig: result_contig_q,
    hashed: '0
  };

  // ---------------------------------------------------------------- the fill register (R6.5)

  logic               pwc_fill_valid_q;
  logic [2:0]         pwc_fill_level_q;
  logic [VpnW-1:0]    pwc_fill_vpn_q;
  logic [PasidW-1:0]  pwc_fill_pasid_q;
  logic [PfnW-1:0]    pwc_fill_parent_q;
  logic [PfnW-1:0]    pwc_fill_node_q;
  logic [1:0]         pwc_fill_perm_q;
  logic [ContigW-1:0] pwc_fill_contig_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pwc_fill_valid_q  <= 1'b0;
      pwc_fill_level_q  <= '0;
      pwc_fill_vpn_q    <= '0;
      pwc_fill_pasid_q  <= '0;
      pwc_fill_parent_q <= '0;
      pwc_fill_node_q   <= '0;
      pwc_fill_perm_q   <= '0;
      pwc_fill_contig_q <= '0;
    end else begin
      pwc_fill_valid_q <= fill_i.valid;
      if (fill_i.valid) begin
        pwc_fill_level_q  <= fill_i.level;
        pwc_fill_vpn_q    <= fill_i.key.vpn;
        pwc_fill_pasid_q  <= fill_i.key.pasid;
        pwc_fill_parent_q <= fill_i.parent;
        pwc_fill_node_q   <= fill_i.node;
        pwc_fill_perm_q   <= (PwcOrg == 0) ? fill_i.perm : fill_i.pte_perm;
        pwc_fill_contig_q <= Subregions ? fill_i.contig : '0;
      end
    end
  end

  // ---------------------------------------------------------------- the place register (R6.5)

  logic               pwc_place_valid_q;
  logic [2:0]         pwc_place_level_q;
  logic [VpnW-1:0]    pwc_place_vpn_q;
  logic [PasidW-1:0]  pwc_place_pasid_q;
  logic [PfnW-1:0]    pwc_place_parent_q;
  logic [PfnW-1:0]    pwc_place_node_q;
  logic [1:0]         pwc_place_perm_q;
  logic [ContigW-1:0] pwc_place_contig_q;
  logic [EntryW-1:0]  pwc_place_entry_q;
  logic [EntryW-1:0]  fill_entry;
  logic               fill_met;

  assign fill_met = (PwcOrg == 1) ? mark_i.valid : `LW_MEETS(mark_i, pwc_fill_pasid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pwc_place_valid_q  <= 1'b0;
      pwc_place_level_q  <= '0;
      pwc_place_vpn_q    <= '0;
      pwc_place_pasid_q  <= '0;
      pwc_place_parent_q <= '0;
      pwc_place_node_q   <= '0;
      pwc_place_perm_q   <= '0;
      pwc_place_contig_q <= '0;
      pwc_place_entry_q  <= '0;
    end else begin
      pwc_place_valid_q <= pwc_fill_valid_q && !fill_met;
      if (pwc_fill_valid_q) begin
        pwc_place_level_q  <= pwc_fill_level_q;
        pwc_place_vpn_q    <= pwc_fill_vpn_q;
        pwc_place_pasid_q  <= pwc_fill_pasid_q;
        pwc_place_parent_q <= pwc_fill_parent_q;
        pwc_place_node_q   <= pwc_fill_node_q;
        pwc_place_perm_q   <= pwc_fill_perm_q;
        pwc_place_contig_q <= pwc_fill_contig_q;
        pwc_place_entry_q  <= fill_entry;
      end
    end
  end

  // ---------------------------------------------------------------- the tables

  walk_t     key;
  place_t    touch;  // R6.4
  pwc_fill_t fill, place;

  assign key = '{key: '{pasid: key_pasid_q, vpn: key_vpn_q}, access: key_access_q,
                 level: key_level_q, node: key_node_q, perm: key_perm_q, contig: '0, hashed: '0};

  assign touch = '{valid: result_valid_q && result_hit_q, entry: result_entry_q};

  // Of both permissions only the one that the tables keep is here.
  assign fill = '{valid: pwc_fill_valid_q, level: pwc_fill_level_q,
                  key: '{pasid: pwc_fill_pasid_q, vpn: pwc_fill_vpn_q}, parent: pwc_fill_parent_q,
                  node: pwc_fill_node_q, perm: pwc_fill_perm_q, pte_perm: pwc_fill_perm_q,
                  contig: pwc_fill_contig_q};

  assign place = '{valid: pwc_place_valid_q, level: pwc_place_level_q,
                   key: '{pasid: pwc_place_pasid_q, vpn: pwc_place_vpn_q},
                   parent: pwc_place_parent_q, node: pwc_place_node_q, perm: pwc_place_perm_q,
                   pte_perm: pwc_place_perm_q, contig: pwc_place_contig_q};

  // A lookup leaves CONTIG behind: a hit brings that of its entry (R6.2, R6.3). Tables by level are told nothing.
  logic unused;
  assign unused = ^{walk_i.contig, walk_i.hashed, told_look_i, told_fill_i};

  if (PwcOrg == 0) begin : gen_by_level
    page_walk_cache_by_level #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .PwcEntries(PwcEntries),
      .Subregions(Subregions)
    ) u_table (
      .clk_i,
      .rst_ni,
      .look_valid_i (pipe_valid[Last]),
      .look_i       (key),
      .hit_o        (hit),
      .touch_i      (touch),
      .fill_i       (fill),
      .fill_entry_o (fill_entry),
      .place_i      (place),
      .place_entry_i(pwc_place_entry_q),
      .mark_i
    );
  end else begin : gen_by_address
    // R1.1: the PTE that an access of this level reads.
    function automatic logic [8:0] index_of(logic [VpnW-1:0] vpn, logic [2:0] level);
      logic [8:0] index;
      index = '0;
      for (int unsigned k = 1; k <= Levels; k++) if (level == 3'(k)) index = vpn[9*(k-1)+:9];
      return index;
    endfunction

    localparam int unsigned SetBits = $clog2(PwcEntries / PwcWays);
    localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits;

    // R6.7: a set is never more than the index of a PTE; with one set the tables look at none of it.
    localparam int unsigned LookAhead = (PwcLatency == 1) ? 1 : 2;
    logic [8:0]             told_look;
    logic [AddrW-1:0]       place_addr;
    logic [AddrW-1:SetBits] place_tag;
    hit_t                   table_hit;

    if (LookAhead == 1) begin : gen_told_key
      assign told_look = index_of(walk_i.key.vpn, walk_i.level);
    end else begin : gen_told_walk
      assign told_look = told_look_i;
    end
    assign place_addr = {place.parent, index_of(place.key.vpn, place.level)};
    assign place_tag  = place_addr[AddrW-1:SetBits];

    page_walk_cache_by_address #(
      .PaWidth   (PaWidth),
      .PwcEntries(PwcEntries),
      .PwcWays   (PwcWays),
      .Subregions(Subregions),
      .LookAhead (LookAhead)
    ) u_table (
      .clk_i,
      .rst_ni,
      .told_look_set_i(told_look[SetW-1:0]),
      .told_fill_set_i(told_fill_i[SetW-1:0]),
      .look_valid_i   (pipe_valid[Last]),
      .look_addr_i    ({key.node, index_of(key.key.vpn, key.level)}),
      .look_access_i  (key.access),
      .look_perm_i    (key.perm),
      .hit_o          (table_hit),
      .touch_i        (touch),
      .fill_valid_i   (fill.valid),
      .fill_addr_i    ({fill.parent, index_of(fill.key.vpn, fill.level)}),
      .fill_entry_o   (fill_entry),
      .place_valid_i  (place.valid),
      .place_tag_i    (place_tag),
      .place_node_i   (place.node),
      .place_perm_i   (place.perm),
      .place_contig_i (place.contig),
      .place_entry_i  (pwc_place_entry_q),
      .mark_i         (mark_i.valid)
    );

    always_comb begin  // R6.3
      hit       = table_hit;
      hit.level = key.level - 3'd1;
      hit.perm  = table_hit.perm & key.perm;
    end

    // An address is the only key, of which the tables are told the set ahead (R6.7).
    logic unused_address;
    assign unused_address = ^{key.contig, key.hashed, fill, place, place_addr, told_look};
  end

endmodule
