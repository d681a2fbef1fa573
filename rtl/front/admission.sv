// Admission: accepts a request only when there is room in both places where it can end, the IOMMU buffer for
// a miss and the hit queue for a hit or a fault (R2.1 to R2.4).
//
// A request that is accepted reserves a place in each; the one that it does not need is given back when the
// TLB has decided. `req_ready_o` is a function of registers alone. All events may come in one cycle.
module admission #(
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned HitQueue      = 8,
  parameter int unsigned TlbStages     = 1,
  localparam int unsigned SeqW  = $clog2(BufferEntries) + 2,
  localparam int unsigned UsedW = $clog2(BufferEntries + 1),
  localparam int unsigned HitW  = $clog2(HitQueue + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic             decided_miss_i,   // a lookup ends as a miss
  input  logic             decided_other_i,  // a lookup ends as a hit or a fault
  input  logic             freed_commit_i,
  input  logic             freed_answer_i,
  input  logic             hit_pop_i,
  input  logic [SeqW-1:0]  next_seq_i,
  input  logic [3:0]       block_live_i,     // block b holds a valid entry
  output logic [UsedW-1:0] buffer_used_o,    // R2.1: with what left in the cycle before, freed_o
  output logic [1:0]       freed_o
);

  logic [UsedW-1:0] buffer_used_q, buffer_used_d;
  logic [1:0]       freed_q;
  logic [HitW-1:0]  hit_used_q, hit_used_d;
  logic [1:0]       block;
  logic             req_fire;

  // R2.3, R2.4: the block of the last SEQ that this request could get.
  assign block = 2'((next_seq_i + SeqW'(TlbStages + 1)) >> (SeqW - 2));
  assign req_ready_o = buffer_used_q < UsedW'(BufferEntries) && hit_used_q < HitW'(HitQueue) &&
                       !block_live_i[block + 2'd2];
  assign req_fire = req_valid_i && req_ready_o;

  // R2.1, R2.2
  assign buffer_used_d = buffer_used_q + UsedW'(req_fire) - UsedW'(freed_q);
  assign hit_used_d = hit_used_q + HitW'(req_fire) - HitW'(decided_miss_i) - HitW'(hit_pop_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      buffer_used_q <= '0;
      hit_used_q    <= '0;
      freed_q       <= '0;
    end else begin
      buffer_used_q <= buffer_used_d;
      hit_used_q    <= hit_used_d;
      freed_q       <= 2'(decided_other_i) + 2'(freed_commit_i) + 2'(freed_answer_i);
    end
  end

  assign buffer_used_o = buffer_used_q;
  assign freed_o       = freed_q;

endmodule
