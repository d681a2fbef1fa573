// Every accepted request is answered at most once, and no response carries an id that is not in flight (chapter 0).
//
// Software, requester and memory do what they like within what `unit` assumes: roots and features are written, and
// invalidations sent, at any time; lines say anything and come at any time, with errors too.
module once (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] in_flight,
  input logic       rsp_valid,
  input logic [1:0] rsp_id
);

  answered_once : assert property (@(posedge clk_i) disable iff (!rst_ni) !rsp_valid || in_flight[rsp_id]);

endmodule

bind unit once u_property (.*);
