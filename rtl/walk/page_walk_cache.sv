// The page walk cache: one lookup pipeline (R6.1) in front of the organisation that PwcOrg names.
//
// A lookup is compared in its last stage with the key register, which was loaded with its walker's
// registers the cycle before; its walker is told a cycle later, from the result register (res_*).
// Dropping (R6.6) wins over moving on. A fill waits a cycle in a register before it gets its place in the
// tables, and another before it is written there.
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
  localparam int unsigned AddrW   = PaWidth - 3
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Entering lookup.
  input  logic               enter_i,
  input  logic [WalkerW-1:0] enter_walker_i,
  input  logic [Walkers-1:0] drop_i,
  // The registers of the walker that comes into the last stage next.
  output logic [WalkerW-1:0] key_walker_o,
  input  logic [VpnW-1:0]    key_vpn_i,
  input  logic [PasidW-1:0]  key_pasid_i,
  input  logic [1:0]         key_access_i,
  input  logic [2:0]         key_level_i,
  input  logic [PfnW-1:0]    key_node_i,
  input  logic [1:0]         key_perm_i,
  // The result.
  output logic               res_valid_o,
  output logic [WalkerW-1:0] res_walker_o,
  output logic               res_hit_o,
  output logic [2:0]         res_level_o,  // after the hit
  output logic [PfnW-1:0]    res_node_o,
  output logic [1:0]         res_perm_o,
  output logic [ContigW-1:0] res_contig_o,
  // Fill (R6.5): the level of the PTE, PERM through it and its own.
  input  logic               fill_valid_i,
  input  logic [2:0]         fill_level_i,
  input  logic [VpnW-1:0]    fill_vpn_i,
  input  logic [PasidW-1:0]  fill_pasid_i,
  input  logic [PfnW-1:0]    fill_parent_i,  // the node that holds the PTE
  input  logic [PfnW-1:0]    fill_node_i,
  input  logic [1:0]         fill_perm_i,
  input  logic [1:0]         fill_pte_perm_i,
  input  logic [ContigW-1:0] fill_contig_i,
  // Mark (R6.6).
  input  logic               mark_i,
  input  logic               mark_all_i,
  input  logic               mark_pasid_i,
  input  logic [PasidW-1:0]  mark_pasid_value_i
);

  logic [PwcLatency-1:0] pipe_valid_q;
  logic [WalkerW-1:0]    pipe_walker_q [PwcLatency];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pipe_valid_q <= '0;
      for (int unsigned s = 0; s < PwcLatency; s++) pipe_walker_q[s] <= '0;
    end else begin
      for (int unsigned s = 0; s < PwcLatency; s++) begin
        if (s == 0) begin
          pipe_valid_q[s] <= enter_i;
          if (enter_i) pipe_walker_q[s] <= enter_walker_i;
        end else begin
          pipe_valid_q[s] <= pipe_valid_q[s-1] && !drop_i[pipe_walker_q[s-1]];
          if (pipe_valid_q[s-1]) pipe_walker_q[s] <= pipe_walker_q[s-1];
        end
      end
    end
  end

  // ---------------------------------------------------------------- key and result (R6.1)

  localparam int unsigned Last    = PwcLatency - 1;
  localparam int unsigned Levels  = VpnW / 9;
  localparam int unsigned Entries = (PwcOrg == 0) ? (Levels - 1) * PwcEntries : PwcEntries;
  localparam int unsigned EntryW  = $clog2(Entries);

  logic               key_load;
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

  if (PwcLatency == 1) begin : gen_key_entering
    assign key_walker_o = enter_walker_i;
    assign key_load     = enter_i;
  end else begin : gen_key_moving
    assign key_walker_o = pipe_walker_q[Last-1];
    assign key_load     = pipe_valid_q[Last-1];
  end

  logic               hit;
  logic [EntryW-1:0]  hit_entry;
  logic [2:0]         hit_level;  // after the hit
  logic [PfnW-1:0]    hit_node;
  logic [1:0]         hit_perm;
  logic [ContigW-1:0] hit_contig;

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
        key_vpn_q    <= key_vpn_i;
        key_pasid_q  <= key_pasid_i;
        key_access_q <= key_access_i;
        key_level_q  <= key_level_i;
        key_node_q   <= key_node_i;
        key_perm_q   <= key_perm_i;
      end
      result_valid_q <= pipe_valid_q[Last] && !drop_i[pipe_walker_q[Last]];
      if (pipe_valid_q[Last]) begin
        result_walker_q <= pipe_walker_q[Last];
        result_hit_q    <= hit;
        if (hit) begin
          result_entry_q  <= hit_entry;
          result_level_q  <= hit_level;
          result_node_q   <= hit_node;
          result_perm_q   <= hit_perm;
          result_contig_q <= hit_contig;
        end
      end
    end
  end

  assign res_valid_o  = result_valid_q;
  assign res_walker_o = result_walker_q;
  assign res_hit_o    = result_hit_q;
  assign res_level_o  = result_level_q;
  assign res_node_o   = result_node_q;
  assign res_perm_o   = result_perm_q;
  assign res_contig_o = result_contig_q;

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
      pwc_fill_valid_q <= fill_valid_i;
      if (fill_valid_i) begin
        pwc_fill_level_q  <= fill_level_i;
        pwc_fill_vpn_q    <= fill_vpn_i;
        pwc_fill_pasid_q  <= fill_pasid_i;
        pwc_fill_parent_q <= fill_parent_i;
        pwc_fill_node_q   <= fill_node_i;
        pwc_fill_perm_q   <= (PwcOrg == 0) ? fill_perm_i : fill_pte_perm_i;
        pwc_fill_contig_q <= Subregions ? fill_contig_i : '0;
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

  assign fill_met = mark_i && (PwcOrg == 1 || mark_all_i ||
                               (mark_pasid_i && pwc_fill_pasid_q == mark_pasid_value_i));

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

  if (PwcOrg == 0) begin : gen_by_level
    logic [2:0] table_level;

    page_walk_cache_by_level #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .PwcEntries(PwcEntries),
      .Subregions(Subregions)
    ) u_table (
      .clk_i,
      .rst_ni,
      .look_valid_i (pipe_valid_q[Last]),
      .look_vpn_i   (key_vpn_q),
      .look_pasid_i (key_pasid_q),
      .look_access_i(key_access_q),
      .look_level_i (key_level_q),
      .hit_o        (hit),
      .hit_entry_o  (hit_entry),
      .hit_level_o  (table_level),
      .hit_node_o   (hit_node),
      .hit_perm_o   (hit_perm),
      .hit_contig_o (hit_contig),
      .touch_i      (result_valid_q && result_hit_q),
      .touch_entry_i(result_entry_q),
      .fill_valid_i (pwc_fill_valid_q),
      .fill_level_i (pwc_fill_level_q),
      .fill_vpn_i   (pwc_fill_vpn_q),
      .fill_pasid_i (pwc_fill_pasid_q),
      .fill_entry_o (fill_entry),
      .place_valid_i (pwc_place_valid_q),
      .place_vpn_i   (pwc_place_vpn_q),
      .place_pasid_i (pwc_place_pasid_q),
      .place_node_i  (pwc_place_node_q),
      .place_perm_i  (pwc_place_perm_q),
      .place_contig_i(pwc_place_contig_q),
      .place_entry_i (pwc_place_entry_q),
      .mark_i,
      .mark_all_i,
      .mark_pasid_i,
      .mark_pasid_value_i
    );

    assign hit_level = table_level - 3'd1;

    logic unused;
    assign unused = ^{key_node_q, key_perm_q, pwc_place_level_q, pwc_place_parent_q,
                      fill_pte_perm_i, PwcWays};
  end else begin : gen_by_address
    // R1.1: the PTE that an access of this level reads.
    function automatic logic [AddrW-1:0] address_of(logic [PfnW-1:0] node, logic [VpnW-1:0] vpn,
                                                    logic [2:0] level);
      logic [8:0] index;
      index = '0;
      for (int unsigned k = 1; k <= Levels; k++) if (level == 3'(k)) index = vpn[9*(k-1)+:9];
      return {node, index};
    endfunction

    localparam int unsigned SetBits = $clog2(PwcEntries / PwcWays);
    localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits;

    // R6.7: with one set the tables look at no index.
    logic [AddrW-1:0]         next_look_addr, next_fill_addr;
    logic [AddrW-1:0]         place_addr;
    logic [AddrW-1:SetBits]   place_tag;
    logic [1:0]               pte_perm;

    assign next_look_addr = address_of(key_node_i, key_vpn_i, key_level_i);
    assign next_fill_addr = address_of(fill_parent_i, fill_vpn_i, fill_level_i);

    assign place_addr = address_of(pwc_place_parent_q, pwc_place_vpn_q, pwc_place_level_q);
    assign place_tag  = place_addr[AddrW-1:SetBits];

    page_walk_cache_by_address #(
      .PaWidth   (PaWidth),
      .PwcEntries(PwcEntries),
      .PwcWays   (PwcWays),
      .Subregions(Subregions)
    ) u_table (
      .clk_i,
      .rst_ni,
      .next_look_set_i(next_look_addr[SetW-1:0]),
      .next_fill_set_i(next_fill_addr[SetW-1:0]),
      .look_valid_i (pipe_valid_q[Last]),
      .look_addr_i  (address_of(key_node_q, key_vpn_q, key_level_q)),
      .look_access_i(key_access_q),
      .look_perm_i  (key_perm_q),
      .hit_o        (hit),
      .hit_entry_o  (hit_entry),
      .hit_node_o   (hit_node),
      .hit_perm_o   (pte_perm),
      .hit_contig_o (hit_contig),
      .touch_i      (result_valid_q && result_hit_q),
      .touch_entry_i(result_entry_q),
      .fill_valid_i (pwc_fill_valid_q),
      .fill_addr_i  (address_of(pwc_fill_parent_q, pwc_fill_vpn_q, pwc_fill_level_q)),
      .fill_entry_o (fill_entry),
      .place_valid_i (pwc_place_valid_q),
      .place_tag_i   (place_tag),
      .place_node_i  (pwc_place_node_q),
      .place_perm_i  (pwc_place_perm_q),
      .place_contig_i(pwc_place_contig_q),
      .place_entry_i (pwc_place_entry_q),
      .mark_i
    );

    assign hit_level = key_level_q - 3'd1;
    assign hit_perm  = pte_perm & key_perm_q;

    logic unused;
    assign unused = ^{key_pasid_q, pwc_place_pasid_q, place_addr, next_look_addr, next_fill_addr,
                      fill_perm_i, mark_all_i, mark_pasid_i, mark_pasid_value_i};
  end

endmodule
