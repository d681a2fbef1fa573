// Watches what memory owes the reader (chapter 19): a beat belongs to a burst that was asked for, RLAST is on the last
// beat of so many as were asked for and nowhere else, and no beat is EXOKAY. No beat is held up (R19.15). For a bench
// with an honest memory; the module lockstep has one that errs on purpose, and leaves this out.
module axi_memory_checker #(
  parameter int unsigned TagW = 3
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            ar_fire_i,
  input logic [TagW-1:0] ar_id_i,
  input logic [7:0]      ar_len_i,
  input logic            r_valid_i,
  input logic [TagW-1:0] r_id_i,
  input logic [1:0]      r_resp_i,
  input logic            r_last_i
);

  localparam int unsigned Tags = 2 ** TagW;

  int unsigned left_q [Tags];  // beats that the burst of an ID still has
  int unsigned left;           // ... and that of this beat

  assign left = left_q[r_id_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned t = 0; t < Tags; t++) left_q[t] <= 0;
    end else begin
      if (r_valid_i && left != 0) left_q[r_id_i] <= left - 1;
      if (ar_fire_i) left_q[ar_id_i] <= 32'(ar_len_i) + 1;
    end
  end

  asked_for : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_valid_i || left != 0)
  else $error("AXI: a beat for ID %0d, which waits for none", r_id_i);

  last : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_valid_i || left == 0 || r_last_i == (left == 1))
  else $error("AXI: RLAST is %b with %0d beats left", r_last_i, left);

  not_exclusive : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !r_valid_i || r_resp_i != 2'b01)
  else $error("AXI: EXOKAY for a read that is not exclusive");

endmodule

bind axi_reader axi_memory_checker #(
  .TagW(TagW)
) u_memory_checker (
  .clk_i,
  .rst_ni,
  .ar_fire_i(ar_valid_o && ar_ready_i),
  .ar_id_i  (ar_id_o),
  .ar_len_i (ar_len_o),
  .r_valid_i,
  .r_id_i,
  .r_resp_i,
  .r_last_i
);
