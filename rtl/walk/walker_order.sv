// The order in which the walkers were given their entries (R5.22), and who of those that want the CAM, the page walk
// cache, memory or the answer port came first.
//
// AHEAD of a walker are the walkers that were given one before it and are still at work; that of an idle one follows
// those that are at work, so that it waits for no pick. Who goes to IDLE is dropped a cycle later, in time for its
// next entry, so that what leads it there has the whole cycle. Of a set of walkers one has none of the set ahead of
// it: the oldest. So four masks, and no arbitration pointers. All is 0 where nobody asks.
`include "lockwalk_types.svh"

module walker_order #(
  parameter int unsigned Walkers = 8,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type in_states_t = `LW_IN_STATES_T(Walkers)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  in_states_t         in_i,
  // Who holds up the walkers behind it (R5.10, R5.29); a walker, and whether it is held up.
  input  logic [Walkers-1:0] holding_i,
  input  logic [WalkerW-1:0] looking_i,
  output logic               held_up_o,
  output logic [WalkerW-1:0] cam_o,
  output logic [Walkers-1:0] pwc_o,         // one-hot, as what is read for it waits for it last
  output logic [Walkers-1:0] req_o,         // one-hot too
  output logic [WalkerW-1:0] resp_o
);

  logic [Walkers-1:0] ahead_q [Walkers];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < Walkers; w++) ahead_q[w] <= '0;
    end else begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        ahead_q[w] <= (in_i.idle[w] ? '1 : ahead_q[w]) & ~in_i.idle;
      end
    end
  end

  always_comb begin
    cam_o  = '0;
    resp_o = '0;
    for (int unsigned w = 0; w < Walkers; w++) begin
      if (in_i.cam[w] && (ahead_q[w] & in_i.cam) == '0) cam_o |= WalkerW'(w);
      pwc_o[w] = in_i.pwc_req[w] && (ahead_q[w] & in_i.pwc_req) == '0;
      req_o[w] = in_i.req[w] && (ahead_q[w] & in_i.req) == '0;
      if (in_i.resp[w] && (ahead_q[w] & in_i.resp) == '0) resp_o |= WalkerW'(w);
    end
  end

  assign held_up_o = |(ahead_q[looking_i] & holding_i);

  // Who waits for a line is in no order.
  logic unused;
  assign unused = ^in_i.mem;

endmodule
