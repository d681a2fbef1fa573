// The step cache's checker: what a mark of cycle 1 has left stands in cycle 2.
module step_cache_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned PwcEntries = 2;

  logic                  mark_valid, mark_all, mark_one;
  logic [PwcEntries-1:0] valid;
  logic [3:0]            pasid [PwcEntries];

  always_comb begin
    valid = 2'b10;
    pasid = '{default: 4'd5};
    {mark_valid, mark_all, mark_one} = '0;
    case (what_i)
      "mark_clears what it meets": begin
        mark_valid = cycle_i == 1;
        mark_one   = 1'b1;
        valid[1]   = cycle_i <= 1 || bad_i;
      end
      "mark_clears all": begin
        mark_valid = cycle_i == 1;
        mark_all   = 1'b1;
        pasid[1]   = 4'd6;
        valid[1]   = cycle_i <= 1 || bad_i;
      end
      "mark_clears no other address space": begin
        mark_valid = cycle_i == 1;
        mark_one   = 1'b1;
        pasid[1]   = bad_i ? 4'd5 : 4'd6;
      end
      "mark_clears by a mark that meets somebody": begin
        mark_valid = cycle_i == 1;
        mark_one   = bad_i;
      end
      "mark_clears by a mark": begin
        mark_valid = cycle_i == 1 && bad_i;
        mark_all   = 1'b1;
      end
      default: ;
    endcase
  end

  step_cache_checker #(.PasidW(4), .PwcEntries(PwcEntries)) u_checker (
    .clk_i,
    .rst_ni,
    .mark_valid,
    .mark_all,
    .mark_one,
    .mark_pasid(4'd5),
    .valid_q   (valid),
    .pasid_q   (pasid)
  );

endmodule
