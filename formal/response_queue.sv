// The response queue (R10.4, R10.5, R10.14): what is pushed leaves once, whole and in its queue's order, nothing
// overflows, a response that is held back stays as it is (R0.3), and neither queue starves the other.
//
// Assumed of those who push: the admission keeps a place of the hit queue for each hit (R2.2), and an answer is
// promised a place in the walk queue, as there is one, before it is pushed (R10.1).
`include "lockwalk_types.svh"

module response_queue_formal #(
  parameter int unsigned HitQueue  = 2,
  parameter int unsigned WalkQueue = 1,
  localparam int unsigned IdW  = 2,
  localparam int unsigned PfnW = 2,
  localparam type response_t = `LW_RESPONSE_T(IdW, PfnW)
) (
  input logic      clk_i,
  input logic      epoch_i,
  input logic      hit_push_i,
  input response_t hit_i,
  input logic      walk_promise_i,
  input logic      walk_push_i,
  input response_t walk_i,
  input logic      walk_epoch_i,
  input logic      rsp_ready_i,
  input logic      follow_hit_i,   // this push is the one that is followed
  input logic      follow_walk_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic      hit_pop, room, valid;
  response_t response;

  response_queue #(
    .IdW(IdW), .PfnW(PfnW), .HitQueue(HitQueue), .WalkQueue(WalkQueue)
  ) dut (
    .clk_i,
    .rst_ni,
    .epoch_i,
    .hit_push_i,
    .hit_i,
    .hit_pop_o  (hit_pop),
    .walk_promise_i,
    .walk_push_i,
    .walk_i,
    .walk_epoch_i,
    .walk_room_o(room),
    .rsp_valid_o(valid),
    .rsp_ready_i,
    .rsp_o      (response),
    .old_epoch_o()
  );

  logic [7:0] hits_q, promised_q;     // in the hit queue; promised and not yet pushed
  logic [7:0] inside_q;               // pushed and not yet transferred
  logic [3:0] age_q;                  // transfers since the followed one was pushed
  logic       followed_q, hit_q;      // one is followed, a hit
  response_t  data_q;
  logic [7:0] before_q;               // of its own queue, the output register included
  logic       held_q;                 // a valid response was not taken
  response_t  last_q;
  logic       out_hit_q;              // the output register's is of the hit queue
  logic       transfer, pop, follow;

  assign transfer = valid && rsp_ready_i;
  assign pop      = hit_pop || dut.pop_walk;
  assign follow   = !followed_q && ((follow_hit_i && hit_push_i) || (follow_walk_i && walk_push_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {hits_q, promised_q, inside_q, followed_q, hit_q, data_q, before_q, held_q, last_q, out_hit_q, age_q} <= '0;
    end else begin
      hits_q     <= hits_q + 8'(hit_push_i) - 8'(hit_pop);
      promised_q <= promised_q + 8'(walk_promise_i) - 8'(walk_push_i);
      inside_q   <= inside_q + 8'(hit_push_i) + 8'(walk_push_i) - 8'(transfer);
      held_q     <= valid && !rsp_ready_i;
      last_q     <= response;
      if (pop) out_hit_q <= hit_pop;
      if (follow) begin
        followed_q <= 1'b1;
        hit_q      <= follow_hit_i && hit_push_i;
        data_q     <= (follow_hit_i && hit_push_i) ? hit_i : walk_i;
        age_q      <= '0;
        // Those of its queue that leave before it, one less if one leaves in this cycle.
        if (follow_hit_i && hit_push_i) begin
          before_q <= 8'(dut.hit_count_q) + 8'(valid && out_hit_q) - 8'(transfer && out_hit_q);
        end else begin
          before_q <= 8'(dut.walk_count_q) + 8'(valid && !out_hit_q) - 8'(transfer && !out_hit_q);
        end
      end else if (followed_q && transfer) begin
        age_q <= age_q + 4'd1;
        if (out_hit_q == hit_q) begin
          if (before_q == '0) followed_q <= 1'b0;
          else before_q <= before_q - 8'd1;
        end
      end
    end
  end

  localparam int unsigned Longest = (HitQueue > WalkQueue) ? HitQueue : WalkQueue;

  hit_room : assume property (@(posedge clk_i) disable iff (!rst_ni) !hit_push_i || 32'(hits_q) < HitQueue);
  promise_room : assume property (@(posedge clk_i) disable iff (!rst_ni) !walk_promise_i || room);
  promised : assume property (@(posedge clk_i) disable iff (!rst_ni) !walk_push_i || promised_q != '0);

  queues_fit : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                32'(dut.hit_count_q) <= HitQueue && 32'(dut.walk_count_q) <= WalkQueue);
  hits_counted : assert property (@(posedge clk_i) disable iff (!rst_ni) 8'(dut.hit_count_q) == hits_q);
  // As many are inside as the queues and the output register say: none is lost, none made.
  none_lost_none_made : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                         8'(dut.hit_count_q) + 8'(dut.walk_count_q) + 8'(valid) == inside_q);
  promises_counted : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                      8'(dut.walk_used_q) == 8'(dut.walk_count_q) + promised_q);
  // The followed one comes in its turn and as it was pushed.
  in_its_turn : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                 !(followed_q && valid && out_hit_q == hit_q && before_q == '0) || response == data_q);
  held_while_not_taken : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                          !held_q || (valid && response == last_q));
  // Turns: at most two transfers for each place of the longer queue and the register.
  turns_are_taken : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                     !followed_q || 32'(age_q) <= 2 * (Longest + 1));

endmodule
