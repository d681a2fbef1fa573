// An answer OK comes from a line that carries the tag of the PASID and the region asked for, or from the PASID's own
// victim buffer (R20.26): the answers of walks, and what the scan of a walk tells the entries of the buffer.
//
// One PASID, any, has hashed tables for good, and one of its regions is watched; memory says what hashed_memory.sv
// allows. Control may write frames within their areas and logarithms within their ranges (R20.11), other registers
// anyhow, at any time; the other PASID may have tables of either kind, but keeps to one. Of the buffer is assumed that
// an entry of a hashed PASID has learnt of no node (R21.12), so that PL is zero. The id of an entry tells, which the
// walkers do not know, whether it is for the watched region.
//
// A line is looked at in the line register, where it stands as it came (R8.3).
`include "lockwalk_types.svh"

module own_tag_walk
  import lockwalk_pkg::*;
#(
  parameter int unsigned TagW      = 1,
  parameter int unsigned SlotPages = 512,
  localparam int unsigned RegionLsb = $clog2(SlotPages),
  localparam int unsigned RegionW   = 36 - RegionLsb,
  localparam type key_t     = `LW_KEY_T(36, 1),
  localparam type roots_t   = `LW_ROOTS_T(2, 20),
  localparam type tables_t  = `LW_TABLES_T(2, 20),
  localparam type entry_t   = `LW_ENTRY_T(36, 1, 1, 1),
  localparam type cam_op_t  = `LW_CAM_OP_T(36, 1),
  localparam type line_t    = `LW_LINE_T(20),
  localparam type mem_req_t = `LW_MEM_REQ_T(TagW, 26),
  localparam type mem_rsp_t = `LW_MEM_RSP_T(TagW),
  localparam type result_t  = `LW_RESULT_T(36, 1, 20, 1, 1)
) (
  input logic     clk_i,
  input logic     rst_ni,
  input roots_t   roots_i,
  input tables_t  tables_i,
  input entry_t   read_i,
  input logic     mem_req_ready_i,
  input mem_req_t mem_req_o,
  input mem_rsp_t line,
  input cam_op_t  cam_o,
  input line_t    line_o,
  input result_t  result_o,
  input result_t  scan_result_o
);

  localparam int unsigned TableLogMost = (SlotPages == 8) ? 24 : 18;

  logic [1:0]         hashed_q;  // by PASID
  logic               pasid_q;   // whose region is watched
  logic [RegionW-1:0] region_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hashed_q <= tables_i.hashed;
      pasid_q  <= read_i.key.pasid;
      region_q <= read_i.key.vpn[35:RegionLsb];
    end
  end

  hashed_memory #(
    .TagW(TagW), .SlotPages(SlotPages)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .pasid_i     (pasid_q),
    .region_i    (region_q),
    .asked_i     (mem_req_o.valid && mem_req_ready_i),
    .asked_tag_i (mem_req_o.tag),
    .asked_line_i(mem_req_o.line),
    .comes_i     (line.valid),
    .comes_tag_i (line.tag),
    .comes_data_i(line.data)
  );

  for (genvar p = 0; p < 2; p++) begin : gen_tables
    roots_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                     roots_i.frame[p][19:18] == (hashed_q[p] ? 2'b00 : 2'(2 + p)));
    steps_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                     tables_i.step_frame[p][19:18] == 2'b01 && 32'(tables_i.step_log[p]) <= 24);
    victims_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                     tables_i.victim_frame[p][19:18] == 2'(2 + p) &&
                     32'(tables_i.table_log[p]) <= TableLogMost);
  end

  hashed_for_good : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   tables_i.hashed == hashed_q && hashed_q[pasid_q]);
  no_node_learnt : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !hashed_q[read_i.key.pasid] || read_i.pl == 3'd0);

  function automatic logic watched(key_t key);
    return key.pasid == pasid_q && key.vpn[35:RegionLsb] == region_q;
  endfunction

  logic [7:0] right;  // PTEs that a scan tells of

  for (genvar j = 0; j < 8; j++) begin : gen_right
    assign right[j] = line_o.frame[j][19:18] == {1'b1, pasid_q};
  end

  id_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) read_i.id == watched(read_i.key));

  walk_answer_of_its_own : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                            !(result_o.valid && result_o.id && result_o.kind == KindOk) ||
                                            result_o.base[19:18] == {1'b1, pasid_q});
  scan_answer_of_its_own : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                            !(scan_result_o.valid && scan_result_o.id &&
                                             scan_result_o.kind == KindOk) ||
                                            scan_result_o.base[19:18] == {1'b1, pasid_q});
  scan_told_of_its_own : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                          !(cam_o.op == CamScan && watched(cam_o.key) && !cam_o.error) ||
                                          (cam_o.level == 3'd1 && &right));

endmodule

bind page_walkers own_tag_walk #(.TagW(MemTagW), .SlotPages(SlotPages)) u_property (.*);
