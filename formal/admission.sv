// The admission (R2.1, R2.2, R2.4): never are there more requests inside than both queues have places for, with second
// lookups (R5.26) no more than the hit queue has, and no count goes below zero; and as soon as all have left, the next
// is accepted, unless the cycle is that of a second lookup.
//
// Assumed of what follows it: only a request that was accepted is decided, once and TLB_STAGES cycles later; only one
// that missed leaves the miss queue, also in the cycle of its decision (R4.8); only one that is in the hit queue
// leaves that.
module admission_formal #(
  parameter int unsigned HitQueue  = 2,
  parameter int unsigned MissQueue = 2,
  parameter int unsigned TlbStages = 2
) (
  input logic clk_i,
  input logic req_valid_i,
  input logic miss_i,         // what is decided on is a miss
  input logic miss_leaves_i,
  input logic hit_pop_i,
  input logic second_turn_i,
  input logic second_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic                 ready, fire, decided, second_decided, room, left_q;
  logic [TlbStages-1:0] stages_q, seconds_q;
  logic [7:0]           misses_q, hits_q, looked_up, seconds;

  assign fire    = req_valid_i && ready;
  assign decided = stages_q[TlbStages-1];
  assign second_decided = seconds_q[TlbStages-1];

  admission #(
    .HitQueue(HitQueue), .MissQueue(MissQueue)
  ) dut (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o    (ready),
    .decided_miss_i (decided && miss_i),
    .decided_other_i(decided && !miss_i),
    .miss_leaves_i,
    .hit_pop_i,
    .second_turn_i,
    .hit_room_o     (room),
    .second_i,
    .second_miss_i  (second_decided && miss_i)
  );

  always_comb begin
    looked_up = '0;
    seconds   = '0;
    for (int unsigned s = 0; s < TlbStages; s++) begin
      looked_up += 8'(stages_q[s]);
      seconds   += 8'(seconds_q[s]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stages_q, seconds_q, misses_q, hits_q, left_q} <= '0;
    end else begin
      stages_q  <= TlbStages'({stages_q, fire});
      seconds_q <= TlbStages'({seconds_q, second_i});
      misses_q <= misses_q + 8'(decided && miss_i) - 8'(miss_leaves_i);
      hits_q   <= hits_q + 8'((decided || second_decided) && !miss_i) - 8'(hit_pop_i);
      // Nobody is inside, since a cycle.
      left_q   <= stages_q == '0 && seconds_q == '0 && misses_q == '0 && hits_q == '0 && !fire && !second_i;
    end
  end

  miss_leaves : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !miss_leaves_i || misses_q != '0 || (decided && miss_i));
  hit_leaves : assume property (@(posedge clk_i) disable iff (!rst_ni) !hit_pop_i || hits_q != '0);

  second_in_turn : assume property (@(posedge clk_i) disable iff (!rst_ni) !second_i || (second_turn_i && room));

  misses_fit : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(misses_q) + 32'(looked_up) <= MissQueue);
  hits_fit : assert property (@(posedge clk_i) disable iff (!rst_ni)
                              32'(hits_q) + 32'(looked_up) + 32'(seconds) <= HitQueue);
  miss_places_counted : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                         8'(dut.miss_used_q) == misses_q + looked_up);
  hit_places_counted : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                        8'(dut.hit_used_q) == hits_q + looked_up + seconds);
  no_request_in_a_second_turn : assert property (@(posedge clk_i) disable iff (!rst_ni) !(second_turn_i && ready));
  accepts_what_it_can : assert property (@(posedge clk_i) disable iff (!rst_ni) !left_q || ready || second_turn_i);

endmodule
