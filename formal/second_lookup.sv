// Second lookups (R5.26, R5.28): for a walker in READ its entry is in the ask register or in the read register, or its
// lookup is in the TLB's pipeline, and never two of these, so that nobody waits there for ever. A second hit leads to
// IDLE and frees the slot that the walker has taken, a second miss leads to CAM; and no request is accepted in a cycle
// with READ_VALID=1 and READ_FIRST=1 (R2.4).
//
// Walkers, admission and the TLB's pipeline are the RTL's. What the buffer, memory, the page walk cache, marks and
// control say is free, and so is what a lookup finds; but an entry is picked only where one is wanted (R5.2), an answer
// is taken only where there is one, and a result of the page walk cache comes only to who waits for one.
`include "lockwalk_types.svh"

module second_lookup_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned Walkers = 2,
  parameter int unsigned Stages  = 3,
  localparam int unsigned VpnW    = 36,
  localparam int unsigned PaWidth = 32,
  localparam int unsigned PasidW  = 1,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned Entries = 4,
  localparam int unsigned SlotW   = $clog2(Entries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type key_t      = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t    = `LW_ROOTS_T(Pasids, PfnW),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type pick_t     = `LW_PICK_T(SlotW),
  localparam type entry_t    = `LW_ENTRY_T(VpnW, PasidW, 1, 1),
  localparam type learnt_t   = `LW_LEARNT_NODE_T(PfnW),
  localparam type cam_op_t   = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type found_t    = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type mem_rsp_t  = `LW_MEM_RSP_T(WalkerW),
  localparam type decision_t = `LW_DECISION_T(SlotW),
  localparam type result_t   = `LW_RESULT_T(VpnW, PasidW, PfnW, 1, 1),
  localparam type request_t  = `LW_REQUEST_T(1, 1),
  localparam type second_t   = `LW_SECOND_T(1, 1, WalkerW),
  localparam type end_t      = `LW_SECOND_END_T(WalkerW),
  localparam type decided_t  = `LW_DECIDED_T(1, 1, PfnW),
  localparam type hit_t      = `LW_TLB_FOUND_T(1, 3, PfnW)
) (
  input logic      clk_i,
  input features_t features_i,
  input roots_t    roots_i,
  input mark_t     mark_i,
  input pick_t     pick_i,
  input entry_t    read_i,
  input learnt_t   learnt_i,
  input cam_op_t   search_i,
  input cam_op_t   update_i,
  input found_t    found_i,
  input logic      mem_req_ready_i,
  input mem_rsp_t  mem_rsp_i,
  input logic      result_taken_i,
  input logic      scan_taken_i,
  input logic      req_valid_i,
  input request_t  req_i,
  input hit_t      hit_i,
  input logic      miss_leaves_i,
  input logic      hit_pop_i
);

  logic               rst_ni = 1'b0;
  logic               wanted, req_ready, hit_room, bad_page, bad_pasid, of_walker;
  decision_t          decision;
  second_t            second;
  end_t               second_end;
  decided_t           decided;
  result_t            result, scan_result;
  logic [Stages-1:0]  stage_valid;
  request_t           stage [Stages];
  logic [WalkerW-1:0] stage_walker;

  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  page_walkers #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .IdW(1), .SrcW(1), .BufferEntries(Entries),
    .Walkers(Walkers), .SecondLookup(1'b1)
  ) u_walkers (
    .clk_i,
    .rst_ni,
    .features_i,
    .roots_i,
    .tables_i       ('0),
    .mark_i,
    .wanted_o       (wanted),
    .pick_i,
    .read_slot_o    (),
    .read_i,
    .learnt_i,
    .decision_o     (decision),
    .hit_room_i     (hit_room),
    .second_o       (second),
    .second_end_i   (second_end),
    .flight_o       (),
    .cam_o          (),
    .line_o         (),
    .search_i,
    .update_i,
    .pwc_enter_o    (),
    .pwc_walker_i   ('0),
    .pwc_walk_o     (),
    .told_walker_i  ('0),
    .told_look_o    (),
    .told_fill_o    (),
    .pwc_result_i   (found_i),
    .pwc_fill_o     (),
    .step_fill_o    (),
    .step_look_o    (),
    .mem_req_o      (),
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

  admission #(
    .HitQueue(1), .MissQueue(2)
  ) u_admission (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o    (req_ready),
    .decided_miss_i (decided.miss),
    .decided_other_i(decided.valid && !decided.miss),
    .miss_leaves_i,
    .hit_pop_i,
    .second_turn_i  (second.turn),
    .hit_room_o     (hit_room),
    .second_i       (second.valid),
    .second_miss_i  (second_end.miss)
  );

  tlb_pipe #(
    .VpnW(VpnW), .PasidW(PasidW), .IdW(1), .SrcW(1), .Stages(Stages), .SetBits(0),
    .WalkerW(WalkerW), .SecondLookup(1'b1)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .req_fire_i     (req_valid_i && req_ready),
    .req_i,
    .second_i       (second),
    .root_valid_i   (roots_i.valid),
    .valid_o        (stage_valid),
    .request_o      (stage),
    .range_at_o     (),
    .page_at_o      (),
    .page_range_at_o(),
    .bad_page_o     (bad_page),
    .bad_pasid_o    (bad_pasid),
    .second_o       (of_walker),
    .walker_o       (stage_walker)
  );

  tlb_decide #(
    .PfnW(PfnW), .IdW(1), .SrcW(1), .WayW(1), .WalkerW(WalkerW)
  ) u_decide (
    .colt_enable_i(1'b0),
    .valid_i      (stage_valid[Stages-1]),
    .second_i     (of_walker),
    .walker_i     (stage_walker),
    .request_i    (stage[Stages-1]),
    .bad_page_i   (bad_page),
    .bad_pasid_i  (bad_pasid),
    .found_i      (hit_i),
    .range_i      (1'b0),
    .decided_o    (decided),
    .second_o     (second_end)
  );

  // Where each walker that is in READ waits.
  logic [Walkers-1:0] reading, astray;
  logic [7:0]         places;

  always_comb begin
    for (int unsigned w = 0; w < Walkers; w++) begin
      places = 8'(u_walkers.u_reader.ask_valid_q && 32'(u_walkers.u_reader.ask_walker_q) == w) +
               8'(u_walkers.u_reader.read_valid_q && 32'(u_walkers.u_reader.read_walker_q) == w);
      for (int unsigned s = 0; s < Stages; s++) begin
        places += 8'(u_pipe.pipe_valid_q[s] && u_pipe.pipe_second_q[s] && 32'(u_pipe.pipe_walker_q[s]) == w);
      end
      reading[w] = u_walkers.state_q[w] == WalkerRead;
      astray[w]  = places != 8'(reading[w]);
    end
  end

  // How the walker's lookup was decided in the cycle before; the slot that it had taken.
  end_t             ended_q;
  logic [SlotW-1:0] slot_q [Walkers];
  logic             misled;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q <= '0;
      for (int unsigned w = 0; w < Walkers; w++) slot_q[w] <= '0;
    end else begin
      ended_q <= second_end;
      if (second.valid) slot_q[second.walker] <= decision.slot;
    end
  end

  assign misled = (ended_q.hit && u_walkers.state_q[ended_q.walker] != WalkerIdle) ||
                  (ended_q.miss && u_walkers.state_q[ended_q.walker] != WalkerCam) ||
                  decision.hit != second_end.hit ||
                  (decision.hit && decision.hit_slot != slot_q[second_end.walker]);

  pick_wanted : assume property (@(posedge clk_i) disable iff (!rst_ni) !pick_i.valid || wanted);
  result_there : assume property (@(posedge clk_i) disable iff (!rst_ni) !result_taken_i || result.valid);
  scan_there : assume property (@(posedge clk_i) disable iff (!rst_ni) !scan_taken_i || scan_result.valid);
  lookup_awaited : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !found_i.valid || u_walkers.state_q[found_i.walker] == WalkerPwcWait);

  none_astray : assert property (@(posedge clk_i) disable iff (!rst_ni) astray == '0);
  nobody_misled : assert property (@(posedge clk_i) disable iff (!rst_ni) !misled);
  no_request_in_its_turn : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                            !(req_valid_i && req_ready &&
                                              u_walkers.u_reader.read_valid_q &&
                                              u_walkers.u_reader.read_first_q));

endmodule
