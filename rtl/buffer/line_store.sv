// The line store: the last lines from which entries of the IOMMU buffer have learnt (R9.10 to R9.14).
//
// A ring of places. The line of the scan in update is written at TAIL; if an entry has learnt from it, TAIL moves
// on. Two read ports say what an entry has learnt, by the place and the position that it keeps: one for a walker
// that looks at it, one for the answer of an entry that leaves. Of an answer CONTIG says how far its frame reaches.
//
// Contract: while STORE_OPEN=1 nobody names the place at TAIL (line_users.sv), so nobody reads what is written.
`include "lockwalk_types.svh"

module line_store
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW       = 36,
  parameter int unsigned Lines      = 16,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  parameter bit          Sizes      = 1'b0,  // there are sized PTEs (R21.19)
  localparam int unsigned LineW = $clog2(Lines),
  localparam type line_t   = `LW_LINE_T(PfnW),
  localparam type node_t   = `LW_LEARNT_NODE_T(PfnW),
  localparam type learnt_t = `LW_LEARNT_T(PfnW)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // The scan in update (R9.12); somebody learns from it; the place that TAIL becomes is named by nobody who is still
  // to be answered (R9.14).
  input  logic             scan_i,
  input  logic [2:0]       level_i,
  input  logic [1:0]       perm_i,
  input  reach_e           reach_i,
  input  line_t            line_i,
  input  logic             learns_i,
  input  logic             free_i,
  output logic [LineW-1:0] tail_o,
  output logic             open_o,
  // For a walker.
  input  logic [LineW-1:0] look_line_i,
  input  logic [2:0]       look_position_i,
  output node_t            look_o,
  // For an answer.
  input  logic [LineW-1:0] answer_line_i,
  input  logic [2:0]       answer_position_i,
  output learnt_t          answer_o
);

  logic [LineW-1:0]   store_tail_q;
  logic               store_open_q;
  logic [2:0]         stored_level_q    [Lines];
  logic [1:0]         stored_perm_q     [Lines];
  reach_e             stored_reach_q    [Lines];
  logic [5:0]         stored_links_q    [Lines];
  // Index = place x 8 + position.
  logic [PfnW-1:0]    stored_frame_q    [Lines*8];
  logic [1:0]         stored_pte_perm_q [Lines*8];
  logic [ContigW-1:0] stored_contig_q   [Lines*8];
  logic [1:0]         stored_size_q     [Lines*8];

  logic write;

  assign write  = scan_i && store_open_q;
  assign tail_o = store_tail_q;
  assign open_o = store_open_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_tail_q <= '0;
      store_open_q <= 1'b0;
      for (int unsigned l = 0; l < Lines; l++) begin
        stored_level_q[l] <= '0;
        stored_perm_q[l]  <= '0;
        stored_reach_q[l] <= ReachLine;
        stored_links_q[l] <= '0;
      end
      for (int unsigned p = 0; p < Lines * 8; p++) begin
        stored_frame_q[p]    <= '0;
        stored_pte_perm_q[p] <= '0;
        stored_contig_q[p]   <= '0;
        stored_size_q[p]     <= '0;
      end
    end else begin
      store_open_q <= free_i;
      if (learns_i) store_tail_q <= store_tail_q + LineW'(1);  // comes round by itself
      if (write) begin
        stored_level_q[store_tail_q] <= level_i;
        stored_perm_q[store_tail_q]  <= perm_i;
        stored_reach_q[store_tail_q] <= Subregions ? reach_i : ReachLine;
        stored_links_q[store_tail_q] <= (Colt != 0) ? line_i.links : '0;
        for (int unsigned j = 0; j < 8; j++) begin
          stored_frame_q[{store_tail_q, 3'(j)}]    <= line_i.frame[j];
          stored_pte_perm_q[{store_tail_q, 3'(j)}] <= line_i.verdict[j].perm;
          stored_contig_q[{store_tail_q, 3'(j)}]   <= Subregions ? line_i.contig[j] : '0;
          stored_size_q[{store_tail_q, 3'(j)}]     <= Sizes ? line_i.size[j] : '0;
        end
      end
    end
  end

  // ---------------------------------------------------------------- what an entry has learnt (R9.10, R9.11)

  assign look_o = '{
    frame:  stored_frame_q[{look_line_i, look_position_i}],
    perm:   stored_perm_q[look_line_i] & stored_pte_perm_q[{look_line_i, look_position_i}],
    contig: stored_contig_q[{look_line_i, look_position_i}]
  };

  logic [2:0]         answer_level;
  logic [1:0]         answer_size;
  logic [ContigW-1:0] reached;

  // R21.11: a sized PTE says itself how large its page is.
  assign answer_level = stored_level_q[answer_line_i];
  assign answer_size  = (Sizes && answer_level == 3'd1) ?
                        stored_size_q[{answer_line_i, answer_position_i}] :
                        2'(answer_level - 3'd1);

  always_comb begin
    reached = '0;
    if (Subregions && stored_reach_q[answer_line_i] == ReachSubregion) reached = {1'b0, 8'hff};
    if (Subregions && stored_reach_q[answer_line_i] == ReachFrame) reached = {1'b1, 8'h00};
  end

  assign answer_o = '{
    frame:  stored_frame_q[{answer_line_i, answer_position_i}],
    perm:   stored_perm_q[answer_line_i] & stored_pte_perm_q[{answer_line_i, answer_position_i}],
    size:   answer_size,
    links:  stored_links_q[answer_line_i],
    contig: reached
  };

  // Of a line's verdicts only the permissions are kept: who names a PTE has found it to be no fault.
  logic unused;
  assign unused = ^line_i;

endmodule
