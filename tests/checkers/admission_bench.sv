// The admission's checker: a request is accepted in cycle 1 and decided in cycle 3.
module admission_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic req, miss, other, leaves, turn, room, second;

  always_comb begin
    req    = cycle_i == 1;
    miss   = cycle_i == 3;
    other  = 1'b0;
    leaves = 1'b0;
    {turn, room, second} = '0;
    case (what_i)
      "decided_once, a hit": begin
        miss  = 1'b0;
        other = cycle_i == (bad_i ? 1 : 3);
      end
      "decided_once and no more": if (cycle_i == 4) miss = bad_i;
      "decided_once, one way": if (cycle_i == 3) other = bad_i;
      "miss_leaves as it is decided": leaves = cycle_i == (bad_i ? 2 : 3);
      "miss_leaves once": leaves = cycle_i == 3 || (cycle_i == 5 && bad_i);
      "miss_leaves later": if (cycle_i == 5) leaves = 1'b1; else if (cycle_i == 6) leaves = bad_i;
      "miss_leaves, which a hit does not": begin
        leaves = cycle_i == 4;
        miss   = cycle_i == 3 && !bad_i;
        other  = cycle_i == 3 && bad_i;
      end
      "second_in_turn": if (cycle_i == 5) begin
        {second, room} = '1;
        turn           = !bad_i;
      end
      "second_in_turn with room": if (cycle_i == 5) begin
        {second, turn} = '1;
        room           = !bad_i;
      end
      "second_in_turn, which may go unused": if (cycle_i == 5) second = bad_i;
      default: {req, miss} = '0;
    endcase
  end

  admission_checker u_checker (
    .clk_i,
    .rst_ni,
    .req_valid_i    (req),
    .req_ready_o    (1'b1),
    .decided_miss_i (miss),
    .decided_other_i(other),
    .miss_leaves_i  (leaves),
    .second_turn_i  (turn),
    .hit_room_o     (room),
    .second_i       (second)
  );

endmodule
