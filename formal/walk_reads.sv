// A walk makes at most 5 + LEVELS reads (R21.18): the home, the bucket and its slot twice, and the victim buffer.
//
// What memory says and when, which entries there are, what control writes and the marks are free at any time: steps,
// tags, radix nodes, HASHED, VICTIM_VALID, HOME_FIRST and PWC_ENABLE may change between any two reads of a walk. A
// read is counted as it leaves for memory, for the walk that began last, of which the walker has no more than one.
module walk_reads #(
  parameter int unsigned Most = 9
) (
  input logic clk_i,
  input logic rst_ni,
  input logic starts,
  input logic reads
);

  logic [3:0] reads_q;  // of the walk that is under way

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reads_q <= '0;
    else if (starts) reads_q <= '0;
    else if (reads && reads_q != '1) reads_q <= reads_q + 4'd1;
  end

  reads_bounded : assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(reads_q) <= Most);

endmodule

bind hashed_walks walk_reads #(.Most(5 + VpnW / 9)) u_property (
  .clk_i,
  .rst_ni,
  .starts(decision.commit),
  .reads (mem_req.valid && mem_req_ready_i)
);
