// Watches the unit's ports: what is offered stays until it is taken (R0.3), LINKS are those of a 4 KiB
// page (R1.14), a fault's kind is one of R1.9 with a level that it can have, and names no page (R1.9), every cycle of
// every walker is attributed to one cause (R12.6), and WAITING is what a count of entries and walkers gives (R12.5).
module port_checker
  import lockwalk_pkg::*;
#(
  parameter int unsigned Levels     = 4,
  parameter int unsigned Entries    = 256,
  parameter int unsigned Walkers    = 8,
  parameter int unsigned Colt       = 0,
  parameter bit          Hashes     = 1'b0,
  parameter int unsigned RspW       = 59,
  parameter int unsigned GivenW     = 40,
  parameter int unsigned MemW       = 45,
  parameter int unsigned IncrementW = 9
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            rsp_valid_i,
  input logic            rsp_ready_i,
  input logic [RspW-1:0] rsp_i,
  input logic [3:0]      rsp_kind_i,
  input logic [2:0]      rsp_level_i,
  input logic [1:0]      rsp_size_i,
  input logic [GivenW-1:0] rsp_given_i,  // PFN, SIZE and PERM
  input logic            mem_valid_i,
  input logic            mem_ready_i,
  input logic [MemW-1:0] mem_i,
  input logic [Counters-1:0][IncrementW-1:0] increment,
  input logic [Entries-1:0] entries_valid,
  input logic [Walkers-1:0] walkers_started,
  input logic               walker_next
);

  logic            rsp_held_q, mem_held_q;
  logic [RspW-1:0] rsp_q;
  logic [MemW-1:0] mem_q;
  logic [IncrementW-1:0] causes;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_held_q <= 1'b0;
      mem_held_q <= 1'b0;
      rsp_q      <= '0;
      mem_q      <= '0;
    end else begin
      rsp_held_q <= rsp_valid_i && !rsp_ready_i;
      mem_held_q <= mem_valid_i && !mem_ready_i;
      rsp_q      <= rsp_i;
      mem_q      <= mem_i;
    end
  end

  always_comb begin
    causes = '0;
    for (int unsigned c = CntIdleEmpty; c <= CntResponseQueue; c++) causes += increment[c];
  end

  response_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_held_q || (rsp_valid_i && rsp_i == rsp_q))
  else $error("R0.3: an offered response changed");

  read_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !mem_held_q || (mem_valid_i && mem_i == mem_q))
  else $error("R0.3: an offered walk read changed");

  links : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_valid_i || rsp_kind_i != KindOk || rsp_level_i == '0 || (Colt != 0 && rsp_size_i == '0))
  else $error("R1.14: LINKS %b of size %0d", rsp_level_i, rsp_size_i);

  // Who has read nothing names no level; of a hashed table 6 is one too (R20.14).
  logic unread, of_level, no_level;
  assign unread   = rsp_kind_i == KindNonCanonical || rsp_kind_i == KindUnknownPasid;
  assign of_level = rsp_level_i != '0 && 32'(rsp_level_i) <= Levels;
  assign no_level = Hashes && rsp_level_i == 3'd6 &&
                    (rsp_kind_i == KindNotPresent || rsp_kind_i == KindMemoryError);

  fault_level : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_valid_i || rsp_kind_i == KindOk ||
      (rsp_kind_i <= KindMemoryError && (unread ? rsp_level_i == '0 : of_level || no_level)))
  else $error("R1.9: a fault of kind %0d and level %0d", rsp_kind_i, rsp_level_i);

  fault_is_bare : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_valid_i || rsp_kind_i == KindOk || rsp_given_i == '0)
  else $error("R1.9: a fault with PFN, SIZE or PERM");

  one_cause : assert property (@(posedge clk_i) disable iff (!rst_ni)
      causes == IncrementW'(Walkers))
  else $error("R12.6: %0d causes for %0d walkers", causes, Walkers);

  waiting : assert property (@(posedge clk_i) disable iff (!rst_ni)
      increment[CntWaiting] == IncrementW'($countones(entries_valid)) +
                               IncrementW'($countones(walkers_started)) -
                               IncrementW'(walker_next))
  else $error("R12.5: WAITING adds %0d", increment[CntWaiting]);

endmodule

bind iommu port_checker #(
  .Levels    (Levels),
  .Entries   (BufferEntries),
  .Walkers   (Walkers),
  .Colt      (Colt),
  .Hashes    (PwcOrg == 2),
  .RspW      (IdW + 4 + 3 + PfnW + 2 + 2),
  .GivenW    (PfnW + 2 + 2),
  .MemW      (MemTagW + LineW),
  .IncrementW(IncrementW)
) u_checker (
  .clk_i,
  .rst_ni,
  .rsp_valid_i(rsp_valid_o),
  .rsp_ready_i,
  .rsp_i      ({rsp_id_o, rsp_kind_o, rsp_level_o, rsp_pfn_o, rsp_size_o, rsp_perm_o}),
  .rsp_kind_i (rsp_kind_o),
  .rsp_level_i(rsp_level_o),
  .rsp_size_i (rsp_size_o),
  .rsp_given_i({rsp_pfn_o, rsp_size_o, rsp_perm_o}),
  .mem_valid_i(mem_req_valid_o),
  .mem_ready_i(mem_req_ready_i),
  .mem_i      ({mem_req_tag_o, mem_req_line_o}),
  .increment,
  .entries_valid  (u_walk.u_buffer.valid_q),
  .walkers_started(u_walk.u_walkers.started_q),
  .walker_next    (u_walk.u_answers.walker_next_q)
);
