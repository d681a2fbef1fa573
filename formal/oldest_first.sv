// The pick (R5.2): what is picked is eligible, nobody eligible is older, and there is a pick exactly where there is
// somebody to pick. The age of an entry is how far its slot lies after TAIL, as it comes round (R4.11).
//
// One slot, any, is followed, which stands for all that may be older.
module oldest_first_formal #(
  parameter int unsigned Entries = 16,
  localparam int unsigned SlotW = $clog2(Entries)
) (
  input logic               clk_i,
  input logic [Entries-1:0] eligible_i,
  input logic [SlotW-1:0]   tail_i,
  input logic [SlotW-1:0]   other_i
);

  logic               any;
  logic [Entries-1:0] one_hot;
  logic [SlotW-1:0]   slot, age, other_age;

  oldest_first #(
    .Entries(Entries)
  ) dut (
    .eligible_i,
    .from_tail_i({Entries{1'b1}} << tail_i),
    .any_o      (any),
    .one_hot_o  (one_hot),
    .slot_o     (slot)
  );

  assign age       = slot - tail_i;
  assign other_age = other_i - tail_i;

  some_pick : assert property (@(posedge clk_i) any == (eligible_i != '0));
  pick_is_eligible : assert property (@(posedge clk_i) !any || eligible_i[slot]);
  nobody_older : assert property (@(posedge clk_i) !(any && eligible_i[other_i]) || age <= other_age);
  // PICKED is set from these bits, the ask register from the number.
  bits_as_number : assert property (@(posedge clk_i) one_hot == (any ? Entries'(1) << slot : '0));

endmodule
