// The walkers of a unit with hashed tables and the lookups of their steps (chapter 21), joined as in the walk engine,
// for what is proved of every walk for all time. All that comes from the buffer, from the answer port, from control
// and from memory is free, but for what these neighbours keep: an entry is picked only where one is wanted (R5.2), an
// answer is taken only where there is one, and memory answers each line that it was asked for once, with its tag.
// What the property assumes beside that is a module bound to this one.
`include "lockwalk_types.svh"

module hashed_walks
  import lockwalk_pkg::*;
#(
  parameter int unsigned Walkers   = 1,
  parameter int unsigned SlotPages = 512,
  parameter bit          Coalesce  = 1'b1,
  localparam int unsigned VpnW    = 36,
  localparam int unsigned PaWidth = 32,
  localparam int unsigned PasidW  = 1,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned Entries = 4,
  localparam int unsigned SlotW   = $clog2(Entries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type key_t       = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t     = `LW_ROOTS_T(Pasids, PfnW),
  localparam type tables_t    = `LW_TABLES_T(Pasids, PfnW),
  localparam type mark_t      = `LW_MARK_T(PasidW),
  localparam type pick_t      = `LW_PICK_T(SlotW),
  localparam type entry_t     = `LW_ENTRY_T(VpnW, PasidW, 1, 1),
  localparam type learnt_t    = `LW_LEARNT_NODE_T(PfnW),
  localparam type cam_op_t    = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t      = `LW_LINE_T(PfnW),
  localparam type walk_t      = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type enter_t     = `LW_PWC_ENTER_T(Walkers),
  localparam type found_t     = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type step_fill_t = `LW_STEP_FILL_T(VpnW, PasidW),
  localparam type mem_req_t   = `LW_MEM_REQ_T(WalkerW, LineW),
  localparam type mem_rsp_t   = `LW_MEM_RSP_T(WalkerW),
  localparam type decision_t  = `LW_DECISION_T(SlotW),
  localparam type result_t    = `LW_RESULT_T(VpnW, PasidW, PfnW, 1, 1)
) (
  input logic      clk_i,
  input features_t features_i,
  input roots_t    roots_i,
  input tables_t   tables_i,
  input mark_t     mark_i,
  input pick_t     pick_i,
  input entry_t    read_i,
  input learnt_t   learnt_i,
  input cam_op_t   search_i,
  input cam_op_t   update_i,
  input logic      mem_req_ready_i,
  input mem_rsp_t  mem_rsp_i,
  input logic      result_taken_i,
  input logic      scan_taken_i
);

  logic               rst_ni = 1'b0;
  logic               wanted, step_look;
  decision_t          decision;
  cam_op_t            cam;
  line_t              line;
  enter_t             enter;
  logic [WalkerW-1:0] looking;
  walk_t              look;
  found_t             found;
  step_fill_t         step_fill;
  mem_req_t           mem_req;
  result_t            result, scan_result;

  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  page_walkers #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .IdW(1), .SrcW(1), .BufferEntries(Entries),
    .Walkers(Walkers), .PwcOrg(2), .Coalesce(Coalesce), .SlotPages(SlotPages)
  ) dut (
    .clk_i,
    .rst_ni,
    .features_i,
    .roots_i,
    .tables_i,
    .mark_i,
    .wanted_o       (wanted),
    .pick_i,
    .read_slot_o    (),
    .read_i,
    .learnt_i,
    .decision_o     (decision),
    .hit_room_i     (1'b0),
    .second_o       (),
    .second_end_i   ('0),
    .flight_o       (),
    .cam_o          (cam),
    .line_o         (line),
    .search_i,
    .update_i,
    .pwc_enter_o    (enter),
    .pwc_walker_i   (looking),
    .pwc_walk_o     (look),
    .told_walker_i  ('0),
    .told_look_o    (),
    .told_fill_o    (),
    .pwc_result_i   (found),
    .pwc_fill_o     (),
    .step_fill_o    (step_fill),
    .step_look_o    (step_look),
    .mem_req_o      (mem_req),
    .mem_req_ready_i,
    .mem_rsp_i,
    .check_o        (),
    .head_i         ('0),
    .head_taken_o   (),
    .head_transfer_o(),
    .head_line_o    (),
    .result_o       (result),
    .result_taken_i,
    .scan_result_o  (scan_result),
    .scan_taken_i,
    .any_stale_o    (),
    .counts_o       (),
    .hashed_counts_o()
  );

  step_lookup #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Walkers(Walkers), .PwcEntries(2),
    .PwcLatency(4), .SlotPages(SlotPages)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .features_i,
    .roots_i,
    .tables_i,
    .enter_i (enter),
    .walker_o(looking),
    .walk_i  (look),
    .result_o(found),
    .fill_i  (step_fill),
    .mark_i
  );

  logic [2**WalkerW-1:0] asked;  // lines that memory owes, by tag

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked <= '0;
    end else begin
      if (mem_rsp_i.valid) asked[mem_rsp_i.tag] <= 1'b0;
      if (mem_req.valid && mem_req_ready_i) asked[mem_req.tag] <= 1'b1;
    end
  end

  pick_wanted : assume property (@(posedge clk_i) disable iff (!rst_ni) !pick_i.valid || wanted);
  line_asked : assume property (@(posedge clk_i) disable iff (!rst_ni) !mem_rsp_i.valid || asked[mem_rsp_i.tag]);
  result_there : assume property (@(posedge clk_i) disable iff (!rst_ni) !result_taken_i || result.valid);
  scan_there : assume property (@(posedge clk_i) disable iff (!rst_ni) !scan_taken_i || scan_result.valid);

endmodule
