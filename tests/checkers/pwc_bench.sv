// The checker of the page walk cache's fills, in a unit of four levels: a fill in cycle 5, told in cycle 4.
module pwc_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  logic        valid;
  logic [2:0]  level;
  logic [8:0]  told;
  logic [35:0] vpn;

  always_comb begin
    valid = cycle_i == 5;
    level = 3'd2;
    vpn   = {9'd4, 9'd3, 9'd2, 9'd1};
    told  = cycle_i == 4 ? 9'd2 : 9'd7;
    case (what_i)
      "level above 1": begin
        level = bad_i ? 3'd1 : 3'd2;
        if (bad_i) told = 9'd1;
      end
      "level of a node at all": begin
        level = bad_i ? 3'd0 : 3'd2;
        if (bad_i) told = 9'd0;
      end
      "level of the unit": begin
        level = bad_i ? 3'd5 : 3'd4;
        told  = bad_i ? 9'd0 : 9'd4;
      end
      "level of a fill": begin
        valid = cycle_i == 5 && bad_i;
        level = 3'd1;
        told  = 9'd1;
      end
      "told": if (bad_i) told = 9'd7;
      "told in its highest bit": if (bad_i) told = cycle_i == 4 ? 9'd258 : 9'd7;
      "told a cycle before": if (bad_i) told = cycle_i == 5 ? 9'd2 : 9'd7;
      "told of its level": level = bad_i ? 3'd3 : 3'd2;
      "told of a fill": begin
        valid = cycle_i == 5 && bad_i;
        told  = 9'd7;
      end
      default: valid = 1'b0;
    endcase
  end

  pwc_checker #(.VpnW(36)) u_checker (
    .clk_i,
    .rst_ni,
    .told_fill_i(told),
    .fill_valid (valid),
    .fill_level (level),
    .fill_vpn   (vpn)
  );

endmodule
