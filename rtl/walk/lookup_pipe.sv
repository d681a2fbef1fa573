// The lookups on their way through the page walk cache, or through step cache and hash unit (R6.1): one enters a
// cycle, and all go on a stage in each.
//
// Index 0 is stage 1. What a lookup is compared with is loaded in the cycle before it is in the stage of index Compare,
// so the walker of the lookup that comes there next is told too.
`include "lockwalk_types.svh"

module lookup_pipe #(
  parameter int unsigned Walkers = 8,
  parameter int unsigned Stages  = 2,
  parameter int unsigned Compare = 1,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type enter_t = `LW_PWC_ENTER_T(Walkers)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  enter_t             enter_i,
  output logic               valid_o  [Stages],
  output logic [WalkerW-1:0] walker_o [Stages],
  output logic               coming_valid_o,
  output logic [WalkerW-1:0] coming_walker_o
);

  logic [Stages-1:0]  pipe_valid_q;
  logic [WalkerW-1:0] pipe_walker_q [Stages];
  logic [WalkerW-1:0] entering;

  always_comb begin
    entering = '0;
    for (int unsigned w = 0; w < Walkers; w++) if (enter_i.walker[w]) entering |= WalkerW'(w);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pipe_valid_q <= '0;
      for (int unsigned s = 0; s < Stages; s++) pipe_walker_q[s] <= '0;
    end else begin
      for (int unsigned s = 0; s < Stages; s++) begin
        if (s == 0) begin
          pipe_valid_q[s] <= enter_i.valid;
          if (enter_i.valid) pipe_walker_q[s] <= entering;
        end else begin
          pipe_valid_q[s] <= pipe_valid_q[s-1];
          if (pipe_valid_q[s-1]) pipe_walker_q[s] <= pipe_walker_q[s-1];
        end
      end
    end
  end

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    assign valid_o[s]  = pipe_valid_q[s];
    assign walker_o[s] = pipe_walker_q[s];
  end

  if (Compare == 0) begin : gen_entering
    assign coming_valid_o  = enter_i.valid;
    assign coming_walker_o = entering;
  end else begin : gen_moving
    assign coming_valid_o  = pipe_valid_q[Compare-1];
    assign coming_walker_o = pipe_walker_q[Compare-1];
  end

endmodule
