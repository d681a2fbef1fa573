// The checker of what happens to three walkers, of which the first and the last are IDLE.
module walker_events_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic       picked, wanted, found, awaited, result_taken, result, scan_taken, scan;
  logic [2:0] idle, asking;
  logic       asks, comes;
  logic [1:0] tag;

  always_comb begin
    {picked, wanted, found, awaited, result_taken, result, scan_taken, scan} = '0;
    idle   = cycle_i < 2 ? 3'b111 : 3'b101;
    asking = 3'b000;
    {asks, comes} = '0;
    tag    = 2'd3;
    case (what_i)
      "pick_wanted": begin
        picked = 1'b1;
        wanted = !bad_i;
      end
      "pick_wanted, which may go unused": picked = bad_i;
      "one_begins": if (cycle_i >= 4) idle = bad_i ? 3'b000 : 3'b001;
      "one_begins, however many end": begin
        if (cycle_i < 2) idle = 3'b111;
        else if (cycle_i == 2) idle = 3'b110;
        else if (cycle_i == 3) idle = 3'b100;
        else idle = bad_i && cycle_i == 5 ? 3'b001 : 3'b111;
      end
      "idle_is_silent": asking = cycle_i >= 2 ? (bad_i ? 3'b011 : 3'b010) : 3'b000;
      "lookup_awaited": begin
        found   = 1'b1;
        awaited = !bad_i;
      end
      "lookup_awaited, which takes its time": found = bad_i;
      "answer_there of a walker": begin
        result_taken = 1'b1;
        result       = !bad_i;
      end
      "answer_there of a scan": begin
        scan_taken = 1'b1;
        scan       = !bad_i;
      end
      "answer_there, which may wait": {result_taken, scan_taken} = {bad_i, bad_i};
      "tag_free once its line has come": begin
        asks  = cycle_i == 2 || cycle_i == 5;
        comes = cycle_i == (bad_i ? 6 : 4);
      end
      "tag_free, which another's is": begin
        asks = cycle_i == 2 || cycle_i == 3;
        tag  = cycle_i == 3 && !bad_i ? 2'd2 : 2'd3;
      end
      "tag_free of who asks": asks = cycle_i == 2 || (bad_i && cycle_i == 3);
      default: ;
    endcase
  end

  walker_events_checker #(.Walkers(3), .MemTagW(2)) u_checker (
    .clk_i,
    .rst_ni,
    .picked,
    .wanted,
    .idle,
    .asking,
    .found,
    .found_awaited(awaited),
    .result_taken,
    .result_valid (result),
    .scan_taken,
    .scan_valid   (scan),
    .asks,
    .asked_tag    (tag),
    .comes,
    .come_tag     (2'd3)
  );

endmodule
