// The response queue's checker: a hit and an answer wait, the output register is free, and the hit's turn has come, for
// an answer left before it.
module response_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned HitQueue  = 4;
  localparam int unsigned WalkQueue = 2;

  logic       hit_push, walk_push, promise, ready, out_valid, pop_hit, pop_walk;
  logic [2:0] hit_count;
  logic [1:0] walk_count;

  // In cycle 1 an answer is chosen, and a second one in cycle 2; the first one enters in cycle 3 and leaves in 4.
  always_comb begin
    promise    = cycle_i == 1 || cycle_i == 2;
    walk_push  = cycle_i == 3;
    pop_walk   = cycle_i == 4;
    walk_count = cycle_i == 4 ? 2'd1 : 2'd0;
    hit_push   = 1'b0;
    hit_count  = '0;
    pop_hit    = 1'b0;
    out_valid  = 1'b0;
    ready      = 1'b0;
    if (cycle_i == 3) out_valid = 1'b1;
    case (what_i)
      "leaves": if (cycle_i == 5) begin
        hit_count = 3'd1;
        pop_hit   = !bad_i;
      end
      "leaves past the empty queues": if (cycle_i == 5) begin
        hit_push = 1'b1;
        pop_hit  = !bad_i;
      end
      "leaves, an answer": if (cycle_i == 5) begin
        walk_count = 2'd1;
        pop_walk   = !bad_i;
      end
      "leaves, an answer past the empty queues": if (cycle_i == 5) begin
        walk_push = 1'b1;
        pop_walk  = !bad_i;
      end
      "leaves as the one before it does": if (cycle_i == 5) begin
        hit_count = 3'd1;
        out_valid = 1'b1;
        ready     = bad_i;
      end
      "offered by the hit queue": if (cycle_i == 5) begin
        hit_count = bad_i ? 3'd0 : 3'd1;
        pop_hit   = 1'b1;
      end
      "offered by the walk queue": if (cycle_i == 5) begin
        walk_count = bad_i ? 2'd0 : 2'd1;
        pop_walk   = 1'b1;
      end
      "offered, not past a queue that holds something": if (cycle_i == 5) begin
        hit_push   = 1'b1;
        walk_count = bad_i ? 2'd1 : 2'd0;
        pop_hit    = 1'b1;
      end
      "offered to a free register": if (cycle_i == 5) begin
        hit_count = 3'd1;
        out_valid = bad_i;
        pop_hit   = 1'b1;
      end
      "offered to a free register, an answer": if (cycle_i == 5) begin
        walk_count = 2'd1;
        out_valid  = bad_i;
        pop_walk   = 1'b1;
      end
      "turns": if (cycle_i == 5) begin
        hit_count  = 3'd1;
        walk_count = 2'd1;
        pop_hit    = !bad_i;
        pop_walk   = bad_i;
      end
      "turns of the first": if (cycle_i == 4) begin
        hit_count = 3'd1;
        pop_hit   = bad_i;
        pop_walk  = !bad_i;
      end
      "turns after a hit": if (cycle_i == 5) begin
        hit_count = 3'd1;
        pop_hit   = 1'b1;
      end else if (cycle_i == 6) begin
        hit_count  = 3'd1;
        walk_count = 2'd1;
        pop_hit    = bad_i;
        pop_walk   = !bad_i;
      end
      "turns, one at a time": if (cycle_i == 5) begin
        hit_count  = 3'd1;
        walk_count = 2'd1;
        pop_hit    = 1'b1;
        pop_walk   = bad_i;
      end
      "turns, one at a time after a hit": if (cycle_i == 5) begin
        hit_count = 3'd1;
        pop_hit   = 1'b1;
      end else if (cycle_i == 6) begin
        hit_count  = 3'd1;
        walk_count = 2'd1;
        pop_hit    = bad_i;
        pop_walk   = 1'b1;
      end
      "hit_room of what comes": if (cycle_i == 5) begin
        hit_count = 3'd4;
        hit_push  = bad_i;
        pop_hit   = 1'b1;
      end
      "hit_room": if (cycle_i == 5) begin
        hit_count = bad_i ? 3'd4 : 3'd3;
        hit_push  = 1'b1;
        pop_hit   = 1'b1;
      end
      "promised": if (cycle_i == 5) promise = 1'b1;
      else if (cycle_i == 6) promise = bad_i;
      "kept_promise": if (cycle_i == 5) begin
        walk_push = 1'b1;
        pop_walk  = 1'b1;
      end else if (cycle_i == 6) begin
        walk_push = bad_i;
        out_valid = bad_i;
      end
      "kept_promise of what stays": if (cycle_i == 5) begin
        walk_count = bad_i ? 2'd2 : 2'd1;
        pop_walk   = 1'b1;
      end
      default: begin
        promise    = 1'b0;
        walk_push  = 1'b0;
        walk_count = '0;
        pop_walk   = 1'b0;
        out_valid  = 1'b0;
      end
    endcase
  end

  response_checker #(.HitQueue(HitQueue), .WalkQueue(WalkQueue)) u_checker (
    .clk_i,
    .rst_ni,
    .hit_push_i    (hit_push),
    .walk_push_i   (walk_push),
    .walk_promise_i(promise),
    .rsp_ready_i   (ready),
    .out_valid_q   (out_valid),
    .hit_count_q   (hit_count),
    .walk_count_q  (walk_count),
    .pop_hit,
    .pop_walk
  );

endmodule
