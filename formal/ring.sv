// The ring of a queue (R14.1): under its contract the count never leaves 0..Places, the head stays in the ring, as
// many places are in use as the count says, and what is pushed comes out in its turn.
//
// Assumed of whoever holds it: a pop needs an entry, a push a free place or a pop in the same cycle.
module ring_formal #(
  parameter int unsigned Places = 3,
  localparam int unsigned HeadW  = (Places == 1) ? 1 : $clog2(Places),
  localparam int unsigned CountW = $clog2(Places + 1)
) (
  input logic clk_i,
  input logic push_i,
  input logic pop_i,
  input logic mark_i  // this push is the one that is followed
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [HeadW-1:0]  head_q, head_d, tail;
  logic [CountW-1:0] count_q, count_d;
  logic [Places-1:0] used;

  ring #(
    .Places(Places)
  ) dut (
    .head_i (head_q),
    .count_i(count_q),
    .push_i,
    .pop_i,
    .tail_o (tail),
    .used_o (used),
    .head_o (head_d),
    .count_o(count_d)
  );

  logic              followed_q;  // a pushed entry, at this place, with so many before it
  logic [HeadW-1:0]  place_q;
  logic [CountW-1:0] before_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head_q, count_q, followed_q, place_q, before_q} <= '0;
    end else begin
      head_q  <= head_d;
      count_q <= count_d;
      if (!followed_q && push_i && mark_i) begin
        followed_q <= 1'b1;
        place_q    <= tail;
        before_q   <= count_q - CountW'(pop_i);
      end else if (followed_q && pop_i) begin
        if (before_q == '0) followed_q <= 1'b0;
        else before_q <= before_q - CountW'(1);
      end
    end
  end

  pop : assume property (@(posedge clk_i) disable iff (!rst_ni) !pop_i || count_q != '0);
  push : assume property (@(posedge clk_i) disable iff (!rst_ni) !push_i || pop_i || 32'(count_q) < Places);

  count_in_range : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(count_q) <= Places);
  head_in_range : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(head_q) < Places);
  as_many_used : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'($countones(used)) == 32'(count_q));
  // A push goes where nothing is, or where the entry stands that leaves in this cycle.
  pushed_where_free : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !push_i || !used[tail] || (pop_i && tail == head_q));
  followed_is_used : assert property (@(posedge clk_i) disable iff (!rst_ni) !followed_q || used[place_q]);
  comes_in_its_turn : assert property (@(posedge clk_i) disable iff (!rst_ni)
                   !(followed_q && pop_i && before_q == '0) || head_q == place_q);

endmodule
