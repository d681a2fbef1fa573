// Watches the AXI4-Lite subordinate in front of the control port (chapter 19) and its manager: what is offered stays
// until it is taken, an answer has its access, is OKAY or SLVERR, and comes in time (R19.18 to R19.20); what is
// answered SLVERR has written nothing (R19.9).
module axi_lite_checker #(
  // Cycles in which an access may wait though nobody holds it up: a write in its registers (R19.18) and one read before
  // it (R19.12); a read as well, and until R is full (R19.20).
  parameter int unsigned WriteLimit = 3,
  parameter int unsigned ReadLimit  = 5
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        hold_i,
  input logic        aw_valid_i,
  input logic        aw_ready_i,
  input logic [14:0] aw_addr_i,
  input logic        w_valid_i,
  input logic        w_ready_i,
  input logic [71:0] w_i,
  input logic        b_valid_i,
  input logic        b_ready_i,
  input logic [1:0]  b_resp_i,
  input logic        ar_valid_i,
  input logic        ar_ready_i,
  input logic [14:0] ar_addr_i,
  input logic        r_valid_i,
  input logic        r_ready_i,
  input logic [65:0] r_i,
  input logic        ctl_write_i
);

  // The channels in one vector each: payload below valid, ready apart.
  logic [15:0] aw_q, ar_q;
  logic [72:0] w_q;
  logic [2:0]  b_q;
  logic [66:0] r_q;
  logic        aw_held_q, w_held_q, b_held_q, ar_held_q, r_held_q;
  int unsigned aws_q, ws_q, ars_q;  // taken, and not answered
  int unsigned write_waits_q, read_waits_q;
  logic        wrote_q;             // the last cycle wrote a register of the unit
  logic        b_was_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aw_held_q, w_held_q, b_held_q, ar_held_q, r_held_q} <= '0;
      {aw_q, ar_q, w_q, b_q, r_q} <= '0;
      {aws_q, ws_q, ars_q} <= '0;
      {write_waits_q, read_waits_q} <= '0;
      {wrote_q, b_was_q} <= '0;
    end else begin
      {aw_q, ar_q} <= {aw_valid_i, aw_addr_i, ar_valid_i, ar_addr_i};
      {w_q, b_q, r_q} <= {w_valid_i, w_i, b_valid_i, b_resp_i, r_valid_i, r_i};
      aw_held_q <= aw_valid_i && !aw_ready_i;
      w_held_q  <= w_valid_i && !w_ready_i;
      b_held_q  <= b_valid_i && !b_ready_i;
      ar_held_q <= ar_valid_i && !ar_ready_i;
      r_held_q  <= r_valid_i && !r_ready_i;
      aws_q <= aws_q + 32'(aw_valid_i && aw_ready_i) - 32'(b_valid_i && b_ready_i);
      ws_q  <= ws_q + 32'(w_valid_i && w_ready_i) - 32'(b_valid_i && b_ready_i);
      ars_q <= ars_q + 32'(ar_valid_i && ar_ready_i) - 32'(r_valid_i && r_ready_i);
      if (b_valid_i || aws_q == 0 || ws_q == 0) write_waits_q <= 0;
      else write_waits_q <= write_waits_q + 32'(!hold_i);
      if (r_valid_i || ars_q == 0) read_waits_q <= 0;
      else read_waits_q <= read_waits_q + 32'(!hold_i);
      wrote_q <= ctl_write_i;
      b_was_q <= b_valid_i;
    end
  end

  aw_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !aw_held_q || {aw_valid_i, aw_addr_i} == aw_q)
  else $error("AXI: an offered AW changed");

  w_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !w_held_q || {w_valid_i, w_i} == w_q)
  else $error("AXI: an offered W changed");

  ar_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_held_q || {ar_valid_i, ar_addr_i} == ar_q)
  else $error("AXI: an offered AR changed");

  b_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !b_held_q || {b_valid_i, b_resp_i} == b_q)
  else $error("AXI: an offered B changed");

  r_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_held_q || {r_valid_i, r_i} == r_q)
  else $error("AXI: an offered R changed");

  b_has_a_write : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !b_valid_i || (aws_q != 0 && ws_q != 0))
  else $error("AXI: B without AW and W");

  r_has_a_read : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_valid_i || ars_q != 0)
  else $error("AXI: R without AR");

  okay_or_slverr : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (!b_valid_i || !b_resp_i[0]) && (!r_valid_i || !r_i[0]))
  else $error("R19.9: neither OKAY nor SLVERR");

  refused_writes_nothing : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !wrote_q || (b_valid_i && !b_was_q && b_resp_i == 2'b00))
  else $error("R19.9: a write that is not answered OKAY");

  refused_reads_zero : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_valid_i || !r_i[1] || r_i[65:2] == '0)
  else $error("R19.9: data with SLVERR");

  write_in_time : assert property (@(posedge clk_i) disable iff (!rst_ni)
      write_waits_q < WriteLimit)
  else $error("R19.19: a write is not answered");

  read_in_time : assert property (@(posedge clk_i) disable iff (!rst_ni)
      read_waits_q < ReadLimit)
  else $error("R19.20: a read is not answered");

endmodule

bind axi_lite_control axi_lite_checker u_checker (
  .clk_i,
  .rst_ni,
  .hold_i,
  .aw_valid_i,
  .aw_ready_i (aw_ready_o),
  .aw_addr_i,
  .w_valid_i,
  .w_ready_i  (w_ready_o),
  .w_i        ({w_data_i, w_strb_i}),
  .b_valid_i  (b_valid_o),
  .b_ready_i,
  .b_resp_i   (b_resp_o),
  .ar_valid_i,
  .ar_ready_i (ar_ready_o),
  .ar_addr_i,
  .r_valid_i  (r_valid_o),
  .r_ready_i,
  .r_i        ({r_data_o, r_resp_o}),
  .ctl_write_i(ctl_write_o)
);
