// The ring of the IOMMU buffer's slots: TAIL, in which the next miss is inserted, and OPEN, that it is free (R4.2,
// R4.9, R4.11).
//
// TAIL is kept decoded too, in groups of up to 16 slots: neither an insertion nor the pick (R5.2), which asks who
// stands from TAIL on, then waits for a decoder over all slots. Whether there is an insertion is known last, so the
// slot after TAIL is looked at beside TAIL.
module buffer_ring #(
  parameter int unsigned Entries = 256,  // a power of two, 4..512
  localparam int unsigned SlotW = $clog2(Entries)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               insert_i,     // into TAIL
  input  logic [Entries-1:0] valid_i,
  output logic [SlotW-1:0]   tail_o,
  output logic               open_o,
  output logic [Entries-1:0] inserted_o,   // the new entry, one-hot
  output logic [Entries-1:0] from_tail_o   // the slots that are not below TAIL
);

  localparam int unsigned Size   = (Entries < 16) ? Entries : 16;
  localparam int unsigned Groups = Entries / Size;

  logic [SlotW-1:0]   tail_q;
  logic               open_q;
  // TAIL within its group: one-hot, and the places from it on; and its group: one-hot, and the groups after it.
  logic [Size-1:0]    place_q, from_place_q;
  logic [Groups-1:0]  group_q, after_group_q;
  logic [Entries-1:0] at_tail;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    for (genvar p = 0; p < Size; p++) begin : gen_place
      assign at_tail[g*Size+p]     = group_q[g] && place_q[p];
      assign from_tail_o[g*Size+p] = after_group_q[g] || (group_q[g] && from_place_q[p]);
    end
  end

  assign inserted_o = insert_i ? at_tail : '0;
  assign tail_o     = tail_q;
  assign open_o     = open_q;

  logic               place_last, group_last;
  logic [Entries-1:0] after_tail;

  assign place_last = place_q[Size-1];
  assign group_last = group_q[Groups-1];
  assign after_tail = {at_tail[Entries-2:0], at_tail[Entries-1]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {tail_q, open_q} <= '0;
      place_q          <= Size'(1);
      from_place_q     <= '1;
      group_q          <= Groups'(1);
      after_group_q    <= ~Groups'(1);
    end else begin
      open_q <= insert_i ? (valid_i & after_tail) == '0 : (valid_i & at_tail) == '0;
      if (insert_i) begin
        tail_q       <= tail_q + SlotW'(1);  // comes round by itself
        place_q      <= {place_q[Size-2:0], place_last};
        from_place_q <= place_last ? '1 : from_place_q << 1;
        if (place_last) begin
          group_q       <= Groups'({group_q, group_last});
          after_group_q <= group_last ? ~Groups'(1) : after_group_q << 1;
        end
      end
    end
  end

endmodule
