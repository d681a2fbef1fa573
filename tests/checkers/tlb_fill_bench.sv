// The checker of the TLB's fills, in a unit with subregions, in one with runs and in one with neither.
module tlb_fill_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic        valid, valid_run, valid_plain, of_run, of_plain;
  logic        told_span, span, span_of_run, span_of_plain;
  logic [17:0] told, vpn;
  logic [2:0]  length;

  always_comb begin
    {valid, valid_run, valid_plain, of_run, of_plain, told_span, span, span_of_plain} = '0;
    span_of_run = 1'b1;
    vpn         = 18'h12345;
    length      = '0;
    case (what_i)
      "told": begin
        valid = cycle_i == 5;
        vpn   = 18'(cycle_i);
      end
      "told of its kind": begin
        valid     = cycle_i == 5;
        vpn       = 18'h00040;
        told_span = 1'b1;
        span      = !bad_i;
      end
      "told of what fills": begin
        valid = cycle_i == 5 && bad_i;
        vpn   = 18'(cycle_i);
      end
      "kind of a subregion's first page": begin
        valid = cycle_i == 5;
        vpn   = bad_i ? 18'h00041 : 18'h00040;
        span  = 1'b1;
      end
      "kind of a subregion's 32nd page": begin
        valid = cycle_i == 5;
        vpn   = bad_i ? 18'h00060 : 18'h00040;
        span  = 1'b1;
      end
      "kind of a page": begin
        valid = cycle_i == 5;
        span  = bad_i;
      end
      "kind of a run": begin
        of_run    = 1'b1;
        valid_run = cycle_i == 5;
        span_of_run = !bad_i;
      end
      "kind, where there are no ranges": begin
        of_plain    = 1'b1;
        valid_plain = cycle_i == 5;
        span_of_plain = bad_i;
      end
      "in_frame": begin
        valid = cycle_i == 5;
        span   = 1'b1;
        vpn    = 18'h00140;  // the subregion 5
        length = bad_i ? 3'd3 : 3'd2;
      end
      "in_frame, or in a group": begin
        of_run    = 1'b1;
        valid_run = cycle_i == 5;
        vpn       = 18'h00142;  // the page 2
        length    = bad_i ? 3'd2 : 3'd1;
      end
      "in_frame, which a page is": begin
        valid = cycle_i == 5;
        vpn    = 18'h001c0;
        span   = bad_i;
        length = 3'd1;
      end
      default: ;
    endcase
    if (what_i != "told of its kind") begin
      told_span = of_run ? span_of_run : of_plain ? span_of_plain : span;
    end
    told = vpn;
    if (what_i == "told") told = 18'(cycle_i) + (bad_i ? 18'd0 : 18'd1);  // that of the next cycle
    if (what_i == "told of what fills") told = '0;
  end

  tlb_fill_checker #(.VpnW(18), .Subregions(1'b1), .Runs(1'b0)) u_subregions (
    .clk_i,
    .rst_ni,
    .told_span,
    .told_vpn   (told),
    .fill_valid (valid),
    .fill_span  (span),
    .fill_vpn   (vpn),
    .fill_length(length)
  );

  tlb_fill_checker #(.VpnW(18), .Subregions(1'b0), .Runs(1'b1)) u_runs (
    .clk_i,
    .rst_ni,
    .told_span,
    .told_vpn   (told),
    .fill_valid (valid_run),
    .fill_span  (span_of_run),
    .fill_vpn   (vpn),
    .fill_length(length)
  );

  tlb_fill_checker #(.VpnW(18), .Subregions(1'b0), .Runs(1'b0)) u_plain (
    .clk_i,
    .rst_ni,
    .told_span,
    .told_vpn   (told),
    .fill_valid (valid_plain),
    .fill_span  (span_of_plain),
    .fill_vpn   (vpn),
    .fill_length(length)
  );

endmodule
