// Picks the oldest of the eligible buffer entries (R5.2), in a tournament over their ages of one round a
// cycle, so that at most two compares of ages follow each other in a cycle.
//
// The last round compares the winners of the groups with each other; after that one after another is given,
// oldest first, without a compare. A pick works on the entries as they were when it began: whether its
// result is still eligible is asked again when it is held as the candidate (R5.10).
//
// All live SEQs lie in two neighbouring blocks (R2.4). Of two entries the one in the newer block is younger,
// and within a block a plain compare decides, so no subtraction is needed.
module oldest_first #(
  parameter int unsigned Entries = 256,  // a power of two, 4..512
  localparam int unsigned SlotW = $clog2(Entries),
  localparam int unsigned SeqW  = SlotW + 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                wanted_i,     // the candidate register is empty or becomes so
  input  logic [Entries-1:0]  eligible_i,   // without the candidate
  input  logic [SeqW-1:0]     seq_i [Entries],
  input  logic [1:0]          newest_block_i,
  output logic                busy_o,       // PICK_STEP is not 0
  output logic                found_o,      // slot_o goes into the candidate register
  output logic [SlotW-1:0]    slot_o
);

  // An age is {in the newest block, SEQ within its block}: the smallest is the oldest.
  localparam int unsigned AgeW   = SlotW + 1;
  localparam int unsigned Slot1W  = 2;
  localparam int unsigned Slot2W  = (SlotW < 5) ? SlotW : 5;
  localparam int unsigned Size2   = 2 ** (Slot2W - Slot1W);  // entrants of a class, round 2
  localparam int unsigned Groups1 = Entries / 4;
  localparam int unsigned Groups2 = Groups1 / Size2;

  typedef struct packed {
    logic             found;
    logic [AgeW-1:0]  age;
    logic [SlotW-1:0] slot;
  } entrant_t;

  // The older of two; the one found where the other is not.
  function automatic entrant_t older(entrant_t a, entrant_t b);
    return (!a.found || (b.found && b.age < a.age)) ? b : a;
  endfunction

  // Each with each at once; no two ages are alike.
  function automatic entrant_t oldest_of_four(entrant_t [3:0] entrant);
    logic [3:0]       first;
    logic [AgeW-1:0]  age;
    logic [SlotW-1:0] slot;
    first = {entrant[3].found, entrant[2].found, entrant[1].found, entrant[0].found};
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned j = i + 1; j < 4; j++) begin
        if (entrant[j].age < entrant[i].age) first[i] &= !entrant[j].found;
        else first[j] &= !entrant[i].found;
      end
    end
    age  = '0;
    slot = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (first[i]) begin
        age  |= entrant[i].age;
        slot |= entrant[i].slot;
      end
    end
    return '{found: |first, age: age, slot: slot};
  endfunction

  function automatic entrant_t oldest_of_eight(entrant_t [7:0] entrant);
    return older(oldest_of_four(entrant[3:0]), oldest_of_four(entrant[7:4]));
  endfunction

  logic [1:0]         pick_step_q;
  logic [Groups1-1:0] round1_found_q;
  logic [Slot1W-1:0]  round1_slot_q [Groups1];
  logic [AgeW-1:0]    round1_age_q  [Groups1];
  logic [Groups2-1:0] round2_found_q;
  logic [Slot2W-1:0]  round2_slot_q [Groups2];
  logic [AgeW-1:0]    round2_age_q  [Groups2];
  logic [Groups2-1:0] older_q       [Groups2];  // whose entrants are older than this one

  logic start, give;
  logic [Groups2-1:0] given, left;

  assign start   = pick_step_q == 2'd0 && |eligible_i;
  assign give    = pick_step_q == 2'd3 && wanted_i;
  assign left    = round2_found_q & ~given;
  assign busy_o  = pick_step_q != 2'd0;
  assign found_o = give;

  entrant_t [Groups1-1:0] round1;
  entrant_t [Groups2-1:0] round2;

  // The first round, the widest, in its step only: in the others nobody looks.
  for (genvar g = 0; g < Groups1; g++) begin : gen_round1
    entrant_t [3:0] entrant;

    always_comb begin
      entrant = '0;
      if (pick_step_q == 2'd0) begin
        for (int unsigned i = 0; i < 4; i++) begin
          entrant[i].found = eligible_i[g+i*Groups1];
          entrant[i].age   = {seq_i[g+i*Groups1][SeqW-1:SlotW] == newest_block_i,
                              seq_i[g+i*Groups1][SlotW-1:0]};
          entrant[i].slot  = SlotW'(g + i * Groups1);
        end
      end
    end

    assign round1[g] = oldest_of_four(entrant);
  end

  // A small buffer has no entrants in the places that are left.
  for (genvar h = 0; h < Groups2; h++) begin : gen_round2
    entrant_t [7:0] entrant;

    always_comb begin
      entrant = '0;
      for (int unsigned i = 0; i < Size2; i++) begin
        entrant[i].found = round1_found_q[h+i*Groups2];
        entrant[i].age   = round1_age_q[h+i*Groups2];
        entrant[i].slot  = (SlotW'(round1_slot_q[h+i*Groups2]) << (SlotW - Slot1W)) |
                           SlotW'(h + i * Groups2);
      end
    end

    assign round2[h] = oldest_of_eight(entrant);
  end

  // The order of the entrants, and the oldest of those that are left.
  logic [Groups2-1:0] older_d [Groups2];

  always_comb begin
    for (int unsigned h = 0; h < Groups2; h++) begin
      for (int unsigned i = 0; i < Groups2; i++) begin
        older_d[h][i] = round2_found_q[h] && round2_found_q[i] && round2_age_q[i] < round2_age_q[h];
      end
    end
  end

  always_comb begin
    given  = '0;
    slot_o = '0;
    for (int unsigned h = 0; h < Groups2; h++) begin
      given[h] = round2_found_q[h] && (older_q[h] & round2_found_q) == '0;
      if (given[h]) slot_o |= (SlotW'(round2_slot_q[h]) << (SlotW - Slot2W)) | SlotW'(h);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pick_step_q    <= 2'd0;
      round1_found_q <= '0;
      round2_found_q <= '0;
      for (int unsigned g = 0; g < Groups1; g++) begin
        round1_slot_q[g] <= '0;
        round1_age_q[g]  <= '0;
      end
      for (int unsigned h = 0; h < Groups2; h++) begin
        round2_slot_q[h] <= '0;
        round2_age_q[h]  <= '0;
        older_q[h]       <= '0;
      end
    end else begin
      if (start) begin
        pick_step_q <= 2'd1;
        for (int unsigned g = 0; g < Groups1; g++) begin
          round1_found_q[g] <= round1[g].found;
          round1_slot_q[g]  <= round1[g].slot[SlotW-1-:Slot1W];
          round1_age_q[g]   <= round1[g].age;
        end
      end
      if (pick_step_q == 2'd1) begin
        pick_step_q <= 2'd2;
        for (int unsigned h = 0; h < Groups2; h++) begin
          round2_found_q[h] <= round2[h].found;
          round2_slot_q[h]  <= round2[h].slot[SlotW-1-:Slot2W];
          round2_age_q[h]   <= round2[h].age;
        end
      end
      if (pick_step_q == 2'd2) begin
        pick_step_q <= 2'd3;
        for (int unsigned h = 0; h < Groups2; h++) older_q[h] <= older_d[h];
      end
      if (give) begin
        round2_found_q <= left;
        if (left == '0) pick_step_q <= 2'd0;
      end
    end
  end

endmodule
