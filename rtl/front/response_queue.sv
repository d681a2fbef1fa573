// The hit queue, the walk queue and the output register (chapter 10): what the TLB and the walks have answered
// leaves here, in turns where both have something (R10.5).
//
// A push needs room: the hit queue's is guaranteed by the admission (R2.2); of the walk queue's
// places `walk_room_o` says that one is free to be promised (R10.1), and every push was
// promised. Where both queues are empty, what is pushed can pass into the output register at
// once; it then takes no place (R10.14).
`include "lockwalk_types.svh"

module response_queue #(
  parameter int unsigned IdW       = 12,
  parameter int unsigned PfnW      = 36,
  parameter int unsigned HitQueue  = 8,
  parameter int unsigned WalkQueue = 4,
  localparam type response_t = `LW_RESPONSE_T(IdW, PfnW)
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  logic      epoch_i,
  input  logic      hit_push_i,
  input  response_t hit_i,
  output logic      hit_pop_o,
  input  logic      walk_promise_i,  // an answer is chosen
  input  logic      walk_push_i,
  input  response_t walk_i,
  input  logic      walk_epoch_i,
  output logic      walk_room_o,
  output logic      rsp_valid_o,
  input  logic      rsp_ready_i,
  output response_t rsp_o,
  output logic      old_epoch_o      // a response of another epoch than epoch_i is still here
);

  localparam int unsigned HitHeadW   = (HitQueue == 1) ? 1 : $clog2(HitQueue);
  localparam int unsigned HitCountW  = $clog2(HitQueue + 1);
  localparam int unsigned WalkHeadW  = (WalkQueue == 1) ? 1 : $clog2(WalkQueue);
  localparam int unsigned WalkCountW = $clog2(WalkQueue + 1);

  logic [IdW-1:0]      hit_id_q    [HitQueue];
  logic [3:0]          hit_kind_q  [HitQueue];
  logic [2:0]          hit_level_q [HitQueue];
  logic [PfnW-1:0]     hit_pfn_q   [HitQueue];
  logic [1:0]          hit_size_q  [HitQueue];
  logic [1:0]          hit_perm_q  [HitQueue];
  logic [HitQueue-1:0] hit_epoch_q;
  logic [IdW-1:0]       walk_id_q    [WalkQueue];
  logic [3:0]           walk_kind_q  [WalkQueue];
  logic [2:0]           walk_level_q [WalkQueue];
  logic [PfnW-1:0]      walk_pfn_q   [WalkQueue];
  logic [1:0]           walk_size_q  [WalkQueue];
  logic [1:0]           walk_perm_q  [WalkQueue];
  logic [WalkQueue-1:0] walk_epoch_q;

  logic [HitHeadW-1:0]   hit_head_q;
  logic [HitCountW-1:0]  hit_count_q;
  logic [WalkHeadW-1:0]  walk_head_q;
  logic [WalkCountW-1:0] walk_count_q, walk_used_q;
  logic                  last_q;
  logic                  out_valid_q;
  logic [IdW-1:0]        out_id_q;
  logic [3:0]            out_kind_q;
  logic [2:0]            out_level_q;
  logic [PfnW-1:0]       out_pfn_q;
  logic [1:0]            out_size_q;
  logic [1:0]            out_perm_q;
  logic                  out_epoch_q;

  // ---------------------------------------------------------------- arbitration (R10.4, R10.5)

  logic empty, hit_any, walk_any, load, pop_hit, pop_walk;
  logic hit_stays, walk_stays;  // what is pushed takes a place (R10.14)

  assign empty    = hit_count_q == '0 && walk_count_q == '0;
  assign hit_any  = empty ? hit_push_i : hit_count_q != '0;
  assign walk_any = empty ? walk_push_i : walk_count_q != '0;
  assign load     = !out_valid_q || rsp_ready_i;
  assign pop_hit  = load && hit_any && (!walk_any || last_q);
  assign pop_walk = load && walk_any && !pop_hit;

  assign hit_stays  = hit_push_i && !(empty && pop_hit);
  assign walk_stays = walk_push_i && !(empty && pop_walk);

  // What each queue offers.
  response_t hit_offer, walk_offer;
  logic      hit_offer_epoch, walk_offer_epoch;

  always_comb begin
    hit_offer        = hit_i;
    hit_offer_epoch  = epoch_i;
    walk_offer       = walk_i;
    walk_offer_epoch = walk_epoch_i;
    if (!empty) begin
      hit_offer        = '{id: hit_id_q[hit_head_q], kind: hit_kind_q[hit_head_q],
                           level: hit_level_q[hit_head_q], pfn: hit_pfn_q[hit_head_q],
                           size: hit_size_q[hit_head_q], perm: hit_perm_q[hit_head_q]};
      hit_offer_epoch  = hit_epoch_q[hit_head_q];
      walk_offer       = '{id: walk_id_q[walk_head_q], kind: walk_kind_q[walk_head_q],
                           level: walk_level_q[walk_head_q], pfn: walk_pfn_q[walk_head_q],
                           size: walk_size_q[walk_head_q], perm: walk_perm_q[walk_head_q]};
      walk_offer_epoch = walk_epoch_q[walk_head_q];
    end
  end

  logic [HitHeadW-1:0]   hit_tail, hit_head_d;
  logic [HitCountW-1:0]  hit_count_d;
  logic [HitQueue-1:0]   hit_used;
  logic [WalkHeadW-1:0]  walk_tail, walk_head_d;
  logic [WalkCountW-1:0] walk_count_d;
  logic [WalkQueue-1:0]  walk_used;

  ring #(
    .Places(HitQueue)
  ) u_hit_ring (
    .head_i (hit_head_q),
    .count_i(hit_count_q),
    .push_i (hit_stays),
    .pop_i  (pop_hit && !empty),
    .tail_o (hit_tail),
    .used_o (hit_used),
    .head_o (hit_head_d),
    .count_o(hit_count_d)
  );

  ring #(
    .Places(WalkQueue)
  ) u_walk_ring (
    .head_i (walk_head_q),
    .count_i(walk_count_q),
    .push_i (walk_stays),
    .pop_i  (pop_walk && !empty),
    .tail_o (walk_tail),
    .used_o (walk_used),
    .head_o (walk_head_d),
    .count_o(walk_count_d)
  );

  assign hit_pop_o   = pop_hit;
  assign walk_room_o = walk_used_q < WalkCountW'(WalkQueue);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hit_head_q   <= '0;
      hit_count_q  <= '0;
      walk_head_q  <= '0;
      walk_count_q <= '0;
      walk_used_q  <= '0;
      last_q       <= 1'b0;
      out_valid_q  <= 1'b0;
      out_id_q     <= '0;
      out_kind_q   <= '0;
      out_level_q  <= '0;
      out_pfn_q    <= '0;
      out_size_q   <= '0;
      out_perm_q   <= '0;
      out_epoch_q  <= 1'b0;
    end else begin
      hit_head_q   <= hit_head_d;
      hit_count_q  <= hit_count_d;
      walk_head_q  <= walk_head_d;
      walk_count_q <= walk_count_d;
      walk_used_q  <= walk_used_q + WalkCountW'(walk_promise_i) - WalkCountW'(pop_walk);
      if (load) out_valid_q <= pop_hit || pop_walk;
      if (pop_hit || pop_walk) begin
        last_q      <= pop_walk;
        out_id_q    <= pop_hit ? hit_offer.id : walk_offer.id;
        out_kind_q  <= pop_hit ? hit_offer.kind : walk_offer.kind;
        out_level_q <= pop_hit ? hit_offer.level : walk_offer.level;
        out_pfn_q   <= pop_hit ? hit_offer.pfn : walk_offer.pfn;
        out_size_q  <= pop_hit ? hit_offer.size : walk_offer.size;
        out_perm_q  <= pop_hit ? hit_offer.perm : walk_offer.perm;
        out_epoch_q <= pop_hit ? hit_offer_epoch : walk_offer_epoch;
      end
    end
  end

  // ---------------------------------------------------------------- places (R10.4)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hit_epoch_q <= '0;
      for (int unsigned p = 0; p < HitQueue; p++) begin
        hit_id_q[p]    <= '0;
        hit_kind_q[p]  <= '0;
        hit_level_q[p] <= '0;
        hit_pfn_q[p]   <= '0;
        hit_size_q[p]  <= '0;
        hit_perm_q[p]  <= '0;
      end
    end else if (hit_stays) begin
      hit_id_q[hit_tail]    <= hit_i.id;
      hit_kind_q[hit_tail]  <= hit_i.kind;
      hit_level_q[hit_tail] <= hit_i.level;
      hit_pfn_q[hit_tail]   <= hit_i.pfn;
      hit_size_q[hit_tail]  <= hit_i.size;
      hit_perm_q[hit_tail]  <= hit_i.perm;
      hit_epoch_q[hit_tail] <= epoch_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      walk_epoch_q <= '0;
      for (int unsigned p = 0; p < WalkQueue; p++) begin
        walk_id_q[p]    <= '0;
        walk_kind_q[p]  <= '0;
        walk_level_q[p] <= '0;
        walk_pfn_q[p]   <= '0;
        walk_size_q[p]  <= '0;
        walk_perm_q[p]  <= '0;
      end
    end else if (walk_stays) begin
      walk_id_q[walk_tail]    <= walk_i.id;
      walk_kind_q[walk_tail]  <= walk_i.kind;
      walk_level_q[walk_tail] <= walk_i.level;
      walk_pfn_q[walk_tail]   <= walk_i.pfn;
      walk_size_q[walk_tail]  <= walk_i.size;
      walk_perm_q[walk_tail]  <= walk_i.perm;
      walk_epoch_q[walk_tail] <= walk_epoch_i;  // R10.6
    end
  end

  // ---------------------------------------------------------------- epochs (R11.6)

  assign old_epoch_o = (out_valid_q && out_epoch_q != epoch_i) ||
                       |(hit_used & (hit_epoch_q ^ {HitQueue{epoch_i}})) ||
                       |(walk_used & (walk_epoch_q ^ {WalkQueue{epoch_i}}));

  assign rsp_valid_o = out_valid_q;
  assign rsp_o       = '{id: out_id_q, kind: out_kind_q, level: out_level_q, pfn: out_pfn_q,
                         size: out_size_q, perm: out_perm_q};

endmodule
