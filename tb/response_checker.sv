// Watches the response queue: who can leave leaves, and the hit queue and the walk queue take turns (R10.5); what is
// pushed has room, and what is promised a place of the walk queue finds it (R2.2, R10.1).
module response_checker #(
  parameter int unsigned HitQueue  = 8,
  parameter int unsigned WalkQueue = 4
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           hit_push_i,
  input logic                           walk_push_i,
  input logic                           walk_promise_i,
  input logic                           rsp_ready_i,
  input logic                           out_valid_q,
  input logic [$clog2(HitQueue+1)-1:0]  hit_count_q,
  input logic [$clog2(WalkQueue+1)-1:0] walk_count_q,
  input logic                           pop_hit,
  input logic                           pop_walk
);

  // What each queue offers (R10.4).
  logic empty, hit_offers, walk_offers, free;

  assign empty       = hit_count_q == '0 && walk_count_q == '0;
  assign hit_offers  = hit_count_q != '0 || (empty && hit_push_i);
  assign walk_offers = walk_count_q != '0 || (empty && walk_push_i);
  assign free        = !out_valid_q || rsp_ready_i;

  // Who was popped last, and how many places of the walk queue are promised or taken.
  logic        walk_last;
  int unsigned walk_used;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      walk_last <= 1'b0;
      walk_used <= 0;
    end else begin
      if (pop_hit || pop_walk) walk_last <= pop_walk;
      walk_used <= walk_used + 32'(walk_promise_i) - 32'(pop_walk);
    end
  end

  leaves : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !free || !(hit_offers || walk_offers) || pop_hit || pop_walk)
  else $error("R10.5: the output register is free and nobody leaves");

  offered : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (!pop_hit || (free && hit_offers)) && (!pop_walk || (free && walk_offers)))
  else $error("R10.5: what leaves is not offered, or finds the output register full");

  turns : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(hit_offers && walk_offers && free) || (pop_hit == walk_last && pop_walk != walk_last))
  else $error("R10.5: it is the turn of the %s queue", walk_last ? "hit" : "walk");

  hit_room : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !hit_push_i || 32'(hit_count_q) < HitQueue)
  else $error("R2.2: a hit finds its queue full");

  promised : assert property (@(posedge clk_i) disable iff (!rst_ni)
      walk_used + 32'(walk_promise_i) <= WalkQueue)
  else $error("R10.1: more answers are chosen than the walk queue has places");

  kept_promise : assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(walk_count_q) + 32'(walk_push_i) <= walk_used)
  else $error("R10.7: an answer enters the walk queue that was not chosen");

endmodule

bind response_queue response_checker #(
  .HitQueue (HitQueue),
  .WalkQueue(WalkQueue)
) u_checker (
  .clk_i,
  .rst_ni,
  .hit_push_i,
  .walk_push_i,
  .walk_promise_i,
  .rsp_ready_i,
  .out_valid_q,
  .hit_count_q,
  .walk_count_q,
  .pop_hit,
  .pop_walk
);
