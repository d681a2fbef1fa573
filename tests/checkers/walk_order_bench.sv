// The checker of who walks first. Entry 2 comes in cycle 1 and entry 0 in cycle 2; one of them is
// picked in cycle 4, so that it has PICKED=1 in cycle 5.
module walk_order_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Entries = 4;

  logic                    mark_valid;
  logic [Entries-1:0]      valid, picked, done;
  logic [2:0][Entries-1:0] cl;

  always_comb begin
    valid      = {1'b0, cycle_i >= 1, 1'b0, cycle_i >= 2};
    picked     = (cycle_i >= 5) ? 4'b0100 : '0;
    done       = '0;
    cl         = '0;
    mark_valid = 1'b0;
    case (what_i)
      "one_comes": valid[1] = cycle_i >= (bad_i ? 2 : 3);
      "one_is_picked": picked[0] = cycle_i >= (bad_i ? 5 : 6);
      "picked_eligible with CL=1": cl[0][2] = cycle_i == (bad_i ? 4 : 5);
      "picked_eligible with CL=2": cl[1][2] = cycle_i == (bad_i ? 4 : 5);
      "picked_eligible with CL=4": cl[2][2] = cycle_i == (bad_i ? 4 : 5);
      "picked_eligible and not answered": done[2] = cycle_i == (bad_i ? 4 : 5);
      "picked_eligible of a valid entry": valid[2] = cycle_i >= 1 && !(cycle_i >= 4 && bad_i);
      "none_at_a_mark": mark_valid = cycle_i == (bad_i ? 4 : 5);
      "oldest_first": picked = (cycle_i < 5) ? '0 : bad_i ? 4'b0001 : 4'b0100;
      "oldest_first of those that may walk": begin
        picked   = (cycle_i < 5) ? '0 : 4'b0001;
        cl[0][2] = !bad_i;
      end
      default: ;
    endcase
  end

  walk_order_checker #(.BufferEntries(Entries)) u_checker (
    .clk_i,
    .rst_ni,
    .mark_valid_i(mark_valid),
    .valid_q     (valid),
    .picked_q    (picked),
    .done_q      (done),
    .cl_q        (cl)
  );

endmodule
