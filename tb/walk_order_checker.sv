// Watches whom the pick takes: the oldest of the entries that may walk, first come, first served, and nobody in the
// cycle of a mark (R5.2).
//
// It knows nothing of how slots are given or what the pick makes of them (R4.11): it numbers the entries itself, as
// they come, and who is picked must have the lowest number of those that were eligible (R5.1) in the cycle before.
module walk_order_checker #(
  parameter int unsigned BufferEntries = 256
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          mark_valid_i,
  input logic [BufferEntries-1:0]      valid_q,
  input logic [BufferEntries-1:0]      picked_q,
  input logic [BufferEntries-1:0]      done_q,
  input logic [2:0][BufferEntries-1:0] cl_q
);

  // As it stood in the cycle before; the number of each entry, and of the next one.
  logic [BufferEntries-1:0] were_valid_q, were_picked_q, were_eligible_q;
  logic                     was_marked_q;
  longint unsigned          number_q [BufferEntries];
  longint unsigned          next_number_q;

  logic [BufferEntries-1:0] eligible, came, given;

  assign eligible = valid_q & ~picked_q & ~done_q & ~(cl_q[2] | cl_q[1] | cl_q[0]);
  assign came     = valid_q & ~were_valid_q;
  assign given    = picked_q & ~were_picked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      were_valid_q    <= '0;
      were_picked_q   <= '0;
      were_eligible_q <= '0;
      was_marked_q    <= 1'b0;
      next_number_q   <= '0;
    end else begin
      were_valid_q    <= valid_q;
      were_picked_q   <= picked_q;
      were_eligible_q <= eligible;
      was_marked_q    <= mark_valid_i;
      if (came != '0) begin
        next_number_q <= next_number_q + 64'd1;
        for (int unsigned e = 0; e < BufferEntries; e++) begin
          if (came[e]) number_q[e] <= next_number_q;
        end
      end
    end
  end

  // The entries that have come before the one that is picked, and wait on.
  logic [BufferEntries-1:0] passed;
  longint unsigned          number;

  always_comb begin
    passed = '0;
    number = '0;
    if (given != '0) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        if (given[e]) number |= number_q[e];
      end
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        passed[e] = were_eligible_q[e] && !given[e] && number_q[e] < number;
      end
    end
  end

  one_comes : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(came))
  else $error("R4.2: entries %b came in one cycle", came);

  one_is_picked : assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(given))
  else $error("R5.2: entries %b were picked in one cycle", given);

  picked_eligible : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (given & ~were_eligible_q) == '0)
  else $error("R5.1: entry %b was picked and is not eligible", given);

  none_at_a_mark : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !was_marked_q || given == '0)
  else $error("R5.2: entry %b was picked in the cycle of a mark", given);

  oldest_first : assert property (@(posedge clk_i) disable iff (!rst_ni) passed == '0)
  else $error("R5.2: entry %b was picked before the older %b", given, passed);

endmodule

bind iommu_buffer walk_order_checker #(
  .BufferEntries(BufferEntries)
) u_walk_order_checker (
  .clk_i,
  .rst_ni,
  .mark_valid_i(mark_i.valid),
  .valid_q,
  .picked_q,
  .done_q,
  .cl_q
);
