// The oldest of the eligible buffer entries (R5.2): a tournament over SEQ.
//
// Combinational. All live SEQs lie in two neighbouring blocks (R2.4), so the block that follows the
// other is the younger one and a plain compare below it decides; no subtraction is needed.
module oldest_first #(
  parameter int unsigned Entries = 256,
  localparam int unsigned SlotW = $clog2(Entries),
  localparam int unsigned SeqW  = SlotW + 2
) (
  input  logic                enable_i,  // saves the search where nobody asks
  input  logic [Entries-1:0]  eligible_i,
  input  logic [SeqW-1:0]     seq_i [Entries],
  input  logic [1:0]          newest_block_i,
  output logic                found_o,
  output logic [SlotW-1:0]    slot_o
);

  // A node: {nobody, in the newest block, SEQ within its block}, so that the smallest is the oldest.
  localparam int unsigned KeyW = SlotW + 2;

  logic [KeyW-1:0]  key  [2*Entries];
  logic [SlotW-1:0] slot [2*Entries];

  always_comb begin
    for (int unsigned n = 0; n < 2 * Entries; n++) begin
      key[n]  = '1;
      slot[n] = '0;
    end
    if (enable_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        key[Entries+e]  = {!eligible_i[e], seq_i[e][SeqW-1:SlotW] == newest_block_i,
                           seq_i[e][SlotW-1:0]};
        slot[Entries+e] = SlotW'(e);
      end
      for (int n = Entries - 1; n > 0; n--) begin
        if (key[2*n+1] < key[2*n]) begin
          key[n]  = key[2*n+1];
          slot[n] = slot[2*n+1];
        end else begin
          key[n]  = key[2*n];
          slot[n] = slot[2*n];
        end
      end
    end
  end

  assign found_o = enable_i && !key[1][KeyW-1];
  assign slot_o  = slot[1];

endmodule
