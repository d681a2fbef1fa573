// The checker of the memory subregion cache.
module msc_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Ways = 4;

  logic                 accessed, touch, at_rest;
  logic [Ways-1:0]      taken;
  logic [Ways-1:0][3:0] pasid;
  logic [Ways-1:0][7:0] tag;
  logic [Ways-1:0][1:0] rank;

  always_comb begin
    accessed = 1'b0;
    touch    = 1'b0;
    at_rest  = 1'b1;
    taken    = 4'b1010;
    pasid    = '0;
    tag      = '0;
    rank     = {2'd0, 2'd3, 2'd1, 2'd2};
    case (what_i)
      "held_once with one tag": begin
        accessed = 1'b1;
        tag[3]   = bad_i ? 8'd0 : 8'd1;
      end
      "held_once of one address space": begin
        accessed = 1'b1;
        pasid[3] = bad_i ? 4'd0 : 4'd1;
      end
      "held_once by entries that are there": begin
        accessed = 1'b1;
        taken[3] = bad_i;
      end
      "held_once when it is looked at": accessed = bad_i;
      "permutation": begin
        touch   = 1'b1;
        rank[0] = bad_i ? 2'd1 : 2'd2;
      end
      "permutation of what is touched": begin
        touch   = bad_i;
        rank[0] = 2'd1;
      end
      "at_rest before a sweep": begin
        accessed = 1'b1;
        taken    = '0;
        at_rest  = !bad_i;
      end
      "at_rest after an access": begin
        accessed = 1'b1;
        taken    = '0;
        touch    = bad_i;
      end
      default: ;
    endcase
  end

  msc_checker #(.MscWays(Ways), .PasidW(4), .TagW(8)) u_checker (
    .clk_i,
    .rst_ni,
    .accessed,
    .taken,
    .pasid,
    .tag,
    .touch_q     (touch),
    .at_rest_o   (at_rest),
    .rank_touched(rank)
  );

endmodule
