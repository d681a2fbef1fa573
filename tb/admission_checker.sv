// Watches what the admission takes for granted (R2.1, R2.2): what is decided was accepted before, what leaves the miss
// queue was a miss, and a second lookup is made in a cycle of its own, with room for it (R5.26).
//
// Who leaves the hit queue the response queue's checker watches. It keeps its own books, by what comes and goes.
module admission_checker (
  input logic clk_i,
  input logic rst_ni,
  input logic req_valid_i,
  input logic req_ready_o,
  input logic decided_miss_i,
  input logic decided_other_i,
  input logic miss_leaves_i,
  input logic second_turn_i,
  input logic hit_room_o,
  input logic second_i
);

  logic        fire, decided;
  int unsigned looked_up, misses;

  assign fire    = req_valid_i && req_ready_o;
  assign decided = decided_miss_i || decided_other_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_up <= 0;
      misses    <= 0;
    end else begin
      looked_up <= looked_up + 32'(fire) - 32'(decided);
      misses    <= misses + 32'(decided_miss_i) - 32'(miss_leaves_i);
    end
  end

  decided_once : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(decided_miss_i && decided_other_i) && (!decided || looked_up != 0))
  else $error("R2.1: decided is what was not accepted, or twice");

  miss_leaves : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !miss_leaves_i || misses != 0 || decided_miss_i)
  else $error("R2.1: a miss leaves that none was");

  second_in_turn : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !second_i || (second_turn_i && hit_room_o))
  else $error("R5.26: a second lookup out of its turn, or without room");

endmodule

bind admission admission_checker u_checker (
  .clk_i,
  .rst_ni,
  .req_valid_i,
  .req_ready_o,
  .decided_miss_i,
  .decided_other_i,
  .miss_leaves_i,
  .second_turn_i,
  .hit_room_o,
  .second_i
);
