// The line store's checker: a scan writes over line 2, which entry 1 may name.
module line_store_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Entries = 4;

  logic                    scan, open;
  logic [Entries-1:0]      valid, done;
  logic [2:0][Entries-1:0] pl;
  logic [1:0]              line [Entries];

  always_comb begin
    scan  = 1'b1;
    open  = 1'b1;
    valid = '1;
    done  = '0;
    pl    = '0;
    line  = '{default: 2'd2};
    case (what_i)
      "not_overwritten that answers": begin
        done[1] = 1'b1;
        line[1] = bad_i ? 2'd2 : 2'd3;
      end
      "not_overwritten that has been learnt from": begin
        pl[2][1] = 1'b1;
        line[1]  = bad_i ? 2'd2 : 2'd1;
      end
      "not_overwritten of the last entry": done[3] = bad_i;
      "not_overwritten from DONE on": done[1] = bad_i;
      "not_overwritten from PL=1 on": pl[0][1] = bad_i;
      "not_overwritten from PL=2 on": pl[1][1] = bad_i;
      "not_overwritten while the entry is there": begin
        done[1]  = 1'b1;
        valid[1] = bad_i;
      end
      "not_overwritten by a scan": begin
        done[1] = 1'b1;
        scan    = bad_i;
      end
      "not_overwritten where the store is open": begin
        done[1] = 1'b1;
        open    = bad_i;
      end
      default: ;
    endcase
  end

  line_store_checker #(.BufferEntries(Entries), .Lines(4)) u_checker (
    .clk_i,
    .rst_ni,
    .scan_i    (scan),
    .store_tail(2'd2),
    .store_open(open),
    .valid_q   (valid),
    .done_q    (done),
    .pl_q      (pl),
    .line_q    (line)
  );

endmodule
