// Admission: accepts a request only when there is room in both places where it can end, the miss queue for a miss
// and the hit queue for a hit or a fault (R2.1, R2.2, R2.4).
//
// A request that is accepted reserves a place in each; the one that it does not need is given back when the
// TLB has decided. A second lookup (R5.26) has a cycle of its own, and reserves a place of the hit queue alone.
// `req_ready_o` is a function of registers alone. All events may come in one cycle.
module admission #(
  parameter int unsigned HitQueue  = 8,
  parameter int unsigned MissQueue = 16,
  localparam int unsigned HitW  = $clog2(HitQueue + 1),
  localparam int unsigned MissW = $clog2(MissQueue + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic req_valid_i,
  output logic req_ready_o,
  input  logic decided_miss_i,   // a request's lookup ends as a miss
  input  logic decided_other_i,  // ... as a hit or a fault
  input  logic miss_leaves_i,    // a miss enters the insertion register (R4.8)
  input  logic hit_pop_i,
  // Second lookups: the cycle is one's (R2.4), there is room for it, one takes place, one ends as a second miss.
  input  logic second_turn_i,
  output logic hit_room_o,
  input  logic second_i,
  input  logic second_miss_i
);

  logic [MissW-1:0] miss_used_q, miss_used_d;
  logic [HitW-1:0]  hit_used_q, hit_used_d;
  logic             req_fire;

  // R2.4
  assign hit_room_o  = hit_used_q < HitW'(HitQueue);
  assign req_ready_o = hit_room_o && miss_used_q < MissW'(MissQueue) && !second_turn_i;
  assign req_fire    = req_valid_i && req_ready_o;

  // R2.1, R2.2
  assign miss_used_d = miss_used_q + MissW'(req_fire) - MissW'(decided_other_i) -
                       MissW'(miss_leaves_i);
  assign hit_used_d  = hit_used_q + HitW'(req_fire || second_i) -
                       HitW'(decided_miss_i || second_miss_i) - HitW'(hit_pop_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      miss_used_q <= '0;
      hit_used_q  <= '0;
    end else begin
      miss_used_q <= miss_used_d;
      hit_used_q  <= hit_used_d;
    end
  end

endmodule
