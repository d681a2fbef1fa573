// The walkers' checker, in a unit that reads heads and in one that does not.
module walker_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Walkers = 3;
  localparam int unsigned MemTagW = 4;

  logic [2:0]         level   [Walkers];
  logic [Walkers-1:0] started;
  logic [8:0]         contig  [Walkers];
  logic               valid, valid_without_heads;
  logic [MemTagW-1:0] tag;

  always_comb begin
    level   = '{default: 3'd2};
    contig  = '{default: '0};
    started = '1;
    tag     = '0;
    {valid, valid_without_heads} = '0;
    case (what_i)
      "contig_at_leaf above level 1": begin
        contig[1] = 9'd1;
        level[1]  = bad_i ? 3'd2 : 3'd1;
      end
      "contig_at_leaf far above level 1, of the last walker": begin
        contig[2] = 9'd16;
        level[2]  = bad_i ? 3'd4 : 3'd1;
      end
      "contig_at_leaf once started": begin
        contig[1]  = 9'd256;
        started[1] = bad_i;
      end
      "tag_known of a ninth head": begin
        valid = 1'b1;
        tag   = bad_i ? 4'd11 : 4'd10;
      end
      "tag_known far behind the heads": begin
        valid = 1'b1;
        tag   = bad_i ? 4'd15 : 4'd10;
      end
      "tag_known of no request": begin
        valid = bad_i;
        tag   = 4'd11;
      end
      "tag_known of a head that nobody reads": begin
        valid_without_heads = 1'b1;
        tag                 = bad_i ? 4'd3 : 4'd2;
      end
      default: ;
    endcase
  end

  walker_checker #(.Walkers(Walkers), .ContigW(9), .MemTagW(MemTagW), .Heads(1'b1)) u_heads (
    .clk_i,
    .rst_ni,
    .level_q        (level),
    .started_q      (started),
    .contig_q       (contig),
    .mem_req_valid_o(valid),
    .mem_req_tag_o  (tag)
  );

  walker_checker #(.Walkers(Walkers), .ContigW(9), .MemTagW(MemTagW), .Heads(1'b0)) u_no_heads (
    .clk_i,
    .rst_ni,
    .level_q        (level),
    .started_q      (started),
    .contig_q       ('{default: '0}),
    .mem_req_valid_o(valid_without_heads),
    .mem_req_tag_o  (tag)
  );

endmodule
