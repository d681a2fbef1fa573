// The admission (R2.1 to R2.4): never are there more requests inside than both queues have places for, and no count
// goes below zero; and as soon as all have left, the next is accepted.
//
// Assumed of what follows it: only a request that was accepted is decided, once and TLB_STAGES cycles later; only one
// that missed leaves the buffer, by a commit or an answer, at most one of each a cycle; only one that is in the hit
// queue leaves that. SEQs and blocks are not looked at here: a block is live as it likes.
module admission_formal #(
  parameter int unsigned BufferEntries = 4,
  parameter int unsigned HitQueue      = 2,
  parameter int unsigned TlbStages     = 2
) (
  input logic       clk_i,
  input logic       req_valid_i,
  input logic       miss_i,          // what is decided on is a miss
  input logic       commit_i,
  input logic       answer_i,
  input logic       hit_pop_i,
  input logic [$clog2(BufferEntries)+1:0] next_seq_i,
  input logic [3:0] block_live_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic                 ready, fire, decided, left_q;
  logic [TlbStages-1:0] stages_q;
  logic [7:0]           missed_q, hits_q, looked_up;
  logic [1:0]           freed;

  assign fire    = req_valid_i && ready;
  assign decided = stages_q[TlbStages-1];

  admission #(
    .BufferEntries(BufferEntries), .HitQueue(HitQueue), .TlbStages(TlbStages)
  ) dut (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o    (ready),
    .decided_miss_i (decided && miss_i),
    .decided_other_i(decided && !miss_i),
    .freed_commit_i (commit_i),
    .freed_answer_i (answer_i),
    .hit_pop_i,
    .next_seq_i,
    .block_live_i,
    .buffer_used_o  (),
    .freed_o        (freed)
  );

  always_comb begin
    looked_up = '0;
    for (int unsigned s = 0; s < TlbStages; s++) looked_up += 8'(stages_q[s]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stages_q, missed_q, hits_q, left_q} <= '0;
    end else begin
      stages_q <= TlbStages'({stages_q, fire});
      missed_q <= missed_q + 8'(decided && miss_i) - 8'(commit_i) - 8'(answer_i);
      hits_q   <= hits_q + 8'(decided && !miss_i) - 8'(hit_pop_i);
      // Nobody is inside, since a cycle.
      left_q   <= stages_q == '0 && missed_q == '0 && hits_q == '0 && !fire;
    end
  end

  assume property (@(posedge clk_i) disable iff (!rst_ni) 8'(commit_i) + 8'(answer_i) <= missed_q);
  assume property (@(posedge clk_i) disable iff (!rst_ni) !hit_pop_i || hits_q != '0);

  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(missed_q) + 32'(looked_up) <= BufferEntries);
  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(hits_q) + 32'(looked_up) <= HitQueue);
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   8'(dut.buffer_used_q) == missed_q + looked_up + 8'(freed));
  assert property (@(posedge clk_i) disable iff (!rst_ni) 8'(dut.hit_used_q) == hits_q + looked_up);
  assert property (@(posedge clk_i) disable iff (!rst_ni) !left_q || block_live_i != '0 || ready);

endmodule
