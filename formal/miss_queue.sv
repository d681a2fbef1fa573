// The misses in front of the buffer (R4.8, R4.10): they enter it in the order in which they were decided, none twice
// and none lost, and one is stale there exactly if a mark met it, without a root, while it waited.
//
// One miss, any, is followed, which its id marks: how many are before it, and whether it is stale.
// Assumed is what the admission keeps to (R2.1): nobody is decided where there is no place.
`include "lockwalk_types.svh"

module miss_queue_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned MissQueue = 3
) (
  input logic       clk_i,
  input logic       decided_i,
  input logic       pasid_i,
  input logic       ours_i,      // the miss that is decided is the one
  input logic       open_i,      // the buffer's slot is free
  input logic       mark_i,
  input logic       mark_all_i,
  input logic       mark_pasid_i,
  input logic [1:0] roots_valid_i
);

  localparam type mark_t = `LW_MARK_T(1);
  localparam type miss_t = `LW_MISS_T(9, 1, 1, 1);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  mark_t mark;
  miss_t decided, next;
  logic  insert, leaves, any_stale;

  assign mark    = '{valid: mark_i, all: mark_all_i, one: 1'b1, pasid: mark_pasid_i};
  assign decided = '{valid: decided_i, id: ours_i, src: '0, key: '{pasid: pasid_i, vpn: '0}, access: '0,
                     stale: 1'b0};
  assign insert  = next.valid && open_i;

  miss_queue #(
    .VpnW(9), .PasidW(1), .IdW(1), .SrcW(1), .MissQueue(MissQueue)
  ) dut (
    .clk_i,
    .rst_ni,
    .mark_i       (mark),
    .roots_valid_i,
    .miss_i       (decided),
    .miss_o       (next),
    .insert_i     (insert),
    .leaves_o     (leaves),
    .any_stale_o  (any_stale)
  );

  // How many wait, in the queue as the admission counts them and in all; and the one: it waits, so many before it.
  logic [7:0] queued_q, waiting_q, before_q;
  logic       here_q, was_q, pasid_q, stale_q, met;

  assign met = mark_i && (mark_all_i || mark_pasid_i == pasid_q) && !roots_valid_i[pasid_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {queued_q, waiting_q, before_q, here_q, was_q, pasid_q, stale_q} <= '0;
    end else begin
      queued_q  <= queued_q + 8'(decided_i) - 8'(leaves);
      waiting_q <= waiting_q + 8'(decided_i) - 8'(insert);
      if (decided_i && ours_i) begin
        {here_q, was_q} <= 2'b11;
        pasid_q         <= pasid_i;
        stale_q         <= 1'b0;
        before_q        <= waiting_q - 8'(insert);
      end else if (here_q) begin
        stale_q  <= stale_q || met;
        before_q <= before_q - 8'(insert);
        if (insert && before_q == '0) here_q <= 1'b0;
      end
    end
  end

  room : assume property (@(posedge clk_i) disable iff (!rst_ni) !decided_i || 32'(queued_q) < MissQueue);
  followed_once : assume property (@(posedge clk_i) disable iff (!rst_ni) !(ours_i && was_q));

  next_while_one_waits : assert property (@(posedge clk_i) disable iff (!rst_ni) next.valid == (waiting_q != '0));
  in_their_order : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                    !next.valid ||
                                    next.id == 1'(here_q && before_q == '0));
  kept_with_its_mark : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                        !(here_q && before_q == '0) ||
                                        (next.key.pasid == pasid_q && next.stale == (stale_q || met)));
  stale_is_told : assert property (@(posedge clk_i) disable iff (!rst_ni) !(here_q && stale_q) || any_stale);

endmodule
