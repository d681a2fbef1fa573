// An operation of the CAM on its way (R4.7): the registers of search and of update, with what a scanned
// line says that does not depend on who asks. The entries that it meets are the buffer's business.
//
// What is taken in cycle t stands in search_* in t+1 and in update_* in t+2; with no operation there, what
// stood stays, so that nothing behind it toggles.
module cam_operation
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0  // 0..2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  cam_op_e                 cam_op_i,
  input  logic [PasidW-1:0]       cam_pasid_i,
  input  logic [VpnW-1:0]         cam_vpn_i,
  input  logic [2:0]              cam_level_i,
  input  reach_e                  cam_reach_i,
  input  logic [2:0]              cam_position_i,
  input  logic                    cam_error_i,
  input  logic [1:0]              cam_perm_i,
  input  verdict_t [7:0]          cam_verdict_i,
  input  logic [7:0][PfnW-1:0]    cam_frame_i,
  input  logic [7:0][ContigW-1:0] cam_contig_i,
  input  logic [1:0][2:0]         cam_links_i,
  input  logic                    claim_valid_i,
  input  logic [2:0]              claim_level_i,
  input  reach_e                  claim_reach_i,
  input  logic [1:0]              claim_perm_i,
  output cam_op_e                 search_op_o,
  output logic [PasidW-1:0]       search_pasid_o,
  output logic [VpnW-1:0]         search_vpn_o,
  output logic [2:0]              search_level_o,
  output reach_e                  search_reach_o,
  output logic [2:0]              search_position_o,
  output logic                    search_claim_o,
  output logic [2:0]              search_claim_level_o,
  output reach_e                  search_claim_reach_o,
  output cam_op_e                 update_op_o,
  output logic [PasidW-1:0]       update_pasid_o,
  output logic [VpnW-1:0]         update_vpn_o,
  output logic [2:0]              update_level_o,
  output reach_e                  update_reach_o,
  output logic                    update_error_o,
  output logic [1:0]              update_perm_o,
  output logic                    update_claim_o,
  output logic [2:0]              update_claim_level_o,
  output reach_e                  update_claim_reach_o,
  output logic [1:0]              update_claim_perm_o,
  output logic [1:0][2:0]         update_links_o,
  output verdict_t [7:0]          update_verdict_o,
  output logic [7:0][PfnW-1:0]    update_frame_o,
  output logic [7:0][ContigW-1:0] update_contig_o
);

  // ---------------------------------------------------------------- search

  cam_op_e             search_op_q;
  logic [PasidW-1:0]   search_pasid_q;
  logic [VpnW-1:0]     search_vpn_q;
  logic [2:0]          search_level_q;
  reach_e              search_reach_q;
  logic [2:0]          search_position_q;
  logic                search_error_q;
  logic [1:0]          search_perm_q;
  logic                search_claim_q;
  logic [2:0]          search_claim_level_q;
  reach_e              search_claim_reach_q;
  logic [1:0]          search_claim_perm_q;
  logic [5:0]          search_links_q;
  logic [3:0]          search_kind_q     [8];
  logic [7:0]          search_user_q;
  logic [1:0]          search_pte_perm_q [8];
  logic [7:0]          search_leaf_q;
  logic [PfnW-1:0]     search_frame_q    [8];
  logic [ContigW-1:0]  search_contig_q   [8];

  logic take_op, take_scan;

  assign take_op    = cam_op_i != CamNone;
  assign take_scan  = cam_op_i == CamScan;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      search_op_q          <= CamNone;
      search_pasid_q       <= '0;
      search_vpn_q         <= '0;
      search_level_q       <= '0;
      search_reach_q       <= ReachLine;
      search_position_q    <= '0;
      search_error_q       <= 1'b0;
      search_perm_q        <= '0;
      search_claim_q       <= 1'b0;
      search_claim_level_q <= '0;
      search_claim_reach_q <= ReachLine;
      search_claim_perm_q  <= '0;
      search_links_q       <= '0;
      search_user_q        <= '0;
      search_leaf_q        <= '0;
      for (int unsigned j = 0; j < 8; j++) begin
        search_kind_q[j]     <= '0;
        search_pte_perm_q[j] <= '0;
        search_frame_q[j]    <= '0;
        search_contig_q[j]   <= '0;
      end
    end else begin
      search_op_q <= cam_op_i;
      if (take_op) begin
        search_pasid_q       <= cam_pasid_i;
        search_vpn_q         <= cam_vpn_i;
        search_level_q       <= cam_level_i;
        search_reach_q       <= cam_reach_i;
        search_position_q    <= cam_position_i;
        search_error_q       <= cam_error_i;
        search_perm_q        <= cam_perm_i;
        search_claim_q       <= claim_valid_i;
        search_claim_level_q <= claim_valid_i ? claim_level_i : '0;
        search_claim_reach_q <= claim_valid_i ? claim_reach_i : ReachLine;
        search_claim_perm_q  <= claim_valid_i ? claim_perm_i : '0;
        search_links_q       <= (take_scan && Colt != 0) ? cam_links_i : '0;
      end
      if (take_scan) begin
        for (int unsigned j = 0; j < 8; j++) begin
          search_kind_q[j]     <= cam_verdict_i[j].kind;
          search_user_q[j]     <= cam_verdict_i[j].user;
          search_pte_perm_q[j] <= cam_verdict_i[j].perm;
          search_leaf_q[j]     <= cam_verdict_i[j].leaf;
          search_frame_q[j]    <= cam_frame_i[j];
          search_contig_q[j]   <= Subregions ? cam_contig_i[j] : '0;
        end
      end
    end
  end

  // ---------------------------------------------------------------- update

  cam_op_e             update_op_q;
  logic [PasidW-1:0]   update_pasid_q;
  logic [VpnW-1:0]     update_vpn_q;
  logic [2:0]          update_level_q;
  reach_e              update_reach_q;
  logic                update_error_q;
  logic [1:0]          update_perm_q;
  logic                update_claim_q;
  logic [2:0]          update_claim_level_q;
  reach_e              update_claim_reach_q;
  logic [1:0]          update_claim_perm_q;
  logic [5:0]          update_links_q;
  logic [3:0]          update_kind_q     [8];
  logic [7:0]          update_user_q;
  logic [1:0]          update_pte_perm_q [8];
  logic [7:0]          update_leaf_q;
  logic [PfnW-1:0]     update_frame_q    [8];
  logic [ContigW-1:0]  update_contig_q   [8];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update_op_q          <= CamNone;
      update_pasid_q       <= '0;
      update_vpn_q         <= '0;
      update_level_q       <= '0;
      update_reach_q       <= ReachLine;
      update_error_q       <= 1'b0;
      update_perm_q        <= '0;
      update_claim_q       <= 1'b0;
      update_claim_level_q <= '0;
      update_claim_reach_q <= ReachLine;
      update_claim_perm_q  <= '0;
      update_links_q       <= '0;
      update_user_q        <= '0;
      update_leaf_q        <= '0;
      for (int unsigned j = 0; j < 8; j++) begin
        update_kind_q[j]     <= '0;
        update_pte_perm_q[j] <= '0;
        update_frame_q[j]    <= '0;
        update_contig_q[j]   <= '0;
      end
    end else begin
      update_op_q <= search_op_q;
      if (search_op_q != CamNone) begin
        update_pasid_q       <= search_pasid_q;
        update_vpn_q         <= search_vpn_q;
        update_level_q       <= search_level_q;
        update_reach_q       <= search_reach_q;
        update_error_q       <= search_error_q;
        update_perm_q        <= search_perm_q;
        update_claim_q       <= search_claim_q;
        update_claim_level_q <= search_claim_level_q;
        update_claim_reach_q <= search_claim_reach_q;
        update_claim_perm_q  <= search_claim_perm_q;
        update_links_q       <= search_links_q;
      end
      if (search_op_q == CamScan) begin
        update_user_q <= search_user_q;
        update_leaf_q <= search_leaf_q;
        for (int unsigned j = 0; j < 8; j++) begin
          update_kind_q[j]     <= search_kind_q[j];
          update_pte_perm_q[j] <= search_pte_perm_q[j];
          update_frame_q[j]    <= search_frame_q[j];
          update_contig_q[j]   <= search_contig_q[j];
        end
      end
    end
  end

  assign search_op_o          = search_op_q;
  assign search_pasid_o       = search_pasid_q;
  assign search_vpn_o         = search_vpn_q;
  assign search_level_o       = search_level_q;
  assign search_reach_o       = search_reach_q;
  assign search_position_o    = search_position_q;
  assign search_claim_o       = search_claim_q;
  assign search_claim_level_o = search_claim_level_q;
  assign search_claim_reach_o = search_claim_reach_q;
  assign update_op_o          = update_op_q;
  assign update_pasid_o       = update_pasid_q;
  assign update_vpn_o         = update_vpn_q;
  assign update_level_o       = update_level_q;
  assign update_reach_o       = update_reach_q;
  assign update_error_o       = update_error_q;
  assign update_perm_o        = update_perm_q;
  assign update_claim_o       = update_claim_q;
  assign update_claim_level_o = update_claim_level_q;
  assign update_claim_reach_o = update_claim_reach_q;
  assign update_claim_perm_o  = update_claim_perm_q;
  assign update_links_o       = update_links_q;

  for (genvar j = 0; j < 8; j++) begin : gen_line
    assign update_verdict_o[j] = '{
      kind: update_kind_q[j],
      user: update_user_q[j],
      perm: update_pte_perm_q[j],
      leaf: update_leaf_q[j]
    };
    assign update_frame_o[j]  = update_frame_q[j];
    assign update_contig_o[j] = update_contig_q[j];
  end

endmodule
