// Watches what the page walkers take for granted: an entry is picked where one is wanted (R5.2), one walker at most
// is given one in a cycle, and who is IDLE asks for nothing (R5.22); a lookup of the page walk cache ends for a
// walker that waits for it (R6.1); an answer that is taken is there (R10.1, R10.13); and memory is asked with no tag
// whose line has not come yet (R8.1, R16.6).
module walker_events_checker #(
  parameter int unsigned Walkers = 8,
  parameter int unsigned MemTagW = 3
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               picked,
  input logic               wanted,
  input logic [Walkers-1:0] idle,
  input logic [Walkers-1:0] asking,
  input logic               found,
  input logic               found_awaited,
  input logic               result_taken,
  input logic               result_valid,
  input logic               scan_taken,
  input logic               scan_valid,
  input logic               asks,
  input logic [MemTagW-1:0] asked_tag,
  input logic               comes,
  input logic [MemTagW-1:0] come_tag
);

  logic [Walkers-1:0]    idle_q;
  logic [2**MemTagW-1:0] awaited_q;  // lines, by tag

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q    <= '1;
      awaited_q <= '0;
    end else begin
      idle_q <= idle;
      if (comes) awaited_q[come_tag] <= 1'b0;
      if (asks) awaited_q[asked_tag] <= 1'b1;
    end
  end

  pick_wanted : assert property (@(posedge clk_i) disable iff (!rst_ni) !picked || wanted)
  else $error("R5.2: an entry is picked that nobody wants");

  one_begins : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(idle_q & ~idle))
  else $error("R5.22: the walkers %b are given an entry at once", idle_q & ~idle);

  idle_is_silent : assert property (@(posedge clk_i) disable iff (!rst_ni) (idle & asking) == '0)
  else $error("R5.22: the walkers %b ask for something and are IDLE", idle & asking);

  lookup_awaited : assert property (@(posedge clk_i) disable iff (!rst_ni) !found || found_awaited)
  else $error("R6.1: a lookup ends for a walker that does not wait for it");

  answer_there : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (!result_taken || result_valid) && (!scan_taken || scan_valid))
  else $error("R10.1, R10.13: an answer is taken that is not there");

  tag_free : assert property (@(posedge clk_i) disable iff (!rst_ni) !asks || !awaited_q[asked_tag])
  else $error("R8.1, R16.6: memory is asked with the tag %0d, whose line has not come", asked_tag);

endmodule

bind page_walkers walker_events_checker #(
  .Walkers(Walkers),
  .MemTagW(MemTagW)
) u_events_checker (
  .clk_i,
  .rst_ni,
  .picked       (pick_i.valid),
  .wanted       (wanted_o),
  .idle         (in_q.idle),
  .asking       (in_q.pwc_req | in_q.cam | in_q.req | in_q.resp),
  .found        (pwc_result_i.valid),
  .found_awaited(state_q[pwc_result_i.walker] == lockwalk_pkg::WalkerPwcWait),
  .result_taken (result_taken_i),
  .result_valid (result_o.valid),
  .scan_taken   (scan_taken_i),
  .scan_valid   (scan_result_o.valid),
  .asks         (mem_req_o.valid && mem_req_ready_i),
  .asked_tag    (mem_req_o.tag),
  .comes        (mem_rsp_i.valid),
  .come_tag     (mem_rsp_i.tag)
);
