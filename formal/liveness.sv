// Bounded liveness: with memory and requester always ready, lines a cycle after they are asked for, and nobody else in
// the unit, a request is accepted at once and answered within Limit cycles. Roots, features and tables are free, and
// so is what earlier requests have left in the tables of the unit.
module liveness #(
  parameter int unsigned Limit = 40,
  parameter int unsigned TagW  = 1
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               req_valid_i,
  input logic               req_ready,
  input logic [3:0]         in_flight,
  input logic               rsp_ready_i,
  input logic               mem_req_ready_i,
  input logic               mem_rsp_valid_i,
  input logic [2**TagW-1:0] asked,
  input logic               inv_valid_i
);

  logic [7:0] age_q;  // of the request that is in flight

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) age_q <= '0;
    else age_q <= (in_flight == '0) ? '0 : age_q + 8'd1;
  end

  always_ready : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   rsp_ready_i && mem_req_ready_i && !inv_valid_i);
  lines_at_once : assume property (@(posedge clk_i) disable iff (!rst_ni) mem_rsp_valid_i == (asked != '0));
  alone : assume property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i || in_flight == '0);

  // Who is never accepted does not wait for an answer.
  accepted : assert property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i || req_ready);
  answered_in_time : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(age_q) < Limit);

endmodule

bind unit liveness #(.TagW(TagW)) u_property (.*);
