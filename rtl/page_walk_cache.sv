// The page walk cache: one lookup pipeline (R6.1) in front of the organisation that PwcOrg names.
//
// A lookup is compared in its last stage with the registers of its walker as they stand then; the
// walker is told the result in that cycle (res_*). Dropping (R6.6) wins over moving on.
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
  // The last stage asks for its walker's registers and gives the result.
  output logic               res_valid_o,
  output logic [WalkerW-1:0] res_walker_o,
  input  logic [VpnW-1:0]    key_vpn_i,
  input  logic [PasidW-1:0]  key_pasid_i,
  input  logic [1:0]         key_access_i,
  input  logic [2:0]         key_level_i,
  input  logic [AddrW-1:0]   key_addr_i,
  input  logic [1:0]         key_perm_i,
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
  input  logic [AddrW-1:0]   fill_addr_i,
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

  assign res_valid_o  = pipe_valid_q[PwcLatency-1];
  assign res_walker_o = pipe_walker_q[PwcLatency-1];

  if (PwcOrg == 0) begin : gen_by_level
    logic [2:0] hit_level;

    page_walk_cache_by_level #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .PwcEntries(PwcEntries),
      .Subregions(Subregions)
    ) u_table (
      .clk_i,
      .rst_ni,
      .look_valid_i (res_valid_o),
      .look_vpn_i   (key_vpn_i),
      .look_pasid_i (key_pasid_i),
      .look_access_i(key_access_i),
      .look_level_i (key_level_i),
      .hit_o        (res_hit_o),
      .hit_level_o  (hit_level),
      .hit_node_o   (res_node_o),
      .hit_perm_o   (res_perm_o),
      .hit_contig_o (res_contig_o),
      .fill_valid_i,
      .fill_level_i,
      .fill_vpn_i,
      .fill_pasid_i,
      .fill_node_i,
      .fill_perm_i,
      .fill_contig_i,
      .mark_i,
      .mark_all_i,
      .mark_pasid_i,
      .mark_pasid_value_i
    );

    assign res_level_o = hit_level - 3'd1;

    logic unused;
    assign unused = ^{key_addr_i, key_perm_i, fill_addr_i, fill_pte_perm_i, PwcWays};
  end else begin : gen_by_address
    logic [1:0] pte_perm;

    page_walk_cache_by_address #(
      .PaWidth   (PaWidth),
      .PwcEntries(PwcEntries),
      .PwcWays   (PwcWays),
      .Subregions(Subregions)
    ) u_table (
      .clk_i,
      .rst_ni,
      .look_valid_i (res_valid_o),
      .look_addr_i  (key_addr_i),
      .look_access_i(key_access_i),
      .look_perm_i  (key_perm_i),
      .hit_o        (res_hit_o),
      .hit_node_o   (res_node_o),
      .hit_perm_o   (pte_perm),
      .hit_contig_o (res_contig_o),
      .fill_valid_i,
      .fill_addr_i,
      .fill_node_i,
      .fill_perm_i  (fill_pte_perm_i),
      .fill_contig_i,
      .mark_i
    );

    assign res_level_o = key_level_i - 3'd1;
    assign res_perm_o  = pte_perm & key_perm_i;

    logic unused;
    assign unused = ^{key_vpn_i, key_pasid_i, fill_level_i, fill_vpn_i, fill_pasid_i, fill_perm_i,
                      mark_all_i, mark_pasid_i, mark_pasid_value_i};
  end

endmodule
