// The order of the walkers (R5.22): of any set of walkers at work exactly one is the oldest, none of it is ahead of
// it, and who is ahead of whom never inverts.
//
// Beside the masks stands a model that knows of two walkers, any two, which of them was given its entry first. Assumed
// is what page_walkers keeps to: one walker at most is given an entry in a cycle, and was IDLE; who is IDLE and is
// given none stays so, and asks for nothing.
module walker_order_formal #(
  parameter int unsigned Walkers = 4,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers)
) (
  input logic               clk_i,
  input logic [Walkers-1:0] picked_i,
  input logic [Walkers-1:0] leaves_i,  // of those at work
  input logic [Walkers-1:0] set_i,     // any
  input logic [WalkerW-1:0] a_i,       // any two walkers
  input logic [WalkerW-1:0] b_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Walkers-1:0] work_q, work_d, asking, pwc, req;  // the last two one-hot
  logic [WalkerW-1:0] cam, resp;

  assign work_d = (work_q | picked_i) & ~leaves_i;
  assign asking = set_i & work_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) work_q <= '0;
    else work_q <= work_d;
  end

  walker_order #(
    .Walkers(Walkers)
  ) dut (
    .clk_i,
    .rst_ni,
    .in_i  ('{idle: ~work_q, default: asking}),
    .cam_o (cam),
    .pwc_o (pwc),
    .req_o (req),
    .resp_o(resp)
  );

  // Whether the first of them was given its entry before the second.
  logic [WalkerW-1:0] a_q, b_q;
  logic               a_first_q;

  always_ff @(posedge clk_i) if (!rst_ni) {a_q, b_q} <= {a_i, b_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) a_first_q <= 1'b0;
    else if (picked_i[b_q]) a_first_q <= 1'b1;
    else if (picked_i[a_q]) a_first_q <= 1'b0;
  end

  logic [Walkers-1:0] oldest;  // of those that ask nobody is ahead of these
  always_comb begin
    for (int unsigned w = 0; w < Walkers; w++) begin
      oldest[w] = asking[w] && (dut.ahead_q[w] & asking) == '0;
    end
  end

  one_begins : assume property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(picked_i) && (picked_i & work_q) == '0);
  two_walkers : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   a_q != b_q && 32'(a_q) < Walkers && 32'(b_q) < Walkers);

  one_is_oldest : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   asking == '0 ? oldest == '0 : $onehot(oldest));
  oldest_has_cam : assert property (@(posedge clk_i) disable iff (!rst_ni) asking == '0 || oldest[cam]);
  oldest_has_others : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   pwc == oldest && req == oldest && resp == cam);
  // Of two at work one is ahead of the other, the one that was given its entry first.
  first_is_ahead : assert property (@(posedge clk_i) disable iff (!rst_ni) !(work_q[a_q] && work_q[b_q]) ||
                   (dut.ahead_q[b_q][a_q] == a_first_q && dut.ahead_q[a_q][b_q] == !a_first_q));

endmodule
