// Watches what the miss queue takes for granted: for every miss that is decided it has a place (R2.1).
module miss_queue_checker #(
  parameter int unsigned MissQueue = 16
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           push,
  input logic                           pop,
  input logic [$clog2(MissQueue+1)-1:0] miss_count_q
);

  room : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !push || pop || 32'(miss_count_q) < MissQueue)
  else $error("R2.1: a miss finds its queue full");

endmodule

bind miss_queue miss_queue_checker #(
  .MissQueue(MissQueue)
) u_checker (
  .clk_i,
  .rst_ni,
  .push,
  .pop,
  .miss_count_q
);
