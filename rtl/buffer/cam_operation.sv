// An operation of the coalescing CAM on its way through the two stages search and update (R4.7).
//
// What is taken in cycle t stands in search_o in t+1 and in update_o in t+2, with what its line says that
// does not depend on who asks. Where no operation follows, what stood there stays, so that nothing
// behind it toggles. The entries that it meets are the buffer's business.
`include "lockwalk_types.svh"

module cam_operation
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,  // 0..2
  parameter bit          Sizes      = 1'b0,  // there are sized PTEs (R21.19)
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type cam_op_t = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t   = `LW_LINE_T(PfnW)
) (
  input  logic    clk_i,
  input  logic    rst_ni,
  input  mark_t   mark_i,         // R11.2: it ends the operation that is in search
  input  cam_op_t cam_i,
  input  line_t   line_i,         // of a scan
  output cam_op_t search_o,
  output logic    search_met_o,   // ... which ends by the mark of this cycle
  output cam_op_t update_o,
  output line_t   update_line_o
);

  // ---------------------------------------------------------------- search

  cam_op_e             search_op_q;
  logic [PasidW-1:0]   search_pasid_q;
  logic [VpnW-1:0]     search_vpn_q;
  logic [2:0]          search_level_q;
  reach_e              search_reach_q;
  logic [2:0]          search_position_q;
  logic                search_error_q;
  logic                search_failed_q;
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
  logic [1:0]          search_size_q     [8];  // R21.11

  logic take_op, take_scan;

  assign take_op    = cam_i.op != CamNone;
  assign take_scan  = cam_i.op == CamScan;

  assign search_met_o = `LW_MEETS(mark_i, search_pasid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      search_op_q          <= CamNone;
      search_pasid_q       <= '0;
      search_vpn_q         <= '0;
      search_level_q       <= '0;
      search_reach_q       <= ReachLine;
      search_position_q    <= '0;
      search_error_q       <= 1'b0;
      search_failed_q      <= 1'b0;
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
        search_size_q[j]     <= '0;
      end
    end else begin
      search_op_q <= cam_i.op;
      if (take_op) begin
        search_pasid_q       <= cam_i.key.pasid;
        search_vpn_q         <= cam_i.key.vpn;
        search_level_q       <= cam_i.level;
        search_reach_q       <= cam_i.reach;
        search_position_q    <= cam_i.position;
        search_error_q       <= cam_i.error;
        search_failed_q      <= cam_i.failed;
        search_perm_q        <= cam_i.perm;
        search_claim_q       <= cam_i.claim.valid;
        search_claim_level_q <= cam_i.claim.valid ? cam_i.claim.level : '0;
        search_claim_reach_q <= cam_i.claim.valid ? cam_i.claim.reach : ReachLine;
        search_claim_perm_q  <= cam_i.claim.valid ? cam_i.claim.perm : '0;
        search_links_q       <= (take_scan && Colt != 0) ? line_i.links : '0;
      end
      if (take_scan) begin
        for (int unsigned j = 0; j < 8; j++) begin
          search_kind_q[j]     <= line_i.verdict[j].kind;
          search_user_q[j]     <= line_i.verdict[j].user;
          search_pte_perm_q[j] <= line_i.verdict[j].perm;
          search_leaf_q[j]     <= line_i.verdict[j].leaf;
          search_frame_q[j]    <= line_i.frame[j];
          search_contig_q[j]   <= Subregions ? line_i.contig[j] : '0;
          search_size_q[j]     <= Sizes ? line_i.size[j] : '0;
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
  logic                update_failed_q;
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
  logic [1:0]          update_size_q     [8];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update_op_q          <= CamNone;
      update_pasid_q       <= '0;
      update_vpn_q         <= '0;
      update_level_q       <= '0;
      update_reach_q       <= ReachLine;
      update_error_q       <= 1'b0;
      update_failed_q      <= 1'b0;
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
        update_size_q[j]     <= '0;
      end
    end else begin
      update_op_q <= search_met_o ? CamNone : search_op_q;
      if (search_op_q != CamNone) begin
        update_pasid_q       <= search_pasid_q;
        update_vpn_q         <= search_vpn_q;
        update_level_q       <= search_level_q;
        update_reach_q       <= search_reach_q;
        update_error_q       <= search_error_q;
        update_failed_q      <= search_failed_q;
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
          update_size_q[j]     <= search_size_q[j];
        end
      end
    end
  end

  assign search_o = '{
    op:       search_op_q,
    key:      '{pasid: search_pasid_q, vpn: search_vpn_q},
    level:    search_level_q,
    reach:    search_reach_q,
    position: search_position_q,
    error:    search_error_q,
    failed:   search_failed_q,
    perm:     search_perm_q,
    claim: '{
      valid: search_claim_q,
      level: search_claim_level_q,
      reach: search_claim_reach_q,
      perm:  search_claim_perm_q
    }
  };

  // R9.4: the position has told each entry its own by now.
  assign update_o = '{
    op:       update_op_q,
    key:      '{pasid: update_pasid_q, vpn: update_vpn_q},
    level:    update_level_q,
    reach:    update_reach_q,
    position: '0,
    error:    update_error_q,
    failed:   update_failed_q,
    perm:     update_perm_q,
    claim: '{
      valid: update_claim_q,
      level: update_claim_level_q,
      reach: update_claim_reach_q,
      perm:  update_claim_perm_q
    }
  };

  assign update_line_o.links = update_links_q;

  for (genvar j = 0; j < 8; j++) begin : gen_line
    assign update_line_o.verdict[j] = '{
      kind: update_kind_q[j],
      user: update_user_q[j],
      perm: update_pte_perm_q[j],
      leaf: update_leaf_q[j]
    };
    assign update_line_o.frame[j]  = update_frame_q[j];
    assign update_line_o.contig[j] = update_contig_q[j];
    assign update_line_o.size[j]   = update_size_q[j];
  end

endmodule
