// Watches the page walkers: CONTIG is that of the level-2 PTE above, or that of a region in a step table, so only a
// walk at level 1 has any (R1.10, R7.5, R21.7, R21.9), and no tag is asked for but a walker's (R8.1) or that of one of
// eight heads, in a unit that reads heads (R16.6, R16.13). Before its walk starts a walker may hold the REACH of an
// answer that its entry got meanwhile (R5.4).
module walker_checker #(
  parameter int unsigned Walkers = 8,
  parameter int unsigned ContigW = 9,
  parameter int unsigned MemTagW = 3,
  parameter bit          Heads   = 1'b0
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [2:0]         level_q  [Walkers],
  input logic [Walkers-1:0] started_q,
  input logic [ContigW-1:0] contig_q [Walkers],
  input logic               mem_req_valid_o,
  input logic [MemTagW-1:0] mem_req_tag_o
);

  logic [Walkers-1:0] misled;

  always_comb begin
    for (int unsigned w = 0; w < Walkers; w++) begin
      misled[w] = started_q[w] && level_q[w] != 3'd1 && contig_q[w] != '0;
    end
  end

  contig_at_leaf : assert property (@(posedge clk_i) disable iff (!rst_ni) misled == '0)
  else $error("R1.10: CONTIG of walkers %b above level 1", misled);

  tag_known : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !mem_req_valid_o || 32'(mem_req_tag_o) < Walkers + (Heads ? 8 : 0))
  else $error("R8.1, R16.6: tag %0d", mem_req_tag_o);

endmodule

bind page_walkers walker_checker #(
  .Walkers(Walkers),
  .ContigW(ContigW),
  .MemTagW(MemTagW),
  .Heads  (Subregions && !HeadFirst)
) u_checker (
  .clk_i,
  .rst_ni,
  .level_q,
  .started_q,
  .contig_q,
  .mem_req_valid_o(mem_req_o.valid),
  .mem_req_tag_o  (mem_req_o.tag)
);
