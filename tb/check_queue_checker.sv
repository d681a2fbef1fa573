// Watches the queue of contiguity checks: nothing enters a full one or leaves an empty one, so it never holds more than
// its places (R16.2), and no subregion waits in it twice (R16.2).
module check_queue_checker #(
  parameter int unsigned CheckQueue = 8,
  parameter int unsigned CountW     = 4
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  push_i,
  input logic                  pop_i,
  input logic [CountW-1:0]     queue_count_q,
  input logic [CheckQueue-1:0] same
);

  depth : assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(queue_count_q) <= CheckQueue)
  else $error("R16.2: %0d jobs in the queue", queue_count_q);

  push : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !push_i || 32'(queue_count_q) < CheckQueue)
  else $error("R16.2: a job enters a full queue");

  pop : assert property (@(posedge clk_i) disable iff (!rst_ni) !pop_i || queue_count_q != '0)
  else $error("R16.3: a job leaves an empty queue");

  once : assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(same) && !(push_i && same != '0))
  else $error("R16.2: a subregion waits more than once");

endmodule

bind check_queue check_queue_checker #(
  .CheckQueue(CheckQueue),
  .CountW    (CountW)
) u_checker (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .queue_count_q,
  .same
);
