// The ring of slots (R4.2, R4.9, R4.11): what TAIL's decoded registers say is what TAIL says, and OPEN is that its
// slot was free.
module buffer_ring_formal #(
  parameter int unsigned Entries = 64,
  localparam int unsigned SlotW = $clog2(Entries)
) (
  input logic               clk_i,
  input logic               insert_i,
  input logic [Entries-1:0] valid_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [SlotW-1:0]   tail;
  logic               open;
  logic [Entries-1:0] inserted, from_tail;

  buffer_ring #(
    .Entries(Entries)
  ) dut (
    .clk_i,
    .rst_ni,
    .insert_i,
    .valid_i,
    .tail_o     (tail),
    .open_o     (open),
    .inserted_o (inserted),
    .from_tail_o(from_tail)
  );

  logic               told_q;  // a cycle has gone by since the reset
  logic [Entries-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      told_q  <= 1'b0;
      valid_q <= '0;
    end else begin
      told_q  <= 1'b1;
      valid_q <= valid_i;
    end
  end

  inserts_at_the_tail : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                         inserted == (insert_i ? Entries'(1) << tail : '0));
  from_the_tail_on : assert property (@(posedge clk_i) disable iff (!rst_ni) from_tail == {Entries{1'b1}} << tail);
  open_if_free : assert property (@(posedge clk_i) disable iff (!rst_ni) open == (told_q && !valid_q[tail]));

endmodule
