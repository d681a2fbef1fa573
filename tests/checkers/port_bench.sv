// The checker of the unit's ports: without contiguous pages and hashed tables, and with both
// (`rich`).
module port_bench
  import lockwalk_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Walkers = 2;

  logic         rsp_valid, rich_rsp_valid, rsp_ready, mem_valid, mem_ready, walker_next;
  logic [7:0]   rsp, mem, given;
  logic [3:0]   kind;
  logic [2:0]   level;
  logic [1:0]   size;
  logic [Counters-1:0][8:0] increment;
  logic [3:0]         entries;
  logic [Walkers-1:0] started;

  always_comb begin
    {rsp_valid, rich_rsp_valid, rsp_ready, mem_valid, mem_ready, walker_next} = '0;
    rsp     = '0;
    mem     = '0;
    given   = '0;
    kind    = KindOk;
    level   = '0;
    size    = '0;
    entries = '0;
    started = '0;
    increment = '0;
    increment[CntIdleEmpty] = 9'(Walkers);
    case (what_i)
      "response_stays as it is": begin
        rsp_valid = 1'b1;
        rsp       = 8'(cycle_i >= 4);
        rsp_ready = cycle_i == 3 && !bad_i;
      end
      "response_stays valid": begin
        rsp_valid = cycle_i < 4;
        rsp_ready = cycle_i == 3 && !bad_i;
      end
      "read_stays as it is": begin
        mem_valid = 1'b1;
        mem       = 8'(cycle_i >= 4);
        mem_ready = cycle_i == 3 && !bad_i;
      end
      "read_stays valid": begin
        mem_valid = cycle_i < 4;
        mem_ready = cycle_i == 3 && !bad_i;
      end
      "links without COLT": begin
        rsp_valid = 1'b1;
        level     = bad_i ? 3'd4 : 3'd0;
      end
      "links of 4 KiB": begin
        rich_rsp_valid = 1'b1;
        level          = 3'd7;
        size           = bad_i ? 2'd1 : 2'd0;
      end
      "links of a translation": begin
        rsp_valid = 1'b1;
        level     = 3'd1;
        kind      = bad_i ? KindOk : KindReserved;
      end
      "fault_level within the table": begin
        rsp_valid = 1'b1;
        kind      = KindReserved;
        level     = bad_i ? 3'd5 : 3'd4;
      end
      "fault_level of a PTE": begin
        rsp_valid = 1'b1;
        kind      = KindPermission;
        level     = bad_i ? 3'd0 : 3'd1;
      end
      "fault_level without an address": begin
        rsp_valid = 1'b1;
        kind      = KindNonCanonical;
        level     = bad_i ? 3'd4 : 3'd0;
      end
      "fault_level without a table": begin
        rsp_valid = 1'b1;
        kind      = KindUnknownPasid;
        level     = bad_i ? 3'd1 : 3'd0;
      end
      "fault_level of a step table": begin
        rich_rsp_valid = 1'b1;
        kind           = bad_i ? KindReserved : KindNotPresent;
        level          = 3'd6;
      end
      "fault_level of a line of a step table": begin
        rich_rsp_valid = 1'b1;
        kind           = KindMemoryError;
        level          = bad_i ? 3'd5 : 3'd6;
      end
      "fault_level where there is a step table": begin
        rich_rsp_valid = !bad_i;
        rsp_valid      = bad_i;
        kind           = KindNotPresent;
        level          = 3'd6;
      end
      "fault_level of a kind that there is": begin
        rsp_valid = 1'b1;
        kind      = bad_i ? 4'd8 : 4'd7;
        level     = 3'd1;
      end
      "fault_is_bare": begin
        rsp_valid = 1'b1;
        kind      = KindNotPresent;
        level     = 3'd1;
        given     = {7'd0, bad_i};
      end
      "fault_is_bare in its highest bit": begin
        rsp_valid = 1'b1;
        kind      = KindNotPresent;
        level     = 3'd1;
        given     = {bad_i, 7'd0};
      end
      "fault_is_bare of a response": begin
        rsp_valid = bad_i;
        kind      = KindNotPresent;
        level     = 3'd1;
        given     = 8'd1;
      end
      "fault_is_bare, not an OK": begin
        rsp_valid = 1'b1;
        kind      = bad_i ? KindNonCanonical : KindOk;
        given     = 8'h80;
      end
      "one_cause at least": increment[CntIdleEmpty] = bad_i ? 9'd1 : 9'd2;
      "one_cause at most": begin
        increment[CntIdleEmpty]     = 9'd1;
        increment[CntIdleHeld]      = 9'd1;
        increment[CntResponseQueue] = 9'(bad_i);
      end
      "one_cause, not four more": increment[CntIdleEmpty] = bad_i ? 9'd6 : 9'd2;
      "waiting with entries": begin
        entries               = 4'b1010;
        increment[CntWaiting] = bad_i ? 9'd1 : 9'd2;
      end
      "waiting with walkers": begin
        entries               = 4'b0001;
        started               = 2'b11;
        increment[CntWaiting] = bad_i ? 9'd1 : 9'd3;
      end
      "waiting but for the next answer": begin
        started               = 2'b11;
        walker_next           = 1'b1;
        increment[CntWaiting] = bad_i ? 9'd2 : 9'd1;
      end
      default: ;
    endcase
  end

  port_checker #(
    .Levels(4), .Entries(4), .Walkers(Walkers), .Colt(0), .Hashes(1'b0),
    .RspW(8), .GivenW(8), .MemW(8)
  ) u_checker (
    .clk_i,
    .rst_ni,
    .rsp_valid_i    (rsp_valid),
    .rsp_ready_i    (rsp_ready),
    .rsp_i          (rsp),
    .rsp_kind_i     (kind),
    .rsp_level_i    (level),
    .rsp_size_i     (size),
    .rsp_given_i    (given),
    .mem_valid_i    (mem_valid),
    .mem_ready_i    (mem_ready),
    .mem_i          (mem),
    .increment,
    .entries_valid  (entries),
    .walkers_started(started),
    .walker_next
  );

  port_checker #(
    .Levels(4), .Entries(4), .Walkers(Walkers), .Colt(1), .Hashes(1'b1),
    .RspW(8), .GivenW(8), .MemW(8)
  ) u_rich (
    .clk_i,
    .rst_ni,
    .rsp_valid_i    (rich_rsp_valid),
    .rsp_ready_i    (1'b1),
    .rsp_i          (rsp),
    .rsp_kind_i     (kind),
    .rsp_level_i    (level),
    .rsp_size_i     (size),
    .rsp_given_i    (given),
    .mem_valid_i    (1'b0),
    .mem_ready_i    (1'b1),
    .mem_i          (mem),
    .increment,
    .entries_valid  (entries),
    .walkers_started(started),
    .walker_next
  );

endmodule
