// The miss queue's checker, of a queue of three places.
module miss_queue_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic       push, pop;
  logic [1:0] count;

  always_comb begin
    {push, pop} = '0;
    count       = 2'd3;
    case (what_i)
      "room": begin
        push  = 1'b1;
        count = bad_i ? 2'd3 : 2'd2;
      end
      "room where one leaves": begin
        push = 1'b1;
        pop  = !bad_i;
      end
      "room that nobody asks for": push = bad_i;
      default: ;
    endcase
  end

  miss_queue_checker #(.MissQueue(3)) u_checker (
    .clk_i,
    .rst_ni,
    .push,
    .pop,
    .miss_count_q(count)
  );

endmodule
