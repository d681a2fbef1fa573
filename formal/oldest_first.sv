// The pick (R5.2): what a tournament gives was eligible when it began, of its class of slots it is the oldest that
// was, and of two that one tournament gives the older comes first.
//
// Two slots, any two, are followed: whether they were eligible when the tournament began, and their ages then. Assumed
// is what admission and buffer keep to (R2.4): ages of eligible entries differ, and all lie in the newest block that
// holds an entry or in the one before.
module oldest_first_formal #(
  parameter int unsigned Entries = 16,
  localparam int unsigned SlotW   = $clog2(Entries),
  localparam int unsigned SeqW    = SlotW + 2,
  localparam int unsigned Classes = (Entries < 32) ? 1 : Entries / 32
) (
  input logic                         clk_i,
  input logic                         wanted_i,
  input logic [Entries-1:0]           eligible_i,
  input logic [Entries-1:0][SeqW-1:0] seq_i,
  input logic [1:0]                   newest_block_i,
  input logic [SlotW-1:0]             a_i,
  input logic [SlotW-1:0]             b_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [SeqW-1:0]  seq [Entries];
  logic             busy, found, start;
  logic [SlotW-1:0] slot;

  for (genvar e = 0; e < Entries; e++) begin : gen_seq
    assign seq[e] = seq_i[e];
  end

  oldest_first #(
    .Entries(Entries)
  ) dut (
    .clk_i,
    .rst_ni,
    .wanted_i,
    .eligible_i,
    .seq_i(seq),
    .newest_block_i,
    .busy_o (busy),
    .found_o(found),
    .slot_o (slot)
  );

  // How long after the begin of the older of the two blocks.
  function automatic logic [SeqW-1:0] age(logic [SeqW-1:0] number, logic [1:0] newest);
    return number - {newest - 2'd1, SlotW'(0)};
  endfunction

  logic             a_was_q, b_was_q, b_given_q;
  logic [SeqW-1:0]  a_age_q, b_age_q;
  logic [SlotW-1:0] a_q, b_q;

  assign start = !busy && eligible_i != '0;

  always_ff @(posedge clk_i) if (!rst_ni) {a_q, b_q} <= {a_i, b_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {a_was_q, b_was_q, b_given_q, a_age_q, b_age_q} <= '0;
    end else begin
      if (start) begin
        a_was_q   <= eligible_i[a_q];
        b_was_q   <= eligible_i[b_q];
        a_age_q   <= age(seq_i[a_q], newest_block_i);
        b_age_q   <= age(seq_i[b_q], newest_block_i);
        b_given_q <= 1'b0;
      end
      if (found && slot == b_q) b_given_q <= 1'b1;
    end
  end

  logic differ, live;

  always_comb begin
    differ = 1'b1;
    live   = 1'b1;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (eligible_i[i] && age(seq_i[i], newest_block_i)[SeqW-1]) live = 1'b0;
      for (int unsigned j = i + 1; j < Entries; j++) begin
        if (eligible_i[i] && eligible_i[j] && seq_i[i] == seq_i[j]) differ = 1'b0;
      end
    end
  end

  assume property (@(posedge clk_i) disable iff (!rst_ni) !start || (differ && live));
  assume property (@(posedge clk_i) disable iff (!rst_ni) a_q != b_q);

  assert property (@(posedge clk_i) disable iff (!rst_ni) !found || slot != a_q || a_was_q);
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(found && slot == a_q && b_was_q) ||
                   32'(a_q) % Classes != 32'(b_q) % Classes || a_age_q < b_age_q);
  assert property (@(posedge clk_i) disable iff (!rst_ni) !(found && slot == a_q && b_given_q) || b_age_q < a_age_q);

endmodule
